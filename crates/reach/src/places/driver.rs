//! Inputs as C: the arguments of a call, and a program that makes all the calls of a test suite.

use super::suite::{Expected, Test};
use exec::Scalar;
use exec::ValueType;
use ir::{FunctionId, Program};
use std::fmt::Write as _;
use symex::explore::{Given, Witness};

/// A number as a C expression of its type.
pub fn number(ty: ValueType, value: Scalar) -> String {
    match (ty, value) {
        (ValueType::Int(kind), Scalar::Int(value)) => {
            let suffix = match kind {
                ir::IntKind::UInt => "u",
                ir::IntKind::Long => "L",
                ir::IntKind::ULong => "uL",
                ir::IntKind::LongLong => "LL",
                ir::IntKind::ULongLong => "uLL",
                _ => "",
            };
            // The smallest value has no literal: its magnitude does not fit the type.
            if kind.is_signed() && value == kind.min() && kind.bits() >= 32 && kind.bits() <= 64 {
                return format!("({}{suffix} - 1)", value + 1);
            }
            if kind.bits() > 64 {
                let bits = value as u128;
                return format!("(({})0x{:x}uLL << 64 | 0x{:x}uLL)", kind.c_name(), (bits >> 64) as u64, bits as u64);
            }
            if value < 0 { format!("({value}{suffix})") } else { format!("{value}{suffix}") }
        }
        (ValueType::Float(kind), Scalar::Float(value)) => float(kind, value),
        (_, Scalar::Int(value)) => value.to_string(),
        (_, Scalar::Float(value)) => float(ir::FloatKind::Double, value),
    }
}

fn float(kind: ir::FloatKind, value: f64) -> String {
    let suffix = match kind {
        ir::FloatKind::Float => "f",
        ir::FloatKind::Double => "",
        ir::FloatKind::Extended => "L",
    };
    if value.is_nan() {
        return "(0.0 / 0.0)".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "(1.0 / 0.0)".to_string() } else { "(-1.0 / 0.0)".to_string() };
    }
    let text = format!("{value:?}");
    let text = if text.contains(['.', 'e']) { text } else { format!("{text}.0") };
    if value < 0.0 { format!("({text}{suffix})") } else { format!("{text}{suffix}") }
}

/// Bytes as the inside of a C string literal. Octal escapes have three digits, so that no digit can follow them.
pub fn quoted(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(byte.into());
            }
            b'\n' => text += "\\n",
            // A question mark could begin a trigraph.
            b'?' => text += "\\?",
            0x20..=0x7e => text.push(byte.into()),
            other => {
                let _ = write!(text, "\\{other:03o}");
            }
        }
    }
    text
}

/// A value as people read it: `5`, `{1, 2}`, `"abc"`, `NULL`.
pub fn shown(given: &Given) -> String {
    match given {
        Given::Scalar(_, Scalar::Int(value)) => value.to_string(),
        Given::Scalar(_, Scalar::Float(value)) => format!("{value:?}"),
        Given::Record(parts) => {
            let parts: Vec<String> = parts.iter().map(|(name, _, part)| format!(".{name} = {}", shown(part))).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Given::Array(_, parts) => {
            let parts: Vec<String> = parts.iter().map(shown).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Given::Null | Given::Nothing => "NULL".to_string(),
        Given::Object { contents, .. } => match &**contents {
            Given::Array(_, parts) if parts.len() == 1 => format!("&{}", shown(&parts[0])),
            contents => shown(contents),
        },
        Given::Text { bytes, .. } => {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            format!("\"{}\"", quoted(&bytes[..end]))
        }
    }
}

/// An input in one line.
pub fn one_line(program: &Program, witness: &Witness) -> String {
    let mut parts: Vec<String> =
        witness.given.iter().map(|(name, given)| format!("{name} = {}", shown(given))).collect();
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

/// The statements that make an argument, and the argument.
fn argument(given: &Given, ty: &str, name: &str, before: &mut String) -> String {
    match given {
        Given::Scalar(ty, value) => number(*ty, *value),
        Given::Null | Given::Nothing => "0".to_string(),
        Given::Text { size, bytes } => {
            let _ = writeln!(before, "    static char {name}[{size}];");
            let _ = writeln!(before, "    memcpy({name}, \"{}\", {});", quoted(bytes), bytes.len());
            name.to_string()
        }
        Given::Object { size, contents } => {
            object(*size, contents, name, before);
            format!("(void *){name}")
        }
        Given::Record(_) | Given::Array(..) => {
            let size = format!("sizeof({ty})");
            let _ = writeln!(before, "    {ty} {name};");
            let _ = writeln!(before, "    memset(&{name}, 0, {size});");
            fill(given, 0, &format!("(char *)&{name}"), name, before);
            name.to_string()
        }
    }
}

/// An object of so many bytes on the heap, where the sanitizers see its end.
fn object(size: u64, contents: &Given, name: &str, before: &mut String) {
    let _ = writeln!(before, "    char *{name} = calloc(1, {size});");
    fill(contents, 0, name, name, before);
}

fn fill(given: &Given, at: u64, base: &str, name: &str, before: &mut String) {
    match given {
        Given::Scalar(_, Scalar::Int(0)) | Given::Null | Given::Nothing => {}
        Given::Scalar(ty, value) => {
            let _ = writeln!(before, "    *({} *)({base} + {at}) = {};", ty.c_name(), number(*ty, *value));
        }
        Given::Record(parts) => {
            parts.iter().for_each(|(_, offset, part)| fill(part, at + offset, base, name, before));
        }
        Given::Array(size, parts) => {
            for (k, part) in (0u64..).zip(parts) {
                fill(part, at + k * size, base, name, before);
            }
        }
        Given::Object { size, contents } => {
            let inner = format!("{name}_{at}");
            object(*size, contents, &inner, before);
            let _ = writeln!(before, "    *(void **)({base} + {at}) = {inner};");
        }
        Given::Text { size, bytes } => {
            let inner = format!("{name}_{at}");
            let _ = writeln!(before, "    char *{inner} = calloc(1, {size});");
            let _ = writeln!(before, "    memcpy({inner}, \"{}\", {});", quoted(bytes), bytes.len());
            let _ = writeln!(before, "    *(void **)({base} + {at}) = {inner};");
        }
    }
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
