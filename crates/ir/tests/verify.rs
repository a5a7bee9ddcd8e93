//! The verifier: each file under `testdata/ir/verify` breaks one rule, those under `testdata/ir/text` none.

use filetest::{Report, TestFile};
use ir::{FunctionId, Program, StmtId, parse_program, print_program, verify};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/ir");

fn check(file: &TestFile) -> filetest::Outcome {
    let program = parse_program(&file.text).map_err(|error| error.to_string())?;
    let problems = verify(&program);
    let described: Vec<String> = problems.iter().map(|p| p.describe(&program)).collect();
    let reports: Vec<Report> = problems.iter().map(|p| Report { line: 0, rule: p.rule.to_string() }).collect();
    filetest::compare(file, &reports).map_err(|message| format!("{message}\n  all problems: {described:#?}"))?;
    let printed = print_program(&program);
    let again = parse_program(&printed).map_err(|error| format!("printed, then: {error}\n{printed}"))?;
    if print_program(&again) == printed { Ok(()) } else { Err("does not print as it parses".to_string()) }
}

#[test]
fn each_file_breaks_the_rule_it_names() {
    filetest::run(format!("{TESTDATA}/verify"), "ir", |file| {
        if file.expectations.is_empty() {
            return Err("no rule is named".to_string());
        }
        check(file)
    });
}

#[test]
fn well_formed_files_break_none() {
    filetest::run(format!("{TESTDATA}/text"), "ir", check);
}

/// Rules of the module doc without a file: text cannot break them, so a program is damaged by hand.
const BY_HAND: [&str; 2] = ["id", "numbering"];

#[test]
fn every_rule_of_the_definition_has_a_file() {
    let definition = include_str!("../src/verify.rs");
    let rules: Vec<&str> = definition
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.split_once('`').map(|(rule, _)| rule))
        .collect();
    assert!(rules.len() > 20, "the table of rules should be where this test looks for it");
    let files = filetest::files(format!("{TESTDATA}/verify").as_ref(), "ir").unwrap();
    let covered: Vec<String> = files
        .iter()
        .flat_map(|(path, name)| TestFile::read(path, name).unwrap().expectations)
        .map(|expectation| expectation.rule)
        .collect();
    for rule in rules {
        assert!(
            BY_HAND.contains(&rule) || covered.iter().any(|c| c == rule),
            "no file breaks the rule `{rule}`, so nothing shows that it is checked"
        );
    }
}

fn damaged(damage: impl FnOnce(&mut Program)) -> Vec<&'static str> {
    let text = "program 1\nfn @f: fn() -> void\n  temp %#0: int\n  label :l\n{\n  %#0 = 1;\n  goto :l;\n  :l:\n}\n";
    let mut program = parse_program(text).unwrap();
    assert_eq!(verify(&program), vec![]);
    damage(&mut program);
    verify(&program).into_iter().map(|problem| problem.rule).collect()
}

#[test]
fn dangling_ids_are_found() {
    let f = FunctionId::from_u32(0);
    let body = |program: &mut Program, text: &str| {
        // The statement comes from a program that has more, so its ids dangle here.
        let other = parse_program(text).unwrap();
        let from = other.functions.values().next_back().unwrap().body.clone().unwrap();
        program.functions[f].body.as_mut().unwrap().stmts[0].kind = from.stmts[0].kind.clone();
    };
    let head = "program 1\nglobal $x: int;\nfn @f: fn() -> void;\nfn @g: fn() -> void;\nfn @h: fn() -> void\n  temp %#0: int\n  temp %#1: int\n  label :a\n  label :b\n";
    for stmt in ["%#1 = 1;", "$x = 1;", "call @g();", "goto :b;", "live %#1;", "%#0 = %#1;", "%#0 = (@g cast int);"] {
        let text = format!("{head}{{\n{stmt}\n}}");
        let rules = damaged(|program| body(program, &text));
        assert!(rules.contains(&"id"), "{stmt}: {rules:?}");
    }
}

#[test]
fn wrong_numbers_are_found() {
    let f = FunctionId::from_u32(0);
    assert_eq!(damaged(|program| program.functions[f].stmt_count = 7), ["numbering"]);
    let swap = |program: &mut Program| {
        program.functions[f].body.as_mut().unwrap().stmts[1].id = StmtId::from_u32(2);
    };
    assert_eq!(damaged(swap), ["numbering"]);
}
