//! What runs before and after `main`: constructors by priority, destructors the other way round.
//!
//! The calls are put into `main` itself, before its first statement and before every return, and destructors also before
//! every call of `exit`, so that every engine that starts at `main` sees plain calls. The standard does not know
//! these attributes; GCC runs constructors with a low priority first, those without one last, destructors in the
//! opposite order, and says nothing about equal priorities: where the order of two of those matters, an `Unordered`
//! statement says so.
//!
//! What cannot be put in this way is an `Unsupported` statement at the start of `main`: a `main` that the program calls
//! itself, destructors beside handlers of `atexit`, constructors that want arguments which `main` does not have.
//!
//! *Not included*: a program that starts at another function than `main` ([`crate`]'s callers say what its globals hold).

use diagnostics::Span;
use ir::effects::Effects;
use ir::{
    Block, Callee, Expr, ExprKind, FunctionId, Local, Lvalue, OrderKind, Program, Stmt, StmtKind, Type, Unordered,
};

/// What the units say about the start and the end of the program.
#[derive(Default)]
pub struct Startup {
    /// The functions in the order they are defined in, with their priorities.
    pub constructors: Vec<(u32, FunctionId)>,
    pub destructors: Vec<(u32, FunctionId)>,
    obstacles: Vec<(String, Span)>,
}

impl Startup {
    /// Notes something that happens when a program starts and has no model.
    pub fn obstacle(&mut self, what: impl Into<String>, span: Span) {
        self.obstacles.push((what.into(), span));
    }

    /// Puts the calls into the program.
    pub fn weave(mut self, program: &mut Program) {
        if self.constructors.is_empty() && self.destructors.is_empty() && self.obstacles.is_empty() {
            return;
        }
        let main = program.find_function("main").filter(|id| program.functions[*id].body.is_some());
        let Some(main) = main else { return };
        // Equal priorities keep the order of the text, as linkers do.
        self.constructors.sort_by_key(|(priority, _)| *priority);
        self.destructors.reverse();
        self.destructors.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
        let at = program.functions[main].span;
        if (!self.constructors.is_empty() || !self.destructors.is_empty()) && is_used(program, main) {
            self.obstacle("a `main` that the program calls, with constructors or destructors", at);
        }
        if !self.destructors.is_empty() {
            let handlers = ["atexit", "on_exit", "at_quick_exit", "__cxa_atexit"];
            if program.functions.values().any(|f| f.body.is_none() && handlers.contains(&f.name.as_str())) {
                self.obstacle("destructors beside functions that `atexit` registers", at);
            }
            if let Some(exit) = library_function(program, "exit")
                && is_address_taken(program, exit)
            {
                self.obstacle("destructors and a pointer to `exit`", at);
            }
        }
        let before = self.calls(program, main, &self.constructors.clone(), at);
        let after = self.calls(program, main, &self.destructors.clone(), at);
        if !after.is_empty() {
            self.at_exit(program, main, &after);
        }
        let Some(body) = &mut program.functions[main].body else { return };
        let mut start: Vec<Stmt> =
            self.obstacles.into_iter().map(|(what, span)| Stmt::new(StmtKind::Unsupported(what), span)).collect();
        start.extend(before);
        body.stmts.splice(0..0, start);
        for function in program.functions.values_mut() {
            function.number_statements();
        }
    }

    /// Calls in this order, with what stands between functions of one priority whose order matters.
    fn calls(&mut self, program: &Program, main: FunctionId, functions: &[(u32, FunctionId)], span: Span) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        if functions.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let effects = Effects::new(program);
            let calls: Vec<_> =
                functions.iter().map(|(_, id)| effects.of_call(main, &Callee::Function(*id), &[])).collect();
            for (i, a) in functions.iter().enumerate() {
                for (j, b) in functions.iter().enumerate().skip(i + 1).filter(|(_, b)| b.0 == a.0) {
                    if effects.meeting(main, &calls[i], &calls[j]).is_some() {
                        let (a, b) = (&program.functions[a.1].name, &program.functions[b.1].name);
                        let what = format!("`{a}` and `{b}` run in either order, having one priority");
                        stmts.push(Stmt::new(StmtKind::Unordered(Unordered::somewhere(OrderKind::Open, what)), span));
                    }
                }
            }
        }
        for (_, id) in functions {
            match arguments(program, main, *id, span) {
                Some(args) => stmts.push(Stmt::new(
                    StmtKind::Call { result: None, callee: Callee::Function(*id), args },
                    program.functions[*id].span,
                )),
                None => {
                    let name = program.functions[*id].name.clone();
                    self.obstacle(format!("the parameters of `{name}`, which runs outside `main`"), span);
                }
            }
        }
        stmts
    }

    /// Puts the calls before the returns of `main` and before every `exit`.
    fn at_exit(&mut self, program: &mut Program, main: FunctionId, calls: &[Stmt]) {
        if let Some(exit) = library_function(program, "exit") {
            let graph = ir::CallGraph::new(program);
            let again = self.destructors.iter().any(|(_, id)| graph.reachable(*id).contains(&exit));
            if again {
                self.obstacle("a destructor that calls `exit`", program.functions[main].span);
            } else {
                for function in program.functions.values_mut() {
                    if let Some(body) = &mut function.body {
                        insert_before(
                            body,
                            calls,
                            &|stmt| matches!(stmt.kind, StmtKind::Call { callee: Callee::Function(id), .. } if id == exit),
                        );
                    }
                }
            }
        }
        let function = &mut program.functions[main];
        let Some(body) = &mut function.body else { return };
        let mut locals = std::mem::take(&mut function.locals);
        save_results(body, &mut locals);
        function.locals = locals;
        insert_before(body, calls, &|stmt| matches!(stmt.kind, StmtKind::Return(_)));
        if !matches!(body.stmts.last().map(|stmt| &stmt.kind), Some(StmtKind::Return(_))) {
            body.stmts.extend(calls.iter().cloned());
        }
    }
}

/// The result of `main` is computed before the destructors run.
fn save_results(block: &mut Block, locals: &mut ir::PrimaryMap<ir::LocalId, Local>) {
    let mut at = 0;
    while at < block.stmts.len() {
        for inner in block.stmts[at].blocks_mut() {
            save_results(inner, locals);
        }
        let span = block.stmts[at].span;
        if let StmtKind::Return(Some(value)) = &mut block.stmts[at].kind
            && !matches!(value.kind, ExprKind::Int(_))
        {
            let ty = value.ty;
            let target = Lvalue::local(locals.push(Local::temporary(ty, span)), ty, span);
            let computed = std::mem::replace(value, Expr::load(target.clone()));
            block.stmts.insert(at, Stmt::new(StmtKind::Assign { target, value: computed }, span));
            at += 1;
        }
        at += 1;
    }
}

fn insert_before(block: &mut Block, calls: &[Stmt], wanted: &impl Fn(&Stmt) -> bool) {
    let mut at = 0;
    while at < block.stmts.len() {
        for inner in block.stmts[at].blocks_mut() {
            insert_before(inner, calls, wanted);
        }
        if wanted(&block.stmts[at]) {
            block.stmts.splice(at..at, calls.iter().cloned());
            at += calls.len();
        }
        at += 1;
    }
}

/// The arguments the system gives to a function outside `main`: those of `main`, as far as it takes any.
fn arguments(program: &Program, main: FunctionId, called: FunctionId, span: Span) -> Option<Vec<Expr>> {
    let wanted = match program.types.get(program.functions[called].ty) {
        Type::Function(signature) => &signature.params,
        _ => return None,
    };
    let main = &program.functions[main];
    wanted
        .iter()
        .enumerate()
        .map(|(position, ty)| {
            let param = *main.params.get(position)?;
            let own = main.locals[param].ty;
            (own == *ty).then(|| Expr::load(Lvalue::local(param, own, span)))
        })
        .collect()
}

fn library_function(program: &Program, name: &str) -> Option<FunctionId> {
    program.functions.iter().find(|(_, f)| f.body.is_none() && f.name == name).map(|(id, _)| id)
}

fn is_address_taken(program: &Program, id: FunctionId) -> bool {
    ir::CallGraph::new(program).address_taken().any(|taken| taken == id)
}

/// Whether the program calls the function or takes its address.
fn is_used(program: &Program, id: FunctionId) -> bool {
    let graph = ir::CallGraph::new(program);
    !graph.callers(id).is_empty() || graph.address_taken().any(|taken| taken == id)
}
