//! Random small well-formed programs, for property tests of everything that takes a program.
//!
//! A program is a function of a list of numbers, the choices made on the way. When they run out every choice is
//! zero, which always takes the simplest way; so a property-test engine that shrinks the list shrinks the program:
//!
//! ```text
//! proptest! { fn holds(choices in vec(any::<u32>(), 0..300)) { let p = ir::arbitrary::program(&choices); … } }
//! ```
//!
//! *Guarantee*: [`verify`](crate::verify) has nothing to say about the result (a test asks it), and every kind of
//! type, expression and statement occurs in some of them. Running them mostly ends in undefined behaviour or never.
//!
//! For tests of arithmetic there are [`operands`], [`borders`] and [`floats`], which are not random.

mod operands;
mod values;

pub use operands::{borders, floats, operands};

use crate::ctype::{IntKind, Length, Signature, Type, TypeId};
use crate::expr::Lvalue;
use crate::layout::{Member, Packing, Record, RecordKind};
use crate::program::{
    Function, FunctionId, Global, GlobalId, GlobalKind, InitItem, InitValue, Initializer, Label, LabelId, Linkage,
    Local, LocalId, LocalKind, Program,
};
use crate::stmt::{
    Arm, AssertKind, Block, Callee, Intrinsic, Loop, LoopKind, OrderKind, Stmt, StmtKind, TracePoint, Unordered,
};
use cranelift_entity::PrimaryMap;
use diagnostics::Span;

/// The program that these choices lead to.
pub fn program(choices: &[u32]) -> Program {
    let mut generator = Generator {
        choices,
        program: Program::new(),
        objects: Vec::new(),
        locals: PrimaryMap::new(),
        labels: PrimaryMap::new(),
        unplaced: Vec::new(),
        scope: Vec::new(),
        result: None,
    };
    generator.types();
    generator.globals();
    generator.functions();
    generator.program
}

/// What makes the program, with the state of the function in the making.
struct Generator<'c> {
    choices: &'c [u32],
    program: Program,
    /// Types that objects may have.
    objects: Vec<TypeId>,
    locals: PrimaryMap<LocalId, Local>,
    labels: PrimaryMap<LabelId, Label>,
    unplaced: Vec<LabelId>,
    scope: Vec<LocalId>,
    result: Option<TypeId>,
}

/// What a statement stands inside of.
#[derive(Clone, Copy, Default)]
struct Around {
    depth: u32,
    breakable: bool,
    continuable: bool,
}

impl Around {
    fn inner(self) -> Around {
        Around { depth: self.depth + 1, ..self }
    }
}

impl Generator<'_> {
    /// A number below `n`; zero when the choices have run out.
    fn choose(&mut self, n: usize) -> usize {
        match self.choices.split_first() {
            Some((first, rest)) => {
                self.choices = rest;
                *first as usize % n
            }
            None => 0,
        }
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.choose(from.len())]
    }

    /// Whether to go on with something optional; never when the choices have run out.
    fn more(&mut self) -> bool {
        self.choose(3) != 0
    }

    fn int(&self) -> TypeId {
        self.program.types.int(IntKind::Int)
    }

    fn types(&mut self) {
        let types = &mut self.program.types;
        let scalars: Vec<TypeId> = types.iter().map(|(id, _)| id).filter(|id| types.is_scalar(*id)).collect();
        self.objects = vec![types.int(IntKind::Int), types.int(IntKind::Long), types.int(IntKind::UChar)];
        while self.objects.len() < 12 && self.more() {
            let of = if self.choose(2) == 0 { self.pick(&scalars) } else { self.pick(&self.objects.clone()) };
            let ty = match self.choose(6) {
                0 => of,
                1 => self.program.types.pointer(of),
                2 => self.program.types.intern(Type::Pointer { to: of, to_const: true }),
                3 => {
                    let length = self.choose(3) as u64 + 1;
                    self.program.types.array(of, length)
                }
                4 => self.record(),
                _ => {
                    let ty = self.function_type();
                    self.program.types.pointer(ty)
                }
            };
            self.objects.push(ty);
        }
        if self.more() {
            let name = self.pick(&["opaque", "s", ""]);
            self.program.types.records.push(Record::declared(RecordKind::Struct, name.into(), Span::NONE));
        }
    }

    fn record(&mut self) -> TypeId {
        let kind = self.pick(&[RecordKind::Struct, RecordKind::Union]);
        let name = self.pick(&["s", "point", "", "odd name"]);
        let id = self.program.types.records.push(Record::declared(kind, name.into(), Span::NONE));
        let mut members = Vec::new();
        loop {
            let index = members.len();
            let name = if self.choose(8) == 7 { String::new() } else { format!("f{index}") };
            let bit_field = self.choose(4) == 3 && !name.is_empty();
            let ty = if bit_field { self.program.types.int(IntKind::UInt) } else { self.pick(&self.objects.clone()) };
            let width = bit_field.then(|| self.choose(32) as u32 + 1);
            let is_const = self.choose(4) == 3;
            members.push(Member {
                name,
                ty,
                width,
                align: 0,
                type_align: 0,
                packed: false,
                is_const,
                span: Span::NONE,
            });
            if members.len() == 4 || !self.more() {
                break;
            }
        }
        let packing = [Packing::Natural, Packing::Natural, Packing::AtMost(2), Packing::Packed][self.choose(4)];
        self.program.types.define_record(id, members, packing, 1);
        self.program.types.intern(Type::Record(id))
    }

    /// What a function may take or return.
    fn passed_types(&self) -> Vec<TypeId> {
        let types = &self.program.types;
        self.objects.iter().copied().filter(|ty| types.element(*ty).is_none()).collect()
    }

    fn function_type(&mut self) -> TypeId {
        let passed = self.passed_types();
        let result = if self.choose(4) == 3 { self.program.types.void() } else { self.pick(&passed) };
        let mut params = Vec::new();
        while params.len() < 3 && self.more() {
            params.push(self.pick(&passed));
        }
        let unprototyped = params.is_empty() && self.choose(4) == 3;
        let variadic = !params.is_empty() && self.choose(4) == 3;
        self.program.types.intern(Type::Function(Signature { result, params, variadic, unprototyped }))
    }

    fn linkage(&mut self) -> Linkage {
        self.pick(&[Linkage::External, Linkage::Internal { unit: 0 }, Linkage::Internal { unit: 1 }])
    }

    fn globals(&mut self) {
        // Declared before any initialiser is made, so that initialisers can refer to each other.
        while self.program.globals.len() < 5 && (self.program.globals.is_empty() || self.more()) {
            let kind = self.pick(&[
                GlobalKind::Variable,
                GlobalKind::StringLiteral,
                GlobalKind::StaticLocal,
                GlobalKind::CompoundLiteral,
            ]);
            let char_type = self.program.types.int(IntKind::Char);
            let string = kind == GlobalKind::StringLiteral;
            let ty = if string { self.program.types.array(char_type, 4) } else { self.pick(&self.objects.clone()) };
            let name = if string { ".str0" } else { self.pick(&["a", "b", "count", "odd.name"]) };
            let linkage = self.linkage();
            let (is_const, is_volatile) = (self.choose(4) == 3, self.choose(4) == 3);
            let name = name.to_string();
            let global = Global { name, ty, kind, linkage, is_const, is_volatile, init: None, span: Span::NONE };
            self.program.globals.push(global);
        }
        for id in self.program.globals.keys().collect::<Vec<GlobalId>>() {
            let ty = self.program.globals[id].ty;
            let init = if self.program.globals[id].kind == GlobalKind::StringLiteral {
                let bytes = InitValue::Bytes(vec![b'"', b'\n', 0xc3, 0]);
                Some(Initializer { items: vec![InitItem { offset: 0, bits: None, value: bytes }] })
            } else if self.choose(4) == 3 {
                None
            } else {
                let mut items = Vec::new();
                self.init_items(ty, 0, &mut items);
                Some(Initializer { items })
            };
            self.program.globals[id].init = init;
        }
    }

    fn init_items(&mut self, ty: TypeId, offset: u64, items: &mut Vec<InitItem>) {
        match self.program.types.get(ty).clone() {
            Type::Array { of, length: Length::Fixed(length) } => {
                let size = self.program.types.size_of(of).unwrap_or(0);
                for index in 0..length {
                    self.init_items(of, offset + index * size, items);
                }
            }
            Type::Record(id) => {
                let record = &self.program.types.records[id];
                let fields = record.fields.clone().unwrap_or_default();
                // One member of a union; of packed bit-fields that share a byte with their neighbours, all in order.
                let count = if record.kind == RecordKind::Union { 1 } else { fields.len() };
                for field in &fields[..count] {
                    match field.bits {
                        None => self.init_items(field.ty, offset + field.offset, items),
                        Some(mut bits) => {
                            bits.offset += offset * 8;
                            let value = InitValue::Expr(self.constant(field.ty));
                            items.push(InitItem { offset: bits.offset / 8, bits: Some(bits), value });
                        }
                    }
                }
            }
            _ if self.choose(4) == 3 => {} // stays zero
            _ => {
                let value = InitValue::Expr(self.constant(ty));
                items.push(InitItem { offset, bits: None, value });
            }
        }
    }

    fn functions(&mut self) {
        // Signatures before bodies, so that bodies can call each other.
        let mut ids: Vec<FunctionId> = Vec::new();
        while ids.len() < 3 && (ids.is_empty() || self.more()) {
            let ty = self.function_type();
            let name = self.pick(&["main", "f", "g"]).to_string();
            let linkage = self.linkage();
            let noreturn = self.choose(6) == 5;
            let declared = Function::declared(name, ty, linkage, Span::NONE);
            ids.push(self.program.functions.push(Function { noreturn, ..declared }));
        }
        for id in ids {
            if self.choose(4) != 3 {
                self.body(id);
            }
        }
    }

    fn body(&mut self, id: FunctionId) {
        let ty = self.program.functions[id].ty;
        let signature = self.program.types.signature(ty).cloned().expect("functions should have function types");
        self.locals = PrimaryMap::new();
        self.labels = PrimaryMap::new();
        self.scope = Vec::new();
        self.result = Some(signature.result).filter(|ty| !self.program.types.is_void(*ty));
        let mut params = Vec::new();
        for ty in signature.params {
            let id = self.local(LocalKind::Parameter, ty);
            params.push(id);
            if self.program.types.is_pointer(ty) && self.choose(2) == 1 {
                let length = self.constant(self.int());
                self.locals[id].declared_length = Some(length);
            }
        }
        self.scope.extend(&params);
        self.unplaced = Vec::new();
        while self.unplaced.len() < 2 && self.more() {
            let name = self.pick(&["again", "out", ""]);
            let label = self.labels.push(Label { name: name.into(), span: Span::NONE });
            self.unplaced.push(label);
        }
        let mut body = self.block(Around::default());
        // A jump may name any label, so those that found no place stand at the end.
        for label in std::mem::take(&mut self.unplaced) {
            body.stmts.push(Stmt::new(StmtKind::Label(label), Span::NONE));
        }
        let function = &mut self.program.functions[id];
        function.params = params;
        function.locals = std::mem::take(&mut self.locals);
        function.labels = std::mem::take(&mut self.labels);
        function.body = Some(body);
        function.number_statements();
    }

    fn local(&mut self, kind: LocalKind, ty: TypeId) -> LocalId {
        let name = if kind == LocalKind::Temporary { "" } else { self.pick(&["x", "y", "i"]) };
        let (is_const, is_volatile) = (self.choose(6) == 5, self.choose(6) == 5);
        let local =
            Local { name: name.into(), ty, kind, is_const, is_volatile, declared_length: None, span: Span::NONE };
        self.locals.push(local)
    }

    fn temporary(&mut self, ty: TypeId) -> Lvalue {
        let id = self.local(LocalKind::Temporary, ty);
        Lvalue::local(id, ty, Span::NONE)
    }

    fn block(&mut self, around: Around) -> Block {
        let outer = self.scope.len();
        let mut block = Block::default();
        let mut stmts = Vec::new();
        while block.locals.len() < 2 && self.more() {
            let ty = if self.choose(4) == 3 {
                let ulong = self.program.types.int(IntKind::ULong);
                let length = self.local(LocalKind::Temporary, ulong);
                let value = self.value(ulong, 1);
                stmts.push(StmtKind::Assign { target: Lvalue::local(length, ulong, Span::NONE), value });
                let of = self.pick(&self.objects.clone());
                self.program.types.intern(Type::Array { of, length: Length::Variable(length) })
            } else {
                self.pick(&self.objects.clone())
            };
            let local = self.local(LocalKind::Variable, ty);
            block.locals.push(local);
            self.scope.push(local);
            stmts.push(StmtKind::Live(local));
        }
        for _ in 0..4 {
            if !self.more() {
                break;
            }
            stmts.push(self.stmt(around));
        }
        self.scope.truncate(outer);
        block.stmts = stmts.into_iter().map(|kind| Stmt::new(kind, Span::NONE)).collect();
        block
    }

    fn extra_block(&mut self, around: Around) -> Block {
        if self.more() { self.block(around.inner()) } else { Block::default() }
    }

    fn stmt(&mut self, around: Around) -> StmtKind {
        let int = self.int();
        let nest = around.depth < 3;
        match self.choose(18) {
            0 => {
                let ty = self.pick(&self.objects.clone());
                StmtKind::Assign { target: self.lvalue(ty, 2, true), value: self.value(ty, 3) }
            }
            1 => {
                let ty = self.pick(&self.objects.clone());
                StmtKind::Zero(self.lvalue(ty, 2, true))
            }
            2 | 3 => self.call(),
            4 if nest => StmtKind::If {
                cond: self.condition(),
                then: self.block(around.inner()),
                otherwise: self.extra_block(around),
            },
            5 | 6 if nest => {
                let kind = self.pick(&[LoopKind::While, LoopKind::For, LoopKind::DoWhile]);
                let inside = Around { breakable: true, continuable: true, ..around.inner() };
                let pre = self.extra_block(inside);
                let cond = if self.choose(4) == 3 { None } else { Some(self.condition()) };
                let body = self.block(inside);
                let step = if kind == LoopKind::DoWhile { Block::default() } else { self.extra_block(inside) };
                StmtKind::Loop(Box::new(Loop { kind, pre, cond, body, step }))
            }
            7 if nest => self.switch(around),
            8 if nest => StmtKind::Block(self.block(around.inner())),
            9 if around.breakable => StmtKind::Break,
            10 if around.continuable => StmtKind::Continue,
            11 if !self.labels.is_empty() => StmtKind::Goto(LabelId::from_u32(self.choose(self.labels.len()) as u32)),
            12 => match self.unplaced.pop() {
                Some(label) => StmtKind::Label(label),
                None => StmtKind::Assume(self.condition()),
            },
            13 => {
                let result = self.result.filter(|_| self.choose(6) != 5);
                StmtKind::Return(result.map(|ty| self.value(ty, 3)))
            }
            14 => {
                let kind = self.pick(&[AssertKind::Assert, AssertKind::Verifier, AssertKind::ReachError]);
                StmtKind::Assert { cond: self.condition(), kind, text: "x > 0 && \"ok\\n\" é".into() }
            }
            15 => {
                let mut values = Vec::new();
                while values.len() < 2 && self.more() {
                    values.push(("x".to_string(), self.condition()));
                }
                StmtKind::Trace(TracePoint { name: "vtrace1".into(), values })
            }
            16 => match self.pick(&[None, Some(OrderKind::Undefined), Some(OrderKind::Open)]) {
                None => StmtKind::Unsupported("computed goto".into()),
                Some(kind) => StmtKind::Unordered(Unordered::somewhere(kind, "`f()` and `g()`")),
            },
            _ => StmtKind::Assign { target: self.temporary(int), value: self.value(int, 3) },
        }
    }

    fn call(&mut self) -> StmtKind {
        let types = &self.program.types;
        let pointers: Vec<TypeId> = self
            .objects
            .iter()
            .copied()
            .filter(|ty| types.pointee(*ty).is_some_and(|to| types.signature(to).is_some()))
            .collect();
        let (callee, ty) = match self.choose(4) {
            1 if !pointers.is_empty() => {
                let ty = self.pick(&pointers);
                let to = self.program.types.pointee(ty).expect("filtered for pointers");
                (Callee::Pointer(self.value(ty, 2)), to)
            }
            2 => return self.intrinsic(),
            _ => {
                let id = FunctionId::from_u32(self.choose(self.program.functions.len()) as u32);
                (Callee::Function(id), self.program.functions[id].ty)
            }
        };
        let signature = self.program.types.signature(ty).cloned().expect("callees should have function types");
        let mut args = Vec::new();
        for param in signature.params {
            args.push(self.value(param, 2));
        }
        if (signature.variadic || signature.unprototyped) && self.more() {
            args.push(self.value(self.int(), 2));
        }
        let result = if self.program.types.is_void(signature.result) || self.choose(3) == 2 {
            None
        } else {
            Some(self.lvalue(signature.result, 2, true))
        };
        StmtKind::Call { result, callee: callee.clone(), args }
    }

    fn intrinsic(&mut self) -> StmtKind {
        let void = self.program.types.void();
        let list = self.program.types.pointer(void);
        let ulong = self.program.types.int(IntKind::ULong);
        let (intrinsic, result, args) = match self.choose(6) {
            0 => (Intrinsic::Nondet, Some(self.int()), vec![]),
            1 => (Intrinsic::VaStart, None, vec![list]),
            2 => (Intrinsic::VaArg, Some(self.pick(&self.passed_types())), vec![list]),
            3 => (Intrinsic::VaCopy, None, vec![list, list]),
            4 => (Intrinsic::VaEnd, None, vec![list]),
            _ => (Intrinsic::Alloca, Some(list), vec![ulong]),
        };
        let args = args.into_iter().map(|ty| self.value(ty, 2)).collect();
        let result = result.map(|ty| self.lvalue(ty, 2, true));
        StmtKind::Call { result, callee: Callee::Intrinsic(intrinsic), args }
    }

    fn switch(&mut self, around: Around) -> StmtKind {
        let kind = self.pick(&[IntKind::Int, IntKind::ULong, IntKind::UChar]);
        let value = self.value(self.program.types.int(kind), 2);
        let mut body = self.block(Around { breakable: true, ..around.inner() });
        let mut arms = Vec::new();
        let place = |generator: &mut Self, body: &mut Block| {
            let label = generator.labels.push(Label { name: String::new(), span: Span::NONE });
            let at = generator.choose(body.stmts.len() + 1);
            body.stmts.insert(at, Stmt::new(StmtKind::Label(label), Span::NONE));
            label
        };
        let mut low = kind.min();
        while arms.len() < 3 && self.more() {
            low += 1 + self.choose(5) as i128;
            let high = low + self.choose(2) as i128;
            arms.push(Arm { low, high, label: place(self, &mut body) });
            low = high;
        }
        let default = if self.more() { Some(place(self, &mut body)) } else { None };
        StmtKind::Switch { value, arms, default, body }
    }
}
