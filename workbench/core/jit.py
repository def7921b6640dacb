"""The only module that uses numba directly: its options, its cache folder, and its import.

A kernel is declared with :func:`kernel` and stays a plain Python function until it is first
called, so that listing algorithms or opening the window does not import numba. With
``NUMBA_DISABLE_JIT=1`` it always stays one, so that tests can measure coverage inside kernels.

A hash of the package's own sources names the cache folder, because numba's cache detects changes in
the file of a kernel, but not in the files of the kernels it calls. Kernels of plug-ins
(``plug_ins.py``) are cached, too, with a hash of the sources of all plug-ins as a part of the key.

A program that ``tests/tools/bundle.py`` builds contains kernels for levels of processors. It uses
those of the fastest level that the processor has, and compiles others for the same level, so that
one seed always gives the same bytes. Other installations compile for exactly this processor.

umap-learn compiles for 12 to 25 s in every process, because most of its functions aren't cached.
:func:`load_umap_learn` imports it with caches in our folder and without its search for neighbours,
so that it is ready within 3 s.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, cast, overload

from workbench.core import plug_ins
from workbench.core.locks import exclusive_lock, is_held
from workbench.core.machine.memory import prove_room
from workbench.core.machine.processor import features_of, supported_levels
from workbench.core.paths import cache_folder

_PACKAGE = Path(__file__).resolve().parents[1]
# "nnan" and "ninf" are left out: with them the compiler may remove checks for NaN.
_FAST_MATH = {"reassoc", "contract", "arcp", "nsz", "afn"}
# Packages with kernels of their own that are cached like ours, with the names of their projects.
_LIBRARIES = {"umap": "umap-learn"}
_LOCK = threading.RLock()
# Bytes of address space for loading the compiler and compiling, measured with glibc: without them,
# it ends the process.
_COMPILER = 450 << 20


class Kernel:
    """A function that numba compiles at its first call, or when it compiles a kernel that calls
    it.
    """

    def __init__(self, function: Callable[..., Any], fast: bool, inline: bool) -> None:
        self.py_func = function
        self._fast = fast
        self._inline = inline
        self._compiled: Callable[..., Any] | None = None
        update_wrapper(self, function)

    @property
    def dispatcher(self) -> Any:
        """numba's dispatcher, created at first use."""
        if self._compiled is None:
            with _LOCK:
                if self._compiled is None:
                    numba = load_numba()
                    compiled = numba.njit(
                        nogil=True,
                        error_model="numpy",
                        fastmath=_FAST_MATH if self._fast else False,
                        forceinline=self._inline,
                    )(self.py_func)
                    if not is_jit_disabled() and _is_followed(self.py_func.__module__):
                        compiled._cache = _kernel_files()(self.py_func)
                    self._compiled = compiled
        return self._compiled

    def __call__(self, *arguments: Any) -> Any:
        return (self._compiled or self.dispatcher)(*arguments)


@overload
def kernel(function: Callable[..., Any], /) -> Kernel: ...


@overload
def kernel(
    *, fast: bool = False, inline: bool = False
) -> Callable[[Callable[..., Any]], Kernel]: ...


def kernel(
    function: Callable[..., Any] | None = None, /, *, fast: bool = False, inline: bool = False
) -> Kernel | Callable[[Callable[..., Any]], Kernel]:
    """Declare a numba kernel: nogil, cached on disk, numpy's division, no thread layer.

    ``fast`` lets the compiler reorder sums and contract products (but not assume that there are no
    NaN). ``inline`` copies the kernel into its callers before optimisation.
    """
    if function is None:
        return lambda decorated: Kernel(decorated, fast, inline)
    return Kernel(function, fast, inline)


class Intrinsic:
    """A function that writes its own LLVM code, with an equivalent plain Python twin.

    ``build(numba)`` returns a function for ``numba.extending.intrinsic``. The twin is used when
    kernels are not compiled, and is the definition that tests compare the generated code with.
    """

    def __init__(self, build: Callable[..., Any], twin: Callable[..., Any]) -> None:
        self._build = build
        self._twin = twin
        update_wrapper(self, twin)

    @cached_property
    def real(self) -> Any:
        """numba's intrinsic object."""
        numba = load_numba()
        return numba.extending.intrinsic(self._build(numba))

    def __call__(self, *arguments: Any) -> Any:
        return self._twin(*arguments)


@cache
def load_numba() -> Any:
    """numba, imported with the workbench's cache folder and able to call a Kernel from a Kernel.

    Raises UserError if the process's own memory limit is too low for it.
    """
    with _LOCK:
        if not is_jit_disabled():
            prove_room(_COMPILER)
        os.environ["NUMBA_CACHE_DIR"] = str(kernel_cache())
        import numba
        from numba.extending import typeof_impl

        # numba reads the variable when it is imported, and other code may have imported it already.
        vars(numba.config)["CACHE_DIR"] = os.environ["NUMBA_CACHE_DIR"]
        shipped = shipped_kernels()
        if shipped is not None:
            # Without a list of features, LLVM uses those of the level’s name.
            vars(numba.config).update(CPU_NAME=shipped.name, CPU_FEATURES="")

        @typeof_impl.register(Kernel)
        def _type_of_kernel(value: Kernel, context: Any) -> Any:
            return numba.types.Dispatcher(value.dispatcher)

        @typeof_impl.register(Intrinsic)
        def _type_of_intrinsic(value: Intrinsic, context: Any) -> Any:
            typing = numba.core.registry.cpu_target.typing_context
            real = value.real
            typing.refresh()
            return typing.resolve_value_type(real)

        return numba


_log = logging.getLogger("workbench.kernels")


def _is_followed(module: str) -> bool:
    """Whether the cache notices changes in the package of a module. Kernels of others aren't
    cached.
    """
    package = module.partition(".")[0]
    return package in (_PACKAGE.name, *_LIBRARIES) or plug_ins.is_plug_in(package)


@cache
def _kernel_files() -> type:
    """numba's cache of one function on disk, with two differences.

    It finds kernels by their module, so that neither the path of the installation
    nor the dates of its files matter, and first searches the shipped ones.

    It is safe if several processes compile a kernel at the same time. numba finds a free number,
    writes it to the index, and then writes the code to the file of that number. Two processes that
    compile a kernel for different types could otherwise leave the index of one and the code of the
    other, which would then be called with the wrong types.
    """
    from numba.core import caching

    class PackageLocator(caching._CacheLocator):  # type: ignore[misc, unused-ignore]
        """Locator of a kernel of this package or of a library; ``folder`` is relative to a folder
        of kernels.
        """

        def __init__(self, function: Callable[..., Any]) -> None:
            package, *modules = function.__module__.split(".")
            self.folder = Path(*modules)
            if package in _LIBRARIES:
                self.folder = Path("libraries", package, *modules)
            elif package != _PACKAGE.name:
                self.folder = Path("plug-ins", package, *modules)
            self._package = package
            self._line = function.__code__.co_firstlineno

        def get_cache_path(self) -> str:
            return str(kernel_cache() / self.folder)

        def get_source_stamp(self) -> str:
            if self._package in _LIBRARIES:
                return f"{_sources_digest()} {version(_LIBRARIES[self._package])}"
            if self._package != _PACKAGE.name:
                return f"{_sources_digest()} {plug_ins.sources_digest()}"
            return _sources_digest()

        def get_disambiguator(self) -> str:
            return str(self._line)

        @classmethod
        def from_function(cls, function: Any, path: str) -> PackageLocator | None:
            return cls(function) if _is_followed(function.__module__) else None

    class Contents(caching.CompileResultCacheImpl):  # type: ignore[misc, unused-ignore]
        _locator_classes: Any = (PackageLocator, *caching.CompileResultCacheImpl._locator_classes)

    class KernelFiles(caching.FunctionCache):  # type: ignore[misc, unused-ignore]
        _impl_class = Contents

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(function)  # type: ignore[no-untyped-call]
            shipped, locator = shipped_kernels(), self._impl.locator
            self._shipped: Any = None
            if shipped is not None and isinstance(locator, PackageLocator):
                self._shipped = caching.IndexDataCacheFile(  # type: ignore[no-untyped-call]
                    str(shipped / locator.folder),
                    self._impl.filename_base,
                    locator.get_source_stamp(),
                )

        def _index_key(self, signature: Any, codegen: Any) -> Any:
            """numba’s key, without the version of macOS, which LLVM includes in the name of the
            system.
            """
            key = super()._index_key(signature, codegen)  # type: ignore[no-untyped-call]
            signature, (triple, *processor), code = key
            return signature, (re.sub(r"[\d.]+$", "", triple), *processor), code

        def load_overload(self, signature: Any, target: Any) -> Any:
            if self._shipped is not None:
                target.refresh()
                found = self._shipped.load(self._index_key(signature, target.codegen()))
                if found is not None:
                    return self._impl.rebuild(target, found)
            return super().load_overload(signature, target)  # type: ignore[no-untyped-call]

        def save_overload(self, signature: Any, data: Any) -> None:
            folder = Path(self.cache_path)
            try:
                folder.mkdir(parents=True, exist_ok=True)
                with exclusive_lock(folder / "saving.lock"):
                    super().save_overload(signature, data)  # type: ignore[no-untyped-call]
            except OSError as error:
                # The kernel is compiled, only not for the next process. A full disk is reported,
                # with its folder, by what can't do without it.
                _report_unsaved(error.strerror or str(error))

    return KernelFiles


@cache
def _report_unsaved(reason: str) -> None:
    """Report once per process and reason, not for each of a hundred kernels."""
    _log.warning(
        "Couldn’t save compiled code in %s: %s. The next start compiles it again.",
        cache_folder("kernels"),
        reason,
    )


@cache
def load_umap_learn() -> Any:
    """The package umap, imported so that its functions are cached like our kernels, and without
    pynndescent. Call it only in a process of its own: from then on, all that numba compiles there
    is cached, because umap-learn also declares functions whenever it lays out points.
    """
    with _LOCK:
        numba = load_numba()
        if not is_jit_disabled():
            from numba.core import dispatcher

            vars(dispatcher)["FunctionCache"] = _kernel_files()
            for name in ("jit", "njit"):
                setattr(numba, name, _caching(getattr(numba, name)))
        # umap-learn imports it, for seconds, only to offer what isn’t used here.
        sys.modules.setdefault("tensorflow", cast(ModuleType, None))
        with warnings.catch_warnings(), _without_search():
            warnings.simplefilter("ignore")
            return importlib.import_module("umap")


@contextmanager
def _without_search() -> Iterator[None]:
    """Import umap-learn with an empty pynndescent, unless that is loaded. Our neighbours are exact,
    so nothing calls it, but its import takes half a second, and compiles for 24 s the first time.
    """
    if "pynndescent" in sys.modules:
        yield
        return
    names: dict[str, dict[str, Any]] = {
        "pynndescent": {"NNDescent": type("NNDescent", (), {})},
        "pynndescent.distances": {"named_distances": {}},
        "pynndescent.sparse": {"sparse_named_distances": {}},
    }
    for name, contents in names.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(contents)
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]


def _caching(declare: Callable[..., Any]) -> Callable[..., Any]:
    """``numba.njit`` or ``numba.jit`` with ``cache=True`` as the default."""

    def declare_cached(*arguments: Any, **options: Any) -> Any:
        return declare(*arguments, **{"cache": True, **options})

    return declare_cached


def kernel_cache() -> Path:
    """The folder of compiled kernels for exactly these sources, this Python and this numba."""
    return cache_folder("kernels", _sources_digest())


@contextmanager
def compile_lock(name: str) -> Iterator[None]:
    """Lock for compiling the set of kernels of this name; waits while another process compiles it,
    after which the kernels are in the cache.
    """
    with exclusive_lock(_compile_lock(name)):
        yield


def is_compiling(name: str) -> bool:
    """Whether another process is compiling the set of kernels of this name."""
    return is_held(_compile_lock(name))


def _compile_lock(name: str) -> Path:
    return kernel_cache() / f"compiling-{name}.lock"


@cache
def shipped_kernels() -> Path | None:
    """The folder of kernels that came with this program, compiled for exactly these sources and
    the level that names the folder; None if there are none for this processor.

    ``NUMBA_CPU_NAME`` requests another processor, and so disables shipped kernels.
    """
    if not (_PACKAGE / "kernels").is_dir() or "NUMBA_CPU_NAME" in os.environ:
        return None
    shipped = _PACKAGE / "kernels" / _sources_digest()
    folders = [shipped / level for level in supported_levels()]
    return next((folder for folder in folders if folder.is_dir()), None)


@cache
def target_features() -> frozenset[str]:
    """LLVM’s names of the features that kernels may use: those of the level that they are compiled
    for; this processor may have more.
    """
    return features_of(load_numba().config.CPU_NAME)


def is_jit_disabled() -> bool:
    """Whether kernels run as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


@cache
def _sources_digest() -> str:
    digest = hashlib.blake2b(digest_size=8)
    # Only files that declare kernels, or build code for them, affect compiled code. The window has
    # none, but half of all files.
    parts = [part for part in _PACKAGE.iterdir() if part.is_dir() and part.name != "ui"]
    files = [*_PACKAGE.glob("*.py"), *(path for part in parts for path in part.rglob("*.py"))]
    for path in sorted(files):
        text = path.read_bytes()
        if b"workbench.core.jit" in text or path == _PACKAGE / "core" / "jit.py":
            digest.update(path.relative_to(_PACKAGE).as_posix().encode())
            digest.update(text)
    return digest.hexdigest()
