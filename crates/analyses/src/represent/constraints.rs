//! What an inverse must ensure, with as few quantifiers as can be.
//!
//! A condition that must hold in every round of some loops is kept as what must *not* be: values of the counters for
//! which it fails, a [`Conjunction`]. That is the form in which counters can be eliminated exactly: by an equation in
//! which one stands alone, by combining its lower with its upper bounds where it stands alone in all of them, and, if
//! it is multiplied by an input in one inequality only, by looking at both ends of its range, since what is linear is
//! extreme there. So "no two of the strips x1[i] + 0 … x1[i] + x2[i] - 1 share a row", over two rounds of two loops
//! each, becomes `x1[i] + x2[i] <= x1[i2] || x1[i2] + x2[i2] <= x1[i]`, and for `surface[pitch*i + j]` all that is
//! left is `pitch >= width`.
//!
//! *Source*: the non-aliasing and loop-bound constraints of section 3.2 of the paper named in [`super`], which leaves
//! their form open and strengthens them by hand. *Departure*: nothing is strengthened here; every step is exact.

use super::encode::Encoder;
use super::formula::{Cmp, Formula, ParamId, Polynomial, VarId};
use super::language::{Counter, Normalisation};
use diagnostics::Span;
use std::collections::BTreeSet;

/// Why something must hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The program assumes it.
    Assume,
    /// An output is computed from inputs that are determined already.
    Equation,
    /// An index lies in its array.
    Bounds,
    /// A value lies in the range of its type.
    Range,
    /// A quotient is exact.
    Divides,
    /// No element is determined twice.
    Aliasing,
    /// Arrays have their lengths: the loop-bound constraints of the source.
    Length,
}

impl Origin {
    pub fn reason(self) -> &'static str {
        match self {
            Origin::Assume => "assumed",
            Origin::Equation => "an equation between what is determined",
            Origin::Bounds => "indices stay in their arrays",
            Origin::Range => "values fit their types",
            Origin::Divides => "quotients are exact",
            Origin::Aliasing => "no element is set twice",
            Origin::Length => "arrays have their lengths",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Domain {
    var: VarId,
    from: Formula,
    to: Formula,
}

/// For some values of the variables: all of `zero` are 0, none of `natural` is negative, and all of `other` hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conjunction {
    vars: Vec<Domain>,
    zero: Vec<Polynomial>,
    natural: Vec<Polynomial>,
    other: Vec<Formula>,
}

/// How many cases a condition may fall into before it is kept in one piece.
const MOST_CASES: usize = 64;
/// Solver's units of work for one question; some milliseconds.
const EFFORT: u32 = 150_000;

/// The cases in which all parts hold in some round of the loops, counters eliminated where possible.
pub fn conjunctions(_: &Normalisation, counters: &[Counter], parts: &[Formula]) -> Vec<Conjunction> {
    let mut start = Conjunction::default();
    for counter in counters {
        let at = Formula::Var(counter.var);
        let (from, to) = match counter.step > 0 {
            true => (counter.from.clone(), counter.to.clone()),
            false => (counter.to.clone().add(Formula::Int(1)), counter.from.clone().add(Formula::Int(1))),
        };
        start.natural.push(at.polynomial().minus(&from.polynomial()));
        start.natural.push(to.clone().sub(Formula::Int(1)).polynomial().minus(&at.polynomial()));
        if counter.step.abs() != 1 {
            let distance = Box::new(at.sub(counter.from.clone()));
            let step = Box::new(Formula::Int(counter.step.abs()));
            start.other.push(Formula::eq(Formula::Rem(distance, step), Formula::Int(0)));
        }
        start.vars.push(Domain { var: counter.var, from, to });
    }
    let mut cases = vec![start];
    for part in parts {
        let mut next = Vec::new();
        for case in &cases {
            let extended = case.with(part);
            if next.len() + extended.len() > MOST_CASES {
                let mut whole = case.clone();
                whole.other.push(part.clone());
                next.push(whole);
            } else {
                next.extend(extended);
            }
        }
        cases = next;
    }
    cases.into_iter().flat_map(Conjunction::eliminated).collect()
}

impl Conjunction {
    fn with(&self, part: &Formula) -> Vec<Conjunction> {
        let mut case = self.clone();
        match part {
            Formula::Int(0) => return Vec::new(),
            Formula::Int(_) => {}
            Formula::Compare(Cmp::Eq, a, b) => case.zero.push(a.polynomial().minus(&b.polynomial())),
            Formula::Compare(Cmp::Le, a, b) => case.natural.push(b.polynomial().minus(&a.polynomial())),
            Formula::Compare(Cmp::Lt, a, b) => {
                let mut difference = b.polynomial().minus(&a.polynomial());
                difference.add_scaled(&Polynomial::constant(1), -1);
                case.natural.push(difference);
            }
            Formula::And(parts) => {
                let mut cases = vec![case];
                for part in parts {
                    cases = cases.iter().flat_map(|c| c.with(part)).collect();
                }
                return cases;
            }
            Formula::Or(parts) => return parts.iter().flat_map(|p| self.with(p)).collect(),
            // A difference is kept whole: in two cases it would only be harder to read.
            other => case.other.push(other.clone()),
        }
        vec![case]
    }

    fn map(&self, change: &impl Fn(&Formula) -> Formula) -> Conjunction {
        let polynomial = |p: &Polynomial| change(&p.to_formula()).polynomial();
        Conjunction {
            vars: self
                .vars
                .iter()
                .map(|d| Domain { var: d.var, from: change(&d.from), to: change(&d.to) })
                .collect(),
            zero: self.zero.iter().map(polynomial).collect(),
            natural: self.natural.iter().map(polynomial).collect(),
            other: self.other.iter().map(change).collect(),
        }
    }

    /// Without repetitions and what is always true; nothing if something is never true.
    fn tidied(mut self) -> Option<Conjunction> {
        for polynomial in self.zero.iter().chain(&self.natural) {
            let is_zero = self.zero.contains(polynomial);
            if let Some(value) = polynomial.as_constant()
                && (value < 0 || (is_zero && value != 0))
            {
                return None;
            }
        }
        if self.other.contains(&Formula::FALSE) {
            return None;
        }
        self.zero.retain(|p| p.as_constant().is_none());
        self.natural.retain(|p| p.as_constant().is_none());
        self.other.retain(|f| *f != Formula::TRUE);
        for list in [&mut self.zero, &mut self.natural] {
            let mut seen = BTreeSet::new();
            list.retain(|p| seen.insert(p.clone()));
        }
        let mut seen = BTreeSet::new();
        self.other.retain(|f| seen.insert(f.clone()));
        // Two bounds that differ by a constant: the tighter one is enough.
        let all = self.natural.clone();
        self.natural.retain(|p| {
            !all.iter().any(|q| p != q && p.minus(q).as_constant().is_some_and(|difference| difference > 0))
        });
        Some(self)
    }

    fn eliminated(self) -> Vec<Conjunction> {
        let Some(case) = self.tidied() else { return Vec::new() };
        for position in (0..case.vars.len()).rev() {
            let var = case.vars[position].var;
            let inner = &case.vars[position + 1..];
            if inner.iter().any(|d| d.from.mentions_var(var) || d.to.mentions_var(var))
                || case.other.iter().any(|f| f.mentions_var(var))
            {
                continue;
            }
            if let Some(cases) = case.without(position) {
                return cases.into_iter().flat_map(Conjunction::eliminated).collect();
            }
        }
        vec![case]
    }

    /// The same without one variable, in cases, if that can be said exactly.
    fn without(&self, position: usize) -> Option<Vec<Conjunction>> {
        let Domain { var, from, to } = &self.vars[position];
        let atom = Formula::Var(*var);
        let mut rest = self.clone();
        rest.vars.remove(position);
        let split = |list: &[Polynomial]| list.iter().map(|p| p.split(&atom)).collect::<Option<Vec<_>>>();
        let (zero, natural) = (split(&self.zero)?, split(&self.natural)?);
        // It stands alone in an equation.
        let alone = zero.iter().find_map(|(factor, other)| match factor.as_constant() {
            Some(1) => Some(Polynomial::default().minus(other)),
            Some(-1) => Some(other.clone()),
            _ => None,
        });
        if let Some(value) = alone {
            let value = value.to_formula();
            return Some(vec![rest.map(&|f| f.with_var(*var, &value))]);
        }
        if zero.iter().any(|(factor, _)| factor.as_constant() != Some(0)) {
            return None;
        }
        let factors: Vec<Option<i128>> = natural.iter().map(|(factor, _)| factor.as_constant()).collect();
        if factors.iter().all(|f| matches!(f, Some(-1..=1))) {
            rest.natural.clear();
            let with = |wanted| {
                natural.iter().zip(&factors).filter(move |(_, f)| **f == Some(wanted)).map(|((_, other), _)| other)
            };
            rest.natural.extend(with(0).cloned());
            for lower in with(1) {
                for upper in with(-1) {
                    let mut sum = lower.clone();
                    sum.add_scaled(upper, 1);
                    rest.natural.push(sum);
                }
            }
            return Some(vec![rest]);
        }
        // One inequality in which it is multiplied, besides its range: both ends of the range.
        let (first, last) = (from.clone(), to.clone().sub(Formula::Int(1)));
        let range = [atom.polynomial().minus(&from.polynomial()), last.polynomial().minus(&atom.polynomial())];
        let mentions = |p: &Polynomial| p.terms.keys().any(|product| product.contains(&atom));
        let multiplied: Vec<&Polynomial> =
            self.natural.iter().filter(|p| mentions(p) && !range.contains(p)).collect();
        let [only] = multiplied[..] else { return None };
        rest.natural.retain(|p| !mentions(p));
        rest.natural.push(last.polynomial().minus(&from.polynomial()));
        let ends = [first, last].map(|end| {
            let mut case = rest.clone();
            case.natural.push(only.to_formula().with_var(*var, &end).polynomial());
            case
        });
        Some(ends.into())
    }

    /// Whether it can hold at all, as far as the solver can tell.
    pub fn is_possible(&self, normalisation: &Normalisation) -> bool {
        let encoder = Encoder::new(normalisation);
        !encoder.refutes(&self.parts(), EFFORT)
    }

    fn parts(&self) -> Vec<Formula> {
        let zero = self.zero.iter().map(|p| {
            let (a, b) = p.sides();
            Formula::eq(a, b)
        });
        let natural = self.natural.iter().map(|p| {
            let (a, b) = p.sides();
            Formula::le(b, a)
        });
        zero.chain(natural).chain(self.other.iter().cloned()).collect()
    }

    /// What it means that this never holds.
    fn excluded(&self) -> Formula {
        let in_range = |p: &Polynomial| {
            self.vars.iter().any(|d| {
                let at = Formula::Var(d.var).polynomial();
                let last = d.to.clone().sub(Formula::Int(1)).polynomial();
                *p == at.minus(&d.from.polynomial()) || *p == last.minus(&at)
            })
        };
        let mut parts = Vec::new();
        for p in &self.zero {
            let (a, b) = p.sides();
            parts.push(Formula::compare(Cmp::Ne, a, b));
        }
        for p in self.natural.iter().filter(|p| !in_range(p)) {
            // a - b < 0 is written a < b, or a + 1 <= b without the one.
            let (a, b) = p.sides();
            let (strict_a, strict_b) = {
                let mut more = p.clone();
                more.add_scaled(&Polynomial::constant(1), 1);
                more.sides()
            };
            let size = |f: &Formula| {
                let mut n = 0;
                f.walk(&mut |_| n += 1);
                n
            };
            let plain = size(&a) + size(&b) <= size(&strict_a) + size(&strict_b);
            parts.push(if plain { Formula::lt(a, b) } else { Formula::le(strict_a, strict_b) });
        }
        parts.extend(self.other.iter().map(Formula::negate));
        let mut formula = Formula::or(parts);
        for d in self.vars.iter().rev() {
            formula = Formula::Forall {
                var: d.var,
                from: Box::new(d.from.clone()),
                to: Box::new(d.to.clone()),
                body: Box::new(formula),
            };
        }
        formula
    }

    /// Variables that are free in it.
    fn unbound(&self) -> bool {
        let formula = self.excluded();
        let mut bound: BTreeSet<VarId> = self.vars.iter().map(|d| d.var).collect();
        formula.walk(&mut |f| {
            if let Formula::Sum { var, .. } = f {
                bound.insert(*var);
            }
        });
        let mut free = false;
        formula.walk(&mut |f| free |= matches!(f, Formula::Var(v) if !bound.contains(v)));
        free
    }
}

/// One thing to ensure.
#[derive(Clone, Debug)]
pub struct Condition {
    never: Conjunction,
    pub formula: Formula,
    pub origin: Origin,
    pub span: Span,
}

/// Everything an inverse must ensure.
#[derive(Clone, Debug, Default)]
pub struct Ensure {
    pub conditions: Vec<Condition>,
    /// How many conditions can only be checked when the inverse runs.
    pub unsolved: usize,
}

impl Ensure {
    /// `cond` must hold in every round of the loops in which the path is taken.
    pub fn require(
        &mut self,
        normalisation: &Normalisation,
        counters: &[Counter],
        path: &[Formula],
        cond: &Formula,
        origin: Origin,
        span: Span,
    ) {
        if let Formula::And(parts) = cond {
            for part in parts {
                self.require(normalisation, counters, path, part, origin, span);
            }
            return;
        }
        let mut parts = path.to_vec();
        parts.push(cond.negate());
        self.exclude(conjunctions(normalisation, counters, &parts), origin, span);
    }

    pub fn exclude(&mut self, cases: Vec<Conjunction>, origin: Origin, span: Span) {
        for never in cases {
            if !self.conditions.iter().any(|c| c.never == never) {
                self.conditions.push(Condition { never, formula: Formula::TRUE, origin, span });
            }
        }
    }

    pub fn formulas(&self) -> Vec<Formula> {
        self.conditions.iter().map(|c| c.formula.clone()).collect()
    }

    /// Puts in what is known of the inputs, and drops what always holds or follows from the rest.
    pub fn finish(
        &mut self,
        normalisation: &mut Normalisation,
        known: &impl Fn(&Formula) -> Formula,
        assigned: &BTreeSet<ParamId>,
    ) {
        let before = std::mem::take(&mut self.conditions);
        let mut kept: Vec<Condition> = Vec::new();
        for condition in before {
            for never in condition.never.map(known).eliminated() {
                let formula = never.excluded();
                let open = never.unbound()
                    || formula.references().iter().any(|r| !r.indices.is_empty() && assigned.contains(&r.param));
                if open {
                    self.unsolved += 1;
                } else if !kept.iter().any(|k| k.never == never) && never.is_possible(normalisation) {
                    kept.push(Condition { never, formula, ..condition.clone() });
                }
            }
        }
        // The hardest to read go first, if the others are enough.
        let weight = |c: &Condition| {
            let mut size = 0;
            c.formula.walk(&mut |f| size += if matches!(f, Formula::Forall { .. }) { 1000 } else { 1 });
            (size, matches!(c.origin, Origin::Assume | Origin::Length))
        };
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse((!weight(&kept[i]).1, weight(&kept[i]).0)));
        let mut dropped = BTreeSet::new();
        let encoder = Encoder::new(normalisation);
        for i in order {
            // What the program assumes is shown as it is written, even if it follows.
            if weight(&kept[i]).1 {
                continue;
            }
            let mut parts = kept[i].never.parts();
            let others = kept.iter().enumerate().filter(|(j, c)| *j != i && !dropped.contains(j) && c.never.vars.is_empty());
            parts.extend(others.map(|(_, c)| c.formula.clone()));
            if encoder.refutes(&parts, EFFORT) {
                dropped.insert(i);
            }
        }
        let mut position = 0;
        kept.retain(|_| {
            position += 1;
            !dropped.contains(&(position - 1))
        });
        self.conditions = kept;
    }
}
