//! Which C functions and types are operations and sorts of the rules.
//!
//! A C function is the operation or constructor of its name. The sorts of its arguments and result say which sort each
//! C type stands for: integers are `int` or `bool`; every other sort is a pointer or a struct, the same for all
//! functions. `struct tree` and pointers to it stand for the sort `tree` if there is one.
//!
//! A function without a result may update a variable instead: `void push(tree t, stack *s)` is `*s = push(t, *s)` if the
//! rules say that `push` gives a stack. A function without a result that the rules do not know has no effect.

use super::error::PathError;
use ir::{Function, FunctionId, GlobalId, Program, Type, TypeId};
use rewriting::{Signature, SortId, SymbolId, SymbolKind};
use std::collections::{BTreeMap, HashMap};

/// What a call of a C function means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The value of the operation.
    Value(SymbolId),
    /// The variable whose address is this argument gets the value of the operation.
    Update(SymbolId, usize),
    /// Nothing happens to the state.
    NoEffect,
    /// The body says it.
    Body,
}

#[derive(Clone, Debug)]
pub struct Operations {
    meanings: BTreeMap<FunctionId, Meaning>,
    sorts: HashMap<TypeId, SortId>,
    constants: BTreeMap<GlobalId, SymbolId>,
}

impl Operations {
    /// Compares the declarations with the rules; the first disagreement is an error.
    pub fn new(program: &Program, signature: &Signature) -> Result<Operations, PathError> {
        let mut operations =
            Operations { meanings: BTreeMap::new(), sorts: HashMap::new(), constants: BTreeMap::new() };
        operations.sorts_by_tag(program, signature);
        for (id, function) in program.functions.iter() {
            let meaning = match signature.find_symbol(&function.name) {
                Some(symbol) => operations.operation(program, signature, function, symbol)?,
                None if function.body.is_some() => Meaning::Body,
                None => {
                    let result = program.types.signature(function.ty).map(|s| s.result);
                    if result.is_some_and(|ty| program.types.is_void(ty)) { Meaning::NoEffect } else { continue }
                }
            };
            operations.meanings.insert(id, meaning);
        }
        for (id, global) in program.globals.iter() {
            let constant = signature.find_symbol(&global.name);
            if let Some(symbol) = constant.filter(|s| global.init.is_none() && signature.symbol(*s).args.is_empty()) {
                let what = format!("`{}`", global.name);
                let error = operations.agree(program, signature, global.ty, signature.symbol(symbol).result, &what);
                error.map_err(|message| at_rules(PathError::sort(global.span, message), signature, symbol))?;
                operations.constants.insert(id, symbol);
            }
        }
        Ok(operations)
    }

    fn sorts_by_tag(&mut self, program: &Program, signature: &Signature) {
        let tagged = |ty: TypeId| match program.types.get(ty) {
            Type::Record(record) => signature.find_sort(&program.types.records[*record].name),
            _ => None,
        };
        for (id, ty) in program.types.iter() {
            let sort = match ty {
                Type::Pointer { to, .. } => tagged(*to),
                _ => tagged(id),
            };
            if let Some(sort) = sort.filter(|sort| *sort != SortId::BOOL && *sort != SortId::INT) {
                self.sorts.insert(id, sort);
            }
        }
    }

    fn operation(
        &mut self,
        program: &Program,
        signature: &Signature,
        function: &Function,
        symbol: SymbolId,
    ) -> Result<Meaning, PathError> {
        let types = &program.types;
        let (name, own) = (&function.name, signature.symbol(symbol));
        let c = types.signature(function.ty).expect("a function should have a function type");
        let kind = if own.kind == SymbolKind::Constructor { "constructor" } else { "operation" };
        // The rules alone may not tell a sort; the reader of rules then makes one up.
        let untold = own.args.iter().chain([&own.result]).any(|sort| signature.is_untold(*sort));
        let wrong = |message: String| {
            let error = at_rules(PathError::sort(function.span, message), signature, symbol);
            match untold {
                true => error
                    .with_help(format!("the rules do not tell all its sorts: declare them, `op {name} : ... -> ...`")),
                false => error,
            }
        };
        if c.variadic || c.params.len() != own.args.len() {
            let (given, wanted) = (c.params.len(), own.args.len());
            return Err(wrong(format!("`{name}` has {given} parameters in C, and the {kind} has {wanted} arguments")));
        }
        let update = if types.is_void(c.result) {
            let updated = |(index, param): (usize, &TypeId)| {
                let pointee = types.pointee(*param)?;
                let fits = own.args[index] == own.result && !types.is_void(pointee);
                let known = self.sorts.get(&pointee).is_none_or(|sort| *sort == own.result);
                (fits && known).then_some(index)
            };
            let found: Vec<usize> = c.params.iter().enumerate().filter_map(updated).collect();
            match found[..] {
                [index] => Some(index),
                _ => {
                    let sort = &signature.sort(own.result).name;
                    return Err(wrong(format!("`{name}` returns nothing in C, and the {kind} gives a `{sort}`"))
                        .with_help(format!(
                            "declare it with a result, or with one argument that is a pointer to the {sort} it changes"
                        )));
                }
            }
        } else {
            self.agree(program, signature, c.result, own.result, &format!("the result of `{name}`")).map_err(wrong)?;
            None
        };
        for (index, (param, sort)) in c.params.iter().zip(&own.args).enumerate() {
            let ty = if update == Some(index) { types.pointee(*param).unwrap_or(*param) } else { *param };
            let what = format!("argument {} of `{name}`", index + 1);
            self.agree(program, signature, ty, *sort, &what).map_err(wrong)?;
        }
        Ok(update.map_or(Meaning::Value(symbol), |index| Meaning::Update(symbol, index)))
    }

    /// The C type stands for the sort, from now on if nothing is known.
    fn agree(
        &mut self,
        program: &Program,
        signature: &Signature,
        ty: TypeId,
        sort: SortId,
        what: &str,
    ) -> Result<(), String> {
        let types = &program.types;
        let name = |sort: SortId| &signature.sort(sort).name;
        let mismatch =
            || format!("{what} is `{}` in C, and of sort `{}` in the rules", c_name(program, ty), name(sort));
        if sort == SortId::BOOL || sort == SortId::INT {
            return if types.int_kind(ty).is_some() { Ok(()) } else { Err(mismatch()) };
        }
        if !matches!(types.get(ty), Type::Pointer { .. } | Type::Record(_)) {
            return Err(mismatch());
        }
        match self.sorts.get(&ty) {
            Some(known) if *known == sort => Ok(()),
            Some(known) => Err(format!(
                "{what} is `{}` in C, which stands for the sort `{}`, and of sort `{}` in the rules",
                c_name(program, ty),
                name(*known),
                name(sort)
            )),
            None => {
                // The same type with or without `const`.
                for (other, known) in types.iter() {
                    let same = other == ty
                        || matches!((known, types.get(ty)), (Type::Pointer { to: a, .. }, Type::Pointer { to: b, .. }) if a == b);
                    if same {
                        self.sorts.insert(other, sort);
                    }
                }
                Ok(())
            }
        }
    }

    pub fn meaning(&self, function: FunctionId) -> Option<Meaning> {
        self.meanings.get(&function).copied()
    }

    /// The sort of values of a C type.
    pub fn sort(&self, program: &Program, ty: TypeId) -> Option<SortId> {
        match program.types.get(ty) {
            Type::Int(ir::IntKind::Bool) => Some(SortId::BOOL),
            // Its values are kept as bit patterns, which terms do not know.
            Type::Int(ir::IntKind::UInt128) => None,
            Type::Int(_) => Some(SortId::INT),
            _ => self.sorts.get(&ty).copied(),
        }
    }

    /// The constant that an undefined global variable stands for.
    pub fn constant(&self, global: GlobalId) -> Option<SymbolId> {
        self.constants.get(&global).copied()
    }
}

fn at_rules(mut error: PathError, signature: &Signature, symbol: SymbolId) -> PathError {
    let at = signature.symbol(symbol).at;
    error.rules = (at.line > 0).then_some((at.line, at.column));
    error
}

/// The type as C writes it, near enough to be recognised.
pub fn c_name(program: &Program, ty: TypeId) -> String {
    match program.types.get(ty) {
        Type::Void => "void".to_string(),
        Type::Int(kind) => kind.c_name().to_string(),
        Type::Float(kind) => kind.c_name().to_string(),
        Type::Pointer { to, to_const } => {
            let inner = c_name(program, *to);
            let star = if inner.ends_with('*') { "*" } else { " *" };
            format!("{}{inner}{star}", if *to_const { "const " } else { "" })
        }
        Type::Array { of, .. } => format!("{}[]", c_name(program, *of)),
        Type::Record(record) => {
            let record = &program.types.records[*record];
            let kind = if record.kind == ir::RecordKind::Union { "union" } else { "struct" };
            format!("{kind} {}", if record.name.is_empty() { "…" } else { &record.name })
        }
        Type::Function(_) => "a function".to_string(),
    }
}
