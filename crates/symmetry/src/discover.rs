//! Symmetries a function has: proposed from runs, then checked over the domain.
//!
//! *Candidates*: parameters of one type, and the elements of each array. *Proposal*: for random tuples x the answers to x
//! and to every exchange (i j).x are compared. An output position may follow another if it had the other's value in all
//! of them; the ways to choose one for each make the candidates for the image of the exchange. Parameters that pairwise
//! have such an image form a class. Of a class of k the images of τ and σ are found in the same way, and the first pair
//! that defines a homomorphism is proposed: doing nothing before permuting alike before the rest. *Check*: the proposal
//! is checked like a relation that the user gives. If a class fails, its pairs are tried alone.
//!
//! *May miss*: relations among parameters of different types, and symmetries of two arrays at once.

use super::answer::Answer;
use super::domain::{Values, draw};
use super::engine::{Engine, EngineError};
use super::relation::{Follow, Shorthand};
use super::shape::{Problem, Request, lay_out};
use super::signature::{ParameterKind, ResultKind, Signature, signature};
use super::{Config, SymmetryReport, Verdict, symmetry};
use algebra::permutation::{Homomorphism, Permutation};
use exec::Scalar;
use ir::{FunctionId, Program};
use std::collections::BTreeSet;

/// Makes an engine for a problem, completes the problem's relation where outputs are known only by asking, and hands
/// both on.
pub trait EngineFactory {
    fn with(&self, problem: Problem, work: &mut Work<'_>) -> Result<(), EngineError>;
}

pub type Work<'w> = dyn FnMut(&Problem, &dyn Engine) -> Result<(), EngineError> + 'w;

/// A relation that was proposed and checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Discovery {
    pub problem: Problem,
    pub report: SymmetryReport,
}

impl Discovery {
    pub fn holds(&self) -> bool {
        matches!(self.report.verdict, Verdict::Proved { .. } | Verdict::Observed { .. })
    }
}

/// Tuples that proposals are made from.
const RUNS: usize = 60;
/// Ways in which outputs may follow that are tried.
const MOST_IMAGES: usize = 2000;

/// Finds the relations of a function. `request` gives domains and lengths; what it says of permutations is not looked
/// at. The second part are whole sentences about candidates that could not be tried.
pub fn discover(
    signature: &Signature,
    request: &Request,
    factory: &dyn EngineFactory,
    config: &Config<'_>,
) -> Result<(Vec<Discovery>, Vec<String>), EngineError> {
    let mut found = Vec::new();
    let mut notes = Vec::new();
    let lengths = lengths(signature, &request.lengths);
    for group in candidates(signature, &lengths) {
        let mut asked = Request { follow: Follow::Shorthand(Vec::new()), ..request.clone() };
        asked.permute = group.clone();
        asked.lengths = lengths.clone();
        asked.observe = observed(signature);
        let problem = match lay_out(signature.clone(), asked.clone()) {
            Ok(problem) => problem,
            Err(why) => {
                notes.push(format!("{} was not tried: {why}.", group.join(", ")));
                continue;
            }
        };
        let is_array = group.len() == 1;
        let mut classes = vec![group.clone()];
        if !is_array {
            factory.with(problem, &mut |problem, engine| {
                classes = self::classes(problem, engine, config)?;
                Ok(())
            })?;
        }
        let mut queue = classes;
        while let Some(class) = queue.pop() {
            if config.limits.deadline.is_over() {
                notes.push("Time ran out before all candidates were tried.".to_string());
                return Ok((found, notes));
            }
            let asked = Request { permute: class.clone(), ..asked.clone() };
            match try_class(signature, &asked, factory, config)? {
                Some(discovery) => found.push(discovery),
                None if class.len() > 2 => {
                    for i in (0..class.len()).rev() {
                        for j in (i + 1..class.len()).rev() {
                            queue.push(vec![class[i].clone(), class[j].clone()]);
                        }
                    }
                }
                None => {}
            }
        }
    }
    Ok((found, notes))
}

/// Whether a function can be asked: values can be given for all that it takes, some of them can be permuted, and what it
/// does with them can be compared. A pointer without a length (a string, or one object) is nothing to permute.
pub fn is_asked_of(program: &Program, function: FunctionId) -> bool {
    let Ok(signature) = signature(program, function) else { return false };
    let lengths = lengths(&signature, &[]);
    let is_named = lengths.iter().any(|text| text.contains('='));
    let has_length = |name: &String| {
        is_named
            || signature.parameters.iter().any(|parameter| {
                parameter.name == *name && matches!(parameter.kind, ParameterKind::Array { declared: Some(_), .. })
            })
    };
    let is_worth_it = |group: &Vec<String>| group.len() > 1 || group.iter().all(has_length);
    why_nothing(&signature).is_none() && candidates(&signature, &lengths).iter().any(is_worth_it)
}

/// Why nothing can be tried, if so; a whole sentence.
pub(crate) fn why_nothing(signature: &Signature) -> Option<String> {
    let unsupported = signature.parameters.iter().find_map(|parameter| match &parameter.kind {
        ParameterKind::Unsupported(why) => Some(format!("No value can be given for `{}`: {why}.", parameter.name)),
        _ => None,
    });
    if unsupported.is_some() {
        return unsupported;
    }
    if candidates(signature, &lengths(signature, &[])).is_empty() {
        return Some("None of its parameters can be permuted.".to_string());
    }
    observed(signature).is_empty().then(|| "It gives nothing that can be compared.".to_string())
}

/// Scalars of one type that are no lengths, and each array.
fn candidates(signature: &Signature, lengths: &[String]) -> Vec<Vec<String>> {
    let is_length = |name: &str| {
        lengths.iter().any(|text| text.split_once('=').map_or(text.as_str(), |(of, _)| of).trim() == name)
            || lengths.iter().any(|text| text.split_once('=').is_some_and(|(_, by)| by.trim() == name))
    };
    let mut groups: Vec<(&ParameterKind, Vec<String>)> = Vec::new();
    let mut arrays = Vec::new();
    for parameter in &signature.parameters {
        match &parameter.kind {
            ParameterKind::Scalar(_) if is_length(&parameter.name) => {}
            ParameterKind::Scalar(_) => match groups.iter_mut().find(|(kind, _)| **kind == parameter.kind) {
                Some((_, names)) => names.push(parameter.name.clone()),
                None => groups.push((&parameter.kind, vec![parameter.name.clone()])),
            },
            ParameterKind::Array { .. } => arrays.push(vec![parameter.name.clone()]),
            _ => {}
        }
    }
    groups.into_iter().map(|(_, names)| names).filter(|names| names.len() > 1).chain(arrays).collect()
}

/// What to say of lengths where the user says nothing: the first whole number after the arrays is taken for theirs.
fn lengths(signature: &Signature, given: &[String]) -> Vec<String> {
    let open = signature
        .parameters
        .iter()
        .any(|p| matches!(p.kind, ParameterKind::Array { declared: None, declared_by: None, .. }));
    let by = signature.parameters.iter().find_map(|p| match &p.kind {
        ParameterKind::Array { declared_by, .. } => declared_by.clone(),
        _ => None,
    });
    if !given.is_empty() {
        return given.to_vec();
    }
    if let Some(by) = by {
        return vec![format!("{by}=0..3")];
    }
    if !open {
        return Vec::new();
    }
    let first_array = signature.parameters.iter().position(|p| matches!(p.kind, ParameterKind::Array { .. }));
    let after = signature.parameters.iter().skip(first_array.unwrap_or(0));
    let whole = |kind: &ParameterKind| matches!(kind, ParameterKind::Scalar(Some(exec::ValueType::Int(_))));
    match after.into_iter().find(|p| whole(&p.kind)) {
        Some(length) => vec![format!("{}=0..3", length.name)],
        None => vec!["3".to_string()],
    }
}

/// Everything that can be compared.
fn observed(signature: &Signature) -> Vec<String> {
    if signature.result == ResultKind::Any {
        return Vec::new();
    }
    let returned = matches!(signature.result, ResultKind::Scalar(_) | ResultKind::Record(_));
    let filled = signature.parameters.iter().filter(|p| {
        matches!(p.kind, ParameterKind::Array { read_only: false, .. } | ParameterKind::Record { read_only: false, .. })
    });
    returned.then(|| "return".to_string()).into_iter().chain(filled.map(|p| p.name.clone())).collect()
}

/// The classes of exchangeable parameters among those permuted.
fn classes(problem: &Problem, engine: &dyn Engine, config: &Config<'_>) -> Result<Vec<Vec<String>>, EngineError> {
    let index = problem.shapes.len() - 1;
    let k = problem.shapes[index].k;
    let names: Vec<String> = problem.request.permute.clone();
    let mut related: BTreeSet<(usize, usize)> = BTreeSet::new();
    for i in 0..k {
        for j in i + 1..k {
            let mut exchange: Vec<usize> = (0..k).collect();
            exchange.swap(i, j);
            let exchange = Permutation::new(exchange).expect("an exchange should be a permutation");
            if !images(problem, engine, config, index, &exchange)?.is_empty() {
                related.insert((i, j));
            }
        }
    }
    let mut left: Vec<usize> = (0..k).collect();
    let mut classes = Vec::new();
    while let Some(first) = left.first().copied() {
        let mut class = vec![first];
        for &other in &left[1..] {
            if class.iter().all(|&member| related.contains(&(member, other))) {
                class.push(other);
            }
        }
        left.retain(|i| !class.contains(i));
        if class.len() > 1 {
            classes.push(class.into_iter().map(|i| names[i].clone()).collect());
        }
    }
    classes.reverse();
    Ok(classes)
}

/// Whether the permuted inputs have any influence. An array that is only filled has none, and every permutation of what
/// it held before would seem a symmetry.
fn matters(problem: &Problem, engine: &dyn Engine, config: &Config<'_>, index: usize) -> Result<bool, EngineError> {
    let shape = &problem.shapes[index];
    let space = problem.space(shape)?;
    if space.size(shape.k) == 0 {
        return Ok(false);
    }
    let domains: Vec<&Values> = space.fixed.iter().chain(std::iter::repeat_n(&space.union, shape.k)).collect();
    let mut random = fastrand::Rng::with_seed(config.seed);
    let inputs: Vec<Vec<Scalar>> = (0..RUNS).map(|_| draw(&domains, &mut random)).collect();
    let fixed = shape.fixed();
    let changed: Vec<Vec<Scalar>> =
        inputs.iter().map(|x| [&x[..fixed], &draw(&domains, &mut random)[fixed..]].concat()).collect();
    let (before, after) = (engine.answers(index, &inputs)?, engine.answers(index, &changed)?);
    Ok(before.iter().zip(&after).any(|(a, b)| a != b))
}

/// Permutations of the output positions that follow `theta` in all runs; at most a few.
fn images(
    problem: &Problem,
    engine: &dyn Engine,
    config: &Config<'_>,
    index: usize,
    theta: &Permutation,
) -> Result<Vec<Permutation>, EngineError> {
    let shape = &problem.shapes[index];
    let space = problem.space(shape)?;
    if space.size(shape.k) == 0 {
        return Ok(Vec::new());
    }
    let domains: Vec<&Values> = space.fixed.iter().chain(std::iter::repeat_n(&space.union, shape.k)).collect();
    let mut random = fastrand::Rng::with_seed(config.seed);
    let inputs: Vec<Vec<Scalar>> = (0..RUNS).map(|_| draw(&domains, &mut random)).collect();
    let permuted: Vec<Vec<Scalar>> = inputs
        .iter()
        .map(|x| {
            let (fixed, moved) = x.split_at(shape.fixed());
            fixed.iter().copied().chain(theta.apply(moved)).collect()
        })
        .collect();
    let (before, after) = (engine.answers(index, &inputs)?, engine.answers(index, &permuted)?);
    let pairs: Vec<(&Answer, &Answer)> =
        before.iter().zip(&after).filter_map(|(a, b)| a.as_ref().zip(b.as_ref())).collect();
    let Some(l) = pairs.first().map(|(a, _)| a.positions()) else { return Ok(Vec::new()) };
    if pairs.iter().any(|(a, b)| a.positions() != l || b.positions() != l) {
        return Ok(Vec::new());
    }
    let compare = problem.request.compare;
    let mut may_follow = vec![vec![true; l]; l];
    for (x, y) in &pairs {
        let (x, y): (Vec<_>, Vec<_>) = (x.values().collect(), y.values().collect());
        for p in 0..l {
            for q in 0..l {
                may_follow[p][q] &= compare.equal(y[p], x[q]);
            }
        }
    }
    let types: Vec<_> = shape.outputs.iter().flat_map(|o| o.types.iter().copied()).collect();
    if types.len() == l {
        for (p, row) in may_follow.iter_mut().enumerate() {
            row.iter_mut().enumerate().for_each(|(q, may)| *may &= types[p] == types[q]);
        }
    }
    let mut all = Vec::new();
    choose(&may_follow, &mut Vec::new(), &mut all);
    Ok(all)
}

/// All ways to choose different positions, staying where one is before moving.
fn choose(may_follow: &[Vec<bool>], chosen: &mut Vec<usize>, all: &mut Vec<Permutation>) {
    if all.len() >= MOST_IMAGES {
        return;
    }
    let p = chosen.len();
    if p == may_follow.len() {
        all.extend(Permutation::new(chosen.clone()));
        return;
    }
    let order = std::iter::once(p).chain((0..may_follow.len()).filter(|q| *q != p));
    for q in order {
        if may_follow[p][q] && !chosen.contains(&q) {
            chosen.push(q);
            choose(may_follow, chosen, all);
            chosen.pop();
        }
    }
}

fn try_class(
    signature: &Signature,
    asked: &Request,
    factory: &dyn EngineFactory,
    config: &Config<'_>,
) -> Result<Option<Discovery>, EngineError> {
    let Ok(problem) = lay_out(signature.clone(), asked.clone()) else { return Ok(None) };
    let mut proposals: Vec<Follow> = Vec::new();
    factory.with(problem, &mut |problem, engine| {
        // The longest shape tells the most.
        let index = problem.shapes.len() - 1;
        let k = problem.shapes[index].k;
        if k < 2 || !matters(problem, engine, config, index)? {
            return Ok(());
        }
        let taus = images(problem, engine, config, index, &Permutation::tau(k))?;
        let sigmas = images(problem, engine, config, index, &Permutation::sigma(k))?;
        proposals = propose(problem, index, &taus, &sigmas);
        Ok(())
    })?;
    for follow in proposals.into_iter().take(4) {
        let mut asked = Request { follow: follow.clone(), ..asked.clone() };
        if matches!(follow, Follow::Images { .. }) {
            // Explicit images fit one number of inputs, that of the longest shape.
            let Ok(laid_out) =
                lay_out(signature.clone(), Request { follow: Follow::Shorthand(Vec::new()), ..asked.clone() })
            else {
                continue;
            };
            if laid_out.shapes.len() > 1 {
                asked.lengths = longest(&asked.lengths);
            }
        }
        let Ok(problem) = lay_out(signature.clone(), asked) else { continue };
        let mut discovery = None;
        factory.with(problem, &mut |problem, engine| {
            let report = symmetry(problem, engine, config)?;
            discovery = Some(Discovery { problem: problem.clone(), report });
            Ok(())
        })?;
        if let Some(discovery) = discovery.filter(Discovery::holds) {
            return Ok(Some(discovery));
        }
    }
    Ok(None)
}

/// `n=0..3` becomes `n=3`.
fn longest(lengths: &[String]) -> Vec<String> {
    let last = |text: &String| match text.rsplit_once("..") {
        Some((from, to)) => match from.split_once('=') {
            Some((name, _)) => format!("{name}={to}"),
            None => to.to_string(),
        },
        None => text.clone(),
    };
    lengths.iter().map(last).collect()
}

/// What to check, the plainest first.
fn propose(problem: &Problem, index: usize, taus: &[Permutation], sigmas: &[Permutation]) -> Vec<Follow> {
    let shape = &problem.shapes[index];
    let mut proposals = Vec::new();
    // Each output the same or permuted alike: fits all lengths.
    let k = shape.k;
    let mut choices: Vec<Vec<(Option<String>, Shorthand)>> = vec![Vec::new()];
    let outputs: Vec<(String, usize)> = shape.outputs.iter().map(|o| (o.name.clone(), o.types.len())).collect();
    for (name, length) in &outputs {
        let hows = if *length == k { vec![Shorthand::Same, Shorthand::Permuted] } else { vec![Shorthand::Same] };
        choices = choices
            .iter()
            .flat_map(|c| hows.iter().map(move |how| [c.as_slice(), &[(Some(name.clone()), *how)]].concat()))
            .take(64)
            .collect();
    }
    for choice in choices {
        let mut trial = shape.clone();
        let follow = Follow::Shorthand(choice);
        if trial.relate(&follow).is_ok() {
            let relation = trial.homomorphism();
            if taus.contains(relation.tau()) && sigmas.contains(relation.sigma()) {
                proposals.push(follow);
            }
        }
    }
    let mut explicit = Vec::new();
    for tau in taus.iter().take(100) {
        for sigma in sigmas.iter().take(100) {
            if tau.len() == sigma.len() && Homomorphism::new(k, tau.clone(), sigma.clone()).is_ok() {
                explicit.push(Follow::Images { tau: Some(tau.to_string()), sigma: Some(sigma.to_string()) });
            }
        }
    }
    if proposals.is_empty() {
        proposals = explicit;
    }
    proposals
}
