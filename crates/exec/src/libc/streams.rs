//! Streams and the files behind them, all in memory.
//!
//! A run starts with an empty folder, as a native run does, and files it makes vanish with it. A name that the real folder
//! has is refused rather than called absent. `stdout` keeps what
//! was written until it is flushed, as it does natively when it is not a terminal: the difference shows when the
//! program also uses `write`, or leaves by `_exit`.

use super::errno::{EBADF, EINVAL, ENOENT};
use super::{bad_argument, fault};
use crate::memory::{Address, Memory, OutOfMemory};
use crate::outcome::Limit;
use crate::vm::Stop;
use diagnostics::Rule;
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamId(usize);

/// The contents of a file, which outlive its name as long as a stream has it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FileId(usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Backing {
    Stdout,
    Stderr,
    /// The standard input is the file 0, which cannot be sought in.
    File(FileId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Nothing,
    Read,
    Write,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffering {
    Full,
    Line,
    None,
}

struct Stream {
    backing: Backing,
    open: bool,
    readable: bool,
    writable: bool,
    append: bool,
    position: usize,
    eof: bool,
    error: bool,
    /// Bytes pushed back, the last one on top.
    pushed: Vec<u8>,
    last: Last,
    descriptor: i32,
}

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Mode {
    readable: bool,
    writable: bool,
    append: bool,
    create: bool,
    truncate: bool,
    exclusive: bool,
}

/// What opening, removing and renaming files gives: an error number if it fails.
pub type Tried<T> = Result<T, i32>;

const STDIN_FILE: FileId = FileId(0);
/// The size of the buffer that glibc gives `stdout` when it is a pipe.
const BUFFER: usize = 4096;
const EEXIST: i32 = 17;
const ESPIPE: i32 = 29;
/// The size of `FILE` in glibc. Programs never look inside.
const FILE_BYTES: u64 = 216;

pub struct Streams {
    streams: Vec<Stream>,
    by_address: BTreeMap<Address, StreamId>,
    standard: [Option<Address>; 3],
    files: Vec<Vec<u8>>,
    names: BTreeMap<Vec<u8>, FileId>,
    stdout: Vec<u8>,
    /// Written to `stdout` and not flushed.
    pending: Vec<u8>,
    buffering: Buffering,
    stderr: Vec<u8>,
    written: u64,
    limit: u64,
    /// `read` was used on the standard input.
    raw_input: bool,
}

impl Stream {
    fn new(backing: Backing, descriptor: i32, mode: Mode) -> Stream {
        Stream {
            backing,
            open: true,
            readable: mode.readable,
            writable: mode.writable,
            append: mode.append,
            position: 0,
            eof: false,
            error: false,
            pushed: Vec::new(),
            last: Last::Nothing,
            descriptor,
        }
    }
}

impl Streams {
    pub fn new(stdin: Vec<u8>, limit: u64) -> Streams {
        let read =
            Mode { readable: true, writable: false, append: false, create: false, truncate: false, exclusive: false };
        let write = Mode { readable: false, writable: true, ..read };
        Streams {
            streams: vec![
                Stream::new(Backing::File(STDIN_FILE), 0, read),
                Stream::new(Backing::Stdout, 1, write),
                Stream::new(Backing::Stderr, 2, write),
            ],
            by_address: BTreeMap::new(),
            standard: [None; 3],
            files: vec![stdin],
            names: BTreeMap::new(),
            stdout: Vec::new(),
            pending: Vec::new(),
            buffering: Buffering::Full,
            stderr: Vec::new(),
            written: 0,
            limit,
            raw_input: false,
        }
    }

    pub const STDIN: StreamId = StreamId(0);
    pub const STDOUT: StreamId = StreamId(1);

    /// The address of a standard stream's `FILE`.
    pub fn standard(&mut self, memory: &mut Memory<'_>, name: &str) -> Result<Address, OutOfMemory> {
        let (index, title) = match name {
            "stdin" => (0, "the stream `stdin`"),
            "stdout" => (1, "the stream `stdout`"),
            _ => (2, "the stream `stderr`"),
        };
        if let Some(known) = self.standard[index] {
            return Ok(known);
        }
        let address = memory.allocate_library(FILE_BYTES, title)?;
        self.standard[index] = Some(address);
        self.by_address.insert(address, StreamId(index));
        Ok(address)
    }

    /// The stream that a `FILE *` stands for.
    pub fn find(&self, address: Address) -> Result<StreamId, Stop> {
        if address.is_null() {
            return fault(Rule::NullDereference, "a null pointer is used as a stream");
        }
        match self.by_address.get(&address) {
            Some(&id) if self.streams[id.0].open => Ok(id),
            Some(_) => fault(Rule::UseAfterFree, "the stream was closed before"),
            None => bad_argument("the pointer is not one that `fopen` returned"),
        }
    }

    /// Hands over what was written to `stdout` and `stderr`.
    pub fn take_output(&mut self) -> (Vec<u8>, Vec<u8>) {
        self.flush_stdout();
        (std::mem::take(&mut self.stdout), std::mem::take(&mut self.stderr))
    }

    pub fn discard_pending(&mut self) {
        self.pending.clear();
    }

    pub fn flush_stdout(&mut self) {
        self.stdout.append(&mut self.pending);
    }

    pub fn set_buffering(&mut self, id: StreamId, buffering: Buffering) {
        if self.streams[id.0].backing == Backing::Stdout {
            self.buffering = buffering;
            if buffering == Buffering::None {
                self.flush_stdout();
            }
        }
    }

    fn count(&mut self, bytes: usize) -> Result<(), Stop> {
        self.written += bytes as u64;
        if self.written > self.limit { Err(Stop::Limit(Limit::Output)) } else { Ok(()) }
    }

    pub fn write_stderr(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.count(bytes.len())?;
        self.stderr.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes past the buffer, as `write(1, …)` does.
    pub fn write_stdout_now(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.count(bytes.len())?;
        self.stdout.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes to a stream; an error number if it is not open for that.
    pub fn write(&mut self, id: StreamId, bytes: &[u8]) -> Result<Tried<()>, Stop> {
        let stream = &mut self.streams[id.0];
        if !stream.writable {
            stream.error = true;
            return Ok(Err(EBADF));
        }
        if stream.last == Last::Read && !stream.eof {
            return bad_argument("output follows input on the stream without a call of `fseek` or `rewind` between");
        }
        stream.last = Last::Write;
        self.count(bytes.len())?;
        let stream = &mut self.streams[id.0];
        match stream.backing {
            Backing::Stderr => self.stderr.extend_from_slice(bytes),
            Backing::Stdout => {
                self.pending.extend_from_slice(bytes);
                match self.buffering {
                    Buffering::None => self.flush_stdout(),
                    Buffering::Line if bytes.contains(&b'\n') => {
                        let end = self.pending.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
                        self.stdout.extend(self.pending.drain(..end));
                    }
                    _ => {
                        while self.pending.len() > BUFFER {
                            self.stdout.extend(self.pending.drain(..BUFFER));
                        }
                    }
                }
            }
            Backing::File(file) => {
                let contents = &mut self.files[file.0];
                if stream.append {
                    stream.position = contents.len();
                }
                let end = stream.position + bytes.len();
                if contents.len() < end {
                    contents.resize(end, 0);
                }
                contents[stream.position..end].copy_from_slice(bytes);
                stream.position = end;
            }
        }
        Ok(Ok(()))
    }

    /// The next byte; `None` at the end, which is remembered.
    pub fn read(&mut self, id: StreamId) -> Result<Tried<Option<u8>>, Stop> {
        let stream = &mut self.streams[id.0];
        if !stream.readable {
            stream.error = true;
            return Ok(Err(EBADF));
        }
        if stream.last == Last::Write {
            return bad_argument("input follows output on the stream without a call of `fflush` or `fseek` between");
        }
        stream.last = Last::Read;
        if let Some(byte) = stream.pushed.pop() {
            return Ok(Ok(Some(byte)));
        }
        let Backing::File(file) = stream.backing else {
            return Ok(Err(EBADF));
        };
        if file == STDIN_FILE && self.raw_input {
            return Err(Stop::unsupported("`stdin` together with `read(0, …)`"));
        }
        // A stream at its end stays there, even if the file grows, until the mark is cleared.
        let byte = if stream.eof { None } else { self.files[file.0].get(stream.position).copied() };
        match byte {
            Some(_) => stream.position += 1,
            None => stream.eof = true,
        }
        Ok(Ok(byte))
    }

    /// The bytes that `read(0, …)` gives.
    pub fn read_raw(&mut self, most: usize) -> Result<Vec<u8>, Stop> {
        let stream = &mut self.streams[0];
        if stream.last == Last::Read && !self.raw_input {
            return Err(Stop::unsupported("`read(0, …)` together with `stdin`"));
        }
        self.raw_input = true;
        let rest = &self.files[STDIN_FILE.0][stream.position..];
        let bytes = rest[..most.min(rest.len())].to_vec();
        stream.position += bytes.len();
        Ok(bytes)
    }

    pub fn unread(&mut self, id: StreamId, byte: u8) {
        let stream = &mut self.streams[id.0];
        stream.eof = false;
        stream.pushed.push(byte);
    }

    pub fn is_readable(&self, id: StreamId) -> bool {
        self.streams[id.0].readable
    }

    pub fn flush(&mut self, id: StreamId) {
        let stream = &mut self.streams[id.0];
        if stream.last == Last::Write {
            stream.last = Last::Nothing;
        }
        if stream.backing == Backing::Stdout {
            self.flush_stdout();
        }
    }

    pub fn flush_all(&mut self) {
        (0..self.streams.len()).for_each(|index| self.flush(StreamId(index)));
    }

    pub fn at_end(&self, id: StreamId) -> bool {
        self.streams[id.0].eof
    }

    pub fn has_error(&self, id: StreamId) -> bool {
        self.streams[id.0].error
    }

    pub fn clear(&mut self, id: StreamId) {
        self.streams[id.0].eof = false;
        self.streams[id.0].error = false;
    }

    pub fn descriptor(&self, id: StreamId) -> i32 {
        self.streams[id.0].descriptor
    }

    pub fn tell(&self, id: StreamId) -> Tried<i64> {
        let stream = &self.streams[id.0];
        match stream.backing {
            Backing::File(file) if file != STDIN_FILE => {
                // Before anything is written, a stream that appends is at 0, as glibc says.
                Ok(stream.position as i64 - stream.pushed.len() as i64)
            }
            _ => Err(ESPIPE),
        }
    }

    pub fn seek(&mut self, id: StreamId, offset: i64, whence: i32) -> Tried<()> {
        let here = self.tell(id)?;
        let stream = &mut self.streams[id.0];
        let Backing::File(file) = stream.backing else { return Err(ESPIPE) };
        let base = match whence {
            0 => 0,
            1 => here,
            2 => self.files[file.0].len() as i64,
            _ => return Err(EINVAL),
        };
        let target = base.checked_add(offset).filter(|&target| target >= 0).ok_or(EINVAL)?;
        stream.position = target as usize;
        stream.pushed.clear();
        stream.eof = false;
        stream.last = Last::Nothing;
        Ok(())
    }

    fn next_descriptor(&self) -> i32 {
        let used = |n: &i32| self.streams.iter().any(|stream| stream.open && stream.descriptor == *n);
        (0..).find(|n| !used(n)).unwrap_or(-1)
    }

    fn open_file(&mut self, path: &[u8], mode: Mode) -> Result<Tried<FileId>, Stop> {
        let name = match file_name(path)? {
            Ok(name) => name,
            Err(code) => return Ok(Err(code)),
        };
        let known = self.names.get(&name).copied();
        let file = match known {
            Some(_) if mode.exclusive => return Ok(Err(EEXIST)),
            Some(file) => file,
            None if !mode.truncate => {
                refuse_host_file(path)?;
                if !mode.create {
                    return Ok(Err(ENOENT));
                }
                self.new_file(name)
            }
            None if mode.create => self.new_file(name),
            None => return Ok(Err(ENOENT)),
        };
        if mode.truncate {
            self.files[file.0].clear();
        }
        Ok(Ok(file))
    }

    fn new_file(&mut self, name: Vec<u8>) -> FileId {
        self.files.push(Vec::new());
        let file = FileId(self.files.len() - 1);
        self.names.insert(name, file);
        file
    }

    fn add(&mut self, memory: &mut Memory<'_>, file: FileId, mode: Mode) -> Result<Address, Stop> {
        let stream = Stream::new(Backing::File(file), self.next_descriptor(), mode);
        let address = memory.allocate_library(FILE_BYTES, "a stream")?;
        self.streams.push(stream);
        self.by_address.insert(address, StreamId(self.streams.len() - 1));
        Ok(address)
    }

    /// `fopen`.
    pub fn open(&mut self, memory: &mut Memory<'_>, path: &[u8], mode: &[u8]) -> Result<Tried<Address>, Stop> {
        let Some(mode) = parse_mode(mode) else { return Ok(Err(EINVAL)) };
        match self.open_file(path, mode)? {
            Ok(file) => Ok(Ok(self.add(memory, file, mode)?)),
            Err(code) => Ok(Err(code)),
        }
    }

    /// `freopen`: the same `FILE` with another file behind it.
    pub fn reopen(&mut self, id: StreamId, path: &[u8], mode: &[u8]) -> Result<Tried<()>, Stop> {
        self.flush(id);
        let Some(mode) = parse_mode(mode) else { return Ok(Err(EINVAL)) };
        let opened = self.open_file(path, mode)?;
        let descriptor = self.streams[id.0].descriptor;
        match opened {
            Ok(file) => {
                self.streams[id.0] = Stream::new(Backing::File(file), descriptor, mode);
                Ok(Ok(()))
            }
            Err(code) => {
                self.streams[id.0].open = false;
                Ok(Err(code))
            }
        }
    }

    /// `tmpfile`: a file without a name.
    pub fn temporary(&mut self, memory: &mut Memory<'_>) -> Result<Address, Stop> {
        let mode = parse_mode(b"w+").expect("the mode `w+` should be known");
        self.files.push(Vec::new());
        self.add(memory, FileId(self.files.len() - 1), mode)
    }

    /// A file without a name that holds these bytes, to be read from its start; it may be written to as well.
    pub fn reading(&mut self, memory: &mut Memory<'_>, bytes: &[u8]) -> Result<Address, Stop> {
        let mode = parse_mode(b"r+").expect("the mode `r+` should be known");
        self.files.push(bytes.to_vec());
        self.add(memory, FileId(self.files.len() - 1), mode)
    }

    pub fn close(&mut self, id: StreamId) {
        self.flush(id);
        self.streams[id.0].open = false;
    }

    pub fn remove(&mut self, path: &[u8]) -> Result<Tried<()>, Stop> {
        Ok(match file_name(path)? {
            Ok(name) => match self.names.remove(&name) {
                Some(_) => Ok(()),
                None => {
                    refuse_host_file(path)?;
                    Err(ENOENT)
                }
            },
            Err(code) => Err(code),
        })
    }

    pub fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<Tried<()>, Stop> {
        let path = from;
        let (from, to) = match (file_name(from)?, file_name(to)?) {
            (Ok(from), Ok(to)) => (from, to),
            (Err(code), _) | (_, Err(code)) => return Ok(Err(code)),
        };
        match self.names.remove(&from) {
            Some(file) => {
                self.names.insert(to, file);
                Ok(Ok(()))
            }
            None => {
                refuse_host_file(path)?;
                Ok(Err(ENOENT))
            }
        }
    }

    pub fn exists(&self, path: &[u8]) -> Result<bool, Stop> {
        let known = file_name(path)?.is_ok_and(|name| self.names.contains_key(&name));
        if !known {
            refuse_host_file(path)?;
        }
        Ok(known)
    }
}

/// The name of a file in the run's folder. There are no other folders, and the rest of the machine is out of reach.
fn file_name(path: &[u8]) -> Result<Tried<Vec<u8>>, Stop> {
    let parts: Vec<&[u8]> = path.split(|&b| b == b'/').filter(|part| !part.is_empty() && *part != b".").collect();
    if path.starts_with(b"/") || parts.contains(&b"..".as_slice()) {
        let shown = String::from_utf8_lossy(path);
        return Err(Stop::unsupported(format!("the file `{shown}`, outside the run's own folder")));
    }
    Ok(match parts.as_slice() {
        [name] if !path.ends_with(b"/") => Ok(name.to_vec()),
        _ => {
            refuse_host_file(path)?;
            Err(ENOENT)
        }
    })
}

/// A file that the program finds when it is run by hand, and that the VM does not have: saying that there is none would be
/// wrong.
fn refuse_host_file(path: &[u8]) -> Result<(), Stop> {
    match std::path::Path::new(std::ffi::OsStr::from_bytes(path)).symlink_metadata() {
        Ok(_) => {
            let shown = String::from_utf8_lossy(path);
            Err(Stop::unsupported(format!("the file `{shown}` of the real file system")))
        }
        Err(_) => Ok(()),
    }
}

fn parse_mode(text: &[u8]) -> Option<Mode> {
    let (&first, rest) = text.split_first()?;
    let plus = rest.contains(&b'+');
    Some(Mode {
        readable: first == b'r' || plus,
        writable: first != b'r' || plus,
        append: first == b'a',
        create: first != b'r',
        truncate: first == b'w',
        exclusive: rest.contains(&b'x'),
    })
    .filter(|_| matches!(first, b'r' | b'w' | b'a'))
}
