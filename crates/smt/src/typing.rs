//! Which sort an operator yields for given arguments; refuses ill-sorted applications.
//!
//! An ill-sorted term is a mistake in our own code, never in the user's program, hence the panics.

use crate::pool::TermPool;
use crate::sort::{Sort, SortId};
use crate::term::{Op, TermId};

pub(crate) fn sort_of(pool: &TermPool, op: &Op, args: &[TermId]) -> SortId {
    let check = Check { pool, op, args };
    match op {
        Op::True | Op::False => check.exactly(&[], SortId::BOOL),
        Op::Int(_) => check.exactly(&[], SortId::INT),
        Op::Real(_) => check.exactly(&[], SortId::REAL),
        Op::Bits(bits) => check.exactly(&[], pool.bitvec_sort(bits.width())),
        Op::Float(value) => check.exactly(&[], pool.float_sort(value.format())),
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => {
            check.require(args.len() == 2 && check.uniform());
            check.format(0);
            check.sort(0)
        }
        Op::FpNeg | Op::FpAbs | Op::FpRound(_) | Op::FpSqrt => {
            check.require(args.len() == 1);
            check.format(0);
            check.sort(0)
        }
        Op::FpEq | Op::FpLt | Op::FpLe => {
            check.require(args.len() == 2 && check.uniform());
            check.format(0);
            SortId::BOOL
        }
        Op::FpConvert(format) => {
            check.require(args.len() == 1);
            check.format(0);
            pool.float_sort(*format)
        }
        Op::FpFromBv { format, .. } => {
            check.require(args.len() == 1);
            check.width(0);
            pool.float_sort(*format)
        }
        Op::FpFromBits(format) => {
            check.require(*format != ieee::Format::Extended);
            check.exactly(&[pool.bitvec_sort(format.exponent() + format.significand())], pool.float_sort(*format))
        }
        Op::FpToBv { width, .. } => {
            check.require(args.len() == 1);
            check.format(0);
            pool.bitvec_sort(*width)
        }
        Op::App(f) => {
            let func = pool.func(*f);
            check.exactly(&func.args, func.range)
        }
        Op::Not => check.exactly(&[SortId::BOOL], SortId::BOOL),
        Op::And | Op::Or => {
            check.require(args.iter().all(|a| pool.sort_of(*a) == SortId::BOOL));
            SortId::BOOL
        }
        Op::Xor => check.exactly(&[SortId::BOOL; 2], SortId::BOOL),
        Op::Ite => {
            check.require(args.len() == 3 && check.sort(0) == SortId::BOOL);
            check.require(check.sort(1) == check.sort(2));
            check.sort(1)
        }
        Op::Eq => {
            check.require(args.len() == 2 && check.uniform());
            SortId::BOOL
        }
        Op::Distinct => {
            check.require(args.len() >= 2 && check.uniform());
            SortId::BOOL
        }
        Op::Add | Op::Mul => {
            check.require(args.len() >= 2 && check.uniform());
            check.numeric()
        }
        Op::Le | Op::Lt => {
            check.require(args.len() == 2 && check.uniform());
            check.numeric();
            SortId::BOOL
        }
        Op::IntDiv | Op::IntMod => check.exactly(&[SortId::INT; 2], SortId::INT),
        Op::RealDiv => check.exactly(&[SortId::REAL; 2], SortId::REAL),
        Op::ToReal => check.exactly(&[SortId::INT], SortId::REAL),
        Op::ToInt => check.exactly(&[SortId::REAL], SortId::INT),
        Op::IsInt => check.exactly(&[SortId::REAL], SortId::BOOL),
        Op::BvNot | Op::BvNeg => {
            check.require(args.len() == 1);
            check.width(0);
            check.sort(0)
        }
        Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr => {
            check.require(args.len() == 2 && check.uniform());
            check.width(0);
            check.sort(0)
        }
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::BvMulOverflow { .. } => {
            check.require(args.len() == 2 && check.uniform());
            check.width(0);
            SortId::BOOL
        }
        Op::BvConcat => {
            check.require(args.len() == 2);
            pool.bitvec_sort(check.width(0) + check.width(1))
        }
        Op::BvExtract { high, low } => {
            check.require(args.len() == 1 && low <= high && *high < check.width(0));
            pool.bitvec_sort(high - low + 1)
        }
        Op::BvZeroExtend(by) | Op::BvSignExtend(by) => {
            check.require(args.len() == 1);
            pool.bitvec_sort(check.width(0) + by)
        }
        Op::BvToInt => {
            check.require(args.len() == 1);
            check.width(0);
            SortId::INT
        }
        Op::IntToBv(width) => check.exactly(&[SortId::INT], pool.bitvec_sort(*width)),
        Op::Select => {
            check.require(args.len() == 2);
            let (index, element) = check.array(0);
            check.require(check.sort(1) == index);
            element
        }
        Op::Store => {
            check.require(args.len() == 3);
            let (index, element) = check.array(0);
            check.require(check.sort(1) == index && check.sort(2) == element);
            check.sort(0)
        }
        Op::ConstArray(sort) => {
            let Sort::Array(_, element) = pool.sort(*sort) else { check.fail() };
            check.exactly(&[*element], *sort)
        }
        Op::Construct(c) => {
            let fields = &pool.constructor_info(*c).fields;
            let sorts: Vec<_> = fields.iter().map(|(_, s)| *s).collect();
            check.exactly(&sorts, pool.datatype_sort(c.datatype))
        }
        Op::Field(c, i) => {
            let sort = pool.constructor_info(*c).fields[*i as usize].1;
            check.exactly(&[pool.datatype_sort(c.datatype)], sort)
        }
        Op::Is(c) => check.exactly(&[pool.datatype_sort(c.datatype)], SortId::BOOL),
        Op::Quant(q) => {
            let terms: u32 = q.triggers.iter().sum();
            check.require(!q.vars.is_empty() && args.len() == 1 + terms as usize);
            check.require(check.sort(0) == SortId::BOOL);
            SortId::BOOL
        }
    }
}

struct Check<'a> {
    pool: &'a TermPool,
    op: &'a Op,
    args: &'a [TermId],
}

impl Check<'_> {
    fn fail(&self) -> ! {
        let sorts: Vec<_> = self.args.iter().map(|a| self.pool.sort(self.pool.sort_of(*a))).collect();
        panic!("arguments should fit the operator, because terms are well sorted: {:?} of {sorts:?}", self.op)
    }

    fn require(&self, holds: bool) {
        if !holds {
            self.fail();
        }
    }

    fn sort(&self, i: usize) -> SortId {
        self.pool.sort_of(self.args[i])
    }

    fn exactly(&self, sorts: &[SortId], result: SortId) -> SortId {
        let fits = self.args.len() == sorts.len() && (0..sorts.len()).all(|i| self.sort(i) == sorts[i]);
        self.require(fits);
        result
    }

    fn uniform(&self) -> bool {
        self.args.iter().all(|a| self.pool.sort_of(*a) == self.sort(0))
    }

    fn numeric(&self) -> SortId {
        let sort = self.sort(0);
        self.require(sort == SortId::INT || sort == SortId::REAL);
        sort
    }

    fn width(&self, i: usize) -> u32 {
        match self.pool.sort(self.sort(i)) {
            Sort::BitVec(width) => *width,
            _ => self.fail(),
        }
    }

    fn format(&self, i: usize) -> ieee::Format {
        match self.pool.sort(self.sort(i)) {
            Sort::Float(format) => *format,
            _ => self.fail(),
        }
    }

    fn array(&self, i: usize) -> (SortId, SortId) {
        match self.pool.sort(self.sort(i)) {
            Sort::Array(index, element) => (*index, *element),
            _ => self.fail(),
        }
    }
}
