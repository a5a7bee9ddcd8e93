//! Ψk,l: how the outputs follow when the inputs are permuted, as a homomorphism from S_k to the output positions.
//!
//! `same` and `permuted` are shorthands for images of the two generators; explicit images are checked to define a
//! homomorphism.

use super::signature::Number;
use algebra::permutation::{Homomorphism, Permutation};

/// What the user says about the outputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Follow {
    /// The default of each output, or of the named one.
    Shorthand(Vec<(Option<String>, Shorthand)>),
    /// Images of τ = (1 2) and σ = (1 2 … k) in cycle notation. With two inputs they are the same generator, so one is
    /// enough.
    Images { tau: Option<String>, sigma: Option<String> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shorthand {
    Same,
    Permuted,
}

impl Follow {
    /// Reads `same`, `permuted`, `A=permuted`.
    pub fn parse(texts: &[String]) -> Result<Follow, String> {
        let mut parts = Vec::new();
        for text in texts {
            let (name, how) = match text.split_once('=') {
                Some((name, how)) => (Some(name.trim().to_string()), how.trim()),
                None => (None, text.trim()),
            };
            let how = match how {
                "same" => Shorthand::Same,
                "permuted" => Shorthand::Permuted,
                other => return Err(format!("`{other}` is neither same nor permuted")),
            };
            parts.push((name, how));
        }
        Ok(Follow::Shorthand(parts))
    }

    /// Whether arrays that are given and changed in place are outputs.
    pub fn wants_arrays(&self) -> bool {
        match self {
            Follow::Shorthand(parts) => parts.iter().any(|(name, how)| name.is_none() && *how == Shorthand::Permuted),
            Follow::Images { .. } => false,
        }
    }

    /// The outputs spoken of by name.
    pub fn named(&self) -> Vec<&str> {
        match self {
            Follow::Shorthand(parts) => parts.iter().filter_map(|(name, _)| name.as_deref()).collect(),
            Follow::Images { .. } => Vec::new(),
        }
    }
}

/// An output as the relation sees it: a name and the types of its positions.
pub struct Form<'a> {
    pub name: &'a str,
    pub types: Vec<Number>,
}

/// The homomorphism that is asked for, of `k` inputs and these outputs.
pub fn homomorphism(follow: &Follow, k: usize, outputs: &[Form<'_>]) -> Result<Homomorphism, String> {
    let l = outputs.iter().map(|o| o.types.len()).sum();
    let (tau, sigma) = match follow {
        Follow::Images { tau, sigma } => {
            let (tau, sigma) = match (tau, sigma) {
                (Some(tau), Some(sigma)) => (tau, sigma),
                (Some(one), None) | (None, Some(one)) if k == 2 => (one, one),
                _ => return Err("the images of both generators are needed, --tau and --sigma".to_string()),
            };
            let parse = |flag: &str, text: &str| {
                Permutation::parse(text, l).map_err(|why| format!("{flag}: {why}; the outputs have {l} positions"))
            };
            (parse("--tau", tau)?, parse("--sigma", sigma)?)
        }
        Follow::Shorthand(parts) => shorthand_images(parts, k, outputs)?,
    };
    let types: Vec<Number> = outputs.iter().flat_map(|o| o.types.iter().copied()).collect();
    for image in [&tau, &sigma] {
        if let Some(i) = (0..l).find(|&i| types[i] != types[image.at(i)]) {
            let name = |i: usize| types[i].map_or("unknown", |t| t.c_name());
            let (a, b) = (i + 1, image.at(i) + 1);
            return Err(format!(
                "{image} exchanges output positions {a} and {b} of different types, {} and {}",
                name(i),
                name(image.at(i))
            ));
        }
    }
    let (shown_tau, shown_sigma) = (tau.to_string(), sigma.to_string());
    Homomorphism::new(k, tau, sigma).map_err(|broken| {
        format!("the images τ ↦ {shown_tau}, σ ↦ {shown_sigma} do not define a homomorphism of S_{k}: {broken}")
    })
}

fn shorthand_images(
    parts: &[(Option<String>, Shorthand)],
    k: usize,
    outputs: &[Form<'_>],
) -> Result<(Permutation, Permutation), String> {
    if let Some(name) = parts.iter().filter_map(|(n, _)| n.as_deref()).find(|n| !outputs.iter().any(|o| o.name == *n)) {
        let known: Vec<&str> = outputs.iter().map(|o| o.name).collect();
        return Err(format!("there is no output `{name}`; there are: {}", known.join(", ")));
    }
    let default = parts.iter().rev().find(|(name, _)| name.is_none()).map_or(Shorthand::Same, |(_, how)| *how);
    let (mut tau, mut sigma) = (Vec::new(), Vec::new());
    let mut any_permuted = false;
    for output in outputs {
        let start = tau.len();
        let own = parts.iter().rev().find(|(name, _)| name.as_deref() == Some(output.name)).map(|(_, how)| *how);
        let length = output.types.len();
        let permuted = match own {
            Some(Shorthand::Permuted) if length != k => {
                return Err(format!(
                    "`{}` has {length} positions, so it cannot be permuted like {k} inputs",
                    output.name
                ));
            }
            Some(how) => how == Shorthand::Permuted,
            None => default == Shorthand::Permuted && length == k,
        };
        any_permuted |= permuted;
        let images = |permutation: Permutation| permutation.images().iter().map(|i| start + i).collect::<Vec<_>>();
        if permuted {
            tau.extend(images(Permutation::tau(k)));
            sigma.extend(images(Permutation::sigma(k)));
        } else {
            tau.extend(images(Permutation::identity(length)));
            sigma.extend(images(Permutation::identity(length)));
        }
    }
    if default == Shorthand::Permuted && !any_permuted && k >= 2 {
        let lengths: Vec<String> = outputs.iter().map(|o| format!("`{}` has {}", o.name, o.types.len())).collect();
        return Err(format!("no output has {k} positions to permute: {}", lengths.join(", ")));
    }
    let permutation = |image| Permutation::new(image).expect("blocks of permutations should make a permutation");
    Ok((permutation(tau), permutation(sigma)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::ValueType;
    use ir::IntKind;

    const INT: Number = Some(ValueType::Int(IntKind::Int));
    const BOOL: Number = Some(ValueType::Int(IntKind::Bool));

    fn check(follow: &Follow, k: usize) -> Result<(String, String), String> {
        let outputs = [Form { name: "return", types: vec![BOOL] }, Form { name: "A", types: vec![INT; 3] }];
        homomorphism(follow, k, &outputs).map(|h| (h.tau().to_string(), h.sigma().to_string()))
    }

    #[test]
    fn shorthands_and_images() {
        let shorthand =
            |texts: &[&str]| Follow::parse(&texts.iter().map(|t| t.to_string()).collect::<Vec<_>>()).unwrap();
        assert_eq!(check(&shorthand(&["same"]), 3), Ok(("()".into(), "()".into())));
        assert_eq!(check(&shorthand(&["permuted"]), 3), Ok(("(2 3)".into(), "(2 3 4)".into())));
        assert_eq!(check(&shorthand(&["A=permuted"]), 3), Ok(("(2 3)".into(), "(2 3 4)".into())));
        assert!(check(&shorthand(&["A=permuted"]), 2).unwrap_err().contains("3 positions"));
        assert!(check(&shorthand(&["permuted"]), 2).unwrap_err().contains("no output has 2"));
        assert!(check(&shorthand(&["B=same"]), 3).unwrap_err().contains("`B`"));
        let images = |tau: &str, sigma: &str| Follow::Images { tau: Some(tau.into()), sigma: Some(sigma.into()) };
        assert_eq!(check(&images("(2 3)", "(2 3 4)"), 3), Ok(("(2 3)".into(), "(2 3 4)".into())));
        assert!(check(&images("()", "(2 3)"), 3).unwrap_err().contains("σ^3 = 1"));
        assert!(check(&images("(1 2)", "()"), 3).unwrap_err().contains("different types"));
        assert!(check(&images("(1 9)", "()"), 3).unwrap_err().contains("--tau"));
        assert!(check(&Follow::Images { tau: Some("()".into()), sigma: None }, 3).unwrap_err().contains("--sigma"));
        assert_eq!(check(&Follow::Images { tau: Some("(2 3)".into()), sigma: None }, 2).unwrap().1, "(2 3)");
    }
}
