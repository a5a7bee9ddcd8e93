//! From C text to the program model.

pub mod preprocess;
