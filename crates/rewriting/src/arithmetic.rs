//! The built-in operations on integers, and simplifications that hold whatever the values.

use crate::term::{Builtin, Head, Store, TermId};

/// What an operation on two integers gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computed {
    Int(i128),
    Truth(bool),
    /// Division by zero.
    NoValue,
    /// Beyond 128 bits.
    TooLarge,
}

/// Computes on integers; `Eq` works on values of open sorts too.
pub fn compute(builtin: Builtin, a: i128, b: i128) -> Computed {
    let int = |value: Option<i128>| value.map_or(Computed::TooLarge, Computed::Int);
    match builtin {
        Builtin::Add => int(a.checked_add(b)),
        Builtin::Sub => int(a.checked_sub(b)),
        Builtin::Mul => int(a.checked_mul(b)),
        Builtin::Div | Builtin::Rem | Builtin::Mod if b == 0 => Computed::NoValue,
        Builtin::Div => int(a.checked_div(b)),
        Builtin::Rem => int(a.checked_rem(b)),
        Builtin::Mod => int(a.checked_rem_euclid(b)),
        Builtin::Neg => int(a.checked_neg()),
        Builtin::Eq => Computed::Truth(a == b),
        Builtin::Lt => Computed::Truth(a < b),
        Builtin::Le => Computed::Truth(a <= b),
        Builtin::And | Builtin::Or | Builtin::Not | Builtin::If | Builtin::Defined | Builtin::Undefined => {
            unreachable!("{builtin:?} should not be asked of integers")
        }
    }
}

/// The term, simplified where that changes neither the value nor whether there is one.
pub fn build(store: &mut Store, builtin: Builtin, args: &[TermId]) -> TermId {
    let truth = |store: &Store, index: usize| store.as_truth(args[index]);
    match builtin {
        Builtin::Not => {
            if let Some(value) = truth(store, 0) {
                return store.truth(!value);
            }
            if store.head(args[0]) == Head::Builtin(Builtin::Not) {
                return store.arg(args[0], 0);
            }
        }
        Builtin::And => match (truth(store, 0), truth(store, 1)) {
            (Some(true), _) => return args[1],
            (Some(false), _) => return args[0],
            (_, Some(true)) => return args[0],
            _ => {}
        },
        Builtin::Or => match (truth(store, 0), truth(store, 1)) {
            (Some(false), _) => return args[1],
            (Some(true), _) => return args[0],
            (_, Some(false)) => return args[0],
            _ => {}
        },
        Builtin::If => match truth(store, 0) {
            Some(true) => return args[1],
            Some(false) => return args[2],
            None if store.as_truth(args[1]) == Some(true) && store.as_truth(args[2]) == Some(false) => return args[0],
            None if store.as_truth(args[1]) == Some(false) && store.as_truth(args[2]) == Some(true) => {
                return build(store, Builtin::Not, &args[..1]);
            }
            None => {}
        },
        Builtin::Defined if store.is_data(args[0]) => return store.truth(true),
        Builtin::Eq
        | Builtin::Lt
        | Builtin::Le
        | Builtin::Add
        | Builtin::Sub
        | Builtin::Mul
        | Builtin::Div
        | Builtin::Rem
        | Builtin::Mod
        | Builtin::Neg => {
            if let Some(folded) = fold(store, builtin, args) {
                return folded;
            }
        }
        Builtin::Defined | Builtin::Undefined => {}
    }
    store.make(Head::Builtin(builtin), args)
}

fn fold(store: &mut Store, builtin: Builtin, args: &[TermId]) -> Option<TermId> {
    let a = store.as_int(args[0]);
    let b = args.get(1).map_or(Some(0), |b| store.as_int(*b));
    if let (Some(a), Some(b)) = (a, b) {
        return match compute(builtin, a, b) {
            Computed::Int(value) => Some(store.int(value)),
            Computed::Truth(value) => Some(store.truth(value)),
            Computed::NoValue | Computed::TooLarge => None,
        };
    }
    match builtin {
        Builtin::Add if a == Some(0) => Some(args[1]),
        Builtin::Add | Builtin::Sub if b == Some(0) => Some(args[0]),
        Builtin::Mul if a == Some(1) => Some(args[1]),
        Builtin::Mul | Builtin::Div if b == Some(1) => Some(args[0]),
        // `if(c, 1, 0) == 0`: how C says `!c`.
        Builtin::Eq => {
            let (choice, against) = if let Some(b) = b { (args[0], b) } else { (args[1], a?) };
            if store.head(choice) != Head::Builtin(Builtin::If) {
                return None;
            }
            let &[condition, then, otherwise] = store.args(choice) else { return None };
            let (then, otherwise) = (store.as_int(then)? == against, store.as_int(otherwise)? == against);
            let (then, otherwise) = (store.truth(then), store.truth(otherwise));
            if then == otherwise {
                return None; // The condition must still have a value.
            }
            Some(build(store, Builtin::If, &[condition, then, otherwise]))
        }
        _ => None,
    }
}
