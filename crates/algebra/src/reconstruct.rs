//! From residues back to rational numbers: Chinese remainders and rational reconstruction.
//!
//! *Source*: P. Wang, M. Guy, J. Davenport, "P-adic reconstruction of rational numbers", 1982.
//! *Guarantee*: if a fraction n/d with |n|, d ≤ √(m/2) has the residue, it is the only one and it is found.

use crate::prime::Prime;
use dashu_base::{Abs, DivRem, Gcd, RemEuclid, Signed, SquareRoot};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Joins a residue modulo `modulus` with one modulo a further prime. Returns the residue modulo the product.
pub fn join(residue: &IBig, modulus: &IBig, next: u32, prime: Prime) -> IBig {
    let p = IBig::from(prime.value());
    let inverse =
        prime.inverse(u32::try_from(&(modulus.clone().rem_euclid(&p))).expect("a remainder is below the prime"));
    let here = u32::try_from(&(residue.clone().rem_euclid(&p))).expect("a remainder is below the prime");
    let difference = (u64::from(next) + u64::from(prime.value()) - u64::from(here)) % u64::from(prime.value());
    residue + modulus * IBig::from(prime.mul(difference as u32, inverse))
}

/// The fraction of small numerator and denominator that has this residue modulo `modulus`, if there is one.
pub fn fraction(residue: &IBig, modulus: &IBig) -> Option<RBig> {
    let bound = IBig::from(UBig::try_from(modulus / IBig::from(2)).ok()?.sqrt());
    let (mut r0, mut r1) = (modulus.clone(), IBig::from(residue.clone().rem_euclid(modulus)));
    let (mut t0, mut t1) = (IBig::ZERO, IBig::ONE);
    while r1 > bound {
        let (quotient, remainder) = (&r0).div_rem(&r1);
        let t2 = &t0 - &quotient * &t1;
        (r0, r1, t0, t1) = (r1, remainder, t1, t2);
    }
    if t1 == IBig::ZERO || t1.clone().abs() > bound || (&r1).gcd(&t1) != UBig::ONE {
        return None;
    }
    let numerator = if t1.is_negative() { -r1 } else { r1 };
    Some(RBig::from_parts(numerator, UBig::try_from(t1.abs()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_come_back() {
        for (n, d) in [(0i64, 1u32), (1, 1), (-1, 1), (7, 3), (-355, 113), (123456789, 98765)] {
            let mut modulus = IBig::ONE;
            let mut residue = IBig::ZERO;
            for prime in Prime::all().take(3) {
                let here = prime.mul(prime.reduce_i128(n.into()), prime.inverse(d));
                residue = join(&residue, &modulus, here, prime);
                modulus *= IBig::from(prime.value());
            }
            assert_eq!(fraction(&residue, &modulus), Some(RBig::from_parts(n.into(), d.into())));
        }
    }
}
