//! Sources that attack whoever reads them: the compiler sees the program's own folders and no more, and for a while only.

use cfront::preprocess::Options;
use cfront::{Failure, load};
use replay::{CompileError, Recipe, Source, compile};
use sandbox::{Host, Wall};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SECRET: &str = "int plumb_secret = 4711;\n";

/// A folder with a program, and another with something that is none of its business.
struct Folders {
    own: tempfile::TempDir,
    other: tempfile::TempDir,
}

impl Folders {
    fn new() -> Folders {
        let folders = Folders { own: tempfile::tempdir().unwrap(), other: tempfile::tempdir().unwrap() };
        fs::write(folders.secret(), SECRET).unwrap();
        fs::write(folders.own.path().join("beside.h"), "int beside;\n").unwrap();
        folders
    }

    fn secret(&self) -> PathBuf {
        self.other.path().join("secret.h")
    }

    fn source(&self, text: &str) -> PathBuf {
        let path = self.own.path().join("program.c");
        fs::write(&path, text).unwrap();
        path
    }
}

/// Whether this host keeps files from compilers at all; `plumb doctor` says so too.
fn files_are_kept() -> bool {
    let walls = Host::get().walls();
    let kept = walls.stands(Wall::View) || walls.stands(Wall::Landlock);
    if !kept {
        eprintln!("skipped: this host has neither namespaces nor Landlock");
    }
    kept
}

fn is_refused(path: &Path, options: &Options) -> bool {
    match load(&[path.to_path_buf()], options) {
        Ok(_) => false,
        Err(Failure::Program { findings, sources }) => {
            let told = findings.iter().any(|f| f.message.contains("4711") || f.message.contains("plumb_secret"));
            let shown = sources.files().any(|(_, file)| file.text.as_deref().is_some_and(|t| t.contains("4711")));
            assert!(!told && !shown, "the refusal should not show what was refused");
            true
        }
        Err(Failure::Environment(error)) => panic!("{error}"),
    }
}

#[test]
fn headers_outside_the_programs_folders_are_not_there() {
    if !files_are_kept() {
        return;
    }
    let folders = Folders::new();
    let secret = folders.secret().display().to_string();
    let own = Options::default();
    for text in [
        format!("#include \"{secret}\"\n"),
        format!("#include <{secret}>\n"),
        format!("#define WHERE \"{secret}\"\n#include WHERE\n"),
        format!("#include \"../../../../../../../../../..{secret}\"\n"),
        "#include \"/etc/shadow\"\n".to_string(),
    ] {
        assert!(is_refused(&folders.source(&text), &own), "{text}");
    }
    std::os::unix::fs::symlink(folders.secret(), folders.own.path().join("linked-secret.h")).unwrap();
    assert!(is_refused(&folders.source("#include \"linked-secret.h\"\n"), &own));
    // What the user names, and what lies beside the program, is there.
    let named = Options { flags: vec![format!("-I{}", folders.other.path().display())], ..Options::default() };
    assert!(!is_refused(&folders.source("#include <secret.h>\n#include \"beside.h\"\n"), &named));
}

#[test]
fn line_markers_do_not_make_us_read_files() {
    let folders = Folders::new();
    let text = format!("# 1 \"{}\"\nint x = ;\n", folders.secret().display());
    assert!(is_refused(&folders.source(&text), &Options::default()));
}

#[test]
fn assembly_does_not_read_files_outside() {
    if !files_are_kept() {
        return;
    }
    let folders = Folders::new();
    let text = format!(
        "__asm__(\".section .rodata\\nstolen: .incbin \\\"{}\\\"\\n.text\");\nint main(void) {{ return 0; }}\n",
        folders.secret().display()
    );
    let refused = compile(&Recipe::new([Source::file(folders.source(&text))]), None);
    assert!(matches!(refused, Err(CompileError::Refused { .. })), "{refused:?}");
}

#[test]
fn preprocessing_and_compiling_come_to_an_end() {
    let folders = Folders::new();
    // Sixty lines that are 2^60 words.
    let mut text = "#define A0 x x\n".to_string();
    for level in 1..60 {
        text += &format!("#define A{level} A{} A{}\n", level - 1, level - 1);
    }
    text += "A59\n";
    let options = Options { time_limit: Duration::from_secs(1), ..Options::default() };
    let ended = load(&[folders.source(&text)], &options);
    assert!(matches!(ended, Err(Failure::Environment(_))));
    let large = folders.source("char a[3000000000] = {1};\nint main(void) { return a[0]; }\n");
    let recipe = Recipe { time: Duration::from_secs(20), ..Recipe::new([Source::file(large)]) };
    assert!(compile(&recipe, None).is_err());
}
