//! From a change to edits of the user's files.
//!
//! What does not change keeps its text: an operator is replaced alone, an operand is copied as it is written, and
//! parentheses are put only where something around could bind to a part of what is new. A statement that is put in gets
//! a line of its own with the indentation of its neighbour, or braces where it stands alone after `if` or `else`.

use super::instantiate::Context;
use super::scope::Scope;
use super::sites::{Form, Place, Site, bare};
use super::template::{Added, Change, Replacement};
use super::text::{self, TextRange};
use cfront::edit::Edit;
use ir::precedence as level;
use ir::{Base, BinaryOp, ExprKind, LocalKind, LogicalOp};
use std::ops::Range;

/// Text and how tightly it binds.
struct Piece {
    text: String,
    level: u8,
}

impl Piece {
    fn at(self, level: u8) -> String {
        if self.level >= level { self.text } else { format!("({})", self.text) }
    }
}

/// The number in C.
pub fn number(value: i128) -> String {
    let long = if i32::try_from(value).is_ok() { "" } else { "L" };
    match value {
        v if v == i128::from(i32::MIN) => "(-2147483647 - 1)".into(),
        v if v == i128::from(i64::MIN) => "(-9223372036854775807L - 1)".into(),
        v => format!("{v}{long}"),
    }
}

impl Context<'_> {
    /// The edits that make a change; `None` if it has no text.
    pub fn edits(&self, change: &Change) -> Option<Vec<Edit>> {
        match change {
            Change::Expression { site, new } => self.expression(self.sites.site(*site), new).map(|edit| vec![edit]),
            Change::Connective { place } => {
                let place = self.sites.place(*place);
                let (range, op) = place.connective.clone()?;
                let other = if op == LogicalOp::And { "||" } else { "&&" };
                Some(vec![Edit { file: place.text.file, range, replacement: other.into() }])
            }
            Change::Swap { place, first, second } => {
                let place = self.sites.place(*place);
                let a = self.argument(place, *first)?;
                let b = self.argument(place, *second)?;
                let replace = |at: &TextRange, by: &TextRange| Edit {
                    file: at.file,
                    range: at.range(),
                    replacement: text::slice(self.program, by).to_string(),
                };
                Some(vec![replace(&a, &b), replace(&b, &a)])
            }
            Change::Remove { place } => Some(vec![self.removal(&self.sites.place(*place).text)]),
            Change::Guard { place, condition } => {
                let place = self.sites.place(*place);
                let condition = self.free_text(place, condition)?.text;
                let own = text::slice(self.program, &place.text);
                let guarded = format!("if ({condition}) {own}");
                let replacement = if self.before_else(&place.text) { format!("{{ {guarded} }}") } else { guarded };
                Some(vec![replace(&place.text, replacement)])
            }
            Change::Insert { place, after, condition, added } => {
                let place = self.sites.place(*place);
                let mut put = self.added_text(place, added)?;
                if let Some(condition) = condition {
                    put = format!("if ({}) {put}", self.free_text(place, condition)?.text);
                }
                Some(vec![self.insertion(&place.text, *after, &put)])
            }
            Change::Constant { constant, value } => {
                let constant = self.sites.constant(*constant);
                let written = text::slice(self.program, &constant.text);
                let replacement = like(written, *value);
                let bare = text::stands_alone(self.program, &constant.text);
                let replacement =
                    if replacement.starts_with('-') && !bare { format!("({replacement})") } else { replacement };
                Some(vec![replace(&constant.text, replacement)])
            }
        }
    }

    fn scope_of(&self, site: &Site) -> &Scope {
        let node = &site.nodes[0];
        self.scope(node.function, node.stmt)
    }

    fn expression(&self, site: &Site, new: &Replacement) -> Option<Edit> {
        let symbol_of = |new: &Replacement| match new {
            Replacement::Binary(op, a, b) if **a == Replacement::Child(0) && **b == Replacement::Child(1) => {
                Some(op.symbol())
            }
            Replacement::Logical(op, a, b) if **a == Replacement::Child(0) && **b == Replacement::Child(1) => {
                Some(if *op == LogicalOp::And { "&&" } else { "||" })
            }
            _ => None,
        };
        let writer = Writer { context: self, scope: self.scope_of(site), site: Some(site) };
        match &site.form {
            Form::Plain => {
                if let (Some(symbol), Some(range)) = (symbol_of(new), &site.operator)
                    && self.keeps_binding(site, new)
                {
                    return Some(Edit { file: site.text.file, range: range.clone(), replacement: symbol.into() });
                }
                let piece = writer.piece(new)?;
                let text = if site.alone || piece.level >= level::POSTFIX || self.binds(site, piece.level) {
                    piece.text
                } else {
                    format!("({})", piece.text)
                };
                Some(replace(&site.text, text))
            }
            Form::Compound { target, .. } => {
                if let (Some(symbol), Some(range)) = (symbol_of(new), &site.operator) {
                    return Some(Edit { file: site.text.file, range: range.clone(), replacement: symbol.into() });
                }
                self.update(site, target, new, &writer)
            }
            Form::Step { target, minus } => {
                let own = text::slice(self.program, &site.text);
                let (from, to) = if *minus { ("--", "++") } else { ("++", "--") };
                let toggled = if *minus { BinaryOp::Add } else { BinaryOp::Sub };
                if *new == Replacement::binary(toggled, Replacement::Child(0), Replacement::Child(1)) {
                    return Some(replace(&site.text, own.replacen(from, to, 1)));
                }
                // What the increment was before is used around it.
                if self.uses_temporary(site) {
                    return None;
                }
                self.update(site, target, new, &writer)
            }
        }
    }

    fn update(&self, site: &Site, target: &TextRange, new: &Replacement, writer: &Writer<'_>) -> Option<Edit> {
        if self.uses_temporary(site) {
            return None;
        }
        let target = text::slice(self.program, target);
        let text = match new {
            Replacement::Binary(op, a, b) if **a == Replacement::Child(0) && !op.is_comparison() => {
                format!("{target} {}= {}", op.symbol(), writer.piece(b)?.text)
            }
            Replacement::Binary(op, a, b)
                if **a == Replacement::Original && matches!(op, BinaryOp::Add | BinaryOp::Sub) =>
            {
                format!("{target} = {} {} {}", writer.original()?.at(10), op.symbol(), writer.piece(b)?.at(11))
            }
            new => format!("{target} = {}", writer.piece(new)?.text),
        };
        Some(replace(&site.text, text))
    }

    fn uses_temporary(&self, site: &Site) -> bool {
        let function = &self.program.functions[site.nodes[0].function];
        let mut found = false;
        bare(&site.expr).walk(&mut |expr| {
            if let ExprKind::Load(lvalue) = &expr.kind
                && let Base::Local(local) = &lvalue.base
            {
                found |= function.locals[*local].kind == LocalKind::Temporary;
            }
        });
        found && matches!(site.form, Form::Step { .. })
    }

    /// Whether another operator binds no looser than the old one, so that its neighbours stay its neighbours.
    fn keeps_binding(&self, site: &Site, new: &Replacement) -> bool {
        let old = match &bare(&site.expr).kind {
            ExprKind::Binary(op, ..) => op.precedence(),
            ExprKind::Logical(LogicalOp::And, ..) => level::AND,
            ExprKind::Logical(LogicalOp::Or, ..) => level::OR,
            _ => return false,
        };
        let new_level = match new {
            Replacement::Binary(op, ..) => op.precedence(),
            Replacement::Logical(LogicalOp::And, ..) => level::AND,
            _ => level::OR,
        };
        if new_level == old {
            return true;
        }
        if let ExprKind::Logical(_, a, b) = &bare(&site.expr).kind {
            // `a && b && c` means the same however it is grouped; only a bare `||` below `&&` does not.
            let is_or = |expr: &ir::Expr| matches!(bare(expr).kind, ExprKind::Logical(LogicalOp::Or, ..));
            let loose = |expr: &ir::Expr, at: Option<&Option<TextRange>>| {
                is_or(expr) && !at.and_then(Option::as_ref).is_some_and(|at| self.in_parentheses(at))
            };
            let whole = site.alone || self.in_parentheses(&site.text);
            return match new_level {
                level::AND => !loose(a, site.children.first()) && !loose(b, site.children.get(1)),
                _ => whole,
            };
        }
        // With another level the operands must hold together by themselves, and so must the whole.
        let held = |at: &Option<TextRange>| {
            at.as_ref().is_some_and(|at| text::is_primary(text::slice(self.program, at)) || self.in_parentheses(at))
        };
        let whole =
            site.alone || self.in_parentheses(&site.text) || text::slice(self.program, &site.text).starts_with('(');
        (new_level > old || whole) && site.children.iter().all(held)
    }

    fn in_parentheses(&self, at: &TextRange) -> bool {
        let file = text::file(self.program, at);
        file[..at.start].trim_end().ends_with('(') && file[at.end..].trim_start().starts_with(')')
    }

    /// Whether a text of this level can stand where the site's text stands.
    fn binds(&self, site: &Site, level: u8) -> bool {
        self.in_parentheses(&site.text) || self.original_level(site) <= level && self.original_level(site) > 0
    }

    /// How tightly the text of a site binds, as far as it is known; 0 if it is not.
    fn original_level(&self, site: &Site) -> u8 {
        let own = text::slice(self.program, &site.text);
        if text::is_primary(own) {
            return level::POSTFIX;
        }
        match &bare(&site.expr).kind {
            ExprKind::Binary(op, ..) => op.precedence(),
            ExprKind::Logical(LogicalOp::And, ..) => level::AND,
            ExprKind::Logical(LogicalOp::Or, ..) => level::OR,
            ExprKind::Unary(..) => level::UNARY,
            ExprKind::Int(_) if own.starts_with('-') => level::UNARY,
            _ => 0,
        }
    }

    fn argument(&self, place: &Place, index: u8) -> Option<TextRange> {
        let function = &self.program.functions[place.function];
        let mut found = None;
        function.body.as_ref()?.walk(&mut |stmt| {
            if stmt.id == place.stmt
                && let ir::StmtKind::Call { args, .. } = &stmt.kind
            {
                found = args.get(usize::from(index)).map(|arg| bare(arg).span);
            }
        });
        text::range(self.program, found?, cfront::edit::InMacro::Refuse)
    }

    fn free_text(&self, place: &Place, new: &Replacement) -> Option<Piece> {
        Writer { context: self, scope: self.scope(place.function, place.stmt), site: None }.piece(new)
    }

    fn added_text(&self, place: &Place, added: &Added) -> Option<String> {
        let scope = self.scope(place.function, place.stmt);
        Some(match added {
            Added::Assign(atom, value) => {
                let name = &scope.atom(*atom).text;
                match value {
                    Replacement::Binary(op, a, b) if **a == Replacement::Atom(*atom) && !op.is_comparison() => {
                        format!("{name} {}= {};", op.symbol(), self.free_text(place, b)?.text)
                    }
                    value => format!("{name} = {};", self.free_text(place, value)?.text),
                }
            }
            Added::Return(value) => {
                let function = &self.program.functions[place.function];
                let result = self.program.types.signature(function.ty)?.result;
                if self.program.types.is_void(result) {
                    "return;".into()
                } else {
                    format!("return {};", self.free_text(place, value)?.text)
                }
            }
            Added::Break => "break;".into(),
            Added::Continue => "continue;".into(),
        })
    }

    fn before_else(&self, at: &TextRange) -> bool {
        text::file(self.program, at)[at.end..].trim_start().starts_with("else")
    }

    /// Whether the statement is one of several in braces, or after a label.
    fn in_block(&self, at: &TextRange) -> bool {
        let before = without_comments(&text::file(self.program, at)[..at.start]);
        before.ends_with(['{', '}', ';', ':']) && !self.before_else(at)
    }

    fn removal(&self, at: &TextRange) -> Edit {
        let file = text::file(self.program, at);
        let line = file[..at.start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = file[at.end..].find('\n').map_or(file.len(), |newline| at.end + newline + 1);
        let alone = file[line..at.start].trim().is_empty() && file[at.end..end].trim().is_empty();
        // A label needs a statement behind it.
        let labelled = without_comments(&file[..at.start]).ends_with(':');
        if alone && self.in_block(at) && !labelled {
            return Edit { file: at.file, range: line..end, replacement: String::new() };
        }
        replace(at, ";".into())
    }

    fn insertion(&self, at: &TextRange, after: bool, put: &str) -> Edit {
        let file = text::file(self.program, at);
        if !self.in_block(at) {
            let own = text::slice(self.program, at);
            let both = if after { format!("{own} {put}") } else { format!("{put} {own}") };
            return replace(at, format!("{{ {both} }}"));
        }
        let line = file[..at.start].rfind('\n').map_or(0, |newline| newline + 1);
        let indent = &file[line..at.start];
        let starts_line = indent.trim().is_empty();
        match (after, starts_line) {
            (false, true) => insert(at, at.start..at.start, format!("{put}\n{indent}")),
            (false, false) => insert(at, at.start..at.start, format!("{put} ")),
            (true, true) => insert(at, at.end..at.end, format!("\n{indent}{put}")),
            (true, false) => insert(at, at.end..at.end, format!(" {put}")),
        }
    }
}

fn replace(at: &TextRange, replacement: String) -> Edit {
    Edit { file: at.file, range: at.range(), replacement }
}

fn insert(at: &TextRange, range: Range<usize>, replacement: String) -> Edit {
    Edit { file: at.file, range, replacement }
}

/// The text up to the last token that is no comment.
fn without_comments(mut before: &str) -> &str {
    loop {
        before = before.trim_end();
        if before.ends_with("*/") {
            let Some(start) = before.rfind("/*") else { return before };
            before = &before[..start];
            continue;
        }
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        match before[line..].find("//") {
            Some(at) => before = &before[..line + at],
            None => return before,
        }
    }
}

/// A number in the manner of what stands there: a character stays one.
fn like(written: &str, value: i128) -> String {
    match u8::try_from(value) {
        Ok(byte) if written.starts_with('\'') && (byte.is_ascii_graphic() || byte == b' ') => match byte {
            b'\'' | b'\\' => format!("'\\{}'", byte as char),
            _ => format!("'{}'", byte as char),
        },
        Ok(b'\n') if written.starts_with('\'') => "'\\n'".into(),
        Ok(0) if written.starts_with('\'') => "'\\0'".into(),
        _ => number(value),
    }
}

struct Writer<'a> {
    context: &'a Context<'a>,
    scope: &'a Scope,
    site: Option<&'a Site>,
}

impl Writer<'_> {
    fn copied(&self, at: &TextRange, known: u8) -> Piece {
        let text = text::slice(self.context.program, at).to_string();
        let level = if text::is_primary(&text) { level::POSTFIX } else { known };
        Piece { text, level }
    }

    fn original(&self) -> Option<Piece> {
        let site = self.site?;
        Some(match &site.form {
            Form::Plain => self.copied(&site.text, self.context.original_level(site)),
            Form::Compound { target, operand } => {
                let ExprKind::Binary(op, ..) = &bare(&site.expr).kind else { return None };
                let level = op.precedence();
                let target = text::slice(self.context.program, target);
                Piece { text: format!("{target} {} {}", op.symbol(), self.copied(operand, 0).at(level + 1)), level }
            }
            Form::Step { target, minus } => {
                let target = text::slice(self.context.program, target);
                Piece { text: format!("{target} {} 1", if *minus { "-" } else { "+" }), level: 10 }
            }
        })
    }

    fn piece(&self, new: &Replacement) -> Option<Piece> {
        Some(match new {
            Replacement::Original => self.original()?,
            Replacement::Child(index) => {
                let site = self.site?;
                match (&site.form, index) {
                    (Form::Compound { target, .. } | Form::Step { target, .. }, 0) => self.copied(target, 0),
                    (Form::Step { .. }, _) => Piece { text: "1".into(), level: level::POSTFIX },
                    _ => {
                        let at = site.children.get(usize::from(*index))?.as_ref()?;
                        // Of the operand only the text is known, unless it holds together by itself.
                        let child = bare(bare(&site.expr).children().into_iter().nth(usize::from(*index))?);
                        let known = match &child.kind {
                            ExprKind::Binary(op, ..) => op.precedence(),
                            ExprKind::Logical(LogicalOp::And, ..) => level::AND,
                            ExprKind::Logical(LogicalOp::Or, ..) => level::OR,
                            ExprKind::Unary(..) => level::UNARY,
                            _ => 0,
                        };
                        self.copied(at, known)
                    }
                }
            }
            Replacement::Atom(id) => {
                let atom = self.scope.atom(*id);
                let level = match &atom.expr.kind {
                    _ if text::is_primary(&atom.text) => level::POSTFIX,
                    ExprKind::Binary(op, ..) => op.precedence(),
                    ExprKind::Logical(LogicalOp::And, ..) => level::AND,
                    ExprKind::Logical(LogicalOp::Or, ..) => level::OR,
                    ExprKind::Unary(..) => level::UNARY,
                    _ => 0,
                };
                Piece { text: atom.text.clone(), level }
            }
            Replacement::Int(value) => {
                let written = self.site.map_or("", |site| text::slice(self.context.program, &site.text));
                let text = like(written, *value);
                let level = if text.starts_with('-') { level::UNARY } else { level::POSTFIX };
                Piece { text, level }
            }
            Replacement::Real(value) => {
                let level = if *value < 0.0 { level::UNARY } else { level::POSTFIX };
                Piece { text: format!("{value:?}"), level }
            }
            Replacement::Hole(_) => return None,
            Replacement::Not(inner) => {
                Piece { text: format!("!{}", self.piece(inner)?.at(level::UNARY)), level: level::UNARY }
            }
            Replacement::Neg(inner) => {
                let inner = self.piece(inner)?.at(level::UNARY);
                let space = if inner.starts_with('-') { " " } else { "" };
                Piece { text: format!("-{space}{inner}"), level: level::UNARY }
            }
            Replacement::Binary(op, a, b) => {
                let level = op.precedence();
                // `x + -1` is written `x - 1`.
                if let (BinaryOp::Add, Replacement::Int(value)) = (op, &**b)
                    && *value < 0
                    && *value > i128::from(i64::MIN)
                {
                    return Some(Piece { text: format!("{} - {}", self.piece(a)?.at(level), number(-value)), level });
                }
                // Mixed comparisons and bit operations are put in parentheses, as compilers advise.
                let least =
                    if matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) { 10 } else { level };
                let (left, right) = (self.piece(a)?.at(least), self.piece(b)?.at(least.max(level + 1)));
                Piece { text: format!("{left} {} {right}", op.symbol()), level }
            }
            Replacement::Logical(op, a, b) => {
                let (symbol, level) = if *op == LogicalOp::And { ("&&", level::AND) } else { ("||", level::OR) };
                let operand = |new: &Replacement, least: u8| {
                    let piece = self.piece(new)?;
                    // `a && b || c` is right and makes readers stumble.
                    let mixed = piece.level != level && (piece.level == level::AND || piece.level == level::OR);
                    Some(piece.at(if mixed { level::POSTFIX } else { least }))
                };
                Piece { text: format!("{} {symbol} {}", operand(a, level)?, operand(b, level + 1)?), level }
            }
            Replacement::Conditional(c, a, b) => {
                let (c, a, b) = (self.piece(c)?, self.piece(a)?, self.piece(b)?);
                let text = format!("{} ? {} : {}", c.at(level::OR), a.at(level::OR), b.at(level::OR));
                Piece { text, level: level::CONDITIONAL }
            }
        })
    }
}
