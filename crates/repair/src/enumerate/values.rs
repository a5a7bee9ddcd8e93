//! The candidates at expressions whose value counts: offsets, sums, linear combinations, guarded values.

use super::{Maker, Open};
use crate::scope::AtomId;
use crate::sites::{SiteId, Usage, bare};
use crate::template::{Candidate, Change, New, Template};
use ir::{BinaryOp, ExprKind, UnaryOp};

/// Variables in a linear combination.
const MOST_COMBINED: usize = 5;

impl Maker<'_> {
    /// A number, or a pointer.
    pub(super) fn value(&mut self, id: SiteId, far: u32) {
        let site = self.context.sites.site(id);
        let core = bare(&site.expr);
        let types = &self.context.program.types;
        let boolean = match &core.kind {
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
            _ => false,
        };
        if boolean {
            self.truth(id, far);
        }
        if site.at_definition {
            if types.is_arithmetic(core.ty) && !boolean && !matches!(core.kind, ExprKind::Int(_)) {
                self.offsets(id, far);
            }
            return;
        }
        if !boolean {
            self.variables(id, far);
        }
        if !types.is_arithmetic(core.ty) || boolean {
            return;
        }
        let constant = matches!(core.kind, ExprKind::Int(_) | ExprKind::Float(_));
        if !constant {
            self.offsets(id, far);
            let neg = matches!(core.kind, ExprKind::Unary(UnaryOp::Neg, _));
            if !neg {
                self.expression(id, New::Neg(Box::new(New::Original)), Template::Negation, 25 + far);
            }
            // A flag that holds the wrong way round.
            if matches!(core.kind, ExprKind::Load(_)) {
                self.expression(id, New::Not(Box::new(New::Original)), Template::Negation, 28 + far);
            }
        }
        self.sums(id, far, constant);
        if site.is_whole {
            self.linear(id, far);
            if !constant && self.is_flag(id) {
                self.truth(id, far + 6);
            }
        }
    }

    /// Whether the value is used as a truth value somewhere: calls that return 0 or 1.
    fn is_flag(&self, id: SiteId) -> bool {
        let core = bare(&self.context.sites.site(id).expr);
        self.context.program.types.int_kind(core.ty).is_some_and(|kind| kind.bytes() <= 4)
    }

    fn offsets(&mut self, id: SiteId, far: u32) {
        for (number, cost) in [(1, 20), (-1, 20), (2, 28), (-2, 28)] {
            let new = New::binary(BinaryOp::Add, New::Original, New::Int(number));
            self.expression(id, new, Template::Offset, cost + far);
        }
        let core = bare(&self.context.sites.site(id).expr);
        let Some(kind) = self.context.program.types.int_kind(core.ty) else { return };
        let constants: Vec<i128> = self.hints.constants.iter().copied().filter(|c| !(-2..=2).contains(c)).collect();
        for number in constants.into_iter().take(24) {
            for value in [number, -number] {
                let new = New::binary(BinaryOp::Add, New::Original, New::Int(value));
                self.expression(id, new, Template::Offset, 30 + far);
            }
        }
        let site = self.context.sites.site(id);
        if site.is_whole {
            let hole = New::binary(BinaryOp::Add, New::Original, New::Hole(0));
            self.open(Change::Expression { site: id, new: hole }, Template::Offset, 36 + far, 0, kind);
            for factor in [2, 3, 4, 5, 10, 100] {
                let new = New::binary(BinaryOp::Mul, New::Original, New::Int(factor));
                self.expression(id, new, Template::Linear, 36 + far);
                let new = New::binary(BinaryOp::Div, New::Original, New::Int(factor));
                self.expression(id, new, Template::Linear, 38 + far);
            }
        }
    }

    /// `e + v`, `e - v`, `e * v`.
    fn sums(&mut self, id: SiteId, far: u32, constant: bool) {
        if !self.wants(29 + far) {
            return;
        }
        let types = &self.context.program.types;
        let atoms: Vec<AtomId> = self.scope(id).values(|ty| types.is_arithmetic(ty)).map(|(id, _)| id).collect();
        for atom in atoms {
            for (op, cost) in [(BinaryOp::Add, 29), (BinaryOp::Sub, 29), (BinaryOp::Mul, 33)] {
                let new = New::binary(op, New::Original, New::Atom(atom));
                self.expression(id, new, Template::Linear, cost + far + u32::from(constant));
            }
            if !constant {
                for (op, cost) in [(BinaryOp::Div, 40), (BinaryOp::Rem, 40)] {
                    let new = New::binary(op, New::Original, New::Atom(atom));
                    self.expression(id, new, Template::Linear, cost + far);
                }
                let new = New::binary(BinaryOp::Sub, New::Atom(atom), New::Original);
                self.expression(id, new, Template::Linear, 36 + far);
                self.coefficient(id, atom, far);
            }
        }
    }

    /// `v ? e + n : e` where v is asked whether it is zero, else `e + n * v`.
    fn coefficient(&mut self, id: SiteId, atom: AtomId, far: u32) {
        let site = self.context.sites.site(id);
        let Some(kind) = self.context.program.types.int_kind(bare(&site.expr).ty) else { return };
        if !site.is_whole || !self.wants(38 + far) {
            return;
        }
        let variable = self.scope(id).atom(atom);
        let new = if variable.is_flag && !variable.is_number {
            let more = New::binary(BinaryOp::Add, New::Original, New::Hole(0));
            New::Conditional(Box::new(New::Atom(atom)), Box::new(more), Box::new(New::Original))
        } else {
            let times = New::binary(BinaryOp::Mul, New::Hole(0), New::Atom(atom));
            New::binary(BinaryOp::Add, New::Original, times)
        };
        self.open(Change::Expression { site: id, new }, Template::Linear, 38 + far, 0, kind);
    }

    /// `c0 + c1*v1 + c2*v2` with c1, c2 in {-1, 0, 1}.
    fn linear(&mut self, id: SiteId, far: u32) {
        if !self.wants(33 + far) {
            return;
        }
        let types = &self.context.program.types;
        let core = bare(&self.context.sites.site(id).expr);
        let Some(kind) = types.int_kind(core.ty) else { return };
        let atoms: Vec<AtomId> = self
            .scope(id)
            .values(|ty| types.int_kind(ty).is_some())
            .filter(|(_, atom)| atom.is_variable)
            .map(|(id, _)| id)
            .collect();
        let constants: Vec<i128> = self.hints.constants.iter().copied().filter(|c| *c != 0).take(16).collect();
        for (index, &a) in atoms.iter().enumerate() {
            for &c in &constants {
                let sum = New::binary(BinaryOp::Add, New::Atom(a), New::Int(c));
                self.expression(id, sum, Template::Linear, 33 + far);
            }
            let sum = New::binary(BinaryOp::Add, New::Atom(a), New::Hole(0));
            self.open(Change::Expression { site: id, new: sum }, Template::Linear, 35 + far, 0, kind);
            let rest = New::binary(BinaryOp::Sub, New::Hole(0), New::Atom(a));
            self.open(Change::Expression { site: id, new: rest }, Template::Linear, 48 + far, 0, kind);
            for &b in &atoms[index + 1..] {
                for (op, x, y) in [(BinaryOp::Add, a, b), (BinaryOp::Sub, a, b), (BinaryOp::Sub, b, a)] {
                    let pair = New::binary(op, New::Atom(x), New::Atom(y));
                    self.expression(id, pair.clone(), Template::Linear, 38 + far);
                    for c in [1, -1] {
                        let sum = New::binary(BinaryOp::Add, pair.clone(), New::Int(c));
                        self.expression(id, sum, Template::Linear, 44 + far);
                    }
                    if self.costs.contains(&(60 + far)) {
                        let sum = New::binary(BinaryOp::Add, pair, New::Hole(0));
                        self.open(Change::Expression { site: id, new: sum }, Template::Linear, 60 + far, 0, kind);
                    }
                }
            }
        }
        self.open(Change::Expression { site: id, new: New::Hole(0) }, Template::Linear, 46 + far, 0, kind);
    }

    /// `p ? e' : e` with e' a constant or a variable that some failing test wants.
    pub(super) fn guarded(&mut self, id: SiteId, new: &New) {
        let far = self.far(self.context.sites.site(id).score);
        let base = 46 + far;
        if !self.wants(base) {
            return;
        }
        for (predicate, cost) in self.predicates(self.scope(id)) {
            let guarded = New::Conditional(Box::new(predicate), Box::new(new.clone()), Box::new(New::Original));
            self.expression(id, guarded, Template::Guarded, base + cost);
        }
    }

    /// The source's own template: `c0 + c1*v1 + ... + ck*vk` over the variables that are used most, with coefficients -1, 0
    /// and 1.
    pub(super) fn combination(&self, id: SiteId) -> Option<Open> {
        let site = self.context.sites.site(id);
        let core = bare(&site.expr);
        let types = &self.context.program.types;
        let kind = types.int_kind(core.ty)?;
        if !site.is_whole || site.at_definition || site.usage != Usage::Value {
            return None;
        }
        let mut sum = New::Hole(0);
        let mut holes = 1;
        let atoms = self.scope(id).values(|ty| types.int_kind(ty).is_some()).filter(|(_, atom)| atom.is_variable);
        for (atom, _) in atoms.take(MOST_COMBINED) {
            let (hole, zero) = (New::Hole(holes), New::Int(0));
            let negative = New::Conditional(
                Box::new(New::binary(BinaryOp::Lt, hole.clone(), zero.clone())),
                Box::new(New::Neg(Box::new(New::Atom(atom)))),
                Box::new(zero.clone()),
            );
            let positive = New::binary(BinaryOp::Gt, hole, zero);
            let term = New::Conditional(Box::new(positive), Box::new(New::Atom(atom)), Box::new(negative));
            sum = New::binary(BinaryOp::Add, sum, term);
            holes += 1;
        }
        let cost = 50 + self.far(site.score);
        let candidate =
            Candidate { change: Change::Expression { site: id, new: sum }, template: Template::Linear, cost };
        Some(Open { candidate, from: 0, kind, holes })
    }
}
