//! Symbolic execution against the program it is about: what is met can be met, and what is said to be unreachable is.

use exec::Scalar;
use ir::Program;
use symex::explore::{Client, Config, Exploration, Given, GoalId, Met, Scenario, Witness, branch_goals, explore};

/// Takes the first witness of every goal.
#[derive(Default)]
struct First {
    met: Vec<(GoalId, Witness)>,
}

impl Client for First {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        self.met.push((met.goal, met.witness));
        vec![met.goal]
    }
}

fn program(text: &str) -> Program {
    match cfront::load_text(&[("t.c", text)]) {
        Ok(loaded) => loaded.program,
        Err(_) => panic!("the test program should be C"),
    }
}

fn branches(text: &str, entry: &str) -> (Exploration, Vec<(GoalId, Witness)>) {
    let program = program(text);
    let entry = program.find_function(entry).unwrap();
    let functions: Vec<_> = program.defined_functions().map(|(id, _, _)| id).collect();
    let goals = branch_goals(&program, &functions);
    let mut client = First::default();
    let found = explore(&program, &Scenario::open_call(&program, entry), &goals, &Config::default(), &mut client);
    (found, client.met)
}

fn int(witness: &Witness, name: &str) -> i128 {
    match witness.given.iter().find(|(known, _)| known == name) {
        Some((_, Given::Scalar(_, Scalar::Int(value)))) => *value,
        other => panic!("{name} should be an integer: {other:?}"),
    }
}

#[test]
fn figure_5_3() {
    let (found, met) =
        branches("int P(int x, int y) { if (2 * x == y) { if (x > y + 10) { return 1; } } return 0; }", "P");
    assert!(found.settled.iter().all(|settled| *settled), "{found:?}");
    let (_, witness) = met.iter().find(|(goal, _)| *goal == GoalId(2)).unwrap();
    let (x, y) = (int(witness, "x"), int(witness, "y"));
    assert!(2 * x == y && x > y + 10, "{x} {y}");
}
