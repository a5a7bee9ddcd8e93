"""Answers as data. Each is made of a JSON document, which stays at hand whole as ``answer.document``."""

from __future__ import annotations

import html
import json
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, List, Mapping, Optional, Sequence

from ._ask import find_plumb

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Note:
    """A further place of a finding."""

    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with the program. ``plumb explain RULE`` says more about the rule."""

    rule: str
    severity: str
    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    help: Optional[str]
    notes: Sequence[Note] = ()

    @staticmethod
    def of(value: Json) -> "Finding":
        notes = [Note(n["message"], n["file"], n["line"], n["column"]) for n in value["notes"]]
        return Finding(
            value["rule"],
            value["severity"],
            value["message"],
            value["file"],
            value["line"],
            value["column"],
            value["help"],
            tuple(notes),
        )


@dataclass(frozen=True)
class Relation:
    """A relation among variables. ``verdict`` is ``proved`` or ``observed``, and ``how`` says by what means it was proved;
    ``c`` is the relation as C, if it can be written so."""

    text: str
    c: Optional[str]
    kind: str
    verdict: str
    how: Optional[str]

    @property
    def proved(self) -> bool:
        return self.verdict.startswith("proved")


@dataclass(frozen=True)
class Location:
    """A place of the program (or of a file of traces) and what holds there."""

    name: str
    file: Optional[str]
    line: Optional[int]
    variables: Sequence[str]
    samples: int
    relations: Sequence[Relation]


@dataclass(frozen=True)
class Property:
    """A claim about the program. ``verdict`` is ``proved``, ``refuted``, ``unknown`` or ``vacuous``; a proof rests on
    ``assumptions``, and ``witness`` has the inputs that refute."""

    name: str
    kind: str
    file: Optional[str]
    line: Optional[int]
    text: str
    verdict: str
    how: Optional[str]
    assumptions: Sequence[str]
    witness: Optional[Json]


@dataclass(frozen=True)
class Target:
    """A place that an input was sought for. ``verdict`` is ``reached``, ``unreachable`` or ``unknown``."""

    name: str
    file: Optional[str]
    line: Optional[int]
    verdict: str
    inputs: Optional[Json]
    replayed: Optional[bool]
    why: Optional[str]


@dataclass(frozen=True)
class Answer:
    """What every command answers. In a notebook it shows itself as the page of ``plumb --format html``."""

    document: Json = field(repr=False)
    exit_status: int

    @property
    def command(self) -> str:
        return self.document["command"]

    @property
    def result(self) -> Json:
        """The command's own part of the document; ``plumb schema`` describes it."""
        return self.document["result"]

    @property
    def conclusive(self) -> bool:
        return self.document["stopped"] == "done"

    @property
    def findings(self) -> List[Finding]:
        return [Finding.of(finding) for finding in self.result["findings"]]

    def to_html(self) -> str:
        """The page of this answer, with the sources as they are now."""
        with tempfile.TemporaryDirectory(prefix="plumbline-") as name:
            folder = pathlib.Path(name)
            kept = folder / "answer.json"
            kept.write_text(json.dumps(self.document))
            words = [find_plumb(), "--quiet", "report", str(kept), "-o", str(folder / "site"), "--format", "json"]
            made = subprocess.run(words, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            page = pathlib.Path(json.loads(made.stdout)["result"]["pages"][0]["page"])
            return (page if page.is_absolute() or page.exists() else folder / "site" / page).read_text()

    def _repr_html_(self) -> str:
        page = html.escape(self.to_html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:36em;border:1px solid #ccc"></iframe>'


class InferAnswer(Answer):
    @property
    def locations(self) -> List[Location]:
        return [_location(value) for value in self.result["locations"]]


class ProveAnswer(Answer):
    @property
    def properties(self) -> List[Property]:
        names = ("name", "kind", "file", "line", "text", "verdict", "how", "assumptions", "witness")
        return [Property(**{name: value[name] for name in names}) for value in self.result["properties"]]


class ReachAnswer(Answer):
    @property
    def targets(self) -> List[Target]:
        names = ("name", "file", "line", "verdict", "inputs", "replayed", "why")
        return [Target(**{name: value.get(name) for name in names}) for value in self.result["targets"]]


def _location(value: Json) -> Location:
    relations = [Relation(r["text"], r["c"], r["kind"], r["verdict"], r["how"]) for r in value["invariants"]]
    return Location(
        value["name"], value["file"], value["line"], tuple(value["variables"]), value["samples"], tuple(relations)
    )
