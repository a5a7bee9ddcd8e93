//! stdio.h: files, characters, lines and blocks.

use super::errno;
use super::streams::{Buffering, StreamId, Streams, Tried};
use super::{Answer, Entry, Library, bad_argument, int, library, null, string_argument};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("FILE *fopen(const char *, const char *)", fopen),
    ("FILE *freopen(const char *, const char *, FILE *)", freopen),
    ("FILE *tmpfile(void)", tmpfile),
    ("char *tmpnam(char *)", tmpnam),
    ("int fclose(FILE *)", fclose),
    ("int fflush(FILE *)", fflush),
    ("int setvbuf(FILE *, char *, int, size_t)", setvbuf),
    ("void setbuf(FILE *, char *)", setbuf),
    ("void setlinebuf(FILE *)", setlinebuf),
    ("int fgetc(FILE *)", |call| getc(call, 0)),
    ("int getc(FILE *)", |call| getc(call, 0)),
    ("int getchar(void)", |call| get(call, Streams::STDIN)),
    ("int ungetc(int, FILE *)", ungetc),
    ("char *fgets(char *, int, FILE *)", fgets),
    ("char *gets(char *)", gets),
    ("int fputc(int, FILE *)", |call| putc(call, 1)),
    ("int putc(int, FILE *)", |call| putc(call, 1)),
    ("int putchar(int)", |call| {
        let byte = call.i32(0)? as u8;
        put_byte(call, Streams::STDOUT, byte)
    }),
    ("int fputs(const char *, FILE *)", fputs),
    ("int puts(const char *)", puts),
    ("size_t fread(void *, size_t, size_t, FILE *)", fread),
    ("size_t fwrite(const void *, size_t, size_t, FILE *)", fwrite),
    ("int fseek(FILE *, long, int)", fseek),
    ("int fseeko(FILE *, off_t, int)", fseek),
    ("long ftell(FILE *)", ftell),
    ("off_t ftello(FILE *)", ftell),
    ("void rewind(FILE *)", rewind),
    ("int fgetpos(FILE *, void *)", fgetpos),
    ("int fsetpos(FILE *, const void *)", fsetpos),
    ("int feof(FILE *)", |call| {
        let id = stream(call, 0)?;
        int(library(call).streams.at_end(id).into())
    }),
    ("int ferror(FILE *)", |call| {
        let id = stream(call, 0)?;
        int(library(call).streams.has_error(id).into())
    }),
    ("void clearerr(FILE *)", |call| {
        let id = stream(call, 0)?;
        library(call).streams.clear(id);
        Ok(Value::NONE)
    }),
    ("int fileno(FILE *)", |call| {
        let id = stream(call, 0)?;
        int(library(call).streams.descriptor(id))
    }),
    ("size_t __fpending(FILE *)", |call| {
        let id = stream(call, 0)?;
        Ok(Value::unsigned(library(call).streams.waiting(id) as u64))
    }),
    ("int __fwriting(FILE *)", |call| {
        let id = stream(call, 0)?;
        int(library(call).streams.is_writing(id).into())
    }),
    ("int __freading(FILE *)", |call| {
        let id = stream(call, 0)?;
        let (readable, _) = library(call).streams.directions(id);
        int((readable && !library(call).streams.is_writing(id)).into())
    }),
    ("int remove(const char *)", remove),
    ("int unlink(const char *)", remove),
    ("int rename(const char *, const char *)", rename),
    ("void perror(const char *)", perror),
    ("ssize_t getline(char **, size_t *, FILE *)", |call| read_line(call, b'\n', 2)),
    ("ssize_t getdelim(char **, size_t *, int, FILE *)", |call| {
        let end = call.i32(2)? as u8;
        read_line(call, end, 3)
    }),
    ("void flockfile(FILE *)", |_| Ok(Value::NONE)),
    ("void funlockfile(FILE *)", |_| Ok(Value::NONE)),
];

const EOF: i32 = -1;

/// The stream an argument stands for.
pub(super) fn stream(call: &mut Call<'_, '_>, index: usize) -> Result<StreamId, Stop> {
    let address = call.pointer(index)?;
    library(call).streams.find(address)
}

/// The value, or `otherwise` with `errno` set.
fn tried<T>(call: &mut Call<'_, '_>, result: Tried<T>, otherwise: T) -> Result<T, Stop> {
    match result {
        Ok(value) => Ok(value),
        Err(code) => {
            errno::set(call, code)?;
            Ok(otherwise)
        }
    }
}

/// Writes bytes; false, with `errno` set, if the stream does not take them.
pub(super) fn put(call: &mut Call<'_, '_>, id: StreamId, bytes: &[u8]) -> Result<bool, Stop> {
    let result = library(call).streams.write(id, bytes)?.map(|()| true);
    tried(call, result, false)
}

fn next(call: &mut Call<'_, '_>, id: StreamId) -> Result<Option<u8>, Stop> {
    let result = library(call).streams.read(id)?;
    tried(call, result, None)
}

fn fopen(call: &mut Call<'_, '_>) -> Answer {
    let (path, mode, span) = (string_argument(call, 0)?, string_argument(call, 1)?, call.span);
    let (memory, library) = call.memory_and_library::<Library>();
    library.streams.opening_at(span);
    let result = library.streams.open(memory, &path, &mode)?;
    Ok(Value::pointer(tried(call, result, Address::NULL)?))
}

fn freopen(call: &mut Call<'_, '_>) -> Answer {
    if call.pointer(0)?.is_null() {
        return Err(Stop::unsupported("`freopen` without a name"));
    }
    let (path, mode, file) = (string_argument(call, 0)?, string_argument(call, 1)?, call.pointer(2)?);
    let id = stream(call, 2)?;
    let result = library(call).streams.reopen(id, &path, &mode)?.map(|()| file);
    Ok(Value::pointer(tried(call, result, Address::NULL)?))
}

fn tmpfile(call: &mut Call<'_, '_>) -> Answer {
    let span = call.span;
    library(call).streams.opening_at(span);
    let (memory, library) = call.memory_and_library::<Library>();
    Ok(Value::pointer(library.streams.temporary(memory)?))
}

/// A name that no file of the run has.
fn tmpnam(call: &mut Call<'_, '_>) -> Answer {
    let to = call.pointer(0)?;
    library(call).names_made += 1;
    let name = format!("tmp{:06}\0", library(call).names_made).into_bytes();
    if to.is_null() {
        return Ok(Value::pointer(super::library_string(call, &name[..name.len() - 1])?));
    }
    call.memory().write(to, &name)?;
    Ok(Value::pointer(to))
}

fn fclose(call: &mut Call<'_, '_>) -> Answer {
    let id = stream(call, 0)?;
    library(call).streams.close(id);
    int(0)
}

fn fflush(call: &mut Call<'_, '_>) -> Answer {
    if call.pointer(0)?.is_null() {
        library(call).streams.flush_all();
    } else {
        let id = stream(call, 0)?;
        library(call).streams.flush(id);
    }
    int(0)
}

fn setvbuf(call: &mut Call<'_, '_>) -> Answer {
    let (id, mode) = (stream(call, 0)?, call.i32(2)?);
    let buffering = match mode {
        0 => Buffering::Full,
        1 => Buffering::Line,
        2 => Buffering::None,
        _ => return int(-1),
    };
    library(call).streams.set_buffering(id, buffering);
    int(0)
}

fn setbuf(call: &mut Call<'_, '_>) -> Answer {
    let (id, buffer) = (stream(call, 0)?, call.pointer(1)?);
    let buffering = if buffer.is_null() { Buffering::None } else { Buffering::Full };
    library(call).streams.set_buffering(id, buffering);
    Ok(Value::NONE)
}

fn setlinebuf(call: &mut Call<'_, '_>) -> Answer {
    let id = stream(call, 0)?;
    library(call).streams.set_buffering(id, Buffering::Line);
    Ok(Value::NONE)
}

fn get(call: &mut Call<'_, '_>, id: StreamId) -> Answer {
    int(next(call, id)?.map_or(EOF, i32::from))
}

fn getc(call: &mut Call<'_, '_>, index: usize) -> Answer {
    let id = stream(call, index)?;
    get(call, id)
}

fn ungetc(call: &mut Call<'_, '_>) -> Answer {
    let (c, id) = (call.i32(0)?, stream(call, 1)?);
    if c == EOF || !library(call).streams.is_readable(id) {
        return int(EOF);
    }
    library(call).streams.unread(id, c as u8);
    int(i32::from(c as u8))
}

fn fgets(call: &mut Call<'_, '_>) -> Answer {
    let (size, id) = (call.i32(1)?, stream(call, 2)?);
    get_line(call, size, id)
}

pub(super) fn fgets_chk(call: &mut Call<'_, '_>) -> Answer {
    let (size, id) = (call.i32(2)?, stream(call, 3)?);
    get_line(call, size, id)
}

fn get_line(call: &mut Call<'_, '_>, size: i32, id: StreamId) -> Answer {
    let buffer = call.pointer(0)?;
    if size <= 0 {
        return null();
    }
    let mut line = Vec::new();
    while line.len() + 1 < size as usize {
        let Some(byte) = next(call, id)? else { break };
        line.push(byte);
        if byte == b'\n' {
            break;
        }
    }
    if line.is_empty() && size > 1 {
        return null();
    }
    call.memory().write_c_string(buffer, &line)?;
    Ok(Value::pointer(buffer))
}

fn gets(call: &mut Call<'_, '_>) -> Answer {
    let buffer = call.pointer(0)?;
    let mut line = Vec::new();
    let mut ended = false;
    while let Some(byte) = next(call, Streams::STDIN)? {
        if byte == b'\n' {
            ended = true;
            break;
        }
        line.push(byte);
    }
    if line.is_empty() && !ended {
        return null();
    }
    call.memory().write_c_string(buffer, &line)?;
    Ok(Value::pointer(buffer))
}

fn put_byte(call: &mut Call<'_, '_>, id: StreamId, byte: u8) -> Answer {
    let done = put(call, id, &[byte])?;
    int(if done { i32::from(byte) } else { EOF })
}

fn putc(call: &mut Call<'_, '_>, index: usize) -> Answer {
    let (byte, id) = (call.i32(0)? as u8, stream(call, index)?);
    put_byte(call, id, byte)
}

/// glibc gives 1.
fn fputs(call: &mut Call<'_, '_>) -> Answer {
    let (text, id) = (string_argument(call, 0)?, stream(call, 1)?);
    let done = put(call, id, &text)?;
    int(if done { 1 } else { EOF })
}

/// glibc gives the number of bytes written.
fn puts(call: &mut Call<'_, '_>) -> Answer {
    let mut text = string_argument(call, 0)?;
    text.push(b'\n');
    let done = put(call, Streams::STDOUT, &text)?;
    int(if done { text.len() as i32 } else { EOF })
}

/// The number of bytes of a block, given as a size and a count.
fn block(call: &Call<'_, '_>, first: usize) -> Result<(u64, u64), Stop> {
    let (size, count) = (call.u64(first)?, call.u64(first + 1)?);
    match size.checked_mul(count) {
        Some(bytes) => Ok((size, bytes)),
        None => bad_argument(format!("{count} items of {size} bytes are more than there can be")),
    }
}

fn fread(call: &mut Call<'_, '_>) -> Answer {
    let (id, (size, bytes)) = (stream(call, 3)?, block(call, 1)?);
    get_block(call, id, size, bytes)
}

pub(super) fn fread_chk(call: &mut Call<'_, '_>) -> Answer {
    let (id, (size, bytes)) = (stream(call, 4)?, block(call, 2)?);
    get_block(call, id, size, bytes)
}

fn get_block(call: &mut Call<'_, '_>, id: StreamId, size: u64, bytes: u64) -> Answer {
    let to = call.pointer(0)?;
    if bytes == 0 {
        return Ok(Value::unsigned(0));
    }
    let mut read = Vec::new();
    while (read.len() as u64) < bytes {
        let Some(byte) = next(call, id)? else { break };
        read.push(byte);
    }
    call.memory().write(to, &read)?;
    Ok(Value::unsigned(read.len() as u64 / size))
}

fn fwrite(call: &mut Call<'_, '_>) -> Answer {
    let (from, id, (size, bytes)) = (call.pointer(0)?, stream(call, 3)?, block(call, 1)?);
    if bytes == 0 {
        return Ok(Value::unsigned(0));
    }
    let data = call.memory().read(from, bytes)?.to_vec();
    let done = put(call, id, &data)?;
    Ok(Value::unsigned(if done { bytes / size } else { 0 }))
}

fn fseek(call: &mut Call<'_, '_>) -> Answer {
    let (id, offset, whence) = (stream(call, 0)?, call.i64(1)?, call.i32(2)?);
    let result = library(call).streams.seek(id, offset, whence).map(|()| 0);
    int(tried(call, result, -1)?)
}

fn ftell(call: &mut Call<'_, '_>) -> Answer {
    let id = stream(call, 0)?;
    let result = library(call).streams.tell(id);
    Ok(Value::signed(tried(call, result, -1)?))
}

fn rewind(call: &mut Call<'_, '_>) -> Answer {
    let id = stream(call, 0)?;
    // A failure is not reported, and the marks are cleared all the same.
    let result = library(call).streams.seek(id, 0, 0);
    tried(call, result, ())?;
    library(call).streams.clear(id);
    Ok(Value::NONE)
}

fn fgetpos(call: &mut Call<'_, '_>) -> Answer {
    let (id, place) = (stream(call, 0)?, call.pointer(1)?);
    match library(call).streams.tell(id) {
        Ok(position) => {
            call.memory().store_i64(place, position)?;
            int(0)
        }
        Err(code) => {
            errno::set(call, code)?;
            int(-1)
        }
    }
}

fn fsetpos(call: &mut Call<'_, '_>) -> Answer {
    let (id, place) = (stream(call, 0)?, call.pointer(1)?);
    let position = call.memory().load_i64(place)?;
    let result = library(call).streams.seek(id, position, 0).map(|()| 0);
    int(tried(call, result, -1)?)
}

fn remove(call: &mut Call<'_, '_>) -> Answer {
    let path = string_argument(call, 0)?;
    let result = library(call).streams.remove(&path)?.map(|()| 0);
    int(tried(call, result, -1)?)
}

fn rename(call: &mut Call<'_, '_>) -> Answer {
    let (from, to) = (string_argument(call, 0)?, string_argument(call, 1)?);
    let result = library(call).streams.rename(&from, &to)?.map(|()| 0);
    int(tried(call, result, -1)?)
}

fn perror(call: &mut Call<'_, '_>) -> Answer {
    let mut line = if call.pointer(0)?.is_null() { Vec::new() } else { string_argument(call, 0)? };
    if !line.is_empty() {
        line.extend_from_slice(b": ");
    }
    line.extend(errno::text(errno::get(call)?));
    line.push(b'\n');
    library(call).streams.write_stderr(&line)?;
    Ok(Value::NONE)
}

/// `getline`: the buffer starts at 120 bytes and doubles, as in glibc, which programs can see.
fn read_line(call: &mut Call<'_, '_>, end: u8, index: usize) -> Answer {
    let (place, size_place, id) = (call.pointer(0)?, call.pointer(1)?, stream(call, index)?);
    if place.is_null() || size_place.is_null() {
        errno::set(call, errno::EINVAL)?;
        return Ok(Value::signed(-1));
    }
    let mut line = Vec::new();
    while let Some(byte) = next(call, id)? {
        line.push(byte);
        if byte == end {
            break;
        }
    }
    let span = call.span;
    let memory = call.memory();
    let mut buffer = memory.load_pointer(place)?;
    let mut size = if buffer.is_null() { 0 } else { memory.load_u64(size_place)? };
    let before = size;
    if size == 0 {
        size = 120;
    }
    if !line.is_empty() && size < line.len() as u64 + 1 {
        size = (line.len() as u64 + 1).max(2 * size);
    }
    if size != before {
        buffer = memory.reallocate(buffer, size, span)??;
        memory.store_pointer(place, buffer)?;
        memory.store_u64(size_place, size)?;
    }
    if line.is_empty() {
        return Ok(Value::signed(-1));
    }
    memory.write_c_string(buffer, &line)?;
    Ok(Value::signed(line.len() as i64))
}
