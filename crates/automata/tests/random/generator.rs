//! Small random automata, and the short words of a machine by exhaustion.

use automata::finite::Arc;
use automata::{Alphabet, Edge, Label, Machine, Module, ModuleId, NEVER, Nfa, StateId, Symbol};
use std::collections::BTreeSet;

pub type Words = BTreeSet<Vec<Symbol>>;

pub fn symbols(count: usize) -> Vec<Symbol> {
    let mut alphabet = Alphabet::new();
    ["a", "b", "c"][..count].iter().map(|name| alphabet.intern(name)).collect()
}

/// A machine of up to three modules; calls of all kinds, recursion included.
pub fn machine(random: &mut fastrand::Rng, symbols: &[Symbol]) -> Machine {
    let count = random.usize(1..=3);
    let shapes: Vec<(usize, usize)> = (0..count).map(|_| (random.usize(1..=4), random.usize(0..=2))).collect();
    let modules = shapes.iter().enumerate().map(|(number, &(states, exits))| {
        let state = |random: &mut fastrand::Rng| StateId::new(random.usize(0..states));
        let mut module = Module::new(format!("f{number}"));
        module.states = states;
        module.exits = (0..exits.max(usize::from(number == 0))).map(|_| state(random)).collect();
        if random.usize(0..4) == 0 {
            module.ends.push(state(random));
        }
        for tag in 0..random.usize(1..=6) {
            let label = match random.usize(0..6) {
                0 => Label::Silent,
                1 | 2 if count > 1 => {
                    let called = random.usize(0..count);
                    let exits = if called == 0 { shapes[0].1.max(1) } else { shapes[called].1 };
                    let exit = if exits == 0 || random.usize(0..8) == 0 { NEVER } else { random.u32(0..exits as u32) };
                    Label::Call { module: ModuleId::new(called), exit }
                }
                _ => Label::Emit(symbols[random.usize(0..symbols.len())]),
            };
            module.edges.push(Edge { from: state(random), to: state(random), label, tag: tag as u32 });
        }
        module
    });
    let machine = Machine { modules: modules.collect(), main: ModuleId::new(0) };
    machine.validate().expect("random machines should be well formed");
    machine
}

pub fn nfa(random: &mut fastrand::Rng, symbols: &[Symbol]) -> Nfa {
    let states = random.usize(1..=5);
    let state = |random: &mut fastrand::Rng| StateId::new(random.usize(0..states));
    let arcs = (0..random.usize(1..=10)).map(|_| Arc {
        from: state(random),
        to: state(random),
        symbol: (random.usize(0..6) > 0).then(|| symbols[random.usize(0..symbols.len())]),
        tag: 0,
    });
    let arcs = arcs.collect();
    Nfa {
        states,
        initial: vec![state(random)],
        accepting: (0..random.usize(1..=2)).map(|_| state(random)).collect(),
        arcs,
    }
}

/// All words over an alphabet up to a length.
pub fn all_words(symbols: &[Symbol], length: usize) -> Vec<Vec<Symbol>> {
    let mut words = vec![Vec::new()];
    let mut last = words.clone();
    for _ in 0..length {
        let longer = |word: &Vec<Symbol>| {
            let word = word.clone();
            symbols.iter().map(move |&symbol| word.iter().copied().chain([symbol]).collect())
        };
        last = last.iter().flat_map(longer).collect();
        words.extend(last.clone());
    }
    words
}

/// The accepted words of a machine up to a length, straight from the definition: a least fixpoint over the words from
/// the entry of each module to each of its states, and to an end with calls pending.
pub fn short_words(machine: &Machine, length: usize) -> Words {
    let mut reached: Vec<Vec<Words>> = machine.modules.iter().map(|module| vec![Words::new(); module.states]).collect();
    let mut ended = vec![Words::new(); machine.modules.len()];
    for (number, module) in machine.modules.iter().enumerate() {
        reached[number][module.entry.index()].insert(Vec::new());
    }
    let joined = |left: &Words, right: &Words| -> Words {
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| a.iter().chain(b).copied().collect::<Vec<_>>()));
        pairs.filter(|word| word.len() <= length).collect()
    };
    let mut changed = true;
    while changed {
        changed = false;
        let mut add = |set: &mut Words, new: Words| {
            let before = set.len();
            set.extend(new);
            changed |= set.len() > before;
        };
        for (number, module) in machine.modules.iter().enumerate() {
            for end in &module.ends {
                let words = reached[number][end.index()].clone();
                add(&mut ended[number], words);
            }
            for edge in &module.edges {
                let before = reached[number][edge.from.index()].clone();
                let by = match edge.label {
                    Label::Silent => Words::from([Vec::new()]),
                    Label::Emit(symbol) => Words::from([vec![symbol]]),
                    Label::Call { module: called, exit } => {
                        let inside = ended[called.index()].clone();
                        add(&mut ended[number], joined(&before, &inside));
                        match machine.module(called).exits.get(exit as usize) {
                            Some(exit) => reached[called.index()][exit.index()].clone(),
                            None => Words::new(),
                        }
                    }
                };
                add(&mut reached[number][edge.to.index()], joined(&before, &by));
            }
        }
    }
    let main = machine.main.index();
    let mut words = ended[main].clone();
    for exit in &machine.modules[main].exits {
        words.extend(reached[main][exit.index()].iter().cloned());
    }
    words
}
