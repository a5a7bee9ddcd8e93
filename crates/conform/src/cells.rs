//! The variables whose values are followed, and which of them a piece of C designates.
//!
//! A cell is a scalar of one object: a local, a global, an element of a local array with a constant index, a member of
//! a record variable, or the field of a record type that has one object ([`super::objects`]).
//!
//! What is never a cell: fields of objects that are not told apart, union members, bit-fields, volatile variables,
//! floating values, elements of arrays inside records, and whatever has an address that goes anywhere but straight into
//! a call, or is kept there ([`super::escapes`]).

use super::escapes::{Escape, Escapes};
use super::objects::{self, Objects};
use super::sites::Sites;
use hashbrown::HashMap;
use ir::{
    Base, CallGraph, Callee, EntityRef, Expr, ExprKind, FunctionId, GlobalId, LocalId, Lvalue, Program, RecordId,
    RecordKind, Step, StmtKind, Type, TypeId,
};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct CellId(u32);

impl CellId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Root {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    Record(RecordId),
    /// Whether the input is at its end: no variable of the program, but followed like one.
    End,
    /// Whether a character was put back, for the next read to find.
    PutBack,
}

/// What an lvalue designates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place<'p> {
    Cell(CellId),
    /// Some element of the array or member of the record, or all of it.
    Array(Root),
    /// What the pointer points to.
    Through(&'p Expr, TypeId),
    /// Nothing that is followed.
    Elsewhere,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub root: Root,
    pub ty: TypeId,
    /// How many bytes of its variable come before it.
    pub offset: u64,
    pub name: String,
    /// A pointer may lead to it.
    pub addressed: bool,
}

/// All cells of a program.
pub(super) struct Cells {
    cells: Vec<Cell>,
    known: HashMap<(Root, Option<u32>), CellId>,
    /// The cells of arrays and record variables, in order.
    parts: HashMap<Root, Vec<CellId>>,
    /// The members of record variables, by the fields that lead to them.
    members: HashMap<(Root, Vec<u32>), CellId>,
    objects: Objects,
    /// Names of variables and fields with one value throughout, whatever becomes of their addresses.
    assumed: BTreeSet<String>,
    /// Roots that are not followed, and single members of them.
    lost: BTreeSet<(Root, Option<u32>)>,
    addressed: BTreeSet<(Root, Option<u32>)>,
    /// The cells that pointers may lead to, by what the pointers point to.
    reached: HashMap<Reached, Vec<CellId>>,
}

/// Types that one pointer may lead to: an integer of either sign, or any pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reached {
    Integer(ir::IntKind),
    Pointer,
}

impl Reached {
    pub fn of(program: &Program, ty: TypeId) -> Option<Reached> {
        match program.types.get(ty) {
            Type::Int(kind) => Some(Reached::Integer(kind.to_unsigned())),
            Type::Pointer { .. } => Some(Reached::Pointer),
            _ => None,
        }
    }
}

/// Elements of longer arrays are not followed.
const MAX_ELEMENTS: u64 = 64;

impl Cells {
    /// The cells of a program that starts at `entry`. Of the record types in `one` the user says that they have one
    /// object, of the variables and fields in `assumed` that they have one value.
    pub fn new(
        program: &Program,
        graph: &CallGraph,
        entry: FunctionId,
        sites: &Sites,
        one: &[String],
        assumed: BTreeSet<String>,
    ) -> Cells {
        let mut cells = Cells {
            assumed,
            cells: Vec::new(),
            known: HashMap::new(),
            parts: HashMap::new(),
            members: HashMap::new(),
            objects: Objects::new(program, graph, entry, one),
            lost: BTreeSet::new(),
            addressed: BTreeSet::new(),
            reached: HashMap::new(),
        };
        let escapes = Escapes::new(program, graph, sites);
        cells.find_addresses(program, graph, &escapes);
        for (id, global) in program.globals.iter() {
            if global.is_volatile {
                cells.lost.insert((Root::Global(id), None));
            }
            cells.add_object(program, Root::Global(id), global.ty, &global.name);
        }
        for (function, definition, _) in program.defined_functions() {
            for (id, local) in definition.locals.iter() {
                let root = Root::Local(function, id);
                if local.is_volatile {
                    cells.lost.insert((root, None));
                }
                let name = if local.name.is_empty() { format!("temporary {}", id.index()) } else { local.name.clone() };
                cells.add_object(program, root, local.ty, &name);
            }
        }
        for (id, record) in program.types.records.iter() {
            if record.kind == RecordKind::Union {
                continue;
            }
            for (index, field) in record.fields.iter().flatten().enumerate().filter(|(_, field)| field.bits.is_none()) {
                let name = match record.name.is_empty() {
                    true => field.name.clone(),
                    false => format!("{}.{}", record.name, field.name),
                };
                if cells.objects.is_one(id) || cells.assumed.contains(&name) {
                    cells.add(program, Root::Record(id), Some(index as u32), field.ty, field.offset, name);
                }
            }
        }
        // What is inside of a record is written with it.
        for (id, record) in program.types.records.iter() {
            let within = record.fields.iter().flatten().flat_map(|field| objects::records_within(program, field.ty));
            let inside: BTreeSet<CellId> = within.flat_map(|inner| cells.elements(Root::Record(inner))).collect();
            if !inside.is_empty() {
                let parts = cells.parts.entry(Root::Record(id)).or_default();
                parts.extend(inside);
                parts.sort_unstable();
                parts.dedup();
            }
        }
        let int = program.types.int(ir::IntKind::Int);
        cells.add(program, Root::End, None, int, 0, "the end of the input".to_string());
        cells.add(program, Root::PutBack, None, int, 0, "a character that was put back".to_string());
        cells
    }

    /// The cell that says whether the input is at its end.
    pub fn end(&self) -> CellId {
        self.known[&(Root::End, None)]
    }

    /// The cell that says whether a character was put back.
    pub fn put_back(&self) -> CellId {
        self.known[&(Root::PutBack, None)]
    }

    fn add_object(&mut self, program: &Program, root: Root, ty: TypeId, name: &str) {
        match program.types.get(ty) {
            Type::Array { of, length: ir::Length::Fixed(length) }
                if *length <= MAX_ELEMENTS && !self.is_string(program, root) =>
            {
                let size = program.types.size_of(*of).unwrap_or(1);
                for index in 0..*length as u32 {
                    let offset = u64::from(index) * size;
                    self.add(program, root, Some(index), *of, offset, format!("{name}[{index}]"));
                }
            }
            Type::Record(_) if self.objects.is_split(root) => {
                for (index, member) in objects::members(program, ty).into_iter().enumerate() {
                    let name = format!("{name}.{}", path_name(program, ty, &member.path));
                    let found = self.add(program, root, Some(index as u32), member.ty, member.offset, name);
                    if let Some(cell) = found {
                        self.members.insert((root, member.path), cell);
                    }
                }
            }
            _ => drop(self.add(program, root, None, ty, 0, name.to_string())),
        }
    }

    fn is_string(&self, program: &Program, root: Root) -> bool {
        matches!(root, Root::Global(id) if program.globals[id].kind == ir::GlobalKind::StringLiteral)
    }

    fn add(
        &mut self,
        program: &Program,
        root: Root,
        at: Option<u32>,
        ty: TypeId,
        offset: u64,
        name: String,
    ) -> Option<CellId> {
        let lost = self.lost.contains(&(root, None)) || self.lost.contains(&(root, at));
        let scalar = matches!(program.types.get(ty), Type::Int(_) | Type::Pointer { .. });
        if !scalar || lost && !self.assumed.contains(&name) {
            return None;
        }
        let addressed = self.addressed.contains(&(root, at));
        let id = CellId(self.cells.len() as u32);
        self.cells.push(Cell { root, ty, offset, name, addressed });
        self.known.insert((root, at), id);
        if at.is_some() {
            self.parts.entry(root).or_default().push(id);
        }
        if let Some(reached) = Reached::of(program, ty).filter(|_| addressed) {
            self.reached.entry(reached).or_default().push(id);
        }
        Some(id)
    }

    /// Notes whose addresses are taken, and gives up the variables whose address is kept somewhere.
    fn find_addresses(&mut self, program: &Program, graph: &CallGraph, escapes: &Escapes) {
        for (function, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| {
                let direct: Vec<(&Expr, Escape)> = match &stmt.kind {
                    StmtKind::Call { args, callee, .. } if !matches!(callee, Callee::Intrinsic(_)) => {
                        let passed = |(position, arg)| {
                            let escape = escapes.of_argument(program, graph, callee, position, arg);
                            (without_conversions(arg), escape)
                        };
                        args.iter().enumerate().map(passed).collect()
                    }
                    _ => Vec::new(),
                };
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| {
                        let ExprKind::AddressOf(lvalue) = &part.kind else { return };
                        let passed = direct.iter().find(|(arg, _)| std::ptr::eq(*arg, part));
                        let escape = passed.map_or(Escape::Kept, |(_, escape)| *escape);
                        self.note_address(program, function, lvalue, escape);
                    });
                }
            });
        }
        for global in program.globals.values() {
            for item in global.init.iter().flat_map(|init| &init.items) {
                let ir::InitValue::Expr(value) = &item.value else { continue };
                value.walk(&mut |part| {
                    if let ExprKind::AddressOf(lvalue) = &part.kind
                        && let Base::Global(id) = lvalue.base
                    {
                        self.note(program, Root::Global(id), program.globals[id].ty, lvalue, Escape::Kept);
                    }
                });
            }
        }
    }

    fn note_address(&mut self, program: &Program, function: FunctionId, lvalue: &Lvalue, escape: Escape) {
        let (root, ty) = match lvalue.base {
            Base::Local(id) => (Root::Local(function, id), program.functions[function].locals[id].ty),
            Base::Global(id) => (Root::Global(id), program.globals[id].ty),
            Base::Deref(_) => {
                return self.note_field(program, function, lvalue, escape);
            }
        };
        if !self.objects.is_split(root) {
            self.note_field(program, function, lvalue, escape);
        }
        self.note(program, root, ty, lvalue, escape);
    }

    /// The address of a field of a record type is taken.
    fn note_field(&mut self, program: &Program, function: FunctionId, lvalue: &Lvalue, escape: Escape) {
        if let Some((record, field, 0)) = last_field(program, function, lvalue) {
            self.note_part(Root::Record(record), Some(field), escape);
        }
    }

    fn note_part(&mut self, root: Root, at: Option<u32>, escape: Escape) {
        // What a library function writes through a pointer that was passed on is not seen.
        if escape != Escape::Nowhere {
            self.lost.insert((root, at));
        }
        self.addressed.insert((root, at));
    }

    /// The address of a variable or of a part of it is taken.
    fn note(&mut self, program: &Program, root: Root, ty: TypeId, lvalue: &Lvalue, escape: Escape) {
        match program.types.get(ty) {
            Type::Array { .. } => {
                // What is written through a pointer into a global array, or one that is kept, is not followed. The
                // elements of a local array are not known while somebody has its address.
                if escape == Escape::Kept || matches!(root, Root::Global(_)) {
                    self.lost.insert((root, None));
                }
                self.addressed.insert((root, None));
            }
            Type::Record(_) if self.objects.is_split(root) => {
                let path: Option<Vec<u32>> = field_path(lvalue);
                let member = path.and_then(|path| {
                    let members = objects::members(program, ty);
                    members.iter().position(|member| member.path == path)
                });
                if let Some(index) = member {
                    self.note_part(root, Some(index as u32), escape);
                }
            }
            Type::Record(_) => {}
            _ => self.note_part(root, None, escape),
        }
    }

    pub fn get(&self, id: CellId) -> &Cell {
        &self.cells[id.index()]
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.cells.len() as u32).map(CellId)
    }

    pub fn find(&self, root: Root, at: Option<u32>) -> Option<CellId> {
        self.known.get(&(root, at)).copied()
    }

    /// The cells of an array, of a record variable, or of the object of a record type and what is inside of it.
    pub fn elements(&self, root: Root) -> Vec<CellId> {
        self.parts.get(&root).cloned().unwrap_or_default()
    }

    /// The cells of a variable, whatever its type.
    pub fn of_local(&self, program: &Program, function: FunctionId, local: LocalId) -> Vec<CellId> {
        let root = Root::Local(function, local);
        let mut found: Vec<CellId> = self.find(root, None).into_iter().collect();
        found.extend(self.elements(root));
        if !self.objects.is_split(root) {
            found.extend(self.within(program, program.functions[function].locals[local].ty));
        }
        found
    }

    /// The fields of the objects that something of this type is made of.
    fn within(&self, program: &Program, ty: TypeId) -> Vec<CellId> {
        let mut records = objects::records_within(program, ty);
        records.truncate(1);
        records.into_iter().flat_map(|record| self.elements(Root::Record(record))).collect()
    }

    /// What a function without a body can change that gets this argument, besides what the value of the argument leads
    /// to.
    pub fn handed(&self, program: &Program, function: FunctionId, arg: &Expr) -> Vec<CellId> {
        let plain = without_conversions(arg);
        let mut found = match &plain.kind {
            ExprKind::AddressOf(lvalue) => {
                let place = self.place(program, function, lvalue);
                let mut found = self.designated(program, place);
                // The address of the first element stands for the array.
                if let (Base::Local(id), [Step::Index(_)]) = (&lvalue.base, &lvalue.path[..]) {
                    found.extend(self.elements(Root::Local(function, *id)));
                }
                found
            }
            _ => Vec::new(),
        };
        if let Some(to) = program.types.pointee(plain.ty) {
            found.extend(self.within(program, to));
        }
        found
    }

    /// The cells that a store to a place can change.
    pub fn designated(&self, program: &Program, place: Place) -> Vec<CellId> {
        match place {
            Place::Cell(cell) => vec![cell],
            Place::Array(root) => self.elements(root),
            Place::Through(_, ty) => self.addressed_of(program, ty).to_vec(),
            Place::Elsewhere => Vec::new(),
        }
    }

    /// Whether the user says that the object a cell belongs to is the only one.
    pub fn is_told(&self, cell: CellId) -> bool {
        matches!(self.get(cell).root, Root::Record(record) if self.objects.is_told(record))
    }

    /// The cells a pointer to this type may lead to.
    pub fn addressed_of(&self, program: &Program, ty: TypeId) -> &[CellId] {
        Reached::of(program, ty).and_then(|reached| self.reached.get(&reached)).map_or(&[], Vec::as_slice)
    }

    /// What an lvalue of a function designates.
    pub fn place<'p>(&self, program: &Program, function: FunctionId, lvalue: &'p Lvalue) -> Place<'p> {
        let cell = |root, at| self.find(root, at).map_or(Place::Elsewhere, Place::Cell);
        let base = match &lvalue.base {
            Base::Local(id) => Some(Root::Local(function, *id)),
            Base::Global(id) => Some(Root::Global(*id)),
            Base::Deref(_) => None,
        };
        let fields: Option<Vec<u32>> = field_path(lvalue);
        if let (Some(root), Some(fields)) = (base.filter(|root| self.objects.is_split(*root)), fields) {
            if let Some(cell) = self.members.get(&(root, fields)) {
                return Place::Cell(*cell);
            }
            let record = matches!(program.types.get(lvalue.ty), Type::Record(_));
            return if record { Place::Array(root) } else { Place::Elsewhere };
        }
        if let Type::Record(record) = program.types.get(lvalue.ty) {
            return Place::Array(Root::Record(*record));
        }
        if let Some((record, field, rest)) = last_field(program, function, lvalue) {
            return if rest == 0 { cell(Root::Record(record), Some(field)) } else { Place::Elsewhere };
        }
        let root = match (base, &lvalue.base) {
            (Some(root), _) => root,
            (None, Base::Deref(pointer)) if lvalue.path.is_empty() => return Place::Through(pointer, lvalue.ty),
            _ => return Place::Elsewhere,
        };
        match &lvalue.path[..] {
            [] if self.parts.contains_key(&root) => Place::Array(root),
            [] => cell(root, None),
            [Step::Index(index)] => match constant_index(index) {
                Some(index) => cell(root, Some(index)),
                None if self.parts.contains_key(&root) => Place::Array(root),
                None => Place::Elsewhere,
            },
            _ => Place::Elsewhere,
        }
    }
}

/// The fields of a path that has nothing else.
fn field_path(lvalue: &Lvalue) -> Option<Vec<u32>> {
    let field = |step: &Step| if let Step::Field(field) = step { Some(*field) } else { None };
    lvalue.path.iter().map(field).collect()
}

/// The fields that lead to a member, as they are written.
fn path_name(program: &Program, ty: TypeId, path: &[u32]) -> String {
    let mut names = Vec::new();
    let mut ty = ty;
    for field in path {
        let Type::Record(record) = program.types.get(ty) else { break };
        let Some(field) = program.types.records[*record].fields.iter().flatten().nth(*field as usize) else { break };
        names.push(field.name.as_str());
        ty = field.ty;
    }
    names.join(".")
}

fn constant_index(index: &Expr) -> Option<u32> {
    match without_conversions(index).kind {
        ExprKind::Int(value) => u32::try_from(value).ok(),
        _ => None,
    }
}

/// The expression under its conversions.
pub(super) fn without_conversions(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Convert { value, .. } => without_conversions(value),
        _ => expr,
    }
}

/// The field that an lvalue ends in.
pub(super) fn last_step(program: &Program, function: FunctionId, lvalue: &Lvalue) -> Option<(RecordId, u32)> {
    let (record, field, rest) = last_field(program, function, lvalue)?;
    (rest == 0).then_some((record, field))
}

/// The last field step of an lvalue: its record, its number, and how many steps follow.
fn last_field(program: &Program, function: FunctionId, lvalue: &Lvalue) -> Option<(RecordId, u32, usize)> {
    let last = lvalue.path.iter().rposition(|step| matches!(step, Step::Field(_)))?;
    let mut ty = match &lvalue.base {
        Base::Local(id) => program.functions[function].locals[*id].ty,
        Base::Global(id) => program.globals[*id].ty,
        Base::Deref(pointer) => program.types.pointee(pointer.ty)?,
    };
    for (position, step) in lvalue.path.iter().enumerate() {
        match step {
            Step::Index(_) => ty = program.types.element(ty)?,
            Step::Field(field) => {
                let Type::Record(record) = program.types.get(ty) else { return None };
                if position == last {
                    return Some((*record, *field, lvalue.path.len() - 1 - last));
                }
                ty = program.types.records[*record].fields.as_ref()?.get(*field as usize)?.ty;
            }
        }
    }
    None
}
