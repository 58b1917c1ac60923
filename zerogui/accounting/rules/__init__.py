"""The partition rules by name. A new rule is one new file here, an import, a line in RULES."""

from zerogui.accounting.errors import InputError, shown
from zerogui.accounting.rules.base import PartitionRule
from zerogui.accounting.rules.deepspeed import DeepSpeed
from zerogui.accounting.rules.even import Even
from zerogui.accounting.rules.fsdp2 import FSDP2
from zerogui.accounting.rules.torch_zero1 import TorchZero1

RULES: dict[str, PartitionRule] = {
    rule.name: rule
    for rule in (
        Even(),
        DeepSpeed(),
        FSDP2(),
        TorchZero1(),
    )
}


def rule_named(name: str) -> PartitionRule:
    """The rule called ``name``; InputError at ``sharding.rule`` where there is none."""
    try:
        return RULES[name]
    except KeyError:
        raise InputError(
            "sharding.rule", f"is {shown(name)}", f"use one of {', '.join(RULES)}"
        ) from None
