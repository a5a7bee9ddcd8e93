//! Expressions, lvalues and types as C: for messages, and for predicates that a user can paste into a program.
//!
//! Parentheses stand only where C's precedences need them. A conversion is written if the user wrote it, or if C
//! would not make it by itself: the text, read by a C compiler with the same declarations, has the meaning the
//! expression has here. Exceptions, all for the reader's sake: temporaries have no name in C and show as `tmp3`;
//! unnamed objects show as their content (strings) or their internal name; constants of types narrower than `int`
//! are written plainly, since C has none; a conversion at the very top is left out if it is implicit, as the
//! place the text goes to makes it again.
//!
//! | here | in C |
//! |---|---|
//! | the address of element 0 of an array | the array |
//! | `(*p).f`, `(*(p +ptr i))`, `(*(&x))` | `p->f`, `p[i]`, `x` |
//! | the member of an anonymous member | `a.x` |
//! | a constant 0 converted to a pointer | `0` |
//! | the least `int` | `(-2147483647 - 1)` |

use crate::ctype::{FloatKind, IntKind, Length, Type, TypeId};
use crate::expr::{Base, BinaryOp, Expr, ExprKind, LogicalOp, Lvalue, Step, UnaryOp};
use crate::layout::RecordKind;
use crate::precedence as level;
use crate::program::{Function, GlobalId, GlobalKind, InitValue, LocalId, Program};

/// The expression in C.
pub fn c_expr(program: &Program, function: Option<&Function>, expr: &Expr) -> String {
    let writer = Writer { program, function };
    let mut top = expr;
    while let ExprKind::Convert { value, explicit: false } = &top.kind {
        top = value;
    }
    writer.expr(top).text
}

/// The object in C.
pub fn c_lvalue(program: &Program, function: Option<&Function>, lvalue: &Lvalue) -> String {
    Writer { program, function }.lvalue(lvalue).text
}

/// The type in C, as in a cast.
pub fn c_type(program: &Program, function: Option<&Function>, ty: TypeId) -> String {
    c_declaration(program, function, ty, "")
}

/// The declaration of a name with that type, without a semicolon: `int (*f)(char)`.
pub fn c_declaration(program: &Program, function: Option<&Function>, ty: TypeId, name: &str) -> String {
    let writer = Writer { program, function };
    let (specifier, declarator) = writer.declaration(ty, name.to_string(), false);
    if declarator.is_empty() { specifier } else { format!("{specifier} {declarator}") }
}

/// Text and how tightly it binds.
struct Piece {
    text: String,
    level: u8,
}

impl Piece {
    fn new(text: impl Into<String>, level: u8) -> Piece {
        Piece { text: text.into(), level }
    }

    /// The text as an operand where this level or a tighter one is needed.
    fn at(self, level: u8) -> String {
        if self.level >= level { self.text } else { format!("({})", self.text) }
    }
}

struct Writer<'p> {
    program: &'p Program,
    function: Option<&'p Function>,
}

/// The operand without the conversions that C may be left to make.
fn stripped(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Convert { value, explicit: false } => value,
        _ => expr,
    }
}

impl Writer<'_> {
    fn expr(&self, expr: &Expr) -> Piece {
        let piece = self.plain(expr);
        // Arithmetic in a type narrower than `int` is not C's; there the result has to be cut.
        let computed = matches!(&expr.kind, ExprKind::Unary(op, _) if *op != UnaryOp::Not)
            || matches!(&expr.kind, ExprKind::Binary(op, ..) if !op.is_comparison());
        if computed && self.promoted(expr.ty) != expr.ty {
            let ty = c_type(self.program, self.function, expr.ty);
            return Piece::new(format!("({ty}){}", piece.at(level::UNARY)), level::UNARY);
        }
        piece
    }

    fn plain(&self, expr: &Expr) -> Piece {
        match &expr.kind {
            ExprKind::Int(value) => self.int(*value, self.program.types.int_kind(expr.ty).unwrap_or(IntKind::Int)),
            ExprKind::Float(value) => self.float(*value, self.program.types.float_kind(expr.ty)),
            ExprKind::Extended(bits) => extended(*bits),
            ExprKind::Load(lvalue) => self.lvalue(lvalue),
            ExprKind::AddressOf(lvalue) => self.address(lvalue),
            ExprKind::Function(id) => {
                Piece::new(self.program.functions.get(*id).map_or("?", |f| f.name.as_str()), level::POSTFIX)
            }
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let operand = self.truth(operand).at(level::UNARY);
                Piece::new(format!("!{operand}"), level::UNARY)
            }
            ExprKind::Unary(op, operand) => {
                let sign = if *op == UnaryOp::Neg { "-" } else { "~" };
                let bare = stripped(operand);
                let promoted = self.c_type_of(bare).map(|ty| self.promoted(ty));
                let operand = if promoted == Some(operand.ty) { self.expr(bare) } else { self.converted(operand) };
                let operand = operand.at(level::UNARY);
                // Two minus signs in a row would be another operator.
                let space = if sign == "-" && operand.starts_with('-') { " " } else { "" };
                Piece::new(format!("{sign}{space}{operand}"), level::UNARY)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Logical(op, left, right) => {
                let (symbol, here) = if *op == LogicalOp::And { ("&&", level::AND) } else { ("||", level::OR) };
                // Compilers warn about `&&` inside `||` without parentheses, and readers stumble.
                let operand = |side: &Expr, least: u8| {
                    let mixed = matches!(&side.kind, ExprKind::Logical(inner, ..) if inner != op);
                    self.truth(side).at(if mixed { level::POSTFIX } else { least })
                };
                Piece::new(format!("{} {symbol} {}", operand(left, here), operand(right, here + 1)), here)
            }
            ExprKind::Conditional(cond, a, b) => {
                let (a, b) = self.common(a, b, expr.ty);
                let cond = self.truth(cond).at(level::OR);
                let (a, b) = (a.at(level::CONDITIONAL), b.at(level::CONDITIONAL));
                Piece::new(format!("{cond} ? {a} : {b}"), level::CONDITIONAL)
            }
            ExprKind::Convert { .. } => self.converted(expr),
        }
    }

    /// An expression with its outermost conversion written, unless it is one that nobody would write.
    fn converted(&self, expr: &Expr) -> Piece {
        let ExprKind::Convert { value, explicit } = &expr.kind else { return self.expr(expr) };
        let null = self.program.types.is_pointer(expr.ty) && value.kind == ExprKind::Int(0);
        if !explicit && (null || self.c_type_of(value) == Some(expr.ty)) {
            return self.expr(value);
        }
        let ty = c_type(self.program, self.function, expr.ty);
        Piece::new(format!("({ty}){}", self.expr(value).at(level::UNARY)), level::UNARY)
    }

    /// An operand of which only matters whether it is zero.
    fn truth(&self, expr: &Expr) -> Piece {
        let bare = stripped(expr);
        let types = &self.program.types;
        // Widening keeps zero zero and everything else something else; so does the conversion to `_Bool`.
        let keeps = match (types.int_kind(bare.ty), types.int_kind(expr.ty)) {
            (_, Some(IntKind::Bool)) => types.is_scalar(bare.ty),
            (Some(from), Some(to)) => to.bits() >= from.bits(),
            _ => bare.ty == expr.ty || (types.is_pointer(bare.ty) && types.is_pointer(expr.ty)),
        };
        if keeps { self.expr(bare) } else { self.converted(expr) }
    }

    /// The type that C gives to the text of an expression; `None` if that is not worth knowing.
    fn c_type_of(&self, expr: &Expr) -> Option<TypeId> {
        let types = &self.program.types;
        match &expr.kind {
            ExprKind::Int(_) => types.int_kind(expr.ty).map(|kind| types.int(kind.promoted())),
            ExprKind::Load(lvalue) => {
                // Bit-fields narrower than `int` become `int` whatever their declared type.
                let locals = self.function.map(|f| &f.locals);
                match self.program.bit_field(locals, lvalue).and_then(|field| field.bits) {
                    Some(bits) if bits.width < 32 => Some(types.int(IntKind::Int)),
                    _ => Some(expr.ty),
                }
            }
            _ => Some(expr.ty),
        }
    }

    fn promoted(&self, ty: TypeId) -> TypeId {
        self.program.types.int_kind(ty).map_or(ty, |kind| self.program.types.int(kind.promoted()))
    }

    /// The type C computes in, given two operands.
    fn common_type(&self, a: TypeId, b: TypeId) -> Option<TypeId> {
        let types = &self.program.types;
        match (types.get(a), types.get(b)) {
            (Type::Int(a), Type::Int(b)) => Some(types.int(a.common(*b))),
            (Type::Float(a), Type::Float(b)) => Some(types.float(*a.max(b))),
            (Type::Float(kind), Type::Int(_)) | (Type::Int(_), Type::Float(kind)) => Some(types.float(*kind)),
            (Type::Pointer { .. }, Type::Pointer { .. }) if types.matches(a, b) => Some(a),
            _ => None,
        }
    }

    /// Two operands that are to be computed in the type `ty`: bare if C comes to that type by itself.
    fn common(&self, left: &Expr, right: &Expr, ty: TypeId) -> (Piece, Piece) {
        let (a, b) = (stripped(left), stripped(right));
        let types = &self.program.types;
        let arrives = |a: &Expr, b: &Expr| -> bool {
            match (self.c_type_of(a), self.c_type_of(b)) {
                (Some(a), Some(b)) => self.common_type(a, b).is_some_and(|found| types.matches(found, ty)),
                _ => false,
            }
        };
        let null = |e: &Expr| types.is_pointer(ty) && e.kind == ExprKind::Int(0);
        let void_pointer = |e: &Expr| types.pointee(e.ty).is_some_and(|to| types.is_void(to));
        if arrives(a, b)
            || (null(b) && types.is_pointer(a.ty))
            || (null(a) && types.is_pointer(b.ty))
            || (types.is_pointer(a.ty) && types.is_pointer(b.ty) && (void_pointer(a) || void_pointer(b)))
        {
            (self.expr(a), self.expr(b))
        } else if arrives(left, b) {
            (self.converted(left), self.expr(b))
        } else if arrives(a, right) {
            (self.expr(a), self.converted(right))
        } else {
            (self.converted(left), self.converted(right))
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Piece {
        use BinaryOp::*;
        let here = op.precedence();
        let (a, b) = match op {
            Shl | Shr => {
                let bare = stripped(left);
                let same = self.c_type_of(bare).map(|ty| self.promoted(ty)) == Some(left.ty);
                let a = if same { self.expr(bare) } else { self.converted(left) };
                (a, self.expr(stripped(right)))
            }
            PointerAdd => (self.converted(left), self.expr(self.index(right))),
            PointerDiff => (self.converted(left), self.converted(right)),
            _ => self.common(left, right, left.ty),
        };
        // Operators that people mix up get parentheses inside each other although C does not need them.
        let confusing = matches!(op, Shl | Shr | BitAnd | BitOr | BitXor) || op.is_comparison();
        let least = |piece: &Piece, least: u8| {
            let nested_binary = piece.level > level::CONDITIONAL && piece.level < level::PRODUCT;
            if confusing && nested_binary && !(op.is_comparison() && piece.level >= level::SUM) {
                level::UNARY
            } else {
                least
            }
        };
        let (left_level, right_level) = (least(&a, here), least(&b, here + 1));
        Piece::new(format!("{} {} {}", a.at(left_level), op.symbol(), b.at(right_level)), here)
    }

    /// An index as written: any integer type serves in C.
    fn index<'e>(&self, index: &'e Expr) -> &'e Expr {
        let bare = stripped(index);
        if self.program.types.int_kind(bare.ty).is_some() { bare } else { index }
    }

    fn int(&self, value: i128, kind: IntKind) -> Piece {
        use IntKind::*;
        let suffix = match kind.promoted() {
            UInt => "U",
            Long => "L",
            ULong => "UL",
            LongLong => "LL",
            ULongLong => "ULL",
            Int128 | UInt128 => return int128(value, kind),
            _ => "",
        };
        if value == kind.promoted().min() && value < 0 {
            return Piece::new(format!("-{}{suffix} - 1", -(value + 1)), level::SUM);
        }
        let level = if value < 0 { level::UNARY } else { level::POSTFIX };
        Piece::new(format!("{value}{suffix}"), level)
    }

    fn float(&self, value: f64, kind: Option<FloatKind>) -> Piece {
        let suffix = if kind == Some(FloatKind::Float) { "f" } else { "" };
        if value.is_nan() {
            return Piece::new(format!("0.0{suffix} / 0.0{suffix}"), level::PRODUCT);
        }
        if value.is_infinite() {
            let sign = if value < 0.0 { "-" } else { "" };
            return Piece::new(format!("{sign}1.0{suffix} / 0.0{suffix}"), level::PRODUCT);
        }
        // A `float`'s shortest digits are found among `float`s.
        let digits = if suffix.is_empty() { format!("{value:?}") } else { format!("{:?}", value as f32) };
        let level = if value.is_sign_negative() { level::UNARY } else { level::POSTFIX };
        Piece::new(format!("{digits}{suffix}"), level)
    }

    fn local_name(&self, id: LocalId) -> String {
        match self.function.and_then(|f| f.locals.get(id)) {
            Some(local) if !local.name.is_empty() => local.name.clone(),
            _ => format!("tmp{}", id.as_u32()),
        }
    }

    fn address(&self, lvalue: &Lvalue) -> Piece {
        if let Some((Step::Index(index), path)) = lvalue.path.split_last() {
            if index.kind == ExprKind::Int(0) {
                // An array decays: `a` for `&a[0]`.
                if let (Base::Global(id), []) = (&lvalue.base, path)
                    && let Some(literal) = self.string_literal(*id)
                {
                    return Piece::new(literal, level::POSTFIX);
                }
                return self.object(&lvalue.base, path);
            }
            let array = self.object(&lvalue.base, path).at(level::SUM);
            if !matches!(lvalue.base, Base::Deref(_)) || !path.is_empty() {
                let element = self.object(&lvalue.base, &lvalue.path).at(level::UNARY);
                return Piece::new(format!("&{element}"), level::UNARY);
            }
            return Piece::new(format!("{array} + {}", self.expr(self.index(index)).at(level::PRODUCT)), level::SUM);
        }
        if let (Base::Deref(pointer), []) = (&lvalue.base, &lvalue.path[..]) {
            return self.expr(pointer);
        }
        Piece::new(format!("&{}", self.lvalue(lvalue).at(level::UNARY)), level::UNARY)
    }

    /// The text of a string literal's bytes, if the global is one that ends where C ends it.
    fn string_literal(&self, id: GlobalId) -> Option<String> {
        let global = self.program.globals.get(id).filter(|g| g.kind == GlobalKind::StringLiteral)?;
        let char_size = self.program.types.size_of(self.program.types.element(global.ty)?)?;
        let bytes: &[u8] = match &global.init.as_ref()?.items[..] {
            [] => &[],
            [item] => match &item.value {
                InitValue::Bytes(bytes) if item.offset == 0 && char_size == 1 => bytes,
                _ => return None,
            },
            _ => return None,
        };
        let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        let mut text = String::from("\"");
        for &byte in bytes {
            match byte {
                b'"' => text.push_str("\\\""),
                b'\\' => text.push_str("\\\\"),
                b'\n' => text.push_str("\\n"),
                b'\t' => text.push_str("\\t"),
                // A question mark could begin a trigraph.
                b'?' => text.push_str("\\?"),
                b' '..=b'~' => text.push(byte as char),
                // Octal, three digits, because a hexadecimal escape has no end.
                other => text.push_str(&format!("\\{other:03o}")),
            }
        }
        text.push('"');
        Some(text)
    }

    fn lvalue(&self, lvalue: &Lvalue) -> Piece {
        self.object(&lvalue.base, &lvalue.path)
    }

    fn object(&self, base: &Base, path: &[Step]) -> Piece {
        let locals = self.function.map(|f| &f.locals);
        let mut ty = self.program.base_type(locals, base);
        let mut path = path;
        let mut piece = match base {
            Base::Local(id) => Piece::new(self.local_name(*id), level::POSTFIX),
            Base::Global(id) => {
                Piece::new(self.program.globals.get(*id).map_or("?", |g| g.name.as_str()), level::POSTFIX)
            }
            Base::Deref(pointer) => {
                let field = path.split_first().filter(|(step, _)| matches!(step, Step::Field(_)));
                match (&pointer.kind, field) {
                    (ExprKind::AddressOf(lvalue), _) => self.lvalue(lvalue),
                    (ExprKind::Binary(BinaryOp::PointerAdd, array, index), _) => {
                        let array = self.converted(array).at(level::POSTFIX);
                        let index = self.expr(self.index(index)).text;
                        Piece::new(format!("{array}[{index}]"), level::POSTFIX)
                    }
                    (_, Some((step, rest))) => {
                        let pointer = self.converted(pointer).at(level::POSTFIX);
                        let name = ty.map_or(String::new(), |ty| self.field_name(ty, step));
                        ty = ty.and_then(|ty| self.program.types.step(ty, step));
                        path = rest;
                        // The member of an anonymous member is reached by its own name alone.
                        if name.is_empty()
                            && let Some((step, rest)) = path.split_first()
                        {
                            let name = ty.map_or(String::new(), |ty| self.field_name(ty, step));
                            ty = ty.and_then(|ty| self.program.types.step(ty, step));
                            path = rest;
                            Piece::new(format!("{pointer}->{name}"), level::POSTFIX)
                        } else {
                            Piece::new(format!("{pointer}->{name}"), level::POSTFIX)
                        }
                    }
                    _ => Piece::new(format!("*{}", self.converted(pointer).at(level::UNARY)), level::UNARY),
                }
            }
        };
        for step in path {
            piece = match step {
                Step::Field(_) => {
                    let name = ty.map_or(String::new(), |ty| self.field_name(ty, step));
                    if name.is_empty() {
                        piece
                    } else {
                        Piece::new(format!("{}.{name}", piece.at(level::POSTFIX)), level::POSTFIX)
                    }
                }
                Step::Index(index) => {
                    let index = self.expr(self.index(index)).text;
                    Piece::new(format!("{}[{index}]", piece.at(level::POSTFIX)), level::POSTFIX)
                }
            };
            ty = ty.and_then(|ty| self.program.types.step(ty, step));
        }
        piece
    }

    fn field_name(&self, ty: TypeId, step: &Step) -> String {
        match step {
            Step::Field(index) => self.program.types.field(ty, *index).map_or(String::new(), |f| f.name.clone()),
            Step::Index(_) => String::new(),
        }
    }

    /// The specifier, and the declarator around the name.
    fn declaration(&self, ty: TypeId, inner: String, is_const: bool) -> (String, String) {
        let types = &self.program.types;
        let qualified = |name: &str| if is_const { format!("const {name}") } else { name.to_string() };
        let suffixed = |suffix: String| {
            // A pointer inside an array or function needs parentheses to stay inside.
            if inner.starts_with('*') { format!("({inner}){suffix}") } else { format!("{inner}{suffix}") }
        };
        match types.get(ty) {
            Type::Void => (qualified("void"), inner),
            Type::Int(kind) => (qualified(kind.c_name()), inner),
            Type::Float(kind) => (qualified(kind.c_name()), inner),
            Type::Record(id) => {
                let record = &types.records[*id];
                let kind = if record.kind == RecordKind::Union { "union" } else { "struct" };
                let name = match (record.name.as_str(), record.alias.as_str()) {
                    ("", "") => format!("{kind} {{…}}"),
                    ("", alias) => alias.to_string(),
                    (tag, _) => format!("{kind} {tag}"),
                };
                (qualified(&name), inner)
            }
            Type::Pointer { to, to_const } => {
                let pointer = if is_const { format!("*const {inner}") } else { format!("*{inner}") };
                self.declaration(*to, pointer.trim_end().to_string(), *to_const)
            }
            Type::Array { of, length } => {
                let length = match length {
                    Length::Fixed(n) => n.to_string(),
                    Length::Variable(local) => self.local_name(*local),
                    Length::Unknown => String::new(),
                };
                self.declaration(*of, suffixed(format!("[{length}]")), is_const)
            }
            Type::Function(signature) => {
                let mut params: Vec<String> =
                    signature.params.iter().map(|param| c_type(self.program, self.function, *param)).collect();
                if signature.variadic {
                    params.push("...".to_string());
                } else if params.is_empty() && !signature.unprototyped {
                    params.push("void".to_string());
                }
                self.declaration(signature.result, suffixed(format!("({})", params.join(", "))), false)
            }
        }
    }
}

/// C has no literals this wide: two halves, where one does not do.
fn int128(value: i128, kind: IntKind) -> Piece {
    let name = kind.c_name();
    if i64::try_from(value).is_ok_and(|v| v > i64::MIN) {
        let text = if value < 0 { format!("({value}L)") } else { format!("{value}L") };
        return Piece::new(format!("({name}){text}"), level::UNARY);
    }
    let bits = value as u128;
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    // Shifted as unsigned, since shifting into the sign is undefined.
    let text = format!("(unsigned __int128){high}UL << 64 | {low}UL");
    if kind == IntKind::UInt128 {
        Piece::new(text, level::BIT_OR)
    } else {
        Piece::new(format!("({name})({text})"), level::UNARY)
    }
}

/// The exact value in hexadecimal: an x87 number is a 64-bit integer times a power of two.
fn extended(bits: u128) -> Piece {
    let mantissa = bits as u64;
    let exponent = ((bits >> 64) & 0x7fff) as i32;
    let negative = bits >> 79 & 1 == 1;
    let sign = if negative { "-" } else { "" };
    let level = if negative { level::UNARY } else { level::POSTFIX };
    match (exponent, mantissa) {
        (0x7fff, m) if m << 1 == 0 => Piece::new(format!("{sign}1.0L / 0.0L"), level::PRODUCT),
        (0x7fff, _) => Piece::new("0.0L / 0.0L", level::PRODUCT),
        (_, 0) => Piece::new(format!("{sign}0.0L"), level),
        (e, m) => Piece::new(format!("{sign}0x{m:x}p{}L", e.max(1) - 16383 - 63), level),
    }
}
