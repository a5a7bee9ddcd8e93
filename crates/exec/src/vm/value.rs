//! Scalar values in registers.
//!
//! A register is 64 bits. An integer of up to 64 bits is kept *canonical*: sign-extended if its type is signed,
//! zero-extended if not, so that widening conversions cost nothing and all widths compare with one instruction. A
//! `float` is its 32 bits zero-extended, a `double` its 64 bits, a pointer its address. 128-bit integers and
//! `long double` take two registers, the low half first.

use crate::memory::Address;
use ir::arith::{Float, bit_field};
use ir::{FloatKind, IntKind};

pub use ir::arith::Class;

/// A scalar value of any class, as its registers hold it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Value(pub u128);

impl Value {
    /// The value of a call that gives none.
    pub const NONE: Value = Value(0);

    pub fn from_registers(low: u64, high: u64) -> Value {
        Value(u128::from(low) | u128::from(high) << 64)
    }

    /// The canonical value of what memory holds, given as zero-extended little-endian bits.
    pub fn from_memory(class: Class, bits: u128) -> Value {
        match class {
            Class::Int(kind) if kind.is_signed() => Value(bit_field(kind, kind.bits(), bits as i128) as u128),
            _ => Value(bits),
        }
    }

    pub fn low(self) -> u64 {
        self.0 as u64
    }

    pub fn high(self) -> u64 {
        (self.0 >> 64) as u64
    }

    /// A signed integer of up to 64 bits.
    pub fn signed(value: i64) -> Value {
        Value(u128::from(value as u64))
    }

    /// An unsigned integer of up to 64 bits.
    pub fn unsigned(value: u64) -> Value {
        Value(u128::from(value))
    }

    /// An integer of the given type; the value is converted as C converts it.
    pub fn int(kind: IntKind, value: i128) -> Value {
        let value = kind.wrap(value);
        if kind.bytes() == 16 { Value(value as u128) } else { Value::unsigned(value as u64) }
    }

    pub fn pointer(address: Address) -> Value {
        Value::unsigned(address.0)
    }

    pub fn float(value: f32) -> Value {
        Value::unsigned(u64::from(value.to_bits()))
    }

    pub fn double(value: f64) -> Value {
        Value::unsigned(value.to_bits())
    }

    /// A `long double`: the 80 bits of the x87 format.
    pub fn extended(bits: u128) -> Value {
        Value(bits & ((1 << 80) - 1))
    }

    pub fn as_i32(self) -> i32 {
        self.0 as i32
    }

    pub fn as_u32(self) -> u32 {
        self.0 as u32
    }

    pub fn as_i64(self) -> i64 {
        self.0 as i64
    }

    pub fn as_u64(self) -> u64 {
        self.0 as u64
    }

    pub fn as_pointer(self) -> Address {
        Address(self.low())
    }

    pub fn as_float(self) -> f32 {
        f32::from_bits(self.0 as u32)
    }

    pub fn as_double(self) -> f64 {
        f64::from_bits(self.low())
    }

    /// The bits of a `long double`.
    pub fn as_extended(self) -> u128 {
        self.0 & ((1 << 80) - 1)
    }

    /// A floating value of any type.
    pub fn floating(value: Float) -> Value {
        match value {
            Float::Single(value) => Value::float(value),
            Float::Double(value) => Value::double(value),
            Float::Extended(bits) => Value::extended(bits),
        }
    }

    pub fn as_floating(self, kind: FloatKind) -> Float {
        match kind {
            FloatKind::Float => Float::Single(self.as_float()),
            FloatKind::Double => Float::Double(self.as_double()),
            FloatKind::Extended => Float::Extended(self.as_extended()),
        }
    }

    /// The mathematical value of an integer of this type (`unsigned __int128` as its bit pattern).
    pub fn as_int(self, kind: IntKind) -> i128 {
        match (kind.bytes(), kind.is_signed()) {
            (16, _) => self.0 as i128,
            (_, true) => i128::from(self.as_i64()),
            (_, false) => i128::from(self.as_u64()),
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
