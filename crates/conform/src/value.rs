//! What is known about the value of a variable at one point of one path.
//!
//! The domain is small on purpose: it keeps what conditions of real programs ask (is it this constant, is it not, is
//! it at least that, is that bit set) and forgets the rest.

use ir::{BinaryOp, FunctionId, TypeId};

use super::cells::CellId;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Value {
    Unknown,
    Is(Constant),
    /// An integer other than these, which ascend.
    Not(Vec<i128>),
    /// An integer between two bounds, both inclusive; at least one of them is there.
    Range(Option<i128>, Option<i128>),
    /// An integer whose bits under the mask are known; the mask is not zero.
    Bits {
        mask: i128,
        value: i128,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Constant {
    Int(i128),
    /// The address of a variable.
    Address(CellId),
    Function(FunctionId),
    /// The address of some object of this type.
    Object(TypeId),
}

/// The most constants that a value is remembered not to be.
const MAX_NOT: usize = 6;

impl Value {
    pub fn int(value: i128) -> Value {
        Value::Is(Constant::Int(value))
    }

    pub fn as_int(&self) -> Option<i128> {
        if let Value::Is(Constant::Int(value)) = self { Some(*value) } else { None }
    }

    /// Whether it is zero or not, where that is known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Is(Constant::Int(value)) => Some(*value != 0),
            Value::Is(_) => Some(true),
            Value::Not(values) if values.contains(&0) => Some(true),
            Value::Range(Some(low), _) if *low > 0 => Some(true),
            Value::Range(_, Some(high)) if *high < 0 => Some(true),
            Value::Bits { value, .. } if *value != 0 => Some(true),
            _ => None,
        }
    }

    fn bounds(&self) -> (Option<i128>, Option<i128>) {
        match self {
            Value::Is(Constant::Int(value)) => (Some(*value), Some(*value)),
            Value::Range(low, high) => (*low, *high),
            _ => (None, None),
        }
    }

    /// The outcome of a comparison, where that is known.
    pub fn compare(&self, op: BinaryOp, other: &Value) -> Option<bool> {
        if let (BinaryOp::Eq | BinaryOp::Ne, Some(same)) = (op, self.same(other)) {
            return Some(same == (op == BinaryOp::Eq));
        }
        let ((low, high), (other_low, other_high)) = (self.bounds(), other.bounds());
        let always_less = |a: Option<i128>, b: Option<i128>| Some(a? < b?).filter(|less| *less);
        let always_at_most = |a: Option<i128>, b: Option<i128>| Some(a? <= b?).filter(|less| *less);
        let not = |known: Option<bool>| known.map(|known| !known);
        match op {
            BinaryOp::Lt => always_less(high, other_low).or(not(always_at_most(other_high, low))),
            BinaryOp::Le => always_at_most(high, other_low).or(not(always_less(other_high, low))),
            BinaryOp::Gt => always_less(other_high, low).or(not(always_at_most(high, other_low))),
            BinaryOp::Ge => always_at_most(other_high, low).or(not(always_less(high, other_low))),
            _ => None,
        }
    }

    /// Whether two values are the same, where that is known.
    fn same(&self, other: &Value) -> Option<bool> {
        match (self, other) {
            // Of an object only the type is known, and that it is somewhere.
            (Value::Is(Constant::Object(_)), Value::Is(Constant::Int(0)))
            | (Value::Is(Constant::Int(0)), Value::Is(Constant::Object(_))) => Some(false),
            (Value::Is(Constant::Object(_)), _) | (_, Value::Is(Constant::Object(_))) => None,
            (Value::Is(a), Value::Is(b)) => Some(a == b),
            (Value::Is(Constant::Int(a)), other) | (other, Value::Is(Constant::Int(a))) => {
                (!other.admits(*a)).then_some(false)
            }
            _ => None,
        }
    }

    /// Whether this integer is among the values it may be.
    pub fn admits(&self, integer: i128) -> bool {
        match self {
            Value::Unknown => true,
            Value::Is(constant) => *constant == Constant::Int(integer),
            Value::Not(values) => !values.contains(&integer),
            Value::Range(low, high) => low.is_none_or(|low| low <= integer) && high.is_none_or(|high| integer <= high),
            Value::Bits { mask, value } => integer & mask == *value,
        }
    }

    /// What is known when both are known; `None` if they contradict each other.
    pub fn meet(&self, other: &Value) -> Option<Value> {
        match (self, other) {
            (Value::Unknown, known) | (known, Value::Unknown) => Some(known.clone()),
            (Value::Is(Constant::Object(_)), Value::Is(Constant::Int(0)))
            | (Value::Is(Constant::Int(0)), Value::Is(Constant::Object(_))) => None,
            (Value::Is(Constant::Object(_)), Value::Is(_)) => Some(other.clone()),
            (Value::Is(_), Value::Is(Constant::Object(_))) => Some(self.clone()),
            (Value::Is(a), Value::Is(b)) => (a == b).then(|| self.clone()),
            (Value::Is(Constant::Int(a)), may) | (may, Value::Is(Constant::Int(a))) => {
                may.admits(*a).then(|| Value::int(*a))
            }
            // An address or a function is no small number.
            (Value::Is(_), _) => Some(self.clone()),
            (_, Value::Is(_)) => Some(other.clone()),
            (Value::Not(a), Value::Not(b)) => {
                let mut all: Vec<i128> = a.iter().chain(b).copied().collect();
                all.sort_unstable();
                all.dedup();
                // What was learned first is what later conditions are most likely to ask again.
                Some(if all.len() <= MAX_NOT { Value::Not(all) } else { self.clone() })
            }
            (Value::Range(a, b), Value::Range(c, d)) => Value::range((*a).max(*c), least(*b, *d)),
            (Value::Range(low, high), Value::Not(values)) | (Value::Not(values), Value::Range(low, high)) => {
                let (mut low, mut high) = (*low, *high);
                while low.is_some_and(|bound| values.contains(&bound)) {
                    low = low.map(|bound| bound + 1);
                }
                while high.is_some_and(|bound| values.contains(&bound)) {
                    high = high.map(|bound| bound - 1);
                }
                Value::range(low, high)
            }
            (Value::Bits { mask: a, value: x }, Value::Bits { mask: b, value: y }) => {
                (x & b == y & a).then(|| Value::Bits { mask: a | b, value: x | y })
            }
            // Two kinds of knowledge: the newer one is kept.
            (_, newer) => Some(newer.clone()),
        }
    }

    fn range(low: Option<i128>, high: Option<i128>) -> Option<Value> {
        match (low, high) {
            (Some(low), Some(high)) if low > high => None,
            (Some(low), Some(high)) if low == high => Some(Value::int(low)),
            (None, None) => Some(Value::Unknown),
            bounds => Some(Value::Range(bounds.0, bounds.1)),
        }
    }
}

fn least(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Value> {
        vec![
            Value::Unknown,
            Value::int(0),
            Value::int(5),
            Value::Not(vec![0]),
            Value::Not(vec![1, 5]),
            Value::Range(Some(2), None),
            Value::Range(None, Some(-1)),
            Value::Range(Some(3), Some(9)),
            Value::Bits { mask: 12, value: 4 },
            Value::Bits { mask: 1, value: 0 },
        ]
    }

    /// Every claim about two values is checked against the integers they admit.
    #[test]
    fn comparisons_and_meets_hold_for_all_members() {
        let members = |value: &Value| (-20i128..40).filter(|n| value.admits(*n)).collect::<Vec<_>>();
        for a in samples() {
            for b in samples() {
                for op in BinaryOp::COMPARISONS {
                    let Some(said) = a.compare(op, &b) else { continue };
                    for x in members(&a) {
                        for y in members(&b) {
                            let holds = ir::arith::compare(op, ir::IntKind::Int128, x, y);
                            assert_eq!(holds, said, "{a:?} {op:?} {b:?} with {x} and {y}");
                        }
                    }
                }
                let both: Vec<i128> = members(&a).into_iter().filter(|n| b.admits(*n)).collect();
                match a.meet(&b) {
                    Some(meet) => assert!(both.iter().all(|n| meet.admits(*n)), "{a:?} and {b:?} give {meet:?}"),
                    None => assert!(both.is_empty(), "{a:?} and {b:?} do not contradict each other"),
                }
            }
            if let Some(truth) = a.truth() {
                assert!(members(&a).iter().all(|n| (*n != 0) == truth), "{a:?}");
            }
        }
    }
}
