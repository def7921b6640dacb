"""A share of a run's progress, for work that is made of several pieces."""

from __future__ import annotations

from workbench.core.job_control import JobControl


class Portion(JobControl):
    """Job control of one part of a run: its progress 0..1 becomes ``begin`` .. ``begin + share`` of
    the whole.

    ``note`` takes the place of the piece's own notes. Cancelling and pausing are the whole's.
    """

    def __init__(self, whole: JobControl, begin: float, share: float, note: str = "") -> None:
        super().__init__()
        self._whole = whole
        self._begin = begin
        self._share = share
        self._note = note

    def check(self) -> None:
        self._whole.check()

    def gate(self) -> bool:
        return self._whole.gate()

    def advance(
        self,
        fraction: float | None,
        note: str = "",
        *,
        rate: float | None = None,
        unit: str = "",
        **details: float,
    ) -> None:
        done = self._begin + self._share * (fraction or 0.0)
        self._whole.advance(done, self._note or note, rate=rate, unit=unit, **details)


def split_progress(whole: JobControl | None, number: int) -> list[JobControl | None]:
    """Equal portions of a run for so many pieces of work; None for each where there is no run."""
    if whole is None:
        return [None] * number
    return [Portion(whole, at / number, 1 / number) for at in range(number)]
