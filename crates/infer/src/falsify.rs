//! What is left of the relations when further runs try to refute them.
//!
//! Relations are found on the rows that were kept; rows may have been visited and not kept, and others never visited.
//! So fresh inputs are run and every relation is evaluated on what they leave: inputs like the ones before, and inputs
//! that are chosen against relations, which ordinary ones rarely are ([`Generator::wide`](observe::inputs::Generator)).
//! Where one is refuted, the location is looked at again with the new rows; what is refuted in the end disappears.
//!
//! *Cost*: a few thousand short runs and some ten million steps for each round; a round follows only if the one before
//! refuted something.

use super::{Config, Engine, Invariant, LocationReport, relations_at, relations_of};
use exec::trace::Point;
use logic::{Cell, Predicate, Prepared, Scalar, Variable};
use observe::locations::powers_fit;
use observe::runs::Observations;

/// Fresh inputs of one round, and rounds.
const INPUTS: usize = 128;
const ROUNDS: usize = 4;
/// Inputs of one round that are chosen against relations, steps of each, and steps of all of them. Runs of large values
/// are long and show what they have to show early.
const WIDE_INPUTS: usize = 2_000;
const WIDE_STEPS: u64 = 10_000;
const ALL_WIDE_STEPS: u64 = 6_000_000;
/// The same for compiled runs, each of which is a process.
const NATIVE_WIDE_INPUTS: usize = 128;
/// Inputs on which what is not proved is tried last, and steps of all of them.
const LAST_INPUTS: usize = 30_000;
const ALL_LAST_STEPS: u64 = 3_000_000;
/// With fewer rows a location is looked at again when there are more.
const FEW_ROWS: usize = 64;
/// Rows of one run at a location that are looked at.
const ROWS: usize = 32;

/// The relations of all locations that no further run refutes.
pub fn falsify(observations: &mut Observations, config: &Config) -> Vec<LocationReport> {
    let mut reports = relations_of(observations, config);
    // Inputs that the user gave are all there are.
    if config.inputs.is_some() {
        return reports;
    }
    let mut refuted: Vec<Vec<Predicate>> = vec![Vec::new(); reports.len()];
    let mut turn = 0;
    let wide_inputs = if matches!(config.engine, Engine::Vm) { WIDE_INPUTS } else { NATIVE_WIDE_INPUTS };
    for round in 1..=ROUNDS {
        let mut prepared: Vec<Claims> = reports.iter().map(Claims::new).collect();
        let mut broken: Vec<Vec<bool>> = reports.iter().map(|report| vec![false; report.invariants.len()]).collect();
        let mut see = |location: usize, point: &Point| {
            prepared[location].try_rows(point, &mut broken[location]);
        };
        observations.run_fresh(INPUTS, &mut see);
        observations.run_wide(&mut turn, wide_inputs, WIDE_STEPS, ALL_WIDE_STEPS, &mut see);
        for (index, broken) in broken.iter().enumerate() {
            let lost = reports[index].invariants.iter().zip(broken).filter(|(_, broken)| **broken);
            refuted[index].extend(lost.map(|(invariant, _)| invariant.predicate.clone()));
        }
        // Where little was seen, more rows say more, whether they refute something or not.
        let grew = |index: usize| {
            reports[index].samples < FEW_ROWS && observations.evidence_at(index).0.len() > reports[index].samples
        };
        let again: Vec<usize> =
            (0..reports.len()).filter(|&index| broken[index].contains(&true) || grew(index)).collect();
        if again.is_empty() {
            break;
        }
        if round < ROUNDS {
            for (&index, report) in again.iter().zip(relations_at(observations, &again, config)) {
                reports[index] = report;
            }
        }
        // The row that refuted it may not have been kept.
        for (report, refuted) in reports.iter_mut().zip(&refuted) {
            report.invariants.retain(|invariant| !refuted.contains(&invariant.predicate));
        }
    }
    reports
}

/// Tries what is left and not proved on many more inputs that are chosen against it, and drops what they refute.
pub fn attack(observations: &mut Observations, reports: &mut [LocationReport], config: &Config) {
    let is_open = |invariant: &Invariant| !invariant.is_proved();
    if config.inputs.is_some() || !reports.iter().any(|report| report.invariants.iter().any(is_open)) {
        return;
    }
    let mut prepared: Vec<Claims> = reports.iter().map(Claims::new).collect();
    // What is proved is not tried.
    let proved = |report: &LocationReport| report.invariants.iter().map(Invariant::is_proved).collect();
    let mut settled: Vec<Vec<bool>> = reports.iter().map(proved).collect();
    let mut see = |location: usize, point: &Point| prepared[location].try_rows(point, &mut settled[location]);
    let inputs = if matches!(config.engine, Engine::Vm) { LAST_INPUTS } else { NATIVE_WIDE_INPUTS };
    observations.run_wide(&mut 0, inputs, WIDE_STEPS, ALL_LAST_STEPS, &mut see);
    for (report, settled) in reports.iter_mut().zip(settled) {
        let mut settled = settled.into_iter();
        report.invariants.retain(|invariant| settled.next() == Some(false) || invariant.is_proved());
    }
}

/// The relations of a location over what a trace point records, made ready for its columns.
struct Claims {
    variables: Vec<Variable>,
    claims: Vec<Prepared>,
}

impl Claims {
    fn new(report: &LocationReport) -> Claims {
        let spelled_out = |predicate: &Predicate| report.location.spelled_out(predicate);
        let claims = report.invariants.iter().map(|i| Prepared::new(spelled_out(&i.predicate), &|_| None)).collect();
        Claims { variables: Vec::new(), claims }
    }

    /// Evaluates the relations that are not broken yet on some rows: the first, the last, and some between.
    fn try_rows(&mut self, point: &Point, broken: &mut [bool]) {
        if self.variables != point.variables() {
            self.variables = point.variables().to_vec();
            for claim in &mut self.claims {
                *claim = Prepared::new(claim.predicate.clone(), &|name| point.index_of(name).map(Cell::whole));
            }
        }
        let stride = point.len().div_ceil(ROWS / 2).max(1);
        for (index, row) in point.rows().enumerate() {
            if index >= ROWS / 4 && index + ROWS / 4 < point.len() && index % stride != 0 {
                continue;
            }
            let whole = |column: usize| match row.get(column) {
                Scalar::Int(value) => Some(value),
                Scalar::Float(_) => None,
            };
            for (claim, broken) in self.claims.iter().zip(broken.iter_mut()).filter(|(_, broken)| !**broken) {
                // Where a relation has no value it says nothing.
                let fails = match claim.quickly(&whole) {
                    Some(holds) => !holds,
                    None => claim.predicate.holds(&row) == Ok(false),
                };
                *broken = fails && powers_fit(&claim.predicate, &row);
            }
        }
    }
}
