//! What a call of a function without a body may do to the program's objects.
//!
//! *Guarantee*: a function of which [`ir::library`] says nothing may write every global another unit can name and
//! everything a pointer can reach, may call every function whose address is taken, and returns anything.

use ir::effects::Region;

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
    // These change how floating operations round.
    "fesetround",
    "fesetenv",
    "feupdateenv",
    "feholdexcept",
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
}
