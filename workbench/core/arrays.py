"""Names of array types, one for each type of number."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]
Doubles = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
Singles = npt.NDArray[np.float32]
