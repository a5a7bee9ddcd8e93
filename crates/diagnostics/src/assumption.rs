//! What a verdict takes for granted: named beside it, and compared by what it is, never by how it is said.

use std::cmp::Ordering;
use std::fmt;

/// A condition under which a verdict holds. It prints as a clause for people; sets list them in the order of the clauses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Assumption {
    /// Globals hold their initial values when the entry is called.
    InitialGlobals,
    /// Pointers that are inputs lead to objects of their own.
    SeparateInputs,
    /// Memory accesses stay within their objects.
    InBounds,
    NoOverflow,
    NoDivisionByZero,
    NoBadShift,
    /// Floating values fit where they are converted to integers.
    ConversionsFit,
    /// Floating values are real numbers, which no machine computes with.
    Reals,
    /// What is read was written before.
    Written,
    /// What is read before it is written holds the same value at every read.
    UnwrittenKeeps,
    /// Arguments and callees are as the functions that are called ask.
    CallsAsAsked,
    /// Arrays of variable length have one.
    LengthsPositive,
    /// Functions whose results are used return one.
    ResultsReturned,
    /// Nothing undefined happens before the claim.
    NothingUndefinedBefore,
    /// A condition on operations of which not all are proved to meet it.
    WhereNotProved(Operations),
    /// Arrays that the entry is given have so many elements.
    Lengths {
        arrays: Vec<String>,
        length: Length,
        rows: bool,
    },
    /// The values that elements of an array may have.
    Elements {
        array: String,
        low: i128,
        high: i128,
    },
    ArraysApart,
    /// Characters behind pointers are in buffers that nothing else is part of.
    BuffersApart,
}

/// How long an array is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    Fixed(u64),
    /// As a parameter says, which is from 1 to `longest`.
    Parameter {
        name: String,
        longest: u64,
    },
}

/// Kinds of operations that have a condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operations {
    Arithmetic,
    Divisions,
    Shifts,
    Conversions,
    Accesses,
    Reads,
    Calls,
    /// Whatever is not followed.
    Others,
}

impl Assumption {
    /// Several as one clause.
    pub fn list<'a>(all: impl IntoIterator<Item = &'a Assumption>) -> String {
        all.into_iter().map(Assumption::to_string).collect::<Vec<String>>().join(" and ")
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match self {
            Assumption::InitialGlobals => "globals hold their initial values when the entry is called",
            Assumption::SeparateInputs => "pointer inputs do not overlap each other or globals",
            Assumption::InBounds => "memory accesses stay within their objects",
            Assumption::NoOverflow => "no signed overflow",
            Assumption::NoDivisionByZero => "no division by zero",
            Assumption::NoBadShift => "no undefined shift",
            Assumption::ConversionsFit => "floating values fit where they are converted",
            Assumption::Reals => "floating point as real numbers",
            Assumption::Written => "what is read was written before",
            Assumption::UnwrittenKeeps => "a variable that is read before it is written holds some value",
            Assumption::CallsAsAsked => "calls are as the functions that they call ask",
            Assumption::LengthsPositive => "arrays of variable length have one",
            Assumption::ResultsReturned => "functions whose results are used return one",
            Assumption::NothingUndefinedBefore => "no undefined behaviour before the claim",
            Assumption::ArraysApart => "arrays do not overlap",
            Assumption::BuffersApart => {
                "buffers of characters are in bounds, and no part of other objects that are looked at"
            }
            Assumption::WhereNotProved(operations) => match operations {
                Operations::Arithmetic => "no signed overflow where that is not proved",
                Operations::Divisions => "no division by zero where that is not proved",
                Operations::Shifts => "shifts within the width of their operands where that is not proved",
                Operations::Conversions => "floating values that fit where that is not proved",
                Operations::Accesses => "accesses within their objects where that is not proved",
                Operations::Reads => "objects that have a value where that is not proved",
                Operations::Calls => "calls as the functions ask where that is not proved",
                Operations::Others => "no undefined behaviour in what is not followed",
            },
            Assumption::Lengths { arrays, length, rows } => {
                let names: Vec<String> = arrays.iter().map(|name| format!("`{name}`")).collect();
                let verb = if arrays.len() == 1 { "has" } else { "have" };
                write!(out, "{} {verb} ", names.join(", "))?;
                match length {
                    Length::Fixed(length) => write!(out, "{length}")?,
                    Length::Parameter { name, longest } => write!(out, "{name} (1 to {longest})")?,
                }
                return write!(out, " {}", if *rows { "rows" } else { "elements" });
            }
            Assumption::Elements { array, low, high } => {
                return write!(out, "elements of `{array}` are {low} to {high}");
            }
        };
        out.write_str(said)
    }
}

impl Ord for Assumption {
    fn cmp(&self, other: &Assumption) -> Ordering {
        self.to_string().cmp(&other.to_string())
    }
}

impl PartialOrd for Assumption {
    fn partial_cmp(&self, other: &Assumption) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sets_list_them_as_a_reader_would() {
        let all = [Assumption::Reals, Assumption::NoOverflow, Assumption::InBounds, Assumption::NoOverflow];
        let listed: Vec<String> = BTreeSet::from(all).iter().map(Assumption::to_string).collect();
        assert_eq!(
            listed,
            ["floating point as real numbers", "memory accesses stay within their objects", "no signed overflow"]
        );
    }

    #[test]
    fn those_with_data_say_it() {
        let length = Length::Parameter { name: "n".into(), longest: 4 };
        let lengths = Assumption::Lengths { arrays: vec!["a".into(), "b".into()], length, rows: false };
        assert_eq!(lengths.to_string(), "`a`, `b` have n (1 to 4) elements");
        let lengths = Assumption::Lengths { arrays: vec!["m".into()], length: Length::Fixed(3), rows: true };
        assert_eq!(lengths.to_string(), "`m` has 3 rows");
        let elements = Assumption::Elements { array: "a".into(), low: -1, high: 9 };
        assert_eq!(elements.to_string(), "elements of `a` are -1 to 9");
    }
}
