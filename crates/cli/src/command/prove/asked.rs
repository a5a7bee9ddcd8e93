//! What the user asks about, and what they suggest: invariants with the names of their locations.

use super::{observed, sources};
use crate::args::Prove;
use crate::report::Failure;
use infer::Location;
use ir::{FunctionId, Program};
use logic::Predicate;
use observe::locations::At;
use prove::Claim;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Invariants by the names of their locations.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// To be proved.
    pub(super) invariants: Vec<(String, Predicate)>,
    /// To be tried as lemmas.
    pub(super) using: Vec<(String, Predicate)>,
    /// The places that are not looked at anyway, as `--at` has them.
    pub(super) at: Vec<String>,
    pub(super) notes: Vec<String>,
}

pub(super) fn read(args: &Prove, program: &Program, entry: FunctionId) -> Result<Asked, Failure> {
    let mut parsed = Vec::new();
    for (place, text) in &args.asked.0 {
        let predicate = Predicate::parse(text).map_err(|error| {
            Failure::new(format!("--invariant '{text}': {error}"))
                .with_help("write a relation such as 'x == q*y + r', 'a <= b && b <= 10' or 'max(x, y) >= 0'")
        })?;
        parsed.push((place.clone(), predicate));
    }
    let suggested = args.using.as_deref().map(suggestions).transpose()?.unwrap_or_default();
    if parsed.is_empty() && suggested.is_empty() {
        return Ok(Asked::default());
    }
    let usual = observed(program, entry, &[], args.overflow).locations;
    let is_usual = |name: &str| usual.iter().any(|location| location.name == name);
    let wanted = parsed.iter().filter_map(|(place, _)| place.clone()).chain(suggested.iter().map(|(at, _)| at.clone()));
    let places: BTreeSet<String> = wanted.filter(|name| !is_usual(name)).map(|name| plain(&name)).collect();
    let mut asked = Asked { at: places.into_iter().collect(), ..Asked::default() };
    let locations = observed(program, entry, &asked.at, args.overflow).locations;
    for (place, predicate) in parsed {
        match place {
            Some(place) => {
                let name = location_name(&place, &usual);
                asked.invariants.push((check(&name, &place, &predicate, &locations)?, predicate));
            }
            None => {
                let loops =
                    usual.iter().filter(|l| !l.name.starts_with("return at ") && !l.name.starts_with("end of "));
                let fitting: Vec<&Location> = loops.filter(|l| unknown(&predicate, l).is_none()).collect();
                if fitting.is_empty() {
                    return Err(Failure::new(format!("no loop has all the variables of `{predicate}`"))
                        .with_help(format!("--at says where it should hold; there are: {}", names(&usual))));
                }
                asked.invariants.extend(fitting.into_iter().map(|l| (l.name.clone(), predicate.clone())));
            }
        }
    }
    let mut misfits = 0;
    for (name, predicate) in suggested {
        let name = location_name(&name, &usual);
        match check(&name, &name, &predicate, &locations) {
            Ok(name) => asked.using.push((name, predicate)),
            Err(_) => misfits += 1,
        }
    }
    if misfits > 0 {
        asked
            .notes
            .push(format!("{misfits} of the relations given with --using do not fit the program and are left out"));
    }
    Ok(asked)
}

/// `line 12`, as locations of lines are named, is the line 12.
fn plain(name: &str) -> String {
    name.strip_prefix("line ").unwrap_or(name).to_string()
}

/// The name that the location of a place gets.
fn location_name(place: &str, usual: &[Location]) -> String {
    if usual.iter().any(|location| location.name == place) {
        return place.to_string();
    }
    match sources::place(&plain(place)) {
        At::Line { line, .. } => format!("line {line}"),
        At::Label(label) => label,
    }
}

/// The name, if there is such a location and it has the variables.
fn check(name: &str, given: &str, predicate: &Predicate, locations: &[Location]) -> Result<String, Failure> {
    let Some(location) = locations.iter().find(|location| location.name == name) else {
        return Err(Failure::new(format!("there is no place `{given}` that the entry can reach"))
            .with_help(format!("--at takes FILE:LINE, a label, or one of: {}", names(locations))));
    };
    if let Some(unknown) = unknown(predicate, location) {
        let known: Vec<&str> = location.variables.iter().map(|v| v.name.as_str()).collect();
        return Err(Failure::new(format!("`{predicate}`: `{unknown}` is not a variable at {name}"))
            .with_help(format!("there are: {}", known.join(", "))));
    }
    Ok(name.to_string())
}

fn unknown<'p>(predicate: &'p Predicate, location: &Location) -> Option<&'p str> {
    predicate.variables().into_iter().find(|name| location.variables.iter().all(|v| v.name != *name))
}

fn names(locations: &[Location]) -> String {
    let names: BTreeSet<&str> = locations.iter().map(|location| location.name.as_str()).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// The relations in a document of `infer` or `prove`, or in a certificate.
fn suggestions(path: &Path) -> Result<Vec<(String, Predicate)>, Failure> {
    let wrong = |why: String| {
        Failure::new(format!("{}: {why}", path.display()))
            .with_help("--using takes what `plumb infer --format json` or `plumb prove --format json` writes")
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| wrong(format!("not JSON: {error}")))?;
    let result = document.get("result").unwrap_or(&document);
    let listed = |name: &str| result.get(name).and_then(Value::as_array);
    let mut pairs: Vec<(&Value, &Value)> = Vec::new();
    match (listed("locations"), listed("invariants")) {
        (Some(locations), _) => {
            for location in locations {
                let invariants = location["invariants"].as_array().into_iter().flatten();
                pairs.extend(invariants.map(|invariant| (&location["name"], &invariant["text"])));
            }
        }
        (None, Some(invariants)) => pairs.extend(invariants.iter().map(|i| (&i["location"], &i["text"]))),
        (None, None) => return Err(wrong("it has neither `locations` nor `invariants`".into())),
    }
    let mut found = Vec::new();
    for (place, text) in pairs {
        let (Some(place), Some(text)) = (place.as_str(), text.as_str()) else {
            return Err(wrong("an invariant without its location or its text".into()));
        };
        // Powers and divisors are proposed anyway.
        if let Claim::Predicate(predicate) = Claim::parse(text).map_err(&wrong)? {
            found.push((place.to_string(), predicate));
        }
    }
    Ok(found)
}
