//! A conversation with a program that is kept running: lines in, one line out for each.
//!
//! The program may be in any language. It runs where the user is, but in the sandbox: it sees installed programs, the
//! folder we are in and what its words name, writes only to a folder of its own and has no network. Questions are written ahead of the answers, as far as the
//! pipes allow, so a program that answers fast is not kept waiting. It must not hold answers back: each line is
//! flushed.

use super::command::start_of;
use sandbox::{Child, Own, Scratch, Walls, set_nonblocking};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often we look at the cancel flag.
const TICK: Duration = Duration::from_millis(20);
/// The longest answer, and how much of standard error is kept.
const LONGEST: usize = 1 << 20;
const KEPT: usize = 4096;

/// A program that answers line by line. Dropping it ends the program and everything it started.
pub struct Conversation {
    child: Child,
    input: File,
    output: File,
    errors: Option<File>,
    /// Read and not yet a whole line.
    unread: Vec<u8>,
    said: Vec<u8>,
    _directory: Scratch,
}

/// Why there are fewer answers than questions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// No answer within the time for one.
    Waited,
    /// The program ended, as a clause, and the last it wrote to standard error.
    Ended {
        how: String,
        said: String,
    },
    /// An answer was longer than any should be.
    Endless,
    Cancelled,
}

impl Conversation {
    /// Starts the program. An error means that there is no such program, or that the kernel failed us.
    pub fn start(words: &[String]) -> io::Result<Conversation> {
        let directory = Scratch::new("talk")?;
        let mut start = start_of(words)?;
        start.folder = std::env::current_dir().ok();
        start.view.own = Own::Private(directory.path().to_path_buf());
        start
            .environment
            .extend([("TMPDIR".into(), directory.path().into()), ("HOME".into(), directory.path().into())]);
        let mut child = start.start()?;
        let [input, output, errors] = child.pipes()?;
        for file in [&input, &output, &errors] {
            set_nonblocking(file.as_raw_fd())?;
        }
        Ok(Conversation {
            child,
            input,
            output,
            errors: Some(errors),
            unread: Vec::new(),
            said: Vec::new(),
            _directory: directory,
        })
    }

    pub fn walls(&self) -> &Walls {
        self.child.walls()
    }

    /// Asks all questions, which are lines without their ends, and gives the answers in their order. After a silence the
    /// conversation is over.
    pub fn ask(
        &mut self,
        questions: &[String],
        time: Duration,
        cancel: Option<&AtomicBool>,
    ) -> io::Result<(Vec<String>, Option<Silence>)> {
        let mut to_write: Vec<u8> = Vec::new();
        for question in questions {
            to_write.extend(question.as_bytes());
            to_write.push(b'\n');
        }
        let mut written = 0;
        let mut answers = Vec::with_capacity(questions.len());
        let mut heard = Instant::now();
        let mut open = true;
        loop {
            let before = answers.len();
            self.take_lines(questions.len(), &mut answers);
            if answers.len() > before {
                heard = Instant::now();
            }
            if answers.len() == questions.len() {
                return Ok((answers, None));
            }
            if self.unread.len() > LONGEST {
                return Ok((answers, Some(Silence::Endless)));
            }
            if !open {
                return Ok((answers, Some(self.ended()?)));
            }
            if cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
                return Ok((answers, Some(Silence::Cancelled)));
            }
            if heard.elapsed() > time {
                return Ok((answers, Some(Silence::Waited)));
            }
            let wait = TICK.min(time.saturating_sub(heard.elapsed())).max(Duration::from_millis(1));
            open = self.turn(&to_write, &mut written, wait)?;
        }
    }

    fn take_lines(&mut self, wanted: usize, answers: &mut Vec<String>) {
        let mut start = 0;
        while answers.len() < wanted {
            let Some(end) = self.unread[start..].iter().position(|b| *b == b'\n') else { break };
            answers.push(String::from_utf8_lossy(&self.unread[start..start + end]).into_owned());
            start += end + 1;
        }
        self.unread.drain(..start);
    }

    /// Writes and reads what can be now. Says whether more answers may come.
    fn turn(&mut self, to_write: &[u8], written: &mut usize, wait: Duration) -> io::Result<bool> {
        let entry = |fd: RawFd, events| libc::pollfd { fd, events, revents: 0 };
        let has_more = *written < to_write.len();
        let mut entries = [
            // Negative descriptors are skipped.
            entry(if has_more { self.input.as_raw_fd() } else { -1 }, libc::POLLOUT),
            entry(self.output.as_raw_fd(), libc::POLLIN),
            entry(self.errors.as_ref().map_or(-1, |f| f.as_raw_fd()), libc::POLLIN),
            entry(self.child.end(), libc::POLLIN),
        ];
        // SAFETY: the array is alive and its length is given.
        let ready =
            unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, wait.as_millis() as libc::c_int) };
        if ready < 0 {
            let error = io::Error::last_os_error();
            return if error.kind() == io::ErrorKind::Interrupted { Ok(true) } else { Err(error) };
        }
        if entries[0].revents != 0 {
            match self.input.write(&to_write[*written..]) {
                Ok(count) => *written += count,
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                // It closed its input; what it answered before still counts.
                Err(_) => *written = to_write.len(),
            }
        }
        let mut buffer = [0u8; 64 * 1024];
        if entries[2].revents != 0
            && let Some(errors) = &mut self.errors
        {
            match errors.read(&mut buffer) {
                Ok(0) => self.errors = None,
                Ok(count) => {
                    self.said.extend_from_slice(&buffer[..count]);
                    let excess = self.said.len().saturating_sub(KEPT);
                    self.said.drain(..excess);
                }
                Err(_) => {}
            }
        }
        if entries[1].revents != 0 {
            match self.output.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(count) => self.unread.extend_from_slice(&buffer[..count]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                Err(_) => return Ok(false),
            }
        } else if entries[3].revents != 0 {
            // It has ended and nothing is left to read.
            return Ok(false);
        }
        Ok(true)
    }

    fn ended(&mut self) -> io::Result<Silence> {
        // A program that closes its output is given a moment to end by itself, so that its own status is seen.
        let deadline = Instant::now() + Duration::from_millis(500);
        while !self.child.has_ended()? && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        let by_itself = self.child.has_ended()?;
        if let Some(errors) = &mut self.errors {
            let mut rest = Vec::new();
            let _ = errors.read_to_end(&mut rest);
            self.said.extend(rest);
        }
        let status = self.child.finish()?;
        let how = match (by_itself, status.code(), status.signal()) {
            (false, ..) => "it closed its output".to_string(),
            (_, Some(code), _) => format!("it ended with status {code}"),
            (_, None, signal) => format!("it was ended by signal {}", signal.unwrap_or(0)),
        };
        Ok(Silence::Ended { how, said: String::from_utf8_lossy(&self.said).into_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(script: &str, questions: &[&str], millis: u64) -> (Vec<String>, Option<Silence>) {
        let words: Vec<String> = ["sh", "-c", script].map(String::from).to_vec();
        let mut conversation = Conversation::start(&words).unwrap();
        let questions: Vec<String> = questions.iter().map(|q| q.to_string()).collect();
        conversation.ask(&questions, Duration::from_millis(millis), None).unwrap()
    }

    #[test]
    fn lines_are_answered_in_order() {
        let many: Vec<String> = (0..20_000).map(|i| i.to_string()).collect();
        let asked: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(talk("cat", &asked, 20_000), (many.clone(), None));
    }

    #[test]
    fn silence_has_a_reason() {
        let (answers, silence) = talk("read x; echo one; echo oops >&2; exit 3", &["1", "2"], 20_000);
        assert_eq!(answers, ["one"]);
        assert_eq!(silence, Some(Silence::Ended { how: "it ended with status 3".into(), said: "oops\n".into() }));
        assert_eq!(talk("read x; echo one; sleep 100", &["1", "2"], 200), (vec!["one".into()], Some(Silence::Waited)));
        let (_, silence) = talk("read x; kill -9 $$", &["1"], 20_000);
        assert!(matches!(silence, Some(Silence::Ended { how, .. }) if how.contains("signal 9")));
        assert_eq!(talk("yes | tr -d '\\n'", &["1"], 20_000).1, Some(Silence::Endless));
        assert!(Conversation::start(&["/no/such/program".to_string()]).is_err());
        assert!(Conversation::start(&[]).is_err());
    }
}
