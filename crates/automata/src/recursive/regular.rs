//! A machine as a finite automaton: copies of callees in place of calls.
//!
//! Every call gets its own copy of the callee, which is exact. Recursion cannot be copied away; inside a strongly
//! connected component of the call graph a call becomes a silent step to the callee's entry and a return a silent step
//! back to *any* call of the component, which accepts more words than the machine does. It is exact nevertheless when
//! all calls inside the component are tail calls, which is how loops are written as recursion. A call from outside
//! still gets a copy of the component of its own.
//!
//! **Guarantee**: the automaton accepts every word of the machine; it accepts no others when [`Regular::is_exact`].

use super::{Calls, Edge, Label, Machine, Module, ModuleId, NEVER, StateId};
use crate::finite::Nfa;
use crate::summaries::{Limits, Stopped};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Debug)]
pub struct Regular {
    pub nfa: Nfa,
    /// Recursive modules whose returns are not matched with their calls.
    pub collapsed: Vec<ModuleId>,
    /// Modules of which some calls share one copy, because copies of their own would have passed the budget.
    pub shared: Vec<ModuleId>,
    /// For each state of the automaton, the module and state of the machine it is a copy of.
    pub origin: Vec<(ModuleId, StateId)>,
}

impl Regular {
    pub fn is_exact(&self) -> bool {
        self.collapsed.is_empty() && self.shared.is_empty()
    }
}

/// A finite automaton that accepts every word of the machine, with at most about `budget` states.
pub fn regular(machine: &Machine, budget: usize) -> Regular {
    regular_within(machine, budget, &Limits::NONE).expect(UNSTOPPED)
}

const UNSTOPPED: &str = "without limits nothing should stop the construction";

/// The same within limits: where copies of their own would have more arcs than may be held, calls share one.
pub fn regular_within(machine: &Machine, budget: usize, limits: &Limits<'_>) -> Result<Regular, Stopped> {
    let calls = Calls::of(machine);
    let mut builder = Builder::new(machine, Some(&calls), budget);
    builder.run(limits)?;
    let collapsed = (0..calls.members.len())
        .filter(|&component| {
            calls.recursive[component] && builder.copied[component] && !tail_calls_only(machine, &calls, component)
        })
        .flat_map(|component| calls.members[component].iter().copied())
        .collect();
    let shared = builder.shared_copies.keys().flat_map(|&component| &calls.members[component]).copied().collect();
    Ok(Regular { nfa: builder.nfa, collapsed, shared, origin: builder.origin })
}

/// The finite model of the source: one copy of every module, and returns go to any caller.
pub fn collapsed(machine: &Machine) -> Nfa {
    let mut builder = Builder::new(machine, None, usize::MAX);
    builder.run(&Limits::NONE).expect(UNSTOPPED);
    builder.nfa
}

impl From<&Nfa> for Machine {
    /// A machine of one module with the automaton's language and tags.
    fn from(nfa: &Nfa) -> Machine {
        let mut main = Module::new("main");
        main.states = nfa.states + 2;
        let (entry, exit) = (StateId::new(nfa.states), StateId::new(nfa.states + 1));
        main.entry = entry;
        main.add_exit(exit);
        for arc in &nfa.arcs {
            main.add_edge(arc.from, arc.to, arc.symbol.map_or(Label::Silent, Label::Emit), arc.tag);
        }
        nfa.initial.iter().for_each(|&state| main.add_edge(entry, state, Label::Silent, 0));
        nfa.accepting.iter().for_each(|&state| main.add_edge(state, exit, Label::Silent, 0));
        Machine::new(main)
    }
}

struct Builder<'a> {
    machine: &'a Machine,
    /// Without them, all modules are one component.
    calls: Option<&'a Calls>,
    budget: usize,
    /// Edges of all copies that were made, filled in or not.
    edges: usize,
    nfa: Nfa,
    origin: Vec<(ModuleId, StateId)>,
    copied: Vec<bool>,
    shared_copies: BTreeMap<usize, Copy>,
    open: Vec<Copy>,
}

/// Where the states of each module of a component begin in the automaton.
#[derive(Clone, Debug)]
struct Copy {
    component: usize,
    offset: HashMap<ModuleId, usize>,
}

impl Copy {
    fn state(&self, module: ModuleId, state: StateId) -> StateId {
        StateId::new(self.offset[&module] + state.index())
    }
}

impl<'a> Builder<'a> {
    fn new(machine: &'a Machine, calls: Option<&'a Calls>, budget: usize) -> Self {
        let components = calls.map_or(1, |calls| calls.members.len());
        Builder {
            machine,
            calls,
            budget,
            edges: 0,
            nfa: Nfa::default(),
            origin: Vec::new(),
            copied: vec![false; components],
            shared_copies: BTreeMap::new(),
            open: Vec::new(),
        }
    }

    fn component(&self, module: ModuleId) -> usize {
        self.calls.map_or(0, |calls| calls.component[module.index()])
    }

    fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        let main = self.machine.main;
        let copy = self.fresh(self.component(main));
        let module = self.machine.module(main);
        self.nfa.initial.push(copy.state(main, module.entry));
        self.nfa.accepting.extend(module.exits.iter().map(|&exit| copy.state(main, exit)));
        while let Some(copy) = self.open.pop() {
            limits.hold(0)?;
            self.fill(&copy, limits.parts / 2);
        }
        self.nfa.accepting.sort_unstable();
        self.nfa.accepting.dedup();
        Ok(())
    }

    fn fresh(&mut self, component: usize) -> Copy {
        let members: Vec<ModuleId> =
            self.calls.map_or_else(|| self.machine.ids().collect(), |calls| calls.members[component].clone());
        let mut copy = Copy { component, offset: HashMap::new() };
        for member in members {
            copy.offset.insert(member, self.nfa.states);
            let states = self.machine.module(member).states;
            self.nfa.states += states;
            self.edges += self.machine.module(member).edges.len();
            self.origin.extend((0..states).map(|state| (member, StateId::new(state))));
        }
        self.copied[component] = true;
        self.open.push(copy.clone());
        copy
    }

    /// A copy of a component for one call; past the budget, one for all the remaining calls.
    fn copy_for_call(&mut self, component: usize, edges: usize) -> Copy {
        if self.nfa.states < self.budget && self.edges < edges {
            return self.fresh(component);
        }
        if let Some(copy) = self.shared_copies.get(&component) {
            return copy.clone();
        }
        let copy = self.fresh(component);
        self.shared_copies.insert(component, copy.clone());
        copy
    }

    fn fill(&mut self, copy: &Copy, edges: usize) {
        let mut members: Vec<ModuleId> = copy.offset.keys().copied().collect();
        members.sort_unstable();
        for member in members {
            let module = self.machine.module(member);
            self.nfa.accepting.extend(module.ends.iter().map(|&end| copy.state(member, end)));
            let mut callees: BTreeMap<(StateId, ModuleId), Copy> = BTreeMap::new();
            for edge in &module.edges {
                let (from, to) = (copy.state(member, edge.from), copy.state(member, edge.to));
                match edge.label {
                    Label::Silent => self.nfa.add_arc(from, to, None, edge.tag),
                    Label::Emit(symbol) => self.nfa.add_arc(from, to, Some(symbol), edge.tag),
                    Label::Call { module: called, exit } => {
                        let component = self.component(called);
                        let inner = if component == copy.component {
                            copy.clone()
                        } else if let Some(known) = callees.get(&(edge.from, called)) {
                            known.clone()
                        } else {
                            let fresh = self.copy_for_call(component, edges);
                            callees.insert((edge.from, called), fresh.clone());
                            fresh
                        };
                        let callee = self.machine.module(called);
                        self.nfa.add_arc(from, inner.state(called, callee.entry), None, edge.tag);
                        if exit != NEVER {
                            let back = inner.state(called, callee.exits[exit as usize]);
                            self.nfa.add_arc(back, to, None, edge.tag);
                        }
                    }
                }
            }
        }
    }
}

/// Whether every call inside a component is a tail call that hands all exits of the callee on under the same number.
/// Then which of the calls a return belongs to makes no difference.
fn tail_calls_only(machine: &Machine, calls: &Calls, component: usize) -> bool {
    calls.members[component].iter().all(|&member| {
        let module = machine.module(member);
        let out = module.successors();
        let mut handled: BTreeMap<(StateId, ModuleId), BTreeSet<u32>> = BTreeMap::new();
        for edge in &module.edges {
            let Label::Call { module: called, exit } = edge.label else { continue };
            if calls.component[called.index()] != component {
                continue;
            }
            let exits = handled.entry((edge.from, called)).or_default();
            if exit != NEVER {
                if exit_after(module, &out, edge) != Some(exit) {
                    return false;
                }
                exits.insert(exit);
            }
        }
        handled.iter().all(|((_, called), exits)| exits.len() == machine.module(*called).exits.len())
    })
}

/// The only exit to which a call leads at once and of necessity.
fn exit_after(module: &Module, out: &[Vec<usize>], call: &Edge) -> Option<u32> {
    let mut seen = BTreeSet::from([call.to]);
    let mut open = vec![call.to];
    while let Some(state) = open.pop() {
        for &edge in &out[state.index()] {
            let edge = module.edges[edge];
            if edge.label != Label::Silent {
                return None;
            }
            if seen.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    if module.ends.iter().any(|end| seen.contains(end)) {
        return None;
    }
    let mut exits = (0..module.exits.len()).filter(|&exit| seen.contains(&module.exits[exit]));
    let only = exits.next()?;
    exits.next().is_none().then_some(only as u32)
}

impl Machine {
    /// Copies modules that are not recursive into their callers, as long as the machine has at most `budget` states.
    /// The language stays the same; modules that nobody calls any more are left for [`Machine::prune`].
    pub fn inline(&self, budget: usize) -> Machine {
        let calls = Calls::of(self);
        let mut machine = self.clone();
        let mut size = machine.size();
        for members in &calls.members {
            for &member in members {
                let mut module = machine.module(member).clone();
                let mut copies: BTreeMap<(StateId, ModuleId), Option<usize>> = BTreeMap::new();
                for number in 0..module.edges.len() {
                    let Edge { from, to, label, tag } = module.edges[number];
                    let Label::Call { module: called, exit } = label else { continue };
                    if calls.is_recursive(called) {
                        continue;
                    }
                    let callee = machine.module(called);
                    let offset = *copies.entry((from, called)).or_insert_with(|| {
                        (size + callee.states <= budget).then(|| {
                            size += callee.states;
                            let offset = module.states;
                            module.states += callee.states;
                            let moved = |state: StateId| StateId::new(state.index() + offset);
                            module.ends.extend(callee.ends.iter().map(|&end| moved(end)));
                            let edges = callee.edges.iter();
                            module.edges.extend(edges.map(|edge| Edge {
                                from: moved(edge.from),
                                to: moved(edge.to),
                                ..*edge
                            }));
                            module.add_edge(from, moved(callee.entry), Label::Silent, tag);
                            offset
                        })
                    });
                    if let Some(offset) = offset {
                        let back = match callee.exits.get(exit as usize) {
                            Some(back) => {
                                Edge { from: StateId::new(back.index() + offset), to, label: Label::Silent, tag }
                            }
                            None => Edge { from, to: from, label: Label::Silent, tag },
                        };
                        module.edges[number] = back;
                    }
                }
                machine.modules[member.index()] = module;
            }
        }
        machine
    }
}
