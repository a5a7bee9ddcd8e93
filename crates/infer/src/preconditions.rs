//! What a function needs of its callers, found from which inputs are well defined.
//!
//! *Question*: on some inputs the function is undefined. Is that its own fault, or what its callers owe it?
//!
//! Candidates are written over what the entry is given: `p != 0`, `n <= extent(p)`, `n >= 0`, `i < n`, at least so many
//! elements behind `p`. One that every well-defined run respects and that undefined runs break is a precondition: no
//! input without it was ever seen to go well. Of those, the fewest are kept that explain the undefined runs. What no
//! candidate explains is a finding about the function itself, shown with its input.
//!
//! *Guarantee*: a precondition held of every run that ended well, and every run without it was undefined. It is
//! observed, not proved.

use diagnostics::Finding;
use exec::{Given, Input, Scalar, ValueType};
use ir::{FunctionId, Program};
use observe::inputs::{Generator, c};
use observe::runs::{Call, Observations};
use std::collections::BTreeMap;

/// Something that callers owe a function.
#[derive(Clone, Debug)]
pub struct Precondition {
    /// As C writes it; `extent(p)` are the elements behind `p`.
    pub text: String,
    /// Undefined runs that broke it.
    pub broken: usize,
    /// One of them, and what went wrong.
    pub example: Input,
    /// The same in one line.
    pub shown: String,
    pub finding: Finding,
}

/// Undefined behaviour that no precondition accounts for.
#[derive(Clone, Debug)]
pub struct Unexplained {
    pub runs: usize,
    pub input: Input,
    /// The same in one line.
    pub shown: String,
    pub finding: Finding,
}

/// What runs say about the callers' part, and about the function's own.
#[derive(Clone, Debug, Default)]
pub struct Preconditions {
    pub required: Vec<Precondition>,
    pub unexplained: Vec<Unexplained>,
}

/// Undefined runs that must speak for a precondition about numbers, and well-defined ones that respect it.
const FEWEST_BROKEN: usize = 2;
const FEWEST_KEPT: usize = 5;

/// Finds the preconditions of an entry from its runs.
pub fn preconditions(program: &Program, entry: FunctionId, observations: &Observations) -> Preconditions {
    let calls = observations.calls();
    let candidates = candidates(program, entry, &observations.generator, calls);
    let went_well = || calls.iter().filter(|call| call.finding.is_none());
    let mut explains: Vec<(&Candidate, Vec<usize>)> = Vec::new();
    for candidate in &candidates {
        let kept = went_well().filter_map(|call| (candidate.holds)(&call.input));
        let mut count = 0;
        if !kept.inspect(|_| count += 1).all(|holds| holds) || count < FEWEST_KEPT {
            continue;
        }
        let is_broken = |call: &Call| call.finding.is_some() && (candidate.holds)(&call.input) == Some(false);
        let broken: Vec<usize> = (0..calls.len()).filter(|index| is_broken(&calls[*index])).collect();
        if broken.len() >= candidate.fewest {
            explains.push((candidate, broken));
        }
    }
    let mut open: Vec<usize> = (0..calls.len()).filter(|index| calls[*index].finding.is_some()).collect();
    let mut found = Preconditions::default();
    while let Some(best) = (0..explains.len()).max_by_key(|index| {
        let news = explains[*index].1.iter().filter(|broken| open.contains(broken)).count();
        // Of equally good ones the first, which is the simplest.
        (news, std::cmp::Reverse(*index))
    }) {
        let (candidate, broken) = explains.swap_remove(best);
        let news = broken.iter().filter(|index| open.contains(index)).count();
        if news == 0 {
            break;
        }
        let call = &calls[broken[0]];
        let Some(finding) = call.finding.clone() else { continue };
        open.retain(|index| !broken.contains(index));
        let (example, shown) = (call.input.clone(), c::one_line(program, entry, &call.input));
        let text = candidate.text.clone();
        found.required.push(Precondition { text, broken: broken.len(), example, shown, finding });
    }
    found.required.sort_by(|a, b| b.broken.cmp(&a.broken).then_with(|| a.text.cmp(&b.text)));
    let mut groups: BTreeMap<(String, diagnostics::Span), Unexplained> = BTreeMap::new();
    for index in open {
        let Some(finding) = &calls[index].finding else { continue };
        let key = (format!("{:?}", finding.rule), finding.span);
        let input = &calls[index].input;
        let known = groups.entry(key).or_insert_with(|| Unexplained {
            runs: 0,
            input: input.clone(),
            shown: String::new(),
            finding: finding.clone(),
        });
        known.runs += 1;
        if size(input) < size(&known.input) {
            known.input = input.clone();
        }
    }
    found.unexplained = groups.into_values().collect();
    for unexplained in &mut found.unexplained {
        unexplained.shown = c::one_line(program, entry, &unexplained.input);
    }
    found.unexplained.sort_by_key(|unexplained| std::cmp::Reverse(unexplained.runs));
    found
}

/// How many values an input has: small ones are shown.
fn size(input: &Input) -> usize {
    let mut count = 0;
    for given in &input.arguments {
        given.walk(&mut |part| {
            count += match part {
                Given::Text { bytes, .. } | Given::File(bytes) => bytes.len().max(1),
                _ => 1,
            }
        });
    }
    count
}

/// Whether a candidate holds of an input; none where it says nothing about it.
type Holds = Box<dyn Fn(&Input) -> Option<bool>>;

struct Candidate {
    text: String,
    holds: Holds,
    /// Undefined runs that must speak for it.
    fewest: usize,
}

/// Where a value stands in what an entry is given: a parameter, and members from there on.
#[derive(Clone, Debug)]
struct Place {
    parameter: usize,
    members: Vec<String>,
    text: String,
}

impl Place {
    fn of<'i>(&self, input: &'i Input) -> Option<&'i Given> {
        let mut given = input.arguments.get(self.parameter)?;
        for member in &self.members {
            if let Given::Object { contents, .. } = given {
                given = contents;
            }
            if let Given::Array(_, parts) = given {
                given = parts.first()?;
            }
            let Given::Record(parts) = given else { return None };
            given = parts.iter().find(|(name, ..)| name == member).map(|(_, _, part)| part)?;
        }
        Some(given)
    }

    fn number(&self, input: &Input) -> Option<i128> {
        match self.of(input)? {
            Given::Scalar(_, Scalar::Int(value)) => Some(*value),
            _ => None,
        }
    }
}

fn candidates(program: &Program, entry: FunctionId, generator: &Generator, calls: &[Call]) -> Vec<Candidate> {
    let (pointers, numbers) = places(program, entry);
    let mut all: Vec<Candidate> = Vec::new();
    for (place, _) in &pointers {
        let at = place.clone();
        let holds: Holds = Box::new(move |input| match at.of(input)? {
            Given::Null | Given::Nothing => Some(false),
            Given::Made { .. } => None,
            _ => Some(true),
        });
        // A null pointer may be the only one of its kind.
        all.push(Candidate { text: format!("{} != 0", place.text), holds, fewest: 1 });
    }
    let mut add = |text: String, holds: Holds| all.push(Candidate { text, holds, fewest: FEWEST_BROKEN });
    for place in &numbers {
        for least in [0, 1] {
            let at = place.clone();
            add(format!("{} >= {least}", place.text), Box::new(move |input| Some(at.number(input)? >= least)));
        }
        let at = place.clone();
        add(format!("{} != 0", place.text), Box::new(move |input| Some(at.number(input)? != 0)));
    }
    let lengths = generator.recognised_lengths();
    for (pointer, size) in &pointers {
        let size = *size;
        let extent = move |place: &Place, input: &Input| -> Option<i128> {
            match place.of(input)? {
                Given::Null => Some(0),
                given => given.extent().map(|extent| i128::from(extent / size.max(1))),
            }
        };
        let is_length = |number: &Place| {
            lengths.iter().any(|(buffer, length)| *buffer == pointer.text && *length == number.text)
                || number.parameter == pointer.parameter && number.members.len() == pointer.members.len()
        };
        for number in numbers.iter().filter(|number| is_length(number)) {
            let (at, bound) = (pointer.clone(), number.clone());
            let text = format!("{} <= extent({})", number.text, pointer.text);
            add(text, Box::new(move |input| Some(bound.number(input)? <= extent(&at, input)?)));
        }
        // The fewest elements with which a run went well.
        let well = calls.iter().filter(|call| call.finding.is_none());
        let fewest = well.filter_map(|call| extent(pointer, &call.input)).min().unwrap_or(0);
        if fewest > 1 {
            let at = pointer.clone();
            let text = format!("extent({}) >= {fewest}", pointer.text);
            add(text, Box::new(move |input| Some(extent(&at, input)? >= fewest)));
        }
    }
    for first in &numbers {
        for second in numbers.iter().filter(|second| second.text != first.text) {
            let (a, b) = (first.clone(), second.clone());
            add(
                format!("{} < {}", first.text, second.text),
                Box::new(move |input| Some(a.number(input)? < b.number(input)?)),
            );
            let (a, b) = (first.clone(), second.clone());
            add(
                format!("{} <= {}", first.text, second.text),
                Box::new(move |input| Some(a.number(input)? <= b.number(input)?)),
            );
        }
    }
    all
}

/// The pointers, with the sizes of what they lead to, and the integers that an entry is given, those of records behind
/// its parameters included.
fn places(program: &Program, entry: FunctionId) -> (Vec<(Place, u64)>, Vec<Place>) {
    let (mut pointers, mut numbers) = (Vec::new(), Vec::new());
    let function = &program.functions[entry];
    let types = &program.types;
    for (parameter, local) in function.params.iter().map(|param| &function.locals[*param]).enumerate() {
        let place = Place { parameter, members: Vec::new(), text: local.name.clone() };
        if let Some(ValueType::Int(_)) = ValueType::of(types, local.ty) {
            numbers.push(place);
            continue;
        }
        let Some(to) = types.pointee(local.ty) else { continue };
        pointers.push((place, types.size_of(to).unwrap_or(1)));
        let ir::Type::Record(record) = types.get(to) else { continue };
        for field in types.records[*record].fields.iter().flatten().filter(|field| field.bits.is_none()).take(12) {
            let text = format!("{}->{}", local.name, field.name);
            let place = Place { parameter, members: vec![field.name.clone()], text };
            match types.get(field.ty) {
                ir::Type::Int(_) => numbers.push(place),
                ir::Type::Pointer { to, .. } => pointers.push((place, types.size_of(*to).unwrap_or(1))),
                _ => {}
            }
        }
    }
    numbers.truncate(12);
    (pointers, numbers)
}
