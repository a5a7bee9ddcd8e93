//! Values of a program's variables, and where a predicate finds them.

use ir::{FloatKind, IntKind};

/// A scalar value of a program, as a mathematical number of its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar {
    /// Any integer type; pointers never occur. `unsigned __int128` as its bit pattern.
    Int(i128),
    Float(f64),
}

/// Gives variables values: a row of a trace, a model of the solver.
pub trait Valuation {
    /// The value of the variable of that name; an element of an array by its text, `A[1][2]`.
    fn value_of(&self, name: &str) -> Option<Scalar>;
}

/// The integer that a text is: a sign or none, then decimal digits, or `0x` and hexadecimal ones.
pub fn parse_integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    // The standard library would take a second sign.
    let is_number = digits.starts_with(|c: char| c.is_digit(radix));
    is_number.then(|| i128::from_str_radix(digits, radix).ok()).flatten().map(|value| sign * value)
}

/// The C type of a recorded value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ValueType {
    Int(IntKind),
    Float(FloatKind),
}

impl ValueType {
    /// How many cells a value takes: two for 128-bit integers, else one.
    pub fn cells(self) -> usize {
        match self {
            ValueType::Int(kind) if kind.bytes() == 16 => 2,
            _ => 1,
        }
    }

    pub fn is_int(self) -> bool {
        matches!(self, ValueType::Int(_))
    }

    /// The name in C.
    pub fn c_name(self) -> &'static str {
        match self {
            ValueType::Int(kind) => kind.c_name(),
            ValueType::Float(kind) => kind.c_name(),
        }
    }

    /// The scalar type of an IR type; `None` for pointers, records and the like.
    pub fn of(types: &ir::Types, ty: ir::TypeId) -> Option<ValueType> {
        let int = types.int_kind(ty).map(ValueType::Int);
        int.or_else(|| types.float_kind(ty).map(ValueType::Float))
    }

    /// Appends the cells of a value. An integer is converted to the type as C converts it; a floating value given
    /// for an integer (or the other way round) is converted too, since a caller may hold only one of the two.
    pub fn encode(self, value: Scalar, out: &mut Vec<u64>) {
        match (self, value) {
            (ValueType::Int(kind), value) => {
                let int = kind.wrap(match value {
                    Scalar::Int(int) => int,
                    Scalar::Float(float) => float as i128,
                });
                out.push(int as u64);
                if self.cells() == 2 {
                    out.push((int as u128 >> 64) as u64);
                }
            }
            (ValueType::Float(_), Scalar::Float(float)) => out.push(float.to_bits()),
            (ValueType::Float(_), Scalar::Int(int)) => out.push((int as f64).to_bits()),
        }
    }

    /// Reads a value from its cells, of which there must be [`ValueType::cells`].
    pub fn decode(self, cells: &[u64]) -> Scalar {
        match self {
            ValueType::Float(_) => Scalar::Float(f64::from_bits(cells[0])),
            ValueType::Int(_) if self.cells() == 2 => {
                Scalar::Int((cells[0] as u128 | (cells[1] as u128) << 64) as i128)
            }
            ValueType::Int(kind) if kind.is_signed() => Scalar::Int(cells[0] as i64 as i128),
            ValueType::Int(_) => Scalar::Int(cells[0] as i128),
        }
    }
}

/// A variable of a point. The name may be any expression text, such as `p->next`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: ValueType,
}

impl Variable {
    pub fn new(name: impl Into<String>, ty: ValueType) -> Variable {
        Variable { name: name.into(), ty }
    }

    /// A variable of type `int`.
    pub fn int(name: impl Into<String>) -> Variable {
        Variable::new(name, ValueType::Int(IntKind::Int))
    }

    /// A variable of type `double`.
    pub fn double(name: impl Into<String>) -> Variable {
        Variable::new(name, ValueType::Float(FloatKind::Double))
    }
}
