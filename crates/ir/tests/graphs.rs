//! The derived graphs, each against a slower way to the same answer: the CFG against running the structure, dominators
//! against sets, loops against natural loops, components against reachability.

use ir::{
    Block, BlockId, Branch, CallGraph, Cfg, Dominators, EntityRef, FunctionId, LabelId, LoopKind, Loops, Outcome,
    Program, Stmt, StmtId, StmtKind, Stop, Terminator, components, immediate_dominators, parse_program,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::collections::BTreeSet;

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/ir");

/// What a run met, in order: statements, and the branches it took.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Event {
    Ran(StmtId),
    Took(Branch),
    Returned,
    Stopped,
}

/// Decides branches from a list, for at most as many steps as there is fuel.
struct Run<'c> {
    choices: &'c [u32],
    fuel: u32,
    events: Vec<Event>,
}

impl Run<'_> {
    fn new(choices: &[u32]) -> Run<'_> {
        Run { choices, fuel: 300, events: Vec::new() }
    }

    /// False when the fuel is used up.
    fn burn(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    fn decide(&mut self, stmt: StmtId, outcomes: &[Outcome]) -> usize {
        let (choice, rest) = self.choices.split_first().unwrap_or((&0, &[]));
        self.choices = rest;
        let index = *choice as usize % outcomes.len();
        self.events.push(Event::Took(Branch { stmt, outcome: outcomes[index] }));
        index
    }
}

fn walk_graph(cfg: &Cfg, run: &mut Run) {
    let mut at = cfg.entry();
    while run.burn() {
        let block = &cfg.blocks[at];
        run.events.extend(block.stmts.iter().map(|stmt| Event::Ran(stmt.id)));
        let edges = block.terminator.edges();
        match &block.terminator {
            Terminator::Return(_) => return run.events.push(Event::Returned),
            Terminator::Stop(_) => return run.events.push(Event::Stopped),
            Terminator::Goto(to) => at = *to,
            Terminator::Branch { stmt, .. } | Terminator::Switch { stmt, .. } => {
                let outcomes: Vec<Outcome> = edges.iter().filter_map(|e| Some(e.branch?.outcome)).collect();
                at = edges[run.decide(stmt.id, &outcomes)].to;
            }
        }
    }
}

#[derive(PartialEq)]
enum Flow {
    On,
    Break,
    Continue,
    Goto(LabelId),
    End,
}

fn holds(block: &Block, label: LabelId) -> bool {
    let mut found = false;
    block.walk(&mut |stmt| found |= stmt.kind == StmtKind::Label(label));
    found
}

fn stmt_holds(stmt: &Stmt, label: LabelId) -> bool {
    stmt.kind == StmtKind::Label(label) || stmt.blocks().into_iter().any(|block| holds(block, label))
}

/// Runs a block as its structure says; `seek` is a label inside that control arrives at by a jump.
fn run_block(cfg: &Cfg, block: &Block, mut seek: Option<LabelId>, run: &mut Run) -> Flow {
    loop {
        let mut flow = Flow::On;
        for stmt in &block.stmts {
            if seek.is_some_and(|label| !stmt_holds(stmt, label)) {
                continue;
            }
            flow = run_stmt(cfg, stmt, seek.take(), run);
            if flow != Flow::On {
                break;
            }
        }
        match flow {
            Flow::Goto(label) if holds(block, label) => {
                if !run.burn() {
                    return Flow::End;
                }
                seek = Some(label);
            }
            other => return other,
        }
    }
}

fn run_stmt(cfg: &Cfg, stmt: &Stmt, seek: Option<LabelId>, run: &mut Run) -> Flow {
    match &stmt.kind {
        StmtKind::If { then, otherwise, .. } => {
            let first = match seek {
                Some(label) => holds(then, label),
                None => run.decide(stmt.id, &[Outcome::True, Outcome::False]) == 0,
            };
            run_block(cfg, if first { then } else { otherwise }, seek, run)
        }
        StmtKind::Loop(looped) => {
            // The phases in the order of an iteration; the condition comes after `pre`.
            let phases = looped.blocks();
            let pre_at = if looped.kind == LoopKind::DoWhile { 2 } else { 0 };
            let onward = if looped.kind == LoopKind::DoWhile { 1 } else { 2 };
            let mut seek = seek;
            let mut phase = seek.map_or(0, |label| phases.iter().position(|b| holds(b, label)).unwrap());
            loop {
                if phase == 3 {
                    if !run.burn() {
                        return Flow::End;
                    }
                    phase = 0;
                }
                match run_block(cfg, phases[phase], seek.take(), run) {
                    Flow::On => {
                        let asked = phase == pre_at && looped.cond.is_some();
                        if asked && run.decide(stmt.id, &[Outcome::True, Outcome::False]) == 1 {
                            return Flow::On;
                        }
                        phase += 1;
                    }
                    Flow::Break => return Flow::On,
                    Flow::Continue => {
                        if !run.burn() {
                            return Flow::End;
                        }
                        phase = onward;
                    }
                    Flow::Goto(label) => match phases.iter().position(|b| holds(b, label)) {
                        Some(there) => {
                            if !run.burn() {
                                return Flow::End;
                            }
                            (phase, seek) = (there, Some(label));
                        }
                        None => return Flow::Goto(label),
                    },
                    Flow::End => return Flow::End,
                }
            }
        }
        StmtKind::Switch { arms, default, body, .. } => {
            let seek = seek.or_else(|| {
                let mut outcomes: Vec<Outcome> = (0..arms.len() as u32).map(Outcome::Arm).collect();
                outcomes.push(Outcome::Default);
                let index = run.decide(stmt.id, &outcomes);
                arms.get(index).map(|arm| arm.label).or(*default)
            });
            if seek.is_none() {
                return Flow::On;
            }
            match run_block(cfg, body, seek, run) {
                Flow::Break => Flow::On,
                other => other,
            }
        }
        StmtKind::Block(block) => run_block(cfg, block, seek, run),
        StmtKind::Break => Flow::Break,
        StmtKind::Continue => Flow::Continue,
        StmtKind::Goto(label) => Flow::Goto(*label),
        StmtKind::Label(_) => Flow::On,
        StmtKind::Return(_) => {
            run.events.push(Event::Returned);
            Flow::End
        }
        _ => {
            run.events.push(Event::Ran(stmt.id));
            let block = cfg.block_of(stmt.id).expect("what runs should be in a block");
            let last = cfg.blocks[block].stmts.last().is_some_and(|last| last.id == stmt.id);
            let stops = last && matches!(cfg.blocks[block].terminator, Terminator::Stop(_));
            if stops {
                run.events.push(Event::Stopped);
                return Flow::End;
            }
            Flow::On
        }
    }
}

/// The graph and the structure, led by the same choices, do the same.
fn same_run(cfg: &Cfg, choices: &[u32]) -> Result<(), TestCaseError> {
    let (mut graph, mut structure) = (Run::new(choices), Run::new(choices));
    walk_graph(cfg, &mut graph);
    let body = cfg.function().body.as_ref().unwrap();
    if run_block(cfg, body, None, &mut structure) != Flow::End {
        structure.events.push(Event::Returned);
    }
    if graph.fuel > 0 && structure.fuel > 0 {
        prop_assert_eq!(&graph.events, &structure.events, "{}", cfg.to_text());
    } else {
        // Fuel burns at different speeds, so one may have come further.
        let common = graph.events.len().min(structure.events.len());
        prop_assert_eq!(&graph.events[..common], &structure.events[..common], "{}", cfg.to_text());
    }
    Ok(())
}

fn well_built(cfg: &Cfg) -> Result<(), TestCaseError> {
    let mut reached = BTreeSet::from([cfg.entry()]);
    for (id, block) in &cfg.blocks {
        // In reverse postorder each block but the entry is entered from an earlier one.
        prop_assert!(id == cfg.entry() || block.preds.iter().any(|pred| *pred < id), "{}", cfg.to_text());
        for succ in cfg.succs(id) {
            prop_assert!(cfg.preds(succ).contains(&id));
            reached.insert(succ);
        }
        for &pred in &block.preds {
            prop_assert!(cfg.succs(pred).contains(&id));
        }
        for stmt in &block.stmts {
            prop_assert_eq!(cfg.block_of(stmt.id), Some(id));
        }
        if let Some(stmt) = block.terminator.stmt() {
            prop_assert_eq!(cfg.block_of(stmt.id), Some(id));
        }
        if let Terminator::Stop(stop) = &block.terminator {
            let last = &block.stmts.last().unwrap().kind;
            prop_assert_eq!(*stop == Stop::Unsupported, matches!(last, StmtKind::Unsupported(_)));
        }
    }
    prop_assert_eq!(reached.len(), cfg.blocks.len());
    Ok(())
}

fn reaches(successors: &[Vec<u32>], from: u32, without: Option<u32>) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if Some(node) != without && seen.insert(node) {
            open.extend(&successors[node as usize]);
        }
    }
    seen
}

/// Dominators by their definition: *a* dominates *b* if *b* cannot be reached without *a*.
fn dominator_sets(successors: &[Vec<u32>], entry: u32) -> Vec<Option<BTreeSet<u32>>> {
    let reachable = reaches(successors, entry, None);
    let mut sets: Vec<Option<BTreeSet<u32>>> =
        (0..successors.len() as u32).map(|n| reachable.contains(&n).then(BTreeSet::new)).collect();
    for node in &reachable {
        let rest = reaches(successors, entry, Some(*node));
        for dominated in reachable.difference(&rest) {
            sets[*dominated as usize].as_mut().unwrap().insert(*node);
        }
    }
    sets
}

fn graph() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1usize..12).prop_flat_map(|count| vec(vec(0..count as u32, 0..4), count..=count))
}

/// A program whose graph is this one, but for nodes out of reach: each node a label and a switch over jumps.
fn program_of(successors: &[Vec<u32>]) -> Program {
    let mut text = "program 1\nfn @f: fn(int) -> void\n  param %x: int\n".to_string();
    let mut body = String::new();
    let mut labels: Vec<String> = (0..successors.len()).map(|node| format!("n{node}")).collect();
    for (node, succs) in successors.iter().enumerate() {
        body.push_str(&format!(":n{node}:\n"));
        let arms: Vec<String> = (0..succs.len()).map(|i| format!("{i} => :a{node}x{i}")).collect();
        let jumps: Vec<String> =
            succs.iter().enumerate().map(|(i, to)| format!(":a{node}x{i}:\ngoto :n{to};\n")).collect();
        labels.extend((0..succs.len()).map(|i| format!("a{node}x{i}")));
        if !succs.is_empty() {
            body.push_str(&format!("switch %x with {} {{\n{}}}\n", arms.join(", "), jumps.concat()));
        }
        body.push_str("return;\n");
    }
    text.extend(labels.iter().map(|label| format!("  label :{label}\n")));
    parse_program(&format!("{text}{{\n{body}}}\n")).unwrap()
}

/// The number of cases is left to `PROPTEST_CASES`; seeds of failures are kept beside this file.
fn config() -> ProptestConfig {
    let persistence = FileFailurePersistence::WithSource("regressions");
    ProptestConfig { failure_persistence: Some(Box::new(persistence)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_graph_does_what_the_structure_does(
        program in vec(any::<u32>(), 0..500),
        choices in vec(vec(any::<u32>(), 0..60), 8),
    ) {
        let program = ir::arbitrary::program(&program);
        for id in program.functions.keys() {
            let Some(cfg) = Cfg::new(&program, id) else { continue };
            well_built(&cfg)?;
            prop_assert!(cfg.to_dot().starts_with("digraph"));
            for choices in &choices {
                same_run(&cfg, choices)?;
            }
        }
    }

    #[test]
    fn dominators_agree_with_their_definition(successors in graph()) {
        let idom = immediate_dominators(&successors, 0);
        let sets = dominator_sets(&successors, 0);
        for (node, set) in sets.iter().enumerate() {
            let strict: Option<BTreeSet<u32>> =
                set.as_ref().map(|set| set.iter().copied().filter(|d| *d != node as u32).collect());
            // The closest strict dominator is the one that all the others dominate.
            let closest = strict.iter().flatten().max_by_key(|d| sets[**d as usize].as_ref().map(BTreeSet::len));
            prop_assert_eq!(idom[node], closest.copied(), "node {} of {:?}", node, successors);
        }
    }

    #[test]
    fn trees_of_blocks_agree_with_paths(successors in graph()) {
        let program = program_of(&successors);
        let cfg = Cfg::new(&program, FunctionId::from_u32(0)).unwrap();
        well_built(&cfg)?;
        let lists = cfg.successor_lists();
        let tree = Dominators::new(&cfg);
        let sets = dominator_sets(&lists, 0);
        let blocks: Vec<BlockId> = cfg.blocks.keys().collect();
        for &b in &blocks {
            for &a in &blocks {
                prop_assert_eq!(tree.dominates(a, b), sets[b.index()].as_ref().unwrap().contains(&a.as_u32()));
                prop_assert_eq!(tree.dominates(a, b), tree.above(b).any(|above| above == a));
            }
        }
        // Post-dominance by paths: without `a`, no exit can be reached from `b`.
        let post = Dominators::post(&cfg);
        let exits: BTreeSet<u32> = cfg.exits().map(|b| b.as_u32()).collect();
        for &b in &blocks {
            let ends = !reaches(&lists, b.as_u32(), None).is_disjoint(&exits);
            for &a in &blocks {
                let expected = ends && reaches(&lists, b.as_u32(), Some(a.as_u32())).is_disjoint(&exits);
                prop_assert_eq!(post.dominates(a, b), expected, "{:?} {:?}\n{}", a, b, cfg.to_text());
            }
        }
        let frontiers = tree.frontiers(&cfg);
        for &a in &blocks {
            let mut found = frontiers[a.index()].clone();
            found.sort();
            let ends_at = |b: &BlockId| {
                let strictly = *b != a && tree.dominates(a, *b);
                !strictly && cfg.preds(*b).iter().any(|pred| tree.dominates(a, *pred))
            };
            let expected: Vec<BlockId> = blocks.iter().copied().filter(ends_at).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn loops_agree_with_natural_loops(successors in graph()) {
        let program = program_of(&successors);
        let cfg = Cfg::new(&program, FunctionId::from_u32(0)).unwrap();
        let tree = Dominators::new(&cfg);
        let loops = Loops::new(&cfg);
        // The natural loop of a head: what reaches one of its back edges without passing through it.
        for head in cfg.blocks.keys() {
            let mut natural = BTreeSet::new();
            let mut open: Vec<BlockId> =
                cfg.preds(head).iter().copied().filter(|tail| tree.dominates(head, *tail)).collect();
            let any = !open.is_empty();
            natural.insert(head);
            while let Some(block) = open.pop() {
                if natural.insert(block) {
                    open.extend(cfg.preds(block));
                }
            }
            let found = loops.headed_by(head).map(|id| loops.loops[id].blocks.clone());
            let expected: Option<Vec<BlockId>> = any.then(|| natural.into_iter().collect());
            // Inside an irreducible loop there may be loops with one entry that only exist because edges to the
            // other entries do not count, and natural loops that are part of something bigger.
            if loops.irreducible().next().is_none() {
                prop_assert_eq!(found, expected, "head {:?}\n{}", head, cfg.to_text());
            }
        }
        // An edge back to a block that does not dominate its source, in this order of blocks, is what makes a graph
        // irreducible.
        let retreats = cfg.blocks.keys().any(|from| {
            cfg.succs(from).iter().any(|to| *to <= from && !tree.dominates(*to, from))
        });
        prop_assert_eq!(retreats, loops.irreducible().next().is_some(), "{}", cfg.to_text());
        for (id, node) in &loops.loops {
            prop_assert!(!node.entries.is_empty());
            if let Some(parent) = node.parent {
                prop_assert!(parent < id && node.blocks.iter().all(|b| loops.loops[parent].contains(*b)));
                prop_assert_eq!(node.depth, loops.loops[parent].depth + 1);
            }
            for (from, to) in node.exits(&cfg) {
                prop_assert!(node.contains(from) && !node.contains(to) && cfg.succs(from).contains(&to));
            }
        }
    }

    #[test]
    fn components_agree_with_reachability(successors in graph()) {
        let found = components(&successors);
        let place = |node: u32| found.iter().position(|c| c.contains(&node)).unwrap();
        let reach: Vec<BTreeSet<u32>> =
            (0..successors.len() as u32).map(|node| reaches(&successors, node, None)).collect();
        prop_assert_eq!(found.iter().map(Vec::len).sum::<usize>(), successors.len());
        for a in 0..successors.len() as u32 {
            for b in 0..successors.len() as u32 {
                let mutual = reach[a as usize].contains(&b) && reach[b as usize].contains(&a);
                prop_assert_eq!(place(a) == place(b), mutual);
                if reach[a as usize].contains(&b) {
                    prop_assert!(place(b) <= place(a));
                }
            }
        }
    }

    #[test]
    fn scopes_are_those_of_the_blocks_around(choices in vec(any::<u32>(), 0..400)) {
        let program = ir::arbitrary::program(&choices);
        for (_, function, body) in program.defined_functions() {
            let mut expected = Vec::new();
            fn visit(block: &Block, around: &mut Vec<ir::LocalId>, expected: &mut Vec<(StmtId, Vec<ir::LocalId>)>) {
                let outside = around.len();
                around.extend(&block.locals);
                for stmt in &block.stmts {
                    expected.push((stmt.id, around.clone()));
                    for inner in stmt.blocks() {
                        visit(inner, around, expected);
                    }
                }
                around.truncate(outside);
            }
            visit(body, &mut Vec::new(), &mut expected);
            for (stmt, variables) in expected {
                let mut found = function.in_scope(stmt);
                found.retain(|local| function.locals[*local].kind == ir::LocalKind::Variable);
                prop_assert_eq!(found, variables);
            }
        }
    }
}

/// The graph, dominators and loops of each function of a file, beside it in a file of their own.
#[test]
fn graphs_of_files() {
    filetest::run(format!("{TESTDATA}/cfg"), "ir", |file| {
        let program = parse_program(&file.text).map_err(|error| error.to_string())?;
        let problems: Vec<String> = ir::verify(&program).iter().map(|p| p.describe(&program)).collect();
        if !problems.is_empty() {
            return Err(problems.join("\n"));
        }
        let mut out = String::new();
        for (id, _, _) in program.defined_functions() {
            let cfg = Cfg::new(&program, id).unwrap();
            out.push_str(&cfg.to_text());
            for (loop_id, node) in &Loops::new(&cfg).loops {
                let kind = if node.head().is_some() { "" } else { ", irreducible" };
                let (entries, blocks) = (&node.entries, &node.blocks);
                out.push_str(&format!(
                    "\n{loop_id}{kind}: entries {entries:?}, blocks {blocks:?}, depth {}\n",
                    node.depth
                ));
            }
            out.push('\n');
        }
        filetest::check_golden(&file.path.with_extension("cfg"), &out)
    });
}

#[test]
fn calls_through_pointers_reach_what_their_type_allows() {
    let text = std::fs::read_to_string(format!("{TESTDATA}/text/calls.ir")).unwrap();
    let program = parse_program(&text).unwrap();
    let graph = CallGraph::new(&program);
    let name = |id: &FunctionId| program.functions[*id].name.clone();
    let names = |ids: &[FunctionId]| ids.iter().map(name).collect::<Vec<String>>();
    let find = |name: &str| program.find_function(name).unwrap();
    assert_eq!(graph.address_taken().map(|id| name(&id)).collect::<Vec<_>>(), ["inc", "dec", "print", "compare"]);
    // `twice` has the right type, but nobody takes its address.
    assert_eq!(names(graph.callees(find("apply"))), ["inc", "dec"]);
    assert_eq!(names(graph.callees(find("main"))), ["sort", "apply", "even"]);
    assert_eq!(names(graph.callers(find("inc"))), ["apply"]);
    assert_eq!(names(&graph.may_call_back(&program, find("sort"))), ["inc", "dec", "print", "compare"]);
    assert!(graph.is_recursive(find("even")) && graph.is_recursive(find("odd")) && graph.is_recursive(find("self")));
    assert!(!graph.is_recursive(find("main")));
    assert_eq!(names(&graph.reachable(find("even"))), ["even", "odd"]);
    let order: Vec<Vec<String>> = graph.components().iter().map(|c| names(c)).collect();
    let place = |name: &str| order.iter().position(|c| c.iter().any(|n| n == name)).unwrap();
    assert!(place("even") < place("main") && place("inc") < place("apply"));
    assert_eq!(order[place("even")], ["even", "odd"]);
    let sites = graph.sites(find("apply"));
    assert_eq!((sites.len(), sites[0].direct), (1, false));
}
