"""Questions about C programs, with typed answers.

Every function runs the command ``plumb`` that this package brings, reads its JSON document and returns it as data:

>>> import plumbline
>>> found = plumbline.infer("sqrt.c")                        # doctest: +SKIP
>>> [relation.text for relation in found.locations[0].relations]  # doctest: +SKIP
['t == 2*a + 1', 's == a^2 + 2*a + 1']

What the command refuses (no such file, a program that is not C) raises :class:`PlumbError`. What it finds is no error: look at
``answer.exit_status`` and ``answer.findings``.
"""

from ._ask import PlumbError, ask, find_plumb
from ._answers import (
    Answer,
    Finding,
    InferAnswer,
    Location,
    Note,
    Property,
    ProveAnswer,
    ReachAnswer,
    Relation,
    Target,
)
from ._recorder import Recorder
from ._verbs import check, check_up, infer, prove, reach, repair, run, schema, symmetry

__all__ = [
    "Answer",
    "Finding",
    "InferAnswer",
    "Location",
    "Note",
    "PlumbError",
    "Property",
    "ProveAnswer",
    "ReachAnswer",
    "Recorder",
    "Relation",
    "Target",
    "ask",
    "check",
    "check_up",
    "find_plumb",
    "infer",
    "prove",
    "reach",
    "repair",
    "run",
    "schema",
    "symmetry",
]
