//! What a child costs: `fork` and `execve` alone, and the same behind walls. `cargo run -p sandbox --example cost -- 500`

use sandbox::{Host, Job, Own, Policy, Scratch, Start, Wall, WallSet, run};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let count: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(300);
    let each = |what: &str, one: &dyn Fn()| {
        one();
        let mut times: Vec<Duration> = (0..count)
            .map(|_| {
                let start = Instant::now();
                one();
                start.elapsed()
            })
            .collect();
        times.sort();
        println!("{what:28} median {:7.3} ms", times[times.len() / 2].as_secs_f64() * 1e3);
    };
    // Work between the two keeps the library from using `posix_spawn`, as every start with limits does.
    each("fork and execve", &|| {
        let mut command = Command::new("/bin/true");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // SAFETY: does nothing.
        unsafe { command.pre_exec(|| Ok(())) };
        assert!(command.output().is_ok_and(|output| output.status.success()));
    });
    let stands = Host::get().walls();
    let none = Wall::ALL.into_iter().fold(WallSet::NONE, WallSet::with);
    let mut kinds = vec![("behind all walls".to_string(), WallSet::NONE), ("behind none".to_string(), none)];
    for wall in Wall::ALL.into_iter().filter(|wall| stands.stands(*wall)) {
        kinds.push((format!("without {wall}"), WallSet::NONE.with(wall)));
    }
    for (what, without) in kinds {
        each(&what, &|| {
            let folder = Scratch::new("cost").unwrap();
            let mut start = Start::new(Policy::Program, "/bin/true".as_ref()).unwrap();
            start.view.own = Own::Private(folder.path().to_path_buf());
            start.without = without;
            let time = Duration::from_secs(60);
            let job = Job { start, stdin: b"", time, output: 1024, processes: Some(32), memory: None, cancel: None };
            run(job).unwrap();
        });
    }
}
