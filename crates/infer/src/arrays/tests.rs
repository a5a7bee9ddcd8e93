//! The examples of the source, and what may go wrong.

use super::shown::Names;
use super::*;
use fastrand::Rng;

/// A table whose visits give every array as extents and cells.
pub(super) fn table(names: &[&str], visits: Vec<Vec<(Vec<usize>, Vec<i64>)>>) -> Table {
    let visit = |arrays: Vec<(Vec<usize>, Vec<i64>)>| Visit {
        scalars: Vec::new(),
        arrays: arrays.into_iter().map(|(extents, cells)| Some(Grid::new(extents, cells))).collect(),
        is_last: true,
    };
    let arrays = names.iter().map(|name| ArrayVariable::new(*name)).collect();
    Table { scalars: Vec::new(), arrays, visits: visits.into_iter().map(visit).collect() }
}

pub(super) fn found(table: &Table, config: &Config) -> Vec<String> {
    let names = Names::of(table, &config.functions);
    array_relations(table, config).relations.iter().map(|relation| names.relation(relation)).collect()
}

fn numbers(rng: &mut Rng, count: usize) -> Vec<i64> {
    (0..count).map(|_| rng.i64(-100..100)).collect()
}

#[test]
fn example_4_3_1_nested() {
    let arrays =
        vec![(vec![3], vec![7, 1, -3]), (vec![7], vec![1, -3, 5, 1, 0, 7, 1]), (vec![7], vec![8, 5, 6, 6, 2, 1, 4])];
    let table = table(&["A", "B", "C"], vec![arrays]);
    // On three elements of one visit a plain index fits as well.
    let wanted = ["A[i] == B[5 - 2*i]  for 0 <= i < 3", "A[i] == B[C[2*i + 1]]  for 0 <= i < 3"];
    assert_eq!(found(&table, &Config::default()), wanted);
}

#[test]
fn example_4_4_1_flat_and_its_reverse() {
    let mut rng = Rng::with_seed(1);
    let visits = (0..12).map(|_| {
        let b = numbers(&mut rng, 5);
        let a = (0..3).map(|i| 7 * b[2 * i] + 3 * i as i64).collect();
        vec![(vec![3], a), (vec![5], b)]
    });
    let table = table(&["A", "B"], visits.collect());
    let wanted =
        ["A[i] == 7*B[2*i] + 3*i  for 0 <= i < 3", "B[i] == 1/7*A[1/2*i] - 3/14*i  for 0 <= i < 5, i % 2 == 0"];
    assert_eq!(found(&table, &Config::default()), wanted);
}

#[test]
fn flatten_and_conditional_copy() {
    let mut rng = Rng::with_seed(2);
    let visits = (0..10).map(|_| {
        let b = numbers(&mut rng, 24);
        let mut a = b.clone();
        a.extend(numbers(&mut rng, 16));
        vec![(vec![10, 4], a), (vec![24], b)]
    });
    let table = table(&["A", "B"], visits.collect());
    assert_eq!(found(&table, &Config::default()), ["A[i][j] == B[4*i + j]  for 0 <= i < 6, 0 <= j < 4"]);
}

/// Example 4.2.20: factors around and inside of a nesting.
#[test]
fn example_4_2_20_factors() {
    let mut rng = Rng::with_seed(3);
    let visits = (0..24).map(|_| {
        let b2: Vec<i64> = (0..13).map(|_| 5 * rng.i64(0..12)).collect();
        let mut b1: Vec<i64> = numbers(&mut rng, 16);
        b1.iter_mut().enumerate().for_each(|(n, v)| *v = *v * 16 + n as i64);
        let a = (0..5).map(|i| -2 * b1[(4 + b2[2 * i + 3] / 5) as usize]).collect();
        vec![(vec![5], a), (vec![16], b1), (vec![13], b2)]
    });
    let table = table(&["a", "b1", "b2"], visits.collect());
    assert_eq!(found(&table, &Config::default()), ["a[i] == -2*b1[1/5*b2[2*i + 3] + 4]  for 0 <= i < 5"]);
}

#[test]
fn within_one_array_and_sums() {
    let mut rng = Rng::with_seed(4);
    let visits = (0..24).map(|_| {
        let a = numbers(&mut rng, 9);
        let mut p = vec![a[0]];
        (1..9).for_each(|i| p.push(p[i - 1] + a[i]));
        let mut mirrored = numbers(&mut rng, 4);
        mirrored.extend_from_within(..);
        mirrored[4..].reverse();
        vec![(vec![9], p), (vec![8], mirrored), (vec![9], a)]
    });
    let table = table(&["P", "M", "A"], visits.collect());
    let found = found(&table, &Config::default());
    assert!(found.contains(&"P[i] == P[i - 1] + A[i]  for 1 <= i < 9".to_string()), "{found:?}");
    assert!(found.contains(&"M[i] == M[7 - i]  for 0 <= i < 8".to_string()), "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn repeats_allow_an_array_twice() {
    let mut rng = Rng::with_seed(5);
    let visits = (0..20).map(|_| {
        let mut p: Vec<i64> = (0..8).collect();
        rng.shuffle(&mut p);
        let q = p.iter().map(|i| p[*i as usize]).collect();
        vec![(vec![8], q), (vec![8], p)]
    });
    let table = table(&["Q", "P"], visits.collect());
    assert_eq!(found(&table, &Config::default()), [""; 0]);
    let twice = Config { repeats: 2, ..Config::default() };
    assert!(found(&table, &twice).contains(&"Q[i] == P[P[i]]  for 0 <= i < 8".to_string()));
}

#[test]
fn unrelated_arrays_have_no_relations() {
    let mut rng = Rng::with_seed(6);
    let visits = (0..30).map(|_| {
        let bits = |rng: &mut Rng, n: usize| (0..n).map(|_| rng.i64(0..2)).collect::<Vec<i64>>();
        vec![
            (vec![12], numbers(&mut rng, 12)),
            (vec![3, 4], numbers(&mut rng, 12)),
            (vec![10], bits(&mut rng, 10)),
            (vec![6], (0..6).map(|_| rng.i64(0..6)).collect()),
        ]
    });
    let table = table(&["A", "B", "F", "I"], visits.collect());
    assert_eq!(found(&table, &Config::default()), [""; 0]);
}

#[test]
fn empty_arrays_and_strange_indices_are_no_trouble() {
    let empty = table(&["A", "B"], vec![vec![(vec![0], vec![]), (vec![2], vec![1, 2])]; 4]);
    let notes = array_relations(&empty, &Config::default()).notes;
    assert_eq!(notes, ["`A` has no elements."]);
    let far = (0..6).map(|n| vec![(vec![3], vec![i64::MAX, i64::MIN, n]), (vec![3], vec![-1, 99, i64::MIN + n])]);
    found(&table(&["A", "B"], far.collect()), &Config::default());
}

#[test]
fn the_same_memory_is_looked_at_once() {
    let mut table = table(&["A", "B"], vec![vec![(vec![2], vec![1, 2]), (vec![2], vec![1, 2])]; 4]);
    for visit in &mut table.visits {
        visit.arrays.iter_mut().flatten().for_each(|grid| grid.address = Some(64));
    }
    let notes = array_relations(&table, &Config::default()).notes;
    assert_eq!(notes, ["`B` is the same memory as `A` at every visit; only `A` is looked at."]);
}

#[test]
fn sizes_that_differ_are_followed_by_a_scalar() {
    let mut rng = Rng::with_seed(7);
    let mut sized = Table {
        scalars: vec!["M".into(), "N".into()],
        arrays: vec![ArrayVariable::new("A"), ArrayVariable::new("B")],
        visits: Vec::new(),
    };
    for n in 0..40 {
        let (rows, columns) = (3 + n % 3, 2 + n % 4);
        let b = numbers(&mut rng, rows * columns);
        let arrays = vec![Some(Grid::new(vec![rows, columns], b.clone())), Some(Grid::new(vec![rows * columns], b))];
        sized.visits.push(Visit { scalars: vec![Some(rows as i64), Some(columns as i64)], arrays, is_last: true });
    }
    assert_eq!(found(&sized, &Config::default()), ["A[i][j] == B[N*i + j]  for 0 <= i < M, 0 <= j < N"]);
}

#[test]
fn ten_thousand_elements() {
    let mut rng = Rng::with_seed(8);
    let visits = (0..12).map(|_| {
        let b: Vec<i64> = (0..10_000).map(|_| rng.i64(-1_000_000..1_000_000)).collect();
        let a = b.iter().enumerate().map(|(i, x)| 7 * x + 3 * i as i64).collect();
        vec![(vec![10_000], a), (vec![10_000], b)]
    });
    let table = table(&["A", "B"], visits.collect());
    assert_eq!(found(&table, &Config::default())[0], "A[i] == 7*B[i] + 3*i  for 0 <= i < 10000");
}
