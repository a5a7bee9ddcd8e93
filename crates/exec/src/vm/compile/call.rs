//! Calls: the window of arguments, the callee, and where the result goes.

use super::super::bytecode::{FrameObject, Op, Reg, Site};
use super::super::value::Class;
use super::{Compiler, Home};
use diagnostics::Span;
use ir::{Base, Callee, EntityRef, Expr, ExprKind, FunctionId, Intrinsic, Lvalue, Signature, Type, TypeId};

impl Compiler<'_> {
    pub(super) fn function_id(&self) -> FunctionId {
        self.id
    }

    pub(super) fn call(&mut self, result: Option<&Lvalue>, callee: &Callee, args: &[Expr], span: Span) {
        match callee {
            Callee::Intrinsic(intrinsic) => self.intrinsic(*intrinsic, result, args, span),
            Callee::Function(id) => self.call_function(*id, result, args, span),
            Callee::Pointer(pointer) => self.call_pointer(pointer, result, args, span),
        }
    }

    fn signature_of(&self, ty: TypeId) -> &Signature {
        self.types.signature(ty).expect("a callee should have a function type, because the program is verified")
    }

    fn site(&mut self, callee: Option<FunctionId>, ty: TypeId, args: &[Expr]) -> u32 {
        let signature = self.signature_of(ty);
        let returns_record = matches!(self.types.get(signature.result), Type::Record(_));
        let site = Site {
            model: callee.and_then(|id| self.image.model(id)),
            ty,
            types: args.iter().map(|arg| arg.ty).collect(),
            returns_record,
            plain: !signature.variadic && !signature.unprototyped,
        };
        self.sites.push(site);
        self.sites.len() as u32 - 1
    }

    /// Puts the arguments on top of the temporaries. For a record result the window starts with the place for it,
    /// which is given back if it is a temporary object that is to be copied from.
    fn window(&mut self, ty: TypeId, result: Option<&Lvalue>, args: &[Expr], span: Span) -> (Reg, Option<Reg>) {
        let record = self.signature_of(ty).result;
        let mut temporary = None;
        let hidden = match (self.types.get(record), result) {
            (Type::Record(_), Some(result)) => {
                if let Some(reg) = self.direct_target(result) {
                    Some(Some(reg))
                } else {
                    let reg = self.hidden_object(record);
                    temporary = Some(reg);
                    Some(Some(reg))
                }
            }
            (Type::Record(_), None) => Some(None),
            _ => None,
        };
        let start = self.next;
        if let Some(place) = hidden {
            let slot = self.take(1);
            match place {
                Some(reg) => self.emit(Op::Mov(slot, reg), span),
                None => self.emit(Op::Const(slot, 0), span),
            }
        }
        for arg in args {
            let mark;
            match Class::of(self.types, arg.ty) {
                Some(class) => {
                    let slot = self.take_for(class);
                    mark = self.next;
                    self.expr_to(arg, slot);
                }
                None => {
                    let slot = self.take(1);
                    mark = self.next;
                    let ExprKind::Load(source) = &arg.kind else {
                        unreachable!("a record argument should be a load, because the program is verified")
                    };
                    let place = self.place(source, false);
                    let address = self.address(&place, arg.span);
                    self.emit(Op::Mov(slot, address), arg.span);
                }
            }
            self.next = mark;
        }
        // The result comes back at the start of the window, even of an empty one.
        self.next = self.next.max(start + 2);
        self.most = self.most.max(self.next);
        (start.min(super::MOST_REGISTERS) as Reg, temporary)
    }

    /// The address register of a whole local that is in memory: a record result is written there directly.
    fn direct_target(&self, result: &Lvalue) -> Option<Reg> {
        match (&result.base, result.as_local()) {
            (Base::Local(local), Some(_)) if !self.function.locals[*local].is_const => {
                match self.homes[local.index()] {
                    Home::Memory(reg) => Some(reg),
                    Home::Register(..) => None,
                }
            }
            _ => None,
        }
    }

    fn hidden_object(&mut self, ty: TypeId) -> Reg {
        // The register must not be shared with temporaries of other statements: the object is made on entry.
        let reg = self.hidden.pop().expect("every call with a record result should have had a register set aside");
        let size = self.types.size_of(ty).unwrap_or(0);
        let align = self.types.align_of(ty);
        self.objects.push(FrameObject { local: None, reg, size, align, is_const: false });
        reg
    }

    fn deliver(&mut self, start: Reg, temporary: Option<Reg>, result: Option<&Lvalue>, span: Span) {
        let Some(result) = result else { return };
        match (Class::of(self.types, result.ty), temporary) {
            (Some(_), _) => self.assign_register(result, start),
            (None, Some(from)) => {
                let size = self.types.size_of(result.ty).unwrap_or(0);
                self.copy_to(result, from, size, span);
            }
            (None, None) => {}
        }
    }

    fn call_function(&mut self, id: FunctionId, result: Option<&Lvalue>, args: &[Expr], span: Span) {
        let callee = &self.program.functions[id];
        let ty = callee.ty;
        let (start, temporary) = self.window(ty, result, args, span);
        if callee.body.is_none() {
            if self.image.model(id).is_none() {
                let what = format!("call to `{}`, which has no definition and no model", callee.name);
                let text = self.text(what);
                self.emit(Op::Unsupported(text), span);
                return;
            }
            let site = self.site(Some(id), ty, args);
            self.emit(Op::CallModel(site, start), span);
        } else if self.fits(id, args) {
            if self.signature_of(ty).variadic {
                let site = self.site(Some(id), ty, args);
                self.emit(Op::CallVariadic(id, start, result.is_some(), site), span);
            } else {
                self.emit(Op::Call(id, start, result.is_some()), span);
            }
        } else {
            // Without a prototype only the run tells whether the arguments are those the function takes.
            let site = self.site(Some(id), ty, args);
            self.emit(Op::CallVariadic(id, start, result.is_some(), site), span);
        }
        self.deliver(start, temporary, result, span);
    }

    /// Whether the arguments are laid out as the function expects them.
    fn fits(&self, id: FunctionId, args: &[Expr]) -> bool {
        let callee = &self.program.functions[id];
        let params = &callee.params;
        let variadic = self.signature_of(callee.ty).variadic;
        if args.len() < params.len() || (args.len() > params.len() && !variadic) {
            return false;
        }
        params.iter().zip(args).all(|(param, arg)| {
            let wanted = Class::of(self.types, callee.locals[*param].ty);
            let given = Class::of(self.types, arg.ty);
            wanted == given && (wanted.is_some() || self.types.matches(callee.locals[*param].ty, arg.ty))
        })
    }

    fn call_pointer(&mut self, pointer: &Expr, result: Option<&Lvalue>, args: &[Expr], span: Span) {
        let function = self.expr(pointer, None);
        // The register must survive below the window.
        let kept = self.take(1);
        self.emit(Op::Mov(kept, function), span);
        let ty = self.types.pointee(pointer.ty).expect("a call should go through a pointer to a function");
        let (start, temporary) = self.window(ty, result, args, span);
        let site = self.site(None, ty, args);
        self.emit(Op::CallPointer(kept, start, result.is_some(), site), span);
        self.deliver(start, temporary, result, span);
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, result: Option<&Lvalue>, args: &[Expr], span: Span) {
        let regs: Vec<Reg> = args.iter().map(|arg| self.expr(arg, None)).collect();
        match (intrinsic, &regs[..]) {
            (Intrinsic::VaStart, [list, ..]) => self.emit(Op::VaStart(*list), span),
            (Intrinsic::VaEnd, [list]) => self.emit(Op::VaEnd(*list), span),
            (Intrinsic::VaCopy, [to, from]) => self.emit(Op::VaCopy(*to, *from), span),
            (Intrinsic::VaArg, [list]) => {
                let Some(result) = result else {
                    let text = self.text(String::from("`va_arg` whose value is not used"));
                    self.emit(Op::Unsupported(text), span);
                    return;
                };
                let class = Class::of(self.types, result.ty);
                let reg = self.take(class.map_or(1, super::registers));
                self.emit(Op::VaArg(reg, *list, result.ty), span);
                match class {
                    Some(_) => self.assign_register(result, reg),
                    None => {
                        let size = self.types.size_of(result.ty).unwrap_or(0);
                        self.copy_to(result, reg, size, span);
                    }
                }
            }
            (Intrinsic::Nondet, []) => {
                let Some(result) = result else { return };
                let Some(class) = Class::of(self.types, result.ty) else {
                    let text = self.text(String::from("an unknown value of a record type"));
                    self.emit(Op::Unsupported(text), span);
                    return;
                };
                let reg = self.take_for(class);
                self.emit(Op::Nondet(class, reg), span);
                self.assign_register(result, reg);
            }
            (Intrinsic::Alloca, [size]) => {
                let reg = self.take(1);
                self.emit(Op::Alloca(reg, *size), span);
                if let Some(result) = result {
                    self.assign_register(result, reg);
                }
            }
            (Intrinsic::SetJump, [buffer]) => {
                // The register must still be there when the call returns a second time.
                let reg = self.take(1);
                self.emit(Op::SetJump(reg, *buffer), span);
                if let Some(result) = result {
                    self.assign_register(result, reg);
                }
            }
            (Intrinsic::Bind, [function, first]) => {
                let reg = self.take(1);
                self.emit(Op::Bind(reg, *function, *first), span);
                if let Some(result) = result {
                    self.assign_register(result, reg);
                }
            }
            (Intrinsic::LongJump, [buffer, value]) => self.emit(Op::LongJump(*buffer, *value), span),
            _ => unreachable!("intrinsics should have their arguments, because the program is verified"),
        }
    }
}
