//! `__attribute__((cleanup(f)))`: calls of `f` with the variable's address wherever its scope is left.
//!
//! On the way out of a scope the variables declared last are cleaned up first; a returned value is computed before.
//! `exit` and `abort` leave no scope. A `goto` leaves the scopes that its label does not stand in, which is known when
//! the label is: until then the jump goes to a label of its own, and [`Lowerer::finish_jumps`] puts the calls there.

use super::scope::Entity;
use super::{Lowered, Lowerer};
use diagnostics::Span;
use hashbrown::HashMap;
use ir::{Block, Callee, Expr, ExprKind, FunctionId, Label, LabelId, LocalId, Lvalue, Stmt, StmtKind, TypeId};
use lang_c::ast::Identifier;
use lang_c::span::Node;

/// A variable that is cleaned up.
#[derive(Clone)]
pub struct Cleanup {
    local: LocalId,
    function: FunctionId,
    argument: Expr,
}

/// The cleanups of a function.
#[derive(Default)]
pub struct Cleanups {
    /// Those of the open scopes, outermost first.
    open: Vec<Cleanup>,
    /// How many were open where the innermost loops and switches, and the innermost loops, begin.
    breaks: Vec<usize>,
    continues: Vec<usize>,
    /// What was open where each label stands.
    at_label: HashMap<LabelId, Vec<LocalId>>,
    /// Jumps that go to a label of their own: what was open, and the label meant.
    jumps: HashMap<LabelId, (Vec<Cleanup>, LabelId)>,
}

impl<'u> Lowerer<'u, '_> {
    /// Whether some variable in scope is cleaned up.
    pub(super) fn has_cleanups(&self) -> bool {
        !self.frame.cleanups.open.is_empty()
    }

    /// Registers the cleanup of a variable that was just declared.
    pub(super) fn add_cleanup(
        &mut self,
        node: &Node<Identifier>,
        local: LocalId,
        name: &'u str,
        span: Span,
    ) -> Lowered<()> {
        let Some(Entity::Symbol(id)) = self.names.get(&node.node.name) else {
            return self.unsupported("a cleanup by something that is no function");
        };
        let Some(signature) = self.program.types.signature(self.symbol(id).qual.ty).cloned() else {
            return self.unsupported("a cleanup by something that is no function");
        };
        let function = self.function_of(id);
        let ty = self.frame.locals[local].ty;
        self.frame.addressed.insert(name);
        let pointer = self.types().pointer(ty);
        let address = Expr::new(ExprKind::AddressOf(Lvalue::local(local, ty, span)), pointer, span);
        let to: TypeId = match signature.params[..] {
            [param] => param,
            _ if signature.unprototyped => pointer,
            _ => return self.fail(span, "a cleanup function takes one pointer"),
        };
        let argument = self.convert(address, to, false);
        self.frame.cleanups.open.push(Cleanup { local, function, argument });
        Ok(())
    }

    pub(super) fn open_cleanups(&self) -> usize {
        self.frame.cleanups.open.len()
    }

    /// Ends a scope that began with so many open: control falls out of it, or has left it before.
    pub(super) fn close_cleanups(&mut self, floor: usize, span: Span) {
        if self.open_cleanups() <= floor {
            return;
        }
        let gone = matches!(
            self.frame.stmts.last().map(|stmt| &stmt.kind),
            Some(StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_))
        );
        if !gone {
            self.leave_scopes(floor, span);
        }
        self.frame.cleanups.open.truncate(floor);
    }

    /// Emits the calls for the scopes above `floor`, which stay open in the text.
    fn leave_scopes(&mut self, floor: usize, span: Span) {
        let calls = calls(self.frame.cleanups.open[floor..].iter(), span);
        self.frame.stmts.extend(calls);
    }

    pub(super) fn enter_loop(&mut self) {
        let floor = self.open_cleanups();
        self.frame.cleanups.breaks.push(floor);
        self.frame.cleanups.continues.push(floor);
    }

    pub(super) fn leave_loop(&mut self) {
        self.frame.cleanups.breaks.pop();
        self.frame.cleanups.continues.pop();
    }

    pub(super) fn enter_switch(&mut self) {
        let floor = self.open_cleanups();
        self.frame.cleanups.breaks.push(floor);
    }

    pub(super) fn leave_switch(&mut self) {
        self.frame.cleanups.breaks.pop();
    }

    pub(super) fn before_break(&mut self, span: Span) {
        let floor = self.frame.cleanups.breaks.last().copied().unwrap_or(0);
        self.leave_scopes(floor, span);
    }

    pub(super) fn before_continue(&mut self, span: Span) {
        let floor = self.frame.cleanups.continues.last().copied().unwrap_or(0);
        self.leave_scopes(floor, span);
    }

    /// Emits what comes before a return; the value is computed first.
    pub(super) fn before_return(&mut self, value: Option<Expr>, span: Span) -> Option<Expr> {
        if self.open_cleanups() == 0 {
            return value;
        }
        let value = value.map(|value| match value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) => value,
            _ => self.spill(value),
        });
        self.leave_scopes(0, span);
        value
    }

    /// The label that a jump goes to for now.
    pub(super) fn jump_target(&mut self, label: LabelId, span: Span) -> LabelId {
        if self.open_cleanups() == 0 {
            return label;
        }
        let own = self.frame.labels.push(Label { name: String::new(), span });
        let open = self.frame.cleanups.open.clone();
        self.frame.cleanups.jumps.insert(own, (open, label));
        own
    }

    pub(super) fn label_placed(&mut self, label: LabelId) {
        let open = self.frame.cleanups.open.iter().map(|cleanup| cleanup.local).collect();
        self.frame.cleanups.at_label.insert(label, open);
    }

    /// Puts the calls before the jumps, now that all labels are known.
    pub(super) fn finish_jumps(&mut self, stmts: &mut [Stmt]) {
        if self.frame.cleanups.jumps.is_empty() {
            return;
        }
        let cleanups = std::mem::take(&mut self.frame.cleanups);
        let mut patch = |stmt: &mut Stmt| {
            let StmtKind::Goto(own) = stmt.kind else { return };
            let Some((open, label)) = cleanups.jumps.get(&own) else { return };
            let stays = cleanups.at_label.get(label).map(Vec::as_slice).unwrap_or_default();
            let left = open.iter().filter(|cleanup| !stays.contains(&cleanup.local));
            let mut inner = vec![Stmt::new(StmtKind::Label(own), stmt.span)];
            inner.extend(calls(left, stmt.span));
            inner.push(Stmt::new(StmtKind::Goto(*label), stmt.span));
            stmt.kind = StmtKind::Block(Block { locals: Vec::new(), stmts: inner });
        };
        for stmt in stmts {
            for block in stmt.blocks_mut() {
                block.walk_mut(&mut patch);
            }
            patch(stmt);
        }
    }
}

/// The calls that clean up these variables, the last one first.
fn calls<'c>(cleanups: impl DoubleEndedIterator<Item = &'c Cleanup>, span: Span) -> Vec<Stmt> {
    let call = |cleanup: &Cleanup| StmtKind::Call {
        result: None,
        callee: Callee::Function(cleanup.function),
        args: vec![cleanup.argument.clone()],
    };
    cleanups.rev().map(|cleanup| Stmt::new(call(cleanup), span)).collect()
}
