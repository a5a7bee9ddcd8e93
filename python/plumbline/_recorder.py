"""Rows of values for ``plumb infer``: what a Python program's variables were, a JSON object a line."""

import functools
import inspect
import json
import math
import sys
import threading

from ._verbs import infer

#: The largest number that takes part; what is beyond it makes ``plumb infer`` skip the row.
_LIMIT = 2**63


class Recorder:
    """Writes what variables were at places of a program to a file of traces.

    >>> rows = plumbline.Recorder("rows.jsonl")               # doctest: +SKIP
    >>> @rows.traced                                          # doctest: +SKIP
    ... def divide(x, y): ...
    >>> rows.point("loop", q=q, r=r, y=y)                     # doctest: +SKIP
    >>> rows.infer().locations                                # doctest: +SKIP

    Numbers, truth values, and lists of numbers of one shape take part; everything else is left out. While the program runs,
    ``plumb infer --follow rows.jsonl`` tells what holds so far, and which row breaks it.
    """

    def __init__(self, path):
        self.path = str(path)
        # A row at a time, so that whoever follows the file sees it.
        self._file = open(self.path, "w", buffering=1, encoding="utf-8")
        self._columns = {}
        self._lock = threading.Lock()

    def point(self, location, **values):
        """Writes a row: the values of variables at a place of this name."""
        with self._lock:
            if self._file.closed:
                return
            columns = self._columns.get(location)
            if columns is None:
                # The first row says what the columns are.
                columns = [name for name, value in values.items() if _is_kept(value)]
                self._columns[location] = columns
            if not columns:
                return
            row = {"location": location}
            for name in columns:
                value = values.get(name)
                row[name] = value if _is_kept(value) else None
            self._file.write(json.dumps(row, default=int) + "\n")

    def traced(self, function=None, *, locals=False):
        """Decorates a function: each call that returns leaves a row with what it was given and its result. Lists have two columns, ``a_0``
        as they were when the function was called and ``a`` as it left them. With ``locals=True`` its other variables take part as
        well, and parameters have two columns where they are assigned to."""
        if function is None:
            return functools.partial(self.traced, locals=locals)
        signature = inspect.signature(function)
        code = getattr(inspect.unwrap(function), "__code__", None)
        location = function.__qualname__.rpartition("<locals>.")[2] + ":exit"

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            before = {name: _copied(value) for name, value in bound.arguments.items()}
            after = dict(bound.arguments)
            if locals and code is not None:
                result = _with_last_frame(code, after, lambda: function(*args, **kwargs))
            else:
                result = function(*args, **kwargs)
            values = {}
            for name, value in after.items():
                values[name] = value
                # A list may be changed by whoever has it.
                if name in before and (isinstance(before[name], list) or locals):
                    values[name + "_0"] = before[name]
            self.point(location, **values, **({"result": result} if _is_kept(result) else {}))
            return result

        return wrapper

    def flush(self):
        """Lets others read what was written so far."""
        with self._lock:
            if not self._file.closed:
                self._file.flush()

    def close(self):
        with self._lock:
            self._file.close()

    def infer(self, **options):
        """The relations of the rows so far, as :func:`plumbline.infer` gives them."""
        self.flush()
        return infer(self.path, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _with_last_frame(code, into, call):
    """Calls, and puts the variables that the outermost frame of this code had at its end in the mapping."""
    previous = sys.getprofile()
    depth = 0

    def hook(frame, event, argument):
        nonlocal depth
        if frame.f_code is code and event in ("call", "return"):
            depth += 1 if event == "call" else -1
            if event == "return" and depth == 0:
                into.update(frame.f_locals)
        if previous is not None:
            previous(frame, event, argument)

    sys.setprofile(hook)
    try:
        return call()
    finally:
        sys.setprofile(previous)


def _is_number(value):
    if isinstance(value, (bool, int)):
        return -_LIMIT <= value < _LIMIT
    return isinstance(value, float) and math.isfinite(value)


def _shape(value):
    """The lengths of a list of numbers, or of lists of one shape; ``None`` if it is none."""
    if _is_number(value):
        return ()
    if not isinstance(value, (list, tuple)) or not value:
        return None
    shapes = {_shape(part) for part in value}
    shape = shapes.pop()
    return None if shapes or shape is None else (len(value), *shape)


def _is_kept(value):
    return _shape(value) is not None


def _copied(value):
    return [_copied(part) for part in value] if isinstance(value, (list, tuple)) else value
