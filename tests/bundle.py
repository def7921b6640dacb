"""Builds a program that needs no Python: ``python tests/bundle.py FOLDER``.

PyInstaller collects the interpreter, the libraries and the workbench into ``FOLDER/workbench`` (it
follows imports and Qt’s plugins, runs on Linux, Windows and macOS, and needs no project of its own;
briefcase would ask for a second layout of the sources). Two things are particular:

* numba needs the source of each kernel, so the workbench and umap-learn are collected as ``.py``.
* Kernels are compiled before they are needed where ``--kernels`` is given: the cache is put inside.

On Linux, ``--single-file`` adds ``FOLDER/workbench-VERSION.run``: a shell script with the folder
behind it, which unpacks itself into the user’s cache once.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME = "workbench"
# Packages whose modules numba compiles, or that find files beside themselves.
SOURCES = ("workbench", "umap", "pynndescent", "numba", "llvmlite", "sklearn")
# Parts of Qt and of the libraries that the window never loads.
LEFT_OUT = (
    "tkinter",
    "matplotlib",
    "IPython",
    "jupyter",
    "pytest",
    "PIL",
    "pandas",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtWebEngineCore",
    "PySide6.Qt3DCore",
    "PySide6.QtMultimedia",
    "PySide6.QtCharts",
    "PySide6.QtDataVisualization",
    "PySide6.QtSql",
    "PySide6.QtTest",
    "PySide6.QtDesigner",
    "PySide6.QtHelp",
    "PySide6.QtUiTools",
)
