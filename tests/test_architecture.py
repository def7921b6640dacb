"""The shape of the code: imports point one way, siblings do not know each other, nothing unpickles."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "workbench"
MODULES = sorted(PACKAGE.rglob("*.py"))

# What a layer may import beside itself.
LAYERS = ("core", "corpus", "counts", "vectors", "models", "analysis", "session")
MAY_IMPORT = {layer: set(LAYERS[:place]) for place, layer in enumerate(LAYERS)}
MAY_IMPORT["cli"] = set(LAYERS) | {"launch"}
MAY_IMPORT["ui"] = set(LAYERS) | {"launch"}
MAY_IMPORT["launch"] = {"core"}
MAY_IMPORT["__main__"] = set(LAYERS) | {"cli", "ui", "launch"}
MAY_IMPORT["__init__"] = set(LAYERS)

# One registered class is one file here, and no such file may know another.
REGISTERED = ("workbench.models", "workbench.vectors.formats", "workbench.ui.panels")


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> str:
    """ "core" of "workbench.core.run", "__init__" of "workbench" itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(path: Path) -> Iterator[tuple[str, int, bool]]:
    """(module, line, whether at module level) of everything that ``path`` imports, ``from a import b`` as a.b too."""
    tree = ast.parse(path.read_text("utf-8"))
    inner = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        top = id(node) not in inner
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, top
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            module = node.module or ""
            for alias in node.names:
                full = f"{module}.{alias.name}"
                yield (full if is_module(full) else module), node.lineno, top


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    own = layer_of(name_of(path))
    assert own in MAY_IMPORT, f"{path} belongs to no layer"
    for module, line, _ in imports(path):
        if module.split(".")[0] != "workbench":
            continue
        layer = layer_of(module)
        # The version is what anybody may take from the package itself.
        assert layer in MAY_IMPORT[own] | {own, "__init__"}, f"{path}:{line}: {own} imports {layer}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_window_knows_qt(path: Path) -> None:
    if layer_of(name_of(path)) == "ui":
        return
    known = [(line, module) for module, line, _ in imports(path) if re.match(r"(PySide6|pyqtgraph|superqt)\b", module)]
    assert known == []


def declares_a_key(path: Path) -> bool:
    """Whether a class in ``path`` has a non-empty ``key``, by which a registry finds it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ClassDef):
            continue
        for line in node.body:
            targets = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
            named = any(isinstance(target, ast.Name) and target.id == "key" for target in targets)
            if named and isinstance(getattr(line, "value", None), ast.Constant):
                return True
    return False


@pytest.mark.parametrize("package", REGISTERED)
def test_siblings_do_not_import_each_other(package: str) -> None:
    files = sorted(ROOT.joinpath(*package.split(".")).glob("*.py"))
    registered = {name_of(path): path for path in files if declares_a_key(path)}
    for name, path in registered.items():
        for module, line, _ in imports(path):
            assert module not in registered.keys() - {name}, f"{path}:{line} imports its sibling {module}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_numba_only_through_core(path: Path) -> None:
    if name_of(path) == "workbench.core.jit":
        return
    assert [(line, module) for module, line, _ in imports(path) if re.match(r"numba\b", module)] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_slow_libraries_are_imported_where_they_are_used(path: Path) -> None:
    slow = re.compile(
        r"(umap|sklearn|pynndescent|numba|llvmlite|scipy\.(stats|optimize|cluster|spatial|sparse\.linalg))\b"
    )
    assert [(line, module) for module, line, top in imports(path) if top and slow.match(module)] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_unpickles_evaluates_or_runs_in_parallel_by_numba(path: Path) -> None:
    forbidden_modules = {"pickle", "cPickle", "dill", "shelve", "marshal", "cloudpickle", "joblib"}
    assert [module for module, _, _ in imports(path) if module.split(".")[0] in forbidden_modules] == []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name):
            assert node.func.id not in ("eval", "exec", "compile"), f"{path}:{node.lineno}"
        for keyword in node.keywords:
            if keyword.arg in ("parallel", "allow_pickle", "shell"):
                assert not (isinstance(keyword.value, ast.Constant) and keyword.value.value), f"{path}:{node.lineno}"


def test_the_engine_needs_no_qt() -> None:
    """Every module but the window's is imported by a fresh process, which then has no Qt loaded."""
    engine = [name_of(path) for path in MODULES if layer_of(name_of(path)) not in ("ui", "__main__")]
    loaded = loaded_after(f"import importlib; [importlib.import_module(name) for name in {engine!r}]")
    assert loaded & {"PySide6", "shiboken6", "pyqtgraph", "superqt"} == set()


def test_importing_the_package_is_cheap() -> None:
    assert loaded_after("import workbench") & {"numba", "scipy", "numpy", "PySide6"} == set()


def test_listing_the_algorithms_does_not_load_numba() -> None:
    loaded = loaded_after("from workbench.models.base import MODELS; MODELS.keys()")
    assert loaded & {"numba", "llvmlite", "sklearn", "umap"} == set()


def loaded_after(code: str) -> set[str]:
    """Top-level modules in a fresh process after ``code``."""
    script = f"{code}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())
