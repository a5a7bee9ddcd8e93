//! The candidates at expressions whose value counts: offsets, sums, linear combinations, guarded values.

use super::{Enumerator, OpenCandidate};
use crate::costs;
use crate::scope::AtomId;
use crate::sites::{SiteId, Usage, bare};
use crate::template::{Candidate, Change, Replacement, Template};
use ir::{BinaryOp, ExprKind, UnaryOp};

/// Variables in a linear combination.
const MOST_COMBINED: usize = 5;

impl Enumerator<'_> {
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
                self.expression(
                    id,
                    Replacement::Neg(Box::new(Replacement::Original)),
                    Template::Negation,
                    costs::VALUE_NEGATED + far,
                );
            }
            // A flag that holds the wrong way round.
            if matches!(core.kind, ExprKind::Load(_)) {
                self.expression(
                    id,
                    Replacement::Not(Box::new(Replacement::Original)),
                    Template::Negation,
                    costs::FLAG_NEGATED + far,
                );
            }
        }
        self.sums(id, far, constant);
        if site.is_whole {
            self.linear(id, far);
            if !constant && self.is_flag(id) {
                self.truth(id, far + costs::VALUE_AS_CONDITION);
            }
        }
    }

    /// Whether the value is used as a truth value somewhere: calls that return 0 or 1.
    fn is_flag(&self, id: SiteId) -> bool {
        let core = bare(&self.context.sites.site(id).expr);
        self.context.program.types.int_kind(core.ty).is_some_and(|kind| kind.bytes() <= 4)
    }

    fn offsets(&mut self, id: SiteId, far: u32) {
        for (number, cost) in costs::OFFSETS {
            let new = Replacement::binary(BinaryOp::Add, Replacement::Original, Replacement::Int(number));
            self.expression(id, new, Template::Offset, cost + far);
        }
        let core = bare(&self.context.sites.site(id).expr);
        let Some(kind) = self.context.program.types.int_kind(core.ty) else { return };
        let constants: Vec<i128> = self.hints.constants.iter().copied().filter(|c| !(-2..=2).contains(c)).collect();
        for number in constants.into_iter().take(24) {
            for value in [number, -number] {
                let new = Replacement::binary(BinaryOp::Add, Replacement::Original, Replacement::Int(value));
                self.expression(id, new, Template::Offset, costs::OFFSET_OF_PROGRAM + far);
            }
        }
        let site = self.context.sites.site(id);
        if site.is_whole {
            let hole = Replacement::binary(BinaryOp::Add, Replacement::Original, Replacement::Hole(0));
            self.open(
                Change::Expression { site: id, new: hole },
                Template::Offset,
                costs::SEARCHED_OFFSET + far,
                0,
                kind,
            );
            for factor in [2, 3, 4, 5, 10, 100] {
                let new = Replacement::binary(BinaryOp::Mul, Replacement::Original, Replacement::Int(factor));
                self.expression(id, new, Template::Linear, costs::MULTIPLE + far);
                let new = Replacement::binary(BinaryOp::Div, Replacement::Original, Replacement::Int(factor));
                self.expression(id, new, Template::Linear, costs::FRACTION + far);
            }
        }
    }

    /// `e + v`, `e - v`, `e * v`.
    fn sums(&mut self, id: SiteId, far: u32, constant: bool) {
        if !self.wants(costs::LEAST_WITH_VARIABLE + far) {
            return;
        }
        let types = &self.context.program.types;
        let atoms: Vec<AtomId> = self.scope(id).values(|ty| types.is_arithmetic(ty)).map(|(id, _)| id).collect();
        for atom in atoms {
            for (op, cost) in costs::WITH_VARIABLE {
                let new = Replacement::binary(op, Replacement::Original, Replacement::Atom(atom));
                self.expression(id, new, Template::Linear, cost + far + u32::from(constant));
            }
            if !constant {
                for op in [BinaryOp::Div, BinaryOp::Rem] {
                    let new = Replacement::binary(op, Replacement::Original, Replacement::Atom(atom));
                    self.expression(id, new, Template::Linear, costs::DIVIDED_BY_VARIABLE + far);
                }
                let new = Replacement::binary(BinaryOp::Sub, Replacement::Atom(atom), Replacement::Original);
                self.expression(id, new, Template::Linear, costs::SUBTRACTED_FROM + far);
                self.coefficient(id, atom, far);
            }
        }
    }

    /// `v ? e + n : e` where v is asked whether it is zero, else `e + n * v`.
    fn coefficient(&mut self, id: SiteId, atom: AtomId, far: u32) {
        let site = self.context.sites.site(id);
        let Some(kind) = self.context.program.types.int_kind(bare(&site.expr).ty) else { return };
        if !site.is_whole || !self.wants(costs::SEARCHED_COEFFICIENT + far) {
            return;
        }
        let variable = self.scope(id).atom(atom);
        let new = if variable.is_flag && !variable.is_number {
            let more = Replacement::binary(BinaryOp::Add, Replacement::Original, Replacement::Hole(0));
            Replacement::Conditional(Box::new(Replacement::Atom(atom)), Box::new(more), Box::new(Replacement::Original))
        } else {
            let times = Replacement::binary(BinaryOp::Mul, Replacement::Hole(0), Replacement::Atom(atom));
            Replacement::binary(BinaryOp::Add, Replacement::Original, times)
        };
        self.open(Change::Expression { site: id, new }, Template::Linear, costs::SEARCHED_COEFFICIENT + far, 0, kind);
    }

    /// `c0 + c1*v1 + c2*v2` with c1, c2 in {-1, 0, 1}.
    fn linear(&mut self, id: SiteId, far: u32) {
        if !self.wants(costs::VARIABLE_AND_CONSTANT + far) {
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
                let sum = Replacement::binary(BinaryOp::Add, Replacement::Atom(a), Replacement::Int(c));
                self.expression(id, sum, Template::Linear, costs::VARIABLE_AND_CONSTANT + far);
            }
            let sum = Replacement::binary(BinaryOp::Add, Replacement::Atom(a), Replacement::Hole(0));
            self.open(
                Change::Expression { site: id, new: sum },
                Template::Linear,
                costs::VARIABLE_AND_SEARCHED + far,
                0,
                kind,
            );
            let rest = Replacement::binary(BinaryOp::Sub, Replacement::Hole(0), Replacement::Atom(a));
            self.open(
                Change::Expression { site: id, new: rest },
                Template::Linear,
                costs::SEARCHED_LESS_VARIABLE + far,
                0,
                kind,
            );
            for &b in &atoms[index + 1..] {
                for (op, x, y) in [(BinaryOp::Add, a, b), (BinaryOp::Sub, a, b), (BinaryOp::Sub, b, a)] {
                    let pair = Replacement::binary(op, Replacement::Atom(x), Replacement::Atom(y));
                    self.expression(id, pair.clone(), Template::Linear, costs::TWO_VARIABLES + far);
                    for c in [1, -1] {
                        let sum = Replacement::binary(BinaryOp::Add, pair.clone(), Replacement::Int(c));
                        self.expression(id, sum, Template::Linear, costs::TWO_VARIABLES_AND_ONE + far);
                    }
                    if self.costs.contains(&(costs::TWO_VARIABLES_AND_SEARCHED + far)) {
                        let sum = Replacement::binary(BinaryOp::Add, pair, Replacement::Hole(0));
                        self.open(
                            Change::Expression { site: id, new: sum },
                            Template::Linear,
                            costs::TWO_VARIABLES_AND_SEARCHED + far,
                            0,
                            kind,
                        );
                    }
                }
            }
        }
        self.open(
            Change::Expression { site: id, new: Replacement::Hole(0) },
            Template::Linear,
            costs::VALUE_SEARCHED + far,
            0,
            kind,
        );
    }

    /// `p ? e' : e` with e' a constant or a variable that some failing test wants.
    pub(super) fn guarded(&mut self, id: SiteId, new: &Replacement) {
        let far = self.far(self.context.sites.site(id).score);
        let base = costs::VALUE_GUARDED + far;
        if !self.wants(base) {
            return;
        }
        for (predicate, cost) in self.predicates(self.scope(id)) {
            let guarded =
                Replacement::Conditional(Box::new(predicate), Box::new(new.clone()), Box::new(Replacement::Original));
            self.expression(id, guarded, Template::Guarded, base + cost);
        }
    }

    /// The source's own template: `c0 + c1*v1 + ... + ck*vk` over the variables that are used most, with coefficients -1, 0
    /// and 1.
    pub(super) fn combination(&self, id: SiteId) -> Option<OpenCandidate> {
        let site = self.context.sites.site(id);
        let core = bare(&site.expr);
        let types = &self.context.program.types;
        let kind = types.int_kind(core.ty)?;
        if !site.is_whole || site.at_definition || site.usage != Usage::Value {
            return None;
        }
        let mut sum = Replacement::Hole(0);
        let mut holes = 1;
        let atoms = self.scope(id).values(|ty| types.int_kind(ty).is_some()).filter(|(_, atom)| atom.is_variable);
        for (atom, _) in atoms.take(MOST_COMBINED) {
            let (hole, zero) = (Replacement::Hole(holes), Replacement::Int(0));
            let negative = Replacement::Conditional(
                Box::new(Replacement::binary(BinaryOp::Lt, hole.clone(), zero.clone())),
                Box::new(Replacement::Neg(Box::new(Replacement::Atom(atom)))),
                Box::new(zero.clone()),
            );
            let positive = Replacement::binary(BinaryOp::Gt, hole, zero);
            let term =
                Replacement::Conditional(Box::new(positive), Box::new(Replacement::Atom(atom)), Box::new(negative));
            sum = Replacement::binary(BinaryOp::Add, sum, term);
            holes += 1;
        }
        let cost = costs::COMBINATION + self.far(site.score);
        let candidate =
            Candidate { change: Change::Expression { site: id, new: sum }, template: Template::Linear, cost };
        Some(OpenCandidate { candidate, from: 0, kind, holes })
    }
}
