//! The rule catalogue: every kind of finding we can make, with the text that explains it.
//!
//! `plumb explain`, the SARIF rule list and the reference in the book are all made from this table, so a rule
//! is described once. A rule's id is part of the interface: scripts filter by it.

use crate::Severity;

macro_rules! rules {
    ($($variant:ident $id:literal $severity:ident $summary:literal $explanation:literal;)*) => {
        /// A kind of finding.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Rule { $($variant),* }

        impl Rule {
            /// Every rule, in the order of the catalogue.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant),*];

            /// The stable name, as in `plumb explain signed-overflow`.
            pub fn id(self) -> &'static str {
                match self { $(Rule::$variant => $id),* }
            }

            /// The severity its findings usually have.
            pub fn severity(self) -> Severity {
                match self { $(Rule::$variant => Severity::$severity),* }
            }

            /// One line.
            pub fn summary(self) -> &'static str {
                match self { $(Rule::$variant => $summary),* }
            }

            /// A paragraph: why it matters and what to do.
            pub fn explanation(self) -> &'static str {
                match self { $(Rule::$variant => $explanation),* }
            }
        }
    };
}

rules! {
    // What the front end finds.
    Preprocess "preprocess" Error "the preprocessor refused the file"
        "The compiler's preprocessor (`cc -E`) reported an error, most often a missing include file. Give the include folders and definitions the program is built with after `--`, for example `plumb check FILE -- -Iinclude -DDEBUG`.";
    Syntax "syntax" Error "the text is not C as we read it"
        "The preprocessed text could not be parsed. If your compiler accepts the file, it uses an extension that Plumbline does not read yet; the place is named so that it can be worked around.";
    Unsupported "unsupported" Error "a construct outside what Plumbline models"
        "The construct is C, or a known extension of it, but Plumbline has no model of its meaning. What depends on it is reported as inconclusive rather than guessed at.";
    TypeError "type-error" Error "the program breaks a constraint of C's type system"
        "An expression, declaration or call does not type-check. A C compiler rejects the program or warns about it.";
    OpenOrder "open-order" Warning "what happens depends on an order of evaluation that C leaves open"
        "Operands of an operator, arguments of a call and elements of an initialiser are evaluated in any order that the compiler likes. Here two of them have something in common that one of them changes, so that the result depends on the compiler. Nothing is promised about what comes after it. Give one of them a statement of its own.";
    Undeclared "undeclared" Error "a name is used that was not declared"
        "The identifier is not declared in this translation unit. If it is a macro of the build, pass its definition after `--`.";
    LinkError "link-error" Error "translation units that do not fit together"
        "Two translation units define the same name, or declare it with different types.";
    ImplicitDeclaration "implicit-declaration" Warning "a function is called without a declaration"
        "C99 removed implicit declarations. The function is taken to return `int`, as old compilers do.";

    // What `reach` finds in paths and rules.
    BadRules "bad-rules" Error "the rules cannot be used"
        "A file of rules declares sorts with their constructors and gives equations for operations, read from left to right: `left(tree(_, L, _)) -> L`. The left-hand side is an operation applied to constructors and variables, no variable occurring twice. See docs/rules-and-paths.md.";
    DoubtfulRules "doubtful-rules" Warning "rules that may not mean what they should"
        "The rules can be used, but two of them give different results for the same arguments, an operation may never end, or a sort has no declaration or no values. A search over such rules may find too much, or not end.";
    BadPath "bad-path" Error "a path that the function cannot take"
        "The text is not a path, or the function has no such path whatever the values are. `plumb reach FILE --list-paths` shows what can be chosen; see docs/rules-and-paths.md.";
    SortMismatch "sort-mismatch" Error "C and the rules disagree about a sort"
        "A C function is the operation of its name in the rules. Its parameters and result must have types that stand for the sorts of the rules: integers for `int` and `bool`, and for every other sort one type of pointer or struct.";
    UnsupportedOnPath "unsupported-on-path" Error "C on the path that has no meaning as terms"
        "Paths are solved for programs whose state is a set of whole variables: integers, and abstract values that operations with rules compute. Memory behind pointers, floating values and jumps are outside.";

    // What a run finds.
    SignedOverflow "signed-overflow" Error "signed integer overflow"
        "The result of a signed operation does not fit its type. That is undefined behaviour in C: optimisers assume it does not happen, so the program may do anything. Use a wider or an unsigned type, or check the operands first.";
    DivisionByZero "division-by-zero" Error "division or remainder by zero"
        "Integer division by zero is undefined behaviour and stops the program on most machines.";
    BadShift "bad-shift" Error "shift by a negative or too large amount"
        "The shift amount must be at least 0 and less than the width of the promoted left operand; shifting a negative value left, or a one into or past the sign bit, is undefined too.";
    BadConversion "bad-conversion" Error "a floating value that does not fit the integer type"
        "Converting a floating value to an integer type that cannot hold its integral part is undefined behaviour.";
    OutOfBounds "out-of-bounds" Error "access outside an object"
        "The program reads or writes outside the object the pointer belongs to, or forms a pointer more than one past its end.";
    UseAfterFree "use-after-free" Error "access to memory that was freed"
        "The object was released by `free` or `realloc` before this access.";
    UseAfterScope "use-after-scope" Error "access to a variable whose lifetime has ended"
        "The pointer refers to a local variable of a call that has returned, or of a block that has been left.";
    DoubleFree "double-free" Error "memory freed twice"
        "The pointer passed to `free` or `realloc` was freed before.";
    InvalidFree "invalid-free" Error "free of something malloc did not return"
        "Only pointers returned by `malloc`, `calloc`, `realloc` and the functions built on them may be freed.";
    NullDereference "null-dereference" Error "access through a null pointer"
        "The pointer is null where the program reads, writes or calls through it.";
    InvalidPointer "invalid-pointer" Error "a pointer used in a way its provenance does not allow"
        "The pointer does not point to an object that is alive, or two pointers to different objects are subtracted or ordered.";
    MisalignedAccess "misaligned-access" Error "access through a pointer of the wrong alignment"
        "The address is not a multiple of the alignment of the accessed type.";
    UninitialisedRead "uninitialised-read" Error "a value is used that was never written"
        "The variable or memory has no value yet. Its use is undefined behaviour, or at best unpredictable.";
    WriteToConstant "write-to-constant" Error "modification of a constant"
        "String literals and objects defined `const` must not be modified.";
    StrictAliasing "strict-aliasing" Error "an object is accessed as another type than its own"
        "A variable is read or written through a pointer to a type that C does not allow for it (6.5p7): neither its own, nor the signed or unsigned one, nor a character type. Optimisers take such accesses to be to different objects. Copy the bytes with `memcpy`, use a union, or compile with `-fno-strict-aliasing` and say so here behind `--`.";
    BadCall "bad-call" Error "call through a pointer of the wrong type"
        "The called function's type does not agree with the type of the pointer or with the arguments given.";
    Unsequenced "unsequenced" Error "an object is changed twice, or changed and used, without an order"
        "Two operands change one object, or one changes it and the other uses its value, and C puts no order between them (`i = i++`, `a[i] = i++`, `f(i++, i++)`). That is undefined behaviour: compilers give different results. Give one of them a statement of its own.";
    MissingReturn "missing-return-value-used" Error "the value of a call that returned none is used"
        "The function reached its end without a `return` of a value, and the caller uses the value.";
    MemoryOverlap "memory-overlap" Error "overlapping regions in a copy"
        "`memcpy`, `strcpy`, `sprintf` and their kin require regions that do not overlap; use `memmove`.";
    BadFormat "bad-format" Error "arguments that do not fit the format string"
        "A conversion of the format string has no argument, or one of another type.";
    BadArgument "bad-argument" Error "a library function called outside its contract"
        "The C library does not define what happens for this argument.";
    DataRace "data-race" Error "two threads access an object without an order"
        "Two threads access the same bytes, at least one of them writes, they are not both atomic, and nothing puts one access before the other: no mutex, no join, no acquire that sees a release. That is undefined behaviour (C11 5.1.2.4p25) whatever the values are. Protect both by one mutex, or make the object `_Atomic`.";
    Deadlock "deadlock" Error "threads wait for each other for ever"
        "Every thread that is left waits for something that only another waiting thread could bring about. Take mutexes in one order everywhere, and wake those who wait on a condition.";
    NoreturnReturned "noreturn-returned" Error "a function that is declared never to return does return"
        "The function is declared `_Noreturn` (or with the attribute) and comes to its end (C11 6.7.4p8). Compilers leave out the code after its calls.";
    TrapValue "trap-value" Error "an object holds no value of its type"
        "The bytes of a `_Bool` are neither 0 nor 1. Reading it is undefined behaviour (C11 6.2.6.1p5): compilers may take it for true and false at once.";
    StackExhausted "stack-exhausted" Error "calls and their variables need more than the stack has"
        "The calls in progress, with the variables that live in memory, take more than the 8 MiB that a process is given for them, even if each call is counted with its return address and saved frame pointer alone. A compiled program crashes here, unless the optimiser gets rid of the calls. Bound the recursion, or put large arrays on the heap.";
    Leak "leak" Warning "memory that was never freed"
        "When the program ended, heap objects were left. Those to which no pointer leads any more can never be freed; of the others the program just did not take care. `plumb run --leaks` looks for them.";
    LeftOpen "left-open" Warning "a file that was never closed"
        "When the program ended, a stream or a descriptor that it had opened was open still. `plumb run --leaks` looks for them.";
    AssertionFailed "assertion-failed" Error "an assertion does not hold"
        "A condition the program itself states (`assert`, `__VERIFIER_assert`, an unreachable `reach_error`) is false on this run.";
    InvariantRefuted "invariant-refuted" Error "an invariant that was asked about does not hold"
        "The relation is false at the place it was asked about, on the run that the inputs lead to. It may have held of all runs that were made before.";
    Aborted "aborted" Error "the program aborted"
        "The program called `abort`, or was stopped by a signal it raised itself.";
    Crashed "crashed" Error "the natively compiled program crashed"
        "The child process was ended by a signal. Run the same input with `--engine vm` to see why.";

    // What permuted inputs show.
    SymmetryViolated "symmetry-violated" Error "permuted inputs do not give permuted outputs"
        "The program answers two arrangements of the same inputs in a way that the symmetry relation excludes. One of the two answers is wrong, or the program does not have the symmetry; which of the two answers it is cannot be told from them.";
    NotInvertible "not-invertible" Error "a normalisation program cannot be inverted here"
        "`plumb represent` reads a function as assignments, assumptions, conditionals and counted loops over integers, and turns it around. What stands here is none of these, or cannot be turned around.";
    BadSample "bad-sample" Error "a sample is not what the normalisation program takes"
        "The sample given to `plumb represent` violates an assumption of the normalisation program, or the program fails on it; so it has no canonical value, and nothing is equivalent to it.";
    RepresentationDependence "representation-dependence" Error "a client depends on how its data is written down"
        "Two files that mean the same, by the normalisation program, make the client behave differently. The choices by which they differ are named; the smallest such file is given.";
    Incompatible "incompatible" Error "a reader does not accept what a writer can write"
        "`plumb conform` found a message that the producer can write, by its control flow, and that the consumer does not read to its end. The finding is where the consumer stands when the message leads nowhere. Both languages are over-approximated, so it may be a message that no run writes; `--confirm` runs both programs.";
    TestsFail "tests-fail" Error "a program fails its tests"
        "`plumb repair` was given tests that the program does not pass. The finding is at the line that the first patch changes, or at the most suspicious line where there is no patch. A patch that passes the tests may still be wrong: the tests say what they say and no more.";
    DoesNotReturn "does-not-return" Error "a call does not come back in time"
        "A call used up its time without an answer. `--call-time SECONDS` gives calls longer.";
    Sanitizer "sanitizer" Error "a sanitizer reports undefined behaviour"
        "The function was compiled with the compiler's address and undefined-behaviour sanitizers, and one of them ended the call.";
    BadAnswer "bad-answer" Error "a program answers what cannot be read"
        "A program that is asked line by line should answer each line, a JSON array of arguments, with one line that is a JSON value.";
}

impl Rule {
    /// Whether it is about an access to memory: where it goes, and whether what is there may be read or written.
    pub fn is_about_access(self) -> bool {
        matches!(
            self,
            Rule::OutOfBounds
                | Rule::InvalidPointer
                | Rule::NullDereference
                | Rule::UseAfterFree
                | Rule::UseAfterScope
                | Rule::MisalignedAccess
                | Rule::WriteToConstant
        )
    }

    /// The rule with this id.
    pub fn from_id(id: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.id() == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_found_again() {
        for &rule in Rule::ALL {
            assert_eq!(Rule::from_id(rule.id()), Some(rule));
            assert!(rule.explanation().ends_with('.'), "{} should be explained in whole sentences", rule.id());
            assert!(!rule.summary().ends_with('.'), "{} should have a summary that is a clause", rule.id());
        }
        assert_eq!(Rule::from_id("no-such-rule"), None);
    }
}
