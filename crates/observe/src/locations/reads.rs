//! What pointers lead to, as numbers that a place shows: `*p`, `p->len`, `strlen(s)`, and what they were at the start.
//!
//! A place shows numbers. Behind a pointer there are more of them, but only where the pointer leads somewhere: so what
//! is read through pointers belongs to a location of its own, *the place where they are valid*, which is passed only
//! when everything it shows can be read:
//!
//! ```text
//! return at line 9                   n, (s != 0)
//! return at line 9, all valid        n, (s != 0), s->len, s->cap, strlen(s->text), \old(s->len)
//! ```
//!
//! *Guarantee*: reading changes nothing and is undefined nowhere: the instrumented program asks before it reads
//! ([`exec::libc::inspection`]).

use crate::harness::written_parameters;
use diagnostics::Span;
use exec::ValueType;
use exec::libc::inspection::{LENGTH, READABLE};
use ir::{
    Base, BinaryOp, Block, Callee, Expr, ExprKind, Function, FunctionId, IntKind, Linkage, Local, LocalId, Lvalue,
    Program, RecordKind, Signature, Step, Stmt, StmtKind, Type, TypeId,
};

/// Members of one record that are shown.
const MOST_MEMBERS: usize = 8;

/// A number that is found through pointers.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// As C writes it.
    pub name: String,
    pub ty: ValueType,
    /// Pointers to be followed, each an lvalue over the one before; then the number itself.
    steps: Vec<Hop>,
    what: What,
}

/// From a pointer to a place behind it: the fields on the way.
#[derive(Clone, Debug)]
struct Hop {
    fields: Vec<u32>,
    /// The type of the place.
    ty: TypeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Number,
    TextLength,
}

/// The functions that instrumented programs call to ask before they read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Askers {
    readable: FunctionId,
    length: FunctionId,
}

impl Askers {
    /// Declares them in a program.
    pub fn declare(program: &mut Program) -> Askers {
        let (int, long, ulong) =
            (program.types.int(IntKind::Int), program.types.int(IntKind::Long), program.types.int(IntKind::ULong));
        let void = program.types.void();
        let bytes = program.types.intern(Type::Pointer { to: void, to_const: true });
        let mut declare = |name: &str, result: TypeId, params: Vec<TypeId>| {
            let signature = Signature { result, params, variadic: false, unprototyped: false };
            let ty = program.types.intern(Type::Function(signature));
            program.functions.push(Function::declared(name, ty, Linkage::External, Span::NONE))
        };
        Askers { readable: declare(READABLE, int, vec![bytes, ulong]), length: declare(LENGTH, long, vec![bytes]) }
    }
}

/// The numbers that can be seen through a pointer of this type that is called `name`.
pub(super) fn through(program: &Program, pointer: TypeId, name: &str) -> Vec<Read> {
    let mut reads = Vec::new();
    follow(program, pointer, name, &[], 2, &mut reads);
    reads
}

fn follow(program: &Program, pointer: TypeId, name: &str, before: &[Hop], depth: u32, out: &mut Vec<Read>) {
    let types = &program.types;
    let Some(to) = types.pointee(pointer) else { return };
    match types.get(to) {
        Type::Int(kind) if kind.is_plain_char() => {
            let ty = ValueType::Int(IntKind::Long);
            out.push(Read { name: format!("strlen({name})"), ty, steps: before.to_vec(), what: What::TextLength });
        }
        Type::Int(_) | Type::Float(_) => {
            let Some(ty) = ValueType::of(types, to) else { return };
            let mut steps = before.to_vec();
            steps.push(Hop { fields: Vec::new(), ty: to });
            out.push(Read { name: format!("*{name}"), ty, steps, what: What::Number });
        }
        Type::Record(_) => {
            let mut fields = Vec::new();
            members(program, to, &mut Vec::new(), "", &mut fields);
            for (path, text, ty) in fields.into_iter().take(MOST_MEMBERS) {
                let text = format!("{name}->{text}");
                let mut steps = before.to_vec();
                steps.push(Hop { fields: path, ty });
                if let Some(number) = ValueType::of(types, ty) {
                    out.push(Read { name: text, ty: number, steps, what: What::Number });
                } else if depth > 1 {
                    let is_text =
                        types.pointee(ty).and_then(|to| types.int_kind(to)).is_some_and(IntKind::is_plain_char);
                    if is_text {
                        follow(program, ty, &text, &steps, depth - 1, out);
                    }
                }
            }
        }
        _ => {}
    }
}

/// The numbers and pointers among the members of a record, those of records inside included: where each is, its name
/// and its type. Members of unions and bit-fields are left out: not all of the former have a value.
fn members(
    program: &Program,
    record: TypeId,
    path: &mut Vec<u32>,
    before: &str,
    out: &mut Vec<(Vec<u32>, String, TypeId)>,
) {
    let Type::Record(id) = program.types.get(record) else { return };
    let about = &program.types.records[*id];
    if about.kind == RecordKind::Union {
        return;
    }
    for (index, field) in about.fields.iter().flatten().enumerate() {
        if field.bits.is_some() || field.name.is_empty() {
            continue;
        }
        path.push(index as u32);
        let name = format!("{before}{}", field.name);
        match program.types.get(field.ty) {
            Type::Int(_) | Type::Float(_) | Type::Pointer { .. } => out.push((path.clone(), name, field.ty)),
            Type::Record(_) if path.len() < 2 => members(program, field.ty, path, &format!("{name}."), out),
            _ => {}
        }
        path.pop();
    }
}

/// Whether what a parameter leads to may be something else when the function ends.
pub(super) fn may_change(program: &Program, function: FunctionId, parameter: usize) -> bool {
    written_parameters(program, function).contains(&parameter)
}

/// Writes statements that read, into a function of the copy.
pub(super) struct Reader<'c> {
    pub copy: &'c mut Program,
    pub function: FunctionId,
    pub askers: Askers,
    pub span: Span,
}

impl Reader<'_> {
    fn temporary(&mut self, ty: TypeId) -> LocalId {
        let span = self.span;
        self.copy.functions[self.function].locals.push(Local::temporary(ty, span))
    }

    fn int(&self) -> TypeId {
        self.copy.types.int(IntKind::Int)
    }

    pub fn load(&self, local: LocalId) -> Expr {
        let ty = self.copy.functions[self.function].locals[local].ty;
        Expr::load(Lvalue::local(local, ty, self.span))
    }

    fn assign(&self, local: LocalId, value: Expr) -> Stmt {
        let ty = self.copy.functions[self.function].locals[local].ty;
        Stmt::new(StmtKind::Assign { target: Lvalue::local(local, ty, self.span), value }, self.span)
    }

    fn ask(&mut self, asker: FunctionId, args: Vec<Expr>, result: LocalId) -> Stmt {
        let ty = self.copy.functions[self.function].locals[result].ty;
        let result = Some(Lvalue::local(result, ty, self.span));
        Stmt::new(StmtKind::Call { result, callee: Callee::Function(asker), args }, self.span)
    }

    fn as_bytes(&mut self, pointer: Expr) -> Expr {
        let void = self.copy.types.void();
        let ty = self.copy.types.intern(Type::Pointer { to: void, to_const: true });
        Expr::new(ExprKind::Convert { value: Box::new(pointer), explicit: false }, ty, self.span)
    }

    /// A flag that starts as true.
    pub fn flag(&mut self, out: &mut Vec<Stmt>) -> LocalId {
        let int = self.int();
        let flag = self.temporary(int);
        out.push(self.assign(flag, Expr::int(1, int, self.span)));
        flag
    }

    /// Reads a number from a pointer on: statements to `out`; the flag becomes false where it is not there.
    pub fn read(&mut self, read: &Read, pointer: Expr, valid: LocalId, out: &mut Vec<Stmt>) -> LocalId {
        let value_type = match read.ty {
            ValueType::Int(kind) => self.copy.types.int(kind),
            ValueType::Float(kind) => self.copy.types.float(kind),
        };
        let value = self.temporary(value_type);
        let zero = match read.ty {
            ValueType::Int(_) => Expr::int(0, value_type, self.span),
            ValueType::Float(ir::FloatKind::Extended) => Expr::new(ExprKind::Extended(0), value_type, self.span),
            ValueType::Float(_) => Expr::new(ExprKind::Float(0.0), value_type, self.span),
        };
        out.push(self.assign(value, zero));
        let inside = self.steps(read, &read.steps, pointer, value, valid);
        out.extend(inside);
        value
    }

    fn steps(&mut self, read: &Read, steps: &[Hop], pointer: Expr, value: LocalId, valid: LocalId) -> Vec<Stmt> {
        let span = self.span;
        let int = self.int();
        let Some((hop, rest)) = steps.split_first() else {
            // What the last pointer leads to is a string.
            let bytes = self.as_bytes(pointer);
            let asked = self.ask(self.askers.length, vec![bytes], value);
            let ty = self.copy.types.int(IntKind::Long);
            let none = Expr::new(
                ExprKind::Binary(BinaryOp::Lt, Box::new(self.load(value)), Box::new(Expr::int(0, ty, span))),
                int,
                span,
            );
            let invalid = self.assign(valid, Expr::int(0, int, span));
            let then = Block { locals: Vec::new(), stmts: vec![invalid] };
            return vec![asked, Stmt::new(StmtKind::If { cond: none, then, otherwise: Block::default() }, span)];
        };
        // The whole object that the pointer leads to is asked for, so that no address is computed that is none.
        let to = self.copy.types.pointee(pointer.ty).unwrap_or(hop.ty);
        let first = hop.fields.clone();
        let lvalue = Lvalue {
            base: Base::Deref(Box::new(pointer.clone())),
            path: first.into_iter().map(Step::Field).collect(),
            ty: hop.ty,
            span,
        };
        let offset = self.offset(to, &hop.fields);
        let size = self.copy.types.size_of(hop.ty).unwrap_or(0);
        let start = self.as_bytes(pointer);
        let ulong = self.copy.types.int(IntKind::ULong);
        let flag = self.temporary(int);
        // Bytes before the member need no values.
        let asked = match offset {
            0 => self.ask(self.askers.readable, vec![start, Expr::int(size.into(), ulong, span)], flag),
            offset => {
                let at = self.shifted(start, offset);
                self.ask(self.askers.readable, vec![at, Expr::int(size.into(), ulong, span)], flag)
            }
        };
        let loaded = Expr::load(lvalue);
        let then = match (rest.is_empty(), read.what) {
            (true, What::Number) => vec![self.assign(value, loaded)],
            _ => {
                let next = self.temporary(hop.ty);
                let mut stmts = vec![self.assign(next, loaded)];
                let next = self.load(next);
                stmts.extend(self.steps(read, rest, next, value, valid));
                stmts
            }
        };
        let invalid = self.assign(valid, Expr::int(0, int, span));
        let cond = self.load(flag);
        let branch = StmtKind::If {
            cond,
            then: Block { locals: Vec::new(), stmts: then },
            otherwise: Block { locals: Vec::new(), stmts: vec![invalid] },
        };
        vec![asked, Stmt::new(branch, span)]
    }

    fn offset(&self, record: TypeId, fields: &[u32]) -> u64 {
        let (mut ty, mut offset) = (record, 0);
        for field in fields {
            let Some(about) = self.copy.types.field(ty, *field) else { break };
            offset += about.offset;
            ty = about.ty;
        }
        offset
    }

    /// An address so many bytes on, as a number that becomes a pointer again: nothing is undefined about it.
    fn shifted(&mut self, pointer: Expr, bytes: u64) -> Expr {
        let (ulong, ty, span) = (self.copy.types.int(IntKind::ULong), pointer.ty, self.span);
        let number = Expr::new(ExprKind::Convert { value: Box::new(pointer), explicit: true }, ulong, span);
        let sum = ExprKind::Binary(BinaryOp::Add, Box::new(number), Box::new(Expr::int(bytes.into(), ulong, span)));
        let sum = Expr::new(sum, ulong, span);
        Expr::new(ExprKind::Convert { value: Box::new(sum), explicit: true }, ty, span)
    }
}
