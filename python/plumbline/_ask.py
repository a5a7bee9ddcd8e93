"""Finding the command and running it."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
from typing import Any, Iterable, Mapping, Sequence, Tuple, Union

Path = Union[str, "os.PathLike[str]"]


class PlumbError(Exception):
    """The command could not do what was asked: its message, and its exit status (2 bad input, 101 a bug of ours)."""

    def __init__(self, message: str, exit_status: int) -> None:
        super().__init__(message)
        self.exit_status = exit_status


def find_plumb() -> str:
    """The command ``plumb``: the one named by the variable PLUMB, else the one installed with this package, else the one
    on the path."""
    named = os.environ.get("PLUMB")
    if named:
        return named
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    try:
        folders.append(sysconfig.get_path("scripts", f"{os.name}_user"))
    except KeyError:
        pass
    # `pip install --target DIR` puts the command into DIR/bin.
    folders.append(str(pathlib.Path(__file__).resolve().parent.parent / "bin"))
    for folder in folders:
        command = os.path.join(folder, "plumb")
        if os.access(command, os.X_OK):
            return command
    command = shutil.which("plumb")
    if command is None:
        raise PlumbError("the command plumb is not found; was the package installed whole?", 2)
    return command


def ask(
    verb: str,
    files: Union[Path, Iterable[Path]] = (),
    *options: str,
    flags: Sequence[str] = (),
    **settings: Any,
) -> Tuple[Mapping[str, Any], int]:
    """Runs ``plumb VERB FILES OPTIONS -- FLAGS`` and returns its JSON document with the exit status.

    ``settings`` are options by name: ``time=5`` is ``--time 5``, ``no_ghosts=True`` is ``--no-ghosts``, a list gives the
    option several times. ``flags`` are those of the compiler.
    """
    words = [find_plumb(), verb, "--format", "json"]
    words += [os.fspath(file) for file in ([files] if isinstance(files, (str, os.PathLike)) else files)]
    words += options
    for name, value in settings.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            values = value if isinstance(value, (list, tuple)) else [value]
            words += [f"{option}={one}" for one in values]
    if flags:
        words += ["--", *flags]
    ended = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    try:
        document = json.loads(ended.stdout)
    except ValueError:
        message = ended.stderr.strip() or f"plumb {verb} ended with status {ended.returncode} and said nothing"
        raise PlumbError(message, ended.returncode) from None
    if document.get("stopped") == "bad-input":
        said = [f"{f['file']}:{f['line']}: {f['message']}" for f in document["result"]["findings"]]
        raise PlumbError("\n".join(said) or "the program cannot be read", ended.returncode)
    return document, ended.returncode
