//! Reads the text form that [`print`](crate::print_program) writes; the grammar stands there.
//!
//! A text is read in three rounds, because names may be used before they are declared: the first finds the
//! declarations and their names, the second the types of globals, functions and locals, the third initialisers and
//! bodies.
//!
//! *Guarantee*: any text gives a program or an error with its place, and nesting deeper than [`MAX_DEPTH`] is an
//! error. The program need not be well-formed; that is [`verify`](crate::verify)'s question.

mod body;
mod lexer;

use crate::ctype::{FloatKind, IntKind, Length, Signature, Type, TypeId};
use crate::layout::{BitRange, Field, Packing, Record, RecordId, RecordKind};
use crate::print::{GLOBAL_KINDS, float_type_name, global_kind_name, int_type_name};
use crate::program::{
    Function, FunctionId, Global, GlobalId, GlobalKind, InitItem, InitValue, Initializer, Label, LabelId, Linkage,
    Local, LocalId, LocalKind, Program,
};
use cranelift_entity::PrimaryMap;
use diagnostics::Span;
use lexer::{Name, Sigil, Token};
use std::collections::HashMap;
use std::fmt;

/// How deep types, expressions and blocks may nest in each other. A test thread's stack of 2 MB holds at least twice
/// as much in a debug build.
pub const MAX_DEPTH: u32 = 500;

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Both counted from 1; columns in bytes.
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl ParseError {
    fn at(text: &str, offset: usize, message: String) -> ParseError {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
        let line = before.iter().filter(|b| **b == b'\n').count() as u32 + 1;
        ParseError { line, column: (before.len() - line_start) as u32 + 1, message }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

type Parsed<T> = Result<T, ParseError>;

/// The program a text describes. It has no spans and no sources.
pub fn parse_program(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser::new(text, lexer::tokens(text)?);
    parser.keyword("program")?;
    let version = parser.count("the version of the text form")?;
    if version != 1 {
        return parser.error_before(format!("this reads version 1 of the text form, not {version}"));
    }
    if parser.accept_word("data") {
        parser.data_model()?;
    }
    let items = parser.find_items()?;
    let mut bodies = Vec::new();
    for item in &items {
        parser.at = item.start;
        match item.kind {
            ItemKind::Record(id) => parser.record(id)?,
            ItemKind::Global(id) => parser.global_type(id)?,
            ItemKind::Function(id) => parser.function_head(id)?,
        }
        bodies.push(parser.at);
    }
    for (item, at) in items.iter().zip(bodies) {
        parser.at = at;
        match item.kind {
            ItemKind::Record(_) => {}
            ItemKind::Global(id) => parser.global_init(id)?,
            ItemKind::Function(id) => parser.function_body(id)?,
        }
        if parser.at != item.end {
            return parser.unexpected("another declaration");
        }
    }
    Ok(parser.program)
}

enum ItemKind {
    Record(RecordId),
    Global(GlobalId),
    Function(FunctionId),
}

/// A declaration: from the token after its name to the one after its end.
struct Item {
    kind: ItemKind,
    start: usize,
    end: usize,
}

/// The names of one kind of thing, by id.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    by_name: HashMap<String, Vec<u32>>,
}

impl Names {
    fn add(&mut self, name: &str) {
        self.by_name.entry(name.to_string()).or_default().push(self.names.len() as u32);
        self.names.push(name.to_string());
    }

    fn resolve(&self, noun: &str, name: &Name) -> Result<u32, String> {
        match name.index {
            Some(index) => match self.names.get(index as usize) {
                None => Err(format!("there is no {noun} #{index}")),
                Some(known) if !name.name.is_empty() && name.name != *known => {
                    Err(format!("{noun} #{index} is `{known}`, not `{}`", name.name))
                }
                Some(_) => Ok(index),
            },
            None => match self.by_name.get(&name.name).map(Vec::as_slice) {
                None => Err(format!("there is no {noun} `{}`", name.name)),
                Some([index]) => Ok(*index),
                Some(several) => {
                    Err(format!("there are {} {noun}s `{}`: add `#` and the number", several.len(), name.name))
                }
            },
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: u32,
    program: Program,
    record_names: Names,
    global_names: Names,
    function_names: Names,
    // Of the function being read:
    local_names: Names,
    label_names: Names,
    locals: Option<PrimaryMap<LocalId, Local>>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: Vec<(Token, usize)>) -> Parser<'t> {
        Parser {
            text,
            tokens,
            at: 0,
            depth: 0,
            program: Program::new(),
            record_names: Names::default(),
            global_names: Names::default(),
            function_names: Names::default(),
            local_names: Names::default(),
            label_names: Names::default(),
            locals: None,
        }
    }

    // Tokens.

    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].0
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::at(self.text, self.tokens[self.at].1, message.into()))
    }

    /// An error about the token just read.
    fn error_before<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::at(self.text, self.tokens[self.at.saturating_sub(1)].1, message.into()))
    }

    fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        self.error(format!("expected {expected}, found {}", self.peek().describe()))
    }

    fn is_punct(&self, punct: &str) -> bool {
        matches!(self.peek(), Token::Punct(p) if *p == punct)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Ident(w) if w == word)
    }

    fn accept(&mut self, punct: &str) -> bool {
        let found = self.is_punct(punct);
        if found {
            self.next();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    fn punct(&mut self, punct: &str) -> Parsed<()> {
        if self.accept(punct) { Ok(()) } else { self.unexpected(&format!("`{punct}`")) }
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    fn count(&mut self, what: &str) -> Parsed<u64> {
        if let Token::Number { digits, suffix: None } = self.peek()
            && let Ok(value) = digits.parse()
        {
            self.next();
            return Ok(value);
        }
        self.unexpected(what)
    }

    fn string(&mut self, what: &str) -> Parsed<String> {
        let Token::Str(bytes) = self.peek() else { return self.unexpected(what) };
        match String::from_utf8(bytes.clone()) {
            Ok(text) => {
                self.next();
                Ok(text)
            }
            Err(_) => self.error("the string should be UTF-8"),
        }
    }

    /// Runs `read` one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return self.error(format!("nested more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    // Names.

    fn reference(&mut self, sigil: Sigil) -> Parsed<u32> {
        let name = match self.peek() {
            Token::Ref(found, name) if *found == sigil => name,
            _ => return self.unexpected(&format!("a {}", sigil.noun())),
        };
        let names = match sigil {
            Sigil::Local => &self.local_names,
            Sigil::Global => &self.global_names,
            Sigil::Function => &self.function_names,
            Sigil::Label => &self.label_names,
        };
        match names.resolve(sigil.noun(), name) {
            Ok(index) => {
                self.next();
                Ok(index)
            }
            Err(message) => self.error(message),
        }
    }

    fn local(&mut self) -> Parsed<LocalId> {
        self.reference(Sigil::Local).map(LocalId::from_u32)
    }

    fn label(&mut self) -> Parsed<LabelId> {
        self.reference(Sigil::Label).map(LabelId::from_u32)
    }

    /// The name in a declaration; a number, if written, should be the one it gets.
    fn declared(&mut self, sigil: Sigil, next: usize) -> Parsed<String> {
        match self.peek() {
            Token::Ref(found, name) if *found == sigil => {
                if name.index.is_some_and(|index| index as usize != next) {
                    return self.error(format!("this {} has the number #{next}", sigil.noun()));
                }
                let name = name.name.clone();
                self.next();
                Ok(name)
            }
            _ => self.unexpected(&format!("the name of a {}", sigil.noun())),
        }
    }

    /// What follows `struct` or `union`.
    fn record_name(&mut self) -> Parsed<Name> {
        let dotted = self.accept(".");
        let name = match self.peek() {
            Token::Ident(word) => {
                let word = if dotted { format!(".{word}") } else { word.clone() };
                self.next();
                word
            }
            Token::Str(_) if !dotted => self.string("the name of a record")?,
            Token::Hash(_) if !dotted => String::new(),
            _ => return self.unexpected("the name of a record"),
        };
        let index = if let Token::Hash(index) = *self.peek() {
            self.next();
            Some(index)
        } else {
            None
        };
        Ok(Name { name, index })
    }

    // The first round.

    fn find_items(&mut self) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        while *self.peek() != Token::End {
            let Token::Ident(word) = self.peek() else { return self.unexpected("a declaration") };
            let word = word.clone();
            let kind = if word == "struct" || word == "union" {
                self.next();
                let name = self.record_name()?;
                let next = self.program.types.records.len();
                if name.index.is_some_and(|index| index as usize != next) {
                    return self.error_before(format!("this record has the number #{next}"));
                }
                self.record_names.add(&name.name);
                let kind = if word == "union" { RecordKind::Union } else { RecordKind::Struct };
                ItemKind::Record(self.program.types.records.push(Record::declared(kind, name.name, Span::NONE)))
            } else if let Some(kind) = GLOBAL_KINDS.into_iter().find(|kind| global_kind_name(*kind) == word) {
                self.next();
                let name = self.declared(Sigil::Global, self.program.globals.len())?;
                self.global_names.add(&name);
                ItemKind::Global(self.program.globals.push(self.empty_global(name, kind)))
            } else if word == "fn" {
                self.next();
                let name = self.declared(Sigil::Function, self.program.functions.len())?;
                self.function_names.add(&name);
                ItemKind::Function(self.program.functions.push(self.empty_function(name)))
            } else {
                return self.unexpected("`struct`, `union`, `global`, `fn` or another declaration");
            };
            let start = self.at;
            self.skip_item()?;
            items.push(Item { kind, start, end: self.at });
        }
        Ok(items)
    }

    /// Moves past the `;` or the `}` that ends a declaration.
    fn skip_item(&mut self) -> Parsed<()> {
        let mut open = 0u32;
        loop {
            match self.peek() {
                Token::End => return self.unexpected("the end of the declaration"),
                Token::Punct("{") => open += 1,
                Token::Punct("}") if open <= 1 => break,
                Token::Punct("}") => open -= 1,
                Token::Punct(";") if open == 0 => break,
                _ => {}
            }
            self.next();
        }
        self.next();
        Ok(())
    }

    fn empty_global(&self, name: String, kind: GlobalKind) -> Global {
        Global {
            name,
            ty: self.program.types.void(),
            kind,
            linkage: Linkage::External,
            is_const: false,
            is_volatile: false,
            init: None,
            span: Span::NONE,
        }
    }

    fn empty_function(&self, name: String) -> Function {
        Function::declared(name, self.program.types.void(), Linkage::External, Span::NONE)
    }

    // The second round.

    fn record(&mut self, id: RecordId) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        if self.accept_word("alias") {
            let Token::Ident(alias) = self.peek() else { return self.unexpected("the name of a type") };
            self.program.types.records[id].alias = alias.clone();
            self.next();
        }
        self.keyword("size")?;
        let size = self.count("a size in bytes")?;
        self.keyword("align")?;
        let align = self.count("an alignment in bytes")?;
        self.punct("{")?;
        let mut fields = Vec::new();
        while !self.accept("}") {
            let offset = self.count("the offset of a field or `}`")?;
            let bits = self.bits()?;
            let name = match self.peek() {
                Token::Ident(word) => {
                    let word = word.clone();
                    self.next();
                    word
                }
                Token::Str(_) => self.string("the name of a field")?,
                _ => String::new(),
            };
            self.punct(":")?;
            let ty = self.ty()?;
            let is_const = self.accept_word("const");
            self.punct(";")?;
            fields.push(Field { name, ty, offset, bits, is_const, span: Span::NONE });
        }
        let record = &mut self.program.types.records[id];
        (record.size, record.align, record.fields) = (size, align, Some(fields));
        Ok(())
    }

    fn bits(&mut self) -> Parsed<Option<BitRange>> {
        if !self.accept_word("bits") {
            return Ok(None);
        }
        let offset = self.count("the first bit")?;
        self.punct("+")?;
        let width = self.count("a number of bits")?;
        match u32::try_from(width) {
            Ok(width) => Ok(Some(BitRange { offset, width })),
            Err(_) => self.error_before("too many bits"),
        }
    }

    fn linkage(&mut self) -> Parsed<Linkage> {
        if !self.accept_word("static") {
            return Ok(Linkage::External);
        }
        self.punct("(")?;
        let unit = self.count("the number of a translation unit")?;
        let Ok(unit) = u32::try_from(unit) else { return self.error_before("the number is too large") };
        self.punct(")")?;
        Ok(Linkage::Internal { unit })
    }

    fn global_type(&mut self, id: GlobalId) -> Parsed<()> {
        self.punct(":")?;
        let ty = self.ty()?;
        let is_const = self.accept_word("const");
        let is_volatile = self.accept_word("volatile");
        let linkage = self.linkage()?;
        let global = &mut self.program.globals[id];
        (global.ty, global.is_const, global.is_volatile, global.linkage) = (ty, is_const, is_volatile, linkage);
        Ok(())
    }

    fn function_head(&mut self, id: FunctionId) -> Parsed<()> {
        self.enter(id);
        self.punct(":")?;
        let ty = self.ty()?;
        let linkage = self.linkage()?;
        let noreturn = self.accept_word("noreturn");
        let mut locals = PrimaryMap::new();
        let mut params = Vec::new();
        loop {
            let kind = match self.peek() {
                Token::Ident(word) if word == "param" => LocalKind::Parameter,
                Token::Ident(word) if word == "var" => LocalKind::Variable,
                Token::Ident(word) if word == "temp" => LocalKind::Temporary,
                _ => break,
            };
            self.next();
            let name = self.declared(Sigil::Local, locals.len())?;
            self.punct(":")?;
            let ty = self.ty()?;
            let is_const = self.accept_word("const");
            let is_volatile = self.accept_word("volatile");
            let local = Local { name, ty, kind, is_const, is_volatile, declared_length: None, span: Span::NONE };
            let id = locals.push(local);
            if kind == LocalKind::Parameter {
                params.push(id);
            }
        }
        let function = &mut self.program.functions[id];
        (function.ty, function.linkage, function.noreturn) = (ty, linkage, noreturn);
        (function.params, function.locals) = (params, locals);
        Ok(())
    }

    /// Makes the names of the function's locals known: those declared, or in the second round those to come.
    fn enter(&mut self, id: FunctionId) {
        self.local_names = Names::default();
        self.label_names = Names::default();
        let known = &self.program.functions[id].locals;
        for local in known.values() {
            self.local_names.add(&local.name);
        }
        if !known.is_empty() {
            return;
        }
        let mut previous = &Token::End;
        for (token, _) in &self.tokens[self.at..] {
            match (previous, token) {
                (_, Token::Punct("{" | ";") | Token::End) => break,
                (Token::Ident(word), Token::Ref(Sigil::Local, name))
                    if word == "param" || word == "var" || word == "temp" =>
                {
                    self.local_names.add(&name.name);
                }
                _ => {}
            }
            previous = token;
        }
    }

    // The third round, but for the bodies themselves.

    fn global_init(&mut self, id: GlobalId) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        if !self.accept("=") {
            return self.unexpected("`=` or `;`");
        }
        self.punct("{")?;
        let mut items = Vec::new();
        while !self.accept("}") {
            if !items.is_empty() {
                self.punct(",")?;
            }
            let offset = self.count("the offset of an item")?;
            let bits = self.bits()?;
            self.punct(":")?;
            let value = if let Token::Str(bytes) = self.peek() {
                let value = InitValue::Bytes(bytes.clone());
                self.next();
                value
            } else {
                InitValue::Expr(self.expr()?)
            };
            items.push(InitItem { offset, bits, value });
        }
        self.program.globals[id].init = Some(Initializer { items });
        Ok(())
    }

    fn function_body(&mut self, id: FunctionId) -> Parsed<()> {
        self.enter(id);
        self.locals = Some(self.program.functions[id].locals.clone());
        while self.accept_word("length") {
            let local = self.local()?;
            self.punct("=")?;
            let length = self.expr()?;
            self.program.functions[id].locals[local].declared_length = Some(length);
        }
        while self.accept_word("label") {
            let name = self.declared(Sigil::Label, self.program.functions[id].labels.len())?;
            self.label_names.add(&name);
            self.program.functions[id].labels.push(Label { name, span: Span::NONE });
        }
        if !self.accept(";") {
            if !self.is_punct("{") {
                return self.unexpected("`label`, `;` or a body");
            }
            self.program.functions[id].body = Some(self.block()?);
        }
        self.locals = None;
        self.program.functions[id].number_statements();
        Ok(())
    }

    // Types.

    fn ty(&mut self) -> Parsed<TypeId> {
        self.nested(Self::ty_inner)
    }

    fn ty_inner(&mut self) -> Parsed<TypeId> {
        if self.accept("*") {
            let to_const = self.accept_word("const");
            let to = self.ty()?;
            return Ok(self.program.types.intern(Type::Pointer { to, to_const }));
        }
        if self.accept("[") {
            let length = match self.peek() {
                Token::Punct("]") => Length::Unknown,
                // By number alone any local will do: whether it exists is the verifier's question.
                Token::Ref(Sigil::Local, Name { name, index: Some(index) }) if name.is_empty() => {
                    let index = *index;
                    self.next();
                    Length::Variable(LocalId::from_u32(index))
                }
                Token::Ref(..) => Length::Variable(self.local()?),
                _ => Length::Fixed(self.count("a length, a local or `]`")?),
            };
            self.punct("]")?;
            let of = self.ty()?;
            return Ok(self.program.types.intern(Type::Array { of, length }));
        }
        let Token::Ident(word) = self.peek() else { return self.unexpected("a type") };
        let word = word.clone();
        self.next();
        if let Some(ty) = self.scalar_type(&word) {
            return Ok(ty);
        }
        match word.as_str() {
            "struct" | "union" => {
                let name = self.record_name()?;
                let index = match self.record_names.resolve("record", &name) {
                    Ok(index) => index,
                    Err(message) => return self.error_before(message),
                };
                let id = RecordId::from_u32(index);
                if (word == "union") != (self.program.types.records[id].kind == RecordKind::Union) {
                    return self.error_before(format!("record #{index} is not a {word}"));
                }
                Ok(self.program.types.intern(Type::Record(id)))
            }
            "fn" => {
                self.punct("(")?;
                let mut signature = Signature {
                    result: self.program.types.void(),
                    params: Vec::new(),
                    variadic: false,
                    unprototyped: false,
                };
                let mut first = true;
                while !self.accept(")") {
                    if !first {
                        self.punct(",")?;
                    }
                    first = false;
                    if self.accept("...") {
                        signature.variadic = true;
                    } else if self.accept("?") {
                        signature.unprototyped = true;
                    } else if signature.variadic || signature.unprototyped {
                        return self.unexpected("`)`");
                    } else {
                        let param = self.ty()?;
                        signature.params.push(param);
                    }
                }
                self.punct("->")?;
                signature.result = self.ty()?;
                Ok(self.program.types.intern(Type::Function(signature)))
            }
            _ => self.error_before(format!("`{word}` is not a type")),
        }
    }

    /// What follows `data`.
    fn data_model(&mut self) -> Parsed<()> {
        loop {
            let Token::Ident(word) = self.next() else { return self.error_before("expected a part of the data model") };
            let is_switch = self.program.data.switches().iter().any(|(name, _)| *name == word);
            match word.as_str() {
                "wchar" => {
                    let ty = self.ty()?;
                    let Some(kind) = self.program.types.int_kind(ty) else {
                        return self.error_before("`wchar_t` is an integer type");
                    };
                    self.program.data.wchar = kind;
                }
                "pack" => self.program.data.packing = Packing::AtMost(self.count("a number of bytes")?),
                "packed" => self.program.data.packing = Packing::Packed,
                _ if is_switch => {
                    let on = self.count("0 or 1")? != 0;
                    for (name, switch) in self.program.data.switches() {
                        if name == word {
                            *switch = on;
                        }
                    }
                }
                _ => return self.error_before(format!("`{word}` is no part of the data model")),
            }
            if !self.accept(",") {
                return self.punct(";");
            }
        }
    }

    fn scalar_type(&self, word: &str) -> Option<TypeId> {
        let types = &self.program.types;
        if word == "void" {
            return Some(types.void());
        }
        let int = IntKind::ALL.into_iter().find(|kind| int_type_name(*kind) == word).map(|kind| types.int(kind));
        let floats = [FloatKind::Float, FloatKind::Double, FloatKind::Extended];
        int.or_else(|| floats.into_iter().find(|kind| float_type_name(*kind) == word).map(|kind| types.float(kind)))
    }
}
