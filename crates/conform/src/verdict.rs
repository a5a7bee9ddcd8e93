//! The comparison: machines of both sides over one alphabet, the answer, and what it is worth.

use super::explore::{self, Setting, Tag};
use super::granularity::Pieces;
use super::kinds::{KindId, Kinds};
use super::model::{Model, place};
use super::sites::{Sites, sites};
use super::slice;
use super::symbols::{Constants, Symbols, Worth};
use super::table::Role;
use super::{
    Approach, Automaton, Breadth, Config, ConformReport, Counterexample, Input, Level, Missed, MutationScore,
    SideReport, Verdict, Written, compatible, incompatible, nested, undecided,
};
use automata::{
    Changes, Checker, Inclusion, Label, Limits, Machine, Move, Mutation, Nfa, Stopped, Symbol, collapsed, mutations,
    regular, regular_within, trace_within, universality,
};
use diagnostics::{Reason, Span};
use ir::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// States of a consumer into which callees are copied.
const COPIES: usize = 400_000;

/// A comparison that notices fewer than one in so many changes of the producer says nothing, if they are not too few to
/// tell.
const NOTICED: usize = 5;
const FEW: usize = 12;

/// The most edges of a machine that is shown as an expression.
const READABLE: usize = 400;

/// The most edges of a machine that is drawn.
const DRAWABLE: usize = 100_000;

/// The most states of an automaton that is drawn.
const DRAWN: usize = 40;

/// How deep recursion of a consumer is followed exactly.
const LEVELS: usize = 3;

/// One side, inferred.
pub(super) struct Inferred {
    pub machine: Machine,
    /// Before it was made small: where the edges of one symbol are still told apart.
    whole: Machine,
    pub tags: Vec<TagReport>,
    pub report: SideReport,
    pub notes: Vec<String>,
    pub obstacles: Vec<String>,
    written: BTreeMap<KindId, BTreeSet<i128>>,
}

/// A tag as it is shown.
#[derive(Clone, Debug)]
pub(super) struct TagReport {
    pub place: String,
    pub callee: String,
    pub function: String,
    /// The name of what is moved.
    pub kind: String,
    /// The call, in a program.
    span: Span,
}

/// Both languages, and how they are made of pieces.
pub(super) struct Comparison<'a> {
    pub wrote: &'a Inferred,
    pub read: &'a Inferred,
    pub pieces: Pieces,
    pub symbols: Symbols,
    pub kinds: &'a Kinds,
    pub limits: Limits<'a>,
}

pub(super) fn conform(producer: Input, consumer: Input, config: &Config) -> Result<ConformReport, String> {
    let mut io = config.io.clone();
    let producer_sites = considered(producer, Role::Producer, &mut io)?;
    let consumer_sites = considered(consumer, Role::Consumer, &mut io)?;
    let mut kinds = io.kinds.clone();
    let mut symbols = Symbols::default();
    let separator = config.separator.then(|| symbols.of(kinds.builtin("sep"), Worth::Any, &kinds));
    let none = Constants::default();
    let mut setting = Setting {
        kinds: &mut kinds,
        symbols: &mut symbols,
        values: config.values.then_some(&none),
        separator,
        budget: config.budget,
        deadline: &config.deadline,
    };
    let wrote = infer(producer, &producer_sites, Role::Producer, config, &io, &mut setting)?;
    let constants = Constants::new(&wrote.written, setting.kinds);
    setting.values = config.values.then_some(&constants);
    let read = infer(consumer, &consumer_sites, Role::Consumer, config, &io, &mut setting)?;
    let start = Instant::now();
    let level = config.level.unwrap_or(Level::Bytes);
    let mut report = ConformReport {
        verdict: Verdict::unknown(Reason::Exhausted, ""),
        remark: None,
        approach: config.approach,
        level,
        counterexample: None,
        mutation: MutationScore::default(),
        producer: wrote.report.clone(),
        consumer: read.report.clone(),
        breadth: None,
        approximations: wrote.notes.iter().chain(&read.notes).cloned().collect(),
        checking: Default::default(),
    };
    if config.deadline.is_cancelled() {
        let why = wrote.obstacles.iter().chain(&read.obstacles).next_back().cloned();
        let why = why.unwrap_or_else(|| "the time was over before the two were compared".to_string());
        report.verdict = Verdict::unknown(Reason::Stopped, why);
        return Ok(report);
    }
    let (one, other) = (wrote.machine.symbols(), read.machine.symbols());
    let pieces = Pieces::new(level, &one, &other, &mut symbols, &kinds, io.big_endian);
    let limits = limits(config);
    let pair = Comparison { wrote: &wrote, read: &read, pieces, symbols, kinds: &kinds, limits };
    let alphabet = &pair.symbols.alphabet;
    report.producer.language = language(&wrote.machine, alphabet);
    report.consumer.language = language(&read.machine, alphabet);
    report.producer.automaton = automaton(&wrote.machine, alphabet);
    report.consumer.automaton = automaton(&read.machine, alphabet);
    report.producer.dot = drawing(&wrote.machine, alphabet, "producer");
    report.consumer.dot = drawing(&read.machine, alphabet, "consumer");
    for (side, what) in [(&wrote, "producer"), (&read, "consumer")] {
        if side.machine.modules[side.machine.main.index()].exits.is_empty()
            && side.machine.modules.iter().all(|m| m.ends.is_empty())
        {
            let obstacle = wrote.obstacles.iter().chain(&read.obstacles).next().cloned();
            let (reason, why) = match obstacle {
                Some(obstacle) => (Reason::Unmodelled, obstacle),
                None => (Reason::CutOff, format!("the {what} has no run that ends well")),
            };
            report.verdict = Verdict::unknown(reason, why);
            return Ok(report);
        }
    }
    (report.verdict, report.remark) = match config.approach {
        Approach::Nested => compare_nested(&pair, config, &mut report),
        _ => compare(&pair, config, &mut report),
    };
    // What could not be told at all leaves room for everything.
    let obstacles: Vec<String> = wrote.obstacles.iter().chain(&read.obstacles).cloned().collect();
    if let Some(first) = obstacles.first() {
        report.verdict = Verdict::unknown(Reason::Unmodelled, first.clone());
        report.approximations.extend(obstacles);
    }
    report.checking = start.elapsed();
    Ok(report)
}

/// How long and how large the comparison may be.
fn limits(config: &Config) -> Limits<'_> {
    Limits { stop: Some(&config.deadline.cancel), ..Limits::default() }
}

/// A machine as it is drawn; one that nobody could look at is not.
fn drawing(machine: &Machine, alphabet: &automata::Alphabet, name: &str) -> String {
    let edges: usize = machine.modules.iter().map(|module| module.edges.len()).sum();
    match edges <= DRAWABLE {
        true => machine.dot(alphabet, name),
        false => format!("// the machine of the {name} has {edges} edges, too many for a drawing\n"),
    }
}

/// A language as an expression, if it is small enough to be read.
fn language(machine: &Machine, alphabet: &automata::Alphabet) -> Option<String> {
    let edges: usize = machine.modules.iter().map(|module| module.edges.len()).sum();
    (edges <= READABLE).then(|| automata::regex::describe(machine, alphabet)).flatten()
}

/// A language as an automaton, if it is small enough to be looked at.
fn automaton(machine: &Machine, alphabet: &automata::Alphabet) -> Option<Automaton> {
    let edges: usize = machine.modules.iter().map(|module| module.edges.len()).sum();
    if edges > READABLE {
        return None;
    }
    let whole = regular(machine, READABLE);
    let small = whole.nfa.trim().minimise(READABLE).filter(|nfa| nfa.states <= DRAWN)?;
    let named =
        |arc: &automata::finite::Arc| Some((arc.from.index(), alphabet.name(arc.symbol?).to_string(), arc.to.index()));
    Some(Automaton {
        states: small.states,
        accepting: small.accepting.iter().map(|state| state.index()).collect(),
        moves: small.arcs.iter().filter_map(named).collect(),
        exact: whole.is_exact(),
    })
}

/// The calls of a side that read or write.
fn considered(input: Input, role: Role, io: &mut super::Io) -> Result<Sites, String> {
    match input {
        Input::Program(program) => sites(program, role, io),
        Input::Spec(..) => Ok(Sites::default()),
    }
}

/// The kind and the value that a name of a specification means: `u8`, or `u8=31`.
pub(super) fn named(name: &str, kinds: &mut Kinds) -> (KindId, Option<i128>) {
    let (kind, value) = match name.split_once('=') {
        Some((kind, value)) => (kind, parse_value(value)),
        None => (name, None),
    };
    (kinds.find(kind).unwrap_or_else(|| kinds.atom(kind)), value)
}

fn parse_value(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn infer(
    input: Input,
    sites: &Sites,
    role: Role,
    config: &Config,
    io: &super::Io,
    setting: &mut Setting,
) -> Result<Inferred, String> {
    let start = Instant::now();
    let mut inferred = match input {
        Input::Program(program) => infer_program(program, sites, role, config, io, setting)?,
        Input::Spec(spec, alphabet, file) => {
            let tags = spec.places.iter().map(|place| TagReport {
                place: format!("{file}:{}", place.line),
                callee: String::new(),
                function: String::new(),
                kind: String::new(),
                span: Span::NONE,
            });
            let mut written = BTreeMap::new();
            let machine = spelled(&spec.machine, alphabet, role, setting, &mut written);
            let report = SideReport {
                functions: machine.modules.len(),
                pruned: machine.modules.len(),
                io_calls: machine.modules.iter().map(|m| m.edges.len()).sum(),
                ..SideReport::default()
            };
            Inferred {
                whole: machine.clone(),
                machine,
                tags: tags.collect(),
                report,
                notes: Vec::new(),
                obstacles: Vec::new(),
                written,
            }
        }
    };
    // What was not looked through is not made small either.
    if config.deadline.is_cancelled() {
        inferred.obstacles.push(format!("the time was over before the {} was looked through", role.name()));
        inferred.report.elapsed = start.elapsed();
        return Ok(inferred);
    }
    let emits = |machine: &Machine| {
        machine.modules.iter().flat_map(|m| &m.edges).any(|edge| matches!(edge.label, Label::Emit(_)))
    };
    if !emits(&inferred.machine) && inferred.obstacles.is_empty() {
        return Err(format!(
            "no call of the {} that {} anything is reached; --list-io shows what is considered, --io names more",
            role.name(),
            role.verb()
        ));
    }
    let limits = limits(config);
    let smaller = inferred.machine.prune_within(&limits).and_then(|pruned| {
        let reduced = pruned.machine.reduce_within(&limits)?;
        Ok((pruned.machine, reduced))
    });
    match smaller {
        Ok((whole, machine)) => (inferred.whole, inferred.machine) = (whole, machine),
        Err(why) => {
            inferred.obstacles.push(format!("the {} could not be made small: {why}", role.name()));
            inferred.whole = Machine::new(automata::Module::new("main"));
            inferred.machine = inferred.whole.clone();
        }
    }
    inferred.report.states = inferred.machine.size();
    inferred.report.elapsed = start.elapsed();
    Ok(inferred)
}

fn infer_program(
    program: &Program,
    sites: &Sites,
    role: Role,
    config: &Config,
    io: &super::Io,
    setting: &mut Setting,
) -> Result<Inferred, String> {
    let model = Model::new(program, role, io, sites)?;
    let (explored, slice) = explore::explore(&model, slice::slice(&model, config.values, &config.deadline), setting)?;
    let shown = |tag: &Tag| TagReport {
        place: model.place(tag.span),
        callee: tag.callee.clone(),
        function: tag.function.clone(),
        kind: tag.kind.map_or(String::new(), |kind| setting.kinds.name(kind).to_string()),
        span: tag.span,
    };
    let sentence = |(span, text): &(super::model::Spot, String)| match span.0.is_none() {
        true => format!("{}: {text}", role.name()),
        false => format!("{}: {text}", place(program, span.0)),
    };
    let mut notes: Vec<String> = explored.notes.iter().map(sentence).collect();
    if !explored.fields.is_empty() {
        let mut names: Vec<&str> = explored.fields.iter().map(|cell| model.cells.get(*cell).name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let (shown, rest) = names.split_at(names.len().min(8));
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        notes.push(format!(
            "{}: the io file says that the objects of these fields are the only ones of their type: {}{more}",
            role.name(),
            shown.join(", ")
        ));
    }
    let report = SideReport {
        functions: program.defined_functions().count(),
        pruned: explored.functions.iter().filter(|id| slice.moving.contains(id)).count(),
        io_calls: explored.sites.len(),
        ..SideReport::default()
    };
    Ok(Inferred {
        tags: explored.tags.iter().map(shown).collect(),
        whole: Machine::new(automata::Module::new("main")),
        machine: explored.machine,
        report,
        notes,
        obstacles: explored.obstacles.iter().map(sentence).collect(),
        written: explored.written,
    })
}

/// A specification over the symbols of both sides.
fn spelled(
    machine: &Machine,
    alphabet: &automata::Alphabet,
    role: Role,
    setting: &mut Setting,
    written: &mut BTreeMap<KindId, BTreeSet<i128>>,
) -> Machine {
    let mut machine = machine.clone();
    for module in &mut machine.modules {
        let mut edges = Vec::with_capacity(module.edges.len());
        for edge in &module.edges {
            let Label::Emit(symbol) = edge.label else {
                edges.push(*edge);
                continue;
            };
            let (kind, value) = named(alphabet.name(symbol), setting.kinds);
            let worths = match (value.filter(|_| setting.values.is_some()), role) {
                (None, _) => vec![Worth::Any],
                (Some(value), Role::Producer) => {
                    written.entry(kind).or_default().insert(value);
                    vec![Worth::Is(value)]
                }
                // A value that is not known may be the one that is asked for.
                (Some(value), Role::Consumer) => vec![Worth::Is(value), Worth::Other],
            };
            for worth in worths {
                let label = Label::Emit(setting.symbols.of(kind, worth, setting.kinds));
                edges.push(automata::Edge { label, ..*edge });
            }
        }
        module.edges = edges;
    }
    machine
}

/// The consumer as a finite automaton over units, and what was approximated for that.
fn finite(pair: &Comparison, approach: Approach) -> Result<(Nfa, Vec<String>), Stopped> {
    let Comparison { read, pieces, limits, .. } = pair;
    let expanded = pieces.expand(&read.machine, &pair.symbols, pair.kinds, limits)?;
    let mut notes = Vec::new();
    let consumer = match approach {
        Approach::Finite => collapsed(&expanded),
        _ => {
            let unrolled = expanded.unroll_within(LEVELS, limits)?;
            let whole = regular_within(&unrolled, COPIES, limits)?;
            let names = |ids: &[automata::ModuleId]| {
                let mut names: Vec<&str> = ids.iter().map(|id| unrolled.module(*id).name.as_str()).collect();
                names.sort_unstable();
                names.dedup();
                names.join(", ")
            };
            if !whole.collapsed.is_empty() {
                let names = names(&whole.collapsed);
                notes.push(format!(
                    "consumer: beyond {LEVELS} levels, returns of recursive calls are not matched: {names}"
                ));
            }
            if !whole.shared.is_empty() {
                notes.push(format!("consumer: calls share one copy of {}", names(&whole.shared)));
            }
            whole.nfa
        }
    };
    Ok((pieces.project(&pieces.unglued(consumer.trim()), limits)?, notes))
}

fn compare(pair: &Comparison, config: &Config, report: &mut ConformReport) -> (Verdict, Option<String>) {
    let Comparison { wrote, pieces, limits, .. } = pair;
    let (consumer, notes) = match finite(pair, config.approach) {
        Ok(found) => found,
        Err(why) => return (undecided(why), None),
    };
    report.approximations.extend(notes);
    let producer = match config.approach {
        Approach::Finite => Machine::from(&collapsed(&wrote.machine)),
        _ => wrote.machine.clone(),
    };
    let mut checker = Checker::new(&consumer);
    match checker.includes(&pieces.spell(&producer), limits) {
        Inclusion::Unknown(why) => return (undecided(why), None),
        Inclusion::Excluded(found) => {
            report.counterexample = Some(counterexample(&found, pair));
            report.breadth = breadth(&mut checker, pair).ok();
            return (incompatible(), None);
        }
        Inclusion::Included => {}
    }
    let tried = mutated(&producer, &pieces.more, &pieces.units(), config.mutants, &mut checker, limits);
    report.mutation = score(&producer, &tried, pair);
    worth(breadth(&mut checker, pair), config, report)
}

/// Compares calls too.
fn compare_nested(pair: &Comparison, config: &Config, report: &mut ConformReport) -> (Verdict, Option<String>) {
    let expanded = pair.pieces.expand(&pair.read.machine, &pair.symbols, pair.kinds, &pair.limits);
    let consumer = match expanded.and_then(|expanded| pair.pieces.project_modules(&expanded, &pair.limits)) {
        Ok(consumer) => consumer,
        Err(why) => return (undecided(why), None),
    };
    let nested = |producer: &Machine| {
        nested::compare(&pair.pieces.spell(producer), &consumer, &pair.symbols.alphabet, &pair.limits)
    };
    let (verdict, counterexample) = nested(&pair.wrote.machine);
    report.counterexample = counterexample;
    let breadth = finite(pair, config.approach).and_then(|(finite, _)| breadth(&mut Checker::new(&finite), pair));
    if !verdict.is_proof() {
        report.breadth = breadth.ok();
        return (verdict, None);
    }
    let producer = &pair.wrote.machine;
    let changes = changes(producer, &pair.pieces.units(), config.mutants);
    let tried = noticed(changes, |change| match nested(&change.apply(producer)).0 {
        Verdict::Refuted { .. } => Some(true),
        Verdict::Proved { .. } => Some(false),
        _ => None,
    });
    report.mutation = score(producer, &tried, pair);
    worth(breadth, config, report)
}

fn breadth(checker: &mut Checker, pair: &Comparison) -> Result<Breadth, Stopped> {
    let found = universality(checker, &pair.pieces.units(), &pair.limits)?;
    let name = |symbol: &Symbol| pair.symbols.alphabet.name(*symbol).to_string();
    Ok(Breadth {
        universal: found.breadth == automata::Breadth::Universal,
        nearly: found.breadth == automata::Breadth::Nearly,
        rejected: found.rejected.map(|word| word.iter().map(name).collect()),
    })
}

/// What "compatible" is worth.
fn worth(breadth: Result<Breadth, Stopped>, config: &Config, report: &mut ConformReport) -> (Verdict, Option<String>) {
    let breadth = match breadth {
        Ok(breadth) => breadth,
        Err(why) => return (undecided(why), None),
    };
    let why = match &report.mutation {
        _ if breadth.universal => Some("the consumer accepts every message"),
        _ if breadth.nearly => Some("the consumer accepts nearly every message"),
        MutationScore { total: 0, .. } if config.mutants > 0 => Some("nothing that the producer writes was found"),
        MutationScore { caught, total, .. } if *total >= FEW && caught * NOTICED < *total => {
            Some("hardly any change of the producer would be noticed")
        }
        _ => None,
    };
    report.breadth = Some(breadth);
    (if why.is_some() { Verdict::Vacuous } else { compatible() }, why.map(str::to_string))
}

/// Changes of the producer that were tried, and whether they are noticed.
pub(super) fn mutated(
    producer: &Machine,
    followed: &BTreeMap<Symbol, Symbol>,
    symbols: &BTreeSet<Symbol>,
    most: usize,
    checker: &mut Checker,
    limits: &Limits,
) -> Vec<(Mutation, bool)> {
    match Changes::new(producer, followed, checker, limits) {
        Ok(Some(mut search)) => noticed(changes(producer, symbols, most), |change| search.noticed(change, limits).ok()),
        Ok(None) | Err(_) => Vec::new(),
    }
}

/// Single changes of the producer, evenly spread over it.
fn changes(producer: &Machine, symbols: &BTreeSet<Symbol>, most: usize) -> Vec<Mutation> {
    // One other symbol stands for all: the next in the alphabet.
    let next = |symbol: Symbol| {
        symbols
            .range((std::ops::Bound::Excluded(symbol), std::ops::Bound::Unbounded))
            .next()
            .or(symbols.first())
            .copied()
    };
    let all: Vec<Mutation> = mutations(producer, symbols)
        .filter(|mutation| match mutation.change {
            automata::Change::Relabel(to) => {
                let edge = producer.module(mutation.module).edges[mutation.edge];
                matches!(edge.label, Label::Emit(symbol) if next(symbol) == Some(to))
            }
            _ => true,
        })
        .collect();
    let stride = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(stride).collect()
}

/// Whether changes are noticed; `None` of the check ends it.
fn noticed(changes: Vec<Mutation>, mut check: impl FnMut(&Mutation) -> Option<bool>) -> Vec<(Mutation, bool)> {
    changes.into_iter().map_while(|change| check(&change).map(|noticed| (change, noticed))).collect()
}

fn score(producer: &Machine, tried: &[(Mutation, bool)], pair: &Comparison) -> MutationScore {
    let name = |symbol: Symbol| pair.symbols.alphabet.name(symbol).to_string();
    let missed = tried.iter().filter(|(_, noticed)| !noticed).map(|(mutation, _)| {
        let edge = producer.module(mutation.module).edges[mutation.edge];
        Missed {
            symbol: if let Label::Emit(symbol) = edge.label { name(symbol) } else { String::new() },
            place: pair.wrote.tags.get(edge.tag as usize).map_or(String::new(), |shown| shown.place.clone()),
            change: match mutation.change {
                automata::Change::Drop => "dropped".to_string(),
                automata::Change::Duplicate => "doubled".to_string(),
                automata::Change::Relabel(to) => format!("written as {}", name(to)),
            },
        }
    });
    let missed: Vec<Missed> = missed.collect();
    MutationScore { caught: tried.len() - missed.len(), total: tried.len(), missed }
}

fn counterexample(found: &automata::Counterexample, pair: &Comparison) -> Counterexample {
    let Comparison { wrote, read, symbols, .. } = pair;
    let name = |symbol: &Symbol| symbols.alphabet.name(*symbol).to_string();
    let mut path = Vec::new();
    let mut through: Vec<String> = Vec::new();
    let tag = |tags: &[TagReport], tag: u32| tags.get(tag as usize).cloned();
    // Small machines have one edge where the program has several calls, so the run is looked for in the large one. A
    // word of the finite model may be no word of it.
    let traced = trace_within(&pair.pieces.spell(&wrote.whole), &found.word, &pair.limits);
    let steps = traced.ok().flatten().unwrap_or_else(|| found.path.clone());
    let mut begins = true;
    for step in &steps {
        match step.kind {
            Move::Enter => through.push(tag(&wrote.tags, step.tag).map_or("?".to_string(), |tag| tag.place)),
            Move::Leave => drop(through.pop()),
            Move::Emit(symbol) => {
                let shown = tag(&wrote.tags, step.tag);
                let span = shown.as_ref().map_or(Span::NONE, |shown| shown.span);
                let (place, callee, function) =
                    shown.map_or(Default::default(), |shown| (shown.place, shown.callee, shown.function));
                let (symbol, through) = (name(&symbol), through.clone());
                path.push(Written { symbol, place, callee, function, through, span, begins });
                begins = false;
            }
            Move::Silent => begins = true,
        }
    }
    // What a reader expects is what it would read, not all that it could take for it.
    let expected = found.stuck.expected.iter().map(|(symbol, number)| match tag(&read.tags, *number) {
        Some(TagReport { kind, .. }) if !kind.is_empty() => kind,
        _ => name(symbol),
    });
    let expected = nested::sorted(expected.collect(), found.stuck.may_end);
    let mut stuck_at: Vec<String> = Vec::new();
    for (_, number) in &found.stuck.expected {
        if let Some(shown) = tag(&read.tags, *number) {
            let place = match shown.callee.is_empty() {
                true => shown.place,
                false => format!("{} ({})", shown.place, shown.callee),
            };
            if !stuck_at.contains(&place) {
                stuck_at.push(place);
            }
        }
    }
    Counterexample {
        message: found.word.iter().map(name).collect(),
        path,
        taken: found.stuck.position,
        stuck_at,
        expected,
        truncated: found.truncated,
    }
}
