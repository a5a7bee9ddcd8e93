//! `plumb symmetry`: do permuted inputs give permuted outputs?
//!
//! *Question*: a program p of k exchangeable inputs and l outputs has the symmetry relation Ψk,l if for every
//! permutation θ of the inputs p(θ.x) = Ψ(θ).p(x), where Ψ is a homomorphism from S_k to the permutations of the output
//! positions. No oracle is needed to see it violated.
//!
//! *Source*: A. Gotlieb, "Testing Programs with Symmetry", 2004 (after "Exploiting Symmetries to Test Programs", ISSRE
//! 2003): local exhaustive testing over a Cartesian product, with the two generators τ = (1 2) and σ = (1 2 … k) of S_k
//! instead of all permutations: r = p(x), p(τ.x) = Ψ(τ).r, p(σ.x) = Ψ(σ).r for every x.
//!
//! *Departures*. (1) Orbits: the source names "reaching the minimum number of comparison checks by finding an ad-hoc
//! order of tuples" as future work. Here the domain is cut into orbits. For the ascending tuple s of an orbit r = p(s) is
//! computed once; every other arrangement is θ.s for some θ, and p(θ.s) = Ψ(θ).r is checked. If s has equal elements,
//! the θ of an arrangement is not unique: p(s) must then be left alone by Ψ of the stabiliser of s, which is generated
//! by the exchanges of equal neighbours, so Ψ((i i+1)).r = r is checked where s_i = s_(i+1). That is all: for any θ' and
//! any x = θ.s, p(θ'.x) = p((θ∘θ').s) = Ψ(θ∘θ').r = Ψ(θ').(Ψ(θ).r) = Ψ(θ').p(x), where a different choice of θ changes
//! nothing because r is fixed by the stabiliser. One call for each tuple, and the verdict is that of checking all k!
//! permutations, hence that of the two generators. (2) The domain is closed under permutation: where the domains of
//! permuted parameters differ, or an assumption is not symmetric, every arrangement of a tuple in the domain counts as
//! in it. (The source calls p on τ.x and σ.x whether or not they lie in the domain; its proof needs the chain of all
//! arrangements.) (3) The images are checked to define a homomorphism, see [`algebra::permutation`].
//!
//! *Phases*: [`signature`] (what can be given and compared), [`shape`] (roles, lengths, slots), [`relation`], then an
//! [`engine`]: [`native`] (the loop of [`generate`] in sandboxed children) or [`conversing`] (any program, line by line);
//! [`minimal`] makes what was found small, [`memory`] says whether calls can influence each other, [`totality`] whether they
//! can fail, [`unwritten`] whether they read what was never written. [`discover`] proposes
//! relations, [`mutants`] measures how much one sees.
//!
//! *Guarantee*. `Holds` is a proof for the domain: every tuple of it was called and came back, and the function has no
//! memory between calls, as far as its text tells; undefined behaviour that goes unnoticed can make it wrong, which
//! `sanitize` is for. `Observed` says that no violation was seen. A violation is told only if two fresh processes,
//! asked for one answer each, disagree again; otherwise earlier calls had a hand in it, and the verdict is `Unknown`. *May miss*: faulty programs that are symmetric.
//!
//! *Cost*: d calls and at most d checks for d tuples (or 3d calls with the source's procedure); memory does not depend
//! on d.
//!
//! ```
//! use diagnostics::Deadline;
//! use replay::Sources;
//!
//! let folder = tempfile::tempdir().expect("a folder should be made");
//! let path = folder.path().join("larger.c");
//! std::fs::write(&path, "int larger(int a, int b) { return a > b ? a : b; }").expect("the file should be written");
//! let sources = Sources { files: vec![path.clone()], options: Default::default() };
//! let program = cfront::load(&[path], &sources.options).expect("this is C").program;
//! let entry = program.find_function("larger").expect("the function should be there");
//! let found = symmetry::discover_in(&program, entry, &sources, &Deadline::default(), 1).expect("it can be called");
//! assert_eq!(found.len(), 1, "the larger of two numbers does not depend on their order");
//! ```

mod addresses;
pub mod answer;
pub mod constants;
pub mod conversing;
pub mod discover;
pub mod domain;
pub mod engine;
mod generate;
mod in_program;
mod memory;
mod minimal;
pub mod mutants;
pub mod native;
mod orbits;
pub mod relation;
pub mod shape;
pub mod signature;
mod totality;
mod unwritten;

pub use discover::is_asked_of;
pub use in_program::{Compiled, build, discover_in};
pub use memory::remembered;
pub use totality::is_total;

use algebra::permutation::Permutation;
use answer::Answer;
use diagnostics::{Reason, Shard};
use domain::{Sampling, Values, draw, pairwise};
use engine::{Engine, EngineError, Extent, Fault, Found, Limits, Method, Tally};
use exec::Scalar;
use shape::{Problem, Space};

/// What is known of the relation after checking. `Proved` is meant for the domain.
pub type Verdict = diagnostics::Verdict<Broken>;

/// What breaks a relation.
#[derive(Clone, PartialEq, Debug)]
pub enum Broken {
    Violation(Box<Violation>),
    /// A call did not answer.
    Fault {
        shape: usize,
        input: Vec<Scalar>,
        fault: Fault,
        replayed: bool,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub shape: usize,
    pub input: Vec<Scalar>,
    pub theta: Permutation,
    pub permuted_input: Vec<Scalar>,
    /// The answers of fresh processes, which start alike and are asked once each.
    pub output: Answer,
    pub permuted_output: Answer,
    /// Whether it is the smallest.
    pub minimal: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SymmetryReport {
    pub verdict: Verdict,
    /// Why what was observed is no proof: a clause.
    pub no_proof: Option<String>,
    pub tally: Tally,
    /// Tuples of the domain, whether or not they were looked at. Those that an assumption excludes are not counted if all
    /// were.
    pub domain: u128,
    /// Whole sentences.
    pub notes: Vec<String>,
    /// The tallies of the shapes that were searched to their end, in order.
    pub by_shape: Vec<Tally>,
}

impl SymmetryReport {
    fn of(verdict: Verdict, tally: Tally) -> SymmetryReport {
        SymmetryReport { verdict, no_proof: None, tally, domain: 0, notes: Vec::new(), by_shape: Vec::new() }
    }
}

/// All that was to be tried was.
fn tried() -> Verdict {
    Verdict::Proved { how: "every tuple was tried".to_string() }
}

fn broken(witness: Broken) -> Verdict {
    Verdict::Refuted { witness }
}

fn stopped(tally: &Tally) -> Verdict {
    Verdict::unknown(Reason::Stopped, format!("stopped after {} tuples without a violation", tally.tuples))
}

/// How to check, besides what is asked.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    pub method: Method,
    pub seed: u64,
    pub limits: Limits<'a>,
    /// Why the answers may depend on earlier calls; empty if they do not.
    pub remembered: &'a [String],
    /// The part of the domain that is searched. What is found to hold then holds of that part; what breaks is broken.
    pub part: Option<Shard>,
}

/// Tuples beyond which nobody waits for an end.
const MOST_TUPLES: u128 = 1_000_000_000_000;

/// Permuted inputs up to which samples are compared in all their arrangements.
const FEW: usize = 4;

/// Samples that one process takes at a time.
const CHUNK: usize = 1 << 16;

/// Checks the relation of a problem. Errors are trouble with what was given or with the surroundings.
pub fn symmetry(problem: &Problem, engine: &dyn Engine, config: &Config<'_>) -> Result<SymmetryReport, EngineError> {
    let spaces: Vec<Space> = problem.shapes.iter().map(|s| problem.space(s)).collect::<Result<_, _>>()?;
    let sampling = problem.request.sampling;
    let size = spaces.iter().zip(&problem.shapes).fold(0u128, |n, (space, s)| n.saturating_add(space.size(s.k)));
    if size == 0 {
        return Err("the domain is empty".into());
    }
    if config.part.is_some() && sampling != Sampling::Exhaustive {
        return Err("samples are not cut into parts; --seed gives others".into());
    }
    let mut report = match sampling {
        Sampling::Exhaustive | Sampling::Boundary => {
            if size > MOST_TUPLES {
                return Err(EngineError::TooManyTuples { size });
            }
            exhaustive(problem, &spaces, engine, config)?
        }
        Sampling::Random(count) => {
            let mut random = fastrand::Rng::with_seed(config.seed);
            let each = count.div_ceil(problem.shapes.len() as u64);
            sampled(problem, &spaces, engine, config, &mut |domains, given| {
                let left = (each - given).min((CHUNK * config.limits.jobs.max(1)) as u64);
                Ok((0..left).map(|_| draw(domains, &mut random)).collect())
            })?
        }
        Sampling::Pairwise => sampled(problem, &spaces, engine, config, &mut |domains, given| {
            if given == 0 { Ok(pairwise(domains)?) } else { Ok(Vec::new()) }
        })?,
    };
    report.domain = match (sampling, &report.verdict) {
        (Sampling::Exhaustive, Verdict::Proved { .. }) => report.tally.tuples.into(),
        _ => size,
    };
    if report.tally.tuples == 0 && report.verdict.is_proof() && config.part.is_none() {
        return Err("the domain is empty: no tuple satisfies --assume".into());
    }
    if report.verdict.is_proof() {
        let why = match sampling {
            Sampling::Random(_) => Some("tuples were drawn at random".to_string()),
            Sampling::Boundary => Some("only values at the ends and around zero were tried".to_string()),
            Sampling::Pairwise => Some("only pairs of values were covered".to_string()),
            Sampling::Exhaustive if !config.remembered.is_empty() => {
                Some(format!("answers may depend on earlier calls: {}", config.remembered.join(", ")))
            }
            Sampling::Exhaustive => {
                let unwritten = engine.reads_unwritten();
                unwritten.map(|why| format!("answers may depend on what was in memory before: {why}"))
            }
        };
        if why.is_some() {
            report.verdict = Verdict::Observed { visits: report.tally.tuples };
            report.no_proof = why;
        }
    }
    Ok(report)
}

/// A number as people say it.
pub fn rough(number: u128) -> String {
    if number == u128::MAX {
        return "more than 10^38".to_string();
    }
    if number < 10_000_000 {
        return number.to_string();
    }
    let digits = number.to_string();
    format!("about {}.{}·10^{}", &digits[..1], &digits[1..2], digits.len() - 1)
}

fn exhaustive(
    problem: &Problem,
    spaces: &[Space],
    engine: &dyn Engine,
    config: &Config<'_>,
) -> Result<SymmetryReport, EngineError> {
    let mut tally = Tally::default();
    let mut notes = Vec::new();
    let mut by_shape = Vec::new();
    let extent = config.part.map_or(Extent::Whole, Extent::Part);
    for (index, space) in spaces.iter().enumerate() {
        let search = engine.search(index, space, extent)?;
        if let Some(found) = search.found {
            let smallest = minimal::smallest(engine, index, space, &found)?;
            let minimal = smallest.is_some();
            let (found, last) = smallest.unwrap_or((found, search.tally));
            if !minimal {
                notes.push("Time ran out before the smallest input was found.".to_string());
            }
            let report = conclude(problem, engine, config, index, found, minimal, tally.then(last), notes)?;
            return Ok(SymmetryReport { by_shape, ..report });
        }
        tally = tally.then(search.tally);
        if search.stopped {
            return Ok(SymmetryReport { notes, by_shape, ..SymmetryReport::of(stopped(&tally), tally) });
        }
        if let Some(lost) = search.lost {
            let verdict = Verdict::unknown(Reason::Inconclusive, lost);
            return Ok(SymmetryReport { notes, by_shape, ..SymmetryReport::of(verdict, tally) });
        }
        by_shape.push(search.tally);
    }
    Ok(SymmetryReport { notes, by_shape, ..SymmetryReport::of(tried(), tally) })
}

/// Gives more tuples for a shape, of which so many were given already; none at the end.
type Supply<'a> = dyn FnMut(&[&Values], u64) -> Result<Vec<Vec<Scalar>>, EngineError> + 'a;

fn sampled(
    problem: &Problem,
    spaces: &[Space],
    engine: &dyn Engine,
    config: &Config<'_>,
    supply: &mut Supply<'_>,
) -> Result<SymmetryReport, EngineError> {
    let mut tally = Tally::default();
    let total = if let Sampling::Random(count) = problem.request.sampling { Some(count) } else { None };
    config.limits.deadline.progress.count("tuples", total);
    for (index, (space, shape)) in spaces.iter().zip(&problem.shapes).enumerate() {
        if space.size(shape.k) == 0 {
            continue;
        }
        let permuted: Vec<&Values> = match &space.own {
            Some(own) => own.iter().collect(),
            None => vec![&space.union; shape.k],
        };
        let domains: Vec<&Values> = space.fixed.iter().chain(permuted).collect();
        let method = if shape.k <= FEW { config.method } else { Method::Generators };
        let mut given = 0;
        loop {
            let tuples = supply(&domains, given)?;
            if tuples.is_empty() {
                break;
            }
            given += tuples.len() as u64;
            let results: Vec<_> = std::thread::scope(|scope| {
                let work: Vec<_> = tuples
                    .chunks(CHUNK)
                    .map(|chunk| scope.spawn(move || engine.sample(index, chunk, method)))
                    .collect();
                work.into_iter().map(|w| w.join().expect("a sampling thread should not panic")).collect()
            });
            for result in results {
                let search = result?;
                tally = tally.then(search.tally);
                if let Some(found) = search.found {
                    let found = minimal::shrunk(engine, index, &domains, method, found, &config.limits)?;
                    return conclude(problem, engine, config, index, found, false, tally, Vec::new());
                }
                if let Some(lost) = search.lost {
                    return Ok(SymmetryReport::of(Verdict::unknown(Reason::Inconclusive, lost), tally));
                }
                if search.stopped || config.limits.deadline.is_over() {
                    return Ok(SymmetryReport::of(stopped(&tally), tally));
                }
            }
        }
    }
    Ok(SymmetryReport::of(tried(), tally))
}

/// Further processes that are asked the same where answers may depend on a clock or on chance.
const ASKED_AGAIN: usize = 4;

/// Whether other processes give the same answers. Where nothing in the text says otherwise, one that agrees is enough.
fn answers_again(
    engine: &dyn Engine,
    config: &Config<'_>,
    index: usize,
    answers: [(&[Scalar], &Answer); 2],
) -> Result<bool, EngineError> {
    let times = if config.remembered.is_empty() { 1 } else { ASKED_AGAIN };
    for _ in 0..times {
        for (input, output) in answers {
            if engine.alone(index, input)?.as_ref() != Ok(output) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Replays what was found and makes the report.
#[allow(clippy::too_many_arguments, reason = "each is a different thing that the report is made of")]
fn conclude(
    problem: &Problem,
    engine: &dyn Engine,
    config: &Config<'_>,
    index: usize,
    found: Found,
    minimal: bool,
    tally: Tally,
    mut notes: Vec<String>,
) -> Result<SymmetryReport, EngineError> {
    let shape = &problem.shapes[index];
    let verdict = match found {
        Found::Fault { input, fault, .. } => {
            let alone = engine.alone(index, &input)?;
            let replayed = alone.is_err();
            if !replayed {
                notes.push(
                    "Called alone in a fresh process it answers; what went wrong depends on earlier calls.".into(),
                );
            }
            broken(Broken::Fault { shape: index, input, fault, replayed })
        }
        Found::Violation { input, theta } => {
            let (fixed, permuted) = input.split_at(shape.fixed());
            let permuted_input: Vec<Scalar> = fixed.iter().copied().chain(theta.apply(permuted)).collect();
            match (engine.alone(index, &input)?, engine.alone(index, &permuted_input)?) {
                (Ok(output), Ok(permuted_output)) => {
                    let eta = shape.homomorphism().of(&theta);
                    if permuted_output.is_permuted(&output, &eta, problem.request.compare) {
                        // Two calls of one process disagreed, of two processes that start alike they agree: the
                        // first call left something behind, which says nothing about the relation.
                        let cause = match config.remembered {
                            [] => "nothing in its text says on what".to_string(),
                            reasons => reasons.join(", "),
                        };
                        let why = format!(
                            "its answers depend on earlier calls ({cause}): two calls in one process broke the \
                             relation, the same calls in processes of their own keep it"
                        );
                        Verdict::unknown(Reason::Inconclusive, why)
                    } else if !answers_again(
                        engine,
                        config,
                        index,
                        [(&input, &output), (&permuted_input, &permuted_output)],
                    )? {
                        Verdict::unknown(
                            Reason::Inconclusive,
                            "its answers to one input differ from process to process",
                        )
                    } else {
                        let violation =
                            Violation { shape: index, input, theta, permuted_input, output, permuted_output, minimal };
                        broken(Broken::Violation(Box::new(violation)))
                    }
                }
                (Err(fault), _) => broken(Broken::Fault { shape: index, input, fault, replayed: true }),
                (_, Err(fault)) => broken(Broken::Fault { shape: index, input: permuted_input, fault, replayed: true }),
            }
        }
    };
    Ok(SymmetryReport { notes, ..SymmetryReport::of(verdict, tally) })
}
