//! Which fields are one variable: those of an object that every use of the field must mean.
//!
//! A field that is read and written through pointers can be followed like a variable only if all pointers lead to the
//! same object; else a store to one object would change what is known about another, and messages would vanish from
//! the language. Two kinds of objects are told apart from all others:
//!
//! - a variable of record type whose address nobody takes as a whole is *split*: its members are variables of its own;
//! - a record type of which the entry reaches at most *one* object, so that a pointer to the type has nowhere else to
//!   lead: a single variable of a function that does not call itself, or a single global.
//!
//! Everything else (elements of arrays, what is allocated, what comes from a library, parameters and results that are
//! copies, records inside unions, records whose bytes are reached through pointers of other types) is not followed.
//! The user may say that a type has one object in use at a time (`one` of the io file); the verdict then says so too.
//!
//! *Guarantee*: a field that is followed names one object at every point of a run without undefined behaviour, unless
//! the user vouched for it. *Cost*: linear in the program.

use super::cells::{Root, without_conversions};
use ir::{
    Base, CallGraph, Callee, Expr, ExprKind, FunctionId, Length, Lvalue, Program, RecordId, RecordKind, StmtKind, Type,
    TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A scalar inside of a record: the fields that lead to it, its type, where it is.
pub(super) struct Member {
    pub path: Vec<u32>,
    pub ty: TypeId,
    pub offset: u64,
}

/// The objects that fields can be followed of.
pub(super) struct Objects {
    /// Record types with one object.
    one: BTreeSet<RecordId>,
    /// Those of them that the user says it of.
    told: BTreeSet<RecordId>,
    /// Variables whose members are variables of their own.
    split: BTreeSet<Root>,
}

/// More objects than one.
const MANY: usize = 2;

impl Objects {
    pub fn new(program: &Program, graph: &CallGraph, entry: FunctionId, one: &[String]) -> Objects {
        let mut census = Census { program, whole: BTreeSet::new(), count: BTreeMap::new(), mixed: BTreeSet::new() };
        census.find_addresses();
        let mut split = BTreeSet::new();
        for (id, global) in program.globals.iter() {
            let root = Root::Global(id);
            // What another file defines is written to there.
            let own = global.init.is_some();
            if own && !global.is_volatile && census.splits(root, global.ty) {
                split.insert(root);
            }
            census.add(global.ty, if own { 1 } else { MANY }, split.contains(&root));
        }
        let reachable = graph.reachable(entry);
        for function in reachable.iter().copied().filter(|id| program.functions[*id].body.is_some()) {
            for (id, local) in program.functions[function].locals.iter() {
                let root = Root::Local(function, id);
                if !local.is_volatile && census.splits(root, local.ty) {
                    split.insert(root);
                }
                let count = if graph.is_recursive(function) { MANY } else { 1 };
                census.add(local.ty, count, split.contains(&root));
            }
            census.find_origins(graph, function);
        }
        census.find_unions();
        let named = |record: &RecordId| {
            let record = &program.types.records[*record];
            let has = |field: &str| record.fields.iter().flatten().any(|own| own.name == field);
            one.iter().any(|name| name.strip_prefix('.').map_or(*name == record.name, has))
        };
        let told: BTreeSet<RecordId> = program.types.records.keys().filter(named).collect();
        // Who starts in the middle finds objects that others made.
        let whole_run = program.functions[entry].name == "main";
        let counted = census.count.iter().filter(|(_, count)| **count == 1).map(|(record, _)| *record);
        let mut one: BTreeSet<RecordId> =
            counted.filter(|record| whole_run && !census.mixed.contains(record)).collect();
        one.extend(&told);
        Objects { one, told, split }
    }

    /// Whether the fields of this record type are those of one object.
    pub fn is_one(&self, record: RecordId) -> bool {
        self.one.contains(&record)
    }

    /// Whether the user says that the type has one object.
    pub fn is_told(&self, record: RecordId) -> bool {
        self.told.contains(&record)
    }

    /// Whether the members of this variable are variables of its own.
    pub fn is_split(&self, root: Root) -> bool {
        self.split.contains(&root)
    }
}

/// The scalars of a record that one path of fields leads to; bit-fields and what is inside of unions and arrays aside.
pub(super) fn members(program: &Program, ty: TypeId) -> Vec<Member> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), ty, 0)];
    while let Some((path, ty, start)) = open.pop() {
        let Type::Record(record) = program.types.get(ty) else { continue };
        let record = &program.types.records[*record];
        if record.kind == RecordKind::Union {
            continue;
        }
        for (number, field) in record.fields.iter().flatten().enumerate() {
            let mut path: Vec<u32> = path.clone();
            path.push(number as u32);
            match program.types.get(field.ty) {
                Type::Record(_) => open.push((path, field.ty, start + field.offset)),
                _ if field.bits.is_some() => {}
                _ => found.push(Member { path, ty: field.ty, offset: start + field.offset }),
            }
        }
    }
    found
}

/// The records of a type, inside of others and of arrays too.
pub(super) fn records_within(program: &Program, ty: TypeId) -> Vec<RecordId> {
    let mut found = Vec::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match program.types.get(ty) {
            Type::Array { of, .. } => open.push(*of),
            Type::Record(record) if !found.contains(record) => {
                found.push(*record);
                open.extend(program.types.records[*record].fields.iter().flatten().map(|field| field.ty));
            }
            _ => {}
        }
    }
    found
}

/// Counts objects.
struct Census<'p> {
    program: &'p Program,
    /// Variables whose address is taken as a whole, or that of a record inside.
    whole: BTreeSet<Root>,
    /// How many objects of a record type there may be at a time, [`MANY`] standing for more.
    count: BTreeMap<RecordId, usize>,
    /// Records whose memory is reached in other ways than through their fields.
    mixed: BTreeSet<RecordId>,
}

impl Census<'_> {
    fn splits(&self, root: Root, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Record(_)) && !self.whole.contains(&root)
    }

    /// Adds so many objects of a type. What is inside of a variable that is split has variables of its own.
    fn add(&mut self, ty: TypeId, count: usize, split: bool) {
        match self.program.types.get(ty) {
            Type::Array { of, length } => {
                let times = if *length == Length::Fixed(1) { 1 } else { MANY };
                self.add(*of, (count * times).min(MANY), false);
            }
            Type::Record(record) => {
                if !split {
                    let known = self.count.entry(*record).or_default();
                    *known = (*known + count).min(MANY);
                }
                let program = self.program;
                let record = &program.types.records[*record];
                let split = split && record.kind == RecordKind::Struct;
                for field in record.fields.iter().flatten() {
                    self.add(field.ty, count, split);
                }
            }
            _ => {}
        }
    }

    /// Pointers to this type may lead to objects that are not counted.
    fn add_pointees(&mut self, ty: TypeId) {
        if let Some(to) = self.program.types.pointee(ty) {
            self.add(to, MANY, false);
        }
    }

    fn find_addresses(&mut self) {
        let program = self.program;
        for (function, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| {
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| self.note_address(part, Some(function)));
                }
            });
        }
        for item in program.globals.values().flat_map(|global| &global.init).flat_map(|init| &init.items) {
            if let ir::InitValue::Expr(value) = &item.value {
                value.walk(&mut |part| self.note_address(part, None));
            }
        }
    }

    fn note_address(&mut self, part: &Expr, function: Option<FunctionId>) {
        let ExprKind::AddressOf(Lvalue { base, ty, .. }) = &part.kind else { return };
        if !matches!(self.program.types.get(*ty), Type::Record(_)) {
            return;
        }
        match (base, function) {
            (Base::Local(id), Some(function)) => drop(self.whole.insert(Root::Local(function, *id))),
            (Base::Global(id), _) => drop(self.whole.insert(Root::Global(*id))),
            _ => {}
        }
    }

    /// Where pointers to records come from that are no addresses of variables, and where they go that is no pointer to
    /// the same record.
    fn find_origins(&mut self, graph: &CallGraph, function: FunctionId) {
        let program = self.program;
        let body = program.functions[function].body.as_ref().expect("a function with a body should have one");
        body.walk(&mut |stmt| {
            let mut handed: Vec<&Expr> = Vec::new();
            if let StmtKind::Call { callee, args, result } = &stmt.kind {
                let targets = match callee {
                    Callee::Function(id) => vec![*id],
                    Callee::Pointer(pointer) => graph.targets(program, pointer),
                    Callee::Intrinsic(_) => Vec::new(),
                };
                let bodiless = targets.iter().all(|target| program.functions[*target].body.is_none());
                if bodiless && !targets.is_empty() {
                    handed.extend(args);
                }
                if targets.is_empty() || targets.iter().any(|target| program.functions[*target].body.is_none()) {
                    result.iter().for_each(|target| self.add_pointees(target.ty));
                    for back in targets.iter().flat_map(|target| graph.may_call_back(program, *target)) {
                        let called = &program.functions[back];
                        called.params.iter().for_each(|param| self.add_pointees(called.locals[*param].ty));
                    }
                }
            }
            for expr in stmt.exprs() {
                // What goes straight into a library function is written to there, which the exploration knows.
                let exempt = handed.iter().find(|arg| std::ptr::eq(**arg, expr)).map(|arg| without_conversions(arg));
                expr.walk(&mut |part| self.note_conversion(part, exempt));
            }
        });
    }

    fn note_conversion(&mut self, part: &Expr, exempt: Option<&Expr>) {
        let ExprKind::Convert { value, .. } = &part.kind else { return };
        let program = self.program;
        let record = |ty: TypeId| {
            let mut to = program.types.pointee(ty)?;
            while let Some(element) = program.types.element(to) {
                to = element;
            }
            if let Type::Record(record) = program.types.get(to) { Some(*record) } else { None }
        };
        let (from, to) = (record(value.ty), record(part.ty));
        if from == to {
            return;
        }
        let null = matches!(without_conversions(value).kind, ExprKind::Int(0));
        if to.is_some() && !null {
            self.add_pointees(part.ty);
        }
        let stays = program.types.is_pointer(part.ty) || program.types.int_kind(part.ty) != Some(ir::IntKind::Bool);
        let passed = exempt.is_some_and(|exempt| std::ptr::eq(without_conversions(value), exempt));
        if let Some(to) = program.types.pointee(value.ty).filter(|_| from.is_some() && stays && !passed) {
            self.mixed.extend(records_within(program, to));
        }
    }

    fn find_unions(&mut self) {
        let program = self.program;
        for record in program.types.records.values().filter(|record| record.kind == RecordKind::Union) {
            for field in record.fields.iter().flatten() {
                self.mixed.extend(records_within(program, field.ty));
            }
        }
    }
}
