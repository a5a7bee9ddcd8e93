//! The text form of a program, which [`parse`](crate::parse) reads back.
//!
//! Complete but for spans: they point into a source that the text does not carry, so a program read back has none.
//! Statement ids are not written either, since they count the statements in text order, nor are types that nothing
//! uses. `print(parse(print(p)))` is `print(p)`.
//!
//! ```text
//! program 1
//! data char_is_signed 0, wchar ushort, pack 2;
//!
//! struct point size 8 align 4 {
//!   0 x: int;
//!   4 y: int const;
//! }
//! struct opaque;
//!
//! global $limit: int static(0) = { 0: 10 }
//! string $.str0: [3]char = { 0: "hi\x00" }
//!
//! fn @puts: fn(*const char) -> int;
//!
//! fn @f: fn(int) -> int
//!   param %n: int
//!   var %i: long
//!   temp %#2: int
//!   label :done
//! {
//!   scope %i;
//!   live %i;
//!   %i = 0_long;
//!   while %i < (%n as long) {
//!     %#2 = call @puts(&$.str0[0_long] : *const char);
//!     if %#2 < 0 {
//!       goto :done;
//!     }
//!     %i = %i + 1_long;
//!   }
//!   :done:
//!   return %i cast int;
//! }
//! ```
//!
//! # Data model
//!
//! `data` names what is not as on x86-64 Linux without flags, in the words of [`DataModel`]; it is absent where
//! all is.
//!
//! # Names
//!
//! Sigils tell the kinds of names apart: `%local`, `$global`, `@function`, `:label`; records go by `struct` or
//! `union`. Ids count declarations, from zero. A name that is not unique in its kind, or empty, is followed by
//! `#id`; a name that is not an identifier is quoted.
//!
//! # Types
//!
//! Read from left to right: `*T`, `*const T`, `[4]T`, `[%n]T` (variable length), `[]T`, `fn(A, B, ...) -> R`,
//! `fn(?) -> R` (no prototype), `struct s`, `union u`, and the scalar types `void bool char plain_uchar schar uchar short ushort
//! int uint long ulong llong ullong int128 uint128 float double extended`.
//!
//! # Expressions
//!
//! Operands of an operator are in parentheses unless they are atoms; there are no precedences. The type of an
//! expression is the one that follows from its parts ([`Program::implied_type`]); where it is not, it is written
//! behind: `e : type`. An lvalue whose type is not the one at the end of its path says so with `!type`.
//!
//! | text | meaning |
//! |---|---|
//! | `5`, `5_ulong`, `1.5`, `1.5_float`, `f64(0x…)`, `x80(0x…)` | constants: `int`, other integers, `double`, `float`, the bits of a `double` that is not finite, of a `long double` |
//! | `%x`, `$g.f[e]`, `(*e).f`, `.#2` | a load; fields by name or by number |
//! | `&lvalue`, `@f` | addresses |
//! | `-e`, `~e`, `!e`, `a + b`, …, `a && b`, `c ? a : b` | operators as in C |
//! | `p +ptr i`, `p -ptr q` | arithmetic on pointers |
//! | `e as T`, `e cast T` | implicit and explicit conversions |
//!
//! # Statements
//!
//! `x = e;` · `zero x;` · `x = call @f(…);` · `call *e(…);` · `call va_start(…);` (intrinsics) · `live %x;` ·
//! `if e {…} else {…}` · `while pre {…} e {…} step {…}` (also `for`; everything but the body is optional) ·
//! `do {…} step {…} pre {…} while e;` · `switch e with 1 => :a, 2..5 => :b, default => :c {…}` · `{…}` · `break;` ·
//! `continue;` · `goto :l;` · `:l:` · `return e;` · `assume e;` · `assert e "text";` (also `assert verifier`,
//! `assert reach_error`) · `trace "name" ("x" = e, …);` · `unsupported "what";`.
//! A block begins with `scope %a, %b;` if it declares variables.
//!
//! A parameter declared as an array states its length after all the locals: `length %a = e`.

macro_rules! put {
    ($printer:expr, $($arg:tt)*) => {
        write!($printer.out, $($arg)*).expect("writing to a string should not fail")
    };
}

mod body;

use crate::ctype::{FloatKind, IntKind, Length, Type, TypeId};
use crate::datamodel::DataModel;
use crate::expr::{Expr, Lvalue};
use crate::layout::{Packing, Record, RecordId, RecordKind};
use crate::program::{
    Function, FunctionId, Global, GlobalId, GlobalKind, InitValue, LabelId, Linkage, Local, LocalId, LocalKind, Program,
};
use crate::stmt::{Intrinsic, Stmt};
use cranelift_entity::{EntityRef, PrimaryMap};
use std::collections::HashMap;
use std::fmt::Write;

/// The whole program as text.
pub fn print_program(program: &Program) -> String {
    let mut printer = Printer::new(program, None);
    printer.out.push_str("program 1\n");
    printer.data_model(program.data);
    for (id, record) in &program.types.records {
        printer.record(id, record);
    }
    for (id, global) in &program.globals {
        printer.global(id, global);
    }
    for (id, function) in &program.functions {
        printer.enter(function);
        printer.function(id, function);
    }
    printer.out
}

/// One function as text, in the form it has in the whole.
pub fn print_function(program: &Program, id: FunctionId) -> String {
    let mut printer = Printer::new(program, Some(&program.functions[id]));
    printer.function(id, &program.functions[id]);
    printer.out.trim_start().to_string()
}

/// An expression as text. Without the function it stands in, locals go by number.
pub fn print_expr(program: &Program, function: Option<&Function>, expr: &Expr) -> String {
    let mut printer = Printer::new(program, function);
    printer.expr(expr);
    printer.out
}

pub fn print_lvalue(program: &Program, function: Option<&Function>, lvalue: &Lvalue) -> String {
    let mut printer = Printer::new(program, function);
    printer.lvalue(lvalue);
    printer.out
}

pub fn print_type(program: &Program, function: Option<&Function>, ty: TypeId) -> String {
    let mut printer = Printer::new(program, function);
    printer.ty(ty);
    printer.out
}

/// A statement on one line: of a statement that has blocks inside, only the head.
pub fn print_stmt_head(program: &Program, function: Option<&Function>, stmt: &Stmt) -> String {
    let mut printer = Printer::new(program, function);
    printer.heads_only = true;
    printer.stmt(stmt);
    printer.out.trim().to_string()
}

pub(crate) fn int_type_name(kind: IntKind) -> &'static str {
    use IntKind::*;
    match kind {
        Bool => "bool",
        Char => "char",
        PlainUChar => "plain_uchar",
        SChar => "schar",
        UChar => "uchar",
        Short => "short",
        UShort => "ushort",
        Int => "int",
        UInt => "uint",
        Long => "long",
        ULong => "ulong",
        LongLong => "llong",
        ULongLong => "ullong",
        Int128 => "int128",
        UInt128 => "uint128",
    }
}

pub(crate) fn float_type_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::Extended => "extended",
    }
}

pub(crate) fn intrinsic_name(intrinsic: Intrinsic) -> &'static str {
    match intrinsic {
        Intrinsic::VaStart => "va_start",
        Intrinsic::VaArg => "va_arg",
        Intrinsic::VaCopy => "va_copy",
        Intrinsic::VaEnd => "va_end",
        Intrinsic::Nondet => "nondet",
        Intrinsic::Alloca => "alloca",
        Intrinsic::SetJump => "setjmp",
        Intrinsic::LongJump => "longjmp",
        Intrinsic::Bind => "bind",
    }
}

pub(crate) const INTRINSICS: [Intrinsic; 9] = [
    Intrinsic::VaStart,
    Intrinsic::VaArg,
    Intrinsic::VaCopy,
    Intrinsic::VaEnd,
    Intrinsic::Nondet,
    Intrinsic::Alloca,
    Intrinsic::SetJump,
    Intrinsic::LongJump,
    Intrinsic::Bind,
];

pub(crate) fn global_kind_name(kind: GlobalKind) -> &'static str {
    match kind {
        GlobalKind::Variable => "global",
        GlobalKind::StaticLocal => "static_local",
        GlobalKind::StringLiteral => "string",
        GlobalKind::CompoundLiteral => "compound",
    }
}

pub(crate) const GLOBAL_KINDS: [GlobalKind; 4] =
    [GlobalKind::Variable, GlobalKind::StaticLocal, GlobalKind::StringLiteral, GlobalKind::CompoundLiteral];

/// Whether a name can stand without quotes.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

fn quote(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                // Everything outside ASCII goes byte by byte, so that no text depends on how a reader shows it.
                ' '..='~' => out.push(c),
                other => {
                    for byte in other.encode_utf8(&mut [0; 4]).bytes() {
                        write!(out, "\\x{byte:02x}").expect("writing to a string should not fail");
                    }
                }
            }
        }
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}").expect("writing to a string should not fail");
        }
    }
    out.push('"');
    out
}

/// How often each name occurs in a list of declarations.
type Counts<'p> = HashMap<&'p str, u32>;

fn counts<'p>(names: impl Iterator<Item = &'p str>) -> Counts<'p> {
    let mut counts = Counts::new();
    for name in names {
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

struct Printer<'p> {
    program: &'p Program,
    locals: Option<&'p PrimaryMap<LocalId, Local>>,
    function: Option<&'p Function>,
    record_names: Counts<'p>,
    global_names: Counts<'p>,
    function_names: Counts<'p>,
    local_names: Counts<'p>,
    label_names: Counts<'p>,
    indent: usize,
    heads_only: bool,
    out: String,
}

impl<'p> Printer<'p> {
    fn new(program: &'p Program, function: Option<&'p Function>) -> Printer<'p> {
        let mut printer = Printer {
            program,
            locals: None,
            function: None,
            record_names: counts(program.types.records.values().map(|r| r.name.as_str())),
            global_names: counts(program.globals.values().map(|g| g.name.as_str())),
            function_names: counts(program.functions.values().map(|f| f.name.as_str())),
            local_names: Counts::new(),
            label_names: Counts::new(),
            indent: 0,
            heads_only: false,
            out: String::new(),
        };
        if let Some(function) = function {
            printer.enter(function);
        }
        printer
    }

    /// What the data model has that is not the default.
    fn data_model(&mut self, mut data: DataModel) {
        let mut default = DataModel::default();
        let mut parts = Vec::new();
        for ((name, on), (_, usual)) in data.switches().into_iter().zip(default.switches()) {
            if on != usual {
                parts.push(format!("{name} {}", u8::from(*on)));
            }
        }
        if data.wchar != default.wchar {
            parts.push(format!("wchar {}", int_type_name(data.wchar)));
        }
        match data.packing {
            Packing::Natural => {}
            Packing::AtMost(bytes) | Packing::PackedAtMost(bytes) => parts.push(format!("pack {bytes}")),
            Packing::Packed => parts.push("packed".to_string()),
        }
        if !parts.is_empty() {
            put!(self, "data {};\n", parts.join(", "));
        }
    }

    fn enter(&mut self, function: &'p Function) {
        self.function = Some(function);
        self.locals = Some(&function.locals);
        self.local_names = counts(function.locals.values().map(|l| l.name.as_str()));
        self.label_names = counts(function.labels.values().map(|l| l.name.as_str()));
    }

    fn name(&mut self, name: Option<&str>, count: u32, index: usize) {
        let name = name.unwrap_or("");
        // Unnamed objects have names that begin with a dot; a dot further on would read as a field.
        if is_identifier(name.strip_prefix('.').unwrap_or(name)) {
            self.out.push_str(name);
        } else if !name.is_empty() {
            let quoted = quote(name.as_bytes());
            self.out.push_str(&quoted);
        }
        if count != 1 || name.is_empty() {
            put!(self, "#{index}");
        }
    }

    fn local_ref(&mut self, id: LocalId) {
        let name = self.locals.and_then(|locals| locals.get(id)).map(|l| l.name.as_str());
        let count = name.and_then(|name| self.local_names.get(name)).copied().unwrap_or(0);
        self.out.push('%');
        self.name(name, count, id.index());
    }

    fn global_ref(&mut self, id: GlobalId) {
        let name = self.program.globals.get(id).map(|g| g.name.as_str());
        let count = name.and_then(|name| self.global_names.get(name)).copied().unwrap_or(0);
        self.out.push('$');
        self.name(name, count, id.index());
    }

    fn function_ref(&mut self, id: FunctionId) {
        let name = self.program.functions.get(id).map(|f| f.name.as_str());
        let count = name.and_then(|name| self.function_names.get(name)).copied().unwrap_or(0);
        self.out.push('@');
        self.name(name, count, id.index());
    }

    fn label_ref(&mut self, id: LabelId) {
        let name = self.function.and_then(|f| f.labels.get(id)).map(|l| l.name.as_str());
        let count = name.and_then(|name| self.label_names.get(name)).copied().unwrap_or(0);
        self.out.push(':');
        self.name(name, count, id.index());
    }

    fn record_ref(&mut self, id: RecordId) {
        let record = self.program.types.records.get(id);
        let kind = record.map_or(RecordKind::Struct, |r| r.kind);
        self.out.push_str(if kind == RecordKind::Union { "union " } else { "struct " });
        let name = record.map(|r| r.name.as_str());
        let count = name.and_then(|name| self.record_names.get(name)).copied().unwrap_or(0);
        self.name(name, count, id.index());
    }

    fn ty(&mut self, id: TypeId) {
        match self.program.types.get(id) {
            Type::Void => self.out.push_str("void"),
            Type::Int(kind) => self.out.push_str(int_type_name(*kind)),
            Type::Float(kind) => self.out.push_str(float_type_name(*kind)),
            Type::Pointer { to, to_const } => {
                self.out.push_str(if *to_const { "*const " } else { "*" });
                self.ty(*to);
            }
            Type::Array { of, length } => {
                match length {
                    Length::Fixed(n) => put!(self, "[{n}]"),
                    Length::Variable(local) => {
                        self.out.push('[');
                        self.local_ref(*local);
                        self.out.push(']');
                    }
                    Length::Unknown => self.out.push_str("[]"),
                }
                self.ty(*of);
            }
            Type::Record(id) => self.record_ref(*id),
            Type::Function(signature) => {
                self.out.push_str("fn(");
                for (i, param) in signature.params.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.ty(*param);
                }
                for (set, mark) in [(signature.variadic, "..."), (signature.unprototyped, "?")] {
                    if set {
                        if !self.out.ends_with('(') {
                            self.out.push_str(", ");
                        }
                        self.out.push_str(mark);
                    }
                }
                self.out.push_str(") -> ");
                self.ty(signature.result);
            }
        }
    }

    fn record(&mut self, id: RecordId, record: &Record) {
        self.out.push('\n');
        self.record_ref(id);
        let Some(fields) = &record.fields else {
            self.out.push_str(";\n");
            return;
        };
        if !record.alias.is_empty() {
            put!(self, " alias {}", record.alias);
        }
        put!(self, " size {} align {} {{\n", record.size, record.align);
        for field in fields {
            put!(self, "  {}", field.offset);
            if let Some(bits) = field.bits {
                put!(self, " bits {}+{}", bits.offset, bits.width);
            }
            self.out.push(' ');
            if is_identifier(&field.name) {
                self.out.push_str(&field.name);
            } else if !field.name.is_empty() {
                let quoted = quote(field.name.as_bytes());
                self.out.push_str(&quoted);
            }
            self.out.push_str(": ");
            self.ty(field.ty);
            self.out.push_str(if field.is_const { " const;\n" } else { ";\n" });
        }
        self.out.push_str("}\n");
    }

    fn linkage(&mut self, linkage: Linkage) {
        if let Linkage::Internal { unit } = linkage {
            put!(self, " static({unit})");
        }
    }

    fn qualifiers(&mut self, is_const: bool, is_volatile: bool) {
        if is_const {
            self.out.push_str(" const");
        }
        if is_volatile {
            self.out.push_str(" volatile");
        }
    }

    fn global(&mut self, id: GlobalId, global: &Global) {
        put!(self, "\n{} ", global_kind_name(global.kind));
        self.global_ref(id);
        self.out.push_str(": ");
        self.ty(global.ty);
        self.qualifiers(global.is_const, global.is_volatile);
        self.linkage(global.linkage);
        let Some(init) = &global.init else {
            self.out.push_str(";\n");
            return;
        };
        self.out.push_str(" = {");
        let lines = init.items.len() > 4;
        for (i, item) in init.items.iter().enumerate() {
            if i > 0 {
                self.out.push(',');
            }
            self.out.push_str(if lines { "\n  " } else { " " });
            put!(self, "{}", item.offset);
            if let Some(bits) = item.bits {
                put!(self, " bits {}+{}", bits.offset, bits.width);
            }
            self.out.push_str(": ");
            match &item.value {
                InitValue::Expr(value) => self.expr(value),
                InitValue::Bytes(bytes) => {
                    let quoted = quote(bytes);
                    self.out.push_str(&quoted);
                }
            }
        }
        self.out.push_str(if lines { "\n}\n" } else { " }\n" });
    }

    fn function(&mut self, id: FunctionId, function: &'p Function) {
        self.out.push_str("\nfn ");
        self.function_ref(id);
        self.out.push_str(": ");
        self.ty(function.ty);
        self.linkage(function.linkage);
        if function.noreturn {
            self.out.push_str(" noreturn");
        }
        for (id, local) in &function.locals {
            self.out.push_str(match local.kind {
                LocalKind::Parameter => "\n  param ",
                LocalKind::Variable => "\n  var ",
                LocalKind::Temporary => "\n  temp ",
            });
            self.local_ref(id);
            self.out.push_str(": ");
            self.ty(local.ty);
            self.qualifiers(local.is_const, local.is_volatile);
        }
        for (id, local) in &function.locals {
            if let Some(length) = &local.declared_length {
                self.out.push_str("\n  length ");
                self.local_ref(id);
                self.out.push_str(" = ");
                self.expr(length);
            }
        }
        for id in function.labels.keys() {
            self.out.push_str("\n  label ");
            self.label_ref(id);
        }
        match &function.body {
            Some(body) => {
                self.out.push('\n');
                self.block(body);
                self.out.push('\n');
            }
            None => self.out.push_str(";\n"),
        }
    }
}
