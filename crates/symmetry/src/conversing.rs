//! The checking of a program that is asked for one answer after the other, tuple by tuple.
//!
//! This is also the slow twin of the generated loop: the same two procedures over any [`Target`].

use super::answer::{Answer, Compare};
use super::engine::{Engine, EngineError, Extent, Fault, Found, Limits, Method, Search};
use super::orbits::{arrangements, representatives};
use super::shape::{Problem, Shape, Space};
use algebra::permutation::Permutation;
use exec::Scalar;
use std::sync::Mutex;
use std::time::Instant;

/// Something that answers.
pub trait Target: Send {
    /// Answers in the order of the inputs; if there are fewer, `fault` says what became of the next one.
    fn ask(&mut self, shape: &Shape, inputs: &[Vec<Scalar>]) -> Result<Asked, EngineError>;

    /// Forgets everything: the next question goes to a new process.
    fn restart(&mut self) -> Result<(), EngineError>;
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Asked {
    pub answers: Vec<Answer>,
    pub fault: Option<Fault>,
}

/// Whether a tuple satisfies the assumptions.
pub type Assumption<'a> = dyn Fn(&Shape, &[Scalar]) -> bool + Sync + 'a;

/// Questions asked at once, so that the target is busy while we compare.
const BATCH: usize = 512;

pub struct Conversing<'a, T> {
    pub problem: &'a Problem,
    pub target: Mutex<T>,
    pub assumption: &'a Assumption<'a>,
    pub method: Method,
    pub limits: Limits<'a>,
}

/// Comparisons to make among the answers of a batch.
struct Pending {
    /// The question of x, that of θ.x, and θ.
    pairs: Vec<(usize, usize, Permutation)>,
    questions: Vec<Vec<Scalar>>,
    /// For each tuple, how many questions were asked when its own was.
    tuples: Vec<usize>,
}

/// Takes a tuple, and says whether to go on.
type Visit<'v> = dyn FnMut(&[Scalar]) -> bool + 'v;

impl<T: Target> Conversing<'_, T> {
    fn compare(&self) -> Compare {
        self.problem.request.compare
    }

    fn admits(&self, shape: &Shape, space: Option<&Space>, tuple: &[Scalar]) -> bool {
        space.is_none_or(|s| s.admits(&tuple[shape.fixed()..])) && (self.assumption)(shape, tuple)
    }

    /// The questions and comparisons for the orbit of a representative.
    fn orbit(&self, shape: &Shape, tuple: &[Scalar], method: Method, pending: &mut Pending) {
        let (fixed, permuted) = tuple.split_at(shape.fixed());
        let all = arrangements(permuted);
        let arranged = |theta: &[usize]| -> Vec<Scalar> {
            fixed.iter().copied().chain(theta.iter().map(|&i| permuted[i])).collect()
        };
        let first = pending.questions.len();
        if method == Method::Generators {
            for theta in &all {
                self.generators(shape, &arranged(theta), pending);
            }
            return;
        }
        for theta in &all {
            pending.questions.push(arranged(theta));
            pending.tuples.push(pending.questions.len());
        }
        // Equal elements may be exchanged without changing the tuple; the answer must not change either.
        for i in (1..permuted.len()).filter(|&i| permuted[i] == permuted[i - 1]) {
            if !shape.homomorphism().of_exchange(i - 1).is_identity() {
                pending.pairs.push((first, first, Permutation::adjacent(shape.k, i - 1)));
            }
        }
        for (index, theta) in all.into_iter().enumerate().skip(1) {
            let theta = Permutation::new(theta).expect("an arrangement should be a permutation");
            pending.pairs.push((first, first + index, theta));
        }
    }

    /// As the source has it: x, τ.x and σ.x.
    fn generators(&self, shape: &Shape, tuple: &[Scalar], pending: &mut Pending) {
        let (fixed, permuted) = tuple.split_at(shape.fixed());
        let first = pending.questions.len();
        pending.questions.push(tuple.to_vec());
        pending.tuples.push(pending.questions.len());
        let mut generators = vec![Permutation::tau(shape.k), Permutation::sigma(shape.k)];
        generators.dedup();
        for theta in generators.into_iter().filter(|theta| !theta.is_identity()) {
            pending.pairs.push((first, pending.questions.len(), theta.clone()));
            pending.questions.push(fixed.iter().copied().chain(theta.apply(permuted)).collect());
        }
    }

    /// Asks and compares what is pending. Says whether to go on.
    fn settle(&self, shape: &Shape, pending: &mut Pending, search: &mut Search) -> Result<bool, EngineError> {
        let questions = std::mem::take(&mut pending.questions);
        let pairs = std::mem::take(&mut pending.pairs);
        let tuples = std::mem::take(&mut pending.tuples);
        if questions.is_empty() {
            return Ok(true);
        }
        let asked = self.target.lock().unwrap_or_else(|p| p.into_inner()).ask(shape, &questions)?;
        let answered = asked.answers.len();
        for (x, y, theta) in &pairs {
            if *x.max(y) >= answered {
                continue;
            }
            search.tally.checks += 1;
            let eta = shape.homomorphism().of(theta);
            if !asked.answers[*y].is_permuted(&asked.answers[*x], &eta, self.compare()) {
                // Up to the call that showed it, as if the questions had been asked one at a time.
                let calls = x.max(y) + 1;
                search.tally.calls += calls as u64;
                search.tally.tuples += tuples.iter().filter(|&&end| end <= calls).count() as u64;
                let input = questions[*x].clone();
                search.found = Some(Found::Violation { input, theta: theta.clone() });
                return Ok(false);
            }
        }
        search.tally.calls += answered as u64;
        let whole = tuples.iter().filter(|&&end| end <= answered).count() as u64;
        search.tally.tuples += whole;
        self.limits.deadline.progress.add(whole);
        search.stopped = self.limits.deadline.is_over();
        if let Some(fault) = asked.fault.filter(|_| !search.stopped) {
            search.found = Some(Found::Fault { input: questions[answered].clone(), fault });
            return Ok(false);
        }
        Ok(!search.stopped)
    }

    fn run(
        &self,
        shape: &Shape,
        each: &mut dyn FnMut(&mut Visit<'_>),
        add: &dyn Fn(&[Scalar], &mut Pending),
    ) -> Result<Search, EngineError> {
        let started = Instant::now();
        let mut search = Search::default();
        let mut pending = Pending { pairs: Vec::new(), questions: Vec::new(), tuples: Vec::new() };
        let mut trouble = None;
        let mut done = false;
        each(&mut |tuple| {
            add(tuple, &mut pending);
            if pending.questions.len() < BATCH {
                return true;
            }
            match self.settle(shape, &mut pending, &mut search) {
                Ok(go_on) => done = !go_on,
                Err(why) => trouble = Some(why),
            }
            !done && trouble.is_none()
        });
        if let Some(why) = trouble {
            return Err(why);
        }
        if !done {
            self.settle(shape, &mut pending, &mut search)?;
        }
        search.tally.elapsed = started.elapsed();
        Ok(search)
    }
}

impl<T: Target> Engine for Conversing<'_, T> {
    fn search(&self, shape: usize, space: &Space, extent: Extent) -> Result<Search, EngineError> {
        let shape = &self.problem.shapes[shape];
        let add = |tuple: &[Scalar], pending: &mut Pending| {
            let (fixed, permuted) = tuple.split_at(shape.fixed());
            let arranged = |theta: &Vec<usize>| -> Vec<Scalar> {
                fixed.iter().copied().chain(theta.iter().map(|&i| permuted[i])).collect()
            };
            if arrangements(permuted).iter().any(|theta| self.admits(shape, Some(space), &arranged(theta))) {
                self.orbit(shape, tuple, self.method, pending);
            }
        };
        self.limits.deadline.progress.count("tuples", u64::try_from(space.size(shape.k)).ok());
        let mut each = |visit: &mut Visit<'_>| match extent {
            Extent::Whole | Extent::First => representatives(space, shape.k, visit),
            Extent::Part(shard) => {
                let mut owners = (1..=shard.of()).cycle();
                representatives(space, shape.k, &mut |tuple| owners.next() != Some(shard.index()) || visit(tuple));
            }
        };
        self.run(shape, &mut each, &add)
    }

    fn sample(&self, shape: usize, tuples: &[Vec<Scalar>], method: Method) -> Result<Search, EngineError> {
        let shape = &self.problem.shapes[shape];
        let add = |tuple: &[Scalar], pending: &mut Pending| {
            if !self.admits(shape, None, tuple) {
                return;
            }
            if method == Method::Generators {
                return self.generators(shape, tuple, pending);
            }
            let mut sorted = tuple.to_vec();
            sorted[shape.fixed()..].sort_by(super::domain::compare);
            self.orbit(shape, &sorted, method, pending);
        };
        let mut each = |visit: &mut Visit<'_>| {
            let _ = tuples.iter().all(|tuple| visit(tuple));
        };
        self.run(shape, &mut each, &add)
    }

    fn alone(&self, shape: usize, input: &[Scalar]) -> Result<Result<Answer, Fault>, EngineError> {
        let mut target = self.target.lock().unwrap_or_else(|p| p.into_inner());
        target.restart()?;
        let mut asked = target.ask(&self.problem.shapes[shape], &[input.to_vec()])?;
        match (asked.answers.pop(), asked.fault) {
            (Some(answer), _) => Ok(Ok(answer)),
            (None, Some(fault)) => Ok(Err(fault)),
            (None, None) => Err("the program gave no answer and no reason".into()),
        }
    }

    /// Of another program nobody knows; the verdict says what is assumed.
    fn reads_unwritten(&self) -> Option<String> {
        None
    }

    fn answers(&self, shape: usize, inputs: &[Vec<Scalar>]) -> Result<Vec<Option<Answer>>, EngineError> {
        let mut target = self.target.lock().unwrap_or_else(|p| p.into_inner());
        let asked = target.ask(&self.problem.shapes[shape], inputs)?;
        let mut answers: Vec<Option<Answer>> = asked.answers.into_iter().map(Some).collect();
        answers.resize(inputs.len(), None);
        Ok(answers)
    }
}
