//! What a proof rests on, written down, and the check that it does.
//!
//! A certificate lists the invariants at each cut point and the claims they prove. Checking it asks, with fresh
//! solvers, whether every transition preserves the invariants and every claim follows; no candidate is looked for and
//! none is dropped. The program is read anew, so a certificate cannot vouch for another one.

use super::candidate::{Candidate, Claim};
use super::entail::Effort;
use super::induction::joint;
use super::proof::Proof;
use super::system::{PropertyId, PropertyKind, System};
use super::vacuity::Vacuity;
use diagnostics::Deadline;
use logic::Predicate;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// The name of a cut point and an invariant there.
    pub invariants: Vec<(String, String)>,
    /// The claims that are said to be proved: text, line and the steps of induction.
    pub claims: Vec<CertifiedClaim>,
    /// Those of the invariants that were asked about, and so are claims too.
    pub asked: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CertifiedClaim {
    pub text: String,
    pub line: u32,
    pub k: usize,
}

impl Claim {
    /// Reads what `Display` writes.
    pub fn parse(text: &str) -> Result<Claim, String> {
        if let Some((of, rest)) = text.split_once(" is ") {
            let ratio = |digits: &str| digits.parse().map_err(|_| format!("`{digits}` is not a ratio"));
            if let Some(digits) = rest.strip_prefix("a power of ") {
                return Ok(Claim::Geometric { of: of.into(), unit: None, ratio: ratio(digits)? });
            }
            if let Some((unit, digits)) = rest.split_once(" times a power of ") {
                return Ok(Claim::Geometric { of: of.into(), unit: Some(unit.into()), ratio: ratio(digits)? });
            }
        }
        if let Some((divisor, dividend)) = text.split_once(" divides ") {
            return Ok(Claim::Divides { divisor: divisor.into(), dividend: dividend.into() });
        }
        Predicate::parse(text).map(Claim::Predicate).map_err(|error| format!("`{text}`: {error}"))
    }
}

/// Why a certificate does not certify.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// It speaks of something the program does not have, or cannot be read.
    Misfit(String),
    /// An invariant that some transition does not preserve, as far as can be told.
    NotInductive(Vec<String>),
    /// A claim that does not follow.
    NotImplied(String),
    /// A claim that nothing comes to under the assumptions of the program.
    Vacuous(String),
    /// It claims nothing.
    Empty,
    /// There was no time to check it.
    Stopped,
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rejected::Misfit(what) => write!(f, "the certificate does not fit the program: {what}"),
            Rejected::NotInductive(which) => write!(f, "not shown to be inductive: {}", which.join("; ")),
            Rejected::Stopped => write!(f, "stopped before the check was done"),
            Rejected::NotImplied(claim) => write!(f, "does not follow from the invariants: {claim}"),
            Rejected::Vacuous(claim) => write!(f, "no run that the program allows comes to it: {claim}"),
            Rejected::Empty => write!(f, "it claims nothing"),
        }
    }
}

/// Checks a certificate against a program; `line` gives the line of a property.
pub fn check(
    system: &System,
    certificate: &Certificate,
    line: &dyn Fn(PropertyId) -> u32,
    deadline: &Deadline,
) -> Result<BTreeSet<PropertyId>, Rejected> {
    if certificate.claims.is_empty() && certificate.asked.is_empty() {
        return Err(Rejected::Empty);
    }
    if let Some((at, text)) = certificate.asked.iter().find(|asked| !certificate.invariants.contains(asked)) {
        return Err(Rejected::Misfit(format!("`{text}` at {at} is claimed and not among the invariants")));
    }
    let mut candidates = Vec::new();
    for (name, text) in &certificate.invariants {
        let claim = Claim::parse(text).map_err(Rejected::Misfit)?;
        let cuts = system.cuts_named(name);
        if cuts.is_empty() {
            return Err(Rejected::Misfit(format!("there is no place `{name}`")));
        }
        candidates.extend(cuts.into_iter().map(|cut| Candidate { cut, claim: claim.clone() }));
    }
    let result = joint(system, &candidates, &[], Effort::FULL, deadline);
    if !result.complete || deadline.is_cancelled() {
        return Err(Rejected::Stopped);
    }
    if !result.dropped.is_empty() {
        return Err(Rejected::NotInductive(result.dropped.iter().map(|(c, _)| c.claim.to_string()).collect()));
    }
    let mut proof =
        Proof { invariants: result.candidates, methods: result.methods, rests_on: result.rests_on, ..Proof::default() };
    let mut proved = BTreeSet::new();
    for claim in &certificate.claims {
        let matching = (0..system.properties.len() as u32)
            .map(PropertyId)
            .filter(|id| system.property(*id).text == claim.text && line(*id) == claim.line);
        let mut found = false;
        for property in matching {
            found = true;
            let follows = proof.argue(system, property, Effort::FULL).is_some()
                || proof.argue_by_steps(system, property, claim.k, Effort::FULL, deadline).is_some();
            if !follows && deadline.is_cancelled() {
                return Err(Rejected::Stopped);
            }
            if !follows {
                return Err(Rejected::NotImplied(claim.text.clone()));
            }
            proved.insert(property);
        }
        if !found {
            return Err(Rejected::Misfit(format!("there is no claim `{}` at line {}", claim.text, claim.line)));
        }
    }
    let vacuity = Vacuity::of(system, &proof.invariants, &proved, Effort::FULL.deadline(deadline.at));
    let is_unmet = |id: &PropertyId| {
        let property = system.property(*id);
        property.kind == PropertyKind::Assert && !property.met
    };
    if let Some(id) = proved.iter().find(|id| is_unmet(id) || vacuity.covers(system, **id)) {
        return Err(Rejected::Vacuous(system.property(*id).text.clone()));
    }
    for (at, text) in &certificate.asked {
        if system.cuts_named(at).into_iter().all(|cut| vacuity.covers_cut(system, cut)) {
            return Err(Rejected::Vacuous(format!("{text} at {at}")));
        }
    }
    Ok(proved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_read_what_they_write() {
        for text in ["q is a power of 4", "b is B times a power of 2", "q divides p", "x == q*y + r"] {
            assert_eq!(Claim::parse(text).unwrap().to_string(), text);
        }
        assert!(Claim::parse("q is a power of x").is_err());
        assert!(Claim::parse("x ==").is_err());
    }
}
