//! What a block of memory is that is moved as a whole: by the type it has in the source where its size fits, else bytes.
//!
//! A size that is not written at the call may still be known where the call is reached: `put(&x, sizeof x)` with
//! `put(p, n) { fwrite(p, 1, n, f); }` moves what `x` is. So the decision is made twice, first with constants only and
//! then, for a [`Block`], with what is known on the path.

use super::cells::without_conversions;
use super::ends::integer;
use super::kinds::{Item, Kinds, MAX_ITEMS, Pattern, Repeat, What};
use super::sites::string;
use super::table::{Block, Moves};
use ir::{Expr, ExprKind, Program, RecordKind, Type, TypeId};

/// What a call that moves memory moves. A `partial` one takes any part of a buffer of characters.
pub(super) fn moved(
    program: &Program,
    pointer: u32,
    size: &[u32],
    args: &[Expr],
    partial: bool,
    kinds: &mut Kinds,
) -> Moves {
    let argument = |position: u32| args.get(position as usize - 1);
    let factors: Vec<Option<u64>> =
        size.iter().map(|position| u64::try_from(integer(argument(*position)?)?).ok()).collect();
    let element = argument(pointer).and_then(|pointer| pointee(program, pointer));
    let byte = kinds.unsigned(8);
    let count = factors.last().copied().flatten();
    let mut moves = Moves {
        pointer: Some(pointer),
        end: Some(0),
        returned: Some(count.map_or((1, None), |count| (count.into(), Some(count.into())))),
        ..Moves::default()
    };
    let width = element.map_or(1, |(_, width)| width);
    if partial && width == 1 && count != Some(1) {
        moves.pattern = vec![Item { what: What::Kind(byte), repeat: Repeat::AtLeastOnce }];
        moves.returned = Some((1, None));
        return moves;
    }
    let total = factors.iter().copied().try_fold(1u64, |product, factor| product.checked_mul(factor?));
    if let Some(total) = total {
        let text = argument(pointer).and_then(|pointer| string(program, pointer));
        moves.pattern = match text {
            // A constant that is written as it is.
            Some(text) if text.len() as u64 >= total && total <= MAX_ITEMS => {
                let literal = |value: &u8| Item { what: What::Literal(byte, (*value).into()), repeat: Repeat::Once };
                text[..total as usize].iter().map(literal).collect()
            }
            _ => of_type(program, element, total, kinds),
        };
        if let [Item { what: What::Kind(kind), .. }] = moves.pattern[..]
            && kinds.bits(kind).is_some()
        {
            moves.value = Some(pointer);
        }
        return moves;
    }
    let (element, bytes) = match element {
        Some((ty, width)) if factors.contains(&Some(width)) => {
            (of_type(program, Some((ty, width)), width, kinds), width)
        }
        _ => (vec![Item::once(byte)], 1),
    };
    // A row of records of unknown length: whole records are not told from pieces of them.
    moves.pattern = element.iter().map(|item| Item { repeat: Repeat::Any, ..*item }).collect();
    moves.block = Some(Block { pointer, size: size.to_vec(), element, bytes });
    moves
}

/// What an expression points to in the source, and how large that is.
fn pointee(program: &Program, pointer: &Expr) -> Option<(TypeId, u64)> {
    let pointer = without_conversions(pointer);
    let ty = match &pointer.kind {
        // An array decays to the address of its first element.
        ExprKind::AddressOf(lvalue) => lvalue.ty,
        _ => program.types.pointee(pointer.ty)?,
    };
    sized(program, ty)
}

/// A type with its size, if it has one.
pub(super) fn sized(program: &Program, ty: TypeId) -> Option<(TypeId, u64)> {
    Some((ty, program.types.size_of(ty).filter(|size| *size > 0)?))
}

/// So many bytes of memory that has this type.
pub(super) fn of_type(program: &Program, ty: Option<(TypeId, u64)>, total: u64, kinds: &mut Kinds) -> Pattern {
    let byte = kinds.unsigned(8);
    if let Some((ty, width)) = ty.filter(|(_, width)| total.is_multiple_of(*width) && total / width <= MAX_ITEMS) {
        let mut one = Vec::new();
        layout(program, ty, &mut one, kinds);
        if one.len() as u64 * (total / width) <= MAX_ITEMS {
            return one.repeat((total / width) as usize);
        }
    }
    match total <= MAX_ITEMS {
        true => vec![Item::once(byte); total as usize],
        false => vec![Item { what: What::Kind(byte), repeat: Repeat::Any }],
    }
}

/// A type by its members, padding included as bytes.
fn layout(program: &Program, ty: TypeId, items: &mut Pattern, kinds: &mut Kinds) {
    let size = program.types.size_of(ty).unwrap_or(0);
    let byte = Item::once(kinds.unsigned(8));
    match program.types.get(ty) {
        Type::Int(ir::IntKind::Bool) => items.push(Item::once(kinds.atom("bool"))),
        Type::Int(kind) => items.push(Item::once(kinds.unsigned(kind.bytes() as u32 * 8))),
        Type::Float(kind) => {
            let name = match kind {
                ir::FloatKind::Float => "f32",
                ir::FloatKind::Double => "f64",
                ir::FloatKind::Extended => "f80",
            };
            items.push(Item::once(kinds.atom(name)));
        }
        Type::Pointer { .. } => items.push(Item::once(kinds.unsigned(64))),
        Type::Array { of, length: ir::Length::Fixed(length) } if *length <= MAX_ITEMS => {
            for _ in 0..*length {
                layout(program, *of, items, kinds);
            }
        }
        Type::Record(record) if program.types.records[*record].kind == RecordKind::Struct => {
            let fields = program.types.records[*record].fields.as_deref().unwrap_or(&[]);
            let plain = fields.iter().all(|field| field.bits.is_none());
            if !plain {
                items.extend(std::iter::repeat_n(byte, size as usize));
                return;
            }
            let mut end = 0;
            for field in fields {
                items.extend(std::iter::repeat_n(byte, (field.offset - end) as usize));
                layout(program, field.ty, items, kinds);
                end = field.offset + program.types.size_of(field.ty).unwrap_or(0);
            }
            items.extend(std::iter::repeat_n(byte, (size - end) as usize));
        }
        _ => items.extend(std::iter::repeat_n(byte, size.min(MAX_ITEMS) as usize)),
    }
}
