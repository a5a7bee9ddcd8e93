//! Functions that relations may go through: partial arrays whose elements are computed when they are needed.
//!
//! *Source*: Nguyen 2017, §4.3.2: a function of n arguments is an n-dimensional array, known where it was observed.
//! *Departure*: the functions of the user's program may take and give whole arrays ([`UserFunction`]), which the
//! source leaves out (its category "others 3").

use super::table::Grid;

/// The functions that are always known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Builtin {
    Add,
    Sub,
    Mult,
    Xor,
    And,
    Or,
    Not,
    Mod,
    Div,
}

impl Builtin {
    pub const ALL: [Builtin; 9] = [
        Builtin::Add,
        Builtin::Sub,
        Builtin::Mult,
        Builtin::Xor,
        Builtin::And,
        Builtin::Or,
        Builtin::Not,
        Builtin::Mod,
        Builtin::Div,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Builtin::Add => "add",
            Builtin::Sub => "sub",
            Builtin::Mult => "mult",
            Builtin::Xor => "xor",
            Builtin::And => "and",
            Builtin::Or => "or",
            Builtin::Not => "not",
            Builtin::Mod => "mod",
            Builtin::Div => "div",
        }
    }

    /// The operator as C writes it; `not` comes before its operand.
    pub fn symbol(self) -> &'static str {
        match self {
            Builtin::Add => "+",
            Builtin::Sub => "-",
            Builtin::Mult => "*",
            Builtin::Xor => "^",
            Builtin::And => "&",
            Builtin::Or => "|",
            Builtin::Not => "~",
            Builtin::Mod => "%",
            Builtin::Div => "/",
        }
    }

    pub fn is_commutative(self) -> bool {
        matches!(self, Builtin::Add | Builtin::Mult | Builtin::Xor | Builtin::And | Builtin::Or)
    }

    /// The value as C gives it; `None` where there is none. `not` looks at its first argument only.
    #[inline]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Builtin::Add => a.checked_add(b),
            Builtin::Sub => a.checked_sub(b),
            Builtin::Mult => a.checked_mul(b),
            Builtin::Xor => Some(a ^ b),
            Builtin::And => Some(a & b),
            Builtin::Or => Some(a | b),
            Builtin::Not => Some(!a),
            Builtin::Mod => a.checked_rem(b),
            Builtin::Div => a.checked_div(b),
        }
    }
}

/// A value that a function of the user's takes.
#[derive(Clone, PartialEq, Debug)]
pub enum Given {
    Scalar(i64),
    Array(Grid),
}

/// What a function of the user's takes for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Takes {
    Scalar,
    /// An array that it reads.
    Array(Vec<usize>),
    /// An array that it only writes.
    Result(Vec<usize>),
}

/// What a call gave.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Gave {
    pub value: Option<i64>,
    /// The arrays that it wrote, in the order of the parameters that are [`Takes::Result`].
    pub arrays: Vec<Grid>,
}

/// A function of the user's program.
pub trait UserFunction: Sync + Send {
    fn name(&self) -> &str;
    fn takes(&self) -> &[Takes];
    /// Whether it returns a number.
    fn returns(&self) -> bool;
    /// Calls it; one value for each parameter that is not a result. `None` if the call does not come back.
    fn call(&self, given: &[Given]) -> Option<Gave>;
}

#[cfg(test)]
mod tests {
    use super::Builtin;
    use ir::{BinaryOp, IntKind, arith};

    /// On the operands that matter each function has the value that C gives its operator, and none where C gives none.
    #[test]
    fn functions_have_the_meaning_of_their_operators() {
        for function in Builtin::ALL {
            let op = match function {
                Builtin::Add => BinaryOp::Add,
                Builtin::Sub => BinaryOp::Sub,
                Builtin::Mult => BinaryOp::Mul,
                Builtin::Xor => BinaryOp::BitXor,
                Builtin::And => BinaryOp::BitAnd,
                Builtin::Or => BinaryOp::BitOr,
                Builtin::Mod => BinaryOp::Rem,
                Builtin::Div => BinaryOp::Div,
                Builtin::Not => {
                    for a in ir::arbitrary::borders(IntKind::Long) {
                        let value = function.apply(a as i64, 0).map(i128::from);
                        assert_eq!(value, Some(arith::complement(IntKind::Long, a)), "~{a}");
                    }
                    continue;
                }
            };
            for a in ir::arbitrary::borders(IntKind::Long) {
                for b in ir::arbitrary::borders(IntKind::Long) {
                    let meant = arith::binary(op, IntKind::Long, a, IntKind::Long, b).ok();
                    assert_eq!(function.apply(a as i64, b as i64).map(i128::from), meant, "{a} {op:?} {b}");
                }
            }
        }
    }
}
