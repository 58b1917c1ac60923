"""An adapter on top of a base: the base is frozen, the adapter is trained."""

from pathlib import Path

import pytest

from tests.files.models.safetensors_files import Shapes, save
from zerogui.accounting.model import Model, Tensor
from zerogui.files.errors import FileError
from zerogui.files.models.checkpoint import as_adapter, read_checkpoint
from zerogui.files.opened import OpenedModel

PEFT: Shapes = {
    f"base_model.model.model.layers.{layer}.self_attn.q_proj.lora_{side}.weight": ("F32", shape)
    for layer in range(2)
    for side, shape in (("A", (8, 64)), ("B", (64, 8)))
}
BASE = Model.of(
    "Llama",
    (
        Tensor("model.embed_tokens.weight", (100, 64)),
        Tensor("model.layers.{i}.self_attn.q_proj.weight", (64, 64), False, 2),
    ),
)


@pytest.fixture
def adapter(tmp_path: Path) -> OpenedModel:
    path = tmp_path / "adapter_model.safetensors"
    save(path, PEFT)
    return read_checkpoint(path)


def test_an_adapter_leaves_the_base_frozen_and_is_trained_itself(adapter: OpenedModel) -> None:
    result = as_adapter(BASE, adapter)
    # 2 layers × 2 × 8 × 64 on top of 100 × 64 + 2 × 64 × 64.
    assert result.model.trainable_parameters == 2048
    assert result.model.frozen_parameters == 14592
    assert result.model.tensors == (
        Tensor("model.embed_tokens.weight", (100, 64), True),
        Tensor("model.layers.{i}.self_attn.q_proj.weight", (64, 64), True, 2),
        Tensor(
            "base_model.model.model.layers.{i}.self_attn.q_proj.lora_A.weight", (8, 64), False, 2
        ),
        Tensor(
            "base_model.model.model.layers.{i}.self_attn.q_proj.lora_B.weight", (64, 8), False, 2
        ),
    )
    assert (result.model.name, result.family, result.source) == (
        "Llama",
        "adapter",
        adapter.source,
    )
    assert (result.weights, result.notes) == ("fp32", ())


def test_a_base_that_is_a_count_stays_one_and_says_so(adapter: OpenedModel) -> None:
    result = as_adapter(Model("7B", 7 * 10**9, 5), adapter)
    assert result.model == Model("7B", 7_000_002_048, 7 * 10**9)
    assert result.notes == (
        "One of base and adapter is only a parameter count, so the shapes of the other are not"
        " kept.",
    )


def test_a_base_without_a_name_takes_the_adapters(tmp_path: Path) -> None:
    path = tmp_path / "my-lora.safetensors"
    save(path, PEFT)
    assert as_adapter(Model("", 8), read_checkpoint(path)).model.name == "my-lora"


def test_names_that_the_base_has_too_get_a_prefix(tmp_path: Path) -> None:
    path = tmp_path / "head.safetensors"
    save(path, {"model.layers.1.self_attn.q_proj.weight": ("F32", (3,)), "b": ("F32", (4,))})
    opened = read_checkpoint(path)
    first = as_adapter(BASE, opened)
    assert first.model.tensors is not None
    assert {t.name for t in first.model.tensors[2:]} == {
        "adapter.model.layers.1.self_attn.q_proj.weight",
        "adapter.b",
    }
    assert first.notes == ('The adapter\'s names begin with "adapter.", as the base has them too.',)
    second = as_adapter(first.model, opened)
    assert second.model.tensors is not None
    assert "adapter2.b" in {tensor.name for tensor in second.model.tensors}
    assert second.model.trainable_parameters == 7
    assert second.model.frozen_parameters == BASE.parameters + 7


def test_tensors_of_an_adapter_that_cannot_be_trained_stay_frozen(tmp_path: Path) -> None:
    path = tmp_path / "adapter_model.safetensors"
    save(path, PEFT | {"rank": ("I64", (3,))})
    result = as_adapter(BASE, read_checkpoint(path))
    assert result.model.frozen_parameters == 14595


def test_a_base_too_large_for_one_more_is_refused(adapter: OpenedModel) -> None:
    with pytest.raises(FileError) as refusal:
        as_adapter(Model("", 10**18), adapter)
    assert str(refusal.value) == (
        "adapter_model.safetensors: with its base, model.parameters is"
        " 1,000,000,000,000,002,048; use a whole number from 0 to 1,000,000,000,000,000,000."
    )
    with pytest.raises(FileError, match="stands for 1,048,580 tensors"):
        as_adapter(Model.of("", (Tensor("h.{i}", (1,), False, 2**20),)), adapter)


@pytest.mark.parametrize(
    "names",
    [
        ("q_proj.lora_A.weight", "q_proj.lora_B.weight"),
        ("lora_unet_mid_block.lora_down.weight", "lora_unet_mid_block.alpha"),
        ("unet.attn.to_q.lora.down.weight", "unet.attn.to_q.lora.up.weight"),
        ("embed.lora_embedding_A", "embed.lora_magnitude_vector.weight"),
        ("q.lora_A.default.weight", "lm_head.modules_to_save.weight"),
    ],
)
def test_lora_names_make_an_adapter_under_any_file_name(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    path = tmp_path / "style.safetensors"
    save(path, dict.fromkeys(names, ("F16", (4, 2))))
    assert read_checkpoint(path).family == "adapter"


def test_a_model_with_a_lora_inside_is_no_adapter(tmp_path: Path) -> None:
    path = tmp_path / "both.safetensors"
    save(path, PEFT | {"model.embed_tokens.weight": ("F32", (4, 2))})
    assert read_checkpoint(path).family == "checkpoint"
    for name in ("explora_A.weight", "modules_to_save.weight"):
        save(path, {name: ("F32", (4, 2))})
        assert read_checkpoint(path).family == "checkpoint"


def test_the_usual_file_name_makes_an_adapter_whatever_is_inside(tmp_path: Path) -> None:
    path = tmp_path / "adapter_model.safetensors"
    save(path, PEFT | {"base_model.model.lm_head.weight": ("F32", (4, 2))})
    assert read_checkpoint(tmp_path).family == "adapter"
    assert read_checkpoint(path).family == "adapter"


def test_an_adapter_beside_its_model_is_left_out_of_the_folder_and_said(tmp_path: Path) -> None:
    save(tmp_path / "adapter_model.safetensors", PEFT)
    save(tmp_path / "model.safetensors", {"a": ("F32", (4, 2))})
    opened = read_checkpoint(tmp_path)
    assert (opened.model.parameters, opened.family) == (8, "checkpoint")
    assert opened.notes == (
        "adapter_model.safetensors in the same folder is not counted; open it as an adapter.",
    )
