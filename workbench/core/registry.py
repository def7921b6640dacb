"""Registries, which find algorithms, formats or panels by searching the package of their kind, then
the entry points of other installed packages.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar, cast

from workbench.core import plug_ins
from workbench.core.errors import UserError
from workbench.core.language import tr

T = TypeVar("T")
# Keys are parts of object names and names of files.
_KEY = re.compile(r"[a-z0-9]+([_-][a-z0-9]+)*")


class Registry(Generic[T]):
    """The concrete subclasses of ``base`` with a ``key``, defined in ``package`` or its
    sub-packages, or, with ``within_packages``, also in modules of the sub-packages; and those that
    other installed packages declare as entry points of ``group``.

    Modules are imported at first use. A module of ours that cannot be imported raises ImportError
    naming its file; two classes of ours with the same key raise ValueError. What is wrong with a
    class of another package, or what its class method ``flaw`` returns, is recorded in
    ``plug_ins.problems()``, and the class is left out.
    Order: the class attribute ``order``, then key.
    """

    # All registries by group, of the modules imported so far.
    by_group: ClassVar[dict[str, Registry[Any]]] = {}

    def __init__(
        self,
        package: str,
        base: type[Any],
        noun: str,
        *,
        group: str = "",
        within_packages: bool = True,
    ) -> None:
        self._package = package
        self._base = base
        self._noun = noun
        self._group = plug_ins.PREFIX + group
        assert not group or group in plug_ins.KINDS, group
        self._within_packages = within_packages
        if group:
            self.by_group[self._group] = self

    @cached_property
    def _classes(self) -> dict[str, type[T]]:
        found: dict[str, type[T]] = {}
        package = importlib.import_module(self._package)
        for name, module in _modules_below(package, self._within_packages):
            for kind in self._classes_of(name, module):
                key = kind.key
                if key in found:
                    raise ValueError(
                        f"{name} declares the {self._noun} “{key}”, which {found[key].__module__} "
                        f"has"
                    )
                found[key] = cast(type[T], kind)
        for entry, kind in plug_ins.of_group(self._group):
            reason = self._why_unfit(kind, found)
            if reason:
                plug_ins.leave_out(entry, reason)
            else:
                found[kind.key] = kind
        return dict(
            sorted(found.items(), key=lambda item: (getattr(item[1], "order", 100), item[0]))
        )

    def _why_unfit(self, kind: Any, known: dict[str, type[T]]) -> str:
        """Why what another package declares isn't a class of this registry; "" if it is."""
        if not (inspect.isclass(kind) and issubclass(kind, self._base)):
            return tr("it isn’t a subclass of {base}", base=self._base.__name__)
        missing = sorted(getattr(kind, "__abstractmethods__", ()))
        if missing:
            return tr("{kind} doesn’t define {names}", kind=kind.__name__, names=", ".join(missing))
        key = getattr(kind, "key", "")
        if not (isinstance(key, str) and _KEY.fullmatch(key)):
            return tr(
                "the key of {kind} must consist of lowercase letters, digits and hyphens",
                kind=kind.__name__,
            )
        if key in known:
            return tr(
                "{module} already has the {noun} “{key}”",
                module=known[key].__module__,
                noun=self._noun,
                key=key,
            )
        flaw: str = getattr(kind, "flaw", str)()
        return flaw

    def __iter__(self) -> Iterator[type[T]]:
        return iter(self._classes.values())

    def __len__(self) -> int:
        return len(self._classes)

    def __contains__(self, key: object) -> bool:
        return key in self._classes

    def keys(self) -> tuple[str, ...]:
        return tuple(self._classes)

    def _named_like(self, key: str) -> type[T] | None:
        """The class with this key in the module of the same name, if there is one."""
        name = key.replace("-", "_")
        package = importlib.import_module(self._package)
        for module in _modules_below(package, self._within_packages, name):
            for kind in self._classes_of(*module):
                if kind.key == key:
                    return cast(type[T], kind)
        return None

    def _classes_of(self, name: str, module: ModuleType) -> list[type[Any]]:
        """The classes with a key that a module defines."""
        return [
            kind
            for _, kind in inspect.getmembers(module, inspect.isclass)
            if kind.__module__ == name
            and issubclass(kind, self._base)
            and not inspect.isabstract(kind)
            and getattr(kind, "key", "") != ""
        ]

    def __getitem__(self, key: str) -> type[T]:
        """The class with this key. Raises UserError listing the known keys."""
        if "_classes" not in self.__dict__:
            # A module of ours that is called like the key is enough, and the others may take long
            # to import.
            alone = self._named_like(key)
            if alone is not None:
                return alone
        try:
            return self._classes[key]
        except KeyError:
            raise UserError(
                tr("Unknown {noun} “{key}”.", noun=self._noun, key=key),
                tr("Choose one of: {names}.", names=", ".join(self._classes)),
            ) from None


def _modules_below(
    package: ModuleType, within_packages: bool, only: str = ""
) -> Iterator[tuple[str, ModuleType]]:
    """Modules of a package with their full names, depth first, or only those of this name.
    Raises ImportError naming the one that fails.
    """
    for info in pkgutil.iter_modules(package.__path__):
        if only and info.name != only and not info.ispkg:
            continue
        name = f"{package.__name__}.{info.name}"
        try:
            module = importlib.import_module(name)
        except Exception as error:
            raise ImportError(
                f"{name} cannot be imported: {type(error).__name__}: {error}"
            ) from error
        yield name, module
        if info.ispkg and within_packages:
            yield from _modules_below(module, within_packages, only)
