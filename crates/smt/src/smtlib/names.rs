//! Symbols for the text: legal, unique, and as close to the caller's names as possible.

use crate::pool::TermPool;
use crate::sort::{Constructor, FuncId, Sort, SortId};
use std::collections::{HashMap, HashSet};

/// Words that have a meaning in SMT-LIB or in Z3 and cannot be declared.
const TAKEN: &str = "
    let forall exists match par as _ ! BINARY DECIMAL HEXADECIMAL NUMERAL STRING
    true false not and or xor => ite = distinct if implies iff
    + - * / div mod rem abs ^ <= < >= > to_real to_int is_int divisible is
    Bool Int Real Array BitVec String RegLan Seq Set select store const map
    concat extract repeat zero_extend sign_extend rotate_left rotate_right int2bv bv2nat bv2int
    int_to_bv ubv_to_int sbv_to_int
    bvnot bvneg bvand bvor bvxor bvnand bvnor bvxnor bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem
    bvsmod bvshl bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bvcomp bvredor
    bvredand bvnego bvuaddo bvsaddo bvumulo bvsmulo bvusubo bvssubo bvsdivo
    product! lambda choice root-obj pi euler sin cos tan
";

pub(super) struct Names {
    used: HashSet<String>,
    functions: HashMap<FuncId, String>,
    sorts: HashMap<SortId, String>,
    constructors: HashMap<Constructor, String>,
    fields: HashMap<(Constructor, u32), String>,
}

impl Names {
    pub(super) fn new() -> Self {
        Names {
            used: TAKEN.split_whitespace().map(str::to_string).collect(),
            functions: HashMap::new(),
            sorts: HashMap::new(),
            constructors: HashMap::new(),
            fields: HashMap::new(),
        }
    }

    /// A symbol nobody else has, the wanted one if it is free.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let mut wanted: String =
            wanted.chars().map(|c| if c == '|' || c == '\\' || c.is_control() { '_' } else { c }).collect();
        // A leading @ or . is reserved for solvers, even between bars.
        if wanted.is_empty() || wanted.starts_with(['@', '.']) {
            wanted.insert(0, '_');
        }
        let mut candidate = wanted.clone();
        let mut number = 1;
        while !self.used.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{wanted}!{number}");
        }
        quoted(candidate)
    }

    pub(super) fn function(&mut self, pool: &TermPool, id: FuncId) -> String {
        if let Some(name) = self.functions.get(&id) {
            return name.clone();
        }
        let name = self.fresh(&pool.func(id).name);
        self.functions.insert(id, name.clone());
        name
    }

    pub(super) fn sort(&mut self, pool: &TermPool, id: SortId) -> String {
        if let Some(name) = self.sorts.get(&id) {
            return name.clone();
        }
        let name = match pool.sort(id) {
            Sort::Uninterpreted(name) => self.fresh(name),
            Sort::Datatype(datatype) => self.fresh(&pool.datatype(*datatype).name),
            other => unreachable!("{other:?} should be printed without a name"),
        };
        self.sorts.insert(id, name.clone());
        name
    }

    pub(super) fn constructor(&mut self, pool: &TermPool, id: Constructor) -> String {
        if let Some(name) = self.constructors.get(&id) {
            return name.clone();
        }
        let name = self.fresh(&pool.constructor_info(id).name);
        self.constructors.insert(id, name.clone());
        name
    }

    pub(super) fn field(&mut self, pool: &TermPool, id: Constructor, index: u32) -> String {
        if let Some(name) = self.fields.get(&(id, index)) {
            return name.clone();
        }
        let name = self.fresh(&pool.constructor_info(id).fields[index as usize].0);
        self.fields.insert((id, index), name.clone());
        name
    }
}

/// Bars around what is not a simple symbol.
fn quoted(name: String) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
    if name.chars().all(simple) && !starts_with_digit { name } else { format!("|{name}|") }
}
