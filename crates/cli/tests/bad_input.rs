//! Bad input is a clear message and the documented exit status, never a panic, a hang or a leftover file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn plumb(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(args).stdin(std::process::Stdio::null()).output().expect("plumb should start")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs and checks what every bad input has in common.
fn refused(args: &[&str], status: i32, said: &str) {
    let output = plumb(args);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{args:?} said:\n{text}");
    assert!(text.contains(said), "{args:?} should say {said:?}, and said:\n{text}");
    assert!(!text.contains("bug in plumb"), "{text}");
}

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a temporary folder should be had"))
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_string()
    }
}

/// The status each file of testdata/badinput leads to: what cannot be read is 2, what cannot be decided is 3, and what needs more
/// than the stack has is found, 1.
#[test]
fn every_file_of_the_corpus_has_its_status() {
    let inconclusive = ["asm", "crumbs", "endless-loop", "malloc-everything", "undefined-function"];
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("testdata/badinput")).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let status = match stem.as_str() {
            "endless-recursion" => 1,
            stem if inconclusive.contains(&stem) => 3,
            _ => 2,
        };
        refused(&["run", "--steps", "3000000", "--memory", "64", path.to_str().unwrap()], status, "");
        count += 1;
    }
    assert!(count >= 25);
}

#[test]
fn files_that_are_not_there_or_not_files() {
    refused(&["check", "no/such/file.c"], 2, "no/such/file.c");
    refused(&["check", root().to_str().unwrap()], 2, "directory");
    refused(&["check"], 2, "FILE");
    refused(&["frobnicate"], 2, "frobnicate");
    refused(&["run", "--time", "-3", "x.c"], 2, "");
    refused(&["explain", "no-such-rule"], 2, "no-such-rule");
    refused(&["check", "x.c", "--cflags", "'unclosed"], 2, "quotes");
}

#[test]
fn junk_is_refused() {
    let scratch = Scratch::new();
    let junk: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    refused(&["check", &scratch.file("junk.c", junk)], 2, "junk.c");
    refused(&["check", &scratch.file("nul.c", b"int a\0b;\n")], 2, "");
}

#[test]
fn deep_nesting_is_read_or_refused_with_its_place() {
    let scratch = Scratch::new();
    for (name, open, close) in [("parens.c", "(", ")"), ("calls.c", "-(", ")"), ("blocks.c", "", "")] {
        let (before, after) = match name {
            "blocks.c" => ("{".repeat(10_000), "}".repeat(10_000)),
            _ => (format!("return {}1", open.repeat(10_000)), format!("{};", close.repeat(10_000))),
        };
        let text = format!("int main(void) {{\n{before}{after}\n return 0; }}\n");
        refused(&["check", &scratch.file(name, text)], 2, "nested 10");
    }
    let sum = format!("int main(void) {{ return {}0; }}\n", "1 - 1 + ".repeat(4_000));
    let output = plumb(&["run", &scratch.file("sum.c", sum)]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_line_of_a_megabyte_is_read() {
    let scratch = Scratch::new();
    let text = format!("int main(void) {{ int a = 0; {} return a == 40000 ? 0 : 1; }}", "a = a + 1; ".repeat(40_000));
    let output = plumb(&["run", "-q", &scratch.file("long.c", text + &" ".repeat(600_000))]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn traces_that_are_not_what_they_should_be() {
    let scratch = Scratch::new();
    let file = |name: &str, text: &str| scratch.file(name, text);
    refused(&["infer", "no/such/rows.csv"], 2, "no/such/rows.csv");
    refused(&["infer", &file("empty.csv", "")], 2, "empty");
    refused(&["infer", &file("empty.tcs", "")], 2, "no location is declared");
    refused(&["infer", &file("ragged.csv", "x,y\n1,2\n3\n")], 2, "ragged.csv:3: 1 values where 2");
    refused(&["infer", &file("word.csv", "x,y\n1,2\n3,four\n")], 2, "word.csv:3: `four` is not a number");
    refused(&["infer", &file("bare.dtrace", "f():::ENTER\nx\n1\n1\n")], 2, "not declared");
    refused(&["infer", "--traces", &file("odd", "hello\n")], 2, "--traces");
    refused(&["infer", &file("a.csv", "x\n1\n"), &file("a.c", "int main(void) { return 0; }\n")], 2, "is C");
    refused(&["infer", &file("b.csv", "x\n1\n"), "--emit", "acsl"], 2, "needs a program");
    refused(&["infer", &file("c.csv", "x\n1\n"), "--term", "2^"], 2, "exponent");
    refused(&["infer", &file("d.csv", "x\n1\n"), "--term", "z + 1"], 2, "no location has the variables");
    refused(&["infer", &file("e.csv", "x\n1\n"), "--vars", "z"], 2, "variable `z`");
    refused(&["infer", &file("f.csv", "x\n1\n"), "--forms", "circle"], 2, "circle");
    let rows = "A,B\n[1,2],[[1,2],[3,4]]\n";
    refused(&["infer", &file("g.csv", &format!("{rows}[1,2],[[1,2],[3]]\n"))], 2, "g.csv:3: `B` is ragged");
    refused(&["infer", &file("h.csv", &format!("{rows}[1,2],[1,[2]]\n"))], 2, "h.csv:3: `B` is ragged");
    refused(&["infer", &file("i.csv", &format!("{rows}[1,x],[[1]]\n"))], 2, "`x` in `A` is not a number");
    refused(&["infer", &file("j.csv", &format!("{rows}[1,2],[[1],[2]\n"))], 2, "the list of `B` is not closed");
    refused(&["infer", &file("k.jsonl", "{\"A\": [1, 2}\n")], 2, "k.jsonl:1");
    refused(&["infer", &file("l.jsonl", "{\"A\": {\"x\": 1}}\n")], 2, "`A` is an object");
    refused(&["infer", &file("m.jsonl", "")], 2, "no rows");
    refused(&["infer", &file("n.jsonl", "{\"A\": [1]}\n"), "--functions", "sine"], 2, "does not know `sine`");
    refused(&["infer", &file("o.jsonl", "{\"A\": [1]}\n"), "--extent", "A=3"], 2, "needs a program");
    refused(&["infer", &file("p.csv", rows), "--vars", "C"], 2, "variable `C`");
    refused(&["infer", &file("header.csv", "x,y\n")], 3, "no rows");
    refused(&["infer", &file("nan.csv", "x,y\nnan,1\ninf,2\n")], 3, "2 rows are skipped");
    // Odd, but an answer can be given.
    refused(&["infer", &file("skip.csv", "x,y\n1,2\n3\nq,4\n5,6\n"), "--skip-bad-rows"], 0, "2 rows are skipped");
    refused(&["infer", &file("big.csv", "x\n99999999999999999999\n7\n")], 0, "1 rows are skipped");
    refused(&["infer", &file("one.csv", "x,y\n3,4\n")], 0, "x == 3");
    let constant = format!("x,y\n{}", (0..50).map(|i| format!("7,{i}\n")).collect::<String>());
    refused(&["infer", &file("constant.csv", &constant)], 0, "x == 7");
}

#[test]
fn sixty_variables_and_degrees_beyond_the_budget() {
    let scratch = Scratch::new();
    let names: Vec<String> = (0..60).map(|i| format!("v{i}")).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..300u64 {
        let cells: Vec<String> = (0..60u64).map(|i| ((row * (i + 3)) * 7919 % (97 + i)).to_string()).collect();
        text += &(cells.join(",") + "\n");
    }
    let wide = scratch.file("wide.csv", text);
    let forms = "equality,interval,zone,octagon,congruence";
    refused(&["infer", &wide, "--forms", forms, "--bound-degree", "1", "--all"], 0, "v59");
    refused(&["infer", &wide, "--forms", "equality", "--degree", "4"], 0, "note:");
}

#[test]
fn programs_that_cannot_be_looked_at() {
    let scratch = Scratch::new();
    let never = "void vtrace1(int x); int mainQ(int x) { if (0) vtrace1(x); return x; }\n";
    refused(&["infer", &scratch.file("never.c", never)], 3, "no location was reached");
    let excluded = "void vassume(int c); void vtrace1(int x); int mainQ(int x) { vassume(0); vtrace1(x); return x; }\n";
    refused(&["infer", &scratch.file("excluded.c", excluded)], 3, "excluded");
    let loops = scratch.file("loops.c", "int mainQ(int x) { while (x > 0) x--; return x; }\n");
    refused(&["infer", &loops, "--entry", "nobody"], 2, "nobody");
    refused(&["infer", &loops, "--input", "x=9..1"], 2, "empty");
    refused(&["infer", &loops, "--input", "nothing"], 2, "x=0..300");
    refused(&["infer", &loops, "--inputs", "no/such/file"], 2, "no/such/file");
    refused(&["infer", &loops, "--at", "99"], 0, "99");
    refused(&["infer", &loops, "--vars", "q"], 2, "`q`");
    refused(&["infer", &scratch.file("broken.c", "int mainQ( {")], 2, "broken.c");
    let pointer = scratch.file("pointer.c", "int mainQ(int *p) { while (*p > 0) --*p; return 0; }\n");
    refused(&["infer", &pointer, "--extent", "q=3"], 2, "`q`");
    let lines = scratch.file("inputs.jsonl", "{\"p\": [1]}\n{\"q\": 1}\n");
    refused(&["infer", &pointer, "--inputs", &lines], 2, "line 2: `mainQ` has no parameter `q`");
}

#[test]
fn claims_that_cannot_be_proved() {
    let scratch = Scratch::new();
    let loops = scratch.file("loops.c", "int mainQ(int x) { while (x > 0) x--; return x; }\n");
    refused(&["prove", &loops], 4, "nothing to prove");
    refused(&["prove", &loops, "--invariant", "x >"], 2, "a value is missing");
    refused(&["prove", &loops, "--invariant", "q > 1"], 2, "no loop has all the variables");
    refused(&["prove", &loops, "--at", "nowhere", "--invariant", "x > 1"], 2, "`nowhere`");
    refused(&["prove", &loops, "--at", "loop at line 1", "--invariant", "q > 1"], 2, "`q` is not a variable");
    refused(&["prove", &loops, "--using", "no/such/file"], 2, "no/such/file");
    refused(&["prove", &loops, "--using", &scratch.file("not.json", "{")], 2, "not JSON");
    refused(&["prove", &loops, "--using", &scratch.file("other.json", "{}")], 2, "neither");
    refused(&["prove", "--check", &scratch.file("no.json", "{}")], 2, "not a certificate");
    refused(&["prove"], 2, "FILE");
    let recursive = "#include <assert.h>\nint f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }\n\
                     int mainQ(int n) { int m = f(n & 7); assert(m < 100); return m; }\n";
    refused(&["prove", &scratch.file("recursive.c", recursive)], 0, "proved");
    let wrong = recursive.replace("m < 100", "m < 7");
    refused(&["prove", &scratch.file("wrong.c", &wrong)], 1, "refuted");
    // No machine makes these 2^40 calls in time, and no relation of ours describes the product.
    let doubled = "#include <assert.h>\n\
                   unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) * f(n - 2) + n * n; }\n\
                   unsigned mainQ(unsigned n) { unsigned m = f(n & 63); assert(m != 12345); return m; }\n";
    refused(&["prove", "--time", "3", &scratch.file("doubled.c", doubled)], 3, "unknown");
    let assembly = "#include <assert.h>\nint mainQ(int n) { int m = 0; __asm__(\"neg %0\" : \"+r\"(m)); assert(m == 0); return m; }\n";
    refused(&["prove", &scratch.file("assembly.c", assembly)], 3, "unknown");
}

/// A witness has the answers that the run asked for, and no more.
#[test]
fn violation_witnesses_name_the_answers_that_were_used() {
    let scratch = Scratch::new();
    let text = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nint main(void) {\n    \
                int x = __VERIFIER_nondet_int();\n    if (x == 42) reach_error();\n    return 0;\n}\n";
    let output = plumb(&["prove", &scratch.file("reach.c", text), "--emit", "witness"]);
    assert_eq!(output.status.code(), Some(1));
    let witness = String::from_utf8_lossy(&output.stdout);
    assert_eq!(witness.matches("type: function_return").count(), 1, "{witness}");
    assert!(witness.contains("\\\\result == 42"), "{witness}");
    assert_eq!(witness.matches("type: target").count(), 1, "{witness}");
}

#[test]
fn certificates_speak_of_one_program() {
    let scratch = Scratch::new();
    let text = "#include <assert.h>\nint mainQ(int n) {\n    int i = 0, s = 0;\n    while (i < n) { i++; s += 2; }\n    \
                assert(s == 2 * i);\n    return s;\n}\n";
    let program = scratch.file("sum.c", text);
    let path = scratch.0.path().join("certificate.json");
    let certificate = path.to_str().unwrap();
    refused(&["prove", &program, "--certificate", certificate], 0, "1 of 1 proved");
    refused(&["prove", "--check", certificate], 0, "the certificate holds");
    let wrong = scratch.file("wrong.c", text.replace("s += 2", "s += 3"));
    refused(&["prove", &wrong, "--check", certificate], 3, "not accepted");
    refused(&["prove", &wrong], 1, "replayed on the compiled program");
    let other = scratch.file("other.c", "int mainQ(int n) { return n; }\n");
    refused(&["prove", &other, "--check", certificate], 2, "does not fit");
    refused(&["prove", &program, "--using", certificate], 0, "1 of 1 proved");
}

#[test]
fn results_are_written_whole_or_not_at_all() {
    let scratch = Scratch::new();
    let source = scratch.file("a.c", "int main(void) { return 0; }\n");
    let result = scratch.0.path().join("result.json");
    let output = plumb(&["check", &source, "--format", "json", "-o", result.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
    assert!(std::fs::read_to_string(&result).unwrap().starts_with("{\n  \"schema\": 1,"));
    refused(&["check", &source, "-o", "/no/such/folder/result"], 2, "folder");
    // What is no ordinary file is written to, not replaced.
    assert_eq!(plumb(&["check", &source, "-o", "/dev/null"]).status.code(), Some(0));
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    let left: Vec<_> = std::fs::read_dir(scratch.0.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn rules_and_paths_that_are_wrong() {
    let scratch = Scratch::new();
    let c = scratch.file(
        "f.c",
        "typedef struct tree *tree; int is_null(tree); tree left(tree); int open(tree);\n\
         int f(tree t) { if (is_null(left(t))) return 1; return 0; }\n\
         int h(tree t, int *p) { if (*p) return 1; if (open(t)) return 2; return 0; }\n",
    );
    let good = "sort tree = null | tree(int, tree, tree)\nis_null(null) -> true\nis_null(tree(_, _, _)) -> false\n\
                left(tree(_, L, _)) -> L\nsort stack = empty | push(tree, stack)\ntop(push(E, _)) -> E\n";
    let rules = scratch.file("good.rules", good);
    for (path, said) in [
        ("T(", "--path:1:3"),
        ("T X", "--path:1:3"),
        ("T T", "--path:1:3"),
        ("[T]", "--path:1:1"),
        ("", "the path ends before the `if` at line 2"),
        ("[#99999999999999999999]", "--path:1:3"),
    ] {
        refused(&["reach", &c, "--entry", "f", "--rules", &rules, "--path", path], 2, said);
    }
    let file = scratch.file("path.txt", "T\n  // then\n  T\n");
    refused(&["reach", &c, "--entry", "f", "--rules", &rules, "--path-file", &file], 2, "path.txt:3:3");
    refused(&["reach", &c, "--entry", "f", "--rules", &rules, "--path-file", "no/such"], 2, "no/such");
    refused(&["reach", &c, "--entry", "f", "--rules", "no/such.rules", "--path", "T"], 2, "no/such.rules");
    refused(&["reach", &c, "--entry", "nobody", "--rules", &rules, "--path", "T"], 2, "nobody");
    let other = scratch.file("g.c", "typedef struct tree *tree; tree top(tree); tree g(tree t) { return top(t); }\n");
    refused(&["reach", &other, "--rules", &rules, "--path", ""], 2, "of sort `stack`");
    refused(&["reach", &c, "--entry", "h", "--rules", &rules, "--path", "T"], 2, "memory behind a pointer");
    let wrong = [
        ("sort tree = null | tree(int, tree, tree)\nleft(tree(X, X, _)) -> X\n", "wrong.rules:2:14"),
        ("left(null) -> null\n", "wrong.rules:1:6"),
        ("sort tree = null\nleft(null) -> \n", "a term is expected here"),
        ("\u{0}\u{1}\u{2}", "wrong.rules:1:1"),
    ];
    for (text, said) in wrong {
        let rules = scratch.file("wrong.rules", text);
        refused(&["reach", &c, "--entry", "f", "--rules", &rules, "--path", "T"], 2, said);
    }
    let rules = scratch.file("bytes.rules", [0xff, 0xfe, 0x00]);
    refused(&["reach", &c, "--entry", "f", "--rules", &rules, "--path", "T"], 2, "not text");
    let rules = scratch.file("bad.trs", "(VAR x)(RULES left(x,x) -> x)");
    refused(&["reach", &c, "--entry", "f", "--rules", &rules, "--path", "T"], 2, "bad.trs:1:22");
}

#[test]
fn places_that_cannot_be_looked_for() {
    let scratch = Scratch::new();
    let text = "int f(int x) {\n    if (x > 3) {\n    L:\n        return 1;\n    }\n\n    return 0;\n}\n";
    let c = scratch.file("f.c", text);
    let ask = |args: &[&str], status: i32, said: &str| {
        let all: Vec<&str> = ["reach", &c].into_iter().chain(args.iter().copied()).collect();
        refused(&all, status, said);
    };
    ask(&[], 2, "--target");
    ask(&["--target", "M"], 2, "no label or function `M`");
    ask(&["--target", "M"], 2, "L");
    ask(&["--target", "6"], 2, "no statement begins at line 6");
    ask(&["--target", "6"], 2, "4, 7");
    ask(&["--target", "f.c:99"], 2, "f.c:99");
    ask(&["--target", "other.c:3"], 2, "other.c is not part of the program");
    ask(&["--target", "assert"], 2, "no assertion");
    ask(&["--target", "L", "--entry", "nobody"], 2, "nobody");
    ask(&["--target", "L", "--path", "T"], 2, "cannot be used with");
    ask(&["--target", "L", "--all-branches"], 2, "cannot be used with");
    ask(&["--target", "L", "--emit", "c-driver"], 2, "--all-branches");
    ask(&["--all-branches", "--emit", "synthesis"], 2, "--target");
    ask(&["--target", "L", "--target", "4", "--emit", "synthesis"], 2, "one target");
    ask(&["--target", "L", "--strategy", "luck"], 2, "luck");
    ask(&["--target", "L", "--array-length", "0"], 2, "array-length");
    ask(&["--all-branches", "-o", &c], 2, "cannot be made");
    let pointer = scratch.file("p.c", "int f(int *p) { if (*p) { L: return 1; } return 0; }\n");
    refused(&["reach", &pointer, "--target", "L", "--emit", "synthesis"], 2, "`p` is no number");
    let assembly = scratch
        .file("asm.c", "int f(int x) { __asm__(\"neg %0\" : \"+r\"(x)); if (x == 3) { L: return 1; } return 0; }\n");
    refused(&["reach", &assembly, "--target", "L"], 3, "asm.c:1");
    let unlinked = scratch.file("u.c", "int g(int); int f(int x) { if (g(x) == 3) { L: return 1; } return 0; }\n");
    refused(&["reach", &unlinked, "--target", "L"], 3, "not confirmed");
}

#[test]
fn symmetry_that_cannot_be_checked() {
    let scratch = Scratch::new();
    let file = |name: &str, text: &str| scratch.file(name, text);
    let mid = root().join("examples/symmetry/getmid.c").to_str().unwrap().to_string();
    let ask = |args: &[&str], said: &str| {
        let all: Vec<&str> = ["symmetry", &mid].into_iter().chain(args.iter().copied()).collect();
        refused(&all, 2, said);
    };
    ask(&["--permute", "i,j,k", "--entry", "nope"], "no function `nope`");
    ask(&["--permute", "i"], "`i` is one number");
    ask(&["--permute", "i,j,x"], "it has: i, j, k");
    ask(&["--permute", "i,i"], "twice");
    ask(&[], "--permute");
    ask(&["--permute", "i,j", "--domain", "i=5..1"], "empty");
    ask(&["--permute", "i,j", "--domain", "i=1..x"], "`x` is not a number");
    ask(&["--permute", "i,j", "--domain", "i"], "NAME=VALUES");
    ask(&["--permute", "i,j", "--domain", "q=1..2"], "no parameter `q`");
    ask(&["--permute", "i,j", "--domain", "i=0..3000000000"], "3000000000 is not a value of type int");
    ask(&["--permute", "i,j", "--domain", "i=0.5"], "0.5 is not a value of type int");
    ask(&["--permute", "i,j", "--assume", "i > 100 && i < 200"], "no tuple satisfies");
    ask(&["--permute", "i,j", "--assume", "q > 1"], "--assume");
    ask(&["--permute", "i,j", "--assume", "i >"], "--assume");
    ask(&["--permute", "i,j,k", "--domain", "i,j,k=-2000000000..2000000000"], "--random");
    ask(&["--permute", "i,j", "--tau", "(1 2)"], "--tau");
    ask(&["--permute", "i,j,k", "--tau", "()"], "--sigma");
    ask(&["--permute", "i,j", "--tau", "1 2", "--sigma", "()"], "cycle notation");
    ask(&["--permute", "i,j", "--output", "sideways"], "sideways");
    ask(&["--permute", "i,j", "--output", "permuted"], "no output has 2 positions");
    ask(&["--permute", "i,j", "--output", "A=same"], "no output `A`");
    ask(&["--permute", "i,j", "--compare", "maybe"], "maybe");
    ask(&["--permute", "i,j", "--observe", "A"], "no output `A`");
    ask(&["--permute", "i,j", "--length", "z=3"], "no parameter `z`");
    ask(&["--permute", "i,j", "--random", "0"], "0");
    let sort = file("sort.c", "void sort(int *A, int n) { (void)A; (void)n; }\n");
    refused(&["symmetry", &sort, "--permute", "A"], 2, "--length");
    refused(&["symmetry", &sort, "--permute", "A", "--length", "n=0..1000"], 2, "lengths");
    refused(&["symmetry", &sort, "--permute", "A,n", "--length", "3"], 2, "`A` is an array");
    let void = file("void.c", "void f(int a, int b) { (void)a; (void)b; }\n");
    refused(&["symmetry", &void, "--permute", "a,b"], 2, "returns void");
    let pointer = file("pointer.c", "char *f(int a, int b, char **c) { return c[a + b]; }\n");
    refused(&["symmetry", &pointer, "--permute", "a,b"], 2, "`c`");
    let variadic = file("variadic.c", "int f(int a, int b, ...) { return a + b; }\n");
    refused(&["symmetry", &variadic, "--permute", "a,b"], 2, "variable number");
    let several = file("several.c", "int f(int a, int b) { return a; } int g(int a) { return a; }\n");
    refused(&["symmetry", &several, "--permute", "a,b"], 2, "--entry takes one of: f, g");
    refused(&["symmetry", "no/such.c", "--permute", "a,b"], 2, "no/such.c");
    let broken = file("broken.c", "int f(int a { return a; }\n");
    refused(&["symmetry", &broken, "--permute", "a,b"], 2, "broken.c");
}

#[test]
fn programs_that_do_not_answer() {
    let ask = |command: &str, said: &str| {
        refused(&["symmetry", "--exec", command, "--permute", "i,j", "--call-time", "0.5"], 2, said);
    };
    ask("echo hello", "not JSON");
    ask("false", "status 1");
    ask("sh -c 'read x; kill -9 $$'", "signal 9");
    ask("sleep 60", "does not come back");
    ask("/no/such/program", "cannot be started");
    ask("", "not a command");
    ask("'unclosed", "not a command");
    refused(&["symmetry", "--exec", "cat", "--discover"], 2, "--domain");
    refused(&["symmetry", "--exec", "cat", "--permute", "i,j", "--assume", "i <"], 2, "--assume");
    // It dies later, on an input of its own: that is a finding.
    let dies = "sh -c 'while read x; do case $x in \"[2,3]\") exit 4;; esac; echo 1; done'";
    refused(&["symmetry", "--exec", dies, "--permute", "i,j", "--domain", "i,j=0..5"], 1, "program(2, 3)");
}

#[test]
fn pairs_that_cannot_be_compared() {
    let scratch = Scratch::new();
    let file = |name: &str, text: &str| scratch.file(name, text);
    let writer = file("w.c", "#include <stdio.h>\nint main(void) { putchar(1); return 0; }\n");
    let reader = file("r.c", "#include <stdio.h>\nint main(void) { getchar(); getchar(); return 0; }\n");
    let nothing = file("n.c", "int main(void) { return 0; }\n");
    let pair = ["conform", "--producer", &writer, "--consumer", &reader];
    let with = |more: &[&str], status: i32, said: &str| refused(&[&pair[..], more].concat(), status, said);
    with(&[], 1, "incompatible");
    refused(&["conform"], 2, "no producer");
    refused(&["conform", "--producer", &writer], 2, "no consumer");
    refused(&["conform", "--producer", &writer, "--consumer", "no/such.c"], 2, "no/such.c");
    refused(&["conform", "--producer", &writer, "--consumer", &nothing], 2, "no call of the consumer that reads");
    refused(&["conform", "--producer", &writer, "--consumer-spec", &file("s.spec", "a = u8 | ;;\n")], 2, "s.spec:1");
    with(&["--io", "no/such.toml"], 2, "no/such.toml");
    with(&["--io", &file("a.toml", "[writes\n")], 2, "a.toml:1");
    with(&["--io", &file("b.toml", "[writes]\nput_it = \"u8\"\n")], 2, "put_it");
    with(&["--io", &file("c.toml", "[writes]\nputchar = \"header\"\n")], 2, "`header` is not known");
    with(&["--io", &file("d.toml", "wirtes = 3\n")], 2, "`wirtes` is not known");
    with(&["--io", &file("e.toml", "[assume]\nforce = 0\n")], 2, "`force`");
    with(&["--io", &file("f.toml", "[writes]\nputchar = { moves = \"u8\", vaule = 1 }\n")], 2, "`vaule`");
    with(&["--io", &file("g.toml", "[producer]\nentry = \"start\"\n")], 2, "no function `start`");
    with(&["--io-sites", &file("sites", "r.c:9\tgetchar\treads\tu8\n")], 2, "FILE:LINE:COLUMN");
    with(&["--io-sites", &file("more", "r.c:9:1\tgetchar\treads\tu8\n")], 2, "has no call of `getchar`");
    refused(&["conform", "--automata", "no/such.nwa", "no/such.nwa"], 2, "no/such.nwa");
    let bad = file("bad.nwa", "nwa x: { Delta_i: { (a, b) } }");
    refused(&["conform", "--automata", &bad, &bad], 2, "bad.nwa:1");
    let format = file("p.c", "#include <stdio.h>\nint main(int c, char **v) { printf(v[1]); return c; }\n");
    refused(&["conform", "--producer", &format, "--consumer", &reader], 3, "its format is not a constant string");
    let jumps = "#include <setjmp.h>\n#include <stdio.h>\njmp_buf b; int main(void) { if (setjmp(b)) return 1; getchar(); return 0; }\n";
    refused(&["conform", "--producer", &writer, "--consumer", &file("j.c", jumps)], 3, "setjmp");
    let silent = file("q.c", "#include <stdio.h>\nint main(void) { fprintf(stderr, \"x\"); return 0; }\n");
    refused(&["conform", "--producer", &silent, "--consumer", &reader], 2, "no call of the producer that writes");
    let comment = file("k.c", "#include <stdio.h>\nint main(void) { putchar(1); /* plumb: wirtes u8 */ return 0; }\n");
    refused(&["conform", "--producer", &comment, "--consumer", &reader], 2, "k.c:2");
    let open = "int getchar(void); int main(int c, char **v) { void (*f)(void) = (void (*)(void))v[1]; f(); getchar(); return 0; }\n";
    refused(&["conform", "--producer", &writer, "--consumer", &file("o.c", open)], 3, "no function is known");
}

#[test]
fn tests_that_do_not_fit_the_program() {
    let scratch = Scratch::new();
    let program = scratch.file("f.c", "int f(int a, int b) { return a - b; }\n");
    let main = scratch.file("m.c", "int main(void) { return 1; }\n");
    let refuse = |program: &str, tests: &str, said: &str| {
        let tests = scratch.file("tests.csv", tests);
        refused(&["repair", program, "--tests", &tests], 2, said);
    };
    refuse(&program, "a,b,expected\n1,2,3\n1,2\n", "line 3: 2 values for the 3 columns");
    refuse(&program, "a,b,expected\n1,two,3\n", "line 2: `two` is no integer");
    refuse(&program, "a,b,expected\n1,99999999999,3\n", "does not fit the type `int`");
    refuse(&program, "a,b\n1,2\n", "no column `expected`");
    refuse(&program, "", "empty");
    refuse(&program, "a,b,expected\n", "no tests");
    refuse(&main, "stdin,stdout\n\"open", "does not end");
    refuse(&main, "stdin,answer\n1,2\n", "`answer`");
    refuse(&main, "stdin,args\n1,2\n", "nothing says what is expected");
    let tests = scratch.file("good.csv", "a,b,expected\n1,2,3\n");
    refused(
        &["repair", &program, "--entry", "f", "--tests", &scratch.file("one.csv", "a,expected\n1,2\n")],
        2,
        "takes 2 inputs",
    );
    refused(&["repair", &scratch.file("wrong.c", "int f(int a, int b) { return a +; }\n"), "--tests", &tests], 2, "");
    refused(&["repair", &program, "--tests", "no/such/tests.csv"], 2, "no/such/tests.csv");
    refused(&["repair", &program], 2, "--tests");
    let (inputs, outputs) = (scratch.file("in", "1 2\n3 4\n"), scratch.file("out", "3\n"));
    refused(&["repair", &program, "--inputs", &inputs, "--outputs", &outputs], 2, "2 lines of inputs and 1 lines");
    refused(&["repair", &program, "--tests", &tests, "--spec", "no/such.c"], 2, "no/such.c");
    let emit = ["repair", &program, "--tests", &tests, "--emit", "reachability", "--at", "99"];
    refused(&emit, 2, "line 99");
}

#[test]
fn representations_that_cannot_be_made() {
    let scratch = Scratch::new();
    let example = |name: &str| root().join("examples/represent").join(name).to_str().unwrap().to_string();
    let (surface, data) = (example("ddsurfacedesc.c"), example("ddsurfacedesc.json"));
    let loop_of_calls = scratch.file("calls.c", "int g(int); void f(int x, int *y) { *y = g(x); }");
    refused(&["represent", &loop_of_calls, "--show-inverse"], 2, "a call cannot be inverted");
    refused(&["represent", &surface], 2, "there is no sample");
    refused(&["represent", &surface, "--data", "no/such/file"], 2, "cannot be read");
    refused(&["represent", &surface, "--data", &surface], 2, "neither a TIFF file nor JSON");
    let short = scratch.file("short.json", r#"{"height": 3, "width": 4, "pitch": 4, "surface": [1, 2]}"#);
    refused(&["represent", &surface, "--data", &short], 2, "`surface` has the lengths [2]");
    let none = scratch.file("none.json", r#"{"height": 3}"#);
    refused(&["represent", &surface, "--data", &none], 2, "no value for the parameter `width`");
    let large = scratch.file("large.json", r#"{"height": 1, "width": 1, "pitch": 1, "surface": [300]}"#);
    refused(&["represent", &surface, "--data", &large], 2, "`unsigned char` cannot hold");
    let narrow = scratch.file("narrow.json", r#"{"height": 2, "width": 3, "pitch": 2, "surface": [1, 2, 3, 4]}"#);
    refused(&["represent", &surface, "--data", &narrow], 2, "the program fails on the sample");
    let strict = scratch.file("strict.c", "void assume(int); void f(int x, int *y) { assume(x > 3); *y = x; }");
    let one = scratch.file("one.json", r#"{"x": 1}"#);
    refused(&["represent", &strict, "--data", &one], 2, "the sample violates this assumption");
    let cut = scratch.file("cut.tif", b"II*\0\x08\0\0\0\x05\0");
    refused(&["represent", &example("tiff.c"), "--data", &cut], 2, "it ends before byte");
    let data: [&str; 8] = ["represent", &surface, "--data", &data, "--count", "3", "--client-time", "0.3"];
    let with = |client: &'static str| [&data[..], &["--client", client]].concat();
    refused(&with("a=no-such-program {}"), 2, "the client `a` cannot be started");
    refused(&with("a=true"), 2, "no place for the file");
    refused(&with("true {}"), 2, "has no name");
    refused(&with("a=sh -c 'exit 4' {}"), 3, "ends with status 4 on the sample itself");
    refused(&with("a=sh -c 'sleep 5' {}"), 3, "does not finish in time on the sample itself");
}
