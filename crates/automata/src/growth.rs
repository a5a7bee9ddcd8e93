//! Pairs of automata that grow, for measuring the fast inclusion against the slow twin.

use crate::alphabet::{Alphabet, Symbol};
use crate::inclusion::{Checker, Inclusion};
use crate::nested::Nested;
use crate::recursive::{Label, Machine, Module, ModuleId, StateId, regular};
use crate::summaries::{Limits, Stopped};
use crate::twin::slow_nested_includes;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How a pair grows. In all of them the consumer accepts every word of the producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Procedures that call each other in a row, each writing one of three types.
    Chain,
    /// Loops inside loops.
    Loops,
    /// Trees of several kinds, each kind writing itself recursively; the reader is a loop over all kinds.
    Recursion,
}

impl Family {
    pub const ALL: [Family; 3] = [Family::Chain, Family::Loops, Family::Recursion];

    pub fn name(self) -> &'static str {
        match self {
            Family::Chain => "chain",
            Family::Loops => "loops",
            Family::Recursion => "recursion",
        }
    }

    /// The pair of this size.
    pub fn pair(self, size: usize) -> (Machine, Machine) {
        let mut alphabet = Alphabet::new();
        let symbols: Vec<Symbol> = ["u8", "u16", "u32"].iter().map(|name| alphabet.intern(name)).collect();
        let symbol = |number: usize| symbols[number % symbols.len()];
        match self {
            Family::Chain => (chain(size, &symbol), chain(size, &symbol)),
            Family::Loops => (loops(size, &symbol), loops(size, &symbol)),
            Family::Recursion => (recursion(size, &symbol), flat(size, &symbol)),
        }
    }
}

/// `f0 { f1(); write 0 }  f1 { f2(); write 1 } …`
fn chain(size: usize, symbol: &dyn Fn(usize) -> Symbol) -> Machine {
    let modules = (0..size.max(1)).map(|number| {
        let mut module = Module::new(format!("f{number}"));
        let (entry, middle, end) = (module.entry, module.add_state(), module.add_state());
        let label = if number + 1 < size.max(1) {
            Label::Call { module: ModuleId::new(number + 1), exit: 0 }
        } else {
            Label::Silent
        };
        module.add_edge(entry, middle, label, 0);
        module.add_edge(middle, end, Label::Emit(symbol(number)), 0);
        module.add_exit(end);
        module
    });
    Machine { modules: modules.collect(), main: ModuleId::new(0) }
}

/// `while (*) { write 0; while (*) { write 1; … } }`, each loop a procedure.
fn loops(size: usize, symbol: &dyn Fn(usize) -> Symbol) -> Machine {
    let modules = (0..size.max(1)).map(|number| {
        let mut module = Module::new(format!("f{number}"));
        let (head, body) = (module.entry, module.add_state());
        module.add_edge(head, body, Label::Emit(symbol(number)), 0);
        let label = if number + 1 < size.max(1) {
            Label::Call { module: ModuleId::new(number + 1), exit: 0 }
        } else {
            Label::Silent
        };
        module.add_edge(body, head, label, 0);
        module.add_exit(head);
        module
    });
    Machine { modules: modules.collect(), main: ModuleId::new(0) }
}

/// `tree_i { write i; if (*) { tree_(i+1)(); tree_(i+1)(); } write i }`, the last calling the first again.
fn recursion(size: usize, symbol: &dyn Fn(usize) -> Symbol) -> Machine {
    let size = size.max(1);
    let modules = (0..size).map(|number| {
        let mut module = Module::new(format!("tree{number}"));
        let states: Vec<StateId> = (0..4).map(|_| module.add_state()).collect();
        let next = Label::Call { module: ModuleId::new((number + 1) % size), exit: 0 };
        module.add_edge(module.entry, states[0], Label::Emit(symbol(number)), 0);
        module.add_edge(states[0], states[1], next, 0);
        module.add_edge(states[1], states[2], next, 0);
        module.add_edge(states[0], states[2], Label::Silent, 0);
        module.add_edge(states[2], states[3], Label::Emit(symbol(number)), 0);
        module.add_exit(states[3]);
        module
    });
    Machine { modules: modules.collect(), main: ModuleId::new(0) }
}

/// A reader of all the trees: a loop whose body is one procedure for each of `size` kinds.
fn flat(size: usize, symbol: &dyn Fn(usize) -> Symbol) -> Machine {
    let mut main = Module::new("main");
    let head = main.entry;
    for number in 0..size.max(1) {
        main.add_edge(head, head, Label::Call { module: ModuleId::new(number + 1), exit: 0 }, 0);
    }
    main.add_exit(head);
    let mut machine = Machine::new(main);
    for number in 0..size.max(1) {
        let mut module = Module::new(format!("read{number}"));
        let end = module.add_state();
        module.add_edge(module.entry, end, Label::Emit(symbol(number)), 0);
        module.add_exit(end);
        machine.add_module(module);
    }
    machine
}

#[derive(Clone, Debug)]
pub struct Measurement {
    pub family: Family,
    pub size: usize,
    /// States of producer and consumer.
    pub states: (usize, usize),
    pub fast: Duration,
    /// Nothing when the slow twin passed its limit; with a limit of 0 it is not really tried.
    pub slow: Option<Duration>,
}

/// Times one pair. The slow twin gets `limit` states, returns or pairs of states.
pub fn measure(family: Family, size: usize, limit: usize) -> Result<Measurement, Stopped> {
    let (producer, consumer) = family.pair(size);
    let start = Instant::now();
    let finite = regular(&consumer.prune().machine.reduce(), 1_000_000).nfa;
    let answer = Checker::new(&finite).includes(&producer.prune().machine.reduce(), &Limits::default());
    let fast = start.elapsed();
    if let Inclusion::Unknown(stopped) = answer {
        return Err(stopped);
    }
    let start = Instant::now();
    let (call, back) = (Symbol::new(3), Symbol::new(4));
    let nested = Nested::of_machine(&producer, call, back);
    let enriched = Nested::of_machine(&consumer, call, back).enrich(&BTreeSet::from([call]), &BTreeSet::from([back]));
    let slow = slow_nested_includes(&nested, &enriched, &Limits { items: limit, ..Limits::NONE });
    let slow = slow.is_ok().then(|| start.elapsed());
    Ok(Measurement { family, size, states: (producer.size(), consumer.size()), fast, slow })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_are_compatible_and_the_twin_says_so() {
        for family in Family::ALL {
            for size in 1..=3 {
                let (producer, consumer) = family.pair(size);
                producer.validate().and(consumer.validate()).unwrap();
                let finite = regular(&consumer, 1000);
                assert!(matches!(crate::includes(&producer, &finite.nfa), Inclusion::Included), "{family:?} {size}");
                if size < 3 {
                    let slow = crate::twin::slow_includes(&producer, &finite.nfa, &Limits::default());
                    assert_eq!(slow, Ok(true), "{family:?} {size}");
                }
            }
        }
    }

    #[test]
    fn the_fast_way_has_no_trouble_with_size() {
        for family in Family::ALL {
            let measured = measure(family, 200, 1).expect("the fast way should stay within its limits");
            assert_eq!((measured.size, measured.slow), (200, None));
        }
    }
}
