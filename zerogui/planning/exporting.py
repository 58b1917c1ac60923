"""The scenario under discussion as an engine's own config."""

from zerogui.accounting.scenario import Scenario
from zerogui.files.atomic import write_atomically
from zerogui.files.opened import Export


def export_text(scenario: Scenario, form: str) -> Export:
    """``scenario`` as "deepspeed", "accelerate" or "pytorch".

    InputError or FileError (one sentence) where the engine cannot run it at all.
    """
    if form == "deepspeed":
        from zerogui.files.engines.deepspeed_export import write_deepspeed

        return write_deepspeed(scenario)
    if form == "accelerate":
        from zerogui.files.engines.accelerate_export import write_accelerate

        return write_accelerate(scenario)
    from zerogui.files.engines.fsdp_snippet import write_fully_shard

    return write_fully_shard(scenario)


def save_export(export: Export, path: str) -> None:
    """Write ``export`` to ``path``, whole or not at all. FileError where that is not possible."""
    write_atomically(path, export.text.encode())
