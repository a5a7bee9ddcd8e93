"""Tests of the Python module, on the examples: `python3 python/tests/test_plumbline.py EXAMPLES`. The module and the command must be
installed; `make dist-check` runs this in a fresh environment."""

import pathlib
import sys
import unittest

import plumbline

EXAMPLES = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2] / "examples").resolve()


class Answers(unittest.TestCase):
    def test_relations(self):
        found = plumbline.infer(EXAMPLES / "infer/sqrt.c", forms="equality", no_ghosts=True)
        location = found.locations[0]
        self.assertEqual((location.name, location.line), ("vtrace1", 12))
        relation = next(relation for relation in location.relations if relation.text == "t == 2*a + 1")
        self.assertTrue(relation.proved)
        self.assertIn("induction", relation.how)
        self.assertTrue(found.conclusive)

    def test_claims(self):
        refuted = [claim for claim in plumbline.prove(EXAMPLES / "prove/middle.c").properties if claim.verdict == "refuted"]
        self.assertEqual([claim.line for claim in refuted], [14])
        self.assertEqual({value["name"] for value in refuted[0].witness["inputs"]}, {"a", "b", "c"})

    def test_places(self):
        target = plumbline.reach(EXAMPLES / "reach/figure.c", target="L").targets[0]
        self.assertEqual((target.verdict, target.replayed), ("reached", True))

    def test_findings(self):
        answer = plumbline.run(EXAMPLES / "run/midpoint.c")
        self.assertEqual(answer.exit_status, 1)
        self.assertEqual((answer.findings[0].rule, answer.findings[0].line), ("signed-overflow", 6))

    def test_pages(self):
        answer = plumbline.run(EXAMPLES / "run/midpoint.c")
        self.assertIn("signed-overflow", answer.to_html())
        self.assertTrue(answer._repr_html_().startswith("<iframe"))

    def test_trouble(self):
        with self.assertRaises(plumbline.PlumbError) as raised:
            plumbline.infer(EXAMPLES / "no-such-file.c")
        self.assertEqual(raised.exception.exit_status, 2)
        self.assertIn("does not exist", str(raised.exception))
        with self.assertRaises(plumbline.PlumbError):
            plumbline.infer(EXAMPLES / "infer/sqrt.c", no_such_option=1)

    def test_schema(self):
        self.assertEqual(plumbline.schema()["properties"]["schema"], {"const": 1})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
