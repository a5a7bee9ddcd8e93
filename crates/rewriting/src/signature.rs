//! Sorts, constructors and operations.

use crate::problem::At;
use std::collections::BTreeMap;

/// A sort of one [`Signature`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortId(pub u32);

impl SortId {
    pub const BOOL: SortId = SortId(0);
    pub const INT: SortId = SortId(1);
}

/// A constructor or operation of one [`Signature`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(pub u32);

impl SymbolId {
    pub const FALSE: SymbolId = SymbolId(0);
    pub const TRUE: SymbolId = SymbolId(1);
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sort {
    pub name: String,
    /// In the order of the declaration. A sort without constructors is open: its values are known only by whether
    /// they are equal.
    pub constructors: Vec<SymbolId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    Constructor,
    Operation,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    pub args: Vec<SortId>,
    pub result: SortId,
    /// Where it is declared, or first used.
    pub at: At,
}

/// The names that terms are made of. `bool` with `false` and `true`, and `int`, are always there.
#[derive(Clone, Debug)]
pub struct Signature {
    sorts: Vec<Sort>,
    symbols: Vec<Symbol>,
    sort_names: BTreeMap<String, SortId>,
    symbol_names: BTreeMap<String, SymbolId>,
}

impl Default for Signature {
    fn default() -> Signature {
        Signature::new()
    }
}

impl Signature {
    pub fn new() -> Signature {
        let mut signature = Signature {
            sorts: Vec::new(),
            symbols: Vec::new(),
            sort_names: BTreeMap::new(),
            symbol_names: BTreeMap::new(),
        };
        let bool_sort = signature.add_sort("bool");
        signature.add_sort("int");
        for name in ["false", "true"] {
            signature.add_symbol(name, SymbolKind::Constructor, Vec::new(), bool_sort, At::default());
        }
        signature
    }

    /// Adds a sort. The name must be new.
    pub fn add_sort(&mut self, name: &str) -> SortId {
        let id = SortId(self.sorts.len() as u32);
        self.sorts.push(Sort { name: name.to_string(), constructors: Vec::new() });
        let before = self.sort_names.insert(name.to_string(), id);
        debug_assert!(before.is_none(), "the sort {name} should be new, because sorts are found by name");
        id
    }

    /// Adds a symbol. The name must be new, unless the symbol is generated (its name then has a `#` in it).
    pub fn add_symbol(&mut self, name: &str, kind: SymbolKind, args: Vec<SortId>, result: SortId, at: At) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        if kind == SymbolKind::Constructor {
            self.sorts[result.0 as usize].constructors.push(id);
        }
        self.symbols.push(Symbol { name: name.to_string(), kind, args, result, at });
        self.symbol_names.insert(name.to_string(), id);
        id
    }

    pub(crate) fn set_sorts(&mut self, id: SymbolId, args: Vec<SortId>, result: SortId) {
        let symbol = &mut self.symbols[id.0 as usize];
        if symbol.kind == SymbolKind::Constructor && symbol.result != result {
            let before = symbol.result;
            self.sorts[before.0 as usize].constructors.retain(|c| *c != id);
            self.sorts[result.0 as usize].constructors.push(id);
        }
        let symbol = &mut self.symbols[id.0 as usize];
        symbol.args = args;
        symbol.result = result;
    }

    pub fn sort(&self, id: SortId) -> &Sort {
        &self.sorts[id.0 as usize]
    }

    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    pub fn sorts(&self) -> impl Iterator<Item = (SortId, &Sort)> {
        self.sorts.iter().enumerate().map(|(i, sort)| (SortId(i as u32), sort))
    }

    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter().enumerate().map(|(i, symbol)| (SymbolId(i as u32), symbol))
    }

    pub fn find_sort(&self, name: &str) -> Option<SortId> {
        self.sort_names.get(name).copied()
    }

    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbol_names.get(name).copied()
    }

    pub fn is_constructor(&self, id: SymbolId) -> bool {
        self.symbol(id).kind == SymbolKind::Constructor
    }

    /// Whether the sort was made up because the rules do not tell which one it is.
    pub fn is_untold(&self, id: SortId) -> bool {
        self.is_open(id) && self.sort(id).name.contains('?')
    }

    /// Whether values of the sort are known only by whether they are equal.
    pub fn is_open(&self, id: SortId) -> bool {
        id != SortId::INT && self.sort(id).constructors.is_empty()
    }
}
