//! What is known on a path: its condition, split into parts that share no symbols, and a model of it.
//!
//! *Invariant*: the model satisfies the condition. So of every further condition one side is known to be possible
//! without asking anybody, and an input that takes the path so far can be read off at any time.

use smt::{EvalError, Evaluator, FuncId, Memo, Model, TermId, TermPool, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Conditions that are linked by shared symbols, and the symbols.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Ascending.
    pub symbols: Vec<FuncId>,
    /// In the order they were met.
    pub conditions: Vec<TermId>,
}

#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    groups: Vec<Arc<Group>>,
    /// Conditions whose truth is settled: asserted, or found to follow.
    settled: Arc<HashMap<TermId, bool>>,
    /// Terms that have one value on the path.
    pinned: Arc<HashMap<TermId, i128>>,
}

impl PathCondition {
    /// The groups that mention one of the symbols, which ascend.
    pub fn about(&self, symbols: &[FuncId]) -> impl Iterator<Item = &Arc<Group>> {
        self.groups.iter().filter(move |group| intersect(&group.symbols, symbols))
    }

    /// Whether the path says anything about one of the symbols.
    pub fn mentions(&self, symbols: &[FuncId]) -> bool {
        self.about(symbols).next().is_some()
    }

    pub fn add(&mut self, condition: TermId, symbols: &[FuncId]) {
        let mut joined = Group { symbols: symbols.to_vec(), conditions: Vec::new() };
        self.groups.retain(|group| {
            let linked = intersect(&group.symbols, symbols);
            if linked {
                joined.symbols.extend(&group.symbols);
                joined.conditions.extend(&group.conditions);
            }
            !linked
        });
        joined.symbols.sort_unstable();
        joined.symbols.dedup();
        joined.conditions.push(condition);
        self.groups.push(Arc::new(joined));
    }

    pub fn settled(&self, condition: TermId) -> Option<bool> {
        self.settled.get(&condition).copied()
    }

    pub fn settle(&mut self, condition: TermId, negation: TermId, truth: bool) {
        let settled = Arc::make_mut(&mut self.settled);
        settled.insert(condition, truth);
        settled.insert(negation, !truth);
    }

    /// The value of a term of bits that was told apart from its other values, as a signed number.
    pub fn pinned(&self, term: TermId) -> Option<i128> {
        self.pinned.get(&term).copied()
    }

    pub fn pin(&mut self, term: TermId, value: i128) {
        Arc::make_mut(&mut self.pinned).insert(term, value);
    }

    /// All conditions, group by group.
    pub fn conditions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.groups.iter().flat_map(|group| group.conditions.iter().copied())
    }

    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.conditions.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

fn intersect(a: &[FuncId], b: &[FuncId]) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => a.next(),
            std::cmp::Ordering::Greater => b.next(),
        };
    }
    false
}

/// Values of symbols, with what has been computed from them.
#[derive(Debug)]
pub struct Assignment {
    model: Model,
    memo: RefCell<Memo>,
}

impl Assignment {
    /// Zero for everything.
    pub fn new(pool: &TermPool) -> Assignment {
        Assignment { model: Model::new(pool), memo: RefCell::default() }
    }

    /// The same with some symbols changed.
    pub fn with(&self, changes: &[(FuncId, Value)]) -> Assignment {
        let mut model = self.model.clone();
        for (symbol, value) in changes {
            model.set_symbol(*symbol, value.clone());
        }
        Assignment { model, memo: RefCell::default() }
    }

    pub fn value(&self, term: TermId) -> Result<Value, EvalError> {
        let mut evaluator = Evaluator::resume(&self.model, self.memo.take());
        let value = evaluator.eval(term);
        self.memo.replace(evaluator.into_memo());
        value
    }

    /// Whether a condition holds; `None` where it cannot be computed.
    pub fn holds(&self, condition: TermId) -> Option<bool> {
        self.value(condition).ok()?.as_bool()
    }
}
