//! Interned names of message types.

use crate::ids::id;
use std::collections::BTreeMap;

id!(
    /// A message type, such as `u32`; its name is in the [`Alphabet`] that made it.
    Symbol,
    "symbol"
);

/// The names of symbols. Both sides of a comparison must use the same alphabet.
#[derive(Clone, Debug, Default)]
pub struct Alphabet {
    names: Vec<String>,
    by_name: BTreeMap<String, Symbol>,
}

impl Alphabet {
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of this name, made when there is none yet.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let symbol = Symbol::new(self.names.len());
        self.names.push(name.to_string());
        self.by_name.insert(name.to_string(), symbol);
        symbol
    }

    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.names.len()).map(Symbol::new)
    }

    /// A word as text, names separated by blanks.
    pub fn show(&self, word: &[Symbol]) -> String {
        let names: Vec<&str> = word.iter().map(|&symbol| self.name(symbol)).collect();
        names.join(" ")
    }
}
