//! Assumptions at the start of an entry that speak of parameters only, made for being evaluated thousands of times.

use crate::guards::{self, Fact};
use ir::{Block, ExprKind, Function, LocalId, LogicalOp, Program, StmtKind, UnaryOp};
use logic::{Operator, Predicate, Relation, Term};

/// The assumptions on parameters that every run meets first. Answers whether the statements after the block are
/// reached in the same way.
pub(super) fn prefix(program: &Program, function: &Function, block: &Block, out: &mut Vec<Condition>) -> bool {
    for stmt in &block.stmts {
        match &stmt.kind {
            StmtKind::Live(_) | StmtKind::Trace(_) => {}
            StmtKind::Assign { target, .. } if target.as_local().is_some_and(|l| !function.params.contains(&l)) => {}
            StmtKind::Block(inner) => {
                if !prefix(program, function, inner, out) {
                    return false;
                }
            }
            StmtKind::Assume(condition) => {
                let mut parts = Vec::new();
                conjuncts(condition, true, &mut parts);
                for part in parts {
                    let name = |local: LocalId| {
                        let index = function.params.iter().position(|param| *param == local)?;
                        Some(index.to_string())
                    };
                    let predicate = guards::fact(&program.types, &part, &name);
                    out.extend(predicate.and_then(|predicate| Condition::new(&predicate)));
                }
            }
            _ => return false,
        }
    }
    true
}

fn conjuncts<'p>(condition: &'p ir::Expr, truth: bool, out: &mut Vec<Fact<'p>>) {
    match (&condition.kind, truth) {
        (ExprKind::Logical(LogicalOp::And, a, b), true) | (ExprKind::Logical(LogicalOp::Or, a, b), false) => {
            conjuncts(a, truth, out);
            conjuncts(b, truth, out);
        }
        (ExprKind::Unary(UnaryOp::Not, a), _) => conjuncts(a, !truth, out),
        _ => out.push(Fact { condition, truth }),
    }
}

/// A predicate over parameters by their index, made for being evaluated thousands of times.
pub(super) enum Condition {
    Compare(Relation, Value, Value),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

pub(super) enum Value {
    Const(i128),
    Param(usize),
    Neg(Box<Value>),
    Sum(Vec<Value>),
    Product(Vec<Value>),
    Quotient(Box<Value>, Box<Value>),
    Remainder(Box<Value>, Box<Value>),
}

impl Condition {
    /// The predicate's variables are indices of parameters.
    fn new(predicate: &Predicate) -> Option<Condition> {
        let all = |parts: &[Predicate]| parts.iter().map(Condition::new).collect::<Option<Vec<_>>>();
        Some(match predicate {
            Predicate::Compare(relation, a, b) => Condition::Compare(*relation, Value::new(a)?, Value::new(b)?),
            Predicate::Not(part) => Condition::Not(Box::new(Condition::new(part)?)),
            Predicate::And(parts) => Condition::And(all(parts)?),
            Predicate::Or(parts) => Condition::Or(all(parts)?),
            _ => return None,
        })
    }

    /// Whether it holds; where a value is undefined or too large it does not.
    pub(super) fn holds(&self, params: &[i128]) -> bool {
        match self {
            Condition::Compare(relation, a, b) => match (a.of(params), b.of(params)) {
                (Some(a), Some(b)) => relation.holds(a.cmp(&b)),
                _ => false,
            },
            Condition::Not(part) => !part.holds(params),
            Condition::And(parts) => parts.iter().all(|part| part.holds(params)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(params)),
        }
    }
}

impl Value {
    fn new(term: &Term) -> Option<Value> {
        let all = |parts: &[Term]| parts.iter().map(Value::new).collect::<Option<Vec<_>>>();
        Some(match term {
            Term::Const(value) if value.is_int() => Value::Const(i128::try_from(value.numerator()).ok()?),
            Term::Var(index) => Value::Param(index.parse().ok()?),
            Term::Neg(part) => Value::Neg(Box::new(Value::new(part)?)),
            Term::Sum(parts) => Value::Sum(all(parts)?),
            Term::Product(parts) => Value::Product(all(parts)?),
            Term::Binary(operator, a, b) => {
                let (a, b) = (Box::new(Value::new(a)?), Box::new(Value::new(b)?));
                match operator {
                    Operator::Quotient => Value::Quotient(a, b),
                    Operator::Remainder => Value::Remainder(a, b),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn of(&self, params: &[i128]) -> Option<i128> {
        match self {
            Value::Const(value) => Some(*value),
            Value::Param(index) => params.get(*index).copied(),
            Value::Neg(part) => part.of(params)?.checked_neg(),
            Value::Sum(parts) => parts.iter().try_fold(0i128, |sum, part| sum.checked_add(part.of(params)?)),
            Value::Product(parts) => {
                parts.iter().try_fold(1i128, |product, part| product.checked_mul(part.of(params)?))
            }
            Value::Quotient(a, b) => a.of(params)?.checked_div(b.of(params)?),
            Value::Remainder(a, b) => a.of(params)?.checked_rem(b.of(params)?),
        }
    }
}
