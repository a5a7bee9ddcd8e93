//! The parser's state and its smallest steps: looking at a token, taking it, refusing it.
//!
//! The grammar is in the files named for what they yield. It looks ahead instead of going back, so that its time is linear;
//! what it has to know about names is in [`Names`]. Lists of large nodes grow on stacks of the parser's own and move to a
//! vector of the right size at their end: the tree is most of the memory that the front end touches.

use super::names::{NameId, Names};
use super::shape::{NONE, Shape, shape};
use super::tokens::{Kind, Token, tokens};
use lang_c::ast::{BlockItem, Enumerator, Identifier, InitializerListItem, ParameterDeclaration, StructDeclaration};
use lang_c::span::{Node, Span};

/// Why a text is not parsed: the index of the token that cannot stand there, and what could.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    pub token: usize,
    pub wanted: Wanted,
}

/// What was to be found where a text was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// In words.
    These(&'static str),
    /// A type, by itself or to begin a declaration with.
    Type(&'static str),
    /// A number that is one.
    Number,
    /// Something other than the body of a function within a function.
    NoBody,
}

pub type Parsed<T> = Result<T, Refusal>;

pub struct Parser<'t> {
    /// ASCII text, for the contents of tokens.
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
    pub(super) shape: Shape,
    /// The next token.
    pub(super) at: usize,
    pub(super) names: Names,
    /// Meaning that has no place in the tree: where and what.
    pub(super) lost: Vec<(Span, String)>,
    /// Functions that are defined inside others, which the tree has only the declarations of.
    pub(super) nested: Vec<Node<lang_c::ast::FunctionDefinition>>,
    pub(super) items: Vec<Node<BlockItem>>,
    pub(super) members: Vec<Node<StructDeclaration>>,
    pub(super) enumerators: Vec<Node<Enumerator>>,
    pub(super) parameters: Vec<Node<ParameterDeclaration>>,
    pub(super) initializers: Vec<Node<InitializerListItem>>,
}

/// From the beginning of one to the end of the other.
pub fn join(first: Span, last: Span) -> Span {
    Span::span(first.start, last.end)
}

/// Attributes that change the meaning of a program.
const MEANINGFUL: [&str; 11] = [
    "packed",
    "mode",
    "aligned",
    "vector_size",
    "ms_struct",
    "scalar_storage_order",
    "transparent_union",
    "constructor",
    "destructor",
    "cleanup",
    "alias",
];

impl<'t> Parser<'t> {
    /// `bytes` is the program's text, `text` the same with filler for what is not ASCII.
    pub fn new(bytes: &[u8], text: &'t str) -> Parser<'t> {
        let mut names = Names::new();
        let tokens = tokens(bytes, &mut names);
        let shape = shape(&tokens);
        let mut parser = Parser {
            text,
            tokens,
            shape,
            at: 0,
            names,
            lost: Vec::new(),
            nested: Vec::new(),
            items: Vec::new(),
            members: Vec::new(),
            enumerators: Vec::new(),
            parameters: Vec::new(),
            initializers: Vec::new(),
        };
        if parser.shape.has_double_brackets {
            parser.drop_double_brackets();
        }
        parser
    }

    /// Attributes in double brackets may stand nearly everywhere, and most mean nothing here.
    fn drop_double_brackets(&mut self) {
        let mut kept = Vec::with_capacity(self.tokens.len());
        let mut at = 0;
        while at < self.tokens.len() {
            let close = self.shape.partners[at];
            let is_attribute = self.tokens[at].kind == Kind::OpenBracket
                && self.kind_at(at + 1) == Kind::OpenBracket
                && close != NONE
                && self.shape.partners[at + 1] == close - 1;
            if !is_attribute {
                kept.push(self.tokens[at]);
                at += 1;
                continue;
            }
            let span = join(self.tokens[at].span(), self.tokens[close as usize].span());
            let contents = &self.text[span.start..span.end];
            if MEANINGFUL.iter().any(|word| contents.contains(word)) {
                self.lost.push((span, "a `[[…]]` attribute that changes what the program means".to_string()));
            }
            let meaning = ["constructor", "destructor", "cleanup", "alias", "weakref", "ifunc", "optimize", "target"];
            if meaning.iter().any(|word| contents.contains(word)) {
                self.lost.push((span, "a `[[…]]` attribute that changes what the program does".to_string()));
            }
            at = close as usize + 1;
        }
        self.tokens = kept;
        self.shape = shape(&self.tokens);
    }

    pub(super) fn token(&self) -> Token {
        self.tokens[self.at]
    }

    pub(super) fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    /// The kind of any token; behind the end there is more end.
    pub(super) fn kind_at(&self, index: usize) -> Kind {
        self.tokens.get(index).map_or(Kind::End, |token| token.kind)
    }

    /// Where the next token begins.
    pub(super) fn start(&self) -> usize {
        self.tokens[self.at].start as usize
    }

    /// Where the last token ended.
    pub(super) fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |last| self.tokens[last].end as usize)
    }

    /// Takes the next token, whatever it is. The end is never passed.
    pub(super) fn bump(&mut self) -> Span {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token.span()
    }

    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.at += 1;
        }
        found
    }

    /// Takes a token that has to be there; `wanted` names it and what else could stand in its place.
    pub(super) fn expect(&mut self, kind: Kind, wanted: &'static str) -> Parsed<Span> {
        match self.kind() == kind {
            true => Ok(self.bump()),
            false => self.refuse(wanted),
        }
    }

    pub(super) fn refuse<T>(&self, wanted: &'static str) -> Parsed<T> {
        Err(Refusal { token: self.at, wanted: Wanted::These(wanted) })
    }

    pub(super) fn refuse_number<T>(&self) -> Parsed<T> {
        Err(Refusal { token: self.at, wanted: Wanted::Number })
    }

    /// A node from `start` to the last token taken.
    pub(super) fn node<T>(&self, start: usize, node: T) -> Node<T> {
        Node::new(node, Span::span(start, self.end().max(start)))
    }

    pub(super) fn lose(&mut self, span: Span, what: impl Into<String>) {
        self.lost.push((span, what.into()));
    }

    pub(super) fn identifier(&mut self, wanted: &'static str) -> Parsed<Node<Identifier>> {
        self.named_identifier(wanted).map(|(_, identifier)| identifier)
    }

    pub(super) fn named_identifier(&mut self, wanted: &'static str) -> Parsed<(NameId, Node<Identifier>)> {
        let token = self.token();
        if token.kind != Kind::Name {
            return self.refuse(wanted);
        }
        self.at += 1;
        Ok((token.name, Node::new(Identifier { name: self.names.text(token.name) }, token.span())))
    }

    /// Whether a token can begin the name of a type.
    pub(super) fn is_type_name_at(&self, index: usize) -> bool {
        let token = self.tokens[index];
        match token.kind {
            Kind::Name => self.names.is_type(token.name),
            kind => kind.is_type_specifier(),
        }
    }

    /// Whether a token can begin a declaration.
    pub(super) fn is_declaration_at(&self, index: usize) -> bool {
        self.kind_at(index).is_storage() || self.is_type_name_at(index)
    }

    /// The index behind the bracket that closes the one at `open`.
    pub(super) fn after_bracket(&self, open: usize) -> Option<usize> {
        let close = *self.shape.partners.get(open)?;
        (close != NONE && self.kind_at(open).is_open()).then_some(close as usize + 1)
    }

    /// The index behind attributes.
    pub(super) fn after_attributes(&self, mut index: usize) -> usize {
        while self.kind_at(index) == Kind::Attribute
            && let Some(after) = self.after_bracket(index + 1)
        {
            index = after;
        }
        index
    }

    /// Does something within a scope of names.
    pub(super) fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.names.enter();
        let result = work(self);
        self.names.leave();
        result
    }
}
