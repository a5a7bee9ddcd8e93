//! How the user compiles a program.

use cfront::preprocess;
use std::path::PathBuf;

/// The files of a program and the options its compiler gets.
#[derive(Clone, Debug)]
pub struct Sources {
    pub files: Vec<PathBuf>,
    pub options: preprocess::Options,
}
