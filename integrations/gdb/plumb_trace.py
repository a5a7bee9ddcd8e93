"""Rows for `plumb infer` from a program under gdb: what variables were each time it came to a place.

    gdb -q -batch -x plumb_trace.py -ex 'plumb-trace prog.c:12' -ex run --args ./prog 35 7
    plumb infer rows.tcs

`plumb-trace PLACE [EXPRESSION ...]` takes any place that `break` takes and the expressions to record there; without any, the
variables in scope there that are whole numbers or floating. `plumb-trace-to FILE` says where rows go (rows.tcs, a file in
DIG's format); `plumb infer --follow FILE` tells meanwhile what holds. The program should be compiled with -g, and -O0 where
all variables are wanted: one that is optimised away at a visit leaves the row out.
"""

import re

import gdb

WHOLE = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM)


class Rows:
    """The file that rows go to, opened with the first one."""

    path = "rows.tcs"
    file = None

    @classmethod
    def write(cls, line):
        if cls.file is None:
            cls.file = open(cls.path, "w", encoding="utf-8")
        cls.file.write(line + "\n")
        cls.file.flush()


def kind(value):
    """`I` for whole numbers, `D` for floating ones, None for everything else."""
    code = value.type.strip_typedefs().code
    if code in WHOLE:
        return "I"
    return "D" if code == gdb.TYPE_CODE_FLT else None


def in_scope(frame):
    """The names of the numbers that the frame sees, inner ones first, down to its function."""
    names = []
    block = frame.block()
    while block is not None:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in names:
                try:
                    if kind(symbol.value(frame)) is not None:
                        names.append(symbol.name)
                except gdb.error:
                    pass
        if block.function is not None:
            break
        block = block.superblock
    return names


def text(value):
    """A number as rows have it; None if it has no value now."""
    try:
        if kind(value) == "I":
            return str(int(value))
        number = float(value)
        return format(number, ".15f").rstrip("0").rstrip(".") if abs(number) < 1e15 else None
    except (gdb.error, OverflowError, ValueError):
        return None


class Place(gdb.Breakpoint):
    """A breakpoint that records and goes on."""

    def __init__(self, place, expressions):
        super().__init__(place)
        self.silent = True
        self.name = re.sub(r"\W+", "_", place)
        self.expressions = expressions
        self.kinds = None

    def stop(self):
        frame = gdb.selected_frame()
        if not self.expressions:
            self.expressions = in_scope(frame)
        values = []
        for expression in self.expressions:
            try:
                values.append(gdb.parse_and_eval(expression))
            except gdb.error:
                return False
        if self.kinds is None:
            self.kinds = [kind(value) for value in values]
            columns = zip(self.kinds, self.expressions)
            named = [f"{letter} {re.sub(r'[^A-Za-z0-9_.]+', '_', name)}" for letter, name in columns if letter]
            Rows.write("; ".join([self.name, *named]))
        cells = [text(value) for letter, value in zip(self.kinds, values) if letter]
        if None not in cells:
            Rows.write("; ".join([self.name, *cells]))
        return False


class Trace(gdb.Command):
    """plumb-trace PLACE [EXPRESSION ...]: record what these are whenever the program comes to the place."""

    def __init__(self):
        super().__init__("plumb-trace", gdb.COMMAND_TRACEPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if not words:
            raise gdb.GdbError("plumb-trace takes a place, such as prog.c:12, and expressions")
        Place(words[0], words[1:])


class TraceTo(gdb.Command):
    """plumb-trace-to FILE: where rows go."""

    def __init__(self):
        super().__init__("plumb-trace-to", gdb.COMMAND_TRACEPOINTS, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if len(words) != 1:
            raise gdb.GdbError("plumb-trace-to takes the name of a file")
        Rows.path, Rows.file = words[0], None


Trace()
TraceTo()
gdb.execute("set breakpoint pending on")
gdb.execute("set pagination off")
