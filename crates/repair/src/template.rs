//! What a repair may change, and what it becomes: the templates with their parameters filled in.
//!
//! A [`Change`] is one edit. It knows nothing of text: [`instantiate`](super::instantiate) makes the changed functions
//! of it that the VM runs, [`rewrite`](super::rewrite) the edit of the user's file. Both read the same value, so what
//! was tried is what is written.

use super::scope::AtomId;
use super::sites::{ConstantId, PlaceId, SiteId};
use ir::{BinaryOp, IntKind, LogicalOp, arith};

/// An expression over what stands at a site and what is in scope there.
#[derive(Clone, PartialEq, Debug)]
pub enum Replacement {
    /// The expression of the site as it is.
    Original,
    /// An operand of it.
    Child(u8),
    Atom(AtomId),
    Int(i128),
    Real(f64),
    /// A number that is looked for, by its position; nothing with it is ever shown.
    Hole(u8),
    Not(Box<Replacement>),
    Neg(Box<Replacement>),
    Binary(BinaryOp, Box<Replacement>, Box<Replacement>),
    Logical(LogicalOp, Box<Replacement>, Box<Replacement>),
    Conditional(Box<Replacement>, Box<Replacement>, Box<Replacement>),
}

impl Replacement {
    pub fn binary(op: BinaryOp, left: Replacement, right: Replacement) -> Replacement {
        Replacement::Binary(op, Box::new(left), Box::new(right))
    }

    pub fn logical(op: LogicalOp, left: Replacement, right: Replacement) -> Replacement {
        Replacement::Logical(op, Box::new(left), Box::new(right))
    }

    /// With numbers in place of the holes. What a number makes trivial is left out: `c0 + 0*v` is `c0`, `1*v` is `v`.
    pub fn filled(&self, numbers: &[i128]) -> Replacement {
        let fill = |inner: &Replacement| Box::new(inner.filled(numbers));
        match self {
            Replacement::Hole(at) => Replacement::Int(numbers.get(usize::from(*at)).copied().unwrap_or(0)),
            Replacement::Not(a) => Replacement::Not(fill(a)),
            Replacement::Neg(a) => Replacement::Neg(fill(a)),
            Replacement::Binary(op, a, b) => simplified(*op, *fill(a), *fill(b)),
            Replacement::Logical(op, a, b) => Replacement::Logical(*op, fill(a), fill(b)),
            Replacement::Conditional(c, a, b) => match *fill(c) {
                Replacement::Int(0) => *fill(b),
                Replacement::Int(_) => *fill(a),
                c => Replacement::Conditional(Box::new(c), fill(a), fill(b)),
            },
            plain => plain.clone(),
        }
    }
}

fn simplified(op: BinaryOp, a: Replacement, b: Replacement) -> Replacement {
    match (op, &a, &b) {
        // Numbers that are looked for are whole numbers, whatever type they are written in.
        (BinaryOp::Gt | BinaryOp::Lt, Replacement::Int(x), Replacement::Int(y)) => {
            Replacement::Int(arith::compare(op, IntKind::Int128, *x, *y).into())
        }
        (BinaryOp::Mul, Replacement::Int(0), _) => Replacement::Int(0),
        (BinaryOp::Mul, Replacement::Int(1), _) => b,
        (BinaryOp::Mul, Replacement::Int(-1), _) => Replacement::Neg(Box::new(b)),
        (BinaryOp::Add, Replacement::Int(0), _) => b,
        (BinaryOp::Add, _, Replacement::Int(0)) => a,
        // A sum reads better with the variable first.
        (BinaryOp::Add, Replacement::Int(_), Replacement::Atom(_) | Replacement::Neg(_) | Replacement::Binary(..)) => {
            let int = a.clone();
            match b {
                Replacement::Neg(inner) => Replacement::binary(BinaryOp::Sub, int, *inner),
                b => Replacement::binary(BinaryOp::Add, b, int),
            }
        }
        (BinaryOp::Add, _, Replacement::Neg(inner)) => Replacement::binary(BinaryOp::Sub, a.clone(), (**inner).clone()),
        _ => Replacement::binary(op, a, b),
    }
}

/// A statement that is put in.
#[derive(Clone, PartialEq, Debug)]
pub enum Added {
    /// To a variable in scope.
    Assign(AtomId, Replacement),
    Return(Replacement),
    Break,
    Continue,
}

/// One edit of the program.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// The expression of a site becomes another.
    Expression {
        site: SiteId,
        new: Replacement,
    },
    /// `&&` becomes `||` or the other way round, where the operands call functions.
    Connective {
        place: PlaceId,
    },
    /// Two arguments of a call change places.
    Swap {
        place: PlaceId,
        first: u8,
        second: u8,
    },
    Remove {
        place: PlaceId,
    },
    /// The statement runs only if the condition holds.
    Guard {
        place: PlaceId,
        condition: Replacement,
    },
    Insert {
        place: PlaceId,
        after: bool,
        condition: Option<Replacement>,
        added: Added,
    },
    /// A constant gets another value where it is defined, for all its uses.
    Constant {
        constant: ConstantId,
        value: i128,
    },
}

impl Change {
    pub fn filled(&self, numbers: &[i128]) -> Change {
        match self {
            Change::Expression { site, new } => Change::Expression { site: *site, new: new.filled(numbers) },
            Change::Guard { place, condition } => Change::Guard { place: *place, condition: condition.filled(numbers) },
            Change::Insert { place, after, condition, added } => Change::Insert {
                place: *place,
                after: *after,
                condition: condition.as_ref().map(|c| c.filled(numbers)),
                added: match added {
                    Added::Assign(atom, new) => Added::Assign(*atom, new.filled(numbers)),
                    Added::Return(new) => Added::Return(new.filled(numbers)),
                    plain => plain.clone(),
                },
            },
            Change::Constant { constant, .. } => {
                Change::Constant { constant: *constant, value: numbers.first().copied().unwrap_or(0) }
            }
            plain => plain.clone(),
        }
    }
}

/// The template a change comes from, as users see it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Template {
    Operator,
    Negation,
    Constant,
    Definition,
    Variable,
    Operand,
    Conjunct,
    Disjunct,
    Predicate,
    Offset,
    Linear,
    Guarded,
    Arguments,
    Delete,
    Guard,
    Insert,
}

impl Template {
    pub const ALL: [Template; 16] = [
        Template::Operator,
        Template::Negation,
        Template::Constant,
        Template::Definition,
        Template::Variable,
        Template::Operand,
        Template::Conjunct,
        Template::Disjunct,
        Template::Predicate,
        Template::Offset,
        Template::Linear,
        Template::Guarded,
        Template::Arguments,
        Template::Delete,
        Template::Guard,
        Template::Insert,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Template::Operator => "operator",
            Template::Negation => "negation",
            Template::Constant => "constant",
            Template::Definition => "definition",
            Template::Variable => "variable",
            Template::Operand => "operand",
            Template::Conjunct => "conjunct",
            Template::Disjunct => "disjunct",
            Template::Predicate => "predicate",
            Template::Offset => "offset",
            Template::Linear => "linear",
            Template::Guarded => "guarded-value",
            Template::Arguments => "arguments",
            Template::Delete => "delete-statement",
            Template::Guard => "guard-statement",
            Template::Insert => "insert-statement",
        }
    }
}

/// One edit with how far it is from the program: smaller is tried earlier and ranked higher.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    pub change: Change,
    pub template: Template,
    pub cost: u32,
}
