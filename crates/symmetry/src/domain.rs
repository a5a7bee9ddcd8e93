//! The values that inputs range over: what the user writes, and the finite sets that are made of it.
//!
//! ```text
//! i=-50..50       a range of integers        x=0..1:0.25    from 0 to 1 in steps of a quarter
//! c=1,2,5..9      several of them            c='a'..'z'     characters are their codes
//! ```

use exec::{Scalar, ValueType, parse_integer};
use ir::FloatKind;
use std::cmp::Ordering;

/// Values that are listed one by one. More than that want a range of integers.
const MOST_LISTED: u128 = 1 << 20;

/// A finite set of numbers in ascending order.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// All integers from `lo` to `hi`; empty if `hi < lo`.
    Range { lo: i128, hi: i128 },
    /// Ascending, without repetition.
    Set(Vec<Scalar>),
}

/// The order of numbers, whole or not; NaN does not occur in domains.
pub fn compare(a: &Scalar, b: &Scalar) -> Ordering {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => a.cmp(b),
        _ => as_float(a).total_cmp(&as_float(b)),
    }
}

fn as_float(value: &Scalar) -> f64 {
    match value {
        Scalar::Int(int) => *int as f64,
        Scalar::Float(float) => *float,
    }
}

impl Values {
    pub fn set(mut values: Vec<Scalar>) -> Values {
        values.sort_by(compare);
        values.dedup_by(|a, b| compare(a, b) == Ordering::Equal);
        Values::Set(values)
    }

    /// Reads `i=-50..50`, or `i,j=1,2`: the names before the sign have the values after it.
    pub fn parse_named(text: &str) -> Result<(Vec<String>, Values), String> {
        let Some((names, values)) = text.split_once('=') else {
            return Err(format!("`{text}` should be NAME=VALUES, such as 'i=-50..50' or 'i=1,2,5'"));
        };
        let names: Vec<String> = names.split(',').map(|n| n.trim().to_string()).collect();
        if names.iter().any(String::is_empty) {
            return Err(format!("`{text}` has a name that is empty"));
        }
        Ok((names, Values::parse(values)?))
    }

    pub fn parse(text: &str) -> Result<Values, String> {
        let mut listed = Vec::new();
        let items: Vec<&str> = text.split(',').map(str::trim).collect();
        for item in &items {
            let Some((from, to)) = item.split_once("..") else {
                listed.push(number(item)?);
                continue;
            };
            let (to, step) = match to.split_once(':') {
                Some((to, step)) => (to, number(step)?),
                None => (to, Scalar::Int(1)),
            };
            match (number(from)?, number(to.strip_prefix('=').unwrap_or(to))?, step) {
                (Scalar::Int(lo), Scalar::Int(hi), Scalar::Int(1)) if items.len() == 1 => {
                    return if lo <= hi { Ok(Values::Range { lo, hi }) } else { Err(format!("`{item}` is empty")) };
                }
                (Scalar::Int(lo), Scalar::Int(hi), Scalar::Int(step)) => {
                    few(item, listed.len(), lo <= hi && step > 0, || ((hi - lo) / step + 1) as u128)?;
                    listed.extend((0..=(hi - lo) / step).map(|i| Scalar::Int(lo + i * step)));
                }
                (from, to, step) => {
                    let (lo, hi, step) = (as_float(&from), as_float(&to), as_float(&step));
                    // A step that does not divide the range exactly in binary shall still reach its end.
                    let count = ((hi - lo) / step + 1e-9).floor() + 1.0;
                    few(item, listed.len(), lo <= hi && step > 0.0, || count as u128)?;
                    listed.extend((0..count as u64).map(|i| Scalar::Float(lo + i as f64 * step)));
                }
            }
        }
        Ok(Values::set(listed))
    }

    pub fn count(&self) -> u128 {
        match self {
            Values::Range { lo, hi } if lo <= hi => (hi - lo) as u128 + 1,
            Values::Range { .. } => 0,
            Values::Set(values) => values.len() as u128,
        }
    }

    pub fn get(&self, index: u128) -> Scalar {
        match self {
            Values::Range { lo, .. } => Scalar::Int(lo + index as i128),
            Values::Set(values) => values[index as usize],
        }
    }

    pub fn contains(&self, value: &Scalar) -> bool {
        match (self, value) {
            (Values::Range { lo, hi }, Scalar::Int(int)) => lo <= int && int <= hi,
            (Values::Range { .. }, Scalar::Float(_)) => false,
            (Values::Set(values), _) => values.binary_search_by(|v| compare(v, value)).is_ok(),
        }
    }

    /// All values, if they are few.
    fn listed(&self) -> Option<Vec<Scalar>> {
        (self.count() <= MOST_LISTED).then(|| (0..self.count()).map(|i| self.get(i)).collect())
    }

    pub fn union(&self, other: &Values) -> Result<Values, String> {
        match (self, other) {
            (a, b) if a == b => Ok(a.clone()),
            (Values::Range { lo: a, hi: b }, Values::Range { lo: c, hi: d })
                if *c <= b.saturating_add(1) && *a <= d.saturating_add(1) =>
            {
                Ok(Values::Range { lo: *a.min(c), hi: *b.max(d) })
            }
            _ => match (self.listed(), other.listed()) {
                (Some(mut a), Some(b)) => {
                    a.extend(b);
                    Ok(Values::set(a))
                }
                _ => Err("the permuted parameters have different domains that are too large to join".to_string()),
            },
        }
    }

    /// The values of at most this magnitude, without the negative ones if asked.
    pub fn within(&self, bound: i128, positive: bool) -> Values {
        let least = if positive { 0 } else { -bound };
        // Floating values can be larger than any bound; the largest bound admits them all.
        let above = |value: &Scalar| bound < i128::MAX && compare(value, &Scalar::Int(bound)) == Ordering::Greater;
        let below =
            |value: &Scalar| (positive || bound < i128::MAX) && compare(value, &Scalar::Int(least)) == Ordering::Less;
        match self {
            Values::Range { lo, hi } => Values::Range { lo: *lo.max(&least), hi: *hi.min(&bound) },
            Values::Set(values) => Values::Set(values.iter().filter(|v| !above(v) && !below(v)).copied().collect()),
        }
    }

    /// The least whole number that no value exceeds in magnitude.
    pub fn magnitude(&self) -> i128 {
        if self.count() == 0 {
            return 0;
        }
        [self.get(0), self.get(self.count() - 1)].iter().map(magnitude).max().unwrap_or(0)
    }

    /// The values at the ends and around zero.
    pub fn boundary(&self) -> Values {
        let count = self.count();
        if count <= 8 {
            return self.clone();
        }
        let mut chosen: Vec<Scalar> = [0, 1, count - 2, count - 1].map(|i| self.get(i)).to_vec();
        let around = [-1, 0, 1].map(Scalar::Int);
        chosen.extend(around.into_iter().filter(|v| self.contains(v)));
        Values::set(chosen)
    }

    /// The same values as numbers of a C type; an error names one that the type does not have.
    pub fn of_type(&self, ty: ValueType) -> Result<Values, String> {
        match ty {
            ValueType::Int(kind) => {
                let check = |value: &Scalar| match value {
                    Scalar::Int(int) if kind.contains(*int) => Ok(()),
                    Scalar::Int(int) => Err(format!("{int} is not a value of type {}", kind.c_name())),
                    Scalar::Float(float) => Err(format!("{float} is not a value of type {}", kind.c_name())),
                };
                match self {
                    Values::Set(values) => values.iter().try_for_each(check)?,
                    range if range.count() > 0 => {
                        check(&range.get(0))?;
                        check(&range.get(range.count() - 1))?;
                    }
                    _ => {}
                }
                Ok(self.clone())
            }
            ValueType::Float(kind) => {
                let listed = self.listed().ok_or("the range has too many values; give a step: 0..1e9:1e6")?;
                let rounded = |value: f64| if kind == FloatKind::Float { value as f32 as f64 } else { value };
                Ok(Values::set(listed.iter().map(|v| Scalar::Float(rounded(as_float(v)))).collect()))
            }
        }
    }
}

/// The least whole number at least as large as the value without its sign.
pub fn magnitude(value: &Scalar) -> i128 {
    match value {
        Scalar::Int(int) => int.saturating_abs(),
        Scalar::Float(float) => float.abs().ceil() as i128,
    }
}

/// A list stays small, however many ranges it is made of.
fn few(item: &str, listed: usize, ascending: bool, count: impl Fn() -> u128) -> Result<(), String> {
    match ascending {
        false => Err(format!("`{item}` is empty")),
        true if count() > MOST_LISTED => Err(format!("`{item}` has more than {MOST_LISTED} values")),
        true if count() + listed as u128 > MOST_LISTED => {
            Err(format!("with `{item}` these are more than {MOST_LISTED} values"))
        }
        true => Ok(()),
    }
}

fn number(text: &str) -> Result<Scalar, String> {
    let text = text.trim();
    let character = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
    if let Some(character) = character
        && let Ok([byte]) = <[u8; 1]>::try_from(character.as_bytes())
    {
        return Ok(Scalar::Int(byte.into()));
    }
    // A number that fits no C type would make sums of lengths overflow.
    if let Some(whole) = parse_integer(text).filter(|w| w.abs() < 1 << 100) {
        return Ok(Scalar::Int(whole));
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => Ok(Scalar::Float(float)),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// How tuples are taken from the domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sampling {
    /// All of them: what holds is proved for the domain.
    Exhaustive,
    /// So many, each value drawn evenly.
    Random(u64),
    /// All combinations of the values at the ends and around zero.
    Boundary,
    /// Few tuples, such that every two values of two inputs occur together in one.
    Pairwise,
}

/// A random tuple: one value of each domain.
pub fn draw(domains: &[&Values], random: &mut fastrand::Rng) -> Vec<Scalar> {
    domains.iter().map(|values| values.get(random.u128(0..values.count()))).collect()
}

/// Tuples that cover every pair of values of every two domains, found greedily: each new tuple starts with a pair that
/// is not covered, and takes for every other input the value that covers the most new pairs.
pub fn pairwise(domains: &[&Values]) -> Result<Vec<Vec<Scalar>>, String> {
    const MOST: u128 = 64;
    if let Some(large) = domains.iter().find(|d| d.count() > MOST) {
        let count = large.count();
        return Err(format!("pairs of values are taken from domains of at most {MOST}, and one has {count}"));
    }
    let counts: Vec<usize> = domains.iter().map(|d| d.count() as usize).collect();
    if counts.len() < 2 {
        let lone = domains.first().map_or(vec![Vec::new()], |d| (0..d.count()).map(|i| vec![d.get(i)]).collect());
        return Ok(lone);
    }
    let pair_table = |a: usize, b: usize| vec![false; counts[a] * counts[b]];
    let mut covered: Vec<Vec<Vec<bool>>> =
        (0..counts.len()).map(|a| (0..counts.len()).map(|b| pair_table(a, b)).collect()).collect();
    let mut tuples = Vec::new();
    for a in 0..counts.len() {
        for b in a + 1..counts.len() {
            for pair in 0..counts[a] * counts[b] {
                if covered[a][b][pair] {
                    continue;
                }
                let mut chosen: Vec<Option<usize>> = vec![None; counts.len()];
                chosen[a] = Some(pair / counts[b]);
                chosen[b] = Some(pair % counts[b]);
                for slot in 0..counts.len() {
                    if chosen[slot].is_some() {
                        continue;
                    }
                    let gain = |value: usize| {
                        let known = chosen.iter().enumerate().filter_map(|(o, v)| v.map(|v| (o, v)));
                        known.filter(|&(o, v)| !covered[slot][o][value * counts[o] + v]).count()
                    };
                    // Of equals the first, so that the result does not depend on anything else.
                    chosen[slot] = (0..counts[slot]).max_by_key(|&v| (gain(v), counts[slot] - v));
                }
                let chosen: Vec<usize> = chosen.into_iter().map(|v| v.unwrap_or(0)).collect();
                for x in 0..counts.len() {
                    for y in 0..counts.len() {
                        covered[x][y][chosen[x] * counts[y] + chosen[y]] = true;
                    }
                }
                tuples.push(chosen.iter().zip(domains).map(|(&i, d)| d.get(i as u128)).collect());
            }
        }
    }
    Ok(tuples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::IntKind;

    fn ints(values: &Values) -> Vec<i128> {
        (0..values.count())
            .map(|i| match values.get(i) {
                Scalar::Int(int) => int,
                Scalar::Float(float) => panic!("{float} should be an integer"),
            })
            .collect()
    }

    #[test]
    fn domains_are_read() {
        assert_eq!(Values::parse("-50..50"), Ok(Values::Range { lo: -50, hi: 50 }));
        assert_eq!(ints(&Values::parse("5, 1..3, 2").unwrap()), [1, 2, 3, 5]);
        assert_eq!(ints(&Values::parse("0..10:5").unwrap()), [0, 5, 10]);
        assert_eq!(ints(&Values::parse("'a'..'c'").unwrap()), [97, 98, 99]);
        assert_eq!(ints(&Values::parse("0x10").unwrap()), [16]);
        let quarters = Values::parse("0..1:0.25").unwrap();
        assert_eq!(quarters.count(), 5);
        assert_eq!(quarters.get(3), Scalar::Float(0.75));
        for bad in ["", "x", "3..1", "1..2:0", "0..1:-1", "1,,2", "nan", "0..1e9:1e-9", "0..600000:1,0..600000:1"] {
            assert!(Values::parse(bad).is_err(), "{bad}");
        }
        let (names, _) = Values::parse_named("i, j=1..2").unwrap();
        assert_eq!(names, ["i", "j"]);
        assert!(Values::parse_named("i").is_err());
    }

    #[test]
    fn sets_are_joined_bounded_and_typed() {
        let range = |lo, hi| Values::Range { lo, hi };
        assert_eq!(range(0, 4).union(&range(5, 9)), Ok(range(0, 9)));
        assert_eq!(ints(&range(0, 1).union(&range(5, 6)).unwrap()), [0, 1, 5, 6]);
        assert!(range(0, 1 << 40).union(&range(1 << 50, 1 << 60)).is_err());
        assert_eq!(range(-9, 20).within(3, false), range(-3, 3));
        assert_eq!(range(-9, 20).within(3, true), range(0, 3));
        assert_eq!(range(5, 9).within(3, false).count(), 0);
        let floats = Values::parse("-1e300,-2.5,0.5,1e300").unwrap();
        assert_eq!(floats.within(i128::MAX, false).count(), 4);
        assert_eq!(floats.within(i128::MAX, true).count(), 2);
        assert_eq!(floats.within(i128::MAX - 1, false).count(), 2);
        assert_eq!(range(-9, 5).magnitude(), 9);
        assert_eq!(ints(&range(-100, 100).boundary()), [-100, -99, -1, 0, 1, 99, 100]);
        assert!(range(0, 300).of_type(ValueType::Int(IntKind::UChar)).unwrap_err().contains("300"));
        assert_eq!(range(0, 2).of_type(ValueType::Float(FloatKind::Double)).unwrap().get(1), Scalar::Float(1.0));
    }

    #[test]
    fn every_pair_occurs() {
        let domains = [Values::parse("0..3").unwrap(), Values::parse("7,9").unwrap(), Values::parse("0..4").unwrap()];
        let domains: Vec<&Values> = domains.iter().collect();
        let tuples = pairwise(&domains).unwrap();
        assert!(tuples.len() < 40, "{}", tuples.len());
        for a in 0..3 {
            for b in 0..a {
                for i in 0..domains[a].count() {
                    for j in 0..domains[b].count() {
                        let (x, y) = (domains[a].get(i), domains[b].get(j));
                        assert!(tuples.iter().any(|t| t[a] == x && t[b] == y));
                    }
                }
            }
        }
        assert!(pairwise(&[&Values::parse("0..100").unwrap()]).is_err());
    }
}
