//! What a call of a function without a body may do to the program's objects.
//!
//! *Guarantee*: a function of which [`ir::library`] says nothing may write every global another unit can name and
//! everything a pointer can reach, may call every function whose address is taken, and returns anything.

use ir::effects::Region;
use ir::{Base, Expr, ExprKind, GlobalKind, InitItem, InitValue, Program, Step};

/// The effect of a call of a library function on the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The magnitude of the argument.
    Magnitude,
    /// Nothing but a result within its type.
    Pure,
    /// No result that matters and no change of any object of the program, unless the format says so.
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

const PRINTS: &[&str] = &["printf", "fprintf", "dprintf"];

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
    "ualarm",
    "timer_create",
    "sigset",
    "bsd_signal",
    "sysv_signal",
    "ssignal",
    "getcontext",
    "setcontext",
    "makecontext",
    "swapcontext",
    "clone",
    // These go on in the background.
    "aio_read",
    "aio_write",
    "lio_listio",
    "mq_notify",
    // These make reading and writing of a stream change objects of the program, or call its functions.
    "setbuf",
    "setvbuf",
    "setbuffer",
    "fmemopen",
    "open_memstream",
    "open_wmemstream",
    "fopencookie",
    // These change how floating operations round.
    "fesetround",
    "fesetenv",
    "feupdateenv",
    "feholdexcept",
    "fesetmode",
    "ia32_ldmxcsr",
];

/// What is known of a function by its name.
pub fn effect(name: &str) -> Effect {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let lists = [(MAGNITUDE, Effect::Magnitude), (PRINTS, Effect::Prints), (CHAOS, Effect::Chaos)];
    if let Some((_, effect)) = lists.into_iter().find(|(names, _)| names.contains(&name)) {
        return effect;
    }
    let summary = ir::library::summary(name, false, false);
    let writes = |region: &Region| matches!(region, Region::Param(_) | Region::Memory);
    match name {
        _ if summary.anything => Effect::Unknown,
        _ if summary.ends => Effect::Ends,
        // What is released keeps its value, as far as anybody may look.
        "free" => Effect::Pure,
        _ if summary.writes.iter().any(writes) => Effect::WritesArguments,
        _ => Effect::Pure,
    }
}

/// What is known of a call by the function's name and the arguments.
pub fn effect_of_call(program: &Program, name: &str, args: &[Expr]) -> Effect {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    match effect(name) {
        Effect::Prints => {
            let format = args.get(usize::from(plain != "printf")).and_then(|format| literal_text(program, format));
            if format.is_some_and(|format| !stores_counts(&format)) { Effect::Pure } else { Effect::WritesArguments }
        }
        // Without a buffer of the program's own the stream has the library's.
        Effect::Chaos if matches!(plain, "setbuf" | "setvbuf") && args.get(1).is_some_and(is_zero) => Effect::Pure,
        effect => effect,
    }
}

fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Convert { value, .. } => is_zero(value),
        _ => false,
    }
}

/// Whether a format of `printf` has a conversion that writes to the program's objects: `%n` in one of its forms.
pub fn stores_counts(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while rest.any(|byte| *byte == b'%') {
        let conversion = rest.find(|byte| !b"-+ #0'I.*$123456789hlLqjzt".contains(byte));
        if conversion == Some(&b'n') {
            return true;
        }
    }
    false
}

/// The text that a pointer to a string literal leads to.
pub fn literal_text(program: &Program, pointer: &Expr) -> Option<Vec<u8>> {
    let lvalue = match &pointer.kind {
        ExprKind::AddressOf(lvalue) => lvalue,
        ExprKind::Convert { value, .. } => return literal_text(program, value),
        _ => return None,
    };
    let Base::Global(id) = lvalue.base else { return None };
    let starts = matches!(&lvalue.path[..], [Step::Index(Expr { kind: ExprKind::Int(0), .. })]);
    let global = &program.globals[id];
    let is_literal = starts && global.kind == GlobalKind::StringLiteral;
    match &global.init.as_ref().filter(|_| is_literal)?.items[..] {
        [InitItem { offset: 0, value: InitValue::Bytes(bytes), .. }] => {
            bytes.split(|byte| *byte == 0).next().map(<[u8]>::to_vec)
        }
        [] => Some(Vec::new()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide() {
        assert_eq!(effect("abs"), Effect::Magnitude);
        assert_eq!(effect("__builtin_abs"), Effect::Magnitude);
        assert_eq!(effect("longjmp"), Effect::Chaos);
        assert_eq!(effect("exit"), Effect::Ends);
        assert_eq!(effect("strlen"), Effect::Pure);
        assert_eq!(effect("memset"), Effect::WritesArguments);
        assert_eq!(effect("scanf"), Effect::WritesArguments);
        assert_eq!(effect("qsort"), Effect::Unknown);
        assert_eq!(effect("frobnicate"), Effect::Unknown);
    }

    #[test]
    fn formats_that_store() {
        for format in ["%n", "a%hhn", "%1$n", "%d%ln", "%-5lln", "%%%n"] {
            assert!(stores_counts(format.as_bytes()), "{format}");
        }
        for format in ["", "%d\n", "%%n", "%5.3fn", "100%", "%s n"] {
            assert!(!stores_counts(format.as_bytes()), "{format}");
        }
    }
}
