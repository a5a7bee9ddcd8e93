//! Of relations that say the same together, as few as say everything.
//!
//! *Question*: which of these follow from the others?
//!
//! *Phases*, each on what the one before left, cheap ones first:
//! 0. *congruences* that follow from equations and better ones go ([`residues`](super::residues));
//! 1. *reduction*: bounds are reduced by the ideal of the equations; of bounds that are then parallel the tightest stays;
//! 2. *closure*: a bound on a difference or a sum goes if two others add up to it, as in the closure of octagons;
//! 3. *solver*: a relation goes if the solver refutes its opposite from the rest. Monomials are unknowns of their own
//!    there, so questions are linear; products of two bounds on variables that occur in a product are added as lemmas
//!    (`a >= 1` and `y >= 1` give `(a - 1)*(y - 1) >= 0`), which brings back most of what the monomials mean. Linear
//!    relations come first, then those with products, then disjunctive ones, each with those before as facts.
//!
//! Candidates come the best first, and the worst is asked about first, so that of two ways to say the same the better
//! one stays.
//!
//! *Guarantee*: the relations kept imply those dropped, over the integers; when the budget runs out more are kept than
//! needed (`pruning_keeps_the_region`). Budgets are counted, not timed, so the result is the same everywhere.

use super::claim::{Candidate, Claim, Class};
use super::equalities::budget;
use super::residues::independent;
use algebra::ideal::Basis;
use algebra::{Monomial, Polynomial, content};
use dashu_base::Signed;
use dashu_int::IBig;
use dashu_ratio::RBig;
use smt::{Budget, Options, Solver, SortId, TermId, TermPool};
use std::collections::HashMap;

/// What the solver may spend.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The solver's own units for one question.
    pub units: u32,
    /// Relations it is asked about; with more, only the last so many of them are looked at.
    pub questions: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { units: 60_000, questions: 120 }
    }
}

/// The candidates, which come the best first, without those that follow from the others and the equations. One that has
/// a reason never goes because of one that has none.
pub fn pruned(equations: &[Polynomial], candidates: Vec<Candidate>, effort: Effort) -> Vec<Candidate> {
    let basis = Basis::new(equations.iter().cloned(), budget());
    let candidates = independent(equations, candidates);
    let (reasoned, guessed): (Vec<Candidate>, Vec<Candidate>) = candidates.into_iter().partition(|c| c.has_reason);
    let mut facts = Vec::new();
    let mut kept = Vec::new();
    for group in [reasoned, guessed] {
        kept.extend(pruned_group(equations, &basis, group, &mut facts, effort));
    }
    kept
}

/// Of one group of candidates those that do not follow from the others and the facts, which they join.
fn pruned_group(
    equations: &[Polynomial],
    basis: &Basis,
    candidates: Vec<Candidate>,
    facts: &mut Vec<Claim>,
    effort: Effort,
) -> Vec<Candidate> {
    let is_interval = |claim: &Claim| matches!(claim, Claim::NonNegative(p) if p.degree() == 1 && p.terms().len() <= 2);
    let intervals: Vec<Claim> = candidates.iter().map(|c| c.claim.clone()).filter(is_interval).collect();
    let candidates = unless_sums(reduced(basis, candidates));
    // Tier by tier: what earlier tiers kept is settled and a fact for the later ones. All intervals follow from the
    // first tier, so they are facts as well.
    let mut tiers: [Vec<Candidate>; 3] = Default::default();
    for candidate in candidates {
        tiers[tier(&candidate)].push(candidate);
    }
    let mut kept: Vec<Candidate> = Vec::new();
    for (number, candidates) in tiers.into_iter().enumerate() {
        let settled = solved(equations, facts, candidates, effort);
        facts.extend(settled.iter().map(|c| c.claim.clone()));
        kept.extend(settled);
        if number == 0 {
            facts.extend(intervals.iter().cloned());
        }
    }
    kept
}

/// Linear relations, those with products, and those that are not needed to say what the others say: disjunctive bounds,
/// of which the report may leave some out, and facets.
fn tier(candidate: &Candidate) -> usize {
    match candidate.class {
        Class::Disjunctive | Class::Facet => 2,
        _ if candidate.claim.degree() > 1 => 1,
        _ => 0,
    }
}

/// A candidate with its bound as the equations leave it.
struct Reduced {
    candidate: Candidate,
    /// `None` if it is not a bound.
    normal: Option<Polynomial>,
}

/// The bound's direction (coprime, without the constant) and how far it reaches: direction + reach >= 0.
fn direction(polynomial: &Polynomial) -> (Polynomial, RBig) {
    let (constant, rest): (Vec<_>, Vec<_>) = polynomial.terms().iter().cloned().partition(|(m, _)| m.is_one());
    let scale = IBig::from(content(rest.iter().map(|(_, c)| c)));
    let constant = constant.into_iter().next().map_or(IBig::ZERO, |(_, c)| c);
    let reach = if scale == IBig::ZERO { RBig::from(constant) } else { RBig::from(constant) / RBig::from(scale) };
    (Polynomial::from_terms(rest).coprime(), reach)
}

fn reduced(basis: &Basis, candidates: Vec<Candidate>) -> Vec<Reduced> {
    let mut kept: Vec<Reduced> = Vec::new();
    // By direction: the place among the kept ones, and the reach.
    let mut tightest: HashMap<Polynomial, (usize, RBig)> = HashMap::new();
    for candidate in candidates {
        match &candidate.claim {
            Claim::NonNegative(polynomial) => {
                let normal = basis.reduce(polynomial.clone(), budget());
                let (along, reach) = direction(&normal);
                if along.is_zero() {
                    continue; // A number, and it held of the rows.
                }
                match tightest.get(&along) {
                    Some((_, known)) if *known <= reach => {}
                    Some((place, _)) => {
                        kept[*place] = Reduced { candidate, normal: Some(normal) };
                        let place = *place;
                        tightest.insert(along, (place, reach));
                    }
                    None => {
                        tightest.insert(along, (kept.len(), reach));
                        kept.push(Reduced { candidate, normal: Some(normal) });
                    }
                }
            }
            Claim::Any(parts) => {
                let certain = parts.iter().any(|part| match part {
                    Claim::NonNegative(p) => {
                        let (along, reach) = direction(&basis.reduce(p.clone(), budget()));
                        along.is_zero() && !reach.is_negative()
                    }
                    Claim::Zero(p) => basis.contains(p, budget()),
                    _ => false,
                });
                if !certain {
                    kept.push(Reduced { candidate, normal: None });
                }
            }
            _ => kept.push(Reduced { candidate, normal: None }),
        }
    }
    kept
}

/// A bound on one or two monomials with unit coefficients: signs, places of monomials, reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    first: (usize, bool),
    second: Option<(usize, bool)>,
}

/// Drops bounds that are the sum of two others: `x - z` by `x - y` and `y - z`, `x + y` by `x` and `y`, and `x` by
/// `x + y` and `x - y`. The worst are asked about first.
fn unless_sums(candidates: Vec<Reduced>) -> Vec<Candidate> {
    let mut places: HashMap<Monomial, usize> = HashMap::new();
    let mut known: HashMap<Key, RBig> = HashMap::new();
    let keys: Vec<Option<(Key, RBig)>> = candidates
        .iter()
        .map(|candidate| {
            let (along, reach) = direction(candidate.normal.as_ref()?);
            let mut signs = Vec::new();
            for (monomial, coefficient) in along.terms() {
                if *coefficient != IBig::ONE && *coefficient != IBig::NEG_ONE {
                    return None;
                }
                let count = places.len();
                signs.push((*places.entry(monomial.clone()).or_insert(count), !coefficient.is_negative()));
            }
            signs.sort_unstable();
            let key = match signs.as_slice() {
                [first] => Key { first: *first, second: None },
                [first, second] => Key { first: *first, second: Some(*second) },
                _ => return None,
            };
            known.insert(key, reach.clone());
            Some((key, reach))
        })
        .collect();
    let pair = |a: (usize, bool), b: (usize, bool)| Key { first: a.min(b), second: Some(a.max(b)) };
    let opposite = |(place, sign): (usize, bool)| (place, !sign);
    let mut kept: Vec<Candidate> = Vec::new();
    for (candidate, key) in candidates.into_iter().zip(keys).rev() {
        if let Some((key, reach)) = key {
            // Reaches add when bounds do: the sum must reach no farther than this one.
            let at = |key: Key| known.get(&key);
            let within = |a: Option<&RBig>, b: Option<&RBig>, times: u8| match (a, b) {
                (Some(a), Some(b)) => a + b <= &reach * RBig::from(times),
                _ => false,
            };
            let follows = match key.second {
                Some(second) => {
                    let first = key.first;
                    within(at(Key { first, second: None }), at(Key { first: second, second: None }), 1)
                        || (0..places.len()).filter(|p| *p != first.0 && *p != second.0).any(|p| {
                            [true, false].into_iter().any(|sign| {
                                let middle = (p, sign);
                                within(at(pair(first, middle)), at(pair(opposite(middle), second)), 1)
                            })
                        })
                }
                None => (0..places.len()).filter(|p| *p != key.first.0).any(|p| {
                    within(at(pair(key.first, (p, true))), at(pair(key.first, (p, false))), 2)
                        || [true, false].into_iter().any(|sign| {
                            let other = (p, sign);
                            let link = at(pair(key.first, opposite(other)));
                            within(link, at(Key { first: other, second: None }), 1)
                        })
                }),
            };
            if follows {
                known.remove(&key);
                continue;
            }
        }
        kept.push(candidate.candidate);
    }
    kept.reverse();
    kept
}

/// The solver's view: monomials are unknowns.
struct Encoder<'p> {
    pool: &'p TermPool,
    unknowns: HashMap<Monomial, TermId>,
}

impl Encoder<'_> {
    fn polynomial(&mut self, polynomial: &Polynomial) -> TermId {
        let parts: Vec<TermId> = polynomial
            .terms()
            .iter()
            .map(|(monomial, coefficient)| {
                let number = self.pool.int(coefficient.clone());
                if monomial.is_one() {
                    return number;
                }
                let next = self.unknowns.len();
                let pool = self.pool;
                let unknown = *self
                    .unknowns
                    .entry(monomial.clone())
                    .or_insert_with(|| pool.var(&format!("m{next}"), SortId::INT));
                pool.mul(number, unknown)
            })
            .collect();
        if parts.is_empty() { self.pool.int(0) } else { self.pool.sum(&parts) }
    }

    fn claim(&mut self, claim: &Claim) -> TermId {
        let zero = self.pool.int(0);
        match claim {
            Claim::Zero(p) => {
                let p = self.polynomial(p);
                self.pool.eq(p, zero)
            }
            Claim::NonNegative(p) => {
                let p = self.polynomial(p);
                self.pool.ge(p, zero)
            }
            Claim::Multiple(p, modulus) => {
                let p = self.polynomial(p);
                self.pool.eq(self.pool.int_mod(p, self.pool.int(modulus.clone())), zero)
            }
            Claim::Any(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|part| self.claim(part)).collect();
                self.pool.or(&parts)
            }
            Claim::All(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|part| self.claim(part)).collect();
                self.pool.and(&parts)
            }
        }
    }
}

fn solved(equations: &[Polynomial], facts: &[Claim], candidates: Vec<Candidate>, effort: Effort) -> Vec<Candidate> {
    if candidates.is_empty()
        || candidates.len() < 2 && equations.is_empty() && facts.is_empty()
        || effort.questions == 0
    {
        return candidates;
    }
    let pool = TermPool::new();
    let options = Options { budget: Budget::resources(effort.units), ..Options::default() };
    let mut solver = Solver::with_options(&pool, options);
    let mut encoder = Encoder { pool: &pool, unknowns: HashMap::new() };
    for equation in equations {
        let claim = encoder.claim(&Claim::Zero(equation.clone()));
        solver.assert(claim);
    }
    for fact in facts {
        let claim = encoder.claim(fact);
        solver.assert(claim);
    }
    let mut switches = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let claim = encoder.claim(&candidate.claim);
        let switch = pool.var(&format!("on{index}"), SortId::BOOL);
        solver.assert(pool.implies(switch, claim));
        switches.push((switch, claim));
    }
    // Facts hold always, candidates while they are switched on.
    let always = pool.bool(true);
    let bounds: Vec<(TermId, &Claim)> = facts
        .iter()
        .map(|fact| (always, fact))
        .chain(candidates.iter().zip(&switches).map(|(candidate, (switch, _))| (*switch, &candidate.claim)))
        .collect();
    for (left, right, product) in lemmas(&bounds, &encoder.unknowns) {
        let product = encoder.claim(&Claim::NonNegative(product));
        solver.assert(pool.implies(pool.and(&[left, right]), product));
    }
    let mut alive = vec![true; candidates.len()];
    for index in (0..candidates.len()).rev().take(effort.questions) {
        let (_, claim) = switches[index];
        let opposite = pool.var(&format!("off{index}"), SortId::BOOL);
        solver.assert(pool.implies(opposite, pool.not(claim)));
        let others = (0..candidates.len()).filter(|&i| i != index && alive[i]).map(|i| switches[i].0);
        let assumptions: Vec<TermId> = others.chain([opposite]).collect();
        alive[index] = !solver.check_assuming(&assumptions).is_unsat();
    }
    candidates.into_iter().zip(alive).filter(|(_, alive)| *alive).map(|(candidate, _)| candidate).collect()
}

/// Products of two bounds on single variables where the product of the variables occurs: when the bounds hold, and the
/// polynomial, which is then not negative.
fn lemmas(bounds: &[(TermId, &Claim)], unknowns: &HashMap<Monomial, TermId>) -> Vec<(TermId, TermId, Polynomial)> {
    let single: Vec<(TermId, &Polynomial, &Monomial)> = bounds
        .iter()
        .filter_map(|(when, claim)| match claim {
            Claim::NonNegative(p) if p.degree() == 1 && p.terms().iter().filter(|(m, _)| !m.is_one()).count() == 1 => {
                Some((*when, p, &p.leading()?.0))
            }
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for (place, (left, p, m)) in single.iter().enumerate() {
        for (right, q, n) in &single[place..] {
            if unknowns.contains_key(&m.mul(n)) && found.len() < 200 {
                found.push((*left, *right, p.mul(q)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;
    use crate::bounds::{Plan, bounds};
    use crate::claim::Check;
    use crate::tropical::{Side, general};
    use crate::wording::Wording;
    use observe::samples::{Evidence, Samples, Variable};
    use proptest::prelude::*;

    fn evidence(rows: &[Vec<i64>]) -> Evidence {
        let mut near = Samples::new(["x", "y", "z"].iter().map(|n| Variable::int(*n)).collect());
        let far = near.clone();
        rows.iter().for_each(|row| {
            near.push(row);
        });
        Evidence { near, far }
    }

    fn candidates(evidence: &Evidence) -> Vec<Candidate> {
        let wording = Wording::new(evidence.variables());
        let bounds = bounds(evidence, &Plan::linear(&[0, 1, 2], 3)).into_iter().map(|bound| Candidate {
            form: bound.form,
            class: Class::Tight,
            claim: bound.claim(),
            predicate: wording.bound(&bound.polynomial),
            has_reason: true,
        });
        let general = general(evidence, &[0, 1, 2], &Side::BOTH).into_iter().map(|half_space| Candidate {
            form: Form::MaxPlus,
            class: Class::Disjunctive,
            claim: half_space.claim(3),
            predicate: half_space.predicate(&wording, 1),
            has_reason: true,
        });
        bounds.chain(general).collect()
    }

    #[test]
    fn a_chain_needs_its_links_only() {
        let rows: Vec<Vec<i64>> = (0..60).map(|n| vec![n % 4, n % 4 + n % 5, n % 4 + n % 5 + n % 3]).collect();
        let kept = pruned(&[], candidates(&evidence(&rows)), Effort::default());
        let texts: Vec<String> = kept.iter().map(|c| c.predicate.to_string()).collect();
        assert!(texts.contains(&"x <= y".to_string()) && texts.contains(&"y <= z".to_string()), "{texts:?}");
        assert!(!texts.contains(&"x <= z".to_string()), "{texts:?}");
    }

    #[test]
    fn products_of_bounds_serve_as_lemmas() {
        let v: [Polynomial; 3] = std::array::from_fn(|i| Polynomial::variable(i, 3));
        let one = Polynomial::constant(1, 3);
        let bound = |form, p: Polynomial| Candidate {
            form,
            class: Class::Tight,
            predicate: logic::Predicate::Const(true),
            claim: Claim::NonNegative(p),
            has_reason: true,
        };
        // z == x*y, x >= 1, y >= 1: z >= x follows.
        let given = vec![
            bound(Form::Interval, v[0].sub(&one)),
            bound(Form::Interval, v[1].sub(&one)),
            bound(Form::Zone, v[2].sub(&v[0])),
        ];
        assert_eq!(pruned(&[v[2].sub(&v[0].mul(&v[1]))], given, Effort::default()).len(), 2);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        /// What is kept cuts out the same region of a grid as everything.
        #[test]
        fn pruning_keeps_the_region(rows in proptest::collection::vec(proptest::collection::vec(-3i64..4, 3), 1..40)) {
            let given = candidates(&evidence(&rows));
            let kept = pruned(&[], given.clone(), Effort::default());
            prop_assert!(kept.len() <= given.len());
            let checks = |all: &[Candidate]| all.iter().map(|c| Check::new(&c.claim)).collect::<Vec<_>>();
            let (all, few) = (checks(&given), checks(&kept));
            for n in 0..729i64 {
                let point = [n % 9 - 4, n / 9 % 9 - 4, n / 81 - 4];
                let inside = |checks: &[Check]| checks.iter().all(|c| c.holds(&point));
                prop_assert_eq!(inside(&all), inside(&few), "{:?}", point);
            }
        }
    }
}
