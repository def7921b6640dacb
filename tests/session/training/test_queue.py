"""Order, pause, start before its turn, removal and failure in the queue of trainings."""

from __future__ import annotations

import random

from session.fakes import Gate, StepParams, wait_until

from workbench.core.job_control import Phase
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.queue import seconds_left
from workbench.session.training.request import TrainingSpec


def train(session: Session, seed: int, **values: object) -> RunRecord:
    return session.training.start(
        TrainingSpec("step", StepParams.from_mapping({"min_count": 1, "seed": seed, **values}))
    )


def queue_trainings(session: Session, gate: Gate, number: int) -> list[RunRecord]:
    """Queue trainings, of which the first runs behind a closed gate."""
    gate.opened.clear()
    records = [train(session, seed) for seed in range(number)]
    wait_until(session, lambda: gate.fits == [0])
    return records


def finish(session: Session, gate: Gate) -> None:
    gate.opened.set()
    wait_until(session, lambda: all(record.state.over for record in session.runs))


def test_what_waits_begins_in_the_order_it_was_given(session: Session, gate: Gate) -> None:
    first, *others = queue_trainings(session, gate, 5)
    assert session.training.queue.waiting == tuple(others)
    session.training.queue.move(others[3], 0)
    session.training.queue.move(others[0], 99)
    session.training.queue.move(others[1], -5)
    session.training.queue.move(first, 2)
    finish(session, gate)
    assert gate.fits == [0, 2, 4, 3, 1]


def test_moves_are_undone_and_redone(session: Session, gate: Gate) -> None:
    _, one, two, three = queue_trainings(session, gate, 4)
    session.training.queue.move(three, 0)
    session.undo.undo()
    assert session.training.queue.waiting == (one, two, three)
    session.undo.redo()
    assert session.training.queue.waiting == (three, one, two)
    finish(session, gate)


def test_any_moves_agree_with_a_plain_list(session: Session, gate: Gate) -> None:
    _, *others = queue_trainings(session, gate, 7)
    chance, plain = random.Random(1), list(others)
    for _ in range(60):
        record, place = chance.choice(others), chance.randint(-2, 8)
        session.training.queue.move(record, place)
        plain.remove(record)
        plain.insert(min(max(place, 0), len(plain)), record)
        assert list(session.training.queue.waiting) == plain
    finish(session, gate)
    assert gate.fits == [0, *(record.parameters["seed"] for record in plain)]


def test_nothing_new_begins_while_it_is_paused(session: Session, gate: Gate) -> None:
    first, second = queue_trainings(session, gate, 2)
    session.training.queue.pause()
    gate.opened.set()
    wait_until(session, lambda: first.state.over)
    assert first.state is State.DONE
    assert (second.state, session.training.current) == (State.WAITING, None)
    third = train(session, 7)
    assert third.state is State.WAITING
    session.training.queue.pause(False)
    assert session.training.current is second
    finish(session, gate)
    assert gate.fits == [0, 1, 7]


def test_one_of_a_paused_queue_is_started_alone(session: Session, gate: Gate) -> None:
    session.training.queue.pause()
    one, two = train(session, 1), train(session, 2)
    session.training.queue.start_now(two)
    wait_until(session, lambda: two.state.over)
    assert one.state is State.WAITING
    session.training.queue.pause(False)
    finish(session, gate)
    assert gate.fits == [2, 1]


def test_started_before_its_turn_it_goes_first_and_the_other_goes_on_after_it(
    session: Session, gate: Gate
) -> None:
    first, second, third = queue_trainings(session, gate, 3)
    session.training.queue.start_now(third)
    wait_until(session, lambda: gate.fits == [0, 2])
    assert (first.state, second.state, third.state) == (State.PAUSED, State.WAITING, State.TRAINING)
    assert session.training.current is third
    assert [(turn.record, turn.aside) for turn in session.training.queue.turns()] == [
        (third, False),
        (first, True),
        (second, False),
    ]
    gate.opened.set()
    wait_until(session, lambda: third.state.over)
    assert session.training.current is first
    finish(session, gate)
    assert [record.state for record in (first, second, third)] == [State.DONE] * 3
    assert gate.fits == [0, 2, 1]


def test_what_stands_aside_can_be_cancelled(session: Session, gate: Gate) -> None:
    first, second = queue_trainings(session, gate, 2)
    session.training.queue.start_now(second)
    wait_until(session, lambda: gate.fits == [0, 1])
    session.training.cancel(first)
    wait_until(session, lambda: first.state.over)
    assert first.state is State.CANCELLED
    assert session.training.current is second
    finish(session, gate)
    assert second.state is State.DONE


def test_several_are_taken_away_without_any_of_them_beginning(session: Session, gate: Gate) -> None:
    first, second, third, fourth = queue_trainings(session, gate, 4)
    changes: list[object] = []
    session.runs.changed.connect(lambda: changes.append(None))
    session.training.queue.cancel([first, second, third])
    assert second.state is third.state is State.CANCELLED
    assert len(changes) == 1
    finish(session, gate)
    assert first.state is State.CANCELLED
    assert fourth.state is State.DONE
    assert gate.fits == [0, 3]


def test_after_a_failure_the_next_goes_on_and_it_is_said(session: Session, gate: Gate) -> None:
    messages: list[tuple[str, str, bool]] = []
    session.message.connect(lambda *message: messages.append(message))
    gate.opened.clear()
    broken = train(session, 0, failing="defect")
    after = train(session, 1)
    gate.opened.set()
    wait_until(session, lambda: after.state.over)
    assert (broken.state, after.state) == (State.FAILED, State.DONE)
    text, hint, is_error = messages[0]
    assert is_error
    assert text.startswith(f"“{broken.name}” failed:")
    assert hint.endswith(f"Training continues with “{after.name}”.")


def test_the_ends_add_up_where_all_are_known(session: Session, gate: Gate) -> None:
    first, second, third = queue_trainings(session, gate, 3)
    queue = session.training.queue
    wait_until(session, lambda: not session.jobs.busy("session.queue"))
    assert [turn.record for turn in queue.turns()] == [first, second, third]
    # The fake algorithm has no estimate.
    assert [turn.ends for turn in queue.turns()[1:]] == [None, None]
    queue._seconds = {
        record.identifier: seconds
        for record, seconds in zip((first, second, third), (5, 10, 20), strict=True)
    }
    duration = queue.turns()[0].seconds
    assert duration is not None
    assert [turn.ends for turn in queue.turns()] == [duration, duration + 10, duration + 30]
    queue.pause()
    assert [turn.ends for turn in queue.turns()[1:]] == [None, None]
    queue.pause(False)
    finish(session, gate)
    assert queue.turns() == []


def test_of_several_that_stand_aside_the_one_set_aside_last_goes_on_first(
    session: Session, gate: Gate
) -> None:
    first, second, third = queue_trainings(session, gate, 3)
    session.training.queue.start_now(second)
    wait_until(session, lambda: gate.fits == [0, 1])
    session.training.queue.start_now(third)
    wait_until(session, lambda: gate.fits == [0, 1, 2])
    assert [(turn.record, turn.aside) for turn in session.training.queue.turns()] == [
        (third, False),
        (second, True),
        (first, True),
    ]
    session.training.cancel(third)
    wait_until(session, lambda: third.state.over)
    assert session.training.current is second
    assert first.state is State.PAUSED
    session.training.cancel(second)
    wait_until(session, lambda: second.state.over)
    assert session.training.current is first
    finish(session, gate)
    assert first.state is State.DONE


def test_what_is_left_of_one_that_trains(session: Session, gate: Gate) -> None:
    """The time left follows from the training’s own speed, or before that from the estimate."""
    (record,) = queue_trainings(session, gate, 1)
    run = record.run
    assert run is not None
    wait_until(session, lambda: run.progress.phase is Phase.TRAINING)
    assert seconds_left(record, 30.0) == 30.0
    assert seconds_left(record, None) is None
    run.enter(Phase.SAVING)
    assert seconds_left(record, 30.0) == 0.0
    run.enter(Phase.TRAINING)
    finish(session, gate)
    assert seconds_left(record, 30.0) is None
