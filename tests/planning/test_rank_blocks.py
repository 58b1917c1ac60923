"""The ranks picture as a value: who holds what, padding told apart, and what shares a block."""

from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.scenes import keeps, plan
from tests.planning.plans import plain, planned
from zerogui.accounting.model import Tensor
from zerogui.accounting.scenario import Scenario
from zerogui.planning.rank_blocks import RankBlock, RankBlocks, block_table, rank_blocks
from zerogui.planning.report import StageReport
from zerogui.planning.resolve import resolve

STATES = ("parameters", "gradients", "optimizer")


def picture(scenario: Scenario, partitioned_only: bool = False) -> RankBlocks:
    return rank_blocks(resolve(scenario), partitioned_only)


def ranges(model: RankBlocks) -> list[tuple[int, int, int]]:
    return [(block.first, block.count, block.most.total) for block in model.blocks]


def padding(block: RankBlock) -> list[tuple[str, int]]:
    return [(layer.name, layer.padding) for layer in block.most.layers if layer.padding]


# --- By hand -------------------------------------------------------------------------------------
def test_an_even_split_on_seven_ranks_is_two_blocks() -> None:
    # 1,000,003 = 7 · 142,857 + 4: four ranks hold 142,858 elements of 16 B, three 142,857.
    model = picture(plan(1_000_003, workers=7, stage=3))
    assert ranges(model) == [(0, 4, 16 * 142_858), (4, 3, 16 * 142_857)]
    assert plain(model.sentence) == (
        "Most loaded: rank 0 with 2 285 728 B. Least loaded: rank 4 with 2 285 712 B, 16 B less."
    )
    assert not model.padded


def test_deepspeed_pads_the_last_rank_of_stage_3() -> None:
    # 7 · 142,858 = 1,000,006: 3 elements of padding on rank 6.
    model = picture(plan(1_000_003, "deepspeed", workers=7, stage=3))
    assert ranges(model) == [(0, 6, 2_285_728), (6, 1, 2_285_728)]
    assert padding(model.blocks[0]) == []
    assert padding(model.blocks[1]) == [
        ("weights", 6),
        ("gradients", 6),
        ("master weights", 12),
        ("first moment", 12),
        ("second moment", 12),
    ]
    assert plain(model.sentence) == "All 7 ranks hold 2 285 728 B each."


def test_deepspeed_pads_the_whole_weights_of_stage_2_on_every_rank() -> None:
    # A = 1,000,006 (a multiple of 14), a share is 142,858.
    model = picture(plan(1_000_003, "deepspeed", workers=7, stage=2))
    assert padding(model.blocks[0]) == [("weights", 6)]
    assert padding(model.blocks[1])[:2] == [("weights", 6), ("gradients", 6)]
    assert (model.blocks[1].first, model.blocks[1].count) == (6, 1)


def test_a_flat_buffer_shorter_than_its_padding_leaves_ranks_with_padding_only() -> None:
    # T = 3 on 4 ranks: A = 8, 2 elements each; ranks 0 and 1 hold 2 and 1, ranks 2 and 3 none.
    model = picture(plan(3, "deepspeed", workers=4, stage=1))
    shares = [(b.first, b.count, dict(padding(b)).get("first moment", 0)) for b in model.blocks]
    assert shares == [(0, 1, 0), (1, 1, 4), (2, 2, 8)]


def test_fsdp2_allocates_rows_that_the_last_ranks_do_not_have() -> None:
    # Rows 100, 33, 5, 17 in chunks of 15, 5, 1, 3. Rank 5 lacks 1·7 + 1 elements, rank 6 lacks
    # 5·30 + 2·200 + 1·7 + 3 = 560, of 2 B in weights and in gradients.
    shapes = [(100, 30), (33, 200), (5, 7), (17,)]
    model = picture(plan(shapes, "fsdp2", workers=7, stage=3))
    assert ranges(model) == [(0, 5, 23_360), (5, 1, 23_264), (6, 1, 16_640)]
    assert padding(model.blocks[1]) == [("weights", 16), ("gradients", 16)]
    assert padding(model.blocks[2]) == [("weights", 1120), ("gradients", 1120)]


def test_frozen_weights_are_padded_by_themselves() -> None:
    # Trainable 10 on 4 ranks: 3, 3, 3, 3 with 2 of padding; frozen 5: 2, 2, 2, 2 with 3.
    model = picture(plan(10, "deepspeed", workers=4, frozen=5, stage=3))
    last = dict(padding(model.blocks[-1]))
    assert (last["weights"], last["frozen weights"]) == (4, 4)


def test_a_block_reads_its_ranks_and_exact_bytes_by_state() -> None:
    shapes = [(100, 30), (33, 200), (5, 7), (17,)]
    model = picture(plan(shapes, "fsdp2", workers=7, stage=3))
    assert plain(model.blocks[2].exact()) == (
        "Rank 6: 16 640 B\n"
        "Parameters: 2 920 B\n"
        "Gradients: 2 920 B\n"
        "Optimizer: 10 800 B\n"
        "Padding among them: 2 240 B"
    )
    assert plain(model.blocks[0].exact()).startswith("Ranks 0–4, 5 alike: 23 360 B\n")


def test_one_worker_is_one_block() -> None:
    model = picture(plan(10, workers=1, stage=3))
    assert ranges(model) == [(0, 1, 160)]
    assert plain(model.sentence) == "The one rank holds 160 B."


def test_a_stage_that_is_not_offered_says_why() -> None:
    model = picture(plan([(8, 8)], "fsdp2", workers=4, stage=2))
    assert model.blocks == ()
    assert model.sentence.startswith("ZeRO-2 is not offered: FSDP2 shards weights too")


def test_the_table_has_plain_integers() -> None:
    table = block_table(picture(plan(1_000_003, "deepspeed", workers=7, stage=3)))
    assert table.rows == ((0, 6, 2_285_728, 2_285_728, 0), (6, 1, 2_285_728, 2_285_728, 48))


# --- Shard groups --------------------------------------------------------------------------------
def test_a_few_shard_groups_are_drawn_one_after_the_other() -> None:
    model = picture(plan(10, workers=8, group=4, stage=3))
    # 10 = 3 + 3 + 2 + 2
    assert ranges(model) == [(0, 2, 48), (2, 2, 32), (4, 2, 48), (6, 2, 32)]
    assert model.boundaries == (0, 4)
    assert plain(model.remarks[0]) == "2 shard groups of 4 ranks hold the same."


def test_of_many_shard_groups_the_first_is_drawn() -> None:
    model = picture(plan(10, workers=16_384, group=8, stage=3))
    assert ranges(model) == [(0, 2, 32), (2, 6, 16)]
    assert (model.shown, model.boundaries) == (8, ())
    assert plain(model.remarks[0]) == (
        "2 048 shard groups of 8 ranks hold the same; ranks 0–7 are shown."
    )


# --- Many ranks ----------------------------------------------------------------------------------
def test_sixteen_thousand_ranks_are_as_many_blocks_as_they_differ() -> None:
    model = picture(plan([(10_000, 8)], "fsdp2", workers=16_384, stage=3))
    # One row each on the first 10,000 ranks, 8 elements of 16 B; the others hold padding only.
    assert ranges(model) == [(0, 10_000, 128), (10_000, 6_384, 32)]
    assert not model.aggregated


def test_too_many_unlike_ranks_share_columns_that_tell_fullest_and_emptiest() -> None:
    # Rank r gets the one tensor of 1000 - r elements.
    scenario = plan([(1000 - k,) for k in range(1000)], "torch-zero1", workers=1000, stage=1)
    model = picture(scenario, partitioned_only=True)
    assert model.aggregated
    assert len(model.blocks) == 160
    first, last = model.blocks[0], model.blocks[-1]
    assert (first.first, first.count) == (0, 6)
    assert (first.most.rank, first.most.total) == (0, 12 * 1000)
    assert (first.least.rank, first.least.total) == (5, 12 * 995)
    assert last.first + last.count == 1000
    assert last.least.total == 12
    assert plain(first.exact()).endswith("Fullest: rank 0, emptiest: rank 5")
    assert plain(model.remarks[0]).startswith("A column stands for up to 7 ranks")


def test_columns_that_differ_in_padding_only_tell_its_range() -> None:
    # Tensors of 1 to 400 elements, one each on a rank: rank r lacks those of at most r elements.
    scenario = plan([(k,) for k in range(1, 401)], "deepspeed", workers=400, stage=3)
    first = picture(scenario).blocks[0]
    assert (first.first, first.count, first.most.total) == (0, 2, 16 * 400)
    assert first.padding == (0, 16)
    assert "Padding among them: 0 to 16 B" in plain(first.exact())


def test_only_partitioned_states_can_be_looked_at() -> None:
    scenario = plan(10, workers=4, stage=1)
    whole, shares = picture(scenario), picture(scenario, partitioned_only=True)
    # 2 · 10 + 2 · 10 B whole, and 12 B each of 3, 3, 2, 2 elements.
    assert ranges(whole) == [(0, 2, 76), (2, 2, 64)]
    assert ranges(shares) == [(0, 2, 36), (2, 2, 24)]
    assert shares.top == 36
    assert "Parameters" not in shares.blocks[0].exact()
    assert whole.sentence == shares.sentence


def test_where_nothing_is_partitioned_all_is_shown() -> None:
    model = picture(plan(10, workers=4, stage=0), partitioned_only=True)
    assert not model.partitions
    assert ranges(model) == [(0, 4, 160)]


# --- Always --------------------------------------------------------------------------------------
def like_ranks(scenario: Scenario) -> tuple[RankBlocks, StageReport] | None:
    report = resolve(scenario)
    stage = report.selected
    return (rank_blocks(report), stage) if isinstance(stage, StageReport) else None


@given(planned(st.none()))
def test_every_rank_is_in_one_block_and_holds_what_the_budget_says(scenario: Scenario) -> None:
    found = like_ranks(scenario)
    if found is None:
        return
    model, stage = found
    ranks = [rank for b in model.blocks for rank in range(b.first, b.first + b.count)]
    assert ranks == list(range(model.shown))
    assert model.shown == scenario.cluster.workers
    for block in model.blocks:
        for rank in range(block.first, block.first + block.count):
            held = stage.budget.held(rank)
            assert [block.most.state(s) for s in STATES] == [getattr(held, s) for s in STATES]


@given(planned(st.none()))
def test_padding_over_a_group_is_what_the_report_says(scenario: Scenario) -> None:
    found = like_ranks(scenario)
    if found is None or any(t.over != "all" for t in scenario.recipe.optimizer):
        return  # priced in proportion: no engine's cut, so no padding to place
    model, stage = found
    replicated = {line.name for line in stage.budget.lines if not line.layout.partitioned}
    for state in STATES:
        total = 0
        for block in model.blocks:
            ranks = range(block.first, min(block.first + block.count, scenario.group))
            for layer in block.most.layers:
                once = layer.name in replicated and block.first > 0
                if layer.state == state and not once:
                    count = 1 if layer.name in replicated else len(ranks)
                    total += layer.padding_elements * count
        assert total == getattr(stage.padding, state)


@given(planned(st.none()))
def test_padding_is_never_more_than_what_is_allocated(scenario: Scenario) -> None:
    for block in picture(scenario).blocks:
        for layer in (*block.most.layers, *block.least.layers):
            assert 0 <= layer.padding <= layer.bytes


def test_formats_with_blocks_have_their_padding_too() -> None:
    # 1,000 int8 elements in blocks of 256: DeepSpeed's share of 500 is 500 + 8 B.
    scenario = plan([Tensor("a", (999,))], "deepspeed", 2, stage=3, recipe=keeps("int8-block256"))
    last = picture(scenario).blocks[-1].most.layers[-1]
    assert (last.bytes, last.padding_elements, last.padding) == (508, 1, 1)
