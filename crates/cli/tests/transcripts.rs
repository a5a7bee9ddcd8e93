//! The command line by transcript: each file in `tests/cmd/` and each page of the tour shows commands with both streams
//! and the exit status. Commands run from the root of the repository, so that transcripts read as a user would type them.

use trycmd::TestCases;
use trycmd::schema::Bin;

fn cases() -> TestCases {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::env::set_current_dir(root).expect("the repository root should be a folder");
    let cases = TestCases::new();
    cases.env("NO_COLOR", "1");
    cases
}

#[test]
fn transcripts() {
    cases().case("crates/cli/tests/cmd/*.trycmd");
}

#[test]
fn the_book() {
    let cases = cases();
    // A reader compiles a client where the build is.
    std::fs::create_dir_all("target").expect("the folder of the build should be there");
    let path = std::env::var_os("PATH").expect("programs should be found by PATH");
    let compiler = std::env::split_paths(&path).map(|folder| folder.join("cc")).find(|file| file.exists());
    cases.register_bin("cc", Bin::Path(compiler.expect("a C compiler should be installed")));
    cases.case("README.md").case("docs/index.md").case("docs/tour/*.md");
}
