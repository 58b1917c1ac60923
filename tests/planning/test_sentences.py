"""The sentences: what is planned, whether it fits, and the arithmetic of one stage."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.scenes import keeps, plan
from tests.accounting.strategies import WIDE, recipes, scenarios
from tests.planning.plans import CARD, FIGURE_1, H100, SEED, on, plain
from zerogui.accounting.cluster import Device
from zerogui.accounting.recipe import Recipe, adam
from zerogui.accounting.scenario import Scenario
from zerogui.catalog import devices, recipe_named
from zerogui.planning.report import StageReport
from zerogui.planning.resolve import resolve

GB = 10**9
LLAMA_3_8B = 8_030_261_248
ADAM = "in mixed-precision Adam"


def ceil(n: int, size: int) -> int:
    return (n + size - 1) // size


def title(scenario: Scenario) -> str:
    return plain(resolve(scenario).title)


def verdict(scenario: Scenario, unit: str = "GB") -> str:
    return plain(resolve(scenario, unit).verdict)


def arithmetic(scenario: Scenario, stage: int, unit: str = "GB") -> str:
    found = resolve(scenario, unit).stages[stage]
    assert isinstance(found, StageReport)
    return plain(found.arithmetic)


# --- The title -----------------------------------------------------------------------------------
def test_number_and_suffix_of_the_title_stay_on_one_line() -> None:
    assert resolve(SEED).title == f"1\u00a0B parameters on 4 workers, 16 bytes each {ADAM}"


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        (SEED, f"1 B parameters on 4 workers, 16 bytes each {ADAM}"),
        (FIGURE_1, f"7.5 B parameters on 64 workers, 16 bytes each {ADAM}"),
        (
            plan(LLAMA_3_8B, workers=64),
            f"8.03 B parameters on 64 workers, 16 bytes each {ADAM}",
        ),
        (
            plan(30_261_248, frozen=8_000_000_000, workers=8),
            "8.03 B parameters (30.26 M trained) on 8 workers, 16 bytes for each trained one"
            f" {ADAM}",
        ),
        (
            plan(10**12, workers=1024, m=8),
            f"1 T parameters on 1 024 workers × 8 GPUs, 16 bytes each {ADAM}",
        ),
        (plan(1_000, workers=1), f"1 000 parameters on 1 worker, 16 bytes each {ADAM}"),
        (
            plan(1_000, recipe=Recipe("Custom", optimizer=adam("fp32", "bf16"))),
            "1 000 parameters on 4 workers, 12 bytes each in a recipe of your own",
        ),
        (plan(1_000, recipe=Recipe()), "1 000 parameters on 4 workers, 4 bytes each"),
    ],
)
def test_the_title_says_what_is_planned(scenario: Scenario, sentence: str) -> None:
    assert title(scenario) == sentence


@pytest.mark.parametrize(
    ("recipe", "each"),
    [
        # 2 + 2 + 4 + 2 × (1 + 4/256) = 10.03125
        (keeps("fp32", "int8-block256", "int8-block256"), "10.03"),
        # 0.5 + 2
        (keeps(weights="int4"), "2.5"),
        # 0.5 + 4/64 + 2 = 2.5625, to even
        (keeps(weights="nf4-block64"), "2.56"),
        # 0.5 + 1/64 + 4/(64 × 256) + 2 = 2.515869...
        (keeps(weights="nf4-double"), "2.52"),
        # 2 + 4 + 4
        (keeps("fp32", accumulation="fp32"), "12"),
        (keeps(weights="fp32", gradients="fp32"), "8"),
    ],
)
def test_the_title_says_how_many_bytes_a_parameter_takes(recipe: Recipe, each: str) -> None:
    assert title(plan(1_000, recipe=recipe)) == (
        f"1 000 parameters on 4 workers, {each} bytes each"
    )


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("Mixed-precision Adam", "16 bytes each in mixed-precision Adam"),
        ("bf16 with fp32 gradients", "18 bytes each in bf16 with fp32 gradients"),
        ("fp32 AdamW", "16 bytes each in fp32 AdamW"),
        ("Pure bf16 AdamW", "8 bytes each in pure bf16 AdamW"),
        ("bf16 with fp32 moments", "12 bytes each in bf16 with fp32 moments"),
        ("SGD with momentum", "12 bytes each in SGD with momentum"),
        ("8-bit Adam", "10.03 bytes each in 8-bit Adam"),
        ("Lion", "10 bytes each in Lion"),
        # 2 + 2 + 4 + 4 where a factor has as many elements as its tensor.
        ("Adafactor", "up to 12 bytes each in Adafactor"),
        ("Custom", "16 bytes each in a recipe of your own"),
    ],
)
def test_the_title_names_every_recipe_as_a_reader_would_write_it(name: str, end: str) -> None:
    assert title(plan([(8, 8)], recipe=recipe_named(name).recipe)).endswith(f"workers, {end}")


def test_muon_keeps_its_capital() -> None:
    assert title(plan([(8, 8)], recipe=recipe_named("Muon").recipe)).endswith(" in Muon")


# --- The verdict ---------------------------------------------------------------------------------
FP32 = keeps("fp32", "fp32", weights="fp32", gradients="fp32")


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        (SEED, "Choose a device to see at which stage it fits"),
        # 85.520809984 − 16
        (on(SEED, H100), "Fits an H100 80GB at every stage; DDP leaves 69.5 GB for activations"),
        # 85.520809984 − 16.640625
        (
            on(FIGURE_1, H100),
            "Fits an H100 80GB from ZeRO-1 on; ZeRO-2 leaves 68.9 GB for activations",
        ),
        (
            on(plan(LLAMA_3_8B, workers=64), H100, 2),
            "Fits an H100 80GB from ZeRO-1 on; ZeRO-2 leaves 67.7 GB for activations",
        ),
        # 120 − 85.520809984
        (on(FIGURE_1, H100, 0), "Fits an H100 80GB from ZeRO-1 on; DDP is over by 34.5 GB"),
        # 10 − 1.875 = 8.125, to even
        (on(FIGURE_1, 10 * GB, 3), "Fits a Card at ZeRO-3 only, leaving 8.12 GB for activations"),
        (on(FIGURE_1, 10 * GB, 2), "Fits a Card at ZeRO-3 only; ZeRO-2 is over by 6.64 GB"),
        # One GPU: DeepSpeed's fp32 master makes 16 bytes a parameter 20.
        (
            on(plan(GB, "deepspeed", 1, recipe=FP32), 18 * GB, 0),
            "Fits a Card at DDP only, leaving 2.0 GB for activations",
        ),
        # hpZ with a secondary group of 1: DDP 18, then 12, 11 and 13 GB.
        (
            on(plan(GB, "deepspeed", 2, frozen=GB, secondary_group=1), 12 * GB, 2),
            "Fits a Card at ZeRO-1 and ZeRO-2 only; ZeRO-2 leaves 1.0 GB for activations",
        ),
        # 16 × 10^12 / 4 − 85,520,809,984 bytes; 16 × ⌈10^12 / 188⌉ fits, 16 × ⌈10^12 / 187⌉ not.
        (
            on(plan(10**12), H100),
            "Does not fit an H100 80GB at any stage; ZeRO-3 is over by 3 914 GB;"
            " ZeRO-3 would fit on 188 workers",
        ),
        # ZeroRedundancyOptimizer without shapes: DDP alone, which workers do not help.
        (
            on(plan(7_500_000_000, "torch-zero1", 64), H100),
            "Does not fit an H100 80GB at any stage; DDP is over by 34.5 GB",
        ),
        (
            on(plan(GB, "torch-zero1"), H100),
            "Fits an H100 80GB at DDP; DDP leaves 69.5 GB for activations",
        ),
        (
            on(plan(GB, "fsdp2"), H100, 1),
            "Fits an H100 80GB at every stage; ZeRO-1 is not offered",
        ),
        (
            on(plan(7_500_000_000, "fsdp2", 64), H100, 2),
            "Fits an H100 80GB at ZeRO-3 (FSDP2) only; ZeRO-2 is not offered",
        ),
        (
            on(plan(7_500_000_000, "fsdp2", 64), H100, 3),
            "Fits an H100 80GB at ZeRO-3 (FSDP2) only, leaving 83.6 GB for activations",
        ),
        # The last byte: 16 GB on 20 GB less 4 GB.
        (
            on(SEED, Device("Card", 20 * GB, 4 * GB)),
            "Fits a Card at every stage; DDP leaves 0.0 GB for activations",
        ),
    ],
)
def test_the_verdict_says_where_it_fits(scenario: Scenario, sentence: str) -> None:
    assert verdict(scenario) == sentence


def test_the_verdict_is_in_the_unit_shown() -> None:
    # 68,880,184,984 / 2^30 = 64.1497
    assert verdict(on(FIGURE_1, H100), "GiB") == (
        "Fits an H100 80GB from ZeRO-1 on; ZeRO-2 leaves 64.1 GiB for activations"
    )


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("H100 80GB", "an H100 80GB"),
        ("Tesla T4", "a Tesla T4"),
        ("B200", "a B200"),
        ("A100-SXM4/PCIe 80GB", "an A100-SXM4/PCIe 80GB"),
        ("RTX 4090 24GB", "an RTX 4090 24GB"),
        ("MI300X", "an MI300X"),
        ("L4 24GB", "an L4 24GB"),
        ("GH200 96GB HBM3", "a GH200 96GB HBM3"),
        ("TPU v5e", "a TPU v5e"),
        ("Custom device", "a custom device"),
        ("Ascend 910B", "an Ascend 910B"),
        ("80GB card", "an 80GB card"),
        ("24GB card", "a 24GB card"),
        ("", "a device"),
    ],
)
def test_a_device_gets_the_article_that_is_spoken(name: str, spoken: str) -> None:
    assert verdict(on(SEED, Device(name, 85 * GB))).startswith(f"Fits {spoken} at every stage;")


def test_every_device_of_the_catalogue_gets_its_article() -> None:
    for entry in devices():
        # A100 and A40, H100, L4, MI300X, RTX; the others are B200, GB200, Gaudi, Tesla, TPU.
        article = "an" if entry.name[0] in "AHLMR" else "a"
        sentence = verdict(on(plan(8), Device(entry.name, entry.memory)))
        assert sentence.startswith(f"Fits {article} {entry.name} at every stage;")


def test_a_device_whose_name_is_blank_is_still_a_device() -> None:
    assert verdict(on(SEED, Device("  ", 85 * GB))).startswith("Fits a device at every stage;")


@pytest.mark.parametrize("text", ["a\nb", "a\u2028b", "a\x1b[2Jb", "a\tb"])
def test_a_name_with_control_characters_leaves_a_sentence_on_one_line(text: str) -> None:
    named = on(plan(8, recipe=Recipe(text)), Device(text, 100))
    for sentence in (resolve(named).title, resolve(named).verdict, resolve(named).device_label):
        assert sentence is not None
        assert all(c.isprintable() or c in "\u2009\u00a0" for c in sentence), sentence


# --- The arithmetic ------------------------------------------------------------------------------
CASES = [
    (FIGURE_1, 0, "DDP: (2 + 2 + 12)·7.5e9 = 120 000 000 000 B = 120 GB"),
    (FIGURE_1, 1, "ZeRO-1: (2 + 2)·7.5e9 + 12·7.5e9/64 = 31 406 250 000 B = 31.40625 GB"),
    (FIGURE_1, 2, "ZeRO-2: 2·7.5e9 + (2 + 12)·7.5e9/64 = 16 640 625 000 B = 16.640625 GB"),
    (FIGURE_1, 3, "ZeRO-3: (2 + 2 + 12)·7.5e9/64 = 1 875 000 000 B = 1.875 GB"),
    # Not divisible: the elements of the fullest rank, 1,000,003 = 7 × 142,857 + 4.
    (
        plan(1_000_003, workers=7),
        3,
        "ZeRO-3: (2 + 2 + 12)·142 858 = 2 285 728 B = 0.002285728 GB",
    ),
    (
        plan(30_261_248, frozen=8 * GB, workers=8),
        3,
        "ZeRO-3: (2 + 2 + 12)·30 261 248/8 + 2·8e9/8 = 2 060 522 496 B = 2.060522496 GB",
    ),
    # 10^9 / 256 = 3,906,250 scales of 4 bytes.
    (
        plan(GB, recipe=keeps("fp32", "int8-block256", "int8-block256")),
        0,
        "DDP: (2 + 2 + 4)·1e9 + int8-block256(1e9) + int8-block256(1e9)"
        " = 10 031 250 000 B = 10.03125 GB",
    ),
    (plan(GB, "fsdp2"), 3, "ZeRO-3 (FSDP2): ≈ (2 + 2 + 12)·1e9/4 = 4 000 000 000 B = 4 GB"),
    (
        plan(7_500_000_000, workers=64, m=8),
        0,
        "DDP: ≈ (2 + 2 + 12)·9.375e8 = 15 000 000 000 B = 15 GB",
    ),
    (plan(0), 3, "ZeRO-3: (2 + 2 + 12)·0/4 = 0 B = 0 GB"),
]


@pytest.mark.parametrize(("scenario", "stage", "line"), CASES)
def test_the_arithmetic_is_one_line_with_the_numbers_put_in(
    scenario: Scenario, stage: int, line: str
) -> None:
    assert arithmetic(scenario, stage) == line


def test_in_gib_the_last_figure_is_marked_as_rounded() -> None:
    # 16,640,625,000 / 2^30 = 15.497789718...
    assert arithmetic(FIGURE_1, 2, "GiB") == (
        "ZeRO-2: 2·7.5e9 + (2 + 12)·7.5e9/64 = 16 640 625 000 B ≈ 15.49779 GiB"
    )
    # 16 × 2^26 = 2^30
    assert arithmetic(plan(2**26), 0, "GiB") == (
        "DDP: (2 + 2 + 12)·67 108 864 = 1 073 741 824 B = 1 GiB"
    )


def test_the_digits_of_the_arithmetic_are_grouped_by_thin_spaces() -> None:
    stage = resolve(plan(1_000_003, workers=7)).offered[3]
    assert stage.arithmetic == (
        "ZeRO-3: (2 + 2 + 12)·142\u2009858 = 2\u2009285\u2009728\u00a0B = 0.002285728\u00a0GB"
    )


PRICES = {
    "int4": lambda n: ceil(n, 2),
    "int8-block256": lambda n: n + 4 * ceil(n, 256),
    "nf4-block64": lambda n: ceil(n, 2) + 4 * ceil(n, 64),
    "nf4-double": lambda n: ceil(n, 2) + ceil(n, 64) + 4 * ceil(ceil(n, 64), 256),
}
_COUNT = r"([\d.e]+)(?:/(\d+))?"
_TERM = re.compile(rf"(?:\(([\d+]+)\)|(\d+))·{_COUNT}|([a-z][\w-]*)\({_COUNT}\)")


def _count(number: str, over: str | None) -> int:
    found = Fraction(number) / int(over or 1)
    assert found.denominator == 1
    return found.numerator


def calculated(line: str) -> tuple[int, int]:
    """What the terms of an arithmetic line come to, and what the line says."""
    left, right, _ = re.split(" [=≈] ", re.sub(r"^[^:]*: (≈ )?", "", line))
    # Several buffers are stated in bytes, with what they are in brackets.
    squeezed = re.sub(r"\([\w-]+,[\d]+buffers\)", "·1", re.sub(r"\s", "", left))
    assert not _TERM.sub("", squeezed).strip("+"), f"unread terms in {line}"
    total = 0
    for match in _TERM.finditer(squeezed):
        widths, width, number, over, block, in_block, block_over = match.groups()
        if block:
            total += PRICES[block](_count(in_block, block_over))
        else:
            factor = sum(map(int, widths.split("+"))) if widths else int(width)
            total += factor * _count(number, over)
    return total, int(re.sub(r"\D", "", right))


@given(scenarios(recipe=recipes(False, st.sampled_from(WIDE))))
def test_whoever_calculates_the_arithmetic_gets_the_bytes(scenario: Scenario) -> None:
    for stage in resolve(scenario).offered:
        terms, stated = calculated(stage.arithmetic)
        assert terms == stated == stage.rank.total, stage.arithmetic


@given(scenarios())
def test_block_formats_make_no_false_equation(scenario: Scenario) -> None:
    for stage in resolve(scenario).offered:
        terms, stated = calculated(stage.arithmetic)
        assert stated == stage.rank.total
        assert terms == stated, stage.arithmetic


def test_the_name_of_a_card_is_the_one_it_was_given() -> None:
    assert resolve(on(SEED, 10 * GB)).device_label == f"{CARD} · 10.0\u00a0GB"
