//! Objects of a symbolic run, shared between states until one of them writes.
//!
//! An object's contents are bytes, and over them *cells*: scalars that are not known, pointers (which are no bytes
//! here), and stretches that hold no value yet. Cells do not overlap. So known data costs what it costs in C, and a
//! table of a thousand known numbers is no thousand terms.
//!
//! *Invariant*: the bytes below a cell are zero and mean nothing (checked by `well_formed_at` in debug builds).

use super::value::Value;
use diagnostics::Span;
use ir::TypeId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An object of one state and of those forked from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Global,
    StringLiteral,
    Local,
    Heap,
    /// Made for a pointer that is an input. Another input may point there too, and so may one to a global.
    Input,
    /// `argv` and its strings, which nothing else of the program is part of.
    Argument,
    /// A text that the C library gives. What it holds, how long, and whether it is the one that another call gave, is
    /// the library's business: the name is that of the function.
    Text,
    /// A stream that the program opened.
    Stream,
    /// A stream that is an input.
    InputStream,
    /// A function that callers give.
    Callback,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Life {
    Live,
    Freed,
    /// The call or block it belonged to is over.
    Ended,
}

/// What a cell holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    Scalar(Value),
    /// No value was written yet.
    Unset,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    pub size: u64,
    pub content: Content,
}

/// As what a scalar was stored; see [`aliasing`](super::aliasing).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored {
    pub size: u64,
    pub scalar: TypeId,
    /// What the scalar is part of, as the access names it.
    pub whole: TypeId,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub kind: Kind,
    pub life: Life,
    pub is_const: bool,
    pub size: u64,
    pub name: Arc<str>,
    pub made: Span,
    /// Accesses from here on would see more of an input than was given.
    pub horizon: Option<u64>,
    bytes: Vec<u8>,
    cells: BTreeMap<u64, Cell>,
    /// By offset, where that can matter.
    stored: BTreeMap<u64, Stored>,
}

impl Object {
    /// An object of zeros.
    pub fn zeroed(kind: Kind, size: u64, name: &str, made: Span) -> Object {
        Object {
            kind,
            life: Life::Live,
            is_const: false,
            size,
            name: name.into(),
            made,
            horizon: None,
            bytes: vec![0; size as usize],
            cells: BTreeMap::new(),
            stored: BTreeMap::new(),
        }
    }

    /// An object that holds no value yet.
    pub fn unset(kind: Kind, size: u64, name: &str, made: Span) -> Object {
        let mut object = Object::zeroed(kind, size, name, made);
        object.forget();
        object
    }

    /// Takes every value away.
    pub fn forget(&mut self) {
        self.bytes.fill(0);
        self.cells.clear();
        self.stored.clear();
        if self.size > 0 {
            self.cells.insert(0, Cell { size: self.size, content: Content::Unset });
        }
    }

    /// Lets go of the contents of an object that is no more.
    pub fn release(&mut self) {
        self.bytes = Vec::new();
        self.cells = BTreeMap::new();
        self.stored = BTreeMap::new();
    }

    /// Notes as what the scalar at an offset was stored, until its bytes are written again.
    pub fn note_stored(&mut self, at: u64, stored: Stored) {
        self.stored.insert(at, stored);
    }

    pub fn stored_at(&self, at: u64) -> Option<Stored> {
        self.stored.get(&at).copied()
    }

    /// As what the scalars that share bytes with a range were stored.
    pub fn stored_in(&self, at: u64, size: u64) -> impl Iterator<Item = (u64, Stored)> {
        // No scalar is larger than sixteen bytes.
        let near = self.stored.range(at.saturating_sub(15)..at.saturating_add(size));
        near.filter(move |(start, stored)| *start + stored.size > at).map(|(start, stored)| (*start, *stored))
    }

    /// The object as a message names it.
    pub fn title(&self) -> String {
        let bytes = if self.size == 1 { "1 byte".to_string() } else { format!("{} bytes", self.size) };
        match self.kind {
            Kind::StringLiteral => format!("a string literal of {bytes}"),
            Kind::Heap => format!("a heap object of {bytes}"),
            Kind::Text => format!("the text that `{}` gives", self.name),
            Kind::Stream | Kind::InputStream => format!("the stream `{}`", self.name),
            _ => format!("`{}` ({bytes})", self.name),
        }
    }

    /// Whether a string starts at the offset whatever its bytes are: one that ends with a zero at the latest at the end
    /// of the object, and of which every byte has a value.
    pub fn is_text_from(&self, at: u64) -> bool {
        // Of an object beyond the bounds of inputs nothing is given.
        let is_given = self.life == Life::Live && self.horizon != Some(0);
        let Some(last) = self.size.checked_sub(1).filter(|last| is_given && at <= *last) else {
            return false;
        };
        let is_unset = |(_, cell): &(u64, Cell)| !matches!(cell.content, Content::Scalar(Value::Int(_)));
        self.known_bytes(last, 1) == Some(&[0]) && !self.cells_in(at, self.size - at).iter().any(is_unset)
    }

    /// The cells that share bytes with the range, in order.
    pub fn cells_in(&self, at: u64, size: u64) -> Vec<(u64, Cell)> {
        let before = self.cells.range(..at).next_back().filter(|(start, cell)| *start + cell.size > at);
        let inside = self.cells.range(at..at + size);
        before.into_iter().chain(inside).map(|(start, cell)| (*start, cell.clone())).collect()
    }

    /// The cell that is exactly this range.
    pub fn cell_at(&self, at: u64, size: u64) -> Option<&Cell> {
        self.cells.get(&at).filter(|cell| cell.size == size)
    }

    /// The bytes of a range, if nothing but bytes is there.
    pub fn known_bytes(&self, at: u64, size: u64) -> Option<&[u8]> {
        if !self.cells.is_empty() {
            let before = self.cells.range(..at + size).next_back();
            if before.is_some_and(|(start, cell)| *start + cell.size > at) {
                return None;
            }
        }
        Some(&self.bytes[at as usize..(at + size) as usize])
    }

    /// A single byte under no cell.
    pub fn raw_byte(&self, at: u64) -> u8 {
        self.bytes[at as usize]
    }

    /// Writes bytes. Cells that lie inside the range disappear; those that stick out must have been split before.
    pub fn put_bytes(&mut self, at: u64, bytes: &[u8]) {
        self.clear(at, bytes.len() as u64);
        self.bytes[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
    }

    pub fn put_cell(&mut self, at: u64, cell: Cell) {
        self.clear(at, cell.size);
        self.bytes[at as usize..(at + cell.size) as usize].fill(0);
        self.cells.insert(at, cell);
        debug_assert!(self.well_formed_at(at), "cells should not overlap");
    }

    fn clear(&mut self, at: u64, size: u64) {
        if !self.stored.is_empty() {
            let over: Vec<u64> = self.stored_in(at, size).map(|(start, _)| start).collect();
            for start in over {
                self.stored.remove(&start);
            }
        }
        if self.cells.is_empty() {
            return;
        }
        let inside: Vec<u64> = self.cells.range(at..at + size).map(|(start, _)| *start).collect();
        for start in inside {
            self.cells.remove(&start);
        }
    }

    /// Splits a stretch without values at a boundary, so that a write next to it leaves the rest alone.
    pub fn split_unset(&mut self, at: u64) {
        let Some((&start, cell)) = self.cells.range(..at).next_back() else { return };
        let end = start + cell.size;
        if end <= at || cell.content != Content::Unset {
            return;
        }
        self.cells.insert(start, Cell { size: at - start, content: Content::Unset });
        self.cells.insert(at, Cell { size: end - at, content: Content::Unset });
    }

    /// Whether a cell lies within the object and apart from its neighbours. All cells are looked at as they are put, and
    /// looking at all of them each time would make the filling of a large array quadratic.
    fn well_formed_at(&self, at: u64) -> bool {
        let end = at + self.cells[&at].size;
        let before = self.cells.range(..at).next_back().is_none_or(|(start, cell)| start + cell.size <= at);
        let after = self.cells.range(at + 1..).next().is_none_or(|(start, _)| end <= *start);
        before && after && end > at && end <= self.size
    }
}

const CHUNK: usize = 32;

/// The objects of a state. Cloning shares them; writing copies one object and the chunk its handle is in.
#[derive(Clone, Default)]
pub struct Memory {
    chunks: Vec<Arc<Vec<Arc<Object>>>>,
    count: u32,
    /// Objects that are inputs.
    inputs: u32,
}

impl Memory {
    pub fn add(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(self.count);
        self.count += 1;
        self.inputs += u32::from(object.kind == Kind::Input);
        let object = Arc::new(object);
        match self.chunks.last_mut().filter(|chunk| chunk.len() < CHUNK) {
            Some(chunk) => Arc::make_mut(chunk).push(object),
            None => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(object);
                self.chunks.push(Arc::new(chunk));
            }
        }
        id
    }

    pub fn get(&self, id: ObjectId) -> &Object {
        &self.chunks[id.0 as usize / CHUNK][id.0 as usize % CHUNK]
    }

    pub fn shared(&self, id: ObjectId) -> &Arc<Object> {
        &self.chunks[id.0 as usize / CHUNK][id.0 as usize % CHUNK]
    }

    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        let chunk = Arc::make_mut(&mut self.chunks[id.0 as usize / CHUNK]);
        Arc::make_mut(&mut chunk[id.0 as usize % CHUNK])
    }

    pub fn len(&self) -> u32 {
        self.count
    }

    pub fn inputs(&self) -> u32 {
        self.inputs
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
