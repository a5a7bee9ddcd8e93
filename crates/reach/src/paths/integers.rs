//! What narrowing asks about integers, answered by SMT.

use ir::IntKind;
use rewriting::{Builtin, Decider, Decision, Head, Store, TermId, VarId};
use smt::{Budget, Options, Outcome, SortId, TermPool, Value};
use std::collections::HashMap;

/// Units of work for one question; about a second.
const RESOURCES: u32 = 4_000_000;

pub struct Integers {
    pool: TermPool,
    solver: Option<smt::Solver>,
    terms: HashMap<TermId, smt::TermId>,
    vars: HashMap<VarId, smt::TermId>,
    /// Types of the inputs, which bound them.
    kinds: HashMap<VarId, IntKind>,
    known: HashMap<Vec<(TermId, bool)>, Decision>,
    pub questions: u64,
}

impl Integers {
    pub fn new(kinds: HashMap<VarId, IntKind>) -> Integers {
        Integers {
            pool: TermPool::new(),
            solver: None,
            terms: HashMap::new(),
            vars: HashMap::new(),
            kinds,
            known: HashMap::new(),
            questions: 0,
        }
    }

    fn var(&mut self, var: VarId) -> smt::TermId {
        let number = self.vars.len();
        *self.vars.entry(var).or_insert_with(|| self.pool.var(&format!("i{number}"), SortId::INT))
    }

    fn term(&mut self, store: &Store, term: TermId) -> smt::TermId {
        if let Some(&known) = self.terms.get(&term) {
            return known;
        }
        let args: Vec<smt::TermId> = store.args(term).iter().map(|arg| self.term(store, *arg)).collect();
        let pool = &self.pool;
        let result = match store.head(term) {
            Head::Var(var) => self.var(var),
            Head::Int(value) => pool.int(value),
            Head::Builtin(builtin) => match builtin {
                Builtin::Add => pool.add(args[0], args[1]),
                Builtin::Sub => pool.sub(args[0], args[1]),
                Builtin::Mul => pool.mul(args[0], args[1]),
                Builtin::Div => pool.c_div(args[0], args[1]),
                Builtin::Rem => pool.c_rem(args[0], args[1]),
                Builtin::Mod => pool.int_mod(args[0], args[1]),
                Builtin::Neg => pool.neg(args[0]),
                Builtin::Eq => pool.eq(args[0], args[1]),
                Builtin::Lt => pool.lt(args[0], args[1]),
                Builtin::Le => pool.le(args[0], args[1]),
                _ => unreachable!("{builtin:?} should have been evaluated before integers are asked about"),
            },
            Head::Symbol(_) => unreachable!("operations should have been evaluated before integers are asked about"),
        };
        self.terms.insert(term, result);
        result
    }

    /// Whether the literals can hold with all variables between the bounds, which stay open where there are none.
    fn check(&mut self, store: &Store, literals: &[(TermId, bool)], within: Option<i128>) -> Decision {
        self.questions += 1;
        let mut claims = Vec::new();
        for &(term, value) in literals {
            let term = self.term(store, term);
            claims.push(if value { term } else { self.pool.not(term) });
        }
        let terms: Vec<TermId> = literals.iter().map(|(term, _)| *term).collect();
        let vars = store.variables(&terms);
        for &var in &vars {
            let term = self.var(var);
            let kind = self.kinds.get(&var).copied();
            let bounds = kind.map(|kind| (kind.min(), kind.max()));
            for (low, high) in bounds.into_iter().chain(within.map(|most| (-most, most))) {
                claims.push(self.pool.le(self.pool.int(low), term));
                claims.push(self.pool.le(term, self.pool.int(high)));
            }
        }
        let pool = &self.pool;
        let options = Options { budget: Budget::resources(RESOURCES).and_millis(5_000), ..Options::default() };
        let solver = self.solver.get_or_insert_with(|| smt::Solver::with_options(pool, options));
        solver.push();
        claims.iter().for_each(|claim| solver.assert(*claim));
        let outcome = solver.check();
        solver.pop();
        match outcome {
            Outcome::Unsat { .. } => Decision::No,
            Outcome::Unknown { .. } => Decision::Unknown,
            Outcome::Sat(model) => {
                let value = |var: &VarId| match model.eval(self.vars[var]) {
                    Ok(Value::Int(value)) => Some((*var, i128::try_from(&value).ok()?)),
                    _ => None,
                };
                vars.iter().map(value).collect::<Option<Vec<_>>>().map_or(Decision::Unknown, Decision::Yes)
            }
        }
    }
}

impl Decider for Integers {
    fn decide(&mut self, store: &Store, literals: &[(TermId, bool)]) -> Decision {
        if literals.is_empty() {
            return Decision::Yes(Vec::new());
        }
        if let Some(known) = self.known.get(literals) {
            return known.clone();
        }
        let decision = self.check(store, literals, None);
        self.known.insert(literals.to_vec(), decision.clone());
        decision
    }

    /// Small numbers are tried first: they are what people like to read.
    fn values(&mut self, store: &Store, literals: &[(TermId, bool)]) -> Decision {
        if literals.is_empty() {
            return Decision::Yes(Vec::new());
        }
        for within in [1, 10, 1_000] {
            if let Decision::Yes(values) = self.check(store, literals, Some(within)) {
                return Decision::Yes(values);
            }
        }
        self.decide(store, literals)
    }
}
