//! Findings that the user does not want to hear of, in a file that people can commit.
//!
//! A line is a rule, a function and a file, each of which may hold `*` for any characters; the function and the file are
//! those of the finding's place. A file is meant by the end of its path. What follows a `#` is a comment.
//!
//! ```text
//! # The hash is meant to wrap.
//! signed-overflow  hash_string  src/hash.c
//! uninitialised-read  *  vendor/*
//! ```

use crate::report::Failure;
use diagnostics::{Finding, Rule, SourceMap, Span};
use ir::Program;
use std::collections::BTreeSet;
use std::path::Path;

/// The lines of a file of suppressions.
#[derive(Clone, Debug, Default)]
pub struct Suppressions(Vec<Suppression>);

#[derive(Clone, Debug)]
struct Suppression {
    rule: String,
    function: String,
    file: String,
}

impl Suppressions {
    pub fn read(path: &Path) -> Result<Suppressions, Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("--suppressions: {} cannot be read: {error}", path.display())))?;
        Suppressions::parse(&text).map_err(|(line, wrong)| {
            Failure::new(format!("--suppressions: {}:{line}: {wrong}", path.display()))
                .with_help("a line is `RULE FUNCTION FILE`, each of which may hold `*`")
        })
    }

    fn parse(text: &str) -> Result<Suppressions, (usize, String)> {
        let mut found = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
            match words[..] {
                [] => {}
                [rule, function, file] => {
                    if !Rule::ALL.iter().any(|known| matches(rule, known.id())) {
                        return Err((number + 1, format!("there is no rule `{rule}`")));
                    }
                    let [rule, function, file] = [rule, function, file].map(str::to_string);
                    found.push(Suppression { rule, function, file });
                }
                _ => return Err((number + 1, format!("{} words instead of three", words.len()))),
            }
        }
        Ok(Suppressions(found))
    }

    /// Whether one of the lines is about a finding.
    pub fn cover(&self, rule: Rule, (function, file): &(String, String)) -> bool {
        self.0.iter().any(|line| {
            let ends = file.match_indices('/').map(|(at, _)| &file[at + 1..]);
            matches(&line.rule, rule.id())
                && matches(&line.function, function)
                && std::iter::once(file.as_str()).chain(ends).any(|end| matches(&line.file, end))
        })
    }
}

/// The lines that suppress these findings.
pub fn of_findings(findings: &[Finding], sources: &SourceMap, functions: &Functions) -> String {
    let lines: BTreeSet<String> = findings
        .iter()
        .map(|finding| {
            let (function, file) = functions.home(sources, finding.span);
            let word = |text: String| if text.is_empty() { "*".to_string() } else { text.replace([' ', '#'], "*") };
            format!("{} {} {}\n", finding.rule.id(), word(function), word(file))
        })
        .collect();
    lines.into_iter().collect()
}

/// Where the functions of a program begin.
#[derive(Clone, Debug)]
pub struct Functions(Vec<(u32, String)>);

impl Functions {
    pub fn of(program: &Program) -> Functions {
        let defined = program.defined_functions().filter(|(_, function, _)| !function.span.is_none());
        let mut starts: Vec<(u32, String)> =
            defined.map(|(_, function, _)| (function.span.lo, function.name.clone())).collect();
        starts.sort();
        Functions(starts)
    }

    /// The function and the file that a place belongs to, as far as there are any.
    pub fn home(&self, sources: &SourceMap, span: Span) -> (String, String) {
        if span.is_none() {
            return (String::new(), String::new());
        }
        let after = self.0.partition_point(|(start, _)| *start <= span.lo);
        let function = after.checked_sub(1).map_or(String::new(), |at| self.0[at].1.clone());
        let file = sources.used(span).map_or(String::new(), |region| sources.file(region.start.file).path.clone());
        (function, file)
    }
}

/// Whether a text is of a pattern in which `*` stands for any characters.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("hash", "hash", true),
            ("hash", "hashes", false),
            ("hash*", "hashes", true),
            ("*ash", "hash", true),
            ("h*s*", "hashes", true),
            ("h*x*", "hashes", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn a_line_speaks_of_a_rule_a_function_and_the_end_of_a_path() {
        let lines =
            Suppressions::parse("# all of it\nsigned-overflow hash src/*.c\n\nout-of-* * old.c # known\n").unwrap();
        let home = |function: &str, file: &str| (function.to_string(), file.to_string());
        assert!(lines.cover(Rule::SignedOverflow, &home("hash", "/home/me/src/hash.c")));
        assert!(!lines.cover(Rule::SignedOverflow, &home("hash", "/home/me/osrc/hash.c")));
        assert!(!lines.cover(Rule::SignedOverflow, &home("other", "src/hash.c")));
        assert!(lines.cover(Rule::OutOfBounds, &home("any", "x/old.c")));
        assert!(!lines.cover(Rule::OutOfBounds, &home("any", "x/bold.c")));
        assert_eq!(Suppressions::parse("a b\n").unwrap_err().0, 1);
        assert_eq!(Suppressions::parse("\nno-such-rule * *\n").unwrap_err().0, 2);
    }
}
