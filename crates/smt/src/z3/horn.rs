//! Clauses as rules of Z3's fixed-point engine, and its covers as our terms.

use super::{Engine, Exclusive, Z3Error, copied, decl_kind};
use crate::bits::Bits;
use crate::horn::{Clauses, RelationId, Solution};
use crate::pool::TermPool;
use crate::sort::{Sort, SortId};
use crate::term::{Op, TermId};
use crate::{Int, Rational};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use z3_sys::*;

/// What the search says.
pub(crate) enum Reached {
    Never(Solution),
    Somehow,
    Unknown(String),
}

/// The fixed-point engine of a context, counted while it is used.
struct Rules {
    context: Z3_context,
    handle: Z3_fixedpoint,
}

impl Drop for Rules {
    fn drop(&mut self) {
        // SAFETY: it was counted when it was made, and the context outlives it.
        unsafe { Z3_fixedpoint_dec_ref(self.context, self.handle) }
    }
}

impl Engine {
    pub(crate) fn derive(&mut self, pool: &TermPool, clauses: &Clauses, timeout: Duration) -> Result<Reached, Z3Error> {
        let rules = self.rules(timeout)?;
        let c = self.context;
        let mut relations = Vec::new();
        for (number, params) in clauses.relations.iter().enumerate() {
            relations.push(self.relation(pool, &rules, &format!("at {number}"), params)?);
        }
        let bad = self.relation(pool, &rules, "bad", &[])?;
        for clause in &clauses.clauses {
            let apply = |engine: &mut Engine, of: &Option<(RelationId, Vec<TermId>)>| {
                let (relation, values): (_, &[TermId]) = match of {
                    Some((relation, values)) => (relations[relation.0 as usize], values),
                    None => (bad, &[]),
                };
                let values = values.iter().map(|v| engine.translate(pool, *v)).collect::<Result<Vec<_>, _>>()?;
                // SAFETY: see the folder's documentation; the arguments have the sorts of the relation's symbols.
                let made = engine.made(unsafe { Z3_mk_app(c, relation, values.len() as u32, values.as_ptr()) })?;
                Ok::<_, Z3Error>(engine.keep(made))
            };
            let head = apply(self, &clause.head)?;
            let mut body = vec![self.translate(pool, clause.condition)?];
            if clause.body.is_some() {
                body.push(apply(self, &clause.body)?);
            }
            let mut terms = vec![clause.condition];
            terms.extend(clause.body.iter().chain(&clause.head).flat_map(|(_, values)| values));
            self.add_rule(pool, &rules, &body, head, &terms)?;
        }
        let answer = stopped_by(pool.cancel().cloned(), Exclusive(c), || {
            // SAFETY: see the folder's documentation.
            unsafe { Z3_fixedpoint_query_relations(c, rules.handle, 1, [bad].as_ptr()) }
        });
        match answer {
            Z3_L_TRUE => return Ok(Reached::Somehow),
            Z3_L_FALSE => {}
            _ => {
                // SAFETY: Z3 keeps the string alive until the next call; it is copied at once.
                let why = unsafe { copied(Z3_fixedpoint_get_reason_unknown(c, rules.handle)) };
                return Ok(Reached::Unknown(why));
            }
        }
        let mut solution = Vec::new();
        for (relation, params) in relations.iter().zip(&clauses.relations) {
            // SAFETY: see the folder's documentation; -1 asks for what holds at every level.
            let cover = unsafe { Z3_fixedpoint_get_cover_delta(c, rules.handle, -1, *relation) };
            let cover = self.made(cover)?;
            let cover = self.keep(cover);
            let conjuncts = Reader { context: c, pool, params, known: HashMap::new() }.conjuncts(cover);
            solution.push(conjuncts);
        }
        Ok(Reached::Never(solution))
    }

    fn rules(&mut self, timeout: Duration) -> Result<Rules, Z3Error> {
        let c = self.context;
        // SAFETY: see the folder's documentation.
        unsafe {
            let handle = self.made(Z3_mk_fixedpoint(c))?;
            Z3_fixedpoint_inc_ref(c, handle);
            let rules = Rules { context: c, handle };
            let set = self.made(Z3_mk_params(c))?;
            Z3_params_inc_ref(c, set);
            let millis = u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX - 1).max(1);
            Z3_params_set_uint(c, set, self.symbol("timeout")?, millis);
            Z3_params_set_symbol(c, set, self.symbol("engine")?, self.symbol("spacer")?);
            Z3_params_set_bool(c, set, self.symbol("ctrl_c")?, false);
            // A relation that was inlined or lost an argument would have no solution to read.
            for name in ["xform.slice", "xform.inline_linear", "xform.inline_eager"] {
                Z3_params_set_bool(c, set, self.symbol(name)?, false);
            }
            Z3_fixedpoint_set_params(c, rules.handle, set);
            let result = self.done();
            Z3_params_dec_ref(c, set);
            result.map(|()| rules)
        }
    }

    fn relation(
        &mut self,
        pool: &TermPool,
        rules: &Rules,
        name: &str,
        params: &[TermId],
    ) -> Result<Z3_func_decl, Z3Error> {
        let sorts = params.iter().map(|p| self.sort(pool, pool.sort_of(*p))).collect::<Result<Vec<_>, _>>()?;
        let range = self.sort(pool, SortId::BOOL)?;
        let symbol = self.symbol(name)?;
        // SAFETY: see the folder's documentation.
        unsafe {
            let made = Z3_mk_func_decl(self.context, symbol, sorts.len() as u32, sorts.as_ptr(), range);
            let made = self.made(made)?;
            self.keep(self.made(Z3_func_decl_to_ast(self.context, made))?);
            Z3_fixedpoint_register_relation(self.context, rules.handle, made);
            self.done().map(|()| made)
        }
    }

    /// The rule for all values of the symbols in the terms.
    fn add_rule(
        &mut self,
        pool: &TermPool,
        rules: &Rules,
        body: &[Z3_ast],
        head: Z3_ast,
        terms: &[TermId],
    ) -> Result<(), Z3Error> {
        let c = self.context;
        let mut bound = Vec::new();
        // SAFETY: see the folder's documentation.
        unsafe {
            for symbol in pool.symbols(terms) {
                if !pool.func(symbol).args.is_empty() {
                    return Err(Z3Error("a function with arguments has no place in a clause".into()));
                }
                let function = self.func(pool, symbol)?;
                let constant = self.made(Z3_mk_app(c, function, 0, std::ptr::null()))?;
                self.keep(constant);
                bound.push(self.made(Z3_to_app(c, constant))?);
            }
            let body = self.made(Z3_mk_and(c, body.len() as u32, body.as_ptr()))?;
            self.keep(body);
            let mut rule = self.made(Z3_mk_implies(c, body, head))?;
            self.keep(rule);
            if !bound.is_empty() {
                let count = bound.len() as u32;
                let made = Z3_mk_forall_const(c, 0, count, bound.as_ptr(), 0, std::ptr::null(), rule);
                rule = self.made(made)?;
                self.keep(rule);
            }
            Z3_fixedpoint_add_rule(c, rules.handle, rule, None);
        }
        self.done()
    }
}

/// Runs a query that another thread interrupts when the flag is set. Z3 forgets an interrupt that comes before its search
/// starts, so it is repeated.
fn stopped_by<R>(flag: Option<Arc<AtomicBool>>, context: Exclusive<Z3_context>, query: impl FnOnce() -> R) -> R {
    let Some(flag) = flag else { return query() };
    let over = AtomicBool::new(false);
    let (context, flag, ended) = (&context, &flag, &over);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(move || {
            while !ended.load(Ordering::SeqCst) {
                if flag.load(Ordering::SeqCst) {
                    // SAFETY: Z3 allows it from any thread, and the context lives until the scope is left.
                    unsafe { Z3_interrupt(context.0) };
                }
                std::thread::park_timeout(Duration::from_millis(20));
            }
        });
        let result = query();
        over.store(true, Ordering::SeqCst);
        watcher.thread().unpark();
        result
    })
}

/// Reads a formula in which variable number n stands for argument number n.
struct Reader<'a> {
    context: Z3_context,
    pool: &'a TermPool,
    params: &'a [TermId],
    known: HashMap<Z3_ast, TermId>,
}

impl Reader<'_> {
    /// The conjuncts that can be read; what cannot is left out.
    fn conjuncts(&mut self, formula: Z3_ast) -> Vec<TermId> {
        let parts = match self.application(formula) {
            Some((DeclKind::And, _, args)) => args,
            _ => vec![formula],
        };
        let read: Vec<TermId> = parts.into_iter().filter_map(|part| self.term(part)).collect();
        read.into_iter().filter(|&term| !matches!(self.pool.op(term), Op::True)).collect()
    }

    fn application(&self, ast: Z3_ast) -> Option<(DeclKind, Z3_func_decl, Vec<Z3_ast>)> {
        let c = self.context;
        // SAFETY: see the folder's documentation; parts of a counted term live as long as it does.
        unsafe {
            if Z3_get_ast_kind(c, ast) != AstKind::App {
                return None;
            }
            let app = Z3_to_app(c, ast)?;
            let function = Z3_get_app_decl(c, app)?;
            let kind = known_kind(decl_kind(c, function))?;
            let args = (0..Z3_get_app_num_args(c, app)).map(|i| Z3_get_app_arg(c, app, i));
            Some((kind, function, args.collect::<Option<_>>()?))
        }
    }

    /// The term; none if it has a part that we have no word for. The walk keeps its own stack.
    fn term(&mut self, root: Z3_ast) -> Option<TermId> {
        let mut stack = vec![(root, false)];
        while let Some((ast, leaving)) = stack.pop() {
            if self.known.contains_key(&ast) {
                continue;
            }
            if let Some(leaf) = self.leaf(ast) {
                self.known.insert(ast, leaf);
                continue;
            }
            let (kind, function, args) = self.application(ast)?;
            if !leaving {
                stack.push((ast, true));
                stack.extend(args.iter().map(|arg| (*arg, false)));
                continue;
            }
            let args: Vec<TermId> = args.iter().map(|arg| self.known[arg]).collect();
            let made = self.operation(kind, function, &args)?;
            self.known.insert(ast, made);
        }
        self.known.get(&root).copied()
    }

    fn leaf(&self, ast: Z3_ast) -> Option<TermId> {
        let (c, pool) = (self.context, self.pool);
        // SAFETY: see the folder's documentation; strings are copied at once.
        unsafe {
            match Z3_get_ast_kind(c, ast) {
                AstKind::Var => self.params.get(Z3_get_index_value(c, ast) as usize).copied(),
                AstKind::Numeral => {
                    let text = copied(Z3_get_numeral_string(c, ast));
                    let sort = Z3_get_sort(c, ast)?;
                    match Z3_get_sort_kind(c, sort) {
                        SortKind::Int => Some(pool.int(text.parse::<Int>().ok()?)),
                        SortKind::Real => {
                            let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
                            let number = |text: &str| text.trim().parse::<Int>().ok();
                            let value = Rational::from_parts_signed(number(numerator)?, number(denominator)?);
                            Some(pool.real(value))
                        }
                        SortKind::Bv => {
                            let bits = Bits::new(Z3_get_bv_sort_size(c, sort), &text.parse::<Int>().ok()?);
                            Some(pool.build(Op::Bits(bits), &[]))
                        }
                        _ => None,
                    }
                }
                _ => None,
            }
        }
    }

    fn operation(&self, kind: DeclKind, function: Z3_func_decl, a: &[TermId]) -> Option<TermId> {
        let t = self.pool;
        let param = |number| {
            // SAFETY: see the folder's documentation.
            let value = unsafe { Z3_get_decl_int_parameter(self.context, function, number) };
            u32::try_from(value).ok()
        };
        let fold = |op: Op| a[1..].iter().fold(a[0], |sum, next| t.build(op.clone(), &[sum, *next]));
        let is_integer = |term: TermId| *t.sort(t.sort_of(term)) == Sort::Int;
        Some(match kind {
            DeclKind::True => t.bool(true),
            DeclKind::False => t.bool(false),
            DeclKind::Eq | DeclKind::Iff => t.eq(a[0], a[1]),
            DeclKind::Distinct => t.distinct(a),
            DeclKind::Ite => t.ite(a[0], a[1], a[2]),
            DeclKind::And => t.and(a),
            DeclKind::Or => t.or(a),
            DeclKind::Xor => t.xor(a[0], a[1]),
            DeclKind::Not => t.not(a[0]),
            DeclKind::Implies => t.implies(a[0], a[1]),
            DeclKind::Le => t.le(a[0], a[1]),
            DeclKind::Ge => t.ge(a[0], a[1]),
            DeclKind::Lt => t.lt(a[0], a[1]),
            DeclKind::Gt => t.gt(a[0], a[1]),
            DeclKind::Add => t.sum(a),
            DeclKind::Sub => a[1..].iter().fold(a[0], |rest, next| t.sub(rest, *next)),
            DeclKind::Uminus => t.neg(a[0]),
            DeclKind::Mul => t.product(a),
            DeclKind::Idiv if is_integer(a[0]) => t.int_div(a[0], a[1]),
            DeclKind::Mod if is_integer(a[0]) => t.int_mod(a[0], a[1]),
            DeclKind::ToReal => t.to_real(a[0]),
            DeclKind::ToInt => t.to_int(a[0]),
            DeclKind::Select if a.len() == 2 => t.select(a[0], a[1]),
            DeclKind::Store if a.len() == 3 => t.store(a[0], a[1], a[2]),
            DeclKind::Bnot => t.bv_not(a[0]),
            DeclKind::Bneg => t.bv_neg(a[0]),
            DeclKind::Badd => fold(Op::BvAdd),
            DeclKind::Bsub => t.bv_sub(a[0], a[1]),
            DeclKind::Bmul => fold(Op::BvMul),
            DeclKind::Band => fold(Op::BvAnd),
            DeclKind::Bor => fold(Op::BvOr),
            DeclKind::Bxor => fold(Op::BvXor),
            DeclKind::Bshl => t.bv_shl(a[0], a[1]),
            DeclKind::Blshr => t.bv_lshr(a[0], a[1]),
            DeclKind::Bashr => t.bv_ashr(a[0], a[1]),
            DeclKind::Concat => fold(Op::BvConcat),
            DeclKind::Extract => t.bv_extract(a[0], param(0)?, param(1)?),
            DeclKind::ZeroExt => t.bv_zero_extend(a[0], param(0)?),
            DeclKind::SignExt => t.bv_sign_extend(a[0], param(0)?),
            DeclKind::Uleq => t.bv_ule(a[0], a[1]),
            DeclKind::Ult => t.bv_ult(a[0], a[1]),
            DeclKind::Ugeq => t.bv_ule(a[1], a[0]),
            DeclKind::Ugt => t.bv_ult(a[1], a[0]),
            DeclKind::Sleq => t.bv_sle(a[0], a[1]),
            DeclKind::Slt => t.bv_slt(a[0], a[1]),
            DeclKind::Sgeq => t.bv_sle(a[1], a[0]),
            DeclKind::Sgt => t.bv_slt(a[1], a[0]),
            _ => return None,
        })
    }
}

/// The operators that are read.
const KINDS: &[DeclKind] = &[
    DeclKind::And,
    DeclKind::True,
    DeclKind::False,
    DeclKind::Eq,
    DeclKind::Iff,
    DeclKind::Distinct,
    DeclKind::Ite,
    DeclKind::Or,
    DeclKind::Xor,
    DeclKind::Not,
    DeclKind::Implies,
    DeclKind::Le,
    DeclKind::Ge,
    DeclKind::Lt,
    DeclKind::Gt,
    DeclKind::Add,
    DeclKind::Sub,
    DeclKind::Uminus,
    DeclKind::Mul,
    DeclKind::Idiv,
    DeclKind::Mod,
    DeclKind::ToReal,
    DeclKind::ToInt,
    DeclKind::Select,
    DeclKind::Store,
    DeclKind::Bnot,
    DeclKind::Bneg,
    DeclKind::Badd,
    DeclKind::Bsub,
    DeclKind::Bmul,
    DeclKind::Band,
    DeclKind::Bor,
    DeclKind::Bxor,
    DeclKind::Bshl,
    DeclKind::Blshr,
    DeclKind::Bashr,
    DeclKind::Concat,
    DeclKind::Extract,
    DeclKind::ZeroExt,
    DeclKind::SignExt,
    DeclKind::Uleq,
    DeclKind::Ult,
    DeclKind::Ugeq,
    DeclKind::Ugt,
    DeclKind::Sleq,
    DeclKind::Slt,
    DeclKind::Sgeq,
    DeclKind::Sgt,
];

fn known_kind(number: u32) -> Option<DeclKind> {
    KINDS.iter().copied().find(|kind| *kind as u32 == number)
}
