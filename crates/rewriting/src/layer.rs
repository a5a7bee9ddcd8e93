//! What is known in one state of a search: bindings of variables and results of evaluations, on top of what was known
//! in the state it came from. A result that was found under some bindings stays right under more of them, so nothing
//! is evaluated twice along a derivation, and a failure is found once.

use crate::term::{TermId, VarId};
use hashbrown::HashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What evaluating a term gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It reduces to this; which may reduce further once more variables are bound.
    To(TermId),
    /// It has no value.
    Nothing,
}

#[derive(Debug, Default)]
pub struct Layer {
    below: Option<Rc<Layer>>,
    bound: Option<(VarId, TermId)>,
    /// A group of rules chosen for a term: the term, the number of the choice within its tree, the group.
    chosen: Option<(TermId, u32, u32)>,
    known: RefCell<HashMap<TermId, Known>>,
}

impl Layer {
    pub fn above(below: &Rc<Layer>) -> Layer {
        let mut layer = Layer::default();
        layer.below = Some(below.clone());
        layer
    }

    pub fn bind(mut self, var: VarId, value: TermId) -> Layer {
        self.bound = Some((var, value));
        self
    }

    pub fn choose(mut self, term: TermId, choice: u32, group: u32) -> Layer {
        self.chosen = Some((term, choice, group));
        self
    }

    fn layers(&self) -> impl Iterator<Item = &Layer> {
        std::iter::successors(Some(self), |layer| layer.below.as_deref())
    }

    pub fn value(&self, var: VarId) -> Option<TermId> {
        self.layers().find_map(|layer| layer.bound.filter(|(bound, _)| *bound == var).map(|(_, value)| value))
    }

    pub fn choice(&self, term: TermId, choice: u32) -> Option<u32> {
        self.layers()
            .find_map(|layer| layer.chosen.filter(|(t, c, _)| (*t, *c) == (term, choice)).map(|(_, _, group)| group))
    }

    pub fn known(&self, term: TermId) -> Option<Known> {
        self.layers().find_map(|layer| layer.known.borrow().get(&term).copied())
    }

    pub fn learn(&self, term: TermId, known: Known) {
        self.known.borrow_mut().insert(term, known);
    }
}

impl Drop for Layer {
    // One after the other: a long derivation would overflow the stack otherwise.
    fn drop(&mut self) {
        let mut next = self.below.take();
        while let Some(layer) = next {
            next = Rc::try_unwrap(layer).ok().and_then(|mut layer| layer.below.take());
        }
    }
}
