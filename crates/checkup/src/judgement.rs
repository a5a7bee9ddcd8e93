//! What a fault is to its reader: a mistake of the program, or something that callers owe.
//!
//! A function that is called with anything its types allow goes wrong easily: null pointers, negative lengths, a zero to
//! divide by. That says what it needs of its callers, not that it is wrong. A fault is a [`Class::Bug`] only if
//!
//! - the input is given to a whole program, which must stand any, or
//! - the function has no input and reads nothing that others may have set, or
//! - all its input are strings, or buffers of bytes each with its length, or what other functions called from outside make
//!   of strings, and it misuses memory that the project has allocated itself: no caller can be expected to foresee that;
//!
//! and a run showed it. Everything else is a [`Class::Precondition`] of what is called from outside, [`Class::Internal`]
//! of what only the project calls.
//!
//! *Guarantee*: nothing is called a bug that no run showed, or that an argument outside of what callers respect brought
//! about. *May miss* bugs: many a precondition is one, and so is shown too.

use super::programs::Linked;
use super::report::{Class, Harm};
use diagnostics::Rule;
use exec::{Scalar, ValueType};
use ir::{FunctionId, IntKind};
use reach::{Evidence, FoundFault, ObjectKind};
use symex::explore::{Given, Witness};

pub(crate) fn class(linked: &Linked, entry: FunctionId, fault: &FoundFault) -> Class {
    let needs_caller = if linked.entries.contains(&entry) { Class::Precondition } else { Class::Internal };
    let object = match &fault.evidence {
        Evidence::Unconfirmed { .. } => return Class::Suspicion,
        Evidence::Compiled { object } => *object,
        Evidence::Vm => None,
    };
    if linked.name(entry) == "main" {
        return Class::Bug;
    }
    // The parameters of `mainQ` are the inputs of a benchmark, which its assertions speak of.
    if linked.name(entry) == "mainQ" && fault.rule == Rule::AssertionFailed {
        return Class::Bug;
    }
    let witness = &fault.witness;
    let has_no_input = witness.given.is_empty() && witness.globals.is_empty() && witness.stdin.is_empty();
    if has_no_input && reads_no_globals(linked, entry) {
        return Class::Bug;
    }
    let misuses_own_memory = object == Some(ObjectKind::Heap)
        && matches!(
            fault.rule,
            Rule::OutOfBounds | Rule::UseAfterFree | Rule::DoubleFree | Rule::InvalidFree | Rule::Sanitizer
        );
    let is_plain = is_plain(witness) || linked.entries.contains(&entry) && is_made(linked, witness);
    if misuses_own_memory && witness.globals.is_empty() && is_plain { Class::Bug } else { needs_caller }
}

/// How bad a fault of a rule is.
pub(crate) fn harm(rule: Rule) -> Harm {
    match rule {
        Rule::OutOfBounds
        | Rule::UseAfterFree
        | Rule::UseAfterScope
        | Rule::DoubleFree
        | Rule::InvalidFree
        | Rule::InvalidPointer
        | Rule::Sanitizer
        | Rule::WriteToConstant
        | Rule::MemoryOverlap
        | Rule::BadCall => Harm::Memory,
        Rule::NullDereference | Rule::DivisionByZero | Rule::Crashed | Rule::Aborted => Harm::Crash,
        Rule::AssertionFailed => Harm::Claim,
        _ => Harm::Value,
    }
}

/// Whether nothing that it reaches names a global that is no constant.
fn reads_no_globals(linked: &Linked, entry: FunctionId) -> bool {
    let program = &linked.program;
    let reached = linked.graph.reachable(entry);
    let named = reached.into_iter().chain([entry]).flat_map(|function| ir::named_globals(program, function));
    named.into_iter().all(|global| program.globals[global].is_const)
}

/// Whether an input is one that every caller may give: a string, or a buffer of bytes with its length. A number that is
/// not the length of a buffer may be one that callers compute with care.
fn is_plain(witness: &Witness) -> bool {
    let (mut lengths, mut numbers) = (Vec::new(), Vec::new());
    for (_, given) in &witness.given {
        match given {
            Given::Text { .. } => {}
            Given::Object { size, contents } if is_bytes(contents) => lengths.push(i128::from(*size)),
            Given::Scalar(ValueType::Int(_), Scalar::Int(value)) => numbers.push(*value),
            _ => return false,
        }
    }
    lengths == numbers && !witness.given.is_empty()
}

/// Whether an input is what functions that are called from outside make of strings or of nothing, and strings beside it: an
/// order of calls that every caller may come to.
fn is_made(linked: &Linked, witness: &Witness) -> bool {
    let is_entry = |name: &String| linked.entries.iter().any(|id| linked.name(*id) == name);
    let is_string = |given: &Given| matches!(given, Given::Text { .. });
    witness.names_functions()
        && witness.given.iter().all(|(_, given)| match given {
            Given::Made { by, arguments, first } => {
                is_entry(by) && arguments.iter().skip(usize::from(*first)).all(is_string)
            }
            given => is_string(given),
        })
}

fn is_bytes(given: &Given) -> bool {
    let is_byte = |part: &Given| matches!(part, Given::Scalar(ValueType::Int(kind), _) if kind.bytes() == 1 && *kind != IntKind::Bool);
    matches!(given, Given::Array(1, parts) if parts.iter().all(is_byte))
}

/// The parameters that are null pointers.
pub(crate) fn nulls(witness: &Witness) -> Vec<String> {
    let null = witness.given.iter().filter(|(_, given)| matches!(given, Given::Null));
    null.map(|(name, _)| name.clone()).collect()
}
