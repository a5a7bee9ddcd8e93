//! Queries as SMT-LIB 2.6 text.
//!
//! The text is self-contained (declarations, assertions, `check-sat`) and depends on the structure
//! of the terms alone, not on ids or threads. Shared and deep subterms become definitions
//! (`define-fun t!N`), so the text is linear in the size of the term graph and nests shallowly
//! enough for any reader. A subterm below a quantifier is defined as a function of the bound
//! variables it mentions.

mod names;

use crate::hash::{IdMap, IdSet};
use crate::options::Budget;
use crate::pool::TermPool;
use crate::sort::{DatatypeId, FuncId, Sort, SortId};
use crate::term::{Op, TermId};
use crate::z3::{Answer, Engine, Z3Error};
use crate::{Int, Rational};
use dashu_base::{Signed, UnsignedAbs};
use names::Names;
use std::fmt::Write;

/// Deepest nest of parentheses inside one definition.
const NEST: u32 = 50;

/// The query "can these hold together?".
pub fn query(pool: &TermPool, assertions: &[TermId]) -> String {
    query_assuming(pool, assertions, &[])
}

/// The same with assumptions, which are written as assertions after a comment.
pub fn query_assuming(pool: &TermPool, assertions: &[TermId], assumptions: &[TermId]) -> String {
    let roots: Vec<_> = assertions.iter().chain(assumptions).copied().collect();
    let mut printer = Printer::new(pool, &roots);
    printer.out.push_str("(set-logic ALL)\n");
    printer.declarations();
    printer.definitions();
    for (i, root) in roots.iter().enumerate() {
        if i == assertions.len() {
            printer.out.push_str("; assumptions of this check\n");
        }
        printer.out.push_str("(assert ");
        printer.term(*root, None);
        printer.out.push_str(")\n");
    }
    printer.out.push_str("(check-sat)\n");
    printer.out
}

/// A term for people: SMT-LIB syntax without definitions, cut off with `…` after about `limit`
/// characters, since a term graph can be exponentially larger when written out.
pub fn excerpt(pool: &TermPool, term: TermId, limit: usize) -> String {
    let mut printer = Printer::new(pool, &[term]);
    printer.cut.clear();
    printer.term(term, Some(limit));
    printer.out
}

/// What Z3 says about a text. No model is confirmed here; this is for reading dumps back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextAnswer {
    /// Satisfiable.
    Sat,
    /// Not satisfiable.
    Unsat,
    /// Neither, in Z3's words.
    Unknown(String),
}

/// Lets Z3 read and check an SMT-LIB text; `Err` has Z3's complaint about the text.
pub fn check_text(text: &str, budget: Budget) -> Result<TextAnswer, String> {
    let run = || -> Result<TextAnswer, Z3Error> {
        let mut engine = Engine::new(Default::default(), 0)?;
        engine.set_limits(budget.timeout, budget.resources)?;
        engine.read_text(text)?;
        Ok(match engine.check(&[]) {
            Answer::Sat => TextAnswer::Sat,
            Answer::Unsat => TextAnswer::Unsat,
            Answer::Unknown(why) => TextAnswer::Unknown(why),
        })
    };
    run().map_err(|Z3Error(why)| why)
}

struct Printer<'a> {
    pool: &'a TermPool,
    order: Vec<TermId>,
    /// Subterms that get a definition, with its name.
    cut: IdMap<TermId, String>,
    /// Bound variables that occur free in an open subterm, in order of first occurrence.
    open: IdMap<TermId, Vec<FuncId>>,
    names: Names,
    out: String,
}

/// What is left to print, last first.
enum Step {
    Term(TermId),
    Text(String),
    Close,
}

impl<'a> Printer<'a> {
    fn new(pool: &'a TermPool, roots: &[TermId]) -> Self {
        let order = pool.postorder(roots);
        let mut names = Names::new();
        let mut open: IdMap<TermId, Vec<FuncId>> = IdMap::default();
        let mut uses: IdMap<TermId, u32> = IdMap::default();
        let mut nest: IdMap<TermId, u32> = IdMap::default();
        let mut wanted: IdSet<TermId> = IdSet::default();
        for root in roots {
            *uses.entry(*root).or_default() += 1;
        }
        for t in &order {
            for arg in pool.args(*t) {
                *uses.entry(*arg).or_default() += 1;
            }
            if let Op::App(f) = pool.op(*t) {
                names.function(pool, *f);
            }
            if pool.node(*t).open {
                let vars = open_variables(pool, *t, &open);
                if !vars.is_empty() {
                    open.insert(*t, vars);
                }
            }
        }
        for t in &order {
            if pool.args(*t).is_empty() {
                continue;
            }
            let args = pool.args(*t).iter();
            let deepest = args.map(|a| nest.get(a).copied().unwrap_or(0)).max();
            let deep = deepest.unwrap_or(0) + 1;
            if uses[t] > 1 || deep >= NEST {
                wanted.insert(*t);
            } else {
                nest.insert(*t, deep);
            }
        }
        let mut cut = IdMap::default();
        for t in order.iter().filter(|t| wanted.contains(t)) {
            let name = names.fresh(&format!("t!{}", cut.len() + 1));
            cut.insert(*t, name);
        }
        Printer { pool, order, cut, open, names, out: String::new() }
    }

    // ----- declarations -----

    fn declarations(&mut self) {
        let pool = self.pool;
        let mut symbols: Vec<FuncId> = Vec::new();
        let mut seen: IdSet<FuncId> = IdSet::default();
        let mut sorts: IdSet<SortId> = IdSet::default();
        for t in self.order.clone() {
            self.declare_sort(pool.sort_of(t), &mut sorts);
            let op = pool.op(t);
            if let Op::App(f) = op
                && pool.func(*f).level == 0
                && seen.insert(*f)
            {
                symbols.push(*f);
            }
            let mentioned = match op {
                Op::Construct(c) | Op::Field(c, _) | Op::Is(c) => Some(c.datatype),
                _ => None,
            };
            if let Some(datatype) = mentioned {
                self.declare_sort(pool.datatype_sort(datatype), &mut sorts);
            }
        }
        for symbol in symbols {
            let func = pool.func(symbol);
            for sort in &func.args {
                self.declare_sort(*sort, &mut sorts);
            }
            let args: Vec<_> = func.args.iter().map(|s| self.sort_text(*s)).collect();
            let name = self.names.function(pool, symbol);
            let range = self.sort_text(func.range);
            let args = args.join(" ");
            let _ = writeln!(self.out, "(declare-fun {name} ({args}) {range})");
        }
    }

    fn declare_sort(&mut self, sort: SortId, done: &mut IdSet<SortId>) {
        if !done.insert(sort) {
            return;
        }
        let pool = self.pool;
        match pool.sort(sort) {
            Sort::Array(index, element) => {
                self.declare_sort(*index, done);
                self.declare_sort(*element, done);
            }
            Sort::Uninterpreted(_) => {
                let name = self.names.sort(pool, sort);
                let _ = writeln!(self.out, "(declare-sort {name} 0)");
            }
            Sort::Datatype(id) => self.declare_group(*id, done),
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Float(_) => {}
        }
    }

    fn declare_group(&mut self, member: DatatypeId, done: &mut IdSet<SortId>) {
        let pool = self.pool;
        let (first, count) = pool.datatype(member).group;
        let members: Vec<_> = (first.0..first.0 + count).map(DatatypeId).collect();
        for id in &members {
            done.insert(pool.datatype_sort(*id));
        }
        for id in &members {
            for constructor in &pool.datatype(*id).constructors {
                for (_, sort) in &constructor.fields {
                    self.declare_sort(*sort, done);
                }
            }
        }
        let mut heads = String::new();
        let mut bodies = String::new();
        for id in &members {
            let name = self.names.sort(pool, pool.datatype_sort(*id));
            let _ = write!(heads, "({name} 0)");
            bodies.push_str("\n  (");
            for (index, info) in pool.datatype(*id).constructors.iter().enumerate() {
                let constructor = crate::Constructor { datatype: *id, index: index as u32 };
                let name = self.names.constructor(pool, constructor);
                let _ = write!(bodies, "({name}");
                for (i, (_, sort)) in info.fields.iter().enumerate() {
                    let field = self.names.field(pool, constructor, i as u32);
                    let _ = write!(bodies, " ({field} {})", self.sort_text(*sort));
                }
                bodies.push(')');
            }
            bodies.push(')');
        }
        let _ = writeln!(self.out, "(declare-datatypes ({heads}) ({bodies}))");
    }

    fn sort_text(&mut self, sort: SortId) -> String {
        match self.pool.sort(sort) {
            Sort::Bool => "Bool".into(),
            Sort::Int => "Int".into(),
            Sort::Real => "Real".into(),
            Sort::BitVec(width) => format!("(_ BitVec {width})"),
            Sort::Float(format) => format!("(_ FloatingPoint {})", sizes(*format)),
            Sort::Array(index, element) => {
                let index = self.sort_text(*index);
                let element = self.sort_text(*element);
                format!("(Array {index} {element})")
            }
            Sort::Uninterpreted(_) | Sort::Datatype(_) => self.names.sort(self.pool, sort),
        }
    }

    // ----- terms -----

    fn definitions(&mut self) {
        let pool = self.pool;
        for t in self.order.clone() {
            let Some(name) = self.cut.remove(&t) else {
                continue;
            };
            let _ = write!(self.out, "(define-fun {name} (");
            for (i, var) in self.open_at(t).into_iter().enumerate() {
                let variable = self.names.function(pool, var);
                let sort = self.sort_text(pool.func(var).range);
                let space = if i == 0 { "" } else { " " };
                let _ = write!(self.out, "{space}({variable} {sort})");
            }
            let sort = self.sort_text(pool.sort_of(t));
            let _ = write!(self.out, ") {sort} ");
            // The name is out of the table for the moment, so the term itself is printed.
            self.term(t, None);
            self.out.push_str(")\n");
            self.cut.insert(t, name);
        }
    }

    fn open_at(&self, term: TermId) -> Vec<FuncId> {
        self.open.get(&term).cloned().unwrap_or_default()
    }

    fn term(&mut self, term: TermId, limit: Option<usize>) {
        let start = self.out.len();
        let mut steps = vec![Step::Term(term)];
        let mut first = true;
        while let Some(step) = steps.pop() {
            if limit.is_some_and(|limit| self.out.len() - start > limit) {
                self.out.push('…');
                return;
            }
            match step {
                Step::Close => self.out.push(')'),
                Step::Text(text) => {
                    self.space(&mut first);
                    self.out.push_str(&text);
                    first = text.ends_with('(');
                }
                Step::Term(t) => {
                    self.space(&mut first);
                    match self.cut.get(&t) {
                        Some(name) => {
                            let name = name.clone();
                            self.call(&name, t);
                        }
                        None => first = self.node(t, &mut steps),
                    }
                }
            }
        }
    }

    fn space(&mut self, first: &mut bool) {
        if !*first {
            self.out.push(' ');
        }
        *first = false;
    }

    /// Use of a definition.
    fn call(&mut self, name: &str, term: TermId) {
        let vars = self.open_at(term);
        if vars.is_empty() {
            self.out.push_str(name);
            return;
        }
        let _ = write!(self.out, "({name}");
        for var in vars {
            let variable = self.names.function(self.pool, var);
            let _ = write!(self.out, " {variable}");
        }
        self.out.push(')');
    }

    /// Prints the head and schedules the rest. Returns whether the next item follows an opening
    /// parenthesis directly.
    fn node(&mut self, t: TermId, steps: &mut Vec<Step>) -> bool {
        let pool = self.pool;
        let args = pool.args(t);
        match pool.op(t) {
            Op::Int(n) => self.out.push_str(&integer(n)),
            Op::Real(q) => self.out.push_str(&rational(q)),
            Op::Bits(bits) => {
                let number = bits.unsigned();
                let width = bits.width() as usize;
                let text = if width.is_multiple_of(4) {
                    format!("#x{:0>1$}", number.in_radix(16).to_string(), width / 4)
                } else {
                    format!("#b{:0>1$}", number.in_radix(2).to_string(), width)
                };
                self.out.push_str(&text);
            }
            Op::Float(value) => self.out.push_str(&floating(*value)),
            Op::Quant(q) => {
                let kind = if q.forall { "forall" } else { "exists" };
                let _ = write!(self.out, "({kind} (");
                for (i, var) in q.vars.iter().enumerate() {
                    let name = self.names.function(pool, *var);
                    let sort = self.sort_text(pool.func(*var).range);
                    let space = if i == 0 { "" } else { " " };
                    let _ = write!(self.out, "{space}({name} {sort})");
                }
                self.out.push(')');
                steps.push(Step::Close);
                if q.triggers.is_empty() {
                    steps.push(Step::Term(args[0]));
                } else {
                    steps.push(Step::Close);
                    let mut end = args.len();
                    for length in q.triggers.iter().rev() {
                        steps.push(Step::Close);
                        let start = end - *length as usize;
                        steps.extend(args[start..end].iter().rev().map(|a| Step::Term(*a)));
                        steps.push(Step::Text(":pattern (".into()));
                        end = start;
                    }
                    steps.push(Step::Term(args[0]));
                    steps.push(Step::Text("(!".into()));
                }
            }
            Op::BvMulOverflow { signed } => {
                let width = pool.width(args[0]);
                let (extend, high) = if *signed { ("sign_extend", width - 1) } else { ("zero_extend", width - 1) };
                // The wide product fits if extending its low half gives it back.
                let wide = format!("((_ {extend} {width})");
                let _ = write!(self.out, "(let ((product! (bvmul");
                steps.push(Step::Text(format!("(distinct product! {wide} ((_ extract {high} 0) product!))))")));
                for _ in 0..3 {
                    steps.push(Step::Close);
                }
                steps.push(Step::Close);
                steps.push(Step::Term(args[1]));
                steps.push(Step::Text(wide.clone()));
                steps.push(Step::Close);
                steps.push(Step::Term(args[0]));
                steps.push(Step::Text(wide));
            }
            op => {
                let head = self.head(t, op);
                if args.is_empty() {
                    self.out.push_str(&head);
                } else {
                    let _ = write!(self.out, "({head}");
                    steps.push(Step::Close);
                    steps.extend(args.iter().rev().map(|a| Step::Term(*a)));
                }
            }
        }
        false
    }

    fn head(&mut self, t: TermId, op: &Op) -> String {
        let pool = self.pool;
        let fixed = match op {
            Op::True => "true",
            Op::False => "false",
            Op::Not => "not",
            // The standard wants two arguments at least; one or none can only come from `raw`.
            Op::And if pool.args(t).is_empty() => "true",
            Op::Or if pool.args(t).is_empty() => "false",
            Op::And => "and",
            Op::Or => "or",
            Op::Xor => "xor",
            Op::Ite => "ite",
            Op::Eq => "=",
            Op::Distinct => "distinct",
            Op::Add => "+",
            Op::Mul => "*",
            Op::IntDiv => "div",
            Op::IntMod => "mod",
            Op::RealDiv => "/",
            Op::Le => "<=",
            Op::Lt => "<",
            Op::ToReal => "to_real",
            Op::ToInt => "to_int",
            Op::IsInt => "is_int",
            Op::BvNot => "bvnot",
            Op::BvNeg => "bvneg",
            Op::BvAnd => "bvand",
            Op::BvOr => "bvor",
            Op::BvXor => "bvxor",
            Op::BvAdd => "bvadd",
            Op::BvSub => "bvsub",
            Op::BvMul => "bvmul",
            Op::BvUdiv => "bvudiv",
            Op::BvUrem => "bvurem",
            Op::BvSdiv => "bvsdiv",
            Op::BvSrem => "bvsrem",
            Op::BvShl => "bvshl",
            Op::BvLshr => "bvlshr",
            Op::BvAshr => "bvashr",
            Op::BvConcat => "concat",
            Op::BvUlt => "bvult",
            Op::BvUle => "bvule",
            Op::BvSlt => "bvslt",
            Op::BvSle => "bvsle",
            Op::BvToInt => "bv2nat",
            Op::FpAdd => "fp.add RNE",
            Op::FpSub => "fp.sub RNE",
            Op::FpMul => "fp.mul RNE",
            Op::FpDiv => "fp.div RNE",
            Op::FpNeg => "fp.neg",
            Op::FpAbs => "fp.abs",
            Op::FpRound(ieee::Rounding::Down) => "fp.roundToIntegral RTN",
            Op::FpRound(ieee::Rounding::Up) => "fp.roundToIntegral RTP",
            Op::FpRound(ieee::Rounding::ToZero) => "fp.roundToIntegral RTZ",
            Op::FpRound(ieee::Rounding::Even) => "fp.roundToIntegral RNE",
            Op::FpRound(ieee::Rounding::Away) => "fp.roundToIntegral RNA",
            Op::FpSqrt => "fp.sqrt RNE",
            Op::FpEq => "fp.eq",
            Op::FpLt => "fp.lt",
            Op::FpLe => "fp.leq",
            Op::Select => "select",
            Op::Store => "store",
            Op::BvExtract { high, low } => return format!("(_ extract {high} {low})"),
            Op::BvZeroExtend(by) => return format!("(_ zero_extend {by})"),
            Op::BvSignExtend(by) => return format!("(_ sign_extend {by})"),
            Op::IntToBv(width) => return format!("(_ int2bv {width})"),
            Op::FpConvert(format) | Op::FpFromBv { format, signed: true } => {
                return format!("(_ to_fp {}) RNE", sizes(*format));
            }
            Op::FpFromBv { format, signed: false } => return format!("(_ to_fp_unsigned {}) RNE", sizes(*format)),
            Op::FpFromBits(format) => return format!("(_ to_fp {})", sizes(*format)),
            Op::FpToBv { width, signed: true } => return format!("(_ fp.to_sbv {width}) RTZ"),
            Op::FpToBv { width, signed: false } => return format!("(_ fp.to_ubv {width}) RTZ"),
            Op::ConstArray(sort) => return format!("(as const {})", self.sort_text(*sort)),
            Op::App(f) => return self.names.function(pool, *f),
            Op::Construct(c) => return self.names.constructor(pool, *c),
            Op::Field(c, i) => return self.names.field(pool, *c, *i),
            Op::Is(c) => return format!("(_ is {})", self.names.constructor(pool, *c)),
            Op::Int(_) | Op::Real(_) | Op::Bits(_) | Op::Float(_) | Op::BvMulOverflow { .. } | Op::Quant(_) => {
                unreachable!("{op:?} should be printed by its own rule")
            }
        };
        fixed.to_string()
    }
}

fn open_variables(pool: &TermPool, t: TermId, open: &IdMap<TermId, Vec<FuncId>>) -> Vec<FuncId> {
    let mut vars: Vec<FuncId> = Vec::new();
    if let Op::App(f) = pool.op(t)
        && pool.func(*f).level > 0
    {
        vars.push(*f);
    }
    let bound = match pool.op(t) {
        Op::Quant(q) => &*q.vars,
        _ => &[],
    };
    for arg in pool.args(t) {
        for var in open.get(arg).into_iter().flatten() {
            if !bound.contains(var) && !vars.contains(var) {
                vars.push(*var);
            }
        }
    }
    vars
}

fn sizes(format: ieee::Format) -> String {
    format!("{} {}", format.exponent(), format.significand())
}

fn floating(value: ieee::Value) -> String {
    let format = value.format();
    if value.is_nan() {
        return format!("(_ NaN {})", sizes(format));
    }
    let (negative, exponent, fraction) = value.parts();
    let (e, s) = (format.exponent() as usize, format.significand() as usize - 1);
    format!("(fp #b{} #b{exponent:0e$b} #b{fraction:0s$b})", u8::from(negative))
}

fn integer(n: &Int) -> String {
    if n.is_negative() { format!("(- {})", n.clone().unsigned_abs()) } else { n.to_string() }
}

fn rational(q: &Rational) -> String {
    let magnitude = q.numerator().clone().unsigned_abs();
    let text = if q.is_int() { format!("{magnitude}.0") } else { format!("(/ {magnitude}.0 {}.0)", q.denominator()) };
    if q.is_negative() { format!("(- {text})") } else { text }
}
