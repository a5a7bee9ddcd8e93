"""Tests of the Python module, on the examples: `python3 python/tests/test_plumbline.py EXAMPLES`. The module and the command must be
installed; `make dist-check` runs this in a fresh environment."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import plumbline

EXAMPLES = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2] / "examples").resolve()


DIVIDE = """int divide(int x, int y) {
    int q = 0, r = x;
    while (r >= y) {
        r -= y;
        q++;
    }
    return q;
}
int main(void) {
    for (int x = 1; x < 60; x += 3)
        for (int y = 1; y < 7; y++) divide(x, y);
    return 0;
}
"""


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

    def test_recorded_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = plumbline.Recorder(pathlib.Path(folder) / "rows.jsonl")

            @rows.traced
            def divide(x, y):
                q, r = 0, x
                while r >= y:
                    q, r = q + 1, r - y
                    rows.point("loop", q=q, r=r, x=x, y=y)
                return q

            @rows.traced
            def reverse(a):
                a.reverse()

            for x in range(1, 60, 3):
                for y in range(1, 7):
                    self.assertEqual(divide(x, y), x // y)
            for seed in range(40):
                reverse([(seed * 7 + i * i * 3) % 31 for i in range(5)])
            found = {location.name: [relation.text for relation in location.relations] for location in rows.infer().locations}
            rows.close()
        self.assertIn("x == q*y + r", found["loop"])
        self.assertTrue(any("a_0" in text for text in found["reverse:exit"]), found)

    def test_recorded_variables(self):
        with tempfile.TemporaryDirectory() as folder, plumbline.Recorder(pathlib.Path(folder) / "rows.jsonl") as rows:

            @rows.traced(locals=True)
            def triangle(n):
                total = sum(range(n + 1))
                n = n + 1
                return total

            for n in range(30):
                triangle(n)
            found = rows.infer().locations[0]
        self.assertIn("n == n_0 + 1", [relation.text for relation in found.relations])

    @unittest.skipUnless(shutil.which("gdb") and shutil.which("cc"), "gdb and a C compiler make these rows")
    def test_rows_of_a_program_under_gdb(self):
        script = EXAMPLES.parent / "integrations" / "gdb" / "plumb_trace.py"
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "divide.c")
            source.write_text(DIVIDE)
            subprocess.run(["cc", "-g", "-O0", "-o", "divide", "divide.c"], cwd=folder, check=True)
            orders = ["plumb-trace-to places.tcs", "plumb-trace divide.c:4", "plumb-trace divide.c:7 q r x", "run"]
            command = ["gdb", "-q", "-nx", "-batch", "-x", str(script), *(word for order in orders for word in ("-ex", order)), "./divide"]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            found = plumbline.infer(pathlib.Path(folder, "places.tcs"))
        relations = {location.name: [relation.text for relation in location.relations] for location in found.locations}
        self.assertIn("x == y*q + r", relations["divide_c_4"])
        self.assertEqual(set(relations), {"divide_c_4", "divide_c_7"})

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
