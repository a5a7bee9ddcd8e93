//! What a contract can speak of: the numbers and pointers that a caller sees before and after a call.
//!
//! Parameters and what they lead to, members of records behind them, the globals a function names, its result and what
//! that leads to. Each is a [`Term`]: as ACSL writes it, and as C that computes it in a harness.

use exec::ValueType;
use ir::{FunctionId, GlobalKind, LocalKind, Program, RecordKind, Type, TypeId};

/// Members of one record that are looked at.
const MOST_MEMBERS: usize = 10;
/// Records inside records.
const DEPTH: u32 = 2;
const MOST_GLOBALS: usize = 8;

/// A value that a contract may name.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// As ACSL writes it, in the state after the call.
    pub text: String,
    /// As C writes it.
    pub c: String,
    pub ty: Shape,
    /// The pointers, in C, that must not be null for it to have a value.
    pub needs: Vec<String>,
    /// A parameter: the caller's copy of it cannot change.
    pub is_parameter: bool,
    /// It is or belongs to the result.
    pub of_result: bool,
    /// Whether a call may change it.
    pub changes: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    Number(ValueType),
    /// A pointer, and what it leads to.
    Pointer(TypeId),
}

impl Term {
    pub fn number(&self) -> Option<ValueType> {
        match self.ty {
            Shape::Number(ty) => Some(ty),
            Shape::Pointer(_) => None,
        }
    }

    /// The name of the member that it is, if it is one.
    pub fn member(&self) -> Option<&str> {
        let (_, name) = self.text.rsplit_once(['>', '.'])?;
        Some(name)
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self.ty, Shape::Pointer(_))
    }
}

/// The terms of a function, the result's last.
pub fn terms(program: &Program, function: FunctionId, named: &[ir::GlobalId]) -> Vec<Term> {
    let about = &program.functions[function];
    let types = &program.types;
    let mut terms = Vec::new();
    for param in &about.params {
        let local = &about.locals[*param];
        debug_assert!(local.kind == LocalKind::Parameter, "parameters should be the first locals");
        let Some(ty) = shape(program, local.ty) else { continue };
        let own = Term {
            text: local.name.clone(),
            c: local.name.clone(),
            ty,
            needs: Vec::new(),
            is_parameter: true,
            of_result: false,
            changes: false,
        };
        terms.push(own.clone());
        let Shape::Pointer(to) = ty else { continue };
        behind(program, &own, to, DEPTH, &mut terms);
    }
    let is_number = |id: &&ir::GlobalId| {
        let global = &program.globals[**id];
        let plain = global.kind == GlobalKind::Variable && !global.is_const && !global.is_volatile;
        plain && global.init.is_some() && shape(program, global.ty).is_some()
    };
    for id in named.iter().filter(is_number).take(MOST_GLOBALS) {
        let global = &program.globals[*id];
        let Some(ty) = shape(program, global.ty) else { continue };
        let name = global.name.clone();
        terms.push(Term {
            text: name.clone(),
            c: name,
            ty,
            needs: Vec::new(),
            is_parameter: false,
            of_result: false,
            changes: false,
        });
    }
    if let Some(ty) = types.signature(about.ty).and_then(|signature| shape(program, signature.result)) {
        let own = Term {
            text: "\\result".to_string(),
            c: "plumb_r".to_string(),
            ty,
            needs: Vec::new(),
            is_parameter: false,
            of_result: true,
            changes: false,
        };
        terms.push(own.clone());
        if let Shape::Pointer(to) = ty
            && matches!(types.get(to), Type::Record(_))
        {
            behind(program, &own, to, 1, &mut terms);
        }
    }
    terms
}

/// What stands behind a pointer: a number, or the members of a record.
fn behind(program: &Program, pointer: &Term, to: TypeId, depth: u32, terms: &mut Vec<Term>) {
    let types = &program.types;
    let mut needs = pointer.needs.clone();
    needs.push(pointer.c.clone());
    let at = |text: String, c: String, ty: Shape| Term {
        text,
        c,
        ty,
        needs: needs.clone(),
        is_parameter: false,
        of_result: pointer.of_result,
        changes: false,
    };
    match types.get(to) {
        // One character is rarely what a `char *` is about.
        Type::Int(kind) if kind.bytes() > 1 => {
            if let Some(ty) = shape(program, to) {
                terms.push(at(format!("*{}", pointer.text), format!("*{}", pointer.c), ty));
            }
        }
        Type::Float(_) | Type::Pointer { .. } => {
            if let Some(ty) = shape(program, to) {
                terms.push(at(format!("*{}", pointer.text), format!("*{}", pointer.c), ty));
            }
        }
        Type::Record(record) => {
            let record = &types.records[*record];
            if record.kind == RecordKind::Union || depth == 0 {
                return;
            }
            for field in record.fields.iter().flatten().filter(|field| !field.name.is_empty()).take(MOST_MEMBERS) {
                let text = format!("{}->{}", pointer.text, field.name);
                let c = format!("{}->{}", pointer.c, field.name);
                members(program, &at(text, c, Shape::Pointer(field.ty)), field.ty, depth, terms);
            }
        }
        _ => {}
    }
}

/// A member that is a number or a pointer, or those of a record that is a member.
fn members(program: &Program, here: &Term, ty: TypeId, depth: u32, terms: &mut Vec<Term>) {
    if let Some(shape) = shape(program, ty) {
        terms.push(Term { ty: shape, ..here.clone() });
        return;
    }
    let Type::Record(record) = program.types.get(ty) else { return };
    let record = &program.types.records[*record];
    if record.kind == RecordKind::Union || depth <= 1 {
        return;
    }
    for field in record.fields.iter().flatten().filter(|field| !field.name.is_empty()).take(MOST_MEMBERS) {
        let inner = Term {
            text: format!("{}.{}", here.text, field.name),
            c: format!("{}.{}", here.c, field.name),
            ..here.clone()
        };
        members(program, &inner, field.ty, depth - 1, terms);
    }
}

/// What a value of this type is to a contract. The widest integers and `long double` are left out: few readers of ACSL
/// know them.
fn shape(program: &Program, ty: TypeId) -> Option<Shape> {
    match program.types.get(ty) {
        Type::Int(kind) if kind.bytes() <= 8 => Some(Shape::Number(ValueType::Int(*kind))),
        Type::Float(kind) if *kind != ir::FloatKind::Extended => Some(Shape::Number(ValueType::Float(*kind))),
        Type::Pointer { to, .. } if !matches!(program.types.get(*to), Type::Function(_)) => Some(Shape::Pointer(*to)),
        _ => None,
    }
}
