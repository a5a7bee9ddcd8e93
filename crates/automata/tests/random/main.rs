//! Random small automata: every operation against the definition by exhaustion, fast algorithms against slow ones.

mod generator;
mod nested;
mod pushdown;
mod regex;
