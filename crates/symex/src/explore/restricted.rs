//! Pointers that are declared `restrict` and meet.
//!
//! *Question*: do the pointers of a call keep the promise of C17 6.7.3.1, that what one of them writes is reached through no
//! other? Optimisers believe it. Types keep no such qualifier, so the promise is asked of every call of a program in which
//! some parameter is restricted: no two pointers that it is given, in records and in the objects they lead to as well, lead to
//! one object, and none to a global that the function or one that it calls names. A restricted pointer that is no parameter
//! promises things about a block, and nothing is known behind a write through any pointer then.
//!
//! *Guarantee*: a path on which nothing was noted keeps the promise, but for pointers that are found further away than that.

use super::calls::Passed;
use super::memory::{Content, ObjectId};
use super::state::Loss;
use super::step::Step;
use super::value::{Integer, Target, Value};
use ir::{Base, CallGraph, EntityRef, FunctionId, GlobalId, Lvalue, TypeId};
use std::collections::BTreeSet;

impl Step<'_, '_> {
    /// Notes that pointers which a call is given meet, or lead to what it also names.
    pub fn look_for_meetings(&mut self, callee: FunctionId, passed: &[(TypeId, Passed)]) {
        if !self.engine.program.types.has_restricted {
            return;
        }
        let mut given = Vec::new();
        for (_, value) in passed {
            match value {
                Passed::Scalar(value) => given.extend(leads_to(value)),
                Passed::Record(place, size) => match u64::try_from(place.offset.known) {
                    Ok(at) if place.offset.open.is_none() => given.extend(self.pointers_in(place.object, at, *size)),
                    _ => given.extend(self.pointers_in(place.object, 0, u64::MAX)),
                },
            }
        }
        if given.is_empty() {
            return;
        }
        let is_global = |object: &ObjectId| (object.0 as usize) < self.engine.program.globals.len();
        let named: Vec<ObjectId> = self.named_by(callee).iter().map(|id| ObjectId(id.index() as u32)).collect();
        debug_assert!(named.iter().all(is_global), "globals should be the first objects");
        let mut around: Vec<ObjectId> = named.clone();
        for object in given.iter().chain(&named) {
            around.extend(self.pointers_in(*object, 0, u64::MAX).into_iter().filter(|other| other != object));
        }
        let mut seen = BTreeSet::new();
        if given.iter().any(|object| !seen.insert(*object) || around.contains(object)) {
            self.lose_promise();
        }
    }

    /// Notes a write through a pointer where variables or members are restricted.
    pub fn written_through(&mut self, lvalue: &Lvalue) {
        if self.engine.program.types.has_restricted_variables && matches!(lvalue.base, Base::Deref(_)) {
            self.lose_promise();
        }
    }

    fn lose_promise(&mut self) {
        let what = "a pointer that is `restrict` and may meet another".to_string();
        self.engine.lose(Loss::Unsupported { what }, self.span);
    }

    /// Where the pointers lead that lie in a part of an object.
    fn pointers_in(&self, object: ObjectId, at: u64, size: u64) -> Vec<ObjectId> {
        let object = self.state.memory.get(object);
        let cells = object.cells_in(at, size.min(object.size.saturating_sub(at)));
        let scalars = cells.iter().filter_map(|(_, cell)| match &cell.content {
            Content::Scalar(value) => Some(value),
            Content::Unset => None,
        });
        scalars.filter_map(leads_to).collect()
    }

    fn named_by(&mut self, callee: FunctionId) -> BTreeSet<GlobalId> {
        let program = self.engine.program;
        let named = self.engine.named.entry(callee).or_insert_with(|| {
            let graph = CallGraph::new(program);
            graph.reachable(callee).into_iter().flat_map(|id| ir::named_globals(program, id)).collect()
        });
        named.clone()
    }
}

fn leads_to(value: &Value) -> Option<ObjectId> {
    let pointer = match value {
        Value::Pointer(pointer) | Value::Int(Integer::Address(_, pointer)) => pointer,
        _ => return None,
    };
    if let Target::Object(object) = pointer.target { Some(object) } else { None }
}
