//! What machine arithmetic keeps when it wraps: `h === 31*h_0 + c (mod 4294967296)`, `used === head - tail (mod 256)`.
//!
//! *Question*: which polynomials of small degree are multiples of 2^w on every row, where w is the width of an unsigned
//! variable that is there?
//!
//! *Method*: linear algebra over Z/2^w ([`algebra::binary_ring`]) on monomials up to degree 2 that no equation explains.
//! Equations over the integers are looked for elsewhere and hold modulo everything, so only what is not one is given.
//!
//! *Guarantee*: every congruence holds of every row, exactly. There are always congruences with as many terms as rows; one
//! is given only if there are many more rows than terms and it takes far fewer bits to write down than the rows that it
//! explains.
//!
//! *Cost*: the square of the number of terms for each row that brings something new, and once for each other row.

use super::claim::Measure;
use super::congruences::Congruence;
use algebra::binary_ring::{Relations, odd_inverse};
use algebra::{Monomial, Polynomial};
use dashu_int::IBig;
use exec::ValueType;
use observe::samples::{Evidence, Kind};
use std::collections::BTreeSet;

/// Terms of one system.
const MOST_TERMS: usize = 45;

/// Rows that there must be beyond the number of terms.
const SPARE_ROWS: usize = 16;

/// Terms of a congruence that is shown.
const MOST_SHOWN_TERMS: usize = 6;

/// Of the rows' bits this share must be left when the congruence is written down.
const LEFT: usize = 2;

/// The congruences modulo the widths of unsigned variables that are not equations.
pub(super) fn modular(evidence: &Evidence, columns: &[usize], equations: &[Polynomial]) -> Vec<Congruence> {
    let variables = evidence.variables();
    let columns: Vec<usize> = columns.iter().copied().filter(|&c| variables[c].kind == Kind::Int).collect();
    let width = |column: &usize| match variables[*column].ty {
        Some(ValueType::Int(kind)) if !kind.is_signed() && (8..=32).contains(&kind.bits()) => Some(kind.bits()),
        _ => None,
    };
    let widths: BTreeSet<u32> = columns.iter().filter_map(width).collect();
    let leads: Vec<&Monomial> = equations.iter().filter_map(|p| Some(&p.leading()?.0)).collect();
    let standard = |m: &Monomial| !leads.iter().any(|lead| lead.divides(m));
    let terms = |degree: u32| Monomial::up_to_in(&columns, variables.len(), degree, standard);
    let mut found: Vec<Congruence> = Vec::new();
    for bits in widths.into_iter().rev() {
        for monomials in [terms(1), terms(2)] {
            if monomials.len() > MOST_TERMS || monomials.len() + SPARE_ROWS > evidence.len() {
                break;
            }
            let here = of_width(evidence, &monomials, bits);
            // What holds modulo a larger power, or of smaller degree, holds here.
            let fresh: Vec<Congruence> = here.into_iter().filter(|c| !follows(c, &found)).collect();
            found.extend(fresh);
            if !found.is_empty() {
                break;
            }
        }
    }
    found
}

fn of_width(evidence: &Evidence, monomials: &[Monomial], bits: u32) -> Vec<Congruence> {
    let mut relations = Relations::new(monomials.len(), bits);
    let value = |monomial: &Monomial, row: &[i64]| {
        monomial
            .exponents()
            .iter()
            .zip(row)
            .fold(1u64, |product, (&e, &x)| product.wrapping_mul((x as u64).wrapping_pow(e.into())))
    };
    for row in evidence.rows() {
        let cells: Vec<u64> = monomials.iter().map(|monomial| value(monomial, row)).collect();
        relations.insert(&cells);
        if relations.is_trivial() {
            return Vec::new();
        }
    }
    let modulus = 1i128 << bits;
    let polynomial = |vector: &[u64], factor: u64| {
        let mask = u64::MAX >> (64 - bits);
        let centred = |c: u64| if i128::from(c) > modulus / 2 { i128::from(c) - modulus } else { i128::from(c) };
        let scaled = vector.iter().map(|c| c.wrapping_mul(factor) & mask);
        let terms = monomials.iter().zip(scaled).filter(|(_, c)| *c != 0);
        Polynomial::from_terms(terms.map(|(monomial, c)| (monomial.clone(), IBig::from(centred(c)))))
    };
    let is_law = |polynomial: &Polynomial| {
        let terms = polynomial.terms();
        let cost: usize = terms.iter().map(|(_, c)| bits_of(c) + monomials.len().ilog2() as usize + 1).sum();
        let measure = Measure::new(polynomial);
        let different: BTreeSet<IBig> = evidence.rows().map(|row| measure.value(row)).take(MOST_TERMS * 40).collect();
        // Zero on every row is an equation; few different values are its cases.
        different.len() > 1
            && terms.len() <= MOST_SHOWN_TERMS
            && polynomial.degree() > 0
            && cost * LEFT < (evidence.len() - monomials.len()) * bits as usize
            && evidence
                .rows()
                .any(|row| measure.value(row) >= IBig::from(modulus) || measure.value(row) <= IBig::from(-modulus))
    };
    // Every odd coefficient can be made one; the way of writing it with the smallest numbers is the law.
    let lightest = |vector: Vec<u64>| {
        let ways = vector.iter().filter(|c| *c & 1 == 1).map(|c| polynomial(&vector, odd_inverse(*c)));
        ways.min_by_key(|p| p.terms().iter().map(|(_, c)| bits_of(c)).sum::<usize>())
    };
    let laws = relations.primitive().into_iter().filter_map(lightest).filter(is_law);
    laws.map(|polynomial| Congruence { polynomial, modulus: IBig::from(modulus) }).collect()
}

fn bits_of(coefficient: &IBig) -> usize {
    use dashu_base::BitTest;
    coefficient.bit_len()
}

/// Whether a congruence is one of these modulo a divisor.
fn follows(congruence: &Congruence, known: &[Congruence]) -> bool {
    known.iter().any(|other| {
        let divides = |p: Polynomial| p.terms().iter().all(|(_, c)| c % &congruence.modulus == IBig::ZERO);
        divides(congruence.polynomial.sub(&other.polynomial)) || divides(congruence.polynomial.add(&other.polynomial))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::IntKind;
    use observe::samples::{Samples, Variable};

    fn evidence(names: &[&str], kind: IntKind, rows: impl Iterator<Item = Vec<i64>>) -> Evidence {
        let variable = |name: &&str| Variable { ty: Some(ValueType::Int(kind)), ..Variable::int(*name) };
        let variables: Vec<Variable> = names.iter().map(variable).collect();
        let mut near = Samples::new(variables.clone());
        rows.for_each(|row| {
            near.push(&row);
        });
        Evidence { near, far: Samples::new(variables) }
    }

    fn found(evidence: &Evidence) -> Vec<(Polynomial, IBig)> {
        modular(evidence, &[0, 1], &[]).into_iter().map(|c| (c.polynomial, c.modulus)).collect()
    }

    #[test]
    fn words_that_wrap() {
        let spread = |n: i64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15u64 as i64) as u32;
        let (x, y, one) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2), Polynomial::constant(1, 2));
        let step = |n: i64| vec![spread(n).into(), spread(n).wrapping_mul(31).wrapping_add(7).into()];
        let law = y.sub(&x.scale(&31.into())).sub(&one.scale(&7.into()));
        let hash = evidence(&["x", "y"], IntKind::UInt, (0..200).map(step));
        assert_eq!(found(&hash), [(law, IBig::from(1i64 << 32))]);
        let square = |n: i64| vec![spread(n).into(), spread(n).wrapping_mul(spread(n)).into()];
        let squares = evidence(&["x", "y"], IntKind::UInt, (0..200).map(square));
        let law = x.mul(&x).sub(&y);
        assert!(
            matches!(&found(&squares)[..], [(p, _)] if *p == law || *p == law.scale(&(-1).into())),
            "{:?}",
            found(&squares)
        );
        // Nothing wraps: that is an equation and not said again.
        let plain = evidence(&["x", "y"], IntKind::UInt, (0..200).map(|n| vec![n, 3 * n]));
        assert_eq!(found(&plain), []);
    }
}
