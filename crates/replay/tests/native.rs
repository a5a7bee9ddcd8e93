//! Native runs, well-behaved and hostile: whatever the child does is a result, and nothing of it remains.

use exec::{Budget, Ending, Input, Limit, PointId, Scalar, Trace, ValueType, Variable};
use ir::{FloatKind, IntKind};
use replay::{Binary, CompileError, Conditions, Entry, Recipe, Run, Source, compile};
use sandbox::Wall;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

const INT: ValueType = ValueType::Int(IntKind::Int);

fn recipe(text: &str) -> Recipe {
    Recipe::new([Source::text("test.c", text)])
}

fn build(text: &str) -> Binary {
    compile(&recipe(text), None).unwrap_or_else(|e| panic!("{e}"))
}

fn budget() -> Budget {
    Budget { time_ms: 20_000, output: 1 << 20, memory: 256 << 20, ..Budget::default() }
}

fn run_with(text: &str, input: &Input, budget: &Budget) -> Run {
    build(text).run(input, budget, &Conditions::default()).unwrap()
}

fn run(text: &str) -> Run {
    run_with(text, &Input::default(), &budget())
}

fn stdout(run: &Run) -> String {
    String::from_utf8_lossy(&run.outcome.stdout).into_owned()
}

/// Whether any process has `marker` among its arguments.
fn is_running(marker: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        std::fs::read(entry.path().join("cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(marker))
    })
}

#[test]
fn exit_status_outputs_arguments_and_input() {
    let text = r#"
        #include <stdio.h>
        int main(int argc, char **argv) {
            int c;
            printf("%s", argv[0]);
            for (int i = 1; i < argc; i++) printf("|%s", argv[i]);
            puts("");
            while ((c = getchar()) != EOF) putchar(c);
            fprintf(stderr, "done\n");
            return 300;
        }"#;
    let input = Input { args: vec!["a b".into(), "".into()], stdin: b"xy\0z".to_vec(), ..Input::default() };
    let run = run_with(text, &input, &budget());
    assert_eq!(run.outcome.ending, Ending::Exited(300 & 255));
    assert_eq!(run.outcome.stdout, b"program|a b|\nxy\0z");
    assert_eq!(run.outcome.stderr, b"done\n");
}

#[test]
fn large_input_passes_through_and_unread_input_does_no_harm() {
    let stdin: Vec<u8> = (0..900_000u32).map(|i| (i % 251) as u8).collect();
    let input = Input { stdin: stdin.clone(), ..Input::default() };
    let copy = "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }";
    let run = run_with(copy, &input, &budget());
    assert!(run.outcome.stdout == stdin, "the copy should equal the input");
    let run = run_with("#include <unistd.h>\nint main(void) { close(0); return 7; }", &input, &budget());
    assert_eq!(run.outcome.ending, Ending::Exited(7));
    assert_eq!(run_with(copy, &Input::default(), &budget()).outcome.ending, Ending::Exited(0));
}

#[test]
fn an_entry_with_parameters_returns_its_value() {
    let text = "static long scale(int a, unsigned char b, double d, __int128 w)
        { return (long)(a * b * d) + (long)(w >> 100); }
        int main(void) { return 99; }";
    let mut recipe = recipe(text);
    let params =
        vec![INT, ValueType::Int(IntKind::UChar), ValueType::Float(FloatKind::Double), ValueType::Int(IntKind::Int128)];
    let result = Some(ValueType::Int(IntKind::Long));
    recipe.entry = Some(Entry {
        source: 0,
        name: "scale".into(),
        params,
        result,
        arguments: None,
        globals: Vec::new(),
        outside: None,
    });
    let binary = compile(&recipe, None).unwrap();
    let params = vec![Scalar::Int(-6), Scalar::Int(7), Scalar::Float(0.5), Scalar::Int(-(5 << 100))];
    let input = Input { params, ..Input::default() };
    let run = binary.run(&input, &budget(), &Conditions::default()).unwrap();
    assert_eq!(run.outcome.ending, Ending::Returned(Some(Scalar::Int(-26))));
}

#[test]
fn the_conventions_have_a_meaning_where_the_program_leaves_them_open() {
    let text = r#"
        #include <stdio.h>
        extern int __VERIFIER_nondet_int(void);
        extern unsigned long __VERIFIER_nondet_ulong(void);
        extern double __VERIFIER_nondet_double(void);
        extern void vassume(int), __VERIFIER_assert(int), reach_error(void);
        void mainQ(int kind) {
            printf("%d %lu %g %d\n", __VERIFIER_nondet_int(), __VERIFIER_nondet_ulong(),
                   __VERIFIER_nondet_double(), __VERIFIER_nondet_int());
            vassume(kind != 0);
            __VERIFIER_assert(kind != 1);
            if (kind == 2) reach_error();
        }"#;
    let mut recipe = recipe(text);
    recipe.entry = Some(Entry {
        source: 0,
        name: "mainQ".into(),
        params: vec![INT],
        result: None,
        arguments: None,
        globals: Vec::new(),
        outside: None,
    });
    let binary = compile(&recipe, None).unwrap();
    let run = |kind| {
        let nondet = vec![Scalar::Int(-3), Scalar::Int(u64::MAX as i128), Scalar::Float(0.25)];
        let input = Input { params: vec![Scalar::Int(kind)], nondet, ..Input::default() };
        let run = binary.run(&input, &budget(), &Conditions::default()).unwrap();
        // C leaves the order of evaluation of arguments open, so sort the words.
        let out = stdout(&run);
        let mut words: Vec<&str> = out.split_whitespace().collect();
        words.sort();
        assert!(words.len() == 4 || kind == 1 || kind == 2, "{out:?}");
        assert_eq!(run.nondets_taken, 4);
        run.outcome.ending
    };
    assert!(matches!(run(0), Ending::Assumed { .. }));
    let failed = |ending| match ending {
        Ending::Faulted(finding) => finding.message,
        other => panic!("{other:?}"),
    };
    assert!(failed(run(1)).contains("__VERIFIER_assert"));
    assert!(failed(run(2)).contains("reach_error"));
    assert_eq!(run(3), Ending::Returned(None));
}

#[test]
fn a_standard_assertion_says_where_it_failed() {
    let run = run("#include <assert.h>\nint main(void) {\n  int x = 3;\n  assert(x == 4);\n  return 0; }");
    let Ending::Faulted(finding) = &run.outcome.ending else { panic!("{:?}", run.outcome.ending) };
    assert!(finding.message.contains("test.c:4: x == 4"), "{}", finding.message);
    assert!(String::from_utf8_lossy(&run.outcome.stderr).contains("test.c:4: main: Assertion `x == 4' failed."));
}

#[test]
fn a_program_may_define_the_conventions_itself() {
    let run =
        run("#include <stdlib.h>\nvoid vassume(int b) { if (!b) exit(5); }\nint main(void) { vassume(0); return 0; }");
    assert_eq!(run.outcome.ending, Ending::Exited(5));
}

/// Rows, with a point of every kind of value, survive the crash that follows them.
#[test]
fn rows_and_counters_survive_a_crash() {
    let text = r#"
        int main(void) {
            for (int i = 0; i < 3; i++) {
                plumb_count(1);
                plumb_row(0, 4, (unsigned long long[]){ (unsigned long long)(-i), plumb_bits(i / 2.0), 7, -1ull });
            }
            plumb_row(1, 0, 0);
            *(volatile int *)0 = 1;
        }"#;
    let mut recipe = recipe(text);
    let wide = ValueType::Int(IntKind::Int128);
    recipe.points.declare("loop", &[Variable::int("i"), Variable::double("d"), Variable::new("w", wide)]);
    recipe.points.declare("end", &[]);
    recipe.counters = 2;
    let binary = compile(&recipe, None).unwrap();
    let run = binary.run(&Input::default(), &budget(), &Conditions::default()).unwrap();
    assert_eq!(run.outcome.ending, Ending::Killed { signal: libc::SIGSEGV });
    let rows: Vec<Vec<Scalar>> = run.trace.point(PointId(0)).rows().map(|r| r.values().collect()).collect();
    let w = Scalar::Int((7u128 | (u64::MAX as u128) << 64) as i128);
    assert_eq!(rows[2], [Scalar::Int(-2), Scalar::Float(1.0), w]);
    assert_eq!((rows.len(), run.trace.point(PointId(1)).len()), (3, 1));
    assert_eq!(run.counters, [0, 3]);
    assert_eq!(run.notes, Vec::<String>::new());

    let few = Conditions { trace_cells: 7, ..Conditions::default() };
    let run = binary.run(&Input::default(), &budget(), &few).unwrap();
    assert_eq!(run.trace.row_count(), 1);
    assert!(run.notes[0].contains("3 trace rows"), "{:?}", run.notes);
}

#[test]
fn rows_from_forked_children_and_threads_do_not_mix() {
    let text = r#"
        #include <pthread.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static void *work(void *p) {
            for (long i = 0; i < 2000; i++)
                plumb_row(0, 2, (unsigned long long[]){ (long)p, (long)p * 3 });
            return 0;
        }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, work, (void *)1);
            if (fork() == 0) { work((void *)2); _exit(0); }
            work((void *)3);
            pthread_join(t, 0);
            wait(0);
            return 0;
        }"#;
    let mut recipe = recipe(text);
    recipe.flags.push("-pthread".into());
    recipe.points.declare("p", &[Variable::int("a"), Variable::int("b")]);
    let run = compile(&recipe, None).unwrap().run(&Input::default(), &budget(), &Conditions::default()).unwrap();
    let point = run.trace.point(PointId(0));
    assert_eq!(point.len(), 6000);
    for row in point.rows() {
        let (Scalar::Int(a), Scalar::Int(b)) = (row.get(0), row.get(1)) else { panic!() };
        assert_eq!(a * 3, b);
    }
}

#[test]
fn several_units_with_includes_keep_their_names_and_lines() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    std::fs::write(dir.path().join("sub/part.h"), "int twice(int);\n").unwrap();
    std::fs::write(dir.path().join("sub/part.c"), "#include \"part.h\"\nint twice(int x) { return 2 * x; }\n").unwrap();
    let main = dir.path().join("main.c");
    let text = "#include \"sub/part.h\"\n#include <stdio.h>\n\
        int main(void) { printf(\"%s %d %d\", __FILE__, __LINE__, twice(4)); return 0; }\n";
    std::fs::write(&main, text).unwrap();
    let part = dir.path().join("sub/part.c");
    let expected = format!("{} 3 8", main.display());
    for sources in [
        [Source::file(&main), Source::file(&part)],
        [Source::text(&main, text), Source::text(&part, std::fs::read(&part).unwrap())],
    ] {
        let run = compile(&Recipe::new(sources), None).unwrap();
        let run = run.run(&Input::default(), &budget(), &Conditions::default()).unwrap();
        assert_eq!(stdout(&run), expected);
    }
}

#[test]
fn a_refusing_or_missing_compiler_is_an_error_with_its_words() {
    let error = compile(&recipe("int main(void) {\n  return nothing;\n}"), None).unwrap_err();
    assert!(matches!(&error, CompileError::Refused { messages, .. } if messages.contains("test.c:2")), "{error}");
    let error = compile(&recipe("int helper(void) { return 0; }"), None).unwrap_err();
    assert!(matches!(&error, CompileError::Refused { messages, .. } if messages.contains("main")), "{error}");
    let mut missing = recipe("int main(void) { return 0; }");
    missing.compiler = Some("no-such-compiler-anywhere".into());
    assert!(matches!(compile(&missing, None), Err(CompileError::NoCompiler { .. })));
    missing.compiler = None;
    assert!(matches!(compile(&missing, Some(&AtomicBool::new(true))), Err(CompileError::Cancelled)));
    let unreadable = compile(&Recipe::new([Source::file("no/such/file.c")]), None).unwrap_err();
    assert!(unreadable.to_string().contains("no/such/file.c"));
}

#[test]
fn signals_are_results() {
    let run = run("int main(void) { int *p = 0; return *(volatile int *)p; }");
    assert_eq!(run.outcome.ending, Ending::Killed { signal: libc::SIGSEGV });
    let aborts = "#include <stdlib.h>\n#include <stdio.h>\nint main(void) { puts(\"x\"); fflush(stdout); abort(); }";
    let run = run_with(aborts, &Input::default(), &budget());
    assert_eq!(run.outcome.ending, Ending::Killed { signal: libc::SIGABRT });
    assert_eq!(stdout(&run), "x\n");
    let deep = "int f(int n) { volatile char a[1000]; a[0] = n; return n ? f(n + 1) + a[0] : 0; }\nint main(void) { return f(1); }";
    assert_eq!(run_with(deep, &Input::default(), &budget()).outcome.ending, Ending::Killed { signal: libc::SIGSEGV });
}

#[test]
fn an_endless_loop_that_ignores_signals_runs_out_of_time() {
    let text = r#"
        #include <signal.h>
        #include <stdio.h>
        int main(void) {
            for (int s = 1; s < 32; s++) signal(s, SIG_IGN);
            puts("started");
            fflush(stdout);
            for (;;) {}
        }"#;
    let run = run_with(text, &Input::default(), &Budget { time_ms: 300, ..budget() });
    assert_eq!(run.outcome.ending, Ending::OutOfBudget { limit: Limit::Time, span: diagnostics::Span::NONE });
    assert_eq!(stdout(&run), "started\n");
}

#[test]
fn a_cancelled_run_ends_as_interrupted() {
    let binary = build("#include <unistd.h>\nint main(void) { for (;;) pause(); }");
    let cancel = AtomicBool::new(false);
    let conditions = Conditions { cancel: Some(&cancel), ..Conditions::default() };
    std::thread::scope(|scope| {
        let run = scope.spawn(|| binary.run(&Input::default(), &budget(), &conditions).unwrap());
        cancel.store(true, Ordering::Relaxed);
        assert_eq!(run.join().unwrap().outcome.ending, Ending::Interrupted);
    });
}

#[test]
fn a_flood_of_output_is_cut_off() {
    let flood = "#include <stdio.h>\nint main(void) { for (;;) puts(\"0123456789\"); }";
    let run = run_with(flood, &Input::default(), &Budget { output: 100_000, ..budget() });
    assert_eq!(run.outcome.ending, Ending::OutOfBudget { limit: Limit::Output, span: diagnostics::Span::NONE });
    assert_eq!(run.outcome.stdout.len(), 100_000);
    let file =
        "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"big\", \"w\"); for (;;) fputs(\"0123456789\", f); }";
    let run = run_with(file, &Input::default(), &Budget { output: 100_000, ..budget() });
    assert_eq!(run.outcome.ending, Ending::OutOfBudget { limit: Limit::Output, span: diagnostics::Span::NONE });
}

#[test]
fn memory_is_limited() {
    let text = r#"
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            for (int i = 0; i < 4096; i++) {
                char *p = malloc(1 << 20);
                if (!p) return 42;
                memset(p, 1, 1 << 20);
            }
            return 0;
        }"#;
    assert_eq!(run(text).outcome.ending, Ending::Exited(42));
}

#[test]
fn writing_works_inside_the_directory_only() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("precious"), "keep me").unwrap();
    let text = r#"
        #include <errno.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/stat.h>
        #include <unistd.h>
        static void try(const char *what, int ok) { printf("%s %s\n", what, ok ? "ok" : "refused"); }
        int main(int argc, char **argv) {
            char path[4096];
            FILE *mine = fopen("mine", "w+");
            try("create", mine && fputs("hello", mine) >= 0 && fclose(mine) == 0);
            try("rename", rename("mine", "ours") == 0);
            try("mkdir", mkdir("sub", 0700) == 0);
            try("tmpfile", tmpfile() != 0);
            try("null", fopen("/dev/null", "w") != 0);
            try("outside-passwd", fopen("/etc/passwd", "r") != 0);
            snprintf(path, sizeof path, "%s/new", argv[1]);
            try("outside-create", open(path, O_CREAT | O_WRONLY, 0600) >= 0);
            snprintf(path, sizeof path, "%s/precious", argv[1]);
            try("outside-read", open(path, O_RDONLY) >= 0);
            try("outside-write", open(path, O_WRONLY) >= 0);
            try("outside-truncate", truncate(path, 0) == 0);
            try("outside-unlink", unlink(path) == 0);
            try("outside-chown", chown(path, 12345, 12345) == 0);
            return argc != 2;
        }"#;
    let input = Input { args: vec![outside.path().display().to_string()], ..Input::default() };
    let run = run_with(text, &input, &budget());
    assert_eq!(run.outcome.ending, Ending::Exited(0));
    let out = stdout(&run);
    for inside in ["create", "rename", "mkdir", "tmpfile", "null"] {
        assert!(out.lines().any(|l| l == format!("{inside} ok")), "{inside}: {out}");
    }
    assert_eq!(std::fs::read(run.directory.path().join("ours")).unwrap(), b"hello");
    if run.walls.stands(Wall::View) || run.walls.stands(Wall::Landlock) {
        for line in out.lines().filter(|l| l.starts_with("outside-")) {
            assert!(line.ends_with("refused"), "{out}");
        }
        assert_eq!(std::fs::read(outside.path().join("precious")).unwrap(), b"keep me");
    }
    for (_, why) in run.walls.missing() {
        assert!(run.notes.iter().any(|n| n.contains(why)));
    }
    let path = run.directory.path().to_path_buf();
    drop(run);
    assert!(!path.exists());
}

#[test]
fn there_is_no_network() {
    let text = r#"
        #include <errno.h>
        #include <signal.h>
        #include <stdio.h>
        #include <sys/socket.h>
        #include <unistd.h>
        int main(void) {
            int domains[] = { AF_INET, AF_INET6, AF_UNIX };
            for (int i = 0; i < 3; i++)
                printf("%d ", socket(domains[i], SOCK_STREAM, 0) >= 0);
            printf("%d %d", setsid() >= 0, getpgrp() != getpid());
            return 0;
        }"#;
    let run = run(text);
    assert_eq!(run.outcome.ending, Ending::Exited(0));
    if run.walls.stands(Wall::SystemCalls) {
        assert!(stdout(&run).starts_with("0 0 0 0 "), "{}", stdout(&run));
    }
}

/// The marker stands in the arguments of every process the program makes, so that we can look for leftovers.
fn marked(text: &str, marker: &str, budget: &Budget, conditions: &Conditions<'_>) -> Run {
    let input = Input { args: vec![marker.to_string()], ..Input::default() };
    let run = build(text).run(&input, budget, conditions).unwrap();
    assert!(!is_running(marker), "a process of the program should not be left");
    run
}

#[test]
fn a_bounded_fork_bomb_is_stopped() {
    // At most 300 processes, which wait: enough to pass the limit, too few to do harm.
    let text = r#"
        #include <unistd.h>
        int main(void) {
            for (int i = 0; i < 300; i++)
                if (fork() == 0) for (;;) pause();
            for (;;) pause();
        }"#;
    let conditions = Conditions { processes: 20, ..Conditions::default() };
    let run = marked(text, "plumb-test-fork-bomb", &budget(), &conditions);
    assert_eq!(run.outcome.ending, Ending::OutOfBudget { limit: Limit::Processes, span: diagnostics::Span::NONE });
}

#[test]
fn a_daemon_left_behind_is_killed_and_does_not_hold_us_up() {
    let text = r#"
        #include <stdio.h>
        #include <unistd.h>
        int main(void) {
            if (fork() == 0) { setsid(); if (fork() == 0) for (;;) pause(); for (;;) pause(); }
            puts("parent leaves");
            return 3;
        }"#;
    let run = marked(text, "plumb-test-daemon", &budget(), &Conditions::default());
    assert_eq!(run.outcome.ending, Ending::Exited(3));
    assert_eq!(stdout(&run), "parent leaves\n");
}

#[test]
fn a_program_may_use_processes_in_good_measure() {
    let text = r#"
        #include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int main(void) {
            int status;
            if (fork() == 0) _exit(4);
            wait(&status);
            return WEXITSTATUS(status) + (system("exit 3") >> 8);
        }"#;
    assert_eq!(run(text).outcome.ending, Ending::Exited(7));
}

#[test]
fn a_child_that_reports_a_false_ending_is_not_believed() {
    // The forked child's failed assumption is not the program's.
    let text = r#"
        #include <sys/wait.h>
        #include <unistd.h>
        extern void vassume(int);
        int main(void) {
            if (fork() == 0) vassume(0);
            wait(0);
            return 6;
        }"#;
    assert_eq!(run(text).outcome.ending, Ending::Exited(6));
}

#[test]
fn files_are_placed_and_must_stay_inside() {
    let binary =
        build("#include <stdio.h>\nint main(void) { FILE *f = fopen(\"d/in\", \"r\"); return f ? getc(f) : 1; }");
    let files = [(PathBuf::from("d/in"), b"A".to_vec())];
    let conditions = Conditions { files: &files, ..Conditions::default() };
    let run = binary.run(&Input::default(), &budget(), &conditions).unwrap();
    assert_eq!(run.outcome.ending, Ending::Exited(65));
    for bad in ["../x", "/x", ""] {
        let files = [(PathBuf::from(bad), Vec::new())];
        let conditions = Conditions { files: &files, ..Conditions::default() };
        assert!(binary.run(&Input::default(), &budget(), &conditions).is_err(), "{bad:?} should be refused");
    }
}

#[test]
fn many_threads_run_one_binary_at_once() {
    let mut recipe = recipe("int f(int x) { plumb_row(0, 1, (unsigned long long[]){x}); return x * x; }");
    recipe.entry = Some(Entry {
        source: 0,
        name: "f".into(),
        params: vec![INT],
        result: Some(INT),
        arguments: None,
        globals: Vec::new(),
        outside: None,
    });
    recipe.points.declare("p", &[Variable::int("x")]);
    let binary = compile(&recipe, None).unwrap();
    std::thread::scope(|scope| {
        for t in 0..4 {
            let binary = &binary;
            scope.spawn(move || {
                for i in 0..10 {
                    let x = Scalar::Int(t * 100 + i);
                    let input = Input { params: vec![x], ..Input::default() };
                    let conditions = Conditions { trace_cells: 1000, ..Conditions::default() };
                    let run = binary.run(&input, &budget(), &conditions).unwrap();
                    let square = (t * 100 + i) * (t * 100 + i);
                    assert_eq!(run.outcome.ending, Ending::Returned(Some(Scalar::Int(square))));
                    assert_eq!(run.trace.point(PointId(0)).row(0).get(0), x);
                }
            });
        }
    });
    let path = binary.path().to_path_buf();
    drop(binary);
    assert!(!path.exists() && !path.parent().is_some_and(Path::exists));
}

#[test]
fn sanitizers_are_a_choice() {
    let mut recipe = recipe(
        "#include <stdlib.h>\nint main(int c, char **v) { int *p = malloc(8); int n = 2147483647; p[c + 1] = 1; return n + c > 0; }",
    );
    recipe.sanitize = true;
    match compile(&recipe, None) {
        Ok(binary) => {
            let run = binary.run(&Input::default(), &budget(), &Conditions::default()).unwrap();
            assert_eq!(run.outcome.ending, Ending::Killed { signal: libc::SIGABRT });
            let words = String::from_utf8_lossy(&run.outcome.stderr).into_owned();
            assert!(words.contains("heap-buffer-overflow"), "{words}");
        }
        // Some systems have the compiler without the sanitizers' libraries.
        Err(error) => assert!(error.to_string().contains("san"), "{error}"),
    }
}

#[test]
fn undefined_trace_functions_can_be_stubbed() {
    let mut recipe = recipe("void vtrace1(int, int);\nint main(void) { vtrace1(1, 2); return 0; }");
    assert!(compile(&recipe, None).is_err());
    recipe.stubs.push("vtrace1".into());
    let run = compile(&recipe, None).unwrap().run(&Input::default(), &budget(), &Conditions::default()).unwrap();
    assert_eq!(run.outcome.ending, Ending::Exited(0));
    assert_eq!(run.trace, Trace::new());
}
