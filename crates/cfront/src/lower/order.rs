//! Order of evaluation: what was computed before keeps its value while later operands run their side effects.
//!
//! Operands are lowered from left to right. An operand is a pure expression that is evaluated where the whole is used;
//! if a later operand emits statements that could change it, it is saved in a temporary before them.

use super::lvalue::Place;
use super::{Lowerer, MAX_EXPR_HEIGHT, UnitSource};
use diagnostics::Span;
use hashbrown::HashSet;
use ir::{Base, Expr, ExprKind, LocalId, LocalKind, Lvalue, Step, Stmt, StmtKind, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;
use lang_c::visit::{self, Visit};

/// The names whose address a function takes, by name and so a little too many.
pub fn addressed_names<'u>(body: &Statement, src: &UnitSource<'u>) -> HashSet<&'u str> {
    struct Finder<'s, 'u>(HashSet<&'u str>, &'s UnitSource<'u>);
    impl<'a> Visit<'a> for Finder<'_, '_> {
        fn visit_unary_operator_expression(&mut self, node: &'a UnaryOperatorExpression, span: &'a lang_c::span::Span) {
            if node.operator.node == UnaryOperator::Address
                && let Some(name) = root_name(&node.operand.node)
            {
                self.0.insert(self.1.name(name));
            }
            visit::visit_unary_operator_expression(self, node, span);
        }
    }
    let mut finder = Finder(HashSet::new(), src);
    finder.visit_statement(body, &lang_c::span::Span { start: 0, end: 0 });
    finder.0
}

fn root_name(expr: &Expression) -> Option<&Node<Identifier>> {
    match expr {
        Expression::Identifier(name) => Some(name),
        Expression::Member(member) if member.node.operator.node == MemberOperator::Direct => {
            root_name(&member.node.expression.node)
        }
        Expression::BinaryOperator(op) if op.node.operator.node == BinaryOperator::Index => {
            root_name(&op.node.lhs.node)
        }
        _ => None,
    }
}

impl<'u> Lowerer<'u, '_> {
    /// The position in the open block, to compare with later.
    pub(super) fn mark(&self) -> usize {
        self.frame.stmts.len()
    }

    /// Saves the value in a temporary, before the statements emitted since `mark`, if they could change it.
    pub(super) fn keep(&mut self, value: Expr, mark: usize) -> Expr {
        if self.frame.stmts.len() == mark || self.is_stable(&value, mark) {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let local = self.temporary(ty, span);
        let target = Lvalue::local(local, ty, span);
        let save = Stmt::new(StmtKind::Assign { target: target.clone(), value }, span);
        self.frame.stmts.insert(mark, save);
        Expr::load(target)
    }

    /// As [`Self::keep`] for each of several operands, which were computed in this order.
    pub(super) fn keep_all(&mut self, values: &mut [Expr], mark: usize) {
        let mut mark = mark;
        for value in values {
            let before = self.frame.stmts.len();
            let taken = std::mem::replace(value, Expr::int(0, self.program.types.void(), Span::NONE));
            *value = self.keep(taken, mark);
            mark += self.frame.stmts.len() - before;
        }
    }

    /// Keeps the parts of an lvalue that say which object it is.
    pub(super) fn keep_place(&mut self, mut place: Place, mark: usize) -> Place {
        if self.frame.stmts.len() == mark {
            return place;
        }
        let mut mark = mark;
        let void = self.program.types.void();
        let mut keep_one = |this: &mut Self, value: &mut Expr| {
            let before = this.frame.stmts.len();
            let taken = std::mem::replace(value, Expr::int(0, void, Span::NONE));
            *value = this.keep(taken, mark);
            mark += this.frame.stmts.len() - before;
        };
        if let Base::Deref(pointer) = &mut place.lvalue.base {
            keep_one(self, pointer);
        }
        for step in &mut place.lvalue.path {
            if let Step::Index(index) = step {
                keep_one(self, index);
            }
        }
        place
    }

    /// Whether the statements since `mark` leave the value as it is.
    fn is_stable(&self, value: &Expr, mark: usize) -> bool {
        let mut read = Vec::new();
        let mut stable = true;
        value.walk(&mut |expr| {
            if let ExprKind::Load(lvalue) = &expr.kind {
                match lvalue.as_local() {
                    Some(local) if self.is_private(local) => read.push(local),
                    _ => stable = false,
                }
            }
        });
        stable && (read.is_empty() || !writes_any(&self.frame.stmts[mark..], &read))
    }

    /// Whether only assignments to the local itself can change it.
    fn is_private(&self, local: LocalId) -> bool {
        let data = &self.frame.locals[local];
        data.kind == LocalKind::Temporary
            || (self.program.types.is_scalar(data.ty)
                && !data.is_volatile
                && !self.frame.addressed.contains(data.name.as_str()))
    }

    /// Emits an assignment of the value to a new temporary and gives its value.
    pub(super) fn spill(&mut self, value: Expr) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let target = self.temporary_place(ty, span);
        self.emit(StmtKind::Assign { target: target.clone(), value }, span);
        Expr::load(target)
    }

    pub(super) fn temporary_place(&mut self, ty: TypeId, span: Span) -> Lvalue {
        Lvalue::local(self.temporary(ty, span), ty, span)
    }

    /// Cuts expressions that have grown too high.
    pub(super) fn limit_height(&mut self, value: Expr) -> Expr {
        if self.height <= MAX_EXPR_HEIGHT || !self.program.types.is_scalar(value.ty) {
            return value;
        }
        if self.constant_only || self.names.at_file_scope() || self.frame.in_prototype {
            if let Some(constant) = self.fold(&value) {
                self.height = 1;
                return self.constant_expr(constant, value.ty, value.span);
            }
            return value;
        }
        self.height = 1;
        self.spill(value)
    }
}

fn writes_any(stmts: &[Stmt], locals: &[LocalId]) -> bool {
    stmts.iter().any(|stmt| {
        let target = match &stmt.kind {
            StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
            StmtKind::Call { result, .. } => result.as_ref(),
            StmtKind::Live(local) if locals.contains(local) => return true,
            _ => None,
        };
        let writes = target.is_some_and(|t| matches!(t.base, Base::Local(id) if locals.contains(&id)));
        writes || stmt.blocks().into_iter().any(|block| writes_any(&block.stmts, locals))
    })
}
