//! The values of all cells on one way through the program, and what is known on that way.

use super::Ints;
use super::objects::{CellId, Holds, ObjectId, Objects};
use super::path::{Path, Quotient};
use diagnostics::{Assumption, Span};
use smt::{SortId, TermId, TermPool};
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub struct State {
    /// Nothing where the value is not known; reading it makes a fresh symbol.
    cells: Vec<Option<TermId>>,
    pub path: Path,
    /// The conditions contradict each other as they are written.
    pub dead: bool,
}

/// What the model stands on and what it leaves open, for the user.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    pub assumptions: BTreeSet<Assumption>,
    /// Each once, in the order met.
    pub obstacles: Vec<(String, Span)>,
}

impl Notes {
    pub fn assume(&mut self, what: Assumption) {
        self.assumptions.insert(what);
    }

    pub fn obstacle(&mut self, what: impl Into<String>, span: Span) {
        let entry = (what.into(), span);
        if !self.obstacles.contains(&entry) {
            self.obstacles.push(entry);
        }
    }
}

impl State {
    /// Every cell holds its own symbol.
    pub fn at_cut(objects: &Objects<'_>) -> State {
        let cells = objects.cells.iter().map(|cell| Some(cell.symbol)).collect();
        State { cells, path: Path::default(), dead: false }
    }

    /// The value of a cell, made up if it is not known.
    pub fn get(&mut self, objects: &Objects<'_>, cell: CellId) -> TermId {
        if let Some(term) = self.cells[cell.0 as usize] {
            return term;
        }
        let about = objects.cell(cell);
        let sort = objects.pool.sort_of(about.symbol);
        let scalar = about.extents.is_empty();
        let term = self.fresh(objects, &about.name, sort, scalar.then_some(about.holds));
        self.cells[cell.0 as usize] = Some(term);
        term
    }

    /// The value of a cell if it is known.
    pub fn peek(&self, cell: CellId) -> Option<TermId> {
        self.cells[cell.0 as usize]
    }

    pub fn set(&mut self, cell: CellId, term: TermId) {
        self.cells[cell.0 as usize] = Some(term);
    }

    /// Nothing is known about the cell any more.
    pub fn forget(&mut self, cell: CellId) {
        self.cells[cell.0 as usize] = None;
    }

    pub fn forget_object(&mut self, objects: &Objects<'_>, object: ObjectId) {
        for cell in objects.cell_ids().filter(|cell| objects.cell(*cell).object == object) {
            self.forget(cell);
        }
    }

    /// Every object that a pointer may reach becomes unknown.
    pub fn forget_exposed(&mut self, objects: &Objects<'_>) {
        for cell in objects.cell_ids() {
            if objects.object(objects.cell(cell).object).exposed {
                self.forget(cell);
            }
        }
    }

    /// A symbol of this way, within the range of what it holds.
    pub fn fresh(&mut self, objects: &Objects<'_>, hint: &str, sort: SortId, holds: Option<Holds>) -> TermId {
        let symbol = objects.fresh(hint, sort);
        self.path.fresh.push(symbol);
        if let Some(assume) = holds.and_then(|holds| objects.type_fact(symbol, holds)) {
            self.path.definitions.push(assume);
        }
        symbol
    }

    /// A truth value of which nothing is known.
    pub fn fresh_truth(&mut self, objects: &Objects<'_>) -> TermId {
        self.fresh(objects, "unknown", SortId::BOOL, None)
    }

    /// From here on the condition holds.
    pub fn require(&mut self, pool: &TermPool, condition: TermId) {
        if condition == pool.bool(true) || self.path.conditions.contains(&condition) {
            return;
        }
        if condition == pool.bool(false) || self.path.conditions.contains(&pool.not(condition)) {
            self.dead = true;
        }
        self.path.conditions.push(condition);
    }

    /// Quotient and remainder of integers, the same ones for the same operands. `natural` says that the dividend is
    /// not negative wherever the division is defined.
    pub fn divide(&mut self, objects: &Objects<'_>, dividend: TermId, divisor: TermId, natural: bool) -> Quotient {
        debug_assert_eq!(objects.ints, Ints::Math, "bit-vectors should divide by themselves");
        let known = self.path.quotients.iter().find(|q| q.dividend == dividend && q.divisor == divisor);
        if let Some(known) = known {
            return *known;
        }
        let quotient = self.fresh(objects, "quotient", SortId::INT, None);
        let remainder = self.fresh(objects, "remainder", SortId::INT, None);
        let division = Quotient { dividend, divisor, quotient, remainder };
        let pool = &objects.pool;
        let zero = pool.int(0);
        let size = pool.abs(divisor);
        let mut facts =
            vec![pool.eq(dividend, pool.add(pool.mul(divisor, quotient), remainder)), pool.lt(remainder, size)];
        if natural {
            facts.push(pool.ge(remainder, zero));
        } else {
            facts.push(pool.gt(remainder, pool.neg(size)));
            facts.push(pool.implies(pool.ge(dividend, zero), pool.ge(remainder, zero)));
            facts.push(pool.implies(pool.le(dividend, zero), pool.le(remainder, zero)));
        }
        let is_zero = pool.eq(divisor, zero);
        self.path.definitions.extend(facts.into_iter().map(|assume| pool.or(&[is_zero, assume])));
        self.path.quotients.push(division);
        division
    }

    /// One state for several ways that exclude each other and started at one cut point: the values are chosen by the
    /// conditions under which each way is taken.
    pub fn merge(objects: &Objects<'_>, states: Vec<State>) -> State {
        let pool = &objects.pool;
        let mut states = states.into_iter();
        let first = states.next().expect("there should be a state to merge, because a block was reached");
        states.fold(first, |left, right| merge_two(objects, pool, left, right))
    }
}

fn common_prefix<T: PartialEq>(left: &[T], right: &[T]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

fn append_new(list: &mut Vec<TermId>, more: &[TermId]) {
    let shared = common_prefix(list, more);
    for term in &more[shared..] {
        if !list.contains(term) {
            list.push(*term);
        }
    }
}

fn merge_two(objects: &Objects<'_>, pool: &TermPool, mut left: State, mut right: State) -> State {
    let shared = common_prefix(&left.path.conditions, &right.path.conditions);
    let left_only = pool.and(&left.path.conditions[shared..]);
    let right_only = pool.and(&right.path.conditions[shared..]);
    for cell in objects.cell_ids() {
        let (a, b) = (left.peek(cell), right.peek(cell));
        if a == b {
            continue;
        }
        let (a, b) = (left.get(objects, cell), right.get(objects, cell));
        left.set(cell, pool.ite(left_only, a, b));
    }
    let mut conditions = left.path.conditions[..shared].to_vec();
    conditions.push(pool.or(&[left_only, right_only]));
    left.path.conditions = conditions;
    let shared = common_prefix(&left.path.answers, &right.path.answers);
    for (_, condition) in &mut left.path.answers[shared..] {
        *condition = pool.and(&[left_only, *condition]);
    }
    let more = right.path.answers[shared..].iter().map(|(answer, when)| (*answer, pool.and(&[right_only, *when])));
    left.path.answers.extend(more);
    let shared = common_prefix(&left.path.returned, &right.path.returned);
    for call in &mut left.path.returned[shared..] {
        call.when = pool.and(&[left_only, call.when]);
    }
    for mut call in right.path.returned.drain(shared..) {
        call.when = pool.and(&[right_only, call.when]);
        left.path.returned.push(call);
    }
    append_new(&mut left.path.definitions, &right.path.definitions);
    append_new(&mut left.path.fresh, &right.path.fresh);
    for division in right.path.quotients {
        if !left.path.quotients.iter().any(|known| known.quotient == division.quotient) {
            left.path.quotients.push(division);
        }
    }
    left
}
