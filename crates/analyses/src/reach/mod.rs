//! Which input drives execution along this path?
//!
//! [`paths`] answers for paths through programs over abstract data types whose operations are given by rules;
//! [`places`] for labels, lines, assertions and branches of any C program, by symbolic execution.

pub mod paths;
pub mod places;
