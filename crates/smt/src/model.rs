//! Models: values for the free symbols of a query, and for what SMT-LIB leaves open.
//!
//! Division by zero and a field of the wrong constructor have *some* value in SMT-LIB, the same one
//! for the same arguments; a model says which ([`Open`]). Whatever a model does not mention has its
//! sort's default value, so that evaluation is total.

use crate::eval::{EvalError, Evaluator};
use crate::pool::TermPool;
use crate::sort::{Constructor, FuncId, SortId};
use crate::term::{Op, TermId};
use crate::value::Value;
use std::collections::{BTreeMap, HashMap};

/// A function as a table with a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuncInterp {
    /// Values at particular arguments.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value everywhere else.
    pub default: Value,
}

impl FuncInterp {
    /// The value at some arguments.
    pub fn at(&self, args: &[Value]) -> &Value {
        self.entries.get(args).unwrap_or(&self.default)
    }
}

/// An operation whose value at some arguments the standard leaves to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Open {
    /// `(div x 0)` as a function of `x`.
    IntDivByZero,
    /// `(mod x 0)` as a function of `x`.
    IntModByZero,
    /// `(/ x 0.0)` as a function of `x`.
    RealDivByZero,
    /// A field of a value built by another constructor, as a function of that value.
    Field(Constructor, u32),
}

/// See the module documentation.
#[derive(Clone, Debug)]
pub struct Model {
    pool: TermPool,
    constants: HashMap<FuncId, Value>,
    functions: HashMap<FuncId, FuncInterp>,
    open: HashMap<Open, FuncInterp>,
}

impl Model {
    /// The model that gives every symbol its default.
    pub fn new(pool: &TermPool) -> Self {
        Model { pool: pool.clone(), constants: HashMap::new(), functions: HashMap::new(), open: HashMap::new() }
    }

    /// The pool whose symbols the model interprets.
    pub fn pool(&self) -> &TermPool {
        &self.pool
    }

    /// Gives a variable a value.
    ///
    /// # Panics
    /// If the term is not a variable.
    pub fn set(&mut self, variable: TermId, value: Value) {
        match self.pool.op(variable) {
            Op::App(f) if self.pool.args(variable).is_empty() => self.set_symbol(*f, value),
            op => panic!("a variable should be given here, because only those are set: {op:?}"),
        }
    }

    /// Gives a symbol without arguments a value.
    pub fn set_symbol(&mut self, symbol: FuncId, value: Value) {
        self.constants.insert(symbol, value);
    }

    /// Gives a function its table.
    pub fn set_function(&mut self, function: FuncId, interp: FuncInterp) {
        self.functions.insert(function, interp);
    }

    /// Says what an operation yields where the standard leaves it open.
    pub fn set_open(&mut self, operation: Open, interp: FuncInterp) {
        self.open.insert(operation, interp);
    }

    /// The value of a variable's symbol, its sort's default if the model does not mention it.
    pub fn symbol(&self, symbol: FuncId) -> Value {
        self.apply(symbol, &[])
    }

    /// The table of a function, if the model mentions it.
    pub fn function(&self, function: FuncId) -> Option<&FuncInterp> {
        self.functions.get(&function)
    }

    /// The value of an application.
    pub fn apply(&self, function: FuncId, args: &[Value]) -> Value {
        let found = if args.is_empty() {
            self.constants.get(&function)
        } else {
            self.functions.get(&function).map(|i| i.at(args))
        };
        match found {
            Some(value) => value.clone(),
            None => Value::default_of(&self.pool, self.pool.func(function).range),
        }
    }

    pub(crate) fn open(&self, operation: Open, arg: &Value, sort: SortId) -> Value {
        match self.open.get(&operation) {
            Some(interp) => interp.at(std::slice::from_ref(arg)).clone(),
            None => Value::default_of(&self.pool, sort),
        }
    }

    /// The variables the model mentions with their values, ordered by name.
    pub fn assignments(&self) -> Vec<(FuncId, &Value)> {
        let mut all: Vec<_> = self.constants.iter().map(|(f, v)| (*f, v)).collect();
        all.sort_by_key(|(f, _)| (&self.pool.func(*f).name, self.pool.func_hash(*f)));
        all
    }

    /// The functions the model mentions with their tables, ordered by name.
    pub fn functions(&self) -> Vec<(FuncId, &FuncInterp)> {
        let mut all: Vec<_> = self.functions.iter().map(|(f, i)| (*f, i)).collect();
        all.sort_by_key(|(f, _)| (&self.pool.func(*f).name, self.pool.func_hash(*f)));
        all
    }

    /// The value of a term. To evaluate several terms that share parts, use one [`Evaluator`].
    pub fn eval(&self, term: TermId) -> Result<Value, EvalError> {
        Evaluator::new(self).eval(term)
    }
}
