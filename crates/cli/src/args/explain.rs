//! The flags of `plumb explain`.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};
use diagnostics::Rule;
use std::ffi::OsStr;

#[derive(Args, Debug)]
pub struct Explain {
    /// The rule's name, as findings show it in brackets
    #[arg(value_name = "RULE", value_parser = RuleName, hide_possible_values = true)]
    pub rule: Option<String>,
}

/// Any word, with the rules as those that shells complete: one that is no rule is refused later, with a hint instead of all
/// names.
#[derive(Clone)]
struct RuleName;

impl TypedValueParser for RuleName {
    type Value = String;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        Ok(value.to_string_lossy().into_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Rule::ALL.iter().map(|rule| PossibleValue::new(rule.id()).help(rule.summary()))))
    }
}
