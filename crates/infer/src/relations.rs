//! All relations of one location: the chosen forms, without what follows from the rest, the most informative first.
//!
//! *Order of the report*: equations, cases, minima and maxima, what guards give, bounds that many rows attain,
//! disjunctive bounds, congruences, bounds that few rows attain, facets of hulls.

use super::bounds::{Bound, Plan, bounds};
use super::claim::{Candidate, Claim, Class, Measure};
use super::congruences::congruences;
use super::deduction::deduced;
use super::equalities::{Equalities, Search, Stopped, equalities, lightened};
use super::modular::modular;
use super::one_of::one_of;
use super::prune::{Effort, pruned};
use super::reason::has_reason;
use super::saturation::saturations;
use super::tropical::{self, Side, tropical};
use super::wording::Wording;
use super::{Form, Invariant, Location, disjunctions, polyhedra};
use algebra::largest_degree;
use algebra::{Monomial, Polynomial};
use dashu_base::{Abs, Signed};
use dashu_int::IBig;
use diagnostics::Verdict;
use logic::Term;
use observe::samples::{Evidence, Role, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Products take part in bounds by default up to this many variables.
const MOST_FOR_PRODUCTS: usize = 8;
/// Variables among which bounds and congruences of two of them are looked for: there are two sums and two differences for each pair, and
/// of those that follow from others the search grows with the third power.
pub(crate) const MOST_FOR_PAIRS: usize = 120;

/// Terms whose pairs are bounded when a degree is given.
const MOST_BOUNDED_TERMS: usize = 120;

/// Rows that must attain a bound on a product, and the share of rows that makes a bound tight.
const ATTAINED: usize = 5;

/// Rows that are looked at to see how many attain a bound.
const LOOKED_AT: usize = 10_000;

/// Equations that speak of counted rounds have coefficients up to this.
const MOST_GHOST_COEFFICIENT: i64 = 100_000;

/// Longer equations are not shown.
const MOST_SHOWN_TERMS: usize = 40;

/// Relations with `min` and `max` that are shown of one variable and side.
const MOST_DISJUNCTIVE: usize = 3;

/// What is looked for at a location.
#[derive(Clone, Debug)]
pub struct FormConfig {
    pub forms: BTreeSet<Form>,
    /// The degree of equations; by default the largest whose terms stay within the limit.
    pub degree: Option<u32>,
    /// The degree of the terms of intervals, zones and octagons. By default variables, and products of two against a
    /// third where there are few.
    pub bound_degree: Option<u32>,
    pub term_limit: usize,
    /// Shapes of polyhedra, such as `c1*x^2 + c2*y^2`. Without any, triples of variables.
    pub shapes: Vec<Term>,
    /// The number of variables of weak max-plus and min-plus relations, 2 or 3.
    pub tropical_variables: usize,
    pub effort: Effort,
    /// Ends the search early when set; what was found so far is reported.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for FormConfig {
    fn default() -> FormConfig {
        FormConfig {
            forms: Form::ALL.into_iter().filter(|form| form.is_default()).collect(),
            degree: None,
            bound_degree: None,
            term_limit: 200,
            shapes: Vec::new(),
            tropical_variables: 2,
            effort: Effort::default(),
            cancel: None,
        }
    }
}

impl FormConfig {
    pub fn wants(&self, form: Form) -> bool {
        self.forms.contains(&form)
    }

    /// Whether the search should end.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// What was found at a location.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    /// The most informative first.
    pub invariants: Vec<Invariant>,
    /// What was cut short or left out, in whole sentences.
    pub notes: Vec<String>,
}

/// The relations of the chosen forms that hold of all the evidence.
pub fn relations(location: &Location, evidence: &Evidence, config: &FormConfig) -> Relations {
    let mut finder =
        Finder { location, evidence, config, wording: Wording::new(evidence.variables()), notes: Vec::new() };
    if evidence.is_empty() {
        return Relations { invariants: Vec::new(), notes: vec!["No run came here, so nothing is known.".to_string()] };
    }
    let (equations, equation_candidates) = finder.equations();
    let mut candidates = equation_candidates;
    candidates.extend(finder.deduced(&equations));
    candidates.extend(finder.bounds());
    candidates.extend(finder.tropical());
    candidates.extend(finder.saturated(&equations));
    candidates.extend(finder.one_of());
    candidates.extend(finder.congruences(&equations));
    candidates.extend(finder.polyhedra());
    let kept = finder.pruned(&equations, candidates);
    let visits = evidence.near.visits() + evidence.far.visits();
    let invariant = |c: Candidate| Invariant {
        form: c.form,
        predicate: c.predicate,
        verdict: Verdict::Observed { visits },
        has_reason: c.has_reason,
    };
    Relations { invariants: kept.into_iter().map(invariant).collect(), notes: finder.notes }
}

struct Finder<'a> {
    location: &'a Location,
    evidence: &'a Evidence,
    config: &'a FormConfig,
    wording: Wording<'a>,
    notes: Vec<String>,
}

impl Finder<'_> {
    fn variables(&self) -> &[Variable] {
        self.evidence.variables()
    }

    /// The columns that take part in all forms: everything but ghosts.
    fn columns(&self) -> Vec<usize> {
        (0..self.variables().len()).filter(|&v| self.variables()[v].role != Role::Ghost).collect()
    }

    /// Whether there is time left; if not, a note says what is missing.
    fn goes_on(&mut self, what: &str) -> bool {
        if self.config.is_cancelled() {
            self.notes.push(format!("Stopped early: {what} were not looked for."));
        }
        !self.config.is_cancelled()
    }

    /// The equations that hold, and the candidates that say them.
    fn equations(&mut self) -> (Vec<Polynomial>, Vec<Candidate>) {
        if !self.config.wants(Form::Equality) && !self.config.wants(Form::Disjunction) {
            return (Vec::new(), Vec::new());
        }
        let columns = self.columns();
        let degree = self.config.degree.unwrap_or_else(|| largest_degree(columns.len(), self.config.term_limit));
        let search =
            Search { evidence: self.evidence, columns: &columns, start: &[], degree, limit: self.config.term_limit };
        let found = equalities(&search);
        self.note_degree(&found, degree);
        let mut all = found.polynomials;
        let mut candidates = self.worded(&all);
        let ghosts = self.with_ghosts(&all);
        candidates.extend(self.worded(&ghosts));
        all.extend(ghosts);
        (all, candidates)
    }

    fn note_degree(&mut self, found: &Equalities, degree: u32) {
        if found.fitted && self.config.degree.is_some() {
            self.notes.push(format!(
                "Degree {} has equations that merely list the values seen; they are left out, and larger degrees too.",
                found.degree
            ));
        }
        for few in found.few_rows.iter().filter(|few| !few.determined) {
            let said = match (few.odds, few.found) {
                (Some(odds), 1) => format!("one equation stands out against chance, by odds of 2^{odds} to 1"),
                (Some(odds), count) => {
                    format!("{count} equations stand out against chance, each by odds of 2^{odds} to 1")
                }
                _ => continue,
            };
            let (degree, terms, rows) = (few.degree, few.terms, self.evidence.len());
            self.notes.push(format!("Degree {degree} has {terms} terms and there are {rows} different rows: {said}."));
        }
        let reached = match found.degree {
            0 => "only constants were looked for".to_string(),
            reached => format!("equations were looked for up to degree {reached}"),
        };
        match found.stopped {
            Some(Stopped::TooManyTerms { terms }) if self.config.degree.is_some() => {
                let limit = self.config.term_limit;
                self.notes.push(format!(
                    "Degree {} has {terms} terms, more than the limit of {limit}: {reached}.",
                    (found.degree + 1).min(degree)
                ));
            }
            Some(Stopped::TooFewRows { needed }) if needed > self.evidence.len() => {
                let rows = self.evidence.len();
                self.notes.push(format!(
                    "Degree {} would need about {needed} different rows and there are {rows}: {reached}.",
                    found.degree + 1
                ));
            }
            _ => {}
        }
    }

    /// Equations with ghosts that do not follow from those without.
    fn with_ghosts(&self, known: &[Polynomial]) -> Vec<Polynomial> {
        let ghosts: Vec<usize> =
            (0..self.variables().len()).filter(|&v| self.variables()[v].role == Role::Ghost).collect();
        let mut columns = self.columns();
        if ghosts.is_empty() || self.config.is_cancelled() {
            return Vec::new();
        }
        // A power that has grown too large is no number, and no equation speaks of it.
        let evidence = &self.evidence.with_powers();
        for &ghost in &ghosts {
            let is_counter = self.variables()[ghost].term == Term::var(self.variables()[ghost].name.clone());
            let mut with = self.columns();
            with.push(ghost);
            let search = Search { evidence, columns: &with, start: known, degree: 1, limit: self.config.term_limit };
            // A counter that is linear in the variables (`i == n1`) says nothing that they do not.
            if !is_counter || equalities(&search).polynomials.is_empty() {
                columns.push(ghost);
            }
        }
        let degree = self.config.degree.unwrap_or(2);
        let limit = self.config.term_limit;
        let search = Search { evidence, columns: &columns, start: known, degree: degree.min(2), limit };
        let mut found = equalities(&search).polynomials;
        // Two loops that undo each other give squares of powers (`q * (2^n2)^2 == (2^n1)^2`); with one variable at a
        // time that takes few terms.
        let is_power = |v: &usize| matches!(self.variables()[*v].term, Term::Exponential(..));
        let powers: Vec<usize> = ghosts.iter().copied().filter(is_power).collect();
        if self.config.degree.is_none() && (1..=3).contains(&powers.len()) {
            for variable in self.columns() {
                let mut columns = vec![variable];
                columns.extend(&powers);
                let inside = |p: &&Polynomial| {
                    let outside = |(m, _): &(Monomial, IBig)| {
                        m.exponents().iter().enumerate().any(|(v, &e)| e > 0 && !columns.contains(&v))
                    };
                    !p.terms().iter().any(outside)
                };
                let start: Vec<Polynomial> = known.iter().chain(&found).filter(inside).cloned().collect();
                let search = Search { evidence, columns: &columns, start: &start, degree: 3, limit };
                found.extend(equalities(&search).polynomials);
            }
        }
        // Rounds of loops are counted by us: what needs large numbers to bring them in lists values that were seen.
        let is_small = |(_, c): &(Monomial, IBig)| c.clone().abs() <= IBig::from(MOST_GHOST_COEFFICIENT);
        found.retain(|polynomial| polynomial.terms().len() <= 2 || polynomial.terms().iter().all(is_small));
        found
    }

    fn worded(&mut self, equations: &[Polynomial]) -> Vec<Candidate> {
        let mut found = Vec::new();
        for shown in lightened(equations) {
            let polynomial = shown.polynomial;
            if polynomial.terms().len() > MOST_SHOWN_TERMS {
                self.notes.push(format!("An equation of {} terms is not shown.", polynomial.terms().len()));
                continue;
            }
            let cases = disjunctions::cases(&polynomial).filter(|_| self.config.wants(Form::Disjunction));
            if let Some(cases) = cases {
                found.push(Candidate {
                    form: Form::Disjunction,
                    class: Class::Cases,
                    claim: disjunctions::claim(&cases),
                    predicate: disjunctions::predicate(&cases, &self.wording),
                    has_reason: true,
                });
            } else if self.config.wants(Form::Equality) {
                found.push(Candidate {
                    form: Form::Equality,
                    class: Class::Equation,
                    predicate: self.wording.equation(&polynomial),
                    claim: Claim::Zero(polynomial),
                    has_reason: true,
                });
            }
        }
        found
    }

    fn bound(&self, form: Form, class: Class, polynomial: Polynomial) -> Candidate {
        let predicate = self.wording.bound(&polynomial);
        let claim = Claim::NonNegative(polynomial);
        Candidate { form, class, predicate, has_reason: has_reason(class, &claim, self.evidence), claim }
    }

    /// The form that a bound belongs to by its shape.
    fn form_of(polynomial: &Polynomial) -> Form {
        let parts: Vec<&IBig> = polynomial.terms().iter().filter(|(m, _)| !m.is_one()).map(|(_, c)| c).collect();
        let unit = |c: &IBig| *c == IBig::ONE || *c == IBig::NEG_ONE;
        match parts.as_slice() {
            [_] => Form::Interval,
            [a, b] if unit(a) && unit(b) && a != b => Form::Zone,
            [a, b] if unit(a) && unit(b) => Form::Octagon,
            _ => Form::Polyhedron,
        }
    }

    fn deduced(&mut self, equations: &[Polynomial]) -> Vec<Candidate> {
        let shown: Vec<Polynomial> = lightened(equations).into_iter().map(|s| s.polynomial).collect();
        let found = deduced(&self.location.guards, &shown, self.variables());
        let holds = |p: &Polynomial| {
            let measure = Measure::new(p);
            self.evidence.rows().all(|row| !measure.is_negative(row))
        };
        let candidate = |p: Polynomial| self.bound(Finder::form_of(&p), Class::Deduced, p);
        found.into_iter().filter(holds).map(candidate).collect()
    }

    fn bounds(&mut self) -> Vec<Candidate> {
        let wanted: Vec<Form> =
            [Form::Interval, Form::Zone, Form::Octagon].into_iter().filter(|f| self.config.wants(*f)).collect();
        if wanted.is_empty() || !self.goes_on("bounds") {
            return Vec::new();
        }
        let (columns, width) = (self.columns(), self.variables().len());
        let plan = match self.config.bound_degree {
            Some(degree) if degree > 1 => {
                let mut reached = degree;
                let mut plan = Plan::of_degree(&columns, width, degree);
                while plan.terms.len() > MOST_BOUNDED_TERMS && reached > 1 {
                    reached -= 1;
                    plan = Plan::of_degree(&columns, width, reached);
                }
                if reached < degree {
                    self.notes.push(format!(
                        "Bounds of degree {degree} have more than {MOST_BOUNDED_TERMS} terms: degree {reached} was used."
                    ));
                }
                plan
            }
            None if columns.len() <= MOST_FOR_PRODUCTS && columns.len() >= 3 && self.evidence.len() >= ATTAINED => {
                Plan::with_products(&columns, width)
            }
            _ if columns.len() > MOST_FOR_PAIRS => {
                self.notes.push(format!(
                    "Bounds and congruences of two variables are not looked for among {} variables; choose at most {MOST_FOR_PAIRS}.",
                    columns.len()
                ));
                Plan::alone(&columns, width)
            }
            _ => Plan::linear(&columns, width),
        };
        let asked_for_products = self.config.bound_degree.is_some();
        let all = bounds(self.evidence, &plan);
        let boxed = Limits::of(&all);
        let mut found = Vec::new();
        for bound in all {
            if !self.goes_on("further bounds") {
                break;
            }
            if !wanted.contains(&bound.form) || self.evidence.len() < 3 && bound.form != Form::Interval {
                continue;
            }
            let attained = self.attained(&bound.polynomial);
            if bound.polynomial.degree() > 1 && !asked_for_products && attained.rows < ATTAINED {
                continue;
            }
            let class = if attained.many { Class::Tight } else { Class::Wide };
            if class == Class::Wide && boxed.nearly_implies(&bound.polynomial) {
                continue;
            }
            found.push(self.bound(bound.form, class, bound.polynomial));
        }
        found
    }

    /// How many rows attain a bound.
    fn attained(&self, polynomial: &Polynomial) -> Attained {
        let measure = Measure::new(polynomial);
        let step = self.evidence.len().div_ceil(LOOKED_AT).max(1);
        let looked_at = (0..self.evidence.len()).step_by(step);
        let total = looked_at.len();
        let rows = looked_at.filter(|&index| measure.is_zero(self.evidence.row(index))).count();
        Attained { rows, many: rows >= ATTAINED && rows * 100 >= total || rows * 2 >= total }
    }

    fn tropical(&mut self) -> Vec<Candidate> {
        let mut sides = Vec::new();
        for (form, side) in [(Form::MaxPlus, Side::Max), (Form::MinPlus, Side::Min)] {
            sides.extend(self.config.wants(form).then_some(side));
        }
        if sides.is_empty() || !self.goes_on("relations with min and max") {
            return Vec::new();
        }
        let columns = self.columns();
        if columns.len() > tropical::MOST_VARIABLES {
            self.notes.push(format!(
                "Relations with min and max are not looked for among {} variables; choose at most {}.",
                columns.len(),
                tropical::MOST_VARIABLES
            ));
            return Vec::new();
        }
        // Only values over one denominator have comparable cells.
        let mut groups: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for &column in &columns {
            let constant = self.evidence.rows().all(|row| row[column] == self.evidence.row(0)[column]);
            if !constant {
                groups.entry(self.variables()[column].denominator()).or_default().push(column);
            }
        }
        let mut found = Vec::new();
        for (denominator, columns) in groups {
            for relation in tropical(self.evidence, &columns, self.config.tropical_variables, &sides) {
                let class = if relation.exact { Class::Extreme } else { Class::Disjunctive };
                let claim = relation.claim(self.variables().len());
                found.push(Candidate {
                    form: if relation.side == Side::Max { Form::MaxPlus } else { Form::MinPlus },
                    class,
                    predicate: relation.predicate(&self.wording, denominator),
                    has_reason: has_reason(class, &claim, self.evidence),
                    claim,
                });
            }
        }
        found
    }

    fn saturated(&mut self, equations: &[Polynomial]) -> Vec<Candidate> {
        let wanted = self.config.wants(Form::MinPlus) && self.config.wants(Form::MaxPlus);
        if !wanted || !self.goes_on("values that are cut off") {
            return Vec::new();
        }
        let found = saturations(self.evidence, &self.columns(), equations);
        let candidate = |found: super::saturation::Saturation| {
            let mut value = self.wording.sum(found.value.terms());
            value = found.most.map_or(value.clone(), |most| Term::Min(vec![value, Term::int(most)]));
            value = found.least.map_or(value.clone(), |least| Term::Max(vec![value, Term::int(least)]));
            Candidate {
                form: if found.most.is_some() { Form::MinPlus } else { Form::MaxPlus },
                class: Class::Extreme,
                predicate: self.wording.variable(found.variable).compare(logic::Relation::Eq, value),
                claim: found.claim(),
                has_reason: true,
            }
        };
        found.into_iter().map(candidate).collect()
    }

    fn one_of(&self) -> Vec<Candidate> {
        if !self.config.wants(Form::Disjunction) {
            return Vec::new();
        }
        let few = self.columns().into_iter().filter_map(|column| Some((column, one_of(self.evidence, column)?)));
        let candidate = |(column, values): (usize, Vec<i64>)| {
            let width = self.variables().len();
            let case = |value| Polynomial::variable(column, width).sub(&Polynomial::constant(value, width));
            let cases: Vec<Polynomial> = values.into_iter().map(case).collect();
            Candidate {
                form: Form::Disjunction,
                class: Class::Cases,
                predicate: disjunctions::predicate(&cases, &self.wording),
                claim: disjunctions::claim(&cases),
                has_reason: true,
            }
        };
        few.map(candidate).collect()
    }

    fn congruences(&mut self, equations: &[Polynomial]) -> Vec<Candidate> {
        if !self.config.wants(Form::Congruence) || !self.goes_on("congruences") {
            return Vec::new();
        }
        let mut found = congruences(self.evidence, &self.columns(), equations);
        if self.columns().len() <= MOST_FOR_PAIRS {
            found.extend(modular(self.evidence, &self.columns(), equations));
        }
        let candidate = |c: super::congruences::Congruence| Candidate {
            form: Form::Congruence,
            class: Class::Congruence,
            predicate: self.wording.congruence(&c.polynomial, &c.modulus),
            claim: c.claim(),
            has_reason: true,
        };
        found.into_iter().map(candidate).collect()
    }

    fn polyhedra(&mut self) -> Vec<Candidate> {
        if !self.config.wants(Form::Polyhedron) || !self.goes_on("polyhedra") {
            return Vec::new();
        }
        let (columns, width) = (self.columns(), self.variables().len());
        let mut shapes: Vec<(String, Vec<Monomial>)> = Vec::new();
        for term in &self.config.shapes {
            match polyhedra::shape(term, self.variables()) {
                Some(terms) => shapes.push((term.to_string(), terms)),
                None => self.notes.push(format!("The shape `{term}` has no term over the variables here.")),
            }
        }
        if self.config.shapes.is_empty() {
            let few = columns.len() <= 8;
            if !few {
                self.notes.push("Polyhedra are looked for among at most 8 variables; choose some.".to_string());
            }
            let variable = |v: usize| Monomial::variable(v, width);
            let names =
                |set: &[usize]| set.iter().map(|&v| self.variables()[v].name.as_str()).collect::<Vec<_>>().join(", ");
            match columns.as_slice() {
                set if set.len() <= 3 => shapes.push((names(set), set.iter().map(|&v| variable(v)).collect())),
                _ if !few => {}
                set => {
                    for (i, &a) in set.iter().enumerate() {
                        for (j, &b) in set.iter().enumerate().skip(i + 1) {
                            for &c in &set[j + 1..] {
                                shapes.push((names(&[a, b, c]), vec![variable(a), variable(b), variable(c)]));
                            }
                        }
                    }
                }
            }
        }
        let mut found = Vec::new();
        for (name, terms) in shapes {
            match polyhedra::facets(self.evidence, &terms) {
                Some(facets) => {
                    found.extend(facets.bounds.into_iter().map(|p| self.bound(Form::Polyhedron, Class::Facet, p)));
                }
                None => self.notes.push(format!(
                    "The hull of {name} has more than {} facets and was left out.",
                    polyhedra::MOST_FACETS
                )),
            }
        }
        found
    }

    /// Drops what follows, limits what is many of a kind, and sorts for the report.
    fn pruned(&mut self, equations: &[Polynomial], candidates: Vec<Candidate>) -> Vec<Candidate> {
        let (mut kept, mut others): (Vec<Candidate>, Vec<Candidate>) =
            candidates.into_iter().partition(|c| c.class == Class::Equation);
        others.sort_by_cached_key(preference);
        let stated: Vec<Polynomial> = if self.config.wants(Form::Equality) { equations.to_vec() } else { Vec::new() };
        // Out of time nothing is asked about: more is shown than is needed.
        let effort = self.config.effort;
        let effort = if self.config.is_cancelled() { Effort { questions: 0, ..effort } } else { effort };
        kept.extend(pruned(&stated, others, effort));
        let mut shown: BTreeMap<(Form, String), usize> = BTreeMap::new();
        let mut left_out = 0;
        kept.retain(|candidate| {
            if candidate.class != Class::Disjunctive {
                return true;
            }
            let left = candidate.predicate.to_string().split(' ').next().unwrap_or_default().to_string();
            let count = shown.entry((candidate.form, left)).or_default();
            *count += 1;
            left_out += usize::from(*count > MOST_DISJUNCTIVE);
            *count <= MOST_DISJUNCTIVE
        });
        if left_out > 0 {
            self.notes
                .push(format!("{left_out} further relations with min or max of the same variables are not shown."));
        }
        kept.sort_by_cached_key(|c| (c.class, preference(c)));
        kept
    }
}

/// The bounds on single variables.
struct Limits {
    least: BTreeMap<Monomial, IBig>,
    most: BTreeMap<Monomial, IBig>,
}

impl Limits {
    fn of(bounds: &[Bound]) -> Limits {
        let mut found = Limits { least: BTreeMap::new(), most: BTreeMap::new() };
        for bound in bounds.iter().filter(|b| b.form == Form::Interval && b.polynomial.degree() == 1) {
            let Some((monomial, coefficient)) = bound.polynomial.leading() else { continue };
            let constant = bound.polynomial.terms().get(1).map_or(IBig::ZERO, |(_, c)| c.clone());
            if *coefficient == IBig::ONE {
                found.least.insert(monomial.clone(), -constant);
            } else if *coefficient == IBig::NEG_ONE {
                found.most.insert(monomial.clone(), constant);
            }
        }
        found
    }

    /// Whether a bound cuts off less than a tenth of what the box allows: samples that are thin in a corner do that.
    fn nearly_implies(&self, polynomial: &Polynomial) -> bool {
        let (mut least, mut width) = (IBig::ZERO, IBig::ZERO);
        let mut parts = 0;
        for (monomial, coefficient) in polynomial.terms() {
            if monomial.is_one() {
                least += coefficient;
                continue;
            }
            let (Some(low), Some(high)) = (self.least.get(monomial), self.most.get(monomial)) else { return false };
            least += coefficient * if coefficient.is_negative() { high } else { low };
            width += coefficient.clone().abs() * (high - low);
            parts += 1;
        }
        // The least value of the polynomial in the box: by so much the bound cuts.
        parts > 1 && -least * IBig::from(10) < width
    }
}

struct Attained {
    rows: usize,
    many: bool,
}

/// Of two relations that imply each other with the rest, the one of the smaller key is kept.
fn preference(candidate: &Candidate) -> (u8, u8, bool, u32, usize, IBig, String) {
    let rank = match candidate.class {
        Class::Equation => 0,
        Class::Extreme => 1,
        Class::Deduced => 2,
        Class::Tight | Class::Wide => 3,
        Class::Cases => 4,
        Class::Congruence => 5,
        Class::Disjunctive => 6,
        Class::Facet => 7,
    };
    let shape = match candidate.form {
        Form::Equality | Form::Interval => 0,
        Form::Zone => 1,
        _ => 2,
    };
    let mut terms = 0;
    let mut magnitude = IBig::ZERO;
    candidate.claim.polynomials(&mut |p| {
        terms += p.terms().len();
        magnitude += p.terms().iter().map(|(_, c)| c.clone().abs()).sum::<IBig>();
    });
    let degree = candidate.claim.degree();
    (rank, shape, candidate.class == Class::Wide, degree, terms, magnitude, candidate.predicate.to_string())
}
