//! The values of initialisers, written: assignments to the parts of a local, or items of a global.

use super::constant::Constant;
use super::initializer::{Part, PathStep, Sink};
use super::{Lowered, Lowerer};
use diagnostics::Span;
use ir::{BitRange, Expr, InitItem, InitValue, IntKind, Length, Lvalue, Step, StmtKind, Type, TypeId};

impl Lowerer<'_, '_> {
    pub(super) fn target(&self, object: &Lvalue, part: &Part, span: Span) -> Lvalue {
        let long = self.program.types.int(IntKind::Long);
        let mut lvalue = object.clone();
        lvalue.path.extend(part.path.iter().map(|step| match step {
            PathStep::Field(index) => Step::Field(*index),
            PathStep::Index(index) => Step::Index(Expr::int(*index as i128, long, span)),
        }));
        lvalue.ty = part.ty;
        lvalue.span = span;
        lvalue
    }

    pub(super) fn range_of(&self, part: &Part) -> (u64, u64) {
        match part.bits {
            Some(bits) => (bits.offset, bits.offset + bits.width as u64),
            None => {
                let size = self.program.types.size_of(part.ty).unwrap_or(0);
                (part.offset * 8, (part.offset + size) * 8)
            }
        }
    }

    /// Forgets what a part was given before: a list in braces starts from zero.
    pub(super) fn reset(&mut self, sink: &mut Sink, part: &Part, span: Span) {
        let (start, end) = self.range_of(part);
        sink.active.retain(|(path, _)| !path.starts_with(&part.path));
        sink.whole.retain(|path| !path.starts_with(&part.path));
        if start >= sink.end {
            return;
        }
        sink.in_order = false;
        match &sink.object {
            Some(object) => {
                let target = self.target(object, part, span);
                self.emit(StmtKind::Zero(target), span);
            }
            None => self.clear(sink, start, end),
        }
    }

    /// Removes the items of a global between two bits.
    pub(super) fn clear(&mut self, sink: &mut Sink, start: u64, end: u64) {
        let mut kept = Vec::with_capacity(sink.items.len());
        for item in std::mem::take(&mut sink.items) {
            let (from, to) = match (&item.value, item.bits) {
                (_, Some(bits)) => (bits.offset, bits.offset + bits.width as u64),
                (InitValue::Bytes(bytes), None) => (item.offset * 8, (item.offset + bytes.len() as u64) * 8),
                (InitValue::Expr(value), None) => {
                    let size = self.program.types.size_of(value.ty).unwrap_or(0);
                    (item.offset * 8, (item.offset + size) * 8)
                }
            };
            if to <= start || from >= end {
                kept.push(item);
            } else if let InitValue::Bytes(bytes) = &item.value {
                // A string keeps what lies around the part.
                let cut = |at: u64| (at.saturating_sub(from) / 8).min(bytes.len() as u64) as usize;
                let (head, tail) = (&bytes[..cut(start)], &bytes[cut(end)..]);
                for (offset, piece) in [(item.offset, head), (end / 8, tail)] {
                    if !piece.is_empty() {
                        kept.push(InitItem { offset, bits: None, value: InitValue::Bytes(piece.to_vec()) });
                    }
                }
            }
        }
        sink.items = kept;
    }

    pub(super) fn advance(&self, sink: &mut Sink, part: &Part) {
        let (start, end) = self.range_of(part);
        if start < sink.end {
            sink.in_order = false;
        }
        sink.end = sink.end.max(end);
        sink.covered += if part.bits.is_some() { end - start } else { self.value_bits(part.ty).unwrap_or(0) };
    }

    pub(super) fn put_value(&mut self, sink: &mut Sink, part: &Part, value: Expr) -> Lowered<()> {
        let span = value.span;
        let value = self.assign_convert(value, part.ty, "initialisation")?;
        match &sink.object {
            Some(object) => {
                let target = self.target(object, part, span);
                self.emit(StmtKind::Assign { target, value }, span);
            }
            None => {
                let (start, end) = self.range_of(part);
                if start < sink.end {
                    self.clear(sink, start, end);
                }
                if self.tuple(value.ty).is_some() {
                    let mut offset = part.offset;
                    for value in self.parts(value)? {
                        let size = self.program.types.size_of(value.ty).unwrap_or(0);
                        let value = self.constant_item(value)?;
                        sink.items.push(InitItem { offset, bits: None, value: InitValue::Expr(value) });
                        offset += size;
                    }
                } else {
                    let value = self.constant_item(value)?;
                    sink.items.push(InitItem { offset: part.offset, bits: part.bits, value: InitValue::Expr(value) });
                }
            }
        }
        self.advance(sink, part);
        Ok(())
    }

    /// A value as a global's initialiser has it: a number, or an address without loads.
    pub(super) fn constant_item(&mut self, value: Expr) -> Lowered<Expr> {
        let Some(constant) = self.fold(&value) else {
            return self.fail(value.span, "the initialiser of a `static` object must be constant");
        };
        let plain = match constant {
            Constant::Address(..) => {
                let mut plain = true;
                value.walk(&mut |expr| match &expr.kind {
                    ir::ExprKind::Load(_) | ir::ExprKind::Conditional(..) => plain = false,
                    ir::ExprKind::AddressOf(lvalue) => plain &= matches!(lvalue.base, ir::Base::Global(_)),
                    _ => {}
                });
                plain
            }
            _ => false,
        };
        let (ty, span) = (value.ty, value.span);
        if plain {
            return Ok(value);
        }
        Ok(self.constant_expr(constant, ty, span))
    }

    pub(super) fn put_string(
        &mut self,
        sink: &mut Sink,
        mut part: Part,
        text: &super::literal::Text,
        span: Span,
    ) -> Lowered<()> {
        let Type::Array { of, length } = *self.program.types.get(part.ty) else { return Ok(()) };
        if !self.takes_string(part.ty, text.encoding) {
            let ty = self.describe(part.ty);
            return self.fail(span, format!("a string cannot initialise `{ty}`"));
        }
        let element = self.program.types.size_of(of).unwrap_or(1) as usize;
        let units = match length {
            Length::Fixed(n) => n,
            _ if part.path.is_empty() => {
                sink.length = text.units.len() as u64 + 1;
                sink.length
            }
            _ => {
                sink.flexible = text.units.len() as u64 + 1;
                sink.flexible
            }
        };
        part.ty = self.types().array(of, units);
        let room = usize::try_from(units).unwrap_or(usize::MAX).saturating_mul(element);
        let mut bytes = text.bytes();
        if bytes.len() > room {
            if text.units.len() as u64 > units {
                self.warn(span, "the string is longer than the array");
            }
            bytes.truncate(room);
        }
        self.reset(sink, &part, span);
        match sink.object.clone() {
            Some(object) => {
                let object = if part.path.is_empty() { Lvalue { ty: part.ty, ..object } } else { object };
                let target = self.target(&object, &part, span);
                let global = self.string_object(part.ty, bytes, span);
                let value = Expr::load(Lvalue::global(global, part.ty, span));
                self.emit(StmtKind::Assign { target, value }, span);
            }
            None => {
                if !bytes.is_empty() {
                    sink.items.push(InitItem { offset: part.offset, bits: None, value: InitValue::Bytes(bytes) });
                }
            }
        }
        self.advance(sink, &part);
        Ok(())
    }

    /// A constant object that an array is copied from.
    pub(super) fn string_object(&mut self, ty: TypeId, bytes: Vec<u8>, span: Span) -> ir::GlobalId {
        if let Some(global) = self.link.string(ty, &bytes) {
            return global;
        }
        let items = match bytes.is_empty() {
            true => Vec::new(),
            false => vec![InitItem { offset: 0, bits: None, value: InitValue::Bytes(bytes.clone()) }],
        };
        let global = self.program.globals.push(ir::Global {
            name: format!(".str.{}", self.program.globals.len()),
            ty,
            kind: ir::GlobalKind::StringLiteral,
            linkage: ir::Linkage::Internal { unit: self.src.index },
            is_const: true,
            is_volatile: false,
            init: Some(ir::Initializer { items }),
            span,
        });
        self.link.add_string(ty, bytes, global);
        global
    }

    /// Gives other parts of the object what one part got.
    pub(super) fn repeat(
        &mut self,
        sink: &mut Sink,
        mark: usize,
        part: &Part,
        others: &[Part],
        span: Span,
    ) -> Lowered<()> {
        let (start, end) = self.range_of(part);
        match sink.object.clone() {
            None => {
                let inside = |item: &InitItem| {
                    let at = item.bits.map_or(item.offset * 8, |bits| bits.offset);
                    (start..end).contains(&at)
                };
                let pattern: Vec<InitItem> = sink.items.iter().filter(|item| inside(item)).cloned().collect();
                for other in others {
                    let (from, to) = self.range_of(other);
                    if from < sink.end {
                        self.clear(sink, from, to);
                    }
                    let bits = from - start;
                    sink.items.extend(pattern.iter().map(|item| InitItem {
                        offset: item.offset + bits / 8,
                        bits: item.bits.map(|b| BitRange { offset: b.offset + bits, width: b.width }),
                        value: item.value.clone(),
                    }));
                }
            }
            Some(object) => {
                // The first part is computed once and copied.
                let source = self.target(&object, part, span);
                let value = match self.frame.stmts[mark..].last().map(|stmt| &stmt.kind) {
                    Some(StmtKind::Assign { target, value }) if *target == source && is_literal(value) => value.clone(),
                    _ => Expr::load(source),
                };
                for other in others {
                    let target = self.target(&object, other, span);
                    self.emit(StmtKind::Assign { target, value: value.clone() }, span);
                }
            }
        }
        for other in others {
            self.advance(sink, other);
        }
        Ok(())
    }
}

fn is_literal(value: &Expr) -> bool {
    matches!(value.kind, ir::ExprKind::Int(_) | ir::ExprKind::Float(_) | ir::ExprKind::Extended(_))
}
