//! Programs that C does not define and GCC does, as `plumb run --rules gnu` takes them: the VM against the compiled program.

use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, libc};
use std::path::PathBuf;
use std::process::Command;

/// What the program writes, in the VM; and that it exits with 0 and writes the same as it does natively.
fn agrees(units: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder should be possible");
    let files: Vec<PathBuf> = (0..units.len()).map(|unit| folder.path().join(format!("unit{unit}.c"))).collect();
    for (file, text) in files.iter().zip(units) {
        std::fs::write(file, text).expect("the program should be writable");
    }
    let binary = folder.path().join("program");
    let compiled = Command::new("cc").args(["-w", "-o"]).arg(&binary).args(&files).status();
    assert!(compiled.expect("a C compiler should be there").success());
    let native = Command::new(&binary).output().expect("the program should start");

    let options = cfront::preprocess::Options { shifts_wrap: true, mixed_units: true, ..Default::default() };
    let loaded = match cfront::load(&files, &options) {
        Ok(loaded) => loaded,
        Err(failure) => panic!("it should be a program: {failure:?}"),
    };
    assert!(ir::verify(&loaded.program).is_empty(), "the program should be well-formed");
    let entry = loaded.program.find_function("main").expect("the program should have a `main`");
    let image = Image::new(&loaded.program, libc::LIBRARY);
    let outcome = Machine::new(&image).run(entry, &Input::default(), &Budget::default(), Options::default()).outcome;
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert_eq!(String::from_utf8_lossy(&outcome.stdout), String::from_utf8_lossy(&native.stdout));
}

/// GCC computes with a bit-field wider than `int` in a type of its own width.
#[test]
fn wide_bit_fields_have_a_width_of_their_own() {
    agrees(&[r#"
        #include <stdio.h>
        struct fields { unsigned long long a : 33, b : 40, c : 41; long long s : 36; };
        int main(void) {
            struct fields x = {0x1ffffffffULL, 0xffffffffffULL, 0x100ULL, -5};
            printf("%d %d %d\n", x.a + 1 == 0, x.b + x.a == x.a - 1, x.a * x.a == 1);
            printf("%d %d %d\n", -x.b == 1, ~x.a == 0, x.c - x.b > 0);
            printf("%llx %llx\n", (unsigned long long)(x.a << 1), (unsigned long long)(x.b >> 4));
            printf("%llx %lld\n", (unsigned long long)(x.b + x.b + 1), (long long)(x.s + x.s));
            printf("%d %d %d\n", x.s < 0, x.a > -1, x.b + 1L == 0x10000000000L);
            x.a += 2;
            printf("%llx\n", (unsigned long long)x.a);
            return 0;
        }"#]);
}

/// Units that disagree about what they share are run, with what each believes.
#[test]
fn units_may_disagree_about_a_variable() {
    agrees(&[
        r#"
        #include <stdio.h>
        extern const int kinds[];
        extern char *names;
        int main(void) {
            int n = 0;
            while (kinds[n])
                n++;
            printf("%d %d %s\n", n, kinds[1], names);
            return 0;
        }"#,
        r#"
        const unsigned kinds[] = {7, 0xffffffffu, 3, 0};
        const char *names = "names";
        "#,
    ]);
}
