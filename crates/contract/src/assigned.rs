//! What a function may change of what its callers see: globals, members behind its parameters, ranges of buffers.
//!
//! *Question*: which memory is the same after the call, whatever the input?
//!
//! A place is a way from a parameter or a global: members, and elements of which the number is not told apart. The ways
//! are those on which the function writes itself, and those of its callees with the arguments in place of their
//! parameters, until nothing is added. Where a pointer's way is not known, [`ir::effects`] says how far it may lead.
//!
//! *Guarantee*: on every defined run, what exists before the call and after it and is another then lies in the places,
//! where [`Assigned::everything`] does not say that nothing is known. Places are those of the state before the call: a way
//! through a pointer that the function may have made to lead elsewhere ([`Redirected`]) would be another place, so that
//! then nothing is known. There may be places that no run changes. What the library keeps for itself (streams, `errno`) and
//! memory that is released are not counted.
//!
//! A pointer that is converted to lead to another type, and a member of a union, have no way: what is written there is told
//! by regions alone.

use crate::vocabulary::Term;
use ir::effects::{Effects, Region};
use ir::{
    Base, BinaryOp, CallGraph, Callee, Expr, ExprKind, Function, FunctionId, GlobalId, LocalId, Lvalue, Program,
    SecondaryMap, Step, StmtKind, TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Places of one function; with more it is said that everything may change.
const MOST_PLACES: usize = 48;
const LONGEST_WAY: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    Parameter(usize),
    Global(GlobalId),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    Deref,
    Member(String),
    /// Any element of an array, or any object in a row with the one that a pointer leads to.
    Elements,
    /// All that can be reached from here.
    Reached,
}

/// A way from something that callers know.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub root: Root,
    pub way: Vec<Way>,
}

/// What a call may change.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Assigned {
    pub places: BTreeSet<Place>,
    /// Why nothing is known, if so.
    pub everything: Option<String>,
    /// The types of the scalars at the places; none where that is no scalar, or not always the same.
    types: BTreeMap<Place, Option<TypeId>>,
    redirected: Redirected,
    /// What pointers lead to by which memory is released; none for pointers to `void`.
    released: BTreeSet<Option<TypeId>>,
}

/// Pointers in memory that a call may make lead to something that was there before, and not behind them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Redirected {
    members: BTreeSet<String>,
    /// Others than members, or which ones is not known.
    others: bool,
}

impl Redirected {
    fn add(&mut self, other: &Redirected) {
        self.members.extend(other.members.iter().cloned());
        self.others |= other.others;
    }

    fn any(&self) -> bool {
        self.others || !self.members.is_empty()
    }

    fn has(&self, member: &str) -> bool {
        self.others || self.members.contains(member)
    }
}

impl Place {
    /// As ACSL writes it.
    pub fn text(&self, program: &Program, function: &Function) -> String {
        let mut text = match self.root {
            Root::Parameter(k) => function.locals[function.params[k]].name.clone(),
            Root::Global(id) => program.globals[id].name.clone(),
        };
        let mut steps = self.way.iter().peekable();
        while let Some(step) = steps.next() {
            match step {
                Way::Deref => match steps.peek() {
                    Some(Way::Member(name)) => {
                        text = format!("{text}->{name}");
                        steps.next();
                    }
                    Some(Way::Elements) => {
                        text = format!("{text}[..]");
                        steps.next();
                    }
                    _ => text = format!("*{text}"),
                },
                Way::Member(name) => text = format!("{text}.{name}"),
                Way::Elements => text = format!("{text}[..]"),
                Way::Reached => text = format!("what {text} reaches"),
            }
        }
        text
    }

    /// The number of the parameter that it starts from.
    pub fn parameter(&self) -> Option<usize> {
        match self.root {
            Root::Parameter(k) => Some(k),
            Root::Global(_) => None,
        }
    }

    /// Whether it is the elements of a buffer behind a pointer.
    pub fn is_buffer(&self) -> bool {
        matches!(self.way.as_slice(), [.., Way::Deref, Way::Elements])
    }

    /// Whether it is one object and no range, so that C can assign to it.
    pub fn is_exact(&self) -> bool {
        !self.way.iter().any(|step| matches!(step, Way::Elements | Way::Reached))
    }

    /// Whether it is something that a parameter leads to by no further pointer, or a variable or part of one.
    pub fn is_near(&self) -> bool {
        let derefs = self.way.iter().filter(|step| **step == Way::Deref).count();
        self.way.first() == Some(&Way::Deref) && derefs == 1 || matches!(self.root, Root::Global(_)) && derefs == 0
    }

    /// Whether it starts at something that has a name outside of the function.
    pub fn is_named(&self, program: &Program) -> bool {
        match self.root {
            Root::Parameter(_) => true,
            Root::Global(id) => program.globals[id].kind == ir::GlobalKind::Variable,
        }
    }

    /// Whether it ends in a way of its own, and not in all that can be reached.
    fn is_told(&self) -> bool {
        !self.way.contains(&Way::Reached)
    }

    /// Whether ACSL has a way to write it.
    pub fn has_text(&self, program: &Program) -> bool {
        self.is_told() && self.is_named(program)
    }
}

impl Assigned {
    fn give_up(&mut self, why: &str) {
        self.everything.get_or_insert_with(|| why.to_string());
    }

    fn add(&mut self, place: Place, ty: Option<TypeId>) {
        let known = self.types.entry(place.clone()).or_insert(ty);
        if *known != ty {
            *known = None;
        }
        self.places.insert(place);
    }

    /// Whether an object of this type, which callers know, may be no more after the call.
    pub fn may_release(&self, ty: TypeId) -> bool {
        self.released.contains(&None) || self.released.contains(&Some(ty))
    }

    pub fn releases(&self) -> bool {
        !self.released.is_empty()
    }

    /// The type of the scalar that is written at a place, if it is always the same.
    pub fn type_of(&self, place: &Place) -> Option<TypeId> {
        *self.types.get(place)?
    }

    /// Whether a term may have another value after the call. Places are told apart by the names of members, whatever
    /// pointers lead to them.
    pub fn may_change(&self, program: &Program, term: &Term) -> bool {
        if term.is_parameter {
            return false;
        }
        if term.of_result || self.everything.is_some() || self.places.iter().any(|place| !place.is_told()) {
            return true;
        }
        if let Some(member) = term.member() {
            // A record that is written as a whole changes all its members.
            let whole = |place: &Place| matches!(place.way.last(), None | Some(Way::Deref | Way::Elements));
            return self.sets(member) || self.places.iter().any(whole);
        }
        let of_global = |place: &Place| matches!(place.root, Root::Global(id) if program.globals[id].name == term.text);
        let behind = |place: &Place| matches!(place.way.last(), Some(Way::Deref | Way::Elements));
        self.places.iter().any(|place| of_global(place) || behind(place))
    }

    /// Whether a member of this name may be set.
    fn sets(&self, member: &str) -> bool {
        self.places.iter().any(|place| place.way.last() == Some(&Way::Member(member.to_string())))
    }
}

/// The places of every function that has a body.
pub fn assigned(program: &Program, graph: &CallGraph, effects: &Effects<'_>) -> SecondaryMap<FunctionId, Assigned> {
    let mut all: SecondaryMap<FunctionId, Assigned> = SecondaryMap::new();
    for component in graph.components() {
        loop {
            let mut changed = false;
            for &id in component {
                if program.functions[id].body.is_none() {
                    continue;
                }
                let mut found = Body::new(program, effects, id).assigned(&all);
                settle(&mut found);
                changed |= found != all[id];
                all[id] = found;
            }
            if !changed || component.len() == 1 && !graph.is_recursive(component[0]) {
                break;
            }
        }
    }
    all
}

/// Gives up ways through pointers that may have been redirected, and lists that are too long.
fn settle(found: &mut Assigned) {
    let redirected = &found.redirected;
    let is_lost = |place: &Place| {
        !place.is_told() && redirected.any()
            || place.way.windows(2).any(|pair| match pair {
                [Way::Member(name), Way::Deref] => redirected.has(name),
                [_, Way::Deref] => redirected.any(),
                _ => false,
            })
    };
    if found.places.iter().any(is_lost) {
        found.give_up("it writes through pointers in memory that it may have set itself");
    }
    // Whose pointers they are is not told of rows of pointers, and of pointers to pointers.
    let vague =
        |place: &&Place| place.way.windows(2).any(|pair| matches!(pair, [Way::Elements | Way::Deref, Way::Deref]));
    for place in found.places.iter().filter(vague).cloned().collect::<Vec<_>>() {
        found.places.remove(&place);
        found.places.insert(Place { root: place.root, way: vec![Way::Reached] });
    }
    let reached: BTreeSet<Root> =
        found.places.iter().filter(|place| !place.is_told()).map(|place| place.root).collect();
    found.places.retain(|place| !reached.contains(&place.root));
    found.places.extend(reached.into_iter().map(|root| Place { root, way: vec![Way::Reached] }));
    if found.places.len() > MOST_PLACES {
        found.give_up("it changes too many places to list");
    }
    if found.everything.is_some() {
        found.places.clear();
    }
    let places = &found.places;
    found.types.retain(|place, _| places.contains(place));
}

/// The places of a pointer's target, or how far it may lead.
enum Led {
    /// The pointer is this way; what it leads to is behind one more [`Way::Deref`].
    By(Place),
    /// The pointer is the address of this.
    At(Place),
    /// Nothing that callers see.
    Inside,
    Unknown,
}

/// One function being looked at.
struct Body<'p> {
    program: &'p Program,
    effects: &'p Effects<'p>,
    id: FunctionId,
    function: &'p Function,
    /// What is assigned to each local, and whether its address is taken.
    values: BTreeMap<LocalId, Vec<Option<&'p Expr>>>,
    addressed: BTreeSet<LocalId>,
}

impl<'p> Body<'p> {
    fn new(program: &'p Program, effects: &'p Effects<'p>, id: FunctionId) -> Body<'p> {
        let function = &program.functions[id];
        let mut values: BTreeMap<LocalId, Vec<Option<&Expr>>> = BTreeMap::new();
        let mut addressed = BTreeSet::new();
        if let Some(body) = &function.body {
            body.walk(&mut |stmt| {
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| {
                        if let ExprKind::AddressOf(Lvalue { base: Base::Local(local), .. }) = &part.kind {
                            addressed.insert(*local);
                        }
                    });
                }
                match &stmt.kind {
                    StmtKind::Assign { target, value } => {
                        if let Base::Local(local) = target.base {
                            let whole = target.path.is_empty();
                            values.entry(local).or_default().push(whole.then_some(value));
                        }
                    }
                    StmtKind::Zero(target) | StmtKind::Call { result: Some(target), .. } => {
                        if let Base::Local(local) = target.base {
                            values.entry(local).or_default().push(None);
                        }
                    }
                    _ => {}
                }
            });
        }
        Body { program, effects, id, function, values, addressed }
    }

    fn assigned(&self, known: &SecondaryMap<FunctionId, Assigned>) -> Assigned {
        let mut found = Assigned::default();
        let Some(body) = &self.function.body else { return found };
        body.walk(&mut |stmt| {
            if let Some(what) = stmt.obstacle() {
                found.give_up(&format!("the model does not cover {what}"));
            }
            match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    self.write(target, &mut found);
                    if !self.stays(target, value) {
                        self.redirect(target, &mut found);
                    }
                }
                // Zeros are null pointers.
                StmtKind::Zero(target) => self.write(target, &mut found),
                StmtKind::Call { callee, args, result } => {
                    if let Some(target) = result {
                        self.write(target, &mut found);
                        if !self.gives_new(callee) {
                            self.redirect(target, &mut found);
                        }
                    }
                    self.call(callee, args, known, &mut found);
                }
                _ => {}
            }
        });
        found
    }

    /// A write to an object.
    fn write(&self, target: &Lvalue, found: &mut Assigned) {
        match self.place(target) {
            Led::At(place) | Led::By(place) => {
                let scalar = self.program.types.is_scalar(target.ty).then_some(target.ty);
                found.add(place, scalar);
            }
            Led::Inside => {}
            Led::Unknown => self.coarse(&self.effects.regions(self.id, target), found),
        }
    }

    /// A pointer in memory, or something with pointers in it, is set. The function's own variables are followed apart.
    fn redirect(&self, target: &Lvalue, found: &mut Assigned) {
        let types = &self.program.types;
        if matches!(target.base, Base::Local(_)) || !ir::effects::holds_pointers(types, target.ty) {
            return;
        }
        match self.last_member(target).filter(|name| types.is_scalar(target.ty) && !name.is_empty()) {
            Some(name) => found.redirected.members.extend([name]),
            None => found.redirected.others = true,
        }
    }

    /// The name of the member that an lvalue ends in.
    fn last_member(&self, lvalue: &Lvalue) -> Option<String> {
        let types = &self.program.types;
        let (Step::Field(number), before) = lvalue.path.split_last()? else { return None };
        let mut ty = match &lvalue.base {
            Base::Local(local) => self.function.locals[*local].ty,
            Base::Global(id) => self.program.globals[*id].ty,
            Base::Deref(pointer) => types.pointee(pointer.ty)?,
        };
        let fields = |ty| match types.get(ty) {
            ir::Type::Record(record) => types.records[*record].fields.as_ref(),
            _ => None,
        };
        for step in before {
            ty = match step {
                Step::Field(number) => fields(ty)?.get(*number as usize)?.ty,
                Step::Index(_) => types.element(ty)?,
            };
        }
        Some(fields(ty)?.get(*number as usize)?.name.clone())
    }

    /// Whether a pointer that is set leads where it led, to new memory, or nowhere. Numbers lead nowhere: they are
    /// pointers to nobody, unless they are converted.
    fn stays(&self, target: &Lvalue, value: &Expr) -> bool {
        let types = &self.program.types;
        if types.is_scalar(target.ty) && !types.is_pointer(target.ty) {
            return true;
        }
        if !types.is_pointer(target.ty) {
            return false;
        }
        let object =
            Lvalue { base: Base::Deref(Box::new(value.clone())), path: Vec::new(), ty: target.ty, span: target.span };
        let regions = self.effects.regions(self.id, &object);
        if regions.iter().all(|region| *region == Region::Heap) {
            return true;
        }
        let Led::At(own) = self.place(target) else { return false };
        match self.pointer(value, 0) {
            Led::By(place) => place == own,
            Led::At(place) => place == longer(&own, &[Way::Deref, Way::Elements]),
            Led::Inside | Led::Unknown => false,
        }
    }

    fn gives_new(&self, callee: &Callee) -> bool {
        let Callee::Function(id) = callee else { return false };
        let function = &self.program.functions[*id];
        function.body.is_none() && ir::library::ALLOCATES.contains(&plain_name(function))
    }

    /// What is known of regions alone.
    fn coarse(&self, regions: &BTreeSet<Region>, found: &mut Assigned) {
        for region in regions {
            match region {
                Region::Global(id) => found.add(Place { root: Root::Global(*id), way: Vec::new() }, None),
                Region::Param(k) => {
                    found.add(Place { root: Root::Parameter(*k as usize), way: vec![Way::Reached] }, None);
                }
                Region::Memory => found.give_up("it writes through a pointer of which nothing is known"),
                // What the function allocates is new to its callers, and its variables are its own.
                Region::Heap | Region::Local(_) | Region::World | Region::LastError => {}
            }
        }
    }

    fn call(&self, callee: &Callee, args: &[Expr], known: &SecondaryMap<FunctionId, Assigned>, found: &mut Assigned) {
        let Callee::Function(id) = callee else {
            let summary = self.effects.of_call(self.id, callee, args);
            match summary.anything || matches!(callee, Callee::Pointer(_)) {
                true => found.give_up("it calls through a pointer"),
                false => self.coarse(&summary.writes, found),
            }
            return;
        };
        let callee_function = &self.program.functions[*id];
        if callee_function.body.is_none() {
            return self.library(plain_name(callee_function), callee, args, found);
        }
        let inner = &known[*id];
        if let Some(why) = &inner.everything {
            found.give_up(&format!("of `{}`: {why}", callee_function.name));
        }
        found.redirected.add(&inner.redirected);
        found.released.extend(&inner.released);
        for place in &inner.places {
            let ty = inner.type_of(place);
            let Root::Parameter(k) = place.root else {
                found.add(place.clone(), ty);
                continue;
            };
            let Some(arg) = args.get(k) else {
                found.give_up("a call has too few arguments");
                continue;
            };
            let led = match (self.pointer(arg, 0), place.way.as_slice()) {
                (Led::By(at), way) => Some(longer(&at, way)),
                (Led::At(at), [Way::Deref, rest @ ..]) => Some(longer(&at, rest)),
                (Led::At(at), [Way::Reached]) => Some(Place { root: at.root, way: vec![Way::Reached] }),
                (Led::Inside, [Way::Deref] | [Way::Deref, Way::Member(_)] | [Way::Deref, Way::Elements]) => continue,
                _ => None,
            };
            match led {
                Some(led) if led.way.len() <= LONGEST_WAY => found.add(led, ty),
                Some(led) => found.add(Place { root: led.root, way: vec![Way::Reached] }, None),
                None => {
                    let writes = self.effects.of_call(self.id, callee, args).writes;
                    self.coarse(&writes, found);
                }
            }
        }
    }

    /// A call of a function that has no body here.
    fn library(&self, name: &str, callee: &Callee, args: &[Expr], found: &mut Assigned) {
        let summary = self.effects.of_call(self.id, callee, args);
        if summary.anything {
            found.give_up(&format!("it calls `{name}`, which is not here"));
        }
        if RELEASES.contains(&name) {
            // What is released is no more, and so not changed.
            let original = args.first().and_then(|arg| self.original(arg));
            found.released.insert(original.filter(|to| !self.program.types.is_void(*to)));
            return;
        }
        if WRITES_BYTES.contains(&name)
            && let Some(place) = args.first().and_then(|first| self.filled(first, args.last()))
        {
            let (place, ty) = place;
            // What is copied may be pointers.
            let holds = |ty: TypeId| ir::effects::holds_pointers(&self.program.types, ty);
            let copies = name != "memset" && args.iter().filter_map(|arg| self.original(arg)).any(holds);
            if let Some(place) = place {
                found.redirected.others |= copies;
                found.add(place, self.program.types.is_scalar(ty).then_some(ty));
            }
            return;
        }
        found.redirected.others |=
            !summary.writes.iter().all(|region| matches!(region, Region::Local(_) | Region::World | Region::LastError));
        self.coarse(&summary.writes, found);
    }

    /// What a call fills that writes bytes from where this argument leads to, and the type of its elements; no place if
    /// it is the function's own. `None` if that is not known. An object that is no element of an array is filled no
    /// further than it goes.
    fn filled(&self, argument: &Expr, size: Option<&Expr>) -> Option<(Option<Place>, TypeId)> {
        let argument = unconverted(&self.program.types, argument);
        let ty = self.program.types.pointee(argument.ty)?;
        match self.pointer(argument, 0) {
            Led::By(place) => Some((Some(longer(&place, &[Way::Deref, Way::Elements])), ty)),
            Led::At(place) if matches!(place.way.last(), Some(Way::Elements)) => Some((Some(place), ty)),
            Led::At(place) => {
                let ExprKind::Int(bytes) = size?.kind else { return None };
                let own = self.program.types.size_of(ty)?;
                (0..=i128::from(own)).contains(&bytes).then_some((Some(place), ty))
            }
            Led::Inside => Some((None, ty)),
            Led::Unknown => None,
        }
    }

    /// What a pointer that is converted leads to.
    fn original(&self, pointer: &Expr) -> Option<TypeId> {
        self.program.types.pointee(unconverted(&self.program.types, pointer).ty)
    }

    /// Where an object lies.
    fn place(&self, lvalue: &Lvalue) -> Led {
        let base = match &lvalue.base {
            Base::Local(_) => return Led::Inside,
            Base::Global(id) => Place { root: Root::Global(*id), way: Vec::new() },
            Base::Deref(pointer) => match self.pointer(pointer, 0) {
                Led::By(place) => longer(&place, &[Way::Deref]),
                Led::At(place) => place,
                other => return other,
            },
        };
        let mut place = base;
        let mut ty = match &lvalue.base {
            Base::Local(local) => self.function.locals[*local].ty,
            Base::Global(id) => self.program.globals[*id].ty,
            Base::Deref(pointer) => match self.program.types.pointee(pointer.ty) {
                Some(to) => to,
                None => return Led::Unknown,
            },
        };
        for step in &lvalue.path {
            match step {
                Step::Field(number) => {
                    let ir::Type::Record(record) = self.program.types.get(ty) else { return Led::Unknown };
                    let record = &self.program.types.records[*record];
                    // What one member of a union is, the others are too.
                    if record.kind == ir::RecordKind::Union {
                        return Led::Unknown;
                    }
                    let Some(field) = record.fields.as_ref().and_then(|fields| fields.get(*number as usize)) else {
                        return Led::Unknown;
                    };
                    // An anonymous member's members are reached by their own names alone.
                    if !field.name.is_empty() {
                        place.way.push(Way::Member(field.name.clone()));
                    }
                    ty = field.ty;
                }
                Step::Index(_) => {
                    place = elements_of(place);
                    ty = match self.program.types.element(ty) {
                        Some(of) => of,
                        None => return Led::Unknown,
                    };
                }
            }
        }
        if place.way.len() > LONGEST_WAY {
            return Led::Unknown;
        }
        Led::At(place)
    }

    /// Where a pointer leads.
    fn pointer(&self, expr: &Expr, depth: u32) -> Led {
        if depth > 8 {
            return Led::Unknown;
        }
        match &expr.kind {
            ExprKind::AddressOf(lvalue) => self.place(lvalue),
            ExprKind::Convert { value, .. }
                if self
                    .program
                    .types
                    .pointee(value.ty)
                    .is_some_and(|to| self.program.types.pointee(expr.ty) == Some(to)) =>
            {
                self.pointer(value, depth)
            }
            ExprKind::Convert { value, .. } if matches!(value.kind, ExprKind::Int(0)) => Led::Inside,
            ExprKind::Binary(BinaryOp::PointerAdd, base, _) => match self.pointer(base, depth) {
                Led::By(place) => Led::At(longer(&place, &[Way::Deref, Way::Elements])),
                Led::At(place) => Led::At(elements_of(place)),
                other => other,
            },
            ExprKind::Load(lvalue) => match lvalue.as_local() {
                Some(local) if !self.addressed.contains(&local) => self.local(local, depth),
                Some(_) => Led::Unknown,
                None => match self.place(lvalue) {
                    Led::At(place) if matches!(place.root, Root::Parameter(_)) => Led::By(place),
                    _ => Led::Unknown,
                },
            },
            _ => Led::Unknown,
        }
    }

    /// Where a local that holds a pointer leads: to where all that it is given does.
    fn local(&self, local: LocalId, depth: u32) -> Led {
        let own = self.function.params.iter().position(|param| *param == local);
        let values = self.values.get(&local).map_or(&[][..], Vec::as_slice);
        let own = own.map(|k| Place { root: Root::Parameter(k), way: Vec::new() });
        if values.is_empty() {
            return own.map_or(Led::Unknown, Led::By);
        }
        let mut joined: Option<Place> = own.map(|place| longer(&place, &[Way::Deref, Way::Elements]));
        for value in values {
            let Some(value) = value else { return Led::Unknown };
            if steps_itself(value, local) {
                continue;
            }
            let next = match self.pointer(value, depth + 1) {
                Led::By(place) => longer(&place, &[Way::Deref, Way::Elements]),
                Led::At(place) => elements_of(place),
                Led::Inside if matches!(value.kind, ExprKind::Convert { .. }) => continue,
                _ => return Led::Unknown,
            };
            match &joined {
                None => joined = Some(next),
                Some(known) if *known == next => {}
                Some(_) => return Led::Unknown,
            }
        }
        joined.map_or(Led::Unknown, Led::At)
    }
}

/// `p = p + n`.
fn steps_itself(value: &Expr, local: LocalId) -> bool {
    match &value.kind {
        ExprKind::Binary(BinaryOp::PointerAdd, base, _) => steps_itself(base, local),
        ExprKind::Convert { value, .. } => steps_itself(value, local),
        ExprKind::Load(lvalue) => lvalue.as_local() == Some(local),
        _ => false,
    }
}

fn longer(place: &Place, more: &[Way]) -> Place {
    let mut place = place.clone();
    place.way.extend(more.iter().cloned());
    // Elements of elements are elements.
    place.way.dedup_by(|a, b| *a == Way::Elements && *b == Way::Elements);
    place
}

/// The object and those in a row with it.
fn elements_of(place: Place) -> Place {
    longer(&place, &[Way::Elements])
}

/// A pointer before it is converted to others.
pub fn unconverted<'e>(types: &ir::Types, mut pointer: &'e Expr) -> &'e Expr {
    while let ExprKind::Convert { value, .. } = &pointer.kind
        && types.is_pointer(value.ty)
    {
        pointer = value;
    }
    pointer
}

/// The name of a function of the library, without the compiler's prefix.
pub fn plain_name(function: &Function) -> &str {
    function.name.strip_prefix("__builtin_").unwrap_or(&function.name)
}

/// Functions of the library that write bytes from where their first argument leads to, and nothing else that callers
/// see; the last argument is their number where it is not told by a string.
const WRITES_BYTES: [&str; 7] = ["memcpy", "memmove", "memset", "strcpy", "strncpy", "strcat", "strncat"];

/// Those that release memory, and may copy what was in it to new memory.
const RELEASES: [&str; 2] = ["free", "realloc"];
