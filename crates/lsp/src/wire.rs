//! Messages, one by one, between the editor and the server.
//!
//! A message that is no JSON, or no message, does not end the conversation: it is answered with an error, as the protocol
//! wants, and the next one is read. Only a header without a length does, because nobody knows then where the next begins.

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};
use std::io::{self, BufRead, ErrorKind, Read, Write};

/// Larger messages are refused before memory is taken for them.
const MOST: usize = 256 << 20;

/// What was read.
pub enum Incoming {
    Message(Message),
    /// Something that is no message; the error to answer with.
    Malformed(String),
    /// The conversation cannot go on; why.
    Broken(String),
}

/// Both directions: what was read, and where answers go.
pub struct Wire {
    pub incoming: Receiver<Incoming>,
    pub outgoing: Sender<Outgoing>,
}

pub enum Outgoing {
    Message(Message),
    /// An answer to something that has no identity.
    Error(String),
}

impl Wire {
    /// Starts a thread that reads and one that writes. The second ends when the wire and its copies are dropped; its handle
    /// is returned so that nothing that was sent is lost.
    pub fn start(
        input: impl BufRead + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> (Wire, std::thread::JoinHandle<()>) {
        let (read, incoming) = unbounded();
        let (outgoing, write) = unbounded();
        std::thread::spawn(move || read_all(input, &read));
        let writer = std::thread::spawn(move || write_all(output, &write));
        (Wire { incoming, outgoing }, writer)
    }
}

fn read_all(mut input: impl BufRead, sender: &Sender<Incoming>) {
    loop {
        let incoming = match frame(&mut input) {
            Ok(None) => return,
            Ok(Some(bytes)) => match message(&bytes) {
                Ok(message) => Incoming::Message(message),
                Err(error) => Incoming::Malformed(error),
            },
            Err(error) => Incoming::Broken(error.to_string()),
        };
        let is_last = matches!(incoming, Incoming::Broken(_));
        if sender.send(incoming).is_err() || is_last {
            return;
        }
    }
}

/// A message is an object; the types of the messages would also be read from arrays of their members.
fn message(bytes: &[u8]) -> Result<Message, String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    match value.is_object() {
        true => serde_json::from_value(value).map_err(|error| error.to_string()),
        false => Err("a message is an object".to_string()),
    }
}

/// The next body: headers, an empty line, and as many bytes as the headers say.
fn frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let broken = |why: &str| io::Error::new(ErrorKind::InvalidData, why.to_string());
    let mut length = None;
    let mut begun = false;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(1 << 16).read_until(b'\n', &mut line)? == 0 {
            return if begun { Err(broken("the input ends within a header")) } else { Ok(None) };
        }
        begun = true;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok().filter(|length| *length <= MOST);
        }
    }
    let length = length.ok_or_else(|| broken("a header without a sensible Content-Length"))?;
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(body))
}

fn write_all(mut output: impl Write, receiver: &Receiver<Outgoing>) {
    for outgoing in receiver {
        let written = match outgoing {
            Outgoing::Message(message) => message.write(&mut output),
            Outgoing::Error(message) => {
                let error = json!({ "code": ErrorCode::ParseError as i32, "message": message });
                let body = json!({ "jsonrpc": "2.0", "id": Value::Null, "error": error }).to_string();
                write!(output, "Content-Length: {}\r\n\r\n{body}", body.len()).and_then(|()| output.flush())
            }
        };
        // An editor that has gone away reads no answers.
        if written.is_err() {
            return;
        }
    }
}
