"""Which colour an optimizer tensor has: the same state has the same one everywhere."""

from collections.abc import Sequence

from zerogui.accounting.recipe import MASTER_WEIGHTS

_MOMENTS = ("first", "second", "further")


def optimizer_roles(names: Sequence[str]) -> tuple[str, ...]:
    """ "master", "first", "second" or "further" for each optimizer tensor, by its name.

    Names that say neither take what is still free, in order.
    """
    roles = [_by_name(name) for name in names]
    free = [role for role in _MOMENTS[:2] if role not in roles]
    return tuple(role or (free.pop(0) if free else "further") for role in roles)


def _by_name(name: str) -> str:
    if name == MASTER_WEIGHTS:
        return "master"
    return next((role for role in _MOMENTS[:2] if name.startswith(f"{role} ")), "")
