//! Shortest runs of a recursive state machine, watched by an observer: forward summaries.
//!
//! An item says: in a call of module `m` that was entered with observation `s`, state `q` is reached with observation
//! `o`, and the shortest way from the entry of that call costs so much. The pair (m, s) is the *context*; all calls
//! with the same context share their items, which is what makes recursion finite and copies unnecessary. When an exit
//! is reached, every call of the context goes on behind its call edge.
//!
//! Sources: the post* of pushdown systems in Driscoll, Burton, Reps 2011, §3.5, in the form of T. Reps, S. Horwitz,
//! M. Sagiv, "Precise interprocedural dataflow analysis via graph reachability", 1995. Order of work: D. Knuth, "A
//! generalization of Dijkstra's algorithm", 1977.
//!
//! **Order.** Items are settled by their cost from the entry of their *own* context, calls add the cost of the callee's
//! summary to that of the call. All these combinations are sums, so the cost of an item is final when it is taken from
//! the queue, although a callee's items start at zero after items of higher cost were settled: whatever could make an
//! item cheaper is itself cheaper and would have been settled before. `Global` events measure whole words in the same
//! queue, which makes the first goal the cheapest, calls that are pending at its end included.
//!
//! **Pruning.** An item is dropped when the same context and state has an item of no higher cost whose observation
//! covers its own. Across different contexts that would be wrong: a caller with a larger entry set would lose exits.
//! `Observer::covers` must be monotone: whatever can be reached from the covered one must be covered by something that
//! can be reached from the covering one at the same cost, and a goal of the covered is a goal of the covering.
//!
//! **More edges.** A search that is over can go on with edges that are added ([`Explorer::extend`]): only what follows
//! from them is searched, and [`Explorer::retract`] forgets it again. Questions about machines that differ in one edge
//! share all the rest that way.

use crate::alphabet::Symbol;
use crate::recursive::{Edge, Label, Machine, ModuleId, NEVER, StateId};
use hashbrown::{HashMap, HashSet};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

/// What watches a run. Observations are interned numbers; nothing means that the run is of no interest.
pub(crate) trait Observer {
    fn start(&mut self) -> u32;
    fn emit(&mut self, now: u32, symbol: Symbol, tag: u32) -> Option<u32>;
    /// The observation at the entry of a callee.
    fn enter(&mut self, now: u32, tag: u32) -> Option<u32>;
    /// The observation behind a call, from those before the call and at the callee's exit.
    fn leave(&mut self, call: u32, tag: u32, exit: u32) -> Option<u32>;
    /// Whether a run that is accepted here is what we look for.
    fn goal(&mut self, now: u32) -> bool;
    fn covers(&self, covering: u32, covered: u32) -> bool;
    /// How much its observations take up, in the parts of [`Limits`].
    fn held(&self) -> usize {
        0
    }
    /// Whether every run that goes on from here to its end is what we look for.
    fn decided(&self, _now: u32) -> bool {
        false
    }
}

/// What the steps of a run cost.
#[derive(Clone, Copy)]
pub(crate) struct Costs {
    pub silent: u64,
    pub emit: u64,
    pub enter: u64,
    pub leave: u64,
}

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Items that may be settled, or subsets that may be built.
    pub items: usize,
    /// Edges, members of subsets and open steps that may be held at a time: what bounds the memory.
    pub parts: usize,
    /// Set from another thread to stop at once.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { items: 2_000_000, parts: 16_000_000, stop: None }
    }
}

impl Limits<'_> {
    /// For what is small, or has no one to stop it.
    pub const NONE: Limits<'static> = Limits { items: usize::MAX, parts: usize::MAX, stop: None };

    pub(crate) fn check(&self, items: usize) -> Result<(), Stopped> {
        if items > self.items { Err(Stopped::OutOfBudget) } else { self.hold(0) }
    }

    /// Whether so many parts may be held, and the work may go on.
    pub fn hold(&self, parts: usize) -> Result<(), Stopped> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Stopped::Interrupted);
        }
        if parts > self.parts { Err(Stopped::OutOfBudget) } else { Ok(()) }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    OutOfBudget,
    Interrupted,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stopped::OutOfBudget => "the comparison ran out of its budget",
            Stopped::Interrupted => "the comparison was interrupted",
        })
    }
}

impl std::error::Error for Stopped {}

/// One edge of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub module: ModuleId,
    /// The edge's number in its module.
    pub edge: usize,
    pub tag: u32,
    pub kind: Move,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Silent,
    Emit(Symbol),
    /// A call goes into its callee.
    Enter,
    /// The call comes back.
    Leave,
}

/// The symbols that a run emits.
pub fn word(path: &[Step]) -> Vec<Symbol> {
    path.iter().filter_map(|step| if let Move::Emit(symbol) = step.kind { Some(symbol) } else { None }).collect()
}

pub(crate) struct Explored {
    items: Vec<Item>,
    contexts: Vec<Context>,
    goal: Option<usize>,
}

#[derive(Clone, Copy)]
struct Item {
    context: usize,
    state: StateId,
    observation: u32,
    cost: u64,
    origin: Origin,
}

#[derive(Clone, Copy)]
enum Origin {
    Entry,
    Step { from: usize, edge: usize },
    Return { call: usize, edge: usize, exit: usize },
}

struct Context {
    module: ModuleId,
    /// The observations of each state that no other covers, as far as they are compared.
    settled: HashMap<StateId, Vec<u32>>,
    /// The observation at the entry.
    entry: u32,
    /// The items that are at each exit.
    exits: Vec<Vec<usize>>,
    /// Items and edges that call this context and expect each exit.
    callers: Vec<Vec<(usize, usize)>>,
    /// Calls made from this context: item, edge, callee.
    calls: Vec<(usize, usize, usize)>,
    goals: Vec<usize>,
    /// The cost of the cheapest word up to the entry, and the call by which it comes.
    global: Option<(u64, Option<(usize, usize)>)>,
}

#[derive(Clone, Copy)]
enum Event {
    Item { context: usize, state: StateId, observation: u32, origin: Origin },
    Global { context: usize, by: Option<(usize, usize)> },
    Goal { item: usize },
}

/// A search.
pub(crate) struct Explorer<'a, O> {
    machine: Machine,
    out: Vec<Vec<Vec<usize>>>,
    exit_numbers: Vec<Vec<Vec<u32>>>,
    ends: Vec<Vec<bool>>,
    observer: &'a mut O,
    costs: Costs,
    explored: Explored,
    by_entry: HashMap<(ModuleId, u32), usize>,
    /// Events by cost; those of one cost in the order in which they came.
    queue: BTreeMap<u64, VecDeque<Event>>,
    /// How many there are.
    queued: usize,
    /// Everything that was ever settled: context, state, observation.
    known: HashSet<(usize, StateId, u32)>,
    /// What there was before more edges were added.
    before: Option<Before>,
}

struct Before {
    module: ModuleId,
    states: usize,
    edges: usize,
    items: usize,
    contexts: usize,
}

/// How many settled items of a state are compared with a new one. Exact repetitions are always found; that a covered
/// item is not noticed costs time, but changes no answer.
const COMPARED: usize = 64;

/// Settles items until the first goal, or until there are no more.
pub(crate) fn explore<O: Observer>(
    machine: &Machine,
    observer: &mut O,
    costs: Costs,
    limits: &Limits<'_>,
) -> Result<Explored, Stopped> {
    let mut explorer = Explorer::new(machine, observer, costs);
    explorer.run(limits)?;
    Ok(explorer.explored)
}

impl<'a, O: Observer> Explorer<'a, O> {
    /// A search that has not begun.
    pub fn new(machine: &Machine, observer: &'a mut O, costs: Costs) -> Self {
        let exit_numbers = machine.modules.iter().map(|module| {
            let mut numbers = vec![Vec::new(); module.states];
            for (number, exit) in module.exits.iter().enumerate() {
                numbers[exit.index()].push(number as u32);
            }
            numbers
        });
        let ends = machine.modules.iter().map(|module| {
            let mut ends = vec![false; module.states];
            module.ends.iter().for_each(|end| ends[end.index()] = true);
            ends
        });
        let mut explorer = Explorer {
            out: machine.modules.iter().map(|module| module.successors()).collect(),
            exit_numbers: exit_numbers.collect(),
            ends: ends.collect(),
            machine: machine.clone(),
            observer,
            costs,
            explored: Explored { items: Vec::new(), contexts: Vec::new(), goal: None },
            by_entry: HashMap::new(),
            queue: BTreeMap::new(),
            queued: 0,
            known: HashSet::new(),
            before: None,
        };
        let start = explorer.observer.start();
        explorer.context(machine.main, start);
        explorer.push(0, Event::Global { context: 0, by: None });
        explorer
    }

    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    pub fn observer(&mut self) -> &mut O {
        self.observer
    }

    pub fn explored(&self) -> &Explored {
        &self.explored
    }

    /// Goes on where a search without a goal ended, with more states and edges in one module. The edges make no calls.
    pub fn extend(
        &mut self,
        module: ModuleId,
        states: usize,
        edges: &[Edge],
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        let body = &mut self.machine.modules[module.index()];
        let before = Before {
            module,
            states: body.states,
            edges: body.edges.len(),
            items: self.explored.items.len(),
            contexts: self.explored.contexts.len(),
        };
        body.states += states;
        body.edges.extend_from_slice(edges);
        let all = body.states;
        self.out[module.index()].resize(all, Vec::new());
        self.exit_numbers[module.index()].resize(all, Vec::new());
        self.ends[module.index()].resize(all, false);
        for (number, edge) in edges.iter().enumerate() {
            self.out[module.index()][edge.from.index()].push(before.edges + number);
        }
        let (items, first) = (before.items, before.edges);
        self.before = Some(before);
        for item in 0..items {
            let Item { context, state, .. } = self.explored.items[item];
            if self.explored.contexts[context].module == module {
                let fresh = edges.iter().enumerate().filter(|(_, edge)| edge.from == state);
                fresh.for_each(|(number, _)| self.follow(item, first + number));
            }
        }
        self.run(limits)
    }

    /// Takes back the last extension and all that was found by it.
    pub fn retract(&mut self) {
        let Some(Before { module, states, edges, items, contexts }) = self.before.take() else { return };
        self.queue.clear();
        self.queued = 0;
        self.explored.goal = None;
        for item in self.explored.items.drain(items..).rev() {
            self.known.remove(&(item.context, item.state, item.observation));
            if let Some(context) = self.explored.contexts.get_mut(item.context).filter(|_| item.context < contexts)
                && let Some(settled) = context.settled.get_mut(&item.state)
            {
                settled.pop_if(|last| *last == item.observation);
            }
        }
        for context in self.explored.contexts.drain(contexts..) {
            self.by_entry.remove(&(context.module, context.entry));
        }
        // Lists grow in the order of items, so what is new stands at their ends.
        for context in &mut self.explored.contexts {
            context.exits.iter_mut().for_each(|exits| exits.truncate(exits.partition_point(|item| *item < items)));
            for callers in &mut context.callers {
                callers.truncate(callers.partition_point(|(item, _)| *item < items));
            }
            context.calls.truncate(context.calls.partition_point(|(item, ..)| *item < items));
            context.goals.truncate(context.goals.partition_point(|item| *item < items));
        }
        for edge in self.machine.modules[module.index()].edges.drain(edges..).rev() {
            self.out[module.index()][edge.from.index()].pop();
        }
        self.machine.modules[module.index()].states = states;
        self.out[module.index()].truncate(states);
        self.exit_numbers[module.index()].truncate(states);
        self.ends[module.index()].truncate(states);
    }

    fn push(&mut self, cost: u64, event: Event) {
        // An extension is asked whether there is a goal, not which is the cheapest: what is decided goes first.
        let cost = match event {
            _ if self.before.is_none() => cost,
            Event::Item { observation, .. } if !self.observer.decided(observation) => 1,
            _ => 0,
        };
        self.queue.entry(cost).or_default().push_back(event);
        self.queued += 1;
    }

    fn pop(&mut self) -> Option<(u64, Event)> {
        let mut first = self.queue.first_entry()?;
        let cost = *first.key();
        let event = first.get_mut().pop_front().expect("a queue without events should have been removed");
        self.queued -= 1;
        if first.get().is_empty() {
            first.remove();
        }
        Some((cost, event))
    }

    /// Settles items until the first goal, or until there are no more.
    pub fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        while let Some((cost, event)) = self.pop() {
            limits.hold(self.queued + self.observer.held())?;
            match event {
                Event::Item { context, state, observation, origin } => {
                    if self.superfluous(context, state, observation) {
                        continue;
                    }
                    limits.check(self.explored.items.len() + 1)?;
                    self.settle(Item { context, state, observation, cost, origin });
                }
                Event::Global { context, by } => {
                    if self.explored.contexts[context].global.is_some() {
                        continue;
                    }
                    self.explored.contexts[context].global = Some((cost, by));
                    for index in 0..self.explored.contexts[context].calls.len() {
                        let (call, edge, callee) = self.explored.contexts[context].calls[index];
                        self.push_global(cost, call, edge, callee);
                    }
                    for index in 0..self.explored.contexts[context].goals.len() {
                        let item = self.explored.contexts[context].goals[index];
                        self.push(cost.saturating_add(self.explored.items[item].cost), Event::Goal { item });
                    }
                }
                Event::Goal { item } => {
                    self.explored.goal = Some(item);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn superfluous(&self, context: usize, state: StateId, observation: u32) -> bool {
        let settled = self.explored.contexts[context].settled.get(&state).map_or(&[][..], Vec::as_slice);
        self.known.contains(&(context, state, observation))
            || settled.iter().take(COMPARED).any(|&other| self.observer.covers(other, observation))
    }

    fn push_item(&mut self, cost: u64, context: usize, state: StateId, observation: Option<u32>, origin: Origin) {
        if let Some(observation) = observation
            && !self.superfluous(context, state, observation)
        {
            self.push(cost, Event::Item { context, state, observation, origin });
        }
    }

    fn push_global(&mut self, cost: u64, call: usize, edge: usize, callee: usize) {
        if self.explored.contexts[callee].global.is_none() {
            let cost = cost.saturating_add(self.explored.items[call].cost).saturating_add(self.costs.enter);
            self.push(cost, Event::Global { context: callee, by: Some((call, edge)) });
        }
    }

    /// The context of a module that is entered with this observation.
    fn context(&mut self, module: ModuleId, observation: u32) -> usize {
        let fresh = self.explored.contexts.len();
        let number = *self.by_entry.entry((module, observation)).or_insert(fresh);
        if number == fresh {
            self.explored.contexts.push(Context {
                module,
                settled: HashMap::new(),
                entry: observation,
                exits: vec![Vec::new(); self.machine.module(module).exits.len()],
                callers: vec![Vec::new(); self.machine.module(module).exits.len()],
                calls: Vec::new(),
                goals: Vec::new(),
                global: None,
            });
            let state = self.machine.module(module).entry;
            self.push(0, Event::Item { context: number, state, observation, origin: Origin::Entry });
        }
        number
    }

    fn settle(&mut self, item: Item) {
        let number = self.explored.items.len();
        self.explored.items.push(item);
        let Item { context, state, observation, cost, .. } = item;
        let module = self.explored.contexts[context].module;
        self.known.insert((context, state, observation));
        let observer = &*self.observer;
        let settled = self.explored.contexts[context].settled.entry(state).or_default();
        if settled.len() < COMPARED {
            // What is to be taken back may not push out what stays.
            if self.before.is_none() {
                settled.retain(|&other| !observer.covers(observation, other));
            }
            settled.push(observation);
        }

        let exits = !self.exit_numbers[module.index()][state.index()].is_empty();
        if (self.ends[module.index()][state.index()] || context == 0 && exits) && self.observer.goal(observation) {
            self.explored.contexts[context].goals.push(number);
            if let Some((before, _)) = self.explored.contexts[context].global {
                self.push(before.saturating_add(cost), Event::Goal { item: number });
            }
        }
        for index in 0..self.exit_numbers[module.index()][state.index()].len() {
            let exit = self.exit_numbers[module.index()][state.index()][index] as usize;
            self.explored.contexts[context].exits[exit].push(number);
            for index in 0..self.explored.contexts[context].callers[exit].len() {
                let (call, edge) = self.explored.contexts[context].callers[exit][index];
                self.come_back(call, edge, number);
            }
        }
        for index in 0..self.out[module.index()][state.index()].len() {
            self.follow(number, self.out[module.index()][state.index()][index]);
        }
    }

    /// Goes from a settled item along an edge.
    fn follow(&mut self, number: usize, edge: usize) {
        let Item { context, observation, cost, .. } = self.explored.items[number];
        let module = self.explored.contexts[context].module;
        let Edge { to, label, tag, .. } = self.machine.module(module).edges[edge];
        let origin = Origin::Step { from: number, edge };
        match label {
            Label::Silent => {
                self.push_item(cost.saturating_add(self.costs.silent), context, to, Some(observation), origin);
            }
            Label::Emit(symbol) => {
                let after = self.observer.emit(observation, symbol, tag);
                self.push_item(cost.saturating_add(self.costs.emit), context, to, after, origin);
            }
            Label::Call { module: called, exit } => {
                let Some(entry) = self.observer.enter(observation, tag) else { return };
                let callee = self.context(called, entry);
                if exit != NEVER {
                    self.explored.contexts[callee].callers[exit as usize].push((number, edge));
                    for index in 0..self.explored.contexts[callee].exits[exit as usize].len() {
                        let exit = self.explored.contexts[callee].exits[exit as usize][index];
                        self.come_back(number, edge, exit);
                    }
                }
                self.explored.contexts[context].calls.push((number, edge, callee));
                if let Some((before, _)) = self.explored.contexts[context].global {
                    self.push_global(before, number, edge, callee);
                }
            }
        }
    }

    /// Goes on behind a call whose callee has reached the exit that the call expects.
    fn come_back(&mut self, call: usize, edge: usize, exit: usize) {
        let (before, at_exit) = (self.explored.items[call], self.explored.items[exit]);
        let caller = self.explored.contexts[before.context].module;
        let Edge { to, tag, .. } = self.machine.module(caller).edges[edge];
        let observation = self.observer.leave(before.observation, tag, at_exit.observation);
        let cost =
            [self.costs.enter, at_exit.cost, self.costs.leave].iter().fold(before.cost, |a, &b| a.saturating_add(b));
        self.push_item(cost, before.context, to, observation, Origin::Return { call, edge, exit });
    }
}

impl Explored {
    pub fn has_goal(&self) -> bool {
        self.goal.is_some()
    }

    /// The states that are reached with an observation: module and state.
    pub fn reached_with(&self, observation: u32) -> impl Iterator<Item = (ModuleId, StateId)> {
        let with = self.items.iter().filter(move |item| item.observation == observation);
        with.map(|item| (self.contexts[item.context].module, item.state))
    }

    /// The run of the cheapest goal, of at most `limit` steps; whether it is whole.
    pub fn path(&self, machine: &Machine, limit: usize) -> Option<(Vec<Step>, bool)> {
        let goal = self.goal?;
        let mut pending = Vec::new();
        let mut context = self.items[goal].context;
        while let Some((_, Some((call, edge)))) = self.contexts[context].global {
            pending.push((call, edge));
            context = self.items[call].context;
        }
        let mut path = Path { explored: self, machine, steps: Vec::new(), limit };
        let mut whole = true;
        for (call, edge) in pending.into_iter().rev() {
            whole &= path.extend(call);
            path.step(self.items[call].context, edge, Some(Move::Enter));
        }
        whole &= path.extend(goal);
        whole &= path.steps.len() <= limit;
        path.steps.truncate(limit);
        Some((path.steps, whole))
    }
}

struct Path<'a> {
    explored: &'a Explored,
    machine: &'a Machine,
    steps: Vec<Step>,
    limit: usize,
}

impl Path<'_> {
    fn step(&mut self, context: usize, edge: usize, call: Option<Move>) {
        let module = self.explored.contexts[context].module;
        let Edge { label, tag, .. } = self.machine.module(module).edges[edge];
        let kind = call.unwrap_or(match label {
            Label::Emit(symbol) => Move::Emit(symbol),
            _ => Move::Silent,
        });
        self.steps.push(Step { module, edge, tag, kind });
    }

    /// Appends the steps from the entry of an item's context to the item. The shortest word of a machine can be
    /// exponentially long, so calls are unfolded from the front until the limit.
    fn extend(&mut self, item: usize) -> bool {
        enum Task {
            Unfold(usize),
            Step(usize, usize, Option<Move>),
        }
        let mut tasks = vec![Task::Unfold(item)];
        while let Some(task) = tasks.pop() {
            if self.steps.len() > self.limit {
                return false;
            }
            match task {
                Task::Step(context, edge, call) => self.step(context, edge, call),
                Task::Unfold(item) => {
                    // Pushed backward from the item, so that they are popped forward from the entry.
                    let mut at = item;
                    loop {
                        let context = self.explored.items[at].context;
                        match self.explored.items[at].origin {
                            Origin::Entry => break,
                            Origin::Step { from, edge } => {
                                tasks.push(Task::Step(context, edge, None));
                                at = from;
                            }
                            Origin::Return { call, edge, exit } => {
                                tasks.push(Task::Step(context, edge, Some(Move::Leave)));
                                tasks.push(Task::Unfold(exit));
                                tasks.push(Task::Step(context, edge, Some(Move::Enter)));
                                at = call;
                            }
                        }
                    }
                }
            }
        }
        true
    }
}
