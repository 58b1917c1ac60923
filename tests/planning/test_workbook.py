"""The workbook: formulas that follow changed inputs, exact values, texts that stay texts."""

import io
import random
import sys
import zipfile
from dataclasses import replace

import pytest

from tests.accounting.scenes import keeps, plan
from tests.planning.plans import FIGURE_1, H100, SEED, on
from tests.planning.spreadsheets import calculated, cells, changed, formulas, quoted
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import MIXED_PRECISION_ADAM, OptimizerTensor, Recipe, adam
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError
from zerogui.planning.resolve import resolve
from zerogui.planning.summary import integer_table
from zerogui.planning.workbook import workbook

WORKERS, PARALLEL, GROUP = "Workers N", "Model parallel M", "Shard group G"
PARAMETERS, FROZEN = "Parameters Ψ", "Frozen parameters"
MEMORY = "Device memory (bytes)"
TOO_LARGE = "above 2^53"

EIGHT_BIT = Recipe("8-bit Adam", "bf16", "bf16", adam("fp32", "int8-block256"))
BLOCKS = Recipe(
    "Blocks",
    "nf4-double",
    "int4",
    (OptimizerTensor("a", "nf4-block64"), OptimizerTensor("b", "int8-block256")),
    accumulation="fp8",
)
BYTES = keeps(weights="int8", gradients="int8", frozen_weights="int8")
# The largest number without gaps below it; no factor 2, 3 or 5 makes quotients come out even.
HUGE = 2**53 - 111

# Name: the plan that is exported, and what is typed into the sheet then.
CASES: dict[str, tuple[Scenario, dict[str, int]]] = {
    "as exported": (on(FIGURE_1, H100), {}),
    "more workers": (on(SEED, H100), {WORKERS: 64}),
    "seven workers": (on(plan(8_030_261_248, workers=64), H100), {WORKERS: 7}),
    "no device": (SEED, {WORKERS: 3}),
    "a group typed in": (on(FIGURE_1, H100), {WORKERS: 48, GROUP: 8}),
    "a fixed group": (plan(1_000_003, workers=8, group=4), {WORKERS: 12}),
    "eight bits": (plan(1_000_003, recipe=EIGHT_BIT), {WORKERS: 1000}),
    "blocks": (plan(1_000_003, recipe=BLOCKS, frozen=77_777), {WORKERS: 13}),
    "parameters freeze": (plan(10_000_001), {PARAMETERS: 10_000_001, FROZEN: 9_999_998}),
    "slices": (plan(10**9 + 7, frozen=10**8 + 9), {WORKERS: 5, PARALLEL: 3}),
    "another device": (on(SEED, Device("Card", 10**9, 5)), {MEMORY: 6_000_000_000}),
    "offload": (on(plan(10**9 + 1, offload_optimizer="host"), H100), {WORKERS: 9}),
    "weights offload": (on(plan(10**9 + 1, offload_weights="nvme"), H100), {WORKERS: 2}),
    "accumulation": (
        plan(999_999_937, recipe=replace(MIXED_PRECISION_ADAM, accumulation="fp32")),
        {WORKERS: 11},
    ),
    "no parameters": (plan(0), {WORKERS: 2}),
    "huge": (plan(HUGE, recipe=BYTES), {WORKERS: 7}),
    "huge, many workers": (plan(HUGE, recipe=BYTES), {WORKERS: 1_048_573}),
    "huge, sliced": (plan(HUGE, recipe=BYTES), {WORKERS: 77, PARALLEL: 1_000_003}),
    "huge, in blocks": (plan(HUGE, recipe=keeps(weights="int4", gradients="int4")), {WORKERS: 3}),
    "large cluster": (plan(405_853_388_800, workers=8), {WORKERS: 16_384}),
}


def _random_case(chance: random.Random) -> tuple[Scenario, dict[str, int]]:
    def dtype() -> str:
        return chance.choice(list(DTYPES))

    optimizer = tuple(OptimizerTensor(f"o{i}", dtype()) for i in range(chance.randint(0, 3)))
    accumulation = chance.choice([None, dtype()])
    recipe = Recipe("", dtype(), dtype(), optimizer, dtype(), accumulation)
    total = chance.randint(0, 10 ** chance.randint(1, 12))
    scenario = plan(total, workers=chance.randint(1, 64), recipe=recipe, m=chance.randint(1, 3))
    count = chance.randint(0, 10 ** chance.randint(1, 12))
    typed = {PARAMETERS: count, FROZEN: chance.randint(0, count)}
    group = chance.randint(1, 40)
    return scenario, {**typed, GROUP: group, WORKERS: group * chance.randint(1, 9)}


CASES |= {f"random {i}": _random_case(random.Random(i)) for i in range(25)}


def after(scenario: Scenario, typed: dict[str, int]) -> Scenario:
    """What the plan is with these inputs."""
    model, cluster, device = scenario.model, scenario.cluster, scenario.device
    if MEMORY in typed and device is not None:
        device = replace(device, memory=typed[MEMORY])
    return replace(
        scenario,
        model=Model(
            "",
            typed.get(PARAMETERS, model.parameters),
            typed.get(FROZEN, model.frozen_parameters),
        ),
        cluster=Cluster(
            typed.get(WORKERS, cluster.workers), 8, typed.get(PARALLEL, cluster.model_parallel)
        ),
        sharding=replace(scenario.sharding, group=typed.get(GROUP, scenario.sharding.group)),
        device=device,
    )


def expected(scenario: Scenario) -> list[list[str]]:
    """The table's rows as a sheet shows them; a line of its own says that M > 1 approximates."""
    rows = integer_table(resolve(scenario)).rows
    return [
        [
            str(label).removesuffix(" ≈"),
            *(TOO_LARGE if isinstance(c, int) and abs(c) > 2**53 else str(c) for c in cells),
        ]
        for label, *cells in rows
    ]


def table(rows: list[list[str]]) -> list[list[str]]:
    """The four stages' rows of a sheet."""
    (head,) = [i for i, row in enumerate(rows) if row[0] == "Stage"]
    return rows[head + 1 : head + 5]


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[list[str]]]]:
    """Every case as LibreOffice calculates it, and a few more by name."""
    books = {name: changed(workbook(resolve(s)), typed) for name, (s, typed) in CASES.items()}
    grouped = workbook(resolve(plan(1000, workers=8, group=4)))
    books["a group that does not divide"] = changed(grouped, {WORKERS: 6})
    books["more frozen than all"] = changed(grouped, {FROZEN: 1001})
    books["zero workers"] = changed(workbook(resolve(SEED)), {WORKERS: 0})
    books["deepspeed"] = workbook(resolve(on(plan(10**18, "deepspeed"), H100)))
    return calculated(books, tmp_path_factory.mktemp("sheets"))


@pytest.mark.parametrize("name", CASES)
def test_a_changed_sheet_shows_the_totals_of_the_changed_plan(
    name: str, sheets: dict[str, dict[str, list[list[str]]]]
) -> None:
    scenario, typed = CASES[name]
    assert table(sheets[name]["Plan"]) == expected(after(scenario, typed))


def test_a_changed_sheet_is_right_by_hand_too(
    sheets: dict[str, dict[str, list[list[str]]]],
) -> None:
    # 10^9 parameters on 64 workers: 2 + 2 + 12 bytes of 15,625,000 elements.
    assert table(sheets["more workers"]["Plan"])[3][:5] == [
        *("ZeRO-3", "31250000", "31250000", "187500000", "250000000")
    ]


@pytest.mark.parametrize(
    "name", ["a group that does not divide", "more frozen than all", "zero workers"]
)
def test_inputs_that_do_not_agree_give_no_number(
    name: str, sheets: dict[str, dict[str, list[list[str]]]]
) -> None:
    rows = sheets[name]["Plan"]
    assert rows[2][0].startswith("Check the inputs")
    assert all(cell.startswith("#") for row in table(rows) for cell in row[1:5] + row[6:])


def test_exact_values_above_2_to_the_53_are_exported_as_text(
    sheets: dict[str, dict[str, list[list[str]]]],
) -> None:
    assert table(sheets["deepspeed"]["Plan"])[0][4] == "16000000000000000000"
    held = cells(workbook(resolve(plan(10**18, "deepspeed"))))
    assert "16000000000000000000" in held.values()


def test_another_rule_exports_values_and_says_so() -> None:
    book = workbook(resolve(on(plan(1000, "deepspeed"), H100)))
    assert not formulas(book)
    assert [text for text in cells(book).values() if text.startswith("Values, not formulas")] == [
        "Values, not formulas: only the rule even is simple enough for formulas, and this plan"
        " uses DeepSpeed."
    ]


@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        (plan(1000, recipe=keeps(OptimizerTensor("m", "fp32", "matrices"))), "does not cover"),
        (plan(2**53 + 1), "above 2^53"),
        (on(SEED, 2**53 + 1), "above 2^53"),
    ],
)
def test_plans_that_a_sheet_cannot_follow_say_why(scenario: Scenario, why: str) -> None:
    book = workbook(resolve(scenario))
    assert not formulas(book)
    assert any(why in text for text in cells(book).values())


def test_programs_that_do_not_calculate_see_the_exported_values(
    sheets: dict[str, dict[str, list[list[str]]]],
) -> None:
    """File previews show the stored results: they are those that a calculation gives."""
    book = workbook(resolve(CASES["as exported"][0]))
    rows = sheets["as exported"]["Plan"]
    stored = formulas(book)
    assert stored
    for name, (_, value) in stored.items():
        assert rows[int(name[1:]) - 1][ord(name[0]) - ord("A")] == value


EVIL = ['=HYPERLINK("http://x","y")', "+1+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "http://x.y/"]


@pytest.mark.parametrize("text", EVIL)
@pytest.mark.parametrize("rule", ["even", "deepspeed"])
def test_names_from_files_are_never_run(text: str, rule: str) -> None:
    recipe = Recipe(text, "bf16", "bf16", (OptimizerTensor(text, "fp32"),))
    scenario = on(plan(1000, rule, recipe=recipe), Device(text, 10**9))
    named = replace(scenario, title=text, model=replace(scenario.model, name=text))
    book, harmless = workbook(resolve(named)), workbook(resolve(scenario))
    for sheet in (1, 2, 3) if rule == "even" else (1,):
        assert formulas(book, sheet) == formulas(harmless, sheet)
        risky = {cell for cell, held in cells(book, sheet).items() if held[0] in "=+-@"}
        assert {c for c in risky if not cells(book, sheet)[c][1:].isdigit()} <= quoted(book, sheet)
    assert cells(book)["A1"] == text
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        assert not [name for name in archive.namelist() if "_rels/sheet" in name]


def test_control_characters_in_names_are_shown_escaped() -> None:
    scenario = replace(SEED, title="a\x00b\u202ec")
    assert cells(workbook(resolve(scenario)))["A1"] == "a\\x00b\\u202ec"


def test_a_missing_library_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    # What Python keeps for a module that is not there.
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(FileError) as caught:
        workbook(resolve(SEED), "out/plan.xlsx")
    assert str(caught.value) == (
        "plan.xlsx: needs xlsxwriter to be written; run: pip install xlsxwriter."
    )
