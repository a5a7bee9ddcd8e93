//! The variables whose values are followed, and which of them a piece of C designates.
//!
//! A cell is a scalar: a local, a global, an element of a local array with a constant index, or a field of a record
//! type. A field is **one cell for all objects of its type**: a decoder has one state, and where a program has several
//! objects the values are mixed up, which the verdict says in its approximations.
//!
//! What is never a cell: union members, volatile variables, floating values, elements of arrays inside records, and
//! locals whose address goes anywhere but straight into a call.

use hashbrown::HashMap;
use ir::{
    Base, Callee, EntityRef, Expr, ExprKind, FunctionId, GlobalId, LocalId, Lvalue, Program, RecordId, RecordKind,
    Step, StmtKind, Type, TypeId,
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
    /// Some element of the array, or all of it.
    Array(Root),
    /// What the pointer points to.
    Through(&'p Expr, TypeId),
    /// Nothing that is followed.
    Elsewhere,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub root: Root,
    /// The index in an array, or of the field of a record.
    pub at: Option<u32>,
    pub ty: TypeId,
    pub name: String,
    /// A pointer may lead to it.
    pub addressed: bool,
}

/// All cells of a program.
pub(super) struct Cells {
    cells: Vec<Cell>,
    known: HashMap<(Root, Option<u32>), CellId>,
    /// Roots that are not followed.
    lost: BTreeSet<Root>,
    addressed: BTreeSet<(Root, Option<u32>)>,
    /// The cells that pointers may lead to, by what the pointers point to.
    reached: HashMap<Reached, Vec<CellId>>,
}

/// Types that one pointer may lead to: an integer of either sign, or any pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Reached {
    Integer(ir::IntKind),
    Pointer,
}

impl Reached {
    fn of(program: &Program, ty: TypeId) -> Option<Reached> {
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
    pub fn new(program: &Program) -> Cells {
        let mut cells = Cells {
            cells: Vec::new(),
            known: HashMap::new(),
            lost: BTreeSet::new(),
            addressed: BTreeSet::new(),
            reached: HashMap::new(),
        };
        cells.find_addresses(program);
        for (id, global) in program.globals.iter() {
            if global.is_volatile {
                cells.lost.insert(Root::Global(id));
            }
            cells.add_object(program, Root::Global(id), global.ty, &global.name);
        }
        for (function, definition, _) in program.defined_functions() {
            for (id, local) in definition.locals.iter() {
                let root = Root::Local(function, id);
                if local.is_volatile {
                    cells.lost.insert(root);
                }
                let name = if local.name.is_empty() { format!("temporary {}", id.index()) } else { local.name.clone() };
                cells.add_object(program, root, local.ty, &name);
            }
        }
        for (id, record) in program.types.records.iter() {
            if record.kind == RecordKind::Union {
                continue;
            }
            for (index, field) in record.fields.iter().flatten().enumerate() {
                let name = match record.name.is_empty() {
                    true => field.name.clone(),
                    false => format!("{}.{}", record.name, field.name),
                };
                cells.add(program, Root::Record(id), Some(index as u32), field.ty, name);
            }
        }
        let int = program.types.int(ir::IntKind::Int);
        cells.add(program, Root::End, None, int, "the end of the input".to_string());
        cells.add(program, Root::PutBack, None, int, "a character that was put back".to_string());
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
                for index in 0..*length as u32 {
                    self.add(program, root, Some(index), *of, format!("{name}[{index}]"));
                }
            }
            _ => self.add(program, root, None, ty, name.to_string()),
        }
    }

    fn is_string(&self, program: &Program, root: Root) -> bool {
        matches!(root, Root::Global(id) if program.globals[id].kind == ir::GlobalKind::StringLiteral)
    }

    fn add(&mut self, program: &Program, root: Root, at: Option<u32>, ty: TypeId, name: String) {
        if !matches!(program.types.get(ty), Type::Int(_) | Type::Pointer { .. }) || self.lost.contains(&root) {
            return;
        }
        let addressed = self.addressed.contains(&(root, at));
        let id = CellId(self.cells.len() as u32);
        self.cells.push(Cell { root, at, ty, name, addressed });
        self.known.insert((root, at), id);
        if let Some(reached) = Reached::of(program, ty).filter(|_| addressed) {
            self.reached.entry(reached).or_default().push(id);
        }
    }

    /// Notes whose addresses are taken, and gives up the locals whose address is kept somewhere.
    fn find_addresses(&mut self, program: &Program) {
        for (function, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| {
                let direct: Vec<&Expr> = match &stmt.kind {
                    StmtKind::Call { args, callee, .. } if !matches!(callee, Callee::Intrinsic(_)) => {
                        args.iter().map(without_conversions).collect()
                    }
                    _ => Vec::new(),
                };
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| {
                        let ExprKind::AddressOf(lvalue) = &part.kind else { return };
                        let passed = direct.iter().any(|arg| std::ptr::eq(*arg, part));
                        self.note_address(program, function, lvalue, passed);
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
                        self.note_global(program, id);
                    }
                });
            }
        }
    }

    fn note_global(&mut self, program: &Program, id: GlobalId) {
        let root = Root::Global(id);
        match program.types.get(program.globals[id].ty) {
            // What is written through a pointer into an array is not followed.
            Type::Array { .. } => drop(self.lost.insert(root)),
            _ => drop(self.addressed.insert((root, None))),
        }
    }

    fn note_address(&mut self, program: &Program, function: FunctionId, lvalue: &Lvalue, passed: bool) {
        if let Some((record, field, rest)) = last_field(program, function, lvalue) {
            if rest == 0 {
                self.addressed.insert((Root::Record(record), Some(field)));
            }
            return;
        }
        match lvalue.base {
            Base::Local(id) => {
                let root = Root::Local(function, id);
                if !passed {
                    self.lost.insert(root);
                }
                self.addressed.insert((root, None));
            }
            Base::Global(id) => self.note_global(program, id),
            Base::Deref(_) => {}
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

    /// The cells of an array, in order.
    pub fn elements(&self, root: Root) -> Vec<CellId> {
        (0..MAX_ELEMENTS as u32).map_while(|index| self.find(root, Some(index))).collect()
    }

    /// The cells a pointer to this type may lead to.
    pub fn addressed_of(&self, program: &Program, ty: TypeId) -> &[CellId] {
        Reached::of(program, ty).and_then(|reached| self.reached.get(&reached)).map_or(&[], Vec::as_slice)
    }

    /// What an lvalue of a function designates.
    pub fn place<'p>(&self, program: &Program, function: FunctionId, lvalue: &'p Lvalue) -> Place<'p> {
        let cell = |root, at| self.find(root, at).map_or(Place::Elsewhere, Place::Cell);
        if let Some((record, field, rest)) = last_field(program, function, lvalue) {
            return if rest == 0 { cell(Root::Record(record), Some(field)) } else { Place::Elsewhere };
        }
        let root = match &lvalue.base {
            Base::Local(id) => Root::Local(function, *id),
            Base::Global(id) => Root::Global(*id),
            Base::Deref(pointer) if lvalue.path.is_empty() => return Place::Through(pointer, lvalue.ty),
            Base::Deref(_) => return Place::Elsewhere,
        };
        match &lvalue.path[..] {
            [] if self.find(root, Some(0)).is_some() => Place::Array(root),
            [] => cell(root, None),
            [Step::Index(index)] => match constant_index(index) {
                Some(index) => cell(root, Some(index)),
                None if self.find(root, Some(0)).is_some() => Place::Array(root),
                None => Place::Elsewhere,
            },
            _ => Place::Elsewhere,
        }
    }
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
