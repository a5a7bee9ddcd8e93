//! Do these facts imply this claim?
//!
//! *Question*: along one way through the program, with invariants assumed where it starts, does a claim hold where it
//! ends? The same facts are asked about many claims, so what can be worked out once is ([`Premises`]).
//!
//! *Phases*, cheapest first; the first that settles a claim ends it:
//! 1. *algebra*: the equations among the facts make an ideal. An equation claimed that lies in it holds.
//! 2. *linear arithmetic* on normal forms modulo that ideal ([`linearise`](super::linearise)). Without products this is
//!    exact; a countermodel that satisfies the facts as they stand is one.
//! 3. *cases*: facts that are disjunctions, conditional values and remainders of small divisors are split, if linear
//!    arithmetic cannot tell, so that each case has more equations; then 1 and 2 again in every case.
//! 4. *the solver* on the facts as they stand: integers, then their relaxation to reals.
//!
//! *Guarantee*: `Holds` is never wrong. `Fails` comes with values that satisfy every fact and not the claim. Everything
//! else is `Open`. Limits are in units of work, so the answer does not depend on the machine.
//!
//! *Cost*: one Gröbner basis and one linear solver for each case, at most [`MOST_CASES`] of them.

use super::linearise::{Lineariser, REDUCTION, Unknowns};
use super::system::Quotient;
use algebra::Polynomial;
use algebra::ideal::Basis;
use smt::{Budget, Model, Op, Options, Outcome, Solver, SortId, Strategy, TermId, TermPool, Value};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// Splitting stops at this many cases.
pub const MOST_CASES: usize = 24;

/// How a claim was settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// By ideal membership alone.
    Algebra,
    /// By linear arithmetic on normal forms.
    Linear,
    /// By the solver, on integers or reals with products, or on bit-vectors.
    Nonlinear,
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Method::Algebra => "algebra",
            Method::Linear => "linear arithmetic",
            Method::Nonlinear => "nonlinear arithmetic",
        }
    }
}

/// The answer about one claim.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It follows; `used` are the numbers of the assumptions that the argument rests on (facts are always used).
    Holds {
        method: Method,
        used: BTreeSet<usize>,
    },
    /// These values satisfy the facts and not the claim.
    Fails(Model),
    Open,
}

/// How hard the solver may try, in its units of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    pub linear: u32,
    pub nonlinear: u32,
    /// Whether claims without products are looked at case by case too. Few need it, and most that fail cost it.
    pub cases: bool,
    /// When to give up whatever is left. It is the only thing that makes an answer depend on the machine.
    pub deadline: Option<Instant>,
}

impl Effort {
    /// Without the nonlinear solver, for all candidates at first.
    pub const CHEAP: Effort = Effort { linear: 200_000, nonlinear: 0, cases: false, deadline: None };
    /// The same with cases for all claims.
    pub const BY_CASES: Effort = Effort { cases: true, ..Effort::CHEAP };
    /// For candidates, which are many.
    pub const LIGHT: Effort = Effort { nonlinear: 300_000, ..Effort::BY_CASES };
    /// For claims of the user.
    pub const FULL: Effort = Effort { linear: 2_000_000, nonlinear: 6_000_000, cases: true, deadline: None };

    pub fn deadline(self, deadline: Option<Instant>) -> Effort {
        Effort { deadline, ..self }
    }

    pub(super) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// So many units of work for one question without products, within the time that is left.
    fn linear_budget(&self) -> Budget {
        let budget = Budget::resources(self.linear);
        self.left().map_or(budget, |left| budget.and_millis(left))
    }

    /// So many units of work for one question with products. Units do not bound the time of every procedure.
    pub(super) fn budget(&self, units: u32) -> Budget {
        let usual = u64::from(units / 200);
        Budget::resources(units).and_millis(self.left().map_or(usual, |left| usual.min(left)))
    }

    /// The milliseconds that are left.
    fn left(&self) -> Option<u64> {
        let left = self.deadline?.saturating_duration_since(Instant::now());
        Some(u64::try_from(left.as_millis()).unwrap_or(u64::MAX).clamp(1, u64::from(u32::MAX)))
    }

    /// For relations that nobody asked to have proved: the more there are, the less for each.
    pub fn shared_by(relations: usize) -> Effort {
        let each = 2_000_000 / u32::try_from(relations.max(1)).unwrap_or(u32::MAX);
        Effort { nonlinear: each.clamp(40_000, Effort::LIGHT.nonlinear), ..Effort::LIGHT }
    }
}

/// Facts, prepared for claims.
pub struct Premises<'a> {
    pool: &'a TermPool,
    /// What always holds here: path conditions, definitions.
    facts: Vec<TermId>,
    /// What is assumed and may be taken back; answers say which of these they rest on.
    assumptions: Vec<TermId>,
    quotients: Vec<Quotient>,
    /// Claims that may be asked, so that their unknowns are known.
    claims: Vec<TermId>,
    effort: Effort,
    /// Whether products of unknowns occur. Without, the formulas are left as they are.
    is_nonlinear: bool,
    root: Case,
    cases: OnceCell<Vec<Case>>,
}

/// The facts with some choices made.
struct Case {
    /// Choices made beyond the facts.
    chosen: Vec<TermId>,
    unknowns: Unknowns,
    equations: Vec<Polynomial>,
    basis: Basis,
    /// Assumptions that the basis rests on.
    in_basis: BTreeSet<usize>,
    linear: Vec<(Option<usize>, TermId)>,
    claims: Vec<TermId>,
}

impl<'a> Premises<'a> {
    /// `claims` must list every claim that will be asked.
    pub fn new(
        pool: &'a TermPool,
        facts: Vec<TermId>,
        assumptions: Vec<TermId>,
        quotients: Vec<Quotient>,
        claims: Vec<TermId>,
        effort: Effort,
    ) -> Premises<'a> {
        let all: Vec<TermId> = facts.iter().chain(&assumptions).chain(&claims).copied().collect();
        let is_nonlinear = has_products(pool, &all);
        let root = if is_nonlinear {
            Case::new(pool, &facts, &assumptions, &quotients, &claims, Vec::new())
        } else {
            Case::plain(&facts, &assumptions)
        };
        Premises { pool, facts, assumptions, quotients, claims, effort, is_nonlinear, root, cases: OnceCell::new() }
    }

    /// Whether the claim follows.
    pub fn imply(&self, claim: TermId) -> Answer {
        self.imply_each(&[claim]).remove(0)
    }

    /// For each claim, whether it follows.
    pub fn imply_each(&self, claims: &[TermId]) -> Vec<Answer> {
        if self.effort.is_over() {
            return vec![Answer::Open; claims.len()];
        }
        let mut root = Linear::new(self, &self.root);
        let mut engines: Option<Vec<Linear>> = None;
        claims
            .iter()
            .map(|&claim| match if self.effort.is_over() { Answer::Open } else { root.ask(claim) } {
                Answer::Open if self.effort.is_over() => Answer::Open,
                Answer::Open if !self.is_nonlinear => Answer::Open,
                // Cases bring equations, which matter to products. The solver looks at linear cases itself.
                Answer::Open if !self.effort.cases && !root.speaks_of_products(claim) => Answer::Open,
                Answer::Open => {
                    let cases = self.cases.get_or_init(|| self.split());
                    let engines = engines.get_or_insert_with(|| cases.iter().map(|c| Linear::new(self, c)).collect());
                    self.imply_in_cases(engines, claim)
                }
                refinement => refinement,
            })
            .collect()
    }

    fn imply_in_cases(&self, engines: &mut [Linear], claim: TermId) -> Answer {
        let mut used = BTreeSet::new();
        let mut method = Method::Algebra;
        for engine in engines.iter_mut() {
            let mut answer = if engine.case.chosen.is_empty() { Answer::Open } else { engine.ask(claim) };
            if matches!(answer, Answer::Open) {
                answer = self.ask_clause(engine.case, claim);
            }
            if matches!(answer, Answer::Open) && self.effort.nonlinear > 0 {
                answer = self.ask_solver(engine.case, claim);
            }
            match answer {
                Answer::Holds { method: with, used: assumptions } => {
                    method = method.max(with);
                    used.extend(assumptions);
                }
                other => return other,
            }
        }
        // Cases were excluded and choices justified by the assumptions as a whole.
        if engines.len() != 1 || !engines[0].case.chosen.is_empty() {
            used.extend(0..self.assumptions.len());
        }
        Answer::Holds { method, used }
    }

    /// A claim `a != b || rest` is `rest` where `a == b`: one more equation.
    fn ask_clause(&self, case: &Case, claim: TermId) -> Answer {
        let pool = self.pool;
        let is_inequation = |&part: &TermId| {
            matches!(pool.op(part), Op::Not) && equation(pool, &case.unknowns, pool.args(part)[0]).is_some()
        };
        let parts = if matches!(pool.op(claim), Op::Or) { pool.args(claim) } else { &[] };
        let (premises, rest): (Vec<TermId>, Vec<TermId>) = parts.iter().partition(|part| is_inequation(part));
        if premises.is_empty() || rest.is_empty() {
            return Answer::Open;
        }
        let chosen = case.chosen.iter().copied().chain(premises.into_iter().map(|part| pool.args(part)[0])).collect();
        let narrowed = Case::new(pool, &self.facts, &self.assumptions, &self.quotients, &self.claims, chosen);
        match Linear::new(self, &narrowed).ask(pool.or(&rest)) {
            holds @ Answer::Holds { .. } => holds,
            _ => Answer::Open,
        }
    }

    /// Makes choices until linear arithmetic has decided all of them or there are too many cases.
    fn split(&self) -> Vec<Case> {
        let mut done = Vec::new();
        let mut open = vec![Vec::new()];
        while let Some(chosen) = open.pop() {
            let case =
                Case::new(self.pool, &self.facts, &self.assumptions, &self.quotients, &self.claims, chosen.clone());
            let full = done.len() + open.len() + 1 >= MOST_CASES;
            match if full { None } else { self.next_choice(&case) } {
                // The last alternative is looked at first; the order of the cases does not matter to the answer.
                Some(alternatives) => {
                    for alternative in alternatives {
                        open.push(chosen.iter().copied().chain(alternative).collect());
                    }
                }
                None => done.push(case),
            }
        }
        done
    }

    /// The first choice that is still open: its feasible alternatives, as facts to add. A choice with one feasible
    /// alternative is a new fact; with none the case itself is impossible, which the empty list says.
    fn next_choice(&self, case: &Case) -> Option<Vec<Vec<TermId>>> {
        let pool = self.pool;
        let mut engine = Linear::new(self, case);
        for alternatives in case.choices(pool, &self.facts, &self.assumptions, &self.quotients) {
            let feasible: Vec<Vec<TermId>> =
                alternatives.iter().filter(|facts| engine.may_hold(pool.and(facts))).cloned().collect();
            if feasible.len() <= 2 || feasible.len() < alternatives.len() {
                return Some(feasible);
            }
        }
        None
    }

    /// The facts of a case as they stand, to Z3.
    fn ask_solver(&self, case: &Case, claim: TermId) -> Answer {
        let pool = self.pool;
        let mut formulas: Vec<TermId> =
            self.facts.iter().chain(&self.assumptions).chain(&case.chosen).copied().collect();
        formulas.push(pool.not(claim));
        let all = || (0..self.assumptions.len()).collect();
        let options =
            |strategy| Options { budget: self.effort.budget(self.effort.nonlinear), strategy, ..Options::default() };
        let mut solver = Solver::with_options(pool, options(Strategy::Default));
        formulas.iter().for_each(|&formula| solver.assert(formula));
        match solver.check() {
            Outcome::Unsat { .. } => return Answer::Holds { method: Method::Nonlinear, used: all() },
            Outcome::Sat(model) => return Answer::Fails(model),
            Outcome::Unknown { .. } => {}
        }
        if let Some(relaxed) = relax(pool, &formulas) {
            let mut solver = Solver::with_options(pool, options(Strategy::Nlsat));
            relaxed.iter().for_each(|&formula| solver.assert(formula));
            if solver.check().is_unsat() {
                return Answer::Holds { method: Method::Nonlinear, used: all() };
            }
        }
        Answer::Open
    }
}

impl Case {
    /// Facts without products.
    fn plain(facts: &[TermId], assumptions: &[TermId]) -> Case {
        let certain = facts.iter().map(|&fact| (None, fact));
        let assumed = assumptions.iter().enumerate().map(|(number, &fact)| (Some(number), fact));
        Case {
            chosen: Vec::new(),
            unknowns: Unknowns::default(),
            equations: Vec::new(),
            basis: Basis::new([], REDUCTION),
            in_basis: BTreeSet::new(),
            linear: certain.chain(assumed).collect(),
            claims: Vec::new(),
        }
    }

    fn new(
        pool: &TermPool,
        facts: &[TermId],
        assumptions: &[TermId],
        quotients: &[Quotient],
        claims: &[TermId],
        chosen: Vec<TermId>,
    ) -> Case {
        let all = facts.iter().chain(assumptions).chain(claims).chain(&chosen).copied();
        let divisions = quotients.iter().flat_map(|q| [q.dividend, q.divisor, q.quotient, q.remainder]);
        // Terms of divisions are compared with themselves only to list their unknowns.
        let unknowns = Unknowns::of(pool, all.chain(divisions).collect::<Vec<_>>());
        let mut equations: Vec<Polynomial> = Vec::new();
        let mut in_basis = BTreeSet::new();
        let certain = facts.iter().chain(&chosen).map(|&fact| (None, fact));
        let assumed = assumptions.iter().enumerate().map(|(number, &fact)| (Some(number), fact));
        let numbered: Vec<(Option<usize>, TermId)> = certain.chain(assumed).collect();
        for &(number, fact) in &numbered {
            for conjunct in conjuncts(pool, fact) {
                if let Some(equation) = equation(pool, &unknowns, conjunct) {
                    equations.push(equation);
                    in_basis.extend(number);
                }
            }
        }
        for quotient in quotients {
            // The equation holds for every divisor that is not zero.
            if matches!(pool.op(quotient.divisor), Op::Int(value) if *value != smt::Int::ZERO)
                || chosen.contains(&pool.ne(quotient.divisor, pool.int(0)))
            {
                let sum = pool.add(pool.mul(quotient.divisor, quotient.quotient), quotient.remainder);
                equations.extend(unknowns.equation(pool, quotient.dividend, sum));
            }
        }
        let basis = Basis::new(equations.iter().cloned(), REDUCTION);
        Case { chosen, unknowns, equations, basis, in_basis, linear: numbered, claims: claims.to_vec() }
    }

    /// For each unknown, whether it is a factor of a product somewhere.
    fn multiplied(&self, pool: &TermPool) -> Vec<bool> {
        let mut hit = vec![false; self.unknowns.len()];
        let formulas: Vec<TermId> =
            self.linear.iter().map(|(_, fact)| *fact).chain(self.claims.iter().copied()).collect();
        for term in pool.postorder(&formulas) {
            if matches!(pool.op(term), Op::Mul)
                && let Some((polynomial, _)) = self.unknowns.polynomial(pool, term)
            {
                for (monomial, _) in polynomial.terms().iter().filter(|(monomial, _)| monomial.degree() > 1) {
                    monomial.exponents().iter().zip(&mut hit).for_each(|(e, hit)| *hit |= *e > 0);
                }
            }
        }
        hit
    }

    /// What could be split: for each choice the alternatives, of which at least one holds.
    fn choices(
        &self,
        pool: &TermPool,
        facts: &[TermId],
        assumptions: &[TermId],
        quotients: &[Quotient],
    ) -> Vec<Vec<Vec<TermId>>> {
        let mut choices = Vec::new();
        let multiplied = self.multiplied(pool);
        let matters = |term: TermId| {
            self.unknowns.polynomial(pool, term).is_some_and(|(p, _)| {
                p.terms().iter().any(|(m, _)| m.exponents().iter().zip(&multiplied).any(|(e, hit)| *e > 0 && *hit))
            })
        };
        let is_made = |alternatives: &[TermId]| alternatives.iter().any(|a| self.chosen.contains(a));
        for quotient in quotients {
            let nonzero = pool.ne(quotient.divisor, pool.int(0));
            match pool.op(quotient.divisor) {
                Op::Int(divisor) => {
                    let Ok(divisor) = i64::try_from(divisor) else { continue };
                    let of_interest = matters(quotient.quotient) || matters(quotient.dividend);
                    if (2..=8).contains(&divisor.abs()) && of_interest {
                        let values: Vec<TermId> = (1 - divisor.abs()..divisor.abs())
                            .map(|value| pool.eq(quotient.remainder, pool.int(value)))
                            .collect();
                        if !is_made(&values) {
                            choices.push(values.into_iter().map(|value| vec![value]).collect());
                        }
                    }
                }
                _ if !self.chosen.contains(&nonzero) && !self.chosen.contains(&pool.not(nonzero)) => {
                    choices.push(vec![vec![nonzero], vec![pool.not(nonzero)]]);
                }
                _ => {}
            }
        }
        for fact in facts.iter().chain(assumptions).flat_map(|&fact| conjuncts(pool, fact)) {
            if matches!(pool.op(fact), Op::Or) {
                let parts = pool.args(fact);
                let brings_equation = parts.iter().any(|&part| {
                    conjuncts(pool, part)
                        .into_iter()
                        .any(|c| matches!(pool.op(c), Op::Eq) && pool.args(c).iter().any(|&side| matters(side)))
                });
                if parts.len() <= 4 && brings_equation && !is_made(parts) {
                    choices.push(parts.iter().map(|&part| vec![part]).collect());
                }
            }
        }
        for (index, _) in multiplied.iter().enumerate().filter(|(_, hit)| **hit) {
            let term = self.unknowns.term(index);
            if matches!(pool.op(term), Op::Ite) {
                let args = pool.args(term);
                let (condition, negation) = (args[0], pool.not(args[0]));
                if !is_made(&[condition, negation]) {
                    choices.push(vec![vec![condition, pool.eq(term, args[1])], vec![negation, pool.eq(term, args[2])]]);
                }
            }
        }
        choices
    }
}

/// Linear arithmetic about one case. It belongs to one thread, so it is no part of the premises.
struct Linear<'a> {
    premises: &'a Premises<'a>,
    case: &'a Case,
    /// Nothing is rewritten where there are no products.
    lineariser: Option<Lineariser<'a>>,
    solver: Solver,
    /// The literal that stands for each assumption, in their order.
    literals: Vec<TermId>,
}

impl<'a> Linear<'a> {
    fn new(premises: &'a Premises<'a>, case: &'a Case) -> Linear<'a> {
        let pool = premises.pool;
        let mut lineariser = premises.is_nonlinear.then(|| Lineariser::new(pool, &case.unknowns, &case.basis));
        let budget = premises.effort.linear_budget();
        let mut solver = Solver::with_options(pool, Options { budget, ..Options::default() });
        let mut literals = Vec::new();
        for &(number, fact) in &case.linear {
            let linear = lineariser.as_mut().map_or(fact, |lineariser| lineariser.formula(fact));
            match number {
                Some(number) => {
                    let literal = pool.var(&format!("assumption!{number}"), SortId::BOOL);
                    literals.push(literal);
                    solver.assert(pool.implies(literal, linear));
                }
                None => solver.assert(linear),
            }
        }
        if let Some(lineariser) = &mut lineariser {
            lineariser.equations(&case.equations).into_iter().for_each(|equation| solver.assert(equation));
            lineariser.take_side_conditions().into_iter().for_each(|side| solver.assert(side));
        }
        Linear { premises, case, lineariser, solver, literals }
    }

    fn ask(&mut self, claim: TermId) -> Answer {
        let pool = self.premises.pool;
        let alternatives = if matches!(pool.op(claim), Op::Or) { pool.args(claim) } else { &[claim] };
        if alternatives
            .iter()
            .filter_map(|&part| equation(pool, &self.case.unknowns, part))
            .any(|equation| self.case.basis.contains(&equation, REDUCTION))
        {
            return Answer::Holds { method: Method::Algebra, used: self.case.in_basis.clone() };
        }
        match self.check(pool.not(claim)) {
            Outcome::Unsat { core } => {
                let mut used = self.case.in_basis.clone();
                used.extend(core.iter().filter_map(|literal| self.literals.iter().position(|l| l == literal)));
                Answer::Holds { method: Method::Linear, used }
            }
            Outcome::Sat(model) if self.refutes(&model, claim) => Answer::Fails(model),
            _ => Answer::Open,
        }
    }

    fn speaks_of_products(&mut self, claim: TermId) -> bool {
        self.lineariser.as_mut().is_some_and(|lineariser| lineariser.speaks_of_products(claim))
    }

    /// Whether the case may hold together with one more fact, as far as linear arithmetic can see.
    fn may_hold(&mut self, fact: TermId) -> bool {
        !self.check(fact).is_unsat()
    }

    fn check(&mut self, fact: TermId) -> Outcome {
        let linear = self.lineariser.as_mut().map_or(fact, |lineariser| lineariser.formula(fact));
        self.solver.push();
        if let Some(lineariser) = &mut self.lineariser {
            lineariser.take_side_conditions().into_iter().for_each(|side| self.solver.assert(side));
        }
        self.solver.assert(linear);
        let outcome = self.solver.check_assuming(&self.literals);
        self.solver.pop();
        outcome
    }

    /// The model knows products only as symbols, so it is evaluated on everything as it stands.
    fn refutes(&self, model: &Model, claim: TermId) -> bool {
        let is = |term: TermId, value: bool| matches!(model.eval(term), Ok(Value::Bool(v)) if v == value);
        self.case.linear.iter().all(|&(_, fact)| is(fact, true)) && is(claim, false)
    }
}

/// Whether two unknowns are multiplied anywhere.
fn has_products(pool: &TermPool, formulas: &[TermId]) -> bool {
    pool.postorder(formulas).into_iter().any(|term| {
        matches!(pool.op(term), Op::Mul)
            && pool.args(term).iter().filter(|arg| !pool.op(**arg).is_literal()).count() > 1
    })
}

/// The parts of a conjunction, at any depth.
fn conjuncts(pool: &TermPool, formula: TermId) -> Vec<TermId> {
    let mut work = vec![formula];
    let mut parts = Vec::new();
    while let Some(term) = work.pop() {
        match pool.op(term) {
            Op::And => work.extend(pool.args(term).iter().rev()),
            _ => parts.push(term),
        }
    }
    parts
}

/// The polynomial that an equation says is zero.
fn equation(pool: &TermPool, unknowns: &Unknowns, formula: TermId) -> Option<Polynomial> {
    match (pool.op(formula), pool.args(formula)) {
        (Op::Eq, &[a, b]) if matches!(pool.sort_of(a), SortId::INT | SortId::REAL) => unknowns.equation(pool, a, b),
        _ => None,
    }
}

/// The formulas with integers taken for reals; strict comparisons of integers keep their gap of one. What is
/// unsatisfiable there is so over the integers. `None` if something has no counterpart.
fn relax(pool: &TermPool, formulas: &[TermId]) -> Option<Vec<TermId>> {
    let mut known: HashMap<TermId, TermId> = HashMap::new();
    for term in pool.postorder(formulas) {
        let op = pool.op(term);
        let args: Vec<TermId> = pool.args(term).iter().map(|arg| known.get(arg).copied()).collect::<Option<_>>()?;
        let is_integer = |index: usize| pool.sort_of(pool.args(term)[index]) == SortId::INT;
        let one = || pool.real(smt::Rational::from(1));
        let relaxed = match op {
            Op::Int(value) => pool.real(smt::Rational::from(value.clone())),
            Op::App(symbol) if args.is_empty() && pool.sort_of(term) == SortId::INT => {
                pool.var(&format!("real!{}", pool.func(*symbol).name), SortId::REAL)
            }
            Op::App(_) if args.is_empty() && matches!(pool.sort_of(term), SortId::REAL | SortId::BOOL) => term,
            Op::ToReal => args[0],
            Op::Lt if is_integer(0) => pool.le(pool.add(args[0], one()), args[1]),
            Op::Not => {
                let inner = pool.args(term)[0];
                let parts = pool.args(inner);
                match pool.op(inner) {
                    Op::Le if pool.sort_of(parts[0]) == SortId::INT => {
                        pool.le(pool.add(known[&parts[1]], one()), known[&parts[0]])
                    }
                    _ => pool.not(args[0]),
                }
            }
            Op::True | Op::False | Op::Real(_) | Op::And | Op::Or | Op::Xor | Op::Ite | Op::Eq | Op::Distinct => {
                pool.build(op.clone(), &args)
            }
            Op::Add | Op::Mul | Op::Le | Op::Lt | Op::RealDiv => pool.build(op.clone(), &args),
            _ => return None,
        };
        known.insert(term, relaxed);
    }
    formulas.iter().map(|formula| known.get(formula).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World {
        pool: TermPool,
    }

    impl World {
        fn new() -> World {
            World { pool: TermPool::new() }
        }

        fn v(&self, name: &str) -> TermId {
            self.pool.var(name, SortId::INT)
        }

        fn ask(&self, facts: Vec<TermId>, quotients: Vec<Quotient>, claim: TermId) -> Answer {
            Premises::new(&self.pool, facts, Vec::new(), quotients, vec![claim], Effort::FULL).imply(claim)
        }

        fn quotient(&self, dividend: TermId, divisor: TermId, name: &str) -> (Quotient, TermId) {
            let t = &self.pool;
            let (quotient, remainder) = (self.v(&format!("{name}.q")), self.v(&format!("{name}.r")));
            let size = t.abs(divisor);
            let definition = t.implies(
                t.ne(divisor, t.int(0)),
                t.and(&[
                    t.eq(dividend, t.add(t.mul(divisor, quotient), remainder)),
                    t.lt(t.abs(remainder), size),
                    t.implies(t.ge(dividend, t.int(0)), t.ge(remainder, t.int(0))),
                    t.implies(t.le(dividend, t.int(0)), t.le(remainder, t.int(0))),
                ]),
            );
            (Quotient { dividend, divisor, quotient, remainder }, definition)
        }
    }

    /// A round of `prodbin`: y is halved and x doubled, after taking off a one if there is one.
    #[test]
    fn halving_is_split_by_the_remainder() {
        let w = World::new();
        let t = &w.pool;
        let (x, y, z, a, b) = (w.v("x"), w.v("y"), w.v("z"), w.v("a"), w.v("b"));
        let (half, definition) = w.quotient(y, t.int(2), "half");
        let invariant = t.eq(t.add(z, t.mul(x, y)), t.mul(a, b));
        let facts = vec![invariant, t.ge(y, t.int(0)), definition, t.ne(half.remainder, t.int(1))];
        let after = t.add(z, t.mul(t.mul(t.int(2), x), half.quotient));
        let answer = w.ask(facts, vec![half], t.eq(after, t.mul(a, b)));
        assert!(matches!(answer, Answer::Holds { method: Method::Algebra | Method::Linear, .. }), "{answer:?}");
    }

    /// Without `y >= 0` the remainder may be -1, and the claim is false.
    #[test]
    fn a_missing_fact_shows_as_a_countermodel() {
        let w = World::new();
        let t = &w.pool;
        let y = w.v("y");
        let (half, definition) = w.quotient(y, t.int(2), "half");
        let facts = vec![definition, t.ne(half.remainder, t.int(1))];
        let answer = w.ask(facts, vec![half], t.eq(y, t.mul(t.int(2), half.quotient)));
        let Answer::Fails(model) = answer else { panic!("{answer:?}") };
        assert!(matches!(model.eval(t.lt(y, t.int(0))), Ok(Value::Bool(true))));
    }

    /// The end of `fermat2`: a product is positive and one factor is, so the other is.
    #[test]
    fn signs_of_products_are_left_to_the_solver() {
        let w = World::new();
        let t = &w.pool;
        let (u, v, a) = (w.v("u"), w.v("v"), w.v("a"));
        let product = t.mul(t.sub(u, v), t.sub(t.add(u, v), t.int(2)));
        let facts = vec![t.eq(product, t.mul(t.int(4), a)), t.ge(a, t.int(1)), t.ge(v, t.int(1)), t.ge(u, t.int(3))];
        assert!(matches!(w.ask(facts, Vec::new(), t.gt(u, v)), Answer::Holds { .. }));
    }

    /// A disjunction of which linear arithmetic excludes one part brings an equation: powers of four.
    #[test]
    fn disjunctions_are_resolved() {
        let w = World::new();
        let t = &w.pool;
        let (q, q1, p, m) = (w.v("q"), w.v("q1"), w.v("p"), w.v("m"));
        let (quarter, d1) = w.quotient(q, t.int(4), "quarter");
        let (half, d2) = w.quotient(p, t.int(2), "half");
        let facts = vec![
            d1,
            d2,
            t.or(&[t.eq(q, t.int(1)), t.eq(q, t.mul(t.int(4), q1))]),
            t.ne(q, t.int(1)),
            t.ge(q1, t.int(1)),
            t.eq(p, t.mul(q, m)),
            t.ge(p, t.int(0)),
        ];
        let claim = t.eq(half.quotient, t.mul(t.int(2), t.mul(quarter.quotient, m)));
        assert!(matches!(w.ask(facts, vec![quarter, half], claim), Answer::Holds { .. }));
    }

    #[test]
    fn answers_name_the_assumptions_they_need() {
        let w = World::new();
        let t = &w.pool;
        let (x, y, z) = (w.v("x"), w.v("y"), w.v("z"));
        let assumptions = vec![t.le(x, y), t.le(z, t.int(3)), t.le(y, t.int(5))];
        let claim = t.le(x, t.int(5));
        let premises = Premises::new(t, Vec::new(), assumptions, Vec::new(), vec![claim], Effort::LIGHT);
        let Answer::Holds { used, .. } = premises.imply(claim) else { panic!() };
        assert_eq!(used, BTreeSet::from([0, 2]));
    }

    /// A random formula over x, y, z and a division, small enough that a grid often decides it.
    #[derive(Clone, Debug)]
    enum Random {
        /// 0: `<=`, 1: `<`, 2: `==`, 3: `!=`; the sum of the products compared with zero.
        Compare(u8, Vec<(i64, [u8; 2])>, i64),
        Or(Box<Random>, Box<Random>),
        Choice(Box<Random>, Vec<(i64, [u8; 2])>, i64),
    }

    fn random() -> impl proptest::strategy::Strategy<Value = Random> {
        use proptest::prelude::*;
        // Factors 0 to 4 are x, y, z, the quotient and the remainder; 5 is one.
        let products = || proptest::collection::vec((-2i64..3, [0u8..6, 0u8..6]), 1..3);
        let compare = (0u8..4, products(), -3i64..4).prop_map(|(r, p, c)| Random::Compare(r, p, c));
        compare.prop_recursive(1, 4, 2, move |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| Random::Or(Box::new(a), Box::new(b))),
                (inner, products(), -2i64..3).prop_map(|(c, p, k)| Random::Choice(Box::new(c), p, k)),
            ]
        })
    }

    fn build(t: &TermPool, unknowns: &[TermId; 5], formula: &Random) -> TermId {
        let sum = |products: &[(i64, [u8; 2])], constant: i64| {
            let factor = |f: u8| unknowns.get(usize::from(f)).copied().unwrap_or_else(|| t.int(1));
            products
                .iter()
                .fold(t.int(constant), |sum, (c, [a, b])| t.add(sum, t.mul(t.int(*c), t.mul(factor(*a), factor(*b)))))
        };
        match formula {
            Random::Compare(relation, products, constant) => {
                let (left, zero) = (sum(products, *constant), t.int(0));
                [t.le(left, zero), t.lt(left, zero), t.eq(left, zero), t.ne(left, zero)][usize::from(*relation)]
            }
            Random::Or(a, b) => t.or(&[build(t, unknowns, a), build(t, unknowns, b)]),
            Random::Choice(condition, products, constant) => {
                let condition = build(t, unknowns, condition);
                t.le(t.ite(condition, sum(products, *constant), unknowns[0]), t.int(1))
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 48, ..Default::default() })]
        /// What holds is true on every point of a grid that satisfies the facts; what fails is false at the values given.
        #[test]
        fn answers_agree_with_a_grid(
            facts in proptest::collection::vec(random(), 1..4),
            assumed in proptest::collection::vec(random(), 0..2),
            claim in random(),
            divisor in proptest::sample::select(vec![-3i64, 2, 3]),
        ) {
            let w = World::new();
            let t = &w.pool;
            let (x, y, z) = (w.v("x"), w.v("y"), w.v("z"));
            let (quotient, definition) = w.quotient(x, t.int(divisor), "d");
            let unknowns = [x, y, z, quotient.quotient, quotient.remainder];
            let mut facts: Vec<TermId> = facts.iter().map(|f| build(t, &unknowns, f)).collect();
            facts.push(definition);
            let assumed: Vec<TermId> = assumed.iter().map(|f| build(t, &unknowns, f)).collect();
            let claim = build(t, &unknowns, &claim);
            let effort = Effort { linear: 100_000, nonlinear: 50_000, ..Effort::FULL };
            let all: Vec<TermId> = facts.iter().chain(&assumed).copied().collect();
            let premises = Premises::new(t, facts, assumed, vec![quotient], vec![claim], effort);
            match premises.imply(claim) {
                Answer::Holds { .. } => {
                    for point in 0..343i64 {
                        let values = [point % 7 - 3, point / 7 % 7 - 3, point / 49 - 3];
                        let mut model = Model::new(t);
                        for (variable, value) in [x, y, z].into_iter().zip(values) {
                            model.set(variable, Value::Int(value.into()));
                        }
                        model.set(quotient.quotient, Value::Int((values[0] / divisor).into()));
                        model.set(quotient.remainder, Value::Int((values[0] % divisor).into()));
                        let is = |term| matches!(model.eval(term), Ok(Value::Bool(true)));
                        if all.iter().all(|&fact| is(fact)) {
                            proptest::prop_assert!(is(claim), "wrong at {values:?}");
                        }
                    }
                }
                Answer::Fails(model) => {
                    let is = |term| matches!(model.eval(term), Ok(Value::Bool(true)));
                    proptest::prop_assert!(all.iter().all(|&fact| is(fact)) && !is(claim));
                }
                Answer::Open => {}
            }
        }
    }
}
