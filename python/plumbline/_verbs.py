"""One function a command. Options go by name: ``infer("f.c", time=5, forms="equality", no_ghosts=True)``."""

from __future__ import annotations

import json
import subprocess
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._answers import Answer, InferAnswer, ProveAnswer, ReachAnswer
from ._ask import Path, ask, find_plumb

Files = Union[Path, Iterable[Path]]


def infer(files: Files, *, entry: Optional[str] = None, flags: Sequence[str] = (), **settings: Any) -> InferAnswer:
    """Which relations hold among the variables of a program, or of a file of traces?"""
    return InferAnswer(*ask("infer", files, flags=flags, entry=entry, **settings))


def prove(files: Files, *, entry: Optional[str] = None, flags: Sequence[str] = (), **settings: Any) -> ProveAnswer:
    """Do the assertions hold on every run, and which input breaks them?"""
    return ProveAnswer(*ask("prove", files, flags=flags, entry=entry, **settings))


def reach(files: Files, *, entry: Optional[str] = None, flags: Sequence[str] = (), **settings: Any) -> ReachAnswer:
    """Which input comes to a place (``target="L"``) or takes every branch (``all_branches=True``)?"""
    return ReachAnswer(*ask("reach", files, flags=flags, entry=entry, **settings))


def symmetry(files: Files, *, flags: Sequence[str] = (), **settings: Any) -> Answer:
    """Do permuted inputs give permuted outputs?"""
    return Answer(*ask("symmetry", files, flags=flags, **settings))


def repair(files: Files, *, tests: Optional[Path] = None, flags: Sequence[str] = (), **settings: Any) -> Answer:
    """Which small edit makes the tests pass?"""
    return Answer(*ask("repair", files, flags=flags, tests=tests, **settings))


def check(files: Files, *, flags: Sequence[str] = (), **settings: Any) -> Answer:
    """What is in these files?"""
    return Answer(*ask("check", files, flags=flags, **settings))


def check_up(files: Files, *, flags: Sequence[str] = (), **settings: Any) -> Answer:
    """All that can be asked of files one knows nothing about."""
    return Answer(*ask("check-up", files, flags=flags, **settings))


def run(files: Files, *arguments: str, **settings: Any) -> Answer:
    """What goes wrong when the program is run with these arguments?"""
    return Answer(*ask("run", files, flags=arguments, **settings))


def schema() -> Mapping[str, Any]:
    """The JSON Schema of the documents behind the answers."""
    words = [find_plumb(), "schema"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
