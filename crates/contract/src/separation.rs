//! Which pointers of a program may lead to one object, told by the types of what is read and written through them.
//!
//! *Question*: may a parameter that leads to one object be given a copy of it, so that nothing but the parameter leads to
//! the copy, and no run does anything else?
//!
//! A pointer comes from a parameter of the entry, out of memory, out of a call, from the address of a global, or from a
//! number; all others are made of these. An object is accessed as what it holds (C17 6.5p7): through two pointers of
//! unlike types no defined run accesses one object, unless as characters. So two sources *may meet* if some type that the
//! program accesses through pointers, or as part of a global that pointers may lead to, is among what both lead to.
//!
//! *Guarantee*: where [`Sources::meetings`] is [`Meetings::None`], every defined run accesses what each of the parameters
//! leads to through that parameter alone. *Cost*: one walk over the bodies.

use crate::assigned::plain_name;
use crate::buffers::is_character;
use ir::{Base, Callee, Expr, ExprKind, FunctionId, IntKind, Lvalue, Program, StmtKind, Type, TypeId};
use std::collections::BTreeSet;

/// What a scalar is accessed as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Leaf {
    /// Anything may be looked at as characters.
    Character,
    /// An integer of so many bytes, signed or not.
    Integer(u64),
    Float(ir::FloatKind),
    Pointer,
}

/// What a pointer may lead to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Leaves {
    Any,
    These(BTreeSet<Leaf>),
}

/// Which parameters may meet others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meetings {
    None,
    /// Parameters with parameters or with globals, and nothing else.
    Named,
    /// Pointers out of memory with parameters, or with each other; or it is not known.
    Others,
}

/// Where the pointers of a program come from.
pub struct Sources {
    parameters: Vec<Leaves>,
    globals: BTreeSet<Leaves>,
    others: BTreeSet<Leaves>,
    accessed: BTreeSet<Leaf>,
    /// Whether all that is called is there or listed.
    is_known: bool,
}

impl Sources {
    /// Those of a program that starts at the entry, with the functions that it reaches. With `apart`, characters are
    /// left out: they are taken to be in buffers of their own.
    pub fn of(program: &Program, entry: FunctionId, functions: &[FunctionId], apart: bool) -> Sources {
        let mut found = Sources {
            parameters: Vec::new(),
            globals: BTreeSet::new(),
            others: BTreeSet::new(),
            accessed: BTreeSet::new(),
            is_known: program.data.strict_aliasing && !program.types.has_volatile_parts,
        };
        let exposed = ir::exposed_globals(program);
        let mut converted = BTreeSet::new();
        for &id in functions {
            let function = &program.functions[id];
            let Some(body) = &function.body else { continue };
            let ours = crate::harness::is_ours(&function.name);
            body.walk(&mut |stmt| {
                found.is_known &= stmt.obstacle().is_none();
                let mut given = Vec::new();
                match &stmt.kind {
                    StmtKind::Assign { target, .. } | StmtKind::Zero(target) => found.access(program, &exposed, target),
                    StmtKind::Call { callee, args, result } => {
                        result.iter().for_each(|target| found.access(program, &exposed, target));
                        if found.library(program, callee, args, result.as_ref()) {
                            given.extend(args.iter().map(std::ptr::from_ref));
                        }
                    }
                    _ => {}
                }
                // Harnesses compare pointers that they keep, and look at nothing through those.
                let keeps = ours && crate::harness::is_kept(function, stmt);
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| {
                        let passed = ours || given.contains(&std::ptr::from_ref(part));
                        found.part(program, &exposed, part, keeps, (!passed).then_some(&mut converted));
                    });
                }
            });
        }
        let function = &program.functions[entry];
        let led = |param: &ir::LocalId| program.types.pointee(function.locals[*param].ty);
        found.parameters = function.params.iter().filter_map(led).map(|to| leaves(program, to, &converted)).collect();
        let is_source = |own: &Leaves| found.others.contains(own) || found.globals.contains(own);
        if converted.iter().any(|ty| is_source(&leaves(program, *ty, &BTreeSet::new()))) {
            found.others.insert(Leaves::Any);
        }
        if apart {
            found.accessed.remove(&Leaf::Character);
        }
        found
    }

    pub fn meetings(&self) -> Meetings {
        let meets = |a: &Leaves, others: &BTreeSet<Leaves>| others.iter().any(|b| self.may_meet(a, b));
        if !self.is_known || self.parameters.iter().any(|a| meets(a, &self.others)) {
            return Meetings::Others;
        }
        let each_other = |(k, a): (usize, &Leaves)| self.parameters[k + 1..].iter().any(|b| self.may_meet(a, b));
        let mut parameters = self.parameters.iter().enumerate();
        if !self.parameters.iter().any(|a| meets(a, &self.globals)) && !parameters.any(each_other) {
            return Meetings::None;
        }
        // What is assumed of parameters would be taken of pointers out of memory, too.
        match self.others.iter().any(|a| meets(a, &self.others)) {
            true => Meetings::Others,
            false => Meetings::Named,
        }
    }

    fn may_meet(&self, a: &Leaves, b: &Leaves) -> bool {
        let has = |leaves: &Leaves, leaf: &Leaf| match leaves {
            Leaves::Any => true,
            Leaves::These(these) => these.contains(leaf),
        };
        self.accessed.iter().any(|leaf| match leaf {
            Leaf::Character => has(a, leaf) || has(b, leaf),
            _ => has(a, leaf) && has(b, leaf),
        })
    }

    /// An object that is read or written: through a pointer, or by the name of a global that pointers may lead to.
    fn access(&mut self, program: &Program, exposed: &BTreeSet<ir::GlobalId>, lvalue: &Lvalue) {
        let own = leaves(program, lvalue.ty, &BTreeSet::new());
        match &lvalue.base {
            Base::Local(_) => return,
            Base::Global(id) if !exposed.contains(id) => return,
            Base::Global(_) => {
                self.globals.insert(own.clone());
            }
            Base::Deref(_) => {}
        }
        match own {
            Leaves::Any => self.is_known = false,
            Leaves::These(these) => self.accessed.extend(these),
        }
    }

    /// A part of an expression: what it reads, and the pointer that it is a source of.
    fn part(
        &mut self,
        program: &Program,
        exposed: &BTreeSet<ir::GlobalId>,
        part: &Expr,
        keeps: bool,
        converted: Option<&mut BTreeSet<TypeId>>,
    ) {
        let types = &program.types;
        match &part.kind {
            ExprKind::Load(lvalue) => {
                self.access(program, exposed, lvalue);
                if lvalue.as_local().is_none()
                    && !keeps
                    && let Some(to) = types.pointee(part.ty)
                {
                    self.others.insert(leaves(program, to, &BTreeSet::new()));
                }
            }
            // What is constant is never written, so that a copy is as good.
            ExprKind::AddressOf(Lvalue { base: Base::Global(id), .. }) if exposed.contains(id) => {
                self.globals.insert(leaves(program, program.globals[*id].ty, &BTreeSet::new()));
            }
            ExprKind::Convert { value, .. } if types.is_pointer(part.ty) => match types.pointee(value.ty) {
                Some(from) if types.pointee(part.ty) == Some(from) => {}
                Some(from) => converted.into_iter().for_each(|converted| {
                    converted.insert(from);
                }),
                None if matches!(value.kind, ExprKind::Int(0)) => {}
                None => {
                    self.others.insert(Leaves::Any);
                }
            },
            _ => {}
        }
    }

    /// A call of a function that has no body: whether its arguments go no further. It accesses what they lead to.
    fn library(&mut self, program: &Program, callee: &Callee, args: &[Expr], result: Option<&Lvalue>) -> bool {
        let id = match callee {
            Callee::Function(id) if program.functions[*id].body.is_some() => return false,
            Callee::Function(id) => *id,
            Callee::Pointer(_) => {
                self.is_known = false;
                return false;
            }
            Callee::Intrinsic(_) => {
                self.is_known &= args.is_empty();
                return false;
            }
        };
        let function = &program.functions[id];
        self.is_known &= !ir::library::summary(&function.name, function.noreturn, false).anything;
        let is_new = ir::library::ALLOCATES.contains(&plain_name(function));
        if let Some(to) = result.filter(|_| !is_new).and_then(|target| program.types.pointee(target.ty)) {
            self.others.insert(leaves(program, to, &BTreeSet::new()));
        }
        for arg in args {
            let Some(to) = program.types.pointee(crate::assigned::unconverted(&program.types, arg).ty) else {
                continue;
            };
            match leaves(program, to, &BTreeSet::new()) {
                Leaves::Any => self.is_known = false,
                Leaves::These(these) => self.accessed.extend(these),
            }
        }
        true
    }
}

/// What an object of this type is made of. What is converted to another type may be made of anything.
fn leaves(program: &Program, ty: TypeId, converted: &BTreeSet<TypeId>) -> Leaves {
    let mut these = BTreeSet::new();
    if converted.contains(&ty) || !collect(program, ty, &mut these) {
        return Leaves::Any;
    }
    Leaves::These(these)
}

fn collect(program: &Program, ty: TypeId, found: &mut BTreeSet<Leaf>) -> bool {
    let types = &program.types;
    let leaf = match types.get(ty) {
        _ if is_character(program, ty) => Leaf::Character,
        Type::Int(IntKind::Bool) => Leaf::Integer(1),
        Type::Int(kind) => Leaf::Integer(kind.bytes()),
        Type::Float(kind) => Leaf::Float(*kind),
        Type::Pointer { .. } => Leaf::Pointer,
        Type::Array { of, .. } => return collect(program, *of, found),
        Type::Record(record) => match &types.records[*record].fields {
            Some(fields) => return fields.iter().all(|field| collect(program, field.ty, found)),
            None => return false,
        },
        Type::Function(_) => return true,
        Type::Void => return false,
    };
    found.insert(leaf);
    true
}
