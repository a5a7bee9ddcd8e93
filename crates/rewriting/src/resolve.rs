//! From rules as written to a [`System`]: names are resolved, sorts inferred, and everything that is wrong is listed
//! with its place.
//!
//! *Checked here*: names, arities, sorts, left-linearity (no variable twice on the left), the constructor discipline
//! (left-hand sides are an operation applied to constructors and variables), variables of the right-hand side.
//! [`crate::check`] adds what needs the whole system: overlaps and termination.

use crate::check;
use crate::code::Code;
use crate::inference::{Class, Classes};
use crate::parse;
use crate::problem::{At, Problem, Severity, bounded};
use crate::raw::{Raw, RawKind, RawRule, RawTerm};
use crate::signature::{Signature, SortId, SymbolId, SymbolKind};
use crate::system::{Pattern, Rule, System};
use crate::term::{Builtin, Head, Store, TermId, VarId};
use crate::tpdb;
use std::collections::{BTreeMap, BTreeSet};

/// What a text of rules says, and what is wrong with it. With an error among the problems the system is what was
/// understood, and not to be used.
#[derive(Clone, Debug)]
pub struct Reading {
    pub system: System,
    /// In the order of the text.
    pub problems: Vec<Problem>,
}

impl Reading {
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }
}

/// Reads the text of a `.rules` file.
pub fn read_rules(text: &str) -> Reading {
    resolve(parse::parse(text), true)
}

/// Reads the text of a `.trs` file in the plain format of TPDB.
pub fn read_trs(text: &str) -> Reading {
    let raw = tpdb::parse(text);
    // `true` and `false` are truth values, unless that does not fit how they are used.
    let reading = resolve(raw.clone(), true);
    if reading.has_errors() {
        let without = resolve(raw, false);
        if !without.has_errors() {
            return without;
        }
    }
    reading
}

fn resolve(raw: Raw, truths: bool) -> Reading {
    let mut resolver = Resolver {
        signature: Signature::new(),
        classes: Classes::default(),
        sorts_of: Vec::new(),
        problems: raw.problems.clone(),
        unsorted: raw.unsorted,
        renamed: if raw.unsorted && !truths { &["true", "false"] } else { &[] },
    };
    resolver.declare_builtins();
    resolver.declare_sorts(&raw);
    resolver.declare_operations(&raw);
    let mut read: Vec<Draft> = Vec::new();
    for rule in &raw.rules {
        read.extend(resolver.rule(rule));
    }
    resolver.finish(read)
}

/// Classes of the arguments and of the result of a symbol.
#[derive(Clone, Debug)]
struct Profile {
    args: Vec<Class>,
    result: Class,
}

struct Resolver {
    signature: Signature,
    classes: Classes,
    /// By symbol.
    sorts_of: Vec<Profile>,
    problems: Vec<Problem>,
    unsorted: bool,
    /// Names that do not mean what is built in.
    renamed: &'static [&'static str],
}

/// A rule whose sorts are not settled.
struct Draft {
    operation: SymbolId,
    patterns: Vec<Pattern>,
    store: Store,
    right: TermId,
    slots: Vec<VarId>,
    at: At,
}

/// The variables of one rule.
#[derive(Default)]
struct Scope {
    slots: Vec<VarId>,
    named: BTreeMap<String, (VarId, Class)>,
    store: Store,
}

/// What a name without rules may be, for `if(...)` and the like.
fn builtin(name: &str) -> Option<(Builtin, usize)> {
    Some(match name {
        "and" => (Builtin::And, 2),
        "or" => (Builtin::Or, 2),
        "not" => (Builtin::Not, 1),
        "if" => (Builtin::If, 3),
        _ => return None,
    })
}

impl Resolver {
    fn error(&mut self, at: At, message: impl Into<String>) {
        self.problems.push(Problem::error(at, message));
    }

    fn error_with_help(&mut self, at: At, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::error(at, message).with_help(help));
    }

    fn declare_builtins(&mut self) {
        for _ in 0..2 {
            let result = self.classes.known(SortId::BOOL);
            self.sorts_of.push(Profile { args: Vec::new(), result });
        }
    }

    /// The name under which a symbol of the text is known.
    fn internal(&self, name: &str) -> String {
        if self.renamed.contains(&name) { format!("{name}#") } else { name.to_string() }
    }

    fn find(&self, name: &str) -> Option<SymbolId> {
        self.signature.find_symbol(&self.internal(name))
    }

    fn add(&mut self, name: &str, kind: SymbolKind, args: Vec<Class>, result: Class, at: At) -> SymbolId {
        let name = self.internal(name);
        // Sorts are filled in at the end; a constructor is listed with `bool` until then.
        let id = self.signature.add_symbol(&name, kind, vec![SortId::BOOL; args.len()], SortId::BOOL, at);
        self.sorts_of.push(Profile { args, result });
        id
    }

    fn sort_named(&mut self, name: &str, at: At) -> SortId {
        if let Some(sort) = self.signature.find_sort(name) {
            return sort;
        }
        let warning = format!("the sort `{name}` is not declared: it is taken as one without constructors");
        let close = self.signature.sorts().map(|(_, sort)| sort.name.clone()).find(|known| is_close(known, name));
        let help = match close {
            Some(known) => format!("did you mean `{known}`? `sort {name}` declares it"),
            None => format!("`sort {name}` declares it"),
        };
        self.problems.push(Problem::warning(at, warning).with_help(help));
        self.signature.add_sort(name)
    }

    fn declare_sorts(&mut self, raw: &Raw) {
        let mut declared = BTreeSet::new();
        for sort in &raw.sorts {
            if sort.name.starts_with(|c: char| c.is_ascii_uppercase()) {
                self.error(sort.at, format!("the name of the sort `{}` should start with a small letter", sort.name));
            }
            let known = self.signature.find_sort(&sort.name);
            if known.is_some_and(|known| known == SortId::BOOL || known == SortId::INT) {
                let names: BTreeSet<&str> = sort.constructors.iter().map(|c| c.name.as_str()).collect();
                let same = sort.name == "bool" && (names.is_empty() || names == BTreeSet::from(["false", "true"]))
                    || sort.name == "int" && names.is_empty();
                if !same {
                    self.error(sort.at, format!("the sort `{}` is built in and has other constructors", sort.name));
                }
            } else if !declared.insert(sort.name.clone()) {
                self.error(sort.at, format!("the sort `{}` is declared twice", sort.name));
            } else {
                self.signature.add_sort(&sort.name);
            }
        }
        for sort in &raw.sorts {
            if sort.name == "bool" || sort.name == "int" {
                continue;
            }
            let Some(own) = self.signature.find_sort(&sort.name) else { continue };
            for constructor in &sort.constructors {
                if constructor.name.starts_with(|c: char| c.is_ascii_uppercase()) {
                    let message = format!("the constructor `{}` should start with a small letter", constructor.name);
                    self.error_with_help(constructor.at, message, "capital letters start variables");
                    continue;
                }
                if let Some(known) = self.find(&constructor.name) {
                    let of = self.classes.sort(self.sorts_of[known.0 as usize].result);
                    let of = of.map_or(String::new(), |sort| format!(" of `{}`", self.signature.sort(sort).name));
                    self.error(constructor.at, format!("`{}` is a constructor{of} already", constructor.name));
                    continue;
                }
                let args = constructor.args.iter().map(|(name, at)| self.sort_named(name, *at)).collect::<Vec<_>>();
                let args = args.into_iter().map(|sort| self.classes.known(sort)).collect();
                let result = self.classes.known(own);
                self.add(&constructor.name, SymbolKind::Constructor, args, result, constructor.at);
            }
        }
    }

    fn declare_operations(&mut self, raw: &Raw) {
        for operation in &raw.operations {
            if self.find(&operation.name).is_some() {
                self.error(operation.at, format!("`{}` is declared twice", operation.name));
                continue;
            }
            let args: Vec<SortId> = operation.args.iter().map(|(name, at)| self.sort_named(name, *at)).collect();
            let args = args.into_iter().map(|sort| self.classes.known(sort)).collect();
            let Some((name, at)) = &operation.result else { continue };
            let result = self.sort_named(name, *at);
            let result = self.classes.known(result);
            self.add(&operation.name, SymbolKind::Operation, args, result, operation.at);
        }
        for rule in &raw.rules {
            if let RawKind::Name(name, args) = &rule.left.kind
                && self.find(name).is_none()
            {
                let args = args.iter().map(|_| self.classes.fresh()).collect();
                let result = self.classes.fresh();
                self.add(name, SymbolKind::Operation, args, result, rule.left.at);
            }
        }
        if self.unsorted {
            for rule in &raw.rules {
                self.declare_constructors(&rule.left);
                self.declare_constructors(&rule.right);
            }
        }
    }

    /// In a file without sorts, what starts no left-hand side is a constructor.
    fn declare_constructors(&mut self, term: &RawTerm) {
        let RawKind::Name(name, args) = &term.kind else { return };
        args.iter().for_each(|arg| self.declare_constructors(arg));
        if self.find(name).is_none() {
            let args = args.iter().map(|_| self.classes.fresh()).collect();
            let result = self.classes.fresh();
            self.add(name, SymbolKind::Constructor, args, result, term.at);
        }
    }

    fn unify(&mut self, found: Class, wanted: Class, at: At, what: &str) {
        if let Err((found, wanted)) = self.classes.unify(found, wanted) {
            let name = |sort: SortId| self.signature.sort(sort).name.clone();
            let message = format!("{what} should be of sort `{}` and is of sort `{}`", name(wanted), name(found));
            self.error(at, message);
        }
    }

    /// Nothing if the rule cannot be used at all; that is among the problems then.
    fn rule(&mut self, rule: &RawRule) -> Option<Draft> {
        let before = self.problems.len();
        let RawKind::Name(name, args) = &rule.left.kind else {
            self.error_with_help(
                rule.left.at,
                "the left-hand side of a rule should be an operation with its arguments",
                "for example `left(tree(_, L, _)) -> L`",
            );
            return None;
        };
        let operation = self.find(name)?;
        if self.signature.is_constructor(operation) {
            self.error_with_help(
                rule.left.at,
                format!("`{name}` is a constructor and cannot have rules"),
                "a rule says what an operation does; its name must not be among the constructors of a sort",
            );
            return None;
        }
        let profile = self.sorts_of[operation.0 as usize].clone();
        if !self.has_arity(name, rule.left.at, args.len(), profile.args.len()) {
            return None;
        }
        let mut scope = Scope::default();
        let mut patterns = Vec::new();
        for (index, (arg, class)) in args.iter().zip(&profile.args).enumerate() {
            patterns.push(self.pattern(arg, *class, &mut scope, &format!("argument {} of `{name}`", index + 1))?);
        }
        let (right, class) = self.term(&rule.right, &mut scope)?;
        self.unify(class, profile.result, rule.right.at, &format!("the result of `{name}`"));
        let failed = self.problems[before..].iter().any(|problem| problem.severity == Severity::Error);
        let Scope { slots, store, .. } = scope;
        (!failed).then_some(Draft { operation, patterns, store, right, slots, at: rule.left.at })
    }

    fn has_arity(&mut self, name: &str, at: At, given: usize, wanted: usize) -> bool {
        if given != wanted {
            let arguments = |n: usize| if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") };
            self.error(at, format!("`{name}` has {} elsewhere and {} here", arguments(wanted), arguments(given)));
        }
        given == wanted
    }

    fn pattern(&mut self, term: &RawTerm, class: Class, scope: &mut Scope, what: &str) -> Option<Pattern> {
        match &term.kind {
            RawKind::Anything => {
                let var = scope.store.fresh("", SortId::BOOL);
                scope.slots.push(var);
                Some(Pattern::Slot(scope.slots.len() as u32 - 1))
            }
            RawKind::Var(name) => {
                if scope.named.contains_key(name) {
                    self.error_with_help(
                        term.at,
                        format!("the variable `{name}` occurs twice on the left: the rule is not left-linear"),
                        "use two variables, and compare them on the right: `if(X == Y, ..., ...)`",
                    );
                    return None;
                }
                let var = scope.store.fresh(name, SortId::BOOL);
                scope.slots.push(var);
                scope.named.insert(name.clone(), (var, class));
                Some(Pattern::Slot(scope.slots.len() as u32 - 1))
            }
            RawKind::Int(value) => {
                let int = self.classes.known(SortId::INT);
                self.unify(int, class, term.at, what);
                Some(Pattern::Int(*value))
            }
            RawKind::Builtin(..) => {
                self.error_with_help(
                    term.at,
                    "an operator stands among the arguments on the left: these are constructors and variables only",
                    "compute on the right-hand side",
                );
                None
            }
            RawKind::Name(name, args) => {
                let Some(symbol) = self.find(name) else {
                    self.error_with_help(
                        term.at,
                        format!("`{name}` is not a constructor"),
                        if args.is_empty() {
                            "variables start with a capital letter; constructors are declared with their sort"
                        } else {
                            "constructors are declared with their sort: `sort list = nil | cons(elem, list)`"
                        },
                    );
                    return None;
                };
                if !self.signature.is_constructor(symbol) {
                    self.error_with_help(
                        term.at,
                        format!("the operation `{name}` stands among the arguments on the left"),
                        "arguments on the left are constructors and variables only",
                    );
                    return None;
                }
                let profile = self.sorts_of[symbol.0 as usize].clone();
                if !self.has_arity(name, term.at, args.len(), profile.args.len()) {
                    return None;
                }
                self.unify(profile.result, class, term.at, what);
                let mut inner = Vec::new();
                for (index, (arg, class)) in args.iter().zip(&profile.args).enumerate() {
                    inner.push(self.pattern(arg, *class, scope, &format!("argument {} of `{name}`", index + 1))?);
                }
                Some(Pattern::Constructor(symbol, inner))
            }
        }
    }

    fn term(&mut self, term: &RawTerm, scope: &mut Scope) -> Option<(TermId, Class)> {
        match &term.kind {
            RawKind::Anything => {
                self.error(term.at, "`_` has no value on the right-hand side");
                None
            }
            RawKind::Var(name) => match scope.named.get(name) {
                Some(&(var, class)) => Some((scope.store.var(var), class)),
                None => {
                    self.error(term.at, format!("the variable `{name}` does not occur on the left"));
                    None
                }
            },
            RawKind::Int(value) => Some((scope.store.int(*value), self.classes.known(SortId::INT))),
            RawKind::Builtin(builtin, args) => self.builtin_term(*builtin, args, scope),
            RawKind::Name(name, args) => {
                let Some(symbol) = self.find(name) else {
                    if let Some((builtin, arity)) = builtin(name).filter(|_| !self.unsorted) {
                        if !self.has_arity(name, term.at, args.len(), arity) {
                            return None;
                        }
                        return self.builtin_term(builtin, args, scope);
                    }
                    let help = match self.signature.symbols().find(|(_, symbol)| is_close(&symbol.name, name)) {
                        Some((_, symbol)) => format!("did you mean `{}`?", symbol.name),
                        None => "constructors are declared with their sort, operations by their rules".to_string(),
                    };
                    self.error_with_help(term.at, format!("`{name}` is neither a constructor nor has it rules"), help);
                    return None;
                };
                let profile = self.sorts_of[symbol.0 as usize].clone();
                if !self.has_arity(name, term.at, args.len(), profile.args.len()) {
                    return None;
                }
                let mut inner = Vec::new();
                for (index, (arg, wanted)) in args.iter().zip(&profile.args).enumerate() {
                    let (value, class) = self.term(arg, scope)?;
                    self.unify(class, *wanted, arg.at, &format!("argument {} of `{name}`", index + 1));
                    inner.push(value);
                }
                Some((scope.store.apply(&self.signature, symbol, &inner), profile.result))
            }
        }
    }

    fn builtin_term(&mut self, builtin: Builtin, args: &[RawTerm], scope: &mut Scope) -> Option<(TermId, Class)> {
        let mut values = Vec::new();
        let mut classes = Vec::new();
        for arg in args {
            let (value, class) = self.term(arg, scope)?;
            values.push(value);
            classes.push((class, arg.at));
        }
        let (truth, int) = (self.classes.known(SortId::BOOL), self.classes.known(SortId::INT));
        let result = match builtin {
            Builtin::And | Builtin::Or | Builtin::Not => {
                classes.iter().for_each(|(class, at)| self.unify(*class, truth, *at, "an operand of a connective"));
                truth
            }
            Builtin::If => {
                self.unify(classes[0].0, truth, classes[0].1, "the condition");
                self.unify(classes[2].0, classes[1].0, classes[2].1, "the second choice");
                classes[1].0
            }
            Builtin::Eq => {
                self.unify(classes[1].0, classes[0].0, classes[1].1, "the other side of the comparison");
                truth
            }
            Builtin::Lt | Builtin::Le => {
                classes.iter().for_each(|(class, at)| self.unify(*class, int, *at, "an operand of a comparison"));
                truth
            }
            _ => {
                classes.iter().for_each(|(class, at)| self.unify(*class, int, *at, "an operand of arithmetic"));
                int
            }
        };
        Some((scope.store.make(Head::Builtin(builtin), &values), result))
    }

    fn finish(mut self, drafts: Vec<Draft>) -> Reading {
        self.settle_sorts();
        let mut system = System::new(self.signature);
        for draft in drafts {
            let result = Code::new(&draft.store, draft.right, &draft.slots);
            let (slots, at) = (draft.slots.len(), draft.at);
            system.add_rule(Rule { operation: draft.operation, patterns: draft.patterns, result, slots, at });
        }
        system.finish();
        let mut problems = self.problems;
        if !problems.iter().any(|problem| problem.severity == Severity::Error) {
            problems.extend(check::problems(&system));
        }
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Reading { system, problems: bounded(problems) }
    }

    /// Gives every symbol its sorts. What nothing determines is one sort `term` in a file without sorts, and an open
    /// sort of its own elsewhere.
    fn settle_sorts(&mut self) {
        let profiles = self.sorts_of.clone();
        let mut everything = None;
        let mut number = 0;
        for (index, profile) in profiles.into_iter().enumerate() {
            let id = SymbolId(index as u32);
            let mut sorts = Vec::new();
            for class in profile.args.iter().chain([&profile.result]) {
                if let Some(sort) = self.classes.sort(*class) {
                    sorts.push(sort);
                    continue;
                }
                let sort = if self.unsorted {
                    *everything.get_or_insert_with(|| self.signature.add_sort("term"))
                } else {
                    number += 1;
                    self.signature.add_sort(&format!("?{number}"))
                };
                self.classes.set(*class, sort);
                sorts.push(sort);
            }
            let result = sorts.pop().expect("a symbol should have a result sort");
            self.signature.set_sorts(id, sorts, result);
            let symbol = self.signature.symbol(id).clone();
            let is_truth = id == SymbolId::FALSE || id == SymbolId::TRUE;
            if symbol.kind == SymbolKind::Constructor && symbol.result == SortId::BOOL && !is_truth {
                self.error(symbol.at, format!("`{}` is used as a truth value and is no such", symbol.name));
            }
        }
    }
}

/// Whether one is the other with a letter changed, added or left out.
fn is_close(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a.len().min(b.len()) < 3 {
        return false;
    }
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    start + end + 1 >= a.len().max(b.len())
}
