//! The prototypes of library functions, read from the C text in the tables of models.
//!
//! A program may declare a library function itself, and wrongly. A call is only given to a model if the declared type
//! passes and returns values the way the model's does.

use ir::{FloatKind, IntKind, Signature, Type, TypeId, Types};

/// How a value is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Pointer,
    /// A structure of that many bytes.
    Record(u64),
}

/// The type of a library function, as far as calls depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prototype {
    pub result: Kind,
    pub params: Vec<Kind>,
    pub variadic: bool,
}

/// Reads `size_t strlen(const char *)`. The text is ours, so a mistake in it is a panic.
pub fn parse(declaration: &'static str) -> (&'static str, Prototype) {
    let open = declaration.find('(').expect("a prototype should have parameters");
    let head = &declaration[..open];
    let start = head.rfind([' ', '*']).expect("a prototype should have a result type") + 1;
    let name = &head[start..];
    let inner = declaration[open + 1..].strip_suffix(')').expect("a prototype should end with its parameters");
    let mut params = Vec::new();
    let mut variadic = false;
    for part in split_parameters(inner) {
        match part.trim() {
            "void" | "" => {}
            "..." => variadic = true,
            part => params.push(kind_of(part)),
        }
    }
    (name, Prototype { result: kind_of(&head[..start]), params, variadic })
}

/// Splits at the commas outside parentheses.
fn split_parameters(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

fn kind_of(text: &str) -> Kind {
    // An array or a function is a pointer as a parameter, and so is the array type `va_list`.
    if text.contains(['*', '[']) || text.trim() == "va_list" {
        return Kind::Pointer;
    }
    let words: Vec<&str> = text.split_whitespace().filter(|&word| word != "const").collect();
    match words.join(" ").as_str() {
        "void" => Kind::Void,
        "_Bool" => Kind::Int(IntKind::Bool),
        "char" => Kind::Int(IntKind::Char),
        "int" | "wchar_t" | "int32_t" => Kind::Int(IntKind::Int),
        "unsigned" | "unsigned int" | "wint_t" | "uint32_t" | "useconds_t" => Kind::Int(IntKind::UInt),
        "uint16_t" => Kind::Int(IntKind::UShort),
        "long" | "ssize_t" | "time_t" | "clock_t" | "off_t" | "intmax_t" => Kind::Int(IntKind::Long),
        "unsigned long" | "size_t" | "uint64_t" | "uintmax_t" => Kind::Int(IntKind::ULong),
        "long long" => Kind::Int(IntKind::LongLong),
        "unsigned long long" => Kind::Int(IntKind::ULongLong),
        "float" => Kind::Float(FloatKind::Float),
        "double" => Kind::Float(FloatKind::Double),
        "long double" => Kind::Float(FloatKind::Extended),
        "div_t" => Kind::Record(8),
        "struct float_complex" => Kind::Record(8),
        "struct double_complex" => Kind::Record(16),
        "ldiv_t" | "lldiv_t" | "imaxdiv_t" => Kind::Record(16),
        other => panic!("`{other}` should be a type that prototypes know"),
    }
}

/// How a value of this type is passed. `None` for arrays, functions and structures of unknown size.
pub fn kind_of_type(types: &Types, ty: TypeId) -> Option<Kind> {
    match types.get(ty) {
        Type::Void => Some(Kind::Void),
        Type::Int(kind) => Some(Kind::Int(*kind)),
        Type::Float(kind) => Some(Kind::Float(*kind)),
        Type::Pointer { .. } => Some(Kind::Pointer),
        Type::Record(_) => types.size_of(ty).map(Kind::Record),
        Type::Array { .. } | Type::Function(_) => None,
    }
}

/// Whether a value of one type arrives as the same value of the other: the same size, and both integers, both
/// floating or both pointers.
fn passes_as(declared: Kind, model: Kind) -> bool {
    match (declared, model) {
        (Kind::Int(a), Kind::Int(b)) => a.bytes() == b.bytes(),
        (declared, model) => declared == model,
    }
}

impl Prototype {
    /// Whether a function declared like this can be the one the model stands for. A program that ignores the result
    /// may declare it `void`.
    pub fn accepts(&self, types: &Types, declared: &Signature) -> bool {
        let result = kind_of_type(types, declared.result);
        let result_fits = result.is_some_and(|kind| kind == Kind::Void || passes_as(kind, self.result));
        if declared.unprototyped {
            // What is passed is known at the call alone.
            return result_fits;
        }
        result_fits
            && declared.params.len() == self.params.len()
            && declared.variadic == self.variadic
            && declared
                .params
                .iter()
                .zip(&self.params)
                .all(|(&param, &kind)| kind_of_type(types, param).is_some_and(|declared| passes_as(declared, kind)))
    }

    /// Whether arguments of these kinds, passed without a prototype, are what the model takes.
    pub fn accepts_arguments(&self, args: &[Kind]) -> bool {
        let fixed = self.params.len();
        (args.len() == fixed || (self.variadic && args.len() > fixed))
            && args.iter().zip(&self.params).all(|(&arg, &param)| passes_as(arg, param))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prototypes_are_read() {
        let (name, qsort) = parse("void qsort(void *, size_t, size_t, int (*)(const void *, const void *))");
        assert_eq!(name, "qsort");
        let size = Kind::Int(IntKind::ULong);
        assert_eq!(qsort.params, [Kind::Pointer, size, size, Kind::Pointer]);
        assert_eq!(qsort.result, Kind::Void);
        let (name, printf) = parse("int printf(const char *, ...)");
        assert_eq!((name, printf.variadic, printf.params.len()), ("printf", true, 1));
        let (name, strdup) = parse("char *strdup(const char *)");
        assert_eq!((name, strdup.result), ("strdup", Kind::Pointer));
    }
}
