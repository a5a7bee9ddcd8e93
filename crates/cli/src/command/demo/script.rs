//! What is shown, in this order: a sentence, and the commands that it announces with the statuses they should end with.

use crate::exit::Exit::{self, Clean, Found};

pub(super) struct Scene {
    pub(super) about: &'static str,
    pub(super) commands: &'static [(Exit, &'static str)],
}

pub(super) const SCENES: &[Scene] = &[
    Scene {
        about: "Which relations hold inside this division? Plumbline runs it on inputs of its own making and says:",
        commands: &[(Clean, "infer examples/infer/cohen.c")],
    },
    Scene {
        about: "Which element of one array is which of another?",
        commands: &[(Clean, "infer examples/infer/transpose.c --entry transpose")],
    },
    Scene {
        about: "What holds on all runs is proved, and what does not is broken with an input:",
        commands: &[
            (Clean, "prove examples/prove/ex1.c"),
            (Found, "prove examples/prove/sqrt.c --at vtrace1 --invariant 's == (a+1)*(a+1)' --invariant '9989 >= x'"),
        ],
    },
    Scene {
        about: "An input that drives a function along a path, when trees and stacks are given by rules:",
        commands: &[(
            Clean,
            "reach examples/reach/preorder.c --rules examples/reach/tree.rules --path 'T([F T; T F; ..])' --all",
        )],
    },
    Scene {
        about: "An input that comes to a label, found by following paths with unknown inputs and tried on the compiled program:",
        commands: &[(Clean, "reach examples/reach/figure.c --target L")],
    },
    Scene {
        about: "A test for every branch of a reader of files, and a branch that no file takes:",
        commands: &[(Clean, "reach examples/reach/magic.c --all-branches")],
    },
    Scene {
        about: "The kind of a triangle does not depend on the order of its sides. Of one version that is proved for a million triangles, of the other it is broken with the smallest that shows it:",
        commands: &[
            (Clean, "symmetry examples/symmetry/trityp.c --permute i,j,k --domain i,j,k=0..100"),
            (Found, "symmetry examples/symmetry/trityp_faulty.c --permute i,j,k --domain i,j,k=0..100"),
        ],
    },
    Scene {
        about: "How an array of outputs follows an array of inputs can be found out:",
        commands: &[(Clean, "symmetry examples/symmetry/replace_all.c --discover --domain old,new=0..3")],
    },
    Scene {
        about: "Whether a reader takes all that a writer can write, from the two sources:",
        commands: &[
            (
                Clean,
                "conform --io examples/conform/io.toml --producer examples/conform/sensor-producer.c --consumer examples/conform/sensor-consumer.c",
            ),
            (
                Found,
                "conform --io examples/conform/io.toml --producer examples/conform/sensor-producer.c --consumer examples/conform/sensor-consumer-buggy.c",
            ),
        ],
    },
    Scene {
        about: "A program that fails its tests: which line is to blame, and which small edit makes the tests pass?",
        commands: &[
            (Clean, "repair examples/repair/is_upward.c --tests examples/repair/is_upward.csv"),
            (Clean, "repair examples/repair/leap.c --tests examples/repair/leap.csv"),
        ],
    },
    Scene {
        about: "What may stand between the rows of a picture? The program that reads pictures, turned around, and ten pictures that mean the same:",
        commands: &[
            (Clean, "represent examples/represent/ddsurfacedesc.c --show-inverse"),
            (
                Clean,
                "represent examples/represent/ddsurfacedesc.c --data examples/represent/ddsurfacedesc.json --count 10",
            ),
        ],
    },
    Scene {
        about: "Rows from any other language will do as well:",
        commands: &[(Clean, "infer examples/infer/orbit.csv --forms equality,congruence")],
    },
    Scene {
        about: "And what was found can be written back, here as annotations for Frama-C:",
        commands: &[(Clean, "infer -q examples/infer/sqrt.c --forms equality --no-ghosts --emit acsl")],
    },
    Scene {
        about: "Plumbline reads C as your compiler does, and knows what is in it.",
        commands: &[(Clean, "check examples/run/primes.c")],
    },
    Scene {
        about: "It runs the program in a virtual machine that watches every step,",
        commands: &[(Clean, "run examples/run/primes.c -- 1000")],
    },
    Scene {
        about: "or natively, in a sandbox. Both give the same answer.",
        commands: &[(Clean, "run examples/run/primes.c --engine native -- 1000")],
    },
    Scene {
        about: "What the compiler lets pass, the machine reports, with the place and the reason:",
        commands: &[(Found, "run examples/run/midpoint.c"), (Found, "run examples/run/registry.c")],
    },
    Scene {
        about: "Any function can be the entry, and trace points record values:",
        commands: &[(Clean, "run examples/run/cohen.c --traces - -- 47 3")],
    },
    Scene {
        about: "And everything at once, of a file one knows nothing about:",
        commands: &[(Found, "check-up examples/run/midpoint.c")],
    },
];
