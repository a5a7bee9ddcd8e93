//! What each edit costs: the one table that orders the search.
//!
//! A cost says how far a change is from the program and how often such changes turn out to be right. The order is that
//! of the faults in `suites/repair` and of what competent programmers get wrong: a neighbouring operator or a constant
//! off by one before another name, another name before something that was forgotten, something forgotten before
//! something made up. Within a band the numbers only break ties, so that of two repairs the more ordinary is told first.
//! What passes the tests is for the tests to say.
//!
//! | band | what is in it |
//! |---|---|
//! | 10–16 | operators; a constant one more or less, at its definition for all uses |
//! | 16–25 | constants of the program, negation, another variable, `e + 1`, an operand dropped |
//! | 26–37 | a conjunct or disjunct, a statement deleted, sums with a variable, searched numbers |
//! | 38–70 | replaced predicates, linear combinations, guarded values, guards and insertions |
//!
//! [`RANGES`] are the bands as the search takes them: each ends where the next kind of edit multiplies the candidates.

use ir::BinaryOp;
use std::ops::Range;

/// The ranges of costs, one after the other.
pub const RANGES: [Range<u32>; 4] = [0..26, 26..38, 38..60, 60..110];
/// How far beyond the first repair the search goes on: as far as another repair could still be the more ordinary.
pub const SLACK: u32 = 10;

/// What the least suspicious place adds: a sure place with a rare edit comes before a doubtful one with a common edit,
/// but never a whole band earlier.
pub const LEAST_SUSPICIOUS: f64 = 14.0;
/// What forcing has shown to help no failing test comes last; where it cannot show that, later.
pub const UNLIKELY: u32 = 100;
pub const DOUBTFUL: u32 = 9;

// Operators. `&&` for `||` is confused more often than any other pair but `<` and `<=`.
pub const CONNECTIVE: u32 = 11;
pub const NOT_DROPPED: u32 = 14;
pub const MINUS_DROPPED: u32 = 15;
pub const CONDITION_NEGATED: u32 = 15;
pub const ARMS_SWAPPED: u32 = 18;
pub const ARGUMENTS_SWAPPED: u32 = 19;
pub const OPERANDS_SWAPPED: u32 = 22;

// One operand instead of all. A condition that asks too much is commoner than a sum with a term too many.
pub const CONDITION_DROPPED: u32 = 20;
pub const TERM_DROPPED: u32 = 24;
pub const ARM_DROPPED: u32 = 26;

// Other variables. A wrong name is an ordinary fault; a name where a number stood, or a whole expression, is rarer.
pub const VARIABLE_FOR_VARIABLE: u32 = 17;
pub const CALL_FOR_VARIABLE: u32 = 23;
pub const VARIABLE_FOR_CONSTANT: u32 = 24;
pub const VARIABLE_FOR_EXPRESSION: u32 = 30;
/// Of another type, and more than a plain variable.
pub const OTHER_TYPE: u32 = 3;
pub const NO_VARIABLE: u32 = 3;

// Numbers that are searched for, at the definition a little before one use.
pub const SEARCHED_DEFINITION: u32 = 26;
pub const SEARCHED_CONSTANT: u32 = 27;
pub const STEP: u32 = 24;
pub const REAL_NEAR: u32 = 22;
pub const REAL_OF_PROGRAM: u32 = 26;

// Conditions that are added, replaced or decided; the predicate's own cost comes on top.
pub const CONDITION_ADDED: u32 = 26;
pub const CONDITION_REPLACED: u32 = 38;
pub const SEARCHED_CONDITION: u32 = 44;
pub const CONDITION_DECIDED: u32 = 56;
/// A value that is taken for a condition after all.
pub const VALUE_AS_CONDITION: u32 = 6;

// What a predicate costs by itself. Conditions that the function has already are the likeliest to be missing elsewhere.
pub const PREDICATE_OF_FUNCTION: u32 = 2;
pub const PREDICATE_NEGATED: u32 = 5;
pub const PREDICATE_OF_CALL: u32 = 4;
pub const PREDICATE_FLAG: u32 = 3;
pub const PREDICATE_NO_FLAG: u32 = 4;
/// A number that is nowhere asked whether it is zero is hardly a condition.
pub const NEVER_A_CONDITION: u32 = 12;
pub const PREDICATE_ORDER: u32 = 6;
pub const PREDICATE_EQUALITY: u32 = 7;
/// Comparison with 0 or 1, and with other numbers.
pub const PREDICATE_SMALL: u32 = 4;
pub const PREDICATE_NUMBER: u32 = 6;
/// Divisible by a number of the program, by the product of two, by a square.
pub const PREDICATE_DIVISOR: u32 = 6;
pub const PREDICATE_PRODUCT: u32 = 9;
pub const PREDICATE_SQUARE: u32 = 11;
/// A comparison of the function with two of its variables exchanged, and with another one.
pub const PREDICATE_EXCHANGED: u32 = 4;
pub const PREDICATE_RENAMED: u32 = 6;

// Values. `e + 1` is the fault of counting fences and posts; other offsets are numbers somebody chose.
pub const OFFSETS: [(i128, u32); 4] = [(1, 20), (-1, 20), (2, 28), (-2, 28)];
pub const OFFSET_OF_PROGRAM: u32 = 30;
pub const SEARCHED_OFFSET: u32 = 36;
pub const VALUE_NEGATED: u32 = 25;
pub const FLAG_NEGATED: u32 = 28;
pub const MULTIPLE: u32 = 36;
pub const FRACTION: u32 = 38;

/// `e + v`, `e - v`, `e * v`; then `v - e`, and `e / v`, `e % v`, which are hardly ever forgotten.
pub const WITH_VARIABLE: [(BinaryOp, u32); 3] = [(BinaryOp::Add, 29), (BinaryOp::Sub, 29), (BinaryOp::Mul, 33)];
pub const LEAST_WITH_VARIABLE: u32 = 29;
pub const SUBTRACTED_FROM: u32 = 36;
pub const DIVIDED_BY_VARIABLE: u32 = 40;
pub const SEARCHED_COEFFICIENT: u32 = 38;

// Linear combinations that replace a whole value: the more is made up, the later.
pub const VARIABLE_AND_CONSTANT: u32 = 33;
pub const VARIABLE_AND_SEARCHED: u32 = 35;
pub const TWO_VARIABLES: u32 = 38;
pub const TWO_VARIABLES_AND_ONE: u32 = 44;
pub const VALUE_SEARCHED: u32 = 46;
pub const SEARCHED_LESS_VARIABLE: u32 = 48;
pub const COMBINATION: u32 = 50;
pub const TWO_VARIABLES_AND_SEARCHED: u32 = 60;
pub const VALUE_GUARDED: u32 = 46;

// Statements.
pub const STATEMENT_DELETED: u32 = 27;
pub const STATEMENT_GUARDED: u32 = 36;
pub const LEAST_INSERTED: u32 = 32;
pub const INSERTED: u32 = 40;
pub const INSERTED_UNDER_CONDITION: u32 = 46;
// What is inserted: leaving a loop and counting are forgotten most, then resetting, copying, returning.
pub const BREAK: u32 = 0;
pub const CONTINUE: u32 = 2;
pub const COUNT: u32 = 0;
pub const RESET: u32 = 1;
pub const COPY: u32 = 2;
pub const ACCUMULATE: [(BinaryOp, u32); 3] = [(BinaryOp::Add, 3), (BinaryOp::Sub, 3), (BinaryOp::Mul, 6)];
pub const ASSIGN_CONSTANT: u32 = 4;
pub const RETURN_CONSTANT: u32 = 4;
pub const RETURN_VARIABLE: u32 = 5;

/// The comparisons a comparison becomes: the boundary first, then the direction, then what it is about.
pub fn other_comparisons(op: BinaryOp) -> [(BinaryOp, u32); 5] {
    use BinaryOp::*;
    match op {
        Lt => [(Le, 10), (Gt, 13), (Ge, 13), (Ne, 15), (Eq, 16)],
        Le => [(Lt, 10), (Ge, 13), (Gt, 13), (Eq, 15), (Ne, 16)],
        Gt => [(Ge, 10), (Lt, 13), (Le, 13), (Ne, 15), (Eq, 16)],
        Ge => [(Gt, 10), (Le, 13), (Lt, 13), (Eq, 15), (Ne, 16)],
        Eq => [(Ne, 12), (Ge, 14), (Le, 14), (Lt, 16), (Gt, 16)],
        _ => [(Eq, 12), (Lt, 14), (Gt, 14), (Le, 16), (Ge, 16)],
    }
}

/// The operations an operation becomes: its inverse, what is easily taken for it, the rest.
pub fn other_operations(op: BinaryOp) -> &'static [(BinaryOp, u32)] {
    use BinaryOp::*;
    match op {
        Add => &[(Sub, 12), (Mul, 17), (Div, 20), (Rem, 20)],
        Sub => &[(Add, 12), (Mul, 18), (Div, 20), (Rem, 20)],
        Mul => &[(Add, 15), (Div, 15), (Sub, 17), (Rem, 18), (Shl, 24)],
        Div => &[(Rem, 14), (Mul, 15), (Sub, 18), (Add, 18), (Shr, 24)],
        Rem => &[(Div, 14), (Mul, 17), (Sub, 19), (Add, 19), (BitAnd, 20)],
        BitAnd => &[(BitOr, 13), (BitXor, 14), (Shr, 20), (Add, 20), (Rem, 20)],
        BitOr => &[(BitAnd, 13), (BitXor, 14), (Add, 18)],
        BitXor => &[(BitAnd, 14), (BitOr, 14), (Add, 19), (Sub, 19)],
        Shl => &[(Shr, 13), (Mul, 20)],
        Shr => &[(Shl, 13), (Div, 20)],
        _ => &[],
    }
}

/// The numbers a constant may become: one more or less, numbers of the program, small ones, then what slips of a digit
/// or a factor make.
pub fn other_numbers(value: i128, constants: &[i128]) -> Vec<(i128, u32)> {
    let mut made: Vec<(i128, u32)> = Vec::new();
    let mut put = |number: i128, cost: u32| {
        if number != value && made.iter().all(|(known, _)| *known != number) {
            made.push((number, cost));
        }
    };
    put(value + 1, 15);
    put(value - 1, 15);
    for &constant in constants {
        put(constant, 17);
    }
    for number in [0, 1, -1, 2] {
        put(number, 18);
    }
    put(-value, 18);
    for number in [value + 2, value - 2, value * 10, value / 10, value * 2, value / 2, value + 10, value - 10] {
        put(number, 22);
    }
    for number in [value + 100, value - 100, value * 100, value / 100, value + 3, value - 3, value ^ 1] {
        put(number, 24);
    }
    made
}
