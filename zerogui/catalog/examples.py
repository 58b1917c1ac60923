"""The worked plans that ship in resources/examples: what each is called and what it shows."""

import os
from pathlib import Path
from typing import NamedTuple

from zerogui.catalog.resources import resource_path

_SUFFIX = ".zerogui.json"


class Example(NamedTuple):
    """One scenario; ``title`` is the file's own, ``shows`` is a sentence on why to open it."""

    name: str
    title: str
    shows: str

    @property
    def path(self) -> Path:
        """The scenario's file; FileNotFoundError where the installation lacks it."""
        return resource_path("examples", self.name + _SUFFIX)


EXAMPLES: tuple[Example, ...] = (
    Example(
        "seed",
        "Seed: 1 B parameters on 4 × H100",
        "The smallest case to check by hand: 16, 7, 5.5 and 4 GB.",
    ),
    Example(
        "zero-figure-1",
        "ZeRO paper, Figure 1: 7.5 B parameters on 64 GPUs",
        "120, 31.4, 16.6 and 1.9 GB, on the 32 GB cards of its time.",
    ),
    Example(
        "llama-3-70b-full",
        "Llama-3 70B, full fine-tuning on 16 × H100",
        "Fits with DeepSpeed at ZeRO-3 only; small tensors stay gathered.",
    ),
    Example(
        "llama-3-70b-qlora",
        "Llama-3 70B, QLoRA of rank 16 over double-quantised nf4, on one RTX 6000 Ada",
        "39.7 GB; where embeddings and head stay in bf16, as bitsandbytes leaves them,"
        " reserve 3.1 GB more.",
    ),
    Example(
        "llama-3.1-405b-hsdp",
        "Llama-3.1 405B, HSDP on 512 × H100: four groups of 128",
        "Sharded inside a group and repeated across groups, with PyTorch FSDP2.",
    ),
    Example(
        "mixtral-8x7b",
        "Mixtral 8x7B, FSDP2 on 16 × H100: eight experts, sixteen ranks",
        "Experts fused into one tensor do not divide: half of what is allocated is padding.",
    ),
)


def example_named(name: str) -> Example:
    """The example called ``name``; KeyError where there is none."""
    return {example.name: example for example in EXAMPLES}[name]


def is_example(path: str) -> bool:
    """Whether ``path`` is a file of resources/examples, which nobody's work may overwrite."""
    try:
        folder = resource_path("examples")
    except FileNotFoundError:
        return False
    return os.path.realpath(os.path.dirname(path)) == os.path.realpath(folder)
