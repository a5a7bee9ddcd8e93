//! Right-hand sides of rules as straight-line code: each shared part is built once, whatever the number of its
//! occurrences. A rule that stands for a whole loop body would be exponentially larger when written out.

use crate::signature::{Signature, SymbolId};
use crate::term::{Builtin, Head, Store, TermId, VarId};
use hashbrown::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// The value of a variable of the rule.
    Slot(u32),
    Int(i128),
    /// Arguments are `args[first..][..count]`, numbers of earlier steps.
    Symbol {
        symbol: SymbolId,
        first: u32,
        count: u32,
    },
    Builtin {
        builtin: Builtin,
        first: u32,
        count: u32,
    },
}

/// See the module documentation. The last step is the result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Code {
    steps: Vec<Step>,
    args: Vec<u32>,
}

impl Code {
    /// The term as a function of the variables in `slots`.
    ///
    /// # Panics
    /// If the term has another variable.
    pub fn new(store: &Store, term: TermId, slots: &[VarId]) -> Code {
        let mut code = Code::default();
        code.emit(store, term, slots, &mut HashMap::new());
        code
    }

    fn emit(&mut self, store: &Store, term: TermId, slots: &[VarId], known: &mut HashMap<TermId, u32>) -> u32 {
        if let Some(&step) = known.get(&term) {
            return step;
        }
        let step = match store.head(term) {
            Head::Var(var) => {
                let slot = slots.iter().position(|slot| *slot == var);
                Step::Slot(slot.expect("a rule should bind all variables of its right-hand side") as u32)
            }
            Head::Int(value) => Step::Int(value),
            head => {
                let inner: Vec<u32> = store.args(term).iter().map(|arg| self.emit(store, *arg, slots, known)).collect();
                let (first, count) = (self.args.len() as u32, inner.len() as u32);
                self.args.extend(inner);
                match head {
                    Head::Builtin(builtin) => Step::Builtin { builtin, first, count },
                    Head::Symbol(symbol) => Step::Symbol { symbol, first, count },
                    Head::Var(_) | Head::Int(_) => unreachable!("these have no arguments"),
                }
            }
        };
        self.steps.push(step);
        let number = self.steps.len() as u32 - 1;
        known.insert(term, number);
        number
    }

    /// The term for these values of the slots.
    pub fn run(&self, store: &mut Store, signature: &Signature, slot: impl Fn(usize) -> TermId) -> TermId {
        let mut done: Vec<TermId> = Vec::with_capacity(self.steps.len());
        let mut args: Vec<TermId> = Vec::new();
        for step in &self.steps {
            let term = match *step {
                Step::Slot(number) => slot(number as usize),
                Step::Int(value) => store.int(value),
                Step::Symbol { symbol, first, count } => {
                    args.clear();
                    args.extend(self.args[first as usize..][..count as usize].iter().map(|a| done[*a as usize]));
                    store.apply(signature, symbol, &args)
                }
                Step::Builtin { builtin, first, count } => {
                    args.clear();
                    args.extend(self.args[first as usize..][..count as usize].iter().map(|a| done[*a as usize]));
                    store.make(Head::Builtin(builtin), &args)
                }
            };
            done.push(term);
        }
        *done.last().expect("a right-hand side should have a step")
    }
}
