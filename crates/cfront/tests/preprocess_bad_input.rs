//! Bad input is a message with a place, never a panic or a hang.

use std::path::Path;
use std::time::Duration;

use cfront::parse::parse;
use cfront::preprocess::{Failure, Options, Unit, preprocess};
use diagnostics::{Finding, Rule, SourceMap};
use proptest::prelude::*;

fn preprocess_text(source: &[u8], options: &Options) -> (SourceMap, Result<Unit, Failure>) {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let path = folder.path().join("case.c");
    std::fs::write(&path, source).expect("the program should be written");
    let mut map = SourceMap::new();
    let result = preprocess(&path, options, &mut map, 7);
    (map, result)
}

/// `line:column message` of what is wrong with a program.
fn complaint(source: &[u8]) -> Option<(String, Finding)> {
    let (map, result) = preprocess_text(source, &Options::default());
    let finding = match result {
        Ok(unit) => *parse(&unit).err()?,
        Err(Failure::Program { findings, .. }) => findings[0].clone(),
        Err(Failure::Environment(trouble)) => panic!("{trouble}"),
    };
    let place = map.used(finding.span).map(|r| format!("{}:{}", r.start.line, r.start.column)).unwrap_or_default();
    Some((format!("{place} {}", finding.message), finding))
}

#[test]
fn messages_name_the_place_and_the_token() {
    let cases = [
        ("int x = ;\n", "1:9 `;` cannot stand here; expected an expression"),
        ("int f(void) {\n  return 1\n}\n", "3:1 `}` cannot stand here; expected an operator or `;`"),
        ("int f(void) {\n  foo x;\n}\n", "2:7 `x` cannot follow `foo`: `foo` is not a type"),
        ("foo x;\n", "1:1 `foo` is not a type"),
        ("int f(void) {\n  if (1) {\n  return 1;\n}\n", "4:1 the file ends before `{` is closed"),
        ("int f(void) {\n  return (1;\n}\n", "3:1 `}` does not close the `(` before it"),
        ("int x;\n}\n", "2:1 `}` closes nothing"),
        ("int x = 1 @ 2;\n", "1:11 `@` is no part of C"),
        ("#include <no/such/header.h>\n", "1:10 no/such/header.h: No such file or directory"),
        ("int x;\n#error stop here\n", "2:2 #error stop here"),
        (
            "#define ADD(a, b) a + b\nint f(void) {\n  return 1 + ADD(2, );\n}\n",
            "3:22 `;` cannot stand here; expected an expression",
        ),
        ("#define BAD return 1 2\nint f(void) {\n  BAD;\n}\n", "3:3 `2` cannot stand here"),
        ("int x = \"abc;\n", "1:9 `\"` begins a literal that does not end"),
        ("int x", "1:5 the file ends where"),
    ];
    for (source, expected) in cases {
        let (message, _) = complaint(source.as_bytes()).unwrap_or_else(|| panic!("{source} should be refused"));
        assert!(message.starts_with(expected), "{source}\n  gives   {message}\n  and not {expected}");
    }
}

#[test]
fn the_environment_fails_with_a_next_step() {
    let mut map = SourceMap::new();
    let trouble = |path: &Path, options: &Options, map: &mut SourceMap| match preprocess(path, options, map, 0) {
        Err(Failure::Environment(trouble)) => trouble,
        other => panic!("{}: {other:?}", path.display()),
    };
    let folder = tempfile::tempdir().expect("a folder should be made");
    let options = Options::default();
    assert!(trouble(&folder.path().join("absent.c"), &options, &mut map).message.ends_with("does not exist"));
    assert!(trouble(folder.path(), &options, &mut map).message.ends_with("is a directory"));
    assert!(trouble(Path::new("/dev/null"), &options, &mut map).message.ends_with("is not a regular file"));

    let path = folder.path().join("a.c");
    std::fs::write(&path, "int x;\n").expect("the program should be written");
    let absent = Options { cc: "no-such-compiler".to_string(), ..Options::default() };
    let no_compiler = trouble(&path, &absent, &mut map);
    assert!(no_compiler.message.contains("no-such-compiler") && no_compiler.help.contains("CC"), "{no_compiler}");
    let flags = Options { flags: vec!["-fno-such-flag".to_string()], ..Options::default() };
    let bad_flag = trouble(&path, &flags, &mut map);
    assert!(bad_flag.message.contains("-fno-such-flag") && bad_flag.help.contains("--"), "{bad_flag}");
}

#[test]
fn a_compiler_that_hangs_is_ended() {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let script = folder.path().join("slow-cc");
    // The child of the script would hold the pipes open if only the script were ended.
    std::fs::write(&script, "sleep 600\n").expect("the script should be written");
    let path = folder.path().join("a.c");
    std::fs::write(&path, "int x;\n").expect("the program should be written");
    let cc = format!("sh {}", script.display());
    let options = Options { cc, time_limit: Duration::from_millis(200), ..Options::default() };
    match preprocess(&path, &options, &mut SourceMap::new(), 0) {
        Err(Failure::Environment(trouble)) => assert!(trouble.message.contains("did not end"), "{trouble}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn odd_files_are_read_or_refused() {
    let long_line = format!("int f(int a) {{ return a{}; }}\n", " + a".repeat(4_000));
    let long_string = format!("const char *s = \"{}\"; int x;\n", "q".repeat(1 << 20));
    let many = format!("int x[] = {{ {} }};\n", "1, ".repeat(350_000));
    for good in [long_line, long_string, many, String::new(), "\n\n".to_string(), "\u{feff}int x;\n".to_string()] {
        let start: String = good.chars().take(30).collect();
        if let Some((message, _)) = complaint(good.as_bytes()) {
            panic!("{start}: {message}");
        }
    }
    let junk: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let (_, finding) = complaint(&junk).expect("junk should be refused");
    assert!(matches!(finding.rule, Rule::Syntax | Rule::Preprocess), "{}", finding.message);
    // The compiler ignores null characters with a warning, and so do we.
    assert!(complaint(b"int x\0 = 1;\0").is_none());
    let deep = format!("int x = {}1{};\n", "(".repeat(10_000), ")".repeat(10_000));
    let (message, finding) = complaint(deep.as_bytes()).expect("too deep an expression should be refused");
    assert_eq!(finding.rule, Rule::Unsupported);
    assert!(message.contains("nested 10000 deep"), "{message}");
}

const SAMPLE: &str = "typedef struct s { int a : 3; unsigned b[2]; } S;\n#pragma pack(1)\n# 3 \"x.h\" 1 3\n\
    static unsigned __int128 f(S *p, ...) { l: __attribute__((unused)); if (p->a ?: 1) goto *&&l; else { asm goto(\"\" : : : : l); }\n\
    switch (p->a) { case 1 ... 2: int x = ({ 1; }); default: } return __alignof__(p) + sizeof(S){1}.a + 'x' + *\"\u{e9}\\n\"; }\n";

/// 300 cases, or as many as `make fuzz` asks for.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 300 };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn token_soup_never_panics(words in proptest::collection::vec(prop_oneof![
        Just("("), Just(")"), Just("{"), Just("}"), Just("["), Just("]"), Just(";"), Just(":"), Just("?"), Just(","),
        Just("int"), Just("x"), Just("="), Just("&&"), Just("goto"), Just("*"), Just("__attribute__"), Just("[["),
        Just("]]"), Just("asm"), Just("__int128"), Just("unsigned"), Just("_Static_assert"), Just("sizeof"),
        Just("__alignof__"), Just("__builtin_types_compatible_p"), Just("struct"), Just("case"), Just("\"a"), Just("'"),
        Just("1"), Just("\n"), Just("#pragma q"), Just("# 5 \"f.c\" 1 3"), Just("\u{e9}"), Just("$"), Just("_Alignas"),
        Just("__label__"), Just("enum"), Just("<:"), Just("%>"), Just("typedef"), Just("else"), Just("static"), Just("\0"),
    ], 0..60), glue in any::<bool>()) {
        let text = words.join(if glue { "" } else { " " });
        let mut map = SourceMap::new();
        if let Ok(unit) = Unit::from_preprocessed("soup.c", text.as_bytes(), &mut map, 3)
            && let Err(finding) = parse(&unit)
        {
            prop_assert!(finding.span.hi <= unit.end(), "{:?} lies outside {:?}", finding.span, unit.text);
            prop_assert!(!finding.message.is_empty());
        }
    }

    #[test]
    fn damaged_programs_never_panic(cut in 0usize..400, drop in 0usize..8, byte in any::<u8>()) {
        let mut text = SAMPLE.as_bytes().to_vec();
        let at = cut.min(text.len());
        let end = (at + drop).min(text.len());
        text.splice(at..end, if byte < 200 { vec![byte] } else { Vec::new() });
        if byte % 3 == 0 {
            text.truncate(at);
        }
        let mut map = SourceMap::new();
        if let Ok(unit) = Unit::from_preprocessed("damaged.c", &text, &mut map, 0) {
            let _ = parse(&unit);
        }
    }
}
