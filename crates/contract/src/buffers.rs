//! A program in which what stands in buffers is anything.
//!
//! *Question*: what does a contract say that does not depend on the characters of a string or the bytes of a buffer?
//!
//! Characters that are read through a pointer become any value, what is written through one to characters is left out,
//! and so are the calls of the library that fill, copy and compare them. What is left are numbers and members of
//! records, about which [`prove`] reasons for buffers of every length.
//!
//! *Departure from the program*: an access to a character through a pointer is taken to lie in its buffer, and the
//! buffer to be no part of a record, a local or a global whose other members are looked at ([`Assumption::BuffersApart`]). What is aliased
//! openly is not taken so: characters of an object whose address is taken are any value wherever they are read, and a
//! program that makes a pointer to characters of one to something else is not changed at all.
//!
//! *Guarantee*: every defined run of the program for which the assumption holds is a run of the changed program, with
//! some choice of the values; so what holds on all runs of the latter holds on those of the former.

#[cfg(doc)]
use diagnostics::Assumption;
use ir::{
    Base, Block, Callee, Expr, ExprKind, Function, FunctionId, IntKind, Intrinsic, Local, Lvalue, Program, Step, Stmt,
    StmtKind, Type, TypeId,
};
use std::collections::BTreeSet;

/// The changed program, for these functions, and whether anything was changed; `None` if something in them stands in
/// the way.
pub fn anything_in_buffers(program: &Program, functions: &[FunctionId]) -> Option<(Program, bool)> {
    let exposed = Exposed::of(program, functions)?;
    let mut changed = program.clone();
    let mut count = 0;
    for &id in functions {
        let Some(mut body) = changed.functions[id].body.take() else { continue };
        let function = &mut changed.functions[id];
        Rewriting { program, id, function, exposed: &exposed, count: &mut count }.block(&mut body);
        changed.functions[id].body = Some(body);
        changed.functions[id].number_statements();
    }
    Some((changed, count > 0))
}

/// Objects of which characters may be reached by pointers.
#[derive(Default)]
struct Exposed {
    globals: BTreeSet<ir::GlobalId>,
    locals: BTreeSet<(FunctionId, ir::LocalId)>,
    /// Members, by the record's type and the number of the field.
    members: BTreeSet<(TypeId, u32)>,
}

pub fn is_character(program: &Program, ty: TypeId) -> bool {
    program.types.int_kind(ty).is_some_and(|kind| kind.bytes() == 1 && kind != IntKind::Bool)
}

fn leads_to_characters(program: &Program, ty: TypeId) -> bool {
    program.types.pointee(ty).is_some_and(|to| is_character(program, program.types.innermost(to)))
}

impl Exposed {
    /// `None` where pointers to characters are made of others in a way that is not followed.
    fn of(program: &Program, functions: &[FunctionId]) -> Option<Exposed> {
        let mut exposed = Exposed::default();
        let mut is_followed = true;
        for &id in functions {
            let Some(body) = &program.functions[id].body else { continue };
            body.walk(&mut |stmt| {
                is_followed &= stmt.obstacle().is_none();
                let call = match &stmt.kind {
                    StmtKind::Call { callee, .. } => library_name(program, callee),
                    _ => None,
                };
                is_followed &= !matches!(&stmt.kind, StmtKind::Call { callee: Callee::Pointer(_), .. });
                is_followed &= target(stmt).is_none_or(|target| !has_union(program, id, target));
                let known = call.is_some_and(|name| is_replaced(name) || RELEASES.contains(&name));
                if let (Some(name), StmtKind::Call { result, args, .. }) = (call, &stmt.kind) {
                    let characters = args.iter().any(|arg| sees_characters(program, arg));
                    let dropped = READS.contains(&name)
                        || FILLS.contains(&name) && args.first().is_some_and(|arg| sees_characters(program, arg))
                        || is_printed(program, name, args, result.as_ref())
                        || RELEASES.contains(&name);
                    is_followed &= dropped || !characters;
                    // Pointers to characters could be copied over others.
                    is_followed &= dropped || !is_replaced(name) || is_alike(program, args);
                }
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| match &part.kind {
                        // Who could call it is not followed.
                        ExprKind::Function(_) => is_followed = false,
                        ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) if has_union(program, id, lvalue) => {
                            is_followed = false;
                        }
                        ExprKind::AddressOf(lvalue) if is_character(program, program.types.innermost(lvalue.ty)) => {
                            is_followed &= exposed.add(program, id, lvalue);
                        }
                        ExprKind::Convert { value, .. } if program.types.is_pointer(part.ty) => {
                            let plain = |ty: TypeId| {
                                program.types.pointee(ty).is_some_and(|to| program.types.is_void(to))
                                    || leads_to_characters(program, ty)
                            };
                            let is_null = matches!(value.kind, ExprKind::Int(0));
                            // Harnesses compare pointers and look at nothing through them.
                            let compares = crate::harness::is_ours(&program.functions[id].name)
                                && program.types.pointee(part.ty).is_some_and(|to| program.types.is_void(to));
                            // Characters of something else, or something else made of characters.
                            let crosses = !is_null && plain(part.ty) != plain(value.ty);
                            is_followed &= !crosses || compares || known || is_new(program, id, body, value);
                        }
                        _ => {}
                    });
                }
            });
        }
        is_followed.then_some(exposed)
    }

    /// Whether what is exposed can be told.
    fn add(&mut self, program: &Program, id: FunctionId, lvalue: &Lvalue) -> bool {
        let mut ty = match &lvalue.base {
            Base::Local(local) => {
                self.locals.insert((id, *local));
                program.functions[id].locals[*local].ty
            }
            Base::Global(global) => {
                self.globals.insert(*global);
                program.globals[*global].ty
            }
            Base::Deref(pointer) => match program.types.pointee(pointer.ty) {
                Some(to) => to,
                None => return false,
            },
        };
        for step in &lvalue.path {
            match step {
                Step::Field(number) => {
                    let Type::Record(record) = program.types.get(ty) else { return false };
                    if program.types.records[*record].kind == ir::RecordKind::Union {
                        return false;
                    }
                    self.members.insert((ty, *number));
                    let fields = program.types.records[*record].fields.as_ref();
                    let Some(field) = fields.and_then(|fields| fields.get(*number as usize)) else { return false };
                    ty = field.ty;
                }
                Step::Index(_) => match program.types.element(ty) {
                    Some(of) => ty = of,
                    None => return false,
                },
            }
        }
        true
    }
}

/// Whether a value is what an allocation has just given, which is whatever it is used as.
fn is_new(program: &Program, id: FunctionId, body: &Block, value: &Expr) -> bool {
    let ExprKind::Load(lvalue) = &value.kind else { return false };
    let Some(local) = lvalue.as_local() else { return false };
    if program.functions[id].locals[local].kind != ir::LocalKind::Temporary {
        return false;
    }
    let mut only = true;
    body.walk(&mut |stmt| match &stmt.kind {
        StmtKind::Assign { target, .. } => only &= target.as_local() != Some(local),
        StmtKind::Call { result: Some(target), callee, .. } if target.as_local() == Some(local) => {
            only &= library_name(program, callee).is_some_and(|name| ["malloc", "calloc"].contains(&name));
        }
        _ => {}
    });
    only
}

/// Whether an argument leads to characters, whatever it is converted to.
fn sees_characters(program: &Program, arg: &Expr) -> bool {
    let mut arg = arg;
    while let ExprKind::Convert { value, .. } = &arg.kind {
        if leads_to_characters(program, arg.ty) {
            return true;
        }
        arg = value;
    }
    leads_to_characters(program, arg.ty)
}

/// The object that a statement sets.
fn target(stmt: &Stmt) -> Option<&Lvalue> {
    match &stmt.kind {
        StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
        StmtKind::Call { result, .. } => result.as_ref(),
        _ => None,
    }
}

/// Whether an object is a member of a union, which may be characters and something else.
fn has_union(program: &Program, id: FunctionId, lvalue: &Lvalue) -> bool {
    let types = &program.types;
    let mut ty = match &lvalue.base {
        Base::Local(local) => program.functions[id].locals[*local].ty,
        Base::Global(global) => program.globals[*global].ty,
        Base::Deref(pointer) => match types.pointee(pointer.ty) {
            Some(to) => to,
            None => return true,
        },
    };
    for step in &lvalue.path {
        let next = match (step, types.get(ty)) {
            (Step::Index(_), _) => types.element(ty),
            (Step::Field(number), Type::Record(record)) if types.records[*record].kind == ir::RecordKind::Struct => {
                types.records[*record].fields.as_ref().and_then(|fields| Some(fields.get(*number as usize)?.ty))
            }
            _ => None,
        };
        match next {
            Some(next) => ty = next,
            None => return true,
        }
    }
    false
}

/// Whether a call writes to a stream and nowhere else: `%n` would write to what an argument leads to.
fn is_printed(program: &Program, name: &str, args: &[Expr], result: Option<&Lvalue>) -> bool {
    let is_stream =
        |arg: &Expr| matches!(program.types.pointee(arg.ty).map(|to| program.types.get(to)), Some(Type::Record(_)));
    let is_plain = |arg: &Expr| !program.types.is_pointer(arg.ty) || sees_characters(program, arg) || is_stream(arg);
    PRINTS.contains(&name) && result.is_none() && args.iter().all(is_plain)
}

/// Whether all that the pointers among the arguments lead to has one type.
fn is_alike(program: &Program, args: &[Expr]) -> bool {
    let led = |arg: &Expr| program.types.pointee(crate::assigned::unconverted(&program.types, arg).ty);
    let mut types = args.iter().filter_map(led);
    types.next().is_none_or(|first| types.all(|other| other == first))
}

fn is_replaced(name: &str) -> bool {
    FILLS.contains(&name) || READS.contains(&name) || PRINTS.contains(&name)
}

fn library_name<'p>(program: &'p Program, callee: &Callee) -> Option<&'p str> {
    let Callee::Function(id) = callee else { return None };
    let function = &program.functions[*id];
    function.body.is_none().then(|| function.name.strip_prefix("__builtin_").unwrap_or(&function.name))
}

/// Functions of the library that fill a buffer of characters, that read some, and that release memory.
const FILLS: [&str; 7] = ["memcpy", "memmove", "memset", "strcpy", "strncpy", "strcat", "strncat"];
const READS: [&str; 9] =
    ["strlen", "strnlen", "strcmp", "strncmp", "memcmp", "strcasecmp", "strncasecmp", "strspn", "strcspn"];
/// Those that write to streams alone.
const PRINTS: [&str; 5] = ["printf", "fprintf", "puts", "fputs", "perror"];
const RELEASES: [&str; 2] = ["free", "realloc"];

struct Rewriting<'a> {
    program: &'a Program,
    id: FunctionId,
    function: &'a mut Function,
    exposed: &'a Exposed,
    count: &'a mut usize,
}

impl Rewriting<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            for inner in stmt.blocks_mut() {
                self.block(inner);
            }
            if let StmtKind::Loop(looped) = &mut stmt.kind
                && let Some(cond) = &mut looped.cond
            {
                // The condition is read in every round, before which `pre` runs.
                let mut before = Vec::new();
                self.expr(cond, &mut before);
                looped.pre.stmts.extend(before);
                stmts.push(stmt);
                continue;
            }
            if self.is_dropped(&stmt) {
                *self.count += 1;
                if let StmtKind::Call { result: Some(target), callee, args } = stmt.kind {
                    let name = library_name(self.program, &callee).unwrap_or_default();
                    let given = match FILLS.contains(&name) {
                        // They return where they wrote.
                        true => args.into_iter().next().map(|value| {
                            let value = Expr::new(
                                ExprKind::Convert { value: Box::new(value), explicit: true },
                                target.ty,
                                stmt.span,
                            );
                            StmtKind::Assign { target: target.clone(), value }
                        }),
                        false => None,
                    };
                    let any = StmtKind::Call {
                        result: Some(target),
                        callee: Callee::Intrinsic(Intrinsic::Nondet),
                        args: Vec::new(),
                    };
                    stmts.push(Stmt::new(given.unwrap_or(any), stmt.span));
                }
                continue;
            }
            let mut before = Vec::new();
            for expr in stmt.exprs_mut() {
                self.expr(expr, &mut before);
            }
            stmts.extend(before);
            stmts.push(stmt);
        }
        block.stmts = stmts;
    }

    fn is_dropped(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Assign { target, .. } => self.is_buffer(target),
            StmtKind::Call { result, callee, args } => {
                let Some(name) = library_name(self.program, callee) else { return false };
                if READS.contains(&name) {
                    return result.is_some();
                }
                FILLS.contains(&name) && args.first().is_some_and(|arg| sees_characters(self.program, arg))
                    || is_printed(self.program, name, args, result.as_ref())
            }
            _ => false,
        }
    }

    /// A character behind a pointer, and no member of a record.
    fn is_buffer(&self, lvalue: &Lvalue) -> bool {
        let Base::Deref(_) = lvalue.base else { return false };
        let of_record = lvalue.path.iter().any(|step| matches!(step, Step::Field(_)));
        !of_record && is_character(self.program, lvalue.ty)
    }

    /// Whether what is read is any value.
    fn is_anything(&self, lvalue: &Lvalue) -> bool {
        if !is_character(self.program, lvalue.ty) {
            return false;
        }
        if self.is_buffer(lvalue) {
            return true;
        }
        let is_exposed = match lvalue.base {
            Base::Local(local) => self.exposed.locals.contains(&(self.id, local)),
            Base::Global(global) => self.exposed.globals.contains(&global),
            Base::Deref(_) => false,
        };
        is_exposed || self.goes_through_exposed(lvalue)
    }

    fn goes_through_exposed(&self, lvalue: &Lvalue) -> bool {
        let types = &self.program.types;
        let mut ty = match &lvalue.base {
            Base::Local(local) => self.function.locals[*local].ty,
            Base::Global(global) => self.program.globals[*global].ty,
            Base::Deref(pointer) => match types.pointee(pointer.ty) {
                Some(to) => to,
                None => return true,
            },
        };
        for step in &lvalue.path {
            match step {
                Step::Field(number) => {
                    if self.exposed.members.contains(&(ty, *number)) {
                        return true;
                    }
                    let Type::Record(record) = types.get(ty) else { return true };
                    let fields = types.records[*record].fields.as_ref();
                    let Some(field) = fields.and_then(|fields| fields.get(*number as usize)) else { return true };
                    ty = field.ty;
                }
                Step::Index(_) => match types.element(ty) {
                    Some(of) => ty = of,
                    None => return true,
                },
            }
        }
        false
    }

    /// Replaces what is read of buffers by variables that hold anything, which the statements before set.
    fn expr(&mut self, expr: &mut Expr, before: &mut Vec<Stmt>) {
        if let ExprKind::Load(lvalue) = &expr.kind
            && self.is_anything(lvalue)
        {
            *self.count += 1;
            let local = self.function.locals.push(Local::temporary(expr.ty, expr.span));
            let place = Lvalue::local(local, expr.ty, expr.span);
            before.push(Stmt::new(
                StmtKind::Call {
                    result: Some(place.clone()),
                    callee: Callee::Intrinsic(Intrinsic::Nondet),
                    args: Vec::new(),
                },
                expr.span,
            ));
            *expr = Expr::load(place);
            return;
        }
        for child in expr.children_mut() {
            self.expr(child, before);
        }
    }
}
