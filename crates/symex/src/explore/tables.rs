//! Elements of tables at open offsets: which there may be, and what is known of one where they are too many to choose from.

use super::access::{Place, read};
use super::arithmetic::integer;
use super::memory::{Kind, ObjectId};
use super::step::Step;
use super::value::{Integer, Value};
use crate::number::{Number, Range};
use exec::vm::Class;
use ir::IntKind;
use smt::TermId;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// The intervals that the elements of constant tables lie in; none where some element has no known value.
pub type Tables = HashMap<(ObjectId, Extent, IntKind), Arc<[(i128, i128)]>>;

/// An access at an open offset chooses among at most so many elements before its values are told apart by forking.
const TOUCHED: u64 = 8_192;

/// Elements of a constant table that are looked at, and the intervals that they are said to lie in.
const LARGEST_TABLE: u64 = 1 << 20;
const INTERVALS: usize = 16;

/// The offsets that an open one may have: so many, at equal distances.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extent {
    first: u64,
    count: u64,
    stride: u64,
}

impl Extent {
    fn offsets(self) -> impl Iterator<Item = u64> {
        (0..self.count).map(move |k| self.first + k * self.stride)
    }

    fn contains(self, offset: u64) -> bool {
        let after = offset.wrapping_sub(self.first);
        offset >= self.first && after.is_multiple_of(self.stride) && after / self.stride < self.count
    }
}

impl Step<'_, '_> {
    /// The offsets an access may have, if they do not overlap. The access was checked.
    fn extent(&self, place: &Place, size: u64) -> Option<Extent> {
        let open = place.offset.open?;
        let whole = self.state.memory.get(place.object).size;
        let stride = open.stride.max(1);
        if stride < size {
            return None;
        }
        let none = Extent { first: 0, count: 0, stride };
        let first = place.offset.known.rem_euclid(stride as i64) as u64;
        if first + size > whole {
            return Some(none);
        }
        let known = i128::from(place.offset.known);
        let lowest = (known + i128::from(open.low)).max(first.into());
        let highest = (known + i128::from(open.high)).min((whole - size).into());
        // Nothing is touched if there is none; then no path is there.
        let (Ok(lowest), Ok(highest)) = (u64::try_from(lowest), u64::try_from(highest)) else { return Some(none) };
        let start = first + (lowest - first).div_ceil(stride) * stride;
        if start > highest {
            return Some(none);
        }
        Some(Extent { first: start, count: (highest - start) / stride + 1, stride })
    }

    /// The offsets that an access may have one by one, if they are few.
    pub fn candidates(&self, place: &Place, size: u64) -> Option<Vec<u64>> {
        let extent = self.extent(place, size)?;
        (extent.count <= TOUCHED).then(|| extent.offsets().collect())
    }

    /// The value that an open offset selects, as one term.
    pub fn selected(&mut self, place: &Place, size: u64, class: Class) -> Option<Value> {
        let chosen = match self.candidates(place, size) {
            Some(candidates) if class != Class::Pointer => self.choice(place, &candidates, class),
            _ => None,
        };
        chosen.or_else(|| self.element(place, size, class))
    }

    /// An element of a constant table that is too large to choose from: some number of the intervals that its elements lie
    /// in, and the same one wherever the same offset is read. That is no less than the program can do, so that what cannot be
    /// with it cannot be at all; that something can be, a replay has to show.
    fn element(&mut self, place: &Place, size: u64, class: Class) -> Option<Value> {
        let Class::Int(kind) = class else { return None };
        let extent = self.extent(place, size).filter(|extent| (1..=LARGEST_TABLE).contains(&extent.count))?;
        let object = self.state.memory.shared(place.object).clone();
        // Another path may have another object of the same number, but for those that are there from the start.
        let is_global = matches!(object.kind, Kind::Global | Kind::StringLiteral);
        if !is_global || !object.is_const || kind == IntKind::Bool {
            return None;
        }
        let at = |offset: u64| match read(&self.engine.pool, &object, offset, class) {
            Ok(Value::Int(Integer::Concrete(_, value))) => Some(value),
            _ => None,
        };
        let key = (place.object, extent, kind);
        let known = match self.engine.tables.get(&key) {
            Some(known) => known.clone(),
            None => {
                let values: Option<BTreeSet<i128>> = extent.offsets().map(at).collect();
                let known = values.map(|values| intervals(&values)).unwrap_or_default();
                self.engine.tables.insert(key, known.clone());
                known
            }
        };
        let (low, high) = (known.first()?.0, known.last()?.1);
        let pool = self.engine.pool.clone();
        let total = place.offset.term(&pool);
        let name = format!("{size} bytes of object {} at {total:?}", place.object.0);
        let term = pool.var(&name, pool.bitvec_sort(kind.bits()));
        let bits = |value: i128| pool.bits(kind.bits(), value);
        let below = |a: TermId, b: TermId| if kind.is_signed() { pool.bv_sle(a, b) } else { pool.bv_ule(a, b) };
        let among = known.iter().map(|(low, high)| pool.and(&[below(bits(*low), term), below(term, bits(*high))]));
        let within = pool.or(&among.collect::<Vec<TermId>>());
        if self.state.path.settled(within) != Some(true) {
            // The element that the path's own values select is as good as any, and the true one.
            let selected = self.state.model.value(total).ok();
            let offset = selected
                .as_ref()
                .and_then(|value| value.as_bits())
                .and_then(|bits| u64::try_from(&bits.unsigned()).ok());
            let value = offset.filter(|offset| extent.contains(*offset)).and_then(at).unwrap_or(low);
            let value = smt::Value::Bits(smt::Bits::new(kind.bits(), &value.into()));
            self.state.model = Rc::new(self.state.model.with(&[(pool.symbols(&[term])[0], value)]));
            self.learn(within);
        }
        let range = Range { lo: low.into(), hi: high.into() };
        Some(Value::Int(integer(&pool, Number { term, kind, range })))
    }
}

/// The intervals that numbers lie in, ascending; if those are too many, the nearest become one.
fn intervals(values: &BTreeSet<i128>) -> Arc<[(i128, i128)]> {
    let mut found: Vec<(i128, i128)> = Vec::new();
    for &value in values {
        match found.last_mut() {
            Some((_, high)) if *high + 1 == value => *high = value,
            _ => found.push((value, value)),
        }
    }
    let mut gaps: Vec<i128> = found.windows(2).map(|pair| pair[1].0 - pair[0].1).collect();
    gaps.sort_unstable_by(|a, b| b.cmp(a));
    let least = gaps.get(INTERVALS - 1).copied().unwrap_or(0);
    found.dedup_by(|next, before| {
        let joins = next.0 - before.1 <= least;
        if joins {
            before.1 = next.1;
        }
        joins
    });
    found.into()
}
