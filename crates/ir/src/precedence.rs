//! C's precedence levels, for whoever writes C: the larger a level, the tighter it binds.

use crate::expr::BinaryOp;

pub const CONDITIONAL: u8 = 1;
pub const OR: u8 = 2;
pub const AND: u8 = 3;
pub const BIT_OR: u8 = 4;
pub const BIT_XOR: u8 = 5;
pub const BIT_AND: u8 = 6;
pub const EQUALITY: u8 = 7;
pub const RELATION: u8 = 8;
pub const SHIFT: u8 = 9;
pub const SUM: u8 = 10;
pub const PRODUCT: u8 = 11;
pub const UNARY: u8 = 12;
pub const POSTFIX: u8 = 13;

impl BinaryOp {
    /// The level of the operator as C writes it.
    pub fn precedence(self) -> u8 {
        use BinaryOp::*;
        match self {
            Mul | Div | Rem => PRODUCT,
            Add | Sub | PointerAdd | PointerDiff => SUM,
            Shl | Shr => SHIFT,
            Lt | Le | Gt | Ge => RELATION,
            Eq | Ne => EQUALITY,
            BitAnd => BIT_AND,
            BitXor => BIT_XOR,
            BitOr => BIT_OR,
        }
    }
}
