"""Structure of the code: imports point one way, siblings don’t import each other, nothing
unpickles.
"""

from __future__ import annotations

import ast
import gc
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from workbench.corpus.tokenise.tokenisers import TOKENISERS
from workbench.launch import DEPENDENCIES

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "workbench"

# Layers that each layer may import, besides itself.
LAYERS = ("core", "corpus", "counts", "vectors", "models", "analysis", "session")
MAY_IMPORT = {layer: set(LAYERS[:place]) for place, layer in enumerate(LAYERS)}
MAY_IMPORT |= {
    "launch": {"core"},
    "cli": {*LAYERS, "launch"},
    "ui": {*LAYERS, "launch"},
    "__init__": {*LAYERS},
    "program": {*LAYERS, "launch", "cli", "ui"},
    "__main__": {"core", "program"},
}

# Each registered class has its own file, and no such file may import another.
REGISTERED = (
    "workbench.corpus.readers",
    "workbench.corpus.tokenise.tokenisers",
    "workbench.counts.formats",
    "workbench.models",
    "workbench.session.export",
    "workbench.vectors.formats",
    "workbench.ui.commands.groups",
    "workbench.ui.panels",
    "workbench.ui.panels.map.colours",
)


# Packages whose folders and modules form layers, too.
LAYERED = ("workbench.session",)


class Module(NamedTuple):
    name: str
    path: Path
    tree: ast.Module

    @property
    def layer(self) -> str:
        """Layer of a module: "core" of "workbench.core.job_control", "__init__" of "workbench"."""
        return layer_of(self.name)


class Import(NamedTuple):
    target: str
    place: str
    inside_function: bool


@pytest.fixture(scope="module", autouse=True)
def _parsed_once() -> Iterator[None]:
    """Keep garbage collection from looking at millions of nodes, now and in later tests."""
    gc.disable()
    yield
    modules.cache_clear()
    imports.cache_clear()
    gc.enable()


@cache
def modules() -> tuple[Module, ...]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, path, ast.parse(path.read_text("utf-8"))))
    return tuple(found)


def layer_of(name: str) -> str:
    return name.split(".")[1] if "." in name else "__init__"


@cache
def imports(module: Module) -> tuple[Import, ...]:
    """All imports of a module; ``from a import b`` counts as a.b if that is a module of the
    project.
    """
    return tuple(_imports(module))


def _imports(module: Module) -> Iterator[Import]:
    ours = {other.name for other in modules()}
    inner = {
        id(node)
        for function in ast.walk(module.tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for node in ast.walk(function)
    }
    for node in ast.walk(module.tree):
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        place = f"{module.name}:{node.lineno}"
        for alias in node.names:
            target = alias.name
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{place}: relative import"
                target = f"{node.module}.{alias.name}"
                target = target if target in ours else str(node.module)
            yield Import(target, place, id(node) in inner)


def importing(pattern: str, *, within: tuple[Module, ...] | None = None) -> list[str]:
    """Places that import a module whose full name starts with ``pattern``."""
    wanted = re.compile(rf"({pattern})(\.|$)")
    found = [each for module in within or modules() for each in imports(module)]
    return [f"{each.place} imports {each.target}" for each in found if wanted.match(each.target)]


def test_every_module_belongs_to_a_layer() -> None:
    assert {module.layer for module in modules()} <= set(MAY_IMPORT)


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_imports_point_one_way(layer: str) -> None:
    allowed_layers = MAY_IMPORT[layer] | {layer}
    wrong = [
        f"{each.place} imports {each.target}"
        for module in modules()
        if module.layer == layer
        for each in imports(module)
        if each.target.split(".")[0] == "workbench" and layer_of(each.target) not in allowed_layers
    ]
    assert wrong == []


def import_cycles() -> list[set[str]]:
    """Sets of modules that can reach each other through imports of any kind."""
    names = {module.name for module in modules()}
    graph = {
        module.name: {each.target for each in imports(module)} & names - {module.name}
        for module in modules()
    }
    reachable_from = {name: reachable(name, graph) for name in graph}
    cycles: list[set[str]] = []
    for name in graph:
        cycle = {other for other in reachable_from[name] if name in reachable_from[other]}
        if len(cycle) > 1 and cycle not in cycles:
            cycles.append(cycle)
    return cycles


def reachable(name: str, graph: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        following = graph[waiting.pop()] - found
        found |= following
        waiting += following
    return found


def test_imports_have_no_cycles() -> None:
    """Imports inside functions and under TYPE_CHECKING count too."""
    assert import_cycles() == []


def rooms_below(package: str) -> dict[str, set[str]]:
    """Parts of a package, which are its folders and its own modules, each with the parts that it
    imports.
    """
    start = f"{package}."

    def room(name: str) -> str:
        return name.removeprefix(start).partition(".")[0]

    graph: dict[str, set[str]] = {}
    for module in modules():
        if module.name.startswith(start):
            targets = [each.target for each in imports(module) if each.target.startswith(start)]
            inside = set(map(room, targets)) - {room(module.name)}
            graph.setdefault(room(module.name), set()).update(inside)
    return graph


@pytest.mark.parametrize("package", LAYERED)
def test_parts_of_a_package_have_an_order(package: str) -> None:
    """Each part imports only parts before it: none imports another that needs it."""
    TopologicalSorter(rooms_below(package)).prepare()


def test_services_of_a_session_do_not_import_it() -> None:
    services = {
        module.name: [node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)]
        for module in modules()
        for each in imports(session_module())
        if each.target == module.name and module.layer == "session"
    }
    assert "workbench.session.training.controller" in services
    assert [name for name, uses in services.items() if "Session" in uses] == []


def session_module() -> Module:
    return next(each for each in modules() if each.name == "workbench.session.session")


def test_only_the_window_imports_qt() -> None:
    engine = tuple(module for module in modules() if module.layer != "ui")
    assert importing("PySide6|shiboken6|pyqtgraph|superqt", within=engine) == []


def test_calls_that_differ_between_systems_are_in_one_module() -> None:
    others = tuple(each for each in modules() if each.name != "workbench.core.operating_system")
    assert importing("fcntl|msvcrt|resource|termios|select|winreg", within=others) == []
    wrong = [
        f"{module.path.relative_to(ROOT)}:{node.lineno}"
        for module in others
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in _OF_A_SYSTEM
    ]
    assert wrong == []


# Names, by module, that some systems lack or that mean something else there.
_OF_A_SYSTEM = {
    (module, name)
    for module, names in {
        "ctypes": "windll wintypes",
        "mmap": "MADV_DONTNEED MADV_WILLNEED MAP_PRIVATE MAP_SHARED PROT_READ PROT_WRITE",
        "os": """
            chown fork geteuid getloadavg getpgid getpriority getuid kill killpg link mkfifo name
            nice O_DIRECTORY O_NOFOLLOW O_NONBLOCK openpty pipe2 posix_fadvise posix_fallocate
            rename renames replace sched_getaffinity sched_setaffinity setpriority setsid startfile
            statvfs uname waitpid
        """,
        "shutil": "chown move",
        "signal": "alarm pause pthread_kill setitimer SIGALRM SIGBREAK SIGHUP SIGKILL SIGPIPE",
        "socket": "AF_UNIX",
        "sys": "getwindowsversion platform",
        "time": "tzset",
    }.items()
    for name in names.split()
}


def test_files_are_moved_as_the_system_needs() -> None:
    """Path.replace and Path.rename aren’t used: on Windows they fail while the target is read."""
    wrong = [
        f"{module.path.relative_to(ROOT)}:{node.lineno}"
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("replace", "rename")
        and (len(node.args), len(node.keywords)) == (1, 0)
        and ast.unparse(node.func.value) != "dataclasses"
    ]
    assert wrong == []


def declares_a_key(module: Module) -> bool:
    """Whether a class has a non-empty ``key``, by which a registry finds it."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for line in node.body:
            targets = (
                line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
            )
            value = getattr(line, "value", None)
            has_key = any(isinstance(target, ast.Name) and target.id == "key" for target in targets)
            if has_key and isinstance(value, ast.Constant) and value.value:
                return True
    return False


@pytest.mark.parametrize("package", REGISTERED)
def test_siblings_do_not_import_each_other(package: str) -> None:
    nested = tuple(f"{one}." for one in REGISTERED if one.startswith(f"{package}."))
    siblings = {
        module.name: module
        for module in modules()
        if module.name.startswith(f"{package}.")
        and not module.name.startswith(nested)
        and declares_a_key(module)
    }
    assert siblings
    for name, module in siblings.items():
        others = "|".join(re.escape(other) for other in siblings if other != name)
        assert not others or importing(others, within=(module,)) == []


def panel_of(name: str) -> str:
    """Panel of a module: "map" of "workbench.ui.panels.map.layout", "" outside the panels."""
    inside = name.removeprefix("workbench.ui.panels.")
    return inside.partition(".")[0] if inside != name else ""


def test_panels_do_not_import_each_other() -> None:
    """No panel is imported by another, by code that several share, or by the window: all of them
    come from the registry.
    """
    wrong = [
        f"{each.place} imports {each.target}"
        for module in modules()
        for each in imports(module)
        if panel_of(each.target) not in ("", panel_of(module.name))
    ]
    assert wrong == []


def test_the_base_of_the_window_imports_no_other_part_of_it() -> None:
    base = tuple(one for one in modules() if one.name.startswith("workbench.ui.base."))
    # The context of a panel contains what all windows share.
    allowed = r"workbench\.ui\.base\.panel:\d+ imports workbench\.ui\.shell\.window_manager"
    found = importing(r"workbench\.ui\.(?!base\b)\w+", within=base)
    assert [one for one in found if not re.fullmatch(allowed, one)] == []


def test_panels_compute_with_result_jobs() -> None:
    """A job of a panel is asked for in one way, which knows what was asked for last, waits until it
    is seen, and shows progress, failures and a button that cancels it.
    """
    allowed = "workbench.ui.widgets.layout.result_view"
    wrong = [
        f"{module.path.relative_to(ROOT)}:{node.lineno}"
        for module in modules()
        if module.name.startswith(("workbench.ui.panels.", "workbench.ui.widgets."))
        and module.name != allowed
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and re.search(r"\bjobs\.start$|_jobs\.start$", ast.unparse(node.func))
    ]
    assert wrong == []


def test_folders_have_few_modules() -> None:
    folders = Counter(
        module.path.parent for module in modules() if module.path.name != "__init__.py"
    )
    assert {
        str(folder.relative_to(ROOT)): many for folder, many in folders.items() if many > 30
    } == {}


def test_modules_are_not_too_long() -> None:
    long = {module.name: len(module.path.read_text("utf-8").splitlines()) for module in modules()}
    assert {name: lines for name, lines in long.items() if lines > 600} == {}


def test_style_sheets_name_classes_that_exist() -> None:
    """Qt doesn’t report a selector that matches no widget."""
    classes = {
        node.name
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
    }
    class_names = {
        name
        for module in modules()
        if module.layer == "ui"
        for name in re.findall(r'"([A-Z]\w+) \{\{', module.path.read_text("utf-8"))
    }
    assert "PresentationStrip" in class_names
    assert {name for name in class_names if not name.startswith("Q")} <= classes


# Participles say what was done to something, not what a function does or returns.
BANNED = frozenset(
    """
    added answered arrived asked built changed chosen counted done drawn ended failed finished found
    given gone held kept known laid listed loaded looked made marked measured met moved noticed
    opened picked placed ranked refused said saved seen sent shown solved sought taken told typed
    wanted worded worked written
    """.split()
)
# Names that Qt itself uses.
OF_QT = {"done"}


def test_functions_are_named_by_what_they_do() -> None:
    wrong = [
        f"{module.name}:{node.lineno} {node.name}"
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.name.strip("_") in BANNED
        and not (module.layer == "ui" and node.name in OF_QT)
    ]
    assert wrong == []


def test_conditional_expressions_are_flat() -> None:
    """None is within another, and hardly one needs several lines; ruff (SIM108) asks for the short
    ones.
    """
    choices = [
        (f"{module.name}:{node.lineno}", node)
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.IfExp)
    ]
    nested = [
        place
        for place, node in choices
        if any(isinstance(inner, ast.IfExp) for inner in (node.test, node.body, node.orelse))
    ]
    spread = [place for place, node in choices if node.lineno != node.end_lineno]
    assert nested == []
    assert len(spread) < len(choices) / 30, spread


def test_numba_only_through_core() -> None:
    assert (
        importing("numba", within=tuple(m for m in modules() if m.name != "workbench.core.jit"))
        == []
    )


def test_slow_libraries_are_imported_where_they_are_used() -> None:
    of_scipy = r"scipy\.(stats|optimize|cluster|spatial|sparse\.linalg)"
    names = rf"(numba|llvmlite|{of_scipy})\b"
    found = [each for module in modules() for each in imports(module)]
    assert [
        each for each in found if re.match(names, each.target) and not each.inside_function
    ] == []


def test_every_library_used_is_declared() -> None:
    # packages that come with a declared dependency and are used directly
    along = {"shiboken6", "llvmlite"}
    along |= {name for kind in TOKENISERS for name in kind.packages}
    # extras, imported only where they are used
    along |= {"pyarrow", "dask", "distributed", "fsspec"}
    packages = {each.target.split(".")[0] for module in modules() for each in imports(module)}
    foreign = packages - set(sys.stdlib_module_names) - {"workbench"}
    assert foreign <= set(DEPENDENCIES) | along


def test_nothing_unpickles_evaluates_or_starts_a_shell() -> None:
    assert importing("pickle|cPickle|dill|shelve|marshal|cloudpickle|joblib") == []
    wrong = []
    for module in modules():
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec", "compile"):
                wrong.append(f"{module.name}:{node.lineno} calls {node.func.id}")
            for keyword in node.keywords:
                # numba's thread layer ends the process when two threads call such kernels at once
                if keyword.arg not in ("parallel", "allow_pickle", "shell"):
                    continue
                if not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False):
                    wrong.append(f"{module.name}:{node.lineno} sets {keyword.arg}")
    assert wrong == []


def test_the_engine_needs_no_qt() -> None:
    """A fresh process that imports every module except the window’s has no Qt loaded."""
    engine = [module.name for module in modules() if module.layer not in ("ui", "__main__")]
    loaded_modules = loaded_after(
        f"import importlib; [importlib.import_module(name) for name in {engine!r}]"
    )
    assert loaded_modules & {"PySide6", "shiboken6", "pyqtgraph", "superqt"} == set()


def test_importing_the_package_is_cheap() -> None:
    assert loaded_after("import workbench") & {"numba", "scipy", "numpy", "PySide6"} == set()


def test_listing_the_algorithms_does_not_load_numba() -> None:
    loaded_modules = loaded_after("from workbench.models.base import MODELS; MODELS.keys()")
    assert loaded_modules & {"numba", "llvmlite"} == set()


def test_the_session_does_not_load_numba() -> None:
    assert loaded_after("import workbench.session.session") & {"numba", "llvmlite"} == set()


def loaded_after(code: str) -> set[str]:
    """Names of the top-level modules loaded in a fresh process after ``code``."""
    script = f"{code}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    return set(process.stdout.split())
