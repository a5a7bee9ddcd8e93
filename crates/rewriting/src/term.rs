//! Terms, each stored once: equal terms have equal ids, so that sharing is by construction and whatever is found out
//! about a term is found out for all its occurrences.

use crate::signature::{Signature, SortId, SymbolId};
use hashbrown::{HashMap, HashTable};
use std::hash::{BuildHasher, Hash, Hasher};

/// A term of one [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(u32);

/// A variable of one [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(u32);

/// Operations that need no rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Builtin {
    /// The second operand is looked at only if the first is true.
    And,
    /// The second operand is looked at only if the first is false.
    Or,
    Not,
    /// `if(condition, then, otherwise)` at any sort.
    If,
    /// Equality of values at any sort; both sides must have one.
    Eq,
    Lt,
    Le,
    Add,
    Sub,
    Mul,
    /// C's division: towards zero, and without a value for a zero divisor.
    Div,
    /// C's remainder.
    Rem,
    /// The remainder that is never negative; the divisor is a positive constant.
    Mod,
    Neg,
    /// True if the argument has a value all through; it has none otherwise.
    Defined,
    /// Something that has no value: a variable that was never set.
    Undefined,
}

/// What a term starts with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Head {
    Var(VarId),
    /// An integer; or the value with that number of an open sort.
    Int(i128),
    Symbol(SymbolId),
    Builtin(Builtin),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    head: Head,
    first: u32,
    count: u32,
    /// No operations inside: a value, up to its variables.
    data: bool,
    /// No variables inside.
    ground: bool,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    sort: SortId,
}

/// All terms of one problem.
#[derive(Clone, Debug)]
pub struct Store {
    nodes: Vec<Node>,
    args: Vec<TermId>,
    index: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
    variables: Vec<Variable>,
    parts: HashMap<(VarId, SymbolId, u32), VarId>,
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl Store {
    pub fn new() -> Store {
        let mut store = Store {
            nodes: Vec::new(),
            args: Vec::new(),
            index: HashTable::new(),
            hasher: hashbrown::DefaultHashBuilder::default(),
            variables: Vec::new(),
            parts: HashMap::new(),
        };
        // Their ids are fixed, see `truth`.
        store.intern(Head::Symbol(SymbolId::FALSE), &[], true);
        store.intern(Head::Symbol(SymbolId::TRUE), &[], true);
        store
    }

    /// `true` or `false`.
    pub fn truth(&self, value: bool) -> TermId {
        TermId(value as u32)
    }

    /// The truth value that the term is, if it is one.
    pub fn as_truth(&self, term: TermId) -> Option<bool> {
        match term.0 {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub fn int(&mut self, value: i128) -> TermId {
        self.intern(Head::Int(value), &[], true)
    }

    pub fn as_int(&self, term: TermId) -> Option<i128> {
        if let Head::Int(value) = self.head(term) { Some(value) } else { None }
    }

    /// A new variable.
    pub fn fresh(&mut self, name: &str, sort: SortId) -> VarId {
        self.variables.push(Variable { name: name.to_string(), sort });
        VarId(self.variables.len() as u32 - 1)
    }

    pub fn var(&mut self, var: VarId) -> TermId {
        self.intern(Head::Var(var), &[], true)
    }

    /// The variable that stands for one argument when `var` is split by a constructor. It is the same whenever it is
    /// asked for, so that searches that split the same variables share their terms.
    pub fn part(&mut self, var: VarId, constructor: SymbolId, argument: u32, sort: SortId) -> VarId {
        if let Some(&part) = self.parts.get(&(var, constructor, argument)) {
            return part;
        }
        let part = self.fresh("", sort);
        self.parts.insert((var, constructor, argument), part);
        part
    }

    /// `constructor(x1, …, xn)` with the parts of the variable.
    pub fn split(&mut self, signature: &Signature, var: VarId, constructor: SymbolId) -> TermId {
        let sorts = &signature.symbol(constructor).args;
        let args: Vec<TermId> = (0u32..)
            .zip(sorts)
            .map(|(i, &sort)| {
                let part = self.part(var, constructor, i, sort);
                self.var(part)
            })
            .collect();
        self.intern(Head::Symbol(constructor), &args, true)
    }

    pub fn var_name(&self, var: VarId) -> &str {
        &self.variables[var.0 as usize].name
    }

    pub fn var_sort(&self, var: VarId) -> SortId {
        self.variables[var.0 as usize].sort
    }

    /// The application of an operation or of a built-in one, or a term whose head has no arguments.
    pub fn make(&mut self, head: Head, args: &[TermId]) -> TermId {
        self.intern(head, args, !matches!(head, Head::Symbol(_) | Head::Builtin(_)))
    }

    /// The application of a constructor.
    pub fn construct(&mut self, constructor: SymbolId, args: &[TermId]) -> TermId {
        self.intern(Head::Symbol(constructor), args, true)
    }

    /// The application of a constructor or operation.
    pub fn apply(&mut self, signature: &Signature, symbol: SymbolId, args: &[TermId]) -> TermId {
        self.intern(Head::Symbol(symbol), args, signature.is_constructor(symbol))
    }

    /// `value` says whether the head makes a value of values. One head always has the same.
    fn intern(&mut self, head: Head, args: &[TermId], value: bool) -> TermId {
        let mut hasher = self.hasher.build_hasher();
        head.hash(&mut hasher);
        args.hash(&mut hasher);
        let hash = hasher.finish();
        let (nodes, all) = (&self.nodes, &self.args);
        let same = |id: &u32| {
            let node = &nodes[*id as usize];
            node.head == head && &all[node.first as usize..][..node.count as usize] == args
        };
        if let Some(&id) = self.index.find(hash, same) {
            // A constructor may first be made by `make`, which cannot know that it is one.
            if value && !self.nodes[id as usize].data {
                self.nodes[id as usize].data = args.iter().all(|a| self.is_data(*a));
            }
            return TermId(id);
        }
        let id = u32::try_from(self.nodes.len()).expect("a store should hold fewer than 2^32 terms");
        let data = value && args.iter().all(|a| self.is_data(*a));
        let ground = !matches!(head, Head::Var(_)) && args.iter().all(|a| self.is_ground(*a));
        let first = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push(Node { head, first, count: args.len() as u32, data, ground });
        let (nodes, all, builder) = (&self.nodes, &self.args, &self.hasher);
        self.index.insert_unique(hash, id, |id| {
            let node = &nodes[*id as usize];
            let mut hasher = builder.build_hasher();
            node.head.hash(&mut hasher);
            all[node.first as usize..][..node.count as usize].hash(&mut hasher);
            hasher.finish()
        });
        TermId(id)
    }

    pub fn head(&self, term: TermId) -> Head {
        self.nodes[term.0 as usize].head
    }

    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.0 as usize];
        &self.args[node.first as usize..][..node.count as usize]
    }

    pub fn arg(&self, term: TermId, index: usize) -> TermId {
        self.args(term)[index]
    }

    pub fn as_var(&self, term: TermId) -> Option<VarId> {
        if let Head::Var(var) = self.head(term) { Some(var) } else { None }
    }

    /// Whether there are constructors, integers and variables only.
    pub fn is_data(&self, term: TermId) -> bool {
        self.nodes[term.0 as usize].data
    }

    pub fn is_ground(&self, term: TermId) -> bool {
        self.nodes[term.0 as usize].ground
    }

    /// The number of terms made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of occurrences of operations and variables when the term is written out; saturating.
    pub fn size(&self, term: TermId) -> u64 {
        self.size_within(term, &mut HashMap::new())
    }

    fn size_within(&self, term: TermId, known: &mut HashMap<TermId, u64>) -> u64 {
        if let Some(&size) = known.get(&term) {
            return size;
        }
        let own = !matches!(self.head(term), Head::Int(_)) as u64;
        let inside = self.args(term).iter().fold(0u64, |sum, arg| sum.saturating_add(self.size_within(*arg, known)));
        let size = inside.saturating_add(own);
        known.insert(term, size);
        size
    }

    /// The variables, in the order of their first occurrence.
    pub fn variables(&self, terms: &[TermId]) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut seen = hashbrown::HashSet::new();
        let mut open: Vec<TermId> = terms.iter().rev().copied().collect();
        while let Some(term) = open.pop() {
            if self.is_ground(term) || !seen.insert(term) {
                continue;
            }
            match self.head(term) {
                Head::Var(var) => found.push(var),
                _ => open.extend(self.args(term).iter().rev()),
            }
        }
        found
    }

    /// Replaces variables, rebuilding through `make_node` so that a caller may simplify on the way.
    pub fn substitute_with(
        &mut self,
        term: TermId,
        values: &HashMap<VarId, TermId>,
        known: &mut HashMap<TermId, TermId>,
        make_node: &impl Fn(&mut Store, Head, &[TermId]) -> TermId,
    ) -> TermId {
        if self.is_ground(term) {
            return term;
        }
        if let Some(&done) = known.get(&term) {
            return done;
        }
        let result = match self.head(term) {
            Head::Var(var) => values.get(&var).copied().unwrap_or(term),
            head => {
                let args = self.args(term).to_vec();
                let new: Vec<TermId> =
                    args.iter().map(|arg| self.substitute_with(*arg, values, known, make_node)).collect();
                if new == args { term } else { make_node(self, head, &new) }
            }
        };
        known.insert(term, result);
        result
    }

    /// Replaces variables.
    pub fn substitute(&mut self, signature: &Signature, term: TermId, values: &HashMap<VarId, TermId>) -> TermId {
        let make = |store: &mut Store, head: Head, args: &[TermId]| match head {
            Head::Symbol(symbol) => store.apply(signature, symbol, args),
            _ => store.make(head, args),
        };
        self.substitute_with(term, values, &mut HashMap::new(), &make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one() {
        let mut store = Store::new();
        let x = store.fresh("x", SortId::INT);
        let tx = store.var(x);
        let one = store.int(1);
        let a = store.make(Head::Builtin(Builtin::Add), &[tx, one]);
        let again = store.var(x);
        let b = store.make(Head::Builtin(Builtin::Add), &[again, one]);
        assert_eq!(a, b);
        assert_eq!(store.size(a), 2);
        assert!(!store.is_ground(a) && !store.is_data(a) && store.is_data(tx));
        let sum = store.make(Head::Builtin(Builtin::Mul), &[a, b]);
        assert_eq!(store.variables(&[sum]), [x]);
        let moved = store.substitute(&Signature::new(), sum, &[(x, one)].into_iter().collect());
        assert!(store.is_ground(moved));
        assert_eq!(store.as_truth(store.truth(true)), Some(true));
    }
}
