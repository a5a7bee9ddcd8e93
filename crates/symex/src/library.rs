//! What a call of a function without a body may do to the program's objects.
//!
//! *Guarantee*: a function that is not listed here may write every global another unit can name and everything a
//! pointer can reach, may call every function whose address is taken, and returns anything.

/// The effect of a call of a library function on the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The magnitude of the argument.
    Magnitude,
    /// Nothing but a result within its type.
    Pure,
    /// No result that matters and no change of any object of the program, unless a pointer to a number is passed.
    Prints,
    /// It may write through the pointers it is given.
    WritesArguments,
    /// Control does not come back, or not in a way that is followed.
    Ends,
    /// Control may go elsewhere later on: nothing is known after it.
    Chaos,
    /// Anything.
    Unknown,
}

const MAGNITUDE: &[&str] = &["abs", "labs", "llabs", "imaxabs", "fabs", "fabsf", "fabsl"];

const PURE: &[&str] = &[
    "sqrt",
    "sqrtf",
    "sqrtl",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "powf",
    "hypot",
    "floor",
    "ceil",
    "round",
    "trunc",
    "fmod",
    "fmin",
    "fmax",
    "lround",
    "lrint",
    "rint",
    "nearbyint",
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
    "strlen",
    "strcmp",
    "strncmp",
    "memcmp",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "rand",
    "random",
    "clock",
    "getchar",
    "getc",
    "fgetc",
    "malloc",
    "calloc",
    "free",
    "srand",
    "srandom",
    "__errno_location",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "getenv",
    "fopen",
    "fclose",
    "putchar",
    "putc",
    "fputc",
    "puts",
    "fputs",
    "fflush",
    "perror",
    "ferror",
    "feof",
];

const PRINTS: &[&str] = &["printf", "fprintf", "dprintf"];

const WRITES_ARGUMENTS: &[&str] = &[
    "memcpy", "memmove", "memset", "strcpy", "strncpy", "strcat", "strncat", "sprintf", "snprintf", "scanf", "fscanf",
    "sscanf", "fgets", "fread", "fwrite", "read", "write", "realloc", "strdup", "strndup", "strtol", "strtoul",
    "strtod", "strtok", "getline", "time",
];

const ENDS: &[&str] = &["exit", "abort", "_Exit", "_exit", "quick_exit", "__assert_fail"];

const CHAOS: &[&str] = &[
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "signal",
    "sigaction",
    "pthread_create",
    "thrd_create",
    "fork",
    "vfork",
    "alarm",
    "setitimer",
    // These change how floating operations round.
    "fesetround",
    "fesetenv",
    "feupdateenv",
    "feholdexcept",
];

/// What is known of a function by its name.
pub fn effect(name: &str) -> Effect {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let lists: [(&[&str], Effect); 6] = [
        (MAGNITUDE, Effect::Magnitude),
        (PURE, Effect::Pure),
        (PRINTS, Effect::Prints),
        (WRITES_ARGUMENTS, Effect::WritesArguments),
        (ENDS, Effect::Ends),
        (CHAOS, Effect::Chaos),
    ];
    let found = lists.into_iter().find(|(names, _)| names.contains(&name));
    found.map_or(Effect::Unknown, |(_, effect)| effect)
}

/// Functions that are defined for every value of their arguments, numbers all of them.
const TOTAL: &[&str] = &[
    "sqrt",
    "sqrtf",
    "sqrtl",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "powf",
    "hypot",
    "floor",
    "ceil",
    "round",
    "trunc",
    "fmod",
    "fmin",
    "fmax",
    "rint",
    "nearbyint",
    "fabs",
    "fabsf",
    "fabsl",
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
    "__errno_location",
    "trap",
];

/// Whether a call of the function is defined whatever the arguments, which are numbers. The magnitude of the smallest
/// integer is not, but that is the operation's to say.
pub fn is_total(name: &str) -> bool {
    TOTAL.contains(&name.strip_prefix("__builtin_").unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide() {
        assert_eq!(effect("abs"), Effect::Magnitude);
        assert_eq!(effect("__builtin_abs"), Effect::Magnitude);
        assert_eq!(effect("longjmp"), Effect::Chaos);
        assert_eq!(effect("qsort"), Effect::Unknown);
        assert_eq!(effect("frobnicate"), Effect::Unknown);
    }
}
