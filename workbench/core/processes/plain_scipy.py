"""Import of scipy without numpy’s unused parts. Import this module before scipy.

scipy copies all names in ``dir(numpy)``, which loads numpy’s modules for Fortran, C and tests: 7 MB
and a tenth of a second. With this module, they are loaded at first use.
"""

import numpy as np

_UNUSED = [name for name in ("ctypeslib", "f2py", "testing") if name not in vars(np)]
for _name in _UNUSED:
    setattr(np, _name, None)

import scipy.sparse  # noqa: E402, F401 - between these two loops on purpose

for _name in _UNUSED:
    delattr(np, _name)
