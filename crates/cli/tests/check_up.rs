//! What a check-up says of small projects: findings are mistakes and nothing else, and what stays open has its reason.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Project(tempfile::TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project(tempfile::tempdir().expect("a temporary folder should be had"));
        files.iter().for_each(|(name, text)| project.write(name, text));
        project
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file should stand in a folder")).expect("folders can be made");
        std::fs::write(path, text).expect("the file should be written");
    }

    fn plumb(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
        command.args(args).current_dir(self.path()).stdin(Stdio::null()).output().expect("plumb should start")
    }

    /// The exit status and the document.
    fn check_up(&self, args: &[&str]) -> (Option<i32>, Value) {
        let mut all = vec!["check-up", "--format", "json", "--time", "20"];
        all.extend(args);
        let output = self.plumb(&all);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
        (output.status.code(), document["result"].clone())
    }
}

/// `rule function entry` of each of a list.
fn faults(result: &Value, list: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_string();
    let of = result[list].as_array().expect("a check-up should have the list").iter();
    of.map(|fault| format!("{} {} {}", text(&fault["rule"]), text(&fault["function"]), text(&fault["entry"]))).collect()
}

const ENCODER: &str = "#include <stdlib.h>\n\
    unsigned char *encode(const unsigned char *in, unsigned n) {\n\
        unsigned char *buffer = malloc(n + 1);\n\
        unsigned at = 0, k = 0;\n\
        if (!buffer) return 0;\n\
        while (k < n) {\n\
            unsigned run = 1;\n\
            while (k + run < n && run < 255 && in[k + run] == in[k]) run++;\n\
            buffer[at++] = (unsigned char)run;\n\
            buffer[at++] = in[k];\n\
            k += run;\n\
        }\n\
        return buffer;\n\
    }\n";

const QUOTIENT: &str = "int quotient(int a, int b) { return a / b; }\n";

#[test]
fn memory_that_a_function_has_allocated_is_its_own_affair_and_arguments_are_the_callers() {
    let project = Project::new(&[("encoder.c", ENCODER), ("quotient.c", QUOTIENT)]);
    let (status, result) = project.check_up(&["encoder.c", "quotient.c"]);
    assert_eq!(status, Some(1), "{result:#}");
    assert_eq!(faults(&result, "bugs"), ["out-of-bounds encode encode"], "{result:#}");
    let owed = faults(&result, "preconditions");
    assert!(owed.contains(&"division-by-zero quotient quotient".to_string()), "{owed:?}");
    let bug = &result["bugs"][0];
    assert_eq!(bug["shown"], "compiled", "{bug:#}");
    assert!(bug["command"].as_str().is_some_and(|command| command.starts_with("plumb ")), "{bug:#}");
}

/// The question of a kind about a function, if it is asked.
fn question<'a>(result: &'a Value, kind: &str, function: &str) -> Option<&'a Value> {
    let mut all = result["questions"].as_array().expect("a check-up should have questions").iter();
    all.find(|question| question["question"] == kind && question["function"] == function)
}

#[test]
fn an_answer_within_bounds_names_them_and_is_counted_apart() {
    let text = "struct node { struct node *next; int value; };\n\
        int sign(int x) { return (x > 0) - (x < 0); }\n\
        int same(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a == *b; }\n\
        int last(const struct node *n) { while (n->next) n = n->next; return n->value; }\n\
        int sum(const int *v, int n) { int s = 0; for (int k = 0; k < n; k++) s ^= v[k]; return s; }\n";
    let (status, result) = Project::new(&[("f.c", text)]).check_up(&["f.c"]);
    assert_eq!(status, Some(0), "{result:#}");
    let ended = |function| question(&result, "faults", function).expect("it should be asked")["ended"].clone();
    assert_eq!([ended("sign"), ended("same"), ended("last")], ["done", "within", "within"], "{result:#}");
    let same = question(&result, "faults", "same").expect("it should be asked");
    let within = same["within"].to_string();
    assert!(within.contains("strings of up to"), "{within}");
    let totals = &result["totals"];
    assert!(totals["within_bounds"].as_u64() < totals["answered"].as_u64(), "{totals}");
    // No value can be given for a list, so that nothing of it can be permuted.
    assert!(question(&result, "symmetries", "last").is_none(), "{result:#}");
    // A pointer without a length may be a string, or one object.
    assert!(question(&result, "symmetries", "same").is_none(), "{result:#}");
    assert!(question(&result, "symmetries", "sum").is_some(), "{result:#}");
}

#[test]
fn a_string_whose_place_is_open_comes_to_an_end() {
    let text = "#include <string.h>\n\
        unsigned long measure(const unsigned char *bytes, unsigned long at) { return strlen((const char *)bytes + at); }\n\
        int same(const char *a, unsigned long at, const char *b) { return strcmp(a + at, b) == 0; }\n";
    let (_, result) = Project::new(&[("f.c", text)]).check_up(&["f.c"]);
    for function in ["measure", "same"] {
        let asked = question(&result, "faults", function).expect("it should be asked");
        assert_eq!(asked["ended"], "within", "{asked:#}");
    }
}

#[test]
fn objects_that_the_project_makes_itself_are_inputs_that_it_must_stand() {
    let text = "#include <stdlib.h>\n\
        struct list { int *cells; int count; };\n\
        struct list *list_new(void) {\n\
            struct list *made = malloc(sizeof *made);\n\
            if (!made) return 0;\n\
            made->count = 2;\n\
            made->cells = calloc(2, sizeof *made->cells);\n\
            if (!made->cells) { free(made); return 0; }\n\
            return made;\n\
        }\n\
        int list_last(const struct list *list) { return list->cells[list->count]; }\n\
        int list_first(const struct list *list) { return list->cells[0]; }\n";
    let (_, result) = Project::new(&[("list.c", text)]).check_up(&["list.c"]);
    assert_eq!(faults(&result, "bugs"), ["out-of-bounds list_last list_last"], "{result:#}");
    let bug = &result["bugs"][0];
    assert_eq!(
        (&bug["input"], &bug["shown"]),
        (&Value::from("list = list_new()"), &Value::from("compiled")),
        "{bug:#}"
    );
}

#[test]
fn a_test_that_builds_do_not_switch_on_makes_no_program_of_its_file() {
    let project = Project::new(&[
        ("half.c", "int half(int x) { return x / 2; }\n#ifdef TEST\nint main(void) { return half(2); }\n#endif\n"),
        ("quarter.c", "int half(int); int quarter(int x) { return half(half(x)); }\n"),
    ]);
    let (_, result) = project.check_up(&[]);
    assert!(!result["open"].to_string().contains("no-model"), "{:#}", result["open"]);
}

#[test]
fn a_whole_program_must_stand_any_input() {
    let project = Project::new(&[(
        "main.c",
        "#include <stdio.h>\n\
         static int half(int x) { int table[4] = {0, 1, 2, 3}; return table[x]; }\n\
         int main(void) { int c = getchar(); if (c == 'x') return half(getchar() - '0'); return 0; }\n",
    )]);
    let (status, result) = project.check_up(&["main.c"]);
    assert_eq!(status, Some(1), "{result:#}");
    let bugs = faults(&result, "bugs");
    assert!(bugs.contains(&"out-of-bounds half main".to_string()), "{bugs:?}");
    assert!(result["bugs"][0]["command"].as_str().is_some_and(|command| command.starts_with("printf ")), "{result:#}");
}

#[test]
fn open_questions_fail_nothing_unless_somebody_wants_it() {
    let project =
        Project::new(&[("open.c", "int elsewhere(int);\nint f(int x) { return elsewhere(x) > 0 ? 1 : 0; }\n")]);
    let (status, result) = project.check_up(&["open.c"]);
    assert_eq!(status, Some(0), "{result:#}");
    assert_eq!(result["open"][0]["reason"]["no-model"]["name"], "elsewhere", "{:#}", result["open"]);
    assert_eq!(project.check_up(&["open.c", "--strict"]).0, Some(3));
    assert_eq!(project.check_up(&["open.c", "--fail-on", "unknown"]).0, Some(1));
    let (status, _) = Project::new(&[("q.c", QUOTIENT)]).check_up(&["--fail-on", "precondition"]);
    assert_eq!(status, Some(1));
}

#[test]
fn a_baseline_leaves_what_is_new() {
    let main = "int main(void) { int x[2] = {1, 2}; return x[2]; }\n";
    let project = Project::new(&[("main.c", main)]);
    assert_eq!(project.plumb(&["check-up", "main.c", "--format", "json", "-o", "old.json"]).status.code(), Some(1));
    // Lines above do not make it another one.
    project.write("main.c", &format!("/* a word */\n\n{main}"));
    let (status, result) = project.check_up(&["main.c", "--baseline", "old.json"]);
    assert_eq!((status, &result["bugs"][0]["in_baseline"]), (Some(0), &Value::from(true)), "{result:#}");
    project.write("main.c", "int main(void) { int y[3] = {1, 2, 3}; return y[3]; }\n");
    assert_eq!(project.check_up(&["main.c", "--baseline", "old.json"]).0, Some(1));
    assert_eq!(project.plumb(&["check-up", "main.c", "--baseline", "none.json"]).status.code(), Some(2));
}

#[test]
fn a_database_gives_every_file_its_flags_and_what_cannot_be_read_is_said() {
    let database = r#"[
        {"directory": ".", "file": "a.c", "command": "cc -DLIMIT=1 -Iinc -c a.c -o a.o"},
        {"directory": ".", "file": "b.c", "arguments": ["cc", "-DLIMIT=2", "-Iinc", "-c", "b.c", "-o", "b.o"]},
        {"directory": ".", "file": "c.cpp", "command": "c++ -c c.cpp"},
        {"directory": ".", "file": "generated.c", "command": "cc -c generated.c"},
        {"directory": ".", "file": "broken.c", "command": "cc -c broken.c"},
        {"file": 3}
    ]"#;
    let project = Project::new(&[
        ("build/compile_commands.json", database),
        ("inc/own.h", "int b(int);\n"),
        ("a.c", "#include \"own.h\"\nint a(int x) { return b(x) / LIMIT; }\n"),
        ("b.c", "#include \"own.h\"\nint b(int x) { int t[LIMIT]; t[0] = x & 3; return t[0]; }\n"),
        ("broken.c", "int broken(void) { return missing; }\n"),
    ]);
    // Paths of a database are relative to its folders, here to where one stands.
    let (status, result) = project.check_up(&["-p", "build"]);
    assert_eq!(status, Some(0), "{result:#}");
    let unread: Vec<&str> = result["units"]
        .as_array()
        .expect("units should be listed")
        .iter()
        .filter(|unit| !unit["unreadable"].is_null())
        .filter_map(|unit| unit["path"].as_str())
        .collect();
    assert_eq!(unread, ["generated.c", "broken.c"], "{result:#}");
    let notes = result["notes"].to_string();
    assert!(notes.contains("C++") && notes.contains("Entry 6"), "{notes}");
    project.write("build/compile_commands.json", "[{");
    assert_eq!(project.plumb(&["check-up", "-p", "build"]).status.code(), Some(2));
    assert_eq!(project.plumb(&["check-up", "-p", "nowhere"]).status.code(), Some(2));
}

#[test]
fn what_is_unchanged_is_not_asked_again() {
    let project = Project::new(&[("q.c", QUOTIENT)]);
    let (_, first) = project.check_up(&[]);
    let (status, mut second) = project.check_up(&[]);
    assert_eq!((status, &second["remembered"]), (Some(0), &Value::from(true)));
    second["remembered"] = Value::from(false);
    assert_eq!(first, second);
    project.write("q.c", "int quotient(int a, int b) { return b == 0 ? 0 : a / 2; }\n");
    let (_, third) = project.check_up(&[]);
    assert_eq!((&third["remembered"], faults(&third, "preconditions").len()), (&Value::from(false), 0), "{third:#}");
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let project = Project::new(&[
        ("halves.c", "int half(int x) { return x / 2; }\nint twice(int x) { return x * 2; }\n"),
        ("q.c", QUOTIENT),
    ]);
    let answer = |jobs: &str| {
        let (_, mut result) = project.check_up(&["--no-cache", "--jobs", jobs]);
        for question in result["questions"].as_array_mut().expect("questions should be listed") {
            question["elapsed_ms"] = Value::from(0);
        }
        result
    };
    assert_eq!(answer("1"), answer("3"));
}

#[test]
fn settings_of_a_project_are_read_and_mistakes_in_them_refused() {
    let project =
        Project::new(&[("q.c", QUOTIENT), ("plumb.toml", "exclude = [\"quot*\"]\nfail-on = \"precondition\"\n")]);
    let (status, result) = project.check_up(&[]);
    assert_eq!((status, faults(&result, "preconditions").len()), (Some(0), 0), "{result:#}");
    project.write("plumb.toml", "exlude = []\n");
    assert_eq!(project.plumb(&["check-up"]).status.code(), Some(2));
}

#[test]
fn a_build_is_recorded_with_what_it_links() {
    let project = Project::new(&[
        ("Makefile", "prog: main.o libhalf.a\n\tcc -o prog main.o -L. -lhalf\nlibhalf.a: half.o\n\tar rcs $@ half.o\n"),
        ("main.c", "int half(int); int main(int argc, char **argv) { (void)argv; return half(argc); }\n"),
        ("half.c", "int half(int x) { return x / 2; }\n"),
    ]);
    let output = project.plumb(&["capture", "--", "make"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let (_, result) = project.check_up(&[]);
    let units: Vec<&Value> = result["units"].as_array().expect("units").iter().map(|unit| &unit["path"]).collect();
    assert_eq!(units.len(), 2, "{result:#}");
    // Linked together, the call has a body.
    assert!(!result["open"].to_string().contains("no-model"), "{:#}", result["open"]);
}

#[test]
fn a_shared_library_is_known_by_the_name_it_is_linked_under() {
    let project = Project::new(&[
        (
            "Makefile",
            "prog: main.o\n\tcc -O2 -shared -fPIC -o libhalf.so.1 half.c\n\tln -sf libhalf.so.1 libhalf.so\n\t\
             cc -o prog main.o -L. -lhalf\n",
        ),
        ("main.c", "int half(int); int main(int argc, char **argv) { (void)argv; return half(argc); }\n"),
        ("half.c", "int half(int x) { return x / 2; }\n"),
    ]);
    let output = project.plumb(&["capture", "--", "make"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let (_, result) = project.check_up(&[]);
    assert!(!result["open"].to_string().contains("no-model"), "{:#}", result["open"]);
}

#[test]
fn units_that_do_not_fit_together_are_named() {
    let project = Project::new(&[
        ("table.c", "const unsigned table[] = {1, 2, 0};\n"),
        ("main.c", "extern const int table[];\nint main(void) { return table[0]; }\n"),
    ]);
    let (_, result) = project.check_up(&["table.c", "main.c"]);
    let notes = result["notes"].to_string();
    assert!(notes.contains("main.c is looked at apart from its program: `table` is declared"), "{notes}");
}

#[test]
fn inputs_say_what_is_special_about_them() {
    let project = Project::new(&[(
        "f.c",
        "struct s { int a, b, c; char name[20]; struct { int x, y; } at; };\n\
         int f(const struct s *p) { return p->at.y == 7 && p->a == 0 ? 1 / p->c : 0; }\n",
    )]);
    let (_, result) = project.check_up(&["f.c", "--entry", "f"]);
    let input = &result["preconditions"][0]["input"];
    assert_eq!(input, "p = &{.at = {.y = 7}}", "{result:#}");
}

#[test]
fn what_cannot_be_asked_is_a_mistake_of_the_invocation() {
    let project = Project::new(&[("f.c", "int f(int x) { return x; }\n"), ("g.cpp", "int g;\n")]);
    for args in [&["f.c", "--entry", "g"][..], &["no/such/file.c"], &["g.cpp"], &["f.c", "--emit", "poems", "x"]] {
        let mut all = vec!["check-up"];
        all.extend(args);
        assert_eq!(project.plumb(&all).status.code(), Some(2), "{args:?}");
    }
    let empty = Project::new(&[("readme.txt", "")]);
    assert_eq!(empty.plumb(&["check-up"]).status.code(), Some(2));
}

#[test]
fn tests_that_are_written_show_what_was_found() {
    let project = Project::new(&[("q.c", QUOTIENT)]);
    let output = project.plumb(&["check-up", "q.c", "--emit", "tests", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let make = Command::new("make").arg("-C").arg(project.path().join("out")).output().expect("make should start");
    let said = String::from_utf8_lossy(&make.stdout).into_owned();
    assert!(
        said.contains("FAILED quotient_division_by_zero_line_1"),
        "{said}{}",
        String::from_utf8_lossy(&make.stderr)
    );
}

#[test]
fn text_from_standard_input_has_a_name() {
    let project = Project::new(&[]);
    let file = project.path().join("text");
    std::fs::write(&file, QUOTIENT).expect("the text should be written");
    let stdin = std::fs::File::open(&file).expect("the text should be read");
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    let output = command.args(["check-up", "-"]).current_dir(project.path()).stdin(stdin).output();
    let said = String::from_utf8_lossy(&output.expect("plumb should start").stdout).into_owned();
    assert!(said.contains("division or remainder by zero (stdin.c:1)"), "{said}");
    let left: Vec<PathBuf> =
        std::fs::read_dir(project.path()).expect("the folder").flatten().map(|entry| entry.path()).collect();
    assert_eq!(left, [file], "nothing should be kept of it");
}
