//! What the code does with its pointers: which number is the length of which buffer, where a pointer ends, what a
//! `void *` really is.
//!
//! *Question*: `size_t f(const unsigned char *p, size_t n)` says nothing about `n` being the length of `p`. What does?
//!
//! A *holder* keeps a pointer or a number from one function to the next: a parameter, a member of a record, a global.
//! Its *role* is gathered from all bodies of the program:
//!
//! | seen | said |
//! |---|---|
//! | `int a[n]` as a parameter | `n` is the length of `a` |
//! | `p[i]`, with `i < n` or `i != n` somewhere in the function | `n` bounds `p` |
//! | `p + n` | `n` bounds `p`; where it is read, `n` is an index |
//! | `*p++` and `n--` in one function | `n` bounds `p` |
//! | `p < end`, `p != end` | `end` is the end of `p` |
//! | `memcpy(q, p, n)` and its like | `n` bounds `p` and `q`; `strlen(p)` and its like: `p` is a string |
//! | `p[-1]`, `p - sizeof(struct header)` | `p` leads into the middle of something |
//! | `(struct s *)p`, of a `void *` | `p` leads to a `struct s` |
//! | `f(p, n)` | what `f` does with its parameters |
//! | a number called `len`, `size`, `n`, … behind a pointer | `n` bounds `p`, if nothing else was seen |
//!
//! *Guarantee*: none. A role is a guess that decides which inputs are tried first; it is shown, and can be overridden.

use ir::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, GlobalId, Local, LocalId, Lvalue, Program, RecordId, Step,
    StmtKind, Type, TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// What keeps a pointer or a number from one function to the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    Parameter(FunctionId, usize),
    Member(RecordId, u32),
    Global(GlobalId),
}

/// What is done with a pointer.
#[derive(Clone, Default, Debug)]
pub struct Role {
    /// More than its first element is used.
    pub is_array: bool,
    /// It is handed to functions that take strings.
    pub is_text: bool,
    /// What stands before it is looked at: it leads into the middle of something.
    pub reaches_back: bool,
    /// Numbers that bound its indices, with how much speaks for each.
    pub lengths: BTreeMap<Holder, u32>,
    /// Numbers that are indices into it.
    pub indices: BTreeSet<Holder>,
    /// The pointer that it is compared with while it moves.
    pub end: Option<Holder>,
    /// What it leads to, where its type says `void`.
    pub leads_to: BTreeSet<TypeId>,
}

/// The roles of a program's pointers.
#[derive(Clone, Default, Debug)]
pub struct Roles {
    of: BTreeMap<Holder, Role>,
}

/// Rounds in which what callees do reaches their callers.
const ROUNDS: usize = 4;

impl Roles {
    pub fn new(program: &Program) -> Roles {
        let mut roles = Roles::default();
        let mut calls = Vec::new();
        for (id, _, _) in program.defined_functions() {
            let mut reader = Reader::new(program, id);
            reader.origins();
            reader.read(&mut roles, &mut calls);
        }
        for _ in 0..ROUNDS {
            for call in &calls {
                roles.pass_on(program, call);
            }
        }
        roles.name_lengths(program);
        roles
    }

    /// The role of a holder, if anything is known of it.
    pub fn get(&self, holder: Holder) -> Option<&Role> {
        self.of.get(&holder)
    }

    /// The number that is most likely the length of what a pointer leads to, among those that `fits` lets through.
    pub fn length(&self, holder: Holder, fits: impl Fn(Holder) -> bool) -> Option<Holder> {
        let role = self.of.get(&holder)?;
        let best = role.lengths.iter().filter(|(number, _)| fits(**number));
        // An index says less about a length than any bound does.
        let weight = |number: &Holder, votes: u32| (!role.indices.contains(number), votes, std::cmp::Reverse(*number));
        best.max_by_key(|(number, votes)| weight(number, **votes)).map(|(number, _)| *number)
    }

    fn role(&mut self, holder: Holder) -> &mut Role {
        self.of.entry(holder).or_default()
    }

    /// What a callee does with a parameter is done with the argument.
    fn pass_on(&mut self, program: &Program, call: &Passed) {
        let params = program.functions[call.callee].params.len();
        for index in 0..params.min(call.args.len()) {
            let Some(to) = call.args[index] else { continue };
            let Some(role) = self.of.get(&Holder::Parameter(call.callee, index)).cloned() else { continue };
            let outside = |holder: &Holder| match holder {
                Holder::Parameter(function, k) if *function == call.callee => call.args.get(*k).copied().flatten(),
                other => Some(*other),
            };
            let mine = self.role(to);
            mine.is_array |= role.is_array;
            mine.is_text |= role.is_text;
            mine.reaches_back |= role.reaches_back;
            mine.leads_to.extend(role.leads_to);
            for (number, votes) in role.lengths {
                if let Some(number) = outside(&number).filter(|number| *number != to) {
                    let known = mine.lengths.entry(number).or_default();
                    *known = (*known).max(votes);
                }
            }
            mine.indices.extend(role.indices.iter().filter_map(outside));
            if mine.end.is_none() {
                mine.end = role.end.as_ref().and_then(outside).filter(|end| *end != to);
            }
        }
    }

    /// Where nothing was seen, names tell: the number behind a pointer that is called a length.
    fn name_lengths(&mut self, program: &Program) {
        for (id, function, _) in program.defined_functions() {
            let about = |k: usize| {
                let Local { name, ty, .. } = &function.locals[function.params[k]];
                (Holder::Parameter(id, k), name.as_str(), *ty)
            };
            let all: Vec<_> = (0..function.params.len()).map(about).collect();
            self.name_among(program, &all);
        }
        for (record, about) in &program.types.records {
            let fields = about.fields.iter().flatten().enumerate();
            let all: Vec<_> =
                fields.map(|(k, field)| (Holder::Member(record, k as u32), field.name.as_str(), field.ty)).collect();
            self.name_among(program, &all);
        }
    }

    fn name_among(&mut self, program: &Program, all: &[(Holder, &str, TypeId)]) {
        // A number that the code ties to one pointer is not guessed to belong to another.
        let tied = |roles: &Roles, number: Holder| {
            let is_tied = |role: &Role| role.lengths.contains_key(&number) && !role.indices.contains(&number);
            all.iter().filter_map(|(holder, ..)| roles.get(*holder)).any(is_tied)
        };
        let taken: BTreeSet<Holder> = match all.first() {
            Some((Holder::Parameter(..), ..)) => {
                all.iter().map(|(holder, ..)| *holder).filter(|holder| tied(&*self, *holder)).collect()
            }
            _ => BTreeSet::new(),
        };
        for (at, (pointer, _, ty)) in all.iter().enumerate() {
            let Some(to) = program.types.pointee(*ty) else { continue };
            let of_pieces = matches!(program.types.get(to), Type::Int(_) | Type::Float(_) | Type::Void)
                || self.get(*pointer).is_some_and(|role| role.is_array);
            let known = self.get(*pointer).is_some_and(|role| {
                let is_bounded = role.lengths.keys().any(|number| !role.indices.contains(number));
                is_bounded
                    || role.leads_to.iter().any(|to| program.types.size_of(*to) > Some(1))
                    || role.is_text && matches!(pointer, Holder::Parameter(..))
            });
            if known || !of_pieces {
                continue;
            }
            let after = all[at + 1..].iter().chain(all[..at].iter().rev());
            let named = after.filter(|(holder, name, ty)| {
                !taken.contains(holder)
                    && program.types.int_kind(*ty).is_some_and(|kind| kind.bytes() >= 2)
                    && is_length_name(name)
            });
            let found: Vec<Holder> = named.map(|(holder, ..)| *holder).collect();
            // All members that are lengths describe the one buffer of a record; of parameters it is the next one.
            let count = if matches!(pointer, Holder::Member(..)) { found.len() } else { 1 };
            for number in found.into_iter().take(count) {
                self.role(*pointer).lengths.entry(number).or_insert(1);
            }
        }
    }
}

/// Whether a number of this name is likely to count what stands beside it.
pub fn is_length_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_word =
        |word: &str| name == word || name.ends_with(&format!("_{word}")) || name.starts_with(&format!("{word}_"));
    ["n", "sz", "cnt", "num", "max", "used", "free", "avail", "pos", "nbytes", "nmemb", "total"]
        .into_iter()
        .any(is_word)
        || ["len", "size", "count", "cap", "alloc", "length"].into_iter().any(|word| name.contains(word))
}

/// Whether it is the number of elements there is room for, rather than of those that are used.
pub fn is_capacity_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["cap", "alloc", "size", "max", "sz"].into_iter().any(|word| name.contains(word))
}

/// A call with the holders of its arguments.
struct Passed {
    callee: FunctionId,
    args: Vec<Option<Holder>>,
}

/// Reads one function.
struct Reader<'p> {
    program: &'p Program,
    function: FunctionId,
    /// Where the value of a local comes from.
    origin: BTreeMap<LocalId, Holder>,
}

impl<'p> Reader<'p> {
    fn new(program: &'p Program, function: FunctionId) -> Reader<'p> {
        let params = program.functions[function].params.iter().enumerate();
        let origin = params.map(|(k, local)| (*local, Holder::Parameter(function, k))).collect();
        Reader { program, function, origin }
    }

    /// Locals that are copies, or moved copies, of what a holder holds.
    fn origins(&mut self) {
        let Some(body) = &self.program.functions[self.function].body else { return };
        for _ in 0..2 {
            body.walk(&mut |stmt| {
                if let StmtKind::Assign { target, value } = &stmt.kind
                    && let Some(local) = target.as_local()
                    && !self.origin.contains_key(&local)
                    && let Some(holder) = self.holder(value)
                {
                    self.origin.insert(local, holder);
                }
            });
        }
    }

    /// The holder whose value an expression is, moved perhaps.
    fn holder(&self, expr: &Expr) -> Option<Holder> {
        match &expr.kind {
            ExprKind::Load(lvalue) => self.place(lvalue),
            ExprKind::Convert { value, .. } => self.holder(value),
            ExprKind::Binary(BinaryOp::PointerAdd, a, _) => self.holder(a),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Shr, a, b) => {
                match (&a.kind, &b.kind) {
                    (_, ExprKind::Int(_)) => self.holder(a),
                    (ExprKind::Int(_), _) => self.holder(b),
                    _ => None,
                }
            }
            ExprKind::AddressOf(Lvalue { base: Base::Deref(pointer), path, .. })
                if path.iter().all(|step| matches!(step, Step::Index(_))) =>
            {
                self.holder(pointer)
            }
            ExprKind::Conditional(_, a, b) => self.holder(a).or_else(|| self.holder(b)),
            _ => None,
        }
    }

    fn place(&self, lvalue: &Lvalue) -> Option<Holder> {
        let locals = &self.program.functions[self.function].locals;
        let (last, before) = match lvalue.path.split_last() {
            None => {
                return match lvalue.base {
                    Base::Local(local) => self.origin.get(&local).copied(),
                    Base::Global(global) => Some(Holder::Global(global)),
                    Base::Deref(_) => None,
                };
            }
            Some(split) => split,
        };
        let Step::Field(index) = last else { return None };
        let mut ty = self.program.base_type(Some(locals), &lvalue.base)?;
        for step in before {
            ty = self.program.types.step(ty, step)?;
        }
        match self.program.types.get(ty) {
            Type::Record(record) => Some(Holder::Member(*record, *index)),
            _ => None,
        }
    }

    fn is_pointer(&self, expr: &Expr) -> bool {
        self.program.types.is_pointer(expr.ty)
    }

    fn read(&mut self, roles: &mut Roles, calls: &mut Vec<Passed>) {
        let function = &self.program.functions[self.function];
        let Some(body) = &function.body else { return };
        for (k, param) in function.params.iter().enumerate() {
            if let Some(number) =
                function.locals[*param].declared_length.as_ref().and_then(|length| self.holder(length))
            {
                roles.role(Holder::Parameter(self.function, k)).lengths.insert(number, 100);
            }
        }
        let mut seen = Seen::default();
        body.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                expr.walk(&mut |part| self.expression(part, roles, &mut seen));
            }
            match &stmt.kind {
                StmtKind::Assign { target, value } => self.assignment(target, value, roles, &mut seen),
                StmtKind::Call { callee: Callee::Function(callee), args, .. } => {
                    let holders: Vec<Option<Holder>> = args.iter().map(|arg| self.holder(arg)).collect();
                    let callee_function = &self.program.functions[*callee];
                    match callee_function.body {
                        Some(_) => calls.push(Passed { callee: *callee, args: holders }),
                        None => library(&callee_function.name, &holders, roles),
                    }
                }
                _ => {}
            }
        });
        for (pointer, locals) in &seen.indexed_by {
            for local in locals {
                for number in seen.bounded_by.get(local).into_iter().flatten() {
                    *roles.role(*pointer).lengths.entry(*number).or_default() += 3;
                }
            }
        }
        for pointer in &seen.moved {
            for number in &seen.counted_down {
                *roles.role(*pointer).lengths.entry(*number).or_default() += 1;
            }
        }
    }

    fn expression(&self, part: &Expr, roles: &mut Roles, seen: &mut Seen) {
        match &part.kind {
            ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => self.access(lvalue, roles, seen),
            ExprKind::Binary(BinaryOp::PointerAdd, pointer, index) => {
                if let Some(holder) = self.holder(pointer) {
                    self.index(holder, index, false, roles, seen);
                }
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                if self.is_pointer(a) {
                    let (Some(a), Some(b)) = (self.holder(a), self.holder(b)) else { return };
                    if a != b && *op != BinaryOp::Eq {
                        let (moving, end) =
                            if seen.moved.contains(&b) && !seen.moved.contains(&a) { (b, a) } else { (a, b) };
                        roles.role(moving).end.get_or_insert(end);
                    }
                    return;
                }
                for (index, bound) in [(a, b), (b, a)] {
                    if let Some(number) = self.holder(bound) {
                        for local in locals_in(index) {
                            seen.bounded_by.entry(local).or_default().insert(number);
                        }
                    }
                }
            }
            ExprKind::Convert { value, .. } => {
                let types = &self.program.types;
                let (Some(from), Some(to)) = (types.pointee(value.ty), types.pointee(part.ty)) else { return };
                let is_byte = |ty| types.int_kind(ty).is_some_and(|kind| kind.bytes() == 1);
                // A cast between characters says nothing; from them, or from `void`, it says what they stand for.
                if types.is_void(from)
                    && !types.is_void(to)
                    && types.size_of(to).is_some_and(|size| size > 0)
                    && let Some(holder) = self.holder(value)
                {
                    let role = roles.role(holder);
                    role.leads_to.insert(to);
                    role.is_array |= is_byte(to);
                }
            }
            _ => {}
        }
    }

    /// An element behind a pointer.
    fn access(&self, lvalue: &Lvalue, roles: &mut Roles, seen: &mut Seen) {
        let Base::Deref(pointer) = &lvalue.base else { return };
        if let ExprKind::Binary(BinaryOp::PointerAdd, base, index) = &pointer.kind
            && let Some(holder) = self.holder(base)
        {
            self.index(holder, index, true, roles, seen);
        }
    }

    fn index(&self, pointer: Holder, index: &Expr, is_read: bool, roles: &mut Roles, seen: &mut Seen) {
        let constant = matches!(&index.kind, ExprKind::Int(value) if *value == 0);
        if constant {
            return;
        }
        if is_negative(index) {
            roles.role(pointer).reaches_back = true;
        }
        roles.role(pointer).is_array = true;
        seen.indexed_by.entry(pointer).or_default().extend(locals_in(index));
        if let Some(number) = self.holder(index).filter(|number| *number != pointer) {
            let is_itself = matches!(plain(index).kind, ExprKind::Load(_));
            if is_read && is_itself {
                roles.role(pointer).indices.insert(number);
            }
            *roles.role(pointer).lengths.entry(number).or_default() += 2;
        }
    }

    fn assignment(&self, target: &Lvalue, value: &Expr, roles: &mut Roles, seen: &mut Seen) {
        self.access(target, roles, seen);
        let Some(holder) = self.place(target) else { return };
        match &plain(value).kind {
            ExprKind::Binary(BinaryOp::PointerAdd, from, _) if self.holder(from) == Some(holder) => {
                roles.role(holder).is_array = true;
                seen.moved.insert(holder);
            }
            ExprKind::Binary(BinaryOp::Sub, from, _) if self.holder(from) == Some(holder) => {
                seen.counted_down.insert(holder);
            }
            _ => {}
        }
    }
}

/// What one function shows, to be put together at its end.
#[derive(Default)]
struct Seen {
    indexed_by: BTreeMap<Holder, BTreeSet<LocalId>>,
    bounded_by: BTreeMap<LocalId, BTreeSet<Holder>>,
    moved: BTreeSet<Holder>,
    counted_down: BTreeSet<Holder>,
}

fn plain(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Convert { value, .. } => plain(value),
        _ => expr,
    }
}

/// Whether an index is a constant below zero, or the negative of something.
fn is_negative(index: &Expr) -> bool {
    match &plain(index).kind {
        ExprKind::Int(value) => *value < 0,
        ExprKind::Unary(ir::UnaryOp::Neg, _) => true,
        _ => false,
    }
}

fn locals_in(expr: &Expr) -> Vec<LocalId> {
    let mut found = Vec::new();
    expr.walk(&mut |part| {
        if let ExprKind::Load(lvalue) = &part.kind {
            found.extend(lvalue.as_local());
        }
    });
    found
}

/// What functions of the C library say about their arguments.
fn library(name: &str, args: &[Option<Holder>], roles: &mut Roles) {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let (texts, bounded): (&[usize], &[(usize, usize)]) = match name {
        "memcpy" | "memmove" | "memcmp" | "__memcpy_chk" | "__memmove_chk" => (&[], &[(0, 2), (1, 2)]),
        "memset" | "memchr" | "memrchr" | "__memset_chk" => (&[], &[(0, 2)]),
        "strncmp" | "strncasecmp" | "strncpy" | "strncat" => (&[], &[(0, 2), (1, 2)]),
        "strnlen" | "snprintf" | "vsnprintf" | "fgets" => (&[], &[(0, 1)]),
        "qsort" | "fread" | "fwrite" => (&[], &[(0, 1)]),
        "bsearch" => (&[], &[(1, 2)]),
        "read" | "write" | "send" | "recv" => (&[], &[(1, 2)]),
        "strlen" | "strdup" | "atoi" | "atol" | "atof" | "puts" | "strtol" | "strtoul" | "strtod" | "strtoll"
        | "strtoull" | "strchr" | "strrchr" | "fopen" | "getenv" | "remove" | "printf" => (&[0], &[]),
        "strcmp" | "strcasecmp" | "strcpy" | "strcat" | "strstr" | "strspn" | "strcspn" | "strpbrk" | "strcoll"
        | "rename" | "sscanf" => (&[0, 1], &[]),
        "fputs" => (&[0], &[]),
        "fprintf" => (&[1], &[]),
        _ => return,
    };
    for index in texts {
        if let Some(holder) = args.get(*index).copied().flatten() {
            roles.role(holder).is_text = true;
        }
    }
    for (pointer, number) in bounded {
        let (Some(pointer), Some(number)) =
            (args.get(*pointer).copied().flatten(), args.get(*number).copied().flatten())
        else {
            continue;
        };
        let role = roles.role(pointer);
        role.is_array = true;
        *role.lengths.entry(number).or_default() += 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length_of(text: &str, pointer: usize) -> Option<usize> {
        let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
        let f = program.find_function("f").unwrap();
        let roles = Roles::new(&program);
        match roles.length(Holder::Parameter(f, pointer), |_| true)? {
            Holder::Parameter(_, number) => Some(number),
            _ => None,
        }
    }

    #[test]
    fn lengths_are_seen_in_guards_calls_and_names() {
        for (text, number) in [
            ("int f(int *p, int k, int m) { int s = 0; for (int i = 0; i < m; i++) s += p[i]; return s + k; }", 2),
            ("int f(char *p, unsigned k) { int s = 0; while (k--) s += *p++; return s; }", 1),
            (
                "void *memcpy(void *, const void *, unsigned long);\
              void f(char *p, const char *q, unsigned long k) { memcpy(p, q, k); }",
                2,
            ),
            (
                "static int g(int *p, int k) { int s = 0; for (int i = k - 1; i >= 0; i--) s += p[i]; return s; }\
              int f(int *a, int z, int b) { return g(a, b) + z; }",
                2,
            ),
            ("int f(const unsigned char *data, unsigned long len) { return data[0]; }", 1),
            ("int f(int a[], int n) { return a[n - 1]; }", 1),
            ("int f(const int *items, int at, int count) { return items[at]; }", 2),
            (
                "int h(int k, int *a); int f(int *a, int k) { int *e = a + k; int s = 0; while (a != e) s += *a++; return s; }",
                1,
            ),
        ] {
            assert_eq!(length_of(text, 0), Some(number), "{text}");
        }
        assert_eq!(length_of("int f(struct s *p, int k) { return p != 0 && k; }", 0), None);
    }

    #[test]
    fn what_a_void_pointer_leads_to_and_where_a_pointer_ends() {
        let text = "struct s { int x; }; int f(void *v, const char *p, const char *e) {\
            struct s *s = v; int n = 0; while (p < e) n += *p++; return s->x + n; }";
        let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
        let f = program.find_function("f").unwrap();
        let roles = Roles::new(&program);
        let leads_to = &roles.get(Holder::Parameter(f, 0)).unwrap().leads_to;
        assert!(leads_to.iter().any(|ty| matches!(program.types.get(*ty), Type::Record(_))));
        assert_eq!(roles.get(Holder::Parameter(f, 1)).unwrap().end, Some(Holder::Parameter(f, 2)));
    }
}
