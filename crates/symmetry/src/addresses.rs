//! Addresses that are looked at as numbers. They differ from process to process, and with what was called before.
//!
//! *Guarantee*: where no statement of a function is one that reads addresses, no number in it depends on where an object lies, as
//! long as pointers into different objects are not ordered and memory is read as the type it was written as.

use ir::{
    Base, Callee, Expr, ExprKind, Function, FunctionId, GlobalKind, InitValue, IntKind, Lvalue, Program, RecordKind,
    Stmt, StmtKind, Type, TypeId,
};

/// Library functions that may be given an object with pointers in it as one without a type, and do not look into it.
const LOOK_AT_NO_BYTES: [&str; 8] =
    ["free", "realloc", "reallocarray", "qsort", "qsort_r", "bsearch", "memset", "bzero"];

/// Library functions that copy bytes: pointers stay pointers where both sides have the same type.
const COPY: [&str; 3] = ["memcpy", "memmove", "mempcpy"];

/// Library functions whose formats may print an address.
const FORMATTED: [&str; 14] = [
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "asprintf",
    "dprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "vasprintf",
    "__sprintf_chk",
    "__snprintf_chk",
    "__printf_chk",
];

/// Whether the statement makes a number of an address.
pub fn are_read(program: &Program, function: &Function, stmt: &Stmt) -> bool {
    let mut is_read = false;
    let mut harmless: Vec<*const Expr> = Vec::new();
    if let StmtKind::Call { callee: Callee::Function(id), args, .. } = &stmt.kind {
        is_read |= prints_address(program, *id, args);
        if looks_at_no_bytes(program, *id, args) {
            harmless.extend(args.iter().map(std::ptr::from_ref));
        }
    }
    for expr in stmt.exprs() {
        expr.walk(&mut |part| {
            is_read |= match &part.kind {
                ExprKind::Convert { value, .. } => {
                    is_number_of_address(program, part, value)
                        || hides_pointers(program, part, value) && !harmless.contains(&std::ptr::from_ref(part))
                }
                ExprKind::Load(lvalue) => is_other_member(program, function, lvalue),
                _ => false,
            }
        });
    }
    is_read
}

fn is_number_of_address(program: &Program, whole: &Expr, value: &Expr) -> bool {
    program.types.is_pointer(value.ty)
        && !program.types.is_pointer(whole.ty)
        && is_address(value)
        && !matches!(program.types.get(whole.ty), Type::Void | Type::Int(IntKind::Bool))
}

/// Whether a pointer comes from an object, not from a number as in `offsetof`.
fn is_address(pointer: &Expr) -> bool {
    let mut is_address = false;
    pointer.walk(&mut |part| match &part.kind {
        ExprKind::Load(_) | ExprKind::Function(_) => is_address = true,
        ExprKind::AddressOf(lvalue) => is_address |= !matches!(lvalue.base, Base::Deref(_)),
        _ => {}
    });
    is_address
}

/// Whether an object with pointers in it is pointed to as if it had none.
fn hides_pointers(program: &Program, whole: &Expr, value: &Expr) -> bool {
    let (Some(to), Some(from)) = (program.types.pointee(whole.ty), program.types.pointee(value.ty)) else {
        return false;
    };
    program.types.holds_pointers(from) && !program.types.matches(program.types.innermost(from), to) && {
        let first = first_member(program, from);
        !first.contains(&to)
    }
}

/// The types that lie at the start of an object: a pointer to one of them hides nothing that it does not hold itself.
fn first_member(program: &Program, ty: TypeId) -> Vec<TypeId> {
    let mut first = vec![ty];
    let mut at = ty;
    loop {
        at = match program.types.get(at) {
            Type::Array { of, .. } => *of,
            Type::Record(id) if program.types.records[*id].kind == RecordKind::Struct => {
                match program.types.records[*id].fields.iter().flatten().next() {
                    Some(field) => field.ty,
                    None => return first,
                }
            }
            _ => return first,
        };
        first.push(at);
    }
}

/// Whether a number is read from a union that may hold a pointer there.
fn is_other_member(program: &Program, function: &Function, lvalue: &Lvalue) -> bool {
    let types = &program.types;
    if types.holds_pointers(lvalue.ty) {
        return false;
    }
    let Some(mut at) = program.base_type(Some(&function.locals), &lvalue.base) else { return true };
    for step in &lvalue.path {
        if let Type::Record(id) = types.get(at)
            && types.records[*id].kind == RecordKind::Union
            && types.holds_pointers(at)
        {
            return true;
        }
        let Some(next) = types.step(at, step) else { return true };
        at = next;
    }
    false
}

fn looks_at_no_bytes(program: &Program, callee: FunctionId, args: &[Expr]) -> bool {
    if program.functions[callee].body.is_some() {
        return false;
    }
    let name = plain(&program.functions[callee].name);
    LOOK_AT_NO_BYTES.contains(&name)
        || COPY.contains(&name)
            && matches!(args, [to, from, ..] if pointed_to(program, to) == pointed_to(program, from))
}

fn plain(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

/// What an argument points to, before it was converted to a pointer without a type.
fn pointed_to(program: &Program, argument: &Expr) -> Option<TypeId> {
    let pointer = match &argument.kind {
        ExprKind::Convert { value, .. } if program.types.is_pointer(value.ty) => value,
        _ => argument,
    };
    program.types.pointee(pointer.ty).map(|to| program.types.innermost(to))
}

/// Whether a call may print an address: it has a pointer to print, and its format says so or is not known.
fn prints_address(program: &Program, callee: FunctionId, args: &[Expr]) -> bool {
    if program.functions[callee].body.is_some() || !FORMATTED.contains(&plain(&program.functions[callee].name)) {
        return false;
    }
    // The format is the last parameter before what it prints, be that arguments or a list of them.
    let signature = program.types.signature(program.functions[callee].ty);
    let format = signature.and_then(|taken| args.get(taken.params.len().checked_sub(2 - usize::from(taken.variadic))?));
    match format.and_then(|format| literal(program, format)) {
        Some(format) => converts_pointer(format),
        None => args.iter().filter(|argument| program.types.is_pointer(argument.ty)).count() > 1,
    }
}

/// The bytes of the string literal that an argument is.
fn literal<'p>(program: &'p Program, argument: &Expr) -> Option<&'p [u8]> {
    let mut pointer = argument;
    while let ExprKind::Convert { value, .. } = &pointer.kind {
        pointer = value;
    }
    let ExprKind::AddressOf(Lvalue { base: Base::Global(id), .. }) = &pointer.kind else { return None };
    let global = &program.globals[*id];
    if global.kind != GlobalKind::StringLiteral {
        return None;
    }
    match global.init.as_ref()?.items.as_slice() {
        [] => Some(&[]),
        [item] => match &item.value {
            InitValue::Bytes(bytes) => Some(bytes),
            InitValue::Expr(_) => None,
        },
        _ => None,
    }
}

/// Whether a format has a conversion `%p`, with whatever flags.
fn converts_pointer(format: &[u8]) -> bool {
    format.split(|byte| *byte == b'%').skip(1).any(|conversion| {
        conversion.iter().find(|byte| !b"0123456789.*-+ #'hlqjzLt$".contains(byte)).is_some_and(|last| *last == b'p')
    })
}
