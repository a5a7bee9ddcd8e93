//! What a project says its callers respect: predicates over the parameters of functions.
//!
//! An input that breaks one of them shows nothing about the function. *May miss*: an input of the search that breaks one may
//! stand for others that do not; the search is not told.

use super::project::ProjectError;
use super::settings::Settings;
use exec::Scalar;
use logic::{Predicate, Valuation};
use symex::explore::{Given, Witness};

/// What holds of the arguments of a function whenever it is called.
#[derive(Clone, PartialEq, Debug)]
pub struct Assumption {
    pub function: String,
    pub predicate: Predicate,
}

/// The assumptions and domains of a project.
pub fn of_settings(settings: &Settings) -> Result<Vec<Assumption>, ProjectError> {
    let mut assumptions = Vec::new();
    let mut add = |function: &str, text: &str| {
        let predicate = Predicate::parse(text).map_err(|error| {
            ProjectError::new(
                format!("plumb.toml: `{text}` of `{function}` cannot be read: {error}"),
                "for example \"n >= 0\"",
            )
        })?;
        assumptions.push(Assumption { function: function.to_string(), predicate });
        Ok(())
    };
    for (function, texts) in &settings.assume {
        texts.iter().try_for_each(|text| add(function, text))?;
    }
    for (name, range) in &settings.domains {
        let parts = name.split_once('.').zip(range.split_once(".."));
        let Some(((function, parameter), (low, high))) = parts else {
            let message = format!("plumb.toml: the domain \"{name}\" = \"{range}\" cannot be read");
            return Err(ProjectError::new(message, "for example \"parse.depth\" = \"0..10\""));
        };
        add(function, &format!("{parameter} >= {low}"))?;
        add(function, &format!("{parameter} <= {high}"))?;
    }
    Ok(assumptions)
}

/// Whether an input is one that callers of the function may give.
pub(crate) fn allow(assumptions: &[Assumption], function: &str, witness: &Witness) -> bool {
    let input = Numbers(witness);
    let of_function = assumptions.iter().filter(|assumption| assumption.function == function);
    // What has no truth value here rules nothing out.
    of_function.into_iter().all(|assumption| assumption.predicate.holds(&input).unwrap_or(true))
}

struct Numbers<'a>(&'a Witness);

impl Valuation for Numbers<'_> {
    fn value_of(&self, name: &str) -> Option<Scalar> {
        let given = self.0.given.iter().find(|(known, _)| known == name)?;
        match &given.1 {
            Given::Scalar(_, value) => Some(*value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::ValueType;
    use ir::IntKind;

    #[test]
    fn inputs_outside_of_what_callers_respect_are_told_apart() {
        let settings: Settings = toml::from_str("[assume]\nf = [\"n != 3\"]\n[domains]\n\"f.n\" = \"0..10\"")
            .expect("the settings are good");
        let assumptions = of_settings(&settings).expect("the assumptions are good");
        let with = |n: i128| Witness {
            given: vec![("n".to_string(), Given::Scalar(ValueType::Int(IntKind::Int), Scalar::Int(n)))],
            ..Witness::default()
        };
        let allowed: Vec<i128> = (-2..13).filter(|n| allow(&assumptions, "f", &with(*n))).collect();
        assert_eq!(allowed, [0, 1, 2, 4, 5, 6, 7, 8, 9, 10]);
        assert!(allow(&assumptions, "g", &with(-2)));
    }
}
