//! Claims of existence that the values seen at a location suggest: powers and divisors.
//!
//! `infer` finds relations that can be evaluated; a proof may need to know that a variable *is* a power of two, without
//! knowing which. Such claims are read off the rows here and are tried like any other candidate.

use super::candidate::Claim;
use infer::{Evidence, Kind, Role};
use std::collections::BTreeSet;

/// Ratios that are tried, the largest first: what is a power of 4 is one of 2 as well.
const RATIOS: [i64; 5] = [10, 8, 4, 3, 2];
/// So many different values should be seen before a pattern is believed to be one.
const ENOUGH: usize = 3;

/// What the rows suggest; every claim holds of all of them.
pub fn proposals(evidence: &Evidence) -> Vec<Claim> {
    let variables = evidence.variables();
    let integers: Vec<usize> = (0..variables.len())
        .filter(|&v| variables[v].kind == Kind::Int && matches!(variables[v].role, Role::Program | Role::Entry))
        .collect();
    let mut claims = Vec::new();
    let mut geometric = Vec::new();
    for &x in &integers {
        let units = [None].into_iter().chain(integers.iter().copied().filter(|&u| u != x).map(Some));
        for unit in units {
            if let Some(ratio) = RATIOS.into_iter().find(|&ratio| is_geometric(evidence, x, unit, ratio)) {
                geometric.push(x);
                claims.push(Claim::Geometric {
                    of: variables[x].name.clone(),
                    unit: unit.map(|u| variables[u].name.clone()),
                    ratio: ratio as u32,
                });
            }
        }
    }
    geometric.dedup();
    for &divisor in &geometric {
        for &dividend in integers.iter().filter(|&&v| v != divisor) {
            if divides(evidence, divisor, dividend) {
                claims.push(Claim::Divides {
                    divisor: variables[divisor].name.clone(),
                    dividend: variables[dividend].name.clone(),
                });
            }
        }
    }
    claims
}

fn is_geometric(evidence: &Evidence, x: usize, unit: Option<usize>, ratio: i64) -> bool {
    let mut exponents = BTreeSet::new();
    let mut units = BTreeSet::new();
    for row in evidence.rows() {
        let unit = unit.map_or(1, |u| row[u]);
        units.insert(unit);
        if unit == 0 || row[x] % unit != 0 {
            return false;
        }
        let (mut power, mut exponent) = (row[x] / unit, 0);
        while power > 1 && power % ratio == 0 {
            power /= ratio;
            exponent += 1;
        }
        if power != 1 {
            return false;
        }
        exponents.insert(exponent);
    }
    exponents.len() >= ENOUGH && (unit.is_none() || units.len() >= ENOUGH)
}

fn divides(evidence: &Evidence, divisor: usize, dividend: usize) -> bool {
    let mut quotients = BTreeSet::new();
    for row in evidence.rows() {
        if row[divisor] == 0 || row[dividend] % row[divisor] != 0 {
            return false;
        }
        quotients.insert(row[dividend] / row[divisor]);
    }
    quotients.len() >= ENOUGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use infer::{Samples, Variable};

    #[test]
    fn powers_multiples_and_divisors_are_seen() {
        let names = ["q", "b", "B", "p"];
        let mut near = Samples::new(names.iter().map(|name| Variable::int(*name)).collect());
        for unit in [3, 5, 7] {
            for exponent in 0..5u32 {
                let q = 4i64.pow(exponent);
                near.push(&[q, unit * 2i64.pow(exponent), unit, q * i64::from(exponent)]);
            }
        }
        let texts: Vec<String> =
            proposals(&Evidence { near, ..Evidence::default() }).iter().map(Claim::to_string).collect();
        assert_eq!(texts, ["q is a power of 4", "b is B times a power of 2", "q divides p"]);
    }
}
