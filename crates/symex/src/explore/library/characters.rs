//! ctype.h in the C locale, on characters that may be open.

use super::super::access;
use super::super::arithmetic;
use super::super::evaluate::select;
use super::super::memory::{Kind, Memory, Object, ObjectId};
use super::super::step::{Eval, Step};
use super::super::value::{Integer, Offset, Pointer, Truth, Value};
use super::{Entry, Request, strings};
use crate::number::{Number, Range};
use diagnostics::{Rule, Span};
use exec::libc::ctype;
use ir::IntKind;
use smt::{TermId, TermPool};

pub const MODELS: &[Entry] = &[
    ("isupper", |step, request| class(step, request, ctype::UPPER)),
    ("islower", |step, request| class(step, request, ctype::LOWER)),
    ("isalpha", |step, request| class(step, request, ctype::ALPHA)),
    ("isdigit", |step, request| class(step, request, ctype::DIGIT)),
    ("isxdigit", |step, request| class(step, request, ctype::XDIGIT)),
    ("isspace", |step, request| class(step, request, ctype::SPACE)),
    ("isprint", |step, request| class(step, request, ctype::PRINT)),
    ("isgraph", |step, request| class(step, request, ctype::GRAPH)),
    ("isblank", |step, request| class(step, request, ctype::BLANK)),
    ("iscntrl", |step, request| class(step, request, ctype::CNTRL)),
    ("ispunct", |step, request| class(step, request, ctype::PUNCT)),
    ("isalnum", |step, request| class(step, request, ctype::ALNUM)),
    ("toupper", |step, request| mapped(step, request, ctype::upper)),
    ("tolower", |step, request| mapped(step, request, ctype::lower)),
    ("__ctype_b_loc", |step, _| Ok(Some(handed_out(step, "__ctype_b_loc")))),
    ("__ctype_tolower_loc", |step, _| Ok(Some(handed_out(step, "__ctype_tolower_loc")))),
    ("__ctype_toupper_loc", |step, _| Ok(Some(handed_out(step, "__ctype_toupper_loc")))),
];

type MakeTable = fn(&TermPool, &mut Memory) -> ObjectId;

/// The tables that macros read, by the function that gives the address of a pointer to each.
pub const TABLES: &[(&str, MakeTable)] = &[
    ("__ctype_b_loc", |pool, memory| table(pool, memory, 2, |c| i32::from(ctype::classes(c)))),
    ("__ctype_tolower_loc", |pool, memory| table(pool, memory, 4, ctype::lower)),
    ("__ctype_toupper_loc", |pool, memory| table(pool, memory, 4, ctype::upper)),
];

/// A table for the characters from -128 to 255, and the pointer to its entry for zero.
fn table(pool: &TermPool, memory: &mut Memory, size: u64, value: fn(i32) -> i32) -> ObjectId {
    let mut bytes = Vec::new();
    for c in -128..256 {
        bytes.extend(&value(c).to_le_bytes()[..size as usize]);
    }
    let mut object = Object::zeroed(Kind::Global, bytes.len() as u64, "a table of ctype.h", Span::NONE);
    object.put_bytes(0, &bytes);
    object.is_const = true;
    let table = memory.add(object);
    let mut pointer = Object::zeroed(Kind::Global, 8, "a table of ctype.h", Span::NONE);
    let to = Pointer { offset: Offset::known(128 * size as i64), ..Pointer::to_object(table) };
    access::write(pool, &mut pointer, 0, 8, Value::Pointer(to));
    memory.add(pointer)
}

fn handed_out(step: &Step<'_, '_>, name: &str) -> Value {
    Value::Pointer(Pointer::to_object(step.engine.library_objects[name]))
}

/// Any value but zero for a character of the class: the library gives a bit of its table, compilers that know it give 1.
fn class(step: &mut Step<'_, '_>, request: &Request, bit: u16) -> Eval<Option<Value>> {
    let c = request.int(step, 0)?;
    let is_member = look_up(step, &c, |c| i32::from(ctype::classes(c) & bit != 0))?;
    let truth = arithmetic::is_nonzero(&step.engine.pool, &is_member);
    let (some, none) = (Value::Int(strings::magnitude(step)), Value::int(IntKind::Int, 0));
    match step.known_truth(truth) {
        Truth::Concrete(true) => Ok(Some(some)),
        Truth::Concrete(false) => Ok(Some(none)),
        Truth::Symbolic(condition) => Ok(select(&step.engine.pool, condition, &some, &none)),
    }
}

fn mapped(step: &mut Step<'_, '_>, request: &Request, change: fn(i32) -> i32) -> Eval<Option<Value>> {
    let c = request.int(step, 0)?;
    look_up(step, &c, change).map(|c| Some(Value::Int(c)))
}

/// The small letter of a character.
pub fn lower(step: &mut Step<'_, '_>, c: &Integer) -> Eval<Integer> {
    look_up(step, c, ctype::lower)
}

fn look_up(step: &mut Step<'_, '_>, c: &Integer, value: impl Fn(i32) -> i32) -> Eval<Integer> {
    if let Integer::Concrete(_, c) = c {
        return Ok(Integer::Concrete(IntKind::Int, value(*c as i32).into()));
    }
    let pool = step.engine.pool.clone();
    let c = arithmetic::number(&pool, c);
    let limit = Range { lo: (-128).into(), hi: 255.into() };
    let width = c.kind.bits();
    if !c.range.within(&limit) {
        let low = pool.bv_sle(pool.bits(width, -128), c.term);
        let high = pool.bv_sle(c.term, pool.bits(width, 255));
        step.require(pool.and(&[low, high]), Rule::BadArgument, "the argument is neither an `unsigned char` nor EOF")?;
    }
    // Runs of characters with the same value, or the same distance from it.
    let mut runs: Vec<(i32, TermId)> = Vec::new();
    for k in -128..256 {
        let result = value(k);
        let term = if result == k { c.term } else { pool.bits(width, result) };
        // Letters that change keep their distance: one sum stands for all of them.
        let term = if result != k && (result - k).abs() == 32 {
            pool.bv_add(c.term, pool.bits(width, result - k))
        } else {
            term
        };
        if runs.last().is_none_or(|(_, last)| *last != term) {
            runs.push((k, term));
        }
    }
    let term = tree(&pool, c.term, width, &runs);
    let term = pool.bv_resize(term, 32, true);
    let range = Range { lo: (-128).into(), hi: 65535.into() };
    Ok(arithmetic::integer(&pool, Number { term, kind: IntKind::Int, range }))
}

fn tree(pool: &TermPool, c: TermId, width: u32, runs: &[(i32, TermId)]) -> TermId {
    if runs.len() == 1 {
        return runs[0].1;
    }
    let middle = runs.len() / 2;
    let low = tree(pool, c, width, &runs[..middle]);
    let high = tree(pool, c, width, &runs[middle..]);
    pool.ite(pool.bv_slt(c, pool.bits(width, runs[middle].0)), low, high)
}
