//! Atomic operations, `__sync_…` and `__atomic_…`, and accesses of `_Atomic` objects.
//!
//! In a program of one thread they are plain ones. Where threads are followed ([`ir::DataModel::threads`]) each stands between
//! two calls of [`MARK`], which say what order the accesses in between make; nothing else happens there.
//!
//! Types keep no `_Atomic`. Variables with linkage are known by their declaration. A member, or what a pointer leads to, counts
//! as atomic if the unit declares such a member or pointer of that type: what is atomic is never taken for plain, and some
//! plain accesses may be taken for atomic.

use super::declarator::Qual;
use super::lvalue::{Operand, Place};
use super::scope::Symbol;
use super::{Lowered, Lowerer};
use crate::order::Deed;
use diagnostics::Span;
use ir::{BinaryOp, Callee, Expr, ExprKind, IntKind, Linkage, Signature, StmtKind, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

/// The function whose calls stand around atomic accesses: what begins or ends, and the memory order.
const MARK: &str = "__plumb_atomic";

/// What a mark says.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    Begin = 0,
    End = 1,
    Fence = 2,
}

/// `memory_order_seq_cst`.
const SEQUENTIAL: i128 = 5;

impl Lowerer<'_, '_> {
    fn atomic_mark(&mut self, mark: Mark, order: Option<Expr>, span: Span) {
        if !self.program.data.threads {
            return;
        }
        let (int, void) = (self.program.types.int(IntKind::Int), self.program.types.void());
        let function = match self.linked.get(MARK) {
            Some(&id) => self.function_of(id),
            None => {
                let signature =
                    Signature { result: void, params: vec![int, int], variadic: false, unprototyped: false };
                let ty = self.types().intern(Type::Function(signature));
                let id = self.add_symbol(Symbol::declared(MARK, Qual::plain(ty), Linkage::External, span));
                self.function_of(id)
            }
        };
        let order = order.unwrap_or_else(|| Expr::int(SEQUENTIAL, int, span));
        let args = vec![Expr::int(mark as i128, int, span), order];
        self.emit(StmtKind::Call { result: None, callee: Callee::Function(function), args }, span);
    }

    /// What `work` emits is one atomic operation.
    pub(super) fn atomically<T>(
        &mut self,
        order: Option<Expr>,
        span: Span,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if self.inside_atomic {
            return work(self);
        }
        self.atomic_mark(Mark::Begin, order, span);
        self.inside_atomic = true;
        let done = work(self);
        self.inside_atomic = false;
        self.atomic_mark(Mark::End, None, span);
        done
    }

    /// The memory order that an argument names.
    fn order_of(&mut self, node: Option<&Node<Expression>>) -> Lowered<Option<Expr>> {
        let (Some(node), true) = (node, self.program.data.threads) else { return Ok(None) };
        let order = self.rvalue(node)?;
        let int = self.program.types.int(IntKind::Int);
        let order = self.convert(order, int, true);
        Ok(Some(self.reusable(order)))
    }

    /// The byte that an atomic flag is.
    fn flag_of(&mut self, node: &Node<Expression>, span: Span) -> Lowered<Place> {
        let pointer = self.rvalue(node)?;
        let byte = self.program.types.int(IntKind::UChar);
        let ty = self.types().pointer(byte);
        let pointer = Expr::new(ExprKind::Convert { value: Box::new(pointer), explicit: true }, ty, span);
        let pointer = self.reusable(pointer);
        match self.deref(pointer, span)? {
            Operand::Place(place) => Ok(place),
            _ => self.fail(span, "an atomic flag needs a pointer"),
        }
    }

    fn target_of(&mut self, node: &Node<Expression>, span: Span) -> Lowered<Place> {
        let pointer = self.rvalue(node)?;
        let pointer = self.reusable(pointer);
        match self.deref(pointer, span)? {
            Operand::Place(place) if self.program.types.is_scalar(place.lvalue.ty) => Ok(place),
            Operand::Place(_) => self.unsupported("an atomic operation on a record"),
            _ => self.fail(span, "an atomic operation needs a pointer to an object"),
        }
    }

    /// Reads the object, applies the operator, writes it back; the old or the new value is the result.
    fn read_modify_write(
        &mut self,
        op: Option<BinaryOp>,
        old: bool,
        pointer: &Node<Expression>,
        value: &Node<Expression>,
        order: Option<&Node<Expression>>,
        span: Span,
    ) -> Lowered<Operand> {
        let (start, from) = (self.mark(), self.noted());
        let place = self.target_of(pointer, span)?;
        let (mark, middle) = (self.mark(), self.noted());
        let value = self.rvalue(value)?;
        let order = self.order_of(order)?;
        let place = self.keep_place(place, mark);
        self.unordered(start, from..middle, middle..self.noted(), span);
        self.sequence_point(from);
        self.note_write(&place.lvalue, span);
        let ty = place.lvalue.ty;
        let value = self.reusable(value);
        let stores = op.is_none() && !old;
        self.atomically(order, span, |this| {
            // A store reads nothing.
            let before = if stores { value.clone() } else { this.spill(Expr::load(place.lvalue.clone())) };
            let after = match op {
                None => value,
                Some(op) => this.operate(op, before.clone(), value, span)?,
            };
            // Atomic arithmetic wraps, whatever the type.
            let after = this.convert(after, ty, true);
            let after = this.spill(after);
            this.emit(StmtKind::Assign { target: place.lvalue, value: after.clone() }, span);
            Ok(Operand::Value(if old { before } else { after }))
        })
    }

    /// Compares the object with what is expected and stores if they are the same: whether they were, and what was there.
    fn compare_and_swap(
        &mut self,
        pointer: &Node<Expression>,
        expected: Expr,
        value: Expr,
        order: Option<Expr>,
        span: Span,
    ) -> Lowered<(Expr, Expr)> {
        let (expected, value) = (self.reusable(expected), self.reusable(value));
        let place = self.target_of(pointer, span)?;
        self.note_write(&place.lvalue, span);
        let ty = place.lvalue.ty;
        let expected = self.assign_convert(expected, ty, "argument 2")?;
        let value = self.assign_convert(value, ty, "argument 3")?;
        self.atomically(order, span, |this| {
            let before = this.spill(Expr::load(place.lvalue.clone()));
            let same = this.operate(BinaryOp::Eq, before.clone(), expected, span)?;
            let same = this.spill(same);
            let store = ir::Stmt::new(StmtKind::Assign { target: place.lvalue, value }, span);
            let then = ir::Block { locals: Vec::new(), stmts: vec![store] };
            this.emit(StmtKind::If { cond: same.clone(), then, otherwise: ir::Block::default() }, span);
            Ok((same, before))
        })
    }

    /// What the pointer that is an argument leads to.
    fn behind(&mut self, node: &Node<Expression>, span: Span) -> Lowered<(Place, Expr)> {
        let place = self.target_of(node, span)?;
        let value = self.spill(Expr::load(place.lvalue.clone()));
        Ok((place, value))
    }

    pub(super) fn sync_call(&mut self, name: &str, args: &[Node<Expression>], span: Span) -> Lowered<Option<Operand>> {
        match (name, args) {
            ("synchronize", _) => {
                self.atomic_mark(Mark::Fence, None, span);
                Ok(Some(self.void_value(span)))
            }
            ("lock_test_and_set", [p, v, ..]) => self.read_modify_write(None, true, p, v, None, span).map(Some),
            ("lock_release", [p, ..]) if self.program.data.threads => {
                let place = self.target_of(p, span)?;
                self.note_write(&place.lvalue, span);
                let int = self.program.types.int(IntKind::Int);
                let zero = self.convert(Expr::int(0, int, span), place.lvalue.ty, true);
                self.atomically(None, span, |this| {
                    this.emit(StmtKind::Assign { target: place.lvalue, value: zero }, span);
                    Ok(())
                })?;
                Ok(Some(self.void_value(span)))
            }
            ("val_compare_and_swap" | "bool_compare_and_swap", [p, expected, value, ..]) => {
                let mark = self.mark();
                let expected = self.rvalue(expected)?;
                let expected = self.reusable(expected);
                let value = self.rvalue(value)?;
                let expected = self.keep(expected, mark);
                let (same, before) = self.compare_and_swap(p, expected, value, None, span)?;
                Ok(Some(Operand::Value(if name.starts_with("bool") { same } else { before })))
            }
            (name, [p, v, ..]) => {
                if let Some(op) = name.strip_prefix("fetch_and_").and_then(operator) {
                    return self.read_modify_write(Some(op), true, p, v, None, span).map(Some);
                }
                if let Some(op) = name.strip_suffix("_and_fetch").and_then(operator) {
                    return self.read_modify_write(Some(op), false, p, v, None, span).map(Some);
                }
                self.unsupported(format!("the atomic operation __sync_{name}"))
            }
            _ => self.unsupported(format!("the atomic operation __sync_{name}")),
        }
    }

    pub(super) fn atomic_call(
        &mut self,
        name: &str,
        args: &[Node<Expression>],
        span: Span,
    ) -> Lowered<Option<Operand>> {
        // Whoever does not follow threads should not take these for plain accesses: others may come in between.
        let concurrent =
            ["load", "store", "exchange", "compare_exchange", "compare_exchange_n", "test_and_set", "clear"];
        if !self.program.data.threads && concurrent.contains(&name) {
            return self.unsupported(format!("the atomic operation __atomic_{name}"));
        }
        let int = self.program.types.int(IntKind::Int);
        match (name, args) {
            ("thread_fence", [order]) => {
                let order = self.order_of(Some(order))?;
                self.atomic_mark(Mark::Fence, order, span);
                Ok(Some(self.void_value(span)))
            }
            ("signal_fence" | "thread_fence", _) => Ok(Some(self.void_value(span))),
            ("is_lock_free" | "always_lock_free", _) => Ok(Some(Operand::Value(Expr::int(1, int, span)))),
            ("load_n", [p, order @ ..]) => {
                let order = self.order_of(order.first())?;
                let place = self.target_of(p, span)?;
                self.note(Deed::Read(place.lvalue.clone()), span);
                let value = self.atomically(order, span, |this| Ok(this.spill(Expr::load(place.lvalue))))?;
                Ok(Some(Operand::Value(value)))
            }
            ("load", [p, result, order @ ..]) => {
                let order = self.order_of(order.first())?;
                let place = self.target_of(p, span)?;
                let target = self.target_of(result, span)?;
                let value = self.atomically(order, span, |this| Ok(this.spill(Expr::load(place.lvalue))))?;
                let value = self.convert(value, target.lvalue.ty, true);
                self.note_write(&target.lvalue, span);
                self.emit(StmtKind::Assign { target: target.lvalue, value }, span);
                Ok(Some(self.void_value(span)))
            }
            ("store_n", [p, v, order @ ..]) => {
                self.read_modify_write(None, false, p, v, order.first(), span)?;
                Ok(Some(self.void_value(span)))
            }
            ("store" | "exchange", [p, v, rest @ ..]) => {
                let (_, value) = self.behind(v, span)?;
                let result = match (name, rest) {
                    ("exchange", [result, ..]) => Some(self.target_of(result, span)?),
                    _ => None,
                };
                let order = self.order_of(rest.get(usize::from(result.is_some())))?;
                let place = self.target_of(p, span)?;
                self.note_write(&place.lvalue, span);
                let value = self.convert(value, place.lvalue.ty, true);
                let value = self.reusable(value);
                let before = self.atomically(order, span, |this| {
                    let before = result.as_ref().map(|_| this.spill(Expr::load(place.lvalue.clone())));
                    this.emit(StmtKind::Assign { target: place.lvalue, value }, span);
                    Ok(before)
                })?;
                if let (Some(result), Some(before)) = (result, before) {
                    let value = self.convert(before, result.lvalue.ty, true);
                    self.note_write(&result.lvalue, span);
                    self.emit(StmtKind::Assign { target: result.lvalue, value }, span);
                }
                Ok(Some(self.void_value(span)))
            }
            ("exchange_n", [p, v, order @ ..]) => {
                self.read_modify_write(None, true, p, v, order.first(), span).map(Some)
            }
            ("compare_exchange_n" | "compare_exchange", [p, expected, value, _, order @ ..]) => {
                let value = match name {
                    "compare_exchange" => self.behind(value, span)?.1,
                    _ => self.rvalue(value)?,
                };
                let value = self.reusable(value);
                let (expected, old) = self.behind(expected, span)?;
                let order = self.order_of(order.first())?;
                let (same, before) = self.compare_and_swap(p, old, value, order, span)?;
                let before = self.convert(before, expected.lvalue.ty, true);
                self.note_write(&expected.lvalue, span);
                // Where they were the same this stores what is there already.
                self.emit(StmtKind::Assign { target: expected.lvalue, value: before }, span);
                Ok(Some(Operand::Value(same)))
            }
            ("test_and_set", [p, order @ ..]) => {
                let order = self.order_of(order.first())?;
                let place = self.flag_of(p, span)?;
                self.note_write(&place.lvalue, span);
                let one = self.convert(Expr::int(1, int, span), place.lvalue.ty, true);
                let before = self.atomically(order, span, |this| {
                    let before = this.spill(Expr::load(place.lvalue.clone()));
                    this.emit(StmtKind::Assign { target: place.lvalue, value: one }, span);
                    Ok(before)
                })?;
                let bool_type = self.program.types.int(IntKind::Bool);
                Ok(Some(Operand::Value(self.convert(before, bool_type, true))))
            }
            ("clear", [p, order @ ..]) => {
                let order = self.order_of(order.first())?;
                let place = self.flag_of(p, span)?;
                self.note_write(&place.lvalue, span);
                let zero = self.convert(Expr::int(0, int, span), place.lvalue.ty, true);
                self.atomically(order, span, |this| {
                    this.emit(StmtKind::Assign { target: place.lvalue, value: zero }, span);
                    Ok(())
                })?;
                Ok(Some(self.void_value(span)))
            }
            (name, [p, v, order @ ..]) => {
                if let Some(op) = name.strip_prefix("fetch_").and_then(operator) {
                    return self.read_modify_write(Some(op), true, p, v, order.first(), span).map(Some);
                }
                if let Some(op) = name.strip_suffix("_fetch").and_then(operator) {
                    return self.read_modify_write(Some(op), false, p, v, order.first(), span).map(Some);
                }
                self.unsupported(format!("the atomic operation __atomic_{name}"))
            }
            _ => self.unsupported(format!("the atomic operation __atomic_{name}")),
        }
    }

    /// Whether accesses of a member, or of what a pointer leads to, count as atomic.
    pub(super) fn may_be_atomic(&self, ty: TypeId) -> bool {
        self.program.data.threads && self.atomic_types.contains(&ty)
    }
}

/// The operator in names such as `fetch_and_add`.
fn operator(word: &str) -> Option<BinaryOp> {
    match word {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Sub),
        "or" => Some(BinaryOp::BitOr),
        "and" => Some(BinaryOp::BitAnd),
        "xor" => Some(BinaryOp::BitXor),
        _ => None,
    }
}
