//! Where the evaluation of a program may be undefined: one walk over expressions, lvalues and statements.
//!
//! *Question*: at which places does C ask something of the values at hand, and what?
//!
//! The walk knows no values. It lists every operation that has an undefined case, in whatever position it stands:
//! inside returns, arguments, conditions, indices, the left sides of assignments, behind `&&`, `||` and `?:`. An engine
//! that reasons about values decides of each site whether the case can arise; a site that it does not decide is open.
//! So an engine that overlooks a position says "unknown" there, and never nothing.
//!
//! ```text
//! return a[i] / n;      index of a[i], value of a[i], division by n, overflow of the division
//! ```
//!
//! *Guarantee*: whatever rule the VM reports inside a function, a site of that function covers the place. Two kinds of
//! fault are no sites of an expression: the end of a function that should have returned a value, and what an
//! assertion says.

use crate::arith::{Case, undefined_cases};
use crate::ctype::{IntKind, Types};
use crate::expr::{Base, BinaryOp, Expr, ExprKind, Lvalue, Step, UnaryOp};
use crate::program::{Function, Program};
use crate::stmt::{Callee, Intrinsic, Stmt, StmtKind};
use diagnostics::Span;

/// What C asks of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Hazard {
    /// A signed result is a value of its type.
    Overflow,
    DivisionByZero,
    /// The amount is less than the width, and a signed value that is shifted left keeps its value.
    Shift,
    /// A floating value that is converted to an integer fits.
    Conversion,
    /// An index is less than the length of its array.
    Index,
    /// A pointer that is followed leads to a live object of the type.
    Access,
    /// A pointer that is moved stays within its object.
    PointerArithmetic,
    /// Pointers that are subtracted or ordered lead into one object.
    PointerComparison,
    /// What is read was written before.
    Initialised,
    /// An array of variable length has a length.
    Length,
    /// A call agrees with what it calls, and its arguments with what a library function asks.
    Call,
    /// A call whose result is used returns one.
    Return,
}

impl Hazard {
    /// What an operator on integers may break, whatever their types.
    pub fn of(op: BinaryOp) -> Vec<Hazard> {
        // Signed types have all the cases that the others have.
        Hazard::of_type(op, IntKind::Int)
    }

    /// What an operator on integers of that type may break.
    fn of_type(op: BinaryOp, kind: IntKind) -> Vec<Hazard> {
        let mut hazards: Vec<Hazard> = undefined_cases(op, kind).iter().map(|&case| Hazard::from(case)).collect();
        hazards.dedup();
        hazards
    }
}

impl From<Case> for Hazard {
    fn from(case: Case) -> Hazard {
        match case {
            Case::Overflow | Case::QuotientOverflow => Hazard::Overflow,
            Case::ZeroDivisor => Hazard::DivisionByZero,
            Case::ShiftAmount | Case::LeftShift => Hazard::Shift,
            Case::Unrepresentable => Hazard::Conversion,
        }
    }
}

/// A node of a program by its address: two nodes that look alike are two places. It is meaningful as long as the
/// program is borrowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeKey(usize);

impl NodeKey {
    pub fn of<T>(node: &T) -> NodeKey {
        NodeKey(std::ptr::from_ref(node) as usize)
    }
}

/// A place where evaluation may be undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    pub hazard: Hazard,
    /// The operation itself; for [`Hazard::Access`] the pointer, for [`Hazard::Index`] the index, for
    /// [`Hazard::Initialised`] the load, for [`Hazard::Call`] and [`Hazard::Length`] the statement.
    pub key: NodeKey,
    pub span: Span,
}

/// The sites of the statement itself, not those of the blocks inside, in the order of evaluation.
pub fn of_statement(program: &Program, function: &Function, stmt: &Stmt) -> Vec<Site> {
    let mut walk = Walk { types: &program.types, sites: Vec::new() };
    match &stmt.kind {
        StmtKind::Assign { target, value } => {
            walk.expr(value);
            walk.lvalue(target, true);
        }
        StmtKind::Zero(target) => walk.lvalue(target, true),
        StmtKind::Call { result, callee, args } => {
            args.iter().for_each(|arg| walk.expr(arg));
            if let Callee::Pointer(pointer) = callee {
                walk.expr(pointer);
            }
            if asks_something(program, callee, args) {
                walk.add_stmt(Hazard::Call, stmt);
            }
            if let Some(result) = result {
                walk.lvalue(result, true);
            }
        }
        StmtKind::Live(local) => {
            if !program.types.variable_lengths(function.locals[*local].ty).is_empty() {
                walk.add_stmt(Hazard::Length, stmt);
            }
        }
        _ => stmt.exprs().into_iter().for_each(|expr| walk.expr(expr)),
    }
    walk.sites
}

/// The sites of an lvalue that is written, in the order of evaluation.
pub fn of_target(types: &Types, target: &Lvalue) -> Vec<Site> {
    let mut walk = Walk { types, sites: Vec::new() };
    walk.lvalue(target, true);
    walk.sites
}

/// The sites of an expression, in the order of evaluation.
pub fn of_expression(types: &Types, expr: &Expr) -> Vec<Site> {
    let mut walk = Walk { types, sites: Vec::new() };
    walk.expr(expr);
    walk.sites
}

/// Whether the evaluation does anything that can be undefined, besides reading variables.
pub fn may_fail(types: &Types, expr: &Expr) -> bool {
    of_expression(types, expr).iter().any(|site| site.hazard != Hazard::Initialised)
}

/// Whether a call can be wrong in itself: what it calls may be no function of that type, or may ask something of its
/// arguments. Which library functions ask nothing is for those to say who know them.
fn asks_something(program: &Program, callee: &Callee, args: &[Expr]) -> bool {
    match callee {
        Callee::Function(id) => {
            let function = &program.functions[*id];
            let params = function.params.iter().map(|param| function.locals[*param].ty);
            let fits = function.params.len() == args.len()
                && params.zip(args).all(|(param, arg)| program.types.matches(param, arg.ty));
            function.body.is_none() || !fits
        }
        Callee::Pointer(_) => true,
        Callee::Intrinsic(intrinsic) => *intrinsic != Intrinsic::Nondet,
    }
}

struct Walk<'t> {
    types: &'t Types,
    sites: Vec<Site>,
}

impl Walk<'_> {
    fn add(&mut self, hazard: Hazard, node: &Expr) {
        self.sites.push(Site { hazard, key: NodeKey::of(node), span: node.span });
    }

    fn add_stmt(&mut self, hazard: Hazard, stmt: &Stmt) {
        self.sites.push(Site { hazard, key: NodeKey::of(stmt), span: stmt.span });
    }

    fn is_signed(&self, expr: &Expr) -> bool {
        self.types.int_kind(expr.ty).is_some_and(|kind| kind.is_signed())
    }

    fn expr(&mut self, expr: &Expr) {
        // Expressions come from users' programs; their height is limited where they are made.
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_) => {}
            ExprKind::Load(lvalue) => {
                self.lvalue(lvalue, true);
                // Static objects start with a value.
                if !matches!(lvalue.base, Base::Global(_)) {
                    self.add(Hazard::Initialised, expr);
                }
            }
            ExprKind::AddressOf(lvalue) => self.lvalue(lvalue, false),
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                if *op == UnaryOp::Neg && self.is_signed(expr) {
                    self.add(Hazard::Overflow, expr);
                }
            }
            ExprKind::Binary(op, left, right) => {
                self.expr(left);
                self.expr(right);
                self.binary(*op, left, expr);
            }
            ExprKind::Logical(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, then, other) => {
                self.expr(condition);
                self.expr(then);
                self.expr(other);
            }
            ExprKind::Convert { value, .. } => {
                self.expr(value);
                let from_float = self.types.float_kind(value.ty).is_some();
                if from_float && self.types.int_kind(expr.ty).is_some_and(|kind| kind != crate::IntKind::Bool) {
                    self.add(Hazard::Conversion, expr);
                }
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, expr: &Expr) {
        match op {
            BinaryOp::PointerAdd => self.add(Hazard::PointerArithmetic, expr),
            BinaryOp::PointerDiff => self.add(Hazard::PointerComparison, expr),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge if self.types.is_pointer(left.ty) => {
                self.add(Hazard::PointerComparison, expr);
            }
            _ => {
                let kind = self.types.int_kind(expr.ty);
                for hazard in kind.map(|kind| Hazard::of_type(op, kind)).unwrap_or_default() {
                    self.add(hazard, expr);
                }
            }
        }
    }

    fn lvalue(&mut self, lvalue: &Lvalue, accessed: bool) {
        if let Base::Deref(pointer) = &lvalue.base {
            self.expr(pointer);
            // `&*p` follows nothing, `&p->member` does.
            if accessed || !lvalue.path.is_empty() {
                self.add(Hazard::Access, pointer);
            }
        }
        for step in &lvalue.path {
            if let Step::Index(index) = step {
                self.expr(index);
                self.add(Hazard::Index, index);
            }
        }
    }
}
