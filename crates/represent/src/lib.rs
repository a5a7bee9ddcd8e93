//! `plumb represent`: does a client depend on how its data is written down?
//!
//! *Question*: a file format lets one picture be written in many ways. A normalisation program f, in C, says which
//! representations mean the same: x and z do if f(x) = f(z). From one sample x make many z, and give them to the clients.
//!
//! *Source*: A. Kanade, R. Alur, S. Rajamani, G. Ramalingam, "Representation Dependence Testing using Program
//! Inversion", FSE 2010. Inputs of f are the by-value and `const` parameters, outputs the other pointers and arrays;
//! array declarators are the dependent types.
//!
//! *Phases*: [`language`] reads a function as a normalisation program or refuses it; [`invert`] is algorithms 1 to 8;
//! [`constraints`] are what the inverse must ensure, with quantifiers eliminated; [`show`] prints the inverse. With a
//! sample: [`variants`] runs f on it in the VM, [`solve`] finds solutions of `ensure`, [`execute`] runs the inverse, and
//! f is run again on what came out. [`tiff`] reads and writes one format; [`clients`] runs programs on variants and says
//! which choice they trip over; [`picture`] makes small pictures of what they were given.
//!
//! *Departures* are named in the files: no branch is dropped where bindings differ ([`invert`]); conditions are simplified
//! exactly instead of being strengthened ([`constraints`]); loop bounds that are chosen are found by the solver together
//! with everything else, up to a bound that comes from the sample ([`ground`]); that outputs are assigned once is checked
//! on the sample ([`execute`]).
//!
//! *Worked example*: `for i < height, j < width: data[i][j] = surface[pitch*i + j]`, with `surface[pitch*height]`. In a
//! round, `surface[pitch*i + j]` is undetermined unless an earlier round named it: (i2, j2) before (i, j) with pitch*i2 +
//! j2 = pitch*i + j. That depends on `pitch`, so it is excluded by `ensure`, the element counts as undetermined, and
//! the statement turns around. With the index required to be below pitch*height all that is left to ensure is pitch >= width.
//!
//! *Guarantee*: every variant that is reported has the canonical value of the sample, by a run of f in the VM that
//! shares only the front end with the inversion. *May miss*: representations whose chosen loop bounds are far above the
//! sample's, and those that need a wrap-around of machine integers; where there may be some ([`wrapping`]), that is said.
//!
//! *Cost*: inversion asks the solver a bounded number of bounded questions per array access; a variant costs some
//! questions about the scalars, a copy of the data and one run of f. Memory is a few words per element of the data,
//! whatever the number of variants.
//!
//! ```
//! use represent::{invert::invert, language::normalisation, show::show};
//!
//! // Two pairs of numbers mean the same if their first numbers and their sums are the same.
//! let text = "void pair(int x1, int x2, int *y1, int *y2) { *y1 = x1; *y2 = x1 + x2; }";
//! let program = cfront::load_text(&[("pair.c", text)]).expect("this is C").program;
//! let entry = program.find_function("pair").expect("the function should be there");
//! let inverse = normalisation(&program, entry).and_then(invert).expect("it can be turned around");
//! assert!(show(&inverse).contains("x1"));
//! ```

pub mod clients;
pub mod codec;
pub mod constraints;
mod determined;
pub mod encode;
pub mod execute;
pub mod formula;
pub mod ground;
mod indices;
pub mod invert;
pub mod language;
pub mod picture;
pub mod show;
pub mod solve;
pub mod tiff;
pub mod values;
pub mod variants;
mod wrapping;
