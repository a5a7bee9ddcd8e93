//! Terms as polynomials, and formulas as linear ones: each product of unknowns becomes an unknown of its own.
//!
//! *Question*: what does linear arithmetic have to say about a nonlinear formula?
//!
//! Every atom `a <= b` is brought to the form `p <= 0` with a polynomial p, p is replaced by its normal form modulo the
//! equations that are known ([`Basis`]), and the monomials of the normal form are replaced by symbols. Two atoms that
//! are equal modulo the equations thus become the same linear atom. What is unsatisfiable after this is unsatisfiable
//! before: the replacement only forgets that `⟨x*y⟩` is a product.
//!
//! *Worked example*: with `x == q*y + r` and `b == a*y` known, `x >= (q + a)*y` becomes `⟨q*y⟩ + r >= ⟨q*y⟩ + b`, which is
//! `r >= b`.
//!
//! To forget less, some facts about products are added back: squares are not negative, and the sign and magnitude of a
//! product follow from its factors'.

use algebra::ideal::{Basis, Budget};
use algebra::{Monomial, Polynomial};
use dashu_int::IBig;
use smt::{Op, SortId, TermId, TermPool};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The unknowns of polynomials: terms that are not sums or products themselves.
#[derive(Clone, Debug, Default)]
pub struct Unknowns {
    terms: Vec<TermId>,
    index: HashMap<TermId, usize>,
}

impl Unknowns {
    /// The unknowns of these formulas, those inside conditions and other operations included.
    pub fn of(pool: &TermPool, formulas: impl IntoIterator<Item = TermId>) -> Unknowns {
        let roots: Vec<TermId> = formulas.into_iter().collect();
        let mut unknowns = Unknowns::default();
        for term in pool.postorder(&roots) {
            if is_number(pool, term) && !is_polynomial_operation(pool, term) {
                let number = unknowns.terms.len();
                unknowns.index.entry(term).or_insert_with(|| {
                    unknowns.terms.push(term);
                    number
                });
            }
        }
        unknowns
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn term(&self, index: usize) -> TermId {
        self.terms[index]
    }

    /// The term as a polynomial over a positive denominator; `None` if it has unknowns that are not listed.
    pub fn polynomial(&self, pool: &TermPool, term: TermId) -> Option<(Polynomial, IBig)> {
        let mut known: HashMap<TermId, (Polynomial, IBig)> = HashMap::new();
        let mut work = vec![(term, false)];
        while let Some((part, ready)) = work.pop() {
            if known.contains_key(&part) {
                continue;
            }
            let args = pool.args(part);
            // What is inside an unknown is none of the polynomial's business.
            if !ready && is_polynomial_operation(pool, part) && !args.is_empty() {
                work.push((part, true));
                work.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let value = match pool.op(part) {
                Op::Int(value) => (Polynomial::constant(value.clone(), self.len()), IBig::ONE),
                Op::Real(value) => {
                    let (numerator, denominator) = value.clone().into_parts();
                    (Polynomial::constant(numerator, self.len()), IBig::from(denominator))
                }
                Op::ToReal => known.get(&args[0])?.clone(),
                Op::Add => {
                    let mut sum = (Polynomial::zero(), IBig::ONE);
                    for arg in args {
                        let (p, d) = known.get(arg)?;
                        sum = (sum.0.scale(d).add(&p.scale(&sum.1)), sum.1 * d);
                    }
                    sum
                }
                Op::Mul => {
                    let mut product = (Polynomial::constant(1, self.len()), IBig::ONE);
                    for arg in args {
                        let (p, d) = known.get(arg)?;
                        product = (product.0.mul(p), product.1 * d);
                    }
                    product
                }
                _ => (Polynomial::variable(*self.index.get(&part)?, self.len()), IBig::ONE),
            };
            known.insert(part, value);
        }
        known.remove(&term)
    }

    /// `a == b` as a polynomial that is zero.
    pub fn equation(&self, pool: &TermPool, a: TermId, b: TermId) -> Option<Polynomial> {
        self.difference(pool, a, b).map(|(p, _)| p)
    }

    /// `a - b` as a polynomial over a positive denominator.
    pub fn difference(&self, pool: &TermPool, a: TermId, b: TermId) -> Option<(Polynomial, IBig)> {
        let ((p, d), (q, e)) = (self.polynomial(pool, a)?, self.polynomial(pool, b)?);
        Some((p.scale(&e).sub(&q.scale(&d)), d * e))
    }
}

fn is_number(pool: &TermPool, term: TermId) -> bool {
    let sort = pool.sort_of(term);
    sort == SortId::INT || sort == SortId::REAL
}

fn is_polynomial_operation(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::Add | Op::Mul | Op::ToReal | Op::Int(_) | Op::Real(_))
}

/// What one reduction may cost. Candidates are many, so it is small; a larger one was not seen to prove more.
pub const REDUCTION: Budget = Budget { degree: 14, steps: 200_000 };

/// Products that get facts of their own.
const MOST_PRODUCTS: usize = 16;

/// Rewrites formulas into linear ones.
pub struct Lineariser<'a> {
    pool: &'a TermPool,
    unknowns: &'a Unknowns,
    basis: &'a Basis,
    formulas: HashMap<TermId, TermId>,
    monomials: BTreeMap<Monomial, TermId>,
    /// What the symbols made on the way stand for, and facts about products; to be asserted with the results.
    side: Vec<TermId>,
    /// How many products may still get facts: each costs the solver some cases.
    products_left: usize,
    conditionals: HashMap<TermId, TermId>,
}

impl<'a> Lineariser<'a> {
    pub fn new(pool: &'a TermPool, unknowns: &'a Unknowns, basis: &'a Basis) -> Lineariser<'a> {
        Lineariser {
            pool,
            unknowns,
            basis,
            formulas: HashMap::new(),
            monomials: BTreeMap::new(),
            side: Vec::new(),
            products_left: MOST_PRODUCTS,
            conditionals: HashMap::new(),
        }
    }

    /// What must be asserted beside the formulas rewritten since the last call.
    pub fn take_side_conditions(&mut self) -> Vec<TermId> {
        std::mem::take(&mut self.side)
    }

    /// Equations as linear ones: normal forms no longer show them, yet they tell of integers what the ideal does not
    /// (`2*h + r == 4*⟨q*m⟩` makes r even). Those given, and of the basis those that are short.
    pub fn equations(&mut self, given: &[Polynomial]) -> Vec<TermId> {
        let short = |p: &&Polynomial| p.degree() <= 2 && p.terms().len() <= 6;
        let basis = self.basis;
        let left = std::mem::take(&mut self.products_left);
        let all = given.iter().chain(basis.elements().iter().filter(short));
        let equations = all.map(|p| self.compare(p, |t, sum, zero| t.eq(sum, zero))).collect();
        self.products_left = left;
        equations
    }

    /// Whether the linear form of a formula speaks of a product.
    pub fn speaks_of_products(&mut self, formula: TermId) -> bool {
        let linear = self.formula(formula);
        let products: HashSet<TermId> =
            self.monomials.iter().filter(|(monomial, _)| monomial.degree() > 1).map(|(_, term)| *term).collect();
        self.pool.postorder(&[linear]).iter().any(|term| products.contains(term))
    }

    /// The linear form of a truth-valued term.
    pub fn formula(&mut self, formula: TermId) -> TermId {
        let (pool, mut work) = (self.pool, vec![(formula, false)]);
        while let Some((term, ready)) = work.pop() {
            if self.formulas.contains_key(&term) {
                continue;
            }
            let args = pool.args(term);
            let is_connective = match pool.op(term) {
                Op::Not | Op::And | Op::Or | Op::Xor => true,
                Op::Ite | Op::Eq | Op::Distinct => pool.sort_of(args[args.len() - 1]) == SortId::BOOL,
                _ => false,
            };
            if is_connective && !ready {
                work.push((term, true));
                work.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let linear = if is_connective {
                let args: Vec<TermId> = args.iter().map(|arg| self.formulas[arg]).collect();
                pool.build(pool.op(term).clone(), &args)
            } else {
                self.atom(term)
            };
            self.formulas.insert(term, linear);
        }
        self.formulas[&formula]
    }

    fn atom(&mut self, atom: TermId) -> TermId {
        let (pool, args) = (self.pool, self.pool.args(atom));
        let is_arithmetic = args.len() == 2 && is_number(pool, args[0]);
        let relation = match pool.op(atom) {
            Op::Le if is_arithmetic => TermPool::le,
            Op::Lt if is_arithmetic => TermPool::lt,
            Op::Eq if is_arithmetic => TermPool::eq,
            _ => return atom,
        };
        let Some((polynomial, _)) = self.unknowns.difference(pool, args[0], args[1]) else { return atom };
        let (rest, _) = self.basis.normal_form(polynomial, REDUCTION);
        self.compare(&rest, relation)
    }

    /// `p ? 0` with the monomials replaced.
    fn compare(&mut self, polynomial: &Polynomial, relation: impl Fn(&TermPool, TermId, TermId) -> TermId) -> TermId {
        let pool = self.pool;
        let mut parts: Vec<(TermId, IBig)> = Vec::new();
        for (monomial, coefficient) in polynomial.terms() {
            parts.push((self.monomial(monomial), coefficient.clone()));
        }
        let is_real = parts.iter().any(|(term, _)| pool.sort_of(*term) == SortId::REAL);
        let summands: Vec<TermId> = parts
            .into_iter()
            .map(|(term, coefficient)| {
                if is_real {
                    let term = if pool.sort_of(term) == SortId::REAL { term } else { pool.to_real(term) };
                    pool.mul(pool.real(smt::Rational::from(coefficient)), term)
                } else {
                    pool.mul(pool.int(coefficient), term)
                }
            })
            .collect();
        let zero = if is_real { pool.real(smt::Rational::from(IBig::ZERO)) } else { pool.int(0) };
        let sum = if summands.is_empty() { zero } else { pool.sum(&summands) };
        relation(pool, sum, zero)
    }

    fn monomial(&mut self, monomial: &Monomial) -> TermId {
        if let Some(&term) = self.monomials.get(monomial) {
            return term;
        }
        let pool = self.pool;
        let factors: Vec<(usize, u16)> =
            monomial.exponents().iter().copied().enumerate().filter(|(_, e)| *e > 0).collect();
        let term = match factors[..] {
            [] => pool.int(1),
            [(index, 1)] => self.unknown(self.unknowns.term(index)),
            _ => {
                let name: Vec<String> = factors.iter().map(|(index, exponent)| format!("{index}^{exponent}")).collect();
                let is_real = factors.iter().any(|(i, _)| pool.sort_of(self.unknowns.term(*i)) == SortId::REAL);
                pool.var(&format!("product!{}", name.join("*")), if is_real { SortId::REAL } else { SortId::INT })
            }
        };
        self.monomials.insert(monomial.clone(), term);
        if monomial.degree() > 1 && self.products_left > 0 {
            self.products_left -= 1;
            self.product_facts(term, &factors);
        }
        term
    }

    /// An unknown that depends on a condition is replaced by a symbol, so that its parts are rewritten too.
    fn unknown(&mut self, term: TermId) -> TermId {
        let pool = self.pool;
        if !matches!(pool.op(term), Op::Ite) {
            return term;
        }
        if let Some(&symbol) = self.conditionals.get(&term) {
            return symbol;
        }
        let symbol = pool.var(&format!("choice!{}", self.conditionals.len()), pool.sort_of(term));
        self.conditionals.insert(term, symbol);
        let args = pool.args(term).to_vec();
        let condition = self.formula(args[0]);
        let mut chosen = |branch: TermId| {
            let (polynomial, denominator) = self.unknowns.polynomial(pool, branch)?;
            let (rest, scale) = self.basis.normal_form(polynomial, REDUCTION);
            // symbol * scale * denominator - rest == 0, where the symbol stands for the unknown itself.
            let index = *self.unknowns.index.get(&term)?;
            let own = Polynomial::variable(index, self.unknowns.len()).scale(&(scale * denominator));
            self.monomials.insert(Monomial::variable(index, self.unknowns.len()), symbol);
            Some(self.compare(&own.sub(&rest), TermPool::eq))
        };
        if let (Some(then), Some(otherwise)) = (chosen(args[1]), chosen(args[2])) {
            self.side.push(pool.ite(condition, then, otherwise));
        }
        symbol
    }

    /// Signs and magnitudes of a product, for squares and for two factors.
    fn product_facts(&mut self, product: TermId, factors: &[(usize, u16)]) {
        let pool = self.pool;
        let number = |value: i32| {
            if pool.sort_of(product) == SortId::REAL { pool.real(smt::Rational::from(value)) } else { pool.int(value) }
        };
        let zero = number(0);
        if factors.iter().all(|(_, exponent)| exponent % 2 == 0) {
            self.side.push(pool.ge(product, zero));
            return;
        }
        let &[(i, 1), (j, 1)] = factors else { return };
        let (x, y) = (self.unknown(self.unknowns.term(i)), self.unknown(self.unknowns.term(j)));
        if pool.sort_of(x) != pool.sort_of(y) {
            return;
        }
        let signs = [(true, true), (true, false), (false, true), (false, false)];
        for (x_positive, y_positive) in signs {
            let side = |term, positive| if positive { pool.ge(term, zero) } else { pool.le(term, zero) };
            let result = if x_positive == y_positive { pool.ge(product, zero) } else { pool.le(product, zero) };
            self.side.push(pool.implies(pool.and(&[side(x, x_positive), side(y, y_positive)]), result));
        }
        if pool.sort_of(x) == SortId::INT {
            for (a, b) in [(x, y), (y, x)] {
                let premise = pool.and(&[pool.ge(a, number(1)), pool.ge(b, zero)]);
                self.side.push(pool.implies(premise, pool.ge(product, b)));
            }
            self.side.push(pool.implies(pool.eq(product, zero), pool.or(&[pool.eq(x, zero), pool.eq(y, zero)])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Solver;

    #[test]
    fn equations_make_different_atoms_the_same() {
        let pool = TermPool::new();
        let v = |name: &str| pool.var(name, SortId::INT);
        let (x, q, y, r, a, b) = (v("x"), v("q"), v("y"), v("r"), v("a"), v("b"));
        let known = [pool.eq(x, pool.add(pool.mul(q, y), r)), pool.eq(b, pool.mul(a, y))];
        let claim = pool.le(pool.mul(pool.add(q, a), y), x);
        let unknowns = Unknowns::of(&pool, known.iter().copied().chain([claim]));
        let equations = known.map(|e| unknowns.equation(&pool, pool.args(e)[0], pool.args(e)[1]).unwrap());
        let basis = Basis::new(equations, REDUCTION);
        let mut lineariser = Lineariser::new(&pool, &unknowns, &basis);
        let mut solver = Solver::new(&pool);
        let (claim, premise) = (lineariser.formula(claim), lineariser.formula(pool.le(b, r)));
        solver.assert(pool.and(&[premise, pool.not(claim)]));
        lineariser.equations(&[]).into_iter().for_each(|e| solver.assert(e));
        lineariser.take_side_conditions().into_iter().for_each(|e| solver.assert(e));
        assert!(solver.check().is_unsat());
    }

    #[test]
    fn branches_of_a_conditional_are_rewritten() {
        let pool = TermPool::new();
        let (x, y) = (pool.var("x", SortId::INT), pool.var("y", SortId::INT));
        let square = pool.mul(x, x);
        let chosen = pool.ite(pool.le(x, y), pool.mul(square, y), pool.int(0));
        let claims = [pool.eq(pool.mul(square, y), pool.int(7)), pool.le(x, y), pool.ne(chosen, pool.int(7))];
        let unknowns = Unknowns::of(&pool, claims);
        let basis = Basis::new([], REDUCTION);
        let mut lineariser = Lineariser::new(&pool, &unknowns, &basis);
        let mut solver = Solver::new(&pool);
        for claim in claims {
            let linear = lineariser.formula(claim);
            solver.assert(linear);
        }
        lineariser.take_side_conditions().into_iter().for_each(|e| solver.assert(e));
        assert!(solver.check().is_unsat());
    }
}
