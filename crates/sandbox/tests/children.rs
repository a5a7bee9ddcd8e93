//! Ordinary children: what they get, how they end, what they leave.

use sandbox::{Host, Job, Own, Policy, Scratch, Start, Stop, Wall, WallSet, run};
use std::ffi::OsStr;
use std::time::Duration;

fn shell(script: &str) -> Start<'static> {
    let mut start = Start::new(Policy::Program, OsStr::new("sh")).unwrap();
    start.arguments = vec!["-c".into(), script.into()];
    start.environment = vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())];
    start
}

fn job(start: Start<'_>) -> Job<'_> {
    Job {
        start,
        stdin: b"",
        time: Duration::from_secs(60),
        output: 1 << 20,
        processes: Some(32),
        memory: None,
        cancel: None,
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_child_has_its_streams_its_status_and_its_folder() {
    let folder = Scratch::new("test").unwrap();
    let files = [("in/put".into(), b"data".to_vec())];
    let mut start = shell("cat; cat in/put; echo left > out; echo words >&2; env | grep -v PWD | sort; exit 7");
    start.view.own = Own::Private(folder.path().to_path_buf());
    start.files = &files;
    let finished = run(Job { stdin: b"given ", ..job(start) }).unwrap();
    assert_eq!(finished.stop, Stop::Exited(7), "{}", text(&finished.stderr));
    assert_eq!(text(&finished.stdout), "given dataPATH=/usr/local/bin:/usr/bin:/bin\n");
    assert_eq!(text(&finished.stderr), "words\n");
    let left = finished.own.map_or(folder, Scratch::in_memory);
    assert_eq!(left.read("out", 100).unwrap(), b"left\n");
    eprintln!("{:?}", finished.walls);
}

#[test]
fn every_ending_is_told() {
    for (script, expected) in [
        ("exit 3", Stop::Exited(3)),
        ("kill -9 $$", Stop::Signalled(9)),
        ("kill -ABRT $$", Stop::Signalled(6)),
        ("(sleep 1000 &) ; exit 4", Stop::Exited(4)),
    ] {
        assert_eq!(run(job(shell(script))).unwrap().stop, expected, "{script}");
    }
    let late = Job { time: Duration::from_millis(200), ..job(shell("sleep 1000")) };
    assert_eq!(run(late).unwrap().stop, Stop::Time);
    let flood = Job { output: 1000, ..job(shell("yes")) };
    assert_eq!(run(flood).unwrap().stop, Stop::Output);
    let crowd = Job { processes: Some(5), ..job(shell("for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; wait")) };
    assert_eq!(run(crowd).unwrap().stop, Stop::Processes);
}

/// Each of them alone has less than all may have together.
#[test]
fn memory_is_counted_over_all_processes() {
    let one = "x=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 1000";
    let crowd = format!("for i in 1 2 3 4 5 6; do ({one}) & done; wait");
    let mut several = Job { memory: Some(64 << 20), ..job(shell(&crowd)) };
    several.start.limits.disk = 1 << 20;
    assert_eq!(run(several).unwrap().stop, Stop::Memory);
    let mut alone = Job { memory: Some(256 << 20), ..job(shell(&one.replace("sleep 1000", "echo fits"))) };
    alone.start.limits.disk = 1 << 20;
    let finished = run(alone).unwrap();
    assert_eq!((finished.stop, text(&finished.stdout)), (Stop::Exited(0), "fits\n".into()));
}

#[test]
fn what_cannot_be_started_is_an_error() {
    assert!(Start::new(Policy::Program, OsStr::new("no-such-program-anywhere")).is_err());
    let start = Start::new(Policy::Program, OsStr::new("/no/such/program")).unwrap();
    assert!(start.start().is_err());
    let start = Start::new(Policy::Program, OsStr::new("/etc/ld.so.cache")).unwrap();
    assert!(start.start().is_err());
}

/// Each wall can be missing, and all of them together: children run all the same.
#[test]
fn children_run_whatever_walls_there_are() {
    let all = Wall::ALL.into_iter().fold(WallSet::NONE, WallSet::with);
    for without in Wall::ALL.into_iter().map(|wall| WallSet::NONE.with(wall)).chain([WallSet::NONE, all]) {
        let folder = Scratch::new("test").unwrap();
        let mut start = shell("echo here > file && cat file");
        start.view.own = Own::Private(folder.path().to_path_buf());
        start.without = without;
        let finished = run(job(start)).unwrap_or_else(|error| panic!("{without:?}: {error}"));
        assert_eq!((finished.stop, text(&finished.stdout)), (Stop::Exited(0), "here\n".into()), "{without:?}");
        for wall in Wall::ALL {
            assert_eq!(finished.walls.stands(wall), Host::get().walls().stands(wall) && !without.contains(wall));
        }
    }
}
