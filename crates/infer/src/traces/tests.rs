//! The readers on good, bad and large files.

use super::*;
use crate::{Form, FormConfig, Invariant, Kind, LocationReport, relations};
use diagnostics::Verdict;
use logic::Predicate;
use std::fmt::Write as _;

fn gather(files: &[(&str, &str)], skip: bool, collector: Collector) -> Result<Vec<Traced>, TraceError> {
    let mut collector = collector;
    let mut declarations = Declarations::default();
    for (name, text) in files {
        let format = sniff(name, text.as_bytes()).unwrap_or_else(|| panic!("the format of {name} should be known"));
        read(
            text.as_bytes(),
            name,
            format,
            &Manner { skip_malformed: skip, cancel: None },
            &mut declarations,
            &mut collector,
        )?;
    }
    Ok(collector.finish())
}

fn good(files: &[(&str, &str)]) -> Vec<Traced> {
    gather(files, false, Collector::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn rows(traced: &Traced) -> Vec<Vec<i64>> {
    traced.evidence.rows().map(<[i64]>::to_vec).collect()
}

fn names(traced: &Traced) -> Vec<&str> {
    traced.location.variables.iter().map(|v| v.name.as_str()).collect()
}

#[test]
fn digs_format() {
    let text =
        "vtrace1; I x; D y\nvtrace2; I n\n\nvtrace1; 3; 0.5\nvtrace2; -7\nvtrace1; 3; 0.50\nvtrace1 ;-4;2.125;\n";
    let traced = good(&[("a.csv", text)]);
    assert_eq!(traced.iter().map(|t| t.location.name.as_str()).collect::<Vec<_>>(), ["vtrace1", "vtrace2"]);
    assert_eq!(names(&traced[0]), ["x", "y"]);
    assert_eq!(traced[0].location.variables[1].kind, Kind::Real { denominator: 1000 });
    assert_eq!(rows(&traced[0]), [[3, 500], [-4, 2125]]);
    assert_eq!((traced[0].rows, traced[0].evidence.near.visits()), (3, 3));
    assert_eq!(rows(&traced[1]), [[-7]]);
}

#[test]
fn csv_with_all_its_freedoms() {
    let comma = "\u{feff}x,\"the y\",label\r\n1,\"2\",a\r\n3,4.5,\"b,\"\"c\"\"\"\r\n\r\n";
    let traced = good(&[("dir/points.csv", comma)]);
    assert_eq!(traced[0].location.name, "points");
    assert_eq!(names(&traced[0]), ["x", "the_y"]);
    assert_eq!(rows(&traced[0]), [[1, 20], [3, 45]]);
    assert_eq!(traced[0].notes.len(), 2, "{:?}", traced[0].notes);
    for text in ["x;y\n1;2\n", "x\ty\n1\t2\n", "x , y\n 1 , 2 \n", "x,y\n1,2"] {
        assert_eq!(rows(&good(&[("t.csv", text)])[0]), [[1, 2]], "{text}");
    }
    assert!(good(&[("t.csv", "x,y\n")])[0].evidence.is_empty());
    assert_eq!(rows(&good(&[("t.csv", "x\n5\n")])[0]), [[5]]);
}

const DECLS: &str = "decl-version 2.0\nvar-comparability none\n\nppt f():::ENTER\nppt-type enter\nvariable ::g\n  \
    var-kind variable\n  rep-type int\n  dec-type int\nvariable ok\n  rep-type boolean\nvariable s\n  rep-type \
    java.lang.String\nvariable LIMIT\n  rep-type int\n  constant 10\n\nppt f():::EXIT1\nvariable return\n  var-kind \
    return\n  rep-type double\n\n";
const DTRACE: &str = "f():::ENTER\nthis_invocation_nonce\n1\n::g\n5\n1\nok\ntrue\n1\ns\n\"a b\"\n1\n\nf():::EXIT1\n\
    this_invocation_nonce\n1\nreturn\n2.50\n1\n\nf():::ENTER\n::g\n6\n1\nok\nfalse\n1\ns\nnull\n1\n\nf():::ENTER\n::g\n\
    nonsensical\n2\nok\n0\n1\ns\nnull\n1\n";

#[test]
fn daikons_two_files_and_one() {
    let together = format!("{DECLS}{DTRACE}");
    for files in [vec![("a.decls", DECLS), ("a.dtrace", DTRACE)], vec![("a.dtrace", together.as_str())]] {
        let traced = good(&files);
        assert_eq!(traced[0].location.name, "f():::ENTER");
        assert_eq!(names(&traced[0]), ["g", "ok", "LIMIT"]);
        assert_eq!(rows(&traced[0]), [[5, 1, 10], [6, 0, 10]]);
        assert_eq!(traced[0].notes.len(), 2, "{:?}", traced[0].notes);
        assert_eq!(names(&traced[1]), ["result"]);
        assert_eq!(rows(&traced[1]), [[25]]);
    }
    let old = "DECLARE\nm:::POINT\nx\nint\nint\n1\nk\nint\nint = 4\n1\np\nchar*\nhashcode\n1\n\nm:::POINT\nx\n1\n1\np\n99\n1\n\n";
    let traced = good(&[("old.dtrace", old)]);
    assert_eq!((names(&traced[0]), rows(&traced[0])), (vec!["x", "k"], vec![vec![1, 4]]));
}

#[test]
fn bad_files_are_named_with_their_line() {
    for (name, text, line, words) in [
        ("a.csv", "", None, "empty"),
        ("a.csv", "1,2\n3,4\n", Some(1), "name the columns"),
        ("a.csv", "x,y\n1,2\n3\n", Some(3), "1 values where 2"),
        ("a.csv", "x,y\n1,2\n3,zwei\n", Some(3), "`zwei` is not a number"),
        ("a.csv", "x,x\n1,2\n", Some(2), "two columns"),
        ("a.csv", "x,y\n1,\"2\n", Some(2), "quote"),
        ("a.tcs", "", None, "no location"),
        ("a.tcs", "vtrace1; I x; Q y\n", Some(1), "type"),
        ("a.tcs", "vtrace1; I x\nvtrace2; 3\n", Some(2), "not declared"),
        ("a.tcs", "vtrace1; I x; I y\nvtrace1; 3\n", Some(2), "1 values where 2"),
        ("a.tcs", "vtrace1; I x\nvtrace1; 3.5\n", Some(2), "declared as an integer"),
        ("a.tcs", "vtrace1; I x\nvtrace1; I y\n", Some(2), "other columns"),
        ("a.dtrace", "", None, "empty"),
        ("a.dtrace", "f():::ENTER\nx\n1\n1\n", Some(1), "not declared"),
        ("a.dtrace", "ppt p\nvariable x\nrep-type int\n\np\nx\n1\n", Some(8), "ends in the middle"),
        ("a.dtrace", "ppt p\nvariable x\nrep-type int\n\np\nx\nseven\n1\n", Some(9), "`seven`"),
        ("a.dtrace", "ppt p\nvariable x\nrep-type int\n\np\n\n", Some(6), "no value for `x`"),
    ] {
        let format = if name.ends_with("csv") {
            Format::Csv
        } else if name.ends_with("tcs") {
            Format::Dig
        } else {
            Format::Daikon
        };
        let mut sink = Collector::default();
        let error = read(text.as_bytes(), name, format, &Manner::default(), &mut Declarations::default(), &mut sink)
            .expect_err(&format!("{text:?} should be refused"));
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.to_string().contains(words), "{text:?}: {error}");
    }
}

#[test]
fn rows_without_a_place_are_counted() {
    let text = "x,y\n1,2\nnan,3\n4,inf\n5,\n99999999999999999999,1\n6,7,8\n9,oops\n2,3\n";
    assert!(gather(&[("a.csv", text)], false, Collector::default()).is_err());
    let traced = gather(&[("a.csv", text)], true, Collector::default()).unwrap();
    assert_eq!(rows(&traced[0]), [[1, 2], [2, 3]]);
    let notes = traced[0].notes.join("\n");
    assert!(notes.contains("3 rows are skipped because a value is missing"), "{notes}");
    assert!(notes.contains("1 rows are skipped because a value does not fit"), "{notes}");
    assert!(notes.contains("2 rows are skipped because they are not of the format"), "{notes}");
    // A value so fine that the large ones would not fit over its denominator goes, not they.
    let traced = good(&[("a.csv", "x\n1000000000000000.5\n0.00000001\n2.5\n")]);
    assert_eq!(rows(&traced[0]), [[10_000_000_000_000_005], [25]]);
}

#[test]
fn users_terms_and_chosen_variables() {
    let term = |text: &str| crate::terms::UserTerm::parse(text).unwrap();
    let collector = Collector::new(vec![term("t = 2^x"), term("1/2*y"), term("q + 1")], vec!["y".to_string()]);
    let traced = gather(&[("a.csv", "x,y\n3,4\n-1,5\n2,7\n")], false, collector).unwrap();
    assert_eq!(names(&traced[0]), ["y", "t", "1/2*y"]);
    assert_eq!(rows(&traced[0]), [[4, 8, 4], [7, 4, 7]]);
    assert_eq!(traced[0].location.variables[2].kind, Kind::Real { denominator: 2 });
    assert_eq!(traced[0].notes.len(), 2, "{:?}", traced[0].notes);
    let divided = |text| gather(&[("a.csv", text)], false, Collector::new(vec![term("x/2")], Vec::new()));
    assert_eq!(rows(&divided("x\n3\n").unwrap()[0]), [[3, 1]]);
    assert_eq!(rows(&divided("x\n3.5\n3\n").unwrap()[0]), [[35, 7], [30, 6]]);
    assert!(divided("x\n3\n3.5\n").unwrap_err().message.contains("decimals from here on"));
}

#[test]
fn many_rows_are_thinned_and_bounds_stay_exact() {
    let mut text = String::from("p; I x; I y; I z\n");
    let mut extremes = [i64::MAX, i64::MIN, i64::MAX, i64::MIN];
    let mut state = 1u64;
    for x in 0..300_000i64 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let y = (state >> 40) as i64 - (1 << 23);
        let _ = writeln!(text, "p; {x}; {y}; {}", 2 * x + i64::from(x == 299_999));
        extremes[0] = extremes[0].min(x + y);
        extremes[1] = extremes[1].max(x + y);
        extremes[2] = extremes[2].min(x - y);
        extremes[3] = extremes[3].max(x - y);
    }
    let traced = good(&[("p.tcs", &text)]).remove(0);
    assert!(!traced.complete && traced.octagons_complete);
    assert!((30_000..140_000).contains(&traced.evidence.len()), "{}", traced.evidence.len());
    assert_eq!(traced.rows, 300_000);
    assert_eq!(traced.evidence.near.visits() + traced.evidence.far.visits(), 300_000);
    let far = traced.evidence.far.len() * 100 / traced.evidence.len();
    assert!((10..15).contains(&far), "{far} in a hundred");
    let sums = || traced.evidence.rows().map(|row| row[0] + row[1]);
    let differences = || traced.evidence.rows().map(|row| row[0] - row[1]);
    let found = [sums().min(), sums().max(), differences().min(), differences().max()];
    assert_eq!(found, extremes.map(Some));

    // The last row breaks the equation; the second reading finds out even if that row was not kept.
    let invariant = |text: &str| Invariant {
        form: Form::Equality,
        predicate: Predicate::parse(text).unwrap(),
        verdict: Verdict::Observed { visits: 1 },
        has_reason: true,
    };
    let claims = ["z == 2*x", "z >= 2*x", "max(z, 0) >= x", "x*x*x*x*x*x*x*x >= 0", "z === 0 (mod 2)"];
    let mut reports = [LocationReport {
        location: traced.location.clone(),
        visits: traced.rows,
        samples: traced.evidence.len(),
        invariants: claims.map(invariant).into(),
        arrays: Vec::new(),
        notes: Vec::new(),
        rows: Vec::new(),
    }];
    let mut recheck = Recheck::new(&reports);
    read(text.as_bytes(), "p.tcs", Format::Dig, &Manner::default(), &mut Declarations::default(), &mut recheck)
        .unwrap();
    recheck.finish(&mut reports, &[traced.rows]);
    let left: Vec<String> = reports[0].invariants.iter().map(|i| i.predicate.to_string()).collect();
    assert_eq!(left, ["z >= 2*x", "max(z, 0) >= x", "x*x*x*x*x*x*x*x >= 0"]);
    assert!(reports[0].notes[0].starts_with("2 relations"));
}

#[test]
fn formats_are_told_apart() {
    for (name, head, expected) in [
        ("t.csv", "x,y\n", Some(Format::Csv)),
        ("t.csv", "vtrace1; I x\n", Some(Format::Dig)),
        ("t", "vtrace1; I x; D y\n", Some(Format::Dig)),
        ("t", "x;y\n", Some(Format::Csv)),
        ("t", "decl-version 2.0\n", Some(Format::Daikon)),
        ("t.dtrace", "", Some(Format::Daikon)),
        ("t", "hello\n", None),
        ("t", "", None),
    ] {
        assert_eq!(sniff(name, head.as_bytes()), expected, "{name} {head:?}");
    }
    for (name, expected) in [("a b", "a_b"), ("p->n.len", "p->n.len"), ("3x", "_3x"), (".x.", "_x_"), ("a.", "a_")] {
        assert_eq!(spoken(name), expected);
    }
}

/// A program's rows as CSV: `s` is the sum of the numbers below `n`, `m` the larger of `n` and 5.
fn sums(rows: std::ops::Range<i64>) -> String {
    let mut text = String::from("n,s,m\n");
    rows.for_each(|n| writeln!(text, "{n},{},{}", n * (n - 1) / 2, n.max(5)).unwrap());
    text
}

fn collected(text: &str, most_rows: usize) -> Collector {
    let mut collector = Collector::default().keeping(most_rows);
    read(text.as_bytes(), "rows.csv", Format::Csv, &Manner::default(), &mut Declarations::default(), &mut collector)
        .unwrap();
    collector
}

fn texts(report: &LocationReport) -> Vec<String> {
    report.invariants.iter().map(|i| crate::shown::text(&i.predicate, &report.location.variables)).collect()
}

#[test]
fn what_parts_gathered_joins_to_what_all_would_have() {
    for most_rows in [64, 1 << 17] {
        let whole = collected(&sums(-700..900), most_rows).finish().remove(0);
        let mut merged = collected(&sums(-700..50), most_rows);
        for part in [50..51, 51..600, 400..900] {
            merged.merge(collected(&sums(part), most_rows)).unwrap();
        }
        let merged = merged.finish().remove(0);
        assert_eq!((merged.rows, merged.complete), (whole.rows + 200, whole.complete), "{most_rows}");
        let ends = |traced: &Traced| {
            let column = |c: usize| traced.evidence.rows().map(move |row| row[c]);
            (0..3).map(|c| (column(c).min(), column(c).max())).collect::<Vec<_>>()
        };
        assert_eq!(ends(&merged), ends(&whole));
        let sum = |row: &[i64]| 2 * row[1] == row[0] * (row[0] - 1);
        assert!(merged.evidence.rows().all(sum), "{most_rows}");
        let forms = FormConfig { forms: [Form::Equality].into(), ..FormConfig::default() };
        let equations = |traced: &Traced| {
            let found = relations(&traced.location, &traced.evidence, &forms).invariants;
            found.iter().map(|invariant| invariant.predicate.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(equations(&merged), equations(&whole), "{most_rows}");
    }
    let mut other = collected("n,x\n1,2\n", 64);
    assert!(other.merge(collected("n,s,m\n1,2,3\n", 64)).is_err());
    // Decimals come to one denominator, whichever part they are in.
    let mut tenths = collected("x\n1\n2\n", 64);
    tenths.merge(collected("x\n0.5\n", 64)).unwrap();
    let mut scaled = rows(&tenths.finish()[0]);
    scaled.sort();
    assert_eq!(scaled, [[5], [10], [20]]);
}

/// One row among very many breaks an equation: the rows kept include it, whichever part it comes in.
#[test]
fn a_single_row_outside_of_the_span_is_kept() {
    let mut odd = String::from("x,y\n");
    (0..5000).for_each(|n| writeln!(odd, "{n},{}", if n == 4321 { 7 } else { 3 * n }).unwrap());
    let traced = collected(&odd, 100).finish().remove(0);
    assert!(!traced.complete && traced.evidence.rows().any(|row| row == [4321, 7]), "{}", traced.evidence.len());
}

#[test]
fn a_stream_tells_what_holds_and_which_row_breaks_it() {
    let events = std::cell::RefCell::new(Vec::new());
    let mut watch = Watch::new(Collector::default(), FormConfig::default(), |event| events.borrow_mut().push(event));
    let mut text = String::from("n,d\n");
    (0..200).for_each(|n| writeln!(text, "{n},{}", if n < 150 { 2 * n } else { 2 * n + 1 }).unwrap());
    read(text.as_bytes(), "rows.csv", Format::Csv, &Manner::default(), &mut Declarations::default(), &mut watch)
        .unwrap();
    let seen = watch.finish();
    assert!(!texts(&seen[0].1).contains(&"d == 2*n".to_string()));
    let events = events.into_inner();
    let listed = events.iter().position(|event| {
        matches!(event, Event::Listed { report, fresh } if report.visits == 32 && fresh.contains(&"d == 2*n".to_string()))
    });
    let broken = events.iter().position(|event| match event {
        Event::Broken { row, relation, values, .. } => {
            let values: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
            *row == 151 && relation == "d == 2*n" && values == ["150", "301"]
        }
        Event::Listed { .. } => false,
    });
    assert!(listed.is_some() && listed < broken, "{events:?}");
    let again = events.iter().filter(|event| matches!(event, Event::Broken { relation, .. } if relation == "d == 2*n"));
    assert_eq!(again.count(), 1);
}

/// Memory does not grow with the rows.
#[test]
fn a_long_stream_keeps_few_rows() {
    let mut watch = Watch::new(Collector::default(), FormConfig::default(), |_| {});
    read(
        sums(0..20_000).as_bytes(),
        "rows.csv",
        Format::Csv,
        &Manner::default(),
        &mut Declarations::default(),
        &mut watch,
    )
    .unwrap();
    let (traced, report) = watch.finish().remove(0);
    assert!(traced.rows == 20_000 && traced.evidence.len() < 5000, "{}", traced.evidence.len());
    let is_sum = |text: &String| text.contains("n^2") && text.contains("2*s") && text.contains("==");
    assert!(texts(&report).iter().any(is_sum), "{:?}", texts(&report));
}

/// Rows written as those before are read by their places; everything else is read by names, and says the same.
#[test]
fn objects_of_every_layout_are_read_alike() {
    let text = "{\"location\": \"f\", \"n\": 1, \"x\": 2.5}\n{\"location\": \"f\", \"n\": -3, \"x\": 7}\n\
                {\"location\":\"g\",\"why\":\"a, b\",\"n\":4}\n{ \"x\" : 1e1 , \"n\" : 5 , \"location\" : \"f\" }\n\
                {\"location\":\"g\",\"why\":\"}\",\"n\":6}\n{\"location\": \"f\", \"n\": 8, \"x\": null}\n\
                {\"location\": \"f\", \"n\": 9, \"x\": 0.125}\n{\"location\":\"g\",\"why\":\"\\\"\",\"n\":-10}\n";
    let traced = good(&[("rows.jsonl", text)]);
    assert_eq!(traced.iter().map(names).collect::<Vec<_>>(), [vec!["n", "x"], vec!["n"]]);
    assert_eq!(rows(&traced[0]), [[1, 2500], [-3, 7000], [5, 10000], [9, 125]]);
    assert_eq!(rows(&traced[1]), [[4], [6], [-10]]);
    assert!(traced[0].notes.iter().any(|note| note.starts_with("1 rows are skipped")), "{:?}", traced[0].notes);
    for (text, line) in [
        ("{\"x\": 1}\n{\"x\": 1} 2\n", 2),
        ("{\"x\": 1}\n{\"x\": 2\n", 2),
        ("{\"x\": 1}\n{\"x\": 2, \"x\": 2}\n", 2),
        ("{\"x\": 1}\n{\"y\": 2}\n", 2),
        ("{\"x\": 1}\n{\"x\": 2,}\n", 2),
    ] {
        let error = gather(&[("rows.jsonl", text)], false, Collector::default()).map(|_| ()).unwrap_err();
        assert_eq!(error.line, Some(line), "{text}");
    }
}

/// Rows with decimals are tested over the denominators of their columns, and a row with more decimals exactly.
#[test]
fn decimals_are_tested_in_blocks() {
    for (odd, more, y) in [(700, 0.25, "350.25"), (900, 0.0625, "450.0625")] {
        let say = std::cell::RefCell::new(Vec::new());
        let mut watch = Watch::new(Collector::default(), FormConfig::default(), |event| say.borrow_mut().push(event));
        let mut text = String::from("x,y\n");
        for n in 0..1000 {
            let x = f64::from(n) / 4.0;
            writeln!(text, "{x},{}", 2.0 * x + if n == odd { more } else { 0.0 }).unwrap();
        }
        let mut declarations = Declarations::default();
        read(text.as_bytes(), "rows.csv", Format::Csv, &Manner::default(), &mut declarations, &mut watch).unwrap();
        watch.finish();
        let events = say.into_inner();
        let is_told = |event: &Event| match event {
            Event::Broken { row, values, .. } => {
                *row == odd as u64 + 1 && values[1] == ("y".to_string(), y.to_string())
            }
            Event::Listed { .. } => false,
        };
        assert!(events.iter().any(is_told), "{events:?}");
    }
}

/// Work that is to stop reads no row that may still be written, and keeps what it told.
#[test]
fn a_stream_that_is_stopped_says_what_it_knows() {
    let cancel = Arc::new(AtomicBool::new(false));
    let manner = Manner { skip_malformed: false, cancel: Some(cancel.clone()) };
    let forms = FormConfig { cancel: Some(cancel.clone()), ..FormConfig::default() };
    let mut watch = Watch::new(Collector::default(), forms, |_| {});
    let mut text = sums(0..100);
    text += "100,4";
    struct UpToEnd<'t>(&'t [u8], Arc<AtomicBool>);
    impl std::io::Read for UpToEnd<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.read(buffer)?;
            self.1.store(self.0.is_empty(), Ordering::Relaxed);
            Ok(count)
        }
    }
    let reader = std::io::BufReader::with_capacity(16, UpToEnd(text.as_bytes(), cancel));
    read(reader, "rows.csv", Format::Csv, &manner, &mut Declarations::default(), &mut watch).unwrap();
    let (traced, report) = watch.finish().remove(0);
    assert!((90..=100).contains(&traced.rows), "{}", traced.rows);
    assert!(texts(&report).contains(&"m == max(n, 5)".to_string()), "{:?}", texts(&report));
}
