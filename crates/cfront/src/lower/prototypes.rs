//! The types of the functions that the compiler knows without a declaration: those of the library, and its own.

use super::Lowerer;
use super::declarator::Qual;
use super::lvalue::Operand;
use super::scope::Symbol;
use diagnostics::Span;
use ir::{FloatKind, IntKind, Linkage, Signature, Type, TypeId};

/// Types of functions: result, then parameters, one letter each: `v` void, `i` int, `u` unsigned, `l` long, `n` size_t,
/// `L` long long, `U` unsigned long long, `h` unsigned short, `d` double, `f` float, `e` long double, `p` `void *`,
/// `P` `const void *`, `s` `char *`, `S` `const char *`, `.` for `...`.
const LIBRARY: &[(&str, &str)] = &[
    ("abort", "v"),
    ("abs", "ii"),
    ("alloca", "pn"),
    ("bcmp", "iPPn"),
    ("bcopy", "vPpn"),
    ("bzero", "vpn"),
    ("calloc", "pnn"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("free", "vp"),
    ("index", "sSi"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isdigit", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("malloc", "pn"),
    ("memchr", "pPin"),
    ("memcmp", "iPPn"),
    ("memcpy", "ppPn"),
    ("memmove", "ppPn"),
    ("mempcpy", "ppPn"),
    ("memset", "ppin"),
    ("printf", "iS."),
    ("putchar", "ii"),
    ("puts", "iS"),
    ("realloc", "ppn"),
    ("rindex", "sSi"),
    ("scanf", "iS."),
    ("snprintf", "isnS."),
    ("sprintf", "isS."),
    ("sscanf", "iSS."),
    ("stpcpy", "ssS"),
    ("strcat", "ssS"),
    ("strchr", "sSi"),
    ("strcmp", "iSS"),
    ("strcasecmp", "iSS"),
    ("strcpy", "ssS"),
    ("strcspn", "nSS"),
    ("strdup", "sS"),
    ("strlen", "nS"),
    ("strncasecmp", "iSSn"),
    ("strncat", "ssSn"),
    ("strncmp", "iSSn"),
    ("strncpy", "ssSn"),
    ("strndup", "sSn"),
    ("strpbrk", "sSS"),
    ("strrchr", "sSi"),
    ("strspn", "nSS"),
    ("strstr", "sSS"),
    ("tolower", "ii"),
    ("toupper", "ii"),
];

/// Functions of `math.h` by shape; each has `f` and `l` twins.
const MATH: &[(&str, &str)] = &[
    (
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p \
         log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc",
        "dd",
    ),
    ("atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder", "ddd"),
    ("fma", "dddd"),
    ("ilogb", "id"),
    ("lrint lround", "ld"),
    ("llrint llround", "Ld"),
    ("ldexp scalbn", "ddi"),
];

/// Those that only exist under their builtin name.
const BUILTINS: &[(&str, &str)] = &[
    ("__builtin_popcount", "iu"),
    ("__builtin_popcountl", "in"),
    ("__builtin_popcountll", "iU"),
    ("__builtin_parity", "iu"),
    ("__builtin_parityl", "in"),
    ("__builtin_parityll", "iU"),
    ("__builtin_clz", "iu"),
    ("__builtin_clzl", "in"),
    ("__builtin_clzll", "iU"),
    ("__builtin_ctz", "iu"),
    ("__builtin_ctzl", "in"),
    ("__builtin_ctzll", "iU"),
    ("__builtin_clrsb", "ii"),
    ("__builtin_clrsbl", "il"),
    ("__builtin_clrsbll", "iL"),
    ("__builtin_ffs", "ii"),
    ("__builtin_ffsl", "il"),
    ("__builtin_ffsll", "iL"),
    ("__builtin_bswap16", "hh"),
    ("__builtin_bswap32", "uu"),
    ("__builtin_bswap64", "nn"),
    ("__builtin_constant_p", "i"),
    ("__builtin_unreachable", "v"),
    ("__builtin_signbit", "id"),
    ("__builtin_signbitf", "if"),
    ("__builtin_signbitl", "ie"),
];

impl<'u> Lowerer<'u, '_> {
    fn letter_type(&mut self, letter: u8) -> TypeId {
        let types = &self.program.types;
        let kind = match letter {
            b'i' => IntKind::Int,
            b'u' => IntKind::UInt,
            b'l' => IntKind::Long,
            b'n' => IntKind::ULong,
            b'L' => IntKind::LongLong,
            b'U' => IntKind::ULongLong,
            b'h' => IntKind::UShort,
            b'd' => return types.float(FloatKind::Double),
            b'f' => return types.float(FloatKind::Float),
            b'e' => return types.float(FloatKind::Extended),
            b'p' | b'P' | b's' | b'S' => {
                let to = if letter.eq_ignore_ascii_case(&b'p') {
                    types.void()
                } else {
                    types.int(self.program.data.char_kind())
                };
                return self.types().intern(Type::Pointer { to, to_const: letter.is_ascii_uppercase() });
            }
            _ => return types.void(),
        };
        types.int(kind)
    }

    fn shape_type(&mut self, shape: &str) -> TypeId {
        let letters = shape.as_bytes();
        let result = self.letter_type(letters[0]);
        let variadic = letters.ends_with(b".");
        let params = letters[1..].iter().filter(|l| **l != b'.').map(|l| self.letter_type(*l)).collect();
        self.types().intern(Type::Function(Signature { result, params, variadic, unprototyped: false }))
    }

    /// The type that the compiler knows a library function to have.
    pub(super) fn library_type(&mut self, name: &str) -> Option<TypeId> {
        if let Some((_, shape)) = LIBRARY.iter().chain(BUILTINS).find(|(known, _)| *known == name) {
            return Some(self.shape_type(shape));
        }
        for (names, shape) in MATH {
            for known in names.split_whitespace() {
                let letter = match name.strip_prefix(known) {
                    Some("") => "d",
                    Some("f") => "f",
                    Some("l") => "e",
                    _ => continue,
                };
                return Some(self.shape_type(&shape.replace('d', letter)));
            }
        }
        None
    }

    /// A function known by its builtin name, as `__builtin_memcpy` is `memcpy`.
    pub(super) fn builtin_function(&mut self, name: &'u str, span: Span) -> Option<Operand> {
        let twin = name.strip_prefix("__builtin_")?;
        let real = match self.library_type(twin) {
            Some(_) if twin != "alloca" => twin,
            _ => name,
        };
        let ty = self.library_type(real)?;
        let id = match self.linked.get(real) {
            Some(&id) => id,
            None => self.add_symbol(Symbol::declared(real, Qual::plain(ty), Linkage::External, span)),
        };
        let ty = self.symbol(id).qual.ty;
        let function = self.function_of(id);
        Some(Operand::Function { id: function, ty, span })
    }
}
