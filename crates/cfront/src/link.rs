//! Translation units into one program: names with external linkage meet, equal types become one, and what nobody uses
//! goes.
//!
//! Units are lowered into one program one after the other. Each has its own records; when all are there, records that
//! say the same are merged (the coarsest partition in which two records of a class have the same tag, layout and
//! field types up to classes), then declarations of one name are compared, and the types are written anew.

use crate::lower::claim_in_bodies;
use crate::order::{self, Candidate};
use crate::startup::Startup;
use diagnostics::{Finding, Rule, Severity, Span};
use hashbrown::{HashMap, HashSet};
use ir::{
    Base, Block, Callee, EntityRef, Expr, ExprKind, Function, FunctionId, Global, GlobalId, GlobalKind, InitValue,
    Initializer, IntKind, Linkage, Lvalue, Program, Record, RecordId, RecordKind, Signature, Step, Stmt, StmtKind,
    Type, TypeId, Types,
};
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Clone, Copy, PartialEq, Eq)]
enum External {
    Function(FunctionId),
    Global(GlobalId),
}

/// A declaration to compare with the final type of what it declares.
struct Declaration {
    external: External,
    ty: TypeId,
    span: Span,
}

#[derive(Default)]
pub struct Linker {
    externals: HashMap<String, External>,
    /// Constant texts that arrays are copied from. Nothing points to them, so that one of each is enough.
    strings: HashMap<TypeId, HashMap<Vec<u8>, GlobalId>>,
    /// The objects of string literals, by their places in the text.
    pub literals: HashMap<Span, GlobalId>,
    inline: HashSet<String>,
    /// What the definitions that were taken say.
    bodies: HashMap<FunctionId, u64>,
    /// Where a variable was defined with an initialiser.
    defined: HashMap<GlobalId, Span>,
    declarations: Vec<Declaration>,
    /// Objects whose flexible array member has a length.
    extended: HashSet<GlobalId>,
    conflicts: Vec<(String, Span)>,
    /// Operands of which it is not known yet whether their order matters.
    pub open_orders: Vec<Candidate>,
    pub startup: Startup,
}

/// What a text says, apart from blanks and line markers.
fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let written = text.lines().filter(|line| !line.starts_with('#'));
    written.flat_map(str::split_whitespace).for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

impl Linker {
    pub fn new() -> Linker {
        Linker::default()
    }

    /// The function of that name, shared by the units if its linkage says so.
    pub fn function(
        &mut self,
        program: &mut Program,
        name: &str,
        ty: TypeId,
        linkage: Linkage,
        span: Span,
    ) -> FunctionId {
        if linkage == Linkage::External {
            match self.externals.get(name) {
                Some(External::Function(id)) => {
                    let external = External::Function(*id);
                    self.declarations.push(Declaration { external, ty, span });
                    return *id;
                }
                Some(External::Global(_)) => self.conflicts.push((name.to_string(), span)),
                None => {}
            }
        }
        let id = program.functions.push(Function::declared(name, ty, linkage, span));
        if linkage == Linkage::External {
            self.externals.insert(name.to_string(), External::Function(id));
            self.declarations.push(Declaration { external: External::Function(id), ty, span });
        }
        id
    }

    /// The variable of that name, shared by the units if its linkage says so.
    pub fn global(&mut self, program: &mut Program, global: Global) -> GlobalId {
        let (linkage, name, ty, span) = (global.linkage, global.name.clone(), global.ty, global.span);
        if linkage == Linkage::External {
            match self.externals.get(&name) {
                Some(External::Global(id)) => {
                    let external = External::Global(*id);
                    self.declarations.push(Declaration { external, ty, span });
                    return *id;
                }
                Some(External::Function(_)) => self.conflicts.push((name.clone(), span)),
                None => {}
            }
        }
        let id = program.globals.push(global);
        if linkage == Linkage::External {
            self.externals.insert(name, External::Global(id));
            self.declarations.push(Declaration { external: External::Global(id), ty, span });
        }
        id
    }

    /// Gives a variable its definition. A second one with an initialiser is refused, with the place of the first.
    pub fn define(
        &mut self,
        program: &mut Program,
        id: GlobalId,
        ty: TypeId,
        init: Initializer,
        span: Span,
        full: bool,
    ) -> Result<(), Span> {
        if let Some(&earlier) = self.defined.get(&id) {
            return if full { Err(earlier) } else { Ok(()) };
        }
        if full {
            self.defined.insert(id, span);
        } else if program.globals[id].init.is_some() {
            return Ok(());
        }
        let global = &mut program.globals[id];
        global.ty = ty;
        global.init = Some(init);
        global.span = span;
        Ok(())
    }

    /// Notes that an object has a larger type than it was declared with.
    pub fn extend(&mut self, global: GlobalId) {
        self.extended.insert(global);
    }

    pub fn is_extended(&self, global: GlobalId) -> bool {
        self.extended.contains(&global)
    }

    pub fn string(&self, ty: TypeId, bytes: &[u8]) -> Option<GlobalId> {
        self.strings.get(&ty)?.get(bytes).copied()
    }

    pub fn add_string(&mut self, ty: TypeId, bytes: Vec<u8>, global: GlobalId) {
        self.strings.entry(ty).or_default().insert(bytes, global);
    }

    /// Notes whether a definition is `inline`, so that several units may have it.
    pub fn inline(&mut self, name: &str, is_inline: bool) {
        if is_inline {
            self.inline.insert(name.to_string());
        }
    }

    /// Keeps what the text of a definition says, for [`Linker::has_the_body`].
    pub fn note_body(&mut self, function: FunctionId, text: &str) {
        self.bodies.insert(function, digest(text));
    }

    /// Whether the definition that was taken reads like this one.
    pub fn has_the_body(&self, function: FunctionId, text: &str) -> bool {
        self.bodies.get(&function) == Some(&digest(text))
    }

    pub fn is_inline(&self, name: &str) -> bool {
        self.inline.contains(name)
    }

    /// Merges, checks and cleans up.
    pub fn finish(self, program: &mut Program, units: usize, findings: &mut Vec<Finding>) {
        for (name, span) in &self.conflicts {
            findings.push(Finding::new(
                Rule::LinkError,
                *span,
                format!("`{name}` is a function in one unit and a variable in another"),
            ));
        }
        claim_in_bodies(program);
        order::resolve(program, &self.open_orders, findings);
        self.startup.weave(program);
        let same = if units > 1 { merged_records(&program.types) } else { HashMap::new() };
        let kept = Kept::of(program);
        let mut rewriting = Rewriting::new(program, units, same, &kept);
        if units > 1 {
            rewriting.check(program, &self.declarations, findings);
        }
        rewriting.rewrite(program, kept);
    }
}

/// For each record, the one that stands for all that say the same.
///
/// A unit may leave a record incomplete that another one completes, and only ever see it through pointers. So records
/// of one tag count as one wherever a record is referred to, as long as their definitions agree; tags that turn out to
/// have definitions of several kinds are told apart by definition in a further round.
fn merged_records(types: &Types) -> HashMap<RecordId, RecordId> {
    let mut several: HashSet<Tag<'_>> = HashSet::new();
    loop {
        let class = classes(types, &several);
        let mut defined: HashMap<Tag<'_>, HashSet<usize>> = HashMap::new();
        for (id, record) in types.records.iter().filter(|(_, r)| r.fields.is_some() && !r.name.is_empty()) {
            defined.entry(tag(record)).or_default().insert(class[id.index()]);
        }
        let found = defined.iter().filter(|(_, classes)| classes.len() > 1).map(|(tag, _)| *tag);
        let known = several.len();
        several.extend(found);
        if several.len() == known {
            return representatives(types, &class);
        }
    }
}

type Tag<'t> = (RecordKind, &'t str);

fn tag(record: &Record) -> Tag<'_> {
    (record.kind, record.name.as_str())
}

/// The coarsest partition of the records in which two of a class have the same tag, layout and field types.
fn classes(types: &Types, several: &HashSet<Tag<'_>>) -> Vec<usize> {
    let mut class: Vec<usize> = Vec::with_capacity(types.records.len());
    let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
    for (id, record) in &types.records {
        let mut key = Vec::new();
        describe_record(record, &mut key);
        if record.fields.is_none() && record.name.is_empty() {
            key.extend(format!("only {}", id.index()).bytes());
        }
        let next = known.len();
        class.push(*known.entry(key).or_insert(next));
    }
    let mut tags: HashMap<Tag<'_>, u64> = HashMap::new();
    let tag_numbers: Vec<Option<u64>> = types
        .records
        .values()
        .map(|record| {
            let next = tags.len() as u64;
            (!record.name.is_empty() && !several.contains(&tag(record)))
                .then(|| *tags.entry(tag(record)).or_insert(next))
        })
        .collect();
    loop {
        let mut known: HashMap<(usize, Vec<u64>), usize> = HashMap::new();
        let refined: Vec<usize> = types
            .records
            .iter()
            .map(|(id, record)| {
                let mut key = Vec::new();
                for field in record.fields.iter().flatten() {
                    describe_type(
                        types,
                        field.ty,
                        &|id: RecordId| (tag_numbers[id.index()], class[id.index()]),
                        &mut key,
                    );
                }
                let next = known.len();
                *known.entry((class[id.index()], key)).or_insert(next)
            })
            .collect();
        let before = class.iter().collect::<HashSet<_>>().len();
        class = refined;
        if known.len() == before {
            return class;
        }
    }
}

fn representatives(types: &Types, class: &[usize]) -> HashMap<RecordId, RecordId> {
    let mut first: HashMap<usize, RecordId> = HashMap::new();
    let mut same: HashMap<RecordId, RecordId> =
        types.records.keys().map(|id| (id, *first.entry(class[id.index()]).or_insert(id))).collect();
    // A record that one unit only declares is the one that another defines, if there is just one of that tag.
    let mut complete: HashMap<Tag<'_>, Vec<RecordId>> = HashMap::new();
    for (id, record) in types.records.iter().filter(|(id, r)| r.fields.is_some() && same[id] == *id) {
        complete.entry(tag(record)).or_default().push(id);
    }
    for (id, record) in types.records.iter().filter(|(_, r)| r.fields.is_none() && !r.name.is_empty()) {
        if let Some([only]) = complete.get(&tag(record)).map(Vec::as_slice) {
            same.insert(id, *only);
        }
    }
    same
}

fn describe_record(record: &Record, key: &mut Vec<u8>) {
    key.extend(
        format!("{:?} {} {:?} {} {} ", record.kind, record.name, record.fields.is_some(), record.size, record.align)
            .bytes(),
    );
    for field in record.fields.iter().flatten() {
        key.extend(format!("{} {} {:?},", field.name, field.offset, field.bits).bytes());
    }
}

/// `record` gives the number of a record's tag, if the tag stands for the record, and its class.
fn describe_type(types: &Types, ty: TypeId, record: &impl Fn(RecordId) -> (Option<u64>, usize), key: &mut Vec<u64>) {
    match types.get(ty) {
        Type::Void | Type::Int(_) | Type::Float(_) => key.extend([0, ty.index() as u64]),
        Type::Pointer { to, to_const } => {
            key.extend([1, *to_const as u64]);
            describe_type(types, *to, record, key);
        }
        Type::Array { of, length } => {
            let length = match length {
                ir::Length::Fixed(n) => *n,
                _ => u64::MAX,
            };
            key.extend([2, length]);
            describe_type(types, *of, record, key);
        }
        Type::Record(id) => match record(*id) {
            (Some(tag), _) => key.extend([3, tag]),
            // What a pointer to an incomplete record points to must not depend on which unit completes it.
            _ if types.records[*id].fields.is_none() => key.extend([5, u64::MAX]),
            (None, class) => key.extend([5, class as u64]),
        },
        Type::Function(signature) => {
            key.extend([4, signature.params.len() as u64, signature.variadic as u64]);
            describe_type(types, signature.result, record, key);
            for param in &signature.params {
                describe_type(types, *param, record, key);
            }
        }
    }
}

/// What stays in the program: definitions and all they refer to.
struct Kept {
    functions: HashSet<FunctionId>,
    globals: HashSet<GlobalId>,
    open_globals: Vec<GlobalId>,
}

impl Kept {
    fn of(program: &Program) -> Kept {
        let mut kept = Kept { functions: HashSet::new(), globals: HashSet::new(), open_globals: Vec::new() };
        for (id, function) in &program.functions {
            if let Some(body) = &function.body {
                kept.functions.insert(id);
                kept.block(body);
            }
            for local in function.locals.values() {
                if let Some(length) = &local.declared_length {
                    kept.expr(length);
                }
            }
        }
        for (id, global) in &program.globals {
            let named = matches!(global.kind, GlobalKind::Variable | GlobalKind::StaticLocal);
            if named && global.init.is_some() {
                kept.global(id);
            }
        }
        while let Some(id) = kept.open_globals.pop() {
            for item in program.globals[id].init.iter().flat_map(|init| &init.items) {
                if let InitValue::Expr(value) = &item.value {
                    kept.expr(value);
                }
            }
        }
        kept
    }

    fn global(&mut self, id: GlobalId) {
        if self.globals.insert(id) {
            self.open_globals.push(id);
        }
    }

    fn block(&mut self, block: &Block) {
        block.walk(&mut |stmt| {
            if let StmtKind::Call { callee: Callee::Function(id), .. } = &stmt.kind {
                self.functions.insert(*id);
            }
            match &stmt.kind {
                StmtKind::Assign { target, .. } | StmtKind::Zero(target) => self.base(target),
                StmtKind::Call { result: Some(target), .. } => self.base(target),
                _ => {}
            }
            for expr in stmt.exprs() {
                self.expr(expr);
            }
        });
    }

    fn base(&mut self, lvalue: &Lvalue) {
        if let Base::Global(id) = lvalue.base {
            self.global(id);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| match &expr.kind {
            ExprKind::Function(id) => {
                self.functions.insert(*id);
            }
            ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => self.base(lvalue),
            _ => {}
        });
    }
}

/// Writes types and ids anew.
struct Rewriting {
    old: Types,
    new: Types,
    same: HashMap<RecordId, RecordId>,
    types: HashMap<TypeId, TypeId>,
    records: HashMap<RecordId, RecordId>,
    functions: HashMap<FunctionId, FunctionId>,
    globals: HashMap<GlobalId, GlobalId>,
    /// Units may disagree about what they share.
    mixes: bool,
    function_types: HashMap<FunctionId, TypeId>,
    global_types: HashMap<GlobalId, TypeId>,
}

impl Rewriting {
    fn new(program: &mut Program, units: usize, same: HashMap<RecordId, RecordId>, kept: &Kept) -> Rewriting {
        let functions = program.functions.keys().filter(|id| kept.functions.contains(id));
        let functions = functions.enumerate().map(|(i, id)| (id, FunctionId::new(i))).collect();
        let globals = program.globals.keys().filter(|id| kept.globals.contains(id));
        let globals = globals.enumerate().map(|(i, id)| (id, GlobalId::new(i))).collect();
        let old = std::mem::take(&mut program.types);
        let mut new = Types::new();
        new.has_volatile_parts = old.has_volatile_parts;
        new.has_restricted = old.has_restricted;
        new.has_restricted_variables = old.has_restricted_variables;
        new.has_thread_locals = old.has_thread_locals;
        Rewriting {
            old,
            new,
            same,
            types: HashMap::new(),
            records: HashMap::new(),
            functions,
            globals,
            mixes: units > 1 && program.data.mixed_units,
            function_types: HashMap::new(),
            global_types: HashMap::new(),
        }
    }

    fn ty(&mut self, id: TypeId) -> TypeId {
        if let Some(&known) = self.types.get(&id) {
            return known;
        }
        let ty = match self.old.get(id).clone() {
            Type::Pointer { to, to_const } => Type::Pointer { to: self.ty(to), to_const },
            Type::Array { of, length } => Type::Array { of: self.ty(of), length },
            Type::Record(record) => Type::Record(self.record(record)),
            Type::Function(s) => Type::Function(Signature {
                result: self.ty(s.result),
                params: s.params.iter().map(|p| self.ty(*p)).collect(),
                ..s
            }),
            plain => plain,
        };
        let new = self.new.intern(ty);
        self.types.insert(id, new);
        new
    }

    fn record(&mut self, id: RecordId) -> RecordId {
        let id = self.same.get(&id).copied().unwrap_or(id);
        if let Some(&known) = self.records.get(&id) {
            return known;
        }
        let mut record = self.old.records[id].clone();
        let fields = record.fields.take();
        let new = self.new.records.push(record);
        self.records.insert(id, new);
        // The fields may lead back here, so the record has its place before they are visited.
        let fields = fields.map(|mut fields| {
            for field in &mut fields {
                field.ty = self.ty(field.ty);
            }
            fields
        });
        self.new.records[new].fields = fields;
        new
    }

    /// Reports declarations of one name that disagree across units.
    fn check(&mut self, program: &Program, declarations: &[Declaration], findings: &mut Vec<Finding>) {
        let mut reported = HashSet::new();
        for declaration in declarations {
            let (ty, name, span) = match declaration.external {
                External::Function(id) => {
                    let function = &program.functions[id];
                    (function.ty, &function.name, function.span)
                }
                External::Global(id) => {
                    let global = &program.globals[id];
                    (global.ty, &global.name, global.span)
                }
            };
            let (a, b) = (self.ty(declaration.ty), self.ty(ty));
            // A function that was never declared is taken to return `int`; the call is checked when it runs.
            let implicit = self.new.signature(a).is_some_and(|s| s.unprototyped);
            if !implicit && !self.agree(a, b) && reported.insert(name.clone()) {
                let message = format!("`{name}` is declared with different types in two units");
                let mut finding =
                    Finding::new(Rule::LinkError, declaration.span, message).with_note(span, "the other is here");
                if self.mixes && (matches!(declaration.external, External::Function(_)) || self.alike(a, b)) {
                    finding.severity = Severity::Warning;
                }
                findings.push(finding);
            }
        }
    }

    /// Whether two declarations may be of one thing: as [`Types::matches`], but records behind pointers agree if their
    /// tags do. Programs show a library's records to its users in part only.
    fn agree(&self, a: TypeId, b: TypeId) -> bool {
        if self.new.matches(a, b) {
            return true;
        }
        match (self.new.get(a), self.new.get(b)) {
            (Type::Pointer { to: a, .. }, Type::Pointer { to: b, .. }) => match (self.new.get(*a), self.new.get(*b)) {
                (Type::Record(a), Type::Record(b)) => {
                    let (a, b) = (&self.new.records[*a], &self.new.records[*b]);
                    a.kind == b.kind && a.name == b.name
                }
                _ => self.agree(*a, *b),
            },
            (Type::Function(a), Type::Function(b)) => {
                self.agree(a.result, b.result)
                    && a.variadic == b.variadic
                    && a.params.len() == b.params.len()
                    && a.params.iter().zip(&b.params).all(|(a, b)| self.agree(*a, *b))
            }
            _ => false,
        }
    }

    /// Whether values of one type can be read as values of another where they lie: integers of one size, pointers, and
    /// arrays of these.
    fn alike(&self, a: TypeId, b: TypeId) -> bool {
        match (self.new.get(a), self.new.get(b)) {
            (Type::Int(a), Type::Int(b)) => a.bytes() == b.bytes() && (*a == IntKind::Bool) == (*b == IntKind::Bool),
            (Type::Pointer { .. }, Type::Pointer { .. }) => true,
            (Type::Array { of: a, .. }, Type::Array { of: b, .. }) => self.alike(*a, *b),
            _ => self.agree(a, b),
        }
    }

    /// The value as another type, for a use that believes in one.
    fn converted(value: Expr, ty: TypeId) -> Expr {
        let span = value.span;
        Expr::new(ExprKind::Convert { value: Box::new(value), explicit: false }, ty, span)
    }

    /// The type of what a path leads to in the program as it is now.
    fn type_at(&self, global: GlobalId, path: &[Step]) -> Option<TypeId> {
        path.iter().try_fold(self.global_types[&global], |ty, step| match (step, self.new.get(ty)) {
            (Step::Index(_), Type::Array { of, .. }) => Some(*of),
            (Step::Field(number), Type::Record(id)) => {
                self.new.records[*id].fields.as_ref()?.get(*number as usize).map(|field| field.ty)
            }
            _ => None,
        })
    }

    fn rewrite(mut self, program: &mut Program, kept: Kept) {
        let functions: Vec<(FunctionId, Function)> = std::mem::take(&mut program.functions).into_iter().collect();
        let globals: Vec<(GlobalId, Global)> = std::mem::take(&mut program.globals).into_iter().collect();
        for (id, function) in &functions {
            let ty = self.ty(function.ty);
            if let Some(new) = self.functions.get(id) {
                self.function_types.insert(*new, ty);
            }
        }
        for (id, global) in &globals {
            if let Some(new) = self.globals.get(id).copied() {
                let ty = self.ty(global.ty);
                self.global_types.insert(new, ty);
            }
        }
        let mut unnamed = 0;
        for (_, mut global) in globals.into_iter().filter(|(id, _)| kept.globals.contains(id)) {
            global.ty = self.ty(global.ty);
            for item in global.init.iter_mut().flat_map(|init| &mut init.items) {
                if let InitValue::Expr(value) = &mut item.value {
                    self.expr(value);
                }
            }
            let stem = match global.kind {
                GlobalKind::StringLiteral => Some(".str"),
                GlobalKind::CompoundLiteral => Some(".literal"),
                _ => None,
            };
            if let Some(stem) = stem {
                global.name = format!("{stem}.{unnamed}");
                unnamed += 1;
            }
            program.globals.push(global);
        }
        for (_, mut function) in functions.into_iter().filter(|(id, _)| kept.functions.contains(id)) {
            function.ty = self.ty(function.ty);
            for local in function.locals.values_mut() {
                local.ty = self.ty(local.ty);
                if let Some(length) = &mut local.declared_length {
                    self.expr(length);
                }
            }
            if let Some(body) = &mut function.body {
                self.block(body);
            }
            program.functions.push(function);
        }
        program.types = self.new;
    }

    fn block(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Assign { target, value } => {
                self.lvalue(target);
                self.expr(value);
                if self.differ(value.ty, target.ty) {
                    *value = Rewriting::converted(value.clone(), target.ty);
                }
            }
            StmtKind::Zero(target) => self.lvalue(target),
            StmtKind::Call { result, callee, args } => {
                if let Some(result) = result {
                    self.lvalue(result);
                }
                args.iter_mut().for_each(|arg| self.expr(arg));
                match callee {
                    Callee::Function(id) => {
                        *id = self.functions[id];
                        let id = *id;
                        if let Some(pointer) = self.through_pointer(id, result.as_ref(), args, span) {
                            *callee = Callee::Pointer(pointer);
                        }
                    }
                    Callee::Pointer(pointer) => self.expr(pointer),
                    Callee::Intrinsic(_) => {}
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.expr(cond);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::Loop(looped) => {
                looped.cond.iter_mut().for_each(|cond| self.expr(cond));
                self.block(&mut looped.pre);
                self.block(&mut looped.body);
                self.block(&mut looped.step);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(value);
                self.block(body);
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Return(value) => value.iter_mut().for_each(|value| self.expr(value)),
            StmtKind::Assume(cond) | StmtKind::Assert { cond, .. } => self.expr(cond),
            StmtKind::Trace(point) => point.values.iter_mut().for_each(|(_, value)| self.expr(value)),
            StmtKind::Live(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Unordered(_)
            | StmtKind::Unsupported(_) => {}
        }
    }

    /// A call made under a declaration that does not fit the definition goes through a pointer of the type that the
    /// caller believed in, so that the mistake is found where it happens.
    fn through_pointer(
        &mut self,
        id: FunctionId,
        result: Option<&Lvalue>,
        args: &mut [Expr],
        span: Span,
    ) -> Option<Expr> {
        let ty = self.function_types[&id];
        let signature = self.new.signature(ty)?.clone();
        let count = if signature.variadic {
            args.len() >= signature.params.len()
        } else {
            args.len() == signature.params.len()
        };
        if count {
            // Pointers to records that two units show differently.
            for (arg, param) in args.iter_mut().zip(&signature.params) {
                let passes = self.agree(arg.ty, *param) || self.differ(arg.ty, *param) && self.alike(arg.ty, *param);
                if !self.new.matches(arg.ty, *param) && passes {
                    let value = Box::new(arg.clone());
                    *arg = Expr::new(ExprKind::Convert { value, explicit: false }, *param, arg.span);
                }
            }
        }
        let fits = signature.unprototyped
            || (count && args.iter().zip(&signature.params).all(|(arg, param)| self.new.matches(arg.ty, *param)));
        let result_fits = result.is_none_or(|result| self.new.matches(result.ty, signature.result));
        if fits && result_fits {
            return None;
        }
        let believed = Signature {
            result: result.map_or(signature.result, |result| result.ty),
            params: Vec::new(),
            variadic: false,
            unprototyped: true,
        };
        let believed = self.new.intern(Type::Function(believed));
        let believed = self.new.pointer(believed);
        let actual = self.new.pointer(ty);
        let function = Expr::new(ExprKind::Function(id), actual, span);
        Some(Expr::new(ExprKind::Convert { value: Box::new(function), explicit: false }, believed, span))
    }

    /// Whether two scalar types are different ones of those that units may mix.
    fn differ(&self, a: TypeId, b: TypeId) -> bool {
        let scalar = |ty| matches!(self.new.get(ty), Type::Int(_) | Type::Pointer { .. });
        self.mixes && scalar(a) && scalar(b) && !self.new.matches(a, b)
    }

    fn lvalue(&mut self, lvalue: &mut Lvalue) {
        lvalue.ty = self.ty(lvalue.ty);
        match &mut lvalue.base {
            Base::Local(_) => {}
            Base::Global(id) => {
                *id = self.globals[id];
                // The definition may know more of an array's length than the place it is used in, and another type where
                // units mix them.
                if lvalue.path.is_empty() {
                    lvalue.ty = self.global_types[id];
                } else if self.mixes
                    && let Some(ty) = self.type_at(*id, &lvalue.path)
                {
                    lvalue.ty = ty;
                }
            }
            Base::Deref(pointer) => self.expr(pointer),
        }
        for step in &mut lvalue.path {
            if let Step::Index(index) = step {
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        expr.ty = self.ty(expr.ty);
        match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) => {}
            ExprKind::Load(lvalue) => {
                self.lvalue(lvalue);
                let believed = std::mem::replace(&mut expr.ty, lvalue.ty);
                if self.differ(expr.ty, believed) {
                    *expr = Rewriting::converted(expr.clone(), believed);
                }
            }
            ExprKind::AddressOf(lvalue) => {
                self.lvalue(lvalue);
                let points = self.new.pointee(expr.ty);
                if self.mixes && points.is_some_and(|to| !self.new.matches(to, lvalue.ty) && self.alike(to, lvalue.ty))
                {
                    let believed = std::mem::replace(&mut expr.ty, self.new.pointer(lvalue.ty));
                    *expr = Rewriting::converted(expr.clone(), believed);
                }
            }
            ExprKind::Function(id) => {
                *id = self.functions[id];
                let ty = self.function_types[id];
                let fits = self.new.pointee(expr.ty).is_some_and(|to| self.new.matches(to, ty));
                if !fits {
                    let actual = self.new.pointer(ty);
                    let value = Expr::new(ExprKind::Function(*id), actual, expr.span);
                    expr.kind = ExprKind::Convert { value: Box::new(value), explicit: false };
                }
            }
            ExprKind::Unary(_, a) | ExprKind::Convert { value: a, .. } => self.expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::Logical(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
        }
    }
}
