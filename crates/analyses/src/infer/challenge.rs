//! What is left of the relations when further runs try to refute them.
//!
//! Relations are found on the rows that were kept; rows may have been visited and not kept, and others never visited.
//! So fresh inputs are run and every relation is evaluated on what they leave. Where one is refuted, the location is
//! looked at again with the new rows; what is refuted in the end disappears.

use super::runs::Observations;
use super::{Config, Invariant, LocationReport, relations_of};
use exec::predicate::Predicate;
use exec::trace::Point;

/// Fresh inputs of one round, and rounds.
const INPUTS: usize = 128;
const ROUNDS: usize = 3;
/// Rows of one run at a location that are looked at.
const ROWS: usize = 32;

/// The relations of all locations that no further run refutes.
pub fn unrefuted(observations: &mut Observations, config: &Config) -> Vec<LocationReport> {
    let mut reports = relations_of(observations, config);
    // Inputs that the user gave are all there are.
    if config.inputs.is_some() {
        return reports;
    }
    let mut refuted: Vec<Vec<Predicate>> = vec![Vec::new(); reports.len()];
    for round in 1..=ROUNDS {
        let claims: Vec<Vec<Predicate>> = reports.iter().map(plain).collect();
        let mut broken: Vec<Vec<bool>> = claims.iter().map(|claims| vec![false; claims.len()]).collect();
        observations.challenge(INPUTS, &mut |location, point| {
            try_rows(point, &claims[location], &mut broken[location]);
        });
        let mut any = false;
        for ((report, broken), refuted) in reports.iter().zip(&broken).zip(&mut refuted) {
            let lost = report.invariants.iter().zip(broken).filter(|(_, broken)| **broken);
            for (Invariant { predicate, .. }, _) in lost {
                refuted.push(predicate.clone());
                any = true;
            }
        }
        if !any {
            break;
        }
        if round < ROUNDS {
            reports = relations_of(observations, config);
        }
        // The row that refuted it may not have been kept.
        for (report, refuted) in reports.iter_mut().zip(&refuted) {
            report.invariants.retain(|invariant| !refuted.contains(&invariant.predicate));
        }
    }
    reports
}

/// The predicates of a location over what its trace point records.
fn plain(report: &LocationReport) -> Vec<Predicate> {
    let meaning = |name: &str| {
        let variable = report.location.variables.iter().find(|v| v.name == name)?;
        Some(variable.term.clone())
    };
    report.invariants.iter().map(|invariant| invariant.predicate.substitute(&meaning)).collect()
}

/// Evaluates the predicates that are not broken yet on some rows: the first, the last, and some between.
fn try_rows(point: &Point, claims: &[Predicate], broken: &mut [bool]) {
    let stride = point.len().div_ceil(ROWS / 2).max(1);
    for (index, row) in point.rows().enumerate() {
        if index >= ROWS / 4 && index + ROWS / 4 < point.len() && index % stride != 0 {
            continue;
        }
        for (claim, broken) in claims.iter().zip(broken.iter_mut()) {
            // Where a relation has no value it says nothing.
            *broken |= !*broken && claim.holds(&row) == Ok(false);
        }
    }
}
