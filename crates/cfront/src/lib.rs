//! From C text to the program model.

pub mod edit;
pub mod parse;
pub mod preprocess;
