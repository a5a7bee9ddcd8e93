//! Symbolic execution against its slow twin: random small programs run on all their inputs.
//!
//! The programs bound their inputs, so that the VM can try every one. A branch that some run takes must not be called
//! unreachable, and every input that is found for a branch must take it.
//!
//! `PLUMB_TWINS` is the number of programs, `PLUMB_TWINS_FROM` the first seed.

#[allow(dead_code)] // Claims are for the proofs.
#[path = "../../prove/tests/soundness/generate.rs"]
mod generate;

use exec::vm::{Image, Machine, Options};
use exec::{Ending, Input};
use generate::{BUDGET, Sketch, number};
use ir::{FunctionId, Outcome, Program};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use symex::explore::{Client, Config, Given, Goal, GoalId, Met, Scenario, Strategy, branch_goals, explore};

/// Which goals a run takes; none if it does not count.
fn taken(machine: &mut Machine<'_>, entry: FunctionId, input: &Input, goals: &[Goal]) -> Option<Vec<bool>> {
    let run = machine.run(entry, input, &BUDGET, Options { coverage: true, ..Options::default() });
    if matches!(run.outcome.ending, Ending::Assumed { .. }) {
        return None;
    }
    let coverage = run.coverage?;
    let is_taken = |goal: &Goal| match goal {
        Goal::Branch(function, branch) => match branch.outcome {
            Outcome::True => coverage.went(*function, branch.stmt, true),
            Outcome::False => coverage.went(*function, branch.stmt, false),
            _ => false,
        },
        _ => false,
    };
    Some(goals.iter().map(is_taken).collect())
}

struct Checker<'a, 'p> {
    machine: &'a mut Machine<'p>,
    entry: FunctionId,
    goals: &'a [Goal],
    text: &'a str,
    met: Vec<bool>,
}

impl Client for Checker<'_, '_> {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        let params = met.witness.given.iter().map(|(_, given)| match given {
            Given::Scalar(_, value) => *value,
            other => panic!("parameters should be numbers: {other:?}"),
        });
        let nondet = met.witness.nondet.iter().map(|(_, value)| *value).collect();
        let input = Input { params: params.collect(), nondet, ..Input::default() };
        let number = met.goal.0 as usize;
        if let Some(taken) = taken(self.machine, self.entry, &input, self.goals) {
            let is_switch = matches!(&self.goals[number], Goal::Branch(_, branch) if !matches!(branch.outcome, Outcome::True | Outcome::False));
            assert!(taken[number] || is_switch, "{input:?} should take {:?} of\n{}", self.goals[number], self.text);
        }
        self.met[number] = true;
        vec![met.goal]
    }
}

fn functions(program: &Program) -> Vec<FunctionId> {
    program.defined_functions().map(|(id, _, _)| id).collect()
}

#[test]
fn no_branch_that_a_run_takes_is_called_unreachable() {
    let (first, count) = (number("PLUMB_TWINS_FROM", 1), number("PLUMB_TWINS", 40));
    let (mut complete, mut reached, mut absent) = (0, 0, 0);
    for seed in first..first + count {
        let sketch = Sketch::new(seed);
        let text = sketch.traced();
        let loaded = cfront::load_text(&[("random.c", &text)]).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let program = loaded.program;
        let entry = program.find_function("mainQ").expect("mainQ should be there");
        let goals = branch_goals(&program, &functions(&program));
        let image = Image::new(&program, exec::libc::LIBRARY);
        let mut machine = Machine::new(&image);
        let mut possible = vec![false; goals.len()];
        for input in sketch.inputs() {
            if let Some(taken) = taken(&mut machine, entry, &input, &goals) {
                possible.iter_mut().zip(taken).for_each(|(known, taken)| *known |= taken);
            }
        }
        let stop = Arc::new(AtomicBool::new(false));
        let strategies =
            [Strategy::Portfolio, Strategy::Depth, Strategy::Breadth, Strategy::Coverage, Strategy::Distance];
        let config = Config {
            strategy: strategies[seed as usize % strategies.len()],
            max_loop: 24,
            max_steps: 4_000,
            merge: seed % 3 != 0,
            stop: Some(stop.clone()),
            ..Config::default()
        };
        let timer = std::thread::spawn({
            let stop = stop.clone();
            move || {
                for _ in 0..100 {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    std::thread::park_timeout(std::time::Duration::from_millis(10));
                }
                stop.store(true, Ordering::Relaxed);
            }
        });
        let mut checker =
            Checker { machine: &mut machine, entry, goals: &goals, text: &text, met: vec![false; goals.len()] };
        let found = explore(&program, &Scenario::open_call(&program, entry), &goals, &config, &mut checker);
        stop.store(true, Ordering::Relaxed);
        timer.thread().unpark();
        let _ = timer.join();
        complete += u32::from(found.is_complete());
        for ((goal, possible), met) in goals.iter().zip(&possible).zip(&checker.met) {
            reached += u32::from(*met);
            if found.is_complete() && !met {
                absent += 1;
                assert!(!possible, "seed {seed}: {goal:?} is taken by a run, and was called unreachable in\n{text}");
            }
        }
    }
    println!("{count} programs: {complete} explored completely, {reached} branches reached, {absent} unreachable");
    assert!(complete > 0 && reached > 0 && absent > 0, "the comparison should have something to compare");
}
