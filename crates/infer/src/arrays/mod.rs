//! Relations among arrays: flat, nested, conditional, and through functions.
//!
//! *Question*: which elements of one array are which elements of others, or are computed from them, and by which rule?
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, chapter 4: flat relations `A[i] = b1*B1[..] + .. + c` (§4.4), nested ones `A[i] = B[C[2i + 1]]`
//! (§4.2, §4.3), functions as partial arrays (§4.3.2).
//!
//! *Departures*: relations among elements are found by looking up the values that elements have over all visits in a
//! table of hashes ([`universe`]) instead of by one nullspace over all elements, so that ten thousand elements are no
//! trouble; the nullspace remains for sums of several elements of small arrays. Indices may wrap around (`(i + 1) % 4`),
//! relations may lie inside one array, coefficients may stand inside a nesting, nested relations may be conditional, and
//! functions may take arrays: the source's categories of what it cannot find.
//!
//! *Phases*: visits of one shape ([`table`]) → values of elements, and of elements looked up by elements ([`universe`])
//! → for each pivot, corners and what they equal ([`search`], [`candidates`]) → how indices move ([`solve`]) →
//! verification on all visits ([`held`]) → where it holds ([`domain`]) → what was told from another side is left out
//! ([`known`]).
//!
//! *Guarantee*: what is reported held at every visit, for every index that its domain names. It can be an accident of
//! few visits; how much must speak for a relation is said in [`held`].

pub mod affine;
pub mod calls;
mod candidates;
pub mod composition;
pub mod domain;
pub mod expression;
pub mod findings;
pub mod functions;
mod known_equations;
pub mod observe;
mod search;
pub mod shown;
pub mod solve;
pub mod sums;
mod support;
pub mod table;
pub mod universe;

pub use affine::Affine;
pub use domain::Domain;
pub use expression::Expr;
pub use findings::{ArrayInvariant, Options, array_findings, prepare};
pub use functions::{Builtin, UserFunction};
pub use table::{ArrayVariable, Grid, Group, Table, Visit};

use diagnostics::Verdict;
use known_equations::{Explained, KnownEquations};
use search::Search;

/// The kinds of array relations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ArrayForm {
    Flat,
    Nested,
}

impl ArrayForm {
    pub fn name(self) -> &'static str {
        match self {
            ArrayForm::Flat => "flat",
            ArrayForm::Nested => "nested",
        }
    }
}

/// What is looked for.
pub struct Config {
    /// How often an array or function may occur in a nesting.
    pub repeats: usize,
    /// Arrays and functions nested in each other, at most.
    pub depth: usize,
    pub builtins: Vec<Builtin>,
    pub functions: Vec<Box<dyn UserFunction>>,
    /// Numbers that functions may take: those of the program's text.
    pub constants: Vec<i64>,
    pub flat: bool,
    pub nested: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            repeats: 1,
            depth: 4,
            builtins: Builtin::ALL.to_vec(),
            functions: Vec::new(),
            constants: Vec::new(),
            flat: true,
            nested: true,
        }
    }
}

/// A relation between the elements of one array and others.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayRelation {
    pub form: ArrayForm,
    /// The array that is explained, by its number in the table.
    pub pivot: usize,
    pub right: Expr,
    pub domain: Domain,
    pub verdict: Verdict,
}

/// What was found among the arrays of a location.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArrayRelations {
    pub relations: Vec<ArrayRelation>,
    /// What was left out, in whole sentences.
    pub notes: Vec<String>,
}

/// Fewest visits of one shape that are looked at, where there are more of other shapes.
const FEWEST: usize = 3;

/// The relations among the arrays of a table, pivots in the order of the arrays.
pub fn array_relations(table: &Table, config: &Config) -> ArrayRelations {
    let order: Vec<usize> = (0..table.arrays.len()).collect();
    relations_of(table, &order, config)
}

/// As [`array_relations`], with the arrays explained in this order.
pub fn relations_of(table: &Table, order: &[usize], config: &Config) -> ArrayRelations {
    let mut found = ArrayRelations::default();
    let aliases = table.aliases();
    for (kept, other) in &aliases {
        let (kept, other) = (&table.arrays[*kept].name, &table.arrays[*other].name);
        found
            .notes
            .push(format!("`{other}` is the same memory as `{kept}` at every visit; only `{kept}` is looked at."));
    }
    let mut alone = table.clone();
    for (_, other) in &aliases {
        alone.visits.iter_mut().for_each(|visit| visit.arrays[*other] = None);
    }
    for (array, variable) in table.arrays.iter().enumerate() {
        let grids = || alone.visits.iter().filter_map(|visit| visit.arrays[array].as_ref());
        if grids().next().is_some() && grids().all(|grid| grid.cells.is_empty()) {
            found.notes.push(format!("`{}` has no elements.", variable.name));
        }
    }
    let groups = alone.groups();
    // Much is seen in many visits, and in long arrays.
    let size = |group: &Group<'_>| {
        let cells: usize = order.iter().map(|array| group.size(*array).min(64)).sum();
        if group.visits.len() < FEWEST { 0 } else { cells * group.visits.len().min(16) }
    };
    let best = groups.iter().max_by_key(|group| (size(group), group.visits.len()));
    let Some(group) = best else { return found };
    if groups.len() > 1 && group.visits.len() < FEWEST {
        found
            .notes
            .push("The arrays have different sizes at nearly every visit, too few of one size to compare.".into());
        return found;
    }
    let search = Search::new(group, &groups, config);
    if search.universe.is_cut {
        found.notes.push("There are too many ways to look elements up in each other; some were left out.".into());
    }
    let mut all: Vec<(usize, Explained)> = Vec::new();
    for (rank, &pivot) in order.iter().enumerate().filter(|(_, pivot)| !table.arrays[**pivot].is_constant) {
        all.extend(search.explain(pivot).into_iter().map(|explained| (rank, explained)));
    }
    // Of relations that say the same from two sides, the one that says more at once is kept.
    let mut known = KnownEquations::default();
    let mut by_size: Vec<usize> = (0..all.len()).collect();
    by_size.sort_by_key(|n| {
        let (rank, explained) = &all[*n];
        let is_given = |array: usize| table.arrays[array].is_given;
        // Two copies of what the function is given are copies of each other as well.
        let aside = explained.copied().is_some_and(|array| !is_given(array) && !is_given(explained.relation.pivot));
        (std::cmp::Reverse(explained.covered), explained.relation.right.has_fraction(), aside, *rank)
    });
    let mut kept: Vec<usize> = by_size.into_iter().filter(|n| known.is_new(&all[*n].1)).collect();
    kept.sort_unstable();
    found.relations.extend(kept.into_iter().map(|n| all[n].1.relation.clone()));
    found
}

#[cfg(test)]
mod tests;
