//! The files of the demonstration, as they stand in `examples/` of the repository.

macro_rules! example {
    ($path:literal) => {
        ($path, include_bytes!(concat!("../../../../../", $path)))
    };
}

/// Each file with its text.
pub(super) const FILES: &[(&str, &[u8])] = &[
    example!("examples/conform/io.toml"),
    example!("examples/conform/messages.h"),
    example!("examples/conform/sensor-consumer-buggy.c"),
    example!("examples/conform/sensor-consumer.c"),
    example!("examples/conform/sensor-producer.c"),
    example!("examples/infer/cohen.c"),
    example!("examples/infer/orbit.csv"),
    example!("examples/infer/sqrt.c"),
    example!("examples/infer/transpose.c"),
    example!("examples/prove/ex1.c"),
    example!("examples/prove/sqrt.c"),
    example!("examples/reach/figure.c"),
    example!("examples/reach/magic.c"),
    example!("examples/reach/preorder.c"),
    example!("examples/reach/tree.rules"),
    example!("examples/repair/is_upward.c"),
    example!("examples/repair/is_upward.csv"),
    example!("examples/repair/leap.c"),
    example!("examples/repair/leap.csv"),
    example!("examples/represent/ddsurfacedesc.c"),
    example!("examples/represent/ddsurfacedesc.json"),
    example!("examples/run/cohen.c"),
    example!("examples/run/midpoint.c"),
    example!("examples/run/primes.c"),
    example!("examples/run/registry.c"),
    example!("examples/symmetry/replace_all.c"),
    example!("examples/symmetry/trityp.c"),
    example!("examples/symmetry/trityp_faulty.c"),
];
