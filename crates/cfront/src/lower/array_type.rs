//! Array types: the elements that they may have, and the length that a declarator gives them.

use super::declarator::Qual;
use super::{Lowered, Lowerer};
use diagnostics::Span;
use ir::{IntKind, Length, Type};
use lang_c::ast::ArraySize;

impl Lowerer<'_, '_> {
    pub(super) fn array_type(&mut self, element: Qual, length: Length, span: Span) -> Lowered<Qual> {
        match self.program.types.get(element.ty) {
            Type::Function(_) => return self.fail(span, "an array cannot have functions as elements"),
            Type::Void => return self.fail(span, "an array cannot have `void` elements"),
            _ => {}
        }
        // In a prototype the inner lengths of a parameter may be unknown.
        let open = self.frame.in_prototype && matches!(self.program.types.get(element.ty), Type::Array { .. });
        if self.unsupported_type(element.ty).is_none() && !open && !self.program.types.is_complete(element.ty) {
            let name = self.describe(element.ty);
            return self.fail(span, format!("the array's element type `{name}` is incomplete"));
        }
        if let (Length::Fixed(n), Some(size)) = (length, self.program.types.size_of(element.ty))
            && n.checked_mul(size).is_none_or(|bytes| bytes > i64::MAX as u64)
        {
            return self.fail(span, "the array is too large");
        }
        let ty = self.types().intern(Type::Array { of: element.ty, length });
        Ok(Qual { ty, ..element })
    }

    pub(super) fn array_length(&mut self, size: &ArraySize) -> Lowered<Length> {
        let node = match size {
            ArraySize::Unknown | ArraySize::VariableUnknown => return Ok(Length::Unknown),
            ArraySize::VariableExpression(node) | ArraySize::StaticExpression(node) => node,
        };
        let span = self.src.span(node.span);
        if self.frame.in_prototype {
            // Nothing is evaluated in a prototype: a length that is not constant is as good as none.
            let value = self.quietly(|this| this.without_evaluation(|this| this.rvalue(node)));
            let length = value.ok().and_then(|value| self.fold_int(&value)).and_then(|n| u64::try_from(n).ok());
            return Ok(length.map_or(Length::Unknown, Length::Fixed));
        }
        let (value, stmts) = self.buffered(|this| this.rvalue(node));
        let value = value?;
        if self.program.types.int_kind(value.ty).is_none() {
            return self.fail(span, "the length of an array must be an integer");
        }
        if stmts.is_empty()
            && let Some(n) = self.fold_int(&value)
        {
            return match u64::try_from(n) {
                Ok(n) => Ok(Length::Fixed(n)),
                Err(_) => self.fail(span, "the length of the array is negative"),
            };
        }
        if self.names.at_file_scope() || self.constant_only {
            return self.fail(span, "the length of an array outside functions must be constant");
        }
        self.frame.stmts.extend(stmts);
        let ulong = self.program.types.int(IntKind::ULong);
        let value = self.convert(value, ulong, false);
        let local = self.temporary(ulong, span);
        self.lengths.insert(local, value.clone());
        self.emit(ir::StmtKind::Assign { target: ir::Lvalue::local(local, ulong, span), value }, span);
        Ok(Length::Variable(local))
    }
}
