//! From the flags to what is asked.

use crate::args::Symmetry;
use crate::report::Failure;
use symmetry::answer::Compare;
use symmetry::domain::{Sampling, Values};
use symmetry::relation::Follow;
use symmetry::shape::Request;
use symmetry::signature::{Parameter, ParameterKind, ResultKind, Signature};

pub(super) fn request(args: &Symmetry) -> Result<Request, Failure> {
    let follow = match (&args.tau, &args.sigma) {
        (None, None) => Follow::parse(&args.output).map_err(|why| {
            Failure::new(format!("--output: {why}")).with_help("other relations are given by --tau and --sigma")
        })?,
        (tau, sigma) => Follow::Images { tau: tau.clone(), sigma: sigma.clone() },
    };
    let mut domains = Vec::new();
    for text in &args.domain {
        let (names, values) = Values::parse_named(text).map_err(|why| Failure::new(format!("--domain: {why}")))?;
        domains.extend(names.into_iter().map(|name| (name, values.clone())));
    }
    let sampling = match (args.random, args.boundary, args.pairwise) {
        (Some(count), _, _) => Sampling::Random(count),
        (_, true, _) => Sampling::Boundary,
        (_, _, true) => Sampling::Pairwise,
        _ => Sampling::Exhaustive,
    };
    let compare = Compare::parse(&args.compare).map_err(|why| Failure::new(format!("--compare: {why}")))?;
    Ok(Request {
        permute: args.permute.clone(),
        lengths: args.length.clone(),
        follow,
        observe: args.observe.clone(),
        domains,
        assume: args.assume.clone(),
        sampling,
        compare,
        terminated: args.terminated,
    })
}

/// The signature of a program that is asked line by line: what the flags say of its arguments.
pub(super) fn signature(args: &Symmetry) -> Result<Signature, Failure> {
    let mut names: Vec<String> = args.args.clone();
    if names.is_empty() {
        for text in &args.domain {
            let before = text.split_once('=').map_or("", |(names, _)| names);
            names.extend(before.split(',').map(|n| n.trim().to_string()));
        }
        let lengths = args.length.iter().filter_map(|l| l.split_once('=')).map(|(name, _)| name.trim().to_string());
        for name in args.permute.iter().cloned().chain(lengths) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.retain(|n| !n.is_empty());
    if let Some(twice) = names.iter().enumerate().find(|(i, n)| names[..*i].contains(n)).map(|(_, n)| n) {
        return Err(Failure::new(format!("the argument `{twice}` is named twice")));
    }
    if names.is_empty() {
        return Err(Failure::new("the arguments of the program are not known")
            .with_help("--domain 'i=0..9' names an argument and its values; --args gives their order"));
    }
    // Of a program nothing tells an array from a number but what is done with it.
    let is_array = |name: &String| {
        args.permute == [name.clone()]
            || (args.discover
                && !args.length.is_empty()
                && !args.length.iter().any(|l| l.split('=').next() == Some(name)))
    };
    let parameter = |name: &String| Parameter {
        name: name.clone(),
        kind: match is_array(name) {
            true => ParameterKind::Array { of: None, declared: None, declared_by: None, read_only: true },
            false => ParameterKind::Scalar(None),
        },
    };
    let parameters = names.iter().map(parameter).collect();
    Ok(Signature {
        name: "program".to_string(),
        parameters,
        result: ResultKind::Any,
        unit: None,
        constants: Default::default(),
    })
}
