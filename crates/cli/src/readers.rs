//! Every reader of what others have written, as one function of bytes: what fuzz targets (`fuzz/`) and the test of junk
//! (`tests/readers.rs`) call.
//!
//! A reader may refuse whatever it is given. It must not panic, hang, or take memory out of proportion. What it understands
//! is used a little further, where the next step is part of reading: C is lowered and verified, IR text is printed and read again,
//! a document becomes a page.

use crate::command::{check_up, conform, prove, represent};
use crate::render::html;
use automata::Alphabet;
use ir::{FunctionId, Program};
use std::fs;
use std::io::Write;
use std::path::Path;

/// What is done with bytes.
pub type Read = Box<dyn Fn(&[u8]) + Send + Sync>;

/// One reader.
pub struct Reader {
    pub name: &'static str,
    /// Endings of files in the repository to begin with, and folders to look for them in.
    pub seeds: &'static [&'static str],
    pub read: Read,
}

/// All readers. Some read files that belong to a program; those programs are in the examples below this folder.
pub fn all(repository: &Path) -> Vec<Reader> {
    let mut readers = Vec::new();
    let mut add = |name, seeds, read: Read| readers.push(Reader { name, seeds, read });
    add("c", &["c", "h"], Box::new(c));
    add("ir", &["ir"], Box::new(ir_text));
    add("predicate", &["predicate"], Box::new(predicate));
    add("path", &["path"], Box::new(path));
    add("rules", &["rules"], Box::new(rules));
    add("trs", &["trs"], Box::new(trs));
    add("nwa", &["nwa"], Box::new(nwa));
    add("spec", &["spec"], Box::new(spec));
    add("io", &["toml"], in_file(|path| drop(conform::io::read(path))));
    add("io-sites", &["sites"], in_file(|path| drop(conform::table::read(path, &mut ::conform::Io::default()))));
    for (name, seeds, format) in [
        ("trace-csv", &["csv"], infer::traces::Format::Csv),
        ("trace-dig", &["tcs"], infer::traces::Format::Dig),
        ("trace-daikon", &["dtrace", "decls"], infer::traces::Format::Daikon),
        ("trace-json", &["jsonl"], infer::traces::Format::Json),
    ] as [(_, &'static [_], _); 4]
    {
        add(name, seeds, Box::new(move |bytes| trace(bytes, format)));
    }
    add("certificate", &["certificate"], in_file(|path| drop(prove::certificate::read(path))));
    add("document", &["json"], Box::new(document));
    add("baseline", &["json"], in_file(|path| drop(check_up::baseline::read(path))));
    add("database", &["json"], in_file(|path| drop(checkup::database::read(path))));
    add("message", &["message"], Box::new(message));
    add("values", &["values"], Box::new(values));
    let compute = loaded(&repository.join("examples/repair/is_upward.c"));
    add("tests", &["csv"], tests(compute));
    for (name, seeds, program, is_own) in [
        ("tiff", &["tif"], "tiff.c", false),
        ("bmp", &["bmp"], "bmp.c", true),
        ("wav", &["wav"], "wav.c", true),
        ("sample", &["json"], "sum.c", false),
    ] as [(_, &'static [_], _, _); 4]
    {
        let program = loaded(&repository.join("examples/represent").join(program));
        add(name, seeds, in_program(program, is_own));
    }
    readers
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A reader that wants a path.
fn in_file(read: fn(&Path)) -> Read {
    let folder = tempfile::tempdir().expect("a folder for temporary files should be had, because readers need it");
    Box::new(move |bytes| {
        let path = folder.path().join("given");
        write_over(&path, bytes).expect("a temporary file should be written, because its folder was made just now");
        read(&path);
    })
}

/// A file that is emptied before it is written is flushed by some file systems when it is closed, which takes longer than to read it.
fn write_over(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

fn c(bytes: &[u8]) {
    if let Ok(loaded) = cfront::load_text(&[("given.c", &text(bytes))]) {
        let problems = ir::verify(&loaded.program);
        assert!(problems.is_empty(), "a program that was read should be well formed: {problems:?}");
    }
}

fn ir_text(bytes: &[u8]) {
    let Ok(program) = ir::parse_program(&text(bytes)) else { return };
    if ir::verify(&program).is_empty() {
        let printed = ir::print_program(&program);
        let again = ir::parse_program(&printed).expect("what was printed should be read");
        assert_eq!(ir::print_program(&again), printed, "what was printed should be read as it is");
    }
}

fn predicate(bytes: &[u8]) {
    let text = text(bytes);
    if let Ok(predicate) = logic::Predicate::parse(&text) {
        let printed = predicate.to_string();
        assert!(logic::Predicate::parse(&printed).is_ok(), "what was printed should be read: {printed}");
    }
    let _ = infer::terms::UserTerm::parse(&text);
    let _ = ::prove::Claim::parse(&text);
}

fn path(bytes: &[u8]) {
    let _ = reach::paths::notation::parse(&text(bytes));
}

fn rules(bytes: &[u8]) {
    bounded(&rewriting::read_rules(&text(bytes)));
}

fn trs(bytes: &[u8]) {
    bounded(&rewriting::read_trs(&text(bytes)));
}

/// What is wrong is told in bounded space.
fn bounded(reading: &rewriting::Reading) {
    let told: usize = reading.problems.iter().map(|problem| problem.message.len()).sum();
    assert!(told < 1 << 20, "problems should be told in a bounded space, and take {told} bytes");
}

fn nwa(bytes: &[u8]) {
    let _ = automata::nested::read(&text(bytes), &mut Alphabet::default());
}

fn spec(bytes: &[u8]) {
    let _ = automata::grammar::parse(&text(bytes), &mut Alphabet::default());
}

fn trace(bytes: &[u8], format: infer::traces::Format) {
    for skip_malformed in [false, true] {
        let manner = infer::traces::Manner { skip_malformed, cancel: None };
        let mut sink = infer::traces::Collector::new(Vec::new(), Vec::new());
        let _ = infer::traces::read(bytes, "given", format, &manner, &mut Default::default(), &mut sink);
        drop(sink.finish());
    }
}

fn document(bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice(bytes) else { return };
    if let Ok(document) = html::Document::read(&value) {
        drop(html::page(&document, html::Texts::default(), html::Setting::InSite));
    }
}

fn message(bytes: &[u8]) {
    struct Deaf;
    impl lsp::Analyst for Deaf {
        fn ask(
            &self,
            _: &lsp::Buffer,
            _: &lsp::Question,
            _: f64,
            _: &std::sync::Arc<std::sync::atomic::AtomicBool>,
        ) -> Result<serde_json::Value, String> {
            Err("nothing is known".to_string())
        }
    }
    let (wire, writer) = lsp::Wire::start(std::io::Cursor::new(bytes.to_vec()), std::io::sink());
    lsp::serve(wire, std::sync::Arc::new(Deaf));
    let _ = writer.join();
}

fn values(bytes: &[u8]) {
    let text = text(bytes);
    let _ = observe::inputs::Values::parse(&text);
    let _ = observe::harness::Extent::parse(&text);
    let _ = symmetry::domain::Values::parse_named(&text);
    let _ = symmetry::answer::Compare::parse(&text);
    let _ = symex::targets::Wanted::parse(&text);
}

fn loaded(path: &Path) -> Program {
    let options = cfront::preprocess::Options { flags: vec!["-D__PLUMB__=1".to_string()], ..Default::default() };
    match cfront::load(&[path.to_path_buf()], &options) {
        Ok(loaded) => loaded.program,
        Err(_) => panic!("{} should be read, because it is an example", path.display()),
    }
}

fn function(program: &Program, is_it: impl Fn(&str) -> bool) -> FunctionId {
    let mut all = program.defined_functions();
    all.find(|(_, function, _)| is_it(&function.name)).expect("the example should have the function").0
}

/// Tests of a function, and the inputs of its verbs.
fn tests(program: Program) -> Read {
    let entry = function(&program, |_| true);
    let parameters = observe::inputs::parameters(&program, entry);
    Box::new(move |bytes| {
        let text = text(bytes);
        let _ = repair::suite::parse_csv(&text, &program, entry);
        let _ = repair::suite::parse_lines(&text, &text, &program, entry);
        let _ = observe::inputs::parse_inputs(&text, &parameters);
        let _ = crate::command::given::input(&program, entry, &text);
    })
}

/// Data for a normalisation program, read by what we have or by its own functions.
fn in_program(program: Program, is_own: bool) -> Read {
    let entry = function(&program, |name| !["load", "store", "number", "put"].contains(&name));
    let Ok(normalisation) = ::represent::language::normalisation(&program, entry) else {
        panic!("the example should be a normalisation, because `represent` takes it")
    };
    Box::new(move |bytes| {
        let codec = is_own.then(|| {
            let of = |wanted: &str| function(&program, |name| name == wanted);
            ::represent::codec::Codec::new(&program, &normalisation, of("load"), of("store"))
                .expect("the example's functions should fit")
        });
        let _ = represent::sample::read(&normalisation, codec, bytes, Path::new("given"));
    })
}
