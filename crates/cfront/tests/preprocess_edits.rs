//! Edits change the text of a span and nothing else, and refuse what has no text of its own.

use std::path::PathBuf;

use cfront::edit::{Edit, InMacro, Refusal, apply, source_range, unified_diff};
use cfront::preprocess::{Options, Unit, preprocess};
use diagnostics::{SourceMap, Span};

struct Program {
    _folder: tempfile::TempDir,
    map: SourceMap,
    unit: Unit,
    path: PathBuf,
}

fn program(source: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let path = folder.path().join("case.c");
    std::fs::write(&path, source).expect("the program should be written");
    let mut map = SourceMap::new();
    let unit = preprocess(&path, &Options::default(), &mut map, 0).expect("the program should be preprocessed");
    Program { _folder: folder, map, unit, path }
}

impl Program {
    /// The span of a piece of the preprocessed text.
    fn span(&self, piece: &str) -> Span {
        let at = self.unit.text.find(piece).unwrap_or_else(|| panic!("{piece} should be in {}", self.unit.text)) as u32;
        Span::new(at, at + piece.len() as u32)
    }

    fn edited(&self, edits: &[Edit]) -> String {
        let file = self.map.find_file(&self.path.to_string_lossy()).expect("the program should be in the map");
        apply(&self.map, edits).expect("the edits should not overlap").remove(&file).expect("the file should change")
    }
}

const SOURCE: &str = "#define N 10\n#define ADD(a, b) ((a) + (b))\nint f(int  x) { // keep\n\tx = ADD(x,\n\t  2) ;\n\treturn  x*N; /* me */\n}\n";

#[test]
fn whole_macro_calls_can_be_replaced() {
    let program = program(SOURCE);
    let cases = [
        ("x = ((x) + (2))", "\tx = ADD(x,\n\t  2)"),
        ("((x) + (2))", "ADD(x,\n\t  2)"),
        ("x*10", "x*N"),
        ("10", "N"),
        ("return x*10;", "return  x*N;"),
        ("(x)", ""),
        ("+", ""),
    ];
    for (piece, source) in cases {
        match source_range(&program.map, program.span(piece), InMacro::Refuse) {
            Ok((_, range)) => assert_eq!(&SOURCE[range], source.trim_start_matches('\t'), "{piece}"),
            Err(refusal) => {
                assert!(source.is_empty() && matches!(refusal, Refusal::PartOfMacro(_)), "{piece}: {refusal}")
            }
        }
    }
    let plus = Edit::replace(&program.map, program.span("+"), "-", InMacro::AtDefinition).expect("it should be found");
    assert_eq!(program.edited(&[plus]), SOURCE.replace("(a) + (b)", "(a) - (b)"));
}

#[test]
fn formatting_is_kept_and_insertions_stay_in_order() {
    let program = program(SOURCE);
    let statement = program.span("return x*10;");
    let edits = [
        Edit::before(&program.map, statement, "a();").unwrap(),
        Edit::before(&program.map, statement, "b();").unwrap(),
        Edit::replace(&program.map, program.span("10"), "M", InMacro::Refuse).unwrap(),
        Edit::after(&program.map, statement, " c();").unwrap(),
    ];
    assert_eq!(program.edited(&edits), SOURCE.replace("return  x*N;", "a();b();return  x*M; c();"));
    let overlap = [
        Edit::replace(&program.map, statement, "x", InMacro::Refuse).unwrap(),
        Edit::replace(&program.map, program.span("10"), "M", InMacro::Refuse).unwrap(),
    ];
    assert!(apply(&program.map, &overlap).is_err());
    assert_eq!(source_range(&program.map, Span::NONE, InMacro::Refuse), Err(Refusal::NoSource));
}

#[test]
fn differences_are_unified_diffs() {
    let before = "a\nb\nc\nd\ne\nf\n";
    let after = "a\nb\nc\nD\ne\nf\n";
    let expected = "--- a/x.c\n+++ b/x.c\n@@ -1,6 +1,6 @@\n a\n b\n c\n-d\n+D\n e\n f\n";
    assert_eq!(unified_diff("x.c", before, after), expected);
    assert_eq!(unified_diff("x.c", before, before), "");
}
