//! Values: what a term means under a model.
//!
//! Values of recursive datatypes can be as deep as terms (a list of 100,000 cells), so equality,
//! order, hashing and dropping of datatype values work with an explicit stack.

use crate::bits::Bits;
use crate::pool::TermPool;
use crate::sort::{Constructor, Sort, SortId};
use crate::term::{Op, TermId};
use crate::{Int, Rational};
use rpds::RedBlackTreeMapSync;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value of some sort.
#[derive(Clone, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A rational; irrational algebraic numbers are not representable.
    Real(Rational),
    /// A bit-vector.
    Bits(Bits),
    /// An IEEE 754 value.
    Float(ieee::Value),
    /// An array: a default and the places that differ from it.
    Array(ArrayValue),
    /// A datatype value.
    Data(DataValue),
    /// The n-th element of an uninterpreted sort's universe.
    Element(SortId, u32),
}

/// A total map: `default` everywhere but at `entries`, none of which maps to `default`.
///
/// *Invariant*: equal maps are written alike, so derived comparisons are exact. Over an infinite
/// index sort that is so as it stands; over a finite one the default must be the most frequent
/// element (the smallest among equals), which `store` re-establishes when it can be in doubt.
///
/// The map is persistent, because evaluating a chain of stores keeps every link alive.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    /// The array's sort.
    pub sort: SortId,
    default: Arc<Value>,
    entries: RedBlackTreeMapSync<Value, Value>,
    /// Number of indices, if finite.
    indices: Option<u64>,
}

/// A constructor applied to values.
#[derive(Clone, Debug)]
pub struct DataValue(Arc<DataCell>);

#[derive(Debug)]
struct DataCell {
    constructor: Constructor,
    fields: Vec<Value>,
    /// Hash of the whole value, so that hashing a deep value does not walk it.
    hash: u64,
}

impl Drop for DataCell {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.fields);
        while let Some(value) = pending.pop() {
            if let Value::Data(DataValue(cell)) = value
                && let Some(mut cell) = Arc::into_inner(cell)
            {
                pending.append(&mut cell.fields);
            }
        }
    }
}

impl ArrayValue {
    /// The array that is `default` everywhere.
    pub fn constant(pool: &TermPool, sort: SortId, default: Value) -> Self {
        let Sort::Array(index, _) = pool.sort(sort) else {
            panic!("an array value should have an array sort, because it maps between sorts");
        };
        ArrayValue {
            sort,
            default: Arc::new(default),
            entries: RedBlackTreeMapSync::new_sync(),
            indices: cardinality(pool, *index),
        }
    }

    /// The element at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with one element replaced.
    #[must_use]
    pub fn store(&self, pool: &TermPool, index: Value, element: Value) -> Self {
        let entries =
            if element == *self.default { self.entries.remove(&index) } else { self.entries.insert(index, element) };
        let stored = ArrayValue { sort: self.sort, default: self.default.clone(), entries, indices: self.indices };
        match stored.indices {
            Some(all) if stored.entries.size() as u64 * 2 >= all => stored.normalised(pool, all),
            _ => stored,
        }
    }

    /// Makes the most frequent element the default. At least half of the indices are listed, so
    /// listing the others costs no more.
    fn normalised(self, pool: &TermPool, all: u64) -> Self {
        let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
        for (_, element) in self.entries() {
            *counts.entry(element).or_default() += 1;
        }
        let unlisted = all - self.entries.size() as u64;
        if unlisted > 0 {
            counts.insert(&self.default, unlisted);
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let best = counts.iter().find(|(_, n)| **n == most);
        let best = (*best.expect("a sort should have a value").0).clone();
        if best == *self.default {
            return self;
        }
        let mut entries = RedBlackTreeMapSync::new_sync();
        for (index, element) in self.entries() {
            if *element != best {
                entries.insert_mut(index.clone(), element.clone());
            }
        }
        // Where the old default still shows, it must now be listed.
        if unlisted > 0 {
            let Sort::Array(index, _) = pool.sort(self.sort) else {
                unreachable!("an array value should have an array sort");
            };
            for index in universe(pool, *index) {
                if !self.entries.contains_key(&index) {
                    entries.insert_mut(index, (*self.default).clone());
                }
            }
        }
        ArrayValue { default: Arc::new(best), entries, ..self }
    }

    /// The element at all indices not listed in [`ArrayValue::entries`].
    pub fn default_element(&self) -> &Value {
        &self.default
    }

    /// The places that differ from the default, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }
}

impl DataValue {
    /// A constructor applied to field values.
    pub fn new(constructor: Constructor, fields: Vec<Value>) -> Self {
        let mut mixer = crate::hash::Mixer::default();
        constructor.hash(&mut mixer);
        fields.hash(&mut mixer);
        let hash = mixer.finish();
        DataValue(Arc::new(DataCell { constructor, fields, hash }))
    }

    /// The constructor at the root.
    pub fn constructor(&self) -> Constructor {
        self.0.constructor
    }

    /// The values of its fields.
    pub fn fields(&self) -> &[Value] {
        &self.0.fields
    }
}

impl Value {
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&Int> {
        match self {
            Value::Int(n) => Some(n),
            _ => None,
        }
    }

    /// The rational, if it is one.
    pub fn as_real(&self) -> Option<&Rational> {
        match self {
            Value::Real(q) => Some(q),
            _ => None,
        }
    }

    /// The bit-vector, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Value::Bits(b) => Some(b),
            _ => None,
        }
    }

    /// The floating value, if it is one.
    pub fn as_float(&self) -> Option<ieee::Value> {
        match self {
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(a) => Some(a),
            _ => None,
        }
    }

    /// The datatype value, if it is one.
    pub fn as_data(&self) -> Option<&DataValue> {
        match self {
            Value::Data(d) => Some(d),
            _ => None,
        }
    }

    /// Some value of a sort, always the same one: zero, false, the smallest constructor.
    pub fn default_of(pool: &TermPool, sort: SortId) -> Value {
        match pool.sort(sort) {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(Int::ZERO),
            Sort::Real => Value::Real(Rational::ZERO),
            Sort::BitVec(width) => Value::Bits(Bits::zero(*width)),
            Sort::Float(format) => Value::Float(ieee::Value::zero(*format)),
            Sort::Array(_, element) => {
                Value::Array(ArrayValue::constant(pool, sort, Value::default_of(pool, *element)))
            }
            Sort::Uninterpreted(_) => Value::Element(sort, 0),
            // The smallest constructor's fields are strictly smaller, so this recursion is bounded
            // by the number of datatypes.
            Sort::Datatype(id) => {
                let constructor = Constructor { datatype: *id, index: pool.datatype(*id).smallest };
                let fields = &pool.constructor_info(constructor).fields;
                let fields = fields.iter().map(|(_, s)| Value::default_of(pool, *s));
                Value::Data(DataValue::new(constructor, fields.collect()))
            }
        }
    }

    /// The term that denotes this value, or `None` if an element of an uninterpreted sort, for
    /// which there is no term, is part of it.
    pub fn to_term(&self, pool: &TermPool) -> Option<TermId> {
        enum Step<'a> {
            Enter(&'a Value),
            Data(&'a DataValue),
            Array(&'a ArrayValue),
        }
        let mut built: Vec<TermId> = Vec::new();
        let mut steps = vec![Step::Enter(self)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(Value::Bool(b)) => built.push(pool.bool(*b)),
                Step::Enter(Value::Int(n)) => built.push(pool.int(n.clone())),
                Step::Enter(Value::Real(q)) => built.push(pool.real(q.clone())),
                Step::Enter(Value::Bits(b)) => built.push(pool.raw(Op::Bits(b.clone()), &[])),
                Step::Enter(Value::Float(value)) => built.push(pool.float(*value)),
                Step::Enter(Value::Element(..)) => return None,
                Step::Enter(Value::Data(data)) => {
                    steps.push(Step::Data(data));
                    steps.extend(data.fields().iter().rev().map(Step::Enter));
                }
                Step::Enter(Value::Array(array)) => {
                    steps.push(Step::Array(array));
                    for (index, element) in array.entries() {
                        steps.push(Step::Enter(index));
                        steps.push(Step::Enter(element));
                    }
                    steps.push(Step::Enter(array.default_element()));
                }
                Step::Data(data) => {
                    let fields = built.split_off(built.len() - data.fields().len());
                    built.push(pool.construct(data.constructor(), &fields));
                }
                // The default was built first, then the entries from the last to the first, each
                // element before its index.
                Step::Array(array) => {
                    let parts = built.split_off(built.len() - 1 - 2 * array.entries.size());
                    let mut term = pool.const_array(array.sort, parts[0]);
                    for pair in parts[1..].chunks(2).rev() {
                        term = pool.store(term, pair[1], pair[0]);
                    }
                    built.push(term);
                }
            }
        }
        built.pop()
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) => 1,
            Value::Real(_) => 2,
            Value::Bits(_) => 3,
            Value::Array(_) => 4,
            Value::Data(_) => 5,
            Value::Element(..) => 6,
            Value::Float(_) => 7,
        }
    }
}

/// Number of values of a sort, if finite and below two to the 64.
///
/// An uninterpreted sort counts as infinite: every model extends to one with more elements.
pub(crate) fn cardinality(pool: &TermPool, sort: SortId) -> Option<u64> {
    fn count(pool: &TermPool, sort: SortId, entered: &mut Vec<SortId>) -> Option<u64> {
        match pool.sort(sort) {
            Sort::Bool => Some(2),
            // Floating values are too many to be listed.
            Sort::Int | Sort::Real | Sort::Float(_) | Sort::Uninterpreted(_) => None,
            Sort::BitVec(width) => 1u64.checked_shl(*width),
            Sort::Array(index, element) => {
                let exponent = u32::try_from(count(pool, *index, entered)?).ok()?;
                count(pool, *element, entered)?.checked_pow(exponent)
            }
            // A datatype that contains itself has values of any size.
            Sort::Datatype(_) if entered.contains(&sort) => None,
            Sort::Datatype(id) => {
                entered.push(sort);
                let mut total = 0u64;
                for constructor in &pool.datatype(*id).constructors {
                    let mut product = 1u64;
                    for (_, field) in &constructor.fields {
                        product = product.checked_mul(count(pool, *field, entered)?)?;
                    }
                    total = total.checked_add(product)?;
                }
                entered.pop();
                Some(total)
            }
        }
    }
    count(pool, sort, &mut Vec::new())
}

/// All values of a sort whose [`cardinality`] is known to be small enough to list.
pub(crate) fn universe(pool: &TermPool, sort: SortId) -> Vec<Value> {
    match pool.sort(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1u64 << width).map(|n| Value::Bits(Bits::new(*width, &Int::from(n)))).collect(),
        Sort::Array(index, element) => {
            let elements = universe(pool, *element);
            let indices = universe(pool, *index);
            let start = ArrayValue::constant(pool, sort, elements[0].clone());
            let mut all = vec![start];
            for index in &indices {
                let grown = all
                    .iter()
                    .flat_map(|array| elements.iter().map(|element| array.store(pool, index.clone(), element.clone())));
                all = grown.collect();
            }
            all.into_iter().map(Value::Array).collect()
        }
        Sort::Datatype(id) => {
            let constructors = pool.datatype(*id).constructors.iter().enumerate();
            let mut all = Vec::new();
            for (index, info) in constructors {
                let constructor = Constructor { datatype: *id, index: index as u32 };
                let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
                for (_, field) in &info.fields {
                    let values = universe(pool, *field);
                    let grown = rows.iter().flat_map(|row| {
                        values.iter().map(|value| {
                            let mut row = row.clone();
                            row.push(value.clone());
                            row
                        })
                    });
                    rows = grown.collect();
                }
                let data = rows.into_iter().map(|row| DataValue::new(constructor, row));
                all.extend(data.map(Value::Data));
            }
            all
        }
        Sort::Int | Sort::Real | Sort::Float(_) | Sort::Uninterpreted(_) => {
            unreachable!("only finite sorts should be listed, because the others have no end")
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut pending = vec![(self, other)];
        while let Some(pair) = pending.pop() {
            let order = match pair {
                (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
                (Value::Int(a), Value::Int(b)) => a.cmp(b),
                (Value::Real(a), Value::Real(b)) => a.cmp(b),
                (Value::Bits(a), Value::Bits(b)) => a.cmp(b),
                (Value::Float(a), Value::Float(b)) => a.cmp(b),
                (Value::Element(s, a), Value::Element(t, b)) => (s, a).cmp(&(t, b)),
                (Value::Array(a), Value::Array(b)) => {
                    (a.sort, &a.default).cmp(&(b.sort, &b.default)).then_with(|| a.entries.iter().cmp(b.entries.iter()))
                }
                (Value::Data(a), Value::Data(b)) if Arc::ptr_eq(&a.0, &b.0) => Ordering::Equal,
                (Value::Data(a), Value::Data(b)) => {
                    pending.extend(a.fields().iter().zip(b.fields()).rev());
                    a.constructor().cmp(&b.constructor())
                }
                (a, b) => a.rank().cmp(&b.rank()),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(self.rank());
        match self {
            Value::Bool(b) => b.hash(state),
            Value::Int(n) => n.hash(state),
            Value::Real(q) => {
                q.numerator().hash(state);
                q.denominator().hash(state);
            }
            Value::Bits(b) => b.hash(state),
            Value::Float(value) => value.hash(state),
            Value::Array(a) => {
                a.default.hash(state);
                a.entries().for_each(|e| e.hash(state));
            }
            Value::Data(d) => state.write_u64(d.0.hash),
            Value::Element(sort, n) => (sort, n).hash(state),
        }
    }
}

impl fmt::Display for Value {
    /// Short form for people; datatype values show constructor positions, since names are in the
    /// pool. [`Value::to_term`] with the SMT-LIB printer gives the exact text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Step<'a> {
            Value(&'a Value),
            Text(&'static str),
        }
        let mut steps = vec![Step::Value(self)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Text(text) => f.write_str(text)?,
                Step::Value(Value::Bool(b)) => write!(f, "{b}")?,
                Step::Value(Value::Int(n)) => write!(f, "{n}")?,
                Step::Value(Value::Real(q)) => write!(f, "{q}")?,
                Step::Value(Value::Bits(b)) => write!(f, "{}:{}", b.unsigned(), b.width())?,
                Step::Value(Value::Float(value)) => write!(f, "{value}")?,
                Step::Value(Value::Element(_, n)) => write!(f, "element {n}")?,
                Step::Value(Value::Array(a)) => {
                    f.write_str("[")?;
                    steps.push(Step::Text("]"));
                    steps.push(Step::Value(&a.default));
                    steps.push(Step::Text("else "));
                    let entries: Vec<_> = a.entries().collect();
                    for (index, element) in entries.into_iter().rev() {
                        steps.push(Step::Text(", "));
                        steps.push(Step::Value(element));
                        steps.push(Step::Text(": "));
                        steps.push(Step::Value(index));
                    }
                }
                Step::Value(Value::Data(d)) => {
                    write!(f, "#{}(", d.constructor().index)?;
                    steps.push(Step::Text(")"));
                    for (i, field) in d.fields().iter().enumerate().rev() {
                        steps.push(Step::Value(field));
                        if i > 0 {
                            steps.push(Step::Text(", "));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
