//! Short bases of lattices of integer vectors, by the algorithm of Lenstra, Lenstra and Lovász.
//!
//! *Question*: which integer combinations of these vectors are short?
//!
//! *Source*: A. K. Lenstra, H. W. Lenstra, L. Lovász, "Factoring polynomials with rational coefficients", 1982; the
//! order of work is that of C. P. Schnorr, M. Euchner, "Lattice basis reduction", 1994, and P. Nguyen, D. Stehlé, "An LLL
//! algorithm with quadratic complexity", 2009 (reduce a vector until nothing changes, then insert it where it belongs).
//!
//! *Departures*: none in substance. Floating point steers, as in both sources: it says which multiple of which vector to
//! subtract next. The vectors themselves are integers and every step is exact, so what comes out is a basis of the same
//! lattice whatever the rounding did; rounding can only leave it less short.
//!
//! *Guarantee*: the lattice does not change (property test: same determinant, exact Gram–Schmidt). That the basis is
//! reduced holds in practice and is checked exactly in tests for small dimensions; clients must check what they conclude
//! from shortness.
//!
//! *Cost*: about d⁴·log B floating-point operations for d vectors of entries up to B; ended by a budget of steps.

/// Lovász' constant: close to 1, for short vectors.
const DELTA: f64 = 0.99;

/// How far from a half a coefficient may be and count as reduced.
const ETA: f64 = 0.51;

/// Rounds in which one vector is reduced before rounding errors are taken to be at work.
const ROUNDS: usize = 200;

/// Makes the basis short. `steps` bounds the work: one step is a reduction of one vector by all before it. Tells whether
/// the end was reached; if not, the vectors are a basis of the same lattice still. They should be independent.
pub fn reduce(basis: &mut [Vec<i128>], steps: usize) -> bool {
    let count = basis.len();
    let mut work = Reduction {
        floats: basis.iter().map(|row| float(row)).collect(),
        mu: vec![vec![0.0; count]; count],
        products: vec![vec![0.0; count]; count],
        norms: vec![0.0; count],
    };
    if count > 0 {
        work.norms[0] = dot(&work.floats[0], &work.floats[0]);
    }
    let mut at = 1;
    let mut left = steps;
    while at < count {
        if left == 0 {
            return false;
        }
        left -= 1;
        let Some(prefix) = work.reduce_one(basis, at) else { return false };
        // Where the vector belongs: before the first one that is longer than what is left of it there.
        let mut place = at;
        while place > 0 && prefix[place - 1] < DELTA * work.norms[place - 1] {
            place -= 1;
        }
        if place == at {
            work.norms[at] = prefix[at];
            at += 1;
            continue;
        }
        basis[place..=at].rotate_right(1);
        work.floats[place..=at].rotate_right(1);
        work.mu[place..=at].rotate_right(1);
        work.products[place..=at].rotate_right(1);
        // What is left of the vector there is its own part now; the coefficients before that place stay.
        work.norms[place] = prefix[place];
        at = place + 1;
    }
    true
}

/// The Gram–Schmidt orthogonalisation as floating point knows it.
struct Reduction {
    floats: Vec<Vec<f64>>,
    /// Coefficients of each vector in the orthogonal parts of those before.
    mu: Vec<Vec<f64>>,
    /// The same times the squared lengths of those parts.
    products: Vec<Vec<f64>>,
    /// Squared lengths of the orthogonal parts.
    norms: Vec<f64>,
}

impl Reduction {
    /// Reduces a vector by those before it until nothing changes. Returns the squared lengths of what is left of it
    /// after each of them is projected away; `None` if numbers grow too large.
    fn reduce_one(&mut self, basis: &mut [Vec<i128>], at: usize) -> Option<Vec<f64>> {
        for _ in 0..ROUNDS {
            self.project(basis, at);
            let mut changed = false;
            let mut quotients = vec![0.0; at];
            for j in (0..at).rev() {
                if self.mu[at][j].abs() <= ETA {
                    continue;
                }
                let quotient = self.mu[at][j].round();
                quotients[j] = quotient;
                changed = true;
                let (before, rest) = self.mu.split_at_mut(at);
                for (own, other) in rest[0][..j].iter_mut().zip(&before[j]) {
                    *own -= quotient * other;
                }
            }
            if !changed {
                break;
            }
            for (j, quotient) in quotients.into_iter().enumerate().filter(|(_, quotient)| *quotient != 0.0) {
                if quotient.abs() >= 1e36 {
                    return None;
                }
                let quotient = quotient as i128;
                let (before, rest) = basis.split_at_mut(at);
                for (own, other) in rest[0].iter_mut().zip(&before[j]) {
                    *own = own.checked_sub(quotient.checked_mul(*other)?)?;
                }
            }
            self.floats[at] = float(&basis[at]);
        }
        let mut left = dot(&self.floats[at], &self.floats[at]);
        let mut prefix = Vec::with_capacity(at + 1);
        for j in 0..at {
            prefix.push(left);
            left -= self.mu[at][j] * self.products[at][j];
        }
        prefix.push(left.max(f64::MIN_POSITIVE));
        Some(prefix)
    }

    /// The coefficients of a vector in the orthogonal parts of those before it.
    fn project(&mut self, basis: &[Vec<i128>], at: usize) {
        let own_length = dot(&self.floats[at], &self.floats[at]);
        for j in 0..at {
            let mut product = dot(&self.floats[at], &self.floats[j]);
            // Where most digits cancel, floating point has lost what counts.
            if product * product < 1e-18 * own_length * dot(&self.floats[j], &self.floats[j]) {
                product = exact_dot(&basis[at], &basis[j]).unwrap_or(product);
            }
            product -= dot(&self.mu[j][..j], &self.products[at][..j]);
            self.products[at][j] = product;
            self.mu[at][j] = product / self.norms[j];
        }
    }
}

fn float(row: &[i128]) -> Vec<f64> {
    row.iter().map(|&entry| entry as f64).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four sums at once: the compiler may not reorder one.
    let mut sums = [0.0; 4];
    let (a_blocks, b_blocks) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_blocks.zip(b_blocks) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// The product in integers; `None` if it does not fit.
fn exact_dot(a: &[i128], b: &[i128]) -> Option<f64> {
    let mut sum = 0i128;
    for (x, y) in a.iter().zip(b) {
        sum = sum.checked_add(x.checked_mul(*y)?)?;
    }
    Some(sum as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_base::Abs;
    use dashu_int::IBig;
    use dashu_ratio::RBig;
    use proptest::prelude::*;

    /// The slow twin of the orthogonalisation: coefficients and squared lengths, exactly.
    fn orthogonal(basis: &[Vec<i128>]) -> (Vec<Vec<RBig>>, Vec<RBig>) {
        let product = |a: &[RBig], b: &[RBig]| a.iter().zip(b).fold(RBig::ZERO, |sum, (x, y)| sum + x * y);
        let (mut parts, mut mu, mut norms) = (Vec::<Vec<RBig>>::new(), Vec::new(), Vec::<RBig>::new());
        for row in basis {
            let row: Vec<RBig> = row.iter().map(|&x| RBig::from(IBig::from(x))).collect();
            let mut part = row.clone();
            let mut own = Vec::new();
            for (other, norm) in parts.iter().zip(&norms) {
                let coefficient = product(&row, other) / norm;
                part.iter_mut().zip(other).for_each(|(x, y)| *x = &*x - &coefficient * y);
                own.push(coefficient);
            }
            norms.push(product(&part, &part));
            parts.push(part);
            mu.push(own);
        }
        (mu, norms)
    }

    #[test]
    fn a_relation_hidden_among_large_numbers() {
        // 3*a - 7*b + c == 0 modulo 10^9 + 7, with a and b arbitrary.
        let modulus = 1_000_000_007i128;
        let (a, b) = (123_456_789i128, 987_654_321);
        let c = (7 * b - 3 * a).rem_euclid(modulus);
        let large = 1i128 << 40;
        let mut basis: Vec<Vec<i128>> = [a, b, c]
            .iter()
            .enumerate()
            .map(|(i, value)| (0..3).map(|j| i128::from(i == j)).chain([value * large]).collect())
            .collect();
        basis.push(vec![0, 0, 0, modulus * large]);
        assert!(reduce(&mut basis, 1000));
        assert!(basis.contains(&vec![3, -7, 1, 0]) || basis.contains(&vec![-3, 7, -1, 0]), "{basis:?}");
    }

    proptest! {
        #[test]
        fn the_basis_is_reduced_and_of_the_same_lattice(
            rows in proptest::collection::vec(proptest::collection::vec(-1_000_000_000_000i128..1_000_000_000_000, 6), 1..6),
        ) {
            let (_, before) = orthogonal(&rows);
            prop_assume!(before.iter().all(|norm| *norm != RBig::ZERO));
            let mut reduced = rows.clone();
            prop_assert!(reduce(&mut reduced, 100_000));
            let (mu, after) = orthogonal(&reduced);
            let volume = |norms: &[RBig]| norms.iter().fold(RBig::ONE, |product, norm| product * norm);
            prop_assert_eq!(volume(&before), volume(&after));
            let (eta, delta) = (RBig::from_parts(52.into(), 100u8.into()), RBig::from_parts(98.into(), 100u8.into()));
            for (k, own) in mu.iter().enumerate() {
                for coefficient in own {
                    prop_assert!(coefficient.clone().abs() <= eta);
                }
                if k > 0 {
                    let left = &after[k] + &own[k - 1] * &own[k - 1] * &after[k - 1];
                    prop_assert!(left >= &delta * &after[k - 1]);
                }
            }
        }
    }
}
