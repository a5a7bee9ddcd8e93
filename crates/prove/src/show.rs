//! The system as text for people: `plumb dump --stage smt`. Terms are written as SMT-LIB writes them.

use super::system::{Path, PropertyKind, System};
use diagnostics::SourceMap;
use smt::{TermId, smtlib};
use std::fmt::Write;

/// Longer terms are cut off.
const TERM_LIMIT: usize = 1000;

impl PropertyKind {
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Assert => "assert",
            PropertyKind::Unreachable => "unreachable",
            PropertyKind::Overflow => "overflow",
            PropertyKind::DivisionByZero => "division-by-zero",
            PropertyKind::Shift => "shift",
            PropertyKind::Conversion => "conversion",
            PropertyKind::Bounds => "bounds",
            PropertyKind::Pointer => "pointer",
            PropertyKind::Initialised => "initialised",
            PropertyKind::Call => "call",
            PropertyKind::Defined => "defined",
            PropertyKind::Invariant => "invariant",
        }
    }
}

impl System {
    /// Variables, cuts, transitions, properties and obligations, in this order.
    pub fn to_text(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        self.write(&mut out, sources).expect("writing to a string should not fail");
        out
    }

    fn write(&self, out: &mut String, sources: &SourceMap) -> std::fmt::Result {
        for assumption in &self.assumptions {
            writeln!(out, "; assuming {assumption}")?;
        }
        for (obstacle, span) in &self.obstacles {
            writeln!(out, "; {}: {obstacle}", sources.describe(*span))?;
        }
        for input in &self.inputs {
            writeln!(out, "input {}: {}", input.name, input.ty.c_name())?;
        }
        for (number, cut) in self.cuts.iter().enumerate() {
            writeln!(out, "\ncut {number}: {}", cut.name)?;
            for (name, named) in &cut.names {
                let term = self.term(named.term);
                let same = term == *name || term == format!("|{name}|");
                let stands = if same { String::new() } else { format!(" = {term}") };
                writeln!(out, "  name {name}: {}{stands}", named.ty.c_name())?;
            }
            for fact in &cut.facts {
                writeln!(out, "  fact {}", self.term(*fact))?;
            }
        }
        for transition in &self.transitions {
            writeln!(out, "\ntransition {} -> {}", transition.from.0, transition.to.0)?;
            self.path(out, &transition.path)?;
            for (variable, value) in &transition.updates {
                writeln!(out, "  {} := {}", self.variables[variable.0 as usize].name, self.term(*value))?;
            }
        }
        for (number, property) in self.properties.iter().enumerate() {
            let (kind, place) = (property.kind.name(), sources.describe(property.span));
            writeln!(out, "\nproperty {number}: {kind} {} at {place}", property.text)?;
            for obligation in self.obligations.iter().filter(|o| o.property.0 as usize == number) {
                writeln!(out, " obligation from {}", obligation.from.0)?;
                self.path(out, &obligation.path)?;
                writeln!(out, "  claim {}", self.term(obligation.claim))?;
            }
        }
        Ok(())
    }

    fn path(&self, out: &mut String, path: &Path) -> std::fmt::Result {
        for definition in &path.definitions {
            writeln!(out, "  define {}", self.term(*definition))?;
        }
        for condition in &path.conditions {
            writeln!(out, "  when {}", self.term(*condition))?;
        }
        for (answer, condition) in &path.answers {
            writeln!(out, "  answer {} if {}", self.term(*answer), self.term(*condition))?;
        }
        Ok(())
    }

    fn term(&self, term: TermId) -> String {
        smtlib::excerpt(&self.pool, term, TERM_LIMIT)
    }
}
