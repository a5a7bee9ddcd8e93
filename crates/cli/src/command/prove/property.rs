//! Which of the properties of software verification competitions is asked about: by name, or by a property file.
//!
//! A property decides which claims a program is taken to make and which are listed. What a proof assumes of the others is
//! still named beside it.

use crate::report::Failure;
use diagnostics::{Reason, Span, Verdict};
use ir::{Callee, FunctionId, Program, StmtKind};
use prove::{PropertyKind, PropertyReport};

/// A property as SV-COMP names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// Errors are not reached and assertions hold.
    Unreachable,
    NoOverflow,
    /// Accesses, frees, and that no memory is lost.
    MemorySafety,
}

const NAMES: &[(&str, Property)] = &[
    ("unreach-call", Property::Unreachable),
    ("unreachable-code", Property::Unreachable),
    ("no-overflow", Property::NoOverflow),
    ("overflow", Property::NoOverflow),
    ("valid-memsafety", Property::MemorySafety),
    ("memory-safety", Property::MemorySafety),
];

/// What property files say between the parentheses of `LTL(...)`.
const FORMULAS: &[(&str, Property)] = &[
    ("G!call(", Property::Unreachable),
    ("G!overflow", Property::NoOverflow),
    ("Gvalid-free", Property::MemorySafety),
    ("Gvalid-deref", Property::MemorySafety),
    ("Gvalid-memtrack", Property::MemorySafety),
];

/// A name, or what is in the file of that name.
pub fn read(given: &str) -> Result<Property, Failure> {
    if let Some((_, property)) = NAMES.iter().find(|(name, _)| *name == given) {
        return Ok(*property);
    }
    let known = "unreach-call, no-overflow and valid-memsafety are known, by name or in a property file";
    if !given.ends_with(".prp") {
        return Err(Failure::new(format!("`{given}` is not a property that plumb can be asked about")).with_help(known));
    }
    let text =
        std::fs::read_to_string(given).map_err(|error| Failure::new(format!("{given} cannot be read: {error}")))?;
    of_text(&text).map_err(|why| Failure::new(format!("{given}: {why}")).with_help(known))
}

fn of_text(text: &str) -> Result<Property, String> {
    let mut found = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let written: String = line.split_whitespace().collect();
        let formula = written.split_once("LTL(").map(|(_, formula)| formula);
        let of_line = formula.and_then(|formula| FORMULAS.iter().find(|(start, _)| formula.starts_with(start)));
        let Some((_, property)) = of_line else { return Err(format!("`{}` is not known", line.trim())) };
        if found.is_some_and(|found| found != *property) {
            return Err("it asks for several properties at once".to_string());
        }
        found = Some(*property);
    }
    found.ok_or_else(|| "it asks for nothing".to_string())
}

impl Property {
    /// Whether it is about operations.
    pub fn checks(self) -> bool {
        self != Property::Unreachable
    }

    fn is_about(self, kind: PropertyKind) -> bool {
        match self {
            Property::Unreachable => {
                matches!(kind, PropertyKind::Assert | PropertyKind::Unreachable | PropertyKind::Invariant)
            }
            // Code that is not followed may overflow as well.
            Property::NoOverflow => matches!(kind, PropertyKind::Overflow | PropertyKind::Defined),
            Property::MemorySafety => matches!(
                kind,
                PropertyKind::Bounds | PropertyKind::Pointer | PropertyKind::Call | PropertyKind::Defined
            ),
        }
    }

    /// The claims that it is about. That no memory is lost is a claim of its own, which stays open unless the program
    /// calls nothing that could allocate.
    pub fn select(self, program: &Program, entry: FunctionId, claims: &mut Vec<PropertyReport>) {
        claims.retain(|claim| self.is_about(claim.kind));
        if self == Property::MemorySafety && calls_outside(program) {
            claims.push(PropertyReport {
                kind: PropertyKind::Defined,
                span: program.functions[entry]
                    .body
                    .as_ref()
                    .and_then(|b| b.stmts.first())
                    .map_or(Span::NONE, |s| s.span),
                text: "no memory is lost".to_string(),
                verdict: Verdict::unknown(Reason::Unmodelled, "leaks are not looked for"),
                k: None,
                plain_k: None,
                lemmas: Vec::new(),
                assumptions: Vec::new(),
            });
        }
    }
}

/// Whether any function calls one without a body, or one that it does not name.
fn calls_outside(program: &Program) -> bool {
    let mut found = false;
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                found |= match callee {
                    Callee::Function(id) => program.functions[*id].body.is_none(),
                    Callee::Intrinsic(_) => false,
                    _ => true,
                };
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_say_what_is_asked() {
        let cases = [
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", Ok(Property::Unreachable)),
            ("CHECK( init(main()), LTL(G ! overflow) )", Ok(Property::NoOverflow)),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                 CHECK( init(main()), LTL(G valid-memtrack) )\n",
                Ok(Property::MemorySafety),
            ),
            ("CHECK( init(main()), LTL(F end) )", Err(())),
            ("CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G valid-free) )", Err(())),
            ("", Err(())),
        ];
        for (text, expected) in cases {
            assert_eq!(of_text(text).map_err(|_| ()), expected, "{text}");
        }
    }
}
