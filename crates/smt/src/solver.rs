//! The solver: assertions in scopes, checks within a budget, models that are confirmed.
//!
//! *Guarantee*: `Sat` carries a model under which our own evaluator finds every asserted term and
//! every assumption true. Where the evaluator cannot decide (quantifiers over infinite sorts), the
//! model is put into the term and its negation is refuted by a second query instead. A model that
//! passes neither way is reported as `Unknown`. `Unsat` rests on Z3 alone; with [`ask_twice`] on two runs of it that share
//! no state and have different seeds. An answer that is neither is passed on with its reason.
//!
//! *Threads*: a solver may move between threads but serves one at a time; any number of solvers may
//! work at once over one pool. [`Interrupter`] stops a check from another thread, [`TermPool::cancelled_by`] those of all
//! solvers over a pool.

use crate::eval::{EvalError, Evaluator};
use crate::hash::IdMap;
use crate::model::{FuncInterp, Model};
use crate::options::{Budget, Options, Strategy};
use crate::outcome::{Outcome, Statistics, Why};
use crate::pool::TermPool;
use crate::smtlib;
use crate::sort::{FuncId, SortId};
use crate::term::{Op, TermId};
use crate::value::Value;
use crate::z3::{Answer, Engine, Z3Error};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};
use z3_sys::{Z3_ast, Z3_context, Z3_solver, Z3_solver_interrupt};

/// See the module documentation.
pub struct Solver {
    pool: TermPool,
    options: Options,
    /// None before the first check: many solvers are never asked, and to set one up takes as long as many a question.
    engine: Option<Engine>,
    frames: Vec<Frame>,
    /// Truth values that stand for assumed terms, by scope.
    proxies: IdMap<TermId, Z3_ast>,
    statistics: Statistics,
    shared: Arc<Shared>,
}

// SAFETY: the handles in `proxies` belong to `engine`, which may move between threads, and are used
// through `&mut self` alone.
unsafe impl Send for Solver {}

#[derive(Default)]
struct Frame {
    asserted: Vec<TermId>,
    proxies: Vec<TermId>,
    /// Z3 refused an assertion of this scope; checks must not pretend that it was made.
    failure: Option<String>,
}

struct Shared {
    interrupted: AtomicBool,
    running: AtomicBool,
    target: Mutex<Option<Target>>,
}

#[derive(Clone, Copy)]
struct Target(Z3_context, Z3_solver);

// SAFETY: Z3 allows interrupting from any thread; the mutex around the target keeps it alive.
unsafe impl Send for Target {}

/// Stops a solver's check from another thread. Once interrupted, a solver answers
/// [`Why::Interrupted`] at once until [`Solver::clear_interrupt`].
#[derive(Clone)]
pub struct Interrupter(Arc<Shared>);

impl Interrupter {
    /// Asks the running check, if any, and all later ones to stop.
    pub fn interrupt(&self) {
        self.0.interrupted.store(true, Ordering::SeqCst);
        // As for `LOOK`: for a while, because nobody else repeats it.
        for _ in 0..100 {
            if !self.0.interrupt() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Checks whose pool has a flag. One thread looks at the flags as long as there are any.
static WATCHED: Watched = Watched { checks: Mutex::new(Vec::new()), more: Condvar::new(), thread: Once::new() };
/// How often the flags are looked at. Z3 forgets an interrupt that arrives just before its search starts, so it is
/// repeated as often as long as the check has not returned.
const LOOK: Duration = Duration::from_millis(10);

struct Watched {
    checks: Mutex<Vec<(Arc<AtomicBool>, Arc<Shared>)>>,
    more: Condvar,
    thread: Once,
}

impl Watched {
    fn add(&'static self, flag: &Arc<AtomicBool>, check: &Arc<Shared>) {
        self.checks.lock().unwrap_or_else(PoisonError::into_inner).push((flag.clone(), check.clone()));
        self.thread.call_once(|| {
            std::thread::spawn(|| self.look());
        });
        self.more.notify_one();
    }

    fn remove(&self, check: &Arc<Shared>) {
        let mut checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        checks.retain(|(_, other)| !Arc::ptr_eq(other, check));
    }

    fn look(&self) -> ! {
        let mut checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            while checks.is_empty() {
                checks = self.more.wait(checks).unwrap_or_else(PoisonError::into_inner);
            }
            checks.iter().filter(|(flag, _)| flag.load(Ordering::SeqCst)).for_each(|(_, check)| {
                check.interrupt();
            });
            drop(checks);
            std::thread::sleep(LOOK);
            checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Shared {
    /// Asks the running check to stop; whether there was one.
    fn interrupt(&self) -> bool {
        let target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        match *target {
            Some(Target(context, solver)) if self.running.load(Ordering::SeqCst) => {
                // SAFETY: the lock is held, so the solver has not been dropped.
                unsafe { Z3_solver_interrupt(context, solver) };
                true
            }
            _ => false,
        }
    }
}

static ASK_TWICE: AtomicBool = AtomicBool::new(false);

/// From now on no solver of this process says `Unsat` before a second one, made for the purpose, has said so too.
pub fn ask_twice() {
    ASK_TWICE.store(true, Ordering::Relaxed);
}

impl Solver {
    /// A solver without limits.
    pub fn new(pool: &TermPool) -> Self {
        Solver::with_options(pool, Options::default())
    }

    /// A solver set up as told.
    pub fn with_options(pool: &TermPool, options: Options) -> Self {
        Solver {
            pool: pool.clone(),
            options,
            engine: None,
            frames: vec![Frame::default()],
            proxies: IdMap::default(),
            statistics: Statistics::default(),
            shared: Arc::new(Shared {
                interrupted: AtomicBool::new(false),
                running: AtomicBool::new(false),
                target: Mutex::new(None),
            }),
        }
    }

    /// Z3, with all that is asserted in open scopes.
    fn engine(&mut self) -> &mut Engine {
        if self.engine.is_none() {
            let mut engine = Engine::new(self.options.strategy, self.options.seed).unwrap_or_else(|Z3Error(why)| {
                panic!("Z3 should accept the options we offer, because they are fixed: {why}")
            });
            let (context, solver) = engine.handles();
            *self.shared.target.lock().unwrap_or_else(PoisonError::into_inner) = Some(Target(context, solver));
            for (depth, frame) in self.frames.iter_mut().enumerate() {
                if depth > 0 {
                    engine.push();
                }
                for term in &frame.asserted {
                    if let Err(Z3Error(why)) = assert(&mut engine, &self.pool, *term) {
                        frame.failure.get_or_insert(why);
                    }
                }
            }
            self.engine = Some(engine);
        }
        self.engine.as_mut().expect("the engine should be there, because it was just made")
    }

    /// The pool whose terms the solver takes.
    pub fn pool(&self) -> &TermPool {
        &self.pool
    }

    /// Changes the limits of later checks.
    pub fn set_budget(&mut self, budget: Budget) {
        self.options.budget = budget;
    }

    /// Changes the label of later dumps.
    pub fn set_label(&mut self, label: &str) {
        self.options.label = label.to_string();
    }

    /// A handle that stops this solver from another thread.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.shared.clone())
    }

    /// Forgets an earlier interrupt.
    pub fn clear_interrupt(&mut self) {
        self.shared.interrupted.store(false, Ordering::SeqCst);
    }

    /// What the solver has done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { translated: self.engine.as_ref().map_or(0, |engine| engine.translated), ..self.statistics }
    }

    /// Adds a truth-valued term to the current scope. Z3 rewrites it at once, or before the first check; that work is
    /// outside the budget, which covers checks alone.
    pub fn assert(&mut self, term: TermId) {
        assert!(
            self.pool.sort_of(term) == SortId::BOOL,
            "an assertion should be a truth value, because it is claimed to hold"
        );
        let result = self.engine.as_mut().map(|engine| assert(engine, &self.pool, term));
        let frame = self.frame();
        frame.asserted.push(term);
        if let Some(Err(Z3Error(why))) = result {
            frame.failure.get_or_insert(why);
        }
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the outermost scope should always be there, because pop keeps it")
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.push();
        }
        self.frames.push(Frame::default());
    }

    /// Closes the innermost scope and forgets what was asserted in it.
    ///
    /// # Panics
    /// If no scope is open.
    pub fn pop(&mut self) {
        assert!(self.frames.len() > 1, "pop should close a scope that push opened, because the outermost one stays");
        if let Some(engine) = &mut self.engine {
            engine.pop(1);
        }
        let frame = self.frames.pop().unwrap_or_default();
        for term in frame.proxies {
            self.proxies.remove(&term);
        }
    }

    /// Number of open scopes.
    pub fn scopes(&self) -> usize {
        self.frames.len() - 1
    }

    /// All terms asserted in open scopes, outermost first.
    pub fn assertions(&self) -> Vec<TermId> {
        let frames = self.frames.iter();
        frames.flat_map(|f| f.asserted.iter().copied()).collect()
    }

    /// Can everything asserted hold at once?
    pub fn check(&mut self) -> Outcome {
        self.check_assuming(&[])
    }

    /// Can everything asserted and assumed hold at once? Assumptions are for this check only; if the
    /// answer is no, its core lists those that matter.
    pub fn check_assuming(&mut self, assumptions: &[TermId]) -> Outcome {
        self.engine();
        let start = Instant::now();
        let mut claims = self.assertions();
        if let Some(dump) = &self.options.dump {
            let text = smtlib::query_assuming(&self.pool, &claims, assumptions);
            dump.query(&self.options.label, &text);
        }
        let outcome = match self.solve(assumptions, start) {
            Ok(Answer::Unsat) => match self.second_opinion(&claims, assumptions) {
                Ok(()) => self.refuted(assumptions),
                Err(why) => Outcome::Unknown { why },
            },
            Ok(Answer::Sat) => {
                claims.extend(assumptions);
                self.satisfied(&claims)
            }
            Ok(Answer::Unknown(reason)) => Outcome::Unknown { why: self.reason(&reason, start.elapsed()) },
            Err(why) => Outcome::Unknown { why },
        };
        self.statistics.queries += 1;
        self.statistics.time += start.elapsed();
        match &outcome {
            Outcome::Sat(_) => self.statistics.sat += 1,
            Outcome::Unsat { .. } => self.statistics.unsat += 1,
            Outcome::Unknown { why } => {
                self.statistics.unknown += 1;
                if matches!(why, Why::UnconfirmedModel(_)) {
                    self.statistics.unconfirmed += 1;
                }
            }
        }
        outcome
    }

    fn solve(&mut self, assumptions: &[TermId], start: Instant) -> Result<Answer, Why> {
        let other = |Z3Error(why)| Why::Other(why);
        if let Some(failure) = self.frames.iter().find_map(|f| f.failure.clone()) {
            return Err(Why::Other(format!("an assertion was refused: {failure}")));
        }
        let mut literals = Vec::new();
        for assumption in assumptions {
            literals.push(self.literal(*assumption).map_err(other)?);
        }
        let Budget { timeout, resources } = self.options.budget;
        // Translating has used some of the time already.
        let left = timeout.map(|t| t.saturating_sub(start.elapsed()));
        if left.is_some_and(|t| t.is_zero()) {
            return Err(Why::Timeout);
        }
        self.engine().set_limits(left, resources).map_err(other)?;
        let cancel = self.pool.cancel().cloned();
        self.shared.running.store(true, Ordering::SeqCst);
        if let Some(flag) = &cancel {
            WATCHED.add(flag, &self.shared);
        }
        // Read after `running` is set: an interrupter either sees us running or is seen here.
        let answer = if self.is_interrupted() { Err(Why::Interrupted) } else { Ok(self.engine().check(&literals)) };
        if cancel.is_some() {
            WATCHED.remove(&self.shared);
        }
        self.shared.running.store(false, Ordering::SeqCst);
        answer
    }

    fn is_interrupted(&self) -> bool {
        self.shared.interrupted.load(Ordering::SeqCst)
            || self.pool.cancel().is_some_and(|flag| flag.load(Ordering::SeqCst))
    }

    /// Z3 takes symbols and their negations as assumptions; anything else gets a symbol that
    /// implies it in the current scope.
    fn literal(&mut self, term: TermId) -> Result<Z3_ast, Z3Error> {
        assert!(
            self.pool.sort_of(term) == SortId::BOOL,
            "an assumption should be a truth value, because it is claimed to hold"
        );
        if let Some(known) = self.proxies.get(&term) {
            return Ok(*known);
        }
        let pool = self.pool.clone();
        let engine = self.engine();
        let is_symbol = |t: TermId| matches!(pool.op(t), Op::App(_)) && pool.args(t).is_empty();
        if is_symbol(term) {
            return engine.translate(&pool, term);
        }
        let proxy = match (pool.op(term), pool.args(term)) {
            (Op::Not, [inner]) if is_symbol(*inner) => {
                let formula = engine.translate(&pool, *inner)?;
                engine.negation(formula)?
            }
            _ => {
                let formula = engine.translate(&pool, term)?;
                engine.proxy(formula)?
            }
        };
        self.proxies.insert(term, proxy);
        self.frame().proxies.push(term);
        Ok(proxy)
    }

    fn refuted(&mut self, assumptions: &[TermId]) -> Outcome {
        let core = match self.engine().core() {
            Ok(members) => {
                let mut core = Vec::new();
                for assumption in assumptions {
                    // Literals were made for this check, so this only looks them up.
                    if let Ok(literal) = self.literal(*assumption)
                        && members.contains(&literal)
                        && !core.contains(assumption)
                    {
                        core.push(*assumption);
                    }
                }
                core
            }
            // Without a core all assumptions together are one.
            Err(_) => assumptions.to_vec(),
        };
        Outcome::Unsat { core }
    }

    /// Whether a fresh solver with another seed finds no model either, where that is asked for.
    fn second_opinion(&self, claims: &[TermId], assumptions: &[TermId]) -> Result<(), Why> {
        if !ASK_TWICE.load(Ordering::Relaxed) {
            return Ok(());
        }
        let options = Options { seed: self.options.seed.wrapping_add(1), dump: None, ..self.options.clone() };
        let mut other = Solver::with_options(&self.pool, options);
        claims.iter().chain(assumptions).for_each(|term| other.assert(*term));
        match other.solve(&[], Instant::now())? {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Why::Other("a second solver finds a model where the first found none".into())),
            Answer::Unknown(reason) => Err(Why::Other(format!("a second solver cannot tell: {reason}"))),
        }
    }

    fn satisfied(&mut self, claims: &[TermId]) -> Outcome {
        let symbols = self.pool.symbols(claims);
        let pool = self.pool.clone();
        let confirmed = match self.engine().read_model(&pool, &symbols) {
            Ok(model) => self.confirm(&model, claims).map(|()| model),
            Err(Z3Error(why)) => Err(why),
        };
        match confirmed {
            Ok(model) => Outcome::Sat(model),
            Err(_) if self.is_interrupted() => Outcome::Unknown { why: Why::Interrupted },
            Err(why) => Outcome::Unknown { why: Why::UnconfirmedModel(why) },
        }
    }

    fn confirm(&self, model: &Model, claims: &[TermId]) -> Result<(), String> {
        let mut evaluator = Evaluator::new(model);
        for claim in claims {
            match evaluator.eval(*claim) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Err("an assertion is false under it".to_string()),
                Err(EvalError::Quantifier(_)) => self.confirm_by_refutation(model, *claim)?,
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(())
    }

    /// Puts the model into the claim and refutes its negation in a fresh context.
    fn confirm_by_refutation(&self, model: &Model, claim: TermId) -> Result<(), String> {
        let pool = &self.pool;
        let Some(instance) = with_values(pool, model, claim) else {
            return Err("a quantified assertion needs elements of an uninterpreted sort".into());
        };
        let refutation = || -> Result<Answer, Z3Error> {
            let mut engine = Engine::new(Strategy::Default, self.options.seed)?;
            let budget = self.options.budget;
            engine.set_limits(budget.timeout, budget.resources)?;
            let negation = engine.translate(pool, pool.not(instance))?;
            engine.assert(negation)?;
            Ok(engine.check(&[]))
        };
        match refutation() {
            Ok(Answer::Unsat) => Ok(()),
            Ok(Answer::Sat) => Err("a quantified assertion is false under it".into()),
            Ok(Answer::Unknown(why)) | Err(Z3Error(why)) => {
                Err(format!("a quantified assertion could not be confirmed: {why}"))
            }
        }
    }

    fn reason(&self, reason: &str, elapsed: Duration) -> Why {
        let Budget { timeout, resources } = self.options.budget;
        let late = timeout.is_some_and(|t| elapsed >= t);
        if self.is_interrupted() {
            return Why::Interrupted;
        }
        if reason.contains("timeout") {
            return Why::Timeout;
        }
        if reason.contains("resource limit") {
            return Why::ResourceLimit;
        }
        // Z3 says "canceled" for both limits when it notices them deep inside.
        if reason.contains("canceled") || reason.contains("interrupted") {
            return match (late, resources) {
                (true, _) => Why::Timeout,
                (false, Some(_)) => Why::ResourceLimit,
                (false, None) if timeout.is_some() => Why::Timeout,
                (false, None) => Why::Interrupted,
            };
        }
        if reason.contains("incomplete") || reason.contains("unknown") {
            return Why::Incomplete(reason.to_string());
        }
        Why::Other(reason.to_string())
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // From here on an interrupter finds nobody.
        let mut target = self.shared.target.lock().unwrap_or_else(PoisonError::into_inner);
        *target = None;
    }
}

fn assert(engine: &mut Engine, pool: &TermPool, term: TermId) -> Result<(), Z3Error> {
    let formula = engine.translate(pool, term)?;
    engine.assert(formula)
}

/// A function's entries and its value elsewhere, as terms.
type TermTable = (Vec<(Vec<TermId>, TermId)>, TermId);

/// The claim with every free symbol replaced by its meaning in the model.
fn with_values(pool: &TermPool, model: &Model, claim: TermId) -> Option<TermId> {
    let mut tables: HashMap<FuncId, TermTable> = HashMap::new();
    for symbol in pool.symbols(&[claim]) {
        let arity = pool.func(symbol).args.len();
        let interp = match model.function(symbol) {
            Some(interp) => interp.clone(),
            None if arity == 0 => FuncInterp { entries: Default::default(), default: model.symbol(symbol) },
            None => {
                FuncInterp { entries: Default::default(), default: Value::default_of(pool, pool.func(symbol).range) }
            }
        };
        let mut entries = Vec::new();
        for (key, value) in &interp.entries {
            let key: Option<Vec<_>> = key.iter().map(|k| k.to_term(pool)).collect();
            entries.push((key?, value.to_term(pool)?));
        }
        tables.insert(symbol, (entries, interp.default.to_term(pool)?));
    }
    Some(pool.rewrite(claim, !0, |term, args| {
        let Op::App(symbol) = pool.op(term) else {
            return None;
        };
        let (entries, default) = tables.get(symbol)?;
        let value = entries.iter().rev().fold(*default, |rest, (key, value)| {
            let pairs = key.iter().zip(args);
            let hit: Vec<_> = pairs.map(|(k, a)| pool.eq(*a, *k)).collect();
            pool.ite(pool.and(&hit), *value, rest)
        });
        Some(value)
    }))
}
