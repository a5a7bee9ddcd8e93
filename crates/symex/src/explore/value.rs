//! Scalars of a symbolic run: known, or terms of the solver.
//!
//! What is known never becomes a term: straight code on known values costs no hashing and no solving. A pointer is
//! an object and an offset; an address as a number exists only for pointers that lead nowhere.

use super::memory::ObjectId;
use crate::number::{Number, Range};
use exec::vm;
use ir::{FloatKind, FunctionId, IntKind};
use smt::{TermId, TermPool};

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Int(Integer),
    Float(Float),
    Pointer(Pointer),
}

/// An integer of a type of C.
#[derive(Clone, PartialEq, Debug)]
pub enum Integer {
    /// The mathematical value; `unsigned __int128` as its bit pattern.
    Concrete(IntKind, i128),
    /// A bit-vector of the width of the type.
    Symbolic(Number),
    /// A pointer that was converted to an integer of eight bytes and not computed with.
    Address(IntKind, Pointer),
}

/// A floating value.
#[derive(Clone, PartialEq, Debug)]
pub enum Float {
    Concrete(FloatKind, vm::Value),
    /// A term of the format of the type.
    Symbolic(FloatKind, TermId),
}

/// Where a pointer leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// Nowhere: the offset is an address. Null is zero.
    Nothing,
    Object(ObjectId),
    Function(FunctionId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    pub target: Target,
    pub offset: Offset,
    /// For a pointer that is an input: the truth value that says whether it is null.
    pub null: Option<TermId>,
}

/// A number of bytes: a known part, and a term of 64 bits that is a multiple of the stride.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Offset {
    pub known: i64,
    pub open: Option<Symbolic>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbolic {
    pub term: TermId,
    pub stride: u64,
    /// No path on which it is used gives it a value outside of these.
    pub low: i64,
    pub high: i64,
}

impl Symbolic {
    /// Of whose values nothing is known.
    pub fn any(term: TermId, stride: u64) -> Symbolic {
        Symbolic { term, stride, low: i64::MIN, high: i64::MAX }
    }
}

/// A condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Concrete(bool),
    Symbolic(TermId),
}

impl Truth {
    /// A term, with constants recognised.
    pub fn of(pool: &TermPool, term: TermId) -> Truth {
        match pool.op(term) {
            smt::Op::True => Truth::Concrete(true),
            smt::Op::False => Truth::Concrete(false),
            _ => Truth::Symbolic(term),
        }
    }

    pub fn term(self, pool: &TermPool) -> TermId {
        match self {
            Truth::Concrete(value) => pool.bool(value),
            Truth::Symbolic(term) => term,
        }
    }

    pub fn negated(self, pool: &TermPool) -> Truth {
        match self {
            Truth::Concrete(value) => Truth::Concrete(!value),
            Truth::Symbolic(term) => Truth::of(pool, pool.not(term)),
        }
    }
}

impl Offset {
    pub const ZERO: Offset = Offset { known: 0, open: None };

    pub fn known(bytes: i64) -> Offset {
        Offset { known: bytes, open: None }
    }

    pub fn plus(self, pool: &TermPool, other: Offset) -> Offset {
        let open = match (self.open, other.open) {
            (Some(a), Some(b)) => {
                let whole = Symbolic::any(pool.bv_add(a.term, b.term), greatest_common_divisor(a.stride, b.stride));
                // A sum that may wrap can be anything.
                let bounds = a.low.checked_add(b.low).zip(a.high.checked_add(b.high));
                Some(bounds.map_or(whole, |(low, high)| Symbolic { low, high, ..whole }))
            }
            (a, b) => a.or(b),
        };
        Offset { known: self.known.wrapping_add(other.known), open }
    }

    /// The whole as a term of 64 bits.
    pub fn term(self, pool: &TermPool) -> TermId {
        let known = pool.bits(64, self.known);
        self.open.map_or(known, |open| pool.bv_add(open.term, known))
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { greatest_common_divisor(b, a % b) }
}

impl Pointer {
    pub const NULL: Pointer = Pointer { target: Target::Nothing, offset: Offset::ZERO, null: None };

    pub fn to_object(object: ObjectId) -> Pointer {
        Pointer { target: Target::Object(object), offset: Offset::ZERO, null: None }
    }

    pub fn to_function(function: FunctionId) -> Pointer {
        Pointer { target: Target::Function(function), offset: Offset::ZERO, null: None }
    }

    /// A pointer made from a number.
    pub fn address(address: i64) -> Pointer {
        Pointer { target: Target::Nothing, offset: Offset::known(address), null: None }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> Truth {
        match (self.target, self.null) {
            (_, Some(null)) => Truth::Symbolic(null),
            (Target::Nothing, None) => Truth::Concrete(self.offset.known == 0),
            _ => Truth::Concrete(false),
        }
    }
}

impl Integer {
    pub fn kind(&self) -> IntKind {
        match self {
            Integer::Concrete(kind, _) | Integer::Address(kind, _) => *kind,
            Integer::Symbolic(number) => number.kind,
        }
    }

    pub fn known(&self) -> Option<i128> {
        if let Integer::Concrete(_, value) = self { Some(*value) } else { None }
    }

    pub fn range(&self) -> Range {
        match self {
            Integer::Concrete(IntKind::UInt128, value) => Range::point(*value as u128),
            Integer::Concrete(_, value) => Range::point(*value),
            Integer::Symbolic(number) => number.range.clone(),
            Integer::Address(kind, _) => Range::of(*kind),
        }
    }
}

impl Value {
    pub fn int(kind: IntKind, value: i128) -> Value {
        Value::Int(Integer::Concrete(kind, kind.wrap(value)))
    }

    pub fn double(value: f64) -> Value {
        Value::Float(Float::Concrete(FloatKind::Double, vm::Value::double(value)))
    }
}

impl Float {
    pub fn kind(&self) -> FloatKind {
        match self {
            Float::Concrete(kind, _) | Float::Symbolic(kind, _) => *kind,
        }
    }
}
