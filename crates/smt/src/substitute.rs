//! Replacing symbols in terms.
//!
//! *Invariant*: a quantifier's bound variables carry a level above that of every quantifier inside
//! it. Replacements may bring quantifiers in; then the levels of the receiving term are raised
//! first, so the invariant and with it freedom from capture survive.

use crate::hash::IdMap;
use crate::pool::TermPool;
use crate::sort::FuncId;
use crate::term::{Op, Quantifier, TermId};
use std::collections::HashMap;
use std::hash::BuildHasher;

impl TermPool {
    /// The term with variables replaced by terms of the same sort, all at once, simplified anew.
    ///
    /// # Panics
    /// If a key is not a variable or a replacement has another sort.
    pub fn substitute<S: BuildHasher>(&self, term: TermId, map: &HashMap<TermId, TermId, S>) -> TermId {
        let mut mask = 0;
        let mut raise = 0;
        for (variable, replacement) in map {
            let Op::App(symbol) = self.op(*variable) else {
                panic!("a substitution should replace variables, because terms have other forms");
            };
            assert!(
                self.sort_of(*variable) == self.sort_of(*replacement) && self.args(*variable).is_empty(),
                "a replacement should have the variable's sort: {}",
                self.func(*symbol).name
            );
            mask |= self.symbol_bit(*symbol);
            raise = raise.max(self.node(*replacement).binders);
        }
        let term = if raise > 0 && self.node(term).binders > 0 {
            self.raise_levels(term, raise, |symbol| !map.contains_key(&self.raw(Op::App(symbol), &[])))
        } else {
            term
        };
        self.rewrite(term, mask, |t, _| map.get(&t).copied())
    }

    /// A quantifier's body with terms in place of its variables.
    ///
    /// # Panics
    /// If the term is not a quantifier with that many variables.
    pub fn instantiate(&self, quantified: TermId, values: &[TermId]) -> TermId {
        let Op::Quant(q) = self.op(quantified) else {
            panic!("a quantifier should be given, because only those are instantiated");
        };
        assert_eq!(q.vars.len(), values.len(), "one value per bound variable");
        let vars = q.vars.iter().map(|v| self.raw(Op::App(*v), &[]));
        let map: HashMap<_, _> = vars.zip(values.iter().copied()).collect();
        self.substitute(self.args(quantified)[0], &map)
    }

    /// Raises the level of every variable bound inside the term.
    fn raise_levels(&self, term: TermId, by: u32, include: impl Fn(FuncId) -> bool) -> TermId {
        let raised = |symbol: FuncId| {
            let func = self.func(symbol);
            self.bound_variable(&func.name, func.range, func.level + by)
        };
        self.rewrite(term, !0, |t, args| match self.op(t) {
            Op::App(symbol) if self.func(*symbol).level > 0 && include(*symbol) => {
                Some(self.raw(Op::App(raised(*symbol)), &[]))
            }
            Op::Quant(q) => {
                let quantifier = Quantifier { vars: q.vars.iter().map(|v| raised(*v)).collect(), ..(**q).clone() };
                Some(self.build(Op::Quant(Box::new(quantifier)), args))
            }
            _ => None,
        })
    }

    /// Rebuilds a term bottom-up. The function sees each subterm that mentions a symbol of the mask
    /// with its rewritten arguments; what it leaves alone is rebuilt from those arguments.
    pub fn rewrite(
        &self,
        term: TermId,
        mask: u64,
        mut replace: impl FnMut(TermId, &[TermId]) -> Option<TermId>,
    ) -> TermId {
        let mut done: IdMap<TermId, TermId> = IdMap::default();
        let mut stack = vec![(term, false)];
        let mut args = Vec::new();
        while let Some((t, leaving)) = stack.pop() {
            if done.contains_key(&t) {
                continue;
            }
            let node = self.node(t);
            if node.symbols & mask == 0 {
                done.insert(t, t);
                continue;
            }
            if !leaving && !node.args.is_empty() {
                stack.push((t, true));
                stack.extend(node.args.iter().rev().map(|a| (*a, false)));
                continue;
            }
            args.clear();
            args.extend(node.args.iter().map(|a| done[a]));
            let new = match replace(t, &args) {
                Some(new) => new,
                None if *args == *node.args => t,
                None => self.build(node.op.clone(), &args),
            };
            done.insert(t, new);
        }
        done[&term]
    }
}
