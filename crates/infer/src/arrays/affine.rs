//! Numbers that depend affinely on the indices of the pivot, and on scalars of the location.
//!
//! Indices of partners and coefficients alike: `2*i + 1`, `(i + j) % 4`, `3/14*i`, `N*i + j`, `nr - i`.

/// `(constant + Σ coefficient * index + Σ scalar parts) / denominator`, then the remainder by the modulus if there is one.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Affine {
    /// One for each index of the pivot.
    pub coefficients: Vec<i64>,
    pub constant: i64,
    /// Positive.
    pub denominator: i64,
    /// Zero for none; else the value is the remainder, which is never negative.
    pub modulus: i64,
    /// Multiples of scalars of the location, alone or times an index of the pivot.
    pub scalars: Vec<ScalarPart>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ScalarPart {
    /// The index that the scalar is multiplied with.
    pub index: Option<usize>,
    /// Its number among the scalars of the table.
    pub scalar: usize,
    pub factor: i64,
}

/// An exact quotient; the denominator is positive.
pub type Ratio = (i128, i128);

impl Affine {
    pub fn constant(value: i64, indices: usize) -> Affine {
        Affine::fraction(value, 1, indices)
    }

    pub fn fraction(numerator: i64, denominator: i64, indices: usize) -> Affine {
        let sign = denominator.signum();
        Affine {
            coefficients: vec![0; indices],
            constant: numerator * sign,
            denominator: denominator * sign,
            modulus: 0,
            scalars: Vec::new(),
        }
        .reduced()
    }

    /// The index of that number itself.
    pub fn index(which: usize, indices: usize) -> Affine {
        let mut index = Affine::constant(0, indices);
        index.coefficients[which] = 1;
        index
    }

    pub fn is_constant(&self) -> bool {
        self.coefficients.iter().all(|c| *c == 0) && self.scalars.is_empty()
    }

    pub fn is(&self, value: i64) -> bool {
        self.is_constant() && self.modulus == 0 && self.denominator == 1 && self.constant == value
    }

    /// The value at a place of the pivot; `None` if a scalar that it needs has no value, or on overflow.
    pub fn value(&self, at: &[i64], scalars: &[Option<i64>]) -> Option<Ratio> {
        let mut sum = i128::from(self.constant);
        for (coefficient, index) in self.coefficients.iter().zip(at) {
            sum = sum.checked_add(i128::from(*coefficient) * i128::from(*index))?;
        }
        for part in &self.scalars {
            let scalar = i128::from((*scalars.get(part.scalar)?)?);
            let times = part.index.map_or(1, |index| i128::from(at[index]));
            sum = sum.checked_add(scalar.checked_mul(i128::from(part.factor))?.checked_mul(times)?)?;
        }
        let denominator = i128::from(self.denominator);
        if self.modulus > 0 {
            return (sum % denominator == 0).then(|| ((sum / denominator).rem_euclid(self.modulus.into()), 1));
        }
        Some((sum, denominator))
    }

    /// The value as a whole number.
    pub fn whole(&self, at: &[i64], scalars: &[Option<i64>]) -> Option<i64> {
        whole(self.value(at, scalars)?)
    }

    /// The one through the values at a place and at its neighbours: `steps[m]` is how far the neighbour in direction
    /// `m` is and its value; directions without a neighbour get no coefficient.
    pub fn through(at: &[i64], value: Ratio, steps: &[Option<(i64, Ratio)>]) -> Option<Affine> {
        let mut parts: Vec<Ratio> = Vec::with_capacity(at.len());
        let mut constant = value;
        for (index, step) in at.iter().zip(steps) {
            let slope = match step {
                Some((distance, there)) => {
                    let (n, d) = minus(*there, value)?;
                    reduce(n, d.checked_mul(i128::from(*distance))?)?
                }
                None => (0, 1),
            };
            constant = minus(constant, reduce(slope.0.checked_mul(i128::from(*index))?, slope.1)?)?;
            parts.push(slope);
        }
        let mut denominator = constant.1;
        for (_, d) in &parts {
            denominator = denominator.checked_mul(d / gcd(denominator, *d))?;
        }
        let scale = |(n, d): Ratio| i64::try_from(n.checked_mul(denominator / d)?).ok();
        Some(Affine {
            coefficients: parts.iter().map(|p| scale(*p)).collect::<Option<_>>()?,
            constant: scale(constant)?,
            denominator: i64::try_from(denominator).ok()?,
            modulus: 0,
            scalars: Vec::new(),
        })
    }

    /// The same up to multiples of the modulus, with coefficients that are not negative and smaller than it.
    pub fn modulo(&self, modulus: i64) -> Option<Affine> {
        if self.denominator != 1 || modulus < 2 || !self.scalars.is_empty() {
            return None;
        }
        let rest = |value: &i64| value.rem_euclid(modulus);
        let coefficients: Vec<i64> = self.coefficients.iter().map(rest).collect();
        if coefficients.iter().all(|c| *c == 0) {
            return None;
        }
        Some(Affine { coefficients, constant: rest(&self.constant), modulus, ..self.clone() })
    }

    fn reduced(mut self) -> Affine {
        let common = self
            .coefficients
            .iter()
            .chain([&self.constant])
            .fold(i128::from(self.denominator), |g, c| gcd(g, i128::from(*c)));
        if common > 1 {
            let common = common as i64;
            self.coefficients.iter_mut().for_each(|c| *c /= common);
            self.constant /= common;
            self.denominator /= common;
        }
        self
    }

    /// How hard it is to read.
    pub fn weight(&self) -> u64 {
        let parts = self.coefficients.iter().chain([&self.constant]);
        parts.map(|c| c.unsigned_abs().min(1000)).sum::<u64>()
            + 3 * (self.denominator.unsigned_abs() - 1).min(1000)
            + if self.modulus > 0 { 4 } else { 0 }
    }
}

pub fn gcd(a: i128, b: i128) -> i128 {
    algebra::gcd(a.unsigned_abs(), b.unsigned_abs()) as i128
}

/// The quotient in lowest terms; `None` if the divisor is zero.
pub fn reduce(numerator: i128, denominator: i128) -> Option<Ratio> {
    if denominator == 0 {
        return None;
    }
    let common = gcd(numerator, denominator).max(1) * denominator.signum();
    Some((numerator / common, denominator / common))
}

/// The whole number that a quotient is.
pub fn whole((numerator, denominator): Ratio) -> Option<i64> {
    if numerator % denominator != 0 {
        return None;
    }
    i64::try_from(numerator / denominator).ok()
}

pub fn minus(a: Ratio, b: Ratio) -> Option<Ratio> {
    plus(a, (b.0.checked_neg()?, b.1))
}

pub fn plus(a: Ratio, b: Ratio) -> Option<Ratio> {
    if a.1 == b.1 {
        return if a.1 == 1 { Some((a.0.checked_add(b.0)?, 1)) } else { reduce(a.0.checked_add(b.0)?, a.1) };
    }
    reduce(a.0.checked_mul(b.1)?.checked_add(b.0.checked_mul(a.1)?)?, a.1.checked_mul(b.1)?)
}

pub fn times(a: Ratio, b: Ratio) -> Option<Ratio> {
    if a.1 == 1 && b.1 == 1 {
        return Some((a.0.checked_mul(b.0)?, 1));
    }
    reduce(a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn through_points_and_back() {
        // 2i + 3j + 1 through (1, 1), (3, 1), (1, 2).
        let found = Affine::through(&[1, 1], (6, 1), &[Some((2, (10, 1))), Some((1, (9, 1)))]).unwrap();
        assert_eq!((found.coefficients.clone(), found.constant, found.denominator), (vec![2, 3], 1, 1));
        assert_eq!(found.whole(&[5, 7], &[]), Some(32));
        // i / 2 through 0 and 2.
        let half = Affine::through(&[0], (0, 1), &[Some((2, (1, 1)))]).unwrap();
        assert_eq!((half.whole(&[4], &[]), half.whole(&[3], &[])), (Some(2), None));
    }

    #[test]
    fn remainders_are_not_negative() {
        let shifted = Affine { coefficients: vec![-1, 1], ..Affine::constant(0, 2) }.modulo(4).unwrap();
        assert_eq!(shifted.coefficients, [3, 1]);
        assert_eq!(shifted.whole(&[2, 1], &[]), Some(3));
    }
}
