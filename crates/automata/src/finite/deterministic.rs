//! Deterministic automata over any letters, with several kinds of acceptance, and the smallest of them.
//!
//! Both a module (letters: emits and calls; kinds: its exits and ends) and an [`Nfa`] (letters: symbols; one kind) are
//! made deterministic here. There is no dead state: a missing transition rejects.
//!
//! Source of the minimisation: A. Valmari, P. Lehtinen, "Efficient minimization of DFAs with partial transition
//! functions", 2008: states and transitions are two partitions that refine each other. Cost: transitions × log states.
//!
//! **Canonical.** States are numbered breadth-first by letters, so two automata of the same language are equal.

use super::{Arc, Nfa};
use crate::alphabet::Symbol;
use crate::recursive::StateId;
use crate::summaries::{Limits, Stopped};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What acceptance in a state means; the caller's numbers.
pub(crate) type Kinds = BTreeSet<u32>;

/// A nondeterministic automaton as it goes in.
pub(crate) struct Source<L> {
    pub kinds: Vec<Kinds>,
    pub initial: Vec<usize>,
    /// From, letter (`None` is silent), to, tag.
    pub arcs: Vec<(usize, Option<L>, usize, u32)>,
}

/// A deterministic automaton all of whose states lie between the start and an accepting state. Without states, the
/// language is empty; otherwise the start is state 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deterministic<L> {
    pub kinds: Vec<Kinds>,
    pub next: Vec<BTreeMap<L, (usize, u32)>>,
}

impl<L: Copy + Ord> Source<L> {
    /// The subset construction; nothing when it would pass `limit` states, or its subsets what may be held.
    pub fn determinise(&self, limit: usize, limits: &Limits<'_>) -> Result<Option<Deterministic<L>>, Stopped> {
        let states = self.kinds.len();
        let mut silent = vec![Vec::new(); states];
        let mut loud = vec![Vec::new(); states];
        for &(from, letter, to, tag) in &self.arcs {
            match letter {
                None => silent[from].push(to),
                Some(letter) => loud[from].push((letter, to, tag)),
            }
        }
        // When each state was last visited: closures are found without a set to search and clear.
        let (mut visited, mut visit) = (vec![0u32; states], 0u32);
        let mut closed = |mut open: Vec<usize>| {
            if visit == u32::MAX {
                visited.fill(0);
                visit = 0;
            }
            visit += 1;
            let mut all = Vec::new();
            while let Some(state) = open.pop() {
                if std::mem::replace(&mut visited[state], visit) != visit {
                    all.push(state);
                    open.extend(&silent[state]);
                }
            }
            all.sort_unstable();
            all
        };
        let mut number = HashMap::new();
        let mut subsets = vec![closed(self.initial.clone())];
        number.insert(subsets[0].clone(), 0);
        let mut next = Vec::new();
        let mut held = subsets[0].len();
        while next.len() < subsets.len() {
            limits.hold(0)?;
            let mut moves: BTreeMap<L, (Vec<usize>, u32)> = BTreeMap::new();
            for &state in &subsets[next.len()] {
                for &(letter, to, tag) in &loud[state] {
                    let (targets, least) = moves.entry(letter).or_insert_with(|| (Vec::new(), tag));
                    targets.push(to);
                    *least = tag.min(*least);
                }
            }
            let mut row = BTreeMap::new();
            for (letter, (targets, tag)) in moves {
                let subset = closed(targets);
                let fresh = subsets.len();
                let to = *number.entry(subset.clone()).or_insert(fresh);
                if to == fresh {
                    held += 2 * subset.len();
                    if fresh >= limit || held > limits.parts {
                        return Ok(None);
                    }
                    subsets.push(subset);
                }
                row.insert(letter, (to, tag));
            }
            next.push(row);
        }
        let kinds = subsets.iter().map(|subset| subset.iter().flat_map(|&state| &self.kinds[state]).copied().collect());
        Ok(Some(Deterministic { kinds: kinds.collect(), next }.trimmed()))
    }
}

impl<L: Copy + Ord> Deterministic<L> {
    /// Without states that cannot reach an accepting one; numbered breadth-first.
    fn trimmed(self) -> Self {
        let mut back = vec![Vec::new(); self.kinds.len()];
        for (from, row) in self.next.iter().enumerate() {
            for &(to, _) in row.values() {
                back[to].push(from);
            }
        }
        let mut live: Vec<bool> = self.kinds.iter().map(|kinds| !kinds.is_empty()).collect();
        let mut open: Vec<usize> = (0..live.len()).filter(|&state| live[state]).collect();
        while let Some(state) = open.pop() {
            for &from in &back[state] {
                if !std::mem::replace(&mut live[from], true) {
                    open.push(from);
                }
            }
        }
        let mut order = Vec::new();
        let mut number = vec![None; live.len()];
        if live.first() == Some(&true) {
            number[0] = Some(0);
            order.push(0);
        }
        let mut next = Vec::new();
        while next.len() < order.len() {
            let mut row = BTreeMap::new();
            for (&letter, &(to, tag)) in &self.next[order[next.len()]] {
                if live[to] {
                    let to = *number[to].get_or_insert_with(|| {
                        order.push(to);
                        order.len() - 1
                    });
                    row.insert(letter, (to, tag));
                }
            }
            next.push(row);
        }
        Deterministic { kinds: order.iter().map(|&state| self.kinds[state].clone()).collect(), next }
    }

    /// The smallest automaton with the same language for each kind.
    pub fn minimise(&self, limits: &Limits<'_>) -> Result<Self, Stopped> {
        let states = self.kinds.len();
        if states == 0 {
            return Ok(self.clone());
        }
        let mut moves: Vec<(L, usize, usize)> = Vec::new();
        for (from, row) in self.next.iter().enumerate() {
            moves.extend(row.iter().map(|(&letter, &(to, _))| (letter, from, to)));
        }
        moves.sort();
        let mut incoming = vec![Vec::new(); states];
        for (number, &(_, _, to)) in moves.iter().enumerate() {
            incoming[to].push(number);
        }
        let mut blocks = Partition::new(states);
        let mut classes: BTreeMap<&Kinds, Vec<usize>> = BTreeMap::new();
        for (state, kinds) in self.kinds.iter().enumerate() {
            classes.entry(kinds).or_default().push(state);
        }
        for class in classes.values() {
            class.iter().for_each(|&state| blocks.mark(state));
            blocks.split();
        }
        let mut cords = Partition::new(moves.len());
        let mut first = 0;
        for group in moves.chunk_by(|a, b| a.0 == b.0) {
            (first..first + group.len()).for_each(|number| cords.mark(number));
            cords.split();
            first += group.len();
        }
        // One block may go unused as a splitter: what the others say determines what it would say.
        let (mut block, mut cord) = (1, 0);
        while cord < cords.sets() {
            limits.hold(0)?;
            for number in cords.members(cord).to_vec() {
                blocks.mark(moves[number].1);
            }
            blocks.split();
            cord += 1;
            while block < blocks.sets() {
                limits.hold(0)?;
                for state in blocks.members(block).to_vec() {
                    incoming[state].iter().for_each(|&number| cords.mark(number));
                }
                cords.split();
                block += 1;
            }
        }
        // The block of the start becomes the first, as `trimmed` wants it.
        let start = blocks.set_of[0];
        let renamed = |set: usize| {
            if set == start {
                0
            } else if set == 0 {
                start
            } else {
                set
            }
        };
        let mut kinds = vec![Kinds::new(); blocks.sets()];
        let mut next = vec![BTreeMap::new(); blocks.sets()];
        for state in 0..states {
            let set = renamed(blocks.set_of[state]);
            kinds[set].clone_from(&self.kinds[state]);
            for (&letter, &(to, tag)) in &self.next[state] {
                let entry = next[set].entry(letter).or_insert((renamed(blocks.set_of[to]), tag));
                entry.1 = tag.min(entry.1);
            }
        }
        Ok(Deterministic { kinds, next }.trimmed())
    }
}

/// A partition that is refined by marking members: the marked and the unmarked part of a set come apart.
struct Partition {
    elements: Vec<usize>,
    place: Vec<usize>,
    set_of: Vec<usize>,
    first: Vec<usize>,
    past: Vec<usize>,
    marked: Vec<usize>,
    touched: Vec<usize>,
}

impl Partition {
    fn new(size: usize) -> Self {
        let sets = usize::from(size > 0);
        Partition {
            elements: (0..size).collect(),
            place: (0..size).collect(),
            set_of: vec![0; size],
            first: vec![0; sets],
            past: vec![size; sets],
            marked: vec![0; sets],
            touched: Vec::new(),
        }
    }

    fn sets(&self) -> usize {
        self.first.len()
    }

    fn members(&self, set: usize) -> &[usize] {
        &self.elements[self.first[set]..self.past[set]]
    }

    fn mark(&mut self, element: usize) {
        let set = self.set_of[element];
        let (from, to) = (self.place[element], self.first[set] + self.marked[set]);
        if from < to {
            return;
        }
        self.elements.swap(from, to);
        self.place[self.elements[from]] = from;
        self.place[element] = to;
        if self.marked[set] == 0 {
            self.touched.push(set);
        }
        self.marked[set] += 1;
    }

    /// The smaller part of each touched set becomes a new set.
    fn split(&mut self) {
        while let Some(set) = self.touched.pop() {
            let middle = self.first[set] + std::mem::take(&mut self.marked[set]);
            if middle == self.past[set] {
                continue;
            }
            let fresh = self.sets();
            if middle - self.first[set] <= self.past[set] - middle {
                self.first.push(self.first[set]);
                self.past.push(middle);
                self.first[set] = middle;
            } else {
                self.first.push(middle);
                self.past.push(self.past[set]);
                self.past[set] = middle;
            }
            self.marked.push(0);
            for place in self.first[fresh]..self.past[fresh] {
                self.set_of[self.elements[place]] = fresh;
            }
        }
    }
}

impl Nfa {
    fn source(&self) -> Source<Symbol> {
        let mut kinds = vec![Kinds::new(); self.states];
        for state in &self.accepting {
            kinds[state.index()].insert(0);
        }
        Source {
            kinds,
            initial: self.initial.iter().map(|state| state.index()).collect(),
            arcs: self.arcs.iter().map(|arc| (arc.from.index(), arc.symbol, arc.to.index(), arc.tag)).collect(),
        }
    }

    /// The smallest deterministic automaton of the same language, as an [`Nfa`]; nothing when the subset construction
    /// would pass `limit` states.
    pub fn minimise(&self, limit: usize) -> Option<Nfa> {
        let unstopped = "without limits nothing should stop the construction";
        let large = self.source().determinise(limit, &Limits::NONE).expect(unstopped)?;
        let small = large.minimise(&Limits::NONE).expect(unstopped);
        let mut nfa = Nfa { states: small.kinds.len(), ..Nfa::default() };
        nfa.initial.extend((nfa.states > 0).then(|| StateId::new(0)));
        for (state, row) in small.next.iter().enumerate() {
            let from = StateId::new(state);
            if !small.kinds[state].is_empty() {
                nfa.accepting.push(from);
            }
            nfa.arcs.extend(row.iter().map(|(&symbol, &(to, tag))| Arc {
                from,
                to: StateId::new(to),
                symbol: Some(symbol),
                tag,
            }));
        }
        Some(nfa)
    }
}
