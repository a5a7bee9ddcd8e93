//! Initialisers: lists flattened into assignments (locals) or into items of a global.
//!
//! A list is read with a stack of levels, one per aggregate that was entered. An item without a designator goes to the
//! next sub-object of the innermost level; an expression that does not fit an aggregate as a whole enters it (brace
//! elision); a designator starts again from the level of the braces. What C says about continuing after a nested
//! designator (`.a.x = 1, 2` goes on with `.a.y`) is then what the stack does by itself.

use super::lvalue::{Operand, Place};
use super::{Lowered, Lowerer};
use diagnostics::Span;
use ir::{BitRange, Expr, InitItem, IntKind, Length, Lvalue, RecordKind, Stmt, StmtKind, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

/// A part of the object being initialised.
#[derive(Clone)]
pub(super) struct Part {
    pub path: Vec<PathStep>,
    pub ty: TypeId,
    pub offset: u64,
    pub bits: Option<BitRange>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum PathStep {
    Field(u32),
    Index(u64),
}

impl Part {
    /// The same part of another element of an array that lies `bytes` further on.
    fn moved(&self, depth: usize, index: u64, bytes: u64) -> Part {
        let mut part = self.clone();
        part.path[depth] = PathStep::Index(index);
        part.offset += bytes;
        part.bits = part.bits.map(|bits| BitRange { offset: bits.offset + bytes * 8, ..bits });
        part
    }
}

/// An aggregate that was entered, and the number of the sub-object that comes next.
struct Level {
    part: Part,
    next: u64,
    count: u64,
    is_union: bool,
}

/// Where the values go.
pub(super) struct Sink {
    /// The local object; `None` for a global.
    pub object: Option<Lvalue>,
    pub items: Vec<InitItem>,
    /// The first bit after all that was set so far, and how many bits were set, as long as all came in order.
    pub end: u64,
    pub covered: u64,
    pub in_order: bool,
    /// The length that the initialiser gives to an array without one.
    pub length: u64,
    /// The same for a flexible array member.
    pub flexible: u64,
    /// The unions that a member was given, and which.
    pub active: Vec<(Vec<PathStep>, u64)>,
    /// The records that one expression gave all of their members.
    pub whole: Vec<Vec<PathStep>>,
}

/// The elements that a range designator names.
struct Range {
    /// The level of the array.
    level: usize,
    last: u64,
}

/// A longer range designator is refused rather than written out.
const MAX_RANGE: u64 = 1 << 20;

impl<'u> Lowerer<'u, '_> {
    /// Initialises a local object and gives its type, which is complete now.
    pub(super) fn initialize(&mut self, place: Place, node: &Node<Initializer>, span: Span) -> Lowered<TypeId> {
        let ty = place.lvalue.ty;
        let aggregate = matches!(self.program.types.get(ty), Type::Array { .. } | Type::Record(_));
        match &node.node {
            Initializer::Expression(value) => {
                if aggregate && matches!(self.program.types.get(ty), Type::Array { .. }) {
                    return self.initialize_array(place, value, span);
                }
                self.initialize_whole(place, value, span)?;
                Ok(ty)
            }
            Initializer::List(items) if !self.program.types.variable_lengths(ty).is_empty() && !items.is_empty() => {
                self.fail(span, "an array of variable length cannot be initialised")
            }
            Initializer::List(items) => self.initialize_list(place.lvalue, items, span),
        }
    }

    fn initialize_whole(&mut self, place: Place, value: &Node<Expression>, span: Span) -> Lowered<()> {
        let ty = place.lvalue.ty;
        if let Expression::Call(call) = &value.node {
            let at = self.src.span(value.span);
            match self.call_value(call, at, Some(ty))? {
                super::call::Outcome::Pending(pending) => {
                    self.emit_call(pending, Some(place.lvalue), span);
                    return Ok(());
                }
                super::call::Outcome::Done(operand) => {
                    let value = self.value_of(operand)?;
                    let value = self.assign_convert(value, ty, "initialisation")?;
                    self.emit(StmtKind::Assign { target: place.lvalue, value }, span);
                    return Ok(());
                }
            }
        }
        let value = self.rvalue(value)?;
        let value = self.assign_convert(value, ty, "initialisation")?;
        self.emit(StmtKind::Assign { target: place.lvalue, value }, span);
        Ok(())
    }

    fn initialize_array(&mut self, place: Place, value: &Node<Expression>, span: Span) -> Lowered<TypeId> {
        if let Expression::StringLiteral(literal) = &value.node {
            let text = self.string_text(literal)?;
            if self.takes_string(place.lvalue.ty, text.encoding) {
                let mut sink = Sink::new(Some(place.lvalue.clone()));
                let part = Part { path: Vec::new(), ty: place.lvalue.ty, offset: 0, bits: None };
                self.put_string(&mut sink, part, &text, span)?;
                return Ok(self.completed(place.lvalue.ty, sink.length));
            }
        }
        // GNU C: an array may be initialised by a compound literal of its type.
        if let Operand::Place(from) = self.operand(value)?
            && self.compatible(from.lvalue.ty, place.lvalue.ty)
            && self.program.types.size_of(from.lvalue.ty).is_some()
        {
            let ty = from.lvalue.ty;
            let target = Lvalue { ty, ..place.lvalue };
            self.emit(StmtKind::Assign { target, value: Expr::load(from.lvalue) }, span);
            return Ok(ty);
        }
        self.fail(span, "an array is initialised by a list in braces or a string")
    }

    fn initialize_list(&mut self, object: Lvalue, items: &[Node<InitializerListItem>], span: Span) -> Lowered<TypeId> {
        let ty = object.ty;
        let mark = self.mark();
        let mut sink = Sink::new(Some(object.clone()));
        let part = Part { path: Vec::new(), ty, offset: 0, bits: None };
        self.list(&mut sink, part, items, span)?;
        let ty = self.completed(ty, sink.length);
        if sink.flexible > 0 {
            return self.fail(span, "a flexible array member can only be initialised in a `static` object");
        }
        let full = sink.in_order && self.value_bits(ty).is_some_and(|bits| bits == sink.covered);
        if !full {
            let zero = Stmt::new(StmtKind::Zero(Lvalue { ty, ..object }), span);
            self.frame.stmts.insert(mark, zero);
        }
        Ok(ty)
    }

    /// The items of a global's initialiser, and its type, which is complete now.
    pub(super) fn static_initializer(
        &mut self,
        ty: TypeId,
        node: &Node<Initializer>,
        span: Span,
    ) -> Lowered<(ir::Initializer, TypeId)> {
        let before = std::mem::replace(&mut self.constant_only, true);
        let (result, stmts) = self.buffered(|this| this.static_items(ty, node, span));
        self.constant_only = before;
        let result = result?;
        if !stmts.is_empty() {
            return self.fail(span, "the initialiser of a `static` object must be constant");
        }
        Ok(result)
    }

    fn static_items(&mut self, ty: TypeId, node: &Node<Initializer>, span: Span) -> Lowered<(ir::Initializer, TypeId)> {
        let mut sink = Sink::new(None);
        let part = Part { path: Vec::new(), ty, offset: 0, bits: None };
        match &node.node {
            Initializer::List(items) => self.list(&mut sink, part, items, span)?,
            Initializer::Expression(value) => match (self.program.types.get(ty), &value.node) {
                (Type::Array { .. }, Expression::StringLiteral(literal)) => {
                    let text = self.string_text(literal)?;
                    self.put_string(&mut sink, part, &text, span)?;
                }
                (Type::Array { .. } | Type::Record(_), Expression::CompoundLiteral(literal)) => {
                    // GNU C: the list of the literal stands for the list itself.
                    self.list(&mut sink, part, &literal.node.initializer_list, span)?;
                }
                (Type::Array { .. }, _) => {
                    return self.fail(span, "an array is initialised by a list in braces or a string");
                }
                _ => {
                    let value = self.rvalue(value)?;
                    self.put_value(&mut sink, &part, value)?;
                }
            },
        }
        let mut ty = self.completed(ty, sink.length);
        if sink.flexible > 0 {
            ty = self.with_flexible(ty, sink.flexible);
        }
        let mut items = sink.items;
        items.sort_by_key(|item| item.bits.map_or(item.offset * 8, |bits| bits.offset));
        Ok((ir::Initializer { items }, ty))
    }

    /// The type of an array whose length the initialiser gave.
    fn completed(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.program.types.get(ty) {
            Type::Array { of, length: Length::Unknown } => self.types().array(of, length),
            _ => ty,
        }
    }

    /// A copy of a record type whose flexible array member has a length.
    fn with_flexible(&mut self, ty: TypeId, length: u64) -> TypeId {
        let Type::Record(id) = *self.program.types.get(ty) else { return ty };
        let mut record = self.program.types.records[id].clone();
        if let Some(last) = record.fields.as_mut().and_then(|fields| fields.last_mut())
            && let Type::Array { of, .. } = *self.program.types.get(last.ty)
        {
            last.ty = self.program.types.array(of, length);
            let end = last.offset + self.program.types.size_of(last.ty).unwrap_or(0);
            record.size = record.size.max(end).next_multiple_of(record.align);
        }
        let id = self.program.types.records.push(record);
        self.types().intern(Type::Record(id))
    }

    /// How many bits of an object carry values, padding left out.
    pub(super) fn value_bits(&self, ty: TypeId) -> Option<u64> {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Array { of, length: Length::Fixed(n) } => self.value_bits(*of)?.checked_mul(*n),
            Type::Record(id) => {
                let record = &types.records[*id];
                if record.kind == RecordKind::Union {
                    return record.size.checked_mul(8);
                }
                record.fields.as_ref()?.iter().try_fold(0u64, |sum, field| {
                    let bits = match field.bits {
                        Some(bits) => bits.width as u64,
                        None => self.value_bits(field.ty)?,
                    };
                    sum.checked_add(bits)
                })
            }
            Type::Array { .. } => Some(0),
            _ => types.size_of(ty)?.checked_mul(8),
        }
    }

    // Reading lists.

    fn list(&mut self, sink: &mut Sink, part: Part, items: &[Node<InitializerListItem>], span: Span) -> Lowered<()> {
        self.check_supported(part.ty)?;
        let Some(level) = self.level(part.clone()) else { return self.scalar_list(sink, part, items, span) };
        // `char s[] = {"text"}`
        if let [Node { node: InitializerListItem { designation, initializer }, .. }] = items
            && designation.is_empty()
            && let Initializer::Expression(value) = &initializer.node
            && let Expression::StringLiteral(literal) = &value.node
        {
            let text = self.string_text(literal)?;
            if self.takes_string(part.ty, text.encoding) {
                return self.put_string(sink, part, &text, span);
            }
        }
        self.reset(sink, &part, span);
        if part.path.is_empty() && items.is_empty() {
            return Ok(());
        }
        let mut stack = vec![level];
        let (start, from) = (self.mark(), self.noted());
        let mut bounds = Vec::new();
        for item in items {
            let before = self.noted();
            self.list_item(sink, &mut stack, &item.node, self.src.span(item.span))?;
            if self.noted() > before {
                bounds.push(before..self.noted());
            }
        }
        if self.has_effects(from) {
            for operand in bounds.iter().skip(1) {
                self.in_any_order(start, from..operand.start, operand.clone(), span);
            }
        }
        Ok(())
    }

    fn scalar_list(
        &mut self,
        sink: &mut Sink,
        part: Part,
        items: &[Node<InitializerListItem>],
        span: Span,
    ) -> Lowered<()> {
        let Some(first) = items.first() else {
            // `int x = {}`: zero.
            let int = self.program.types.int(IntKind::Int);
            return self.put_value(sink, &part, Expr::int(0, int, span));
        };
        if items.len() > 1 {
            self.warn(span, "more than one value for a scalar");
        }
        if !first.node.designation.is_empty() {
            return self.fail(span, "a designator in the initialiser of a scalar");
        }
        match &first.node.initializer.node {
            Initializer::Expression(value) => {
                let value = self.rvalue(value)?;
                self.put_value(sink, &part, value)
            }
            Initializer::List(items) => self.list(sink, part, items, span),
        }
    }

    /// The level for entering an aggregate.
    fn level(&self, part: Part) -> Option<Level> {
        let (count, is_union) = match self.program.types.get(part.ty) {
            Type::Array { length: Length::Fixed(n), .. } => (*n, false),
            Type::Array { .. } => (u64::MAX, false),
            Type::Record(id) => {
                let record = &self.program.types.records[*id];
                (record.fields.as_ref()?.len() as u64, record.kind == RecordKind::Union)
            }
            _ => return None,
        };
        Some(Level { part, next: 0, count, is_union })
    }

    fn child(&self, level: &Level, index: u64) -> Part {
        let mut part = level.part.clone();
        match self.program.types.get(part.ty) {
            Type::Array { of, .. } => {
                part.offset += index.saturating_mul(self.program.types.size_of(*of).unwrap_or(0));
                part.ty = *of;
                part.path.push(PathStep::Index(index));
            }
            _ => {
                if let Some(field) = self.program.types.field(part.ty, index as u32) {
                    part.bits = field.bits.map(|b| BitRange { offset: part.offset * 8 + b.offset, width: b.width });
                    part.offset += field.offset;
                    part.ty = field.ty;
                }
                part.path.push(PathStep::Field(index as u32));
            }
        }
        part
    }

    /// Takes the next sub-object of the innermost level.
    fn take(&self, sink: &mut Sink, stack: &mut [Level]) -> Option<Part> {
        let depth = stack.len();
        let level = stack.last_mut()?;
        let index = level.next;
        level.next = if level.is_union { level.count } else { index + 1 };
        if level.count == u64::MAX {
            if depth == 1 && level.part.path.is_empty() {
                sink.length = sink.length.max(index + 1);
            } else {
                sink.flexible = sink.flexible.max(index + 1);
            }
        }
        let level = stack.last()?;
        if level.is_union {
            sink.activate(&level.part.path, index);
        }
        Some(self.child(level, index))
    }

    fn list_item(
        &mut self,
        sink: &mut Sink,
        stack: &mut Vec<Level>,
        item: &InitializerListItem,
        span: Span,
    ) -> Lowered<()> {
        let mut ranges = Vec::new();
        if item.designation.is_empty() {
            while stack.len() > 1 && stack.last().is_some_and(|level| level.next >= level.count) {
                stack.pop();
            }
            if stack.last().is_some_and(|level| level.next >= level.count) {
                self.warn(span, "more values than the object has room for");
                return Ok(());
            }
        } else {
            stack.truncate(1);
            for (index, designator) in item.designation.iter().enumerate() {
                if index > 0 {
                    self.enter(sink, stack, span)?;
                }
                if let Some(last) = self.designate(sink, stack, designator)? {
                    ranges.push(Range { level: stack.len() - 1, last });
                }
            }
        }
        let mark = self.mark();
        let before = sink.end;
        let Some(part) = self.take(sink, stack) else { return Ok(()) };
        match &item.initializer.node {
            Initializer::List(items) => self.list(sink, part.clone(), items, span)?,
            Initializer::Expression(value) => self.item_value(sink, stack, part.clone(), value)?,
        }
        if !ranges.is_empty() {
            self.repeat_ranges(sink, stack, &ranges, mark, &part, before, span)?;
        }
        Ok(())
    }

    /// Gives the other elements of the ranges what their first ones got, and goes on after the last.
    #[allow(clippy::too_many_arguments)]
    fn repeat_ranges(
        &mut self,
        sink: &mut Sink,
        stack: &mut Vec<Level>,
        ranges: &[Range],
        mark: usize,
        part: &Part,
        before: u64,
        span: Span,
    ) -> Lowered<()> {
        let mut copies = vec![part.clone()];
        for range in ranges {
            let array = &stack[range.level].part;
            let depth = array.path.len();
            let size = self.program.types.element(array.ty).and_then(|element| self.program.types.size_of(element));
            let (Some(PathStep::Index(from)), Some(size)) = (part.path.get(depth).copied(), size) else {
                return self.unsupported("an initialiser for a range of elements without a size");
            };
            if copies.len() as u64 * (range.last - from + 1) > MAX_RANGE {
                return self.unsupported("an initialiser for a very long range of elements");
            }
            let is_union = |level: &Level| level.is_union && level.part.path.len() > depth;
            if stack.iter().any(is_union) && array.offset * 8 < before {
                return self.unsupported("an initialiser for members of unions in a range of elements");
            }
            let firsts = std::mem::take(&mut copies);
            for index in from..=range.last {
                copies.extend(firsts.iter().map(|first| first.moved(depth, index, (index - from) * size)));
            }
            let shift = (range.last - from) * size;
            for (at, level) in stack.iter_mut().enumerate() {
                if at == range.level {
                    level.next = range.last + 1;
                    if level.count == u64::MAX && at == 0 {
                        sink.length = sink.length.max(range.last + 1);
                    }
                } else if at > range.level {
                    level.part = level.part.moved(depth, range.last, shift);
                }
            }
        }
        // A range that is designated as a whole is left behind.
        if let Some(range) = ranges.last()
            && stack[range.level].part.path.len() + 1 == part.path.len()
        {
            stack.truncate(range.level + 1);
        }
        self.repeat(sink, mark, part, &copies[1..], span)
    }

    /// Enters the sub-object that was designated last.
    fn enter(&mut self, sink: &mut Sink, stack: &mut Vec<Level>, span: Span) -> Lowered<()> {
        let Some(part) = self.take(sink, stack) else { return Ok(()) };
        if sink.whole.contains(&part.path) {
            // Whether the other members keep their values is not said in C, and compilers do not agree.
            return self.unsupported("a designator into a member that was initialised as a whole");
        }
        match self.level(part) {
            Some(level) => {
                stack.push(level);
                Ok(())
            }
            None => self.fail(span, "a designator into something that has no parts"),
        }
    }

    /// Moves the innermost level to what the designator names. Answers the last index of a range.
    fn designate(
        &mut self,
        sink: &mut Sink,
        stack: &mut Vec<Level>,
        designator: &Node<Designator>,
    ) -> Lowered<Option<u64>> {
        let span = self.src.span(designator.span);
        let Some(level) = stack.last() else { return Ok(None) };
        let ty = level.part.ty;
        let count = level.count;
        match &designator.node {
            Designator::Member(name) => {
                let Type::Record(record) = *self.program.types.get(ty) else {
                    let ty = self.describe(ty);
                    return self.fail(span, format!("`.{}` in the initialiser of `{ty}`", name.node.name));
                };
                let Some(path) = self.find_member(record, &name.node.name) else {
                    let ty = self.describe(ty);
                    return self.fail(span, format!("`{ty}` has no member `{}`", name.node.name));
                };
                for (step, &index) in path.iter().enumerate() {
                    if step > 0 {
                        self.enter(sink, stack, span)?;
                    }
                    self.select(sink, stack, index as u64, span);
                }
                Ok(None)
            }
            Designator::Index(index) => {
                let index = self.designated_index(index, ty, count)?;
                self.select(sink, stack, index, span);
                Ok(None)
            }
            Designator::Range(range) => {
                let from = self.designated_index(&range.node.from, ty, count)?;
                let to = self.designated_index(&range.node.to, ty, count)?;
                if to < from {
                    return self.fail(span, "the range of indices is empty");
                }
                if to - from > MAX_RANGE {
                    return self.unsupported("an initialiser for a very long range of elements");
                }
                self.select(sink, stack, from, span);
                Ok(Some(to))
            }
        }
    }

    /// Makes a sub-object the next one. In a union that drops what another member was given; more of the same member may
    /// follow (`.a = 1, .b = 2` in the struct that is a union's anonymous member).
    fn select(&mut self, sink: &mut Sink, stack: &mut [Level], index: u64, span: Span) {
        let Some(level) = stack.last_mut() else { return };
        level.next = index;
        if level.is_union && sink.active_member(&level.part.path) != Some(index) {
            let part = level.part.clone();
            self.reset(sink, &part, span);
        }
    }

    fn designated_index(&mut self, node: &Node<Expression>, ty: TypeId, count: u64) -> Lowered<u64> {
        let span = self.src.span(node.span);
        if self.program.types.element(ty).is_none() {
            let ty = self.describe(ty);
            return self.fail(span, format!("an index in the initialiser of `{ty}`"));
        }
        let index = self.integer_constant(node, "an index")?;
        match u64::try_from(index) {
            Ok(index) if index < count && index < u64::MAX / 2 => Ok(index),
            _ => self.fail(span, format!("the index {index} lies outside the array")),
        }
    }

    /// Gives an expression to a part, entering aggregates it does not fit as a whole.
    fn item_value(
        &mut self,
        sink: &mut Sink,
        stack: &mut Vec<Level>,
        mut part: Part,
        node: &Node<Expression>,
    ) -> Lowered<()> {
        let span = self.src.span(node.span);
        let string = match &node.node {
            Expression::StringLiteral(literal) => Some(self.string_text(literal)?),
            _ => None,
        };
        let mut operand = None;
        loop {
            self.check_supported(part.ty)?;
            if let Some(text) = &string
                && self.takes_string(part.ty, text.encoding)
            {
                return self.put_string(sink, part, text, span);
            }
            // A complex number is one value, although it is a record.
            let is_whole = matches!(self.tuple(part.ty), Some(super::parts::Tuple::Complex { .. }));
            let Some(level) = self.level(part.clone()).filter(|_| !is_whole) else {
                let value = match operand {
                    Some(operand) => self.value_of(operand)?,
                    None => self.rvalue(node)?,
                };
                return self.put_value(sink, &part, value);
            };
            if operand.is_none() && string.is_none() {
                operand = Some(self.operand(node)?);
            }
            if let Some(Operand::Place(place)) = &operand
                && place.lvalue.ty == part.ty
                && matches!(self.program.types.get(part.ty), Type::Record(_))
            {
                sink.whole.push(part.path.clone());
                if sink.object.is_none()
                    && let Expression::CompoundLiteral(literal) = &node.node
                {
                    return self.list(sink, part, &literal.node.initializer_list, span);
                }
                let value = Expr::load(place.lvalue.clone());
                return self.put_value(sink, &part, value);
            }
            if level.count == 0 {
                let ty = self.describe(part.ty);
                return self.fail(span, format!("`{ty}` has nothing that a value could initialise"));
            }
            stack.push(level);
            part = match self.take(sink, stack) {
                Some(part) => part,
                None => return Ok(()),
            };
        }
    }

    /// `(T){..}`: an unnamed object of the block, or of the program at file scope.
    pub(super) fn compound_literal(&mut self, node: &Node<CompoundLiteral>) -> Lowered<Operand> {
        let span = self.src.span(node.span);
        let qual = self.type_name(&node.node.type_name)?;
        self.check_supported(qual.ty)?;
        let items = &node.node.initializer_list;
        if self.constant_only || self.names.at_file_scope() {
            let mut sink = Sink::new(None);
            self.list(&mut sink, Part { path: Vec::new(), ty: qual.ty, offset: 0, bits: None }, items, span)?;
            let ty = self.completed(qual.ty, sink.length);
            let mut items = sink.items;
            items.sort_by_key(|item| item.bits.map_or(item.offset * 8, |bits| bits.offset));
            let global = self.program.globals.push(ir::Global {
                name: format!(".literal.{}", self.program.globals.len()),
                ty,
                kind: ir::GlobalKind::CompoundLiteral,
                linkage: ir::Linkage::Internal { unit: self.src.index },
                is_const: qual.is_const,
                is_volatile: false,
                init: Some(ir::Initializer { items }),
                span,
            });
            let mut place = Place::new(Lvalue::global(global, ty, span));
            place.is_const = qual.is_const;
            return Ok(Operand::Place(place));
        }
        let local = self.frame.locals.push(ir::Local {
            name: String::new(),
            ty: qual.ty,
            kind: ir::LocalKind::Variable,
            is_const: qual.is_const,
            is_volatile: qual.is_volatile,
            declared_length: None,
            span,
        });
        if self.unevaluated == 0 {
            self.list_local(local);
        } else {
            self.frame.locals[local].kind = ir::LocalKind::Temporary;
        }
        self.emit(StmtKind::Live(local), span);
        let ty = self.initialize_list(Lvalue::local(local, qual.ty, span), items, span)?;
        self.frame.locals[local].ty = ty;
        let mut place = Place::new(Lvalue::local(local, ty, span));
        place.is_const = qual.is_const;
        Ok(Operand::Place(place))
    }
}

impl Sink {
    /// The member of a union that has a value.
    fn active_member(&self, union: &[PathStep]) -> Option<u64> {
        self.active.iter().find(|(path, _)| path == union).map(|(_, index)| *index)
    }

    fn activate(&mut self, union: &[PathStep], index: u64) {
        self.active.retain(|(path, _)| path != union);
        self.active.push((union.to_vec(), index));
    }

    fn new(object: Option<Lvalue>) -> Sink {
        Sink {
            object,
            items: Vec::new(),
            end: 0,
            covered: 0,
            in_order: true,
            length: 0,
            flexible: 0,
            active: Vec::new(),
            whole: Vec::new(),
        }
    }
}
