//! What of a machine takes part in accepted words.
//!
//! Reachability goes forward from the entry of `main`, past a call only when the callee can return by that exit;
//! usefulness goes backward from acceptance, into a callee only by exits whose return is useful. Both are exact for the
//! pushdown language. Then modules that can neither emit nor, through calls, reach one that does become silent edges.

use super::{Edge, Label, Machine, Module, ModuleId, NEVER, StateId};
use crate::summaries::{Limits, Stopped};
use std::collections::{BTreeSet, HashMap};

/// A machine of the same language, and where its modules come from.
#[derive(Clone, Debug)]
pub struct Pruned {
    pub machine: Machine,
    /// The module of the old machine for each of the new.
    pub kept: Vec<ModuleId>,
}

impl Machine {
    /// Drops modules, states, exits and edges that take part in no accepted word, and modules that emit nothing. Exits
    /// are renumbered.
    pub fn prune(&self) -> Pruned {
        self.prune_within(&Limits::NONE).expect("without limits nothing should stop the search")
    }

    /// The same within limits.
    pub fn prune_within(&self, limits: &Limits<'_>) -> Result<Pruned, Stopped> {
        limits.hold(self.modules.iter().map(|module| module.edges.len()).sum())?;
        let facts = Facts::of(self, limits)?;
        let draft = facts.silenced(self);
        limits.hold(0)?;
        Ok(draft.rebuilt(self.main))
    }
}

struct Facts {
    reached: Vec<Vec<bool>>,
    returns: Vec<Vec<bool>>,
    can_end: Vec<bool>,
    useful: Vec<Vec<bool>>,
}

impl Facts {
    fn of(machine: &Machine, limits: &Limits<'_>) -> Result<Facts, Stopped> {
        let flags = || machine.modules.iter().map(|module| vec![false; module.states]).collect::<Vec<_>>();
        let mut facts = Facts {
            reached: flags(),
            returns: machine.modules.iter().map(|module| vec![false; module.exits.len()]).collect(),
            can_end: vec![false; machine.modules.len()],
            useful: flags(),
        };
        facts.forward(machine, limits)?;
        facts.ends(machine);
        facts.backward(machine, limits)?;
        Ok(facts)
    }

    fn forward(&mut self, machine: &Machine, limits: &Limits<'_>) -> Result<(), Stopped> {
        let out: Vec<_> = machine.modules.iter().map(Module::successors).collect();
        let mut exits = vec![HashMap::<StateId, Vec<usize>>::new(); machine.modules.len()];
        for (number, module) in machine.modules.iter().enumerate() {
            for (exit, &state) in module.exits.iter().enumerate() {
                exits[number].entry(state).or_default().push(exit);
            }
        }
        let mut waiting = HashMap::<(usize, usize), Vec<(usize, StateId)>>::new();
        let mut open = vec![(machine.main.index(), machine.module(machine.main).entry)];
        while let Some((number, state)) = open.pop() {
            limits.hold(0)?;
            if std::mem::replace(&mut self.reached[number][state.index()], true) {
                continue;
            }
            for &exit in exits[number].get(&state).into_iter().flatten() {
                self.returns[number][exit] = true;
                open.extend(waiting.remove(&(number, exit)).into_iter().flatten());
            }
            for &edge in &out[number][state.index()] {
                let edge = machine.modules[number].edges[edge];
                let Label::Call { module, exit } = edge.label else {
                    open.push((number, edge.to));
                    continue;
                };
                open.push((module.index(), machine.module(module).entry));
                if exit == NEVER {
                    continue;
                }
                if self.returns[module.index()][exit as usize] {
                    open.push((number, edge.to));
                } else {
                    waiting.entry((module.index(), exit as usize)).or_default().push((number, edge.to));
                }
            }
        }
        Ok(())
    }

    fn ends(&mut self, machine: &Machine) {
        let mut callers = vec![BTreeSet::new(); machine.modules.len()];
        for (number, module) in machine.modules.iter().enumerate() {
            for edge in module.edges.iter().filter(|edge| self.reached[number][edge.from.index()]) {
                if let Label::Call { module, .. } = edge.label {
                    callers[module.index()].insert(number);
                }
            }
        }
        let mut open: Vec<usize> = (0..machine.modules.len())
            .filter(|&number| machine.modules[number].ends.iter().any(|end| self.reached[number][end.index()]))
            .collect();
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut self.can_end[number], true) {
                open.extend(&callers[number]);
            }
        }
    }

    fn backward(&mut self, machine: &Machine, limits: &Limits<'_>) -> Result<(), Stopped> {
        let mut incoming: Vec<Vec<Vec<usize>>> =
            machine.modules.iter().map(|module| vec![Vec::new(); module.states]).collect();
        let mut open = Vec::new();
        for (number, module) in machine.modules.iter().enumerate() {
            for (edge_number, edge) in module.edges.iter().enumerate() {
                incoming[number][edge.to.index()].push(edge_number);
                if matches!(edge.label, Label::Call { module, .. } if self.can_end[module.index()]) {
                    open.push((number, edge.from));
                }
            }
            open.extend(module.ends.iter().map(|&end| (number, end)));
        }
        open.extend(machine.module(machine.main).exits.iter().map(|&exit| (machine.main.index(), exit)));
        while let Some((number, state)) = open.pop() {
            limits.hold(0)?;
            if !self.reached[number][state.index()] || std::mem::replace(&mut self.useful[number][state.index()], true)
            {
                continue;
            }
            for &edge in &incoming[number][state.index()] {
                let edge = machine.modules[number].edges[edge];
                match edge.label {
                    Label::Call { exit: NEVER, .. } => {}
                    Label::Call { module, exit } => {
                        if self.reached[number][edge.from.index()] && self.returns[module.index()][exit as usize] {
                            open.push((number, edge.from));
                            open.push((module.index(), machine.module(module).exits[exit as usize]));
                        }
                    }
                    _ => open.push((number, edge.from)),
                }
            }
        }
        Ok(())
    }

    /// The useful edges, with calls of modules that emit nothing made silent.
    fn silenced(&self, machine: &Machine) -> Draft {
        let useful = |number: usize, state: StateId| self.useful[number][state.index()];
        let mut modules = machine.modules.clone();
        for (number, module) in modules.iter_mut().enumerate() {
            let edges = module.edges.iter().filter(|edge| useful(number, edge.from)).filter_map(|edge| {
                let Label::Call { module: called, exit } = edge.label else {
                    return useful(number, edge.to).then_some(*edge);
                };
                let back = exit != NEVER && self.returns[called.index()][exit as usize] && useful(number, edge.to);
                let never = Edge { to: edge.from, label: Label::Call { module: called, exit: NEVER }, ..*edge };
                if back { Some(*edge) } else { self.can_end[called.index()].then_some(never) }
            });
            module.edges = edges.collect();
            module.ends.retain(|&end| useful(number, end));
        }
        let mut callers = vec![BTreeSet::new(); modules.len()];
        let mut open = Vec::new();
        for (number, module) in modules.iter().enumerate() {
            for edge in &module.edges {
                match edge.label {
                    Label::Emit(_) => open.push(number),
                    Label::Call { module, .. } => _ = callers[module.index()].insert(number),
                    Label::Silent => {}
                }
            }
        }
        let mut emits = vec![false; modules.len()];
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut emits[number], true) {
                open.extend(&callers[number]);
            }
        }
        for module in &mut modules {
            let mut ends: BTreeSet<StateId> = module.ends.iter().copied().collect();
            module.edges.retain_mut(|edge| {
                let Label::Call { module: called, exit } = edge.label else { return true };
                if emits[called.index()] {
                    return true;
                }
                if self.can_end[called.index()] {
                    ends.insert(edge.from);
                }
                edge.label = Label::Silent;
                exit != NEVER
            });
            module.ends = ends.into_iter().collect();
        }
        Draft { modules, useful: self.useful.clone() }
    }
}

struct Draft {
    modules: Vec<Module>,
    useful: Vec<Vec<bool>>,
}

impl Draft {
    /// Leaves out what is marked and renumbers the rest.
    fn rebuilt(self, main: ModuleId) -> Pruned {
        let mut wanted = vec![false; self.modules.len()];
        let mut open = vec![main.index()];
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut wanted[number], true) {
                let called = self.modules[number].edges.iter().filter_map(|edge| match edge.label {
                    Label::Call { module, .. } => Some(module.index()),
                    _ => None,
                });
                open.extend(called);
            }
        }
        let kept: Vec<ModuleId> = (0..wanted.len()).filter(|&number| wanted[number]).map(ModuleId::new).collect();
        let number_of = |old: ModuleId| {
            ModuleId::new(kept.binary_search(&old).expect("every module that is called should have been kept"))
        };
        // An exit is kept when it is useful; all states that are useful can be.
        let exit_numbers: Vec<Vec<Option<u32>>> = (0..self.modules.len())
            .map(|number| {
                let mut count = 0;
                let exits = self.modules[number].exits.iter().map(|exit| {
                    self.useful[number][exit.index()].then(|| {
                        count += 1;
                        count - 1
                    })
                });
                exits.collect()
            })
            .collect();
        let modules = kept.iter().map(|&old| {
            let module = &self.modules[old.index()];
            let useful = &self.useful[old.index()];
            let mut number = vec![None; module.states];
            let mut states = 0;
            // The entry stays even when nothing useful begins there: the language is then empty.
            for state in 0..module.states {
                if useful[state] || state == module.entry.index() {
                    number[state] = Some(StateId::new(states));
                    states += 1;
                }
            }
            let renamed = |state: StateId| number[state.index()].expect("edges should join useful states");
            let exits = &module.exits;
            let edges: BTreeSet<(StateId, StateId, Label, u32)> = module
                .edges
                .iter()
                .map(|edge| {
                    let label = match edge.label {
                        Label::Call { module, exit } => Label::Call {
                            module: number_of(module),
                            exit: if exit == NEVER {
                                NEVER
                            } else {
                                exit_numbers[module.index()][exit as usize]
                                    .expect("an exit with a useful return should be useful")
                            },
                        },
                        label => label,
                    };
                    (renamed(edge.from), renamed(edge.to), label, edge.tag)
                })
                .collect();
            Module {
                name: module.name.clone(),
                states,
                entry: renamed(module.entry),
                exits: exits.iter().filter(|exit| useful[exit.index()]).map(|&exit| renamed(exit)).collect(),
                ends: module.ends.iter().map(|&end| renamed(end)).collect(),
                edges: edges.into_iter().map(|(from, to, label, tag)| Edge { from, to, label, tag }).collect(),
            }
        });
        Pruned { machine: Machine { modules: modules.collect(), main: number_of(main) }, kept: kept.clone() }
    }
}
