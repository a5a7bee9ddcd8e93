"""Plumbline for BenchExec: which command answers for a property file, and what its answer is called there.

Put this file where Python finds it (for example `PYTHONPATH=integrations/benchexec`) and name it in a benchmark definition:
`<benchmark tool="plumb" ...>`. Options of the definition are given to `plumb prove` as they are.

`true` is said if every claim that the property is about is proved. Leaks are not looked for, so that `valid-memsafety` is
mostly `false(valid-deref)` or `unknown`.
"""

import json

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import UnsupportedFeatureException

# What a broken claim is called. Of the other kinds BenchExec has no word, or not one that fits all of the kind.
FALSE = {"overflow": result.RESULT_FALSE_OVERFLOW, "bounds": result.RESULT_FALSE_DEREF}
FALSE |= {"assert": result.RESULT_FALSE_REACH, "unreachable": result.RESULT_FALSE_REACH}


def judge(claims):
    """The answer for claims as `plumb prove --format json` lists them."""
    broken = [FALSE[claim["kind"]] for claim in claims if claim["verdict"] == "refuted" and claim["kind"] in FALSE]
    if broken:
        return broken[0]
    if all(claim["verdict"] in ("proved", "vacuous") for claim in claims):
        return result.RESULT_TRUE_PROP
    return result.RESULT_UNKNOWN


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable("plumb")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="plumb")

    def name(self):
        return "Plumbline"

    def cmdline(self, executable, options, task, rlimits):
        # Only the model of x86-64 is known; answers about another would be about another program.
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model == "ILP32":
            raise UnsupportedFeatureException("plumb knows the data model LP64 only")
        asked = ["--property", task.property_file] if task.property_file else []
        command = [executable, "prove", *task.input_files, "--format", "json", *asked, *options]
        limit = rlimits.walltime or rlimits.cputime
        if limit and "--time" not in options:
            command += ["--time", str(max(1, int(limit * 0.9)))]
        return command

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        text = "\n".join(run.output)
        try:
            document, _ = json.JSONDecoder().raw_decode(text[max(0, text.find("{")) :])
        except ValueError:
            return result.RESULT_ERROR
        if run.exit_code.value not in (0, 1, 3, 4):
            return result.RESULT_ERROR
        answer = document.get("result", {})
        # Without a claim there is nothing that could be broken, if that is what the status says.
        if not answer.get("properties") and run.exit_code.value != 4:
            return result.RESULT_UNKNOWN
        return judge(answer["properties"])
