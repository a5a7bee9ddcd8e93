//! First-order mutants: a function with one small change in its text.
//!
//! | operator | what changes |
//! |---|---|
//! | operators | `<` to each other comparison, `+ - * / %` to two others, `&&` and `||`, bits, shifts, `+=` and `-=`, `++` and `--`; a sign or `!` goes |
//! | constants | one more, one less, zero |
//! | variables | another variable of the same type |
//! | conditions | negated, always true, always false |
//!
//! The change is an [`Edit`] of the user's own text, so lines stay where they were and a mutant is compiled as the
//! program is. What stands in a macro's expansion or in an included file is left alone and counted.
//!
//! *Guarantee*: every mutant differs from the function in one token or one condition. Whether it compiles, and whether it
//! is another program, is for the caller to find out.

use crate::edit::{Edit, InMacro, apply, source_range};
use crate::parse::{declared_name, on_big_stack, parse};
use crate::preprocess::{self, Options, Unit};
use crate::probe::SitesFailure;
use diagnostics::{SourceMap, Span};
use lang_c::ast::*;
use lang_c::span::{Node, Span as NodeSpan};
use lang_c::visit::{self, Visit};
use std::path::PathBuf;

/// What kind of change a mutant is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MutationKind {
    Operator,
    Constant,
    Variable,
    Condition,
}

impl MutationKind {
    pub fn name(self) -> &'static str {
        match self {
            MutationKind::Operator => "operator",
            MutationKind::Constant => "constant",
            MutationKind::Variable => "variable",
            MutationKind::Condition => "condition",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    pub kind: MutationKind,
    pub span: Span,
    /// The text before and after.
    pub before: String,
    pub after: String,
    pub line: u32,
    /// The unit whose text changes, by the number of its path.
    pub unit: usize,
    pub edit: Edit,
}

/// The mutants of a function in the order of its text, and what is needed to make their texts.
#[derive(Debug)]
pub struct Mutants {
    sources: SourceMap,
    pub mutants: Vec<Mutant>,
    /// Places that could be changed but are not text of the function's own file.
    pub out_of_reach: usize,
}

impl Mutants {
    /// The text of the mutant's unit.
    pub fn text(&self, mutant: &Mutant) -> String {
        let texts = apply(&self.sources, std::slice::from_ref(&mutant.edit));
        let mut texts = texts.expect("one edit should not overlap with itself");
        texts.remove(&mutant.edit.file).unwrap_or_default()
    }

    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }
}

/// Makes all mutants of the function of that name. `alike` are lists of names of its variables that have one type.
pub fn mutants(
    paths: &[PathBuf],
    options: &Options,
    function: &str,
    alike: &[Vec<String>],
) -> Result<Mutants, SitesFailure> {
    let mut made = Mutants { sources: SourceMap::new(), mutants: Vec::new(), out_of_reach: 0 };
    let mut base = 0;
    for (index, path) in paths.iter().enumerate() {
        let unit = match preprocess::preprocess(path, options, &mut made.sources, base) {
            Ok(unit) => unit,
            Err(preprocess::Failure::Program { findings, .. }) => return Err(SitesFailure::Program(findings)),
            Err(preprocess::Failure::Environment(error)) => return Err(SitesFailure::Environment(error)),
        };
        base = unit.end();
        let tree = parse(&unit).map_err(|finding| SitesFailure::Program(vec![*finding]))?;
        let changes = on_big_stack(|| {
            let mut collector = Collector { unit: &unit, function, alike, inside: false, changes: Vec::new() };
            collector.visit_translation_unit(&tree);
            collector.changes
        });
        made.add(&unit, index, changes);
    }
    Ok(made)
}

/// A change of the program text, before it is known whether the text is the user's.
struct Change {
    kind: MutationKind,
    span: Span,
    /// Made of the text that stands there.
    after: Replacement,
}

enum Replacement {
    Text(String),
    /// The text with this before and that behind it.
    Around(&'static str, &'static str),
}

impl Mutants {
    fn add(&mut self, unit: &Unit, index: usize, mut changes: Vec<Change>) {
        changes.sort_by_key(|c| (c.span.lo, c.span.hi, c.kind));
        for change in changes {
            let reached = source_range(&self.sources, change.span, InMacro::Refuse).ok();
            let own = reached.filter(|(file, _)| self.sources.file(*file).path == unit.path);
            let Some((file, range)) = own else {
                self.out_of_reach += 1;
                continue;
            };
            let text = self.sources.file(file).text.as_deref().unwrap_or_default();
            let before = text[range.clone()].to_string();
            let after = match change.after {
                Replacement::Text(text) => text,
                Replacement::Around(left, right) => format!("{left}{before}{right}"),
            };
            if after == before {
                continue;
            }
            let line = text[..range.start].matches('\n').count() as u32 + 1;
            let edit = Edit { file, range, replacement: after.clone() };
            self.mutants.push(Mutant { kind: change.kind, span: change.span, before, after, line, unit: index, edit });
        }
    }
}

struct Collector<'u> {
    unit: &'u Unit,
    function: &'u str,
    alike: &'u [Vec<String>],
    inside: bool,
    changes: Vec<Change>,
}

impl Collector<'_> {
    /// Node spans may end in white space, which is not theirs.
    fn span(&self, span: &NodeSpan) -> Span {
        let text = &self.unit.text.as_bytes()[span.start..span.end];
        let blank = text.iter().rev().take_while(|b| b.is_ascii_whitespace()).count();
        self.unit.span(NodeSpan::span(span.start, span.end - blank))
    }

    fn text(&self, span: &NodeSpan) -> &str {
        self.unit.text.get(span.start..span.end).unwrap_or_default().trim()
    }

    fn add(&mut self, kind: MutationKind, span: &NodeSpan, after: Replacement) {
        if span.start < span.end {
            let span = self.span(span);
            self.changes.push(Change { kind, span, after });
        }
    }

    fn condition(&mut self, node: &Node<Expression>) {
        self.add(MutationKind::Condition, &node.span, Replacement::Around("!(", ")"));
        for always in ["1", "0"] {
            self.add(MutationKind::Condition, &node.span, Replacement::Text(always.to_string()));
        }
    }

    fn constant(&mut self, span: &NodeSpan) {
        let text = self.text(span).to_string();
        let texts = match text.parse::<u64>() {
            Ok(number) if text.len() == number.to_string().len() => {
                let less = number.checked_sub(1).map_or("(-1)".to_string(), |n| n.to_string());
                vec![(number.saturating_add(1)).to_string(), less, "0".to_string()]
            }
            _ => vec![format!("({text} + 1)"), format!("({text} - 1)"), "0".to_string()],
        };
        let mut made: Vec<String> = Vec::new();
        for after in texts {
            if after != text && !made.contains(&after) {
                made.push(after.clone());
                self.add(MutationKind::Constant, span, Replacement::Text(after));
            }
        }
    }
}

/// The operators that one is changed to.
fn others(operator: &BinaryOperator) -> &'static [&'static str] {
    use BinaryOperator::*;
    match operator {
        Less => &["<=", ">", ">=", "==", "!="],
        LessOrEqual => &["<", ">", ">=", "==", "!="],
        Greater => &["<", "<=", ">=", "==", "!="],
        GreaterOrEqual => &["<", "<=", ">", "==", "!="],
        Equals => &["<", "<=", ">", ">=", "!="],
        NotEquals => &["<", "<=", ">", ">=", "=="],
        Plus => &["-", "*"],
        Minus => &["+", "*"],
        Multiply => &["+", "/"],
        Divide => &["*", "%"],
        Modulo => &["*", "/"],
        LogicalAnd => &["||"],
        LogicalOr => &["&&"],
        BitwiseAnd => &["|", "^"],
        BitwiseOr => &["&", "^"],
        BitwiseXor => &["&", "|"],
        ShiftLeft => &[">>"],
        ShiftRight => &["<<"],
        AssignPlus => &["-=", "="],
        AssignMinus => &["+=", "="],
        AssignMultiply => &["/=", "="],
        AssignDivide => &["*=", "="],
        AssignModulo => &["/=", "="],
        AssignBitwiseAnd => &["|=", "^="],
        AssignBitwiseOr => &["&=", "^="],
        AssignBitwiseXor => &["&=", "|="],
        AssignShiftLeft => &[">>="],
        AssignShiftRight => &["<<="],
        Index | Assign => &[],
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_function_definition(&mut self, node: &'ast FunctionDefinition, span: &'ast NodeSpan) {
        let name = declared_name(&node.declarator.node).map(|name| name.node.name.as_str());
        if name == Some(self.function) {
            self.inside = true;
            visit::visit_statement(self, &node.statement.node, &node.statement.span);
            self.inside = false;
        }
        let _ = span;
    }

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast NodeSpan) {
        match statement {
            Statement::If(node) => self.condition(&node.node.condition),
            Statement::While(node) => self.condition(&node.node.expression),
            Statement::DoWhile(node) => self.condition(&node.node.expression),
            Statement::For(node) => {
                if let Some(condition) = &node.node.condition {
                    self.condition(condition);
                }
            }
            _ => {}
        }
        visit::visit_statement(self, statement, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast NodeSpan) {
        if !self.inside {
            return;
        }
        match expression {
            Expression::BinaryOperator(node) => {
                let operator = &node.node.operator;
                for other in others(&operator.node) {
                    self.add(MutationKind::Operator, &operator.span, Replacement::Text(other.to_string()));
                }
            }
            Expression::UnaryOperator(node) => {
                use UnaryOperator::*;
                let after = match node.node.operator.node {
                    PostIncrement | PreIncrement => Some("--"),
                    PostDecrement | PreDecrement => Some("++"),
                    Minus | Complement | Negate => Some(""),
                    Address | Indirection | Plus => None,
                };
                if let Some(after) = after {
                    self.add(MutationKind::Operator, &node.node.operator.span, Replacement::Text(after.to_string()));
                }
            }
            Expression::Conditional(node) => self.condition(&node.node.condition),
            Expression::Constant(node) => self.constant(&node.span),
            Expression::Identifier(node) => {
                let name = node.node.name.clone();
                let others: Vec<String> = self
                    .alike
                    .iter()
                    .filter(|names| names.contains(&name))
                    .flat_map(|names| names.iter().filter(|other| **other != name).cloned())
                    .collect();
                for other in others {
                    self.add(MutationKind::Variable, &node.span, Replacement::Text(other));
                }
            }
            Expression::Call(node) => {
                // The name of the function called is no variable.
                if !matches!(node.node.callee.node, Expression::Identifier(_)) {
                    self.visit_expression(&node.node.callee.node, &node.node.callee.span);
                }
                for argument in &node.node.arguments {
                    self.visit_expression(&argument.node, &argument.span);
                }
                return;
            }
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, alike: &[&[&str]]) -> Vec<(MutationKind, String)> {
        let folder = tempfile::tempdir().expect("a temporary folder should be had");
        let path = folder.path().join("t.c");
        std::fs::write(&path, text).expect("the file should be written");
        let alike: Vec<Vec<String>> = alike.iter().map(|l| l.iter().map(|n| n.to_string()).collect()).collect();
        let made = mutants(&[path], &Options::default(), "f", &alike).expect("the text should be read");
        let difference = |mutant: &Mutant| {
            let changed = made.text(mutant);
            let line = changed.lines().nth(mutant.line as usize - 1).unwrap_or_default().trim().to_string();
            assert_eq!(changed.lines().count(), text.lines().count());
            (mutant.kind, line)
        };
        made.mutants.iter().map(difference).collect()
    }

    #[test]
    fn every_change_is_one_change() {
        use MutationKind::*;
        let text =
            "int g(int x) { return x + 1; }\nint f(int a, int b) {\n  if (a < b)\n    return a;\n  return 7;\n}\n";
        let made = check(text, &[&["a", "b"]]);
        let lines = |kind: MutationKind| -> Vec<&str> {
            made.iter().filter(|(k, _)| *k == kind).map(|(_, line)| line.as_str()).collect()
        };
        assert_eq!(lines(Condition), ["if (!(a < b))", "if (1)", "if (0)"]);
        assert_eq!(lines(Operator), ["if (a <= b)", "if (a > b)", "if (a >= b)", "if (a == b)", "if (a != b)"]);
        assert_eq!(lines(Variable), ["if (b < b)", "if (a < a)", "return b;"]);
        assert_eq!(lines(Constant), ["return 8;", "return 6;", "return 0;"]);
    }

    #[test]
    fn parentheses_macros_and_calls_are_respected() {
        let text = "#define TWO (1 + 1)\nint g(int x) { return x; }\nint f(int g2, int n) {\n  while ((n > 0)) n--;\n  return -g((n)) * TWO;\n}\n";
        let made = check(text, &[&["g2", "n"]]);
        let has = |line: &str| made.iter().any(|(_, l)| l == line);
        assert!(has("while (!((n > 0))) n--;") && has("while (0) n--;") && has("while ((n > 0)) n++;"), "{made:?}");
        assert!(has("return g((n)) * TWO;") && has("return -g((n)) + TWO;"), "{made:?}");
        assert!(has("return -g((g2)) * TWO;") || has("return -g(g2) * TWO;"), "{made:?}");
        assert!(!made.iter().any(|(_, l)| l.contains("1 - 1") || l.contains("-n(")), "{made:?}");
    }
}
