//! Reading and writing objects, at offsets that are known or not.
//!
//! An access at an open offset within a small object becomes a choice among the elements it may touch; where the
//! elements are pointers, hold no value or are too many, the offset's values are told apart by forking instead.
//! Nothing is lost either way.

use super::arithmetic::{convert, integer, machine, number};
use super::memory::{Cell, Content, Kind, Life, Object, ObjectId};
use super::sequencing::Touched;
use super::state::{Loss, Slot};
use super::step::{Eval, Halt, Step};
use super::value::{Float, Integer, Offset, Pointer, Symbolic, Target, Value};
use crate::floating::format;
use crate::number::{Number, Range};
use diagnostics::Rule;
use exec::memory::Fault;
use exec::vm::{self, Class};
use ir::{Base, BitRange, EntityRef, FloatKind, IntKind, Length, LocalId, Lvalue, Step as Part, Type, TypeId};
use smt::{TermId, TermPool};

/// Part of an object.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub object: ObjectId,
    pub offset: Offset,
    /// Of a bit-field: counted from the first bit of the byte at the offset.
    pub bits: Option<BitRange>,
}

/// What an lvalue designates.
#[derive(Clone, Copy, Debug)]
pub enum Spot {
    Register(LocalId),
    Memory(Place),
}

/// Elements that hold different things than their neighbours, of which an access at an open offset chooses.
const CHOICES: usize = 1_024;

/// What is noted of an object of the heap that is left.
pub const ALLOCATED: &str = "the object is allocated here";

impl<'p> Step<'_, 'p> {
    pub fn spot(&mut self, lvalue: &'p Lvalue) -> Eval<Spot> {
        self.spot_up_to(lvalue, 0)
    }

    /// As [`Step::spot`], where the last index may be so much larger than that of the last element: an address may lead
    /// one past an array.
    pub fn spot_up_to(&mut self, lvalue: &'p Lvalue, past: u64) -> Eval<Spot> {
        let types = &self.engine.program.types;
        let reaches_inside =
            matches!(lvalue.base, Base::Deref(_)) || lvalue.path.iter().any(|part| matches!(part, Part::Field(_)));
        if types.has_volatile_parts && reaches_inside {
            self.engine.lose(Loss::Volatile, self.span);
        }
        let (mut place, mut ty) = match &lvalue.base {
            Base::Local(id) => match &self.state.frame().locals[id.index()] {
                Slot::Register(_) => return Ok(Spot::Register(*id)),
                Slot::Object(object) => {
                    if self.engine.program.functions[self.state.frame().function].locals[*id].is_volatile {
                        self.engine.lose(Loss::Volatile, self.span);
                    }
                    let place = Place { object: *object, offset: Offset::ZERO, bits: None };
                    (place, self.engine.program.functions[self.state.frame().function].locals[*id].ty)
                }
                Slot::Nowhere => {
                    let what = "an array of variable length whose declaration was jumped past".to_string();
                    return Err(Halt::Lost(Loss::Unsupported { what }));
                }
            },
            Base::Global(id) => {
                let global = &self.engine.program.globals[*id];
                if global.init.is_none() && !self.engine.is_library_object(*id) && !self.engine.declared.contains(id) {
                    let what = format!("the variable `{}`, which is only declared,", global.name);
                    return Err(Halt::Lost(Loss::Unsupported { what }));
                }
                if global.is_volatile {
                    self.engine.lose(Loss::Volatile, self.span);
                }
                let object = self.engine.global_object(*id);
                (Place { object, offset: Offset::ZERO, bits: None }, global.ty)
            }
            Base::Deref(pointer) => {
                let to = types.pointee(pointer.ty).unwrap_or(types.void());
                let pointer = self.pointer(pointer)?;
                (self.follow(&pointer)?, to)
            }
        };
        for (number, part) in (1..).zip(&lvalue.path) {
            match (part, types.get(ty)) {
                (Part::Field(index), _) => {
                    let Some(field) = types.field(ty, *index) else {
                        return Err(self.unsupported("a member of an incomplete record"));
                    };
                    place.offset = place.offset.plus(&self.engine.pool, Offset::known(field.offset as i64));
                    place.bits =
                        field.bits.map(|bits| BitRange { offset: bits.offset - field.offset * 8, width: bits.width });
                    ty = field.ty;
                }
                (Part::Index(index), Type::Array { of, length }) => {
                    let of = *of;
                    let index = self.int(index)?;
                    let mut bound = None;
                    if let (true, Length::Fixed(count @ 1..)) = (self.engine.wants_errors, length) {
                        let past = if number == lvalue.path.len() { past } else { 0 };
                        let count = count.saturating_add(past);
                        self.require_index(&index, count)?;
                        bound = Some(count - 1);
                    }
                    let size = self.size_of(of)?;
                    let mut by = self.scaled(&index, size)?;
                    if let (Some(last), Some(open)) = (bound, &mut by.open) {
                        open.low = open.low.max(0);
                        open.high = open.high.min(last.saturating_mul(size) as i64);
                    }
                    place.offset = place.offset.plus(&self.engine.pool, by);
                    ty = of;
                }
                _ => return Err(self.unsupported("an index into something that is no array")),
            }
        }
        Ok(Spot::Memory(place))
    }

    /// Demands that an index is below a bound.
    fn require_index(&mut self, index: &Integer, bound: u64) -> Eval<()> {
        let message = "the index is outside of the array";
        match index {
            Integer::Concrete(_, value) if (0..i128::from(bound)).contains(value) => Ok(()),
            Integer::Concrete(..) => Err(Halt::Fault(Fault::new(Rule::OutOfBounds, message))),
            other => {
                let wide = number(&self.engine.pool, &convert(&self.engine.pool, other, IntKind::Long));
                let pool = self.engine.pool.clone();
                self.require(pool.bv_ult(wide.term, pool.bits(64, bound)), Rule::OutOfBounds, message)
            }
        }
    }

    /// Demands that a pointer leads into its object, or one past it. Of an input only a part is given.
    pub fn require_within(&mut self, pointer: &Pointer) -> Eval<()> {
        let Target::Object(object) = pointer.target else { return Ok(()) };
        let object = self.state.memory.get(object);
        if object.horizon.is_some() {
            return Ok(());
        }
        let (size, message) = (object.size, "the pointer leaves its object");
        match self.known_offset(&pointer.offset) {
            Some(known) if known >= 0 && known as u64 <= size => Ok(()),
            Some(_) => Err(Halt::Fault(Fault::new(Rule::OutOfBounds, message))),
            None => {
                let pool = self.engine.pool.clone();
                let total = pointer.offset.term(&pool);
                self.require(pool.bv_ule(total, pool.bits(64, size)), Rule::OutOfBounds, message)
            }
        }
    }

    /// As [`Step::spot`], for what is always in memory.
    pub fn place(&mut self, lvalue: &'p Lvalue) -> Eval<Place> {
        match self.spot(lvalue)? {
            Spot::Memory(place) => Ok(place),
            Spot::Register(_) => unreachable!("an object that is used as a whole should be in memory"),
        }
    }

    /// The number of bytes that an index stands for.
    pub fn scaled(&mut self, index: &Integer, size: u64) -> Eval<Offset> {
        match index {
            Integer::Concrete(_, value) => Ok(Offset::known((*value as i64).wrapping_mul(size as i64))),
            other => {
                let wide = convert(&self.engine.pool, other, IntKind::Long);
                if let Some(value) = wide.known() {
                    return Ok(Offset::known((value as i64).wrapping_mul(size as i64)));
                }
                let wide = number(&self.engine.pool, &wide);
                // An index this large leaves every object; without it the product cannot wrap.
                let most = (1i64 << 46) / size.max(1) as i64;
                let limit = Range { lo: (-most).into(), hi: most.into() };
                let pool = self.engine.pool.clone();
                if !wide.range.within(&limit) {
                    let low = pool.bv_sle(pool.bits(64, -most), wide.term);
                    let high = pool.bv_sle(wide.term, pool.bits(64, most));
                    self.require(pool.and(&[low, high]), Rule::OutOfBounds, "the index leaves every object")?;
                }
                if size == 0 {
                    return Ok(Offset::ZERO);
                }
                let term = pool.bv_mul(wide.term, pool.bits(64, size));
                let within = wide.range.meet(&limit);
                let bytes = |index: &smt::Int| i64::try_from(index).unwrap_or(most).saturating_mul(size as i64);
                let (low, high) = (bytes(&within.lo), bytes(&within.hi));
                Ok(Offset { known: 0, open: Some(Symbolic { low, high, ..Symbolic::any(term, size) }) })
            }
        }
    }

    /// The size of a type, arrays of variable length included.
    pub fn size_of(&mut self, ty: TypeId) -> Eval<u64> {
        let types = &self.engine.program.types;
        if let Some(size) = types.size_of(ty) {
            return Ok(size);
        }
        match types.get(ty) {
            Type::Array { of, length: Length::Variable(local) } => {
                let (of, local) = (*of, *local);
                let length = match &self.state.frame().locals[local.index()] {
                    Slot::Register(Some(Value::Int(length))) => length.clone(),
                    _ => return Err(self.unsupported("the length of an array of variable length")),
                };
                let length = self.known_int(&length)? as u64;
                let size = self.size_of(of)?;
                Ok(length.saturating_mul(size))
            }
            // GCC counts `void` and functions as one byte.
            Type::Void | Type::Function(_) => Ok(1),
            _ => Err(self.unsupported("an object of incomplete type")),
        }
    }

    /// What a pointer leads to; using a null pointer or one that leads nowhere is a fault.
    pub fn follow(&mut self, pointer: &Pointer) -> Eval<Place> {
        if let Some(null) = pointer.null {
            // A caller who passes null where the function does not ask for it breaks the function's contract.
            let pool = self.engine.pool.clone();
            let is_asked = self.state.path.settled(null) == Some(false);
            let kind = match pointer.target {
                Target::Object(object) => Some(self.state.memory.get(object).kind),
                _ => None,
            };
            match kind {
                Some(Kind::Heap) if self.engine.config.failed_allocations => {
                    self.require(pool.not(null), Rule::NullDereference, "the allocation failed")?;
                }
                // No caller owes that a file is there.
                Some(Kind::Stream) => {
                    self.require(pool.not(null), Rule::NullDereference, "the stream could not be opened")?;
                }
                Some(Kind::Text) => {
                    self.require(pool.not(null), Rule::NullDereference, "the library gave no text")?;
                }
                _ => {
                    self.assume(pool.not(null))?;
                    if !is_asked {
                        self.engine.demanded.insert(Rule::NullDereference);
                    }
                }
            }
        }
        match pointer.target {
            Target::Object(object) => Ok(Place { object, offset: pointer.offset, bits: None }),
            Target::Nothing if pointer.offset.known.unsigned_abs() < 1 << 16 => {
                Err(Halt::Fault(Fault::new(Rule::NullDereference, "the pointer is null")))
            }
            Target::Nothing => {
                Err(Halt::Fault(Fault::new(Rule::InvalidPointer, "the pointer does not point to an object")))
            }
            Target::Function(_) => {
                Err(Halt::Fault(Fault::new(Rule::InvalidPointer, "the pointer points to a function")))
            }
        }
    }

    /// Checks an access of some bytes, and gives the offset if it is known.
    pub fn check(&mut self, place: &Place, size: u64, writes: bool) -> Eval<Option<u64>> {
        let touched = match self.known_offset(&place.offset) {
            Some(known) => Touched::Bytes(place.object, known as u64, (known as u64).saturating_add(size)),
            None => Touched::Bytes(place.object, 0, u64::MAX),
        };
        self.state.note(touched, writes);
        let object = self.state.memory.get(place.object);
        if object.kind == Kind::Callback {
            return Err(self.unsupported("the inside of a function"));
        }
        let fault = |rule, what: &str| Err(Halt::Fault(Fault::new(rule, format!("{} {what}", object.title()))));
        match object.life {
            Life::Live => {}
            Life::Freed => return fault(Rule::UseAfterFree, "was freed before"),
            Life::Ended => return fault(Rule::UseAfterScope, "does not exist any more"),
        }
        if writes && object.is_const {
            return fault(Rule::WriteToConstant, "must not be modified");
        }
        let inside = match object.kind {
            Kind::Text => Some(Loss::External { name: object.name.to_string() }),
            Kind::Stream | Kind::InputStream => Some(Loss::Unsupported { what: "the inside of a stream".to_string() }),
            _ => None,
        };
        if let Some(loss) = inside {
            self.engine.lose(loss, self.span);
        }
        let inputs = self.state.memory.inputs();
        let shared = writes
            && match object.kind {
                Kind::Input => inputs > 1 || self.engine.names_aliasable,
                Kind::Global => inputs > 0 && self.engine.is_aliasable(place.object),
                _ => false,
            };
        let whole = object.size;
        let horizon = object.horizon;
        let beyond = || Loss::Input { name: object.name.to_string() };
        if shared {
            self.engine.lose_aliasing(self.span);
        }
        match self.known_offset(&place.offset) {
            Some(known) => {
                if known < 0 || (known as u64).saturating_add(size) > whole {
                    if horizon.is_some() {
                        return Err(Halt::Lost(beyond()));
                    }
                    let message = format!("an access of {size} bytes at offset {known} of {}", object.title());
                    let fault = Fault::new(Rule::OutOfBounds, message);
                    return Err(Halt::Fault(match object.kind {
                        Kind::Heap => fault.with_note(object.made, ALLOCATED),
                        _ => fault,
                    }));
                }
                if horizon.is_some_and(|horizon| known as u64 + size > horizon) {
                    let loss = beyond();
                    self.engine.lose(loss, self.span);
                }
                Ok(Some(known as u64))
            }
            None if size > whole => fault(Rule::OutOfBounds, "is too small for the access"),
            None => {
                let loss = beyond();
                let pool = self.engine.pool.clone();
                let total = place.offset.term(&pool);
                let inside = pool.bv_ule(total, pool.bits(64, whole - size));
                match horizon {
                    None => self.require(inside, Rule::OutOfBounds, "the access is outside of the object")?,
                    Some(horizon) => {
                        self.require_or_lose(inside, &loss)?;
                        if horizon < whole && horizon >= size {
                            let before = pool.bv_ule(total, pool.bits(64, horizon - size));
                            if self.can_fail(before)? {
                                self.engine.lose(loss, self.span);
                            }
                        }
                    }
                }
                Ok(None)
            }
        }
    }

    fn known_offset(&self, offset: &Offset) -> Option<i64> {
        match offset.open {
            None => Some(offset.known),
            Some(open) => {
                let value = self.state.path.pinned(open.term)?;
                Some(offset.known.wrapping_add(value as i64))
            }
        }
    }

    /// Tells the values of an offset apart by forking.
    fn split_offset(&mut self, offset: &Offset) -> Eval<u64> {
        let Some(open) = offset.open else { return Ok(offset.known as u64) };
        let value = self.concretise(open.term)?;
        Ok(offset.known.wrapping_add(value as i64) as u64)
    }

    /// The offset as a number, by forking if need be; the access is checked.
    pub fn fixed(&mut self, place: &Place, size: u64, writes: bool) -> Eval<u64> {
        match self.check(place, size, writes)? {
            Some(known) => Ok(known),
            None => self.split_offset(&place.offset),
        }
    }

    pub fn load(&mut self, place: &Place, class: Class) -> Eval<Value> {
        if let Some(bits) = place.bits {
            return self.load_bits(place, bits, class);
        }
        let size = class.bytes();
        if let Some(at) = self.check(place, size, false)? {
            return self.load_at(place.object, at, class);
        }
        if let Some(value) = self.selected(place, size, class) {
            return Ok(value);
        }
        let at = self.split_offset(&place.offset)?;
        self.load_at(place.object, at, class)
    }

    /// The value at whichever of the candidates the offset is.
    pub fn choice(&mut self, place: &Place, candidates: &[u64], class: Class) -> Option<Value> {
        let mut values = Vec::with_capacity(candidates.len());
        for &at in candidates {
            values.push((at, read(&self.engine.pool, self.state.memory.get(place.object), at, class).ok()?));
        }
        let pool = &self.engine.pool;
        let total = place.offset.term(pool);
        match class {
            Class::Int(kind) => {
                let mut numbers = Vec::with_capacity(values.len());
                for (at, value) in &values {
                    let Value::Int(value @ (Integer::Concrete(..) | Integer::Symbolic(_))) = value else { return None };
                    numbers.push((*at, number(pool, value)));
                }
                let range = numbers.iter().map(|(_, n)| n.range.clone()).reduce(|a, b| a.hull(&b))?;
                let terms: Vec<(u64, TermId)> = numbers.iter().map(|(at, n)| (*at, n.term)).collect();
                let term = choose(pool, total, &runs(terms)?);
                Some(Value::Int(integer(pool, Number { term, kind, range })))
            }
            Class::Float(kind) => {
                let mut terms = Vec::with_capacity(values.len());
                for (at, value) in &values {
                    let Value::Float(value) = value else { return None };
                    terms.push((*at, super::floats::term(pool, value)));
                }
                let term = choose(pool, total, &runs(terms)?);
                Some(Value::Float(super::floats::float(pool, kind, term)))
            }
            Class::Pointer => None,
        }
    }

    fn load_at(&mut self, object: ObjectId, at: u64, class: Class) -> Eval<Value> {
        let mut value = read(&self.engine.pool, self.state.memory.get(object), at, class);
        if let Err(Obstacle::Bits) = value {
            self.spell_floats(object, at, class.bytes());
            value = read(&self.engine.pool, self.state.memory.get(object), at, class);
        }
        match value {
            Ok(value) => Ok(value),
            Err(Obstacle::Unset) => {
                let title = self.state.memory.get(object).title();
                let message = format!("{title} is read at offset {at}, where no value was written");
                Err(Halt::Fault(Fault::new(Rule::UninitialisedRead, message)))
            }
            Err(Obstacle::Bits) => Err(self.unsupported("a value read as one of another type")),
            Err(Obstacle::Number(term)) => {
                let value = self.concretise(term)?;
                Ok(Value::Pointer(Pointer::address(value as i64)))
            }
        }
    }

    fn load_bits(&mut self, place: &Place, bits: BitRange, class: Class) -> Eval<Value> {
        let Class::Int(kind) = class else { return Err(self.unsupported("a bit-field that is no integer")) };
        let pool = self.engine.pool.clone();
        let term = match self.open_unit(place, bits)? {
            Some(term) => term,
            None => {
                let (at, unit) = self.bit_unit(place, bits, false)?;
                self.unit_term(place.object, at, unit, true)?
            }
        };
        let low = bits.offset as u32;
        let field = pool.bv_extract(term, low + bits.width - 1, low);
        let width = kind.bits();
        let term = if width >= bits.width {
            pool.bv_resize(field, width, kind.is_signed())
        } else {
            pool.bv_extract(field, width - 1, 0)
        };
        let range = Range::of_bits(bits.width.min(width), kind.is_signed());
        Ok(Value::Int(integer(&pool, Number { term, kind, range })))
    }

    /// The bytes of a bit-field as one number, where they may be those of several elements.
    fn open_unit(&mut self, place: &Place, bits: BitRange) -> Eval<Option<TermId>> {
        let size = (bits.offset + u64::from(bits.width)).div_ceil(8);
        if self.check(&Place { bits: None, ..*place }, size, false)?.is_some() {
            return Ok(None);
        }
        let pool = self.engine.pool.clone();
        let mut whole: Option<TermId> = None;
        for k in (0..size).rev() {
            let byte = Place { offset: place.offset.plus(&pool, Offset::known(k as i64)), bits: None, ..*place };
            let Some(Value::Int(value)) = self.selected(&byte, 1, Class::Int(IntKind::UChar)) else { return Ok(None) };
            let term = number(&pool, &value).term;
            whole = Some(whole.map_or(term, |high| pool.bv_concat(high, term)));
        }
        Ok(whole)
    }

    /// The bytes a bit-field lies in: offset and number.
    fn bit_unit(&mut self, place: &Place, bits: BitRange, writes: bool) -> Eval<(u64, u64)> {
        let unit = (bits.offset + u64::from(bits.width)).div_ceil(8);
        let at = self.fixed(&Place { bits: None, ..*place }, unit, writes)?;
        Ok((at, unit))
    }

    /// Bytes as one number, the first the least significant. Without `strict`, bytes without a value count as zero.
    fn unit_term(&mut self, object: ObjectId, at: u64, size: u64, strict: bool) -> Eval<TermId> {
        self.spell_floats(object, at, size);
        let pool = self.engine.pool.clone();
        let mut term: Option<TermId> = None;
        for k in (at..at + size).rev() {
            let byte = match byte_term(&pool, self.state.memory.get(object), k) {
                Ok(byte) => byte,
                Err(Obstacle::Unset) if !strict => pool.bits(8, 0),
                Err(Obstacle::Unset) => {
                    let title = self.state.memory.get(object).title();
                    let message = format!("{title} is read at offset {k}, where no value was written");
                    return Err(Halt::Fault(Fault::new(Rule::UninitialisedRead, message)));
                }
                Err(_) => return Err(self.unsupported("the bytes of a pointer or a floating value")),
            };
            term = Some(term.map_or(byte, |high| pool.bv_concat(high, byte)));
        }
        Ok(term.unwrap_or_else(|| pool.bits(8, 0)))
    }

    pub fn store(&mut self, place: &Place, value: Value, size: u64) -> Eval<()> {
        if let Some(bits) = place.bits {
            return self.store_bits(place, bits, &value);
        }
        if let Some(at) = self.check(place, size, true)? {
            self.store_at(place.object, at, size, value);
            return Ok(());
        }
        if let Some(candidates) = self.candidates(place, size)
            && self.store_choice(place, &candidates, &value, size)
        {
            return Ok(());
        }
        let at = self.split_offset(&place.offset)?;
        self.store_at(place.object, at, size, value);
        Ok(())
    }

    /// Every candidate keeps its value unless it is the one; `false` if that cannot be said.
    fn store_choice(&mut self, place: &Place, candidates: &[u64], value: &Value, size: u64) -> bool {
        let Value::Int(value @ (Integer::Concrete(..) | Integer::Symbolic(_))) = value else { return false };
        if candidates.len() > CHOICES {
            return false;
        }
        let pool = self.engine.pool.clone();
        let class = Class::Int(value.kind());
        let new = number(&pool, value);
        let total = place.offset.term(&pool);
        let mut writes = Vec::with_capacity(candidates.len());
        for &at in candidates {
            let Ok(Value::Int(old @ (Integer::Concrete(..) | Integer::Symbolic(_)))) =
                read(&pool, self.state.memory.get(place.object), at, class)
            else {
                return false;
            };
            let here = pool.eq(total, pool.bits(64, at));
            let chosen = machine(&pool).choose(here, &new, &number(&pool, &old));
            writes.push((at, Value::Int(integer(&pool, chosen))));
        }
        for (at, value) in writes {
            self.store_at(place.object, at, size, value);
        }
        true
    }

    pub fn store_at(&mut self, object: ObjectId, at: u64, size: u64, value: Value) {
        let pool = self.engine.pool.clone();
        if let Some(written) = &mut self.engine.written {
            let class = match &value {
                Value::Int(value) => Class::Int(value.kind()),
                Value::Float(value) => Class::Float(value.kind()),
                Value::Pointer(_) => Class::Pointer,
            };
            written.insert((object, at), class);
        }
        self.spell_floats_across(object, at, size);
        let leaves_rest = matches!(&value, Value::Float(Float::Concrete(FloatKind::Extended, _)));
        write(&pool, self.state.memory.get_mut(object), at, size, value);
        if leaves_rest {
            self.scramble_extended(object, at);
        }
    }

    fn store_bits(&mut self, place: &Place, bits: BitRange, value: &Value) -> Eval<()> {
        let Value::Int(value) = value else { return Err(self.unsupported("a bit-field that is no integer")) };
        let (at, unit) = self.bit_unit(place, bits, true)?;
        let pool = self.engine.pool.clone();
        let old = self.unit_term(place.object, at, unit, false)?;
        let (width, low) = (unit as u32 * 8, bits.offset as u32);
        let value = number(&pool, value);
        let field = pool.bv_resize(value.term, bits.width, value.kind.is_signed());
        let mut parts = Vec::new();
        if low + bits.width < width {
            parts.push(pool.bv_extract(old, width - 1, low + bits.width));
        }
        parts.push(field);
        if low > 0 {
            parts.push(pool.bv_extract(old, low - 1, 0));
        }
        let whole = parts.into_iter().reduce(|high, rest| pool.bv_concat(high, rest));
        let whole = whole.expect("a bit-field should have bits, because zero widths have no name");
        for k in 0..unit {
            let byte = pool.bv_extract(whole, k as u32 * 8 + 7, k as u32 * 8);
            let byte = integer(&pool, machine(&pool).of_type(byte, IntKind::UChar));
            self.store_at(place.object, at + k, 1, Value::Int(byte));
        }
        Ok(())
    }

    /// Copies bytes with whatever they hold, also none.
    pub fn copy(&mut self, to: &Place, from: &Place, size: u64) -> Eval<()> {
        if size == 0 {
            return Ok(());
        }
        let source = self.fixed(from, size, false)?;
        let target = self.fixed(to, size, true)?;
        self.spell_floats_across(from.object, source, size);
        self.spell_floats_across(to.object, target, size);
        let pool = self.engine.pool.clone();
        copy_range(&pool, &mut self.state.memory, (to.object, target), (from.object, source), size);
        Ok(())
    }

    /// Sets bytes to zero.
    pub fn zero(&mut self, place: &Place, size: u64) -> Eval<()> {
        if size == 0 {
            return Ok(());
        }
        let at = self.fixed(place, size, true)?;
        self.spell_floats_across(place.object, at, size);
        let pool = self.engine.pool.clone();
        let object = self.state.memory.get_mut(place.object);
        break_up(&pool, object, at, size);
        object.put_bytes(at, &vec![0; size as usize]);
        Ok(())
    }
}

/// The first of the neighbours that hold the same; none if those are too many.
fn runs(mut values: Vec<(u64, TermId)>) -> Option<Vec<(u64, TermId)>> {
    values.dedup_by_key(|(_, term)| *term);
    (1..=CHOICES).contains(&values.len()).then_some(values)
}

/// The value of whichever element the offset selects, as a tree of comparisons. Offsets ascend.
fn choose(pool: &TermPool, total: TermId, values: &[(u64, TermId)]) -> TermId {
    let first = values[0].1;
    if values.iter().all(|(_, term)| *term == first) {
        return first;
    }
    let middle = values.len() / 2;
    let low = choose(pool, total, &values[..middle]);
    let high = choose(pool, total, &values[middle..]);
    pool.ite(pool.bv_ult(total, pool.bits(64, values[middle].0)), low, high)
}

/// Why bytes have no value of the type.
pub enum Obstacle {
    Unset,
    /// Parts of pointers, or floating terms whose bits have no name; see [`super::float_bits`].
    Bits,
    /// A number that is no constant, read as a pointer.
    Number(TermId),
}

/// The scalar at an offset.
pub fn read(pool: &TermPool, object: &Object, at: u64, class: Class) -> Result<Value, Obstacle> {
    let size = class.bytes();
    // Six of the sixteen bytes of a `long double` are padding.
    let used = if class == Class::Float(FloatKind::Extended) { 10 } else { size };
    if let Some(bytes) = object.known_bytes(at, used) {
        let mut bits = [0u8; 16];
        bits[..bytes.len()].copy_from_slice(bytes);
        return Ok(from_bits(class, u128::from_le_bytes(bits)));
    }
    if let Some(cell) = object.cell_at(at, size) {
        match (&cell.content, class) {
            (Content::Unset, _) => return Err(Obstacle::Unset),
            (Content::Scalar(value @ Value::Pointer(_)), Class::Pointer) => return Ok(value.clone()),
            (Content::Scalar(Value::Pointer(pointer)), Class::Int(kind)) => {
                return Ok(Value::Int(Integer::Address(kind, *pointer)));
            }
            (Content::Scalar(Value::Int(Integer::Address(_, pointer))), Class::Pointer) => {
                return Ok(Value::Pointer(*pointer));
            }
            (Content::Scalar(Value::Int(Integer::Address(_, pointer))), Class::Int(kind)) => {
                return Ok(Value::Int(Integer::Address(kind, *pointer)));
            }
            (Content::Scalar(Value::Float(real)), Class::Float(kind)) if real.kind() == kind => {
                return Ok(Value::Float(real.clone()));
            }
            (Content::Scalar(Value::Int(Integer::Symbolic(old))), Class::Int(kind))
                if old.kind.bits() == kind.bits() =>
            {
                let range = if old.kind == kind || old.range.within(&Range::of(kind)) {
                    old.range.clone()
                } else {
                    Range::of(kind)
                };
                return Ok(Value::Int(Integer::Symbolic(Number { term: old.term, kind, range })));
            }
            _ => {}
        }
    }
    let mut term: Option<TermId> = None;
    for k in (at..at + size).rev() {
        let byte = byte_term(pool, object, k)?;
        term = Some(term.map_or(byte, |high| pool.bv_concat(high, byte)));
    }
    let term = term.ok_or(Obstacle::Bits)?;
    if let smt::Op::Bits(bits) = pool.op(term) {
        return Ok(from_bits(class, u128::try_from(&bits.unsigned()).unwrap_or(0)));
    }
    match class {
        Class::Int(IntKind::Bool) => {
            let number = machine(pool).of_type(pool.bv_extract(term, 0, 0), IntKind::Bool);
            Ok(Value::Int(integer(pool, number)))
        }
        Class::Int(kind) => Ok(Value::Int(integer(pool, machine(pool).of_type(term, kind)))),
        Class::Pointer => Err(Obstacle::Number(term)),
        // The bytes of the x87 format are no encoding that the solver knows.
        Class::Float(FloatKind::Extended) => Err(Obstacle::Bits),
        Class::Float(kind) => Ok(Value::Float(Float::Symbolic(kind, pool.fp_from_bits(term, format(kind))))),
    }
}

fn from_bits(class: Class, bits: u128) -> Value {
    match class {
        Class::Int(kind) => Value::int(kind, bits as i128),
        Class::Float(kind) => Value::Float(Float::Concrete(kind, vm::Value(bits))),
        Class::Pointer => Value::Pointer(Pointer::address(bits as i64)),
    }
}

/// One byte as a term of eight bits.
fn byte_term(pool: &TermPool, object: &Object, at: u64) -> Result<TermId, Obstacle> {
    let cells = object.cells_in(at, 1);
    let Some((start, cell)) = cells.first() else {
        return Ok(pool.bits(8, object.raw_byte(at)));
    };
    match &cell.content {
        Content::Unset => Err(Obstacle::Unset),
        Content::Scalar(Value::Int(Integer::Symbolic(number))) => {
            let low = ((at - start) * 8) as u32;
            let whole = pool.bv_resize(number.term, cell.size as u32 * 8, false);
            Ok(pool.bv_extract(whole, low + 7, low))
        }
        Content::Scalar(_) => Err(Obstacle::Bits),
    }
}

/// Writes a scalar. Known numbers become bytes, everything else a cell.
pub fn write(pool: &TermPool, object: &mut Object, at: u64, size: u64, value: Value) {
    break_up(pool, object, at, size);
    let bytes = match &value {
        Value::Int(Integer::Concrete(_, value)) => Some(*value as u128),
        Value::Float(Float::Concrete(_, value)) => Some(value.0),
        Value::Pointer(pointer) if *pointer == Pointer::NULL => Some(0),
        _ => None,
    };
    match bytes {
        Some(bits) => object.put_bytes(at, &bits.to_le_bytes()[..size as usize]),
        None => object.put_cell(at, Cell { size, content: Content::Scalar(value) }),
    }
}

/// Splits the cells that stick out of a range, so that the range can be written.
pub fn break_up(pool: &TermPool, object: &mut Object, at: u64, size: u64) {
    object.split_unset(at);
    object.split_unset(at + size);
    for (start, cell) in object.cells_in(at, size) {
        if start >= at && start + cell.size <= at + size {
            continue;
        }
        let bytes: Vec<Result<TermId, Obstacle>> =
            (start..start + cell.size).map(|k| byte_term(pool, object, k)).collect();
        for (k, byte) in (start..).zip(bytes) {
            match byte {
                Ok(byte) => {
                    let byte = integer(pool, machine(pool).of_type(byte, IntKind::UChar));
                    match byte {
                        Integer::Concrete(_, value) => {
                            // The cell is still there for the other bytes; it goes when its first byte is replaced.
                            object.put_cell(k, Cell { size: 1, content: Content::Unset });
                            object.put_bytes(k, &[value as u8]);
                        }
                        byte => object.put_cell(k, Cell { size: 1, content: Content::Scalar(Value::Int(byte)) }),
                    }
                }
                // Part of a pointer that is overwritten: the rest means nothing any more.
                Err(_) => object.put_cell(k, Cell { size: 1, content: Content::Unset }),
            }
        }
    }
}

/// Copies a range with its cells.
fn copy_range(
    pool: &TermPool,
    memory: &mut super::memory::Memory,
    (to, target): (ObjectId, u64),
    (from, source): (ObjectId, u64),
    size: u64,
) {
    let mut origin = memory.shared(from).clone();
    let sticks_out =
        origin.cells_in(source, size).iter().any(|(at, cell)| *at < source || at + cell.size > source + size);
    if sticks_out {
        break_up(pool, std::sync::Arc::make_mut(&mut origin), source, size);
    }
    let bytes: Vec<u8> = (source..source + size).map(|k| origin.raw_byte(k)).collect();
    let cells = origin.cells_in(source, size);
    let object = memory.get_mut(to);
    break_up(pool, object, target, size);
    object.put_bytes(target, &bytes);
    for (at, cell) in cells {
        object.put_cell(target + (at - source), cell);
    }
}
