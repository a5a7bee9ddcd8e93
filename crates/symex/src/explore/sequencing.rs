//! Whether an order of evaluation that C leaves open matters on a path.
//!
//! *Question*: the path evaluated two operands one after the other. Would another order, or any interleaving that C allows,
//! have done something else?
//!
//! An [`ir::Unordered`] statement stands before two operands that may meet. From there on every access of the path is noted
//! with the operand it belongs to, by the place of its statement in the text: what a called function does belongs to
//! the call. When control has left the expression, the two lists are compared. If no access of one touches what
//! the other writes, both orders and all interleavings do the same, and the path stands for them; if one does, the order is a
//! [`Loss`]. Interleavings of accesses that meet are undefined or matter: either way nothing is promised.
//!
//! *Guarantee*: a path on which no loss was noted does the same in every order that C allows. A path that ends inside of an operand
//! is a loss, because the other operand might have come first; so is a call of a library function on both sides, unless it
//! only prints. *May be missed*: nothing that matters; operands that meet without consequence (two increments of one
//! counter) are losses too.
//!
//! *Cost*: as many notes as accesses to objects that existed before the expression.

use super::memory::ObjectId;
use super::state::{Loss, State};
use super::step::Step;
use diagnostics::Span;
use ir::{Expr, LocalId, Unordered};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an access touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Touched {
    /// Bytes of an object, from one offset up to another.
    Bytes(ObjectId, u64, u64),
    /// A variable of the function that the expression is in.
    Register(LocalId),
    /// What library functions keep for themselves.
    World,
}

impl Touched {
    fn meets(self, other: Touched) -> bool {
        match (self, other) {
            (Touched::Bytes(a, from, to), Touched::Bytes(b, start, end)) => a == b && from < end && start < to,
            _ => self == other,
        }
    }
}

/// The operand that a statement belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    First,
    Second,
    /// What uses their values: a read may be one of an operand that was put off, a write is none of theirs.
    User,
    /// It cannot be told.
    Unknown,
}

/// Notes of one side.
#[derive(Clone, Debug, Default)]
struct Accesses {
    reads: BTreeSet<Touched>,
    writes: BTreeSet<Touched>,
}

/// An expression that is being evaluated.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Calls in progress when it began.
    depth: usize,
    /// Objects made later are known to one operand only, until the expression is over.
    objects: u32,
    whole: Span,
    first: Span,
    second: Span,
    what: Arc<str>,
    side: Side,
    accesses: [Accesses; 4],
    /// Statements of which it cannot be told to whom they belong.
    strangers: BTreeSet<(u32, u32)>,
}

impl Watch {
    /// The side that a statement of the expression belongs to; none if it stands elsewhere.
    fn side_of(&self, span: Span) -> Option<Side> {
        if span.is_none() {
            return Some(Side::Unknown);
        }
        if span.contains(self.whole) && span != self.first && span != self.second {
            return Some(Side::User);
        }
        if !self.whole.contains(span) {
            let apart = span.hi <= self.whole.lo || self.whole.hi <= span.lo;
            return (!apart).then_some(Side::Unknown);
        }
        match (self.first.contains(span), self.second.contains(span)) {
            (true, false) => Some(Side::First),
            (false, true) => Some(Side::Second),
            // The store of `a[i++] = x` is the whole; what lies inside the other is the other's.
            (true, true) if self.first == self.second => Some(Side::Unknown),
            (true, true) if self.second.contains(self.first) => Some(Side::First),
            (true, true) => Some(Side::Second),
            (false, false) => Some(Side::Unknown),
        }
    }

    fn turn_to(&mut self, side: Side, span: Span) {
        self.side = side;
        if side == Side::Unknown {
            self.strangers.insert((span.lo, span.hi));
        }
    }

    /// Whether an access of one side meets a write of the other.
    fn has_conflict(&self) -> bool {
        let [first, second, user, unknown] = &self.accesses;
        let meet = |writes: &BTreeSet<Touched>, others: &BTreeSet<Touched>| {
            writes.iter().any(|write| others.iter().any(|other| write.meets(*other)))
        };
        // One statement is one operand's; of several, two may be of different ones.
        let nowhere = (Span::NONE.lo, Span::NONE.hi);
        let mixed = self.strangers.len() > 1 || self.strangers.contains(&nowhere);
        let crosses = |other: &Accesses| {
            let sides = [first, second];
            sides.iter().any(|side| meet(&side.writes, &other.reads))
                || sides.iter().any(|side| meet(&other.writes, &side.reads) || meet(&other.writes, &side.writes))
        };
        meet(&first.writes, &second.writes)
            || meet(&first.writes, &second.reads)
            || meet(&second.writes, &first.reads)
            || meet(&first.writes, &user.reads)
            || meet(&second.writes, &user.reads)
            || meet(&unknown.writes, &user.reads)
            || crosses(unknown)
            || mixed && !unknown.writes.is_empty()
    }
}

impl State {
    /// Notes an access of the statement that is being executed.
    pub fn note(&mut self, touched: Touched, writes: bool) {
        let depth = self.frames.len();
        for watch in &mut self.watches {
            let counts = match touched {
                Touched::Bytes(object, ..) => object.0 < watch.objects,
                Touched::Register(_) => depth == watch.depth,
                Touched::World => true,
            };
            if counts {
                let watch = Arc::make_mut(watch);
                let accesses = &mut watch.accesses[watch.side as usize];
                if writes {
                    accesses.writes.insert(touched)
                } else {
                    accesses.reads.insert(touched)
                };
            }
        }
    }
}

impl Step<'_, '_> {
    /// Begins to watch the operands that follow. What says not where they stand cannot be watched.
    pub fn watch(&mut self, open: &Unordered) {
        let whole = self.span;
        if whole.is_none() || open.first.is_none() || open.second.is_none() {
            self.engine.lose(Loss::Order { what: open.what.clone() }, whole);
            return;
        }
        // The expression is evaluated once more: its last round is over.
        let depth = self.state.frames.len();
        self.close_where(|watch| watch.depth == depth && watch.whole == whole && &*watch.what == open.what.as_str());
        let watch = Watch {
            depth,
            objects: self.state.memory.len(),
            whole,
            first: open.first,
            second: open.second,
            what: open.what.as_str().into(),
            side: Side::Unknown,
            accesses: Default::default(),
            strangers: BTreeSet::new(),
        };
        self.state.watches.push(Arc::new(watch));
    }

    /// Tells the watched expressions which statement comes next, and closes those that it does not belong to.
    pub fn come_to(&mut self, span: Span) {
        if self.state.watches.is_empty() {
            return;
        }
        let depth = self.state.frames.len();
        let mut over = Vec::new();
        self.state.watches.retain_mut(|watch| {
            if depth > watch.depth {
                return true;
            }
            let side = if depth == watch.depth { watch.side_of(span) } else { None };
            match side {
                Some(side) => Arc::make_mut(watch).turn_to(side, span),
                None => over.push(watch.clone()),
            }
            side.is_some()
        });
        for watch in over {
            self.close(&watch);
        }
    }

    fn close(&mut self, watch: &Watch) {
        if watch.has_conflict() {
            self.engine.lose(Loss::Order { what: watch.what.to_string() }, watch.whole);
        }
    }

    fn close_where(&mut self, ends: impl Fn(&Watch) -> bool) {
        let (over, rest) = std::mem::take(&mut self.state.watches).into_iter().partition(|watch| ends(watch));
        self.state.watches = rest;
        let over: Vec<Arc<Watch>> = over;
        for watch in over {
            self.close(&watch);
        }
    }

    /// A call is about to be entered. If an argument holds a watched expression, that one is over. Else the call may be an
    /// operand itself, whose statement stands for more than the call: `a[f()] = g()`.
    pub fn enter_call_of(&mut self, args: &[Expr]) {
        if self.state.watches.is_empty() {
            return;
        }
        let depth = self.state.frames.len();
        let is_user = |watch: &Watch| depth == watch.depth && watch.side == Side::User;
        self.close_where(|watch| is_user(watch) && args.iter().any(|arg| arg.span.contains(watch.whole)));
        let span = self.span;
        for watch in &mut self.state.watches {
            if is_user(watch) {
                Arc::make_mut(watch).turn_to(Side::Unknown, span);
            }
        }
    }

    /// The call is left, and its expressions with it.
    pub fn leave_watches(&mut self) {
        if !self.state.watches.is_empty() {
            let depth = self.state.frames.len();
            self.close_where(|watch| depth <= watch.depth);
        }
    }

    /// The path ends: in another order it might have gone on, or not have come here.
    pub fn end_inside(&mut self) {
        for watch in std::mem::take(&mut self.state.watches) {
            // Behind the last operand nothing is open any more.
            if watch.side == Side::User && watch.depth == self.state.frames.len() {
                self.close(&watch);
            } else {
                self.engine.lose(Loss::Order { what: watch.what.to_string() }, watch.whole);
            }
        }
    }
}
