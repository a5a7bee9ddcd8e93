//! The text form: what is printed parses back to the same, and no text makes the parser panic.

use ir::{ExprKind, Program, StmtKind, parse_program, print_program, verify};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::collections::BTreeSet;

fn choices() -> impl Strategy<Value = Vec<u32>> {
    vec(any::<u32>(), 0..400)
}

fn parsed(text: &str) -> Program {
    parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The number of cases is left to `PROPTEST_CASES`; seeds of failures are kept beside this file.
fn config() -> ProptestConfig {
    let persistence = FileFailurePersistence::WithSource("regressions");
    ProptestConfig { failure_persistence: Some(Box::new(persistence)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_programs_are_well_formed(choices in choices()) {
        let program = ir::arbitrary::program(&choices);
        let problems: Vec<String> = verify(&program).iter().map(|p| p.describe(&program)).collect();
        prop_assert!(problems.is_empty(), "{problems:#?}\n{}", print_program(&program));
    }

    #[test]
    fn print_and_parse_agree(choices in choices()) {
        let program = ir::arbitrary::program(&choices);
        let text = print_program(&program);
        let back = parsed(&text);
        prop_assert_eq!(print_program(&back), text);
        // The text might agree while the programs differ in what it leaves out.
        prop_assert_eq!(verify(&back), vec![]);
        prop_assert_eq!(back.functions.len(), program.functions.len());
        for (id, function) in &program.functions {
            prop_assert_eq!(back.functions[id].stmt_count, function.stmt_count);
            prop_assert_eq!(&back.functions[id].params, &function.params);
            prop_assert_eq!(&back.functions[id].labels, &function.labels);
        }
        for (id, record) in &program.types.records {
            let other = &back.types.records[id];
            prop_assert_eq!((other.size, other.align, other.kind), (record.size, record.align, record.kind));
        }
    }

    #[test]
    fn damaged_text_is_an_error_or_a_program(
        choices in choices(),
        edits in vec((any::<prop::sample::Index>(), 0u8..3, any::<prop::sample::Index>()), 1..6),
    ) {
        let mut text: Vec<char> = print_program(&ir::arbitrary::program(&choices)).chars().collect();
        let junk: Vec<char> = "%$@:#\"\\{}()[];,.*&!~?=+-<>0 9_xfn\u{e9}\n".chars().collect();
        for (at, edit, what) in edits {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match edit {
                0 => text.truncate(at),
                1 => text[at] = junk[what.index(junk.len())],
                _ => text.insert(at, junk[what.index(junk.len())]),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(program) = parse_program(&text) {
            // Even a program that is not well-formed prints, and can be asked what is wrong with it.
            let printed = print_program(&program);
            let _ = verify(&program);
            prop_assert_eq!(print_program(&parsed(&printed)), printed);
        }
    }

    #[test]
    fn junk_is_an_error(text in "\\PC*") {
        prop_assert!(parse_program(&text).is_err());
    }
}

/// The generator is worth only as much as it covers: every kind of statement and expression occurs.
#[test]
fn the_generator_reaches_every_kind() {
    let mut seen = BTreeSet::new();
    let word = |debug: String| debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string();
    let mut state = 1u32;
    for _ in 0..500 {
        let choices: Vec<u32> = (0..400)
            .map(|_| {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                state >> 8
            })
            .collect();
        let program = ir::arbitrary::program(&choices);
        for (_, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| {
                seen.insert(word(format!("{:?}", stmt.kind)));
                if let StmtKind::Call { callee, .. } = &stmt.kind {
                    seen.insert(format!("callee {}", word(format!("{callee:?}"))));
                }
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| {
                        seen.insert(format!("expr {}", word(format!("{:?}", part.kind))));
                        if let ExprKind::Binary(op, ..) = part.kind {
                            seen.insert(format!("{op:?}"));
                        }
                    });
                }
            });
        }
    }
    let wanted = "Assign Zero Call Live If Loop Switch Block Break Continue Goto Label Return Assume Assert Trace \
                  Unsupported Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr Eq Ne Lt Le Gt Ge PointerAdd PointerDiff";
    let exprs = "Int Float Extended Load AddressOf Function Unary Binary Logical Conditional Convert";
    let callees = "Function Pointer Intrinsic";
    let wanted = wanted.split_whitespace().map(String::from);
    let exprs = exprs.split_whitespace().map(|name| format!("expr {name}"));
    let callees = callees.split_whitespace().map(|name| format!("callee {name}"));
    let missing: Vec<String> = wanted.chain(exprs).chain(callees).filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}

#[test]
fn errors_name_place_and_expectation() {
    let cases = [
        ("", "1:1: expected `program`, found the end of the text"),
        ("program 2", "1:9: this reads version 1 of the text form, not 2"),
        ("program 1\nfn @f: fn() -> in;", "2:16: `in` is not a type"),
        ("program 1\nfn @f: fn() -> int {\n  retrun 1;\n}", "3:3: no statement begins with `retrun`"),
        ("program 1\nfn @f: fn() -> int {\n  return %x;\n}", "3:10: there is no local `x`"),
        ("program 1\nfn @f: fn() -> int {\n  return 1\n}", "4:1: expected `;`, found `}`"),
        ("program 1\nglobal $x: int = { 0: 1", "2:24: expected the end of the declaration, found the end of the text"),
        ("program 1\nglobal $x: struct s;", "2:19: there is no record `s`"),
        (
            "program 1\nstring $s: [1]char = { 0: \"\\q\" }",
            "2:29: expected `n`, `t`, `\"`, `\\` or `x` and two digits after the backslash",
        ),
        ("program 1\nfn @f: fn() -> int { goto :a; } fn @f: fn() -> void;", "2:27: there is no label `a`"),
        ("program 1\nglobal $x#1: int;", "2:8: this global has the number #0"),
        (
            "program 1\nglobal $x: int; global $x: int; fn @f: fn() -> int { $x = 1; }",
            "2:54: there are 2 globals `x`: add `#` and the number",
        ),
    ];
    for (text, expected) in cases {
        let found = parse_program(text).map(|_| ()).unwrap_err().to_string();
        assert_eq!(found, expected, "for {text:?}");
    }
}

#[test]
fn nesting_is_bounded() {
    let text = |n: usize, [head, open, inner, close, tail]: [&str; 5]| {
        let (open, close) = (open.repeat(n), close.repeat(n));
        format!("program 1\nfn @f: fn() -> int {{ {head}{open}{inner}{close}{tail} }}")
    };
    let shapes = [
        ["return ", "(", "1", ")", ";"],
        ["return ", "-", "(1)", "", ";"],
        ["return ", "(*", "1 as *int", ")", ";"],
        ["return 1 as ", "*", "int", "", ";"],
        ["", "if 1 {", "", "}", ""],
        ["", "while {", "", "}", ""],
        ["", "{", "", "}", ""],
    ];
    for shape in shapes {
        let error = parse_program(&text(100_000, shape)).map(|_| ()).unwrap_err();
        assert!(error.message.starts_with("nested more than"), "{shape:?}: {error}");
    }
    let fits = ir::MAX_DEPTH as usize - 10;
    for shape in [shapes[0], shapes[1], shapes[3], shapes[4]] {
        let program = parsed(&text(fits, shape));
        parsed(&print_program(&program));
    }
}
