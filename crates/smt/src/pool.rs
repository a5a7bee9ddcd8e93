//! The store of terms, sorts, symbols and datatypes that threads share.
//!
//! A [`TermPool`] is a handle: cloning it is cheap and every clone sees the same store. Building
//! takes a short lock on one of several interning tables, reading takes none. A term built on one
//! thread can be used on any other at once. Terms live as long as the pool: work that builds many
//! short-lived terms should use a pool of its own and drop it.

use crate::arena::Arena;
use crate::hash::{IdMap, IdSet, MixState, Mixer};
use crate::sort::{
    Constructor, ConstructorInfo, Datatype, DatatypeDecl, DatatypeId, FieldSort, Func, FuncId, Sort, SortId, func_hash,
    smallest_constructors,
};
use crate::term::{Node, Op, TermId};
use crate::typing;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

const SHARDS: usize = 16;

/// See the module documentation.
#[derive(Clone)]
pub struct TermPool(Arc<Store>);

struct Store {
    nodes: Arena<Node>,
    interned: [Mutex<HashTable<u32>>; SHARDS],
    sorts: Arena<(Sort, u64)>,
    sort_ids: Mutex<HashMap<Sort, u32, MixState>>,
    funcs: Arena<(Func, u64)>,
    func_ids: Mutex<HashMap<Func, u32, MixState>>,
    datatypes: Arena<Datatype>,
    datatype_ids: Mutex<HashMap<Box<str>, u32, MixState>>,
    cancel: OnceLock<Arc<AtomicBool>>,
}

/// A table stays consistent when a thread panics between two of its operations, because every
/// change is a single insertion; so a poisoned lock carries no bad state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for TermPool {
    fn default() -> Self {
        TermPool::new()
    }
}

impl std::fmt::Debug for TermPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TermPool({} terms)", self.len())
    }
}

impl TermPool {
    /// An empty pool.
    pub fn new() -> Self {
        let pool = TermPool(Arc::new(Store {
            nodes: Arena::new(),
            interned: [const { Mutex::new(HashTable::new()) }; SHARDS],
            sorts: Arena::new(),
            sort_ids: Mutex::default(),
            funcs: Arena::new(),
            func_ids: Mutex::default(),
            datatypes: Arena::new(),
            datatype_ids: Mutex::default(),
            cancel: OnceLock::new(),
        }));
        // Their positions are the public constants of `SortId`.
        for sort in [Sort::Bool, Sort::Int, Sort::Real] {
            pool.intern_sort(sort);
        }
        pool
    }

    /// Checks over this pool, running and later ones, answer [`Why::Interrupted`](crate::Why::Interrupted) once the flag
    /// is raised. It is for whoever makes the pool: the first flag stays.
    pub fn cancelled_by(&self, flag: &Arc<AtomicBool>) {
        let _ = self.0.cancel.set(flag.clone());
    }

    pub(crate) fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        self.0.cancel.get()
    }

    /// Number of different terms built so far.
    pub fn len(&self) -> usize {
        self.0.nodes.len()
    }

    /// Whether no term has been built.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether both handles name the same store.
    pub fn same_store(&self, other: &TermPool) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    // ----- sorts -----

    fn intern_sort(&self, sort: Sort) -> SortId {
        let mut ids = lock(&self.0.sort_ids);
        if let Some(id) = ids.get(&sort) {
            return SortId(*id);
        }
        let mut mixer = Mixer::default();
        std::mem::discriminant(&sort).hash(&mut mixer);
        match &sort {
            Sort::BitVec(width) => mixer.write_u32(*width),
            Sort::Array(index, element) => {
                mixer.write_u64(self.sort_hash(*index));
                mixer.write_u64(self.sort_hash(*element));
            }
            Sort::Uninterpreted(name) => name.hash(&mut mixer),
            Sort::Datatype(id) => self.datatype(*id).name.hash(&mut mixer),
            Sort::Float(format) => format.hash(&mut mixer),
            Sort::Bool | Sort::Int | Sort::Real => {}
        }
        let id = self.0.sorts.push((sort.clone(), mixer.finish()));
        ids.insert(sort, id);
        SortId(id)
    }

    /// Bit-vectors of a width.
    pub fn bitvec_sort(&self, width: u32) -> SortId {
        assert!(width > 0, "a bit-vector sort should have a positive width, because SMT-LIB has no empty ones");
        self.intern_sort(Sort::BitVec(width))
    }

    /// IEEE 754 values of a format.
    pub fn float_sort(&self, format: ieee::Format) -> SortId {
        self.intern_sort(Sort::Float(format))
    }

    /// Arrays from one sort to another.
    pub fn array_sort(&self, index: SortId, element: SortId) -> SortId {
        self.intern_sort(Sort::Array(index, element))
    }

    /// The uninterpreted sort of that name.
    pub fn uninterpreted_sort(&self, name: &str) -> SortId {
        check_name(name);
        self.intern_sort(Sort::Uninterpreted(name.into()))
    }

    /// The sort of a datatype's values.
    pub fn datatype_sort(&self, datatype: DatatypeId) -> SortId {
        self.intern_sort(Sort::Datatype(datatype))
    }

    /// What a sort is.
    pub fn sort(&self, id: SortId) -> &Sort {
        &self.0.sorts.get(id.0).0
    }

    fn sort_hash(&self, id: SortId) -> u64 {
        self.0.sorts.get(id.0).1
    }

    // ----- function symbols -----

    /// The function symbol with that name and signature; asking again gives the same symbol.
    pub fn function(&self, name: &str, args: &[SortId], range: SortId) -> FuncId {
        check_name(name);
        self.intern_func(Func { name: name.into(), args: args.into(), range, level: 0 })
    }

    pub(crate) fn bound_variable(&self, name: &str, range: SortId, level: u32) -> FuncId {
        self.intern_func(Func { name: name.into(), args: Box::new([]), range, level })
    }

    fn intern_func(&self, func: Func) -> FuncId {
        let mut ids = lock(&self.0.func_ids);
        if let Some(id) = ids.get(&func) {
            return FuncId(*id);
        }
        let hash = func_hash(&func, |s| self.sort_hash(s));
        let id = self.0.funcs.push((func.clone(), hash));
        ids.insert(func, id);
        FuncId(id)
    }

    /// A symbol's name and signature.
    pub fn func(&self, id: FuncId) -> &Func {
        &self.0.funcs.get(id.0).0
    }

    pub(crate) fn func_hash(&self, id: FuncId) -> u64 {
        self.0.funcs.get(id.0).1
    }

    // ----- datatypes -----

    /// Declares datatypes that may refer to each other. Declaring the same again gives the same ids.
    ///
    /// # Panics
    /// If a name is already taken by a different declaration, or a datatype has no finite value.
    pub fn declare_datatypes(&self, group: &[DatatypeDecl]) -> Vec<DatatypeId> {
        let smallest = smallest_constructors(group);
        let mut ids = lock(&self.0.datatype_ids);
        let known: Vec<_> = group.iter().map(|d| ids.get(&d.name).copied()).collect();
        if let Some(Some(first)) = known.first() {
            let first = *first;
            let stored: Vec<_> = (first..first + group.len() as u32).map(DatatypeId).collect();
            let same = known.iter().zip(first..).all(|(k, id)| *k == Some(id))
                && group.iter().zip(&stored).all(|(decl, id)| {
                    let old = self.datatype(*id);
                    old.group == (DatatypeId(first), group.len() as u32)
                        && old.constructors == self.resolve(decl, &stored)
                });
            assert!(same, "datatype {} should be declared once, because its name identifies it", group[0].name);
            return stored;
        }
        assert!(
            known.iter().all(Option::is_none),
            "a datatype group should be declared as a whole, because names identify datatypes"
        );
        // Group members refer to each other by ids that are handed out consecutively below; the
        // lock on the names keeps another declaration from coming in between.
        let first = self.0.datatypes.len() as u32;
        let members: Vec<_> = (first..first + group.len() as u32).map(DatatypeId).collect();
        for (position, decl) in group.iter().enumerate() {
            check_name(&decl.name);
            let smallest = smallest[position].unwrap_or_else(|| {
                panic!("datatype {} should have a finite value, because sorts are not empty", decl.name)
            });
            // Fields are resolved in a second step, as their sorts need all members' names.
            let id = self.0.datatypes.push(Datatype {
                name: decl.name.clone(),
                constructors: self.resolve_named(decl, &members, group),
                group: (DatatypeId(first), group.len() as u32),
                smallest,
            });
            assert_eq!(id, members[position].0);
            ids.insert(decl.name.clone(), id);
        }
        members
    }

    /// Sorts of group members are interned before the members are stored, so their hash must not
    /// look the name up in the store.
    fn resolve_named(
        &self,
        decl: &DatatypeDecl,
        members: &[DatatypeId],
        group: &[DatatypeDecl],
    ) -> Vec<ConstructorInfo> {
        let mut sort_ids = lock(&self.0.sort_ids);
        for (id, member) in members.iter().zip(group) {
            sort_ids.entry(Sort::Datatype(*id)).or_insert_with(|| {
                let mut mixer = Mixer::default();
                std::mem::discriminant(&Sort::Datatype(*id)).hash(&mut mixer);
                member.name.hash(&mut mixer);
                self.0.sorts.push((Sort::Datatype(*id), mixer.finish()))
            });
        }
        drop(sort_ids);
        self.resolve(decl, members)
    }

    fn resolve(&self, decl: &DatatypeDecl, members: &[DatatypeId]) -> Vec<ConstructorInfo> {
        let field_sort = |sort: &FieldSort| match sort {
            FieldSort::Of(id) => *id,
            FieldSort::Group(n) => self.datatype_sort(members[*n]),
        };
        decl.constructors
            .iter()
            .map(|(name, fields)| ConstructorInfo {
                name: name.clone(),
                fields: fields.iter().map(|(n, s)| (n.clone(), field_sort(s))).collect(),
            })
            .collect()
    }

    /// A declared datatype.
    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        self.0.datatypes.get(id.0)
    }

    /// A datatype's constructor by name.
    pub fn constructor(&self, datatype: DatatypeId, name: &str) -> Option<Constructor> {
        let constructors = &self.datatype(datatype).constructors;
        let index = constructors.iter().position(|c| &*c.name == name)? as u32;
        Some(Constructor { datatype, index })
    }

    /// A constructor's name and fields.
    pub fn constructor_info(&self, constructor: Constructor) -> &ConstructorInfo {
        &self.datatype(constructor.datatype).constructors[constructor.index as usize]
    }

    // ----- terms -----

    /// The term as it stands, without simplification. [`TermPool::build`] is what you normally want.
    ///
    /// # Panics
    /// If the arguments do not fit the operator.
    pub fn raw(&self, op: Op, args: &[TermId]) -> TermId {
        let mut mixer = Mixer::default();
        op.mix(
            &mut mixer,
            |f| self.func_hash(f),
            |s| self.sort_hash(s),
            |c| {
                let mut mixer = Mixer::default();
                self.datatype(c.datatype).name.hash(&mut mixer);
                mixer.write_u32(c.index);
                mixer.finish()
            },
        );
        args.iter().for_each(|a| mixer.write_u64(self.node(*a).hash));
        let hash = mixer.finish();

        let mut table = lock(&self.0.interned[hash as usize % SHARDS]);
        let same = |id: &u32| {
            let node = self.0.nodes.get(*id);
            node.hash == hash && node.op == op && *node.args == *args
        };
        if let Some(id) = table.find(hash, same) {
            return TermId(*id);
        }
        let node = self.describe(op, args, hash);
        let id = self.0.nodes.push(node);
        table.insert_unique(hash, id, |id| self.0.nodes.get(*id).hash);
        TermId(id)
    }

    fn describe(&self, op: Op, args: &[TermId], hash: u64) -> Node {
        let sort = typing::sort_of(self, &op, args);
        let mut node = Node { sort, depth: 0, binders: 0, open: false, hash, symbols: 0, args: args.into(), op };
        for arg in args {
            let arg = self.node(*arg);
            node.depth = node.depth.max(arg.depth.saturating_add(1));
            node.binders = node.binders.max(arg.binders);
            node.open |= arg.open;
            node.symbols |= arg.symbols;
        }
        match &node.op {
            Op::App(f) => {
                node.symbols |= self.symbol_bit(*f);
                node.open |= self.func(*f).level > 0;
            }
            Op::Quant(q) => {
                node.binders = q.vars.iter().map(|v| self.func(*v).level).max().unwrap_or(0);
            }
            _ => {}
        }
        node
    }

    pub(crate) fn symbol_bit(&self, func: FuncId) -> u64 {
        1 << (self.func_hash(func) % 64)
    }

    pub(crate) fn node(&self, id: TermId) -> &Node {
        self.0.nodes.get(id.0)
    }

    /// The operator at the root.
    pub fn op(&self, id: TermId) -> &Op {
        &self.node(id).op
    }

    /// The arguments of the root.
    pub fn args(&self, id: TermId) -> &[TermId] {
        &self.node(id).args
    }

    /// The sort of a term.
    pub fn sort_of(&self, id: TermId) -> SortId {
        self.node(id).sort
    }

    /// The width of a bit-vector term.
    pub fn width(&self, id: TermId) -> u32 {
        match self.sort(self.sort_of(id)) {
            Sort::BitVec(width) => *width,
            other => panic!("a bit-vector should be given here, because it has a width: {other:?}"),
        }
    }

    /// Length of the longest path from the root to a leaf.
    pub fn depth(&self, id: TermId) -> usize {
        self.node(id).depth as usize
    }

    /// Every term below the roots, arguments before the terms that use them, each once. The order
    /// depends on the structure alone.
    pub fn postorder(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut entered: IdSet<TermId> = IdSet::default();
        let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|r| (*r, false)).collect();
        while let Some((term, leaving)) = stack.pop() {
            if leaving {
                order.push(term);
            } else if entered.insert(term) {
                stack.push((term, true));
                stack.extend(self.args(term).iter().rev().map(|a| (*a, false)));
            }
        }
        order
    }

    /// The free symbols (variables and functions) of the roots, in order of first occurrence.
    pub fn symbols(&self, roots: &[TermId]) -> Vec<FuncId> {
        let mut seen: IdMap<FuncId, ()> = IdMap::default();
        self.postorder(roots)
            .into_iter()
            .filter_map(|t| match self.op(t) {
                Op::App(f) if self.func(*f).level == 0 => Some(*f),
                _ => None,
            })
            .filter(|f| seen.insert(*f, ()).is_none())
            .collect()
    }
}

fn check_name(name: &str) {
    assert!(
        !name.is_empty() && !name.contains('\0'),
        "a name should have characters and no NUL among them, because solvers read C strings"
    );
}
