//! Builders: one method per operation, each simplifying as it builds.
//!
//! Arguments must fit the operation; a misfit is a mistake in the calling code and panics. Operations
//! that the term language does not have (subtraction, implication, C's division, overflow
//! predicates) are expressed by those it has.

use crate::bits::Bits;
use crate::pool::TermPool;
use crate::simplify;
use crate::sort::{Constructor, FuncId, SortId};
use crate::term::{Op, Quantifier, TermId};
use crate::{Int, Rational};
use std::collections::HashMap;

impl TermPool {
    /// The simplified application of an operator. All other builders end here.
    pub fn build(&self, op: Op, args: &[TermId]) -> TermId {
        simplify::build(self, op, args)
    }

    // ----- constants and symbols -----

    /// `true` or `false`.
    pub fn bool(&self, value: bool) -> TermId {
        self.raw(if value { Op::True } else { Op::False }, &[])
    }

    /// An integer.
    pub fn int(&self, value: impl Into<Int>) -> TermId {
        self.raw(Op::Int(value.into()), &[])
    }

    /// A rational.
    pub fn real(&self, value: impl Into<Rational>) -> TermId {
        self.raw(Op::Real(value.into()), &[])
    }

    /// A bit-vector: the number modulo two to the width.
    pub fn bits(&self, width: u32, value: impl Into<Int>) -> TermId {
        self.raw(Op::Bits(Bits::new(width, &value.into())), &[])
    }

    /// The variable of that name and sort; asking again gives the same term.
    pub fn var(&self, name: &str, sort: SortId) -> TermId {
        let symbol = self.function(name, &[], sort);
        self.raw(Op::App(symbol), &[])
    }

    /// A function applied to arguments.
    pub fn app(&self, function: FuncId, args: &[TermId]) -> TermId {
        self.raw(Op::App(function), args)
    }

    // ----- logic -----

    /// Negation.
    pub fn not(&self, a: TermId) -> TermId {
        self.build(Op::Not, &[a])
    }

    /// Conjunction; true if there are no arguments.
    pub fn and(&self, args: &[TermId]) -> TermId {
        self.build(Op::And, args)
    }

    /// Disjunction; false if there are no arguments.
    pub fn or(&self, args: &[TermId]) -> TermId {
        self.build(Op::Or, args)
    }

    /// Exclusive or.
    pub fn xor(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::Xor, &[a, b])
    }

    /// Implication.
    pub fn implies(&self, a: TermId, b: TermId) -> TermId {
        self.or(&[self.not(a), b])
    }

    /// `condition ? then : other`.
    pub fn ite(&self, condition: TermId, then: TermId, other: TermId) -> TermId {
        self.build(Op::Ite, &[condition, then, other])
    }

    /// Equality at any sort; equivalence for truth values.
    pub fn eq(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::Eq, &[a, b])
    }

    /// Inequality at any sort.
    pub fn ne(&self, a: TermId, b: TermId) -> TermId {
        self.not(self.eq(a, b))
    }

    /// Pairwise different; true for fewer than two arguments.
    pub fn distinct(&self, args: &[TermId]) -> TermId {
        if args.len() < 2 {
            return self.bool(true);
        }
        self.build(Op::Distinct, args)
    }

    /// The body holds for all values of the variables, which become bound.
    pub fn forall(&self, vars: &[TermId], body: TermId) -> TermId {
        self.quantify(true, vars, body, &[])
    }

    /// The body holds for some values of the variables, which become bound.
    pub fn exists(&self, vars: &[TermId], body: TermId) -> TermId {
        self.quantify(false, vars, body, &[])
    }

    /// A quantifier with triggers: lists of terms over the variables that tell the solver when to
    /// instantiate. Without triggers the solver chooses.
    ///
    /// The variables are replaced by bound ones that carry the quantifier's height, one more than
    /// the height of any quantifier inside. So a bound variable is never equal to a free symbol nor
    /// to a variable bound further in or out, and no substitution can capture anything.
    pub fn quantify(&self, forall: bool, vars: &[TermId], body: TermId, triggers: &[Vec<TermId>]) -> TermId {
        let mut args = vec![body];
        args.extend(triggers.iter().flatten());
        let level = 1 + args.iter().map(|a| self.node(*a).binders).max().unwrap_or(0);
        let used = self.symbols(&args);
        let mut bound = Vec::new();
        let mut renaming = HashMap::new();
        for var in vars {
            let Op::App(symbol) = self.op(*var) else {
                panic!("a quantifier should bind variables, because only those can be bound");
            };
            let func = self.func(*symbol);
            assert!(func.args.is_empty(), "a quantifier should bind variables, not functions such as {}", func.name);
            if used.contains(symbol) && !renaming.contains_key(var) {
                let fresh = self.bound_variable(&func.name, func.range, level);
                bound.push(fresh);
                renaming.insert(*var, self.raw(Op::App(fresh), &[]));
            }
        }
        if bound.is_empty() {
            return body;
        }
        let args: Vec<_> = args.iter().map(|a| self.substitute(*a, &renaming)).collect();
        let quantifier =
            Quantifier { forall, vars: bound.into(), triggers: triggers.iter().map(|t| t.len() as u32).collect() };
        self.build(Op::Quant(Box::new(quantifier)), &args)
    }

    // ----- integers and reals -----

    /// Sum of two terms of the same numeric sort.
    pub fn add(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::Add, &[a, b])
    }

    /// Sum of at least one term.
    pub fn sum(&self, args: &[TermId]) -> TermId {
        self.build(Op::Add, args)
    }

    /// Product of two terms of the same numeric sort.
    pub fn mul(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::Mul, &[a, b])
    }

    /// Product of at least one term.
    pub fn product(&self, args: &[TermId]) -> TermId {
        self.build(Op::Mul, args)
    }

    /// Negation of a number.
    pub fn neg(&self, a: TermId) -> TermId {
        self.mul(self.number(a, -1), a)
    }

    /// Difference.
    pub fn sub(&self, a: TermId, b: TermId) -> TermId {
        self.add(a, self.neg(b))
    }

    /// A literal of the same numeric sort as `like`.
    fn number(&self, like: TermId, value: i64) -> TermId {
        match self.sort_of(like) {
            SortId::INT => self.int(value),
            SortId::REAL => self.real(Int::from(value)),
            _ => panic!("a number should be given here, because arithmetic needs numbers"),
        }
    }

    /// Power with a constant exponent. High powers share their halves.
    pub fn pow(&self, base: TermId, exponent: u32) -> TermId {
        match exponent {
            0 => self.number(base, 1),
            1 => base,
            2..=16 => self.product(&vec![base; exponent as usize]),
            _ => {
                let half = self.pow(base, exponent / 2);
                let square = self.mul(half, half);
                if exponent % 2 == 1 { self.mul(square, base) } else { square }
            }
        }
    }

    /// SMT-LIB's `div`: the remainder is never negative; by zero it is left to the model.
    pub fn int_div(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::IntDiv, &[a, b])
    }

    /// SMT-LIB's `mod`, never negative; by zero it is left to the model.
    pub fn int_mod(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::IntMod, &[a, b])
    }

    /// C's `/` on unbounded integers: truncates towards zero. The caller excludes a zero divisor.
    pub fn c_div(&self, a: TermId, b: TermId) -> TermId {
        let negative = self.lt(a, self.int(0));
        let of_opposite = self.neg(self.int_div(self.neg(a), b));
        self.ite(negative, of_opposite, self.int_div(a, b))
    }

    /// C's `%` on unbounded integers: the sign follows the dividend.
    pub fn c_rem(&self, a: TermId, b: TermId) -> TermId {
        let negative = self.lt(a, self.int(0));
        let of_opposite = self.neg(self.int_mod(self.neg(a), b));
        self.ite(negative, of_opposite, self.int_mod(a, b))
    }

    /// Division of reals; by zero it is left to the model.
    pub fn real_div(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::RealDiv, &[a, b])
    }

    /// `a <= b`.
    pub fn le(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::Le, &[a, b])
    }

    /// `a < b`.
    pub fn lt(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::Lt, &[a, b])
    }

    /// `a >= b`.
    pub fn ge(&self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }

    /// `a > b`.
    pub fn gt(&self, a: TermId, b: TermId) -> TermId {
        self.lt(b, a)
    }

    /// The magnitude of a number.
    pub fn abs(&self, a: TermId) -> TermId {
        let negative = self.lt(a, self.number(a, 0));
        self.ite(negative, self.neg(a), a)
    }

    /// The smaller of two numbers.
    pub fn min(&self, a: TermId, b: TermId) -> TermId {
        self.ite(self.le(a, b), a, b)
    }

    /// The larger of two numbers.
    pub fn max(&self, a: TermId, b: TermId) -> TermId {
        self.ite(self.le(a, b), b, a)
    }

    /// An integer as a real.
    pub fn to_real(&self, a: TermId) -> TermId {
        self.build(Op::ToReal, &[a])
    }

    /// The largest integer not above a real.
    pub fn to_int(&self, a: TermId) -> TermId {
        self.build(Op::ToInt, &[a])
    }

    /// C's conversion of a real to an integer: the fraction is cut off.
    pub fn truncate(&self, a: TermId) -> TermId {
        let negative = self.lt(a, self.number(a, 0));
        let of_opposite = self.neg(self.to_int(self.neg(a)));
        self.ite(negative, of_opposite, self.to_int(a))
    }

    /// Whether a real is an integer.
    pub fn is_int(&self, a: TermId) -> TermId {
        self.build(Op::IsInt, &[a])
    }

    // ----- arrays -----

    /// The element at an index.
    pub fn select(&self, array: TermId, index: TermId) -> TermId {
        self.build(Op::Select, &[array, index])
    }

    /// The array with one element replaced.
    pub fn store(&self, array: TermId, index: TermId, element: TermId) -> TermId {
        self.build(Op::Store, &[array, index, element])
    }

    /// The array of the given array sort that is `element` everywhere.
    pub fn const_array(&self, sort: SortId, element: TermId) -> TermId {
        self.build(Op::ConstArray(sort), &[element])
    }

    // ----- datatypes -----

    /// A constructor applied to its fields.
    pub fn construct(&self, constructor: Constructor, fields: &[TermId]) -> TermId {
        self.build(Op::Construct(constructor), fields)
    }

    /// A field of a value; left to the model if another constructor built it.
    pub fn field(&self, constructor: Constructor, field: u32, value: TermId) -> TermId {
        self.build(Op::Field(constructor, field), &[value])
    }

    /// Whether a value was built by that constructor.
    pub fn is(&self, constructor: Constructor, value: TermId) -> TermId {
        self.build(Op::Is(constructor), &[value])
    }
}
