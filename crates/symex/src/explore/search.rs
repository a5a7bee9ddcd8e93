//! Which path is followed next.
//!
//! | strategy | takes the state |
//! |---|---|
//! | depth | made last |
//! | breadth | made first |
//! | coverage | whose block was entered least often |
//! | distance | nearest to a goal |
//! | portfolio | each of them in turn |
//!
//! *Guarantee*: the order depends on the program, the goals and the configuration alone. A search ends when every goal
//! is settled, when no path is left, or when it is told to stop; what was left out is in [`Exploration::losses`].

use super::distance::{Distances, FAR};
use super::engine::{Endings, Engine};
use super::feasibility::Decisions;
use super::goals::{Goal, GoalId, Goals, Met};
use super::scenario::Scenario;
use super::state::{Loss, Lost, State};
use super::{Config, Strategy};
use diagnostics::{Assumption, Rule, Span};
use ir::{CallGraph, FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Who asked for the goals.
pub trait Client {
    /// A path came to a goal. Gives the goals that are settled by that; the others are looked for further, also this one
    /// if it is not among them.
    fn met(&mut self, met: Met) -> Vec<GoalId>;
}

/// How a search went.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Goals that the client settled.
    pub settled: Vec<bool>,
    /// What was left out, and where first. Empty: all paths that could lead to an open goal were followed to their end.
    pub losses: Vec<Lost>,
    /// What was assumed instead of being tried.
    pub assumptions: Vec<Assumption>,
    pub endings: Endings,
    pub decisions: Decisions,
    pub states: u64,
    pub merges: u64,
    /// Different places and kinds of undefined behaviour, broken claims and aborts that ended paths.
    pub faults: Vec<(Box<exec::memory::Fault>, Span)>,
    /// The rules that some input may break: paths were followed only where operations keep them.
    pub demanded: BTreeSet<Rule>,
    pub terms: usize,
}

impl Exploration {
    /// Whether nothing was left out: then a goal that was not met cannot be met without undefined behaviour.
    pub fn is_complete(&self) -> bool {
        self.losses.is_empty()
    }
}

/// Follows the paths of a scenario until the goals are settled.
pub fn explore(
    program: &Program,
    scenario: &Scenario,
    goals: &[Goal],
    config: &Config,
    client: &mut dyn Client,
) -> Exploration {
    let mut engine = Engine::new(program, config.clone(), Goals::new(goals));
    let graph = CallGraph::new(program);
    let roots: Vec<FunctionId> = scenario.calls.iter().map(|call| call.function).collect();
    engine.find_aliasable(&graph, &roots);
    let mut search = Search::new(&mut engine, &graph, &roots);
    let start = engine.start(scenario);
    search.add(&mut engine, start);
    config.progress.count("places", goals.len() as u64);
    while !engine.goals.all_settled() {
        if engine.is_stopped() {
            let loss = config.stop_loss();
            engine.lose(loss, Span::NONE);
            break;
        }
        if engine.pool.len() > config.max_terms {
            engine.lose(Loss::Memory, Span::NONE);
            break;
        }
        if engine.blocks_entered > config.max_blocks {
            engine.lose(Loss::Effort { bound: config.max_blocks }, Span::NONE);
            break;
        }
        if engine.pointers_may_meet {
            for state in std::mem::take(&mut engine.parked) {
                search.add(&mut engine, state);
            }
        }
        let Some(state) = search.next(&engine) else { break };
        for state in engine.advance(state) {
            search.add(&mut engine, state);
        }
        for met in std::mem::take(&mut engine.goals.met) {
            if engine.goals.is_settled(met.goal) {
                continue;
            }
            for goal in client.met(met) {
                config.progress.add(u64::from(!engine.goals.is_settled(goal)));
                engine.goals.settle(goal);
            }
        }
        search.refresh(&mut engine, &graph, &roots);
    }
    let settled = (0..goals.len() as u32).map(|k| engine.goals.is_settled(GoalId(k))).collect();
    Exploration {
        settled,
        losses: engine.losses(),
        assumptions: engine.assumptions.iter().cloned().collect(),
        endings: engine.endings,
        decisions: engine.feasibility.decisions,
        states: search.made,
        merges: engine.merges,
        faults: engine.faults.values().cloned().collect(),
        demanded: engine.demanded,
        terms: engine.pool.len(),
    }
}

struct Search {
    states: BTreeMap<u64, State>,
    by_distance: BTreeSet<(u32, u64)>,
    by_visits: BTreeSet<(u64, u64)>,
    keys: BTreeMap<u64, (u32, u64)>,
    distances: Distances,
    /// Goals settled when the distances were computed.
    computed_at: u64,
    turn: usize,
    made: u64,
    size: usize,
}

/// Programs with more blocks than this get new distances only after several goals were settled.
const LARGE: usize = 3_000;
const PATIENCE: u64 = 16;

impl Search {
    fn new(engine: &mut Engine<'_>, graph: &CallGraph, roots: &[FunctionId]) -> Search {
        let distances = Distances::new(engine, graph, roots);
        let size = engine.program.functions.values().map(|function| function.stmt_count as usize).sum();
        Search {
            states: BTreeMap::new(),
            by_distance: BTreeSet::new(),
            by_visits: BTreeSet::new(),
            keys: BTreeMap::new(),
            distances,
            computed_at: engine.goals.changes,
            turn: 0,
            made: 0,
            size,
        }
    }

    fn add(&mut self, engine: &mut Engine<'_>, state: State) {
        if !state.frames.is_empty() && self.distances.of(&state) == FAR {
            engine.endings.pruned += 1;
            return;
        }
        self.made += 1;
        self.insert(engine, state);
    }

    fn insert(&mut self, engine: &Engine<'_>, state: State) {
        let distance = if state.frames.is_empty() { 0 } else { self.distances.of(&state) };
        let visits = state
            .frames
            .last()
            .and_then(|frame| engine.visits.get(&(frame.function, frame.block)).copied())
            .unwrap_or(0);
        let number = state.number;
        self.by_distance.insert((distance, number));
        self.by_visits.insert((visits, number));
        self.keys.insert(number, (distance, visits));
        self.states.insert(number, state);
    }

    fn next(&mut self, engine: &Engine<'_>) -> Option<State> {
        const ALL: [Strategy; 4] = [Strategy::Distance, Strategy::Depth, Strategy::Coverage, Strategy::Breadth];
        // Following the newest state keeps their number from growing.
        let strategy = if self.states.len() > engine.config.max_states {
            Strategy::Depth
        } else if engine.config.strategy == Strategy::Portfolio {
            self.turn += 1;
            ALL[(self.turn - 1) % ALL.len()]
        } else {
            engine.config.strategy
        };
        let number = match strategy {
            Strategy::Depth => self.states.last_key_value().map(|(number, _)| *number),
            Strategy::Breadth => self.states.first_key_value().map(|(number, _)| *number),
            Strategy::Coverage => self.by_visits.first().map(|(_, number)| *number),
            Strategy::Distance | Strategy::Portfolio => self.by_distance.first().map(|(_, number)| *number),
        }?;
        let (distance, visits) = self.keys.remove(&number)?;
        self.by_distance.remove(&(distance, number));
        self.by_visits.remove(&(visits, number));
        self.states.remove(&number)
    }

    /// Recomputes distances when goals were settled; states that have nowhere to go any more are let go.
    fn refresh(&mut self, engine: &mut Engine<'_>, graph: &CallGraph, roots: &[FunctionId]) {
        let since = engine.goals.changes - self.computed_at;
        let due = if self.size > LARGE { since >= PATIENCE } else { since > 0 };
        let is_last_chance = since > 0 && self.states.is_empty();
        if !due && !is_last_chance {
            return;
        }
        self.computed_at = engine.goals.changes;
        self.distances = Distances::new(engine, graph, roots);
        self.by_distance.clear();
        self.by_visits.clear();
        self.keys.clear();
        for (_, state) in std::mem::take(&mut self.states) {
            if !state.frames.is_empty() && self.distances.of(&state) == FAR {
                engine.endings.pruned += 1;
            } else {
                self.insert(engine, state);
            }
        }
    }
}
