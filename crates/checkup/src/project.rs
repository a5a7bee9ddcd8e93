//! What is checked up: translation units with their flags, and which of them the build links together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A translation unit as the build compiles it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// As it is to be named in the report.
    pub path: PathBuf,
    /// Its flags; paths in them are relative to where the user stands, or absolute.
    pub flags: Vec<String>,
    /// The build puts it into a library, so that others may call what it defines.
    pub is_library: bool,
}

/// Units that the build links to one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    pub name: String,
    /// Numbers of units.
    pub units: Vec<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Project {
    pub units: Vec<Unit>,
    /// What is known of the build's links; without any, units are joined by the names they define and use.
    pub links: Vec<Link>,
    /// What the user may want to know of how it was read, in whole sentences.
    pub notes: Vec<String>,
}

/// Why there is no project: a message and the next step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProjectError {
    pub message: String,
    pub help: String,
}

impl ProjectError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> ProjectError {
        ProjectError { message: message.into(), help: help.into() }
    }
}

/// What the name of a file says about its language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Header,
    /// A language that is not C, by its name.
    Other(&'static str),
    Unknown,
}

impl Language {
    pub fn of(path: &Path) -> Language {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("c" | "i") => Language::C,
            Some("h") => Language::Header,
            Some("cpp" | "cc" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" | "ipp" | "ii") => Language::Other("C++"),
            Some("m") => Language::Other("Objective-C"),
            Some("mm") => Language::Other("Objective-C++"),
            Some("s" | "S" | "asm") => Language::Other("assembler"),
            Some("cu") => Language::Other("CUDA"),
            Some("f" | "f90" | "F90" | "F") => Language::Other("Fortran"),
            _ => Language::Unknown,
        }
    }
}

impl Project {
    /// A list of files with the same flags: one program, or one library.
    pub fn of_files(files: &[PathBuf], flags: &[String]) -> Result<Project, ProjectError> {
        let mut project = Project::default();
        for path in files {
            if let Language::Other(language) = Language::of(path) {
                return Err(ProjectError::new(
                    format!("{} is {language}, and only C can be checked", path.display()),
                    "leave it out; functions that it defines are taken to be unknown",
                ));
            }
            project.units.push(Unit { path: path.clone(), flags: flags.to_vec(), is_library: false });
        }
        project.links.push(Link { name: "program".to_string(), units: (0..files.len()).collect() });
        Ok(project)
    }

    /// The sets of units that are read as one program each. Every unit is in one at least.
    pub fn programs(&self) -> Vec<Vec<usize>> {
        if !self.links.is_empty() {
            let mut groups: Vec<Vec<usize>> = self.links.iter().map(|link| link.units.clone()).collect();
            let linked: BTreeSet<usize> = groups.iter().flatten().copied().collect();
            let rest: Vec<usize> = (0..self.units.len()).filter(|unit| !linked.contains(unit)).collect();
            groups.extend((!rest.is_empty()).then_some(rest));
            return without_parts(groups);
        }
        let scans: Vec<Scan> = self.units.iter().map(|unit| Scan::of_file(&unit.path)).collect();
        without_parts(by_names(&self.units, &scans))
    }
}

/// Leaves out sets that are contained in an earlier or larger one.
fn without_parts(groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let sets: Vec<BTreeSet<usize>> = groups.iter().map(|group| group.iter().copied().collect()).collect();
    let is_part = |number: usize| {
        let inside = |other: usize| {
            sets[number].is_subset(&sets[other]) && (sets[number].len() < sets[other].len() || other < number)
        };
        (0..sets.len()).any(|other| other != number && inside(other))
    };
    (0..groups.len()).filter(|number| !is_part(*number)).map(|number| sets[number].iter().copied().collect()).collect()
}

/// Each unit with a `main` and what it needs, and the rest together, as a linker would take them from an archive.
fn by_names(units: &[Unit], scans: &[Scan]) -> Vec<Vec<usize>> {
    let mut definers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, scan) in scans.iter().enumerate() {
        for name in scan.defines.iter().filter(|name| *name != "main") {
            definers.entry(name).or_default().push(number);
        }
    }
    let mut groups = Vec::new();
    let mut linked = BTreeSet::new();
    for main in (0..scans.len()).filter(|number| scans[*number].defines.contains("main")) {
        let mut group = BTreeSet::from([main]);
        let mut defined: BTreeSet<&str> = scans[main].defines.iter().map(String::as_str).collect();
        let mut queue = vec![main];
        while let Some(unit) = queue.pop() {
            for name in &scans[unit].uses {
                if defined.contains(name.as_str()) {
                    continue;
                }
                let candidates = definers.get(name.as_str()).map_or(&[][..], Vec::as_slice);
                let usable = candidates.iter().copied().filter(|other| !scans[*other].defines.contains("main"));
                // Of several definitions that of the same folder is meant.
                let folder = |number: usize| units[number].path.parent().map(Path::to_path_buf);
                let Some(other) = usable.min_by_key(|other| (folder(*other) != folder(unit), *other)) else { continue };
                defined.extend(scans[other].defines.iter().map(String::as_str));
                if group.insert(other) {
                    queue.push(other);
                }
            }
        }
        linked.extend(group.iter().copied());
        groups.push(group.into_iter().collect());
    }
    let rest: Vec<usize> = (0..units.len()).filter(|number| !linked.contains(number)).collect();
    groups.extend((!rest.is_empty()).then_some(rest));
    groups
}

/// Names in the text of a file: a guess at what a linker will see, made before anything is compiled. A wrong guess costs
/// a function that is taken to be unknown, or a unit that is read for nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Scan {
    defines: BTreeSet<String>,
    uses: BTreeSet<String>,
}

impl Scan {
    fn of_file(path: &Path) -> Scan {
        let bytes = std::fs::read(path).unwrap_or_default();
        Scan::of_text(&String::from_utf8_lossy(&bytes))
    }

    fn of_text(text: &str) -> Scan {
        let tokens = words(text);
        let mut scan = Scan::default();
        let (mut depth, mut is_static) = (0u32, false);
        // A `main` that stands under a condition and once is that of a test which builds do not switch on.
        let (mut conditions, mut mains) = (0u32, 0u32);
        for (index, token) in tokens.iter().enumerate() {
            match *token {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                IF => conditions += 1,
                END_IF => conditions = conditions.saturating_sub(1),
                ";" if depth == 0 => is_static = false,
                "static" if depth == 0 => is_static = true,
                word if is_name(word) => {
                    scan.uses.insert(word.to_string());
                    if depth == 0 && tokens.get(index + 1) == Some(&"(") && has_body(&tokens[index + 1..]) {
                        mains += u32::from(word == "main");
                        let is_test = word == "main" && conditions > 0 && mains < 2;
                        if !is_static && !is_test {
                            scan.defines.insert(word.to_string());
                        }
                        is_static = false;
                    }
                }
                _ => {}
            }
        }
        scan
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether a brace follows the parentheses that the tokens begin with, before anything ends the declaration.
fn has_body(tokens: &[&str]) -> bool {
    let mut depth = 0u32;
    for (index, token) in tokens.iter().enumerate() {
        match *token {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "{" if depth == 0 => return true,
            // Declarations of parameters in the old style may stand between.
            ";" if depth == 0 => {
                let rest = tokens[index + 1..].iter().take(40);
                let next = rest.take_while(|token| !matches!(**token, "}" | "=" | "(")).find(|token| **token == "{");
                return index > 2 && is_name(tokens[index - 1]) && tokens[1] != "void" && next.is_some();
            }
            "," | "=" if depth == 0 => return false,
            _ => {}
        }
        if depth == 0 && index > 64 {
            return false;
        }
    }
    false
}

/// What stands for directives that begin and end a condition.
const IF: &str = "#if";
const END_IF: &str = "#endif";

/// The words and punctuation of C text, without comments and literals; of directives those that begin and end conditions.
fn words(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let mut is_line_start = true;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => {
                is_line_start = true;
                at += 1;
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            b'#' if is_line_start => {
                let word = text[at + 1..].trim_start_matches([' ', '\t']);
                found.extend(word.starts_with("if").then_some(IF));
                found.extend(word.starts_with("endif").then_some(END_IF));
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text.get(at + 2..).and_then(|rest| rest.find("*/")).map_or(bytes.len(), |end| at + end + 4);
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at);
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                is_line_start = false;
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let rest = bytes[at..].iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
                let end = at + rest.unwrap_or(bytes.len() - at);
                found.push(&text[at..end]);
                at = end;
                is_line_start = false;
            }
            byte => {
                if byte.is_ascii() {
                    found.push(&text[at..at + 1]);
                }
                at += 1;
                is_line_start = false;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> (Vec<String>, bool) {
        let scan = Scan::of_text(text);
        let uses = scan.uses.contains("helper");
        (scan.defines.into_iter().collect(), uses)
    }

    #[test]
    fn definitions_are_told_from_declarations_and_calls() {
        let text = "int helper(int);\n/* int commented(void) {} */\nstatic int own(void) { return helper(1); }\n\
                    #define FAKE(x) int x(void) { return 0; }\n\
                    struct s { int a; };\nint shown(struct s *p)\n{ return own() + p->a; }\nint table[] = { 1 };\n\
                    const char *text = \"int quoted(void) {\";\n";
        assert_eq!(scan(text), (vec!["shown".to_string()], true));
        assert_eq!(scan("int old(a, b) int a; char *b; { return a; }").0, ["old"]);
        assert_eq!(scan("int f(void); int g;\nstruct t { int x; };").0, Vec::<String>::new());
    }

    #[test]
    fn programs_take_what_they_need_and_leave_the_rest_together() {
        let unit = |name: &str| Unit { path: PathBuf::from(name), flags: Vec::new(), is_library: false };
        let units = ["a.c", "b.c", "lib.c", "other.c"].map(unit);
        let texts = [
            "int main(void) { return f(); }",
            "int main(void) { return g(); }",
            "int f(void) { return 1; }",
            "int unused(void) { return 2; }",
        ];
        let scans: Vec<Scan> = texts.iter().map(|text| Scan::of_text(text)).collect();
        assert_eq!(by_names(&units, &scans), [vec![0, 2], vec![1], vec![3]]);
        let test =
            "int g(void) { return 1; }\n#ifdef TEST\nint main(void) { return g(); }\n#endif\nint h(void) { return 2; }";
        assert_eq!(Scan::of_text(test).defines, ["g", "h"].map(String::from).into());
        let either = "#ifdef A\nint main(void) { return 0; }\n#else\nint main(int n) { return n; }\n#endif";
        assert!(Scan::of_text(either).defines.contains("main"));
        assert_eq!(without_parts(vec![vec![0], vec![0, 1], vec![0, 1]]), [vec![0, 1]]);
    }
}
