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
use super::formula::{Cmp, Formula, ParamId, Polynomial, PolynomialOfFormulas as _, VarId};
use super::language::Counter;
use diagnostics::Span;
use std::collections::{BTreeMap, BTreeSet};

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
    /// The bounds of a loop are in order.
    Rounds,
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
            Origin::Rounds => "bounds of loops are in order",
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
pub fn conjunctions(counters: &[Counter], parts: &[Formula]) -> Vec<Conjunction> {
    let mut start = Conjunction::default();
    for counter in counters {
        let at = Formula::Var(counter.var);
        let (from, to) = counter.ends();
        start.natural.push(at.polynomial().minus(&from.polynomial()));
        start.natural.push(to.clone().less(Formula::Int(1)).polynomial().minus(&at.polynomial()));
        if counter.step.abs() != 1 {
            let distance = Box::new(at.less(counter.from.clone()));
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
                difference.add_scaled(&Polynomial::constant(1.into()), &(-1).into());
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
            vars: self.vars.iter().map(|d| Domain { var: d.var, from: change(&d.from), to: change(&d.to) }).collect(),
            zero: self.zero.iter().map(polynomial).collect(),
            natural: self.natural.iter().map(polynomial).collect(),
            other: self.other.iter().map(change).collect(),
        }
    }

    /// Without repetitions and what is always true; nothing if something is never true.
    fn tidied(mut self) -> Option<Conjunction> {
        for polynomial in self.zero.iter().chain(&self.natural) {
            let is_zero = self.zero.contains(polynomial);
            if let Some(value) = polynomial.as_int()
                && (value < 0 || (is_zero && value != 0))
            {
                return None;
            }
        }
        if self.other.contains(&Formula::FALSE) {
            return None;
        }
        self.zero.retain(|p| p.as_int().is_none());
        self.natural.retain(|p| p.as_int().is_none());
        self.other.retain(|f| *f != Formula::TRUE);
        for list in [&mut self.zero, &mut self.natural] {
            let mut seen = BTreeSet::new();
            list.retain(|p| seen.insert(p.clone()));
        }
        let mut seen = BTreeSet::new();
        self.other.retain(|f| seen.insert(f.clone()));
        // What is one number is no other.
        let zero = self.zero.clone();
        let mut contradicted = false;
        self.other.retain(|f| {
            let Formula::Compare(Cmp::Ne, a, b) = f else { return true };
            let difference = a.polynomial().minus(&b.polynomial());
            let known = zero.iter().find_map(|z| {
                let mut sum = difference.clone();
                sum.add_scaled(z, &1.into());
                difference.minus(z).as_int().or(sum.as_int())
            });
            contradicted |= known == Some(0);
            known.is_none_or(|value| value == 0)
        });
        if contradicted {
            return None;
        }
        // Two bounds that differ by a constant: the tighter one is enough.
        let all = self.natural.clone();
        self.natural
            .retain(|p| !all.iter().any(|q| p != q && p.minus(q).as_int().is_some_and(|difference| difference > 0)));
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
        let split = |list: &[Polynomial]| list.iter().map(|p| p.split_off(&atom)).collect::<Option<Vec<_>>>();
        let (zero, natural) = (split(&self.zero)?, split(&self.natural)?);
        // It stands alone in an equation.
        let alone = zero.iter().find_map(|(factor, other)| match factor.as_int() {
            Some(1) => Some(Polynomial::default().minus(other)),
            Some(-1) => Some(other.clone()),
            _ => None,
        });
        if let Some(value) = alone {
            let value = value.to_formula();
            return Some(vec![rest.map(&|f| f.with_var(*var, &value))]);
        }
        if zero.iter().any(|(factor, _)| factor.as_int() != Some(0)) {
            return None;
        }
        let factors: Vec<Option<i128>> = natural.iter().map(|(factor, _)| factor.as_int()).collect();
        if factors.iter().all(|f| matches!(f, Some(-1..=1))) {
            rest.natural.clear();
            let with = |wanted| {
                natural.iter().zip(&factors).filter(move |(_, f)| **f == Some(wanted)).map(|((_, other), _)| other)
            };
            rest.natural.extend(with(0).cloned());
            for lower in with(1) {
                for upper in with(-1) {
                    let mut sum = lower.clone();
                    sum.add_scaled(upper, &1.into());
                    rest.natural.push(sum);
                }
            }
            return Some(vec![rest]);
        }
        // One inequality in which it is multiplied, besides its range: both ends of the range.
        let (first, last) = (from.clone(), to.clone().less(Formula::Int(1)));
        let range = [atom.polynomial().minus(&from.polynomial()), last.polynomial().minus(&atom.polynomial())];
        let mentions = |p: &Polynomial| p.atoms().any(|a| *a == atom);
        let multiplied: Vec<&Polynomial> = self.natural.iter().filter(|p| mentions(p) && !range.contains(p)).collect();
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
    pub fn is_possible(&self, encoder: &Encoder) -> bool {
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

    /// Without what is said about scalars alone, and with variables that are the same in all loops; and what was left
    /// out. Conditions that the arms of a switch have in common differ in that only.
    fn core(&self) -> (Conjunction, Vec<Formula>) {
        let fresh = |at: usize| Formula::Var(VarId(u32::MAX - at as u32));
        let names: BTreeMap<VarId, Formula> = self.vars.iter().enumerate().map(|(i, d)| (d.var, fresh(i))).collect();
        let mut core = self.map(&|f| f.with_vars(&names));
        for (domain, at) in core.vars.iter_mut().zip(0..) {
            domain.var = VarId(u32::MAX - at);
        }
        let scalar = |f: &Formula| {
            let mut plain = true;
            f.walk(&mut |part| {
                plain &= !matches!(part, Formula::Var(_) | Formula::Sum { .. })
                    && !matches!(part, Formula::Ref(r) if !r.indices.is_empty());
            });
            plain
        };
        let mut guard = Conjunction::default();
        let take = |list: &mut Vec<Polynomial>| {
            let (out, kept): (Vec<_>, Vec<_>) = list.drain(..).partition(|p| scalar(&p.to_formula()));
            *list = kept;
            out
        };
        guard.zero = take(&mut core.zero);
        guard.natural = take(&mut core.natural);
        (guard.other, core.other) = core.other.drain(..).partition(scalar);
        (core, guard.parts())
    }

    /// What it means that this never holds.
    fn excluded(&self) -> Formula {
        let in_range = |p: &Polynomial| {
            self.vars.iter().any(|d| {
                let at = Formula::Var(d.var).polynomial();
                let last = d.to.clone().less(Formula::Int(1)).polynomial();
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
                more.add_scaled(&Polynomial::constant(1.into()), &1.into());
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

/// Conditions, each with when it is asked for.
type Guarded = Vec<(Condition, Vec<Formula>)>;

/// Makes one condition of those that differ only in when they are asked for.
fn merged(conditions: Vec<Condition>, encoder: &Encoder) -> Vec<Condition> {
    let mut groups: Vec<(Conjunction, Guarded)> = Vec::new();
    for condition in conditions {
        let (core, guard) = condition.never.core();
        match groups.iter_mut().find(|(other, _)| *other == core) {
            Some((_, members)) => members.push((condition, guard)),
            None => groups.push((core, vec![(condition, guard)])),
        }
    }
    let empty = |core: &Conjunction| core.zero.is_empty() && core.natural.is_empty() && core.other.is_empty();
    let plain: Vec<Formula> = groups
        .iter()
        .filter(|(core, members)| empty(core) || members.len() == 1)
        .flat_map(|(_, members)| members)
        .filter(|(condition, _)| condition.never.vars.is_empty())
        .map(|(condition, _)| condition.formula.clone())
        .collect();
    let mut result = Vec::new();
    for (core, mut members) in groups {
        if members.len() == 1 || empty(&core) {
            result.extend(members.into_iter().map(|(condition, _)| condition));
            continue;
        }
        // What all have in common stays as it is; what else they ask for matters only if none of it need hold.
        let mut common = members[0].1.clone();
        common.retain(|part| members.iter().all(|(_, guard)| guard.contains(part)));
        let rest = |guard: &[Formula]| Formula::and(guard.iter().filter(|part| !common.contains(part)).cloned());
        let guards: Vec<Formula> = members.iter().map(|(_, guard)| rest(guard)).collect();
        let mut none: Vec<Formula> = guards.iter().map(Formula::negate).collect();
        none.extend(plain.iter().cloned());
        let always = encoder.refutes(&none, EFFORT);
        let (first, _) = members.swap_remove(0);
        let names: BTreeMap<VarId, Formula> =
            core.vars.iter().zip(&first.never.vars).map(|(fresh, own)| (fresh.var, Formula::Var(own.var))).collect();
        let mut never = core.map(&|f| f.with_vars(&names));
        for (domain, own) in never.vars.iter_mut().zip(&first.never.vars) {
            domain.var = own.var;
        }
        never.other.extend(common);
        if !always {
            never.other.push(Formula::or(guards));
        }
        result.push(Condition { formula: never.excluded(), never, ..first });
    }
    result
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
    pub fn require(&mut self, counters: &[Counter], path: &[Formula], cond: &Formula, origin: Origin, span: Span) {
        if let Formula::And(parts) = cond {
            for part in parts {
                self.require(counters, path, part, origin, span);
            }
            return;
        }
        let mut parts = path.to_vec();
        parts.push(cond.negate());
        self.exclude(conjunctions(counters, &parts), origin, span);
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
    pub fn finish(&mut self, encoder: &Encoder, known: &impl Fn(&Formula) -> Formula, assigned: &BTreeSet<ParamId>) {
        let before = std::mem::take(&mut self.conditions);
        let mut kept: Vec<Condition> = Vec::new();
        for condition in before {
            for never in condition.never.map(known).eliminated() {
                let formula = never.excluded();
                let open = never.unbound()
                    || formula.references().iter().any(|r| !r.indices.is_empty() && assigned.contains(&r.param));
                if open {
                    self.unsolved += 1;
                } else if !kept.iter().any(|k| k.never == never) && never.is_possible(encoder) {
                    kept.push(Condition { never, formula, ..condition.clone() });
                }
            }
        }
        let mut kept = merged(kept, encoder);
        // The hardest to read go first, if the others are enough.
        let weight = |c: &Condition| {
            let mut size = 0;
            c.formula.walk(&mut |f| size += if matches!(f, Formula::Forall { .. }) { 1000 } else { 1 });
            (size, matches!(c.origin, Origin::Assume | Origin::Length))
        };
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse((!weight(&kept[i]).1, weight(&kept[i]).0)));
        let mut dropped = BTreeSet::new();
        for i in order {
            // What the program assumes is shown as it is written, even if it follows.
            if weight(&kept[i]).1 {
                continue;
            }
            let mut parts = kept[i].never.parts();
            let others =
                kept.iter().enumerate().filter(|(j, c)| *j != i && !dropped.contains(j) && c.never.vars.is_empty());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::Frame;
    use crate::language::normalisation;
    use crate::values::{Value, Values};

    /// Elimination against its slow twin, which tries all values of the counters.
    #[test]
    fn elimination_is_exact() {
        let text = "void f(int p, int q, int *y) { *y = p + q; }";
        let loaded = cfront::load_text(&[("f.c", text)]).expect("the program should load");
        let entry = loaded.program.find_function("f").expect("f");
        let mut normalisation = normalisation(&loaded.program, entry).expect("f should be in the language");
        let counters: Vec<Counter> = ["i", "j"]
            .map(|name| Counter {
                var: normalisation.fresh_var(name),
                from: Formula::Int(0),
                to: Formula::scalar(ParamId(1)),
                step: 1,
            })
            .to_vec();
        let mut random = fastrand::Rng::with_seed(11);
        let mut eliminated = 0;
        for _ in 0..300 {
            let mut parts = Vec::new();
            for _ in 0..random.usize(1..3) {
                // Factors of counters are -1, 0, 1 or the input p.
                let mut sum = Formula::Int(random.i128(-3..=3));
                for counter in &counters {
                    let factor = match random.u8(0..5) {
                        0 => Formula::scalar(ParamId(0)),
                        n => Formula::Int(i128::from(n % 3) - 1),
                    };
                    sum = sum.plus(factor.times(Formula::Var(counter.var)));
                }
                let right = if random.bool() { Formula::scalar(ParamId(0)) } else { Formula::Int(0) };
                parts.push(if random.u8(0..3) == 0 { Formula::eq(sum, right) } else { Formula::le(sum, right) });
            }
            let cases = conjunctions(&counters, &parts);
            eliminated += cases.iter().filter(|c| c.vars.len() < counters.len()).count();
            let mut whole = Formula::and(parts.clone()).negate();
            for counter in counters.iter().rev() {
                whole = Formula::Forall {
                    var: counter.var,
                    from: Box::new(counter.from.clone()),
                    to: Box::new(counter.to.clone()),
                    body: Box::new(whole),
                };
            }
            let simple = Formula::and(cases.iter().map(Conjunction::excluded));
            for (p, q) in (-4..=4).flat_map(|p| (0..4).map(move |q| (p, q))) {
                let mut values = Values::empty(&normalisation);
                values.set(ParamId(0), Value::Scalar(p));
                values.set(ParamId(1), Value::Scalar(q));
                let mut frame = Frame::new(&normalisation, values);
                let (slow, fast) = (frame.evaluate(&whole), frame.evaluate(&simple));
                assert_eq!(slow, fast, "p = {p}, q = {q}: {parts:?}");
            }
        }
        assert!(eliminated > 100, "elimination should do something, and did it {eliminated} times");
    }
}
