//! Does a claim really fail on these inputs?
//!
//! The inputs are run in the VM, which knows where a claim stands, and then on the program that the user's compiler
//! makes of the user's files. Only what the VM has seen is reported; whether the compiled program showed it too is said
//! beside it. A failure behind an order of evaluation that C leaves open ([`ir::Unordered`]) is one only if the compiled program
//! shows it: the VM took one of the orders.

use super::blame::Blame;
use super::system::{Property, PropertyKind};
use diagnostics::Rule;
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, Outcome, Recorder, Trace};
use ir::{FunctionId, Program, StmtId, StmtKind};
use logic::Predicate;
use observe::locations::powers_fit;
use replay::{Binary, Conditions, Marks, Sources};
use std::sync::OnceLock;

/// A failure that was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Whether the compiled program showed it too.
    pub natively: bool,
}

pub struct Replayer<'a> {
    program: &'a Program,
    /// The same program with all locations as trace points.
    observed: &'a Program,
    entry: FunctionId,
    sources: Option<&'a Sources>,
    binary: OnceLock<Option<Binary>>,
    /// The same program, with an entry that is given objects.
    with_objects: OnceLock<Option<Binary>>,
    blame: OnceLock<Blame>,
}

/// A replay that takes longer than this is none.
const BUDGET: Budget = Budget { steps: 20_000_000, memory: 1 << 28, depth: 5_000, output: 1 << 20, time_ms: 10_000 };

impl<'a> Replayer<'a> {
    pub fn new(
        program: &'a Program,
        observed: &'a Program,
        entry: FunctionId,
        sources: Option<&'a Sources>,
    ) -> Replayer<'a> {
        Replayer {
            program,
            observed,
            entry,
            sources,
            binary: OnceLock::new(),
            with_objects: OnceLock::new(),
            blame: OnceLock::new(),
        }
    }

    /// Whether the inputs break one of the program's own claims.
    pub fn breaks(&self, property: &Property, input: &Input) -> Option<Seen> {
        let (outcome, _, took_an_order) = self.in_vm(self.program, input, false);
        let Ending::Faulted(finding) = outcome.ending else { return None };
        let is_kind = match property.kind {
            PropertyKind::Assert | PropertyKind::Unreachable => finding.rule == Rule::AssertionFailed,
            PropertyKind::Overflow => finding.rule == Rule::SignedOverflow,
            PropertyKind::DivisionByZero => finding.rule == Rule::DivisionByZero,
            PropertyKind::Shift => finding.rule == Rule::BadShift,
            PropertyKind::Conversion => finding.rule == Rule::BadConversion,
            PropertyKind::Bounds => finding.rule.is_about_access(),
            PropertyKind::Pointer => {
                matches!(finding.rule, Rule::OutOfBounds | Rule::InvalidPointer | Rule::NullDereference)
            }
            PropertyKind::Initialised => finding.rule == Rule::UninitialisedRead,
            // What a library function reports is reported where it is called.
            PropertyKind::Call => finding.rule != Rule::AssertionFailed && finding.rule != Rule::Aborted,
            PropertyKind::Defined => false,
            PropertyKind::Invariant => false,
        };
        let blame = self.blame.get_or_init(|| Blame::new(self.program));
        if !is_kind || !blame.falls_on(property.span, finding.rule, finding.span) {
            return None;
        }
        // What goes wrong in an argument goes wrong before the call.
        if property.kind == PropertyKind::Call && !finding.span.contains(property.span) {
            return None;
        }
        // Compiled code does not notice undefined behaviour, so there is nothing to see for the other kinds.
        let is_claim = matches!(property.kind, PropertyKind::Assert | PropertyKind::Unreachable);
        let native = if is_claim { self.natively(input).map(|(outcome, _)| outcome.ending) } else { None };
        let natively = match &native {
            Some(Ending::Faulted(finding)) => finding.rule == Rule::AssertionFailed,
            Some(Ending::Killed { signal }) => *signal == SIGABRT,
            _ => false,
        };
        // A compiled program that goes past a claim which the VM finds broken does something that the model does not know. A
        // label stops nobody.
        let goes_past = matches!(native, Some(Ending::Exited(_) | Ending::Returned(_)));
        if goes_past && property.text != super::implied::ERROR_LABEL {
            return None;
        }
        (natively || !took_an_order).then_some(Seen { natively })
    }

    /// Whether the inputs lead to a row at a location of which the predicate is false.
    pub fn violates(&self, location: &str, predicate: &Predicate, input: &Input) -> Option<Seen> {
        let (outcome, trace, took_an_order) = self.in_vm(self.observed, input, true);
        let counts = !matches!(outcome.ending, Ending::Assumed { .. } | Ending::Unsupported { .. });
        if !counts || !is_violated(&trace, location, predicate) {
            return None;
        }
        let natively = self.natively(input).is_some_and(|(_, trace)| is_violated(&trace, location, predicate));
        (natively || !took_an_order).then_some(Seen { natively })
    }

    /// Of these relations, which the inputs lead to a row that breaks them.
    pub fn violated(&self, relations: &[(&str, &Predicate)], input: &Input) -> Vec<bool> {
        let (outcome, trace, _) = self.in_vm(self.observed, input, true);
        let counts = !matches!(outcome.ending, Ending::Assumed { .. } | Ending::Unsupported { .. });
        relations.iter().map(|(location, relation)| counts && is_violated(&trace, location, relation)).collect()
    }

    /// A run in the VM, and whether it took an order of evaluation that C leaves open.
    fn in_vm(&self, program: &Program, input: &Input, record: bool) -> (Outcome, Trace, bool) {
        let image = Image::new(program, exec::libc::LIBRARY);
        let recorder = record.then(|| Recorder::new(image.points().clone()));
        let open = open_orders(program);
        let options = Options { recorder, coverage: !open.is_empty(), ..Options::default() };
        let run = Machine::new(&image).run(self.entry, input, &BUDGET, options);
        let took = open
            .iter()
            .any(|(function, stmt)| run.coverage.as_ref().is_none_or(|coverage| coverage.executed(*function, *stmt)));
        (run.outcome, run.trace.unwrap_or_default(), took)
    }

    /// A run of the compiled program; `None` if it cannot be compiled or started.
    fn natively(&self, input: &Input) -> Option<(Outcome, Trace)> {
        let sources = self.sources?;
        if !input.arguments.is_empty() {
            return self.natively_with_objects(sources, input);
        }
        let binary = self.binary.get_or_init(|| {
            let prepared = replay::prepare(self.program, &sources.files, &sources.options, self.entry).ok()?;
            replay::compile(&prepared.recipe, None).ok()
        });
        let run = binary.as_ref()?.run(input, &BUDGET, &Conditions::default()).ok()?;
        Some((run.outcome, run.trace))
    }

    fn natively_with_objects(&self, sources: &Sources, input: &Input) -> Option<(Outcome, Trace)> {
        let binary = self.with_objects.get_or_init(|| {
            let arguments = Some(replay::argument_expressions(self.program, self.entry).ok()?);
            let marks = Marks { arguments, ..Marks::default() };
            let (files, options) = (&sources.files, &sources.options);
            let (prepared, _) = replay::prepare_marked(self.program, files, options, self.entry, &[], &marks).ok()?;
            replay::compile(&prepared.recipe, None).ok()
        });
        let mut params = Vec::new();
        for given in &input.arguments {
            given.encode(&mut params).ok()?;
        }
        let numbers = Input { params, arguments: Vec::new(), ..input.clone() };
        let run = binary.as_ref()?.run(&numbers, &BUDGET, &Conditions::default()).ok()?;
        Some((run.outcome, run.trace))
    }
}

fn open_orders(program: &Program) -> Vec<(FunctionId, StmtId)> {
    let mut open = Vec::new();
    for (id, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if matches!(stmt.kind, StmtKind::Unordered(_)) {
                open.push((id, stmt.id));
            }
        });
    }
    open
}

const SIGABRT: i32 = 6;

fn is_violated(trace: &Trace, location: &str, predicate: &Predicate) -> bool {
    trace
        .points()
        .filter(|(_, point)| point.name() == location)
        .any(|(_, point)| point.rows().any(|row| powers_fit(predicate, &row) && predicate.holds(&row) == Ok(false)))
}
