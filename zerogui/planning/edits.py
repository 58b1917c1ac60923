"""The edits that a user can make, each one undoable step from a valid scenario to a valid one.

Values are checked when an edit is applied, so that making one never fails.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple

from zerogui.accounting.cluster import Device
from zerogui.accounting.errors import InputError, shown
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.rules import RULES, rule_named
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.planning.quantities import format_bytes, format_count, group_digits

CUSTOM = "Custom"
CUSTOM_DEVICE = "Custom device"

Changed = Scenario | tuple[Scenario, tuple[str, ...]]
DtypeRole = Literal["weights", "gradients", "frozen_weights", "accumulation"]

_NBSP = "\u00a0"


class Edit(NamedTuple):
    """One change with the ``title`` that undo shows; edits of one value share a ``key``."""

    title: str
    key: str
    change: Callable[[Scenario], Changed]


class Applied(NamedTuple):
    """What an edit led to, and a sentence for everything that it changed besides."""

    scenario: Scenario
    notes: tuple[str, ...] = ()


def apply(scenario: Scenario, edit: Edit) -> Applied:
    """``edit`` applied to ``scenario``. InputError where that is not possible."""
    changed = edit.change(scenario)
    return Applied(changed) if isinstance(changed, Scenario) else Applied(*changed)


def replace_all(scenario: Scenario, title: str) -> Edit:
    """Another scenario altogether, as when a file is opened."""
    return Edit(title, "scenario", lambda _: scenario)


# Model


def set_title(text: str) -> Edit:
    """The scenario's title, on one line."""
    # Half characters (lone surrogates) can be pasted, but not saved.
    clean = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    title = f"Change title to {_short(clean)}" if clean else "Clear the title"
    return Edit(title, "title", lambda s: replace(s, title=clean))


def set_parameters(n: int) -> Edit:
    """Ψ; drops a tensor list, and the model's name where the count differs."""

    def change(s: Scenario) -> Changed:
        model, notes = s.model, []
        if model.tensors is not None:
            notes.append("The tensor list is dropped: the model is a parameter count now.")
        frozen = min(model.frozen_parameters, n)
        if frozen < model.frozen_parameters:
            notes.append(
                f"Frozen parameters are lowered from {group_digits(model.frozen_parameters)}"
                f" to all {group_digits(n)}."
            )
        name = model.name if n == model.parameters else ""
        # A count below zero has no frozen part that fits; the model says what is wrong with it.
        return replace(s, model=Model(name, n, max(frozen, 0))), tuple(notes)

    return Edit(f"Change parameters to {format_count(n)}", "parameters", change)


def set_frozen_parameters(n: int) -> Edit:
    """Parameters that are not trained; drops a tensor list that says otherwise."""

    def change(s: Scenario) -> Changed:
        if n == s.model.frozen_parameters:
            return s
        dropped = (
            ()
            if s.model.tensors is None
            else (
                "The tensor list is dropped: it marks"
                f" {group_digits(s.model.frozen_parameters)} parameters as frozen.",
            )
        )
        return replace(s, model=replace(s.model, frozen_parameters=n, tensors=None)), dropped

    return Edit(f"Change frozen parameters to {format_count(n)}", "frozen_parameters", change)


def freeze_all_but(text: str) -> Edit:
    """Train only a count ("20M"), a share ("0.5%") or the tensors that patterns name."""

    def change(s: Scenario) -> Changed:
        from zerogui.planning.freezing import train_only

        model = train_only(s.model, text)
        if s.model.tensors is None or model.tensors is not None:
            return replace(s, model=model)
        note = "The tensor list is dropped: a count does not say which tensors are trained."
        return replace(s, model=model), (note,)

    return Edit(f"Train only {_short(text)}", "model.frozen_parameters", change)


def choose_model(model: Model) -> Edit:
    """A model as a whole, frozen parameters included."""
    title = f"Choose model {_short(model.name)}" if model.name else "Choose a model"
    return Edit(title, "model", lambda s: replace(s, model=model))


# Recipe


def choose_recipe(recipe: Recipe) -> Edit:
    """A recipe as a whole."""
    title = f"Choose recipe {_short(recipe.name)}" if recipe.name else "Choose a recipe"
    return Edit(title, "recipe", lambda s: replace(s, recipe=recipe))


def set_dtype(role: DtypeRole, dtype: str | None) -> Edit:
    """The dtype of a role; None is for ``accumulation`` only: gradients accumulate in place."""
    words = role.replace("_", " ")
    title = f"Change {words} to {dtype}" if dtype else "Accumulate gradients in place"

    def change(s: Scenario) -> Changed:
        if dtype is None and role != "accumulation":
            raise InputError(f"recipe.{role}", "has no dtype", "choose one")
        return _recipe(s, **{role: dtype})

    return Edit(title, f"recipe.{role}", change)


def set_optimizer_dtype(index: int, dtype: str) -> Edit:
    """The dtype of optimizer tensor ``index``."""
    title = f"Change optimizer tensor {index + 1} to {dtype}"
    return _optimizer_edit(title, index, "dtype", lambda t: (replace(t, dtype=dtype),))


def rename_optimizer_tensor(index: int, name: str) -> Edit:
    """The name of optimizer tensor ``index``, on one line."""
    clean = " ".join(name.encode("utf-8", "replace").decode("utf-8").split())
    title = f"Rename optimizer tensor {index + 1} to {_short(clean)}"
    return _optimizer_edit(title, index, "name", lambda t: (replace(t, name=clean),))


def remove_optimizer_tensor(index: int) -> Edit:
    """One optimizer tensor less."""
    return _optimizer_edit(f"Remove optimizer tensor {index + 1}", index, "remove", lambda _: ())


def add_optimizer_tensor() -> Edit:
    """One more optimizer tensor: a name of its own, the last one's dtype (fp32 for the first)."""

    def change(s: Scenario) -> Changed:
        kept = s.recipe.optimizer
        taken = {tensor.name for tensor in kept}
        number = next(n for n in range(len(kept) + 1, 2 * len(kept) + 2) if _nth(n) not in taken)
        dtype = kept[-1].dtype if kept else "fp32"
        return _recipe(s, optimizer=(*kept, OptimizerTensor(_nth(number), dtype)))

    return Edit("Add an optimizer tensor", "recipe.optimizer", change)


def _nth(number: int) -> str:
    return f"tensor {number}"


def _optimizer_edit(
    title: str,
    index: int,
    what: str,
    change: Callable[[OptimizerTensor], tuple[OptimizerTensor, ...]],
) -> Edit:
    """``change`` says what takes the place of optimizer tensor ``index``."""

    def change_recipe(s: Scenario) -> Changed:
        kept = s.recipe.optimizer
        if not 0 <= index < len(kept):
            raise InputError("recipe.optimizer", f"has no tensor {index + 1}", "choose another")
        return _recipe(s, optimizer=(*kept[:index], *change(kept[index]), *kept[index + 1 :]))

    return Edit(title, f"recipe.optimizer[{index}].{what}", change_recipe)


def _recipe(s: Scenario, **changes: object) -> Scenario:
    """``s`` with a changed, and so a custom, recipe; ``s`` itself where nothing changes."""
    changed = replace(s.recipe, **changes)  # type: ignore[arg-type]  # by name
    return s if changed == s.recipe else replace(s, recipe=replace(changed, name=CUSTOM))


# Cluster


def set_workers(n: int) -> Edit:
    """N; groups that do not divide it are reset."""

    def change(s: Scenario) -> Changed:
        # Made first, so that an impossible N is refused before anything is divided.
        cluster = replace(s.cluster, workers=n)
        sharding, notes = s.sharding, []
        if sharding.group is not None and n % sharding.group:
            notes.append(
                f"The shard group of {group_digits(sharding.group)} does not divide"
                f" {_workers(n)}, so states are sharded over all of them."
            )
            sharding = replace(sharding, group=None)
        if sharding.secondary_group is not None and n % sharding.secondary_group:
            notes.append(
                f"The secondary group of {group_digits(sharding.secondary_group)} does not divide"
                f" {_workers(n)}, so it is off."
            )
            sharding = replace(sharding, secondary_group=None)
        return replace(s, cluster=cluster, sharding=sharding), tuple(notes)

    return Edit(f"Change workers to {group_digits(n)}", "workers", change)


def _workers(n: int) -> str:
    return f"{group_digits(n)} worker{'' if n == 1 else 's'}"


def set_workers_per_node(n: int) -> Edit:
    """GPUs of one node."""
    return Edit(
        f"Change GPUs per node to {group_digits(n)}",
        "workers_per_node",
        lambda s: replace(s, cluster=replace(s.cluster, workers_per_node=n)),
    )


def set_model_parallel(n: int) -> Edit:
    """M."""
    return Edit(
        f"Change model parallel to {group_digits(n)}",
        "model_parallel",
        lambda s: replace(s, cluster=replace(s.cluster, model_parallel=n)),
    )


# Sharding

_REFUSABLE = {
    "group": "no shard group, so states are sharded over all workers",
    "secondary_group": "no secondary group, so it is off",
    "persistence_threshold": "no persistence threshold, so it is 0",
    "offload_optimizer": "no optimizer offload, so optimizer states stay on the device",
    "offload_weights": "no weight offload, so weights stay on the device",
}


def choose_rule(name: str) -> Edit:
    """A partition rule; what it does not have is reset, and a stage moves to one that it has."""

    def change(s: Scenario) -> Changed:
        rule_named(name)
        sharding, dropped = _without_refused(replace(s.sharding, rule=name))
        moved, notes = _to_offered_stage(s, sharding)
        return replace(s, sharding=moved), (*notes, *dropped)

    title = RULES[name].title if name in RULES else name
    return Edit(f"Choose partition rule {title}", "rule", change)


def _without_refused(sharding: Sharding) -> tuple[Sharding, tuple[str, ...]]:
    """``sharding`` with every setting at its default that its rule refuses."""
    rule, notes = rule_named(sharding.rule), []
    for _ in _REFUSABLE:
        try:
            rule.check(sharding)
        except InputError as error:
            field = error.field.removeprefix("sharding.")
            default = getattr(Sharding(), field)
            sharding = replace(sharding, **{field: default})
            notes.append(f"{rule.title} has {_REFUSABLE[field]}.")
    return sharding, tuple(notes)


def _to_offered_stage(s: Scenario, sharding: Sharding) -> tuple[Sharding, tuple[str, ...]]:
    """``sharding`` at its stage, or at the nearest lower one that its rule offers."""
    rule = rule_named(sharding.rule)
    known = s.model.tensors is not None and s.cluster.model_parallel == 1
    reason = rule.not_offered(sharding.stage, known)
    if reason is None:
        return sharding, ()
    lower = range(sharding.stage - 1, -1, -1)
    stage = next(stage for stage in lower if rule.not_offered(stage, known) is None)
    note = f"Stage {sharding.stage} becomes stage {stage} with {rule.title}: {reason}."
    return replace(sharding, stage=stage), (note,)


def set_stage(s: int) -> Edit:
    """The stage under discussion."""
    return _sharding_edit(f"Change stage to {s}", "stage", s)


def set_group(n: int | None) -> Edit:
    """G; None shards over all workers."""
    title = "Shard over all workers" if n is None else f"Change shard group to {group_digits(n)}"
    return _sharding_edit(title, "group", n)


def set_secondary_group(n: int | None) -> Edit:
    """The hpZ group; None for no secondary copy."""
    title = "Turn the secondary group off"
    if n is not None:
        title = f"Change secondary group to {group_digits(n)}"
    return _sharding_edit(title, "secondary_group", n)


def set_persistence_threshold(n: int) -> Edit:
    """Elements up to which a tensor stays gathered at stage 3."""
    title = f"Change persistence threshold to {group_digits(n)}"
    return _sharding_edit(title, "persistence_threshold", n)


def set_offload_optimizer(tier: str) -> Edit:
    """Where optimizer states live."""
    return _sharding_edit(f"Move optimizer states to {tier}", "offload_optimizer", tier)


def set_offload_weights(tier: str) -> Edit:
    """Where weight shards live."""
    return _sharding_edit(f"Move weights to {tier}", "offload_weights", tier)


def _sharding_edit(title: str, field: str, value: int | str | None) -> Edit:
    def change(s: Scenario) -> Changed:
        sharding = replace(s.sharding, **{field: value})  # type: ignore[arg-type]  # by name
        return replace(s, sharding=sharding)

    return Edit(title, field, change)


# Device


def choose_device(device: Device | None) -> Edit:
    """An accelerator, or none; the reserve belongs to the run and is kept from device to device."""

    def change(s: Scenario) -> Changed:
        if device is None or s.device is None:
            return replace(s, device=device)
        return replace(s, device=replace(device, reserve=s.device.reserve))

    title = "Choose no device"
    if device is not None:
        title = f"Choose device {_short(device.name)}" if device.name else "Choose a device"
    return Edit(title, "device", change)


def set_memory(n: int) -> Edit:
    """Bytes of the device, which thereby becomes a custom one."""

    def change(s: Scenario) -> Changed:
        if s.device is None:
            return replace(s, device=Device(CUSTOM_DEVICE, n))
        if n == s.device.memory:
            return s
        return replace(s, device=replace(s.device, name=CUSTOM_DEVICE, memory=n))

    return Edit(f"Change memory to {_size(n)}", "memory", change)


def set_reserve(n: int) -> Edit:
    """Bytes kept for residual states."""

    def change(s: Scenario) -> Changed:
        if s.device is None:
            raise InputError("device.reserve", "needs a device", "choose a device first")
        return replace(s, device=replace(s.device, reserve=n))

    return Edit(f"Change reserve to {_size(n)}", "reserve", change)


def _size(n: int) -> str:
    return f"{format_bytes(n, 'GB')}{_NBSP}GB"


def _short(text: str) -> str:
    """A name for an undo title: printable, and no longer than a menu entry can be."""
    return shown(text, 40).removeprefix('"').removesuffix('"')
