//! Formulas as terms of the solver. Arrays are functions of their indices; sums and quantifiers, which the caller
//! expands where their bounds are known, are otherwise unknowns of their own, so that a refutation stays one.

use super::formula::{Cmp, Formula, ParamId, Reference};
use super::language::{Normalisation, Role};
use smt::{Budget, FuncId, Options, Outcome, Solver, SortId, TermId, TermPool};
use std::cell::RefCell;
use std::collections::BTreeMap;

pub struct Encoder {
    pub pool: TermPool,
    names: Vec<String>,
    /// The lengths of the canonical value.
    lengths: Vec<Formula>,
    opaque: RefCell<BTreeMap<Formula, TermId>>,
    /// For questions that are answered here; made when the first is asked.
    solver: RefCell<Option<Solver>>,
}

impl Encoder {
    pub fn new(normalisation: &Normalisation) -> Encoder {
        let dimensions = |id: ParamId| 0..normalisation.param(id).dims.len() as u32;
        let lengths =
            normalisation.ids(Role::Output).flat_map(|id| dimensions(id).map(move |d| Formula::Length(id, d)));
        Encoder {
            pool: TermPool::new(),
            names: normalisation.params.iter().map(|p| p.name.clone()).collect(),
            lengths: lengths.collect(),
            opaque: RefCell::default(),
            solver: RefCell::default(),
        }
    }

    fn function(&self, id: ParamId, arity: usize) -> FuncId {
        let name = format!("{}.{}", self.names[id.0 as usize], id.0);
        self.pool.function(&name, &vec![SortId::INT; arity], SortId::INT)
    }

    pub fn reference(&self, reference: &Reference) -> TermId {
        if reference.indices.is_empty() {
            return self.pool.var(&self.names[reference.param.0 as usize], SortId::INT);
        }
        let indices: Vec<TermId> = reference.indices.iter().map(|i| self.number(i)).collect();
        self.pool.app(self.function(reference.param, indices.len()), &indices)
    }

    pub fn number(&self, formula: &Formula) -> TermId {
        let t = &self.pool;
        match formula {
            Formula::Int(n) => t.int(*n),
            Formula::Ref(reference) => self.reference(reference),
            Formula::Var(var) => t.var(&format!("v.{}", var.0), SortId::INT),
            Formula::Length(id, dimension) => t.var(&format!("length.{}.{dimension}", id.0), SortId::INT),
            Formula::Add(a, b) => t.add(self.number(a), self.number(b)),
            Formula::Sub(a, b) => t.sub(self.number(a), self.number(b)),
            Formula::Mul(a, b) => t.mul(self.number(a), self.number(b)),
            Formula::Div(a, b) => t.c_div(self.number(a), self.number(b)),
            Formula::Rem(a, b) => t.c_rem(self.number(a), self.number(b)),
            Formula::If(c, a, b) => t.ite(self.truth(c), self.number(a), self.number(b)),
            Formula::Sum { .. } => {
                let mut opaque = self.opaque.borrow_mut();
                let next = opaque.len();
                *opaque.entry(formula.clone()).or_insert_with(|| t.var(&format!("sum.{next}"), SortId::INT))
            }
            Formula::Compare(..) | Formula::And(_) | Formula::Or(_) | Formula::Not(_) | Formula::Forall { .. } => {
                t.ite(self.truth(formula), t.int(1), t.int(0))
            }
        }
    }

    pub fn truth(&self, formula: &Formula) -> TermId {
        let t = &self.pool;
        match formula {
            Formula::Compare(cmp, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                match cmp {
                    Cmp::Eq => t.eq(a, b),
                    Cmp::Ne => t.ne(a, b),
                    Cmp::Lt => t.lt(a, b),
                    Cmp::Le => t.le(a, b),
                }
            }
            Formula::And(parts) => t.and(&parts.iter().map(|p| self.truth(p)).collect::<Vec<_>>()),
            Formula::Or(parts) => t.or(&parts.iter().map(|p| self.truth(p)).collect::<Vec<_>>()),
            Formula::Not(inner) => t.not(self.truth(inner)),
            Formula::If(c, a, b) => t.ite(self.truth(c), self.truth(a), self.truth(b)),
            Formula::Forall { .. } => {
                let mut opaque = self.opaque.borrow_mut();
                let next = opaque.len();
                *opaque.entry(formula.clone()).or_insert_with(|| t.var(&format!("all.{next}"), SortId::BOOL))
            }
            other => t.ne(self.number(other), t.int(0)),
        }
    }

    /// Whether the parts cannot hold together, given that no length of the canonical value is negative.
    pub fn refutes(&self, parts: &[Formula], effort: u32) -> bool {
        let mut solver = self.solver.borrow_mut();
        let solver = solver.get_or_insert_with(|| {
            let options = Options { label: "represent".into(), ..Options::default() };
            let mut solver = Solver::with_options(&self.pool, options);
            for length in &self.lengths {
                solver.assert(self.pool.ge(self.number(length), self.pool.int(0)));
            }
            solver
        });
        solver.set_budget(Budget::resources(effort));
        solver.push();
        for part in parts {
            solver.assert(self.truth(part));
        }
        let outcome = solver.check();
        solver.pop();
        matches!(outcome, Outcome::Unsat { .. })
    }
}
