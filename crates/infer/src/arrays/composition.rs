//! Function composition: can a function be had by applying others to each other?
//!
//! *Source*: Nguyen 2017, §4.2: FC (Definition 4.2.1), FC with bounded repeats (r-FC, 4.2.8) and FC of functions of
//! several arguments (k-FC, 4.2.11). In the number of functions the problem is strongly NP-complete, by reduction from
//! exact cover ([`Cover::as_composition`]); in the size of the functions it is polynomial.
//!
//! *Departure*: the source enumerates compositions and checks each. Here the images of the whole domain are carried
//! along while a composition grows from the inside out, so that a beginning that leaves the domain of every function, or
//! that comes to images seen before with no fewer functions left, is given up at once.
//!
//! *Guarantee*: a composition is found if and only if there is one, and it produces the function; for trees, up to the
//! number of images looked at ([`MOST_IMAGES`]), beyond which the answer is [`Answer::Unknown`].

use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A function of finitely many arguments, each a tuple of as many numbers as the function takes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Finite {
    pub values: BTreeMap<Vec<i64>, i64>,
}

impl Finite {
    /// A function of one number.
    pub fn unary(pairs: impl IntoIterator<Item = (i64, i64)>) -> Finite {
        Finite { values: pairs.into_iter().map(|(x, y)| (vec![x], y)).collect() }
    }

    /// The function that an array is: `{0 -> v0, 1 -> v1, ..}`.
    pub fn array(values: &[i64]) -> Finite {
        Finite::unary(values.iter().enumerate().map(|(x, y)| (x as i64, *y)))
    }

    /// How many numbers it takes.
    pub fn arity(&self) -> usize {
        self.values.keys().next().map_or(0, Vec::len)
    }
}

/// Images of partial compositions that are looked at.
pub const MOST_IMAGES: usize = 200_000;

/// What a search for a tree came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Found(Tree),
    None,
    /// There were too many partial compositions to look at all.
    Unknown,
}

/// A composition of functions of several arguments.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Tree {
    /// The argument of that number.
    Argument(usize),
    /// The function of that number, applied.
    Apply(usize, Vec<Tree>),
}

/// The first composition of functions of one number that produces `f`: the outermost first, each function at most
/// `repeats` times. FC is the case of one repeat.
pub fn compose(f: &Finite, functions: &[Finite], repeats: usize) -> Option<Vec<usize>> {
    let start: Vec<i64> = f.values.keys().map(|arguments| arguments[0]).collect();
    let wanted: Vec<i64> = f.values.values().copied().collect();
    let mut seen = BTreeSet::new();
    let mut inside_out = Vec::new();
    grow(&start, &wanted, functions, &mut vec![repeats; functions.len()], &mut seen, &mut inside_out)
        .then(|| inside_out.into_iter().rev().collect())
}

/// All compositions that produce `f`; for small cases.
pub fn compositions(f: &Finite, functions: &[Finite], repeats: usize) -> Vec<Vec<usize>> {
    let start: Vec<i64> = f.values.keys().map(|arguments| arguments[0]).collect();
    let wanted: Vec<i64> = f.values.values().copied().collect();
    let mut found = Vec::new();
    let mut open = vec![(start, Vec::new())];
    while let Some((images, chosen)) = open.pop() {
        if !chosen.is_empty() && images == wanted {
            found.push(chosen.iter().rev().copied().collect());
        }
        for (number, function) in functions.iter().enumerate() {
            let used = chosen.iter().filter(|other| **other == number).count();
            if used < repeats
                && let Some(images) = applied(function, &images)
            {
                let mut longer: Vec<usize> = chosen.clone();
                longer.push(number);
                open.push((images, longer));
            }
        }
    }
    found.sort();
    found
}

fn applied(function: &Finite, images: &[i64]) -> Option<Vec<i64>> {
    images.iter().map(|image| function.values.get(std::slice::from_ref(image)).copied()).collect()
}

fn grow(
    images: &[i64],
    wanted: &[i64],
    functions: &[Finite],
    left: &mut Vec<usize>,
    seen: &mut BTreeSet<(Vec<i64>, Vec<usize>)>,
    chosen: &mut Vec<usize>,
) -> bool {
    if !chosen.is_empty() && images == wanted {
        return true;
    }
    if !seen.insert((images.to_vec(), left.clone())) {
        return false;
    }
    for (number, function) in functions.iter().enumerate() {
        if left[number] == 0 {
            continue;
        }
        let Some(next) = applied(function, images) else { continue };
        left[number] -= 1;
        chosen.push(number);
        if grow(&next, wanted, functions, left, seen, chosen) {
            return true;
        }
        chosen.pop();
        left[number] += 1;
    }
    false
}

/// Images of a partial tree over the domain, and how often each function is used.
type Images = (Vec<i64>, Vec<usize>);

/// A tree of functions of several arguments that produces `f`, each function at most `repeats` times; the smallest.
pub fn compose_tree(f: &Finite, functions: &[Finite], repeats: usize) -> Answer {
    let domain: Vec<&Vec<i64>> = f.values.keys().collect();
    let wanted: Vec<i64> = f.values.values().copied().collect();
    // Trees by the number of functions in them.
    let mut by_size: Vec<Vec<(Images, Tree)>> = vec![Vec::new()];
    let mut known: HashSet<Images> = HashSet::new();
    for argument in 0..f.arity() {
        let images: Vec<i64> = domain.iter().map(|arguments| arguments[argument]).collect();
        let images = (images, vec![0; functions.len()]);
        if known.insert(images.clone()) {
            by_size[0].push((images, Tree::Argument(argument)));
        }
    }
    for size in 1..=functions.len() * repeats {
        let mut made: Vec<(Images, Tree)> = Vec::new();
        for (number, function) in functions.iter().enumerate() {
            let mut children: Vec<&(Images, Tree)> = Vec::new();
            let mut visit = |children: &[&(Images, Tree)]| {
                let mut uses = vec![0; functions.len()];
                uses[number] = 1;
                for ((_, used), _) in children {
                    uses.iter_mut().zip(used).for_each(|(all, one)| *all += one);
                }
                if uses.iter().any(|used| *used > repeats) {
                    return None;
                }
                let image = |n: usize| {
                    let arguments: Vec<i64> = children.iter().map(|((images, _), _)| images[n]).collect();
                    function.values.get(&arguments).copied()
                };
                let images: Vec<i64> = (0..wanted.len()).map(image).collect::<Option<_>>()?;
                let tree = || Tree::Apply(number, children.iter().map(|(_, tree)| tree.clone()).collect());
                if images == wanted {
                    return Some(tree());
                }
                let images = (images, uses);
                if known.insert(images.clone()) {
                    made.push((images, tree()));
                }
                None
            };
            if let Some(tree) = choose(&by_size, function.arity(), size - 1, &mut children, &mut visit) {
                return Answer::Found(tree);
            }
        }
        by_size.push(made);
        if known.len() > MOST_IMAGES {
            return Answer::Unknown;
        }
    }
    Answer::None
}

/// Is shown a choice of trees, and tells if that is enough.
type Visit<'v, 't> = dyn FnMut(&[&'t (Images, Tree)]) -> Option<Tree> + 'v;

/// Calls `visit` on every choice of so many trees whose sizes add up to `size`, until it finds something.
fn choose<'t>(
    by_size: &'t [Vec<(Images, Tree)>],
    count: usize,
    size: usize,
    chosen: &mut Vec<&'t (Images, Tree)>,
    visit: &mut Visit<'_, 't>,
) -> Option<Tree> {
    if count == 0 {
        return if size == 0 { visit(chosen) } else { None };
    }
    for own in 0..=size {
        for tree in by_size.get(own).into_iter().flatten() {
            chosen.push(tree);
            let found = choose(by_size, count - 1, size - own, chosen, visit);
            chosen.pop();
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// An instance of exact cover: some of the sets, so that every element is in exactly one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// Elements are numbered from 1.
    pub elements: usize,
    pub sets: Vec<BTreeSet<usize>>,
}

impl Cover {
    /// The instance of function composition that has an answer exactly if this one has (Theorem 4.2.3).
    ///
    /// `y + p` stands for an element that has been covered, `2p + 1` for one that was covered twice; a set covers its
    /// elements, and spoils those that are covered already.
    pub fn as_composition(&self) -> (Finite, Vec<Finite>) {
        let p = self.elements as i64;
        let spoilt = 2 * p + 1;
        let f = Finite::unary((0..=p).map(|y| (y, if y == 0 { spoilt } else { y + p })));
        let function = |set: &BTreeSet<usize>| {
            let has = |y: i64| usize::try_from(y).is_ok_and(|y| set.contains(&y));
            let value = |y: i64| match y {
                0 => spoilt,
                y if y <= p && has(y) => y + p,
                y if y > p && has(y - p) => spoilt,
                y => y,
            };
            Finite::unary((0..=2 * p).map(|y| (y, value(y))).chain([(spoilt, spoilt)]))
        };
        (f, self.sets.iter().map(function).collect())
    }

    /// Whether there is an exact cover, by trying every choice of sets.
    pub fn has_cover(&self) -> bool {
        (0..1u32 << self.sets.len()).any(|choice| {
            let chosen: Vec<usize> = (0..self.sets.len())
                .filter(|n| choice & 1 << n != 0)
                .flat_map(|n| self.sets[n].iter().copied())
                .collect();
            let different: BTreeSet<usize> = chosen.iter().copied().collect();
            chosen.len() == self.elements && different.len() == self.elements
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn letters(pairs: &str) -> Finite {
        Finite::unary(pairs.split(' ').map(|pair| {
            let mut letters = pair.chars().map(|letter| letter as i64);
            (letters.next().unwrap(), letters.next().unwrap())
        }))
    }

    #[test]
    fn example_4_2_2() {
        let functions = ["jy vz kv", "vy yz", "ak bj", "aj bv"].map(letters);
        let f = letters("ay bz");
        assert_eq!(compositions(&f, &functions, 1), [vec![0, 3], vec![1, 0, 2]]);
        let found = compose(&f, &functions, 1).unwrap();
        assert!(compositions(&f, &functions, 1).contains(&found));
    }

    #[test]
    fn example_4_2_6_has_the_one_cover() {
        // -2, 0, 5, 7 are elements 1 to 4.
        let sets = [&[3][..], &[4], &[2, 4], &[1, 2], &[1, 3, 4]];
        let cover = Cover { elements: 4, sets: sets.iter().map(|set| set.iter().copied().collect()).collect() };
        let (f, functions) = cover.as_composition();
        let found = compositions(&f, &functions, 1);
        assert!(!found.is_empty());
        for composition in found {
            assert_eq!(composition.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from([0, 1, 3]));
        }
    }

    #[test]
    fn repeats_are_bounded() {
        let successor = Finite::unary((0..10).map(|x| (x, x + 1)));
        let third = Finite::unary([(0, 3)]);
        assert_eq!(compose(&third, std::slice::from_ref(&successor), 2), None);
        assert_eq!(compose(&third, &[successor], 3), Some(vec![0, 0, 0]));
    }

    fn gate(of: fn(i64, i64) -> i64) -> Finite {
        let inputs = [(0, 0), (0, 1), (1, 0), (1, 1)];
        Finite { values: inputs.into_iter().map(|(x, y)| (vec![x, y], of(x, y))).collect() }
    }

    fn value(tree: &Tree, functions: &[Finite], arguments: &[i64]) -> i64 {
        match tree {
            Tree::Argument(n) => arguments[*n],
            Tree::Apply(function, children) => {
                let children: Vec<i64> = children.iter().map(|child| value(child, functions, arguments)).collect();
                functions[*function].values[&children]
            }
        }
    }

    #[test]
    fn example_4_2_12_xor_from_nand() {
        let nand = gate(|x, y| 1 - x * y);
        let xor = gate(|x, y| x ^ y);
        let Answer::Found(tree) = compose_tree(&xor, std::slice::from_ref(&nand), 5) else {
            panic!("five gates should do")
        };
        assert!(
            xor.values
                .iter()
                .all(|(arguments, wanted)| value(&tree, std::slice::from_ref(&nand), arguments) == *wanted)
        );
        assert_eq!(compose_tree(&xor, &[nand], 4), Answer::None, "as a tree, four gates are not enough");
    }

    proptest! {
        #[test]
        fn exact_covers_are_compositions(
            elements in 1usize..5,
            sets in prop::collection::vec(prop::collection::btree_set(1usize..5, 1..4), 1..6),
        ) {
            let sets = sets.into_iter().map(|set| set.into_iter().filter(|e| *e <= elements).collect::<BTreeSet<_>>());
            let cover = Cover { elements, sets: sets.filter(|set| !set.is_empty()).collect() };
            let (f, functions) = cover.as_composition();
            prop_assert_eq!(compose(&f, &functions, 1).is_some(), cover.has_cover());
        }
    }
}
