//! Our own evaluator of terms under a model: the second opinion on every model Z3 returns.
//!
//! Semantics are those of SMT-LIB 2.6, including the parts it leaves to the model (see
//! [`crate::model`]). [`apply`] gives the meaning of one operator on values and is shared with
//! constant folding, so there is one home for the semantics; it is tested against Z3.
//!
//! *Guarantee*: a value returned is the value of the term. Two things are refused instead of
//! guessed: quantifiers over domains that are not small and finite, and numbers beyond a million
//! bits. Depth of the term does not matter: the walk keeps its own stack.
//!
//! *Cost*: each different subterm is evaluated once per model; bodies of quantifiers once per
//! assignment of the bound variables, at most [`DOMAIN_LIMIT`] of them.

use crate::bits::{Bits, euclid};
use crate::hash::IdMap;
use crate::model::{Model, Open};
use crate::pool::TermPool;
use crate::sort::SortId;
use crate::term::{Op, Quantifier, TermId};
use crate::value::{ArrayValue, DataValue, Value, cardinality, universe};
use crate::{Int, Rational};
use dashu_int::ops::BitTest;
use std::cmp::Ordering;
use std::fmt;

/// Most assignments of bound variables that a quantifier's evaluation will try.
pub const DOMAIN_LIMIT: u64 = 4096;

/// Deepest nest of quantifiers that is evaluated; the walk recurses once per level.
const NEST_LIMIT: u32 = 32;

/// Largest number evaluation produces, in bits: squaring in a loop would otherwise fill the memory.
const SIZE_LIMIT: usize = 1 << 20;

/// Why a term has no computable value here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A quantifier ranges over too many values to try.
    Quantifier(TermId),
    /// A number grew beyond a million bits.
    TooLarge(TermId),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Quantifier(_) => write!(f, "a quantifier ranges over too many values to be evaluated"),
            EvalError::TooLarge(_) => write!(f, "a number grew beyond {SIZE_LIMIT} bits"),
        }
    }
}

impl std::error::Error for EvalError {}

/// Evaluates terms under one model and remembers what it has computed.
pub struct Evaluator<'m> {
    model: &'m Model,
    memo: IdMap<TermId, Value>,
}

/// What an [`Evaluator`] has computed, kept beside the model it belongs to.
#[derive(Clone, Debug, Default)]
pub struct Memo(IdMap<TermId, Value>);

impl<'m> Evaluator<'m> {
    /// An evaluator that has computed nothing yet.
    pub fn new(model: &'m Model) -> Self {
        Evaluator { model, memo: IdMap::default() }
    }

    /// An evaluator that goes on where an earlier one of the same model stopped.
    pub fn resume(model: &'m Model, memo: Memo) -> Self {
        Evaluator { model, memo: memo.0 }
    }

    /// What was computed, for [`Evaluator::resume`].
    pub fn into_memo(self) -> Memo {
        Memo(self.memo)
    }

    /// The value of a term.
    pub fn eval(&mut self, term: TermId) -> Result<Value, EvalError> {
        let pool = self.model.pool();
        let mut stack = vec![(term, false)];
        let mut values: Vec<Value> = Vec::new();
        while let Some((term, ready)) = stack.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            let value = match pool.op(term) {
                Op::Quant(q) => self.quantified(term, q)?,
                // Only the branch taken is evaluated: the other may be refused for its size.
                Op::Ite => {
                    let args = pool.args(term);
                    let Some(condition) = self.memo.get(&args[0]) else {
                        stack.push((term, false));
                        stack.push((args[0], false));
                        continue;
                    };
                    let taken = args[if truth(condition) { 1 } else { 2 }];
                    match self.memo.get(&taken) {
                        Some(value) => value.clone(),
                        None => {
                            stack.push((term, false));
                            stack.push((taken, false));
                            continue;
                        }
                    }
                }
                op => {
                    let args = pool.args(term);
                    if !ready && !args.is_empty() {
                        stack.push((term, true));
                        stack.extend(args.iter().rev().map(|a| (*a, false)));
                        continue;
                    }
                    values.clear();
                    values.extend(args.iter().map(|a| self.memo[a].clone()));
                    self.applied(term, op, &values)?
                }
            };
            self.memo.insert(term, value);
        }
        Ok(self.memo[&term].clone())
    }

    fn applied(&self, term: TermId, op: &Op, values: &[Value]) -> Result<Value, EvalError> {
        let pool = self.model.pool();
        match (op, apply(pool, op, values)) {
            (_, Applied::Value(value)) => Ok(value),
            (_, Applied::Open(open)) => Ok(self.model.open(open, &values[0], pool.sort_of(term))),
            (_, Applied::TooLarge) => Err(EvalError::TooLarge(term)),
            (Op::App(f), Applied::Symbol) => Ok(self.model.apply(*f, values)),
            (op, Applied::Symbol) => {
                unreachable!("only symbols should need the model here, because {op:?} is fixed")
            }
        }
    }

    fn quantified(&mut self, term: TermId, q: &Quantifier) -> Result<Value, EvalError> {
        let pool = self.model.pool();
        let refuse = EvalError::Quantifier(term);
        let domains: Option<Vec<Vec<Value>>> = q.vars.iter().map(|v| domain(pool, pool.func(*v).range)).collect();
        let domains = domains.ok_or(refuse)?;
        let size = domains.iter().try_fold(1u64, |n, d| n.checked_mul(d.len() as u64));
        if size.is_none_or(|n| n > DOMAIN_LIMIT) || pool.node(term).binders > NEST_LIMIT {
            return Err(refuse);
        }
        let body = pool.args(term)[0];
        let mut model = self.model.clone();
        for choice in 0..size.unwrap_or(0) {
            let mut rest = choice;
            for (var, domain) in q.vars.iter().zip(&domains) {
                let n = domain.len() as u64;
                model.set_symbol(*var, domain[(rest % n) as usize].clone());
                rest /= n;
            }
            if truth(&Evaluator::new(&model).eval(body)?) != q.forall {
                return Ok(Value::Bool(!q.forall));
            }
        }
        Ok(Value::Bool(q.forall))
    }
}

/// All values of a sort, if they are few.
fn domain(pool: &TermPool, sort: SortId) -> Option<Vec<Value>> {
    let few = cardinality(pool, sort).is_some_and(|n| n <= DOMAIN_LIMIT);
    few.then(|| universe(pool, sort))
}

/// What an operator yields on values.
pub(crate) enum Applied {
    Value(Value),
    /// The standard leaves this application to the model.
    Open(Open),
    /// A free symbol.
    Symbol,
    TooLarge,
}

fn truth(value: &Value) -> bool {
    value.as_bool().expect("a condition should be a truth value, because terms are well sorted")
}

fn int(value: &Value) -> &Int {
    value.as_int().expect("an integer should be here, because terms are well sorted")
}

fn real(value: &Value) -> &Rational {
    value.as_real().expect("a real should be here, because terms are well sorted")
}

fn bits(value: &Value) -> &Bits {
    value.as_bits().expect("a bit-vector should be here, because terms are well sorted")
}

fn array(value: &Value) -> &ArrayValue {
    value.as_array().expect("an array should be here, because terms are well sorted")
}

fn data(value: &Value) -> &DataValue {
    value.as_data().expect("a datatype value should be here, because terms are well sorted")
}

fn size(value: &Value) -> usize {
    match value {
        Value::Int(n) => n.bit_len(),
        Value::Real(q) => q.numerator().bit_len() + q.denominator().bit_len(),
        _ => 0,
    }
}

/// The meaning of one operator on values. Quantifiers and `ite` on the walk are the caller's.
pub(crate) fn apply(pool: &TermPool, op: &Op, args: &[Value]) -> Applied {
    let value = match op {
        Op::App(_) => return Applied::Symbol,
        Op::Quant(_) => unreachable!("quantifiers should be enumerated by the evaluator"),
        Op::True => Value::Bool(true),
        Op::False => Value::Bool(false),
        Op::Int(n) => Value::Int(n.clone()),
        Op::Real(q) => Value::Real(q.clone()),
        Op::Bits(b) => Value::Bits(b.clone()),
        Op::Float(value) => Value::Float(*value),
        Op::Not => Value::Bool(!truth(&args[0])),
        Op::And => Value::Bool(args.iter().all(truth)),
        Op::Or => Value::Bool(args.iter().any(truth)),
        Op::Xor => Value::Bool(truth(&args[0]) != truth(&args[1])),
        Op::Ite => args[if truth(&args[0]) { 1 } else { 2 }].clone(),
        Op::Eq => Value::Bool(args[0] == args[1]),
        Op::Distinct => Value::Bool((0..args.len()).all(|i| args[..i].iter().all(|a| *a != args[i]))),
        Op::Add | Op::Mul | Op::Le | Op::Lt => return arithmetic(op, args),
        Op::IntDiv | Op::IntMod => {
            let (a, b) = (int(&args[0]), int(&args[1]));
            match (op, b.is_zero()) {
                (Op::IntDiv, true) => return Applied::Open(Open::IntDivByZero),
                (_, true) => return Applied::Open(Open::IntModByZero),
                (Op::IntDiv, false) => Value::Int(euclid(a, b).0),
                (_, false) => Value::Int(euclid(a, b).1),
            }
        }
        Op::RealDiv => {
            if real(&args[1]).is_zero() {
                return Applied::Open(Open::RealDivByZero);
            }
            if size(&args[0]) + size(&args[1]) > SIZE_LIMIT {
                return Applied::TooLarge;
            }
            Value::Real(real(&args[0]) / real(&args[1]))
        }
        Op::ToReal => Value::Real(Rational::from(int(&args[0]).clone())),
        Op::ToInt => Value::Int(real(&args[0]).floor()),
        Op::IsInt => Value::Bool(real(&args[0]).is_int()),
        Op::BvToInt => Value::Int(bits(&args[0]).unsigned()),
        Op::IntToBv(width) => Value::Bits(Bits::new(*width, int(&args[0]))),
        Op::Select => array(&args[0]).select(&args[1]).clone(),
        Op::Store => Value::Array(array(&args[0]).store(pool, args[1].clone(), args[2].clone())),
        Op::ConstArray(sort) => Value::Array(ArrayValue::constant(pool, *sort, args[0].clone())),
        Op::Construct(c) => Value::Data(DataValue::new(*c, args.to_vec())),
        Op::Is(c) => Value::Bool(data(&args[0]).constructor() == *c),
        Op::Field(c, i) => {
            let value = data(&args[0]);
            if value.constructor() != *c {
                return Applied::Open(Open::Field(*c, *i));
            }
            value.fields()[*i as usize].clone()
        }
        Op::FpAdd
        | Op::FpSub
        | Op::FpMul
        | Op::FpDiv
        | Op::FpNeg
        | Op::FpAbs
        | Op::FpRound(_)
        | Op::FpSqrt
        | Op::FpEq
        | Op::FpLt
        | Op::FpLe
        | Op::FpConvert(_)
        | Op::FpFromBv { .. }
        | Op::FpFromBits(_)
        | Op::FpToBv { .. } => floating(op, args),
        _ => bit_vector(op, args),
    };
    Applied::Value(value)
}

fn arithmetic(op: &Op, args: &[Value]) -> Applied {
    let sum = matches!(op, Op::Add);
    Applied::Value(match (op, &args[0]) {
        (Op::Le, Value::Int(a)) => Value::Bool(a <= int(&args[1])),
        (Op::Lt, Value::Int(a)) => Value::Bool(a < int(&args[1])),
        (Op::Le, a) => Value::Bool(real(a) <= real(&args[1])),
        (Op::Lt, a) => Value::Bool(real(a) < real(&args[1])),
        _ => {
            let bound = if sum { args.iter().map(size).max().unwrap_or(0) } else { args.iter().map(size).sum() };
            if bound > SIZE_LIMIT {
                return Applied::TooLarge;
            }
            match &args[0] {
                Value::Int(_) if sum => Value::Int(args.iter().map(int).sum()),
                Value::Int(_) => Value::Int(args.iter().map(int).product()),
                _ if sum => Value::Real(args.iter().map(real).fold(Rational::ZERO, |total, q| total + q)),
                _ => Value::Real(args.iter().map(real).fold(Rational::ONE, |total, q| total * q)),
            }
        }
    })
}

fn floating(op: &Op, args: &[Value]) -> Value {
    let float = |k: usize| args[k].as_float().expect("a floating value should be here, because terms are well sorted");
    let holds =
        |wanted: &[Ordering]| Value::Bool(float(0).order(float(1)).is_some_and(|order| wanted.contains(&order)));
    Value::Float(match op {
        Op::FpAdd => float(0).add(float(1)),
        Op::FpSub => float(0).sub(float(1)),
        Op::FpMul => float(0).mul(float(1)),
        Op::FpDiv => float(0).div(float(1)),
        Op::FpNeg => float(0).neg(),
        Op::FpAbs => float(0).abs(),
        Op::FpRound(rounding) => float(0).round(*rounding),
        Op::FpSqrt => float(0).sqrt(),
        Op::FpEq => return holds(&[Ordering::Equal]),
        Op::FpLt => return holds(&[Ordering::Less]),
        Op::FpLe => return holds(&[Ordering::Less, Ordering::Equal]),
        Op::FpConvert(format) => float(0).convert(*format),
        // Integers of C have 128 bits at most.
        Op::FpFromBv { format, signed: true } => {
            ieee::Value::from_signed(*format, i128::try_from(&bits(&args[0]).signed()).unwrap_or(0))
        }
        Op::FpFromBv { format, signed: false } => {
            ieee::Value::from_unsigned(*format, u128::try_from(&bits(&args[0]).unsigned()).unwrap_or(0))
        }
        Op::FpFromBits(format) => {
            ieee::Value::from_bits(*format, u128::try_from(&bits(&args[0]).unsigned()).unwrap_or(0))
        }
        Op::FpToBv { width, signed } => {
            let cut = match signed {
                true => float(0).to_signed(*width).map(Int::from),
                false => float(0).to_unsigned(*width).map(Int::from),
            };
            // Where it does not fit, SMT-LIB says nothing; builders see to it that nobody asks.
            return Value::Bits(Bits::new(*width, &cut.unwrap_or(Int::ZERO)));
        }
        other => unreachable!("every operator should be evaluated somewhere: {other:?}"),
    })
}

fn bit_vector(op: &Op, args: &[Value]) -> Value {
    let a = bits(&args[0]);
    let b = || bits(&args[1]);
    Value::Bits(match op {
        Op::BvNot => a.not(),
        Op::BvNeg => a.neg(),
        Op::BvAnd => a.and(b()),
        Op::BvOr => a.or(b()),
        Op::BvXor => a.xor(b()),
        Op::BvAdd => a.add(b()),
        Op::BvSub => a.sub(b()),
        Op::BvMul => a.mul(b()),
        Op::BvUdiv => a.udiv(b()),
        Op::BvUrem => a.urem(b()),
        Op::BvSdiv => a.sdiv(b()),
        Op::BvSrem => a.srem(b()),
        Op::BvShl => a.shl(b()),
        Op::BvLshr => a.lshr(b()),
        Op::BvAshr => a.ashr(b()),
        Op::BvConcat => a.concat(b()),
        Op::BvExtract { high, low } => a.extract(*high, *low),
        Op::BvZeroExtend(by) => a.zero_extend(*by),
        Op::BvSignExtend(by) => a.sign_extend(*by),
        Op::BvUlt => return Value::Bool(a.unsigned() < b().unsigned()),
        Op::BvUle => return Value::Bool(a.unsigned() <= b().unsigned()),
        Op::BvSlt => return Value::Bool(a.signed() < b().signed()),
        Op::BvSle => return Value::Bool(a.signed() <= b().signed()),
        Op::BvMulOverflow { signed } => return Value::Bool(a.mul_overflows(b(), *signed)),
        other => unreachable!("every operator should be evaluated somewhere: {other:?}"),
    })
}
