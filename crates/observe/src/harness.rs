//! An entry for a function that takes arrays: it makes them, fills them with any values and calls the function.
//!
//! *Question*: what does `void f(const int a[8], int r[8])` do with arrays, when nobody calls it?
//!
//! The added function has the parameters that are numbers. For every parameter that is a pointer to numbers it has an
//! array, as long as the parameter declares (`a[8]`, `a[n]` with another parameter) or the user says (`--extent a=8`):
//!
//! ```text
//! f(int n) { int a[n]; assume 1 <= n <= 64; for (k = 0; k < n; k++) a[k] = any; f(a, n); }
//! ```
//!
//! Arrays that the function is to write are left without values, if it does not read them first ([`Filled`]).

use crate::Refusal;
use crate::inputs::roles::{Holder, Roles};
use diagnostics::{Assumption, Span};
use exec::ValueType;
use ir::{
    Base, BinaryOp, Block, Callee, Expr, ExprKind, Function, FunctionId, IntKind, Intrinsic, Length, Local, LocalId,
    LocalKind, LogicalOp, Loop, LoopKind, Lvalue, Program, Signature, Stmt, StmtKind, Type, TypeId,
};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The largest array whose length is a parameter.
pub const LONGEST: i128 = 24;

/// Which arrays get values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filled {
    All,
    /// Those that the function does not write.
    Read,
}

/// A program with an entry that makes arrays.
#[derive(Clone, Debug)]
pub struct Harness {
    pub program: Program,
    pub entry: FunctionId,
    pub subject: FunctionId,
    /// In the order that their elements are asked for.
    pub arrays: Vec<HarnessArray>,
}

/// An array that the harness makes.
#[derive(Clone, PartialEq, Debug)]
pub struct HarnessArray {
    /// The position of the parameter.
    pub parameter: usize,
    pub name: String,
    pub element: ValueType,
    /// The outermost length.
    pub length: Long,
    /// Elements of one step of the outermost index.
    pub inner: u64,
    /// Whether it is filled with values.
    pub filled: bool,
    /// The values that elements may have.
    pub range: Option<(i128, i128)>,
}

impl Harness {
    /// What the harness lets the function count on.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let entry = &self.program.functions[self.entry];
        let mut lengths: BTreeMap<(Long, bool), Vec<String>> = BTreeMap::new();
        for array in &self.arrays {
            lengths.entry((array.length, array.inner > 1)).or_default().push(array.name.clone());
        }
        let said = |((length, rows), arrays): ((Long, bool), Vec<String>)| {
            let length = match length {
                Long::Fixed(length) => diagnostics::Length::Fixed(length),
                Long::Parameter(number) => {
                    let name = entry.locals[entry.params[number]].name.clone();
                    diagnostics::Length::Parameter { name, longest: LONGEST as u64 }
                }
            };
            Assumption::Lengths { arrays, length, rows }
        };
        let mut all: Vec<Assumption> = lengths.into_iter().map(said).collect();
        for HarnessArray { name, range, .. } in &self.arrays {
            all.extend(range.map(|(low, high)| Assumption::Elements { array: name.clone(), low, high }));
        }
        if self.arrays.len() > 1 {
            all.push(Assumption::ArraysApart);
        }
        all
    }
}

/// A length of an array: a number, or the parameter of that number among those that are numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Long {
    Fixed(u64),
    Parameter(usize),
}

/// For every element that the harness asks for, in order, the values it may have; as many as there may be.
pub fn questions(made: &[HarnessArray]) -> Vec<Option<(i128, i128)>> {
    let length = |array: &HarnessArray| match array.length {
        Long::Fixed(length) => length,
        Long::Parameter(_) => LONGEST as u64,
    };
    let filled = made.iter().filter(|array| array.filled);
    filled.flat_map(|array| std::iter::repeat_n(array.range, (length(array) * array.inner) as usize)).collect()
}

/// What the user says about a length: `a=8`, `a=n`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    Fixed(u64),
    Parameter(String),
}

impl Extent {
    /// Reads `a=8` or `a=n`.
    pub fn parse(text: &str) -> Result<(String, Extent), String> {
        let wanted = "write it as `a=16` or `a=n`";
        let (name, extent) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`: {wanted}"))?;
        let (name, extent) = (name.trim(), extent.trim());
        if name.is_empty() || extent.is_empty() {
            return Err(format!("`{text}` lacks a name or a length: {wanted}"));
        }
        let extent = match extent.parse::<u64>() {
            Ok(0) => return Err(format!("`{name}` would have no elements: {wanted}")),
            Ok(length) if length > 1 << 16 => return Err(format!("`{length}` elements are too many; at most 65536")),
            Ok(length) => Extent::Fixed(length),
            Err(_) if extent.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                Extent::Parameter(extent.to_string())
            }
            Err(_) => return Err(format!("`{extent}` is no length: {wanted}")),
        };
        Ok((name.to_string(), extent))
    }
}

/// Whether a function has parameters that are pointers to numbers, so that it needs a harness.
pub fn takes_arrays(program: &Program, function: FunctionId) -> bool {
    let about = &program.functions[function];
    let pointer = |param: &LocalId| leaf(program, about.locals[*param].ty).is_some();
    about.name != "main" && about.params.iter().any(pointer)
}

/// Whether every parameter is a number or an array of numbers whose length is known: by its declaration, by what the
/// user says or, for what is no string, by what the code does with it.
pub fn takes_only_arrays(program: &Program, function: FunctionId, extents: &[(String, Extent)]) -> bool {
    let about = &program.functions[function];
    let numbers = numbers(program, about);
    let roles = OnceCell::new();
    about.params.iter().enumerate().all(|(position, param)| {
        let local = &about.locals[*param];
        numbers.contains(param)
            || leaf(program, local.ty).is_some()
                && (extents.iter().any(|(name, _)| *name == local.name)
                    || local.declared_length.as_ref().is_some_and(|length| declared(&numbers, length).is_some())
                    || seen_length(program, function, position, &roles).is_some())
    })
}

/// The parameters that are numbers.
fn numbers(program: &Program, about: &Function) -> Vec<LocalId> {
    about.params.iter().copied().filter(|p| ValueType::of(&program.types, about.locals[*p].ty).is_some()).collect()
}

/// The number, among the parameters that are numbers, that the code uses as the length of an array that is no string.
fn seen_length(program: &Program, function: FunctionId, position: usize, roles: &OnceCell<Roles>) -> Option<Long> {
    let about = &program.functions[function];
    let (element, _) = leaf(program, about.locals[about.params[position]].ty)?;
    if program.types.int_kind(element).is_some_and(IntKind::is_plain_char) {
        return None;
    }
    let numbers = numbers(program, about);
    let number = |holder: Holder| match holder {
        Holder::Parameter(of, k) if of == function => numbers.iter().position(|number| *number == about.params[k]),
        _ => None,
    };
    let is_int =
        |holder: Holder| number(holder).is_some_and(|n| program.types.int_kind(about.locals[numbers[n]].ty).is_some());
    let roles = roles.get_or_init(|| Roles::new(program));
    let pointer = Holder::Parameter(function, position);
    let is_bound =
        |holder: Holder| is_int(holder) && roles.get(pointer).is_some_and(|role| !role.indices.contains(&holder));
    number(roles.length(pointer, is_bound)?).map(Long::Parameter)
}

/// The numbers behind a pointer, and how many there are in one step; `None` for other types.
fn leaf(program: &Program, ty: TypeId) -> Option<(TypeId, u64)> {
    let mut ty = program.types.pointee(ty)?;
    let mut count = 1u64;
    while let Type::Array { of, length } = program.types.get(ty) {
        let Length::Fixed(length) = length else { return None };
        count = count.checked_mul(*length)?;
        ty = *of;
    }
    ValueType::of(&program.types, ty).map(|_| (ty, count))
}

/// A copy of the program with an entry for a function that takes arrays. `ranges` are the values of elements that the
/// user allows, by the name of the parameter.
pub fn harness(
    program: &Program,
    subject: FunctionId,
    extents: &[(String, Extent)],
    ranges: &[(String, (i128, i128))],
    filled: Filled,
) -> Result<Harness, Refusal> {
    let about = &program.functions[subject];
    for (name, _) in extents {
        if !about.params.iter().any(|param| about.locals[*param].name == *name) {
            let text = format!("`{}` has no parameter `{name}` to give a length to.", about.name);
            return Err(Refusal::Request(text));
        }
    }
    let written = written_parameters(program, subject);
    let mut build = Build { program: program.clone(), locals: ir::PrimaryMap::new(), span: about.span };
    let numbers = numbers(program, about);
    let roles = OnceCell::new();
    let params: Vec<LocalId> = numbers
        .iter()
        .map(|param| {
            let Local { name, ty, span, .. } = about.locals[*param].clone();
            build.locals.push(Local { name, kind: LocalKind::Parameter, ..Local::temporary(ty, span) })
        })
        .collect();
    let mut body = Block::default();
    let mut arrays = Vec::new();
    let mut args = Vec::new();
    for (position, param) in about.params.iter().enumerate() {
        let local = &about.locals[*param];
        if let Some(number) = numbers.iter().position(|n| n == param) {
            args.push(Expr::load(Lvalue::local(params[number], local.ty, build.span)));
            continue;
        }
        let Some((element, inner)) = leaf(program, local.ty) else {
            return Err(Refusal::Inputs(format!(
                "The parameter `{}` of `{}` is neither a number nor an array of numbers, so no inputs can be made.",
                local.name, about.name
            )));
        };
        let given = extents.iter().find(|(name, _)| *name == local.name).map(|(_, extent)| extent.clone());
        let declared = local.declared_length.as_ref().and_then(|length| declared(&numbers, length));
        let length = match given {
            Some(Extent::Fixed(length)) => Long::Fixed(length),
            Some(Extent::Parameter(name)) => {
                let number = numbers.iter().position(|n| about.locals[*n].name == name);
                Long::Parameter(number.ok_or_else(|| {
                    Refusal::Request(format!(
                        "The length of `{}` cannot be `{name}`, which is no parameter that is a number.",
                        local.name
                    ))
                })?)
            }
            None => declared.or_else(|| seen_length(program, subject, position, &roles)).ok_or_else(|| {
                Refusal::Inputs(format!(
                    "The length of `{}` is not known, because `{}` does not declare it; say it with --extent {}=8 or \
                     --extent {}=n for a parameter n.",
                    local.name, about.name, local.name, local.name
                ))
            })?,
        };
        let made = HarnessArray {
            parameter: position,
            name: local.name.clone(),
            element: ValueType::of(&program.types, element)
                .expect("the elements should be numbers, because `leaf` looked"),
            length,
            inner,
            filled: filled == Filled::All || !written.contains(&position),
            range: ranges.iter().find(|(name, _)| *name == local.name).map(|(_, range)| *range),
        };
        args.push(build.array(&mut body, &made, local.ty, element, &params));
        arrays.push(made);
    }
    let call = StmtKind::Call { result: None, callee: Callee::Function(subject), args };
    body.stmts.push(Stmt::new(call, build.span));
    let Build { mut program, locals, span } = build;
    let types = params.iter().map(|param| locals[*param].ty).collect();
    let result = program.types.void();
    let signature = Signature { result, params: types, variadic: false, unprototyped: false };
    let ty = program.types.intern(Type::Function(signature));
    let name = program.functions[subject].name.clone();
    let entry = program.functions.push(Function::of_ours(name, ty, params, locals, body, span));
    Ok(Harness { program, entry, subject, arrays })
}

/// The length that a parameter declares: a constant, or another parameter.
fn declared(numbers: &[LocalId], length: &Expr) -> Option<Long> {
    match &length.kind {
        ExprKind::Int(length) => {
            u64::try_from(*length).ok().filter(|length| (1..=1 << 16).contains(length)).map(Long::Fixed)
        }
        ExprKind::Convert { value, .. } => declared(numbers, value),
        ExprKind::Load(lvalue) => {
            let local = lvalue.as_local()?;
            numbers.iter().position(|number| *number == local).map(Long::Parameter)
        }
        _ => None,
    }
}

struct Build {
    program: Program,
    locals: ir::PrimaryMap<LocalId, Local>,
    span: Span,
}

impl Build {
    fn temporary(&mut self, kind: IntKind) -> LocalId {
        let ty = self.program.types.int(kind);
        self.locals.push(Local::temporary(ty, self.span))
    }

    fn load(&self, local: LocalId) -> Expr {
        Expr::load(Lvalue::local(local, self.locals[local].ty, self.span))
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr, ty: TypeId) -> Expr {
        Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, self.span)
    }

    fn convert(&self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        let span = self.span;
        Expr::new(ExprKind::Convert { value: Box::new(value), explicit: false }, ty, span)
    }

    fn assume_between(&self, body: &mut Block, value: Expr, low: i128, high: i128) {
        let int = self.program.types.int(IntKind::Int);
        let ty = value.ty;
        let bound = |bound: i128| Expr::int(bound, ty, self.span);
        let low = self.binary(BinaryOp::Ge, value.clone(), bound(low), int);
        let high = self.binary(BinaryOp::Le, value, bound(high), int);
        let both = ExprKind::Logical(LogicalOp::And, Box::new(low), Box::new(high));
        body.stmts.push(Stmt::new(StmtKind::Assume(Expr::new(both, int, self.span)), self.span));
    }

    /// Makes an array, fills it, and gives the argument that leads to it.
    fn array(
        &mut self,
        body: &mut Block,
        made: &HarnessArray,
        pointer: TypeId,
        element: TypeId,
        params: &[LocalId],
    ) -> Expr {
        let (long, ulong) = (self.program.types.int(IntKind::Long), self.program.types.int(IntKind::ULong));
        let step = self.program.types.pointee(pointer).expect("a parameter that takes an array should be a pointer");
        let span = self.span;
        let length = match made.length {
            Long::Fixed(length) => Length::Fixed(length),
            Long::Parameter(number) => {
                let param = params[number];
                let kind = self.program.types.int_kind(self.locals[param].ty).unwrap_or(IntKind::Int);
                self.assume_between(body, self.load(param), 1, LONGEST.min(kind.max()));
                let length = self.temporary(IntKind::ULong);
                let value = self.convert(self.load(param), ulong);
                let target = Lvalue::local(length, ulong, span);
                body.stmts.push(Stmt::new(StmtKind::Assign { target, value }, span));
                Length::Variable(length)
            }
        };
        let ty = self.program.types.intern(Type::Array { of: step, length });
        let local = Local { name: made.name.clone(), kind: LocalKind::Variable, ..Local::temporary(ty, span) };
        let array = self.locals.push(local);
        body.locals.push(array);
        body.stmts.push(Stmt::new(StmtKind::Live(array), span));
        let mut first = Lvalue::local(array, step, span);
        first.path.push(ir::Step::Index(Expr::int(0, long, span)));
        let to_step = self.program.types.intern(Type::Pointer { to: step, to_const: false });
        let start = Expr::new(ExprKind::AddressOf(first), to_step, span);
        if made.filled {
            self.fill(body, made, length, start.clone(), element);
        }
        self.convert(start, pointer)
    }

    /// `for (k = 0; k < n; k++) a[k] = any;`
    fn fill(&mut self, body: &mut Block, made: &HarnessArray, length: Length, start: Expr, element: TypeId) {
        let (long, int) = (self.program.types.int(IntKind::Long), self.program.types.int(IntKind::Int));
        let span = self.span;
        let counter = self.temporary(IntKind::Long);
        let to_element = self.program.types.intern(Type::Pointer { to: element, to_const: false });
        let pointer = self.convert(start, to_element);
        let at = self.binary(BinaryOp::PointerAdd, pointer, self.load(counter), to_element);
        let target = Lvalue { base: Base::Deref(Box::new(at)), path: Vec::new(), ty: element, span };
        let any = self.locals.push(Local::temporary(element, span));
        let result = Some(Lvalue::local(any, element, span));
        let asked = StmtKind::Call { result, callee: Callee::Intrinsic(Intrinsic::Nondet), args: Vec::new() };
        let mut inside = Block::default();
        inside.stmts.push(Stmt::new(asked, span));
        if let (Some((low, high)), ValueType::Int(kind)) = (made.range, made.element) {
            self.assume_between(&mut inside, self.load(any), low.max(kind.min()), high.min(kind.max()));
        }
        inside.stmts.push(Stmt::new(StmtKind::Assign { target, value: self.load(any) }, span));
        let count = match length {
            Length::Variable(local) => {
                let inner = Expr::int(made.inner as i128, long, span);
                self.binary(BinaryOp::Mul, self.convert(self.load(local), long), inner, long)
            }
            Length::Fixed(length) => Expr::int((length * made.inner) as i128, long, span),
            Length::Unknown => Expr::int(0, long, span),
        };
        let assign = |value: Expr| StmtKind::Assign { target: Lvalue::local(counter, long, span), value };
        body.stmts.push(Stmt::new(assign(Expr::int(0, long, span)), span));
        let next = self.binary(BinaryOp::Add, self.load(counter), Expr::int(1, long, span), long);
        let step = Block { locals: Vec::new(), stmts: vec![Stmt::new(assign(next), span)] };
        let cond = Some(self.binary(BinaryOp::Lt, self.load(counter), count, int));
        let looped = Loop { kind: LoopKind::For, pre: Block::default(), cond, body: inside, step };
        body.stmts.push(Stmt::new(StmtKind::Loop(Box::new(looped)), span));
    }
}

/// The positions of the pointer parameters through which a function, or one that it calls, may write.
pub fn written_parameters(program: &Program, function: FunctionId) -> BTreeSet<usize> {
    let mut known = BTreeMap::new();
    written(program, function, &mut known)
}

fn written(
    program: &Program,
    function: FunctionId,
    known: &mut BTreeMap<FunctionId, BTreeSet<usize>>,
) -> BTreeSet<usize> {
    if let Some(found) = known.get(&function) {
        return found.clone();
    }
    let about = &program.functions[function];
    let pointers: BTreeSet<usize> = (0..about.params.len())
        .filter(|n| {
            let ty = about.locals[about.params[*n]].ty;
            matches!(program.types.get(ty), Type::Pointer { to_const: false, .. })
        })
        .collect();
    let Some(body) = &about.body else { return pointers };
    // A call of itself writes what the rest does.
    known.insert(function, BTreeSet::new());
    let of = |expr: &Expr| {
        let mut found = Vec::new();
        expr.walk(&mut |part| {
            if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &part.kind
                && let Base::Local(local) = lvalue.base
            {
                found.extend(about.params.iter().position(|param| *param == local));
            }
        });
        found
    };
    let mut all = BTreeSet::new();
    let mut copied = false;
    body.walk(&mut |stmt| {
        let target = match &stmt.kind {
            StmtKind::Assign { target, value } => {
                // A pointer that is kept elsewhere may be written through there.
                copied |= program.types.is_pointer(value.ty) && !of(value).is_empty();
                Some(target)
            }
            StmtKind::Zero(target) => Some(target),
            StmtKind::Call { result, callee, args } => {
                let through: BTreeSet<usize> = match callee {
                    Callee::Function(callee) => written(program, *callee, known),
                    _ => (0..args.len()).collect(),
                };
                for (_, arg) in args.iter().enumerate().filter(|(n, _)| through.contains(n)) {
                    if program.types.is_pointer(arg.ty) {
                        all.extend(of(arg));
                    }
                }
                result.as_ref()
            }
            _ => None,
        };
        if let Some(Base::Deref(pointer)) = target.map(|target| &target.base) {
            all.extend(of(pointer));
        }
    });
    let found: BTreeSet<usize> = if copied { pointers } else { all.intersection(&pointers).copied().collect() };
    known.insert(function, found.clone());
    found
}
