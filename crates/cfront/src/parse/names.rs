//! The words of a unit by number, and which of them are names of types at the place where the parser stands.
//!
//! A name's state is a bit; a scope remembers the bits it changed. Looking a name up costs one index.

use super::tokens::{KEYWORDS, Kind};
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// A word of the unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameId(pub u32);

/// The words and the scopes.
pub struct Names {
    words: Vec<Word>,
    by_text: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
    /// The words whose names differ from their spelling.
    spelled_out: Vec<NameId>,
    /// The words whose bit the open scopes changed, and where each scope begins among them.
    changed: Vec<NameId>,
    scopes: Vec<usize>,
}

struct Word {
    /// As in the program, which may use letters that names of the program model cannot have.
    spelling: Box<[u8]>,
    /// The same in letters, digits and `_`, where it differs.
    plain: Option<String>,
    is_type: bool,
}

impl Names {
    pub fn new() -> Names {
        let mut names = Names {
            words: Vec::new(),
            by_text: HashTable::new(),
            hasher: hashbrown::DefaultHashBuilder::default(),
            spelled_out: Vec::new(),
            changed: Vec::new(),
            scopes: Vec::new(),
        };
        for (word, _) in KEYWORDS {
            names.intern(word.as_bytes());
        }
        let va_list = names.intern(b"__builtin_va_list");
        names.declare(va_list, true);
        // Types that CBMC knows without a declaration.
        for name in [b"__CPROVER_size_t".as_slice(), b"__CPROVER_ssize_t"] {
            let name = names.intern(name);
            names.declare(name, true);
        }
        names
    }

    pub fn intern(&mut self, text: &[u8]) -> NameId {
        let hash = self.hasher.hash_one(text);
        if let Some(&found) = self.by_text.find(hash, |&id| *self.words[id as usize].spelling == *text) {
            return NameId(found);
        }
        let id = self.words.len() as u32;
        let plain = plain(text);
        if plain.is_some() {
            self.spelled_out.push(NameId(id));
        }
        self.words.push(Word { spelling: text.into(), plain, is_type: false });
        let (words, hasher) = (&self.words, &self.hasher);
        self.by_text.insert_unique(hash, id, |&id| hasher.hash_one(&*words[id as usize].spelling));
        NameId(id)
    }

    /// The word that a name of the tree came from.
    pub fn of_text(&mut self, text: &str) -> NameId {
        let is_it = |id: &&NameId| self.words[id.0 as usize].plain.as_deref() == Some(text);
        match self.spelled_out.iter().find(is_it) {
            Some(id) => *id,
            None => self.intern(text.as_bytes()),
        }
    }

    /// The names that are spelled out.
    pub fn spelled_out(&self) -> impl Iterator<Item = &str> {
        self.spelled_out.iter().filter_map(|id| self.words[id.0 as usize].plain.as_deref())
    }

    /// `Some` for keywords: what they are, or that they are no tokens.
    pub fn keyword(&self, name: NameId) -> Option<Option<Kind>> {
        KEYWORDS.get(name.0 as usize).map(|(_, kind)| *kind)
    }

    /// The name as the program model has it: each byte that is no letter, digit or `_` as `_xHH`.
    pub fn text(&self, name: NameId) -> String {
        let word = &self.words[name.0 as usize];
        match &word.plain {
            Some(plain) => plain.clone(),
            None => String::from_utf8_lossy(&word.spelling).into_owned(),
        }
    }

    pub fn is_type(&self, name: NameId) -> bool {
        self.words[name.0 as usize].is_type
    }

    /// Says what a name means from here to the end of the scope.
    pub fn declare(&mut self, name: NameId, is_type: bool) {
        let word = &mut self.words[name.0 as usize];
        if word.is_type != is_type {
            word.is_type = is_type;
            self.changed.push(name);
        }
    }

    pub fn enter(&mut self) {
        self.scopes.push(self.changed.len());
    }

    pub fn leave(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        for name in self.changed.drain(start..) {
            let word = &mut self.words[name.0 as usize];
            word.is_type = !word.is_type;
        }
    }
}

fn plain(text: &[u8]) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if text.iter().all(|&byte| is_plain(byte)) {
        return None;
    }
    let mut name = String::new();
    for &byte in text {
        match is_plain(byte) {
            true => name.push(byte as char),
            false => name.push_str(&format!("_x{byte:02X}")),
        }
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_give_back_what_they_hide() {
        let mut names = Names::new();
        let name = names.intern(b"T");
        assert_eq!(names.intern(b"T"), name);
        names.declare(name, true);
        names.enter();
        names.declare(name, false);
        names.enter();
        names.declare(name, true);
        assert!(names.is_type(name));
        names.leave();
        assert!(!names.is_type(name));
        names.leave();
        assert!(names.is_type(name));
    }

    #[test]
    fn letters_outside_ascii_are_spelled_out() {
        let mut names = Names::new();
        let name = names.intern("a$\u{e9}".as_bytes());
        assert_eq!(names.text(name), "a_x24_xC3_xA9");
    }
}
