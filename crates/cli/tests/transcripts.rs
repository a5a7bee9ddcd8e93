//! The command line by transcript: each file in `tests/cmd/` shows commands with both streams and the exit status.
//! Commands run from the root of the repository, so that transcripts read as a user would type them.

#[test]
fn transcripts() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::env::set_current_dir(root).expect("the repository root should be a folder");
    trycmd::TestCases::new().env("NO_COLOR", "1").case("crates/cli/tests/cmd/*.trycmd");
}
