//! Synthesis and reachability are one problem: both reductions of §5.2, as C text.
//!
//! *Theorem 5.2.3* ([`reachability`]): a program with a template and a suite of tests becomes a program with a location
//! `L` that is reached by exactly the parameters for which all tests pass. Every function gets the parameters of the
//! template as further formals and the prefix `p`; `pmain` takes them and guards `L` by the conjunction of all tests.
//!
//! *Theorem 5.2.5* ([`synthesis`]): a program with a location becomes a template program `qmain` with one test, `qmain()
//! == 1`, that passes for exactly the inputs that reach the location.
//!
//! *Departure*: C has no exceptions, so reaching the location sets a variable that `qmain` returns, as the source allows;
//! an input that reaches the location and does not return afterwards is no solution.

use super::localize::Scores;
use super::rewrite::number;
use super::scope::{Atom, Scopes};
use super::sites::{self, Form, Site, bare};
use super::suite::{Expected, Test};
use super::text;
use cfront::edit::{Edit, apply};
use exec::Scalar;
use ir::{BinaryOp, ExprKind, FunctionId, LocalId, LogicalOp, Program, StmtId, StmtKind};
use std::collections::BTreeSet;

/// What stands for the statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `c0 + c1*v1 + ... + cn*vn` over the variables in scope.
    Linear,
    /// The constants of the expression.
    Constants,
    /// One of the operators that its operator can become.
    Operators,
}

/// An expression with parameters, as text: the range it replaces, and what holds of the parameters.
struct Filled {
    edits: Vec<Edit>,
    parameters: usize,
    /// Conditions on the parameters.
    conditions: Vec<String>,
}

/// The reachability program of a line and a template. An error is a clause for the user.
pub fn reachability(
    program: &Program,
    entry: FunctionId,
    tests: &[Test],
    line: u32,
    shape: Shape,
) -> Result<String, String> {
    let function = &program.functions[entry];
    if function.name == "main" {
        return Err("the tests are runs of a whole program, and the reduction is about calls of a function".into());
    }
    let scores = Scores::of_everything(program);
    let found = sites::find(program, &scores);
    let on_line = |site: &&Site| !site.at_definition && text::line(program, &site.text) == line;
    let mut here: Vec<&Site> = found.sites.iter().filter(on_line).collect();
    // The outermost first.
    here.sort_by_key(|site| (site.text.start, std::cmp::Reverse(site.text.end)));
    if here.is_empty() {
        return Err(format!("no expression of the program starts in line {line}"));
    }
    let filled = match shape {
        Shape::Linear => linear(program, &here),
        Shape::Constants => constants(program, &here),
        Shape::Operators => operators(program, &here),
    }
    .ok_or_else(|| format!("the template does not fit line {line}"))?;
    let texts = apply(&program.sources, &filled.edits).map_err(|overlap| overlap.to_string())?;
    let (file, changed) = texts.into_iter().next().ok_or("nothing changes")?;
    let names: Vec<&str> = program
        .defined_functions()
        .filter(|(_, f, _)| f.name != "main" && program.sources.used(f.span).is_some_and(|r| r.start.file == file))
        .map(|(_, f, _)| f.name.as_str())
        .collect();
    let names_of: Vec<String> = (0..filled.parameters).map(|i| format!("c{i}")).collect();
    let mut out = with_parameters(&changed, &names, "p", &names_of);
    let formals: Vec<String> = names_of.iter().map(|name| format!("int {name}")).collect();
    let mut conjuncts = filled.conditions.clone();
    for test in tests {
        let Expected::Value(expected) = &test.expected else { continue };
        let mut arguments: Vec<String> = test.input.params.iter().map(scalar).collect();
        arguments.extend(names_of.iter().cloned());
        conjuncts.push(format!("p{}({}) == {}", function.name, arguments.join(", "), scalar(expected)));
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out += &format!(
        "\nint pmain({}) {{\n    if ({}) {{\n    L:\n        return 1;\n    }}\n    return 0;\n}}\n",
        formals.join(", "),
        conjuncts.join(" &&\n        ")
    );
    Ok(out)
}

/// The template program whose only test is `qmain() == 1`: its parameters `c0`, `c1`, ... are globals. `label` names the
/// location in the text.
pub fn synthesis(text: &str, program: &Program, entry: FunctionId, label: &str) -> Result<String, String> {
    let function = &program.functions[entry];
    let at = find_label(text, label).ok_or_else(|| format!("there is no label `{label}`"))?;
    // The statement behind the label may be all of a branch, so it stays one statement.
    let marked = format!("{} if ((q_reached = 1)){}", &text[..at], &text[at..]);
    let names: Vec<&str> =
        program.defined_functions().filter(|(_, f, _)| f.name != "main").map(|(_, f, _)| f.name.as_str()).collect();
    let body = with_parameters(&marked, &names, "q", &[]);
    let count = function.params.len();
    let mut out = String::from("static int q_reached;\n");
    if count > 0 {
        let names: Vec<String> = (0..count).map(|i| format!("c{i}")).collect();
        out += &format!("int {};\n", names.join(", "));
    }
    out += &body;
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out += "\nint qmain(void) {\n";
    let mut arguments = Vec::new();
    for (i, &param) in function.params.iter().enumerate() {
        let local = &function.locals[param];
        out += &format!("    {} = c{i};\n", ir::c_declaration(program, Some(function), local.ty, &local.name));
        arguments.push(local.name.clone());
    }
    out += &format!("    q{}({});\n    return q_reached;\n}}\n", function.name, arguments.join(", "));
    Ok(out)
}

fn scalar(value: &Scalar) -> String {
    match value {
        Scalar::Int(value) => number(*value),
        Scalar::Float(value) => format!("{value:?}"),
    }
}

/// Behind `label:`.
fn find_label(text: &str, label: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text[from..].find(label) {
        let start = from + found;
        let end = start + label.len();
        from = end;
        let joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let rest = text[end..].trim_start();
        if !joined(text[..start].chars().next_back()) && !joined(text[end..].chars().next()) && rest.starts_with(':') {
            return Some(text.len() - rest.len() + 1);
        }
    }
    None
}

fn linear(program: &Program, here: &[&Site]) -> Option<Filled> {
    let types = &program.types;
    let site = here.iter().find(|site| site.is_whole && types.int_kind(bare(&site.expr).ty).is_some())?;
    let node = &site.nodes[0];
    let scope = Scopes::new(program).at(node.function, node.stmt);
    let mut text = "c0".to_string();
    let mut parameters = 1;
    let known = assigned_before(program, node.function, node.stmt);
    let has_value = |atom: &Atom| match &atom.expr.kind {
        ExprKind::Load(lvalue) => lvalue.as_local().is_none_or(|local| known.contains(&local)),
        _ => false,
    };
    for (_, atom) in scope.values(|ty| types.int_kind(ty).is_some()).filter(|(_, a)| a.is_variable && has_value(a)) {
        text += &format!(" + c{parameters}*{}", atom.text);
        parameters += 1;
    }
    let text = match &site.form {
        Form::Plain => text,
        Form::Compound { target, .. } | Form::Step { target, .. } => {
            format!("{} = {text}", text::slice(program, target))
        }
    };
    let edit = Edit { file: site.text.file, range: site.text.range(), replacement: text };
    Some(Filled { edits: vec![edit], parameters, conditions: Vec::new() })
}

/// Parameters, and the variables that the text before a statement assigns or hands out; the others have no value there.
fn assigned_before(program: &Program, id: FunctionId, stmt: StmtId) -> BTreeSet<LocalId> {
    let function = &program.functions[id];
    let mut known: BTreeSet<LocalId> = function.params.iter().copied().collect();
    let Some(body) = &function.body else { return known };
    body.walk(&mut |other| {
        if other.id >= stmt {
            return;
        }
        if let StmtKind::Assign { target, .. } | StmtKind::Call { result: Some(target), .. } = &other.kind {
            known.extend(target.as_local());
        }
        for expr in other.exprs() {
            expr.walk(&mut |expr| {
                if let ExprKind::AddressOf(lvalue) = &expr.kind {
                    known.extend(lvalue.as_local());
                }
            });
        }
    });
    known
}

fn constants(program: &Program, here: &[&Site]) -> Option<Filled> {
    let mut edits: Vec<Edit> = Vec::new();
    for site in here {
        let numeral = text::slice(program, &site.text).starts_with(|c: char| c.is_ascii_digit());
        if matches!(bare(&site.expr).kind, ExprKind::Int(_)) && numeral {
            let replacement = format!("c{}", edits.len());
            edits.push(Edit { file: site.text.file, range: site.text.range(), replacement });
        }
    }
    let parameters = edits.len();
    (parameters > 0).then_some(Filled { edits, parameters, conditions: Vec::new() })
}

fn operators(program: &Program, here: &[&Site]) -> Option<Filled> {
    let (site, symbols) = here.iter().find_map(|site| {
        let symbols: Vec<&str> = match &bare(&site.expr).kind {
            ExprKind::Binary(op, ..) if op.is_comparison() => vec!["<=", "<", "==", "!=", ">", ">="],
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => vec!["+", "-"],
            ExprKind::Logical(LogicalOp::And | LogicalOp::Or, ..) => vec!["&&", "||"],
            _ => return None,
        };
        (site.form == Form::Plain && site.operator.is_some()).then_some((*site, symbols))
    })?;
    let part = |index: usize| -> Option<String> {
        Some(text::slice(program, site.children.get(index)?.as_ref()?).to_string())
    };
    let (left, right) = (part(0)?, part(1)?);
    let terms: Vec<String> =
        symbols.iter().enumerate().map(|(i, symbol)| format!("c{i}*(({left}) {symbol} ({right}))")).collect();
    let sum: Vec<String> = (0..symbols.len()).map(|i| format!("c{i}")).collect();
    let mut conditions: Vec<String> = sum.iter().map(|c| format!("({c} == 0 || {c} == 1)")).collect();
    conditions.push(format!("{} == 1", sum.join(" + ")));
    let edit = Edit { file: site.text.file, range: site.text.range(), replacement: format!("({})", terms.join(" + ")) };
    Some(Filled { edits: vec![edit], parameters: symbols.len(), conditions })
}

/// The text with a prefix at the names of functions and further parameters in their definitions and calls.
pub fn with_parameters(text: &str, names: &[&str], prefix: &str, parameters: &[String]) -> String {
    let formals: Vec<String> = parameters.iter().map(|name| format!("int {name}")).collect();
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + 256);
    // For each open parenthesis, where its content starts in `out` and what is to be added: formals or arguments.
    let mut open: Vec<(usize, Option<&[String]>)> = Vec::new();
    let mut depth = 0usize;
    let mut at = 0;
    let mut pending: Option<&[String]> = None;
    while at < bytes.len() {
        let skip = skipped(text, at);
        if skip > 0 {
            out.push_str(&text[at..at + skip]);
            at += skip;
            continue;
        }
        let b = bytes[at];
        if b.is_ascii_alphabetic() || b == b'_' {
            let length = bytes[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
            let word = &text[at..at + length];
            let called = text[at + length..].trim_start().starts_with('(');
            if names.contains(&word) && called {
                out.push_str(prefix);
                pending = Some(if depth == 0 { &formals } else { parameters });
            }
            out.push_str(word);
            at += length;
            continue;
        }
        match b {
            b'(' => {
                out.push('(');
                open.push((out.len(), pending.take()));
            }
            b')' => {
                if let Some((start, Some(added))) = open.pop()
                    && !added.is_empty()
                {
                    let content = out[start..].trim();
                    let all = added.join(", ");
                    match content {
                        "" | "void" => out.replace_range(start.., &all),
                        _ => out += &format!(", {all}"),
                    }
                }
                out.push(')');
            }
            b'{' => {
                depth += 1;
                out.push('{');
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                out.push('}');
            }
            _ => {
                let length = text[at..].chars().next().map_or(1, char::len_utf8);
                out.push_str(&text[at..at + length]);
                at += length - 1;
            }
        }
        at += 1;
    }
    out
}

/// The length of a comment, a literal or a line of the preprocessor that starts here.
fn skipped(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    if rest.starts_with("//")
        || (rest.starts_with('#') && text[..at].rsplit('\n').next().unwrap_or("").trim().is_empty())
    {
        return rest.find('\n').unwrap_or(rest.len());
    }
    let quote = rest.as_bytes()[0];
    if quote != b'"' && quote != b'\'' {
        return 0;
    }
    let mut escaped = false;
    for (i, b) in rest.bytes().enumerate().skip(1) {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b if b == quote => return i + 1,
            _ => {}
        }
    }
    rest.len()
}
