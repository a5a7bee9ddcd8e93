//! Plain evaluation of ground terms: rules are tried one after the other, arguments evaluated as far as a pattern
//! asks. It shares nothing with [`crate::evaluate`] but the rules, and stands beside it as a check.

use crate::arithmetic::{Computed, compute};
use crate::signature::SymbolId;
use crate::system::{Pattern, System};
use crate::term::{Builtin, Head, Store, TermId};
use hashbrown::HashMap;

/// Why a ground term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// No rule applies to this term.
    NoRule(TermId),
    /// It took too many steps or nested too deeply.
    TooLong,
    /// An integer beyond 128 bits.
    TooLarge,
}

pub struct Normaliser<'a> {
    system: &'a System,
    known: HashMap<TermId, TermId>,
    steps: u64,
    depth: u32,
    deepest: u32,
}

impl<'a> Normaliser<'a> {
    /// At most so many steps in all, nested at most so deeply.
    pub fn new(system: &'a System, steps: u64, deepest: u32) -> Normaliser<'a> {
        Normaliser { system, known: HashMap::new(), steps, depth: 0, deepest }
    }

    /// The value of a ground term, all through.
    pub fn normalise(&mut self, store: &mut Store, term: TermId) -> Result<TermId, Stuck> {
        let value = self.head_value(store, term)?;
        let Head::Symbol(symbol) = store.head(value) else { return Ok(value) };
        if store.is_data(value) {
            return Ok(value);
        }
        self.enter()?;
        let args = store.args(value).to_vec();
        let args = args.into_iter().map(|arg| self.normalise(store, arg)).collect::<Result<Vec<_>, _>>();
        self.depth -= 1;
        Ok(store.construct(symbol, &args?))
    }

    fn enter(&mut self) -> Result<(), Stuck> {
        if self.depth >= self.deepest {
            return Err(Stuck::TooLong);
        }
        self.depth += 1;
        Ok(())
    }

    fn head_value(&mut self, store: &mut Store, term: TermId) -> Result<TermId, Stuck> {
        self.enter()?;
        let mut current = term;
        let result = loop {
            match store.head(current) {
                Head::Int(_) => break Ok(current),
                Head::Var(_) => break Err(Stuck::NoRule(current)),
                Head::Symbol(symbol) if self.system.signature.is_constructor(symbol) => break Ok(current),
                Head::Symbol(_) | Head::Builtin(_) => {}
            }
            if let Some(&known) = self.known.get(&current) {
                break Ok(known);
            }
            if self.steps == 0 {
                break Err(Stuck::TooLong);
            }
            self.steps -= 1;
            let next = match store.head(current) {
                Head::Symbol(symbol) => self.apply(store, current, symbol),
                Head::Builtin(builtin) => self.compute(store, current, builtin),
                Head::Var(_) | Head::Int(_) => unreachable!("these are done with above"),
            };
            match next {
                Ok(next) => current = next,
                Err(stuck) => break Err(stuck),
            }
        };
        self.depth -= 1;
        if let Ok(value) = result {
            self.known.insert(term, value);
        }
        result
    }

    fn apply(&mut self, store: &mut Store, term: TermId, symbol: SymbolId) -> Result<TermId, Stuck> {
        let system = self.system;
        let mut trouble = Stuck::NoRule(term);
        for rule in system.rules_of(symbol) {
            let args = store.args(term).to_vec();
            let mut slots = vec![None; rule.slots];
            let mut matches = true;
            for (pattern, arg) in rule.patterns.iter().zip(args) {
                match self.matches(store, pattern, arg, &mut slots) {
                    Ok(true) => {}
                    Ok(false) => matches = false,
                    // Another rule may do without this argument.
                    Err(stuck) => {
                        if stuck == Stuck::TooLong || matches!(trouble, Stuck::NoRule(own) if own == term) {
                            trouble = stuck;
                        }
                        matches = false;
                    }
                }
                if !matches {
                    break;
                }
            }
            if matches {
                let value = |slot: usize| slots[slot].expect("a matched pattern should set all its variables");
                return Ok(rule.result.run(store, &system.signature, value));
            }
        }
        Err(trouble)
    }

    fn matches(
        &mut self,
        store: &mut Store,
        pattern: &Pattern,
        term: TermId,
        slots: &mut [Option<TermId>],
    ) -> Result<bool, Stuck> {
        match pattern {
            Pattern::Slot(slot) => {
                slots[*slot as usize] = Some(term);
                Ok(true)
            }
            Pattern::Int(wanted) => {
                let value = self.head_value(store, term)?;
                Ok(store.as_int(value) == Some(*wanted))
            }
            Pattern::Constructor(symbol, inner) => {
                let value = self.head_value(store, term)?;
                if store.head(value) != Head::Symbol(*symbol) {
                    return Ok(false);
                }
                let args = store.args(value).to_vec();
                for (pattern, arg) in inner.iter().zip(args) {
                    if !self.matches(store, pattern, arg, slots)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    fn condition(&mut self, store: &mut Store, term: TermId) -> Result<bool, Stuck> {
        let value = self.head_value(store, term)?;
        store.as_truth(value).ok_or(Stuck::NoRule(value))
    }

    fn compute(&mut self, store: &mut Store, term: TermId, builtin: Builtin) -> Result<TermId, Stuck> {
        let args = store.args(term).to_vec();
        match builtin {
            Builtin::Undefined => Err(Stuck::NoRule(term)),
            Builtin::Not => {
                let value = self.condition(store, args[0])?;
                Ok(store.truth(!value))
            }
            Builtin::And => Ok(if self.condition(store, args[0])? { args[1] } else { store.truth(false) }),
            Builtin::Or => Ok(if self.condition(store, args[0])? { store.truth(true) } else { args[1] }),
            Builtin::If => Ok(if self.condition(store, args[0])? { args[1] } else { args[2] }),
            Builtin::Defined => {
                self.normalise(store, args[0])?;
                Ok(store.truth(true))
            }
            Builtin::Eq => {
                let (a, b) = (self.normalise(store, args[0])?, self.normalise(store, args[1])?);
                Ok(store.truth(a == b))
            }
            _ => {
                let a = self.integer(store, args[0])?;
                let b = if args.len() > 1 { self.integer(store, args[1])? } else { 0 };
                match compute(builtin, a, b) {
                    Computed::Int(value) => Ok(store.int(value)),
                    Computed::Truth(value) => Ok(store.truth(value)),
                    Computed::NoValue => Err(Stuck::NoRule(term)),
                    Computed::TooLarge => Err(Stuck::TooLarge),
                }
            }
        }
    }

    fn integer(&mut self, store: &mut Store, term: TermId) -> Result<i128, Stuck> {
        let value = self.head_value(store, term)?;
        store.as_int(value).ok_or(Stuck::NoRule(value))
    }
}
