//! The tokens of a unit as the parser wants them: keywords and punctuators by kind, names by number.
//!
//! Words that only silence warnings (`__extension__`) or state what is not checked (`_Nonnull`) are no tokens here, so that
//! the grammar need not mention them.

use super::names::{NameId, Names};
use crate::preprocess::{TokenKind, is_blank, token_at};
use lang_c::span::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[rustfmt::skip]
pub enum Kind {
    Name, Number, Text, Character,
    /// What is no part of C.
    Stray,
    /// Behind the last token.
    End,

    OpenParen, CloseParen, OpenBracket, CloseBracket, OpenBrace, CloseBrace,
    Semicolon, Comma, Colon, Question, Dot, Arrow, Ellipsis,
    PlusPlus, MinusMinus, Tilde, Bang,
    Star, Slash, Percent, Plus, Minus, ShiftLeft, ShiftRight, Less, Greater, LessEqual, GreaterEqual, EqualEqual,
    BangEqual, And, Caret, Or, AndAnd, OrOr,
    Equal, StarEqual, SlashEqual, PercentEqual, PlusEqual, MinusEqual, ShiftLeftEqual, ShiftRightEqual, AndEqual,
    CaretEqual, OrEqual,

    Auto, Extern, Register, Static, ThreadLocal, Typedef,
    Inline, Noreturn, Alignas,
    Const, Restrict, Volatile, Atomic,
    Void, Char, Short, Int, Long, Float, Double, Signed, Unsigned, Bool, Complex,
    Struct, Union, Enum, Typeof,
    /// `_Float16` and its like; the width is in the spelling.
    WidthFloat,
    Int128, Int128Name, Uint128Name, Float128, Float80, AutoType,
    Attribute, Asm, Label,
    Break, Case, Continue, Default, Do, Else, For, Goto, If, Return, Switch, While,
    Sizeof, Alignof, Generic, StaticAssert, Offsetof, VaArg, TypesCompatible, FunctionName, Real, Imag,
}

/// The words that are no names, and `None` for those that are no tokens.
#[rustfmt::skip]
pub const KEYWORDS: &[(&str, Option<Kind>)] = &[
    ("auto", Some(Kind::Auto)), ("extern", Some(Kind::Extern)), ("register", Some(Kind::Register)),
    ("static", Some(Kind::Static)), ("_Thread_local", Some(Kind::ThreadLocal)), ("__thread", Some(Kind::ThreadLocal)),
    ("typedef", Some(Kind::Typedef)), ("inline", Some(Kind::Inline)), ("__inline", Some(Kind::Inline)),
    ("__inline__", Some(Kind::Inline)), ("_Noreturn", Some(Kind::Noreturn)), ("_Alignas", Some(Kind::Alignas)),
    ("const", Some(Kind::Const)), ("__const", Some(Kind::Const)), ("__const__", Some(Kind::Const)),
    ("restrict", Some(Kind::Restrict)), ("__restrict", Some(Kind::Restrict)), ("__restrict__", Some(Kind::Restrict)),
    ("volatile", Some(Kind::Volatile)), ("__volatile", Some(Kind::Volatile)), ("__volatile__", Some(Kind::Volatile)),
    ("_Atomic", Some(Kind::Atomic)), ("void", Some(Kind::Void)), ("char", Some(Kind::Char)),
    ("short", Some(Kind::Short)), ("int", Some(Kind::Int)), ("long", Some(Kind::Long)), ("float", Some(Kind::Float)),
    ("double", Some(Kind::Double)), ("signed", Some(Kind::Signed)), ("__signed", Some(Kind::Signed)),
    ("__signed__", Some(Kind::Signed)), ("unsigned", Some(Kind::Unsigned)), ("_Bool", Some(Kind::Bool)), ("__CPROVER_bool", Some(Kind::Bool)),
    ("_Complex", Some(Kind::Complex)), ("__complex", Some(Kind::Complex)), ("__complex__", Some(Kind::Complex)),
    ("struct", Some(Kind::Struct)), ("union", Some(Kind::Union)), ("enum", Some(Kind::Enum)),
    ("typeof", Some(Kind::Typeof)), ("__typeof", Some(Kind::Typeof)), ("__typeof__", Some(Kind::Typeof)),
    ("_Float16", Some(Kind::WidthFloat)), ("_Float16x", Some(Kind::WidthFloat)), ("_Float32", Some(Kind::WidthFloat)),
    ("_Float32x", Some(Kind::WidthFloat)), ("_Float64", Some(Kind::WidthFloat)), ("_Float64x", Some(Kind::WidthFloat)),
    ("_Float128", Some(Kind::WidthFloat)), ("_Float128x", Some(Kind::WidthFloat)),
    ("_Decimal32", Some(Kind::WidthFloat)), ("_Decimal64", Some(Kind::WidthFloat)),
    ("_Decimal128", Some(Kind::WidthFloat)), ("__int128", Some(Kind::Int128)), ("__int128_t", Some(Kind::Int128Name)),
    ("__uint128_t", Some(Kind::Uint128Name)), ("__float128", Some(Kind::Float128)), ("__float80", Some(Kind::Float80)),
    ("__auto_type", Some(Kind::AutoType)), ("__attribute__", Some(Kind::Attribute)),
    ("__attribute", Some(Kind::Attribute)), ("asm", Some(Kind::Asm)), ("__asm", Some(Kind::Asm)),
    ("__asm__", Some(Kind::Asm)), ("__label__", Some(Kind::Label)), ("break", Some(Kind::Break)),
    ("case", Some(Kind::Case)), ("continue", Some(Kind::Continue)), ("default", Some(Kind::Default)),
    ("do", Some(Kind::Do)), ("else", Some(Kind::Else)), ("for", Some(Kind::For)), ("goto", Some(Kind::Goto)),
    ("if", Some(Kind::If)), ("return", Some(Kind::Return)), ("switch", Some(Kind::Switch)),
    ("while", Some(Kind::While)), ("sizeof", Some(Kind::Sizeof)), ("_Alignof", Some(Kind::Alignof)),
    ("__alignof", Some(Kind::Alignof)), ("__alignof__", Some(Kind::Alignof)), ("_Generic", Some(Kind::Generic)),
    ("_Static_assert", Some(Kind::StaticAssert)), ("__builtin_offsetof", Some(Kind::Offsetof)),
    ("__builtin_va_arg", Some(Kind::VaArg)), ("__builtin_types_compatible_p", Some(Kind::TypesCompatible)),
    ("__func__", Some(Kind::FunctionName)), ("__FUNCTION__", Some(Kind::FunctionName)),
    ("__PRETTY_FUNCTION__", Some(Kind::FunctionName)), ("__real", Some(Kind::Real)), ("__real__", Some(Kind::Real)),
    ("__imag", Some(Kind::Imag)), ("__imag__", Some(Kind::Imag)),
    ("__extension__", None), ("_Nonnull", None), ("_Nullable", None), ("_Null_unspecified", None),
];

/// One token. `name` counts for names and keywords only.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    pub name: NameId,
}

impl Token {
    pub fn span(self) -> Span {
        Span::span(self.start as usize, self.end as usize)
    }
}

impl Kind {
    /// Whether a specifier of a declaration or of a type name begins here. Names that are types are asked for elsewhere.
    pub fn is_specifier(self) -> bool {
        self.is_storage() || self.is_type_specifier()
    }

    /// What can begin a declaration and not a type name.
    pub fn is_storage(self) -> bool {
        use Kind::*;
        matches!(self, Auto | Extern | Register | Static | ThreadLocal | Typedef | Inline | Noreturn | Alignas)
    }

    /// What can begin a type name.
    #[rustfmt::skip]
    pub fn is_type_specifier(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Const | Restrict | Volatile | Atomic | Void | Char | Short | Int | Long | Float | Double | Signed | Unsigned
                | Bool | Complex | Struct | Union | Enum | Typeof | WidthFloat | Int128 | Int128Name | Uint128Name
                | Float128 | Float80 | AutoType | Attribute
        )
    }

    pub fn is_open(self) -> bool {
        matches!(self, Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace)
    }

    pub fn is_keyword(self) -> bool {
        self as u8 >= Kind::Auto as u8
    }
}

/// Cuts a text into tokens; the last one is [`Kind::End`].
pub fn tokens(source: &[u8], names: &mut Names) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(source.len() / 3 + 16);
    let mut at = 0;
    while at < source.len() {
        if is_blank(source[at]) {
            at += 1;
            continue;
        }
        let cut = token_at(source, at);
        let text = cut.text(source);
        let mut name = NameId(0);
        let kind = match cut.kind {
            TokenKind::Word => {
                name = names.intern(text);
                match names.keyword(name) {
                    Some(Some(kind)) => kind,
                    Some(None) => {
                        at = cut.end as usize;
                        continue;
                    }
                    None => Kind::Name,
                }
            }
            TokenKind::Number => Kind::Number,
            TokenKind::Literal => match text[text.len() - 1] {
                b'"' => Kind::Text,
                _ => Kind::Character,
            },
            TokenKind::Punctuator => punctuator(text),
            TokenKind::Stray => Kind::Stray,
        };
        tokens.push(Token { kind, start: cut.start, end: cut.end, name });
        at = cut.end as usize;
    }
    let end = source.len() as u32;
    tokens.push(Token { kind: Kind::End, start: end, end, name: NameId(0) });
    tokens
}

fn punctuator(text: &[u8]) -> Kind {
    match text {
        b"(" => Kind::OpenParen,
        b")" => Kind::CloseParen,
        b"[" | b"<:" => Kind::OpenBracket,
        b"]" | b":>" => Kind::CloseBracket,
        b"{" | b"<%" => Kind::OpenBrace,
        b"}" | b"%>" => Kind::CloseBrace,
        b";" => Kind::Semicolon,
        b"," => Kind::Comma,
        b":" => Kind::Colon,
        b"?" => Kind::Question,
        b"." => Kind::Dot,
        b"->" => Kind::Arrow,
        b"..." => Kind::Ellipsis,
        b"++" => Kind::PlusPlus,
        b"--" => Kind::MinusMinus,
        b"~" => Kind::Tilde,
        b"!" => Kind::Bang,
        b"*" => Kind::Star,
        b"/" => Kind::Slash,
        b"%" => Kind::Percent,
        b"+" => Kind::Plus,
        b"-" => Kind::Minus,
        b"<<" => Kind::ShiftLeft,
        b">>" => Kind::ShiftRight,
        b"<" => Kind::Less,
        b">" => Kind::Greater,
        b"<=" => Kind::LessEqual,
        b">=" => Kind::GreaterEqual,
        b"==" => Kind::EqualEqual,
        b"!=" => Kind::BangEqual,
        b"&" => Kind::And,
        b"^" => Kind::Caret,
        b"|" => Kind::Or,
        b"&&" => Kind::AndAnd,
        b"||" => Kind::OrOr,
        b"=" => Kind::Equal,
        b"*=" => Kind::StarEqual,
        b"/=" => Kind::SlashEqual,
        b"%=" => Kind::PercentEqual,
        b"+=" => Kind::PlusEqual,
        b"-=" => Kind::MinusEqual,
        b"<<=" => Kind::ShiftLeftEqual,
        b">>=" => Kind::ShiftRightEqual,
        b"&=" => Kind::AndEqual,
        b"^=" => Kind::CaretEqual,
        b"|=" => Kind::OrEqual,
        _ => Kind::Stray,
    }
}
