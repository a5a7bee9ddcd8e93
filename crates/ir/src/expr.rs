//! Expressions: typed, without side effects, and the lvalues they read.
//!
//! *Evaluation* may still fail: a division by zero, a signed overflow, a load through a bad pointer are undefined
//! behaviour that engines report. For that reason `Logical` and `Conditional` evaluate only the operands that C
//! evaluates, in C's order.

use crate::ctype::TypeId;
use crate::program::{FunctionId, GlobalId, LocalId};
use diagnostics::Span;

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A value of the integer type `ty`. A pointer constant is an `Int` under a `Convert`.
    /// Values of `unsigned __int128` are stored as their bit pattern.
    Int(i128),
    /// A value of type `float` or `double`; a `float`'s value is exact in the `f64`.
    Float(f64),
    /// A value of type `long double`: the 80 bits of the x87 format.
    Extended(u128),
    /// The value of an object: scalar, or a whole record or array where one is copied.
    Load(Lvalue),
    /// The address of an object. Arrays decay as the address of their element 0.
    AddressOf(Lvalue),
    /// The address of a function.
    Function(FunctionId),
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have the type the operation is done in (see [`BinaryOp`]).
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`, `a || b`: scalar operands, an `int` result, the right operand evaluated only if needed.
    Logical(LogicalOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`: only the chosen operand is evaluated. Both have type `ty`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A conversion to `ty`; `explicit` when the user wrote a cast.
    Convert {
        value: Box<Expr>,
        explicit: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnaryOp {
    /// Arithmetic negation; overflow of a signed type is undefined.
    Neg,
    /// Bitwise complement.
    Complement,
    /// `!e`: 1 if the scalar equals zero, else 0; of type `int`.
    Not,
}

/// Arithmetic and bitwise operators take two operands of the result's type. Comparisons take two operands of one
/// scalar type and give an `int`. Shifts take integers of any two types and give the left one's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Pointer plus integer (of type `long`), counted in elements.
    PointerAdd,
    /// Difference of two pointers in elements, a `long`.
    PointerDiff,
}

impl BinaryOp {
    /// Arithmetic, bitwise operators and shifts.
    pub const ARITHMETIC: [BinaryOp; 10] = {
        use BinaryOp::*;
        [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr]
    };
    pub const COMPARISONS: [BinaryOp; 6] = {
        use BinaryOp::*;
        [Eq, Ne, Lt, Le, Gt, Ge]
    };
    /// All that take two numbers.
    pub const NUMERIC: [BinaryOp; 16] = {
        use BinaryOp::*;
        [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge]
    };

    /// The comparison that holds of two integers exactly if this one does not; of floating values, which may be
    /// unordered, only `==` and `!=` have one. What is no comparison stays.
    pub fn negated(self) -> BinaryOp {
        use BinaryOp::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Lt => Ge,
            Le => Gt,
            Gt => Le,
            Ge => Lt,
            other => other,
        }
    }

    /// The comparison that holds of `b` and `a` exactly if this one holds of `a` and `b`. What is no comparison stays.
    pub fn mirrored(self) -> BinaryOp {
        use BinaryOp::*;
        match self {
            Lt => Gt,
            Le => Ge,
            Gt => Lt,
            Ge => Le,
            other => other,
        }
    }

    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// The operator as C writes it.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add | PointerAdd => "+",
            Sub | PointerDiff => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            BitAnd => "&",
            BitOr => "|",
            BitXor => "^",
            Shl => "<<",
            Shr => ">>",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LogicalOp {
    And,
    Or,
}

/// An object, or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Lvalue {
    pub base: Base,
    pub path: Vec<Step>,
    /// The type of the designated object.
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Base {
    Local(LocalId),
    Global(GlobalId),
    /// What the pointer points to, as the pointee type of its type.
    Deref(Box<Expr>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// The field with this index in the record's list.
    Field(u32),
    /// The element of an array; the index has type `long`.
    Index(Expr),
}

impl Expr {
    pub fn new(kind: ExprKind, ty: TypeId, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    pub fn int(value: i128, ty: TypeId, span: Span) -> Expr {
        Expr::new(ExprKind::Int(value), ty, span)
    }

    pub fn load(lvalue: Lvalue) -> Expr {
        Expr { ty: lvalue.ty, span: lvalue.span, kind: ExprKind::Load(lvalue) }
    }

    /// The immediate sub-expressions, in evaluation order, those inside lvalues included.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_) => Vec::new(),
            ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => lvalue.children(),
            ExprKind::Unary(_, a) | ExprKind::Convert { value: a, .. } => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Logical(_, a, b) => vec![a, b],
            ExprKind::Conditional(c, a, b) => vec![c, a, b],
        }
    }

    /// As [`Expr::children`], open to change.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_) => Vec::new(),
            ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => lvalue.children_mut(),
            ExprKind::Unary(_, a) | ExprKind::Convert { value: a, .. } => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Logical(_, a, b) => vec![a, b],
            ExprKind::Conditional(c, a, b) => vec![c, a, b],
        }
    }

    /// Calls `visit` on this expression and everything inside it, outermost first. Nothing is allocated.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_) => {}
            ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => lvalue.walk(visit),
            ExprKind::Unary(_, a) | ExprKind::Convert { value: a, .. } => a.walk(visit),
            ExprKind::Binary(_, a, b) | ExprKind::Logical(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::Conditional(c, a, b) => {
                c.walk(visit);
                a.walk(visit);
                b.walk(visit);
            }
        }
    }
}

impl Lvalue {
    pub fn local(id: LocalId, ty: TypeId, span: Span) -> Lvalue {
        Lvalue { base: Base::Local(id), path: Vec::new(), ty, span }
    }

    pub fn global(id: GlobalId, ty: TypeId, span: Span) -> Lvalue {
        Lvalue { base: Base::Global(id), path: Vec::new(), ty, span }
    }

    /// The local itself, if the lvalue is one as a whole.
    pub fn as_local(&self) -> Option<LocalId> {
        match self.base {
            Base::Local(id) if self.path.is_empty() => Some(id),
            _ => None,
        }
    }

    /// Calls `visit` on every expression inside.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        if let Base::Deref(pointer) = &self.base {
            pointer.walk(visit);
        }
        for step in &self.path {
            if let Step::Index(index) = step {
                index.walk(visit);
            }
        }
    }

    /// The expressions inside: the pointer, then the indices.
    pub fn children(&self) -> Vec<&Expr> {
        let mut children = Vec::new();
        if let Base::Deref(pointer) = &self.base {
            children.push(&**pointer);
        }
        children.extend(self.path.iter().filter_map(|step| match step {
            Step::Index(index) => Some(index),
            Step::Field(_) => None,
        }));
        children
    }

    /// As [`Lvalue::children`], open to change.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        let mut children = Vec::new();
        if let Base::Deref(pointer) = &mut self.base {
            children.push(&mut **pointer);
        }
        children.extend(self.path.iter_mut().filter_map(|step| match step {
            Step::Index(index) => Some(index),
            Step::Field(_) => None,
        }));
        children
    }
}

#[cfg(test)]
mod tests {
    use super::BinaryOp;
    use crate::IntKind;
    use crate::arith::compare;

    #[test]
    fn the_lists_of_operators_are_complete() {
        let numeric = BinaryOp::ARITHMETIC.into_iter().chain(BinaryOp::COMPARISONS);
        assert!(numeric.clone().eq(BinaryOp::NUMERIC));
        let all = numeric.chain([BinaryOp::PointerAdd, BinaryOp::PointerDiff]);
        // In the order of their declaration, so that one that is left out makes a gap.
        assert!(all.enumerate().all(|(index, op)| op as usize == index));
        assert!(BinaryOp::NUMERIC.into_iter().all(|op| op.is_comparison() == BinaryOp::COMPARISONS.contains(&op)));
    }

    #[test]
    fn comparisons_are_negated_and_mirrored() {
        for op in BinaryOp::COMPARISONS {
            for (a, b) in [(1, 2), (2, 2), (3, 2)] {
                let holds = compare(op, IntKind::Int, a, b);
                assert_eq!(compare(op.negated(), IntKind::Int, a, b), !holds, "not {a} {op:?} {b}");
                assert_eq!(compare(op.mirrored(), IntKind::Int, b, a), holds, "{a} {op:?} {b}");
            }
        }
    }
}
