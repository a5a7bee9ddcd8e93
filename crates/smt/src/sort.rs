//! Sorts, function symbols and datatypes: the vocabulary that terms are built from.

use crate::hash::Mixer;
use std::hash::{Hash, Hasher};

/// A sort, interned in a [`TermPool`](crate::TermPool).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SortId(pub(crate) u32);

impl SortId {
    /// Truth values.
    pub const BOOL: SortId = SortId(0);
    /// Unbounded integers.
    pub const INT: SortId = SortId(1);
    /// Real numbers.
    pub const REAL: SortId = SortId(2);
}

/// A function symbol; constants (variables of a query) are function symbols without arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FuncId(pub(crate) u32);

/// A datatype declared in a pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct DatatypeId(pub(crate) u32);

/// One constructor of a datatype, by position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Constructor {
    /// The datatype it builds.
    pub datatype: DatatypeId,
    /// Its position among the datatype's constructors.
    pub index: u32,
}

/// What a [`SortId`] stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Real numbers.
    Real,
    /// Bit-vectors of the given width, at least 1.
    BitVec(u32),
    /// IEEE 754 values of a format, with one NaN.
    Float(ieee::Format),
    /// Total maps from the first sort to the second.
    Array(SortId, SortId),
    /// A sort about which nothing is known but its name and that it is not empty.
    Uninterpreted(Box<str>),
    /// A declared datatype.
    Datatype(DatatypeId),
}

/// A function symbol's name and signature.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Func {
    /// The name given by the caller. Two symbols may share it if their signatures differ.
    pub name: Box<str>,
    /// Argument sorts, empty for a constant.
    pub args: Box<[SortId]>,
    /// The sort of an application.
    pub range: SortId,
    /// Zero for free symbols. A variable bound by a quantifier carries the quantifier's height
    /// (see [`crate::build`]'s `forall`), which keeps it apart from every free symbol.
    pub(crate) level: u32,
}

/// A datatype as stored in the pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// Its name, unique in the pool.
    pub name: Box<str>,
    /// Its constructors, at least one.
    pub constructors: Vec<ConstructorInfo>,
    /// First member and size of the group it was declared in (mutual recursion).
    pub(crate) group: (DatatypeId, u32),
    /// The constructor that reaches a finite value in the fewest steps.
    pub(crate) smallest: u32,
}

/// A constructor of a stored datatype.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstructorInfo {
    /// Its name.
    pub name: Box<str>,
    /// Names and sorts of its fields.
    pub fields: Vec<(Box<str>, SortId)>,
}

/// A datatype to be declared with [`TermPool::declare_datatypes`](crate::TermPool::declare_datatypes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatatypeDecl {
    pub(crate) name: Box<str>,
    pub(crate) constructors: Vec<(Box<str>, Vec<FieldDecl>)>,
}

/// Name and sort of a field in a declaration.
pub(crate) type FieldDecl = (Box<str>, FieldSort);

/// The sort of a field in a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldSort {
    /// A sort that exists already.
    Of(SortId),
    /// The n-th datatype of the group being declared.
    Group(usize),
}

impl DatatypeDecl {
    /// A declaration without constructors yet.
    pub fn new(name: &str) -> Self {
        DatatypeDecl { name: name.into(), constructors: Vec::new() }
    }

    /// Adds a constructor with named fields.
    #[must_use]
    pub fn constructor(mut self, name: &str, fields: &[(&str, FieldSort)]) -> Self {
        let fields = fields.iter().map(|(n, s)| ((*n).into(), *s)).collect();
        self.constructors.push((name.into(), fields));
        self
    }
}

/// Position in the group of the constructor that every member's finite value can start with.
///
/// Least fixpoint: a datatype is inhabited once one of its constructors has only inhabited fields.
/// The constructor found in the earliest round is the smallest one, which is what default values
/// use; `None` for a member means that it has no finite value and the declaration is meaningless.
pub(crate) fn smallest_constructors(group: &[DatatypeDecl]) -> Vec<Option<u32>> {
    let mut found: Vec<Option<u32>> = vec![None; group.len()];
    loop {
        let before = found.clone();
        for (member, decl) in group.iter().enumerate() {
            if before[member].is_none() {
                found[member] = decl
                    .constructors
                    .iter()
                    .position(|(_, fields)| {
                        fields.iter().all(|(_, sort)| match sort {
                            FieldSort::Of(_) => true,
                            FieldSort::Group(other) => before[*other].is_some(),
                        })
                    })
                    .map(|i| i as u32);
            }
        }
        if found == before {
            return found;
        }
    }
}

/// Hash of a function symbol that does not depend on the numbering of sorts.
pub(crate) fn func_hash(func: &Func, sort_hash: impl Fn(SortId) -> u64) -> u64 {
    let mut mixer = Mixer::default();
    func.name.hash(&mut mixer);
    mixer.write_u32(func.level);
    for sort in func.args.iter().chain([&func.range]) {
        mixer.write_u64(sort_hash(*sort));
    }
    mixer.finish()
}
