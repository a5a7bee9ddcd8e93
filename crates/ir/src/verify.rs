//! What a well-formed program is. Engines rely on every rule here and check none of them again.
//!
//! *Types match* if they are equal up to promises not to write and array lengths that are not fixed
//! ([`Types::matches`]). A *value* is of scalar type, or an aggregate (record or array), and then it is a `Load`.
//!
//! | rule | what holds |
//! |---|---|
//! | `id` | every id is one of the table it points into |
//! | `record` | the alignment is a power of two; fields lie inside the record, have complete types (the last may be a flexible array), and none of variable length; a bit-field has an integer type at least as wide as it, and its byte is that of its first bit |
//! | `type` | arrays are of complete elements; functions return no arrays or functions and take scalars and records |
//! | `length` | a variable length is a temporary of type `unsigned long` of the function it occurs in; it occurs in none outside functions |
//! | `constant` | an integer constant has an integer type and lies in its range; a floating constant has type `float` (and is exact in it) or `double`; an `Extended` has type `long double` and 80 bits |
//! | `load` | the object is complete, not `void`, and the type is that of the lvalue |
//! | `address` | a pointer to the type of the lvalue, which is no bit-field; for a function, a pointer to its type |
//! | `unary` | `-` on arithmetic types, `~` on integers, both in the type of the operand; `!` on scalars gives `int` |
//! | `binary` | as [`BinaryOp`] says: arithmetic on two operands of the result's type (`%` and bitwise ones on integers), shifts of integers in the left one's type, comparisons of matching scalars to `int`, pointer plus `long`, difference of matching pointers to `long` |
//! | `logical` | scalars to `int` |
//! | `conditional` | a scalar condition; both choices match the scalar type of the whole |
//! | `convert` | between arithmetic types, between pointers, between integers and pointers |
//! | `lvalue` | a dereferenced expression is a pointer; each step fits the type it is taken in; the type stated is the one at the end |
//! | `index` | an index has type `long` |
//! | `scope` | a variable is used only inside the block that lists it |
//! | `assign` | the value matches the target, which is complete; an aggregate value is a `Load` |
//! | `zero` | the object has a size |
//! | `call` | the callee is a function or a pointer to one; arguments match the parameters in number and type; further ones, and those of a function without prototype, have promoted types; a result matches what is returned, and `void` gives none; intrinsics take what [`Intrinsic`] says |
//! | `live` | not a parameter |
//! | `condition` | conditions are scalar, traced values too |
//! | `loop` | a `DoWhile` has no step |
//! | `switch` | the value is an integer, `low <= high` in its range, arms do not overlap, and their labels and the default stand in the body |
//! | `jump` | `break` is inside a loop or switch, `continue` inside a loop |
//! | `label` | every label of a function stands in its body exactly once |
//! | `return` | the value matches the function's result; a `void` function returns none. Others may too: then the call has no value, as when the end is reached |
//! | `function` | the type is a function type; the parameters are the first locals, are those of kind `Parameter`, and match the signature unless it has no prototype; a declared length is an integer over parameters, or over temporaries that the function computes first |
//! | `local` | every variable is listed by exactly one block, parameters and temporaries by none; each has a type that can hold a value |
//! | `numbering` | statements are numbered from zero in text order and `stmt_count` is their number |
//! | `global` | the type is an object type, complete if there is an initialiser |
//! | `initializer` | items ascend, lie in the object and do not overlap (bit-fields may share bytes, not bits); values are scalar and constant: no loads, no locals, no dereferences |

use crate::ctype::{FloatKind, IntKind, Length, Signature, Type, TypeId, Types};
use crate::expr::{Base, BinaryOp, Expr, ExprKind, Lvalue, Step, UnaryOp};
use crate::layout::{Record, RecordId};
use crate::program::{
    Function, FunctionId, Global, GlobalId, InitItem, InitValue, LabelId, Local, LocalId, LocalKind, Program,
};
use crate::stmt::{Arm, Block, Callee, Intrinsic, LoopKind, Stmt, StmtId, StmtKind};
use crate::typing::Implied;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use std::fmt;

/// Where a problem is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    Type(TypeId),
    Record(RecordId),
    Global(GlobalId),
    Function(FunctionId),
    Statement(FunctionId, StmtId),
}

/// A rule that does not hold. A program with problems is a mistake of whoever made it, not of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub site: Site,
    /// The rule's name in the table above.
    pub rule: &'static str,
    pub message: String,
}

impl Problem {
    /// The problem with the names of what it is about.
    pub fn describe(&self, program: &Program) -> String {
        let name = |id: FunctionId| program.functions.get(id).map_or("?", |f| f.name.as_str());
        let site = match self.site {
            Site::Type(ty) => format!("type `{}`", crate::print_type(program, None, ty)),
            Site::Record(id) => format!("record `{}` ({id})", program.types.records[id].name),
            Site::Global(id) => format!("global `{}` ({id})", program.globals[id].name),
            Site::Function(id) => format!("function `{}`", name(id)),
            Site::Statement(id, stmt) => format!("function `{}`, statement {stmt}", name(id)),
        };
        format!("{site}: {self}")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.rule)
    }
}

/// All the problems of a program, in the order of its declarations; empty if it is well-formed.
pub fn verify(program: &Program) -> Vec<Problem> {
    let mut checker = Checker::new(program);
    for (id, ty) in program.types.iter() {
        checker.site = Site::Type(id);
        checker.ty(ty);
    }
    for (id, record) in &program.types.records {
        checker.site = Site::Record(id);
        checker.record(record);
    }
    // Everything below walks types; with dangling ids inside them it could not.
    if !checker.problems.is_empty() {
        return checker.problems;
    }
    for (id, global) in &program.globals {
        checker.site = Site::Global(id);
        checker.global(global);
    }
    for id in program.functions.keys() {
        checker.function(id);
    }
    checker.problems
}

/// As [`verify`], for one function of a program whose types are known to be well-formed.
pub fn verify_function(program: &Program, id: FunctionId) -> Vec<Problem> {
    let mut checker = Checker::new(program);
    checker.function(id);
    checker.problems
}

struct Checker<'p> {
    program: &'p Program,
    types: &'p Types,
    site: Site,
    problems: Vec<Problem>,
    /// Of the function being checked.
    function: Option<&'p Function>,
    locals: Option<&'p PrimaryMap<LocalId, Local>>,
    /// The variables of the blocks around the current statement.
    in_scope: EntitySet<LocalId>,
    /// How often each label stands in the body.
    placed: SecondaryMap<LabelId, u32>,
    listed: SecondaryMap<LocalId, u32>,
    next_stmt: u32,
}

/// What a statement stands inside of.
#[derive(Clone, Copy, Default)]
struct Around {
    breakable: bool,
    continuable: bool,
}

impl<'p> Checker<'p> {
    fn new(program: &'p Program) -> Checker<'p> {
        Checker {
            program,
            types: &program.types,
            site: Site::Type(program.types.void()),
            problems: Vec::new(),
            function: None,
            locals: None,
            in_scope: EntitySet::new(),
            placed: SecondaryMap::new(),
            listed: SecondaryMap::new(),
            next_stmt: 0,
        }
    }

    fn say(&mut self, rule: &'static str, message: impl Into<String>) {
        self.problems.push(Problem { site: self.site, rule, message: message.into() });
    }

    fn require(&mut self, holds: bool, rule: &'static str, message: impl FnOnce(&Self) -> String) {
        if !holds {
            let message = message(self);
            self.say(rule, message);
        }
    }

    fn show(&self, ty: TypeId) -> String {
        crate::print_type(self.program, self.function, ty)
    }

    fn is_int(&self, ty: TypeId) -> bool {
        self.types.int_kind(ty) == Some(IntKind::Int)
    }

    fn is_long(&self, ty: TypeId) -> bool {
        self.types.int_kind(ty) == Some(IntKind::Long)
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        self.types.int_kind(ty).is_some()
    }

    fn is_function(&self, ty: TypeId) -> bool {
        self.types.signature(ty).is_some()
    }

    // Types and records.

    fn ty(&mut self, ty: &Type) {
        let known = |id: TypeId| self.types.contains(id);
        let inner: Vec<TypeId> = match ty {
            Type::Pointer { to, .. } => vec![*to],
            Type::Array { of, .. } => vec![*of],
            Type::Function(s) => s.params.iter().copied().chain([s.result]).collect(),
            _ => Vec::new(),
        };
        if !inner.into_iter().all(known) {
            return self.say("id", "the type refers to one that does not exist");
        }
        match ty {
            Type::Record(id) => {
                let exists = self.types.records.get(*id).is_some();
                self.require(exists, "id", |_| format!("there is no record {id}"));
            }
            Type::Array { of, .. } => {
                let complete = self.types.is_complete(*of);
                self.require(complete, "type", |_| "an array's elements should have a size".into());
            }
            Type::Function(Signature { result, params, .. }) => {
                let result_fits = !matches!(self.types.get(*result), Type::Array { .. } | Type::Function(_));
                self.require(result_fits, "type", |_| "a function cannot return an array or a function".into());
                let params_fit = params.iter().all(|p| self.types.is_scalar(*p) || self.is_record(*p));
                self.require(params_fit, "type", |_| "a parameter should be a scalar or a record".into());
            }
            _ => {}
        }
    }

    fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(_))
    }

    fn record(&mut self, record: &Record) {
        self.require(record.align.is_power_of_two(), "record", |_| "the alignment should be a power of two".into());
        let Some(fields) = &record.fields else { return };
        let types = self.types;
        for (index, field) in fields.iter().enumerate() {
            if !types.contains(field.ty) {
                self.say("id", "a field's type does not exist");
                continue;
            }
            let flexible =
                index + 1 == fields.len() && matches!(types.get(field.ty), Type::Array { length: Length::Unknown, .. });
            let name = &field.name;
            let fixed = types.variable_lengths(field.ty).is_empty();
            self.require(fixed, "length", |_| format!("field `{name}` has a variable length"));
            let complete = flexible || types.is_complete(field.ty);
            self.require(complete, "record", |_| format!("field `{name}` has no size"));
            match field.bits {
                None => {
                    let size = types.size_of(field.ty).unwrap_or(0);
                    let inside = field.offset.checked_add(size).is_some_and(|end| end <= record.size);
                    self.require(inside, "record", |_| format!("field `{name}` does not lie in the record"));
                }
                Some(bits) => {
                    let room = types.int_kind(field.ty).map_or(0, IntKind::bits);
                    let fits = bits.width > 0 && bits.width <= room;
                    self.require(fits, "record", |_| format!("bit-field `{name}` does not fit its type"));
                    let end = bits.offset.checked_add(bits.width as u64);
                    let inside = end.is_some_and(|end| end <= record.size.saturating_mul(8));
                    self.require(inside, "record", |_| format!("bit-field `{name}` does not lie in the record"));
                    let byte = bits.offset / 8 == field.offset;
                    self.require(byte, "record", |_| format!("bit-field `{name}` does not begin in its byte"));
                }
            }
        }
    }

    /// The lengths inside a type that occurs here.
    fn lengths(&mut self, ty: TypeId) {
        for id in self.types.variable_lengths(ty) {
            let fits = self.locals.and_then(|locals| locals.get(id)).is_some_and(|local| {
                local.kind == LocalKind::Temporary && self.types.int_kind(local.ty) == Some(IntKind::ULong)
            });
            self.require(fits, "length", |_| {
                format!("the variable length {id} should be a temporary of type `unsigned long`")
            });
        }
    }

    // Globals.

    fn global(&mut self, global: &Global) {
        if !self.types.contains(global.ty) {
            return self.say("id", "the type of a global does not exist");
        }
        if matches!(self.types.get(global.ty), Type::Void | Type::Function(_)) {
            return self.say("global", "a global should be an object");
        }
        self.lengths(global.ty);
        let Some(init) = &global.init else { return };
        let Some(size) = self.types.size_of(global.ty).filter(|_| self.types.is_complete(global.ty)) else {
            return self.say("global", "an object with an initialiser should have a size");
        };
        let mut free_bit = 0u64;
        for item in &init.items {
            let Some((start, end)) = self.init_item(item) else { continue };
            let inside = end <= size.saturating_mul(8);
            let offset = item.offset;
            self.require(inside, "initializer", |_| format!("the item at {offset} does not lie in the object"));
            let apart = start >= free_bit;
            self.require(apart, "initializer", |_| format!("the item at {offset} overlaps the one before"));
            free_bit = free_bit.max(end);
        }
    }

    /// Checks an item and answers which bits of the object it sets.
    fn init_item(&mut self, item: &InitItem) -> Option<(u64, u64)> {
        let start = item.bits.map_or(item.offset.checked_mul(8), |bits| Some(bits.offset));
        let width = match &item.value {
            InitValue::Bytes(bytes) => {
                self.require(item.bits.is_none(), "initializer", |_| "a string cannot set a bit-field".into());
                Some(bytes.len() as u64 * 8)
            }
            InitValue::Expr(value) => {
                if !self.types_exist(value) {
                    return None;
                }
                self.expr(value);
                self.constant(value);
                let scalar = self.types.is_scalar(value.ty);
                self.require(scalar, "initializer", |_| "an item's value should be a scalar".into());
                match item.bits {
                    Some(bits) => {
                        let fits = bits.offset / 8 == item.offset
                            && self.types.int_kind(value.ty).is_some_and(|kind| bits.width <= kind.bits());
                        self.require(fits, "initializer", |_| "a bit-field's item does not fit its bits".into());
                        Some(bits.width as u64)
                    }
                    None => self.types.size_of(value.ty).map(|size| size.saturating_mul(8)),
                }
            }
        };
        let end = start.and_then(|start| start.checked_add(width?));
        if end.is_none() && width.is_some() {
            self.say("initializer", format!("the item at {} does not lie in the object", item.offset));
        }
        Some((start?, end?))
    }

    fn constant(&mut self, value: &Expr) {
        let mut fits = true;
        value.walk(&mut |part| match &part.kind {
            ExprKind::Load(_) => fits = false,
            ExprKind::AddressOf(lvalue) => fits &= matches!(lvalue.base, Base::Global(_)),
            _ => {}
        });
        self.require(fits, "initializer", |_| "an initialiser should be constant".into());
    }

    // Functions.

    fn function(&mut self, id: FunctionId) {
        let function = &self.program.functions[id];
        self.site = Site::Function(id);
        self.function = Some(function);
        self.locals = Some(&function.locals);
        self.in_scope = EntitySet::new();
        self.placed = SecondaryMap::new();
        self.listed = SecondaryMap::new();
        self.next_stmt = 0;
        for (local_id, local) in &function.locals {
            let kind_fits = (local.kind == LocalKind::Parameter) == function.params.contains(&local_id);
            self.require(kind_fits, "function", |_| format!("local {local_id} should be a parameter or not be one"));
            if !self.types.contains(local.ty) {
                self.say("id", format!("the type of local {local_id} does not exist"));
                continue;
            }
            self.lengths(local.ty);
            let complete = self.types.is_complete(local.ty) && !self.is_function(local.ty);
            self.require(complete, "local", |_| format!("local {local_id} has no size"));
            if let Some(length) = local.declared_length.as_ref().filter(|length| self.types_exist(length)) {
                self.expr(length);
                let integer = self.is_integer(length.ty);
                self.require(integer, "function", |_| "a declared length should be an integer".into());
                // Where the length changes or asks something, temporaries hold what it is computed from.
                let mut fits = true;
                length.walk(&mut |part| {
                    if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &part.kind
                        && let Base::Local(used) = lvalue.base
                    {
                        fits &= function.locals.get(used).is_some_and(|used| used.kind != LocalKind::Variable);
                    }
                });
                self.require(fits, "function", |_| "a declared length should not be over variables".into());
            }
        }
        let first = function.params.iter().enumerate().all(|(i, param)| param.index() == i)
            && function.params.len() <= function.locals.len();
        self.require(first, "function", |_| "the parameters should be the first locals".into());
        match self.types.contains(function.ty).then(|| self.types.get(function.ty)) {
            Some(Type::Function(signature)) if first => self.signature(function, signature),
            Some(Type::Function(_)) => {}
            _ => self.say("function", "a function should have a function type"),
        }
        if let Some(body) = &function.body {
            self.block(id, body, Around::default());
            self.site = Site::Function(id);
            for (local_id, local) in &function.locals {
                let expected = (local.kind == LocalKind::Variable) as u32;
                let listed = self.listed[local_id];
                self.require(listed == expected, "local", |_| {
                    format!("local {local_id} is listed by {listed} blocks and should be by {expected}")
                });
            }
            for label in function.labels.keys() {
                let placed = self.placed[label];
                self.require(placed == 1, "label", |_| format!("label {label} stands {placed} times in the body"));
            }
        }
        let counted = self.next_stmt;
        self.require(counted == function.stmt_count, "numbering", |_| {
            format!("there are {counted} statements and not {}", function.stmt_count)
        });
    }

    fn signature(&mut self, function: &Function, signature: &Signature) {
        // A declaration alone need not have locals for its parameters.
        if signature.unprototyped || (function.body.is_none() && function.params.is_empty()) {
            return;
        }
        let fits = function.params.len() == signature.params.len()
            && function
                .params
                .iter()
                .zip(&signature.params)
                .all(|(param, ty)| self.types.matches(function.locals[*param].ty, *ty));
        self.require(fits, "function", |_| "the parameters do not match the signature".into());
    }

    fn block(&mut self, function: FunctionId, block: &'p Block, around: Around) {
        for local in &block.locals {
            if self.local(*local).is_some() {
                self.listed[*local] += 1;
                self.in_scope.insert(*local);
            }
        }
        for stmt in &block.stmts {
            self.site = Site::Statement(function, StmtId::from_u32(self.next_stmt));
            let numbered = stmt.id.as_u32() == self.next_stmt;
            self.require(numbered, "numbering", |_| format!("the statement is numbered {}", stmt.id));
            self.next_stmt += 1;
            self.stmt(function, stmt, around);
        }
        for local in &block.locals {
            self.in_scope.remove(*local);
        }
    }

    fn local(&mut self, id: LocalId) -> Option<&'p Local> {
        let local = self.locals.and_then(|locals| locals.get(id));
        self.require(local.is_some(), "id", |_| format!("there is no local {id}"));
        local
    }

    fn label(&mut self, id: LabelId) {
        let exists = self.function.is_some_and(|f| f.labels.get(id).is_some());
        self.require(exists, "id", |_| format!("there is no label {id}"));
    }

    fn condition(&mut self, cond: &Expr) {
        self.expr(cond);
        let scalar = self.types.is_scalar(cond.ty);
        self.require(scalar, "condition", |c| format!("`{}` is not scalar", c.show(cond.ty)));
    }

    /// A value that is stored, passed or returned.
    fn value(&mut self, value: &Expr, rule: &'static str) {
        self.expr(value);
        let fits = self.types.is_scalar(value.ty) || matches!(value.kind, ExprKind::Load(_));
        self.require(fits, rule, |_| "an aggregate value should be a load".into());
    }

    /// Whether every type the expression mentions exists; nothing else can be asked of it before.
    fn types_exist(&mut self, expr: &Expr) -> bool {
        let mut exist = true;
        expr.walk(&mut |part| {
            exist &= self.types.contains(part.ty);
            if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &part.kind {
                exist &= self.types.contains(lvalue.ty);
            }
        });
        self.require(exist, "id", |_| "the type of an expression does not exist".into());
        exist
    }

    fn stmt(&mut self, function: FunctionId, stmt: &'p Stmt, around: Around) {
        let target = match &stmt.kind {
            StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
            StmtKind::Call { result, .. } => result.as_ref(),
            _ => None,
        };
        if target.is_some_and(|target| !self.types.contains(target.ty)) {
            return self.say("id", "the type of an lvalue does not exist");
        }
        if !stmt.exprs().into_iter().all(|expr| self.types_exist(expr)) {
            return;
        }
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                self.lvalue(target);
                self.value(value, "assign");
                let (to, from) = (target.ty, value.ty);
                self.require(self.types.matches(to, from), "assign", |c| {
                    format!("a value of type `{}` is assigned to an object of type `{}`", c.show(from), c.show(to))
                });
                let complete = self.types.is_complete(to);
                self.require(complete, "assign", |_| "the target has no size".into());
            }
            StmtKind::Zero(target) => {
                self.lvalue(target);
                let complete = self.types.is_complete(target.ty);
                self.require(complete, "zero", |_| "the object has no size".into());
            }
            StmtKind::Call { result, callee, args } => self.call(result.as_ref(), callee, args),
            StmtKind::Live(local) => {
                self.in_reach(*local);
                let fits = self.local(*local).is_none_or(|l| l.kind != LocalKind::Parameter);
                self.require(fits, "live", |_| "a parameter is live from the start".into());
            }
            StmtKind::If { cond, then, otherwise } => {
                self.condition(cond);
                self.block(function, then, around);
                self.block(function, otherwise, around);
            }
            StmtKind::Loop(looped) => {
                if let Some(cond) = &looped.cond {
                    self.condition(cond);
                }
                let no_step = looped.kind != LoopKind::DoWhile || looped.step == Block::default();
                self.require(no_step, "loop", |_| "a do loop should have no step".into());
                for block in looped.blocks() {
                    self.block(function, block, Around { breakable: true, continuable: true });
                }
            }
            StmtKind::Switch { value, arms, default, body } => {
                self.switch(value, arms, *default, body);
                self.block(function, body, Around { breakable: true, ..around });
            }
            StmtKind::Block(block) => self.block(function, block, around),
            StmtKind::Break => self.require(around.breakable, "jump", |_| "nothing to break out of".into()),
            StmtKind::Continue => self.require(around.continuable, "jump", |_| "no loop to continue".into()),
            StmtKind::Goto(label) => self.label(*label),
            StmtKind::Label(label) => {
                self.label(*label);
                self.placed[*label] += 1;
            }
            StmtKind::Return(value) => {
                let Some(value) = value else { return };
                self.value(value, "return");
                let function_type = self.function.map(|f| f.ty);
                let Some(signature) = function_type.and_then(|ty| self.types.signature(ty)) else { return };
                let fits = self.types.matches(signature.result, value.ty);
                self.require(fits, "return", |c| {
                    format!("`{}` is returned and `{}` declared", c.show(value.ty), c.show(signature.result))
                });
            }
            StmtKind::Assume(cond) | StmtKind::Assert { cond, .. } => self.condition(cond),
            StmtKind::Trace(point) => point.values.iter().for_each(|(_, value)| self.condition(value)),
            StmtKind::Unordered(_) | StmtKind::Unsupported(_) => {}
        }
    }

    fn switch(&mut self, value: &Expr, arms: &[Arm], default: Option<LabelId>, body: &Block) {
        self.expr(value);
        let Some(kind) = self.types.int_kind(value.ty) else {
            return self.say("switch", "the value of a switch should be an integer");
        };
        let mut inside = EntitySet::new();
        body.walk(&mut |stmt| {
            if let StmtKind::Label(label) = stmt.kind {
                inside.insert(label);
            }
        });
        for label in arms.iter().map(|arm| arm.label).chain(default) {
            self.label(label);
            self.require(inside.contains(label), "switch", |_| format!("label {label} does not stand in the body"));
        }
        let mut ranges: Vec<(i128, i128)> = arms.iter().map(|arm| (arm.low, arm.high)).collect();
        for &(low, high) in &ranges {
            let fits = low <= high && kind.contains(low) && kind.contains(high);
            self.require(fits, "switch", |_| format!("{low}..{high} is no range of the switch's type"));
        }
        ranges.sort();
        let apart = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        self.require(apart, "switch", |_| "two arms take the same value".into());
    }

    fn call(&mut self, result: Option<&Lvalue>, callee: &Callee, args: &[Expr]) {
        for arg in args {
            self.value(arg, "call");
        }
        if let Some(result) = result {
            self.lvalue(result);
        }
        let ty = match callee {
            Callee::Function(id) => match self.program.functions.get(*id) {
                Some(function) => function.ty,
                None => return self.say("id", format!("there is no function {id}")),
            },
            Callee::Pointer(pointer) => {
                self.expr(pointer);
                match self.types.pointee(pointer.ty) {
                    Some(ty) => ty,
                    None => return self.say("call", "the callee is not a pointer to a function"),
                }
            }
            Callee::Intrinsic(intrinsic) => return self.intrinsic(*intrinsic, result, args),
        };
        let Some(signature) = self.types.signature(ty) else {
            return self.say("call", "the callee is not a pointer to a function");
        };
        let named = if signature.unprototyped { 0 } else { signature.params.len() };
        let number_fits = args.len() == named || (args.len() > named && (signature.variadic || signature.unprototyped));
        self.require(number_fits, "call", |_| format!("{} arguments for {named} parameters", args.len()));
        for (index, arg) in args.iter().enumerate() {
            match signature.params.get(index).filter(|_| index < named) {
                Some(param) => self.require(self.types.matches(arg.ty, *param), "call", |c| {
                    format!("argument {index} is `{}` and the parameter `{}`", c.show(arg.ty), c.show(*param))
                }),
                None => self.require(!self.promotes(arg.ty), "call", |c| {
                    format!("argument {index} of type `{}` should be promoted", c.show(arg.ty))
                }),
            }
        }
        if let Some(result) = result {
            let fits = !self.types.is_void(signature.result) && self.types.matches(result.ty, signature.result);
            self.require(fits, "call", |c| {
                format!("the result is `{}` and the callee returns `{}`", c.show(result.ty), c.show(signature.result))
            });
        }
    }

    /// Whether the default argument promotions change the type.
    fn promotes(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Int(kind) => kind.bytes() < 4,
            Type::Float(kind) => *kind == FloatKind::Float,
            _ => false,
        }
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, result: Option<&Lvalue>, args: &[Expr]) {
        let pointers = |n: usize| args.len() == n && args.iter().all(|arg| self.types.is_pointer(arg.ty));
        let fits = match intrinsic {
            Intrinsic::VaStart | Intrinsic::VaEnd => pointers(1) && result.is_none(),
            Intrinsic::VaCopy => pointers(2) && result.is_none(),
            Intrinsic::VaArg => pointers(1) && result.is_some(),
            Intrinsic::Nondet => args.is_empty(),
            Intrinsic::Bind => pointers(2) && result.is_none_or(|result| self.types.is_pointer(result.ty)),
            Intrinsic::SetJump => pointers(1) && result.is_none_or(|result| self.is_integer(result.ty)),
            Intrinsic::LongJump => {
                args.len() == 2 && self.types.is_pointer(args[0].ty) && self.is_integer(args[1].ty) && result.is_none()
            }
            Intrinsic::Alloca => {
                args.len() == 1
                    && self.is_integer(args[0].ty)
                    && result.is_none_or(|result| self.types.is_pointer(result.ty))
            }
        };
        self.require(fits, "call", |_| format!("{intrinsic:?} does not take this or give that"));
    }

    // Expressions.

    fn in_reach(&mut self, id: LocalId) {
        let fits = self
            .locals
            .and_then(|locals| locals.get(id))
            .is_none_or(|local| local.kind != LocalKind::Variable || self.in_scope.contains(id));
        self.require(fits, "scope", |_| format!("no block around lists local {id}"));
    }

    fn lvalue(&mut self, lvalue: &Lvalue) {
        match &lvalue.base {
            Base::Local(id) => {
                if self.local(*id).is_none() {
                    return;
                }
                self.in_reach(*id);
            }
            Base::Global(id) => {
                if self.program.globals.get(*id).is_none() {
                    return self.say("id", format!("there is no global {id}"));
                }
            }
            Base::Deref(pointer) => self.expr(pointer),
        }
        for step in &lvalue.path {
            if let Step::Index(index) = step {
                self.expr(index);
                let long = self.is_long(index.ty);
                self.require(long, "index", |c| format!("an index of type `{}`", c.show(index.ty)));
            }
        }
        self.lengths(lvalue.ty);
        match self.program.lvalue_type(self.locals, lvalue) {
            None => self.say("lvalue", "the path does not fit the object"),
            Some(ty) => self.require(ty == lvalue.ty, "lvalue", |c| {
                format!("`{}` is stated and the path leads to `{}`", c.show(lvalue.ty), c.show(ty))
            }),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        for child in expr.children() {
            // Those of lvalues are checked with their lvalue.
            if !matches!(expr.kind, ExprKind::Load(_) | ExprKind::AddressOf(_)) {
                self.expr(child);
            }
        }
        let types = self.types;
        let ty = expr.ty;
        let (rule, fits) = match &expr.kind {
            ExprKind::Int(value) => ("constant", types.int_kind(ty).is_some_and(|kind| kind.contains(*value))),
            ExprKind::Float(value) => {
                let fits = match types.float_kind(ty) {
                    Some(FloatKind::Float) => value.is_nan() || *value as f32 as f64 == *value,
                    kind => kind == Some(FloatKind::Double),
                };
                ("constant", fits)
            }
            ExprKind::Extended(bits) => {
                ("constant", types.float_kind(ty) == Some(FloatKind::Extended) && bits >> 80 == 0)
            }
            ExprKind::Load(lvalue) => {
                self.lvalue(lvalue);
                ("load", types.is_complete(lvalue.ty) && ty == lvalue.ty)
            }
            ExprKind::AddressOf(lvalue) => {
                self.lvalue(lvalue);
                let no_bits = self.program.bit_field(self.locals, lvalue).is_none();
                ("address", no_bits && types.pointee(ty).is_some_and(|to| types.matches(to, lvalue.ty)))
            }
            ExprKind::Function(id) => match self.program.implied_type(&expr.kind) {
                Implied::PointerTo(to) => ("address", types.pointee(ty).is_some_and(|ty| types.matches(ty, to))),
                _ => return self.say("id", format!("there is no function {id}")),
            },
            ExprKind::Unary(op, operand) => {
                let fits = match op {
                    UnaryOp::Neg => types.is_arithmetic(ty) && operand.ty == ty,
                    UnaryOp::Complement => self.is_integer(ty) && operand.ty == ty,
                    UnaryOp::Not => types.is_scalar(operand.ty) && self.is_int(ty),
                };
                ("unary", fits)
            }
            ExprKind::Binary(op, left, right) => ("binary", self.binary(*op, left.ty, right.ty, ty)),
            ExprKind::Logical(_, left, right) => {
                ("logical", types.is_scalar(left.ty) && types.is_scalar(right.ty) && self.is_int(ty))
            }
            ExprKind::Conditional(cond, a, b) => {
                let fits = types.is_scalar(cond.ty)
                    && types.is_scalar(ty)
                    && types.matches(a.ty, ty)
                    && types.matches(b.ty, ty);
                ("conditional", fits)
            }
            ExprKind::Convert { value, .. } => ("convert", self.converts(value.ty, ty)),
        };
        self.require(fits, rule, |c| {
            format!("`{}` of type `{}`", crate::print_expr(c.program, c.function, expr), c.show(ty))
        });
        self.lengths(ty);
    }

    fn binary(&self, op: BinaryOp, left: TypeId, right: TypeId, ty: TypeId) -> bool {
        use BinaryOp::*;
        let types = self.types;
        match op {
            Add | Sub | Mul | Div => types.is_arithmetic(ty) && left == ty && right == ty,
            Rem | BitAnd | BitOr | BitXor => self.is_integer(ty) && left == ty && right == ty,
            Shl | Shr => self.is_integer(left) && self.is_integer(right) && left == ty,
            Eq | Ne | Lt | Le | Gt | Ge => types.is_scalar(left) && types.matches(left, right) && self.is_int(ty),
            PointerAdd => types.is_pointer(left) && self.is_long(right) && types.matches(left, ty),
            PointerDiff => types.is_pointer(left) && types.matches(left, right) && self.is_long(ty),
        }
    }

    fn converts(&self, from: TypeId, to: TypeId) -> bool {
        let (from, to) = (self.types.get(from), self.types.get(to));
        matches!(
            (from, to),
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_))
                | (Type::Pointer { .. }, Type::Pointer { .. } | Type::Int(_))
                | (Type::Int(_), Type::Pointer { .. })
        )
    }
}
