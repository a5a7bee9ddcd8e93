//! Stopping all checks over a pool, and no others, by a flag.

use smt::{Outcome, Solver, SortId, TermPool, Why};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};

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
    let cancel = Arc::new(AtomicBool::new(false));
    let start = Barrier::new(3);
    std::thread::scope(|scope| {
        let checks: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let t = TermPool::new();
                    t.cancelled_by(&cancel);
                    let mut solver = asked(&t);
                    start.wait();
                    solver.check()
                })
            })
            .collect();
        start.wait();
        cancel.store(true, Ordering::SeqCst);
        for check in checks {
            let outcome = check.join().expect("a check should not panic");
            assert!(interrupted(&outcome), "{outcome:?}");
        }
    });
    let t = TermPool::new();
    t.cancelled_by(&cancel);
    let outcome = asked(&t).check();
    assert!(interrupted(&outcome), "{outcome:?}");
    let other = TermPool::new();
    let outcome = Solver::new(&other).check();
    assert!(matches!(outcome, Outcome::Sat(_)), "{outcome:?}");
}
