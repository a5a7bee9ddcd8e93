//! Operators and conversions on registers: [`ir::arith`] for values as the VM holds them.
//!
//! The specialised instructions do the same on the types that matter, without this; when one of them finds that its
//! operation is undefined it comes here for the explanation, and tests compare the two.

use super::value::{Class, Value};
use crate::memory::{Checked, Fault};
use ir::arith::{Scalar, Undefined};
use ir::{BinaryOp, UnaryOp};

impl From<Box<Undefined>> for Box<Fault> {
    fn from(undefined: Box<Undefined>) -> Box<Fault> {
        Fault::new(undefined.rule(), undefined.to_string())
    }
}

/// `op value`.
pub fn unary(op: UnaryOp, class: Class, value: Value) -> Checked<Value> {
    Ok(Value::from(value.scalar(class).unary(op)?))
}

/// `left op right`, no pointer arithmetic; the right operand of a shift may be of another class than the left.
pub fn binary(op: BinaryOp, class: Class, left: Value, right_class: Class, right: Value) -> Checked<Value> {
    Ok(Value::from(left.scalar(class).binary(op, right.scalar(right_class))?))
}

/// C's conversion of a scalar from one class to another.
pub fn convert(from: Class, to: Class, value: Value) -> Checked<Value> {
    Ok(Value::from(value.scalar(from).convert(to)?))
}

/// Whether a scalar counts as true.
pub fn is_true(class: Class, value: Value) -> bool {
    value.scalar(class).is_true()
}

impl Value {
    /// What the registers hold, as a value of the class.
    pub fn scalar(self, class: Class) -> Scalar {
        match class {
            Class::Int(kind) => Scalar::Int(kind, self.as_int(kind)),
            Class::Float(kind) => Scalar::Float(self.as_floating(kind)),
            Class::Pointer => Scalar::Pointer(self.low()),
        }
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Value {
        match scalar {
            Scalar::Int(kind, value) => Value::int(kind, value),
            Scalar::Float(value) => Value::floating(value),
            Scalar::Pointer(address) => Value::unsigned(address),
        }
    }
}
