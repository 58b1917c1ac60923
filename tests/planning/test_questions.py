"""The meeting's questions, answered in words, each answer a step that can be taken."""

from dataclasses import replace

from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.planning.edits import apply
from zerogui.planning.questions import Link, Question, questions
from zerogui.planning.resolve import resolve

H100 = Device("H100 80GB", 85_520_809_984)
# Llama-3 70B on 8 workers, 2 + 2 + 12: 16·70.55e9/8 = 141.1 GB at stage 3, which does not fit.
LLAMA_70B = Scenario(
    model=Model("Llama-3 70B", 70_553_706_496), cluster=Cluster(workers=8), device=H100
)


def asked(scenario: Scenario) -> dict[str, Question]:
    return {question.asked: question for question in questions(resolve(scenario))}


def texts(question: Question) -> list[str]:
    return [answer.text if isinstance(answer, Link) else answer for answer in question.answers]


def test_without_a_device_there_is_nothing_to_ask() -> None:
    assert questions(resolve(Scenario())) == ()


def test_the_first_stage_that_fits_is_named() -> None:
    plan = Scenario(model=Model("", 7_500_000_000), cluster=Cluster(workers=64), device=H100)
    assert texts(asked(plan)["First fits at"]) == ["ZeRO-1"]
    assert texts(asked(LLAMA_70B)["First fits at"]) == ["no stage"]


def test_the_fewest_workers_of_each_stage_are_told_and_applied_with_their_stage() -> None:
    question = asked(LLAMA_70B)["Fewest workers"]
    # 16·70,553,706,496 / 85,520,809,984 = 13.2, so 14; ZeRO-2 keeps 141 GB of weights: never.
    assert texts(question) == ["14 at ZeRO-3"]
    link = question.answers[0]
    assert isinstance(link, Link)
    assert link.edit.title == "Use 14 workers at ZeRO-3"
    after = apply(LLAMA_70B, link.edit).scenario
    assert after.cluster.workers == 14
    assert after.sharding.stage == 3
    assert resolve(after).offered[3].fits


def test_the_largest_model_is_told_and_applied() -> None:
    question = asked(LLAMA_70B)["Largest model on 8 workers"]
    # Stage 0: 85,520,809,984 / 16 = 5,345,050,624; stage 3 on 8: eight times that.
    assert texts(question)[0] == "5.345\u00a0B at DDP"
    assert texts(question)[3] == "42.76\u00a0B at ZeRO-3"
    link = question.answers[3]
    assert isinstance(link, Link)
    after = apply(LLAMA_70B, link.edit).scenario
    assert after.model.parameters == 8 * 5_345_050_624
    assert resolve(after).offered[3].free == 0


def test_one_worker_is_a_worker() -> None:
    one = replace(LLAMA_70B, cluster=Cluster(workers=1))
    assert "Largest model on 1 worker" in asked(one)
