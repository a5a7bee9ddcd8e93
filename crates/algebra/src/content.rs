//! The greatest common divisor of coefficients.

use dashu_base::Gcd;
use dashu_int::{IBig, UBig};

/// The greatest common divisor of two small numbers; zero if both are.
pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor; zero if all are zero or there are none.
pub fn content<'a>(coefficients: impl IntoIterator<Item = &'a IBig>) -> UBig {
    let mut common = UBig::ZERO;
    for coefficient in coefficients {
        // The divisor of zero and zero is not defined, so zeros are left out.
        if *coefficient != IBig::ZERO {
            common = if common == UBig::ZERO { coefficient.gcd(coefficient) } else { coefficient.gcd(&common) };
        }
        if common == UBig::ONE {
            break;
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_do_not_count() {
        let of = |values: &[i64]| content(&values.iter().map(|&v| IBig::from(v)).collect::<Vec<_>>());
        assert_eq!(
            (of(&[]), of(&[0, 0]), of(&[0, -6, 4]), of(&[3, 5])),
            (0u8.into(), 0u8.into(), 2u8.into(), 1u8.into())
        );
    }
}
