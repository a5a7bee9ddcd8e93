//! The objects of a program, frame by frame, and the cells in which their values are kept.
//!
//! An object is a global, or a local of one frame (an inlined call has a frame of its own). Its *leaves* are the
//! scalars inside it, told apart by the fields that lead to them. A leaf below arrays, at whatever depth and on
//! whichever side of the fields, is one array of the solver, indexed by the row-major number of its element among all
//! elements of the leaf: an array of records is a record of arrays.
//!
//! ```text
//! struct { int x; short y[3]; } a[4];     leaves  x: 4 elements,  y: 12 elements, a[i].y[j] at 3*i + j
//! ```
//!
//! A leaf has a *cell* if the model follows its value. These have none, so reading them gives a fresh value each time
//! and writing them does nothing: what is inside unions, volatile objects, objects that the program only declares,
//! arrays of pointers, pointers that do not lead into one known object, and arrays of variable inner length.

use super::floating::Floating;
use super::number::{Arithmetic, Range};
use super::{Floats, Ints};
use ir::{
    Block, EntityRef, FloatKind, FunctionId, GlobalId, GlobalKind, IntKind, Length, LocalId, Program, RecordKind,
    SecondaryMap, Type, TypeId,
};
use smt::{SortId, TermId, TermPool};
use std::cell::Cell as Counter;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FrameId(pub u32);

/// A leaf whose value is followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    Global(GlobalId),
    Local(FrameId, LocalId),
}

#[derive(Clone, Debug)]
pub struct Object {
    pub owner: Owner,
    /// As C writes it, made unique among all objects.
    pub name: String,
    pub ty: TypeId,
    /// Its address is taken somewhere, so that a pointer we do not follow may lead here.
    pub exposed: bool,
    /// Its value is not followed: volatile, or only declared.
    pub uncertain: bool,
}

/// A call that is followed, or the entry.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub objects: Vec<ObjectId>,
}

/// What a leaf holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// The width is given for a bit-field.
    Int(IntKind, Option<u32>),
    Float(FloatKind),
    Pointer,
}

#[derive(Clone, Debug)]
pub struct Cell {
    pub object: ObjectId,
    pub fields: Vec<u32>,
    pub holds: Holds,
    /// The lengths of the arrays around it, outermost first; empty for a scalar. Only the first may be unknown.
    pub extents: Vec<Option<u64>>,
    pub name: String,
    /// The symbol of its value at a cut point.
    pub symbol: TermId,
}

/// The elements of one type inside an object, whichever arrays they are in: what a pointer moves among.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub object: ObjectId,
    pub fields: Vec<u32>,
    pub ty: TypeId,
}

/// A scalar inside a type.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub fields: Vec<u32>,
    pub holds: Holds,
    pub extents: Vec<Option<u64>>,
}

pub struct Objects<'p> {
    pub program: &'p Program,
    pub pool: TermPool,
    pub ints: Ints,
    pub floats: Floats,
    /// Whether the ranges of all integer types count as facts, also those of signed ones in [`Ints::Math`].
    pub ranged: bool,
    pub frames: Vec<Frame>,
    pub objects: Vec<Object>,
    pub cells: Vec<Cell>,
    globals: SecondaryMap<GlobalId, Option<ObjectId>>,
    cell_at: HashMap<(ObjectId, Vec<u32>), CellId>,
    /// Where the pointer in a cell leads.
    pub places: BTreeMap<CellId, Place>,
    names: HashMap<String, u32>,
    fresh: Counter<u32>,
    /// Locals that a pointer may lead to after their lifetime.
    outlived: BTreeSet<ObjectId>,
    /// Locals that have a value whenever a pointer leads to them; globals always have.
    initialised: BTreeSet<ObjectId>,
}

/// How many scalars an object may have to be followed.
const LEAF_LIMIT: usize = 4096;

impl<'p> Objects<'p> {
    /// The globals of a program.
    pub fn new(program: &'p Program, pool: TermPool, ints: Ints, floats: Floats, ranged: bool) -> Objects<'p> {
        let mut objects = Objects {
            program,
            pool,
            ints,
            floats,
            ranged,
            frames: Vec::new(),
            objects: Vec::new(),
            cells: Vec::new(),
            globals: SecondaryMap::new(),
            cell_at: HashMap::new(),
            places: BTreeMap::new(),
            names: HashMap::new(),
            fresh: Counter::new(0),
            outlived: BTreeSet::new(),
            initialised: BTreeSet::new(),
        };
        for (id, global) in &program.globals {
            let uncertain = global.is_volatile || global.init.is_none();
            let object = objects.add(Owner::Global(id), &global.name, global.ty, uncertain);
            objects.globals[id] = Some(object);
        }
        objects
    }

    pub fn arithmetic(&self) -> Arithmetic<'_> {
        Arithmetic { pool: &self.pool, ints: self.ints }
    }

    pub fn floating(&self) -> Floating<'_> {
        Floating { pool: &self.pool, floats: self.floats }
    }

    fn unique(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_string()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_string() } else { format!("{name}#{count}") }
    }

    fn add(&mut self, owner: Owner, name: &str, ty: TypeId, uncertain: bool) -> ObjectId {
        let name = self.unique(name);
        let types = &self.program.types;
        let uncertain = uncertain || types.has_volatile_parts && types.holds_records(ty);
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(Object { owner, name, ty, exposed: false, uncertain });
        id
    }

    /// A frame for a call of the function. `prefix` stands before the names of its variables; empty for the entry.
    pub fn add_frame(&mut self, function: FunctionId, prefix: &str) -> FrameId {
        let frame = FrameId(self.frames.len() as u32);
        let locals = &self.program.functions[function].locals;
        let mut objects = Vec::with_capacity(locals.len());
        for (id, local) in locals {
            let plain = if local.name.is_empty() { format!("t{}", id.as_u32()) } else { local.name.clone() };
            let name = if prefix.is_empty() { plain } else { format!("{prefix}.{plain}") };
            objects.push(self.add(Owner::Local(frame, id), &name, local.ty, local.is_volatile));
        }
        self.frames.push(Frame { function, objects });
        frame
    }

    pub fn global(&self, id: GlobalId) -> ObjectId {
        self.globals[id].expect("every global should have an object, because `new` gives it one")
    }

    pub fn local(&self, frame: FrameId, id: LocalId) -> ObjectId {
        self.frames[frame.0 as usize].objects[id.index()]
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[id.0 as usize]
    }

    pub fn cell_ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.cells.len() as u32).map(CellId)
    }

    /// The cell of the leaf that these fields lead to.
    pub fn cell_of(&self, object: ObjectId, fields: &[u32]) -> Option<CellId> {
        self.cell_at.get(&(object, fields.to_vec())).copied()
    }

    /// The cells at or below these fields.
    pub fn cells_below(&self, object: ObjectId, fields: &[u32]) -> Vec<CellId> {
        let ids = self.cell_ids();
        ids.filter(|id| self.cell(*id).object == object && self.cell(*id).fields.starts_with(fields)).collect()
    }

    /// Gives every leaf that is followed its cell. Pointers are those of `places`, by object and fields.
    pub(super) fn make_cells(&mut self, places: &BTreeMap<(ObjectId, Vec<u32>), Place>) {
        for id in (0..self.objects.len() as u32).map(ObjectId) {
            let object = self.object(id).clone();
            if object.uncertain {
                continue;
            }
            for leaf in leaves(self.program, object.ty) {
                let place = places.get(&(id, leaf.fields.clone()));
                if leaf.holds == Holds::Pointer && (place.is_none() || !leaf.extents.is_empty()) {
                    continue;
                }
                let mut name = object.name.clone();
                let mut ty = object.ty;
                for field in &leaf.fields {
                    let Some(field) = self.program.types.field(self.program.types.innermost(ty), *field) else { break };
                    name = format!("{name}.{}", field.name);
                    ty = field.ty;
                }
                if leaf.holds == Holds::Pointer {
                    name = format!("offset({name})");
                }
                let sort = self.leaf_sort(leaf.holds);
                let sort = if leaf.extents.is_empty() { sort } else { self.pool.array_sort(self.index_sort(), sort) };
                let symbol = self.pool.var(&name, sort);
                let cell = CellId(self.cells.len() as u32);
                if let Some(place) = place {
                    self.places.insert(cell, place.clone());
                }
                self.cell_at.insert((id, leaf.fields.clone()), cell);
                let Leaf { fields, holds, extents } = leaf;
                self.cells.push(Cell { object: id, fields, holds, extents, name, symbol });
            }
        }
    }

    /// The sort of array indices and of the offsets of pointers: those of `long`.
    pub fn index_sort(&self) -> SortId {
        self.arithmetic().sort(IntKind::Long)
    }

    pub fn leaf_sort(&self, holds: Holds) -> SortId {
        match holds {
            Holds::Int(kind, _) => self.arithmetic().sort(kind),
            Holds::Float(kind) => self.floating().sort(kind),
            Holds::Pointer => self.index_sort(),
        }
    }

    /// What the type alone says about a value, in [`Ints::Math`]: nothing for signed types that arithmetic is done
    /// in, since those count as unbounded there.
    pub fn type_fact(&self, term: TermId, holds: Holds) -> Option<TermId> {
        let Holds::Int(kind, width) = holds else { return None };
        if self.ints == Ints::Machine {
            let width = width.filter(|width| *width < kind.bits())?;
            let low = self.pool.bv_extract(term, width - 1, 0);
            return Some(self.pool.eq(term, self.pool.bv_resize(low, kind.bits(), kind.is_signed())));
        }
        if kind.is_signed() && kind.bits() >= 32 && width.is_none() && !self.ranged {
            return None;
        }
        let range = width.map_or(Range::of(kind), |width| Range::of_bits(width, kind.is_signed()));
        Some(self.arithmetic().in_range(term, &range))
    }

    /// A symbol that occurs nowhere else.
    pub fn fresh(&self, hint: &str, sort: SortId) -> TermId {
        let number = self.fresh.get();
        self.fresh.set(number + 1);
        self.pool.var(&format!("{hint}!{number}"), sort)
    }

    /// Whether no followed pointer leads to the object after its lifetime.
    pub fn outlives_pointers(&self, object: ObjectId) -> bool {
        !self.outlived.contains(&object)
    }

    /// Finds the locals that a followed pointer may outlive: one that is kept in a global, in a caller or in a scope
    /// around the local's own. `parents` are the frames that made each frame.
    ///
    /// Where every pointer to a local is kept in variables that go no later than the local, a pointer that was set
    /// in their lifetime leads to a live object; one that was not is read without having a value.
    pub fn find_outlived(&mut self, parents: &[Option<FrameId>]) {
        let scopes: HashMap<FunctionId, HashMap<LocalId, Vec<usize>>> =
            self.frames.iter().map(|frame| (frame.function, scopes(self.program, frame.function))).collect();
        let scope = |frame: FrameId, local: LocalId| {
            let function = self.frames[frame.0 as usize].function;
            scopes[&function].get(&local).map_or(&[][..], Vec::as_slice)
        };
        let is_inner = |inner: FrameId, outer: FrameId| {
            let mut above = parents[inner.0 as usize];
            while let Some(frame) = above.filter(|frame| *frame != outer) {
                above = parents[frame.0 as usize];
            }
            above == Some(outer)
        };
        let outlives = |(cell, place): (&CellId, &Place)| {
            let Owner::Local(frame, local) = self.object(place.object).owner else { return None };
            let goes_first = match self.object(self.cell(*cell).object).owner {
                Owner::Global(_) => false,
                Owner::Local(holder, by) if holder == frame => scope(frame, by).starts_with(scope(frame, local)),
                Owner::Local(holder, _) => is_inner(holder, frame),
            };
            (!goes_first).then_some(place.object)
        };
        self.outlived = self.places.iter().filter_map(outlives).collect();
    }

    /// Whether the object must not be written.
    pub fn is_constant(&self, object: ObjectId) -> bool {
        match self.object(object).owner {
            Owner::Global(id) => {
                let global = &self.program.globals[id];
                global.is_const || global.kind == GlobalKind::StringLiteral
            }
            Owner::Local(frame, id) => {
                let function = self.frames[frame.0 as usize].function;
                self.program.functions[function].locals[id].is_const
            }
        }
    }

    /// Whether what a pointer leads to there has a value.
    pub fn is_initialised(&self, object: ObjectId) -> bool {
        matches!(self.object(object).owner, Owner::Global(_)) || self.initialised.contains(&object)
    }

    /// Says which locals have a value whenever a pointer leads to them.
    pub fn set_initialised(&mut self, objects: BTreeSet<ObjectId>) {
        self.initialised = objects;
    }

    /// Whether packing puts elements of the place where their type does not belong.
    pub fn is_misplaced(&self, place: &Place) -> bool {
        let types = &self.program.types;
        let mut ty = types.innermost(self.object(place.object).ty);
        for index in &place.fields {
            let (Type::Record(id), Some(field)) = (types.get(ty), types.field(ty, *index)) else { return true };
            if types.is_misplaced(&types.records[*id], field) {
                return true;
            }
            ty = types.innermost(field.ty);
        }
        false
    }

    /// The lengths of the arrays that the elements of a place are in, outermost first; `None` if the place is not
    /// inside its object in a way that is followed.
    pub fn extents(&self, place: &Place) -> Option<Vec<Option<u64>>> {
        let types = &self.program.types;
        let mut ty = self.object(place.object).ty;
        let mut extents = Vec::new();
        let mut fields = place.fields.iter();
        loop {
            if fields.as_slice().is_empty() && types.matches(ty, place.ty) {
                return Some(extents);
            }
            match types.get(ty) {
                Type::Array { of, length } => {
                    let length = if let Length::Fixed(n) = length { Some(*n) } else { None };
                    if length.is_none() && !extents.is_empty() {
                        return None;
                    }
                    extents.push(length);
                    ty = *of;
                }
                Type::Record(record) if types.records[*record].kind == RecordKind::Struct => {
                    ty = types.field(ty, *fields.next()?)?.ty;
                }
                _ => return None,
            }
        }
    }
}

/// The block that each local of a function is declared in, as the blocks that lead to it. Parameters and temporaries,
/// which no block declares, are in the outermost.
fn scopes(program: &Program, function: FunctionId) -> HashMap<LocalId, Vec<usize>> {
    fn visit(block: &Block, at: &mut Vec<usize>, next: &mut usize, found: &mut HashMap<LocalId, Vec<usize>>) {
        found.extend(block.locals.iter().map(|local| (*local, at.clone())));
        for inner in block.stmts.iter().flat_map(|stmt| stmt.blocks()) {
            at.push(*next);
            *next += 1;
            visit(inner, at, next, found);
            at.pop();
        }
    }
    let mut found = HashMap::new();
    if let Some(body) = &program.functions[function].body {
        visit(body, &mut Vec::new(), &mut 0, &mut found);
    }
    found
}

/// The scalars of a type, in the order of the fields. What is inside unions is left out.
pub fn leaves(program: &Program, ty: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(program, ty, &mut Vec::new(), &mut Vec::new(), None, &mut found);
    if found.len() > LEAF_LIMIT { Vec::new() } else { found }
}

fn collect(
    program: &Program,
    ty: TypeId,
    fields: &mut Vec<u32>,
    extents: &mut Vec<Option<u64>>,
    width: Option<u32>,
    found: &mut Vec<Leaf>,
) {
    let mut leaf = |holds| found.push(Leaf { fields: fields.clone(), holds, extents: extents.clone() });
    match program.types.get(ty) {
        Type::Int(kind) => leaf(Holds::Int(*kind, width)),
        Type::Float(kind) => leaf(Holds::Float(*kind)),
        Type::Pointer { .. } => leaf(Holds::Pointer),
        Type::Array { of, length } => {
            let length = if let Length::Fixed(n) = length { Some(*n) } else { None };
            if length.is_none() && !extents.is_empty() {
                return;
            }
            extents.push(length);
            collect(program, *of, fields, extents, None, found);
            extents.pop();
        }
        Type::Record(id) => {
            let record = &program.types.records[*id];
            if record.kind == RecordKind::Union {
                return;
            }
            for (index, field) in (0u32..).zip(record.fields.iter().flatten()) {
                if found.len() > LEAF_LIMIT {
                    return;
                }
                fields.push(index);
                collect(program, field.ty, fields, extents, field.bits.map(|bits| bits.width), found);
                fields.pop();
            }
        }
        Type::Void | Type::Function(_) => {}
    }
}
