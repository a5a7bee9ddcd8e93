//! What the target and the flags decide about the language: the data model of a program.
//!
//! C leaves open whether `char` is signed, how wide `wchar_t` and enumerations are, how close members stand. The front
//! end reads the answers from the user's compiler with the user's flags and spells them out in the program: a plain
//! `char` becomes one of two [`IntKind`]s, a record has its offsets, wrapping addition is an unsigned one. Engines
//! therefore look here only for what they make up themselves, such as the type of the characters of an argument.
//!
//! *Absent*: the widths of `short`, `int`, `long`, `long long` and of pointers. They are those of LP64
//! ([`IntKind::bytes`]), and a compiler that has others is refused by the front end.

use crate::ctype::IntKind;
use crate::layout::Packing;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataModel {
    /// Whether plain `char` is signed: `-fsigned-char`, `-funsigned-char`, the target's habit.
    pub char_is_signed: bool,
    /// `wchar_t`, the type of the elements of `L"…"`: `-fshort-wchar`.
    pub wchar: IntKind,
    /// Enumerations are as small as their values allow: `-fshort-enums`.
    pub short_enums: bool,
    /// A bit-field of a plain `int` type is unsigned: `-funsigned-bitfields`.
    pub unsigned_bit_fields: bool,
    /// How close members stand where no `#pragma pack` says otherwise: `-fpack-struct`.
    pub packing: Packing,
    /// Signed addition, subtraction and multiplication wrap around: `-fwrapv`.
    pub signed_wraps: bool,
    /// A left shift of a signed value moves its bits, whatever they are, as GCC and Clang define it.
    pub shifts_wrap: bool,
    /// Threads are followed: atomic operations are marked as such.
    pub threads: bool,
    /// Declarations of one name that disagree between units are a warning: the program is only run, and every access is
    /// looked at when it happens.
    pub mixed_units: bool,
    /// A floating constant without a suffix is a `float`: `-fsingle-precision-constant`.
    pub single_constants: bool,
    /// `struct tag;` inside a record is an anonymous member: `-fms-extensions`, `-fplan9-extensions`.
    pub tagged_members: bool,
    /// A typedef asks for less alignment than its type has, so that pointers may be misaligned by design.
    pub unaligned_types: bool,
    /// Accesses as unlike types are to different objects: not with `-fno-strict-aliasing`, or where something says
    /// `may_alias`.
    pub strict_aliasing: bool,
    /// Whether `float` and `double` are computed as IEEE 754 says, operation by operation. The front end has no model
    /// of floating types otherwise.
    pub exact_floats: bool,
    /// Whether `long double` is the x87 format in 16 bytes. The front end has no model of it otherwise.
    pub extended_long_double: bool,
}

impl Default for DataModel {
    /// GCC on x86-64 Linux without flags.
    fn default() -> DataModel {
        DataModel {
            char_is_signed: true,
            wchar: IntKind::Int,
            short_enums: false,
            unsigned_bit_fields: false,
            packing: Packing::Natural,
            signed_wraps: false,
            shifts_wrap: false,
            threads: false,
            mixed_units: false,
            single_constants: false,
            tagged_members: false,
            unaligned_types: false,
            strict_aliasing: true,
            exact_floats: true,
            extended_long_double: true,
        }
    }
}

impl DataModel {
    /// Plain `char`.
    pub fn char_kind(&self) -> IntKind {
        if self.char_is_signed { IntKind::Char } else { IntKind::PlainUChar }
    }

    /// What is a yes or a no, by the names that the text form has for it.
    pub(crate) fn switches(&mut self) -> [(&'static str, &mut bool); 10] {
        [
            ("char_is_signed", &mut self.char_is_signed),
            ("short_enums", &mut self.short_enums),
            ("unsigned_bit_fields", &mut self.unsigned_bit_fields),
            ("signed_wraps", &mut self.signed_wraps),
            ("single_constants", &mut self.single_constants),
            ("tagged_members", &mut self.tagged_members),
            ("unaligned_types", &mut self.unaligned_types),
            ("strict_aliasing", &mut self.strict_aliasing),
            ("exact_floats", &mut self.exact_floats),
            ("extended_long_double", &mut self.extended_long_double),
        ]
    }
}
