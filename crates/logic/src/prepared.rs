//! A predicate made ready for many rows: columns instead of names, machine words instead of unbounded numbers.
//!
//! Comparisons and congruences of sums, products, `min`, `max` and powers over whole numbers and decimals, and what `!`,
//! `&&`, `||` and `==>` make of them, have a quick form. It is evaluated in 128 bits on a single row, and in 64 bits on
//! the columns of a [`Block`] of rows, where the largest magnitudes in it show that nothing can overflow. Everything
//! else, and what does not fit, is left to [`Predicate::evaluate`], with which the tests compare both.

use crate::{Predicate, Relation, Term};
use dashu_base::Gcd;
use std::ops::Not;

/// A predicate and, where it has one, its quick form.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub predicate: Predicate,
    quick: Option<Quick>,
}

/// Where a variable stands in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub column: usize,
    /// For a real variable, what the cell is divided by; positive.
    pub denominator: Option<i64>,
}

impl Cell {
    /// The cell of an integer.
    pub fn whole(column: usize) -> Cell {
        Cell { column, denominator: None }
    }
}

#[derive(Clone, Debug)]
enum Quick {
    /// The sum compared with zero.
    Compare(Relation, Sum),
    /// The sum is a multiple of the positive number.
    Multiple(Sum, i64),
    Not(Box<Quick>),
    All(Vec<Quick>),
    Any(Vec<Quick>),
}

#[derive(Clone, Debug)]
struct Sum {
    constant: i128,
    parts: Vec<(i128, Vec<Factor>)>,
}

#[derive(Clone, Debug)]
enum Factor {
    Column(usize),
    Least(Vec<Sum>),
    Greatest(Vec<Sum>),
    Power(u32, Sum),
}

impl Prepared {
    /// `cell` says where a variable stands.
    pub fn new(predicate: Predicate, cell: &dyn Fn(&str) -> Option<Cell>) -> Prepared {
        let quick = Quick::new(&predicate, cell);
        Prepared { predicate, quick }
    }

    /// Whether it holds of a row; `None` if there is no quick form, 128 bits do not suffice, or a cell it looks at is
    /// no whole number.
    pub fn quickly(&self, cell: &impl Fn(usize) -> Option<i128>) -> Option<bool> {
        self.quick.as_ref()?.holds(cell)
    }

    /// The rows of a block on which it does not hold; `None` if there is no quick form or 64 bits may not suffice.
    pub fn failures(&self, block: &Block) -> Option<Vec<usize>> {
        let holds = self.quick.as_ref()?.of_block(block)?;
        Some((0..block.len()).filter(|&row| !holds[row]).collect())
    }
}

impl Quick {
    fn new(predicate: &Predicate, cell: &dyn Fn(&str) -> Option<Cell>) -> Option<Quick> {
        let all = |parts: &[Predicate]| parts.iter().map(|part| Quick::new(part, cell)).collect::<Option<Vec<_>>>();
        Some(match predicate {
            Predicate::Const(true) => Quick::All(Vec::new()),
            Predicate::Const(false) => Quick::Any(Vec::new()),
            Predicate::And(parts) => Quick::All(all(parts)?),
            Predicate::Or(parts) => Quick::Any(all(parts)?),
            Predicate::Not(part) => Quick::Not(Box::new(Quick::new(part, cell)?)),
            Predicate::Implies(left, right) => {
                Quick::Any(vec![Quick::Not(Box::new(Quick::new(left, cell)?)), Quick::new(right, cell)?])
            }
            Predicate::Compare(relation, left, right) => {
                let (left, right) = (Fraction::new(left, cell)?, Fraction::new(right, cell)?);
                Quick::Compare(*relation, left.minus(right)?.sum)
            }
            Predicate::Congruent(left, right, modulus) => {
                let modulus = i64::try_from(modulus).ok().filter(|modulus| *modulus > 0)?;
                // Of what is no integer a congruence says nothing.
                let whole = |name: &str| cell(name).filter(|cell| cell.denominator.is_none());
                let difference = Fraction::new(left, &whole)?.minus(Fraction::new(right, &whole)?)?;
                Quick::Multiple((difference.below == 1).then_some(difference.sum)?, modulus)
            }
        })
    }

    fn holds(&self, cell: &impl Fn(usize) -> Option<i128>) -> Option<bool> {
        let (parts, decisive) = match self {
            Quick::Compare(relation, sum) => return Some(relation.holds(sum.value(cell)?.cmp(&0))),
            Quick::Multiple(sum, modulus) => return Some(sum.value(cell)? % i128::from(*modulus) == 0),
            Quick::Not(part) => return part.holds(cell).map(Not::not),
            Quick::All(parts) => (parts, false),
            Quick::Any(parts) => (parts, true),
        };
        for part in parts {
            if part.holds(cell)? == decisive {
                return Some(decisive);
            }
        }
        Some(!decisive)
    }

    /// For each row of a block whether it holds.
    fn of_block(&self, block: &Block) -> Option<Vec<bool>> {
        fn each(values: &[i64], holds: impl Fn(i64) -> bool) -> Vec<bool> {
            values.iter().map(|&value| holds(value)).collect()
        }
        let (parts, decisive) = match self {
            Quick::Compare(relation, sum) => {
                let values = sum.of_block(block)?;
                return Some(match relation {
                    Relation::Eq => each(&values, |value| value == 0),
                    Relation::Ne => each(&values, |value| value != 0),
                    Relation::Lt => each(&values, |value| value < 0),
                    Relation::Le => each(&values, |value| value <= 0),
                    Relation::Gt => each(&values, |value| value > 0),
                    Relation::Ge => each(&values, |value| value >= 0),
                });
            }
            Quick::Multiple(sum, modulus) => return Some(each(&sum.of_block(block)?, |value| value % modulus == 0)),
            Quick::Not(part) => {
                let mut all = part.of_block(block)?;
                all.iter_mut().for_each(|holds| *holds = !*holds);
                return Some(all);
            }
            Quick::All(parts) => (parts, false),
            Quick::Any(parts) => (parts, true),
        };
        let mut all = vec![!decisive; block.len()];
        for part in parts {
            for (sofar, holds) in all.iter_mut().zip(part.of_block(block)?) {
                *sofar = if decisive { *sofar | holds } else { *sofar & holds };
            }
            if all.iter().all(|holds| *holds == decisive) {
                break;
            }
        }
        Some(all)
    }
}

impl Sum {
    fn value(&self, cell: &impl Fn(usize) -> Option<i128>) -> Option<i128> {
        let mut sum = self.constant;
        for (coefficient, factors) in &self.parts {
            let mut product = *coefficient;
            for factor in factors {
                let value = match factor {
                    Factor::Column(column) => cell(*column)?,
                    Factor::Least(of) => all(of.iter().map(|sum| sum.value(cell)))?.into_iter().min()?,
                    Factor::Greatest(of) => all(of.iter().map(|sum| sum.value(cell)))?.into_iter().max()?,
                    Factor::Power(base, exponent) => {
                        i128::from(*base).checked_pow(u32::try_from(exponent.value(cell)?).ok()?)?
                    }
                };
                product = product.checked_mul(value)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// How large it can be on a block, if that is sure to fit 64 bits.
    fn reach(&self, block: &Block) -> Option<u64> {
        let mut reach = self.constant.unsigned_abs();
        for (coefficient, factors) in &self.parts {
            let mut product = coefficient.unsigned_abs();
            for factor in factors {
                let of = match factor {
                    Factor::Column(column) => block.reach[*column],
                    Factor::Least(of) | Factor::Greatest(of) => {
                        all(of.iter().map(|sum| sum.reach(block)))?.into_iter().max()?
                    }
                    Factor::Power(..) => return None,
                };
                product = product.checked_mul(of.into())?;
            }
            reach = reach.checked_add(product)?;
        }
        u64::try_from(reach).ok().filter(|reach| *reach <= i64::MAX as u64)
    }

    /// The values on the rows of a block. Products may wrap on the way: what they come to fits.
    fn of_block(&self, block: &Block) -> Option<Vec<i64>> {
        self.reach(block)?;
        let mut values = vec![self.constant as i64; block.len()];
        for (coefficient, factors) in &self.parts {
            let coefficient = *coefficient as i64;
            if let [Factor::Column(column)] = factors.as_slice() {
                for (value, cell) in values.iter_mut().zip(&block.columns[*column]) {
                    *value = value.wrapping_add(coefficient.wrapping_mul(*cell));
                }
                continue;
            }
            let mut product = vec![coefficient; block.len()];
            let times = |product: &mut [i64], factor: &[i64]| {
                product.iter_mut().zip(factor).for_each(|(value, factor)| *value = value.wrapping_mul(*factor));
            };
            for factor in factors {
                match factor {
                    Factor::Column(column) => times(&mut product, &block.columns[*column]),
                    Factor::Least(of) => times(&mut product, &extremes(of, block, i64::min)?),
                    Factor::Greatest(of) => times(&mut product, &extremes(of, block, i64::max)?),
                    Factor::Power(..) => return None,
                }
            }
            values.iter_mut().zip(&product).for_each(|(value, product)| *value = value.wrapping_add(*product));
        }
        Some(values)
    }
}

fn all<T>(values: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    values.collect()
}

fn extremes(of: &[Sum], block: &Block, choose: fn(i64, i64) -> i64) -> Option<Vec<i64>> {
    let (first, rest) = of.split_first()?;
    let mut best = first.of_block(block)?;
    for sum in rest {
        best.iter_mut().zip(sum.of_block(block)?).for_each(|(best, value)| *best = choose(*best, value));
    }
    Some(best)
}

/// A sum over a positive number.
struct Fraction {
    sum: Sum,
    below: i128,
}

impl Fraction {
    fn of(coefficient: i128, factors: Vec<Factor>, below: i128) -> Fraction {
        let sum = match factors.is_empty() {
            true => Sum { constant: coefficient, parts: Vec::new() },
            false => Sum { constant: 0, parts: vec![(coefficient, factors)] },
        };
        Fraction { sum, below }
    }

    /// `None` if it is no such thing, or its numbers are large.
    fn new(term: &Term, cell: &dyn Fn(&str) -> Option<Cell>) -> Option<Fraction> {
        let fractions = |parts: &[Term]| all(parts.iter().map(|part| Fraction::new(part, cell)));
        match term {
            Term::Const(value) => {
                let (above, below) = (value.numerator(), value.denominator());
                Some(Fraction::of(i128::try_from(above).ok()?, Vec::new(), i128::try_from(below).ok()?))
            }
            Term::Var(name) => {
                let Cell { column, denominator } = cell(name)?;
                Some(Fraction::of(1, vec![Factor::Column(column)], denominator.unwrap_or(1).into()))
            }
            Term::Neg(part) => Fraction::new(part, cell)?.scaled(-1),
            Term::Sum(parts) => fractions(parts)?.into_iter().try_fold(Fraction::of(0, Vec::new(), 1), Fraction::plus),
            Term::Product(parts) => {
                fractions(parts)?.into_iter().try_fold(Fraction::of(1, Vec::new(), 1), Fraction::times)
            }
            Term::Power(base, exponent @ 0..=20) => (0..*exponent)
                .try_fold(Fraction::of(1, Vec::new(), 1), |power, _| power.times(Fraction::new(base, cell)?)),
            Term::Min(parts) => Fraction::extreme(fractions(parts)?, Factor::Least),
            Term::Max(parts) => Fraction::extreme(fractions(parts)?, Factor::Greatest),
            Term::Exponential(base, exponent) => {
                let whole = |name: &str| cell(name).filter(|cell| cell.denominator.is_none());
                let exponent = Fraction::new(exponent, &whole).filter(|exponent| exponent.below == 1)?;
                Some(Fraction::of(1, vec![Factor::Power(*base, exponent.sum)], 1))
            }
            Term::Power(..) | Term::Element(..) | Term::Binary(..) | Term::Abs(_) => None,
        }
    }

    fn scaled(mut self, by: i128) -> Option<Fraction> {
        self.sum.constant = self.sum.constant.checked_mul(by)?;
        for (coefficient, _) in &mut self.sum.parts {
            *coefficient = coefficient.checked_mul(by)?;
        }
        Some(self)
    }

    fn plus(self, other: Fraction) -> Option<Fraction> {
        let below = common(self.below, other.below)?;
        let (own, theirs) = (below / self.below, below / other.below);
        let (mut sum, other) = (self.scaled(own)?.sum, other.scaled(theirs)?.sum);
        sum.constant = sum.constant.checked_add(other.constant)?;
        sum.parts.extend(other.parts);
        Some(Fraction { sum, below })
    }

    fn minus(self, other: Fraction) -> Option<Fraction> {
        self.plus(other.scaled(-1)?)
    }

    fn times(self, other: Fraction) -> Option<Fraction> {
        let below = self.below.checked_mul(other.below)?;
        let single = |sum: &Sum| sum.parts.is_empty() || sum.constant == 0 && sum.parts.len() == 1;
        let sum = match (single(&self.sum), single(&other.sum)) {
            (true, true) => {
                let split = |sum: Sum| sum.parts.into_iter().next().unwrap_or((sum.constant, Vec::new()));
                let ((a, mut factors), (b, more)) = (split(self.sum), split(other.sum));
                factors.extend(more);
                return Some(Fraction::of(a.checked_mul(b)?, factors, below));
            }
            (true, false) if self.sum.parts.is_empty() => other.scaled(self.sum.constant)?.sum,
            (false, true) if other.sum.parts.is_empty() => self.scaled(other.sum.constant)?.sum,
            // The least of one sum is that sum.
            _ => {
                let factors = vec![Factor::Least(vec![self.sum]), Factor::Least(vec![other.sum])];
                Sum { constant: 0, parts: vec![(1, factors)] }
            }
        };
        Some(Fraction { sum, below })
    }

    fn extreme(parts: Vec<Fraction>, factor: fn(Vec<Sum>) -> Factor) -> Option<Fraction> {
        let below = parts.iter().try_fold(1, |below, part| common(below, part.below))?;
        let sums = all(parts.into_iter().map(|part| {
            let by = below / part.below;
            Some(part.scaled(by)?.sum)
        }))?;
        (!sums.is_empty()).then(|| Fraction::of(1, vec![factor(sums)], below))
    }
}

/// The least common multiple of two positive numbers.
fn common(a: i128, b: i128) -> Option<i128> {
    let shared = i128::try_from(a.unsigned_abs().gcd(b.unsigned_abs())).ok()?;
    (a / shared).checked_mul(b)
}

/// Rows of cells, column by column.
#[derive(Clone, Debug, Default)]
pub struct Block {
    columns: Vec<Vec<i64>>,
    /// The largest magnitude in each column.
    reach: Vec<u64>,
    rows: usize,
}

impl Block {
    pub fn new(width: usize) -> Block {
        Block { columns: vec![Vec::new(); width], reach: vec![0; width], rows: 0 }
    }

    /// Adds a row with a cell for each column.
    pub fn push(&mut self, row: impl Iterator<Item = i64>) {
        for ((column, reach), cell) in self.columns.iter_mut().zip(&mut self.reach).zip(row) {
            column.push(cell);
            *reach = (*reach).max(cell.unsigned_abs());
        }
        self.rows += 1;
    }

    pub fn len(&self) -> usize {
        self.rows
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub fn cell(&self, row: usize, column: usize) -> i64 {
        self.columns[column][row]
    }

    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        self.reach.fill(0);
        self.rows = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Number, Undefined};
    use dashu_int::IBig;
    use dashu_ratio::RBig;
    use proptest::prelude::*;

    /// Of `x`, `y` and `z`, and `h`, which is a real in quarters: what all readings say.
    fn check(text: &str, rows: &[[i64; 4]]) -> (Option<bool>, bool) {
        let names = ["x", "y", "z", "h"];
        let place = |name: &str| names.iter().position(|n| *n == name);
        let cell = |name: &str| Some(Cell { column: place(name)?, denominator: (name == "h").then_some(4) });
        let predicate = Predicate::parse(text).expect("the text should be a predicate");
        let value = |row: &[i64; 4], column: usize| match column {
            3 => Number::Real(RBig::from(IBig::from(row[3])) / RBig::from(4)),
            _ => Number::Small(row[column].into()),
        };
        let exactly = |row: &[i64; 4]| {
            predicate.evaluate(&|name, _| {
                place(name).map(|i| value(row, i)).ok_or_else(|| Undefined::Unknown(name.to_string()))
            })
        };
        let prepared = Prepared::new(predicate.clone(), &cell);
        let quickly = |row: &[i64; 4]| prepared.quickly(&|column| Some(row[column].into()));
        for row in rows {
            if let Some(quick) = quickly(row) {
                assert_eq!(Ok(quick), exactly(row), "{text} of {row:?}");
            }
        }
        let mut block = Block::new(4);
        rows.iter().for_each(|row| block.push(row.iter().copied()));
        let failures = prepared.failures(&block);
        if let Some(failures) = &failures {
            let expected: Vec<usize> = (0..rows.len()).filter(|&row| exactly(&rows[row]) != Ok(true)).collect();
            assert_eq!(*failures, expected, "{text} of {rows:?}");
        }
        (rows.first().and_then(quickly), failures.is_some())
    }

    #[test]
    fn forms_of_inference_have_a_quick_form() {
        for text in [
            "2*x - 3*y*z == 7",
            "x^3 - y >= -2",
            "x == 1 || x == y + z",
            "x <= y && y <= z",
            "x != y",
            "x == min(y, 50)",
            "y <= max(x - 7, z + 1, 5)",
            "x - y === 3 (mod 8)",
            "x >= 3/2",
            "h <= max(x, 5/2)",
            "4*h == (x + y)*(x - y)",
            "x == 3 ==> !(y < z)",
        ] {
            let (row, block) = check(text, &[[3, -4, 5, 7]]);
            assert!(row.is_some() && block, "{text}");
        }
        assert_eq!(check("x == 2^y", &[[8, 3, 0, 0]]), (Some(true), false));
        assert_eq!(check("x == 2^y", &[[8, -3, 0, 0]]), (None, false));
        assert_eq!(check("x^5 == y", &[[i64::MAX, 1, 0, 0]]), (None, false));
        assert_eq!(check("x / y == z", &[[7, 0, 1, 0]]), (None, false));
        // A real is no integer, whatever its value.
        assert_eq!(check("h === 1 (mod 3)", &[[0, 0, 0, 4]]), (None, false));
    }

    #[test]
    fn blocks_leave_alone_what_may_not_fit() {
        assert_eq!(check("x + y >= 0", &[[i64::MAX, 1, 0, 0], [1, 1, 0, 0]]), (Some(true), false));
        assert_eq!(check("x*y >= 0", &[[i64::MIN, 1, 0, 0]]), (Some(false), false));
        assert!(check("1000000007*x*y*0 >= 0", &[[i64::MAX, i64::MIN, 0, 0]]).1);
    }

    proptest! {
        #[test]
        fn all_readings_agree(
            a in -9i64..9, b in -9i64..9, c in -9i64..9, m in 1i64..9, relation in 0usize..6, join in 0usize..8,
            rows in prop::collection::vec(prop::array::uniform4(prop_oneof![30 => -3i64..4, 2 => -2_000_000_000i64..2_000_000_000, 1 => any::<i64>()]), 1..9),
        ) {
            let relation = ["==", "!=", "<", "<=", ">", ">="][relation];
            let first = format!("{a}*x*y + {b}*z {relation} {c}");
            let text = [
                first.clone(),
                format!("{first} || x == {b}"),
                format!("{first} && y >= {a}"),
                format!("{first} ==> x === y + {c} (mod {m})"),
                format!("max(x + {a}, {b}*h) {relation} min(y, z, {c})"),
                format!("!({first} && h/2 {relation} x)"),
                format!("(x + {a})*(y - h) {relation} {b}/{m}"),
                format!("2^z {relation} x"),
            ];
            check(&text[join], &rows);
        }
    }
}
