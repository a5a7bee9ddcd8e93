//! Statements.

use super::super::bytecode::{Op, SwitchTable};
use super::super::value::Class;
use super::expr::Stride;
use super::{Compiler, Exits, Home};
use crate::ValueType;
use diagnostics::Span;
use ir::{
    Arm, AssertKind, Block, EntityRef, Expr, ExprKind, FloatKind, IntKind, LabelId, LocalId, Loop, LoopKind, Lvalue,
    OrderKind, Stmt, StmtKind, TracePoint,
};

/// A switch over this many consecutive values or fewer becomes a table in any case.
const SMALL_TABLE: i128 = 64;
/// A table has at most this many entries, and at most four for each arm.
const LARGEST_TABLE: i128 = 4096;

impl Compiler<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        let ending = self.objects_ending_with(block);
        self.scopes.push(ending);
        for stmt in &block.stmts {
            let mark = self.next;
            super::deep(|| self.stmt(stmt));
            self.next = mark;
        }
        let ending = self.scopes.pop().expect("a scope should be open, because it was pushed above");
        let span = block.stmts.last().map_or(Span::NONE, |stmt| stmt.span);
        for reg in ending {
            self.emit(Op::EndScope(reg), span);
        }
    }

    /// The objects that are dead after the block. Not if a label stands inside: a jump to it enters the block past
    /// the declarations, and the objects must exist there.
    fn objects_ending_with(&self, block: &Block) -> Vec<super::Reg> {
        let objects: Vec<super::Reg> = block
            .locals
            .iter()
            .filter_map(|local| match self.homes[local.index()] {
                Home::Memory(reg) => Some(reg),
                Home::Register(..) => None,
            })
            .collect();
        if objects.is_empty() || self.scopes.is_empty() {
            // Objects of the outermost block end with the call.
            return Vec::new();
        }
        let mut entered = false;
        block.walk(&mut |stmt| entered |= matches!(stmt.kind, StmtKind::Label(_)));
        if entered { Vec::new() } else { objects }
    }

    fn end_scopes(&mut self, outside: usize, span: Span) {
        let ending: Vec<_> = self.scopes[outside..].iter().rev().flatten().copied().collect();
        for reg in ending {
            self.emit(Op::EndScope(reg), span);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        if self.covering {
            self.emit(Op::Cover(stmt.id.index() as u32), span);
        }
        match &stmt.kind {
            StmtKind::Assign { target, value } => self.assign(target, value, span),
            StmtKind::Zero(target) => self.zero(target, span),
            StmtKind::Call { result, callee, args } => self.call(result.as_ref(), callee, args, span),
            StmtKind::Live(local) => self.live(*local, span),
            StmtKind::If { cond, then, otherwise } => self.branch_stmt(stmt, cond, then, otherwise),
            StmtKind::Loop(looped) => self.looped(stmt, looped),
            StmtKind::Switch { value, arms, default, body } => self.switch(value, arms, *default, body, span),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Break => {
                let exits = self.exits.last().expect("`break` should be inside a loop or switch");
                let (leave, scopes) = (exits.leave, exits.scopes);
                self.end_scopes(scopes, span);
                self.emit(Op::Jump(leave), span);
            }
            StmtKind::Continue => {
                let found = self.exits.iter().rev().find_map(|exits| exits.next.map(|next| (next, exits.scopes)));
                let (next, scopes) = found.expect("`continue` should be inside a loop");
                self.end_scopes(scopes, span);
                self.emit(Op::Jump(next), span);
            }
            StmtKind::Goto(label) => {
                let target = self.label_of(*label);
                self.emit(Op::Jump(target), span);
            }
            StmtKind::Label(label) => {
                let label = self.label_of(*label);
                self.place_label(label);
            }
            StmtKind::Return(None) => self.return_nothing(span),
            StmtKind::Return(Some(value)) => self.return_value(value, span),
            StmtKind::Assume(cond) => {
                let holds = self.label();
                self.branch(cond, holds, true);
                self.emit(Op::AssumeFailed(), span);
                self.place_label(holds);
            }
            StmtKind::Assert { cond, kind, text } => {
                let holds = self.label();
                self.branch(cond, holds, true);
                let text = match kind {
                    AssertKind::ReachError => self.text(String::from("`reach_error` is reached")),
                    _ => self.text(format!("assertion `{text}` fails")),
                };
                self.emit(Op::AssertFailed(text), span);
                self.place_label(holds);
            }
            StmtKind::Trace(point) => self.trace(stmt, point, span),
            // An order that the compiler may choose is one of those that it may choose.
            StmtKind::Unordered(open) => {
                if open.kind == OrderKind::Undefined {
                    let text = self.text(open.what.clone());
                    self.emit(Op::Unsequenced(text), span);
                }
            }
            StmtKind::Unsupported(what) => {
                let text = self.text(what.clone());
                self.emit(Op::Unsupported(text), span);
            }
        }
    }

    fn assign(&mut self, target: &Lvalue, value: &Expr, span: Span) {
        if let Some(local) = target.as_local()
            && let Home::Register(reg, _) = self.homes[local.index()]
        {
            self.expr_to(value, reg);
            self.emit(Op::Assigned(local), span);
            return;
        }
        if let Some(class) = Class::of(self.types, target.ty) {
            let reg = self.expr(value, None);
            let place = self.accessed(target);
            self.store(&place, class, reg, span);
            return;
        }
        let ExprKind::Load(source) = &value.kind else {
            unreachable!("an aggregate value should be a load, because the program is verified")
        };
        let size = self.types.size_of(target.ty).unwrap_or(0);
        let from = self.place(source, false);
        let from = self.address(&from, value.span);
        self.copy_to(target, from, size, span);
    }

    /// Copies an aggregate to an lvalue.
    pub(super) fn copy_to(&mut self, target: &Lvalue, from: super::Reg, size: u64, span: Span) {
        let place = self.place(target, false);
        let to = self.address(&place, target.span);
        let open = self.constant_of(&place);
        if let Some(reg) = open {
            self.emit(Op::OpenConst(reg), span);
        }
        self.copy(to, from, size, span);
        if let Some(reg) = open {
            self.emit(Op::CloseConst(reg), span);
        }
    }

    fn zero(&mut self, target: &Lvalue, span: Span) {
        if let Some(local) = target.as_local()
            && let Home::Register(reg, class) = self.homes[local.index()]
        {
            self.emit(Op::Const(reg, 0), span);
            if class.is_wide() {
                self.emit(Op::Const(reg + 1, 0), span);
            }
            self.emit(Op::Assigned(local), span);
            return;
        }
        let place = self.place(target, false);
        let address = self.address(&place, span);
        let open = self.constant_of(&place);
        if let Some(reg) = open {
            self.emit(Op::OpenConst(reg), span);
        }
        if let Stride::Fixed(size) = self.size(target.ty, span)
            && size > 0
        {
            self.emit(Op::Zero(address, u32::try_from(size).unwrap_or(u32::MAX)), span);
        }
        if let Some(reg) = open {
            self.emit(Op::CloseConst(reg), span);
        }
    }

    fn live(&mut self, local: LocalId, span: Span) {
        match self.homes[local.index()] {
            Home::Register(..) => self.emit(Op::Unassigned(local), span),
            Home::Memory(reg) => match self.size(self.function.locals[local].ty, span) {
                Stride::Fixed(_) => self.emit(Op::Forget(reg), span),
                Stride::Computed(size) => self.emit(Op::MakeArray(reg, size, local.index() as u32), span),
            },
        }
    }

    fn branch_stmt(&mut self, stmt: &Stmt, cond: &Expr, then: &Block, otherwise: &Block) {
        let (no, end) = (self.label(), self.label());
        self.branch(cond, no, false);
        self.cover_branch(stmt, true);
        self.block(then);
        if otherwise.stmts.is_empty() && !self.covering {
            self.place_label(no);
            self.place_label(end);
            return;
        }
        self.emit(Op::Jump(end), stmt.span);
        self.place_label(no);
        self.cover_branch(stmt, false);
        self.block(otherwise);
        self.place_label(end);
    }

    fn cover_branch(&mut self, stmt: &Stmt, outcome: bool) {
        if self.covering {
            self.emit(Op::CoverBranch(stmt.id.index() as u32, outcome), stmt.span);
        }
    }

    /// The condition stands at the end of the instructions, so that an iteration takes one jump.
    fn looped(&mut self, stmt: &Stmt, looped: &Loop) {
        let (body, next, test, leave) = (self.label(), self.label(), self.label(), self.label());
        if looped.kind != LoopKind::DoWhile {
            self.emit(Op::Jump(test), stmt.span);
        }
        self.place_label(body);
        self.exits.push(Exits { leave, next: Some(next), scopes: self.scopes.len() });
        self.block(&looped.body);
        self.exits.pop();
        self.place_label(next);
        self.block(&looped.step);
        self.place_label(test);
        self.block(&looped.pre);
        match &looped.cond {
            None => self.emit(Op::Jump(body), stmt.span),
            Some(cond) if self.covering => {
                let no = self.label();
                self.branch(cond, no, false);
                self.cover_branch(stmt, true);
                self.emit(Op::Jump(body), stmt.span);
                self.place_label(no);
                self.cover_branch(stmt, false);
            }
            Some(cond) => self.branch(cond, body, true),
        }
        self.place_label(leave);
    }

    fn switch(&mut self, value: &Expr, arms: &[Arm], default: Option<LabelId>, body: &Block, span: Span) {
        let leave = self.label();
        let otherwise = default.map_or(leave, |label| self.label_of(label));
        let kind = self.types.int_kind(value.ty).unwrap_or(IntKind::Int);
        let mut ranges: Vec<_> = arms.iter().map(|arm| (arm.low, arm.high, self.label_of(arm.label))).collect();
        if kind == IntKind::UInt128 {
            ranges.sort_by_key(|&(low, _, _)| low as u128);
        } else {
            ranges.sort_by_key(|&(low, _, _)| low);
        }
        let reg = self.expr(value, None);
        let dense = match (ranges.first(), ranges.last()) {
            (Some(&(low, _, _)), Some(&(_, high, _))) if kind.bytes() < 16 => {
                let span = high - low + 1;
                (span <= SMALL_TABLE.max(4 * ranges.len() as i128) && span <= LARGEST_TABLE).then_some((low, span))
            }
            _ => None,
        };
        let table = match dense {
            Some((low, length)) => {
                let mut targets = vec![otherwise; length as usize];
                for &(first, last, label) in &ranges {
                    targets[(first - low) as usize..=(last - low) as usize].fill(label);
                }
                SwitchTable::Dense { low: low as i64, targets, otherwise }
            }
            None => SwitchTable::Sparse { kind, ranges, otherwise },
        };
        self.switches.push(table);
        self.emit(Op::Switch(reg, self.switches.len() as u32 - 1), span);
        self.exits.push(Exits { leave, next: None, scopes: self.scopes.len() });
        self.block(body);
        self.exits.pop();
        self.place_label(leave);
    }

    fn return_value(&mut self, value: &Expr, span: Span) {
        match Class::of(self.types, value.ty) {
            Some(class) => {
                let reg = self.expr(value, None);
                self.emit(if class.is_wide() { Op::ReturnWide(reg) } else { Op::Return(reg) }, span);
            }
            None => {
                let ExprKind::Load(source) = &value.kind else {
                    unreachable!("a returned record should be a load, because the program is verified")
                };
                let place = self.place(source, false);
                let address = self.address(&place, value.span);
                let size = self.types.size_of(value.ty).unwrap_or(0);
                self.emit(Op::ReturnRecord(address, u32::try_from(size).unwrap_or(u32::MAX)), span);
            }
        }
    }

    fn trace(&mut self, stmt: &Stmt, point: &TracePoint, span: Span) {
        let Some(id) = self.image.point(self.function_id(), stmt.id) else { return };
        let start = self.next;
        let mut cells = 0;
        for (_, value) in &point.values {
            let class = self.class_of(value);
            let reg = self.take(if class.is_wide() { 2 } else { 1 });
            self.expr_to(value, reg);
            let double = Class::Float(FloatKind::Double);
            cells += match class {
                Class::Float(kind) => {
                    if kind != FloatKind::Double {
                        self.convert(class, double, reg, reg, span);
                    }
                    self.next = u32::from(reg) + 1;
                    1
                }
                Class::Int(kind) => ValueType::Int(kind).cells() as u16,
                Class::Pointer => 1,
            };
        }
        self.emit(Op::Trace(id, start.min(u32::from(u16::MAX)) as u16, cells), span);
    }
}
