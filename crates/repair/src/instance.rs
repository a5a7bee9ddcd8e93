//! A line of the program with a template in it, as an instance of the synthesis problem of §5.2.
//!
//! The parameters of the template are variables `c0`, `c1`, … at file scope; which values of them pass the tests is the
//! question. [`reachability`] turns it into a program with a location that exactly those values reach, by the reduction
//! of Theorem 5.2.3 ([`reachability_of`]).

use super::localize::Scores;
use super::rewrite::number;
use super::scope::{Atom, Scopes};
use super::sites::{self, Form, Site, bare};
use super::suite::{Expected, Test};
use super::text;
use cfront::edit::{Edit, apply};
use exec::Scalar;
use ir::{BinaryOp, ExprKind, FunctionId, LocalId, LogicalOp, Program, StmtId, StmtKind};
use reach::{Case, Hole, Synthesis, reachability_of};
use std::collections::BTreeSet;

/// What stands for the expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `c0 + c1*v1 + ... + cn*vn` over the variables in scope.
    Linear,
    /// The constants of the line.
    Constants,
    /// The operators that its first operator can become, chosen by a number.
    Operators,
}

/// The program in which a label is reached by exactly the parameters that pass all tests. An error is a clause for the user.
pub fn reachability(
    program: &Program,
    entry: FunctionId,
    tests: &[Test],
    line: u32,
    shape: Shape,
) -> Result<String, String> {
    instance(program, entry, tests, line, shape).map(|instance| reachability_of(&instance))
}

/// The synthesis problem of a line and a template.
pub fn instance(
    program: &Program,
    entry: FunctionId,
    tests: &[Test],
    line: u32,
    shape: Shape,
) -> Result<Synthesis, String> {
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
    };
    let (edits, count) = filled.ok_or_else(|| format!("the template does not fit line {line}"))?;
    let texts = apply(&program.sources, &edits).map_err(|overlap| overlap.to_string())?;
    let (_, changed) = texts.into_iter().next().ok_or("nothing changes")?;
    let holes: Vec<Hole> = (0..count).map(|i| Hole { name: format!("c{i}"), ty: "int".into() }).collect();
    let declared: Vec<&str> = holes.iter().map(|hole| hole.name.as_str()).collect();
    let case = |test: &Test| match &test.expected {
        Expected::Value(expected) => {
            Some(Case { args: test.input.params.iter().map(scalar).collect(), expected: scalar(expected) })
        }
        Expected::Output { .. } => None,
    };
    Ok(Synthesis {
        text: format!("int {};\n{changed}", declared.join(", ")),
        holes,
        entry: function.name.clone(),
        tests: tests.iter().filter_map(case).collect(),
    })
}

fn scalar(value: &Scalar) -> String {
    match value {
        Scalar::Int(value) => number(*value),
        Scalar::Float(value) => format!("{value:?}"),
    }
}

fn linear(program: &Program, here: &[&Site]) -> Option<(Vec<Edit>, usize)> {
    let types = &program.types;
    let site = here.iter().find(|site| site.is_whole && types.int_kind(bare(&site.expr).ty).is_some())?;
    let node = &site.nodes[0];
    let scope = Scopes::new(program).at(node.function, node.stmt);
    let mut text = "c0".to_string();
    let mut count = 1;
    let known = assigned_before(program, node.function, node.stmt);
    let has_value = |atom: &Atom| match &atom.expr.kind {
        ExprKind::Load(lvalue) => lvalue.as_local().is_none_or(|local| known.contains(&local)),
        _ => false,
    };
    for (_, atom) in scope.values(|ty| types.int_kind(ty).is_some()).filter(|(_, a)| a.is_variable && has_value(a)) {
        text += &format!(" + c{count}*{}", atom.text);
        count += 1;
    }
    let text = match &site.form {
        Form::Plain => text,
        Form::Compound { target, .. } | Form::Step { target, .. } => {
            format!("{} = {text}", text::slice(program, target))
        }
    };
    Some((vec![Edit { file: site.text.file, range: site.text.range(), replacement: text }], count))
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

fn constants(program: &Program, here: &[&Site]) -> Option<(Vec<Edit>, usize)> {
    let mut edits: Vec<Edit> = Vec::new();
    for site in here {
        let numeral = text::slice(program, &site.text).starts_with(|c: char| c.is_ascii_digit());
        if matches!(bare(&site.expr).kind, ExprKind::Int(_)) && numeral {
            let replacement = format!("c{}", edits.len());
            edits.push(Edit { file: site.text.file, range: site.text.range(), replacement });
        }
    }
    let count = edits.len();
    (count > 0).then_some((edits, count))
}

fn operators(program: &Program, here: &[&Site]) -> Option<(Vec<Edit>, usize)> {
    let (site, symbols) = here.iter().find_map(|site| {
        let symbols: Vec<&str> = match &bare(&site.expr).kind {
            ExprKind::Binary(op, ..) if op.is_comparison() => vec!["<=", "<", "==", "!=", ">", ">="],
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => vec!["+", "-"],
            ExprKind::Logical(LogicalOp::And | LogicalOp::Or, ..) => vec!["&&", "||"],
            _ => return None,
        };
        (site.form == Form::Plain && site.operator.is_some()).then_some((*site, symbols))
    })?;
    let part = |index: usize| -> Option<&str> { Some(text::slice(program, site.children.get(index)?.as_ref()?)) };
    let (left, right) = (part(0)?, part(1)?);
    let mut text = String::new();
    for (i, symbol) in symbols.iter().enumerate() {
        let operation = format!("(({left}) {symbol} ({right}))");
        let last = i + 1 == symbols.len();
        text += &if last { operation } else { format!("c0 == {i} ? {operation} : ") };
    }
    let edit = Edit { file: site.text.file, range: site.text.range(), replacement: format!("({text})") };
    Some((vec![edit], 1))
}
