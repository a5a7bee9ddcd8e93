//! For reading and passing on: pages that need nothing but a browser.
//!
//! A page is a view of a command's JSON document together with the texts of the sources ([`Document`], [`Texts`]); what
//! `--format html` shows is what `plumb report` makes of the document that `--format json` wrote. Everything that comes
//! from the analysed program goes through [`escape`].
//!
//! *Phases*: [`document`] reads the frame, [`view`] makes marks and pictures of the verb's result, [`source`] writes the
//! marks into the text, [`page`] puts the frame, the filters and the guards around it; [`index`] is the first page of
//! several.

mod automaton;
mod contour;
mod document;
mod escape;
mod highlight;
mod index;
mod page;
mod source;
mod sources;
mod svg;
mod view;

pub use document::Document;
pub use index::{Entry, index};
pub use page::{Setting, page};
pub use sources::Texts;
