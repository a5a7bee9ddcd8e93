//! Conventions of existing programs, by the names of functions that nobody defines.
//!
//! | what | names |
//! |---|---|
//! | a claim | `assert` (without its header too), `__assert_fail`, `__VERIFIER_assert`, `__CPROVER_assert` with its `precondition` and `postcondition`, `__ESBMC_assert` |
//! | a place that must not be reached | `reach_error`, `__VERIFIER_error` |
//! | an assumption | `vassume`, `assume`, `__VERIFIER_assume`, `__CPROVER_assume`, `__ESBMC_assume` |
//! | an input | `__VERIFIER_nondet_int()` and its kin, `nondet_int()`, `__CPROVER_nondet_int()`, with the type they are declared with |
//! | a trace | DIG's `vtrace` |
//!
//! A function of the program's own that happens to have such a name is an ordinary function. DIG's are recognised
//! even so, because its files define them with empty bodies; one that does something is an ordinary function.

use super::call::Pending;
use super::scope::Entity;
use super::{Lowered, Lowerer, Stop};
use crate::order::Deed;
use diagnostics::Span;
use ir::{
    AssertKind, Block, Callee, Expr, FunctionId, IntKind, Intrinsic, Linkage, Local, LocalKind, Program, Stmt,
    StmtKind, TracePoint, TypeId,
};
use lang_c::ast::*;
use lang_c::span::Node;

impl<'u> Lowerer<'u, '_> {
    /// The called function's name, if it is one that no unit defines and no local hides.
    fn free_name(&self, node: &CallExpression) -> Option<(&'u str, bool)> {
        let Expression::Identifier(name) = &node.callee.node else { return None };
        let name = self.src.name(name);
        if matches!(self.names.get(name), Some(Entity::Local(_) | Entity::Static { .. })) {
            return None;
        }
        Some((name, self.src.defines(name)))
    }

    /// Lowers a call that states something instead of doing something. Answers whether it was one.
    pub(super) fn convention_call(&mut self, node: &CallExpression, span: Span) -> Lowered<bool> {
        let Some((name, defined)) = self.free_name(node) else { return Ok(false) };
        let args = &node.arguments;
        if let (Some(kind), Some(claim), false) = (claim_kind(name, args.len()), args.first(), defined) {
            let text = self.source_text(claim.span).to_string();
            let cond = self.claim(claim)?;
            self.note(Deed::Claim, span);
            self.emit(StmtKind::Assert { cond, kind, text }, span);
            return Ok(true);
        }
        if defined && self.src.acting.contains(name) {
            return Ok(false);
        }
        match (name, args.as_slice(), defined) {
            ("__assert_fail" | "__assert_rtn", [text, ..], false) => {
                let text = self.claim_text(text);
                let cond = self.false_value(span);
                self.note(Deed::Claim, span);
                self.emit(StmtKind::Assert { cond, kind: AssertKind::Assert, text }, span);
            }
            ("reach_error" | "__VERIFIER_error", [], false) => {
                let cond = self.false_value(span);
                let text = format!("{name}()");
                self.note(Deed::Claim, span);
                self.emit(StmtKind::Assert { cond, kind: AssertKind::ReachError, text }, span);
            }
            ("vassume", [claim], _)
            | ("__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "assume", [claim], false)
            | ("__builtin_assume", [claim], _) => {
                let cond = self.condition(claim)?;
                self.note(Deed::Claim, span);
                self.emit(StmtKind::Assume(cond), span);
            }
            (name, args, _) if is_trace(name) => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    let mark = self.mark();
                    let value = self.rvalue(arg)?;
                    let value = self.require_scalar(value, "a traced value")?;
                    let mut earlier: Vec<Expr> = Vec::new();
                    if self.mark() > mark {
                        earlier.extend(values.iter().map(|(_, value): &(String, Expr)| value.clone()));
                        self.keep_all(&mut earlier, mark);
                        for (slot, kept) in values.iter_mut().zip(earlier) {
                            slot.1 = kept;
                        }
                    }
                    values.push((self.source_text(arg.span).to_string(), value));
                }
                self.emit(StmtKind::Trace(TracePoint { name: name.to_string(), values }), span);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `__VERIFIER_nondet_int()` and its kin, with the type they are declared with.
    pub(super) fn nondet_call(&mut self, node: &CallExpression, span: Span) -> Lowered<Option<Pending>> {
        let Some((name, false)) = self.free_name(node) else { return Ok(None) };
        let Some(suffix) = nondet_suffix(name) else { return Ok(None) };
        if !node.arguments.is_empty() {
            return Ok(None);
        }
        let declared = match self.names.get(name) {
            Some(Entity::Symbol(id)) => self.program.types.signature(self.symbol(id).qual.ty).map(|s| s.result),
            _ => self.nondet_type(suffix),
        };
        // Without a declaration, C before 1999 takes it for `int`.
        let implicit = || matches!(suffix, "").then(|| self.program.types.int(IntKind::Int));
        let Some(result) = declared.or_else(implicit) else {
            return self.fail(span, format!("`{name}` needs a declaration that gives its type"));
        };
        self.check_supported(result)?;
        if self.program.types.is_void(result) {
            return self.fail(span, format!("`{name}` is declared to return nothing"));
        }
        Ok(Some(Pending { callee: Callee::Intrinsic(Intrinsic::Nondet), args: Vec::new(), result }))
    }

    fn nondet_type(&self, suffix: &str) -> Option<TypeId> {
        let types = &self.program.types;
        Some(match suffix {
            "bool" | "_Bool" => types.int(IntKind::Bool),
            "char" => types.int(self.program.data.char_kind()),
            "uchar" => types.int(IntKind::UChar),
            "short" => types.int(IntKind::Short),
            "ushort" => types.int(IntKind::UShort),
            "int" => types.int(IntKind::Int),
            "uint" | "unsigned" | "u32" => types.int(IntKind::UInt),
            "long" => types.int(IntKind::Long),
            "ulong" | "size_t" => types.int(IntKind::ULong),
            "longlong" => types.int(IntKind::LongLong),
            "ulonglong" => types.int(IntKind::ULongLong),
            "int128" => types.int(IntKind::Int128),
            "uint128" => types.int(IntKind::UInt128),
            "float" => types.float(ir::FloatKind::Float),
            "double" => types.float(ir::FloatKind::Double),
            _ => return None,
        })
    }

    fn false_value(&self, span: Span) -> Expr {
        Expr::int(0, self.program.types.int(IntKind::Int), span)
    }

    fn claim_text(&mut self, node: &Node<Expression>) -> String {
        match &node.node {
            Expression::StringLiteral(literal) => match self.string_text(literal) {
                Ok(text) => String::from_utf8_lossy(&text.bytes()).into_owned(),
                Err(_) => String::new(),
            },
            _ => self.source_text(node.span).to_string(),
        }
    }

    /// Says that a part of the text has no model. What it asserts is kept, so that no claim of a program is lost: control
    /// does not come there, but it is there.
    pub(super) fn give_up(&mut self, what: String, span: Span) {
        self.emit(StmtKind::Unsupported(what), span);
        let (start, end) = (span.lo.saturating_sub(self.src.base), span.hi.saturating_sub(self.src.base));
        let text = self.src.text.get(start as usize..end as usize).unwrap_or("");
        // What was lowered before the part that has no model is there already.
        let lowered = self.frame.stmts.iter().filter(|stmt| span.contains(stmt.span));
        let lowered = lowered.filter(|stmt| matches!(stmt.kind, StmtKind::Assert { .. })).count();
        for stated in stated_in(text).into_iter().skip(lowered) {
            let defined = self.src.defines(stated.name);
            // A definition in the program says for itself what it claims.
            if !defined {
                let at = Span::new(span.lo + stated.start as u32, span.lo + stated.end as u32);
                let cond = self.false_value(at);
                self.emit(StmtKind::Assert { cond, kind: stated.kind, text: stated.text }, at);
            }
        }
    }

    /// The call of `__assert_fail` that an expression is, below casts.
    fn failing_call<'t>(&self, node: &'t Node<Expression>) -> Option<&'t CallExpression> {
        match &node.node {
            Expression::Call(call) => match self.free_name(&call.node) {
                Some(("__assert_fail" | "__assert_rtn", false)) => Some(&call.node),
                _ => None,
            },
            Expression::Cast(cast) => self.failing_call(&cast.node.expression),
            _ => None,
        }
    }

    /// What is claimed. A claim without a model stays one, about a value that may be any.
    fn claim(&mut self, node: &Node<Expression>) -> Lowered<Expr> {
        match self.condition(node) {
            Err(Stop::Unsupported(what)) => {
                let int = self.program.types.int(IntKind::Int);
                Ok(self.unknown(what, int, self.src.span(node.span)))
            }
            other => other,
        }
    }

    fn emit_assert(&mut self, claim: &Node<Expression>, call: &CallExpression, span: Span) -> Lowered<()> {
        let cond = self.claim(claim)?;
        let text = call.arguments.first().map(|text| self.claim_text(text)).unwrap_or_default();
        self.note(Deed::Claim, span);
        self.emit(StmtKind::Assert { cond, kind: AssertKind::Assert, text }, span);
        Ok(())
    }

    /// `e ? (void) 0 : __assert_fail(..)`, one of the two forms of glibc's `assert`.
    pub(super) fn assert_conditional(&mut self, node: &ConditionalExpression, span: Span) -> Lowered<bool> {
        let Some(call) = self.failing_call(&node.else_expression) else { return Ok(false) };
        if !is_nothing(&node.then_expression) {
            return Ok(false);
        }
        self.emit_assert(&node.condition, call, span)?;
        Ok(true)
    }

    /// `if (e) ; else __assert_fail(..);`, the other form.
    pub(super) fn assert_statement(&mut self, node: &IfStatement, span: Span) -> Lowered<bool> {
        let Statement::Expression(None) = node.then_statement.node else { return Ok(false) };
        let Some(Statement::Expression(Some(otherwise))) = node.else_statement.as_ref().map(|s| &s.node) else {
            return Ok(false);
        };
        let Some(call) = self.failing_call(otherwise) else { return Ok(false) };
        self.emit_assert(&node.condition, call, span)?;
        Ok(true)
    }
}

/// An assertion that is only seen in the text.
struct Stated<'t> {
    name: &'t str,
    kind: AssertKind,
    text: String,
    start: usize,
    end: usize,
}

/// The assertions in a text: calls by name. The first argument of `__assert_fail` is the claim as a string.
fn stated_in(text: &str) -> Vec<Stated<'_>> {
    let mut found = Vec::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = 0;
    while let Some(length) = text[rest..].find(is_word) {
        let start = rest + length;
        let end = text[start..].find(|c| !is_word(c)).map_or(text.len(), |length| start + length);
        let name = &text[start..end];
        let kind = match name {
            "__assert_fail" | "__assert_rtn" => Some(AssertKind::Assert),
            "__VERIFIER_assert"
            | "__CPROVER_assert"
            | "__ESBMC_assert"
            | "__CPROVER_precondition"
            | "__CPROVER_postcondition" => Some(AssertKind::Verifier),
            "reach_error" | "__VERIFIER_error" => Some(AssertKind::ReachError),
            _ => None,
        };
        if let Some(kind) = kind {
            let first = text[end..].trim_start().strip_prefix('(').unwrap_or("").trim_start();
            let claim = match kind {
                AssertKind::Assert => first.strip_prefix('"').map(up_to_quote),
                AssertKind::Verifier => Some(up_to_close(first)),
                AssertKind::ReachError => Some(format!("{name}()")),
            };
            found.push(Stated { name, kind, text: claim.unwrap_or_else(|| name.to_string()), start, end });
        }
        rest = end;
    }
    found
}

/// A string literal without its quotes, with the two escapes that a claim turned into a string has.
fn up_to_quote(text: &str) -> String {
    let mut claim = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => break,
            '\\' => claim.extend(rest.next()),
            c => claim.push(c),
        }
    }
    claim
}

/// The text before the parenthesis that closes the one before it.
fn up_to_close(text: &str) -> String {
    let mut depth = 0;
    let end = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    text[..end.unwrap_or(text.len())].trim().to_string()
}

/// The kind of claim that a call with so many arguments states. The second argument of the tools' own ones is a text for
/// people.
fn claim_kind(name: &str, arguments: usize) -> Option<AssertKind> {
    match (name, arguments) {
        ("assert", 1) => Some(AssertKind::Assert),
        ("__VERIFIER_assert", 1) => Some(AssertKind::Verifier),
        ("__CPROVER_assert" | "__ESBMC_assert" | "__CPROVER_precondition" | "__CPROVER_postcondition", 1 | 2) => {
            Some(AssertKind::Verifier)
        }
        _ => None,
    }
}

/// Gives the functions that claim, and that the program calls otherwise than by their plain names, bodies that claim: through
/// a pointer, or with arguments that they do not usually have, a claim is one all the same.
pub fn claim_in_bodies(program: &mut Program) {
    let int = program.types.int(IntKind::Int);
    let claiming: Vec<(FunctionId, AssertKind, bool)> = program
        .functions
        .iter()
        .filter(|(_, function)| function.body.is_none() && function.linkage == Linkage::External)
        .filter_map(|(id, function)| match function.name.as_str() {
            "reach_error" | "__VERIFIER_error" => Some((id, AssertKind::ReachError, true)),
            "__assert_fail" | "__assert_rtn" | "__assert_perror_fail" => Some((id, AssertKind::Assert, true)),
            name => claim_kind(name, 1).map(|kind| (id, kind, false)),
        })
        .collect();
    for (id, kind, always_fails) in claiming {
        let params = program.types.signature(program.functions[id].ty).map(|signature| signature.params.clone());
        let function = &mut program.functions[id];
        let span = function.span;
        for ty in params.unwrap_or_default() {
            let (kind, name) = (LocalKind::Parameter, String::new());
            let (is_const, is_volatile, declared_length) = (false, false, None);
            let local = Local { name, ty, kind, is_const, is_volatile, declared_length, span };
            function.params.push(function.locals.push(local));
        }
        let mut stmts = Vec::new();
        if !always_fails {
            let what = format!("a call of `{}` that is not written as one", function.name);
            stmts.push(Stmt::new(StmtKind::Unsupported(what), span));
        }
        let text = format!("{}()", function.name);
        stmts.push(Stmt::new(StmtKind::Assert { cond: Expr::int(0, int, span), kind, text }, span));
        function.body = Some(Block { stmts, ..Block::default() });
        function.number_statements();
    }
}

/// What the name of a function says of the type of the input that it answers with.
fn nondet_suffix(name: &str) -> Option<&str> {
    ["__VERIFIER_nondet_", "__CPROVER_nondet_", "nondet_"].into_iter().find_map(|prefix| name.strip_prefix(prefix)).or(
        match name {
            "nondet" => Some(""),
            _ => None,
        },
    )
}

/// `vtrace`, `vtrace1`, `vtrace_post`.
fn is_trace(name: &str) -> bool {
    name.strip_prefix("vtrace").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

/// `(void) 0`, or a constant.
fn is_nothing(node: &Node<Expression>) -> bool {
    match &node.node {
        Expression::Cast(cast) => is_nothing(&cast.node.expression),
        Expression::Constant(_) => true,
        _ => false,
    }
}
