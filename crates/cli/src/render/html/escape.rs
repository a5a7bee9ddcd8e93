//! Markup that can be trusted: what is not written in this program's own text gets in escaped.
//!
//! *Invariant*: [`Html`] grows by literals of this program ([`Html::raw`] takes nothing else), by numbers, by text that
//! [`escape`] went over, and by other [`Html`]. A name, a string or a file name of the analysed program can therefore be
//! neither an element nor an attribute, whatever is in it.

use std::fmt::Write as _;

/// A piece of a page.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Html(String);

impl Html {
    pub fn new() -> Html {
        Html::default()
    }

    /// Markup, which is part of this program.
    pub fn raw(&mut self, markup: &'static str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Text from anywhere, safe in elements and in quoted attributes.
    pub fn text(&mut self, text: &str) -> &mut Html {
        escape(text, &mut self.0);
        self
    }

    pub fn count(&mut self, number: usize) -> &mut Html {
        let _ = write!(self.0, "{number}");
        self
    }

    /// A coordinate: one digit behind the point is a tenth of a pixel.
    pub fn coordinate(&mut self, number: f64) -> &mut Html {
        let rounded = (number * 10.0).round() / 10.0;
        // Not a number would be no attribute; nothing is drawn at such a place.
        let _ = write!(self.0, "{}", if rounded.is_finite() { rounded + 0.0 } else { 0.0 });
        self
    }

    pub fn add(&mut self, other: &Html) -> &mut Html {
        self.0.push_str(&other.0);
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

/// Characters that a page shows by their number: what steers a terminal or turns the direction of text around would show
/// a reader something else than what is there.
fn is_invisible(c: char) -> bool {
    let steers = c.is_control() && c != '\n' && c != '\t';
    let turns = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    steers || turns
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_invisible(c) => {
                let _ = write!(out, "⟨U+{:04X}⟩", c as u32);
            }
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes() {
        let shown = |text: &str| Html::new().text(text).clone().into_string();
        assert_eq!(shown("</script><b a='\"&'>"), "&lt;/script&gt;&lt;b a=&#39;&quot;&amp;&#39;&gt;");
        assert_eq!(shown("a\0b\u{1b}[1m\u{202e}c\n\té"), "a⟨U+0000⟩b⟨U+001B⟩[1m⟨U+202E⟩c\n\té");
        assert_eq!(Html::new().coordinate(f64::NAN).coordinate(-0.04).coordinate(1.26).clone().into_string(), "001.3");
    }
}
