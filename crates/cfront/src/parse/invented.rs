//! Names by which the parser says what `lang-c`'s tree has no node for, and which the lowering recognises.

/// Stands for the left-out middle operand of `a ?: b`.
pub const MISSING_OPERAND: &str = "__plumb_same";
/// `__plumb_label_address(l)` stands for `&&l`.
pub const LABEL_ADDRESS_CALL: &str = "__plumb_label_address";
/// `__plumb_computed_goto(e);` stands for `goto *e;`.
pub const COMPUTED_GOTO_CALL: &str = "__plumb_computed_goto";
/// `__plumb_asm_goto()` stands for an `asm goto` statement.
pub const ASM_GOTO_CALL: &str = "__plumb_asm_goto";
/// `__plumb_real(z)` stands for `__real__ z`.
pub const REAL_PART_CALL: &str = "__plumb_real";
/// `__plumb_imaginary(z)` stands for `__imag__ z`.
pub const IMAGINARY_PART_CALL: &str = "__plumb_imaginary";
/// Typedef name of the signed 128-bit integer.
pub const SIGNED_INT128: &str = "__int128";
/// Typedef name of the unsigned 128-bit integer.
pub const UNSIGNED_INT128: &str = "__uns128";
/// Typedef name of a type to be taken from the initialiser.
pub const AUTO_TYPE: &str = "__auto_type";

/// An invented name as one that outlives the tree.
pub fn find(name: &str) -> Option<&'static str> {
    let names = [
        MISSING_OPERAND,
        LABEL_ADDRESS_CALL,
        COMPUTED_GOTO_CALL,
        ASM_GOTO_CALL,
        REAL_PART_CALL,
        IMAGINARY_PART_CALL,
        SIGNED_INT128,
        UNSIGNED_INT128,
        AUTO_TYPE,
    ];
    names.into_iter().find(|invented| *invented == name)
}
