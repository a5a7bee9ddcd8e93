//! Message types: their names, what they are made of, and the patterns that say what one call reads or writes.
//!
//! A *kind* is a message type by its name: `u32`, `bool`, `deflated`. Some are other names (an `int` is a `u32`), some
//! are declared as several in a row. What is left has a [`Form`]: integers of so many bits, floating numbers, text,
//! and types that are only themselves (`bool`, and whatever the user calls opaque). How pieces of one form are read as
//! another is [`super::granularity`]'s business.
//!
//! A *pattern* is what one call does: kinds in a row, each with `*`, `+`, `?` or `{n}` behind it. `u$2` is the
//! unsigned type of as many bits as the call's second argument says.

use std::collections::BTreeMap;

/// A message type of one [`Kinds`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KindId(u32);

/// The message types that are known.
#[derive(Clone, Debug)]
pub struct Kinds {
    known: Vec<Kind>,
    by_name: BTreeMap<String, KindId>,
}

#[derive(Clone, Debug)]
struct Kind {
    name: String,
    made: Composition,
}

#[derive(Clone, Debug)]
enum Composition {
    Of(Form),
    /// Other kinds in a row; of one, it is another name for it.
    Parts(Vec<KindId>),
}

/// What a kind is that is not made of others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// An integer of so many bits; only integers carry values.
    Integer(u32),
    /// A floating number of so many bits.
    Float(u32),
    Text(Text),
    /// Another character of it.
    MoreText(Text),
    /// One space.
    Blank,
    Newline,
    /// Any white space, also none: what `scanf` skips.
    White,
    /// What `fgets` reads: text and the end of the line.
    Line,
    /// A line that the end of the input ends.
    LastLine,
    /// Only itself.
    Atom,
}

/// What conversions of `printf` and `scanf` move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Text {
    Int,
    Hex,
    Float,
    Word,
}

/// What one call reads or writes.
pub type Pattern = Vec<Item>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    pub what: What,
    pub repeat: Repeat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Kind(KindId),
    /// A literal of a format: the kind and its value.
    Literal(KindId, i128),
    /// The unsigned type of as many bits as this argument says, counted from 1.
    Width(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeat {
    Once,
    Maybe,
    Any,
    AtLeastOnce,
}

/// The most items a pattern may spell out; beyond it a repetition is `*`.
pub const MAX_ITEMS: u64 = 4096;

impl Item {
    pub fn once(kind: KindId) -> Item {
        Item { what: What::Kind(kind), repeat: Repeat::Once }
    }
}

impl Default for Kinds {
    fn default() -> Kinds {
        let mut kinds = Kinds { known: Vec::new(), by_name: BTreeMap::new() };
        for (name, form) in [
            ("bool", Form::Atom),
            ("sep", Form::Atom),
            ("f32", Form::Float(32)),
            ("f64", Form::Float(64)),
            ("f80", Form::Float(128)),
            ("ascii-int", Form::Text(Text::Int)),
            ("ascii-hex", Form::Text(Text::Hex)),
            ("ascii-float", Form::Text(Text::Float)),
            ("ascii-word", Form::Text(Text::Word)),
            ("ascii-int+", Form::MoreText(Text::Int)),
            ("ascii-hex+", Form::MoreText(Text::Hex)),
            ("ascii-float+", Form::MoreText(Text::Float)),
            ("ascii-word+", Form::MoreText(Text::Word)),
            ("blank", Form::Blank),
            ("newline", Form::Newline),
            ("white", Form::White),
            ("line", Form::Line),
            ("last-line", Form::LastLine),
        ] {
            kinds.add(name, Composition::Of(form));
        }
        for (name, bits) in [("char", 8), ("byte", 8), ("short", 16), ("int", 32), ("long", 64), ("pointer", 64)] {
            let same = kinds.unsigned(bits);
            kinds.add(name, Composition::Parts(vec![same]));
        }
        for (name, same) in [("float", "f32"), ("double", "f64")] {
            let same = kinds.by_name[same];
            kinds.add(name, Composition::Parts(vec![same]));
        }
        kinds
    }
}

impl Kinds {
    fn add(&mut self, name: &str, made: Composition) -> KindId {
        let id = KindId(self.known.len() as u32);
        self.known.push(Kind { name: name.to_string(), made });
        self.by_name.insert(name.to_string(), id);
        id
    }

    /// The unsigned integer of that many bits.
    pub fn unsigned(&mut self, bits: u32) -> KindId {
        let name = format!("u{bits}");
        match self.by_name.get(&name) {
            Some(&known) => known,
            None => self.add(&name, Composition::Of(Form::Integer(bits))),
        }
    }

    /// A kind that is built in.
    pub fn builtin(&self, name: &str) -> KindId {
        *self.by_name.get(name).expect("kinds that the analysis names should be built in")
    }

    /// The kind of that name; integers `u1` to `u128` and `i1` to `i128` need no declaration.
    pub fn find(&mut self, name: &str) -> Option<KindId> {
        if let Some(&known) = self.by_name.get(name) {
            return Some(known);
        }
        let bits: u32 = name.strip_prefix(['u', 'i'])?.parse().ok()?;
        (1..=128).contains(&bits).then(|| self.unsigned(bits))
    }

    /// A type that is not taken apart.
    pub fn atom(&mut self, name: &str) -> KindId {
        match self.by_name.get(name) {
            Some(&known) => known,
            None => self.add(name, Composition::Of(Form::Atom)),
        }
    }

    /// Declares a type by its parts; none for one that is not taken apart.
    pub fn declare(&mut self, name: &str, parts: &str) -> Result<(), String> {
        let parts = parts.split_whitespace();
        let parts: Result<Vec<KindId>, String> =
            parts.map(|part| self.find(part).ok_or_else(|| unknown_kind(part))).collect();
        let parts = parts?;
        if parts.iter().any(|part| self.mentions(*part, name)) {
            return Err(format!("the type `{name}` is declared as a part of itself"));
        }
        let made = if parts.is_empty() { Composition::Of(Form::Atom) } else { Composition::Parts(parts) };
        match self.by_name.get(name) {
            Some(known) => self.known[known.0 as usize].made = made,
            None => drop(self.add(name, made)),
        }
        Ok(())
    }

    fn mentions(&self, kind: KindId, name: &str) -> bool {
        let parts = match &self.known[kind.0 as usize].made {
            Composition::Of(_) => &[][..],
            Composition::Parts(parts) => parts,
        };
        self.name(kind) == name || parts.iter().any(|part| self.mentions(*part, name))
    }

    pub fn name(&self, kind: KindId) -> &str {
        &self.known[kind.0 as usize].name
    }

    /// The kinds in a row that a kind is, none of them made of others.
    pub fn elements(&self, kind: KindId) -> Vec<KindId> {
        match &self.known[kind.0 as usize].made {
            Composition::Of(_) => vec![kind],
            Composition::Parts(parts) => parts.iter().flat_map(|part| self.elements(*part)).collect(),
        }
    }

    /// The form of a kind that is not several in a row.
    pub fn form(&self, kind: KindId) -> Option<Form> {
        match &self.known[kind.0 as usize].made {
            Composition::Of(form) => Some(*form),
            Composition::Parts(parts) => {
                if let [same] = parts[..] {
                    self.form(same)
                } else {
                    None
                }
            }
        }
    }

    /// The width of an integer.
    pub fn bits(&self, kind: KindId) -> Option<u32> {
        if let Some(Form::Integer(bits)) = self.form(kind) { Some(bits) } else { None }
    }

    /// Reads a pattern such as `u8 u32* u$2`.
    pub fn pattern(&mut self, text: &str) -> Result<Pattern, String> {
        let mut items = Vec::new();
        for word in text.split_whitespace() {
            let (word, repeat) = match word.as_bytes() {
                [.., b'*'] => (&word[..word.len() - 1], Repeat::Any),
                [.., b'+'] => (&word[..word.len() - 1], Repeat::AtLeastOnce),
                [.., b'?'] => (&word[..word.len() - 1], Repeat::Maybe),
                _ => (word, Repeat::Once),
            };
            let (name, count) = match word.strip_suffix('}').and_then(|word| word.split_once('{')) {
                Some((name, count)) => {
                    let count: u64 = count.parse().map_err(|_| format!("`{word}` should say how often: `u8{{4}}`"))?;
                    if count > MAX_ITEMS {
                        return Err(format!("`{word}` is more than {MAX_ITEMS} items; write `{name}*`"));
                    }
                    (name, count)
                }
                None => (word, 1),
            };
            let what = match name.strip_prefix("u$") {
                Some(position) => match position.parse() {
                    Ok(position) if position > 0 => What::Width(position),
                    _ => return Err(format!("`{name}` should name an argument, counted from 1: `u$2`")),
                },
                None => What::Kind(self.find(name).ok_or_else(|| unknown_kind(name))?),
            };
            items.extend(std::iter::repeat_n(Item { what, repeat }, count as usize));
        }
        Ok(items)
    }

    /// The pattern as [`Kinds::pattern`] reads it.
    pub fn show(&self, pattern: &[Item]) -> String {
        let mut words: Vec<(String, usize)> = Vec::new();
        for item in pattern {
            let name = match item.what {
                What::Kind(kind) | What::Literal(kind, _) => self.name(kind).to_string(),
                What::Width(position) => format!("u${position}"),
            };
            let word = match item.repeat {
                Repeat::Once => name,
                Repeat::Maybe => name + "?",
                Repeat::Any => name + "*",
                Repeat::AtLeastOnce => name + "+",
            };
            match words.last_mut() {
                Some((last, count)) if *last == word && item.repeat == Repeat::Once => *count += 1,
                _ => words.push((word, 1)),
            }
        }
        let spelled = |(word, count): (String, usize)| match count {
            1 => word,
            2..=4 => vec![word; count].join(" "),
            _ => format!("{word}{{{count}}}"),
        };
        words.into_iter().map(spelled).collect::<Vec<_>>().join(" ")
    }
}

fn unknown_kind(name: &str) -> String {
    format!("the type `{name}` is not known; declare it in [types], for example {name} = \"u8 u8\" or {name} = \"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_they_are_shown() {
        let mut kinds = Kinds::default();
        for text in ["u8", "u8 u8 u32", "bool double bool", "u8*", "u16 u8{10}", "u$2", "line+ int?"] {
            let pattern = kinds.pattern(text).unwrap();
            assert_eq!(kinds.show(&pattern), text);
        }
        assert_eq!(kinds.pattern("u8{3}").unwrap().len(), 3);
        assert!(kinds.pattern("header").unwrap_err().contains("`header` is not known"));
        assert!(kinds.pattern("u$x").is_err());
        assert!(kinds.pattern("u8{99999}").is_err());
    }

    #[test]
    fn names_and_rows_are_resolved() {
        let mut kinds = Kinds::default();
        kinds.declare("pair", "int bool").unwrap();
        kinds.declare("pairs", "pair pair").unwrap();
        let (pair, pairs) = (kinds.find("pair").unwrap(), kinds.find("pairs").unwrap());
        let names: Vec<&str> = kinds.elements(pairs).into_iter().map(|kind| kinds.name(kind)).collect();
        assert_eq!(names, ["u32", "bool", "u32", "bool"]);
        assert_eq!((kinds.form(pair), kinds.bits(pair)), (None, None));
        let int = kinds.find("int").unwrap();
        assert_eq!(kinds.form(int), Some(Form::Integer(32)));
        assert!(kinds.declare("pair", "u8 pairs").is_err(), "a type is no part of itself");
        kinds.declare("u5", "").unwrap();
        let u5 = kinds.find("u5").unwrap();
        assert_eq!(kinds.form(u5), Some(Form::Atom));
    }
}
