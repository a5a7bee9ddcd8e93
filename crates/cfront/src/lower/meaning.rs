//! What a text means in its unit: the text with what its names stand for at the end of the file scope before it.
//!
//! Two units may have the same inline function only if it means the same in both (C17 6.7.4p7 leaves open which is called). Bodies
//! that read alike mean different things where a typedef, a tag, an enumerator or a `static` variable behind one of
//! their names is another one.

use super::Lowerer;
use super::scope::{Entity, Tag};
use ir::{Length, RecordId, Type, TypeId};
use std::collections::BTreeSet;
use std::fmt::Write as _;

impl Lowerer<'_, '_> {
    pub(super) fn meaning(&self, text: &str) -> String {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let words: BTreeSet<&str> = text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
        let mut meaning = text.to_string();
        for word in words {
            let _ = write!(meaning, " {word}:");
            match self.names.get(word) {
                Some(Entity::Typedef(qual)) => self.structure(qual.ty, &mut Vec::new(), &mut meaning),
                Some(Entity::Enumerator { value, ty }) => {
                    let _ = write!(meaning, "{value}");
                    self.structure(ty, &mut Vec::new(), &mut meaning);
                }
                Some(Entity::Symbol(id)) => {
                    let symbol = self.symbol(id);
                    let _ = write!(meaning, "{:?}", symbol.linkage);
                    self.structure(symbol.qual.ty, &mut Vec::new(), &mut meaning);
                }
                _ => {}
            }
            match self.tags.get(word) {
                Some(Tag::Record(record)) => self.layout_of(record, &mut Vec::new(), &mut meaning),
                Some(Tag::Enum(ty, _)) => self.structure(ty, &mut Vec::new(), &mut meaning),
                None => {}
            }
        }
        meaning
    }

    /// The type with all that it is made of; a record inside itself is how far out it stands.
    fn structure(&self, ty: TypeId, around: &mut Vec<RecordId>, said: &mut String) {
        match self.program.types.get(ty) {
            Type::Pointer { to, to_const } => {
                let _ = write!(said, " *{to_const}");
                self.structure(*to, around, said);
            }
            Type::Array { of, length } => {
                match length {
                    Length::Variable(_) => said.push_str(" [*]"),
                    fixed => {
                        let _ = write!(said, " [{fixed:?}]");
                    }
                }
                self.structure(*of, around, said);
            }
            Type::Record(record) => self.layout_of(*record, around, said),
            Type::Function(signature) => {
                let _ = write!(said, " ({}{})", signature.variadic, signature.unprototyped);
                for part in signature.params.iter().chain([&signature.result]) {
                    self.structure(*part, around, said);
                }
            }
            plain => {
                let _ = write!(said, " {plain:?}");
            }
        }
    }

    fn layout_of(&self, record: RecordId, around: &mut Vec<RecordId>, said: &mut String) {
        if let Some(depth) = around.iter().rev().position(|outer| *outer == record) {
            let _ = write!(said, " ^{depth}");
            return;
        }
        let about = &self.program.types.records[record];
        let _ = write!(said, " {:?} {} {} {{", about.kind, about.name, about.size);
        around.push(record);
        for field in about.fields.iter().flatten() {
            let _ = write!(said, " {} {} {:?}", field.name, field.offset, field.bits);
            self.structure(field.ty, around, said);
        }
        around.pop();
        said.push('}');
    }
}
