//! Which input drives execution along this path?
//!
//! [`paths`] answers for paths through programs over abstract data types whose operations are given by rules.

pub mod paths;
