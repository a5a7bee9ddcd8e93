//! The inverse as C that people can read: the canonical value comes in as `const` parameters, the representation goes
//! out through pointers, `ensure(...)` and `choose()` stand for the solver and for chance.

use super::formula::{Cmp, Formula, ParamId, Reference, VarId};
use super::invert::{Inverse, Undo};
use super::language::{Counter, Normalisation, Param, Role};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How tightly an operator of C binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Choice,
    Or,
    And,
    Equality,
    Relation,
    Sum,
    Product,
    Unary,
}

/// Names for variables: as in the source, told apart by numbers where one name stands for several.
fn names(normalisation: &Normalisation) -> Vec<String> {
    let mut taken: BTreeSet<String> = normalisation.params.iter().map(|p| p.name.clone()).collect();
    let mut names = Vec::new();
    for name in &normalisation.vars {
        // Counters of loops that follow each other may share a name, but a formula can mention two.
        let mut candidate = name.clone();
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_string();
        let mut number = 2;
        while name.ends_with(|c: char| c.is_ascii_digit()) && taken.contains(&candidate) {
            candidate = format!("{stem}{number}");
            number += 1;
        }
        taken.insert(candidate.clone());
        names.push(candidate);
    }
    names
}

/// A printer of formulas over the parameters of a normalisation program, as the inverse sees them.
pub struct Printer<'n> {
    normalisation: &'n Normalisation,
    names: Vec<String>,
}

impl<'n> Printer<'n> {
    pub fn new(normalisation: &'n Normalisation) -> Printer<'n> {
        Printer { normalisation, names: names(normalisation) }
    }

    fn param(&self, id: ParamId) -> &Param {
        self.normalisation.param(id)
    }

    fn var(&self, var: VarId) -> &str {
        &self.names[var.0 as usize]
    }

    pub fn reference(&self, reference: &Reference) -> String {
        let param = self.param(reference.param);
        if param.dims.is_empty() {
            // Inputs are what the inverse writes, so they are behind pointers; outputs come in by value.
            return match param.role {
                Role::Input => format!("*{}", param.name),
                Role::Output => param.name.clone(),
            };
        }
        let indices: String = reference.indices.iter().map(|i| format!("[{}]", self.formula(i))).collect();
        format!("{}{indices}", param.name)
    }

    pub fn formula(&self, formula: &Formula) -> String {
        self.at(formula, Level::Choice)
    }

    fn at(&self, formula: &Formula, level: Level) -> String {
        let (text, own) = self.with_level(formula);
        if own < level { format!("({text})") } else { text }
    }

    fn with_level(&self, formula: &Formula) -> (String, Level) {
        let binary = |a: &Formula, op: &str, b: &Formula, level: Level, right: Level| {
            (format!("{} {op} {}", self.at(a, level), self.at(b, right)), level)
        };
        match formula {
            Formula::Int(n) if *n < 0 => (n.to_string(), Level::Sum),
            Formula::Int(n) => (n.to_string(), Level::Unary),
            Formula::Ref(reference) => (self.reference(reference), Level::Unary),
            Formula::Var(var) => (self.var(*var).to_string(), Level::Unary),
            Formula::Length(id, dimension) => {
                (format!("length({}{})", self.param(*id).name, "[0]".repeat(*dimension as usize)), Level::Unary)
            }
            Formula::Add(a, b) => binary(a, "+", b, Level::Sum, Level::Sum),
            Formula::Sub(a, b) => match **a {
                Formula::Int(0) => (format!("-{}", self.at(b, Level::Unary)), Level::Sum),
                _ => binary(a, "-", b, Level::Sum, Level::Product),
            },
            Formula::Mul(a, b) => binary(a, "*", b, Level::Product, Level::Unary),
            Formula::Div(a, b) => binary(a, "/", b, Level::Product, Level::Unary),
            Formula::Rem(a, b) => binary(a, "%", b, Level::Product, Level::Unary),
            // The constant stands on the right, as people write it.
            Formula::Compare(cmp, a, b) if matches!(**a, Formula::Int(_)) => match cmp {
                Cmp::Eq => binary(b, "==", a, Level::Equality, Level::Relation),
                Cmp::Ne => binary(b, "!=", a, Level::Equality, Level::Relation),
                Cmp::Lt => binary(b, ">", a, Level::Relation, Level::Sum),
                Cmp::Le => binary(b, ">=", a, Level::Relation, Level::Sum),
            },
            Formula::Compare(cmp, a, b) => match cmp {
                Cmp::Eq => binary(a, "==", b, Level::Equality, Level::Relation),
                Cmp::Ne => binary(a, "!=", b, Level::Equality, Level::Relation),
                Cmp::Lt => binary(a, "<", b, Level::Relation, Level::Sum),
                Cmp::Le => binary(a, "<=", b, Level::Relation, Level::Sum),
            },
            Formula::And(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.at(p, Level::Equality)).collect();
                (parts.join(" && "), Level::And)
            }
            Formula::Or(parts) => {
                // `a && b` inside is put in parentheses, as compilers ask for.
                let parts: Vec<String> = parts.iter().map(|p| self.at(p, Level::Equality)).collect();
                (parts.join(" || "), Level::Or)
            }
            Formula::Not(inner) => (format!("!{}", self.at(inner, Level::Unary)), Level::Unary),
            Formula::If(c, a, b) => {
                let text = format!(
                    "{} ? {} : {}",
                    self.at(c, Level::Or),
                    self.at(a, Level::Choice),
                    self.at(b, Level::Choice)
                );
                (text, Level::Choice)
            }
            Formula::Sum { var, count, body } => {
                let text = format!("PLUMB_SUM({}, {}, {})", self.var(*var), self.formula(count), self.formula(body));
                (text, Level::Unary)
            }
            Formula::Forall { var, from, to, body } => {
                let text = format!(
                    "PLUMB_ALL({}, {}, {}, {})",
                    self.var(*var),
                    self.formula(from),
                    self.formula(to),
                    self.formula(body)
                );
                (text, Level::Unary)
            }
        }
    }

    fn parameter(&self, param: &Param, known: &BTreeMap<ParamId, Formula>) -> String {
        let kind = param.kind.c_name();
        // The lengths of what comes in cannot be said by what goes out.
        let length = |(at, dim): (usize, &Formula)| {
            let dim = dim.with_refs(&|r| known.get(&r.param).cloned());
            let outward = dim.references().iter().any(|r| self.param(r.param).role == Role::Input);
            match param.role {
                Role::Output if outward && at == 0 => "[]".to_string(),
                Role::Output => format!("[{}]", self.formula(&dim)),
                Role::Input => format!("[{}]", self.formula(&param.dims[at])),
            }
        };
        let dims: String = param.dims.iter().enumerate().map(length).collect();
        match (param.role, param.dims.is_empty()) {
            (Role::Input, true) => format!("{kind} *{}", param.name),
            (Role::Input, false) => format!("{kind} {}{dims}", param.name),
            (Role::Output, true) => format!("{kind} {}", param.name),
            (Role::Output, false) => format!("const {kind} {}{dims}", param.name),
        }
    }

    fn statements(&self, text: &mut String, statements: &[Undo], depth: usize) {
        let indent = "    ".repeat(depth);
        for statement in statements {
            match statement {
                Undo::Assign { target, value } => {
                    let _ = writeln!(text, "{indent}{} = {};", self.reference(target), self.formula(value));
                }
                Undo::Choose { target } => {
                    let _ = writeln!(text, "{indent}{} = choose();", self.reference(target));
                }
                Undo::Assume { cond, .. } => {
                    let _ = writeln!(text, "{indent}assume({});", self.formula(cond));
                }
                Undo::Set { var, value } => {
                    let _ = writeln!(text, "{indent}{} = {};", self.var(*var), self.formula(value));
                }
                Undo::If { cond, then, otherwise } => {
                    let _ = writeln!(text, "{indent}if ({}) {{", self.formula(cond));
                    self.statements(text, then, depth + 1);
                    let mut rest = otherwise;
                    while let [Undo::If { cond, then, otherwise }] = &rest[..] {
                        let _ = writeln!(text, "{indent}}} else if ({}) {{", self.formula(cond));
                        self.statements(text, then, depth + 1);
                        rest = otherwise;
                    }
                    if !rest.is_empty() {
                        let _ = writeln!(text, "{indent}}} else {{");
                        self.statements(text, rest, depth + 1);
                    }
                    let _ = writeln!(text, "{indent}}}");
                }
                Undo::For { counter, body } => {
                    let _ = writeln!(text, "{indent}for ({}) {{", self.counter(counter));
                    self.statements(text, body, depth + 1);
                    let _ = writeln!(text, "{indent}}}");
                }
            }
        }
    }

    fn counter(&self, counter: &Counter) -> String {
        let name = self.var(counter.var);
        let (sign, step) = (if counter.step > 0 { "<" } else { ">" }, counter.step);
        let step = match step {
            1 => format!("{name}++"),
            -1 => format!("{name}--"),
            step if step < 0 => format!("{name} -= {}", -step),
            step => format!("{name} += {step}"),
        };
        format!("int {name} = {}; {name} {sign} {}; {step}", self.formula(&counter.from), self.formula(&counter.to))
    }
}

/// The whole inverse.
pub fn show(inverse: &Inverse) -> String {
    let normalisation = &inverse.normalisation;
    let printer = Printer::new(normalisation);
    let mut text = String::new();
    let params: Vec<String> = normalisation.params.iter().map(|p| printer.parameter(p, &inverse.values)).collect();
    let head = format!("void {}_inverse(", normalisation.name);
    let joined = params.join(", ");
    let separator = if head.len() + joined.len() < 110 { ", " } else { ",\n        " };
    let _ = writeln!(text, "{head}{})\n{{", params.join(separator));
    let mut sets = BTreeSet::new();
    set_variables(&inverse.body, &mut sets);
    for var in sets {
        let _ = writeln!(text, "    int {};", printer.var(var));
    }
    let mut last = None;
    for condition in &inverse.ensure.conditions {
        if last != Some(condition.origin) {
            let _ = writeln!(text, "    /* {} */", condition.origin.reason());
            last = Some(condition.origin);
        }
        let _ = writeln!(text, "    ensure({});", printer.formula(&condition.formula));
    }
    for id in normalisation.ids(Role::Input) {
        let param = normalisation.param(id);
        if !param.dims.is_empty() && !inverse.chosen.contains(&id) {
            let _ = writeln!(text, "    choose_all({});", param.name);
        }
    }
    printer.statements(&mut text, &inverse.body, 1);
    text.push_str("}\n");
    text
}

fn set_variables(statements: &[Undo], found: &mut BTreeSet<VarId>) {
    for statement in statements {
        match statement {
            Undo::Set { var, .. } => {
                found.insert(*var);
            }
            Undo::If { then, otherwise, .. } => {
                set_variables(then, found);
                set_variables(otherwise, found);
            }
            Undo::For { body, .. } => set_variables(body, found),
            _ => {}
        }
    }
}
