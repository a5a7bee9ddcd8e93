//! The symbols of messages: a kind, and what is known about its value.

use super::kinds::{KindId, Kinds};
use automata::{Alphabet, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// What is known about the value of something that is moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Worth {
    /// Nothing: a writer writes some value, a reader takes every value.
    Any,
    Is(i128),
    /// A reader that takes only what is no constant of the writer.
    Other,
}

/// The symbols of both sides.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    pub alphabet: Alphabet,
    known: BTreeMap<(KindId, Worth), Symbol>,
    meaning: BTreeMap<Symbol, (KindId, Worth)>,
}

impl Symbols {
    pub fn of(&mut self, kind: KindId, worth: Worth, kinds: &Kinds) -> Symbol {
        let worth = match (worth, kinds.bits(kind)) {
            // A number is what its type makes of it.
            (Worth::Is(value), Some(bits)) if bits < 127 => Worth::Is(value & ((1i128 << bits) - 1)),
            (Worth::Is(_), None) => Worth::Any,
            (worth, _) => worth,
        };
        if let Some(known) = self.known.get(&(kind, worth)) {
            return *known;
        }
        let name = kinds.name(kind);
        let symbol = self.alphabet.intern(&match worth {
            Worth::Any => name.to_string(),
            Worth::Is(value) => format!("{name}={value}"),
            Worth::Other => format!("{name}≠"),
        });
        self.known.insert((kind, worth), symbol);
        self.meaning.insert(symbol, (kind, worth));
        symbol
    }

    /// The kind and the value of a symbol.
    pub fn meaning(&self, symbol: Symbol) -> (KindId, Worth) {
        self.meaning[&symbol]
    }
}

/// The constants that a writer writes, by the width of the integers.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    by_width: BTreeMap<u32, BTreeSet<i128>>,
}

impl Constants {
    pub fn new(written: &BTreeMap<KindId, BTreeSet<i128>>, kinds: &Kinds) -> Constants {
        let mut by_width: BTreeMap<u32, BTreeSet<i128>> = BTreeMap::new();
        for (kind, values) in written {
            let Some(bits) = kinds.bits(*kind) else { continue };
            by_width.entry(bits).or_default().extend(values);
            // Who reads byte by byte meets the bytes of what is written at once.
            if bits > 8 && bits.is_multiple_of(8) {
                let bytes =
                    values.iter().flat_map(|value| (0..bits.min(120) / 8).map(move |i| (value >> (8 * i)) & 255));
                by_width.entry(8).or_default().extend(bytes);
            }
        }
        Constants { by_width }
    }

    /// The constants that a reader of this kind may meet.
    pub fn of(&self, kind: KindId, kinds: &Kinds) -> BTreeSet<i128> {
        kinds.bits(kind).and_then(|bits| self.by_width.get(&bits)).cloned().unwrap_or_default()
    }
}
