//! Reading the output of plain `cc -E`, for compilers that do not tag their tokens.
//!
//! Line markers give the line of each token; its column is found by looking for the token in the source line.

use diagnostics::{FileId, SourceMap};
use sandbox::VisibleFiles;

use super::Stripped;
use super::locate::Locator;
use super::tags::{Marker, Output};
use super::tokens::token_at;

pub(super) struct MarkerReader<'m> {
    locator: Locator<'m>,
    output: Output,
    file: FileId,
    line: u32,
}

impl<'m> MarkerReader<'m> {
    pub fn new(map: &'m mut SourceMap, path: &str, shown: VisibleFiles) -> MarkerReader<'m> {
        let mut locator = Locator::new(map, path, shown);
        let file = locator.file_of(path.as_bytes(), false);
        MarkerReader { locator, output: Output::new(), file, line: 1 }
    }

    /// One line of output, without its line break.
    pub fn line(&mut self, line: &[u8]) {
        if let Some(marker) = Marker::parse(line) {
            self.file = self.locator.file_of(&marker.path, marker.system && marker.enters);
            self.line = marker.line;
            self.output.newline();
            return;
        }
        if let Some(pragma) = line.strip_prefix(b"#pragma") {
            self.output.pragma(pragma);
        } else {
            self.locator.set_line(self.file, self.line);
            let mut i = 0;
            while i < line.len() {
                if line[i].is_ascii_whitespace() || line[i] == 0x0b {
                    self.output.space();
                    i += 1;
                    continue;
                }
                let token = token_at(line, i);
                let text = token.text(line);
                let (written, used) = self.locator.locate(text, None);
                self.output.token(text, written, used);
                i = token.end as usize;
            }
        }
        self.line += 1;
        self.output.newline();
    }

    pub fn finish(self) -> Stripped {
        self.output.stripped
    }
}
