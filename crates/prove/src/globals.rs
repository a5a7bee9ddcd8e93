//! What the globals hold when a run starts.

use ir::{BitRange, Global, GlobalId, GlobalKind, InitValue, IntKind, Length, Program, RecordKind, Type, TypeId};
use smt::TermId;
use std::collections::{BTreeMap, BTreeSet};
use symex::access::Location;
use symex::{CellId, Evaluation, FrameId, Notes, ObjectId, Objects, Owner, Place, State, Value, zero_object};

/// How many scalars an initial value may give for all of them to be followed.
const ITEM_LIMIT: usize = 4096;

/// The initial values of the cells of globals, as far as they are followed. `open` are those that may hold anything by
/// the time the entry is called.
pub fn initial_values(objects: &Objects<'_>, open: &BTreeSet<ObjectId>, notes: &mut Notes) -> BTreeMap<CellId, TermId> {
    let mut state = State::at_cut(objects);
    for cell in objects.cell_ids() {
        state.forget(cell);
    }
    for (id, global) in &objects.program.globals {
        if !open.contains(&objects.global(id)) {
            initialise(objects, &mut state, notes, id, global);
        }
    }
    let globals = objects.cell_ids().filter_map(|cell| Some((cell, state.peek(cell)?)));
    globals.filter(|(_, term)| objects.pool.symbols(&[*term]).is_empty()).collect()
}

/// The cells of globals that keep their initial values in every run.
pub fn constants(
    objects: &Objects<'_>,
    initial: &BTreeMap<CellId, TermId>,
    written: &BTreeSet<ObjectId>,
) -> BTreeMap<CellId, TermId> {
    let keeps = |cell: &CellId| {
        let id = objects.cell(*cell).object;
        let object = objects.object(id);
        let Owner::Global(global) = object.owner else { return false };
        let global = &objects.program.globals[global];
        let fixed = global.is_const || global.kind == GlobalKind::StringLiteral;
        fixed || (!object.exposed && !written.contains(&id))
    };
    initial.iter().filter(|(cell, _)| keeps(cell)).map(|(cell, term)| (*cell, *term)).collect()
}

fn initialise(objects: &Objects<'_>, state: &mut State, notes: &mut Notes, id: GlobalId, global: &Global) {
    let object = objects.global(id);
    let Some(init) = global.init.as_ref().filter(|_| !objects.object(object).uncertain) else { return };
    let scalars = |value: &InitValue| if let InitValue::Bytes(bytes) = value { bytes.len() } else { 1 };
    if init.items.iter().map(|item| scalars(&item.value)).sum::<usize>() > ITEM_LIMIT {
        notes.obstacle(format!("the initial value of `{}` is too large to be followed", global.name), global.span);
        return;
    }
    let whole = Location { place: Place { object, fields: Vec::new(), ty: global.ty }, index: None };
    let mut evaluation = Evaluation::new(objects, state, notes, FrameId(0), None);
    zero_object(&mut evaluation, &whole);
    let number = |index: Option<u64>| index.map(|n| objects.arithmetic().literal(i128::from(n), IntKind::Long).term);
    let types = &objects.program.types;
    for item in &init.items {
        match &item.value {
            InitValue::Expr(expr) => {
                let value = evaluation.value(expr);
                if let Some((fields, index, ty)) = locate(objects.program, global.ty, item.offset, item.bits) {
                    evaluation.write(&Location { place: Place { object, fields, ty }, index: number(index) }, &value);
                }
            }
            InitValue::Bytes(bytes) => {
                for (offset, byte) in (item.offset..).zip(bytes) {
                    let Some((fields, index, ty)) = locate(objects.program, global.ty, offset, None) else { continue };
                    let Some(kind) = types.int_kind(ty).filter(|kind| kind.bytes() == 1) else {
                        // A string of wide characters: its elements are not followed one by one.
                        for cell in objects.cells_below(object, &fields) {
                            evaluation.state.forget(cell);
                        }
                        continue;
                    };
                    let value = Value::Number(objects.arithmetic().literal(kind.wrap(i128::from(*byte)), kind));
                    evaluation.write(&Location { place: Place { object, fields, ty }, index: number(index) }, &value);
                }
            }
        }
    }
}

/// The scalar at a byte offset of an object: its fields, the number of its element, its type. `None` inside unions.
fn locate(
    program: &Program,
    ty: TypeId,
    offset: u64,
    bits: Option<BitRange>,
) -> Option<(Vec<u32>, Option<u64>, TypeId)> {
    let types = &program.types;
    let (mut ty, mut rest, mut start) = (ty, offset, 0);
    let mut fields = Vec::new();
    let mut index: Option<u64> = None;
    loop {
        match types.get(ty) {
            Type::Array { of, length } => {
                let size = types.size_of(*of).filter(|size| *size > 0)?;
                let position = rest / size;
                index = Some(match (index, length) {
                    (None, _) => position,
                    (Some(outer), Length::Fixed(n)) => outer * n + position,
                    _ => return None,
                });
                rest -= position * size;
                start += position * size;
                ty = *of;
            }
            Type::Record(id) => {
                let record = &types.records[*id];
                if record.kind == RecordKind::Union {
                    return None;
                }
                let holds = |field: &ir::Field| match (field.bits, bits) {
                    (Some(own), Some(wanted)) => start * 8 + own.offset == wanted.offset && own.width == wanted.width,
                    (None, _) => field.offset <= rest && rest < field.offset + types.size_of(field.ty).unwrap_or(0),
                    _ => false,
                };
                let position = record.fields.as_ref()?.iter().position(holds)?;
                let field = &record.fields.as_ref()?[position];
                fields.push(position as u32);
                rest = rest.saturating_sub(field.offset);
                start += field.offset;
                ty = field.ty;
            }
            Type::Int(_) | Type::Float(_) | Type::Pointer { .. } => return Some((fields, index, ty)),
            Type::Void | Type::Function(_) => return None,
        }
    }
}
