//! What arrays and scalars were at the visits of one location, in numbers.
//!
//! *Values* are integers of 64 bits. A floating array is one of integers over a common denominator. An element that was
//! never written, and one that does not fit, has no value.

use super::affine::Ratio;
use exec::ValueType;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayVariable {
    pub name: String,
    /// The C type of an element; `None` for arrays of a trace file.
    pub ty: Option<ValueType>,
    /// It is a constant of the program: a table that relations may go through, and nothing to be explained.
    pub is_constant: bool,
    /// The function is given it and does not write it.
    pub is_given: bool,
    /// Elements are the cells divided by this number.
    pub denominator: i64,
}

impl ArrayVariable {
    pub fn new(name: impl Into<String>) -> ArrayVariable {
        ArrayVariable { name: name.into(), ty: None, is_constant: false, is_given: false, denominator: 1 }
    }
}

/// The elements of an array at one visit, row-major.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    pub extents: Vec<usize>,
    pub cells: Vec<i64>,
    /// For each element whether it has a value; empty if all have.
    pub defined: Vec<bool>,
    /// Where the program keeps it, if a program does.
    pub address: Option<u64>,
}

impl Grid {
    pub fn new(extents: Vec<usize>, cells: Vec<i64>) -> Grid {
        assert_eq!(extents.iter().product::<usize>(), cells.len(), "an array should have a cell for every index");
        Grid { extents, cells, defined: Vec::new(), address: None }
    }

    pub fn get(&self, flat: usize) -> Option<i64> {
        let defined = self.defined.get(flat).copied().unwrap_or(true);
        if defined { self.cells.get(flat).copied() } else { None }
    }

    /// The element at these indices; `None` if they are out of range.
    pub fn at(&self, indices: &[i64]) -> Option<i64> {
        self.get(flat(&self.extents, indices)?)
    }

    pub fn is_defined(&self) -> bool {
        self.defined.iter().all(|d| *d)
    }
}

/// The row-major number of an element; `None` if the indices are out of range.
pub fn flat(extents: &[usize], indices: &[i64]) -> Option<usize> {
    let mut flat = 0;
    for (extent, index) in extents.iter().zip(indices) {
        let index = usize::try_from(*index).ok().filter(|index| index < extent)?;
        flat = flat * extent + index;
    }
    Some(flat)
}

/// The indices of an element by its row-major number.
pub fn unflat(extents: &[usize], mut flat: usize) -> Vec<i64> {
    let mut indices = vec![0; extents.len()];
    for (index, extent) in indices.iter_mut().zip(extents).rev() {
        *index = (flat % extent) as i64;
        flat /= extent;
    }
    indices
}

/// One visit.
#[derive(Clone, PartialEq, Debug)]
pub struct Visit {
    pub scalars: Vec<Option<i64>>,
    /// `None` where a pointer led nowhere.
    pub arrays: Vec<Option<Grid>>,
    /// Whether no visit of the same run comes after it: what a loop does is done then.
    pub is_last: bool,
}

/// The visits of one location.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    pub scalars: Vec<String>,
    pub arrays: Vec<ArrayVariable>,
    pub visits: Vec<Visit>,
}

/// Visits of one shape: every array has the same extents in all of them.
#[derive(Clone, Debug)]
pub struct Group<'t> {
    pub table: &'t Table,
    pub visits: Vec<&'t Visit>,
    /// For each array its extents; `None` for one that is not there.
    pub extents: Vec<Option<Vec<usize>>>,
}

impl Group<'_> {
    pub fn extents(&self, array: usize) -> &[usize] {
        self.extents[array].as_deref().unwrap_or(&[])
    }

    /// The number of elements of an array.
    pub fn size(&self, array: usize) -> usize {
        self.extents[array].as_ref().map_or(0, |extents| extents.iter().product())
    }

    pub fn element(&self, visit: &Visit, array: usize, indices: &[i64]) -> Option<Ratio> {
        let cell = visit.arrays[array].as_ref()?.at(indices)?;
        Some((cell.into(), self.table.arrays[array].denominator.into()))
    }
}

impl Table {
    /// The visits, those of one shape together, largest group first.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for visit in &self.visits {
            let extents: Vec<Option<Vec<usize>>> =
                visit.arrays.iter().map(|grid| grid.as_ref().map(|grid| grid.extents.clone())).collect();
            match groups.iter_mut().find(|group| group.extents == extents) {
                Some(group) => group.visits.push(visit),
                None => groups.push(Group { table: self, visits: vec![visit], extents }),
            }
        }
        // A stable sort, so that equals stay in the order of the visits.
        groups.sort_by_key(|group| std::cmp::Reverse(group.visits.len()));
        groups
    }

    /// Pairs of arrays that are the same memory at every visit that shows both.
    pub fn aliases(&self) -> Vec<(usize, usize)> {
        let mut aliases = Vec::new();
        for a in 0..self.arrays.len() {
            for b in a + 1..self.arrays.len() {
                let both = self.visits.iter().filter_map(|v| Some((v.arrays[a].as_ref()?, v.arrays[b].as_ref()?)));
                let same = both.map(|(x, y)| x.address.is_some() && x.address == y.address);
                let same: Vec<bool> = same.collect();
                if !same.is_empty() && same.iter().all(|same| *same) {
                    aliases.push((a, b));
                }
            }
        }
        aliases
    }
}
