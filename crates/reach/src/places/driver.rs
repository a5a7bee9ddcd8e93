//! Inputs as C: the arguments of a call, and a program that makes all the calls of a test suite.

use super::suite::{Expected, Test};
use exec::Scalar;
use exec::given::CALLBACK;
use ir::{FunctionId, Program};
use observe::inputs::c::{argument, float};
pub use observe::inputs::c::{number, quoted, shown};
use std::fmt::Write as _;
use symex::explore::{Given, Witness};

/// An input in one line.
pub fn one_line(program: &Program, witness: &Witness) -> String {
    let show = |given: &Given| match given {
        Given::Within { argument, offset: 0 } => witness.given[*argument].0.clone(),
        Given::Within { argument, offset } => format!("(char *){} + {offset}", witness.given[*argument].0),
        other => shown(other),
    };
    let mut parts: Vec<String> =
        witness.given.iter().map(|(name, given)| format!("{name} = {}", show(given))).collect();
    parts.extend(witness.globals.iter().map(|(id, given)| format!("{} = {}", program.globals[*id].name, shown(given))));
    if let Some(name) = &witness.name {
        parts.push(format!("name = \"{}\"", quoted(name)));
    }
    for (k, (ty, value)) in witness.nondet.iter().enumerate() {
        parts.push(format!("nondet {} = {}", k + 1, shown(&Given::Scalar(*ty, *value))));
    }
    if !witness.args.is_empty() {
        let args: Vec<String> = witness.args.iter().map(|arg| format!("\"{}\"", quoted(arg))).collect();
        parts.push(format!("args = {}", args.join(" ")));
    }
    if !witness.stdin.is_empty() {
        parts.push(format!("stdin = \"{}\"", quoted(&witness.stdin)));
    }
    if parts.is_empty() { "any input".to_string() } else { parts.join(", ") }
}

/// A C program that includes the source, makes the call of every test and says which of them give what was expected.
pub fn replaying_program(
    program: &Program,
    entry: FunctionId,
    source: &str,
    others: &[String],
    tests: &[Test],
) -> String {
    let function = &program.functions[entry];
    let is_main = function.name == "main";
    let mut text = String::new();
    let files: Vec<&str> = others.iter().map(String::as_str).collect();
    let _ = writeln!(text, "/* Replays the tests of `{}`: each in a process of its own.", function.name);
    let _ = writeln!(
        text,
        "   Compile:  cc -o replay driver.c {}-lm",
        files.iter().map(|f| format!("{f} ")).collect::<String>()
    );
    let _ = writeln!(text, "   Run:      ./replay        all tests; the exit status is the number of those that fail");
    let _ = writeln!(text, "             ./replay N      test N alone, in this process */");
    if is_main {
        text += "#define main plumb_replayed_main\n";
    }
    let _ = writeln!(text, "#include \"{}\"", source.replace('\\', "\\\\").replace('"', "\\\""));
    if is_main {
        text += "#undef main\n";
    }
    text +=
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\n";
    text += &nondet_functions(tests);
    if tests.iter().any(|test| test.witness.has_callback()) {
        let _ = writeln!(text, "static long {CALLBACK}(void) {{ return 0; }}\n");
    }
    for (number, test) in (1..).zip(tests) {
        text += &test_function(program, entry, number, test);
    }
    let count = tests.len();
    let _ = writeln!(text, "static int (*const plumb_tests[])(void) = {{");
    for number in 1..=count {
        let _ = writeln!(text, "    plumb_test_{number},");
    }
    text += "    0};\n\n";
    text += "int main(int argc, char **argv) {\n";
    text += "    int failed = 0;\n";
    let _ = writeln!(
        text,
        "    if (argc > 1) {{\n        int number = atoi(argv[1]);\n        if (number < 1 || number > {count}) {{\n            fprintf(stderr, \"there are tests 1 to {count}\\n\");\n            return 2;\n        }}\n        return plumb_tests[number - 1]();\n    }}"
    );
    let _ = writeln!(text, "    for (int k = 0; k < {count}; k++) {{");
    text += "        fflush(stdout);\n        pid_t child = fork();\n        if (child == 0) {\n            int status = plumb_tests[k]();\n            fflush(stdout);\n            _exit(status);\n        }\n";
    text += "        int status = 0;\n        waitpid(child, &status, 0);\n";
    text += "        int passed = plumb_passed(k, status);\n";
    text += "        printf(\"test %d: %s\\n\", k + 1, passed ? \"passed\" : \"FAILED\");\n        failed += !passed;\n    }\n";
    text += "    return failed > 125 ? 125 : failed;\n}\n";
    // How each test should end, before `main` that asks.
    let mut expected = String::from("static int plumb_passed(int test, int status) {\n    switch (test) {\n");
    for (k, test) in tests.iter().enumerate() {
        let condition = match (&test.expected, is_main) {
            (Expected::Exit(code), _) => format!("WIFEXITED(status) && WEXITSTATUS(status) == {code}"),
            _ => "WIFEXITED(status) && WEXITSTATUS(status) == 0".to_string(),
        };
        let _ = writeln!(expected, "    case {k}:\n        return {condition};");
    }
    expected += "    }\n    return 0;\n}\n\n";
    match text.find("int main(int argc, char **argv) {\n    int failed") {
        Some(at) => text.insert_str(at, &expected),
        None => text += &expected,
    }
    text
}

/// Definitions of the functions that answer with inputs.
fn nondet_functions(tests: &[Test]) -> String {
    if tests.iter().all(|test| test.witness.nondet.is_empty()) {
        return String::new();
    }
    let mut text = String::from(
        "static const double *plumb_reals;\nstatic const long long *plumb_answers;\nstatic int plumb_left;\n",
    );
    text += "static long long plumb_answer(void) { plumb_reals++; return plumb_left > 0 ? plumb_left--, *plumb_answers++ : 0; }\n";
    text += "static double plumb_real(void) { plumb_answers++; return plumb_left > 0 ? plumb_left--, *plumb_reals++ : 0; }\n";
    let kinds = [
        ("_Bool", "bool"),
        ("char", "char"),
        ("signed char", "schar"),
        ("unsigned char", "uchar"),
        ("short", "short"),
        ("unsigned short", "ushort"),
        ("int", "int"),
        ("unsigned int", "uint"),
        ("unsigned int", "unsigned"),
        ("long", "long"),
        ("unsigned long", "ulong"),
        ("unsigned long", "size_t"),
        ("long long", "longlong"),
        ("unsigned long long", "ulonglong"),
    ];
    for (ty, name) in kinds {
        let _ = writeln!(text, "{ty} __VERIFIER_nondet_{name}(void) {{ return ({ty})plumb_answer(); }}");
    }
    for ty in ["float", "double"] {
        let _ = writeln!(text, "{ty} __VERIFIER_nondet_{ty}(void) {{ return ({ty})plumb_real(); }}");
    }
    text.push('\n');
    text
}

fn test_function(program: &Program, entry: FunctionId, index: usize, test: &Test) -> String {
    let function = &program.functions[entry];
    let witness = &test.witness;
    let mut before = String::new();
    if !witness.nondet.is_empty() {
        let ints: Vec<String> = witness
            .nondet
            .iter()
            .map(|(_, value)| match value {
                Scalar::Int(value) => format!("(long long){}u", *value as u64),
                Scalar::Float(_) => "0".to_string(),
            })
            .map(|text| text.replace("u", "uLL"))
            .collect();
        let reals: Vec<String> = witness
            .nondet
            .iter()
            .map(|(_, value)| match value {
                Scalar::Int(_) => "0".to_string(),
                Scalar::Float(value) => float(ir::FloatKind::Double, *value),
            })
            .collect();
        let _ = writeln!(before, "    static const long long answers[] = {{{}}};", ints.join(", "));
        let _ = writeln!(before, "    static const double reals[] = {{{}}};", reals.join(", "));
        let _ = writeln!(
            before,
            "    plumb_answers = answers;\n    plumb_reals = reals;\n    plumb_left = {};",
            ints.len()
        );
    }
    if !witness.stdin.is_empty() || function.name == "main" {
        let _ = writeln!(before, "    FILE *input = tmpfile();");
        let _ = writeln!(before, "    fwrite(\"{}\", 1, {}, input);", quoted(&witness.stdin), witness.stdin.len());
        before += "    rewind(input);\n    dup2(fileno(input), 0);\n";
    }
    let mut text = format!("static int plumb_test_{index}(void) {{\n");
    if function.name == "main" {
        let mut words = vec!["\"program\"".to_string()];
        words.extend(witness.args.iter().map(|arg| format!("\"{}\"", quoted(arg))));
        let count = words.len();
        text += &before;
        for (k, word) in words.iter().enumerate() {
            let _ = writeln!(text, "    static char word_{k}[] = {word};");
        }
        let list: Vec<String> = (0..count).map(|k| format!("word_{k}")).collect();
        let _ = writeln!(text, "    static char *words[] = {{{}, 0}};", list.join(", "));
        let args = match function.params.len() {
            0 => String::new(),
            1 => count.to_string(),
            _ => format!("{count}, words"),
        };
        text += "    (void)words;\n";
        let is_void = program.types.signature(function.ty).is_some_and(|s| program.types.is_void(s.result));
        if is_void {
            let _ = writeln!(text, "    plumb_replayed_main({args});\n    return 0;\n}}\n");
        } else {
            let _ = writeln!(text, "    return plumb_replayed_main({args}) & 255;\n}}\n");
        }
        return text;
    }
    let mut args = Vec::new();
    for (k, ((_, given), param)) in witness.given.iter().zip(&function.params).enumerate() {
        let ty = ir::c_type(program, Some(function), function.locals[*param].ty);
        args.push(argument(given, &ty, &format!("argument_{k}"), &mut before));
    }
    text += &before;
    let call = format!("{}({})", function.name, args.join(", "));
    match &test.expected {
        Expected::Value(ty, value) => {
            let _ = writeln!(text, "    return {call} == {} ? 0 : 1;\n}}\n", number(*ty, *value));
        }
        _ => {
            let _ = writeln!(text, "    (void){call};\n    return 0;\n}}\n");
        }
    }
    text
}
