//! Every example of `plumb symmetry` has the verdict that its name promises, and flags mean what they say.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

struct Answer {
    status: Option<i32>,
    text: String,
}

impl Answer {
    /// The text behind a member's name in the document; enough for members that occur once.
    fn member(&self, name: &str) -> &str {
        let after = self.text.split(&format!("\"{name}\": ")).nth(1).unwrap_or_default();
        after.split(['\n', ',']).next().unwrap_or_default().trim_matches('"')
    }
}

fn plumb(args: &[&str]) -> Answer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.current_dir(root()).arg("symmetry").args(args).args(["--format", "json"]);
    let output = command.stdin(std::process::Stdio::null()).output().expect("plumb should start");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Answer { status: output.status.code(), text }
}

fn check(args: &str, verdict: &str) -> Answer {
    let words = shlex::split(args).expect("the words should be quoted well");
    let answer = plumb(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(answer.member("verdict"), verdict, "{args} said:\n{}", answer.text);
    let status = match verdict {
        "holds" | "observed" => 0,
        "unknown" => 3,
        _ => 1,
    };
    assert_eq!(answer.status, Some(status), "{args} said:\n{}", answer.text);
    if status == 1 {
        assert_eq!(answer.member("replayed"), "true", "{args} said:\n{}", answer.text);
    }
    answer
}

/// The function, and how it is asked.
const EXAMPLES: [&str; 13] = [
    "gcd.c --permute u,v --domain u,v=1..60",
    "getmid.c --permute i,j,k --domain i,j,k=-20..20",
    "trityp.c --permute i,j,k --domain i,j,k=-1..20",
    "min_nb.c --entry smallest --permute A --length n=2..5 --length B=m --domain m=2 --domain A=0..3",
    "min_nb.c --entry min_nb --permute A --length n=2..4 --length B=m --domain m=2 --domain A=0..3 --compare multiset",
    "sort.c --permute A --length n=0..5 --domain A=0..4",
    "copy.c --permute A --length n=0..5 --domain A=0..4 --output permuted",
    "replace_all.c --permute A --length n=0..4 --domain A=0..4 --domain old,new=0..4 --output permuted",
    "replace_all.c --permute A --length n=2 --domain A,old,new=0..3 --observe A --output permuted --method generators",
    "two_classes.c --entry use --permute first,second --domain first,second=0,1 --assume 'first != second' --output permuted",
    "two_classes.c --entry use --permute first,second --domain first,second=0,1 --assume 'first < second' --tau '(1 2)'",
    "crc.c --entry crc_rotations --permute a,b,c --domain a,b,c=0..15 --tau '(1 2)' --sigma '()'",
    "crc.c --entry crc_linear --permute a,b,c --domain a,b,c=0..31",
];

#[test]
fn examples_hold_and_faulty_ones_do_not() {
    for example in EXAMPLES {
        check(&format!("examples/symmetry/{example}"), "holds");
        check(&format!("examples/symmetry/{}", example.replacen(".c", "_faulty.c", 1)), "violated");
    }
}

#[test]
fn samples_prove_nothing_and_find_faults() {
    for sampling in ["--random 20000", "--boundary", "--pairwise --domain i,j,k=-9..9"] {
        check(&format!("examples/symmetry/trityp.c --permute i,j,k {sampling}"), "observed");
        check(&format!("examples/symmetry/getmid_faulty.c --permute i,j,k {sampling}"), "violated");
    }
    let answer = check("examples/symmetry/getmid_faulty.c --permute i,j,k --random 1000 --seed 7", "violated");
    assert!(answer.text.contains("\"i\": 0") || answer.text.contains("\"j\": 0"), "{}", answer.text);
    check("examples/symmetry/sort.c --permute A --length n=8 --random 5000", "observed");
    check("examples/symmetry/sort_faulty.c --permute A --length n=8 --random 5000", "violated");
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_processes() {
    let asked = "examples/symmetry/trityp_faulty.c --permute i,j,k --domain i,j,k=-60..60";
    let stable = |jobs: u32| {
        let answer = check(&format!("{asked} --jobs {jobs}"), "violated");
        let lines = answer.text.lines().filter(|line| !line.contains("elapsed"));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(stable(1), stable(3));
    let counts = |jobs: u32| {
        let answer = check(&format!("{} --jobs {jobs}", asked.replace("_faulty", "")), "holds");
        ["domain_size", "calls", "checks"].map(|m| answer.member(m).to_string())
    };
    assert_eq!(counts(1), counts(3));
    assert_eq!(counts(1)[0], (121 * 121 * 121).to_string());
}

#[test]
fn programs_in_other_languages() {
    let ask = |function: &str, rest: &str, verdict: &str| {
        check(&format!("--exec 'python3 examples/symmetry/lists.py {function}' --call-time 20 {rest}"), verdict)
    };
    ask("median", "--permute A --length 1..4 --domain A=0..3", "holds");
    let faulty = ask("median_faulty", "--permute A --length 1..4 --domain A=0..3", "violated");
    assert!(faulty.text.contains("\"permutation\": \"(1 2)\""), "{}", faulty.text);
    ask("middle", "--permute i,j,k --domain i,j,k=-4..4 --assume 'i + j + k > 0'", "holds");
    ask("replace_all", "--permute A --length 0..3 --domain A,old,new=0..2 --output permuted", "holds");
    ask(
        "replace_all",
        "--permute A --length 2 --domain A,old,new=0..2 --output A=permuted,found=same --random 50",
        "observed",
    );
}

#[test]
fn crashes_hangs_and_undefined_behaviour_are_findings() {
    let folder = tempfile::tempdir().expect("a temporary folder should be had");
    let ask = |name: &str, text: &str, rest: &str, verdict: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the file should be written");
        check(&format!("{} --permute a,b --domain a,b=0..9 {rest}", path.display()), verdict)
    };
    let crash = ask("crash.c", "int f(int a, int b) { return a * b / (a + b - 5); }\n", "", "crashed");
    assert!(crash.text.contains("\"a\": 2") && crash.text.contains("\"b\": 3"), "{}", crash.text);
    let hang = "int f(int a, int b) { volatile int go = 1; while (a * b == 12 && go) ; return a * b; }\n";
    let hang = ask("hang.c", hang, "--call-time 0.3", "hangs");
    assert!(hang.text.contains("\"a\": 3") && hang.text.contains("\"b\": 4"), "{}", hang.text);
    let exits = "#include <stdlib.h>\nint f(int a, int b) { if (a * b == 6) exit(0); return a; }\n";
    ask("exits.c", exits, "--assume 'a * b == 6'", "crashed");
    let overflow = "int f(int a, int b) { return a + 2147483640 + b; }\n";
    let overflow = ask("overflow.c", overflow, "--sanitize", "undefined");
    assert!(overflow.text.contains("signed integer overflow"), "{}", overflow.text);
    ask(
        "prints.c",
        "#include <stdio.h>\nint f(int a, int b) { printf(\"%d\\n\", a); return a + b; }\nint main(void) { return f(1, 2); }\n",
        "--entry f",
        "holds",
    );
    ask("remembers.c", "int f(int a, int b) { static int n; n++; return a + b + (n > 1000); }\n", "", "observed");
    ask("doubles.c", "double f(double a, double b) { return a / 3 + b / 3; }\n", "--compare tolerance=1e-12", "holds");
    ask(
        "bits.c",
        "struct s { unsigned x : 3; int y : 5; char z[2]; };\nstruct s f(int a, int b) { struct s s = { a + b, a * b % 7, { 1, (char)(a ^ b) } }; return s; }\n",
        "",
        "holds",
    );
    ask(
        "record.c",
        "typedef struct { int lo, hi; } t;\nvoid f(int a, int b, t *out) { out->lo = a; out->hi = b; }\n",
        "--output permuted",
        "holds",
    );
}

#[test]
fn symmetries_are_found() {
    let discover = |args: &str, expected: &[&str]| {
        let answer = plumb(
            &shlex::split(&format!("{args} --discover"))
                .unwrap_or_default()
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>(),
        );
        assert_eq!(answer.status, Some(0), "{}", answer.text);
        for part in expected {
            assert!(answer.text.contains(part), "{args} should find {part}, and said:\n{}", answer.text);
        }
        assert_eq!(answer.text.matches("\"permute\"").count(), expected.len(), "{}", answer.text);
    };
    discover(
        "examples/symmetry/getmid.c --domain i,j,k=-3..3",
        &["--permute i,j,k --observe return --output return=same"],
    );
    discover("examples/symmetry/copy.c", &["--permute A --length n=0..3 --observe B --output B=permuted"]);
    discover(
        "examples/symmetry/replace_all.c --domain old,new=0..3",
        &["--permute A --length n=0..3 --observe return,A --output return=same --output A=permuted"],
    );
    discover("examples/symmetry/crc.c --entry crc_rotations --domain a,b,c=0..9", &["--tau '(1 2)' --sigma '()'"]);
    discover("examples/symmetry/getmid_faulty.c --domain i,j,k=-3..3", &[]);
}

#[test]
fn mutants_are_judged() {
    let answer = check("examples/symmetry/getmid.c --permute i,j,k --domain i,j,k=0..4 --mutants --time 300", "holds");
    let (total, killed) = (answer.member("total"), answer.member("killed"));
    assert_eq!(total, killed, "{}", answer.text);
    assert!(total.parse::<u32>().is_ok_and(|n| n >= 20), "{}", answer.text);
    assert_eq!(answer.member("survivors"), "[]", "{}", answer.text);
    assert!(answer.text.contains("\"before\": \"<\""), "{}", answer.text);
}
