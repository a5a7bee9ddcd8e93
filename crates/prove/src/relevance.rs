//! The program without the variables that no claim depends on.
//!
//! *Question*: of a program with many variables, what can its claims and its control see?
//!
//! *Source*: M. Weiser, Program slicing, 1981. *Departures*: one slice for all claims together, without regard to the order of
//! statements; every condition of control counts; only plain assignments to scalar locals whose address nobody takes are left out.
//!
//! ```text
//! while (i < k) { a += 1; b += a; i++; }  assert(i >= k);      a and b are left out
//! ```
//!
//! *Guarantee*: whatever run of the program comes to a claim, the slice comes to it with the same values of all that the claim
//! mentions. It may come to more, behind operations left out that are undefined; so a proof about the slice is one about the
//! program, and a failure of the slice is to be replayed on the program.
//!
//! *Cost*: one walk over the statements, and one over what each variable is computed from.

use super::graph::bodies_run;
use ir::{
    Base, Block, CallGraph, EntityRef, Expr, ExprKind, Function, FunctionId, LocalId, LocalKind, Lvalue, Program, Stmt,
    StmtKind,
};
use observe::guards;
use std::collections::{BTreeSet, VecDeque};

/// In functions with fewer variables everything is looked at: it costs little, and relations with the other variables may be of
/// interest.
const MANY: usize = 40;

/// More variables than this are not looked at together: relations are sought among those that are nearest to a claim.
const MOST: usize = 100;

/// The program without assignments to variables that do not matter; none if everything matters, or there is little of it.
pub(super) fn slice(program: &Program, entry: FunctionId) -> Option<Program> {
    let mut sliced = None;
    for id in bodies_run(program, &CallGraph::new(program), &[entry]) {
        let Dependence { unseen, .. } = Dependence::of(program, &program.functions[id]);
        if unseen.is_empty() {
            continue;
        }
        let function = &mut sliced.get_or_insert_with(|| program.clone()).functions[id];
        function.body.as_mut().into_iter().for_each(|body| leave_out(body, &unseen));
        function.number_statements();
    }
    sliced
}

/// The names of the variables that are looked at where a function has too many to look at all: all but those that are farthest
/// from claims and control. Otherwise none.
pub(super) fn nearest(program: &Program, entry: FunctionId) -> Vec<String> {
    let mut names: Vec<String> = program.globals.values().map(|global| global.name.clone()).collect();
    let mut is_needed = false;
    for id in bodies_run(program, &CallGraph::new(program), &[entry]) {
        let function = &program.functions[id];
        let Dependence { seen, .. } = Dependence::of(program, function);
        let far: BTreeSet<LocalId> = seen.into_iter().skip(MOST).collect();
        is_needed |= !far.is_empty();
        let near = function.locals.iter().filter(|(id, _)| !far.contains(id));
        names.extend(near.map(|(_, local)| local.name.clone()));
    }
    if is_needed { names } else { Vec::new() }
}

/// What claims and control depend on among the variables of a function that has many of them.
#[derive(Default)]
struct Dependence {
    /// The variables that matter, those on which a claim or a condition depends directly first.
    seen: Vec<LocalId>,
    /// Those that nothing can see but such variables.
    unseen: BTreeSet<LocalId>,
}

impl Dependence {
    fn of(program: &Program, function: &Function) -> Dependence {
        let Some(body) = &function.body else { return Dependence::default() };
        let addressed = guards::address_taken(function);
        let is_plain = |id: LocalId| {
            let local = &function.locals[id];
            local.kind == LocalKind::Variable
                && !local.is_volatile
                && program.types.is_scalar(local.ty)
                && !addressed.contains(id)
        };
        let mut unseen: BTreeSet<LocalId> = function.locals.keys().filter(|id| is_plain(*id)).collect();
        if unseen.len() < MANY {
            return Dependence::default();
        }
        // What each variable is computed from, and what is seen by something else.
        let mut sources: Vec<Vec<LocalId>> = vec![Vec::new(); function.locals.len()];
        let mut direct: Vec<LocalId> = Vec::new();
        body.walk(&mut |stmt| match assigned(stmt).filter(|target| unseen.contains(target)) {
            Some(target) => stmt.exprs().into_iter().for_each(|expr| read(expr, &mut sources[target.index()])),
            None => stmt.exprs().into_iter().for_each(|expr| read(expr, &mut direct)),
        });
        let mut open = VecDeque::from(direct);
        let mut seen = Vec::new();
        while let Some(local) = open.pop_front() {
            if unseen.remove(&local) {
                open.extend(std::mem::take(&mut sources[local.index()]));
                seen.push(local);
            }
        }
        Dependence { seen, unseen }
    }
}

/// The local that a statement does nothing but assign.
fn assigned(stmt: &Stmt) -> Option<LocalId> {
    match &stmt.kind {
        StmtKind::Assign { target, .. } => target.as_local(),
        _ => None,
    }
}

fn read(expr: &Expr, locals: &mut Vec<LocalId>) {
    expr.walk(&mut |part| {
        if let ExprKind::Load(Lvalue { base: Base::Local(local), .. }) = &part.kind {
            locals.push(*local);
        }
    });
}

fn leave_out(block: &mut Block, unseen: &BTreeSet<LocalId>) {
    block.stmts.retain(|stmt| assigned(stmt).is_none_or(|target| !unseen.contains(&target)));
    for stmt in &mut block.stmts {
        stmt.blocks_mut().into_iter().for_each(|inner| leave_out(inner, unseen));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = MANY + 4;

    /// A program with many variables that are counted up, and some statements that follow.
    fn program(rest: &str) -> (Program, FunctionId) {
        let declared: String = (0..COUNT).map(|n| format!("int v{n} = 0;")).collect();
        let counted: String = (0..COUNT).map(|n| format!("v{n} += {n};")).collect();
        let text = format!(
            "void __VERIFIER_assert(int); int f(int k) {{ {declared} while (k > 0) {{ k--; {counted} }} {rest} }}"
        );
        let program = cfront::load_text(&[("f.c", &text)]).expect("this is C").program;
        let entry = program.find_function("f").expect("the function should be there");
        (program, entry)
    }

    fn assignments(program: &Program, entry: FunctionId) -> usize {
        let mut count = 0;
        let body = program.functions[entry].body.as_ref().expect("the function should have a body");
        body.walk(&mut |stmt| count += usize::from(assigned(stmt).is_some()));
        count
    }

    #[test]
    fn what_a_claim_depends_on_is_kept() {
        let (program, entry) = program("v2 = v1; __VERIFIER_assert(v2 >= 0); return v3;");
        let sliced = slice(&program, entry).expect("most variables do not matter");
        assert!(ir::verify(&sliced).is_empty());
        // `k` in the loop; `v1`, `v2` and `v3`, each at its declaration and in the loop; `v2` once more.
        assert_eq!(assignments(&sliced, entry), 1 + 3 * 2 + 1);
    }

    #[test]
    fn nothing_is_left_out_where_addresses_are_taken_or_all_is_seen() {
        let sum = (0..COUNT).map(|n| format!("v{n}")).collect::<Vec<_>>().join(" + ");
        let (all_seen, entry) = program(&format!("__VERIFIER_assert({sum} >= 0); return 0;"));
        assert!(slice(&all_seen, entry).is_none());
        let (addressed, entry) = program("int *p = k ? &v1 : &v2; __VERIFIER_assert(*p >= 0); return 0;");
        let sliced = slice(&addressed, entry).expect("most variables do not matter");
        assert_eq!(assignments(&sliced, entry), assignments(&addressed, entry) - 2 * (COUNT - 2));
    }

    #[test]
    fn of_too_many_variables_the_nearest_are_looked_at() {
        let count = MOST + 30;
        let declared: String = (0..count).map(|n| format!("int v{n} = 0;")).collect();
        let chain: String = (1..count).map(|n| format!("v{} += v{n};", n - 1)).collect();
        let text = format!(
            "void __VERIFIER_assert(int); void f(int k) {{ {declared} while (k > 0) {{ k--; {chain} }} __VERIFIER_assert(v0 >= 0); }}"
        );
        let program = cfront::load_text(&[("f.c", &text)]).expect("this is C").program;
        let entry = program.find_function("f").expect("the function should be there");
        assert!(slice(&program, entry).is_none());
        let names = nearest(&program, entry);
        let is_near = |name: &str| names.iter().any(|near| near == name);
        assert!(is_near("k") && is_near("v0") && is_near("v99"));
        assert!(!is_near("v100"));
        let (few, entry) = self::program("__VERIFIER_assert(v1 >= 0); return 0;");
        assert!(nearest(&few, entry).is_empty());
    }
}
