//! Which question is asked when: cheap and telling ones first, then deeper ones, over the whole project each time.
//!
//! | stage | asks |
//! |---|---|
//! | first look | programs are run; what goes wrong in each function with tiny inputs; relations in a few runs |
//! | claims, symmetries | assertions of what is called from outside, but for those that the first look has followed within bounds; what may be permuted |
//! | second look | larger inputs and longer paths; relations in many runs, with proofs |
//! | last looks | what goes wrong with still larger inputs, and claims that had too little time |
//!
//! A stage gets a part of the time that is left; what it does not use is for the next. Within a stage come first what has
//! no answer yet, and functions that are small together with all that they call. What goes wrong is asked with inputs of
//! a size ([`LEVELS`]) until all of those are looked at, and only then with larger ones: so a function has an answer
//! within bounds as early as can be, and the bounds grow. A function that was looked at completely is not asked again.

use super::asking::{self, Answered, Asking, Depth};
use super::cache::{Cache, Remembered};
use super::programs::Linked;
use super::report::{Answer, Ended, Question, Reason};
use super::workers::{Alarm, Outcome, work_off};
use super::{Config, place};
use cfront::preprocess::Options;
use diagnostics::{Rule, Span};
use ir::FunctionId;
use replay::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A program's number and a function of it.
type Subject = (usize, FunctionId);

pub(crate) struct Asked {
    pub(crate) linked: Arc<Vec<Linked>>,
    pub(crate) answers: Vec<Answer>,
}

struct Stage {
    questions: &'static [Question],
    /// Blocks that a search may enter, and the most time for one question; see [`Depth`].
    blocks: u64,
    milliseconds: u64,
    /// The part of the time left that it may take, in percent.
    part: u32,
}

const fn stage(questions: &'static [Question], blocks: u64, milliseconds: u64, part: u32) -> Stage {
    Stage { questions, blocks, milliseconds, part }
}

const STAGES: [Stage; 9] = [
    stage(&[Question::Run], 0, 3_000, 15),
    stage(&[Question::Faults], 2_000, 600, 45),
    stage(&[Question::Relations], FEW_RUNS, 1_000, 50),
    stage(&[Question::Claims], 0, 5_000, 30),
    stage(&[Question::Symmetries], 0, 2_000, 40),
    stage(&[Question::Faults], 10_000, 4_000, 50),
    stage(&[Question::Relations, Question::Symmetries], MANY_RUNS, 4_000, 40),
    stage(&[Question::Faults], 40_000, 15_000, 60),
    stage(&[Question::Faults, Question::Claims], 200_000, 60_000, 100),
];

/// The effort of a question about relations: in the first look they are only seen.
const FEW_RUNS: u64 = asking::FEW_RUNS;
const MANY_RUNS: u64 = 4_000;

/// How large inputs are, and how far paths go with them.
struct Level {
    size: u32,
    rounds_of_loops: u32,
    pointers: u32,
    nesting: u32,
}

const fn level(size: u32, rounds_of_loops: u32, pointers: u32, nesting: u32) -> Level {
    Level { size, rounds_of_loops, pointers, nesting }
}

/// What is tried one after the other.
const LEVELS: [Level; 4] = [level(2, 3, 2, 16), level(4, 8, 3, 32), level(8, 24, 3, 100), level(24, 64, 3, 1_000)];

/// How long the inputs that a search has found may take to be compiled and run: a part of what a stage has left, and no
/// more or less than these.
const CONFIRMING: Duration = Duration::from_secs(15);
const LEAST_CONFIRMING: Duration = Duration::from_secs(2);

/// The part of the time that compiling units ahead of the first questions may take, in percent.
const COMPILING: u32 = 20;

/// Everything that is known while stages go on.
#[derive(Default)]
struct Progress {
    answers: BTreeMap<(usize, Question), Answer>,
    /// Faults that need not be looked for again, by subject.
    known: BTreeMap<usize, BTreeSet<(Rule, Span)>>,
    /// How many of the levels each subject was looked at completely with.
    levels: BTreeMap<usize, usize>,
    /// Questions that an earlier run has answered with as much time.
    settled: BTreeSet<(usize, Question)>,
}

pub(crate) fn ask_all(config: &Config, linked: Vec<Linked>, started: Instant, cache: Option<&Cache>) -> Asked {
    let linked = Arc::new(linked);
    let mut subjects = subjects(config, &linked);
    if let Some(shard) = config.shard {
        let costs: Vec<u64> = subjects.iter().map(|subject| cost(&linked, *subject)).collect();
        let mut owned = shard.owned(&costs).into_iter();
        subjects.retain(|_| owned.next() == Some(true));
    }
    let deadline = started + config.time;
    config.progress.count("seconds", config.time.as_secs().max(1));
    let mut progress = Progress::default();
    for (number, subject) in subjects.iter().enumerate() {
        for question in questions_of(&linked, *subject) {
            let program = &linked[subject.0];
            let answer = match cache.and_then(|cache| cache.answer(program, subject.1, question)) {
                None => asking::blank(program, subject.1, question),
                Some(Remembered { answer, levels, is_settled }) => {
                    progress.settled.extend(is_settled.then_some((number, question)));
                    if question == Question::Faults {
                        progress.levels.insert(number, levels);
                    }
                    answer
                }
            };
            progress.answers.insert((number, question), answer);
        }
    }
    let sizes: Vec<u64> = subjects.iter().map(|subject| statements(&linked, *subject)).collect();
    let alarm = Alarm::new(config.interrupted.clone());
    let mut is_compiled = false;
    for stage in &STAGES {
        let items = items(stage, &subjects, &linked, &progress, &sizes);
        if !is_compiled && stage.questions.contains(&Question::Faults) {
            is_compiled = true;
            let programs: BTreeSet<usize> = items.iter().map(|(number, _)| subjects[*number].0).collect();
            compile_ahead(&linked, programs, config, deadline, &alarm);
        }
        let now = Instant::now();
        if config.interrupted.load(Ordering::Relaxed) || now >= deadline {
            break;
        }
        let deadline = now + (deadline - now) * stage.part / 100;
        let shared = linked.clone();
        let jobs: Vec<Job> = items
            .into_iter()
            .map(|(number, question)| Job {
                subject: subjects[number],
                question,
                known: progress.known.get(&number).cloned().unwrap_or_default(),
                depth: progress.depth(number, stage),
                number,
            })
            .collect();
        let keys: Vec<(usize, Question)> = jobs.iter().map(|job| (job.number, job.question)).collect();
        let seed = config.seed;
        let flags = alarm.handle();
        let assumptions = config.assumptions.clone();
        let work = move |job: &Job| {
            let (begun, depth) = (Instant::now(), job.depth);
            // What a search has found is worth the time of a build and a few runs.
            let most = CONFIRMING.min((deadline.saturating_duration_since(begun) / 6).max(LEAST_CONFIRMING));
            let is_confirmed = matches!(job.question, Question::Faults | Question::Relations);
            let extra = if is_confirmed { most } else { Duration::ZERO };
            let item_deadline = (begun + depth.time + extra).min(deadline);
            let search_deadline = (begun + depth.time).min(begun + (item_deadline - begun) * 3 / 5);
            let asking = Asking {
                linked: &shared[job.subject.0],
                function: job.subject.1,
                question: job.question,
                depth,
                seed,
                deadline: item_deadline,
                stop: flags.at(item_deadline),
                stop_search: flags.at(search_deadline),
                search_deadline,
                assumptions: &assumptions,
                known: &job.known,
            };
            asking::ask(&asking)
        };
        let mut tick = |_: usize| config.progress.set(started.elapsed().as_secs());
        let results = work_off(jobs, config.threads, deadline, &config.interrupted, &mut tick, work);
        for ((number, question), result) in keys.into_iter().zip(results) {
            progress.take(number, question, result, config);
        }
    }
    progress.settle_claims();
    let mut answers = Vec::new();
    let is_interrupted = config.interrupted.load(Ordering::Relaxed);
    for ((number, question), mut answer) in progress.answers {
        if matches!(answer.ended, Ended::NotBegun | Ended::Time) && answer.reasons.is_empty() {
            answer.reasons.push(if is_interrupted { Reason::Interrupted } else { Reason::Time });
        }
        let (program, function) = (&linked[subjects[number].0], subjects[number].1);
        if let Some(cache) = cache
            && !progress.settled.contains(&(number, question))
        {
            let levels = progress.levels.get(&number).copied().unwrap_or(0);
            cache.keep_answer(program, function, question, &answer, levels);
        }
        answers.push(answer);
    }
    Asked { linked, answers }
}

/// Compiles the units of these programs as runs of what searches find need them. A large unit may take longer than any one
/// question has.
fn compile_ahead(
    linked: &Arc<Vec<Linked>>,
    programs: BTreeSet<usize>,
    config: &Config,
    deadline: Instant,
    alarm: &Alarm,
) {
    let now = Instant::now();
    let deadline = now + deadline.saturating_duration_since(now) * COMPILING / 100;
    let cancel = alarm.handle().at(deadline);
    let units = programs.into_iter().flat_map(|number| (0..linked[number].files.len()).map(move |unit| (number, unit)));
    let shared = linked.clone();
    let work = move |&(number, unit): &(usize, usize)| {
        let Linked { program, files, options, .. } = &shared[number];
        let time_limit = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(200));
        let options = Options { time_limit, ..options.clone() };
        reach::compile_ahead(program, &Sources { files: files.clone(), options }, unit, &cancel);
    };
    work_off(units.collect(), config.threads, deadline, &config.interrupted, &mut |_| {}, work);
}

struct Job {
    subject: Subject,
    question: Question,
    depth: Depth,
    known: BTreeSet<(Rule, Span)>,
    number: usize,
}

impl Progress {
    /// How deep a stage goes into a question: with larger inputs where all smaller ones were looked at.
    fn depth(&self, number: usize, stage: &Stage) -> Depth {
        let level = self.levels.get(&number).copied().unwrap_or(0).min(LEVELS.len() - 1);
        let Level { size, rounds_of_loops, pointers, nesting } = LEVELS[level];
        let time = Duration::from_millis(stage.milliseconds);
        Depth { size, rounds_of_loops, pointers, nesting, blocks: stage.blocks, time }
    }

    /// Joins a result with what is known of the same question.
    fn take(&mut self, number: usize, question: Question, result: Outcome<Answered>, config: &Config) {
        let Some(known) = self.answers.get_mut(&(number, question)) else { return };
        match result {
            Outcome::Done(Answered { mut answer, spans }) => {
                self.known.entry(number).or_default().extend(spans);
                let mut faults = std::mem::take(&mut known.faults);
                faults.append(&mut answer.faults);
                answer.faults = faults;
                answer.elapsed_ms += known.elapsed_ms;
                if question == Question::Faults && answer.ended == Ended::Within {
                    *self.levels.entry(number).or_default() += 1;
                }
                // A deeper look that came to no end leaves the answer within smaller bounds.
                if known.ended == Ended::Within && !answer.ended.is_answered() {
                    answer.ended = known.ended;
                    answer.within = std::mem::take(&mut known.within);
                    answer.facts = std::mem::take(&mut known.facts);
                    answer.reasons = Vec::new();
                }
                *known = answer;
            }
            Outcome::Bug(why) => {
                known.ended = Ended::Bug;
                known.reasons = vec![Reason::Other { why }];
            }
            // What an earlier stage said of it stands.
            Outcome::Late if known.ended == Ended::NotBegun => {
                let interrupted = config.interrupted.load(Ordering::Relaxed);
                known.reasons = vec![if interrupted { Reason::Interrupted } else { Reason::Time }];
            }
            Outcome::Late => {}
        }
    }

    /// Who has looked for all that goes wrong has looked for claims that do not hold, too: those that have no answer of their
    /// own have that one.
    fn settle_claims(&mut self) {
        let has_looked = |(&(number, question), answer): (&(usize, Question), &Answer)| {
            (question == Question::Faults && answer.ended.is_answered())
                .then(|| (number, answer.ended, answer.within.clone()))
        };
        let looked: Vec<_> = self.answers.iter().filter_map(has_looked).collect();
        for (number, ended, within) in looked {
            if let Some(claims) = self.answers.get_mut(&(number, Question::Claims))
                && matches!(claims.ended, Ended::NotBegun | Ended::Time | Ended::Open)
            {
                (claims.ended, claims.within, claims.reasons) = (ended, within, Vec::new());
            }
        }
    }
}

/// The statements of a function and of all that it calls: how much there is to follow.
fn statements(linked: &[Linked], (program, function): Subject) -> u64 {
    let linked = &linked[program];
    let called: BTreeSet<FunctionId> = linked.graph.reachable(function).into_iter().chain([function]).collect();
    called.into_iter().map(|id| u64::from(linked.program.functions[id].stmt_count)).sum()
}

/// The questions of a stage that are worth asking: those without an answer first, and those of small functions.
fn items(
    stage: &Stage,
    subjects: &[Subject],
    linked: &[Linked],
    progress: &Progress,
    sizes: &[u64],
) -> Vec<(usize, Question)> {
    let mut items = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        for question in stage.questions {
            let Some(known) = progress.answers.get(&(number, *question)) else { continue };
            // Claims that were looked at within bounds have the answer to what goes wrong, and are proved last of all.
            let faults = progress.answers.get(&(number, Question::Faults));
            if *question == Question::Claims && stage.blocks == 0 && faults.is_some_and(|it| it.ended == Ended::Within)
            {
                continue;
            }
            if !progress.settled.contains(&(number, *question))
                && matches!(known.ended, Ended::NotBegun | Ended::Time | Ended::Open | Ended::Within)
                && is_worth_more(known, stage)
            {
                items.push((number, *question));
            }
        }
        debug_assert!(subject.0 < linked.len(), "a subject should be of a program");
    }
    let order = |item: &(usize, Question)| {
        let (number, question) = *item;
        let (program, function) = subjects[number];
        let is_answered = progress.answers.get(item).is_some_and(|known| known.ended.is_answered());
        (is_answered, sizes[number], !linked[program].entries.contains(&function), question, number)
    };
    items.sort_by_key(order);
    items
}

/// Whether a deeper look can say more: what has no model has none at any depth.
fn is_worth_more(known: &Answer, stage: &Stage) -> bool {
    if known.ended == Ended::NotBegun || known.ended == Ended::Time {
        return true;
    }
    let grows = |reason: &Reason| matches!(reason, Reason::Bounds | Reason::Time | Reason::Solver);
    stage.blocks > 0 && (known.ended == Ended::Within || known.reasons.iter().any(grows))
}

fn questions_of(linked: &[Linked], (program, function): Subject) -> Vec<Question> {
    let linked = &linked[program];
    let is_entry = linked.entries.contains(&function);
    let mut questions = Vec::new();
    if linked.name(function) == "main" {
        questions.push(Question::Run);
    }
    questions.push(Question::Faults);
    if is_entry && asking::reaches_claims(linked, function) {
        questions.push(Question::Claims);
    }
    if is_entry {
        questions.push(Question::Relations);
    }
    if linked.name(function) != "main" && symmetry::is_asked_of(&linked.program, function) {
        questions.push(Question::Symmetries);
    }
    questions
}

/// How much work a function is to a shard: what it and the functions that it calls consist of, and what every question
/// costs whatever it is about.
fn cost(linked: &[Linked], (program, function): Subject) -> u64 {
    const EACH: u64 = 20;
    let linked = &linked[program];
    let size = |id: FunctionId| u64::from(linked.program.functions[id].stmt_count);
    let called: BTreeSet<FunctionId> = linked.graph.reachable(function).into_iter().collect();
    EACH + size(function) + called.iter().filter(|id| **id != function).map(|id| size(*id)).sum::<u64>() / 4
}

/// Every function that is asked about, once: units that several programs share are looked at in the first.
fn subjects(config: &Config, linked: &[Linked]) -> Vec<Subject> {
    let mut seen = BTreeSet::new();
    let mut subjects = Vec::new();
    for (number, program) in linked.iter().enumerate() {
        let wanted = affected(config, program);
        for &function in &program.own {
            let about = &program.program.functions[function];
            let at = place(&program.program.sources, about.span);
            let file = at.as_ref().map(|at| at.file.as_str()).unwrap_or_default();
            let is_excluded =
                config.exclude.iter().any(|pattern| matches(pattern, &about.name) || matches(pattern, file));
            let is_asked = config.entries.is_empty() || program.entries.contains(&function);
            let is_wanted = wanted.as_ref().is_none_or(|wanted| wanted.contains(&function));
            if is_asked && is_wanted && !is_excluded && seen.insert((at, about.name.clone())) {
                subjects.push((number, function));
            }
        }
    }
    subjects
}

/// The functions that a change of files can affect: those that stand in them, and whoever comes to those.
fn affected(config: &Config, program: &Linked) -> Option<BTreeSet<FunctionId>> {
    let changed = config.changed.as_ref()?;
    let full = |path: &std::path::Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let changed: BTreeSet<_> = changed.iter().map(|path| full(path)).collect();
    let mut queue: Vec<FunctionId> = program.own.clone();
    // A changed header affects every unit that includes it; which those are is not known here, so all are.
    let own_files: BTreeSet<_> = program.files.iter().map(|file| full(file)).collect();
    let read: BTreeSet<_> =
        program.program.sources.files().map(|(_, file)| full(std::path::Path::new(&file.path))).collect();
    let touches_header = changed.iter().any(|file| read.contains(file) && !own_files.contains(file));
    if !touches_header {
        queue.retain(|id| {
            let at = place(&program.program.sources, program.program.functions[*id].span);
            at.is_some_and(|at| changed.contains(&full(std::path::Path::new(&at.file))))
        });
    }
    let mut found = BTreeSet::new();
    while let Some(id) = queue.pop() {
        if found.insert(id) {
            queue.extend(program.graph.callers(id));
        }
    }
    Some(found)
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, rest)) => {
            let Some(tail) = name.strip_prefix(before) else { return false };
            (0..=tail.len()).filter(|at| tail.is_char_boundary(*at)).any(|at| matches(rest, &tail[at..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("test_*", "test_one") && matches("*/vendor/*", "src/vendor/a.c") && matches("f", "f"));
        assert!(!matches("test_*", "tests") && !matches("f", "ff") && matches("*", ""));
    }
}
