//! The parser against its slow twin, the parser of `lang-c`, whose tree it builds: the trees of the corpus are equal.
//!
//! What is not compared: white space at the end of spans, which the twin includes now and then. What the twin cannot read is
//! blanked for it where that changes no node; a text that it refuses nevertheless is counted, not compared, and the count
//! is part of the test.

use cfront::parse::{Declarations, declared_name, on_big_stack, parse};
use cfront::preprocess::{Options, TokenKind, Unit, preprocess, tokens};
use diagnostics::SourceMap;
use lang_c::ast::{ExternalDeclaration, TranslationUnit};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use std::fmt::Debug;
use std::path::{Path, PathBuf};

fn twin(text: &str) -> Option<TranslationUnit> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    parse_preprocessed(&config, text.to_string()).ok().map(|parsed| parsed.unit)
}

/// Takes away what the twin has no grammar for and what has no node: words without meaning, attributes of statements, empty
/// declarations.
fn blanked(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let all = tokens(text.as_bytes());
    let word = |i: usize| all.get(i).map_or("", |t| &text[t.start as usize..t.end as usize]);
    let mut blank = |first: usize, last: usize| bytes[all[first].start as usize..all[last].end as usize].fill(b' ');
    for (i, token) in all.iter().enumerate() {
        match (token.kind, word(i)) {
            (TokenKind::Word, "__extension__" | "_Nonnull" | "_Nullable") => blank(i, i),
            (TokenKind::Word, "__attribute__")
                if i > 0 && matches!(word(i - 1), ";" | "{" | "}" | ":") && matches!(word(i + 6), ";") =>
            {
                blank(i, i + 5);
            }
            _ => {}
        }
    }
    String::from_utf8(bytes).expect("the text should be ASCII still, because only spaces were put in")
}

/// The printed form of a node with the white space at the end of its spans left out.
fn printed(node: &impl Debug, text: &str) -> String {
    let full = format!("{node:?}");
    let mut result = String::with_capacity(full.len());
    let mut rest = full.as_str();
    while let Some(mark) = rest.find('…') {
        let (before, after) = (&rest[..mark], &rest[mark + '…'.len_utf8()..]);
        let from = before.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |i| i + 1);
        let to = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (start, end): (usize, usize) = (before[from..].parse().unwrap(), after[..to].parse().unwrap());
        let trimmed = text[..end].trim_ascii_end().len();
        result.push_str(&before[..from]);
        result.push_str(&format!("{}…{trimmed}", start.min(trimmed)));
        rest = &after[to..];
    }
    result.push_str(rest);
    result
}

/// How a text fared.
#[derive(Debug, PartialEq)]
enum Comparison {
    Equal,
    /// The twin does not read it.
    Alone,
}

fn compare(unit: &Unit) -> Result<Comparison, String> {
    on_big_stack(|| {
        let ours = parse(unit);
        if let Ok(tree) = &ours {
            check_definitions(unit, tree)?;
        }
        let text = blanked(&unit.text);
        let Some(theirs) = twin(&text) else {
            return ours.map(|_| Comparison::Alone).map_err(|finding| finding.message);
        };
        let ours = ours.map_err(|finding| format!("only the twin reads it: {}", finding.message))?;
        for (own, other) in ours.0.iter().zip(&theirs.0) {
            let (own, other) = (printed(own, &text), printed(other, &text));
            if own != other {
                let same = own.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
                let start = own[..same].char_indices().rev().nth(300).map_or(0, |(i, _)| i);
                let show = |text: &str| text[start..].chars().take(700).collect::<String>();
                return Err(format!("ours  {}\ntwin  {}", show(&own), show(&other)));
            }
        }
        match ours.0.len() == theirs.0.len() {
            true => Ok(Comparison::Equal),
            false => Err(format!("{} declarations, the twin finds {}", ours.0.len(), theirs.0.len())),
        }
    })
}

/// The functions that are found by tokens are those of the tree.
fn check_definitions(unit: &Unit, tree: &TranslationUnit) -> Result<(), String> {
    let found = Declarations::new(unit).map_err(|finding| finding.message)?.defined_functions();
    let found: Vec<String> = found.into_iter().map(|definition| definition.name).collect();
    let defined: Vec<&str> = tree
        .0
        .iter()
        .filter_map(|node| match &node.node {
            ExternalDeclaration::FunctionDefinition(definition) => declared_name(&definition.node.declarator.node),
            _ => None,
        })
        .map(|name| name.node.name.as_str())
        .collect();
    if found == defined { Ok(()) } else { Err(format!("definitions {found:?}, in the tree {defined:?}")) }
}

fn c_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
    found.sort();
}

/// Compares files side by side; gives the paths of those that only we read.
fn compare_files(files: &[PathBuf], options: &Options) -> Vec<PathBuf> {
    let work = |path: &PathBuf| -> Option<(PathBuf, Result<Comparison, String>)> {
        let unit = preprocess(path, options, &mut SourceMap::new(), 0).ok()?;
        Some((path.clone(), compare(&unit)))
    };
    let half = files.len().div_ceil(2).max(1);
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = files
            .chunks(half)
            .map(|part| scope.spawn(move || part.iter().filter_map(work).collect::<Vec<_>>()))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a comparison should end")).collect()
    });
    let wrong: Vec<String> = results
        .iter()
        .filter_map(|(path, result)| result.as_ref().err().map(|e| format!("{}:\n{e}", path.display())))
        .collect();
    let count = |wanted: Comparison| results.iter().filter(|(_, r)| r.as_ref() == Ok(&wanted)).count();
    println!(
        "{} equal, {} read by us alone, {} different",
        count(Comparison::Equal),
        count(Comparison::Alone),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), results.len(), wrong.join("\n"));
    results.into_iter().filter(|(_, r)| r.as_ref() == Ok(&Comparison::Alone)).map(|(path, _)| path).collect()
}

/// Programs with what the twin has no grammar for: `a ?: b`, `sizeof(T){…}`, `_Alignof e`, `\u`, `u8'c'`, `_Alignas` in records,
/// functions without a result type, nested functions, types as arguments, what `<stdatomic.h>` makes of its macros.
const ALONE: [&str; 16] = [
    "nested-function-alive",
    "nested-function-outlived",
    "computed-goto",
    "conditional-operator",
    "short-wchar",
    "complex",
    "nested",
    "old-style-typedef",
    "unused-unsupported",
    "compound-literals",
    "typeof-and-alignas",
    "literals-escapes",
    "wide-literals",
    "layout-offsets",
    "types-compatible",
    "race-relaxed",
];

#[test]
fn trees_of_the_corpus_are_equal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["testdata", "suites", "examples", "bench/kernels"] {
        c_files(&root.join(folder), &mut files);
    }
    // Attacks look for the corners of the language that the twin does not have.
    let is_left_out = |part: &std::ffi::OsStr| part == "badinput" || part == "attacks";
    files.retain(|path| !path.components().any(|part| is_left_out(part.as_os_str())));
    assert!(files.len() > 200, "the corpus should be there: {} files", files.len());
    let alone = compare_files(&files, &Options::default());
    let names: Vec<_> = alone.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
    assert_eq!(names, ALONE);
}
