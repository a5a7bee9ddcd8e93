//! Inputs that make the producer follow the path of a counterexample, by symbolic execution ([`symex::explore`]).
//!
//! The calls of the path are marked, and inputs are sought with which the marks are passed in their order. What else
//! happens between two marks and after the last one is left open, so an input is a candidate and no more: whoever asks
//! runs the program on it.
//!
//! Where one call writes several symbols it stands in the path several times, and so does a call in a loop. Both
//! readings are sought: calls as the machine tells them apart, and each row of the same call as one.
//!
//! *May miss*: inputs beyond the bounds of [`symex::explore`], and programs that take their inputs from elsewhere than
//! arguments and standard input.

use super::Written;
use ir::{FunctionId, Program, StmtId, StmtKind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use symex::explore::{self, Client, Goal, GoalId, Met, Scenario};
use symex::targets::{Kind, Target, mark, point_name};

/// Inputs that are tried before the search is given up.
const ATTEMPTS: usize = 48;

/// Terms after which the search is given up: some seconds.
const TERMS: usize = 400_000;

/// Seeks inputs, arguments and standard input, until one is good.
pub(super) fn follow(
    program: &Program,
    path: &[Written],
    seed: u64,
    cancel: &Arc<AtomicBool>,
    good: &mut dyn FnMut(&[String], &[u8]) -> bool,
) {
    let Some(entry) = program.find_function("main") else { return };
    let mut targets: Vec<Target> = Vec::new();
    let (mut calls, mut rows) = (Vec::new(), Vec::new());
    for written in path {
        let Some(at) = call(program, written) else { return };
        let known = targets.iter().position(|target| target.at == Some(at));
        let number = known.unwrap_or_else(|| {
            targets.push(Target { name: written.place.clone(), kind: Kind::Place, at: Some(at), span: written.span });
            targets.len() - 1
        });
        let name = point_name(number);
        if rows.last() != Some(&name) {
            rows.push(name.clone());
        }
        if written.begins || calls.last() != Some(&name) {
            calls.push(name);
        }
    }
    if calls.is_empty() {
        return;
    }
    let mut goals = vec![Goal::Sequence(calls), Goal::Sequence(rows)];
    goals.dedup();
    let marked = mark(program, &targets).program;
    let config = explore::Config { seed, stop: Some(cancel.clone()), max_terms: TERMS, ..explore::Config::default() };
    let mut trial = Trial { goals: goals.len(), tried: Vec::new(), good };
    explore::explore(&marked, &Scenario::open_call(&marked, entry), &goals, &config, &mut trial);
}

/// The call that writes a symbol.
fn call(program: &Program, written: &Written) -> Option<(FunctionId, StmtId)> {
    let id = program.find_function(&written.function)?;
    let mut found = None;
    program.functions[id].body.as_ref()?.walk(&mut |stmt| {
        if matches!(stmt.kind, StmtKind::Call { .. }) && stmt.span == written.span {
            found.get_or_insert((id, stmt.id));
        }
    });
    found
}

struct Trial<'a> {
    goals: usize,
    tried: Vec<(Vec<String>, Vec<u8>)>,
    good: &'a mut dyn FnMut(&[String], &[u8]) -> bool,
}

impl Client for Trial<'_> {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        let args: Vec<String> = met.witness.args.iter().map(|arg| String::from_utf8_lossy(arg).into_owned()).collect();
        let input = (args, met.witness.stdin);
        let is_known = self.tried.contains(&input);
        let is_good = !is_known && (self.good)(&input.0, &input.1);
        if !is_known {
            self.tried.push(input);
        }
        let over = is_good || self.tried.len() >= ATTEMPTS;
        (0..self.goals as u32).filter(|_| over).map(GoalId).collect()
    }
}
