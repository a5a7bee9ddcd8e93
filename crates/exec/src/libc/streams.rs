//! Streams and the files behind them, all in memory.
//!
//! A run starts with an empty folder, as a native run does, and files it makes vanish with it; files in folders of the host
//! that it was given ([`super::host`]) are read whole when they are opened and written back when they are closed or
//! flushed, and when the run ends. Any other name that the real folder has is refused rather than called absent. `stdout` keeps what
//! was written until it is flushed, as it does natively when it is not a terminal: the difference shows when the
//! program also uses `write`, or leaves by `_exit`.

use super::errno::{EBADF, EINVAL, ENOENT};
use super::host::{Host, Located, error_number};
use super::names::{TEMPORARY, device, file_name, is_outside, refuse_host_file};
use super::{bad_argument, fault};
use crate::memory::{Address, Memory, OutOfMemory};
use crate::outcome::Limit;
use crate::vm::Stop;
use diagnostics::{Rule, Span};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

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
    /// Where it was opened.
    opened: Span,
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
    /// Where the program stands.
    here: Span,
    host: Host,
    /// The files of the host that are or were open.
    hosted: BTreeMap<PathBuf, FileId>,
    /// Those whose contents here are newer than there.
    unsaved: BTreeMap<usize, PathBuf>,
    /// Where each file of the host belongs that may be written.
    homes: BTreeMap<usize, PathBuf>,
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
            opened: Span::NONE,
        }
    }
}

impl Streams {
    pub fn new(stdin: Vec<u8>, limit: u64, host: Host) -> Streams {
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
            here: Span::NONE,
            host,
            hosted: BTreeMap::new(),
            unsaved: BTreeMap::new(),
            homes: BTreeMap::new(),
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
        self.save_all();
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

    /// Writes past any buffer, as `write` does; an error number if the stream is not open for that.
    pub fn write_now(&mut self, id: StreamId, bytes: &[u8]) -> Result<Tried<()>, Stop> {
        match self.streams[id.0].backing {
            Backing::Stdout => self.write_stdout_now(bytes).map(Ok),
            Backing::Stderr => self.write_stderr(bytes).map(Ok),
            Backing::File(_) => self.write(id, bytes),
        }
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
                if let Some(home) = self.homes.get(&file.0) {
                    self.unsaved.entry(file.0).or_insert_with(|| home.clone());
                }
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

    /// Whether a stream may be read, and whether it may be written.
    pub fn directions(&self, id: StreamId) -> (bool, bool) {
        (self.streams[id.0].readable, self.streams[id.0].writable)
    }

    /// Whether a stream takes output now, because it does nothing else or did so last.
    pub fn is_writing(&self, id: StreamId) -> bool {
        let stream = &self.streams[id.0];
        stream.writable && (!stream.readable || stream.last == Last::Write)
    }

    /// Bytes that were written and not handed on.
    pub fn waiting(&self, id: StreamId) -> usize {
        if self.streams[id.0].backing == Backing::Stdout { self.pending.len() } else { 0 }
    }

    pub fn is_readable(&self, id: StreamId) -> bool {
        self.streams[id.0].readable
    }

    pub fn flush(&mut self, id: StreamId) {
        let stream = &mut self.streams[id.0];
        if stream.last == Last::Write {
            stream.last = Last::Nothing;
        }
        match stream.backing {
            Backing::Stdout => self.flush_stdout(),
            Backing::File(file) => self.save(file),
            Backing::Stderr => {}
        }
    }

    /// Writes a file back to the host. What cannot be written is said by the next that opens it.
    fn save(&mut self, file: FileId) {
        if let Some(path) = self.unsaved.remove(&file.0) {
            let _ = std::fs::write(path, &self.files[file.0]);
        }
    }

    fn save_all(&mut self) {
        let files: Vec<usize> = self.unsaved.keys().copied().collect();
        files.into_iter().for_each(|file| self.save(FileId(file)));
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

    /// Opens a file of the host.
    fn open_hosted(&mut self, found: Located, mode: Mode) -> Tried<FileId> {
        let metadata = found.path.metadata();
        let exists = metadata.is_ok();
        if metadata.is_ok_and(|metadata| metadata.is_dir()) {
            return Err(libc::EISDIR);
        }
        match exists {
            true if mode.exclusive => return Err(EEXIST),
            false if !mode.create => return Err(ENOENT),
            _ if mode.writable && found.read_only => return Err(libc::EROFS),
            _ => {}
        }
        let file = match self.hosted.get(&found.path) {
            Some(&known) => {
                self.save(known);
                known
            }
            None => {
                self.files.push(Vec::new());
                let file = FileId(self.files.len() - 1);
                self.hosted.insert(found.path.clone(), file);
                file
            }
        };
        if mode.truncate || !exists {
            std::fs::write(&found.path, b"").map_err(|error| error_number(&error))?;
            self.files[file.0].clear();
        } else {
            self.files[file.0] = std::fs::read(&found.path).map_err(|error| error_number(&error))?;
        }
        if mode.writable {
            self.homes.insert(file.0, found.path);
        }
        Ok(file)
    }

    fn open_file(&mut self, path: &[u8], mode: Mode) -> Result<Tried<FileId>, Stop> {
        if let Some(found) = self.host.locate(path) {
            return Ok(self.open_hosted(found, mode));
        }
        if let Some(contents) = device(path) {
            self.files.push(contents);
            return Ok(Ok(FileId(self.files.len() - 1)));
        }
        if !mode.create && is_outside(path) {
            refuse_host_file(path)?;
            return Ok(Err(ENOENT));
        }
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
        let mut stream = Stream::new(Backing::File(file), self.next_descriptor(), mode);
        stream.opened = self.here;
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

    /// `open`: a descriptor.
    pub fn open_descriptor(&mut self, path: &[u8], flags: i32) -> Result<Tried<i32>, Stop> {
        let access = flags & libc::O_ACCMODE;
        let mode = Mode {
            readable: access != libc::O_WRONLY,
            writable: access != libc::O_RDONLY,
            append: flags & libc::O_APPEND != 0,
            create: flags & libc::O_CREAT != 0,
            truncate: flags & libc::O_TRUNC != 0 && access != libc::O_RDONLY,
            exclusive: flags & libc::O_EXCL != 0 && flags & libc::O_CREAT != 0,
        };
        Ok(match self.open_file(path, mode)? {
            Ok(file) => {
                let descriptor = self.next_descriptor();
                let mut stream = Stream::new(Backing::File(file), descriptor, mode);
                stream.opened = self.here;
                self.streams.push(stream);
                Ok(descriptor)
            }
            Err(code) => Err(code),
        })
    }

    /// `dup` and `dup2`: another descriptor, the first that is free or the one that is wanted.
    pub fn duplicate(&mut self, id: StreamId, wanted: Option<i32>) -> Result<i32, Stop> {
        let Stream { backing, readable, writable, append, descriptor, .. } = self.streams[id.0];
        if matches!(backing, Backing::File(_)) {
            return Err(Stop::unsupported("two descriptors that share the place in a file"));
        }
        if wanted == Some(descriptor) {
            return Ok(descriptor);
        }
        if let Some(before) = wanted.and_then(|wanted| self.of_descriptor(wanted)) {
            self.close(before);
        }
        let descriptor = wanted.unwrap_or_else(|| self.next_descriptor());
        let mode = Mode { readable, writable, append, create: false, truncate: false, exclusive: false };
        self.streams.push(Stream::new(backing, descriptor, mode));
        Ok(descriptor)
    }

    /// `ftruncate`: the file behind a stream gets another size.
    pub fn resize(&mut self, id: StreamId, size: usize) -> Result<Tried<()>, Stop> {
        let stream = &self.streams[id.0];
        let Backing::File(file) = stream.backing else { return Ok(Err(EINVAL)) };
        if !stream.writable {
            return Ok(Err(EINVAL));
        }
        self.count(size.saturating_sub(self.files[file.0].len()))?;
        self.files[file.0].resize(size, 0);
        if let Some(home) = self.homes.get(&file.0) {
            self.unsaved.entry(file.0).or_insert_with(|| home.clone());
        }
        Ok(Ok(()))
    }

    /// All that the file of a stream holds.
    pub fn contents(&self, id: StreamId) -> Option<&[u8]> {
        match self.streams[id.0].backing {
            Backing::File(file) => Some(&self.files[file.0]),
            _ => None,
        }
    }

    /// A name that no file of the run has, in place of the six `X` that a template ends with.
    pub fn unused_name(&self, template: &[u8]) -> Option<Vec<u8>> {
        let stem = template.strip_suffix(b"XXXXXX")?;
        let names = (0..1_000_000u32).map(|number| [stem, format!("{number:06}").as_bytes()].concat());
        let taken = |name: &Vec<u8>| {
            self.names.contains_key(name.as_slice())
                || std::path::Path::new(std::ffi::OsStr::from_bytes(name)).symlink_metadata().is_ok()
        };
        names.into_iter().find(|name| !taken(name))
    }

    /// The stream that a descriptor stands for.
    pub fn of_descriptor(&self, descriptor: i32) -> Option<StreamId> {
        self.streams.iter().position(|stream| stream.open && stream.descriptor == descriptor).map(StreamId)
    }

    /// `fdopen`: a `FILE` for a descriptor.
    pub fn file_of_descriptor(&mut self, memory: &mut Memory<'_>, id: StreamId) -> Result<Address, Stop> {
        let known = self.by_address.iter().find(|(_, known)| **known == id).map(|(address, _)| *address);
        if let Some(known) = known {
            return Ok(known);
        }
        let address = memory.allocate_library(FILE_BYTES, "a stream")?;
        self.by_address.insert(address, id);
        Ok(address)
    }

    /// `read` on a descriptor: up to `most` bytes.
    pub fn read_bytes(&mut self, id: StreamId, most: usize) -> Tried<Vec<u8>> {
        let stream = &mut self.streams[id.0];
        let Backing::File(file) = stream.backing else { return Err(EBADF) };
        if !stream.readable {
            return Err(EBADF);
        }
        let contents = &self.files[file.0];
        let start = stream.position.min(contents.len());
        let bytes = contents[start..][..most.min(contents.len() - start)].to_vec();
        stream.position = start + bytes.len();
        Ok(bytes)
    }

    /// The size of what a stream is open on; `None` for a stream that is no file.
    pub fn size(&self, id: StreamId) -> Option<u64> {
        match self.streams[id.0].backing {
            Backing::File(file) if file != STDIN_FILE => Some(self.files[file.0].len() as u64),
            _ => None,
        }
    }

    /// The size of a file of the run by its name; `None` if there is none.
    pub fn named_size(&self, path: &[u8]) -> Result<Option<u64>, Stop> {
        if is_outside(path) {
            refuse_host_file(path)?;
            return Ok(None);
        }
        let known = file_name(path)?.ok().and_then(|name| self.names.get(&name)).copied();
        if known.is_none() {
            refuse_host_file(path)?;
        }
        Ok(known.map(|file| self.files[file.0].len() as u64))
    }

    pub fn locate(&self, path: &[u8]) -> Option<Located> {
        self.host.locate(path)
    }

    /// Writes everything back, so that the host can be asked about its files.
    pub fn settle(&mut self) {
        self.save_all();
    }

    /// The streams and descriptors that were opened and are open still, with the place.
    pub fn left_open(&self) -> impl Iterator<Item = (String, Span)> {
        let open = self.streams.iter().enumerate().skip(3).filter(|(_, stream)| stream.open);
        open.map(|(index, stream)| {
            let is_stream = self.by_address.values().any(|id| id.0 == index);
            let what = if is_stream { "a stream".to_string() } else { format!("the descriptor {}", stream.descriptor) };
            (what, stream.opened)
        })
    }

    /// Where the program stands when it opens the next stream.
    pub fn opening_at(&mut self, span: Span) {
        self.here = span;
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
        if let Some(found) = self.host.locate(path) {
            if found.read_only {
                return Ok(Err(libc::EROFS));
            }
            self.hosted.remove(&found.path);
            let is_folder = found.path.is_dir();
            let removed = if is_folder { std::fs::remove_dir(&found.path) } else { std::fs::remove_file(&found.path) };
            return Ok(removed.map_err(|error| error_number(&error)));
        }
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
        match (self.host.locate(from), self.host.locate(to)) {
            (None, None) => {}
            (Some(from), Some(to)) => {
                if from.read_only || to.read_only {
                    return Ok(Err(libc::EROFS));
                }
                self.save_all();
                self.hosted.remove(&from.path);
                self.hosted.remove(&to.path);
                return Ok(std::fs::rename(&from.path, &to.path).map_err(|error| error_number(&error)));
            }
            _ => return Ok(Err(libc::EXDEV)),
        }
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
        if let Some(found) = self.host.locate(path) {
            return Ok(found.path.exists());
        }
        if path.strip_suffix(b"/").unwrap_or(path) == TEMPORARY.strip_suffix(b"/").unwrap_or(TEMPORARY) {
            return Ok(true);
        }
        if is_outside(path) {
            refuse_host_file(path)?;
            return Ok(false);
        }
        let known = file_name(path)?.is_ok_and(|name| self.names.contains_key(&name));
        if !known {
            refuse_host_file(path)?;
        }
        Ok(known)
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
