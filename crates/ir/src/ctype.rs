//! Types: interned, so that equality is an integer comparison.
//!
//! Enumerations are the integer type that represents them; typedefs are gone; `const` survives only where an
//! analysis asks for it (what a pointer points to, and on variables). Qualifiers otherwise play no part in meaning.

use crate::layout::{Record, RecordId};
use crate::program::LocalId;
use cranelift_entity::{PrimaryMap, entity_impl};
use hashbrown::HashMap;

/// An interned [`Type`] of one [`Types`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);
entity_impl!(TypeId, "ty");

/// The integer types of C, kept apart by rank because C keeps them apart (`long` and `long long` have one width).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntKind {
    Bool,
    /// Plain `char` where it is signed.
    Char,
    /// Plain `char` where it is unsigned, a type of its own beside `unsigned char`; see
    /// [`DataModel`](crate::DataModel).
    PlainUChar,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    pub const ALL: [IntKind; 15] = {
        use IntKind::*;
        [
            Bool, Char, PlainUChar, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LongLong, ULongLong, Int128,
            UInt128,
        ]
    };

    /// Size in bytes, LP64.
    pub fn bytes(self) -> u64 {
        use IntKind::*;
        match self {
            Bool | Char | PlainUChar | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong | LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    /// The number of bits a value can use: 1 for `_Bool`.
    pub fn bits(self) -> u32 {
        if self == IntKind::Bool { 1 } else { self.bytes() as u32 * 8 }
    }

    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    pub fn min(self) -> i128 {
        if self.is_signed() { i128::MIN >> (128 - self.bits()) } else { 0 }
    }

    /// The largest value. For `unsigned __int128` it does not fit an `i128` and the answer is -1, the bit pattern of
    /// all ones, which is also how constants of that type are stored.
    pub fn max(self) -> i128 {
        match (self.is_signed(), self.bits()) {
            (true, 128) => i128::MAX,
            (false, 128) => -1,
            (true, bits) => (1i128 << (bits - 1)) - 1,
            (false, bits) => (1i128 << bits) - 1,
        }
    }

    /// Whether the mathematical integer `value` is a value of this type. Values of `unsigned __int128` are stored as
    /// bit patterns, so every `i128` is one.
    pub fn contains(self, value: i128) -> bool {
        self == IntKind::UInt128 || (self.min() <= value && value <= self.max())
    }

    /// C's conversion to this type: modulo 2^bits (for signed types as every real compiler does it), and
    /// "is it non-zero" for `_Bool`.
    pub fn wrap(self, value: i128) -> i128 {
        match (self, self.bits()) {
            (IntKind::Bool, _) => (value != 0) as i128,
            (_, 128) => value,
            (_, bits) if self.is_signed() => (value << (128 - bits)) >> (128 - bits),
            (_, bits) => value & ((1i128 << bits) - 1),
        }
    }

    /// Plain `char`, signed or not.
    pub fn is_plain_char(self) -> bool {
        matches!(self, IntKind::Char | IntKind::PlainUChar)
    }

    /// The type of the same width with the other signedness that arithmetic uses.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | PlainUChar | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LongLong => ULongLong,
            Int128 => UInt128,
            unsigned => unsigned,
        }
    }

    /// Conversion rank: the order of C's integer types irrespective of signedness (C11 6.3.1.1p1).
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Bool => 0,
            Char | PlainUChar | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    /// What the type becomes in an expression: the integer promotions.
    pub fn promoted(self) -> IntKind {
        if self.rank() < IntKind::Int.rank() { IntKind::Int } else { self }
    }

    /// The type that C does arithmetic on two integers in (C11 6.3.1.8).
    pub fn common(self, other: IntKind) -> IntKind {
        let (a, b) = (self.promoted(), other.promoted());
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits() > unsigned.bits() {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// The name in C.
    pub fn c_name(self) -> &'static str {
        use IntKind::*;
        match self {
            Bool => "_Bool",
            Char | PlainUChar => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

/// The floating types; `Extended` is x87's 80-bit `long double` in 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    Float,
    Double,
    Extended,
}

impl FloatKind {
    pub fn bytes(self) -> u64 {
        match self {
            FloatKind::Float => 4,
            FloatKind::Double => 8,
            FloatKind::Extended => 16,
        }
    }

    pub fn c_name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::Extended => "long double",
        }
    }
}

/// The length of an array type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Length {
    Fixed(u64),
    /// The value that this local, a temporary of type `unsigned long` set once where the declarator was evaluated,
    /// has in the function the type occurs in.
    Variable(LocalId),
    /// `[]`: a flexible array member, or an `extern` array of unknown size. Its size counts as zero.
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub result: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// Declared `()`: nothing is known about the parameters.
    pub unprototyped: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    /// `to_const`: the pointer promises not to write what it points to.
    Pointer {
        to: TypeId,
        to_const: bool,
    },
    Array {
        of: TypeId,
        length: Length,
    },
    Record(RecordId),
    Function(Signature),
}

/// The types of a program, and its records.
#[derive(Clone, Debug)]
pub struct Types {
    types: PrimaryMap<TypeId, Type>,
    known: HashMap<Type, TypeId>,
    pub records: PrimaryMap<RecordId, Record>,
    /// Somewhere a pointer to volatile or a volatile member is declared. Types keep no such qualifier, so what is reached
    /// through pointers and members may be volatile wherever this is set.
    pub has_volatile_parts: bool,
    /// Somewhere in the program's own files a pointer is declared `restrict`, which types do not keep either: calls whose
    /// pointers meet may be undefined.
    pub has_restricted: bool,
    /// One of them is no parameter but a variable, a member or what a pointer leads to.
    pub has_restricted_variables: bool,
    /// Some variable of the program's own files is `_Thread_local`, which the program model does not keep.
    pub has_thread_locals: bool,
}

impl Default for Types {
    fn default() -> Types {
        Types::new()
    }
}

impl Types {
    pub fn new() -> Types {
        let mut types = Types {
            types: PrimaryMap::new(),
            known: HashMap::new(),
            records: PrimaryMap::new(),
            has_volatile_parts: false,
            has_restricted: false,
            has_restricted_variables: false,
            has_thread_locals: false,
        };
        // The scalar types come first, so that their ids are the same in every program.
        types.intern(Type::Void);
        for kind in IntKind::ALL {
            types.intern(Type::Int(kind));
        }
        for kind in [FloatKind::Float, FloatKind::Double, FloatKind::Extended] {
            types.intern(Type::Float(kind));
        }
        types
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// Whether the id is one of this table.
    pub fn contains(&self, id: TypeId) -> bool {
        self.types.is_valid(id)
    }

    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter()
    }

    // The ids of scalar types are those that `new` gave them, so that asking for them needs no look-up.

    pub fn void(&self) -> TypeId {
        TypeId::from_u32(0)
    }

    pub fn int(&self, kind: IntKind) -> TypeId {
        TypeId::from_u32(1 + kind as u32)
    }

    pub fn float(&self, kind: FloatKind) -> TypeId {
        TypeId::from_u32(1 + IntKind::ALL.len() as u32 + kind as u32)
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer { to, to_const: false })
    }

    pub fn array(&mut self, of: TypeId, length: u64) -> TypeId {
        self.intern(Type::Array { of, length: Length::Fixed(length) })
    }

    pub fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        if let Type::Int(kind) = self.get(id) { Some(*kind) } else { None }
    }

    pub fn float_kind(&self, id: TypeId) -> Option<FloatKind> {
        if let Type::Float(kind) = self.get(id) { Some(*kind) } else { None }
    }

    /// What a pointer type points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        if let Type::Pointer { to, .. } = self.get(id) { Some(*to) } else { None }
    }

    /// The element type of an array type.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        if let Type::Array { of, .. } = self.get(id) { Some(*of) } else { None }
    }

    /// What the elements of an array of arrays are in the end; any other type itself.
    pub fn innermost(&self, id: TypeId) -> TypeId {
        self.element(id).map_or(id, |element| self.innermost(element))
    }

    pub fn signature(&self, id: TypeId) -> Option<&Signature> {
        if let Type::Function(signature) = self.get(id) { Some(signature) } else { None }
    }

    pub fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Void)
    }

    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer { .. })
    }

    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Float(_))
    }

    /// Integers, floating values and pointers: what fits a register and can be a condition.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    /// Whether an object of the type has a record in it.
    pub fn holds_records(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Record(_) => true,
            Type::Array { of, .. } => self.holds_records(*of),
            _ => false,
        }
    }

    /// Whether an object of the type has a pointer in it.
    pub fn holds_pointers(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Pointer { .. } => true,
            Type::Array { of, .. } => self.holds_pointers(*of),
            Type::Record(record) => {
                self.records[*record].fields.iter().flatten().any(|field| self.holds_pointers(field.ty))
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_ranges_and_wrapping() {
        assert_eq!(IntKind::Int.min(), i32::MIN as i128);
        assert_eq!(IntKind::Int.max(), i32::MAX as i128);
        assert_eq!(IntKind::ULong.max(), u64::MAX as i128);
        assert_eq!(IntKind::Long.min(), i64::MIN as i128);
        assert_eq!(IntKind::Int128.min(), i128::MIN);
        assert_eq!(IntKind::Int128.max(), i128::MAX);
        assert_eq!(IntKind::Bool.max(), 1);
        assert_eq!(IntKind::Char.wrap(200), -56);
        assert_eq!(IntKind::UChar.wrap(-1), 255);
        assert_eq!(IntKind::Bool.wrap(-4), 1);
        assert_eq!(IntKind::UInt.wrap(-1), u32::MAX as i128);
        for kind in IntKind::ALL {
            assert!(kind.contains(kind.wrap(-12345678901234567890)));
        }
    }

    #[test]
    fn interning_makes_equal_types_one() {
        let mut types = Types::new();
        assert!(types.is_void(types.void()));
        for kind in IntKind::ALL {
            assert_eq!(types.int_kind(types.int(kind)), Some(kind));
        }
        for kind in [FloatKind::Float, FloatKind::Double, FloatKind::Extended] {
            assert_eq!(types.float_kind(types.float(kind)), Some(kind));
        }
        let int = types.int(IntKind::Int);
        let a = types.pointer(int);
        let b = types.pointer(int);
        assert_eq!(a, b);
        let constant = types.intern(Type::Pointer { to: int, to_const: true });
        assert_ne!(a, constant);
        assert_eq!(types.pointee(constant), Some(int));
    }

    /// The table of C11 6.3.1.8 for LP64, as GCC's `__typeof__(a + b)` answers.
    #[test]
    fn usual_arithmetic_conversions() {
        use IntKind::*;
        let cases = [
            (Char, Char, Int),
            (Bool, UShort, Int),
            (Int, UInt, UInt),
            (UInt, Long, Long),
            (UInt, ULong, ULong),
            (Long, ULong, ULong),
            (Long, LongLong, LongLong),
            (ULong, LongLong, ULongLong),
            (ULongLong, Int, ULongLong),
            (Int128, ULongLong, Int128),
            (UInt128, Int128, UInt128),
            (UChar, UInt, UInt),
        ];
        for (a, b, expected) in cases {
            assert_eq!(a.common(b), expected, "{a:?} and {b:?}");
            assert_eq!(b.common(a), expected, "{b:?} and {a:?}");
        }
    }
}
