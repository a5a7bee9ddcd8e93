//! The functions of the C library by what they read and write, and those on whose names compilers rely.
//!
//! *Guarantee*: a function that is listed touches no more memory of the program than its [`Summary`] says. One that is not
//! may do anything.

use crate::effects::{Region, Summary};
use std::collections::BTreeSet;

/// Functions that look at nothing but the numbers they are given.
const OF_NUMBERS: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "ispunct",
    "isprint",
    "iscntrl",
    "isxdigit",
    "isgraph",
    "isblank",
    "toupper",
    "tolower",
    "malloc",
    "calloc",
    "alloca",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__errno_location",
    "constant_p",
    "popcount",
    "popcountl",
    "popcountll",
    "parity",
    "parityl",
    "parityll",
    "clz",
    "clzl",
    "clzll",
    "ctz",
    "ctzl",
    "ctzll",
    "clrsb",
    "clrsbl",
    "clrsbll",
    "ffs",
    "ffsl",
    "ffsll",
    "bswap16",
    "bswap32",
    "bswap64",
    "signbit",
    "signbitf",
    "signbitl",
    "div",
    "ldiv",
    "lldiv",
    "htons",
    "htonl",
    "ntohs",
    "ntohl",
];

/// Functions of `math.h`, which may set the last error; each has `f` and `l` twins.
const MATHEMATICAL: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Functions that look at what their arguments point to.
const LOOKS: &[&str] = &[
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "memcmp",
    "bcmp",
    "strchr",
    "strrchr",
    "strchrnul",
    "index",
    "rindex",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "memchr",
    "memrchr",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strdup",
    "strndup",
];

/// Functions that write what their first argument points to and look at the others.
const WRITES_FIRST: &[&str] = &[
    "memcpy",
    "memmove",
    "memset",
    "mempcpy",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "stpcpy",
    "stpncpy",
    "sprintf",
    "snprintf",
    "__sprintf_chk",
    "__snprintf_chk",
    "bzero",
    "free",
    "realloc",
];

/// Functions that deal with the world and look at what their arguments point to.
const OUTWARD: &[&str] = &[
    "printf", "fprintf", "dprintf", "puts", "putchar", "putc", "fputs", "fputc", "fflush", "perror", "getchar", "getc",
    "fgetc", "rand", "random", "srand", "srandom", "clock", "getenv", "fopen", "fclose", "ungetc", "fwrite", "write",
    "remove", "rename", "strerror", "warn", "warnx", "vwarn", "vwarnx",
];

/// Functions that look at the world.
const ASKS: &[&str] = &["ferror", "feof", "ftell", "fileno"];

/// Functions that write what their second argument points to.
const NUMBERS_READ: &[&str] = &["strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strtold"];

/// Functions that deal with the world and write what their arguments point to.
const INWARD: &[&str] = &["scanf", "fscanf", "sscanf", "getline", "strtok"];

/// Functions that deal with the world and write what one argument points to: its position.
const FILLS: &[(&str, u32)] = &[("fgets", 0), ("fread", 0), ("read", 1), ("time", 0), ("gets", 0)];

/// Functions that return memory of their own.
pub const ALLOCATES: &[&str] = &["malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "strdup", "strndup"];

const ENDS: &[&str] = &[
    "exit",
    "abort",
    "_Exit",
    "_exit",
    "quick_exit",
    "__assert_fail",
    "unreachable",
    "trap",
    "longjmp",
    "err",
    "errx",
    "verr",
    "verrx",
];

/// What is known of a function without a body. `watches_errors`: the program looks at the last error.
pub fn summary(name: &str, noreturn: bool, watches_errors: bool) -> Summary {
    // More parameters than these are looked at by no function of the lists but those of the `printf` family, whose
    // strings are in memory anyway.
    let all: BTreeSet<Region> = (0..8).map(Region::Param).chain([Region::Memory]).collect();
    let all_params: BTreeSet<Region> = (0..8).map(Region::Param).collect();
    let errors: BTreeSet<Region> = if watches_errors { [Region::LastError].into() } else { BTreeSet::new() };
    let bare = name.strip_prefix("__builtin_").unwrap_or(name);
    if ENDS.contains(&bare) || noreturn {
        return Summary { ends: true, runs: true, ..Summary::default() };
    }
    if OF_NUMBERS.contains(&bare) {
        return Summary::default();
    }
    if is_mathematical(bare) {
        return Summary { writes: errors, ..Summary::default() };
    }
    if LOOKS.contains(&bare) {
        return Summary { reads: all_params, ..Summary::default() };
    }
    if WRITES_FIRST.contains(&bare) {
        return Summary { writes: [Region::Param(0)].into(), reads: all_params, ..Summary::default() };
    }
    if ASKS.contains(&bare) {
        return Summary { reads: [Region::World].into(), ..Summary::default() };
    }
    if NUMBERS_READ.contains(&bare) {
        let writes = errors.into_iter().chain([Region::Param(1)]).collect();
        return Summary { reads: all_params, writes, ..Summary::default() };
    }
    if OUTWARD.contains(&bare) {
        let writes = errors.into_iter().chain([Region::World]).collect();
        return Summary { reads: all, writes, runs: true, ..Summary::default() };
    }
    if let Some((_, filled)) = FILLS.iter().find(|(name, _)| *name == bare) {
        let writes = errors.into_iter().chain([Region::World, Region::Param(*filled)]).collect();
        return Summary { reads: all_params, writes, runs: true, ..Summary::default() };
    }
    if INWARD.contains(&bare) {
        let writes = all.into_iter().chain(errors).chain([Region::World]).collect();
        return Summary { reads: all_params, writes, runs: true, ..Summary::default() };
    }
    Summary::unknown()
}

/// Functions of numbers that give a number and are defined for all of them, but for the last error.
fn is_mathematical(bare: &str) -> bool {
    let stem = bare.strip_suffix(['f', 'l']).unwrap_or(bare);
    MATHEMATICAL.contains(&bare) || MATHEMATICAL.contains(&stem)
}

/// Functions that are defined for every value of their arguments, numbers all of them, besides those of `math.h`.
const TOTAL: &[&str] = &[
    "rand",
    "random",
    "srand",
    "srandom",
    "clock",
    "getchar",
    "putchar",
    "malloc",
    "calloc",
    "exit",
    "abort",
    "_Exit",
    "_exit",
    "quick_exit",
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__errno_location",
    "trap",
];

/// Functions of `math.h` whose result need not fit its type.
const TO_INTEGERS: &[&str] = &["ilogb", "llrint", "llround", "lrint", "lround"];

/// Whether a call of the function is defined whatever the arguments, which are numbers. The magnitude of the smallest
/// integer is not, but that is the operation's to say.
pub fn is_total(name: &str) -> bool {
    let bare = name.strip_prefix("__builtin_").unwrap_or(name);
    let stem = bare.strip_suffix(['f', 'l']).unwrap_or(bare);
    TOTAL.contains(&bare) || is_mathematical(bare) && !TO_INTEGERS.contains(&bare) && !TO_INTEGERS.contains(&stem)
}
