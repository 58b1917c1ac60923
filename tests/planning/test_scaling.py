"""The scaling picture as a value: worker counts, exact bytes at each, and where a stage fits."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.scenes import plan
from tests.planning.plans import CARDS, FIGURE_1, H100, SEED, on, plain, planned
from zerogui.accounting.model import Tensor
from zerogui.accounting.scenario import Scenario
from zerogui.planning.resolve import resolve
from zerogui.planning.scaling import ScalingModel, decades, scaling_model

GB = 10**9
POWERS = [2**k for k in range(15)]


def picture(scenario: Scenario, unit: str = "GB") -> ScalingModel:
    return scaling_model(resolve(scenario, unit))


def peaks(model: ScalingModel, stage: int) -> dict[int, int]:
    (line,) = [line for line in model.lines if line.stage == stage]
    return dict(zip(model.workers, line.peaks, strict=True))


# --- Worker counts and bytes ---------------------------------------------------------------------
def test_workers_go_in_powers_of_two_from_1_to_16384() -> None:
    assert list(picture(FIGURE_1).workers) == POWERS
    assert POWERS[-1] == 16_384


def test_the_present_number_of_workers_is_among_them_when_it_is_no_power_of_two() -> None:
    model = picture(plan(10**9, workers=48))
    assert list(model.workers) == sorted([*POWERS, 48])
    assert model.current == 48


def test_more_workers_than_16384_lengthen_the_axis() -> None:
    assert picture(plan(10**9, workers=100_000)).workers[-3:] == (32_768, 65_536, 100_000)


def test_with_a_shard_group_only_its_multiples_are_shown() -> None:
    model = picture(plan(10**9, workers=18, group=6))
    assert model.workers[:6] == (6, 12, 18, 24, 48, 96)
    assert all(workers % 6 == 0 for workers in model.workers)


def test_the_secondary_group_must_divide_them_too() -> None:
    model = picture(plan(10**9, "deepspeed", workers=12, stage=3, group=6, secondary_group=4))
    assert model.workers[:3] == (12, 24, 48)


def test_bytes_at_each_number_of_workers_follow_the_paper() -> None:
    model = picture(FIGURE_1)
    # Ψ = 7.5e9: 16Ψ; 4Ψ + 12Ψ/N; 2Ψ + 14Ψ/N; 16Ψ/N.
    assert set(peaks(model, 0).values()) == {120 * GB}
    assert peaks(model, 1)[16] == 30 * GB + 5_625_000_000
    assert peaks(model, 2)[64] == 16_640_625_000
    assert peaks(model, 3)[1] == 120 * GB
    # 7.5e9 ÷ 1024 = 7,324,218.75
    assert peaks(model, 3)[1024] == 16 * 7_324_219


def test_the_selected_stage_is_the_one_under_discussion() -> None:
    assert [line.selected for line in picture(FIGURE_1).lines] == [False, False, True, False]


def test_stages_that_are_not_offered_have_no_line() -> None:
    model = picture(plan([(64, 64)], "fsdp2", workers=8, stage=3))
    assert [line.label for line in model.lines] == ["DDP", "ZeRO-3 (FSDP2)"]


def test_offloaded_bytes_are_left_out_and_the_axis_says_so() -> None:
    kept = picture(SEED)
    assert kept.axis_title == "GB per rank (the most loaded), by workers N"
    moved = picture(plan(10**9, offload_optimizer="host"))
    assert moved.axis_title == "GB on the device, most loaded rank, by workers N"
    assert peaks(kept, 1)[4] == 7 * GB
    assert peaks(moved, 1)[4] == 4 * GB


@given(planned(CARDS))
def test_every_value_is_the_report_of_that_many_workers(scenario: Scenario) -> None:
    model = picture(scenario)
    for workers in (*model.workers[:4], scenario.cluster.workers):
        moved = replace(scenario, cluster=replace(scenario.cluster, workers=workers))
        for stage in resolve(moved).offered:
            assert peaks(model, stage.stage)[workers] == stage.budget.device_peak


# --- Crossings -----------------------------------------------------------------------------------
def test_70b_fits_an_h100_at_zero_3_from_14_workers_on() -> None:
    # 16 · 70e9 ÷ 85,520,809,984 = 13.1
    model = picture(on(plan(70 * GB, workers=48, stage=3), H100))
    (crossing,) = model.crossings
    assert plain(crossing.text) == "ZeRO-3 fits from N = 14 on"
    assert crossing.workers == 14
    assert crossing.marks == ((3, 80 * GB),)
    assert 14 in model.workers


def test_stages_that_begin_to_fit_together_are_named_together() -> None:
    (crossing,) = picture(on(FIGURE_1, H100)).crossings
    assert plain(crossing.text) == "ZeRO-1, ZeRO-2, ZeRO-3 fit from N = 2 on"
    assert crossing.marks == ((1, 75 * GB), (2, 67_500_000_000), (3, 60 * GB))


def test_where_padding_grows_with_the_workers_nothing_is_promised_for_more_of_them() -> None:
    # 2 · 1e9 + 14e9 / N at most 4e9 from N = 7 on; 16e9 / N from N = 4 on.
    crossings = picture(on(plan(10**9, "deepspeed", stage=2), 4 * GB)).crossings
    texts = [plain(crossing.text) for crossing in crossings]
    assert texts[0] == "ZeRO-3 fits from N = 4 on"
    # A = 1e9 rounded up to a multiple of 14 is 1,000,000,008; 4A misses by 32 B.
    assert texts[1] == "ZeRO-2 first fits at N = 8"


def test_a_stage_that_fits_one_worker_has_no_crossing() -> None:
    assert picture(on(SEED, H100)).crossings == ()


def test_a_crossing_beyond_the_axis_is_said() -> None:
    # 16e9 / 800,000 = 20,000 workers.
    model = picture(on(SEED, 800_000))
    assert model.crossings == ()
    assert [plain(text) for text in model.remarks] == [
        "ZeRO-3 fits from N = 20 000, beyond this axis."
    ]


def test_without_a_device_there_are_no_crossings_and_no_verdicts() -> None:
    model = picture(SEED)
    assert model.crossings == ()
    assert model.device is None
    assert "fit" not in model.exact_at(0)


@given(planned(CARDS))
def test_a_crossing_is_the_first_that_fits_of_all_that_are_shown(scenario: Scenario) -> None:
    model = picture(scenario)
    for crossing in model.crossings:
        assert model.device is not None
        for stage, peak in crossing.marks:
            assert peak == peaks(model, stage)[crossing.workers] <= model.device.usable
            fewer = [p for n, p in peaks(model, stage).items() if n < crossing.workers]
            assert fewer
            assert all(p > model.device.usable for p in fewer)


# --- Reading -------------------------------------------------------------------------------------
def test_pointing_at_a_number_of_workers_reads_exact_bytes() -> None:
    model = picture(on(FIGURE_1, H100))
    assert plain(model.exact_at(model.workers.index(64))) == (
        "N = 64 (now)\n"
        "DDP: 120 000 000 000 B, does not fit\n"
        "ZeRO-1: 31 406 250 000 B, fits\n"
        "ZeRO-2: 16 640 625 000 B, fits\n"
        "ZeRO-3: 1 875 000 000 B, fits\n"
        "Room on the device: 85 520 809 984 B"
    )


def test_what_lacks_shapes_is_marked_as_approximate() -> None:
    model = picture(plan(1_000_003, "deepspeed", workers=7))
    assert "ZeRO-3: ≈ 2 285 728 B" in plain(model.exact_at(model.workers.index(7)))


def test_the_picture_is_described_for_those_who_do_not_see_it() -> None:
    assert plain(picture(on(plan(70 * GB, workers=16, stage=3), H100)).description) == (
        "GB per rank (the most loaded), by workers N from 1 to 16 384. N = 16: DDP 1 120 GB,"
        " ZeRO-1 332.5 GB, ZeRO-2 201.2 GB, ZeRO-3 70.0 GB. ZeRO-3 fits from N = 14 on."
    )


def test_the_device_line_is_in_range_unless_three_times_as_high_as_the_tallest_line() -> None:
    near = picture(on(SEED, 48 * GB)).device
    far = picture(on(SEED, 48 * GB + 1)).device
    assert near is not None
    assert far is not None
    assert (near.in_range, far.in_range) == (True, False)


# --- Bounds --------------------------------------------------------------------------------------
def test_a_long_tensor_list_leaves_worker_counts_out_and_says_so() -> None:
    scenario = plan([Tensor("t{i}", (8, 8), False, 200_000)], "torch-zero1", 64, stage=1)
    model = picture(scenario)
    assert 64 in model.workers
    assert {1, 16_384} < set(model.workers)
    assert len(model.workers) < 8
    assert plain(model.remarks[0]).endswith(
        "at each of them 200 000 tensors would have to be priced."
    )


def test_a_short_list_keeps_them_all() -> None:
    model = picture(plan([(64, 64), (8,)], "torch-zero1", 4, stage=1))
    assert list(model.workers) == POWERS
    assert model.remarks == ()


def test_an_empty_model_is_drawn_as_nothing() -> None:
    model = picture(plan(0))
    assert all(set(line.peaks) == {0} for line in model.lines)
    assert model.top == 1


# --- Logarithmic axis ----------------------------------------------------------------------------
def test_decades_enclose_the_seed() -> None:
    # 16e9 / 16,384 = 976,563 B at the least, 16e9 at the most.
    texts = [text for _, text in picture(SEED).decades]
    assert texts == ["0.0001", "0.001", "0.01", "0.1", "1", "10", "100"]


@given(st.lists(st.integers(1, 10**20), min_size=1), st.sampled_from(["GB", "GiB"]))
def test_decades_enclose_every_value_and_are_few(values: list[int], unit: str) -> None:
    found = decades(values, unit)
    size = {"GB": 10**9, "GiB": 2**30}[unit]
    assert found[0][0] * size <= min(values) * (1 + 1e-9)
    assert found[-1][0] * size >= max(values) * (1 - 1e-9)
    assert 2 <= len(found) <= 9
