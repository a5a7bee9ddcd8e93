//! Variables that may be read before they are written, made inputs of the program.
//!
//! *Question*: does a claim hold whatever a variable holds that nobody has written yet?
//!
//! Behind every declaration of such a variable the copy of the program asks for its value, element by element, so that runs
//! and paths know it as one more input. C leaves such a read undefined or gives it any value; a claim that fails with one of them
//! fails, and one that holds with all of them holds if the variable keeps the value that it has. A pointer can be made null, with
//! which something may fail; that says nothing of what holds.
//!
//! *May be missed*: parts of unions, bit-fields, arrays of more than [`MOST_PARTS`] numbers.

use super::graph::bodies_run;
use ir::hazards::NodeKey;
use ir::{
    Base, Block, CallGraph, Callee, Expr, ExprKind, FunctionId, Initialised, IntKind, Intrinsic, Length, LocalId,
    LocalKind, Lvalue, Program, RecordKind, Step, Stmt, StmtKind, Type, TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of one variable that are made inputs.
const MOST_PARTS: usize = 64;

/// What stands in the place of a value that was never written.
struct Part {
    place: Lvalue,
    is_pointer: bool,
}

/// The program with inputs in the place of numbers that were never written, and null in the place of pointers if `pointers` says
/// so; none if there are no such reads. Variables with parts of which neither is made stay as they are.
pub(super) fn as_inputs(program: &Program, entry: FunctionId, pointers: bool) -> Option<Program> {
    let mut changed = program.clone();
    let mut is_changed = false;
    for id in bodies_run(program, &CallGraph::new(program), &[entry]) {
        let mut parts = BTreeMap::new();
        for local in read_unwritten(program, id) {
            let declared = &program.functions[id].locals[local];
            let mut found = Vec::new();
            let whole = Lvalue { base: Base::Local(local), path: Vec::new(), ty: declared.ty, span: declared.span };
            if parts_of(program, &whole, pointers, &mut found) {
                parts.insert(local, found);
            }
        }
        is_changed |= !parts.is_empty();
        if let Some(body) = &mut changed.functions[id].body {
            insert(body, &parts, program.types.int(IntKind::Int));
        }
        changed.functions[id].number_statements();
    }
    is_changed.then_some(changed)
}

/// The variables of a function with a read that does not certainly come after a write.
fn read_unwritten(program: &Program, id: FunctionId) -> BTreeSet<LocalId> {
    let known = Initialised::of(program, id);
    let function = &program.functions[id];
    let mut found = BTreeSet::new();
    let Some(body) = &function.body else { return found };
    body.walk(&mut |stmt| {
        for expr in stmt.exprs() {
            expr.walk(&mut |part| {
                let local = match &part.kind {
                    ExprKind::Load(Lvalue { base: Base::Local(local), .. }) => *local,
                    // What is passed on by its address may be read behind it.
                    ExprKind::AddressOf(Lvalue { base: Base::Local(local), .. })
                        if !known.before_addressed.contains(local) =>
                    {
                        *local
                    }
                    _ => return,
                };
                let is_load = matches!(part.kind, ExprKind::Load(_));
                let is_variable = function.locals[local].kind == LocalKind::Variable;
                if is_variable && !(is_load && known.loads.contains(&NodeKey::of(part))) {
                    found.insert(local);
                }
            });
        }
    });
    found
}

/// The numbers inside an object, and the pointers if they are wanted. Answers whether they are all there is and not too many.
fn parts_of(program: &Program, lvalue: &Lvalue, pointers: bool, found: &mut Vec<Part>) -> bool {
    let types = &program.types;
    let inside = |step: Step, ty: TypeId| {
        let mut path = lvalue.path.clone();
        path.push(step);
        Lvalue { path, ty, ..lvalue.clone() }
    };
    match types.get(lvalue.ty) {
        Type::Int(_) | Type::Float(_) | Type::Pointer { .. } => {
            let is_pointer = types.is_pointer(lvalue.ty);
            found.push(Part { place: lvalue.clone(), is_pointer });
            (pointers || !is_pointer) && found.len() <= MOST_PARTS
        }
        Type::Array { of, length: Length::Fixed(count) } if *count <= MOST_PARTS as u64 => (0..*count).all(|k| {
            let index = Expr::int(i128::from(k), types.int(IntKind::Long), lvalue.span);
            parts_of(program, &inside(Step::Index(index), *of), pointers, found)
        }),
        Type::Record(record) if types.records[*record].kind == RecordKind::Struct => {
            let fields = types.records[*record].fields.iter().flatten();
            (0u32..).zip(fields).all(|(k, field)| {
                field.bits.is_none() && parts_of(program, &inside(Step::Field(k), field.ty), pointers, found)
            })
        }
        _ => false,
    }
}

fn insert(block: &mut Block, parts: &BTreeMap<LocalId, Vec<Part>>, int: TypeId) {
    let mut stmts = Vec::with_capacity(block.stmts.len());
    for mut stmt in std::mem::take(&mut block.stmts) {
        for inner in stmt.blocks_mut() {
            insert(inner, parts, int);
        }
        let declared = match stmt.kind {
            StmtKind::Live(local) => parts.get(&local),
            _ => None,
        };
        let span = stmt.span;
        stmts.push(stmt);
        for Part { place, is_pointer } in declared.into_iter().flatten() {
            let kind = if *is_pointer {
                let zero = Expr::int(0, int, span);
                let null = ExprKind::Convert { value: Box::new(zero), explicit: false };
                StmtKind::Assign { target: place.clone(), value: Expr::new(null, place.ty, span) }
            } else {
                let callee = Callee::Intrinsic(Intrinsic::Nondet);
                StmtKind::Call { result: Some(place.clone()), callee, args: Vec::new() }
            };
            stmts.push(Stmt::new(kind, span));
        }
    }
    block.stmts = stmts;
}
