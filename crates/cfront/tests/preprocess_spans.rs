//! Every token maps back to the file, line and column it is written at, and to the place where it is used.
//!
//! A case is a program and a list of expectations `token#n written used`: the n-th time the token occurs in the
//! preprocessed text (after the headers), it is written at `line:column` and used at `line:column`; `=` means
//! that it is used where it is written. `h` before a line number means the file `inc.h`.

use std::path::{Path, PathBuf};

use cfront::preprocess::{Options, Unit, preprocess, tokens};
use diagnostics::{Place, SourceMap, Span};

const HEADER: &str = "#define FROM_HEADER(x) ((x) + one)\nextern int one;\n#define TWO 2\n";

struct Case {
    name: &'static str,
    source: &'static str,
    expect: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "plain",
        source: "int x = 1;\n  int y\n = x;\n",
        expect: &["x#1 1:5 =", "y#1 2:7 =", "x#2 3:4 =", ";#2 3:5 ="],
    },
    Case { name: "tabs count one column", source: "\tint\tx;\n", expect: &["int#1 1:2 =", "x#1 1:6 ="] },
    Case { name: "columns count bytes", source: "char *s = \"\u{e9}\u{e9}\"; int x;\n", expect: &["x#1 1:23 ="] },
    Case {
        name: "object-like macro",
        source: "#define N 10\nint x = N;\nint y = N + N;\n",
        expect: &["10#1 1:11 2:9", ";#1 2:10 =", "10#2 1:11 3:9", "+#1 3:11 =", "10#3 1:11 3:13"],
    },
    Case {
        name: "arguments stand where they are written",
        source: "#define ADD(a,b) ((a) + (b))\nint f(int y) { return 1 + ADD(y * 2, y) + 3; }\n",
        expect: &["y#2 2:31 =", "*#1 2:33 =", "y#3 2:38 =", "+#2 1:23 2:27", "+#3 2:41 =", "3#1 2:43 ="],
    },
    Case {
        name: "nested macros are used at the outermost call",
        source: "#define N 10\n#define ADD(a,b) ((a) + (b))\n#define OUTER(x) ADD(x, N)\nint f(int y) { return OUTER(y) + N; }\n",
        expect: &["10#1 1:11 4:23", "+#1 2:23 4:23", "y#2 4:29 =", "10#2 1:11 4:34", "}#1 4:37 ="],
    },
    Case {
        name: "macro call in an argument",
        source: "#define N 10\n#define ID(a) a\nint x = ID(N) + ID(ID(N));\n",
        expect: &["10#1 1:11 3:9", "10#2 1:11 3:17", ";#1 3:26 ="],
    },
    Case {
        name: "a call over several lines",
        source: "#define N 10\n#define ADD(a,b) ((a) + (b))\nint f(int y, int z) { return ADD(y,\n   z *\n  N); }\nint w;\n",
        expect: &["y#2 3:34 =", "z#2 4:4 =", "*#1 4:6 =", "10#1 1:11 3:30", "+#1 2:23 3:30", ";#1 5:5 =", "w#1 6:5 ="],
    },
    Case {
        name: "a call whose parenthesis is on the next line",
        source: "#define ID(a) (a)\nint x = ID\n (3);\n",
        expect: &["(#1 1:15 2:9", "3#1 3:3 =", ";#1 3:5 ="],
    },
    Case {
        name: "stringified",
        source: "#define STR(x) #x\nconst char *s = STR(a + b), *t = STR(c);\n",
        expect: &["\"a + b\"#1 2:17 2:17", "\"c\"#1 2:34 2:34", "t#1 2:30 ="],
    },
    Case {
        name: "pasted",
        source: "#define CAT(a,b) a##b\n  int CAT(foo,bar) = 1; int CAT(q,1), CAT(q,2);\n",
        expect: &["foobar#1 2:7 2:7", "=#1 2:20 =", "q1#1 2:29 2:29", "q2#1 2:39 2:39"],
    },
    Case {
        name: "built-in macros",
        source: "int l = __LINE__;\nconst char *f = __FILE__; int x;\n",
        expect: &["1#1 1:9 1:9", ";#1 1:17 =", "x#1 2:31 ="],
    },
    Case {
        name: "the compiler's own definitions",
        source: "__SIZE_TYPE__ n; long m = __LONG_MAX__;\n",
        expect: &["n#1 1:15 =", "m#1 1:23 =", ";#2 1:39 ="],
    },
    Case {
        name: "macros from a header",
        source: "#include \"inc.h\"\nint f(int y) { return FROM_HEADER(y + TWO) - TWO; }\n",
        expect: &["one#1 h2:12 =", "y#2 2:35 =", "2#1 h3:13 2:23", "one#2 h1:31 2:23", "2#2 h3:13 2:46", ";#2 2:49 ="],
    },
    Case {
        name: "an empty macro before another",
        source: "#define EMPTY\n#define N 10\nint EMPTY x = EMPTY N EMPTY;\n",
        expect: &["x#1 3:11 =", "10#1 2:11 3:21", ";#1 3:28 ="],
    },
    Case {
        name: "neighbouring calls",
        source: "#define S \"s\"\n#define T \"t\"\nconst char *a = S T S S;\n",
        expect: &["\"s\"#1 1:11 3:17", "\"t\"#1 2:11 3:19", "\"s\"#2 1:11 3:21", "\"s\"#3 1:11 3:23"],
    },
    Case {
        name: "an object-like macro before a parenthesis",
        source: "#define FN real\n#define N 10\nint real(int);\nint x(int y) { return FN(y) + FN (N); }\n",
        expect: &["real#2 1:12 4:23", "(#3 4:25 =", "y#2 4:26 =", "real#3 1:12 4:31", "10#1 2:11 4:35"],
    },
    Case {
        name: "a function-like name without a call",
        source: "#define F(x) x\nint F, g = F(2);\n",
        expect: &["F#1 2:5 =", "2#1 2:14 ="],
    },
    Case {
        name: "comments and line splices",
        source: "#define N 10\nint /* N */ x = /* a\n b */ N; // N\nint a\\\nbc = 3; int z;\n",
        expect: &["x#1 2:13 =", "10#1 1:11 3:7", ";#1 3:8 =", "=#2 5:4 =", "z#1 5:13 ="],
    },
    Case {
        name: "strings that look like tags",
        source: "const char *s = \"{P:x;F:y;L:1;C:1;S:0;M:0;}\"; char c = '{'; int x;\n",
        expect: &["x#1 1:65 ="],
    },
    Case {
        name: "conditionals and blank lines",
        source: "#if 0\nint no;\n#endif\n\n\n\n\n\n\n\n\n\n\nint x;\n#ifdef Q\n#else\nint y;\n#endif\n",
        expect: &["x#1 14:5 =", "y#1 17:5 ="],
    },
    Case {
        name: "pragmas",
        source: "#pragma GCC diagnostic push\nint x; _Pragma(\"GCC diagnostic pop\") int y;\nint z;\n",
        expect: &["x#1 2:5 =", "z#1 3:5 ="],
    },
    Case { name: "line directives", source: "int a;\n#line 100\nint b;\n", expect: &["a#1 1:5 ="] },
    Case {
        name: "a system macro among the user's text",
        source: "#include <stddef.h>\nint *p = NULL; int q;\n",
        expect: &["q#1 2:20 =", "=#1 2:8 ="],
    },
    Case {
        name: "a body over several lines",
        source: "#define SWAP(a, b) do { \\\n    int t = a; \\\n    a = b; b = t; \\\n  } while (0)\nvoid f(int x, int y) { SWAP(x, y); }\n",
        expect: &["t#1 2:9 5:24", "x#2 5:29 =", "while#1 4:5 5:24", ";#4 5:34 ="],
    },
    Case {
        name: "lists of macros",
        source: "#define LIST X(a) X(b)\n#define X(n) int n;\nLIST\nint c;\n",
        expect: &["a#1 1:16 3:1", "b#1 1:21 3:1", "c#1 4:5 ="],
    },
];

fn write_program(folder: &Path, source: &str) -> PathBuf {
    std::fs::write(folder.join("inc.h"), HEADER).expect("the header should be written");
    let path = folder.join("case.c");
    std::fs::write(&path, source).expect("the program should be written");
    path
}

fn show(map: &SourceMap, place: Place) -> String {
    let header = if map.file(place.file).path.ends_with("inc.h") { "h" } else { "" };
    format!("{header}{}:{}", place.line, place.column)
}

/// Where the n-th such token of the program's own part of the text is written and used.
fn resolve(unit: &Unit, map: &SourceMap, token: &str, n: usize) -> Option<(String, String)> {
    let text = unit.text.as_bytes();
    let span = tokens(text)
        .into_iter()
        .filter(|t| t.text(text) == token.as_bytes())
        .map(|t| Span::new(unit.base + t.start, unit.base + t.end))
        .filter(|&span| {
            let used = map.used(span).map(|r| map.file(r.start.file).path.clone()).unwrap_or_default();
            used.ends_with("case.c") || used.ends_with("inc.h")
        })
        .nth(n - 1)?;
    let written = map.written(span)?;
    let used = map.used(span)?;
    let used = if map.in_macro(span) { show(map, used.start) } else { "=".to_string() };
    Some((show(map, written.start), used))
}

fn check(case: &Case, options: &Options, base: u32) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let path = write_program(folder.path(), case.source);
    let mut map = SourceMap::new();
    let unit = match preprocess(&path, options, &mut map, base) {
        Ok(unit) => unit,
        Err(failure) => return vec![format!("{}: {failure:?}", case.name)],
    };
    let mut wrong = Vec::new();
    for expectation in case.expect {
        let (token, rest) = expectation.rsplit_once('#').expect("an expectation should name a token");
        let mut rest = rest.split(' ');
        let n = rest.next().and_then(|n| n.parse().ok()).expect("an expectation should count");
        let expected = (rest.next().unwrap_or_default().to_string(), rest.next().unwrap_or_default().to_string());
        let found = resolve(&unit, &map, token, n);
        if found.as_ref() != Some(&expected) {
            wrong.push(format!(
                "{}: {token}#{n} should be at {expected:?}, is at {found:?} in {:?}",
                case.name, unit.text
            ));
        }
    }
    wrong
}

#[test]
fn tokens_are_found_in_the_source() {
    for base in [0, 1000] {
        let wrong: Vec<String> = CASES.iter().flat_map(|case| check(case, &Options::default(), base)).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Keeping a macro that no program has takes the way over two passes of the compiler.
#[test]
fn two_passes_find_the_same_places() {
    let options = Options { keep_macros: vec!["no_such_macro".to_string()], ..Options::default() };
    let wrong: Vec<String> = CASES.iter().flat_map(|case| check(case, &options, 0)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A compiler without tags gives lines; columns are found where the token stands in its line. The body of a macro
/// cannot be found that way, so macro text counts as written at its call.
#[test]
fn line_markers_are_a_fallback() {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let script = folder.path().join("untagged-cc");
    let text = "#!/bin/sh\nfor a in \"$@\"; do [ \"$a\" = -fdebug-cpp ] && { echo 'error: unknown argument: -fdebug-cpp' >&2; exit 1; }; done\nexec cc \"$@\"\n";
    std::fs::write(&script, text).expect("the script should be written");
    let options = Options { cc: format!("sh {}", script.display()), ..Options::default() };
    let cases = [
        Case {
            name: "plain",
            source: "int x = 1;\n  int y\n = x;\n",
            expect: &["x#1 1:5 =", "y#1 2:7 =", "x#2 3:4 ="],
        },
        Case {
            name: "macros",
            source: "#define N 10\n#define ADD(a,b) ((a) + (b))\nint f(int y) { return ADD(y * 2, y) + N; }\nint z;\n",
            expect: &[
                "y#2 3:27 =",
                "*#1 3:29 =",
                "+#1 3:23 3:23",
                "+#2 3:37 =",
                "10#1 3:39 3:39",
                "}#1 3:42 =",
                "z#1 4:5 =",
            ],
        },
        Case {
            name: "header",
            source: "#include \"inc.h\"\nint f(int y) { return FROM_HEADER(y) - TWO; }\n",
            expect: &["one#1 h2:12 =", "y#2 2:35 =", "one#2 2:23 2:23", "2#1 2:40 2:40"],
        },
    ];
    let wrong: Vec<String> = cases.iter().flat_map(|case| check(case, &options, 0)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn kept_macros_stay_calls_at_their_places() {
    let options = Options { keep_macros: vec!["put_byte".to_string()], ..Options::default() };
    let case = Case {
        name: "kept",
        source: "#include \"inc.h\"\n#define put_byte(c) \\\n  { out[n++] = (c); }\n#define put_two(c) put_byte(c) put_byte((c) >> TWO)\n#ifdef put_byte\nint out[9], n;\nvoid f(int x) {\n  put_byte(x + TWO);\n  put_two(x)\n}\n#endif\n",
        expect: &[
            "out#1 6:5 =",
            "put_byte#1 8:3 =",
            "x#2 8:12 =",
            "2#1 h3:13 8:16",
            "put_byte#2 4:20 9:3",
            "x#3 9:11 =",
        ],
    };
    let wrong = check(&case, &options, 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    let folder = tempfile::tempdir().expect("a folder should be made");
    let path = write_program(folder.path(), case.source);
    let mut map = SourceMap::new();
    let unit = preprocess(&path, &options, &mut map, 0).expect("the program should be preprocessed");
    assert_eq!(unit.kept_macros, ["put_byte"]);
    assert!(!unit.text.contains("out[n++]"), "{}", unit.text);
}

#[test]
fn pragmas_are_kept_aside() {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let source = "int a;\n#pragma pack(push, 1)\nstruct s { int x; };\n#pragma pack(pop)\nint b;\n";
    let path = write_program(folder.path(), source);
    let mut map = SourceMap::new();
    let unit = preprocess(&path, &Options::default(), &mut map, 500).expect("the program should be preprocessed");
    let texts: Vec<&str> = unit.pragmas.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(texts, ["pack(push, 1)", "pack(pop)"]);
    let after = &unit.text[(unit.pragmas[0].at - unit.base) as usize..];
    assert!(after.starts_with("struct s"), "{after}");
    assert!(!unit.text.contains('#'));
}
