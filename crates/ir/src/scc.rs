//! Strongly connected components of a graph given as lists of successors.
//!
//! *Source*: R. Tarjan, Depth-first search and linear graph algorithms, 1972. *Departure*: an explicit stack instead
//! of recursion, since graphs come from users' programs and may be deep.
//!
//! *Guarantee*: each node is in exactly one component, and a component comes before those that lead to it
//! (callees before callers). *Cost*: linear. `tests/graphs.rs` compares with mutual reachability.

/// The components of the nodes for which `include` holds, taking only the edges for which `follow` holds. The nodes
/// inside a component ascend.
pub fn components_where(
    successors: &[Vec<u32>],
    include: impl Fn(u32) -> bool,
    follow: impl Fn(u32, u32) -> bool,
) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let count = successors.len();
    // `low` is the smallest index known to be reachable; a finished node has the largest value, so it lowers nobody.
    let (mut index, mut low) = (vec![UNSEEN; count], vec![UNSEEN; count]);
    let mut next_index = 0;
    let mut stack: Vec<u32> = Vec::new();
    let mut open: Vec<(u32, usize)> = Vec::new();
    let mut components = Vec::new();
    for root in (0..count as u32).filter(|node| include(*node)) {
        if index[root as usize] != UNSEEN {
            continue;
        }
        let mut entered = Some(root);
        loop {
            if let Some(node) = entered.take() {
                (index[node as usize], low[node as usize]) = (next_index, next_index);
                next_index += 1;
                stack.push(node);
                open.push((node, 0));
            }
            let Some((node, edge)) = open.last_mut() else { break };
            let (node, at) = (*node, *node as usize);
            if let Some(&succ) = successors[at].get(*edge) {
                *edge += 1;
                if !include(succ) || !follow(node, succ) {
                    continue;
                }
                if index[succ as usize] == UNSEEN {
                    entered = Some(succ);
                } else {
                    low[at] = low[at].min(low[succ as usize]);
                }
                continue;
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                low[*parent as usize] = low[*parent as usize].min(low[at]);
            }
            if low[at] == index[at] {
                let start = stack.iter().rposition(|n| *n == node).expect("an open node should be on the stack");
                let mut component = stack.split_off(start);
                for &member in &component {
                    low[member as usize] = UNSEEN;
                }
                component.sort();
                components.push(component);
            }
        }
    }
    components
}

/// The components of the whole graph.
pub fn components(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    components_where(successors, |_| true, |_, _| true)
}
