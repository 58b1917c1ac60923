"""The examples that ship, against numbers derived by hand from the models' shapes.

T is the count of trained elements, S the bytes of one rank. Stages are those of the most loaded
rank; a stage that the rule does not offer is missing.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.commands import printed
from zerogui.catalog import EXAMPLES, resource_path
from zerogui.files.scenario import load
from zerogui.planning.start import seed, starting_plan

H100 = 85_520_809_984
V100 = 34_057_748_480
RTX_6000_ADA = 51_527_024_640

# Llama-3 70B, elements. A layer: q and o 8192·8192 = 67,108,864 each, k and v 1024·8192 =
# 8,388,608 each, gate, up and down 28672·8192 = 234,881,024 each, two norms of 8192:
# 134,217,728 + 16,777,216 + 704,643,072 + 16,384 = 855,654,400; 80 of them 68,452,352,000.
# Embedding and head 128256·8192 = 1,050,673,152 each, the last norm 8192.
LLAMA_70B = 68_452_352_000 + 2 * 1_050_673_152 + 8_192

# Llama-3.1 405B. A layer: q and o 16384² = 268,435,456 each, k and v 1024·16384 = 16,777,216
# each, gate, up and down 53248·16384 = 872,415,232 each, two norms of 16384: 536,870,912 +
# 33,554,432 + 2,617,245,696 + 32,768 = 3,187,703,808; 126 of them 401,650,679,808. Embedding
# and head 128256·16384 = 2,101,346,304 each, the last norm 16384.
LLAMA_405B = 401_650_679_808 + 2 * 2_101_346_304 + 16_384

# Mixtral 8x7B. A layer: q and o 4096² = 16,777,216 each, k and v 1024·4096 = 4,194,304 each,
# the gate 8·4096 = 32,768, the experts 8·28672·4096 = 939,524,096 and 8·4096·14336 =
# 469,762,048, two norms of 4096: 33,554,432 + 8,388,608 + 32,768 + 1,409,286,144 + 8,192 =
# 1,451,270,144; 32 of them 46,440,644,608. Embedding and head 32000·4096 = 131,072,000 each.
MIXTRAL = 46_440_644_608 + 2 * 131_072_000 + 4_096

# LoRA of rank 16 on all seven matrices, A 16·in and B out·16, so 16·(in + out) for each:
# q and o 16·16,384 = 262,144, k and v 16·9,216 = 147,456, gate, up and down 16·36,864 = 589,824:
# 524,288 + 294,912 + 1,769,472 = 2,588,672 a layer, 80 layers.
LORA = 207_093_760

# The frozen 70B in doubly quantised nf4. Matrices: their sizes are multiples of 64·256 = 16,384,
# which take 8,192 + 256 + 4 = 8,452 B. 70,553,706,496 less 161 norms of 8,192 is 70,552,387,584 =
# 4,306,176 such blocks: 36,395,799,552 B. A norm: 4,096 + 128 + 4·1 = 4,228 B, times 161 = 680,708.
NF4_70B = 36_395_799_552 + 680_708

# Mixtral on 16 ranks of FSDP2. Of eight experts a rank gets ⌈8/16⌉ = 1 row, and so does the other
# half, which has nothing to put there. A layer: 28672·4096 + 4096·14336 = 176,160,768, of the
# gate 4,096; q and o 256·4096 = 1,048,576 each, k and v 64·4096 = 262,144 each, two norms of 256:
# 178,786,816; 32 of them 5,721,178,112. Embedding and head 2000·4096 = 8,192,000 each, norm 256.
MIXTRAL_SHARE = 5_721_178_112 + 2 * 8_192_000 + 256
# What ranks 8 to 15 really have: 32 layers without experts and gate, 2,621,952 each, and the rest.
MIXTRAL_LEAST = 83_902_464 + 2 * 8_192_000 + 256

EXPECTED = {
    # (2 + 2 + 12)·10⁹, 4·10⁹ + 12·10⁹/4, 2·10⁹ + 14·10⁹/4, 16·10⁹/4
    "seed": {
        "sizes": (1_000_000_000, 0, 4),
        "totals": {0: 16_000_000_000, 1: 7_000_000_000, 2: 5_500_000_000, 3: 4_000_000_000},
        "free": {0: H100 - 16_000_000_000, 3: H100 - 4_000_000_000},
    },
    # The figure: 120 GB, 31.4 GB, 16.6 GB, 1.88 GB. 7.5·10⁹/64 = 117,187,500.
    "zero-figure-1": {
        "sizes": (7_500_000_000, 0, 64),
        "totals": {0: 120_000_000_000, 1: 31_406_250_000, 2: 16_640_625_000, 3: 1_875_000_000},
        "free": {0: V100 - 120_000_000_000, 2: V100 - 16_640_625_000},
    },
    # T is a multiple of 2·16 and every tensor of 16, so nothing is padded: 16T, 4T + 12T/16,
    # 2T + 14T/16, 16T/16. At ZeRO-3 the 161 norms stay gathered: 2 B · 161 · 8192 = 2,637,824.
    "llama-3-70b-full": {
        "sizes": (LLAMA_70B, 0, 16),
        "totals": {
            0: 1_128_859_303_936,
            1: 335_130_105_856,
            2: 202_841_906_176,
            3: LLAMA_70B + 2_637_824,
        },
        "free": {2: H100 - 202_841_906_176, 3: 14_964_465_664},
    },
    # One worker, nothing to partition: 16 B for each element of the adapters, and the base.
    "llama-3-70b-qlora": {
        "sizes": (LLAMA_70B + LORA, LLAMA_70B, 1),
        "totals": dict.fromkeys(range(4), 16 * LORA + NF4_70B),
        "free": {0: RTX_6000_ADA - 39_709_980_420},
    },
    # All lengths of dimension 0 are multiples of 128: 16T and 16T/128, in each of four groups.
    "llama-3.1-405b-hsdp": {
        "sizes": (LLAMA_405B, 0, 512),
        "totals": {0: 6_493_654_220_800, 3: 50_731_673_600},
        "free": {3: H100 - 50_731_673_600},
    },
    # 4 + 4 + 8 bytes for each element that is allocated.
    "mixtral-8x7b": {
        "sizes": (MIXTRAL, 0, 16),
        "totals": {0: 747_244_683_264, 3: 16 * MIXTRAL_SHARE},
        "free": {3: -6_280_187_904},
    },
}


def reported(name: str) -> Any:
    path = resource_path("examples", f"{name}.zerogui.json")
    return json.loads(printed("report", path, "--format", "json"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_an_example_holds_the_bytes_that_were_derived_by_hand(name: str) -> None:
    report, expected = reported(name), EXPECTED[name]
    model = report["scenario"]["model"]
    workers = report["scenario"]["cluster"]["workers"]
    assert (model["parameters"], model["frozen_parameters"], workers) == expected["sizes"]
    offered = {stage["stage"]: stage for stage in report["stages"] if stage["offered"]}
    totals = {stage: line["rank"]["total"] for stage, line in offered.items()}
    assert totals == expected["totals"]
    for stage, free in expected["free"].items():
        assert offered[stage]["free"] == free
        assert offered[stage]["fits"] == (free >= 0)
    assert all(line["exact"] for line in offered.values())


def test_the_models_have_as_many_parameters_as_they_are_published_with() -> None:
    assert (LLAMA_70B, LLAMA_405B, MIXTRAL) == (70_553_706_496, 405_853_388_800, 46_702_792_704)


def test_half_of_the_ranks_of_mixtral_hold_padding() -> None:
    stage = reported("mixtral-8x7b")["stages"][3]
    assert [(run["first"], run["count"]) for run in stage["ranks"]] == [(0, 8), (8, 8)]
    # Weights and gradients are allocated on all, Adam's moments on those that have real rows.
    assert stage["rank"]["optimizer"] == 8 * MIXTRAL_SHARE
    assert stage["least"] == {
        "parameters": 4 * MIXTRAL_SHARE,
        "gradients": 4 * MIXTRAL_SHARE,
        "optimizer": 8 * MIXTRAL_LEAST,
        "total": 8 * MIXTRAL_SHARE + 8 * MIXTRAL_LEAST,
    }


def test_a_group_of_the_405b_holds_all_states_and_the_cluster_four_times_that() -> None:
    report = reported("llama-3.1-405b-hsdp")
    assert report["scenario"]["sharding"]["group"] == 128
    assert report["stages"][3]["cluster_total"] == 4 * 16 * LLAMA_405B
    assert report["answers"]["fewest_workers"]["3"] == 128


def test_bf16_embeddings_need_as_much_more_as_the_example_says() -> None:
    # Embedding and head, 2,101,346,304 elements: 4,202,692,608 B in bf16; in nf4 128,256 blocks
    # of 8,452 B, which are 1,084,019,712 B.
    assert 4_202_692_608 - 1_084_019_712 == 3_118_672_896
    (shows,) = [example.shows for example in EXAMPLES if example.name == "llama-3-70b-qlora"]
    assert "3.1 GB more" in shows


def test_every_file_of_the_folder_is_an_example_under_the_title_that_it_has() -> None:
    files = {path.name: load(path).title for path in resource_path("examples").iterdir()}
    assert files == {f"{example.name}.zerogui.json": example.title for example in EXAMPLES}
    assert set(EXPECTED) == {example.name for example in EXAMPLES}


def test_the_seed_is_what_the_program_starts_with() -> None:
    example = load(resource_path("examples", "seed.zerogui.json"))
    start = seed()
    assert (example.model, example.recipe, example.cluster, example.device) == (
        start.model,
        start.recipe,
        start.cluster,
        start.device,
    )


def test_an_example_is_a_plan_without_a_file_and_a_copy_of_it_a_plan_with_one(
    tmp_path: Path,
) -> None:
    path = str(resource_path("examples", "seed.zerogui.json"))
    assert not starting_plan(path).is_scenario
    assert not starting_plan(os.path.relpath(path)).is_scenario
    copy = shutil.copy(path, tmp_path)
    assert starting_plan(copy).is_scenario
