//! How long a nullspace takes: all monomials up to degree 3 of nine variables, of which some are related as in a real
//! program, so 200 columns, on 400 rows. `make bench` runs it; it prints milliseconds and the number of relations.

use algebra::{Matrix, Monomial, nullspace};
use std::time::Instant;

const COLUMNS: usize = 200;
const ROWS: i128 = 400;
const REPEAT: usize = 9;

fn main() {
    let monomials: Vec<Monomial> = Monomial::up_to(9, 3).into_iter().take(COLUMNS).collect();
    // A generator of small numbers that is the same everywhere.
    let mut state = 1u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        i128::from((state >> 33) % below)
    };
    let rows: Vec<Vec<i128>> = (0..ROWS)
        .map(|_| {
            let (y, q, a, c, d) = (next(50) + 1, next(90), next(40), next(30), next(70));
            let r = next(50);
            let point = [q * y + r, y, q, r, a, a * y, c, d, c + d];
            let value = |m: &Monomial| m.exponents().iter().zip(point).map(|(&e, x)| x.pow(e.into())).product();
            monomials.iter().map(value).collect()
        })
        .collect();
    let matrix = Matrix::new(monomials.len(), rows);
    let mut best = f64::INFINITY;
    let mut found = 0;
    for _ in 0..REPEAT {
        let start = Instant::now();
        found = nullspace(&matrix).len();
        best = best.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    println!("{best:.2} {found}");
}
