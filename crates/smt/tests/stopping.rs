//! Stopping all checks of a process. It cannot be undone, so it is alone in its file.

use smt::{Outcome, Solver, SortId, TermPool, Why, stop_all};
use std::sync::Barrier;

/// Three cubes whose sum is 114: nobody knows whether there are such numbers.
fn asked(t: &TermPool) -> Solver {
    let cubes = ["x", "y", "z"].map(|name| {
        let x = t.var(name, SortId::INT);
        t.mul(x, t.mul(x, x))
    });
    let sum = cubes.into_iter().reduce(|a, b| t.add(a, b)).expect("three cubes have a sum");
    let mut solver = Solver::new(t);
    solver.assert(t.eq(sum, t.int(114)));
    solver
}

#[test]
fn running_and_later_checks_stop() {
    let interrupted = |outcome: &Outcome| matches!(outcome, Outcome::Unknown { why: Why::Interrupted });
    let start = Barrier::new(3);
    std::thread::scope(|scope| {
        let checks: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let t = TermPool::new();
                    let mut solver = asked(&t);
                    start.wait();
                    solver.check()
                })
            })
            .collect();
        start.wait();
        std::thread::sleep(std::time::Duration::from_millis(50));
        stop_all();
        for check in checks {
            let outcome = check.join().expect("a check should not panic");
            assert!(interrupted(&outcome), "{outcome:?}");
        }
    });
    let t = TermPool::new();
    let outcome = asked(&t).check();
    assert!(interrupted(&outcome), "{outcome:?}");
}
