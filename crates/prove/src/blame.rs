//! Which claim a fault in a run is about.
//!
//! A fault has the place of what faulted. Operations stand inside others (`a * 3 - b`), and a macro puts many at one place of the
//! file, so that being near is not enough: where an operation of the fault's kind has exactly its place, it alone is to
//! blame. Elsewhere (a fault is told of a whole statement, or at a part of the operation) what contains the other is.

use diagnostics::{Rule, Span};
use ir::hazards::{self, Hazard};
use ir::{Program, StmtKind};
use std::collections::HashSet;

/// Where the claims and the arithmetic of a program stand, by the rule that a fault there has.
pub struct Blame(HashSet<(Rule, Span)>);

impl Blame {
    pub fn new(program: &Program) -> Blame {
        let mut places = HashSet::new();
        for (_, function, body) in program.defined_functions() {
            body.walk(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::Assert { .. }) {
                    places.insert((Rule::AssertionFailed, stmt.span));
                }
                let sites = hazards::of_statement(program, function, stmt);
                places.extend(sites.iter().filter_map(|site| Some((rule(site.hazard)?, site.span))));
            });
        }
        Blame(places)
    }

    pub fn falls_on(&self, claim: Span, rule: Rule, fault: Span) -> bool {
        if self.0.contains(&(rule, fault)) { fault == claim } else { fault.contains(claim) || claim.contains(fault) }
    }
}

/// The rule that an operation breaks at its own place; of memory and calls several speak.
fn rule(hazard: Hazard) -> Option<Rule> {
    match hazard {
        Hazard::Overflow => Some(Rule::SignedOverflow),
        Hazard::DivisionByZero => Some(Rule::DivisionByZero),
        Hazard::Shift => Some(Rule::BadShift),
        Hazard::Conversion => Some(Rule::BadConversion),
        _ => None,
    }
}
