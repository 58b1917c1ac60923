"""Wrong scenario files: one sentence that names the file, the field and what to do."""

import pytest

from zerogui.files.errors import FileError
from zerogui.files.scenario import decode

HEAD = '{"format": "zerogui/scenario", "version": 1, '
MODEL = '"model": {"parameters": 8}'


def _with(section: str) -> bytes:
    return f"{HEAD}{MODEL}, {section}}}".encode()


def _model(fields: str) -> bytes:
    return f'{HEAD}"model": {fields}}}'.encode()


def _tensors(*entries: str) -> bytes:
    return _model(f'{{"tensors": [{", ".join(entries)}]}}')


NOT_JSON = [
    (b"", "is empty; choose another file."),
    (b" \n\t", "is empty; choose another file."),
    (b"hello", "line 1, column 1 is not JSON (expecting value); correct it there."),
    (
        b'{"format": "zerogui/scenario"\n "version": 1}',
        "line 2, column 2 is not JSON (expecting ',' delimiter); correct it there.",
    ),
    (
        b"{'format': 1}",
        "line 1, column 2 is not JSON (expecting property name enclosed in double"
        " quotes); correct it there.",
    ),
    (
        _with('"title": "a\nb"'),
        "line 1, column 85 is not JSON (invalid control character); correct it there.",
    ),
    (_with('"title": ""') + b"{}", "line 1, column 86 is not JSON (extra data); correct it there."),
    (b"\x89PNG\r\n\x1a\n\x00", "is not text (it has NUL bytes); choose another file."),
    (b'{"title": "\0"}', "is not text (it has NUL bytes); choose another file."),
    (b'{\n"title": "\xff"}', "line 2 is not UTF-8 text; save it as UTF-8."),
    (b'{"title": "M\xfcnchen"}', "line 1 is not UTF-8 text; save it as UTF-8."),
    (b"\xef\xbb\xbf{}", "starts with a byte order mark; save it as UTF-8 without one."),
    ('{"format": 1}'.encode("utf-16"), "is UTF-16 text; save it as UTF-8."),
    ("\ufeff{}".encode("utf-16-be"), "is UTF-16 text; save it as UTF-8."),
    (b"[" * 100_000, "is nested too deeply; choose another file."),
    (_with('"title": ' + "[" * 100_000), "is nested too deeply; choose another file."),
    (b" " * 64_000_000 + b"1", "is larger than 64 MB; choose a smaller file."),
]

HEADER = [
    (b"[]", "the file is a list, which is no scenario; choose another file."),
    (b"null", "the file is null, which is no scenario; choose another file."),
    (b"7.5e9", "the file is 7.5e9, which is no scenario; choose another file."),
    (
        b'{"hidden_size": 4096}',
        'format is missing; add "format": "zerogui/scenario" or choose another file.',
    ),
    (
        b'{"format": "zerogui/report", "version": 1}',
        'format is "zerogui/report"; choose a file with "zerogui/scenario".',
    ),
    (b'{"format": null, "version": 1}', 'format is null; choose a file with "zerogui/scenario".'),
    (
        b'{"format": "zerogui/scenario", "model": {"parameters": 8}}',
        'version is missing; add "version": 1 or choose another file.',
    ),
    (
        b'{"format": "zerogui/scenario", "version": 2, "models": []}',
        "version is 2; this zerogui reads version 1, so use a newer one.",
    ),
    (
        b'{"format": "zerogui/scenario", "version": 0}',
        "version is 0; this zerogui reads version 1.",
    ),
    (
        b'{"format": "zerogui/scenario", "version": "1"}',
        'version is "1"; this zerogui reads version 1.',
    ),
    (
        b'{"format": "zerogui/scenario", "version": 1.0}',
        "version is 1.0; this zerogui reads version 1.",
    ),
    (
        b'{"format": "zerogui/scenario", "version": true}',
        "version is true; this zerogui reads version 1.",
    ),
]

TYPES = [
    (_model('{"parameters": 7.5e9}'), "model.parameters is 7.5e9; write 7500000000."),
    (_model('{"parameters": 8.0}'), "model.parameters is 8.0; write 8."),
    (
        _model('{"parameters": 0.5}'),
        "model.parameters is 0.5; use a whole number with all its digits.",
    ),
    (
        _model('{"parameters": true}'),
        "model.parameters is true; use a whole number with all its digits.",
    ),
    (
        _model('{"parameters": "7B"}'),
        'model.parameters is "7B"; use a whole number with all its digits.',
    ),
    (_model('{"parameters": "64"}'), 'model.parameters is "64"; write 64.'),
    (
        _model('{"parameters": null}'),
        "model.parameters is null; use a whole number with all its digits.",
    ),
    (
        _model('{"parameters": -0}'),
        "model.parameters is -0; use a whole number with all its digits.",
    ),
    (
        _model('{"parameters": NaN}'),
        "model.parameters is NaN; use a whole number with all its digits.",
    ),
    (
        _model('{"parameters": -Infinity}'),
        "model.parameters is -Infinity; use a whole number with all its digits.",
    ),
    (
        _model('{"parameters": 1' + "0" * 5000 + "}"),
        "model.parameters is a number of 5,001 characters; use a whole number up to 10^18.",
    ),
    (
        _model('{"parameters": [8]}'),
        "model.parameters is a list; use a whole number with all its digits.",
    ),
    (_model("[8]"), "model is a list; use an object {...}."),
    (_model('{"tensors": {}}'), "model.tensors is an object; use a list [...] or null."),
    (_with('"title": 7'), "title is 7; use text in quotes."),
    (_with('"title": 1234567'), "title is 1,234,567; use text in quotes."),
    (_with('"title": 1.5'), "title is 1.5; use text in quotes."),
    (_with('"recipe": null'), "recipe is null; use an object {...}."),
    (_with('"device": "H100"'), 'device is "H100"; use an object {...} or null.'),
    (
        _with('"device": {"memory": "80GB"}'),
        'device.memory is "80GB"; use a whole number of bytes.',
    ),
    (
        _with('"recipe": {"accumulation": false}'),
        "recipe.accumulation is false; use text in quotes or null.",
    ),
    (
        _with('"sharding": {"group": "all"}'),
        'sharding.group is "all"; use a whole number with all its digits or null.',
    ),
    (
        _with(
            '"recipe": {"optimizer": [{"name": "m", "dtype": "fp32"}, {"name": "v", "dtype": 4}]}'
        ),
        "recipe.optimizer[1].dtype is 4; use text in quotes.",
    ),
    (
        _tensors('{"name": "a", "shape": [4096, 4096.0]}'),
        "model.tensors[0].shape[1] is 4096.0; write 4096.",
    ),
    (
        _tensors('{"name": "a", "shape": 4096}'),
        "model.tensors[0].shape is 4,096; use a list [...].",
    ),
    (
        _tensors('{"name": "a", "shape": [1], "frozen": 1}'),
        "model.tensors[0].frozen is 1; use true or false.",
    ),
]

FIELDS = [
    (
        _with('"sharding": {"foo": 1}'),
        "sharding.foo is not a field of a scenario; remove it or use rule, stage, group,"
        " secondary_group, persistence_threshold, offload_optimizer, offload_weights.",
    ),
    (
        _with('"sharding": {"stages": 1}'),
        "sharding.stages is not a field of a scenario; did you mean stage?",
    ),
    (_with('"devices": null'), "devices is not a field of a scenario; did you mean device?"),
    (
        _with('"a b": 1'),
        '"a b" is not a field of a scenario; remove it or use format, version, model, title,'
        " recipe, cluster, sharding, device.",
    ),
    (
        _with('"x` - at `$.model": 1'),
        '"x` - at `$.model" is not a field of a scenario; remove it or use format, version,'
        " model, title, recipe, cluster, sharding, device.",
    ),
    (
        _tensors('{"name": "a", "shape": [1]}', '{"name": "b", "shape": [1], "dtype": "bf16"}'),
        "model.tensors[1].dtype is not a field of a scenario; remove it or use name, shape,"
        " frozen, count.",
    ),
    (
        _with('"recipe": {"optimizer": [{"name": "m", "dtype": "fp32", "Over": "all"}]}'),
        "recipe.optimizer[0].Over is not a field of a scenario; did you mean over?",
    ),
    (
        b'{"format": "zerogui/scenario", "version": 1}',
        'model is missing; add "model": {"parameters": 7500000000}.',
    ),
    (_model("{}"), "model has neither parameters nor tensors; add one of them."),
    (_model('{"tensors": null}'), "model has neither parameters nor tensors; add one of them."),
    (_with('"device": {"name": "A100"}'), "device.memory is missing; add a whole number of bytes."),
    (
        _with('"recipe": {"optimizer": [{"name": "m"}]}'),
        "recipe.optimizer[0].dtype is missing; add a dtype.",
    ),
    (_tensors('{"name": "a"}'), "model.tensors[0].shape is missing; add a list of lengths."),
    (_with('"title": "a", "title": "b"'), "title appears twice; keep one of them."),
    (
        _with('"cluster": {"workers": 4, "model_parallel": 2, "workers": 8}'),
        "cluster.workers appears twice; keep one of them.",
    ),
    (
        _tensors('{"name": "a", "shape": [1], "shape": [1]}'),
        "model.tensors[0].shape appears twice; keep one of them.",
    ),
    (
        _with('"title": "\\ud83d"'),
        "title has half a character (a lone surrogate); remove it.",
    ),
]

VALUES = [
    (
        _with('"cluster": {"workers": 0}'),
        "cluster.workers is 0; use a whole number from 1 to 1,048,576.",
    ),
    (
        _with('"cluster": {"workers": -4}'),
        "cluster.workers is -4; use a whole number from 1 to 1,048,576.",
    ),
    (
        _with('"cluster": {"workers": 1048577}'),
        "cluster.workers is 1,048,577; use a whole number from 1 to 1,048,576.",
    ),
    (
        _model('{"parameters": -1}'),
        "model.parameters is -1; use a whole number from 0 to 1,000,000,000,000,000,000.",
    ),
    (
        _model('{"parameters": 1000000000000000001}'),
        "model.parameters is 1,000,000,000,000,000,001; use a whole number from 0 to"
        " 1,000,000,000,000,000,000.",
    ),
    (
        _model('{"parameters": 8, "frozen_parameters": 9}'),
        "model.frozen_parameters is 9, more than all 8 parameters; use at most model.parameters.",
    ),
    (
        _model('{"parameters": 9, "tensors": [{"name": "a", "shape": [2, 4]}]}'),
        "model.parameters is 9 but the tensors add up to 8; correct it or leave it out.",
    ),
    (
        _model(
            '{"frozen_parameters": 0, "tensors": [{"name": "a", "shape": [8], "frozen": true}]}'
        ),
        "model.frozen_parameters is 0 but the tensors add up to 8; correct it or leave it out.",
    ),
    (
        _tensors('{"name": "a", "shape": [4, -2]}'),
        "model.tensors[0].shape[1] is -2; use a whole number from 0.",
    ),
    (
        _tensors('{"name": "a", "shape": [4], "count": 0}'),
        "model.tensors[0].count is 0; use a whole number from 1.",
    ),
    (
        _tensors('{"name": "a", "shape": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}'),
        "model.tensors[0].shape is a list; use at most 16 lengths.",
    ),
    (
        _tensors('{"name": "a", "shape": [1000000000, 1000000000, 2]}'),
        "model.tensors add up to more than 10^18 parameters; use fewer or smaller tensors.",
    ),
    (
        _with('"sharding": {"stage": 4}'),
        "sharding.stage is 4; use a whole number from 0 to 3.",
    ),
    (
        _with('"sharding": {"group": 3}'),
        "sharding.group is 3, which does not divide the 4 workers; use a divisor or null.",
    ),
    (
        _with('"device": {"memory": -1}'),
        "device.memory is -1; use a whole number from 0 to 1,000,000,000,000,000,000.",
    ),
]

WRONG = [*NOT_JSON, *HEADER, *TYPES, *FIELDS, *VALUES]


def test_the_table_of_wrong_files_is_long() -> None:
    assert len(WRONG) >= 40


@pytest.mark.parametrize(("data", "sentence"), WRONG, ids=[sentence[:60] for _, sentence in WRONG])
def test_a_wrong_file_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(FileError) as refusal:
        decode(data, "/home/ada/plans/plan.zerogui.json")
    assert str(refusal.value) == f"plan.zerogui.json: {sentence}"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (_with('"recipe": {"weights": "bf17"}'), "recipe.weights"),
        (
            _with('"recipe": {"optimizer": [{"name": "m", "dtype": "x"}]}'),
            "recipe.optimizer[0].dtype",
        ),
        (
            _with(
                '"recipe": {"optimizer": [{"name": "m", "dtype": "fp32"},'
                ' {"name": "m", "dtype": "fp32"}]}'
            ),
            "recipe.optimizer[1].name",
        ),
        (
            _with('"recipe": {"optimizer": [{"name": "m", "dtype": "fp32", "over": "some"}]}'),
            "recipe.optimizer[0].over",
        ),
        (_with('"sharding": {"rule": "megatron"}'), "sharding.rule"),
        (_with('"sharding": {"offload_weights": "cpu"}'), "sharding.offload_weights"),
        (_with('"sharding": {"rule": "torch-zero1", "group": 2}'), "sharding.group"),
        (_tensors('{"name": "a", "shape": [1], "count": 2}'), "model.tensors[0].name"),
        (
            _tensors('{"name": "a", "shape": [1]}', '{"name": "a", "shape": [1]}'),
            "model.tensors[1].name",
        ),
    ],
)
def test_a_value_that_accounting_refuses_names_its_field(data: bytes, field: str) -> None:
    with pytest.raises(FileError) as refusal:
        decode(data, "plan.zerogui.json")
    assert str(refusal.value).startswith(f"plan.zerogui.json: {field} is ")


def test_a_comma_before_the_closing_brace_is_refused_where_it_stands() -> None:
    with pytest.raises(FileError, match=r"^p: line 1, column \d+ is not JSON "):
        decode(_with('"title": "a",'), "p")


def test_a_file_name_with_a_line_end_stays_on_one_line() -> None:
    with pytest.raises(FileError) as refusal:
        decode(b"", "plans/a\nb.json")
    assert str(refusal.value) == "a\\nb.json: is empty; choose another file."
    assert refusal.value.source == "plans/a\nb.json"
