//! Our terms as Z3's, each once per engine.
//!
//! The cache survives push and pop: a term asserted again, or part of a later one, costs a look-up.
//! The walk keeps its own stack, so depth does not matter.

use super::{ConstructorHandles, Engine, Z3Error, c_string};
use crate::pool::TermPool;
use crate::sort::{Constructor, DatatypeId, FuncId, Sort, SortId};
use crate::term::{Op, Quantifier, TermId};
use z3_sys::*;

impl Engine {
    pub(crate) fn translate(&mut self, pool: &TermPool, term: TermId) -> Result<Z3_ast, Z3Error> {
        self.depth = self.depth.max(pool.depth(term));
        let mut stack = vec![(term, false)];
        let mut args = Vec::new();
        while let Some((t, leaving)) = stack.pop() {
            if self.terms.contains_key(&t) {
                continue;
            }
            if !leaving && !pool.args(t).is_empty() {
                stack.push((t, true));
                stack.extend(pool.args(t).iter().rev().map(|a| (*a, false)));
                continue;
            }
            args.clear();
            args.extend(pool.args(t).iter().map(|a| self.terms[a]));
            let made = self.operator(pool, t, &args)?;
            self.keep(made);
            self.terms.insert(t, made);
            self.translated += 1;
        }
        Ok(self.terms[&term])
    }

    fn operator(&mut self, pool: &TermPool, t: TermId, a: &[Z3_ast]) -> Result<Z3_ast, Z3Error> {
        let c = self.context;
        let n = a.len() as u32;
        let list = a.as_ptr();
        // SAFETY: see the folder's documentation; the pool guarantees arity and sorts.
        let made = unsafe {
            match pool.op(t) {
                Op::True => Z3_mk_true(c),
                Op::False => Z3_mk_false(c),
                Op::Int(value) => {
                    let sort = self.sort(pool, SortId::INT)?;
                    Z3_mk_numeral(c, c_string(&value.to_string()).as_ptr(), sort)
                }
                Op::Real(value) => {
                    let sort = self.sort(pool, SortId::REAL)?;
                    let text = format!("{}/{}", value.numerator(), value.denominator());
                    Z3_mk_numeral(c, c_string(&text).as_ptr(), sort)
                }
                Op::Bits(bits) => {
                    let sort = self.sort(pool, pool.sort_of(t))?;
                    Z3_mk_numeral(c, c_string(&bits.unsigned().to_string()).as_ptr(), sort)
                }
                Op::Float(value) => self.float(pool, *value)?,
                Op::FpAdd => Z3_mk_fpa_add(c, self.nearest()?, a[0], a[1]),
                Op::FpSub => Z3_mk_fpa_sub(c, self.nearest()?, a[0], a[1]),
                Op::FpMul => Z3_mk_fpa_mul(c, self.nearest()?, a[0], a[1]),
                Op::FpDiv => Z3_mk_fpa_div(c, self.nearest()?, a[0], a[1]),
                Op::FpNeg => Z3_mk_fpa_neg(c, a[0]),
                Op::FpAbs => Z3_mk_fpa_abs(c, a[0]),
                Op::FpRound(rounding) => {
                    let mode = match rounding {
                        ieee::Rounding::Down => Z3_mk_fpa_rtn(c),
                        ieee::Rounding::Up => Z3_mk_fpa_rtp(c),
                        ieee::Rounding::ToZero => Z3_mk_fpa_rtz(c),
                        ieee::Rounding::Even => Z3_mk_fpa_rne(c),
                        ieee::Rounding::Away => Z3_mk_fpa_rna(c),
                    };
                    let mode = self.made(mode)?;
                    self.keep(mode);
                    Z3_mk_fpa_round_to_integral(c, mode, a[0])
                }
                Op::FpSqrt => Z3_mk_fpa_sqrt(c, self.nearest()?, a[0]),
                Op::FpEq => Z3_mk_fpa_eq(c, a[0], a[1]),
                Op::FpLt => Z3_mk_fpa_lt(c, a[0], a[1]),
                Op::FpLe => Z3_mk_fpa_leq(c, a[0], a[1]),
                Op::FpConvert(_) => {
                    let sort = self.sort(pool, pool.sort_of(t))?;
                    Z3_mk_fpa_to_fp_float(c, self.nearest()?, a[0], sort)
                }
                Op::FpFromBv { signed, .. } => {
                    let (mode, sort) = (self.nearest()?, self.sort(pool, pool.sort_of(t))?);
                    match signed {
                        true => Z3_mk_fpa_to_fp_signed(c, mode, a[0], sort),
                        false => Z3_mk_fpa_to_fp_unsigned(c, mode, a[0], sort),
                    }
                }
                Op::FpFromBits(_) => {
                    let sort = self.sort(pool, pool.sort_of(t))?;
                    Z3_mk_fpa_to_fp_bv(c, a[0], sort)
                }
                Op::FpToBv { width, signed } => {
                    let mode = self.made(Z3_mk_fpa_rtz(c))?;
                    self.keep(mode);
                    match signed {
                        true => Z3_mk_fpa_to_sbv(c, mode, a[0], *width),
                        false => Z3_mk_fpa_to_ubv(c, mode, a[0], *width),
                    }
                }
                Op::App(f) => Z3_mk_app(c, self.func(pool, *f)?, n, list),
                Op::Not => Z3_mk_not(c, a[0]),
                Op::And => Z3_mk_and(c, n, list),
                Op::Or => Z3_mk_or(c, n, list),
                Op::Xor => Z3_mk_xor(c, a[0], a[1]),
                Op::Ite => Z3_mk_ite(c, a[0], a[1], a[2]),
                Op::Eq => Z3_mk_eq(c, a[0], a[1]),
                Op::Distinct => Z3_mk_distinct(c, n, list),
                Op::Add => Z3_mk_add(c, n, list),
                Op::Mul => Z3_mk_mul(c, n, list),
                Op::IntDiv | Op::RealDiv => Z3_mk_div(c, a[0], a[1]),
                Op::IntMod => Z3_mk_mod(c, a[0], a[1]),
                Op::Le => Z3_mk_le(c, a[0], a[1]),
                Op::Lt => Z3_mk_lt(c, a[0], a[1]),
                Op::ToReal => Z3_mk_int2real(c, a[0]),
                Op::ToInt => Z3_mk_real2int(c, a[0]),
                Op::IsInt => Z3_mk_is_int(c, a[0]),
                Op::BvNot => Z3_mk_bvnot(c, a[0]),
                Op::BvNeg => Z3_mk_bvneg(c, a[0]),
                Op::BvAnd => Z3_mk_bvand(c, a[0], a[1]),
                Op::BvOr => Z3_mk_bvor(c, a[0], a[1]),
                Op::BvXor => Z3_mk_bvxor(c, a[0], a[1]),
                Op::BvAdd => Z3_mk_bvadd(c, a[0], a[1]),
                Op::BvSub => Z3_mk_bvsub(c, a[0], a[1]),
                Op::BvMul => Z3_mk_bvmul(c, a[0], a[1]),
                Op::BvUdiv => Z3_mk_bvudiv(c, a[0], a[1]),
                Op::BvUrem => Z3_mk_bvurem(c, a[0], a[1]),
                Op::BvSdiv => Z3_mk_bvsdiv(c, a[0], a[1]),
                Op::BvSrem => Z3_mk_bvsrem(c, a[0], a[1]),
                Op::BvShl => Z3_mk_bvshl(c, a[0], a[1]),
                Op::BvLshr => Z3_mk_bvlshr(c, a[0], a[1]),
                Op::BvAshr => Z3_mk_bvashr(c, a[0], a[1]),
                Op::BvConcat => Z3_mk_concat(c, a[0], a[1]),
                Op::BvExtract { high, low } => Z3_mk_extract(c, *high, *low, a[0]),
                Op::BvZeroExtend(by) => Z3_mk_zero_ext(c, *by, a[0]),
                Op::BvSignExtend(by) => Z3_mk_sign_ext(c, *by, a[0]),
                Op::BvUlt => Z3_mk_bvult(c, a[0], a[1]),
                Op::BvUle => Z3_mk_bvule(c, a[0], a[1]),
                Op::BvSlt => Z3_mk_bvslt(c, a[0], a[1]),
                Op::BvSle => Z3_mk_bvsle(c, a[0], a[1]),
                Op::BvMulOverflow { signed } => self.mul_overflow(*signed, a[0], a[1])?,
                Op::BvToInt => Z3_mk_bv2int(c, a[0], false),
                Op::IntToBv(width) => Z3_mk_int2bv(c, *width, a[0]),
                Op::Select => Z3_mk_select(c, a[0], a[1]),
                Op::Store => Z3_mk_store(c, a[0], a[1], a[2]),
                Op::ConstArray(sort) => {
                    let Sort::Array(index, _) = pool.sort(*sort) else {
                        unreachable!("a constant array should have an array sort");
                    };
                    Z3_mk_const_array(c, self.sort(pool, *index)?, a[0])
                }
                Op::Construct(k) => Z3_mk_app(c, self.constructor(pool, *k)?.build, n, list),
                Op::Is(k) => Z3_mk_app(c, self.constructor(pool, *k)?.test, n, list),
                Op::Field(k, i) => {
                    let field = self.constructor(pool, *k)?.fields[*i as usize];
                    Z3_mk_app(c, field, n, list)
                }
                Op::Quant(q) => self.quantifier(pool, q, a)?,
            }
        };
        self.made(made)
    }

    /// The rounding mode of C's operators.
    fn nearest(&mut self) -> Result<Z3_ast, Z3Error> {
        // SAFETY: see the folder's documentation.
        let mode = self.made(unsafe { Z3_mk_fpa_rne(self.context) })?;
        self.keep(mode);
        Ok(mode)
    }

    fn float(&mut self, pool: &TermPool, value: ieee::Value) -> Result<Option<Z3_ast>, Z3Error> {
        let c = self.context;
        // SAFETY: see the folder's documentation.
        unsafe {
            if value.is_nan() {
                return Ok(Z3_mk_fpa_nan(c, self.sort(pool, pool.float_sort(value.format()))?));
            }
            let (negative, exponent, fraction) = value.parts();
            let format = value.format();
            let mut part = |width: u32, number: u64| -> Result<Z3_ast, Z3Error> {
                let sort = self.sort(pool, pool.bitvec_sort(width))?;
                let made = self.made(Z3_mk_unsigned_int64(c, number, sort))?;
                self.keep(made);
                Ok(made)
            };
            let sign = part(1, negative.into())?;
            let exponent = part(format.exponent(), exponent.into())?;
            let fraction = part(format.significand() - 1, fraction)?;
            Ok(Z3_mk_fpa_fp(c, sign, exponent, fraction))
        }
    }

    /// Z3 has "no overflow" predicates, upwards and downwards apart.
    fn mul_overflow(&mut self, signed: bool, a: Z3_ast, b: Z3_ast) -> Result<Option<Z3_ast>, Z3Error> {
        let c = self.context;
        // SAFETY: see the folder's documentation.
        unsafe {
            let mut fits = self.made(Z3_mk_bvmul_no_overflow(c, a, b, signed))?;
            self.keep(fits);
            if signed {
                let down = self.made(Z3_mk_bvmul_no_underflow(c, a, b))?;
                self.keep(down);
                fits = self.made(Z3_mk_and(c, 2, [fits, down].as_ptr()))?;
                self.keep(fits);
            }
            Ok(Z3_mk_not(c, fits))
        }
    }

    fn quantifier(&mut self, pool: &TermPool, q: &Quantifier, args: &[Z3_ast]) -> Result<Option<Z3_ast>, Z3Error> {
        let c = self.context;
        let mut vars = Vec::new();
        let mut patterns = Vec::new();
        // SAFETY: see the folder's documentation.
        unsafe {
            for var in &q.vars {
                let function = self.func(pool, *var)?;
                let constant = self.made(Z3_mk_app(c, function, 0, std::ptr::null()))?;
                // The constant may not occur in the body any more; count it while it is used.
                self.keep(constant);
                vars.push(self.made(Z3_to_app(c, constant))?);
            }
            let mut next = 1;
            for length in &q.triggers {
                let terms = &args[next..next + *length as usize];
                next += *length as usize;
                let pattern = self.made(Z3_mk_pattern(c, *length, terms.as_ptr()))?;
                let handle = self.made(Z3_pattern_to_ast(c, pattern))?;
                self.keep(handle);
                patterns.push(pattern);
            }
            Ok(Z3_mk_quantifier_const(
                c,
                q.forall,
                0,
                vars.len() as u32,
                vars.as_ptr(),
                patterns.len() as u32,
                patterns.as_ptr(),
                args[0],
            ))
        }
    }

    pub(super) fn sort(&mut self, pool: &TermPool, sort: SortId) -> Result<Z3_sort, Z3Error> {
        if let Some(known) = self.sorts.get(&sort) {
            return Ok(*known);
        }
        let c = self.context;
        // SAFETY: see the folder's documentation.
        let made = unsafe {
            match pool.sort(sort) {
                Sort::Bool => Z3_mk_bool_sort(c),
                Sort::Int => Z3_mk_int_sort(c),
                Sort::Real => Z3_mk_real_sort(c),
                Sort::BitVec(width) => Z3_mk_bv_sort(c, *width),
                Sort::Float(format) => Z3_mk_fpa_sort(c, format.exponent(), format.significand()),
                Sort::Array(index, element) => {
                    let index = self.sort(pool, *index)?;
                    let element = self.sort(pool, *element)?;
                    Z3_mk_array_sort(c, index, element)
                }
                Sort::Uninterpreted(name) => Z3_mk_uninterpreted_sort(c, self.symbol(name)?),
                Sort::Datatype(id) => {
                    self.datatypes(pool, *id)?;
                    return Ok(self.sorts[&sort]);
                }
            }
        };
        let made = self.made(made)?;
        self.keep_sort(sort, made)?;
        Ok(made)
    }

    fn keep_sort(&mut self, sort: SortId, made: Z3_sort) -> Result<(), Z3Error> {
        // SAFETY: see the folder's documentation.
        let handle = self.made(unsafe { Z3_sort_to_ast(self.context, made) })?;
        self.keep(handle);
        self.sorts.insert(sort, made);
        Ok(())
    }

    fn keep_func(&mut self, made: Z3_func_decl) -> Result<Z3_func_decl, Z3Error> {
        // SAFETY: see the folder's documentation.
        let handle = self.made(unsafe { Z3_func_decl_to_ast(self.context, made) })?;
        self.keep(handle);
        Ok(made)
    }

    pub(super) fn func(&mut self, pool: &TermPool, id: FuncId) -> Result<Z3_func_decl, Z3Error> {
        if let Some(known) = self.funcs.get(&id) {
            return Ok(*known);
        }
        let func = pool.func(id);
        let mut args = Vec::new();
        for sort in &func.args {
            args.push(self.sort(pool, *sort)?);
        }
        let range = self.sort(pool, func.range)?;
        // SAFETY: see the folder's documentation.
        let made = unsafe {
            let (count, list) = (args.len() as u32, args.as_ptr());
            if func.level > 0 {
                // A fresh symbol: no name that a caller chose can coincide with a bound variable.
                let prefix = c_string(&func.name);
                Z3_mk_fresh_func_decl(self.context, prefix.as_ptr(), count, list, range)
            } else {
                let symbol = self.symbol(&func.name)?;
                Z3_mk_func_decl(self.context, symbol, count, list, range)
            }
        };
        let made = self.made(made)?;
        self.keep_func(made)?;
        self.funcs.insert(id, made);
        Ok(made)
    }

    fn constructor(&mut self, pool: &TermPool, constructor: Constructor) -> Result<&ConstructorHandles, Z3Error> {
        self.sort(pool, pool.datatype_sort(constructor.datatype))?;
        Ok(&self.constructors[&constructor])
    }

    /// Declares the group that a datatype belongs to. Names inside Z3 are qualified, because Z3
    /// wants them unique and ours need not be.
    fn datatypes(&mut self, pool: &TermPool, member: DatatypeId) -> Result<(), Z3Error> {
        let c = self.context;
        let (first, count) = pool.datatype(member).group;
        let members: Vec<_> = (first.0..first.0 + count).map(DatatypeId).collect();
        // SAFETY: see the folder's documentation; constructor handles are deleted below, and the
        // declarations they yield are counted before that.
        unsafe {
            let mut names = Vec::new();
            let mut all: Vec<Vec<(Constructor, Z3_constructor)>> = Vec::new();
            let mut lists = Vec::new();
            for id in &members {
                let datatype = pool.datatype(*id);
                names.push(self.symbol(&datatype.name)?);
                let mut handles = Vec::new();
                for (index, info) in datatype.constructors.iter().enumerate() {
                    let qualified = format!("{}.{}", datatype.name, info.name);
                    let mut field_names = Vec::new();
                    let mut sorts = Vec::new();
                    let mut references = Vec::new();
                    for (field, sort) in &info.fields {
                        field_names.push(self.symbol(&format!("{qualified}.{field}"))?);
                        let inside = members.iter().position(|m| *pool.sort(*sort) == Sort::Datatype(*m));
                        references.push(inside.unwrap_or(0) as u32);
                        sorts.push(match inside {
                            Some(_) => None,
                            None => Some(self.sort(pool, *sort)?),
                        });
                    }
                    let name = self.symbol(&qualified)?;
                    let tester = self.symbol(&format!("is-{qualified}"))?;
                    let made = Z3_mk_constructor(
                        c,
                        name,
                        tester,
                        field_names.len() as u32,
                        field_names.as_ptr(),
                        sorts.as_ptr(),
                        references.as_mut_ptr(),
                    );
                    let constructor = Constructor { datatype: *id, index: index as u32 };
                    handles.push((constructor, self.made(made)?));
                }
                let raw: Vec<_> = handles.iter().map(|(_, h)| *h).collect();
                let list = Z3_mk_constructor_list(c, raw.len() as u32, raw.as_ptr());
                lists.push(self.made(list)?);
                all.push(handles);
            }
            // Z3 fills every place; until then they hold a valid handle of the same type.
            let filler = self.sort(pool, SortId::BOOL)?;
            let mut sorts = vec![filler; members.len()];
            Z3_mk_datatypes(c, members.len() as u32, names.as_ptr(), sorts.as_mut_ptr(), lists.as_mut_ptr());
            self.done()?;
            for (id, sort) in members.iter().zip(&sorts) {
                self.keep_sort(pool.datatype_sort(*id), *sort)?;
            }
            for (constructor, handle) in all.into_iter().flatten() {
                let fields = pool.constructor_info(constructor).fields.len();
                let mut build: Option<Z3_func_decl> = None;
                let mut test: Option<Z3_func_decl> = None;
                let mut accessors: Vec<Option<Z3_func_decl>> = vec![None; fields];
                Z3_query_constructor(
                    c,
                    handle,
                    fields as u32,
                    // `Option<NonNull<_>>` has the layout of the pointer it wraps.
                    (&raw mut build).cast(),
                    (&raw mut test).cast(),
                    accessors.as_mut_ptr().cast(),
                );
                self.done()?;
                let mut kept = Vec::new();
                for accessor in accessors {
                    let accessor = self.made(accessor)?;
                    kept.push(self.keep_func(accessor)?);
                }
                let (build, test) = (self.made(build)?, self.made(test)?);
                let handles =
                    ConstructorHandles { build: self.keep_func(build)?, test: self.keep_func(test)?, fields: kept };
                self.constructor_of.insert(handles.build, constructor);
                self.constructors.insert(constructor, handles);
                Z3_del_constructor(c, handle);
            }
            for list in lists {
                Z3_del_constructor_list(c, list);
            }
        }
        Ok(())
    }
}
