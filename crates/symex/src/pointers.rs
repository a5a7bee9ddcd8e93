//! Which pointers lead into one known object.
//!
//! *Question*: a pointer variable that is only ever assigned addresses of elements of one array can be followed as an
//! offset into that array. Which variables are like that, and into which [`Place`]?
//!
//! *Method*: a fixpoint over all assignments of the program at once, in whatever order they run. A pointer starts
//! without a target, gets the first place it is assigned, and is unknown as soon as a second place comes up or
//! something that is not followed. Null adds nothing: it is a special offset.
//!
//! *Guarantee*: on a run without undefined behaviour a pointer with a place is null, indeterminate, or the address of
//! an element of that place, or of one past the last.
//! *Cost*: assignments times the length of the longest chain of copies.

use super::objects::{FrameId, Holds, ObjectId, Objects, Owner, Place, leaves};
use ir::{Base, BinaryOp, Block, Expr, ExprKind, InitValue, LocalId, Lvalue, RecordKind, Step, StmtKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Something that gives an object a value.
#[derive(Clone, Copy, Debug)]
pub enum Flow<'p> {
    /// `target = value`, each in its frame.
    Assign { target: (FrameId, &'p Lvalue), value: (FrameId, &'p Expr) },
    /// A parameter is bound.
    Bind { frame: FrameId, param: LocalId, value: (FrameId, &'p Expr) },
    /// A value that is not followed is put there.
    Unknown { target: (FrameId, &'p Lvalue) },
    /// A parameter gets a value that is not followed.
    UnknownParam { frame: FrameId, param: LocalId },
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Target {
    /// Nothing is assigned, or only null.
    Nothing,
    Into(Place),
    Unknown,
}

impl Target {
    fn join(&mut self, other: Target) -> bool {
        let joined = match (&*self, other) {
            (_, Target::Nothing) | (Target::Unknown, _) => return false,
            (Target::Nothing, other) => other,
            (Target::Into(a), Target::Into(b)) if *a == b => return false,
            (Target::Into(_), _) => Target::Unknown,
        };
        *self = joined;
        true
    }
}

type Key = (ObjectId, Vec<u32>);

struct Solver<'a, 'p> {
    objects: &'a Objects<'p>,
    targets: BTreeMap<Key, Target>,
}

impl<'p> Objects<'p> {
    /// Decides which objects pointers may reach, follows the pointers, and gives all leaves their cells. `lost` are
    /// objects that code outside of the frames may write; `outside` says that unknown code runs at all, which can
    /// reach every global that other units can name.
    pub fn finish(&mut self, flows: &[Flow<'p>], lost: &BTreeSet<ObjectId>, outside: bool) {
        self.expose(outside);
        let places = self.solve(flows, lost);
        self.make_cells(&places);
    }

    fn expose(&mut self, outside: bool) {
        let mut taken = BTreeSet::new();
        let functions: BTreeSet<_> = self.program.defined_functions().map(|(id, ..)| id).collect();
        let mut globals = BTreeSet::new();
        for id in &functions {
            let frames: Vec<FrameId> = (0..self.frames.len() as u32)
                .map(FrameId)
                .filter(|frame| self.frames[frame.0 as usize].function == *id)
                .collect();
            let mut visit = |expr: &Expr| {
                if let ExprKind::AddressOf(lvalue) = &expr.kind {
                    match &lvalue.base {
                        Base::Local(local) => taken.extend(frames.iter().map(|frame| self.local(*frame, *local))),
                        Base::Global(global) => {
                            globals.insert(*global);
                        }
                        Base::Deref(_) => {}
                    }
                }
            };
            if let Some(body) = &self.program.functions[*id].body {
                visit_exprs(body, &mut visit);
            }
        }
        for global in self.program.globals.values() {
            for item in global.init.iter().flat_map(|init| &init.items) {
                let InitValue::Expr(value) = &item.value else { continue };
                value.walk(&mut |part| {
                    if let ExprKind::AddressOf(Lvalue { base: Base::Global(global), .. }) = &part.kind {
                        globals.insert(*global);
                    }
                });
            }
        }
        if outside {
            let external = |g: &ir::Global| g.linkage == ir::Linkage::External && g.kind == ir::GlobalKind::Variable;
            globals.extend(self.program.globals.iter().filter(|(_, g)| external(g)).map(|(id, _)| id));
        }
        taken.extend(globals.into_iter().map(|id| self.global(id)));
        for id in taken {
            self.objects[id.0 as usize].exposed = true;
        }
    }

    fn solve(&self, flows: &[Flow<'p>], lost: &BTreeSet<ObjectId>) -> BTreeMap<Key, Place> {
        let mut solver = Solver { objects: self, targets: BTreeMap::new() };
        for id in (0..self.objects.len() as u32).map(ObjectId) {
            let object = self.object(id);
            for leaf in leaves(self.program, object.ty) {
                if leaf.holds != Holds::Pointer {
                    continue;
                }
                let unknown = object.uncertain || object.exposed || lost.contains(&id) || !leaf.extents.is_empty();
                let target = if unknown { Target::Unknown } else { Target::Nothing };
                solver.targets.insert((id, leaf.fields), target);
            }
            solver.initial(id);
        }
        // Every assignment is looked at in each round, and there is another round as long as one of them told something.
        while flows.iter().filter(|flow| solver.flow(flow)).count() > 0 {}
        let known = solver.targets.into_iter().filter_map(|(key, target)| match target {
            Target::Into(place) if self.extents(&place).is_some() => Some((key, place)),
            _ => None,
        });
        known.collect()
    }
}

/// Calls `visit` on every expression of a body and of what it holds.
fn visit_exprs<'p>(body: &'p Block, visit: &mut impl FnMut(&'p Expr)) {
    body.walk(&mut |stmt| {
        for expr in stmt.exprs() {
            expr.walk(visit);
        }
        if let StmtKind::Zero(target) = &stmt.kind {
            target.walk(visit);
        }
    });
}

impl Solver<'_, '_> {
    /// The addresses in the initial value of a global. Which leaf each goes to matters little: all of them count for
    /// every pointer of the object.
    fn initial(&mut self, id: ObjectId) {
        let Owner::Global(global) = self.objects.object(id).owner else { return };
        let Some(init) = &self.objects.program.globals[global].init else { return };
        let mut found = Vec::new();
        for item in &init.items {
            if let InitValue::Expr(value) = &item.value
                && self.objects.program.types.is_pointer(value.ty)
            {
                found.push(self.target(FrameId(0), value));
            }
        }
        for (key, target) in &mut self.targets {
            if key.0 == id {
                for value in &found {
                    target.join(value.clone());
                }
            }
        }
    }

    fn flow(&mut self, flow: &Flow<'_>) -> bool {
        match flow {
            Flow::Assign { target, value } => {
                let types = &self.objects.program.types;
                match types.get(value.1.ty) {
                    Type::Pointer { .. } => {
                        let pointed = self.target(value.0, value.1);
                        self.put(*target, pointed)
                    }
                    Type::Record(_) | Type::Array { .. } => self.copy(*target, *value),
                    _ => false,
                }
            }
            Flow::Bind { frame, param, value } => {
                let object = self.objects.local(*frame, *param);
                match self.objects.program.types.get(value.1.ty) {
                    Type::Pointer { .. } => {
                        let pointed = self.target(value.0, value.1);
                        self.join_all(object, &[], pointed)
                    }
                    // A record by value: what its pointers point to is not followed.
                    Type::Record(_) => self.join_all(object, &[], Target::Unknown),
                    _ => false,
                }
            }
            Flow::Unknown { target } => self.put(*target, Target::Unknown),
            Flow::UnknownParam { frame, param } => {
                let object = self.objects.local(*frame, *param);
                self.join_all(object, &[], Target::Unknown)
            }
        }
    }

    /// Every pointer at or below the place may become this.
    fn put(&mut self, (frame, lvalue): (FrameId, &Lvalue), pointed: Target) -> bool {
        match self.place(frame, lvalue) {
            // A write that is not followed reaches exposed objects alone, whose pointers are unknown from the start.
            Target::Nothing | Target::Unknown => false,
            Target::Into(place) => self.join_all(place.object, &place.fields, pointed),
        }
    }

    fn join_all(&mut self, object: ObjectId, fields: &[u32], pointed: Target) -> bool {
        let mut changed = false;
        for ((_, leaf), target) in self.targets.range_mut((object, Vec::new())..(ObjectId(object.0 + 1), Vec::new())) {
            if leaf.starts_with(fields) {
                changed |= target.join(pointed.clone());
            }
        }
        changed
    }

    fn copy(&mut self, (frame, target): (FrameId, &Lvalue), (from, value): (FrameId, &Expr)) -> bool {
        let Target::Into(to) = self.place(frame, target) else { return false };
        let source = match &value.kind {
            ExprKind::Load(lvalue) => self.place(from, lvalue),
            _ => Target::Unknown,
        };
        let Target::Into(source) = source else {
            return source == Target::Unknown && self.join_all(to.object, &to.fields, Target::Unknown);
        };
        let rest: Vec<(Vec<u32>, Target)> = self
            .targets
            .range((source.object, Vec::new())..(ObjectId(source.object.0 + 1), Vec::new()))
            .filter(|((_, leaf), _)| leaf.starts_with(&source.fields))
            .map(|((_, leaf), target)| (leaf[source.fields.len()..].to_vec(), target.clone()))
            .collect();
        let mut changed = false;
        for (rest, pointed) in rest {
            let fields: Vec<u32> = to.fields.iter().copied().chain(rest).collect();
            changed |= self.join_all(to.object, &fields, pointed);
        }
        changed
    }

    /// Where the value of a pointer expression points.
    fn target(&self, frame: FrameId, expr: &Expr) -> Target {
        match &expr.kind {
            ExprKind::AddressOf(lvalue) => self.place(frame, lvalue),
            ExprKind::Load(lvalue) => match self.place(frame, lvalue) {
                Target::Into(place) => {
                    self.targets.get(&(place.object, place.fields)).cloned().unwrap_or(Target::Unknown)
                }
                other => other,
            },
            ExprKind::Binary(BinaryOp::PointerAdd, pointer, _) => self.target(frame, pointer),
            ExprKind::Convert { value, .. } => match &value.kind {
                ExprKind::Int(0) => Target::Nothing,
                _ if self.objects.program.types.is_pointer(value.ty) => self.target(frame, value),
                _ => Target::Unknown,
            },
            ExprKind::Conditional(_, then, other) => {
                let mut target = self.target(frame, then);
                target.join(self.target(frame, other));
                target
            }
            _ => Target::Unknown,
        }
    }

    /// The elements among which the object that an lvalue designates is.
    fn place(&self, frame: FrameId, lvalue: &Lvalue) -> Target {
        let types = &self.objects.program.types;
        let mut place = match &lvalue.base {
            Base::Local(id) => {
                let object = self.objects.local(frame, *id);
                Place { object, fields: Vec::new(), ty: self.objects.object(object).ty }
            }
            Base::Global(id) => {
                let object = self.objects.global(*id);
                Place { object, fields: Vec::new(), ty: self.objects.object(object).ty }
            }
            Base::Deref(pointer) => match self.target(frame, pointer) {
                Target::Into(place) if types.pointee(pointer.ty).is_some_and(|to| types.matches(to, place.ty)) => place,
                Target::Nothing => return Target::Nothing,
                _ => return Target::Unknown,
            },
        };
        for step in &lvalue.path {
            let Some(ty) = types.step(place.ty, step) else { return Target::Unknown };
            if let Step::Field(index) = step {
                if matches!(types.get(place.ty), Type::Record(id) if types.records[*id].kind == RecordKind::Union) {
                    return Target::Unknown;
                }
                place.fields.push(*index);
            }
            place.ty = ty;
        }
        Target::Into(place)
    }
}
