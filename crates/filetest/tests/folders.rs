//! Walking folders, and what a run over one reports.

use std::fs;

#[test]
fn files_come_sorted_from_all_depths() {
    let root = tempfile::tempdir().unwrap();
    for name in ["b.ir", "a/z.ir", "a/y/x.ir", "c.txt"] {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let names: Vec<String> = filetest::files(root.path(), "ir").unwrap().into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["a/y/x.ir", "a/z.ir", "b.ir"]);
    assert!(filetest::files(&root.path().join("absent"), "ir").is_err());
}

#[test]
fn a_folder_with_a_first_unit_is_one_program() {
    let root = tempfile::tempdir().unwrap();
    for name in ["x.c", "two/a.c", "two/b.c", "zoo/k.c", "zoo/l.c"] {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let programs = filetest::programs(root.path(), "c").unwrap();
    let names: Vec<(&str, usize)> = programs.iter().map(|(units, name)| (name.as_str(), units.len())).collect();
    assert_eq!(names, [("two", 2), ("x.c", 1), ("zoo/k.c", 1), ("zoo/l.c", 1)]);
    assert!(programs[0].0[0].ends_with("a.c"));
}

#[test]
#[should_panic(expected = "2 of 3 files failed:\nb.ir: no\nc.ir: no")]
fn every_failure_is_named() {
    let root = tempfile::tempdir().unwrap();
    for name in ["a.ir", "b.ir", "c.ir"] {
        fs::write(root.path().join(name), "").unwrap();
    }
    filetest::run(root.path(), "ir", |file| if file.name == "a.ir" { Ok(()) } else { Err("no".into()) });
}

#[test]
#[should_panic(expected = "there should be .ir files")]
fn an_empty_folder_is_a_failure() {
    let root = tempfile::tempdir().unwrap();
    filetest::run(root.path(), "ir", |_| Ok(()));
}
