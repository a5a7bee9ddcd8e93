//! Z3 in process: the only place with foreign calls.
//!
//! We use `z3-sys` and not the `z3` crate on top of it. That crate ties terms to an implicit
//! context per thread, while our terms belong to no context and every solver owns one; the caching
//! of translations, the reading of models by symbol and the interruption from another thread need
//! the C interface anyway.
//!
//! *Safety argument for the whole folder.* Every handle is made by, and only used with, the one
//! context that its [`Engine`] owns; `&mut self` (or `&self` of a type that is not `Sync`) keeps two
//! threads from using the context at once, with the exception of interrupting, which Z3 allows from
//! any thread and which `crate::solver` guards against use after drop. Handles that outlive a call
//! are reference counted (`keep`) until the engine is dropped. The error handler is off, so failed calls return null and are turned into
//! `Err` by [`Engine::made`].

mod readback;
mod translate;

use crate::hash::IdMap;
use crate::options::Strategy;
use crate::sort::{Constructor, FuncId, SortId};
use crate::term::TermId;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::Once;
use std::time::Duration;
use z3_sys::*;

unsafe extern "C" {
    /// Declared here with a plain number: the library may know kinds that the binding's enum does
    /// not, and an enum must not hold a value outside its variants.
    #[link_name = "Z3_get_decl_kind"]
    fn decl_kind(c: Z3_context, d: Z3_func_decl) -> u32;
}

/// The version of the Z3 library that is really loaded, such as `5.4.0`.
pub fn version() -> String {
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: the four places are valid for writing and nothing else is touched.
    unsafe { Z3_get_version(&mut major, &mut minor, &mut build, &mut revision) };
    format!("{major}.{minor}.{build}")
}

/// A failed call, with Z3's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Z3Error(pub(crate) String);

/// What a check says, before we look at models or reasons.
pub(crate) enum Answer {
    Sat,
    Unsat,
    Unknown(String),
}

struct ConstructorHandles {
    build: Z3_func_decl,
    test: Z3_func_decl,
    fields: Vec<Z3_func_decl>,
}

/// A context with one solver in it, and what has been translated into it.
pub(crate) struct Engine {
    context: Z3_context,
    solver: Z3_solver,
    terms: IdMap<TermId, Z3_ast>,
    sorts: IdMap<SortId, Z3_sort>,
    funcs: IdMap<FuncId, Z3_func_decl>,
    constructors: HashMap<Constructor, ConstructorHandles>,
    constructor_of: HashMap<Z3_func_decl, Constructor>,
    /// Every handle counted for as long as the engine lives. They are released one by one at the
    /// end: a context deleted with live terms in it takes time quadratic in their depth.
    kept: Vec<Z3_ast>,
    /// Terms translated so far; the cache makes this grow only with new terms.
    pub(crate) translated: u64,
    /// The deepest term translated so far.
    depth: usize,
    /// The limits that are set: milliseconds and resources. Setting them takes as long as a small question.
    limits: Option<(u32, u32)>,
}

// SAFETY: a Z3 context is not bound to the thread that made it; it must only not be used by two at
// once, and `Engine` is not `Sync`.
unsafe impl Send for Engine {}

fn c_string(text: &str) -> CString {
    CString::new(text).expect("names should contain no NUL byte, because the pool refuses them")
}

impl Engine {
    pub(crate) fn new(strategy: Strategy, seed: u32) -> Result<Self, Z3Error> {
        // SAFETY: see the module documentation; nothing else knows this context yet.
        unsafe {
            // The handler of Diophantine equations does not look at the clock, nor at interrupts: we have seen it work on
            // one question for half an hour, with numbers of thousands of digits.
            static SETTINGS: Once = Once::new();
            SETTINGS.call_once(|| Z3_global_param_set(c"lp.dio".as_ptr(), c"false".as_ptr()));
            let none = || Z3Error("Z3 could not create a context".into());
            let config = Z3_mk_config().ok_or_else(none)?;
            let context = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let context = context.ok_or_else(none)?;
            Z3_set_error_handler(context, None);
            let solver = match strategy {
                Strategy::Default => Z3_mk_solver(context),
                Strategy::Nlsat => {
                    let tactic = Z3_mk_tactic(context, c"qfnra-nlsat".as_ptr());
                    tactic.and_then(|tactic| {
                        Z3_tactic_inc_ref(context, tactic);
                        let solver = Z3_mk_solver_from_tactic(context, tactic);
                        Z3_tactic_dec_ref(context, tactic);
                        solver
                    })
                }
                Strategy::Logic(logic) => {
                    let name = c_string(logic.name());
                    Z3_mk_string_symbol(context, name.as_ptr())
                        .and_then(|symbol| Z3_mk_solver_for_logic(context, symbol))
                }
            };
            let Some(solver) = solver else {
                let error = last_error(context);
                Z3_del_context(context);
                return Err(error);
            };
            Z3_solver_inc_ref(context, solver);
            let mut engine = Engine {
                context,
                solver,
                terms: IdMap::default(),
                sorts: IdMap::default(),
                funcs: IdMap::default(),
                constructors: HashMap::new(),
                constructor_of: HashMap::new(),
                kept: Vec::new(),
                translated: 0,
                depth: 0,
                limits: None,
            };
            // The nlsat tactic takes its seed under another name.
            let seed_name = match strategy {
                Strategy::Nlsat => "seed",
                _ => "random_seed",
            };
            engine.set_params(&[(seed_name, seed)])?;
            Ok(engine)
        }
    }

    pub(crate) fn handles(&self) -> (Z3_context, Z3_solver) {
        (self.context, self.solver)
    }

    fn error(&self) -> Z3Error {
        // SAFETY: see the module documentation.
        unsafe { last_error(self.context) }
    }

    fn made<T>(&self, handle: Option<T>) -> Result<T, Z3Error> {
        handle.ok_or_else(|| self.error())
    }

    /// Whether the last call that returns nothing went well.
    fn done(&self) -> Result<(), Z3Error> {
        // SAFETY: see the module documentation.
        match unsafe { Z3_get_error_code(self.context) } {
            ErrorCode::Ok => Ok(()),
            _ => Err(self.error()),
        }
    }

    /// Counts a handle until the engine goes.
    fn keep(&mut self, handle: Z3_ast) -> Z3_ast {
        // SAFETY: see the module documentation.
        unsafe { Z3_inc_ref(self.context, handle) };
        self.kept.push(handle);
        handle
    }

    fn symbol(&self, name: &str) -> Result<Z3_symbol, Z3Error> {
        let name = c_string(name);
        // SAFETY: see the module documentation.
        self.made(unsafe { Z3_mk_string_symbol(self.context, name.as_ptr()) })
    }

    fn set_params(&mut self, params: &[(&str, u32)]) -> Result<(), Z3Error> {
        // SAFETY: see the module documentation.
        unsafe {
            let set = self.made(Z3_mk_params(self.context))?;
            Z3_params_inc_ref(self.context, set);
            for (name, value) in params {
                let symbol = self.symbol(name)?;
                Z3_params_set_uint(self.context, set, symbol, *value);
            }
            // Z3 would take Ctrl-C for itself during checks, and the program that asks would never hear of it.
            Z3_params_set_bool(self.context, set, self.symbol("ctrl_c")?, false);
            Z3_solver_set_params(self.context, self.solver, set);
            let result = self.done();
            Z3_params_dec_ref(self.context, set);
            result
        }
    }

    /// Limits for the next checks; `None` lifts a limit.
    pub(crate) fn set_limits(&mut self, timeout: Option<Duration>, resources: Option<u32>) -> Result<(), Z3Error> {
        let millis = timeout.map_or(u32::MAX, |t| u32::try_from(t.as_millis()).unwrap_or(u32::MAX - 1).max(1));
        let limits = (millis, resources.unwrap_or(0));
        if self.limits != Some(limits) {
            self.set_params(&[("timeout", limits.0), ("rlimit", limits.1)])?;
            self.limits = Some(limits);
        }
        Ok(())
    }

    pub(crate) fn push(&mut self) {
        // SAFETY: see the module documentation.
        unsafe { Z3_solver_push(self.context, self.solver) }
    }

    pub(crate) fn pop(&mut self, scopes: u32) {
        // SAFETY: the caller pops no more than was pushed.
        unsafe { Z3_solver_pop(self.context, self.solver, scopes) }
    }

    pub(crate) fn assert(&mut self, formula: Z3_ast) -> Result<(), Z3Error> {
        let (context, solver) = (Exclusive(self.context), Exclusive(self.solver));
        let formula = Exclusive(formula);
        self.on_deep_stack(move || {
            let (context, solver, formula) = (context.get(), solver.get(), formula.get());
            // SAFETY: see the module documentation.
            unsafe { Z3_solver_assert(context, solver, formula) }
        });
        self.done()
    }

    pub(crate) fn negation(&mut self, formula: Z3_ast) -> Result<Z3_ast, Z3Error> {
        // SAFETY: see the module documentation.
        let negated = self.made(unsafe { Z3_mk_not(self.context, formula) })?;
        Ok(self.keep(negated))
    }

    /// A fresh truth value that implies the formula in the current scope.
    pub(crate) fn proxy(&mut self, formula: Z3_ast) -> Result<Z3_ast, Z3Error> {
        // SAFETY: see the module documentation.
        unsafe {
            let sort = self.made(Z3_mk_bool_sort(self.context))?;
            let proxy = self.made(Z3_mk_fresh_const(self.context, c"assume".as_ptr(), sort))?;
            self.keep(proxy);
            let implication = self.made(Z3_mk_implies(self.context, proxy, formula))?;
            Z3_inc_ref(self.context, implication);
            let result = self.assert(implication);
            Z3_dec_ref(self.context, implication);
            result.map(|()| proxy)
        }
    }

    pub(crate) fn check(&mut self, assumptions: &[Z3_ast]) -> Answer {
        let (context, solver) = (Exclusive(self.context), Exclusive(self.solver));
        let assumptions = Exclusive(assumptions);
        let answer = self.on_deep_stack(move || {
            let (context, solver, list) = (context.get(), solver.get(), assumptions.get());
            // SAFETY: see the module documentation; the list outlives the call.
            unsafe { Z3_solver_check_assumptions(context, solver, list.len() as u32, list.as_ptr()) }
        });
        match answer {
            Z3_L_TRUE => Answer::Sat,
            Z3_L_FALSE => Answer::Unsat,
            _ => {
                // SAFETY: Z3 keeps the string alive until the next call; it is copied at once.
                let reason = unsafe {
                    let text = Z3_solver_get_reason_unknown(self.context, self.solver);
                    copied(text)
                };
                let detail = match self.done() {
                    Err(Z3Error(message)) if !reason.contains(&message) => message,
                    _ => String::new(),
                };
                Answer::Unknown(format!("{reason} {detail}").trim().to_string())
            }
        }
    }

    /// The assumptions that the last refutation used.
    pub(crate) fn core(&self) -> Result<Vec<Z3_ast>, Z3Error> {
        // SAFETY: see the module documentation. The members stay alive as assumptions do.
        unsafe {
            let vector = self.made(Z3_solver_get_unsat_core(self.context, self.solver))?;
            Z3_ast_vector_inc_ref(self.context, vector);
            let members = (0..Z3_ast_vector_size(self.context, vector))
                .filter_map(|i| Z3_ast_vector_get(self.context, vector, i))
                .collect();
            Z3_ast_vector_dec_ref(self.context, vector);
            Ok(members)
        }
    }

    /// Asserts the commands of an SMT-LIB text.
    pub(crate) fn read_text(&mut self, text: &str) -> Result<(), Z3Error> {
        let text = c_string(text);
        // SAFETY: see the module documentation.
        unsafe { Z3_solver_from_string(self.context, self.solver, text.as_ptr()) };
        self.done()
    }

    /// Parts of Z3 recurse along the depth of terms. Ordinary terms run on the caller's stack; for
    /// deep ones the call moves to a thread whose stack grows with them.
    fn on_deep_stack<R: Send>(&self, call: impl FnOnce() -> R + Send) -> R {
        const ORDINARY: usize = 1_000;
        const PER_LEVEL: usize = 4 << 10;
        const MOST: usize = 4 << 30;
        if self.depth <= ORDINARY {
            return call();
        }
        let size = (self.depth * PER_LEVEL).min(MOST) + (16 << 20);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(size);
            let handle = thread
                .spawn_scoped(scope, call)
                // In the words of the standard library, which makes a panic of it too: it is no bug.
                .expect("failed to spawn thread");
            match handle.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let (context, solver) = (Exclusive(self.context), Exclusive(self.solver));
        let kept = Exclusive(std::mem::take(&mut self.kept));
        self.on_deep_stack(move || {
            let (context, solver, kept) = (context.get(), solver.get(), kept.get());
            // SAFETY: nothing uses the context or the handles after this.
            unsafe {
                Z3_solver_dec_ref(context, solver);
                for handle in kept.into_iter().rev() {
                    Z3_dec_ref(context, handle);
                }
                Z3_del_context(context);
            }
        });
    }
}

/// Lets a handle cross to the helper thread of [`Engine::on_deep_stack`].
struct Exclusive<T>(T);

impl<T> Exclusive<T> {
    /// A method, so that closures capture the whole and not the field alone.
    fn get(self) -> T {
        self.0
    }
}

// SAFETY: the thread that owns the engine waits for the helper thread, so there is one user at a time.
unsafe impl<T> Send for Exclusive<T> {}

/// # Safety
/// The context must be alive.
unsafe fn last_error(context: Z3_context) -> Z3Error {
    // SAFETY: the caller vouches for the context; the string is copied at once.
    unsafe {
        let code = Z3_get_error_code(context);
        Z3Error(copied(Z3_get_error_msg(context, code)))
    }
}

/// # Safety
/// The pointer is null or a C string.
unsafe fn copied(text: Z3_string) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller vouches for it.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
