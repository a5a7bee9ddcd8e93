//! Z3's models as ours.
//!
//! What has no place among our values (irrational algebraic numbers, functions given by a formula)
//! is refused with words; the caller reports it instead of guessing.

use super::{Engine, Z3Error, copied, decl_kind};
use crate::bits::Bits;
use crate::model::{FuncInterp, Model, Open};
use crate::pool::TermPool;
use crate::sort::{Constructor, FuncId, Sort, SortId};
use crate::value::{ArrayValue, DataValue, Value};
use crate::{Int, Rational};
use std::collections::{BTreeMap, HashMap};
use z3_sys::*;

fn refuse<T>(why: &str) -> Result<T, Z3Error> {
    Err(Z3Error(why.to_string()))
}

impl Engine {
    /// Values for the given symbols from the model of the last check.
    pub(crate) fn read_model(&mut self, pool: &TermPool, symbols: &[FuncId]) -> Result<Model, Z3Error> {
        // SAFETY: see the folder's documentation; the model is counted while it is read.
        unsafe {
            let handle = self.made(Z3_solver_get_model(self.context, self.solver))?;
            Z3_model_inc_ref(self.context, handle);
            let mut reader = Reader { engine: self, pool, handle, elements: HashMap::new() };
            let result = reader.model(symbols);
            Z3_model_dec_ref(self.context, handle);
            result
        }
    }
}

struct Reader<'a> {
    engine: &'a mut Engine,
    pool: &'a TermPool,
    handle: Z3_model,
    /// Elements of uninterpreted sorts, numbered as Z3 lists them.
    elements: HashMap<Z3_ast, Value>,
}

impl Reader<'_> {
    fn model(&mut self, symbols: &[FuncId]) -> Result<Model, Z3Error> {
        let pool = self.pool;
        let mut model = Model::new(pool);
        self.list_elements()?;
        for symbol in symbols {
            let func = pool.func(*symbol);
            let handle = self.engine.func(pool, *symbol)?;
            if func.args.is_empty() {
                // SAFETY: see the folder's documentation.
                let value = unsafe { Z3_model_get_const_interp(self.engine.context, self.handle, handle) };
                let value = match value {
                    Some(ast) => self.value(ast, func.range)?,
                    None => Value::default_of(pool, func.range),
                };
                model.set_symbol(*symbol, value);
            } else if let Some(interp) = self.interp(handle, &func.args, func.range)? {
                model.set_function(*symbol, interp);
            }
        }
        self.read_open(&mut model)?;
        Ok(model)
    }

    fn list_elements(&mut self) -> Result<(), Z3Error> {
        let c = self.engine.context;
        let sorts: Vec<_> = self.engine.sorts.iter().map(|(s, h)| (*s, *h)).collect();
        for (sort, handle) in sorts {
            if !matches!(self.pool.sort(sort), Sort::Uninterpreted(_)) {
                continue;
            }
            // SAFETY: see the folder's documentation; the universe lives as long as the model.
            unsafe {
                if let Some(universe) = Z3_model_get_sort_universe(c, self.handle, handle) {
                    Z3_ast_vector_inc_ref(c, universe);
                    for i in 0..Z3_ast_vector_size(c, universe) {
                        let element = self.engine.made(Z3_ast_vector_get(c, universe, i))?;
                        self.elements.insert(element, Value::Element(sort, i));
                    }
                    Z3_ast_vector_dec_ref(c, universe);
                }
            }
        }
        Ok(())
    }

    /// What the model says where the standard does not: Z3 lists division by zero as functions with
    /// names of its own, and fields of wrong constructors under the field's symbol.
    fn read_open(&mut self, model: &mut Model) -> Result<(), Z3Error> {
        let c = self.engine.context;
        // SAFETY: see the folder's documentation.
        let count = unsafe { Z3_model_get_num_funcs(c, self.handle) };
        for i in 0..count {
            // SAFETY: as above.
            let (handle, name) = unsafe {
                let handle = self.engine.made(Z3_model_get_func_decl(c, self.handle, i))?;
                let symbol = self.engine.made(Z3_get_decl_name(c, handle))?;
                (handle, copied(Z3_get_symbol_string(c, symbol)))
            };
            if self.engine.funcs.values().any(|f| *f == handle) {
                continue;
            }
            let (open, sort) = match name.as_str() {
                "div0" => (Open::IntDivByZero, SortId::INT),
                "mod0" => (Open::IntModByZero, SortId::INT),
                "/0" => (Open::RealDivByZero, SortId::REAL),
                _ => continue,
            };
            // Z3 gives these two arguments in some versions: the dividend and the zero.
            // SAFETY: as above.
            let arity = unsafe { Z3_get_domain_size(c, handle) } as usize;
            let args = vec![sort; arity];
            if let Some(mut interp) = self.interp(handle, &args, sort)? {
                let entries = std::mem::take(&mut interp.entries);
                interp.entries = entries
                    .into_iter()
                    .map(|(mut args, value)| {
                        args.truncate(1);
                        (args, value)
                    })
                    .collect();
                model.set_open(open, interp);
            }
        }
        let fields: Vec<(Constructor, u32, Z3_func_decl)> = self
            .engine
            .constructors
            .iter()
            .flat_map(|(c, handles)| {
                let fields = handles.fields.iter().enumerate();
                fields.map(|(i, f)| (*c, i as u32, *f))
            })
            .collect();
        for (constructor, i, handle) in fields {
            let from = self.pool.datatype_sort(constructor.datatype);
            let to = self.pool.constructor_info(constructor).fields[i as usize].1;
            if let Some(interp) = self.interp(handle, &[from], to)? {
                model.set_open(Open::Field(constructor, i), interp);
            }
        }
        Ok(())
    }

    fn interp(
        &mut self,
        function: Z3_func_decl,
        args: &[SortId],
        range: SortId,
    ) -> Result<Option<FuncInterp>, Z3Error> {
        let c = self.engine.context;
        // SAFETY: see the folder's documentation; the table is counted while it is read.
        unsafe {
            if !Z3_model_has_interp(c, self.handle, function) {
                return Ok(None);
            }
            let Some(table) = Z3_model_get_func_interp(c, self.handle, function) else {
                return Ok(None);
            };
            Z3_func_interp_inc_ref(c, table);
            let result = self.entries(table, args, range);
            Z3_func_interp_dec_ref(c, table);
            result.map(Some)
        }
    }

    fn entries(&mut self, table: Z3_func_interp, args: &[SortId], range: SortId) -> Result<FuncInterp, Z3Error> {
        let c = self.engine.context;
        let mut entries = BTreeMap::new();
        // SAFETY: see the folder's documentation; entries are counted while they are read.
        unsafe {
            for i in 0..Z3_func_interp_get_num_entries(c, table) {
                let entry = self.engine.made(Z3_func_interp_get_entry(c, table, i))?;
                Z3_func_entry_inc_ref(c, entry);
                let mut key = Vec::new();
                for (j, sort) in args.iter().enumerate() {
                    let arg = self.engine.made(Z3_func_entry_get_arg(c, entry, j as u32))?;
                    key.push(self.value(arg, *sort)?);
                }
                let value = self.engine.made(Z3_func_entry_get_value(c, entry))?;
                entries.insert(key, self.value(value, range)?);
                Z3_func_entry_dec_ref(c, entry);
            }
            let default = match Z3_func_interp_get_else(c, table) {
                Some(ast) => self.value(ast, range)?,
                None => Value::default_of(self.pool, range),
            };
            Ok(FuncInterp { entries, default })
        }
    }

    /// A value of a known sort. Values of recursive datatypes are deep, hence the explicit stack.
    fn value(&mut self, ast: Z3_ast, sort: SortId) -> Result<Value, Z3Error> {
        enum Step {
            Read(Z3_ast, SortId),
            Data(Constructor),
            Store,
        }
        let mut steps = vec![Step::Read(ast, sort)];
        let mut built: Vec<Value> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Data(constructor) => {
                    let arity = self.pool.constructor_info(constructor).fields.len();
                    let fields = built.split_off(built.len() - arity);
                    built.push(Value::Data(DataValue::new(constructor, fields)));
                }
                Step::Store => {
                    let parts = built.split_off(built.len() - 3);
                    let [Value::Array(array), index, element] = parts.as_slice() else {
                        return refuse("a store in the model is not into an array");
                    };
                    let stored = array.store(self.pool, index.clone(), element.clone());
                    built.push(Value::Array(stored));
                }
                Step::Read(ast, sort) => match self.pool.sort(sort) {
                    Sort::Array(index, element) => {
                        let (index, element) = (*index, *element);
                        let (function, args) = self.application(ast)?;
                        match self.kind(function) {
                            kind if kind == DeclKind::ConstArray as u32 => {
                                let default = self.value(args[0], element)?;
                                let array = ArrayValue::constant(self.pool, sort, default);
                                built.push(Value::Array(array));
                            }
                            kind if kind == DeclKind::Store as u32 && args.len() == 3 => {
                                steps.push(Step::Store);
                                steps.push(Step::Read(args[2], element));
                                steps.push(Step::Read(args[1], index));
                                steps.push(Step::Read(args[0], sort));
                            }
                            kind if kind == DeclKind::AsArray as u32 => {
                                built.push(self.array_from_function(ast, sort, index, element)?);
                            }
                            _ => return refuse("an array of the model is given by a formula"),
                        }
                    }
                    Sort::Datatype(_) => {
                        let (function, args) = self.application(ast)?;
                        let Some(constructor) = self.engine.constructor_of.get(&function) else {
                            return refuse("a datatype value of the model is not a constructor");
                        };
                        let constructor = *constructor;
                        let fields = &self.pool.constructor_info(constructor).fields;
                        steps.push(Step::Data(constructor));
                        let reads = args.iter().zip(fields).rev();
                        steps.extend(reads.map(|(a, (_, s))| Step::Read(*a, *s)));
                    }
                    _ => built.push(self.simple(ast, sort)?),
                },
            }
        }
        match built.pop() {
            Some(value) => Ok(value),
            None => refuse("the model has an empty value"),
        }
    }

    fn array_from_function(
        &mut self,
        ast: Z3_ast,
        sort: SortId,
        index: SortId,
        element: SortId,
    ) -> Result<Value, Z3Error> {
        // SAFETY: see the folder's documentation.
        let function = unsafe { Z3_get_as_array_func_decl(self.engine.context, ast) };
        let function = self.engine.made(function)?;
        let Some(interp) = self.interp(function, &[index], element)? else {
            return refuse("an array of the model names an unknown function");
        };
        let mut array = ArrayValue::constant(self.pool, sort, interp.default);
        for (mut key, value) in interp.entries {
            if let Some(index) = key.pop() {
                array = array.store(self.pool, index, value);
            }
        }
        Ok(Value::Array(array))
    }

    fn simple(&mut self, ast: Z3_ast, sort: SortId) -> Result<Value, Z3Error> {
        let c = self.engine.context;
        let pool = self.pool;
        if let Some(element) = self.elements.get(&ast) {
            return Ok(element.clone());
        }
        // SAFETY: see the folder's documentation; strings are copied at once.
        unsafe {
            if sort == SortId::BOOL {
                return match Z3_get_bool_value(c, ast) {
                    Z3_L_TRUE => Ok(Value::Bool(true)),
                    Z3_L_FALSE => Ok(Value::Bool(false)),
                    _ => refuse("a truth value of the model is given by a formula"),
                };
            }
            if let Sort::Float(format) = pool.sort(sort) {
                return self.float(ast, *format);
            }
            if Z3_get_ast_kind(c, ast) != AstKind::Numeral {
                return if Z3_is_algebraic_number(c, ast) {
                    refuse("the model has an irrational number")
                } else {
                    refuse("a value of the model is given by a formula")
                };
            }
            let text = copied(Z3_get_numeral_string(c, ast));
            let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
            let number = |text: &str| {
                text.trim().parse::<Int>().map_err(|_| Z3Error(format!("the model has an unreadable number: {text}")))
            };
            let numerator = number(numerator)?;
            Ok(match pool.sort(sort) {
                Sort::Int => Value::Int(numerator),
                Sort::BitVec(width) => Value::Bits(Bits::new(*width, &numerator)),
                Sort::Real => Value::Real(Rational::from_parts_signed(numerator, number(denominator)?)),
                _ => return refuse("a number of the model has a sort without numbers"),
            })
        }
    }

    fn float(&self, ast: Z3_ast, format: ieee::Format) -> Result<Value, Z3Error> {
        let c = self.engine.context;
        // SAFETY: see the folder's documentation; the places that are filled live until the calls are over.
        unsafe {
            if !Z3_fpa_is_numeral(c, ast) {
                return refuse("a floating value of the model is given by a formula");
            }
            if Z3_fpa_is_numeral_nan(c, ast) {
                return Ok(Value::Float(ieee::Value::nan(format)));
            }
            let negative = Z3_fpa_is_numeral_negative(c, ast);
            if Z3_fpa_is_numeral_inf(c, ast) {
                return Ok(Value::Float(ieee::Value::infinity(format, negative)));
            }
            let (mut fraction, mut exponent) = (0u64, 0i64);
            let is_read = Z3_fpa_get_numeral_significand_uint64(c, ast, &raw mut fraction)
                && Z3_fpa_get_numeral_exponent_int64(c, ast, &raw mut exponent, true);
            let Some(exponent) = u32::try_from(exponent).ok().filter(|_| is_read) else {
                return refuse("a floating value of the model cannot be read");
            };
            Ok(Value::Float(ieee::Value::from_parts(format, negative, exponent, fraction)))
        }
    }

    fn application(&self, ast: Z3_ast) -> Result<(Z3_func_decl, Vec<Z3_ast>), Z3Error> {
        let c = self.engine.context;
        // SAFETY: see the folder's documentation; the kind is checked before the conversion.
        unsafe {
            if Z3_get_ast_kind(c, ast) != AstKind::App {
                return refuse("a value of the model is given by a formula");
            }
            let app = self.engine.made(Z3_to_app(c, ast))?;
            let function = self.engine.made(Z3_get_app_decl(c, app))?;
            let args = (0..Z3_get_app_num_args(c, app)).filter_map(|i| Z3_get_app_arg(c, app, i)).collect();
            Ok((function, args))
        }
    }

    fn kind(&self, function: Z3_func_decl) -> u32 {
        // SAFETY: see the folder's documentation.
        unsafe { decl_kind(self.engine.context, function) }
    }
}
