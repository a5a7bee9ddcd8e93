//! The candidates of each template, with their costs.
//!
//! What an edit costs is in [`costs`](super::costs).
//!
//! Where forcing a condition to false makes no failing test pass, adding a conjunct to it will hardly do, so those come
//! last ([`Promise`]).

mod places;
mod values;

use super::costs;
use super::instantiate::Context;
use super::scope::{AtomId, Scope, same};
use super::sites::{ConstantId, Form, PlaceId, SiteId, Usage, bare};
use super::template::{Added, Candidate, Change, Replacement, Template};
use ir::{BinaryOp, ExprKind, IntKind, LogicalOp, Type, TypeId, UnaryOp};
use std::collections::BTreeMap;
use std::ops::Range;

/// What forcing a place shows: whether some failing test then passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// If the condition is true each time.
    pub when_true: bool,
    pub when_false: bool,
}

/// What is known before candidates are made.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    pub conditions: BTreeMap<SiteId, Promise>,
    /// Whether some failing test passes without the statement.
    pub removals: BTreeMap<PlaceId, bool>,
    /// Values that make some failing test pass when they stand for the expression each time.
    pub values: Vec<(SiteId, Replacement)>,
    /// Statements that make some failing test pass when they are always run.
    pub additions: Vec<(PlaceId, bool, Added)>,
    /// The integers of the program.
    pub constants: Vec<i128>,
}

/// A candidate with a number to be found.
#[derive(Clone, PartialEq, Debug)]
pub struct OpenCandidate {
    pub candidate: Candidate,
    /// Where the search starts.
    pub from: i128,
    pub kind: IntKind,
    /// How many numbers are open; more than one only the symbolic executor finds.
    pub holes: u8,
}

/// Candidates of one range of costs.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub candidates: Vec<Candidate>,
    pub open: Vec<OpenCandidate>,
}

/// Makes the candidates whose cost is in the range.
pub fn candidates(context: &Context<'_>, hints: &Hints, costs: Range<u32>) -> Batch {
    let best = context.sites.sites.iter().map(|site| site.score).fold(0.0, f64::max);
    let mut enumerator = Enumerator { context, hints, costs, best, batch: Batch::default() };
    for index in 0..context.sites.sites.len() {
        enumerator.site(SiteId(index as u32));
    }
    for index in 0..context.sites.constants.len() {
        enumerator.constant(ConstantId(index as u32));
    }
    for index in 0..context.sites.places.len() {
        enumerator.place(PlaceId(index as u32));
    }
    for (site, new) in &hints.values {
        enumerator.guarded(*site, new);
    }
    for (place, after, added) in &hints.additions {
        enumerator.conditional_addition(*place, *after, added);
    }
    enumerator.batch.candidates.sort_by_key(|candidate| candidate.cost);
    enumerator.batch.open.sort_by_key(|open| open.candidate.cost);
    enumerator.batch
}

struct Enumerator<'a> {
    context: &'a Context<'a>,
    hints: &'a Hints,
    costs: Range<u32>,
    best: f64,
    batch: Batch,
}

/// The linear combinations of the variables in scope, for the symbolic executor, most suspicious first.
pub fn combinations(context: &Context<'_>, hints: &Hints) -> Vec<OpenCandidate> {
    let best = context.sites.sites.iter().map(|site| site.score).fold(0.0, f64::max);
    let enumerator = Enumerator { context, hints, costs: 0..u32::MAX, best, batch: Batch::default() };
    let all = (0..context.sites.sites.len() as u32).map(SiteId);
    let mut found: Vec<OpenCandidate> = all.filter_map(|id| enumerator.combination(id)).collect();
    found.sort_by_key(|open| open.candidate.cost);
    found
}

const COMPARISONS: [BinaryOp; 6] = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne];

impl<'a> Enumerator<'a> {
    fn wants(&self, least: u32) -> bool {
        least < self.costs.end
    }

    fn emit(&mut self, change: Change, template: Template, cost: u32) {
        if self.costs.contains(&cost) {
            self.batch.candidates.push(Candidate { change, template, cost });
        }
    }

    fn open(&mut self, change: Change, template: Template, cost: u32, from: i128, kind: IntKind) {
        if self.costs.contains(&cost) {
            self.batch.open.push(OpenCandidate {
                candidate: Candidate { change, template, cost },
                from,
                kind,
                holes: 1,
            });
        }
    }

    /// What the place adds to the cost.
    fn far(&self, score: f64) -> u32 {
        if self.best <= 0.0 { 0 } else { ((1.0 - score / self.best) * costs::LEAST_SUSPICIOUS) as u32 }
    }

    fn site(&mut self, id: SiteId) {
        let site = self.context.sites.site(id);
        let far = self.far(site.score);
        let core = bare(&site.expr);
        let all_forms = site.form == Form::Plain;
        match &core.kind {
            ExprKind::Binary(op, ..) if op.is_comparison() => {
                for (other, cost) in costs::other_comparisons(*op) {
                    self.operands(
                        id,
                        Replacement::binary(other, Replacement::Child(0), Replacement::Child(1)),
                        cost + far,
                    );
                }
            }
            ExprKind::Binary(op, left, _) => {
                let real = self.context.program.types.float_kind(left.ty).is_some();
                for &(other, cost) in costs::other_operations(*op) {
                    use BinaryOp::*;
                    let fits = !real || matches!(other, Add | Sub | Mul | Div);
                    let step = matches!(site.form, Form::Step { .. }) && !matches!(other, Add | Sub);
                    if fits && !step {
                        self.operands(
                            id,
                            Replacement::binary(other, Replacement::Child(0), Replacement::Child(1)),
                            cost + far,
                        );
                    }
                }
                if matches!(op, BinaryOp::Sub | BinaryOp::Div | BinaryOp::Rem) && all_forms {
                    let turned = Replacement::binary(*op, Replacement::Child(1), Replacement::Child(0));
                    self.expression(id, turned, Template::Operand, costs::OPERANDS_SWAPPED + far);
                }
                if all_forms && !matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerDiff) {
                    for child in [0, 1] {
                        self.expression(id, Replacement::Child(child), Template::Operand, costs::TERM_DROPPED + far);
                    }
                }
            }
            ExprKind::Logical(op, ..) => {
                let other = if *op == LogicalOp::And { LogicalOp::Or } else { LogicalOp::And };
                self.operands(
                    id,
                    Replacement::logical(other, Replacement::Child(0), Replacement::Child(1)),
                    costs::CONNECTIVE + far,
                );
                for child in [0, 1] {
                    self.expression(id, Replacement::Child(child), Template::Operand, costs::CONDITION_DROPPED + far);
                }
            }
            ExprKind::Unary(UnaryOp::Not, _) => {
                self.expression(id, Replacement::Child(0), Template::Negation, costs::NOT_DROPPED + far)
            }
            ExprKind::Unary(UnaryOp::Neg, _) => {
                self.expression(id, Replacement::Child(0), Template::Negation, costs::MINUS_DROPPED + far)
            }
            ExprKind::Conditional(..) => {
                let swapped = Replacement::Conditional(
                    Box::new(Replacement::Child(0)),
                    Box::new(Replacement::Child(2)),
                    Box::new(Replacement::Child(1)),
                );
                self.expression(id, swapped, Template::Operand, costs::ARMS_SWAPPED + far);
                for child in [1, 2] {
                    self.expression(id, Replacement::Child(child), Template::Operand, costs::ARM_DROPPED + far);
                }
            }
            ExprKind::Int(value) => self.constant_at(id, *value, far),
            ExprKind::Float(value) => self.real_at(id, *value, far),
            _ => {}
        }
        if matches!(site.form, Form::Step { .. }) {
            self.steps(id, far);
            return;
        }
        match site.usage {
            Usage::Truth | Usage::Test => self.truth(id, far),
            Usage::Value => self.value(id, far),
        }
    }

    fn operands(&mut self, site: SiteId, new: Replacement, cost: u32) {
        self.expression(site, new, Template::Operator, cost);
    }

    fn expression(&mut self, site: SiteId, new: Replacement, template: Template, cost: u32) {
        // One edit for all uses is as close as one for a single use.
        let definition = self.context.sites.site(site).at_definition;
        let template = if definition { Template::Definition } else { template };
        self.emit(Change::Expression { site, new }, template, cost);
    }

    /// The step of `x++` as another number.
    fn steps(&mut self, id: SiteId, far: u32) {
        for value in [2, 3, 4] {
            let new = Replacement::binary(BinaryOp::Add, Replacement::Child(0), Replacement::Int(value));
            self.expression(id, new, Template::Constant, costs::STEP + far);
        }
    }

    fn constant_at(&mut self, id: SiteId, value: i128, far: u32) {
        let site = self.context.sites.site(id);
        let Some(kind) = self.context.program.types.int_kind(bare(&site.expr).ty) else { return };
        let template = if site.at_definition { Template::Definition } else { Template::Constant };
        for (number, cost) in costs::other_numbers(value, &self.hints.constants) {
            if kind.contains(number) {
                self.emit(Change::Expression { site: id, new: Replacement::Int(number) }, template, cost + far);
            }
        }
        self.open(
            Change::Expression { site: id, new: Replacement::Hole(0) },
            template,
            costs::SEARCHED_CONSTANT + far,
            value,
            kind,
        );
    }

    fn real_at(&mut self, id: SiteId, value: f64, far: u32) {
        let whole = [0.0, 1.0, 2.0, 0.5, 10.0, 100.0];
        let near = [value + 1.0, value - 1.0, value * 10.0, value / 10.0, value * 2.0, value / 2.0, -value];
        for number in near.into_iter().chain(whole) {
            if number != value && number.is_finite() {
                self.expression(id, Replacement::Real(number), Template::Constant, costs::REAL_NEAR + far);
            }
        }
        let constants: Vec<i128> = self.hints.constants.iter().copied().take(24).collect();
        for number in constants {
            self.expression(id, Replacement::Real(number as f64), Template::Constant, costs::REAL_OF_PROGRAM + far);
        }
    }

    fn scope(&self, id: SiteId) -> &'a Scope {
        let node = &self.context.sites.site(id).nodes[0];
        self.context.scope(node.function, node.stmt)
    }

    /// A condition.
    fn truth(&mut self, id: SiteId, far: u32) {
        let site = self.context.sites.site(id);
        let core = bare(&site.expr);
        let comparison = matches!(&core.kind, ExprKind::Binary(op, ..) if op.is_comparison());
        let negated = matches!(core.kind, ExprKind::Unary(UnaryOp::Not, _));
        if !comparison && !negated && !matches!(core.kind, ExprKind::Int(_)) {
            self.expression(
                id,
                Replacement::Not(Box::new(Replacement::Original)),
                Template::Negation,
                costs::CONDITION_NEGATED + far,
            );
        }
        if site.at_definition {
            return;
        }
        self.variables(id, far);
        let scope = self.scope(id);
        let promise = self.hints.conditions.get(&id).copied();
        // Forcing tells all about a condition that is met once; where it is met often, it may want both.
        let unlikely = if site.is_repeated { costs::DOUBTFUL } else { costs::UNLIKELY };
        let hopes = |fine: Option<bool>| if fine == Some(false) { unlikely } else { 0 };
        let to_false = hopes(promise.map(|p| p.when_false));
        let to_true = hopes(promise.map(|p| p.when_true));
        for (connective, template, unlikely) in
            [(LogicalOp::And, Template::Conjunct, to_false), (LogicalOp::Or, Template::Disjunct, to_true)]
        {
            let base = far + unlikely;
            if self.wants(costs::CONDITION_ADDED + base) {
                for (predicate, cost) in self.predicates(scope) {
                    let new = Replacement::logical(connective, Replacement::Original, predicate);
                    self.expression(id, new, template, costs::CONDITION_ADDED + cost + base);
                }
            }
            for (predicate, kind) in self.open_predicates(scope, connective) {
                let new = Replacement::logical(connective, Replacement::Original, predicate);
                self.open(Change::Expression { site: id, new }, template, costs::SEARCHED_CONDITION + base, 0, kind);
            }
        }
        let either = to_false.min(to_true);
        if self.wants(costs::CONDITION_REPLACED + far + either) {
            for (predicate, cost) in self.predicates(scope) {
                self.expression(id, predicate, Template::Predicate, costs::CONDITION_REPLACED + cost + far + either);
            }
        }
        for constant in [0, 1] {
            let hope = if constant == 0 { to_false } else { to_true };
            self.expression(id, Replacement::Int(constant), Template::Predicate, costs::CONDITION_DECIDED + far + hope);
        }
    }

    /// Conditions over what is in scope, with their own cost.
    fn predicates(&self, scope: &Scope) -> Vec<(Replacement, u32)> {
        let types = &self.context.program.types;
        let mut made = Vec::new();
        for (id, _) in scope.conditions() {
            made.push((Replacement::Atom(id), costs::PREDICATE_OF_FUNCTION));
            made.push((Replacement::Not(Box::new(Replacement::Atom(id))), costs::PREDICATE_NEGATED));
        }
        for (id, _) in scope.calls() {
            made.push((Replacement::Atom(id), costs::PREDICATE_OF_CALL));
            made.push((Replacement::Not(Box::new(Replacement::Atom(id))), costs::PREDICATE_NEGATED));
        }
        made.extend(self.variants(scope));
        let scalars: Vec<AtomId> = scope.values(|ty| types.is_scalar(ty)).map(|(id, _)| id).collect();
        for &id in &scalars {
            let is_asked = scope.atom(id).is_flag || types.is_pointer(scope.atom(id).expr.ty);
            let strange = if is_asked { 0 } else { costs::NEVER_A_CONDITION };
            made.push((Replacement::Atom(id), costs::PREDICATE_FLAG + strange));
            made.push((Replacement::Not(Box::new(Replacement::Atom(id))), costs::PREDICATE_NO_FLAG + strange));
        }
        // What is only ever asked whether it is zero has no other numbers to be compared with.
        let scalars: Vec<AtomId> =
            scalars.into_iter().filter(|id| scope.atom(*id).is_number || !scope.atom(*id).is_flag).collect();
        for (index, &a) in scalars.iter().enumerate() {
            let (ty_a, atom) = (scope.atom(a).expr.ty, scope.atom(a));
            let here = if atom.is_global { 1 } else { 0 };
            for &b in &scalars[index + 1..] {
                if !comparable(types, ty_a, scope.atom(b).expr.ty) {
                    continue;
                }
                for op in COMPARISONS {
                    let cost = if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                        costs::PREDICATE_EQUALITY
                    } else {
                        costs::PREDICATE_ORDER
                    };
                    made.push((Replacement::binary(op, Replacement::Atom(a), Replacement::Atom(b)), cost + here));
                }
            }
            if !types.is_arithmetic(ty_a) {
                continue;
            }
            let zeros = [0, 1, -1];
            let own = self.hints.constants.iter().copied().filter(|c| !zeros.contains(c)).take(20);
            for (rank, constant) in zeros.into_iter().chain(own).enumerate() {
                for op in COMPARISONS {
                    // With 0 and 1 the variable itself says the same.
                    if rank < 1 && op == BinaryOp::Ne {
                        continue;
                    }
                    let cost = if rank < 2 { costs::PREDICATE_SMALL } else { costs::PREDICATE_NUMBER };
                    made.push((Replacement::binary(op, Replacement::Atom(a), Replacement::Int(constant)), cost + here));
                }
            }
        }
        made.extend(self.divisibilities(scope));
        made
    }

    /// Whether what the function takes a remainder of is a multiple of a number of the program, or of the product of two.
    fn divisibilities(&self, scope: &Scope) -> Vec<(Replacement, u32)> {
        let mut divided = Vec::new();
        for (_, condition) in scope.conditions() {
            condition.expr.walk(&mut |expr| {
                if let ExprKind::Binary(BinaryOp::Rem, value, _) = &expr.kind
                    && let Some(Replacement::Atom(id)) = as_new(value, scope)
                    && !divided.contains(&id)
                {
                    divided.push(id);
                }
            });
        }
        let own: Vec<i128> =
            self.hints.constants.iter().copied().filter(|c| (2..1 << 31).contains(c)).take(MOST_DIVISORS).collect();
        let mut divisors: Vec<(i128, u32)> = own.iter().map(|&c| (c, costs::PREDICATE_DIVISOR)).collect();
        for (index, &a) in own.iter().enumerate() {
            let products = own[index + 1..]
                .iter()
                .map(|&b| (a * b, costs::PREDICATE_PRODUCT))
                .chain([(a * a, costs::PREDICATE_SQUARE)]);
            divisors.extend(products.filter(|(c, _)| *c < 1 << 31 && !own.contains(c)));
        }
        divisors.sort_unstable();
        divisors.dedup_by_key(|(c, _)| *c);
        let mut made = Vec::new();
        for id in divided {
            for &(divisor, cost) in &divisors {
                let rest = Replacement::binary(BinaryOp::Rem, Replacement::Atom(id), Replacement::Int(divisor));
                made.push((Replacement::binary(BinaryOp::Eq, rest.clone(), Replacement::Int(0)), cost));
                made.push((Replacement::binary(BinaryOp::Ne, rest, Replacement::Int(0)), cost + 1));
            }
        }
        made
    }

    /// The comparisons that the function makes, with one variable put for another or two exchanged: what a condition
    /// lacks is often what it says of the other variables.
    fn variants(&self, scope: &Scope) -> Vec<(Replacement, u32)> {
        let types = &self.context.program.types;
        let mut made: Vec<(Replacement, u32)> = Vec::new();
        let variables: Vec<AtomId> =
            scope.values(|ty| types.is_arithmetic(ty)).filter(|(_, atom)| atom.is_variable).map(|(id, _)| id).collect();
        for (_, condition) in scope.conditions().take(MOST_VARIED) {
            let Some(new) = as_new(&condition.expr, scope) else { continue };
            let Replacement::Binary(..) = new else { continue };
            let mut own = Vec::new();
            atoms_of(&new, &mut own);
            // Two plain operands are compared in all ways anyway.
            if own.len() < 2 || own.len() > 4 || is_plain(&new) {
                continue;
            }
            for (i, &a) in own.iter().enumerate() {
                for &b in &own[i + 1..] {
                    made.push((exchanged(&new, a, b), costs::PREDICATE_EXCHANGED));
                }
                for &other in variables.iter().filter(|other| !own.contains(other)).take(8) {
                    made.push((exchanged(&new, a, other), costs::PREDICATE_RENAMED));
                }
            }
        }
        made
    }

    fn open_predicates(&self, scope: &Scope, connective: LogicalOp) -> Vec<(Replacement, IntKind)> {
        let types = &self.context.program.types;
        if !self.wants(costs::SEARCHED_CONDITION) {
            return Vec::new();
        }
        let mut made = Vec::new();
        for (id, atom) in scope.values(|ty| types.int_kind(ty).is_some()) {
            let kind = types.int_kind(atom.expr.ty).unwrap_or(IntKind::Int);
            let equal = if connective == LogicalOp::And { BinaryOp::Ne } else { BinaryOp::Eq };
            for op in [BinaryOp::Lt, BinaryOp::Ge, equal] {
                made.push((Replacement::binary(op, Replacement::Atom(id), Replacement::Hole(0)), kind));
            }
        }
        made
    }

    /// Another variable in the place of a load.
    fn variables(&mut self, id: SiteId, far: u32) {
        let site = self.context.sites.site(id);
        let core = bare(&site.expr);
        let scope = self.scope(id);
        let types = &self.context.program.types;
        let is_load = matches!(core.kind, ExprKind::Load(_));
        let is_constant = matches!(core.kind, ExprKind::Int(_) | ExprKind::Float(_));
        let own: Vec<(AtomId, u32)> = scope
            .values(|ty| alike(types, ty, core.ty))
            .filter(|(_, atom)| !same(&atom.expr, core))
            .map(|(id, atom)| {
                let same = if atom.expr.ty == core.ty { 0 } else { costs::OTHER_TYPE };
                let base = match (is_load, is_constant) {
                    (true, _) => costs::VARIABLE_FOR_VARIABLE,
                    (_, true) => costs::VARIABLE_FOR_CONSTANT,
                    _ => costs::VARIABLE_FOR_EXPRESSION,
                };
                let whole = if atom.is_variable { 0 } else { costs::NO_VARIABLE };
                (id, base + same + whole + u32::from(atom.is_global))
            })
            .collect();
        for (atom, cost) in own {
            self.expression(id, Replacement::Atom(atom), Template::Variable, cost + far);
        }
        if is_load && types.int_kind(core.ty).is_some() {
            let calls: Vec<AtomId> = scope.calls().map(|(id, _)| id).collect();
            for call in calls {
                self.expression(id, Replacement::Atom(call), Template::Variable, costs::CALL_FOR_VARIABLE + far);
            }
        }
    }

    fn constant(&mut self, id: ConstantId) {
        let constant = self.context.sites.constant(id);
        let far = self.far(constant.score);
        let Some(kind) = self.constant_kind(id) else { return };
        for (number, cost) in costs::other_numbers(constant.value, &self.hints.constants) {
            if kind.contains(number) {
                // A little before the same number at one use.
                let change = Change::Constant { constant: id, value: number };
                self.emit(change, Template::Definition, cost.saturating_sub(1) + far);
            }
        }
        let change = Change::Constant { constant: id, value: 0 };
        self.open(change, Template::Definition, costs::SEARCHED_DEFINITION + far, constant.value, kind);
    }

    fn constant_kind(&self, id: ConstantId) -> Option<IntKind> {
        let constant = self.context.sites.constant(id);
        match constant.items.first() {
            Some((global, item)) => {
                let init = self.context.program.globals[*global].init.as_ref()?;
                let ir::InitValue::Expr(expr) = &init.items.get(*item)?.value else { return None };
                self.context.program.types.int_kind(expr.ty)
            }
            None => Some(IntKind::Int),
        }
    }
}

/// Conditions of which variants are made.
const MOST_VARIED: usize = 8;
/// Numbers of the program that are tried as divisors.
const MOST_DIVISORS: usize = 8;

/// An expression over atoms, if it is one.
fn as_new(expr: &ir::Expr, scope: &Scope) -> Option<Replacement> {
    let core = bare(expr);
    let numbered = scope.atoms.iter().enumerate().find(|(_, atom)| !atom.is_condition && same(&atom.expr, core));
    if let Some((index, _)) = numbered.filter(|(_, atom)| atom.call.is_none()) {
        return Some(Replacement::Atom(AtomId(index as u32)));
    }
    match &core.kind {
        ExprKind::Int(value) => Some(Replacement::Int(*value)),
        ExprKind::Binary(op, a, b) if !matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerDiff) => {
            Some(Replacement::binary(*op, as_new(a, scope)?, as_new(b, scope)?))
        }
        ExprKind::Unary(UnaryOp::Neg, a) => Some(Replacement::Neg(Box::new(as_new(a, scope)?))),
        _ => None,
    }
}

fn atoms_of(new: &Replacement, found: &mut Vec<AtomId>) {
    match new {
        Replacement::Atom(id) if !found.contains(id) => found.push(*id),
        Replacement::Not(a) | Replacement::Neg(a) => atoms_of(a, found),
        Replacement::Binary(_, a, b) | Replacement::Logical(_, a, b) => {
            atoms_of(a, found);
            atoms_of(b, found);
        }
        _ => {}
    }
}

/// Whether nothing but two operands is compared.
fn is_plain(new: &Replacement) -> bool {
    let leaf = |new: &Replacement| matches!(new, Replacement::Atom(_) | Replacement::Int(_));
    matches!(new, Replacement::Binary(_, a, b) if leaf(a) && leaf(b))
}

fn exchanged(new: &Replacement, x: AtomId, y: AtomId) -> Replacement {
    let inner = |new: &Replacement| Box::new(exchanged(new, x, y));
    match new {
        Replacement::Atom(id) if *id == x => Replacement::Atom(y),
        Replacement::Atom(id) if *id == y => Replacement::Atom(x),
        Replacement::Not(a) => Replacement::Not(inner(a)),
        Replacement::Neg(a) => Replacement::Neg(inner(a)),
        Replacement::Binary(op, a, b) => Replacement::Binary(*op, inner(a), inner(b)),
        Replacement::Logical(op, a, b) => Replacement::Logical(*op, inner(a), inner(b)),
        plain => plain.clone(),
    }
}

fn comparable(types: &ir::Types, a: TypeId, b: TypeId) -> bool {
    (types.is_arithmetic(a) && types.is_arithmetic(b)) || (types.is_pointer(a) && types.matches(a, b))
}

/// Whether one may be written for the other.
fn alike(types: &ir::Types, a: TypeId, b: TypeId) -> bool {
    match (types.get(a), types.get(b)) {
        (Type::Int(_), Type::Int(_)) | (Type::Float(_), Type::Float(_)) => true,
        (Type::Pointer { .. }, Type::Pointer { .. }) => types.matches(a, b),
        _ => false,
    }
}
