//! Terms: an operator, its arguments, and what the pool remembers about them.

use crate::bits::Bits;
use crate::hash::Mixer;
use crate::sort::{Constructor, FuncId, SortId};
use crate::{Int, Rational};
use std::hash::{Hash, Hasher};

/// A term, hash-consed in a [`TermPool`](crate::TermPool): equal ids are equal terms.
///
/// The numbers themselves depend on the order in which threads built terms; do not let them, or an
/// order derived from them, reach the user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

/// The operator at the root of a term. Semantics are those of SMT-LIB 2.6.
///
/// Subtraction, negation and implication of the usual theories are absent on purpose: the builders
/// express them by the operators that are here, so that equal meanings more often get equal terms.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names are those of SMT-LIB.
pub enum Op {
    True,
    False,
    Int(Int),
    Real(Rational),
    Bits(Bits),
    Float(ieee::Value),
    App(FuncId),
    Not,
    And,
    Or,
    Xor,
    Ite,
    Eq,
    Distinct,
    Add,
    Mul,
    IntDiv,
    IntMod,
    RealDiv,
    Le,
    Lt,
    ToReal,
    ToInt,
    IsInt,
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvConcat,
    BvExtract {
        high: u32,
        low: u32,
    },
    BvZeroExtend(u32),
    BvSignExtend(u32),
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    BvMulOverflow {
        signed: bool,
    },
    BvToInt,
    IntToBv(u32),
    /// Floating operations round to the nearest value, ties to even.
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    FpNeg,
    FpAbs,
    /// A whole number.
    FpRound(ieee::Rounding),
    /// Square root; not of the x87 format.
    FpSqrt,
    /// IEEE's comparisons: false of a NaN, and both zeros are equal.
    FpEq,
    FpLt,
    FpLe,
    FpConvert(ieee::Format),
    /// The value of an integer, rounded.
    FpFromBv {
        format: ieee::Format,
        signed: bool,
    },
    /// The value with these bytes; not for the x87 format, whose bytes are no SMT-LIB encoding.
    FpFromBits(ieee::Format),
    /// The integer that is left when the fraction is cut off, for values of which it fits; see
    /// [`TermPool::fp_to_bv`](crate::TermPool::fp_to_bv).
    FpToBv {
        width: u32,
        signed: bool,
    },
    Select,
    Store,
    ConstArray(SortId),
    Construct(Constructor),
    Field(Constructor, u32),
    Is(Constructor),
    Quant(Box<Quantifier>),
}

/// Binder of a quantified term. The arguments of the term are its body and then the terms of the
/// triggers, one trigger after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantifier {
    /// `forall` if true, `exists` otherwise.
    pub forall: bool,
    /// The bound variables.
    pub vars: Box<[FuncId]>,
    /// Number of terms in each trigger.
    pub triggers: Box<[u32]>,
}

/// A term as stored.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) args: Box<[TermId]>,
    pub(crate) sort: SortId,
    /// Longest path to a leaf; recursion budgets of foreign code are chosen by it.
    pub(crate) depth: u32,
    /// Height of the quantifier nest: 0 without quantifiers.
    pub(crate) binders: u32,
    /// Whether a bound variable occurs anywhere below.
    pub(crate) open: bool,
    /// Structural hash, independent of ids.
    pub(crate) hash: u64,
    /// One bit per class of symbols occurring below: a substitution skips what cannot change.
    pub(crate) symbols: u64,
}

impl Op {
    /// Whether the operator is a literal constant.
    pub fn is_literal(&self) -> bool {
        matches!(self, Op::True | Op::False | Op::Int(_) | Op::Real(_) | Op::Bits(_) | Op::Float(_))
    }

    /// Mixes in everything but ids, for which the caller supplies structural hashes.
    pub(crate) fn mix(
        &self,
        mixer: &mut Mixer,
        func: impl Fn(FuncId) -> u64,
        sort: impl Fn(SortId) -> u64,
        constructor: impl Fn(Constructor) -> u64,
    ) {
        std::mem::discriminant(self).hash(mixer);
        match self {
            Op::Int(n) => n.hash(mixer),
            Op::Real(q) => {
                q.numerator().hash(mixer);
                q.denominator().hash(mixer);
            }
            Op::Bits(b) => b.hash(mixer),
            Op::Float(value) => value.hash(mixer),
            Op::FpConvert(format) | Op::FpFromBits(format) => format.hash(mixer),
            Op::FpFromBv { format, signed } => (format, signed).hash(mixer),
            Op::FpToBv { width, signed } => (width, signed).hash(mixer),
            Op::App(f) => mixer.write_u64(func(*f)),
            Op::BvExtract { high, low } => {
                mixer.write_u32(*high);
                mixer.write_u32(*low);
            }
            Op::BvZeroExtend(n) | Op::BvSignExtend(n) | Op::IntToBv(n) => mixer.write_u32(*n),
            Op::BvMulOverflow { signed } => mixer.write_u8(u8::from(*signed)),
            Op::ConstArray(s) => mixer.write_u64(sort(*s)),
            Op::Construct(c) | Op::Is(c) => mixer.write_u64(constructor(*c)),
            Op::Field(c, i) => {
                mixer.write_u64(constructor(*c));
                mixer.write_u32(*i);
            }
            Op::Quant(q) => {
                mixer.write_u8(u8::from(q.forall));
                q.vars.iter().for_each(|v| mixer.write_u64(func(*v)));
                q.triggers.iter().for_each(|n| mixer.write_u32(*n));
            }
            _ => {}
        }
    }
}
