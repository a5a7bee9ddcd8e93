//! Where each token of the preprocessed text is written, and where the reader of the program meets it.
//!
//! The compiler says for each token where its characters stand (the *tag*) and on which line of which file the
//! output is. That leaves the macro calls to be found. While the tokens of one source line go by, a *cursor*
//! follows in the text of the file:
//!
//! - a token tagged at or after the line of output, whose text is found at its tag, stands there itself: either
//!   beside all macros (the cursor moves behind it) or in the arguments of the current call;
//! - a token tagged elsewhere is text of a macro body. It belongs to the current call, or the word at the cursor
//!   is the name of a macro and begins the next call;
//! - a token tagged on the line but not found there was made by `#`, `##` or is a built-in such as `__LINE__`.
//!   It counts as written at the call.
//!
//! *Worked example*: `z = ADD(y, N) + N;` with `#define N 10` and `#define ADD(a,b) ((a) + (b))` arrives as
//! `z = ((y) + (10)) + 10;`. `z`, `=` move the cursor to `ADD`; `(` is tagged in the definition, so `ADD` begins
//! a call that reaches to its closing parenthesis; `y` stands inside, so it is an argument; `10` is tagged at the
//! definition of `N`, belongs to the current call and is used at `ADD`; `+` stands after the call, which ends it.
//!
//! *What it may get wrong*: two calls without anything between them are told apart by their definitions, which
//! are known for the user's files only; macro text may then be attributed to the call beside.

use std::cell::Cell;
use std::collections::HashMap;

use diagnostics::{FileId, Place, SourceFile, SourceMap};
use sandbox::VisibleFiles;

use super::compiler::read_shown;
use super::definitions::{DefinitionId, Definitions};
use super::tokens::{closing, is_word, is_word_start, skip_blank, word_end};

/// A macro call of the source text.
struct Call {
    place: Place,
    name: usize,
    open: Option<usize>,
    /// One past its last character.
    end: usize,
    definition: Option<DefinitionId>,
    /// The word that follows, if one does: it may begin the next call.
    next: Option<std::ops::Range<usize>>,
    /// The furthest place of its own body seen so far.
    last: Option<Place>,
    made: u32,
    /// Where to look for the next argument when there are no tags.
    argument: usize,
    /// Brackets that the expansion has opened so far, counted when there are no tags.
    depth: i32,
}

pub(super) struct Locator<'m> {
    map: &'m mut SourceMap,
    /// Files outside these are named and not read.
    shown: VisibleFiles,
    files: HashMap<Box<[u8]>, FileId>,
    definitions: Definitions,
    file: FileId,
    line: u32,
    line_start: usize,
    has_text: bool,
    cursor: usize,
    call: Option<Call>,
    /// An offset of the current file and its place, from which to count on: lines can be very long.
    anchor: Cell<(usize, Place)>,
}

impl<'m> Locator<'m> {
    pub fn new(map: &'m mut SourceMap, path: &str, shown: VisibleFiles) -> Locator<'m> {
        let mut locator = Locator {
            map,
            shown,
            files: HashMap::new(),
            definitions: Definitions::default(),
            file: FileId(0),
            line: 0,
            line_start: 0,
            has_text: false,
            cursor: 0,
            call: None,
            anchor: Cell::new((0, Place { file: FileId(0), line: 1, column: 1 })),
        };
        locator.file = locator.file_of(path.as_bytes(), false);
        locator
    }

    /// The file behind a path the compiler printed; its text is read the first time.
    pub fn file_of(&mut self, path: &[u8], system: bool) -> FileId {
        if let Some(&id) = self.files.get(path) {
            return id;
        }
        let name = String::from_utf8_lossy(path).into_owned();
        let id = match self.map.find_file(&name) {
            Some(id) => id,
            None => {
                let text = if system || name.starts_with('<') { None } else { read_shown(&name, &self.shown) };
                self.map.add_file(SourceFile::new(name, text, system))
            }
        };
        if let Some(text) = &self.map.file(id).text {
            self.definitions.scan(id, text.as_bytes());
        }
        self.files.insert(path.into(), id);
        id
    }

    /// The following tokens are used on this line.
    pub fn set_line(&mut self, file: FileId, line: u32) {
        if self.file == file && self.line == line {
            return;
        }
        let back = self.file != file || line < self.line;
        self.file = file;
        self.line = line;
        let source = self.map.file(file);
        self.has_text = source.text.is_some();
        self.line_start = source.offset(line, 1).unwrap_or(0);
        self.anchor.set((self.line_start, Place { file, line, column: 1 }));
        if back {
            self.cursor = self.line_start;
            self.call = None;
        } else if self.cursor < self.line_start {
            // A comment that reaches into this line must not be entered.
            self.cursor = self.line_start.max(skip_blank(self.text(), self.cursor));
            // A call that ended on an earlier line cannot go on; one whose arguments reach here can.
            if self.call.as_ref().is_some_and(|call| call.end <= self.line_start) {
                self.call = None;
            }
        }
    }

    fn text(&self) -> &[u8] {
        self.map.file(self.file).text.as_deref().unwrap_or_default().as_bytes()
    }

    /// The place of an offset at or after the start of the current line.
    fn place(&self, offset: usize) -> Place {
        let text = self.text();
        let offset = offset.min(text.len());
        let mut from = self.anchor.get();
        if from.0 > offset {
            from = (self.line_start.min(offset), Place { file: self.file, line: self.line, column: 1 });
        }
        let between = &text[from.0..offset];
        let lines = between.iter().filter(|&&b| b == b'\n').count() as u32;
        let column = between.iter().rev().take_while(|&&b| b != b'\n').count() as u32;
        let first = if lines == 0 { from.1.column } else { 1 };
        let place = Place { file: self.file, line: from.1.line + lines, column: first + column };
        self.anchor.set((offset, place));
        place
    }

    /// Written and used place of the next token. `tag` has column 0 when the compiler lost count of columns.
    pub fn locate(&mut self, token: &[u8], tag: Option<Place>) -> (Place, Option<Place>) {
        if !self.has_text {
            let here = Place { file: self.file, line: self.line.max(1), column: 1 };
            return match tag {
                Some(tag) if tag.file == self.file && tag.line >= self.line => (at_least_one(tag), None),
                Some(tag) => (at_least_one(tag), Some(here)),
                None => (here, None),
            };
        }
        let Some(tag) = tag.filter(|tag| tag.column > 0) else { return self.align(token) };
        if tag.file != self.file || tag.line < self.line {
            let definition = self.definitions.at(tag.file, tag.line);
            let used = self.call_of_body(tag, definition);
            return (tag, Some(used));
        }
        let Some(offset) = self.map.file(self.file).offset(tag.line, tag.column) else {
            return (tag, None);
        };
        if self.text()[offset..].starts_with(token) {
            match &self.call {
                // An argument, unless the parenthesis itself comes through: then the name was an object-like macro.
                Some(call) if offset > call.name && offset < call.end && call.open != Some(offset) => {}
                _ if offset >= self.cursor || self.call.as_ref().is_some_and(|c| c.open == Some(offset)) => {
                    self.call = None;
                    self.cursor = offset + token.len();
                }
                _ => {}
            }
            return (tag, None);
        }
        let used = self.call_of_made(tag, offset);
        (used, Some(used))
    }

    /// The call that a token of a macro body at `tag` belongs to.
    fn call_of_body(&mut self, tag: Place, definition: Option<DefinitionId>) -> Place {
        if let Some(call) = &self.call {
            let next_named =
                |id| call.next.as_ref().is_some_and(|next| self.text()[next.clone()] == *self.definitions.get(id).name);
            let begins_next = match (definition, call.definition) {
                (Some(d), Some(c)) if d == c => call.last.is_some_and(|last| tag <= last) && next_named(d),
                (Some(d), _) if next_named(d) => self.rest_of_body(call).is_none_or(|rest| !has_punctuation(rest)),
                _ => call.next.is_some() && self.rest_of_body(call).is_some_and(|rest| rest.is_empty()),
            };
            if !begins_next {
                let place = call.place;
                self.note_body(tag, definition);
                return place;
            }
        }
        self.begin_call(definition);
        self.note_body(tag, definition);
        self.call.as_ref().map_or_else(|| self.place(self.cursor), |call| call.place)
    }

    fn note_body(&mut self, tag: Place, definition: Option<DefinitionId>) {
        if let Some(call) = &mut self.call
            && definition.is_some()
            && call.definition == definition
        {
            call.last = Some(tag);
        }
    }

    /// What is still to come of the body of a call's own definition; `None` when it is not known.
    fn rest_of_body(&self, call: &Call) -> Option<&[u8]> {
        let definition = self.definitions.get(call.definition?);
        let file = self.map.file(definition.file);
        let text = file.text.as_deref()?.as_bytes();
        let from = match call.last {
            Some(last) => {
                let start = file.offset(last.line, last.column)?;
                super::tokens::token_at(text, start.min(text.len().checked_sub(1)?)).end as usize
            }
            None => definition.body.start,
        };
        text.get(from..definition.body.end).map(|rest| rest.trim_ascii())
    }

    /// The call that a token made by `#`, `##` or a built-in macro belongs to.
    fn call_of_made(&mut self, tag: Place, offset: usize) -> Place {
        if let Some(call) = &mut self.call {
            let expected = call.definition.map_or(1, |id| self.definitions.get(id).makes.max(1));
            if offset < call.end && (call.made < expected || call.next.is_none()) {
                call.made += 1;
                return call.place;
            }
        }
        self.begin_call(None);
        match &mut self.call {
            Some(call) => {
                call.made += 1;
                call.place
            }
            None => {
                // A token that a line splice cuts: it stands where the tag says.
                self.cursor = self.cursor.max(offset + 1);
                tag
            }
        }
    }

    /// Begins the call whose name is the next word of the source line. Calls of macros that are known to expand
    /// to nothing are passed over.
    fn begin_call(&mut self, definition: Option<DefinitionId>) {
        let mut at = self.call.take().map_or(self.cursor, |call| call.end.max(self.cursor));
        loop {
            let text = self.text();
            at = skip_blank(text, at);
            if !text.get(at).is_some_and(|&b| is_word_start(b)) {
                return;
            }
            let name_end = word_end(text, at);
            let known = self.definitions.named(&text[at..name_end]);
            let object_like = known.is_some_and(|id| !self.definitions.get(id).takes_arguments);
            let after = skip_blank(text, name_end);
            let open = (!object_like && text.get(after) == Some(&b'(')).then_some(after);
            let end = open.and_then(|open| closing(text, open)).unwrap_or(name_end);
            let empty = known.is_some_and(|id| self.definitions.get(id).body.is_empty());
            if empty && known != definition {
                at = end;
                continue;
            }
            let follows = skip_blank(text, end);
            let next = text.get(follows).filter(|&&b| is_word_start(b)).map(|_| follows..word_end(text, follows));
            self.call = Some(Call {
                place: self.place(at),
                name: at,
                open,
                end,
                definition: known,
                next,
                last: None,
                made: 0,
                argument: open.map_or(end, |open| open + 1),
                depth: 0,
            });
            self.cursor = end;
            return;
        }
    }

    /// Finds a token without a tag by its text alone.
    fn align(&mut self, token: &[u8]) -> (Place, Option<Place>) {
        let fits = |text: &[u8], at: usize| {
            text[at..].starts_with(token)
                && !(token.last().is_some_and(|&b| is_word(b))
                    && text.get(at + token.len()).is_some_and(|&b| is_word(b)))
        };
        let after = skip_blank(self.text(), self.cursor);
        // Within brackets of an expansion, a token like the one after the call is still the expansion's.
        let stands_next = fits(self.text(), after) && self.call.as_ref().is_none_or(|call| call.depth <= 0);
        let brackets = match token {
            b"(" | b"[" | b"{" => 1,
            b")" | b"]" | b"}" => -1,
            _ => 0,
        };
        if let Some(call) = &self.call {
            // Looking further than this would make long argument lists quadratic.
            let far = call.argument + 4096;
            let arguments = call.argument..call.end.saturating_sub(1).clamp(call.argument, far);
            let word = token.first().is_some_and(|&b| is_word(b));
            let found = arguments.clone().find(|&i| {
                let text = self.text();
                fits(text, i) && !(word && i > 0 && is_word(text[i - 1]))
            });
            let stands_closer = found.filter(|&i| word || skip_blank(self.text(), arguments.start) == i);
            if let Some(i) = stands_closer {
                let place = self.place(i);
                if let Some(call) = &mut self.call {
                    call.argument = i + token.len();
                }
                return (place, None);
            }
            if !stands_next {
                let again = !word || call.next.is_none();
                if again || call.definition.is_some() {
                    let place = call.place;
                    if let Some(call) = &mut self.call {
                        call.depth += brackets;
                    }
                    return (place, Some(place));
                }
            }
        }
        if stands_next {
            self.call = None;
            self.cursor = after + token.len();
            return (self.place(after), None);
        }
        self.begin_call(None);
        match &mut self.call {
            Some(call) => {
                call.depth += brackets;
                (call.place, Some(call.place))
            }
            None => (self.place(after), Some(self.place(after))),
        }
    }
}

fn at_least_one(place: Place) -> Place {
    Place { line: place.line.max(1), column: place.column.max(1), ..place }
}

/// Whether text of a macro body has something that must appear in its expansion.
fn has_punctuation(body: &[u8]) -> bool {
    body.iter().any(|&b| !is_word(b) && !b.is_ascii_whitespace() && !matches!(b, b'(' | b')' | b',' | b'#' | b'\\'))
}
