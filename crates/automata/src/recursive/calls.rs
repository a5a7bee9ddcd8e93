//! Who calls whom: the strongly connected components of the call graph.

use super::{Label, Machine, ModuleId};

/// The components of a call graph, callees before callers.
#[derive(Clone, Debug)]
pub struct Calls {
    /// The component of each module.
    pub component: Vec<usize>,
    /// The modules of each component; a component comes after those that it calls.
    pub members: Vec<Vec<ModuleId>>,
    /// Whether a call can lead back into the component.
    pub recursive: Vec<bool>,
}

impl Calls {
    /// Tarjan's algorithm, with a stack of its own so that deep call chains are no danger.
    pub fn of(machine: &Machine) -> Calls {
        let count = machine.modules.len();
        let called: Vec<Vec<usize>> = machine
            .modules
            .iter()
            .map(|module| {
                let mut called: Vec<usize> = module.edges.iter().filter_map(|edge| edge.label.callee()).collect();
                called.sort_unstable();
                called.dedup();
                called
            })
            .collect();
        let mut calls = Calls { component: vec![usize::MAX; count], members: Vec::new(), recursive: Vec::new() };
        let mut order = vec![usize::MAX; count];
        let mut low = vec![0; count];
        let mut stack = Vec::new();
        let mut clock = 0;
        for root in 0..count {
            if order[root] != usize::MAX {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((module, position)) = path.last_mut() {
                let module = *module;
                if *position == 0 {
                    order[module] = clock;
                    low[module] = clock;
                    clock += 1;
                    stack.push(module);
                }
                if let Some(&next) = called[module].get(*position) {
                    *position += 1;
                    if order[next] == usize::MAX {
                        path.push((next, 0));
                    } else if calls.component[next] == usize::MAX {
                        low[module] = low[module].min(order[next]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(caller, _)) = path.last() {
                    low[caller] = low[caller].min(low[module]);
                }
                if low[module] == order[module] {
                    let number = calls.members.len();
                    let mut members = Vec::new();
                    while let Some(member) = stack.pop() {
                        calls.component[member] = number;
                        members.push(ModuleId::new(member));
                        if member == module {
                            break;
                        }
                    }
                    members.sort_unstable();
                    calls.recursive.push(members.len() > 1 || called[module].contains(&module));
                    calls.members.push(members);
                }
            }
        }
        calls
    }

    pub fn is_recursive(&self, module: ModuleId) -> bool {
        self.recursive[self.component[module.index()]]
    }
}

impl Label {
    fn callee(self) -> Option<usize> {
        if let Label::Call { module, .. } = self { Some(module.index()) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Module, NEVER, StateId};
    use super::*;

    #[test]
    fn components_come_after_what_they_call() {
        let mut machine = Machine::new(Module::new("main"));
        for name in ["even", "odd", "leaf"] {
            machine.add_module(Module::new(name));
        }
        let entry = StateId::new(0);
        for (from, to) in [(0, 1), (1, 2), (2, 1), (2, 3)] {
            let label = Label::Call { module: ModuleId::new(to), exit: NEVER };
            machine.modules[from].add_edge(entry, entry, label, 0);
        }
        let calls = Calls::of(&machine);
        assert_eq!(calls.component, [2, 1, 1, 0]);
        assert_eq!(calls.recursive, [false, true, false]);
    }
}
