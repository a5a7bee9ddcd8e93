//! Where probes land in the user's text, and where they are refused.

use cfront::preprocess::Options;
use cfront::probe::{Action, Position, Probe, ProbeRefusal, Sites, ValueKind};
use diagnostics::Span;
use ir::{IntKind, Program, StmtKind};
use std::path::PathBuf;

struct Sample {
    _dir: tempfile::TempDir,
    program: Program,
    sites: Sites,
}

fn sample(text: &str) -> Sample {
    let dir = tempfile::tempdir().unwrap();
    let path: PathBuf = dir.path().join("a.c");
    std::fs::write(&path, text).unwrap();
    std::fs::write(dir.path().join("part.h"), "static int inner(int x) { return x; }\n").unwrap();
    let options = Options::default();
    let paths = [path];
    let program = cfront::load(&paths, &options).unwrap_or_else(|e| panic!("{e:?}")).program;
    let sites = Sites::read(&paths, &options).unwrap_or_else(|e| panic!("{e:?}"));
    Sample { _dir: dir, program, sites }
}

fn count(position: Position, counter: u32) -> Probe {
    Probe { position, action: Action::Count { counter } }
}

/// The spans of the statements of a function, in text order, that `accept` takes.
fn spans(program: &Program, function: &str, accept: impl Fn(&StmtKind) -> bool) -> Vec<Span> {
    let id = program.find_function(function).unwrap();
    let mut spans = Vec::new();
    program.functions[id].body.as_ref().unwrap().walk(&mut |stmt| {
        if accept(&stmt.kind) {
            spans.push(stmt.span);
        }
    });
    spans
}

/// Puts a counter before every accepted statement of `f` and compares the text.
fn check(text: &str, accept: impl Fn(&StmtKind) -> bool, at: fn(Span) -> Position, expected: &str) {
    let sample = sample(text);
    let probes: Vec<Probe> =
        spans(&sample.program, "f", accept).into_iter().enumerate().map(|(i, s)| count(at(s), i as u32)).collect();
    assert!(!probes.is_empty(), "{text}");
    let probed = sample.sites.insert(&probes);
    assert_eq!(probed.refused, []);
    let found = probed.texts[&0].replace("plumb_count", "C");
    assert_eq!(found, expected);
    assert_eq!(found.lines().count(), text.lines().count());
}

fn is_return(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Return(_))
}

fn is_loop(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Loop(_))
}

#[test]
fn before_statements() {
    check("int f(int x) { return x; }\n", is_return, Position::Before, "int f(int x) { C(0u); return x; }\n");
    check(
        "int f(int x) {\n  if (x) return 1;\n  else\n    return 2;\n}\n",
        is_return,
        Position::Before,
        "int f(int x) {\n  if (x) { C(0u); return 1; }\n  else\n    { C(1u); return 2; }\n}\n",
    );
    check(
        "int f(int x) { if(x)if(x>1)return 1;return 2; }\n",
        is_return,
        Position::Before,
        "int f(int x) { if(x)if(x>1){ C(0u); return 1; }C(1u); return 2; }\n",
    );
    check(
        "int f(int x) { switch (x) { case 1: case 2: return 1; default: x = 4; } L: return x; }\n",
        is_return,
        Position::Before,
        "int f(int x) { switch (x) { case 1: case 2: { C(0u); return 1; } default: x = 4; } L: { C(1u); return x; } }\n",
    );
    let is_assignment = |kind: &StmtKind| matches!(kind, StmtKind::Assign { .. });
    check(
        "int f(int x) { int y = 2; do x--; while (x > y); return x; }\n",
        is_assignment,
        Position::Before,
        "int f(int x) { C(0u); int y = 2; do { C(1u); x--; } while (x > y); return x; }\n",
    );
}

#[test]
fn at_loop_heads() {
    check(
        "int f(int x) { while (x > 3) x--; for (int i = 0; (i + 1) < x; i++) { x--; } for (;;) break; do { x++; } while (x < 3); return x; }\n",
        is_loop,
        Position::LoopHead,
        "int f(int x) { while (C(0u), x > 3) x--; for (int i = 0; C(1u), (i + 1) < x; i++) { x--; } for (;;) { C(2u); break; } do { C(3u); x++; } while (x < 3); return x; }\n",
    );
}

#[test]
fn at_function_starts() {
    check(
        "int f(int x)\n{\n  return x; }\n",
        is_return,
        Position::FunctionStart,
        "int f(int x)\n{ C(0u);\n  return x; }\n",
    );
}

#[test]
fn macros_headers_and_heads_are_refused() {
    let sample = sample(
        "#include \"part.h\"\n#define TWICE(x) do { x++; x++; } while (0)\n#define RET(v) return v\n\
         int f(int x) {\n  TWICE(x);\n  for (int i = 0; i < 3; i++) x += inner(i);\n  RET(x);\n}\n",
    );
    let increments = spans(&sample.program, "f", |kind| matches!(kind, StmtKind::Assign { .. }));
    let inner = spans(&sample.program, "inner", is_return)[0];
    let ret = spans(&sample.program, "f", is_return)[0];
    let step = increments
        .iter()
        .find(|s| sample.sites.text(**s).is_ok_and(|text| text == "i++"))
        .copied()
        .expect("the step should be a statement");
    let probes = [
        count(Position::Before(increments[0]), 0),
        count(Position::Before(inner), 1),
        count(Position::Before(step), 2),
        count(Position::Before(Span::NONE), 3),
        count(Position::LoopHead(ret), 4),
        count(Position::Before(ret), 5),
    ];
    let probed = sample.sites.insert(&probes);
    let refused: Vec<usize> = probed.refused.iter().map(|(index, _)| *index).collect();
    assert_eq!(refused, [0, 1, 2, 3, 4], "{:?}", probed.refused);
    assert!(matches!(probed.refused[0].1, ProbeRefusal::Text(_)));
    assert!(matches!(&probed.refused[1].1, ProbeRefusal::Included(path) if path.ends_with("part.h")));
    assert_eq!(probed.refused[2].1, ProbeRefusal::InHead);
    assert!(probed.texts[&0].contains("  plumb_count(5u); RET(x);"), "{}", probed.texts[&0]);
}

#[test]
fn rows_become_cells() {
    let sample = sample("int f(int x) { __int128 w = x; return x; }\n");
    let values = vec![
        ("x".to_string(), ValueKind::Int(IntKind::Int)),
        ("w".to_string(), ValueKind::Int(IntKind::Int128)),
        ("x / 2.0".to_string(), ValueKind::Float(ir::FloatKind::Double)),
    ];
    let ret = spans(&sample.program, "f", is_return)[0];
    let position = Position::Before(ret);
    let probes = [
        Probe { position, action: Action::Row { point: 7, values } },
        Probe { position, action: Action::Assume { condition: "x\n > 0".into() } },
    ];
    let probed = sample.sites.insert(&probes);
    assert!(
        probed.texts[&0].contains(
            "plumb_row(7u, 4u, (const unsigned long long[]){(unsigned long long)(x), (unsigned long long)(w), \
             (unsigned long long)((plumb_u128)(w) >> 64), plumb_bits((double)(x / 2.0))}); \
             plumb_assume((x > 0) ? 1 : 0); return x;"
        ),
        "{}",
        probed.texts[&0]
    );
}
