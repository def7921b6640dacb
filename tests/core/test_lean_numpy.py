"""The import of scipy without unused parts of numpy."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import sys
from workbench.core.lean_numpy import without_lazy_parts
with without_lazy_parts():
    import scipy.sparse
assert not {"numpy.f2py", "numpy.testing"} & set(sys.modules)
import numpy as np
assert {"f2py", "testing"} <= set(dir(np)) & set(np.__all__)
np.testing.assert_allclose(scipy.sparse.eye_array(2).toarray(), np.eye(2))
import scipy.special
assert scipy.special.expit(np.zeros(1))[0] == 0.5
"""


def test_scipy_loads_no_unused_parts_of_numpy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
