//! Statements: structured, as the user wrote them.

use crate::expr::{Expr, Lvalue};
use crate::program::{FunctionId, LabelId, LocalId};
use cranelift_entity::entity_impl;
use diagnostics::Span;

/// A statement of one function. Ids are dense and follow the text order of the function
/// ([`Function::number_statements`](crate::Function::number_statements)), so coverage is a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(u32);
entity_impl!(StmtId, "s");

#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    pub id: StmtId,
    pub kind: StmtKind,
    pub span: Span,
}

impl Stmt {
    /// A statement that has no id yet; numbering the function gives it one.
    pub fn new(kind: StmtKind, span: Span) -> Stmt {
        Stmt { id: StmtId::from_u32(0), kind, span }
    }
}

/// Statements in order, and the variables declared directly among them. A local is in scope from its `Live`
/// statement to the end of the block that lists it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    pub locals: Vec<LocalId>,
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// Scalars, or whole records and arrays (then the value is a `Load` of the same type).
    Assign {
        target: Lvalue,
        value: Expr,
    },
    /// Sets every byte of the object to zero: the rest of an initialiser list.
    Zero(Lvalue),
    /// `result` has the type the callee returns.
    Call {
        result: Option<Lvalue>,
        callee: Callee,
        args: Vec<Expr>,
    },
    /// The declaration of a local is reached: it holds no value yet. An array of variable length gets its storage
    /// here. A local that is jumped past (`goto`, `switch`) exists all the same, from the start of the call.
    Live(LocalId),
    If {
        cond: Expr,
        then: Block,
        otherwise: Block,
    },
    Loop(Box<Loop>),
    /// Jumps to the label of the arm that matches, which stands in `body` (at any depth, as C allows); with no match
    /// and no default, past the end. `Break` leaves it.
    Switch {
        value: Expr,
        arms: Vec<Arm>,
        default: Option<LabelId>,
        body: Block,
    },
    Block(Block),
    /// Leaves the innermost loop or switch.
    Break,
    /// Goes to the step of the innermost loop.
    Continue,
    Goto(LabelId),
    Label(LabelId),
    Return(Option<Expr>),
    /// Runs on which the condition is zero do not count.
    Assume(Expr),
    /// The program claims that the condition is not zero. `text` is the claim as written.
    Assert {
        cond: Expr,
        kind: AssertKind,
        text: String,
    },
    Trace(TracePoint),
    /// What the next statements do is one of several things that C allows: they fix an order of evaluation that C leaves
    /// open, and another one gives another result.
    Unordered(Unordered),
    /// Something this model cannot express, named for the user.
    Unsupported(String),
}

/// Evaluations whose order C leaves open although it matters. The statements behind this one are one of the orders; what
/// is true of them need not be true of the program, so that nothing that was found behind it can be promised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unordered {
    pub kind: OrderKind,
    /// The two evaluations and what they have in common, for people.
    pub what: String,
    /// Where the two stand in the text; nowhere if the text has no place for them.
    pub first: Span,
    pub second: Span,
}

impl Unordered {
    /// Evaluations of which the text does not say where they stand.
    pub fn somewhere(kind: OrderKind, what: impl Into<String>) -> Unordered {
        Unordered { kind, what: what.into(), first: Span::NONE, second: Span::NONE }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OrderKind {
    /// Two unsequenced side effects on one object, or one and a use of its value: undefined behaviour when it is reached.
    Undefined,
    /// The compiler chooses: calls that are indeterminately sequenced, or accesses of which it is not known whether
    /// they meet.
    Open,
}

/// A loop as written: `pre` computes what the condition needs (the side effects C allows in a condition).
///
/// ```text
/// While, For:  loop { pre; if !cond { break }; body; continue-target: step }
/// DoWhile:     loop { body; continue-target: pre; if !cond { break } }      (step is empty)
/// ```
/// A missing condition is true.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    pub kind: LoopKind,
    pub pre: Block,
    pub cond: Option<Expr>,
    pub body: Block,
    pub step: Block,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoopKind {
    While,
    DoWhile,
    For,
}

/// The values `low..=high` of a switch lead to the label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arm {
    pub low: i128,
    pub high: i128,
    pub label: LabelId,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    Function(FunctionId),
    /// Through a pointer to a function.
    Pointer(Expr),
    Intrinsic(Intrinsic),
}

/// Operations that are calls in C and have no C definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Intrinsic {
    /// `va_start(list)`: the argument is the address of the `va_list`.
    VaStart,
    /// `va_arg(list)`: the type is that of `result`.
    VaArg,
    /// `va_copy(to, from)`.
    VaCopy,
    /// `va_end(list)`.
    VaEnd,
    /// Any value of the type of `result`: an input of the program (`__VERIFIER_nondet_int`).
    Nondet,
    /// Storage until the function returns; `alloca(size)`.
    Alloca,
    /// `setjmp(buffer)`: 0, and again whatever `longjmp` on the buffer says. Only the VM follows it, see
    /// [`Stmt::obstacle`].
    SetJump,
    /// `longjmp(buffer, value)`: never returns; the call of `setjmp` that filled the buffer does.
    LongJump,
    /// A pointer to a function whose first parameter is given already: the function, then the argument. Its type is that
    /// of the function without the parameter. GNU C's nested functions are such pointers; only the VM follows it.
    Bind,
}

/// What is said of jumps between functions by those that do not follow them.
const JUMPS: &str = "setjmp and longjmp";

impl Intrinsic {
    /// As [`Stmt::obstacle`].
    pub fn obstacle(self) -> Option<&'static str> {
        match self {
            Intrinsic::SetJump | Intrinsic::LongJump => Some(JUMPS),
            Intrinsic::Bind => Some("a pointer to a function inside another function"),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssertKind {
    /// `assert(e)` of the standard library.
    Assert,
    /// `__VERIFIER_assert(e)`.
    Verifier,
    /// `reach_error()`: the claim is that it is not reached.
    ReachError,
}

/// A place where the values of variables are recorded: DIG's `vtrace1(x, y)`.
#[derive(Clone, PartialEq, Debug)]
pub struct TracePoint {
    pub name: String,
    /// The name each value goes by, and the value, of scalar type.
    pub values: Vec<(String, Expr)>,
}

impl Block {
    /// Calls `visit` on every statement inside, in text order, outer before inner.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Stmt)) {
        for stmt in &self.stmts {
            visit(stmt);
            for block in stmt.blocks() {
                block.walk(visit);
            }
        }
    }

    /// As [`Block::walk`], with the statements open to change.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Stmt)) {
        for stmt in &mut self.stmts {
            visit(stmt);
            for block in stmt.blocks_mut() {
                block.walk_mut(visit);
            }
        }
    }
}

impl Stmt {
    /// What keeps an engine that reasons about programs from going on here: something that the model cannot express, or a
    /// jump that leaves calls or comes back to a place where it has been. The graph of a function ends here.
    pub fn obstacle(&self) -> Option<&str> {
        match &self.kind {
            StmtKind::Unsupported(what) => Some(what),
            StmtKind::Call { callee: Callee::Intrinsic(intrinsic), .. } => intrinsic.obstacle(),
            _ => None,
        }
    }

    /// The blocks directly inside, in text order.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Loop(looped) => looped.blocks(),
            StmtKind::Switch { body, .. } | StmtKind::Block(body) => vec![body],
            _ => Vec::new(),
        }
    }

    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Loop(looped) => {
                let Loop { kind, pre, body, step, .. } = &mut **looped;
                if *kind == LoopKind::DoWhile { vec![body, step, pre] } else { vec![pre, body, step] }
            }
            StmtKind::Switch { body, .. } | StmtKind::Block(body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself, not those of the blocks inside, in evaluation order. Those inside
    /// assigned lvalues are included.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assign { target, value } => {
                let mut exprs = target.children();
                exprs.push(value);
                exprs
            }
            StmtKind::Zero(target) => target.children(),
            StmtKind::Call { result, callee, args } => {
                let mut exprs = Vec::new();
                if let Callee::Pointer(pointer) = callee {
                    exprs.push(pointer);
                }
                exprs.extend(args);
                exprs.extend(result.iter().flat_map(|r| r.children()));
                exprs
            }
            StmtKind::If { cond, .. } | StmtKind::Assume(cond) | StmtKind::Assert { cond, .. } => vec![cond],
            StmtKind::Loop(looped) => looped.cond.iter().collect(),
            StmtKind::Switch { value, .. } => vec![value],
            StmtKind::Return(value) => value.iter().collect(),
            StmtKind::Trace(point) => point.values.iter().map(|(_, value)| value).collect(),
            StmtKind::Live(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Unordered(_)
            | StmtKind::Unsupported(_) => Vec::new(),
        }
    }

    /// As [`Stmt::exprs`], in the same order, open to change.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            StmtKind::Assign { target, value } => {
                let mut exprs = target.children_mut();
                exprs.push(value);
                exprs
            }
            StmtKind::Zero(target) => target.children_mut(),
            StmtKind::Call { result, callee, args } => {
                let mut exprs = Vec::new();
                if let Callee::Pointer(pointer) = callee {
                    exprs.push(pointer);
                }
                exprs.extend(args);
                exprs.extend(result.iter_mut().flat_map(|r| r.children_mut()));
                exprs
            }
            StmtKind::If { cond, .. } | StmtKind::Assume(cond) | StmtKind::Assert { cond, .. } => vec![cond],
            StmtKind::Loop(looped) => looped.cond.iter_mut().collect(),
            StmtKind::Switch { value, .. } => vec![value],
            StmtKind::Return(value) => value.iter_mut().collect(),
            StmtKind::Trace(point) => point.values.iter_mut().map(|(_, value)| value).collect(),
            StmtKind::Live(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Unordered(_)
            | StmtKind::Unsupported(_) => Vec::new(),
        }
    }
}

impl Loop {
    /// The blocks in the order they run.
    pub fn blocks(&self) -> Vec<&Block> {
        if self.kind == LoopKind::DoWhile {
            vec![&self.body, &self.step, &self.pre]
        } else {
            vec![&self.pre, &self.body, &self.step]
        }
    }
}
