//! From a function of the program model to instructions.
//!
//! One walk over the statements emits instructions straight away ([`stmt`], [`expr`], [`branch`], [`place`],
//! [`call`]); jumps name labels. A scalar local whose address is never taken is a register, every other local an
//! object of the frame whose address is in a register. [`assigned`] then finds the reads of registers that may come
//! before any write and leaves checks only there, and labels become positions.
//!
//! Registers of a frame, from the bottom: the address for a record result, the parameters as the caller laid them
//! out, the other locals, the flags of locals that may be read before they are written, and temporaries, used as a
//! stack. The arguments of a call are put on top of the temporaries and become the bottom of the callee's frame.

pub(super) mod aliasing;
mod assigned;
mod branch;
mod call;
mod expr;
mod place;
mod stmt;

use super::bytecode::{BitPlace, Code, FrameObject, Op, Reg, Site, SwitchTable, Target};
use super::image::Image;
use super::value::Class;
use diagnostics::Span;
use ir::{
    Base, Block, EntityRef, EntitySet, Expr, ExprKind, Function, FunctionId, LabelId, LocalId, LocalKind, Program,
    StmtKind, Types,
};

/// Where a local lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    Register(Reg, Class),
    /// An object, whose address is in the register.
    Memory(Reg),
}

/// What `break` and `continue` mean here.
struct Exits {
    leave: Target,
    next: Option<Target>,
    /// The number of open scopes outside.
    scopes: usize,
}

struct Compiler<'a> {
    image: &'a Image<'a>,
    program: &'a Program,
    types: &'a Types,
    function: &'a Function,
    id: FunctionId,
    covering: bool,
    /// The variables that may hold pointers converted from another type, where types are judged.
    changed: Option<EntitySet<LocalId>>,
    ops: Vec<Op>,
    spans: Vec<Span>,
    /// The position of each label, once it is known.
    labels: Vec<Option<u32>>,
    named_labels: Vec<Target>,
    homes: Vec<Home>,
    /// The flag register of each local that is a register, for [`assigned`].
    flags: Vec<Reg>,
    exits: Vec<Exits>,
    /// The objects whose life ends with each open block.
    scopes: Vec<Vec<Reg>>,
    next: u32,
    most: u32,
    objects: Vec<FrameObject>,
    /// Registers for the addresses of record results that need an object of their own.
    hidden: Vec<Reg>,
    wides: Vec<u128>,
    bits: Vec<BitPlace>,
    sites: Vec<Site>,
    switches: Vec<SwitchTable>,
    texts: Vec<String>,
}

/// Registers are numbered with 16 bits; a function that needs more is not run.
const MOST_REGISTERS: u32 = 60_000;

/// Compiles a function that has a body.
pub fn compile(image: &Image<'_>, id: FunctionId, covering: bool) -> Code {
    let function = image.function(id);
    let body = function.body.as_ref().expect("only functions with a body should be compiled");
    let mut compiler = Compiler {
        image,
        program: image.program,
        types: &image.program.types,
        function,
        id,
        covering,
        changed: None,
        ops: Vec::new(),
        spans: Vec::new(),
        labels: Vec::new(),
        named_labels: Vec::new(),
        homes: Vec::new(),
        flags: Vec::new(),
        exits: Vec::new(),
        scopes: Vec::new(),
        next: 0,
        most: 0,
        objects: Vec::new(),
        hidden: Vec::new(),
        wides: Vec::new(),
        bits: Vec::new(),
        sites: Vec::new(),
        switches: Vec::new(),
        texts: Vec::new(),
    };
    compiler.changed = compiler.changed_pointers(body);
    compiler.settle(body);
    let temporaries = compiler.next;
    compiler.block(body);
    compiler.fall_off();
    if compiler.most > MOST_REGISTERS {
        compiler.give_up();
    }
    let flags = std::mem::take(&mut compiler.flags);
    assigned::settle_checks(&mut compiler, &flags);
    let home = |home: &Home| match *home {
        Home::Register(reg, class) => Some((reg, class)),
        Home::Memory(_) => None,
    };
    Code {
        function: id,
        registers: compiler.most.max(2),
        temporaries,
        ops: compiler.ops,
        spans: compiler.spans,
        objects: compiler.objects,
        homes: compiler.homes.iter().map(home).collect(),
        wides: compiler.wides,
        bits: compiler.bits,
        sites: compiler.sites,
        switches: compiler.switches,
        texts: compiler.texts,
    }
}

/// How many registers a value takes.
fn registers(class: Class) -> u16 {
    if class.is_wide() { 2 } else { 1 }
}

impl<'a> Compiler<'a> {
    fn signature(&self) -> &'a ir::Signature {
        self.types.signature(self.function.ty).expect("a function should have a function type, because it is verified")
    }

    /// Gives every local its home, and emits the prologue that moves parameters into memory.
    fn settle(&mut self, body: &Block) {
        let function = self.function;
        let in_memory = addressed(function, body);
        if self.types.is_scalar(self.signature().result) || self.types.is_void(self.signature().result) {
            self.next = 0;
        } else {
            self.next = 1;
        }
        let mut homes = vec![Home::Memory(0); function.locals.len()];
        let mut moved = Vec::new();
        for &param in &function.params {
            let class = Class::of(self.types, function.locals[param].ty);
            let slot = self.take(class.map_or(1, registers));
            match class {
                Some(class) if !in_memory[param.index()] => homes[param.index()] = Home::Register(slot, class),
                _ => moved.push((param, slot, class)),
            }
        }
        for (id, local) in &function.locals {
            match Class::of(self.types, local.ty) {
                _ if homes[id.index()] != Home::Memory(0) => {}
                Some(class) if !in_memory[id.index()] => {
                    // A parameter without a register of its own keeps the placeholder until below.
                    if local.kind != LocalKind::Parameter {
                        homes[id.index()] = Home::Register(self.take_for(class), class);
                    }
                }
                _ => {
                    let reg = self.take(1);
                    homes[id.index()] = Home::Memory(reg);
                    // An array of variable length is made where its declaration is reached.
                    if let Some(size) = self.types.size_of(local.ty) {
                        let align = self.types.align_of(local.ty);
                        self.objects.push(FrameObject { local: Some(id), reg, size, align, is_const: local.is_const });
                    } else {
                        self.emit(Op::Const(reg, 0), local.span);
                    }
                }
            }
        }
        self.homes = homes;
        body.walk(&mut |stmt| {
            if let StmtKind::Call { result: Some(result), .. } = &stmt.kind
                && !self.types.is_scalar(result.ty)
            {
                let reg = self.take(1);
                self.hidden.push(reg);
            }
        });
        let flags: Vec<Reg> = function.locals.iter().map(|_| self.take(1)).collect();
        self.flags = flags;
        for (param, slot, class) in moved {
            let Home::Memory(reg) = self.homes[param.index()] else { continue };
            let local = &function.locals[param];
            let open = local.is_const;
            if open {
                self.emit(Op::OpenConst(reg), local.span);
            }
            match class {
                Some(class) => self.emit(Op::StoreAny(class, false, slot, reg, 0), local.span),
                None => {
                    let size = self.types.size_of(local.ty).unwrap_or(0);
                    self.copy(reg, slot, size, local.span);
                }
            }
            if open {
                self.emit(Op::CloseConst(reg), local.span);
            }
        }
        self.named_labels = function.labels.iter().map(|_| self.label()).collect();
    }

    /// The end of the body is reached.
    fn fall_off(&mut self) {
        let span = Span { lo: self.function.span.lo, hi: self.function.span.hi };
        self.return_nothing(span);
    }

    fn return_nothing(&mut self, span: Span) {
        let result = self.signature().result;
        if self.function.noreturn {
            self.emit(Op::NeverReturns(), span);
        }
        if self.types.is_void(result) {
            self.emit(Op::ReturnVoid(), span);
        } else if self.function.name == "main" && self.types.int_kind(result).is_some() {
            let zero = self.take(1);
            self.emit(Op::Const(zero, 0), span);
            self.emit(Op::Return(zero), span);
        } else {
            self.emit(Op::ReturnNothing(), span);
        }
    }

    fn give_up(&mut self) {
        let text = self.text(format!("function `{}`, which needs too many registers", self.function.name));
        self.ops = vec![Op::Unsupported(text)];
        self.spans = vec![self.function.span];
        self.labels.clear();
        self.switches.clear();
        self.objects.clear();
        self.most = 2;
    }

    fn emit(&mut self, op: Op, span: Span) {
        self.ops.push(op);
        self.spans.push(span);
    }

    /// Registers on top of the stack of temporaries.
    fn take(&mut self, count: u16) -> Reg {
        let reg = self.next;
        self.next += u32::from(count);
        self.most = self.most.max(self.next);
        // Past the limit the code is thrown away, so the number only has to be one.
        reg.min(MOST_REGISTERS) as Reg
    }

    /// Registers for a value of the class.
    fn take_for(&mut self, class: Class) -> Reg {
        self.take(registers(class))
    }

    fn label(&mut self) -> Target {
        self.labels.push(None);
        self.labels.len() as Target - 1
    }

    /// The label stands here.
    fn place_label(&mut self, label: Target) {
        self.labels[label as usize] = Some(self.ops.len() as u32);
    }

    fn text(&mut self, text: String) -> u32 {
        self.texts.push(text);
        self.texts.len() as u32 - 1
    }

    fn class_of(&self, expr: &Expr) -> Class {
        Class::of(self.types, expr.ty).expect("a value in a register should be scalar, because the program is verified")
    }

    fn copy(&mut self, to: Reg, from: Reg, size: u64, span: Span) {
        if size > 0 {
            self.emit(Op::Copy(to, from, u32::try_from(size).unwrap_or(u32::MAX)), span);
        }
    }

    fn label_of(&self, label: LabelId) -> Target {
        self.named_labels[label.index()]
    }
}

/// Which locals need an address: those it is taken of, and those that are no scalars.
fn addressed(function: &Function, body: &Block) -> Vec<bool> {
    let mut taken = vec![false; function.locals.len()];
    let mut look = |lvalue: &ir::Lvalue| {
        if let Base::Local(id) = lvalue.base {
            taken[id.index()] = true;
        }
    };
    // An explicit stack: expressions may be deeper than ours.
    let mut pending: Vec<&Expr> = Vec::new();
    body.walk(&mut |stmt| {
        pending.extend(stmt.exprs());
        while let Some(expr) = pending.pop() {
            if let ExprKind::AddressOf(lvalue) = &expr.kind {
                look(lvalue);
            }
            pending.extend(expr.children());
        }
    });
    taken
}

/// Runs `work` with room on the stack, however deep the expression.
fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 4 << 20, work)
}
