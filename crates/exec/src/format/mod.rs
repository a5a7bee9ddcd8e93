//! The text forms of C values: what `printf` writes, what `scanf` and `strtol` and `strtod` read.
//!
//! These engines are pure: they know bytes and numbers, not the memory of a running program. Where they need
//! something of the program (the next argument, the next byte of a stream) they ask through a trait, and an error
//! of the asker passes through them unchanged.
//!
//! - [`directive`]: a `printf` or `scanf` format string taken apart, and the argument type each conversion wants.
//! - [`print`]: the output of a `printf` conversion.
//! - [`scan`]: the input side of `scanf`.
//! - [`number`]: `strtol` and `strtod` and their kin.
//! - [`decimal`]: the exact decimal expansion of a binary floating value.
//! - [`binary`]: the binary floating formats: taken apart, and rounded to.
//!
//! The output is that of the GNU C library, byte for byte, where C leaves a choice (`%p`, `%a`, the exponent of `%e`,
//! the digits past what a `double` determines). All conversions between binary and decimal are exact and rounded
//! once, to nearest, ties to even.

pub mod binary;
pub mod decimal;
pub mod directive;
pub mod number;
pub mod print;
pub mod scan;
