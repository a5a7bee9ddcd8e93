//! C behind the user's own text: functions that call a function and look at what it did.
//!
//! For a function `f` there are, with its parameters,
//!
//! | name | what |
//! |---|---|
//! | `plumb_look_f` | calls it and shows the numbers before and after, in trace points by case |
//! | `plumb_check_f` | calls it where the requirements hold and prints the numbers of the clauses that do not |
//! | `plumb_prove_f` | assumes the requirements, calls it, claims the clauses |
//! | `plumb_stand_in_f` | claims the requirements, changes what it may change, assumes the clauses |
//!
//! The old value of term `i` is `plumb_o<i>`, the new one `plumb_n<i>`, the result `plumb_r`.

use crate::assigned::Assigned;
use crate::vocabulary::{Shape, Term};
use exec::ValueType;
use ir::{Function, FunctionId, Program, Type};
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub const LOOK: &str = "plumb_look_";
pub const CHECK: &str = "plumb_check_";
pub const PROVE: &str = "plumb_prove_";
pub const PROVE_COPIED: &str = "plumb_prove_copied_";
pub const STAND_IN: &str = "plumb_stand_in_";

/// Whether a function of this name is one of ours.
pub fn is_ours(name: &str) -> bool {
    [LOOK, CHECK, PROVE, STAND_IN].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a statement of a harness keeps an old or new value of a term.
pub fn is_kept(harness: &Function, stmt: &ir::Stmt) -> bool {
    let ir::StmtKind::Assign { target, .. } = &stmt.kind else { return false };
    let name = target.as_local().map_or("", |local| harness.locals[local].name.as_str());
    let number = name.strip_prefix("plumb_o").or_else(|| name.strip_prefix("plumb_n"));
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// What a check prints before the number of a clause that did not hold, and at its end.
pub const BROKEN: &str = "plumb: broken ";
/// The same for one that says something of this call.
pub const MET: &str = "plumb: met ";
pub const DONE: &str = "plumb: done";
/// What the compiled program prints before each of its calls.
pub const CALL: &str = "plumb: call";

/// How far from a call's own values a clause looks. What is nearer comes first in a harness: reading what a call has
/// released, or what a result leads to that is no object, ends the run, and may not end it before other clauses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reach {
    /// At numbers and pointers that parameters, variables and the result are.
    Near,
    /// At what a parameter leads to.
    BehindParameter,
    BehindResult,
}

const REACHES: [Reach; 3] = [Reach::Near, Reach::BehindParameter, Reach::BehindResult];

/// A parameter of which proofs take a copy.
#[derive(Clone, PartialEq, Debug)]
pub struct Copied {
    pub name: String,
    /// The declaration of the copy.
    pub declaration: String,
}

impl Copied {
    pub fn new(program: &Program, function: &Function, name: &str, to: ir::TypeId) -> Copied {
        let declaration = ir::c_declaration(program, Some(function), to, &format!("plumb_copy_{name}"));
        Copied { name: name.to_string(), declaration }
    }
}

/// Declarations that the harnesses need.
pub const PRELUDE: &str = concat!(
    "extern void __VERIFIER_assume(int);\nextern void __VERIFIER_assert(int);\n",
    "extern _Bool __VERIFIER_nondet_bool(void);\nextern char __VERIFIER_nondet_char(void);\n",
    "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern short __VERIFIER_nondet_short(void);\n",
    "extern unsigned short __VERIFIER_nondet_ushort(void);\nextern int __VERIFIER_nondet_int(void);\n",
    "extern unsigned __VERIFIER_nondet_uint(void);\nextern long __VERIFIER_nondet_long(void);\n",
    "extern unsigned long __VERIFIER_nondet_ulong(void);\nextern long long __VERIFIER_nondet_longlong(void);\n",
    "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\n",
    "extern float __VERIFIER_nondet_float(void);\nextern double __VERIFIER_nondet_double(void);\n",
);

/// A function as harnesses call it.
#[derive(Clone, Debug)]
pub struct Subject {
    pub function: FunctionId,
    /// The file that defines it, by number.
    pub unit: usize,
    pub name: String,
    /// The name in those of harnesses: functions of one name may stand in several files.
    pub key: String,
    parameters: String,
    arguments: String,
    /// The type of the result as C writes it; none for `void`.
    result: Option<String>,
    pub terms: Vec<Term>,
    /// Expressions that the user's clauses ask about the state before the call.
    pub asked: Vec<String>,
    /// Parameters that the requirements say are not null.
    pub needed: BTreeSet<String>,
}

/// A case that clauses are looked for in.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// In ACSL; empty for all calls.
    pub text: String,
    pub c: String,
}

impl Subject {
    /// A reason, as a clause, where a function cannot be called from C of ours.
    pub fn new(
        program: &Program,
        function: FunctionId,
        unit: usize,
        named: &[ir::GlobalId],
    ) -> Result<Subject, &'static str> {
        let about = &program.functions[function];
        let signature = program.types.signature(about.ty).ok_or("it has no type of a function")?;
        if signature.variadic {
            return Err("it takes any number of arguments");
        }
        if signature.unprototyped && !about.params.is_empty() {
            return Err("it is defined without a prototype");
        }
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        for param in &about.params {
            let local = &about.locals[*param];
            if local.name.is_empty() {
                return Err("a parameter has no name");
            }
            parameters.push(declaration(program, about, local.ty, &local.name)?);
            arguments.push(local.name.clone());
        }
        let result = match program.types.is_void(signature.result) {
            true => None,
            false => Some(declaration(program, about, signature.result, "")?),
        };
        Ok(Subject {
            function,
            unit,
            name: about.name.clone(),
            key: format!("{}_{}", function.as_u32(), about.name),
            parameters: if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") },
            arguments: arguments.join(", "),
            result,
            terms: crate::vocabulary::terms(program, function, named),
            asked: Vec::new(),
            needed: BTreeSet::new(),
        })
    }

    /// The types of the objects that are looked at behind parameters.
    pub fn looked_at(&self) -> BTreeSet<ir::TypeId> {
        let behind = self.terms.iter().filter(|term| !term.of_result).flat_map(|term| &term.needs);
        let pointers = behind.filter_map(|need| self.terms.iter().find(|term| term.c == *need));
        pointers.filter_map(|term| if let Shape::Pointer(to) = term.ty { Some(to) } else { None }).collect()
    }

    /// Leaves out what is behind pointers to objects that a call may release.
    pub fn forget_released(&mut self, assigned: &Assigned) {
        let leads = |name: &String| self.terms.iter().find(|term| term.c == *name).map(|term| term.ty);
        let stays = |term: &Term| {
            term.needs.iter().all(|need| matches!(leads(need), Some(Shape::Pointer(to)) if !assigned.may_release(to)))
        };
        self.terms = self.terms.iter().filter(|term| stays(term)).cloned().collect();
    }

    /// The declaration with the names of the parameters.
    pub fn signature(&self, program: &Program) -> String {
        let about = &program.functions[self.function];
        let result = program.types.signature(about.ty).map_or(about.ty, |signature| signature.result);
        ir::c_declaration(program, Some(about), result, &format!("{}({})", self.name, self.parameters))
    }

    /// The number of an expression whose old value is wanted.
    pub fn ask(&mut self, expression: String) -> usize {
        let known = self.asked.iter().position(|known| *known == expression);
        known.unwrap_or_else(|| {
            self.asked.push(expression);
            self.asked.len() - 1
        })
    }

    fn open(&self, prefix: &str, result: &str) -> String {
        format!("static {result} {prefix}{}({}) {{\n", self.key, self.parameters)
    }

    /// Declares the old values.
    fn olds(&self) -> String {
        let mut text = String::new();
        for (number, term) in self.terms.iter().enumerate().filter(|(_, term)| !term.of_result) {
            let _ = writeln!(text, "    {} = {};", self.declared(term, 'o', number), read(term));
        }
        for (number, asked) in self.asked.iter().enumerate() {
            let _ = writeln!(text, "    __typeof__({asked}) plumb_u{number} = {asked};");
        }
        text
    }

    /// Declares the new values of terms that look so far; those of parameters are the old ones.
    fn news(&self, reach: Reach) -> String {
        let mut text = String::new();
        let wanted = |(_, term): &(usize, &Term)| term.c != "plumb_r" && term_reach(term) == reach;
        for (number, term) in self.terms.iter().enumerate().filter(wanted) {
            let value = if term.is_parameter { format!("plumb_o{number}") } else { read(term) };
            let _ = writeln!(text, "    {} = {value};", self.declared(term, 'n', number));
        }
        text
    }

    fn all_news(&self) -> String {
        REACHES.iter().map(|reach| self.news(*reach)).collect()
    }

    /// How far a clause looks after the call.
    pub fn reach(&self, clause: &str) -> Reach {
        let names = clause.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let of_term = |name: &str| {
            let number = name.strip_prefix("plumb_n")?.parse::<usize>().ok()?;
            self.terms.get(number).map(term_reach)
        };
        let of_terms = names.filter_map(of_term).max().unwrap_or(Reach::Near);
        // The user's clauses look themselves.
        let looks = ["->", "[", "*"].iter().any(|way| clause.contains(way)) && !clause.contains("plumb_n");
        match looks {
            true if clause.contains("plumb_r") => Reach::BehindResult,
            true => of_terms.max(Reach::BehindParameter),
            false => of_terms,
        }
    }

    /// The statements behind a call: what is read and the clauses, from near to far. Clauses come in this order.
    fn behind_call<'c>(
        &self,
        clauses: impl Iterator<Item = &'c str> + Clone,
        said: impl Fn(usize, &str) -> String,
    ) -> String {
        let mut text = String::new();
        for reach in REACHES {
            text += &self.news(reach);
            for (number, clause) in clauses.clone().enumerate().filter(|(_, clause)| self.reach(clause) == reach) {
                text += &said(number, clause);
            }
        }
        text
    }

    fn declared(&self, term: &Term, which: char, number: usize) -> String {
        match term.ty {
            Shape::Number(ty) => format!("{} plumb_{which}{number}", ty.c_name()),
            Shape::Pointer(_) => format!("const void *plumb_{which}{number}"),
        }
    }

    fn call(&self) -> String {
        match &self.result {
            None => format!("    {}({});\n", self.name, self.arguments),
            Some(ty) => {
                let declared = declared_as(ty, "plumb_r");
                format!("    {declared} = {}({});\n", self.name, self.arguments)
            }
        }
    }

    /// The cases that a result tells apart.
    pub fn cases(&self) -> Vec<Case> {
        let case = |text: &str, c: &str| Case { text: text.to_string(), c: c.to_string() };
        let mut cases = vec![case("", "1")];
        let result = self.terms.iter().find(|term| term.c == "plumb_r");
        match result.map(|term| term.ty) {
            Some(Shape::Number(ty)) if ty.is_int() => {
                cases.push(case("\\result == 0", "plumb_r == 0"));
                if is_signed(ty) {
                    cases.push(case("\\result < 0", "plumb_r < 0"));
                    cases.push(case("\\result > 0", "plumb_r > 0"));
                } else {
                    cases.push(case("\\result != 0", "plumb_r != 0"));
                }
            }
            Some(Shape::Pointer(_)) => {
                cases.push(case("\\result == \\null", "plumb_r == 0"));
                cases.push(case("\\result != \\null", "plumb_r != 0"));
            }
            _ => {}
        }
        cases
    }

    /// Shows the numbers, in one trace point for each case.
    pub fn look(&self, assumed: &[String]) -> String {
        let mut text = self.open(LOOK, "void");
        for condition in assumed {
            let _ = writeln!(text, "    __VERIFIER_assume({condition});");
        }
        text += &self.olds();
        text += &self.call();
        text += &self.all_news();
        for (number, case) in self.cases().iter().enumerate() {
            let shown = self.shown(case);
            if shown.is_empty() {
                continue;
            }
            let mut needs: Vec<String> = shown.iter().flat_map(|(_, term)| self.needs(term)).collect();
            needs.sort();
            needs.dedup();
            let condition: Vec<String> = std::iter::once(case.c.clone()).chain(needs).collect();
            let values: Vec<String> = shown.iter().map(|(name, _)| name.clone()).collect();
            let _ = writeln!(
                text,
                "    if ({}) vtrace_{}_{number}({});",
                condition.join(" && "),
                self.key,
                values.join(", ")
            );
        }
        let declarations: String =
            (0..self.cases().len()).map(|n| format!("extern void vtrace_{}_{n}();\n", self.key)).collect();
        declarations + &text + "}\n"
    }

    /// The variables that a case shows, with their terms.
    pub fn shown(&self, case: &Case) -> Vec<(String, &Term)> {
        let mut shown = Vec::new();
        let is_whole = |(_, term): &(usize, &Term)| term.number().is_some_and(|ty| ty.is_int());
        for (number, term) in self.terms.iter().enumerate().filter(is_whole) {
            if term.c == "plumb_r" {
                shown.push(("plumb_r".to_string(), term));
                continue;
            }
            // What hangs on the result is there only where the result is.
            if term.of_result && case.c != "plumb_r != 0" {
                continue;
            }
            if !term.of_result && (term.changes || term.is_parameter) {
                shown.push((format!("plumb_o{number}"), term));
            }
            if !term.is_parameter {
                shown.push((format!("plumb_n{number}"), term));
            }
        }
        shown
    }

    /// What must not be null for a term to have a value, before and after the call.
    pub fn needs(&self, term: &Term) -> Vec<String> {
        let mut needs = Vec::new();
        for pointer in &term.needs {
            match self.terms.iter().position(|known| known.c == *pointer) {
                _ if pointer == "plumb_r" => needs.push("plumb_r != 0".to_string()),
                Some(number) if self.terms[number].is_parameter => needs.push(format!("plumb_o{number} != 0")),
                Some(number) if self.terms[number].of_result => needs.push(format!("plumb_n{number} != 0")),
                Some(number) => {
                    needs.push(format!("plumb_o{number} != 0"));
                    needs.push(format!("plumb_n{number} != 0"));
                }
                None => needs.push("0".to_string()),
            }
        }
        needs
    }

    /// Tells which clauses do not hold. A call that does not meet the requirements says nothing.
    pub fn check(&self, requires: &[String], clauses: &[(Option<String>, String)]) -> String {
        let mut text = self.open(CHECK, "void");
        for condition in requires {
            let _ = writeln!(text, "    if (!({condition})) return;");
        }
        text += &self.olds();
        text += &self.call();
        text += &self.behind_call(clauses.iter().map(|(_, clause)| clause.as_str()), |number, clause| {
            let met = clauses[number].0.as_ref();
            let met = met.map(|when| format!("    if ({when}) __builtin_printf(\"\\n{MET}{number}\\n\");\n"));
            format!("    if (!({clause})) __builtin_printf(\"\\n{BROKEN}{number}\\n\");\n{}", met.unwrap_or_default())
        });
        let _ = writeln!(text, "    __builtin_printf(\"\\n{DONE}\\n\");\n}}");
        text
    }

    /// Claims the clauses where the requirements hold.
    ///
    /// With `copied`, pointers that lead to one object are replaced by pointers to a copy of it, which is the object
    /// that reasoning follows.
    pub fn prove(&self, requires: &[String], clauses: &[String], copied: &[Copied]) -> String {
        let prefix = if copied.is_empty() { PROVE } else { PROVE_COPIED };
        let mut text = self.open(prefix, "void");
        for Copied { name, declaration } in copied {
            // The parameter itself keeps its name in what is shown of inputs.
            let _ = writeln!(text, "    __VERIFIER_assume({name} != 0);");
            let _ = writeln!(text, "    {declaration} = *{name};");
        }
        if !copied.is_empty() {
            text += "    {\n";
        }
        for Copied { name, .. } in copied {
            let _ = writeln!(text, "    __typeof__(&plumb_copy_{name}) {name} = &plumb_copy_{name};");
        }
        for condition in requires {
            let _ = writeln!(text, "    __VERIFIER_assume({condition});");
        }
        text += &self.olds();
        text += &self.call();
        text += &self
            .behind_call(clauses.iter().map(String::as_str), |_, clause| format!("    __VERIFIER_assert({clause});\n"));
        text + if copied.is_empty() { "}\n" } else { "    }\n}\n" }
    }

    /// Does what the contract allows: claims the requirements, gives anything to what may change and to the result, and
    /// assumes the clauses. None where that has no text: a result or a place that is no number, or a place that is no
    /// single object.
    pub fn stand_in(&self, requires: &[String], clauses: &[String], changed: &[(String, ValueType)]) -> Option<String> {
        let result = self.terms.iter().find(|term| term.c == "plumb_r").map(|term| term.number());
        let given = match (&self.result, result) {
            (None, _) => None,
            (Some(_), Some(Some(ty))) => Some(ty),
            _ => return None,
        };
        let mut text = self.open(STAND_IN, self.result.as_deref().unwrap_or("void"));
        for condition in requires {
            let _ = writeln!(text, "    __VERIFIER_assert({condition});");
        }
        text += &self.olds();
        for (place, ty) in changed {
            let _ = writeln!(text, "    {place} = {};", anything(*ty)?);
        }
        if let Some(ty) = given {
            let _ = writeln!(text, "    {} plumb_r = {};", ty.c_name(), anything(ty)?);
        }
        text += &self
            .behind_call(clauses.iter().map(String::as_str), |_, clause| format!("    __VERIFIER_assume({clause});\n"));
        Some(text + if given.is_some() { "    return plumb_r;\n}\n" } else { "}\n" })
    }
}

/// Any value of a type, in the words of the competition on verification.
fn anything(ty: ValueType) -> Option<String> {
    use ir::{FloatKind, IntKind};
    let name = match ty {
        ValueType::Int(IntKind::Bool) => "bool",
        ValueType::Int(IntKind::Char | IntKind::SChar | IntKind::PlainUChar) => "char",
        ValueType::Int(IntKind::UChar) => "uchar",
        ValueType::Int(IntKind::Short) => "short",
        ValueType::Int(IntKind::UShort) => "ushort",
        ValueType::Int(IntKind::Int) => "int",
        ValueType::Int(IntKind::UInt) => "uint",
        ValueType::Int(IntKind::Long) => "long",
        ValueType::Int(IntKind::ULong) => "ulong",
        ValueType::Int(IntKind::LongLong) => "longlong",
        ValueType::Int(IntKind::ULongLong) => "ulonglong",
        ValueType::Float(FloatKind::Float) => "float",
        ValueType::Float(FloatKind::Double) => "double",
        _ => return None,
    };
    Some(format!("__VERIFIER_nondet_{name}()"))
}

/// A name declared with a type that is written without one.
fn declared_as(ty: &str, name: &str) -> String {
    format!("__typeof__({ty}) {name}")
}

fn declaration(program: &Program, function: &Function, ty: ir::TypeId, name: &str) -> Result<String, &'static str> {
    if names_unnamed(program, ty) {
        return Err("a type of its signature has no name");
    }
    Ok(ir::c_declaration(program, Some(function), ty, name))
}

/// Whether a type is made of a record that C has no name for.
fn names_unnamed(program: &Program, ty: ir::TypeId) -> bool {
    match program.types.get(ty) {
        Type::Pointer { to, .. } => names_unnamed(program, *to),
        Type::Array { of, .. } => names_unnamed(program, *of),
        Type::Record(record) => {
            let record = &program.types.records[*record];
            record.name.is_empty() && record.alias.is_empty()
        }
        Type::Function(signature) => {
            names_unnamed(program, signature.result)
                || signature.params.iter().any(|param| names_unnamed(program, *param))
        }
        _ => false,
    }
}

fn term_reach(term: &Term) -> Reach {
    match (term.needs.is_empty(), term.of_result) {
        (true, _) => Reach::Near,
        (false, false) => Reach::BehindParameter,
        (false, true) => Reach::BehindResult,
    }
}

/// The value of a term, zero where it has none.
fn read(term: &Term) -> String {
    if term.needs.is_empty() {
        return term.c.clone();
    }
    format!("({}) ? {} : 0", term.needs.join(" && "), term.c)
}

fn is_signed(ty: ValueType) -> bool {
    matches!(ty, ValueType::Int(kind) if kind.is_signed())
}
