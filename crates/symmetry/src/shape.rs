//! The problem laid out: which parameters are permuted, which stay, how long arrays are, what is looked at.
//!
//! Arrays have a length, and each length makes a relation of its own (Ψ3,3 is not Ψ4,4), so a problem is a list of
//! [`Shape`]s, the shortest first. A shape's inputs are a flat tuple of numbers, its *slots*: first those that stay,
//! then the k that are permuted.
//!
//! *Outputs looked at*, unless the user says: the returned value; arrays and records that are only filled (they have no
//! domain); arrays that are given and changed in place if `permuted` is asked for, or if there is nothing else.

use super::answer::Compare;
use super::constants::Constants;
use super::domain::{Sampling, Values};
use super::relation::{Follow, Form, Shorthand, homomorphism};
use super::signature::{Leaf, Number, Parameter, ParameterKind, ResultKind, Signature};
use algebra::permutation::Homomorphism;
use exec::{Scalar, ValueType};

/// What the user asks.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// Names of scalar parameters, or of one array whose elements are permuted.
    pub permute: Vec<String>,
    /// `4`, `0..5`, `n`, `n=0..5`, `B=m`, `B=8`.
    pub lengths: Vec<String>,
    pub follow: Follow,
    /// Names of outputs, `return` among them; empty for the default.
    pub observe: Vec<String>,
    pub domains: Vec<(String, Values)>,
    /// C expressions over the parameters.
    pub assume: Vec<String>,
    pub sampling: Sampling,
    pub compare: Compare,
    /// A zero follows the last element of arrays of characters.
    pub terminated: bool,
}

impl Request {
    pub fn new(permute: Vec<String>) -> Request {
        Request {
            permute,
            lengths: Vec::new(),
            follow: Follow::Shorthand(Vec::new()),
            observe: Vec::new(),
            domains: Vec::new(),
            assume: Vec::new(),
            sampling: Sampling::Exhaustive,
            compare: Compare::Exact,
            terminated: false,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    pub signature: Signature,
    pub request: Request,
    /// The values of each parameter, or of its elements.
    pub domains: Vec<Option<Values>>,
    pub shapes: Vec<Shape>,
    /// Whole sentences: what was chosen because nothing was said.
    pub notes: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    pub slots: Vec<Slot>,
    /// How many of the slots are permuted; they are the last.
    pub k: usize,
    pub outputs: Vec<Output>,
    /// `None` until the outputs are known.
    pub relation: Option<Homomorphism>,
}

/// A number of the input tuple.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// `i`, or `A[2]`.
    pub name: String,
    pub parameter: usize,
    pub ty: Number,
}

/// What stands for a parameter in a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    Slot(usize),
    /// The length of arrays, the same in all calls of the shape.
    Length(u64),
    Array {
        slots: Vec<usize>,
        of: Number,
    },
    /// An array that is filled, zero before.
    Out {
        of: Number,
        length: u64,
    },
    /// A record that is filled, zero before.
    Record {
        leaves: Vec<Leaf>,
        size: u64,
        align: u64,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    pub name: String,
    /// `None` for the returned value.
    pub parameter: Option<usize>,
    pub types: Vec<Number>,
    pub scalar: bool,
}

/// The values each slot ranges over, for one shape; what enumerations are given.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    pub fixed: Vec<Values>,
    /// Values of the permuted slots, joined: a domain of tuples is closed under permutation.
    pub union: Values,
    /// The values of each permuted slot, if they differ. A tuple belongs to the domain if some arrangement of it does.
    pub own: Option<Vec<Values>>,
}

impl Space {
    /// An upper bound of the number of tuples; exact unless domains differ or something is assumed.
    pub fn size(&self, k: usize) -> u128 {
        let product = self.fixed.iter().try_fold(1u128, |n, v| n.checked_mul(v.count()));
        let permuted = u32::try_from(k).ok().and_then(|k| self.union.count().checked_pow(k));
        product.zip(permuted).and_then(|(a, b)| a.checked_mul(b)).unwrap_or(u128::MAX)
    }

    pub fn within(&self, bound: i128, positive: bool) -> Space {
        let cut = |values: &Values| values.within(bound, positive);
        Space {
            fixed: self.fixed.iter().map(cut).collect(),
            union: cut(&self.union),
            own: self.own.as_ref().map(|own| own.iter().map(cut).collect()),
        }
    }

    pub fn magnitude(&self) -> i128 {
        self.fixed.iter().chain([&self.union]).map(Values::magnitude).max().unwrap_or(0)
    }

    /// Whether each permuted value lies in its own domain.
    pub fn admits(&self, permuted: &[Scalar]) -> bool {
        self.own.as_ref().is_none_or(|own| own.iter().zip(permuted).all(|(values, value)| values.contains(value)))
    }
}

impl Problem {
    pub fn space(&self, shape: &Shape) -> Result<Space, String> {
        let of = |slot: &Slot| {
            let values = self.domains[slot.parameter].clone().expect("a slot's parameter should have a domain");
            if self.request.sampling == Sampling::Boundary { values.boundary() } else { values }
        };
        let fixed: Vec<Values> = shape.slots[..shape.slots.len() - shape.k].iter().map(of).collect();
        let own: Vec<Values> = shape.slots[shape.slots.len() - shape.k..].iter().map(of).collect();
        let Some(first) = own.first() else {
            return Ok(Space { fixed, union: Values::Set(Vec::new()), own: None });
        };
        let union = own.iter().try_fold(first.clone(), |union, values| union.union(values))?;
        let differ = own.iter().any(|values| *values != union);
        Ok(Space { fixed, union, own: differ.then_some(own) })
    }
}

impl Shape {
    pub fn fixed(&self) -> usize {
        self.slots.len() - self.k
    }

    pub fn positions(&self) -> usize {
        self.outputs.iter().map(|o| o.types.len()).sum()
    }

    pub fn homomorphism(&self) -> &Homomorphism {
        self.relation.as_ref().expect("the outputs of a shape should be known before it is checked")
    }

    /// Decides the relation, once the outputs are known.
    pub fn relate(&mut self, follow: &Follow) -> Result<(), String> {
        let forms: Vec<Form<'_>> =
            self.outputs.iter().map(|o| Form { name: &o.name, types: o.types.clone() }).collect();
        self.relation = Some(homomorphism(follow, self.k, &forms)?);
        Ok(())
    }
}

/// Where an array's length comes from.
#[derive(Clone, PartialEq, Debug)]
enum LengthOf {
    Values(Vec<u64>),
    Parameter(String),
}

/// The longest array; longer ones have domains nobody can go through.
const LONGEST: u64 = 256;
const MOST_SHAPES: usize = 256;

/// Lays the problem out. Errors are whole clauses for the user.
pub fn lay_out(signature: Signature, request: Request) -> Result<Problem, String> {
    let names: Vec<&str> = signature.parameters.iter().map(|p| p.name.as_str()).collect();
    let known = |name: &str, flag: &str| match names.iter().position(|n| *n == name) {
        Some(index) => Ok(index),
        None if names.is_empty() => Err(format!("{flag}: `{}` takes no parameters", signature.name)),
        None => Err(format!("{flag}: `{}` has no parameter `{name}`; it has: {}", signature.name, names.join(", "))),
    };
    for (name, _) in &request.domains {
        known(name, "--domain")?;
    }
    let permuted: Vec<usize> = request.permute.iter().map(|n| known(n, "--permute")).collect::<Result<_, _>>()?;
    check_permuted(&signature, &permuted)?;
    let lengths = lengths(&signature, &request)?;
    let length_parameters: Vec<usize> = lengths
        .iter()
        .flatten()
        .filter_map(|l| if let LengthOf::Parameter(name) = l { Some(name) } else { None })
        .map(|name| known(name, "--length"))
        .collect::<Result<_, _>>()?;
    if let Some(both) = permuted.iter().find(|p| length_parameters.contains(p)) {
        return Err(format!("`{}` is the length of an array, so it cannot be permuted", names[*both]));
    }
    let mut notes = Vec::new();
    let mut domains = Vec::new();
    for (index, parameter) in signature.parameters.iter().enumerate() {
        let asked = request.domains.iter().rev().find(|(n, _)| *n == parameter.name).map(|(_, v)| v);
        let role = Role { permuted: permuted.contains(&index), length: length_parameters.contains(&index) };
        let default = |ty: Number| default_values(ty, &signature, request.sampling);
        domains.push(domain_of(parameter, asked, role, &default, &mut notes)?);
    }
    let mut shapes = Vec::new();
    for chosen in length_choices(&signature, &lengths, &length_parameters, &domains, &request)? {
        shapes.push(shape(&signature, &request, &permuted, &domains, &lengths, &chosen)?);
    }
    shapes.sort_by_key(|s| s.slots.len());
    Ok(Problem { signature, request, domains, shapes, notes })
}

fn check_permuted(signature: &Signature, permuted: &[usize]) -> Result<(), String> {
    if let Some((_, twice)) = permuted.iter().enumerate().find(|(i, p)| permuted[..*i].contains(p)) {
        return Err(format!("--permute names `{}` twice", signature.parameters[*twice].name));
    }
    let kinds: Vec<&ParameterKind> = permuted.iter().map(|&i| &signature.parameters[i].kind).collect();
    if let [ParameterKind::Array { .. }] = kinds[..] {
        return Ok(());
    }
    if kinds.len() < 2 {
        return Err(format!(
            "--permute needs two or more scalar parameters or one array; {}",
            match permuted {
                [one] => format!("`{}` is one number", signature.parameters[*one].name),
                _ => "none is named".to_string(),
            }
        ));
    }
    for (&index, kind) in permuted.iter().zip(&kinds) {
        let name = &signature.parameters[index].name;
        match kind {
            ParameterKind::Scalar(_) => {}
            ParameterKind::Array { .. } => {
                return Err(format!("`{name}` is an array; its elements are permuted if it alone is named"));
            }
            ParameterKind::Record { .. } => return Err(format!("`{name}` is a record, which cannot be permuted")),
            ParameterKind::Unsupported(why) => return Err(format!("`{name}` cannot be permuted: {why}")),
        }
    }
    let is_float = |kind: &ParameterKind| matches!(kind, ParameterKind::Scalar(Some(ValueType::Float(_))));
    if kinds.iter().any(|k| is_float(k) != is_float(kinds[0])) {
        return Err("--permute names parameters of integer and of floating type; they have no values in common".into());
    }
    Ok(())
}

/// The length of each array parameter, as far as anything says it.
fn lengths(signature: &Signature, request: &Request) -> Result<Vec<Option<LengthOf>>, String> {
    let kind = |name: &str| signature.parameters.iter().find(|p| p.name == name).map(|p| &p.kind);
    let is_scalar = |name: &str| matches!(kind(name), Some(ParameterKind::Scalar(_)));
    let is_array = |name: &str| matches!(kind(name), Some(ParameterKind::Array { .. }));
    let whole = |text: &str| -> Result<Vec<u64>, String> {
        let values = Values::parse(text).map_err(|why| format!("--length: {why}"))?;
        if values.count() > MOST_SHAPES as u128 {
            return Err(format!("--length: `{text}` has more than {MOST_SHAPES} lengths"));
        }
        let length = |i| match values.get(i) {
            Scalar::Int(int) if (0..=LONGEST as i128).contains(&int) => Ok(int as u64),
            other => Err(format!("--length: {other:?} is not a length from 0 to {LONGEST}")),
        };
        (0..values.count()).map(length).collect()
    };
    let mut default = None;
    let mut own: Vec<(String, LengthOf)> = Vec::new();
    for text in &request.lengths {
        match text.split_once('=') {
            Some((array, length)) if is_array(array.trim()) => {
                let length = length.trim();
                let of = match is_scalar(length) {
                    true => LengthOf::Parameter(length.to_string()),
                    false => LengthOf::Values(whole(length)?),
                };
                own.push((array.trim().to_string(), of));
            }
            Some((name, values)) if is_scalar(name.trim()) => {
                whole(values)?;
                default = Some(LengthOf::Parameter(name.trim().to_string()));
            }
            Some((name, _)) => {
                return Err(format!("--length: `{}` has no parameter `{}`", signature.name, name.trim()));
            }
            None if is_scalar(text.trim()) => default = Some(LengthOf::Parameter(text.trim().to_string())),
            None => default = Some(LengthOf::Values(whole(text)?)),
        }
    }
    let of = |parameter: &Parameter| {
        let ParameterKind::Array { declared, declared_by, .. } = &parameter.kind else { return None };
        let named = own.iter().rev().find(|(name, _)| *name == parameter.name).map(|(_, of)| of.clone());
        let written = declared_by.clone().map(LengthOf::Parameter);
        named.or(default.clone()).or(written).or(declared.map(|n| LengthOf::Values(vec![n])))
    };
    Ok(signature.parameters.iter().map(of).collect())
}

struct Role {
    permuted: bool,
    length: bool,
}

fn domain_of(
    parameter: &Parameter,
    asked: Option<&Values>,
    role: Role,
    default: &dyn Fn(Number) -> Values,
    notes: &mut Vec<String>,
) -> Result<Option<Values>, String> {
    let name = &parameter.name;
    let typed = |ty: Number, values: Values| match ty {
        Some(ty) => values.of_type(ty).map_err(|why| format!("--domain {name}: {why}")),
        None => Ok(values),
    };
    let mut default = |ty: Number| {
        let values = default(ty);
        notes.push(format!("`{name}` has the values {} because --domain does not say.", describe(&values)));
        values
    };
    match (&parameter.kind, asked) {
        (ParameterKind::Unsupported(why), _) => Err(format!("no value can be given for `{name}`: {why}")),
        (ParameterKind::Record { read_only: true, .. }, _) => {
            Err(format!("no value can be given for `{name}`: it is a pointer to a constant record"))
        }
        (ParameterKind::Record { .. }, Some(_)) => {
            Err(format!("--domain: `{name}` is a record; it can only be filled"))
        }
        (ParameterKind::Record { .. }, None) => Ok(None),
        // The values of lengths are taken with the shapes.
        (ParameterKind::Scalar(ty), Some(values)) => typed(*ty, values.clone()).map(Some),
        (ParameterKind::Scalar(_), None) if role.length => Ok(None),
        (ParameterKind::Scalar(ty), None) => typed(*ty, default(*ty)).map(Some),
        (ParameterKind::Array { of, .. }, Some(values)) => typed(*of, values.clone()).map(Some),
        (ParameterKind::Array { of, read_only, .. }, None) if role.permuted || *read_only => {
            typed(*of, default(*of)).map(Some)
        }
        (ParameterKind::Array { .. }, None) => Ok(None),
    }
}

/// Tuples of default domains: what a machine goes through while somebody waits.
const MOST_BY_DEFAULT: f64 = 1e6;

/// The fewest and the most values of one number by default.
const FEWEST_VALUES: usize = 5;
const MOST_VALUES: usize = 32;

/// How many elements an array counts for where the room is shared out.
const ELEMENTS: usize = 3;

/// The values of a number where the user gives none: 0, ±1 and the limits of the type, then what the text of the
/// function mentions, then the smallest others, as many as there is room for.
fn default_values(ty: Number, signature: &Signature, sampling: Sampling) -> Values {
    let slots: usize = signature
        .parameters
        .iter()
        .map(|parameter| match parameter.kind {
            ParameterKind::Scalar(_) => 1,
            ParameterKind::Array { .. } => ELEMENTS,
            _ => 0,
        })
        .sum();
    let room = (MOST_BY_DEFAULT.powf(1.0 / slots.max(1) as f64) as usize).clamp(FEWEST_VALUES, MOST_VALUES);
    let kind = match ty {
        Some(ValueType::Int(kind)) if matches!(sampling, Sampling::Random(_) | Sampling::Boundary) => {
            return Values::Range { lo: kind.min(), hi: kind.max() };
        }
        Some(ValueType::Float(kind)) => {
            let largest = if kind == ir::FloatKind::Float { f64::from(f32::MAX) } else { f64::MAX };
            let Constants { whole, fractions } = &signature.constants;
            let mentioned = fractions.iter().copied().chain(whole.iter().map(|number| *number as f64));
            let limits = [0.0, 1.0, -1.0, largest, -largest, 0.5, -2.5, 3.0, 1e10];
            let mut chosen: Vec<f64> = Vec::new();
            for number in limits.into_iter().chain(mentioned).filter(|number| number.is_finite()) {
                if chosen.len() < room.max(limits.len()) && !chosen.contains(&number) {
                    chosen.push(number);
                }
            }
            return Values::set(chosen.into_iter().map(Scalar::Float).collect());
        }
        Some(ValueType::Int(kind)) => Some(kind),
        None => None,
    };
    let fits = |number: &i128| kind.is_none_or(|kind| kind.contains(*number));
    let limits = kind.map_or(Vec::new(), |kind| vec![kind.min(), kind.max()]);
    let mentioned = signature.constants.whole.iter().copied();
    let small = (2..=10).flat_map(|number| [number, -number]);
    let mut chosen: Vec<i128> = Vec::new();
    for number in [0, 1, -1].into_iter().chain(limits).chain(mentioned).chain(small).filter(fits) {
        if chosen.len() < room && !chosen.contains(&number) {
            chosen.push(number);
        }
    }
    Values::set(chosen.into_iter().map(Scalar::Int).collect())
}

impl Problem {
    /// `Ψ3,1: outputs stay the same when i, j, k are permuted, for i, j, k in -1..1`: a verdict is of its domain.
    pub fn relation_text(&self, shape: &Shape) -> String {
        let relation = shape.homomorphism();
        let names = self.request.permute.join(", ");
        let moved = match self.shapes.len() {
            1 => format!("Ψ{},{}", relation.k(), relation.l()),
            _ => "Ψn,l".to_string(),
        };
        let what = match &self.request.permute[..] {
            [_] => format!("the elements of {names}"),
            _ => names,
        };
        let follows = match &self.request.follow {
            _ if relation.is_trivial() && self.shapes.len() == 1 => "outputs stay the same".to_string(),
            Follow::Images { .. } => format!("outputs follow by τ ↦ {}, σ ↦ {}", relation.tau(), relation.sigma()),
            Follow::Shorthand(parts) => {
                let some_permuted = parts.iter().any(|(_, how)| *how == Shorthand::Permuted);
                if some_permuted {
                    "outputs are permuted alike".to_string()
                } else {
                    "outputs stay the same".to_string()
                }
            }
        };
        format!("{moved}: {follows} when {what} are permuted, for {}", self.domain_text())
    }
}

impl Problem {
    /// What the relation is told of: `i, j in -1..1,7; n in 0..3`. Numbers that an assumption excludes are not left out.
    pub fn domain_text(&self) -> String {
        let mut parts: Vec<(Vec<&str>, String)> = Vec::new();
        for (index, parameter) in self.signature.parameters.iter().enumerate() {
            let mut lengths: Vec<i128> = Vec::new();
            for shape in &self.shapes {
                match &shape.arguments[index] {
                    Argument::Length(length) => lengths.push((*length).into()),
                    Argument::Array { slots, .. } => lengths.push(slots.len() as i128),
                    _ => {}
                }
            }
            lengths.sort_unstable();
            lengths.dedup();
            let lengths = describe(&Values::set(lengths.into_iter().map(Scalar::Int).collect()));
            let values = self.domains[index].as_ref().map(|values| {
                let sampled = self.request.sampling == Sampling::Boundary;
                describe(&if sampled { values.boundary() } else { values.clone() })
            });
            let text = match (&parameter.kind, values) {
                (ParameterKind::Array { .. }, Some(values)) => format!("{values}, {lengths} elements"),
                (ParameterKind::Scalar(_), _) if !lengths.is_empty() => lengths,
                (_, Some(values)) => values,
                _ => continue,
            };
            match parts.iter_mut().find(|(_, known)| *known == text) {
                Some((names, _)) => names.push(&parameter.name),
                None => parts.push((vec![&parameter.name], text)),
            }
        }
        let mut parts: Vec<String> =
            parts.into_iter().map(|(names, values)| format!("{} in {values}", names.join(", "))).collect();
        parts.extend(self.request.assume.iter().cloned());
        parts.join("; ")
    }
}

/// Values as they are written on the command line: `-1..1,7`.
pub fn describe(values: &Values) -> String {
    let set = match values {
        Values::Range { lo, hi } => return format!("{lo}..{hi}"),
        Values::Set(set) => set,
    };
    let mut parts: Vec<String> = Vec::new();
    let mut rest = &set[..];
    while let [first, ..] = rest {
        let next = |pair: &[Scalar]| matches!(pair, [Scalar::Int(a), Scalar::Int(b)] if a + 1 == *b);
        let run = 1 + rest.windows(2).take_while(|pair| next(pair)).count();
        match (first, &rest[run - 1]) {
            (Scalar::Int(first), Scalar::Int(last)) if run > 2 => parts.push(format!("{first}..{last}")),
            _ => parts.extend(rest[..run].iter().map(|value| match value {
                Scalar::Int(int) => int.to_string(),
                Scalar::Float(float) => format!("{float:?}"),
            })),
        }
        rest = &rest[run..];
    }
    if parts.len() > MOST_SHOWN {
        return format!("{},…,{} ({} values)", parts[0], parts[parts.len() - 1], set.len());
    }
    parts.join(",")
}

/// Values and ranges of a set that are listed one by one.
const MOST_SHOWN: usize = 40;

/// The lengths of one shape: of each length parameter, and of each array that has none.
struct Chosen {
    parameters: Vec<(usize, u64)>,
    arrays: Vec<Option<u64>>,
}

fn length_choices(
    signature: &Signature,
    lengths: &[Option<LengthOf>],
    length_parameters: &[usize],
    domains: &[Option<Values>],
    request: &Request,
) -> Result<Vec<Chosen>, String> {
    let mut choices = vec![Chosen { parameters: Vec::new(), arrays: vec![None; lengths.len()] }];
    let multiply =
        |choices: Vec<Chosen>, values: &[u64], set: &dyn Fn(&mut Chosen, u64)| -> Result<Vec<Chosen>, String> {
            if choices.len() * values.len() > MOST_SHAPES {
                return Err(format!("--length: more than {MOST_SHAPES} combinations of lengths"));
            }
            let mut more = Vec::new();
            for choice in &choices {
                for &value in values {
                    let mut next = Chosen { parameters: choice.parameters.clone(), arrays: choice.arrays.clone() };
                    set(&mut next, value);
                    more.push(next);
                }
            }
            Ok(more)
        };
    let mut parameters = length_parameters.to_vec();
    parameters.sort_unstable();
    parameters.dedup();
    for index in parameters {
        let name = &signature.parameters[index].name;
        let given = request.lengths.iter().rev().find_map(|text| {
            let (of, values) = text.split_once('=')?;
            (of.trim() == name).then(|| Values::parse(values))
        });
        let values = match given.transpose()?.or_else(|| domains[index].clone()) {
            Some(values) => values,
            None => return Err(format!("the length `{name}` has no values: give --length {name}=0..5")),
        };
        if values.count() > MOST_SHAPES as u128 {
            return Err(format!("the length `{name}` has more than {MOST_SHAPES} values"));
        }
        let whole = |i| match values.get(i) {
            Scalar::Int(int) if (0..=LONGEST as i128).contains(&int) => Ok(int as u64),
            _ => Err(format!("the length `{name}` should be from 0 to {LONGEST}")),
        };
        let values: Vec<u64> = (0..values.count()).map(whole).collect::<Result<_, _>>()?;
        choices = multiply(choices, &values, &|choice, value| choice.parameters.push((index, value)))?;
    }
    // Arrays that share a list of lengths have the same length in each shape.
    let mut lists: Vec<&Vec<u64>> = Vec::new();
    for length in lengths.iter().flatten() {
        if let LengthOf::Values(values) = length
            && !lists.contains(&values)
        {
            lists.push(values);
        }
    }
    for list in lists {
        let set = |choice: &mut Chosen, value| {
            for (index, length) in lengths.iter().enumerate() {
                if matches!(length, Some(LengthOf::Values(values)) if values == list) {
                    choice.arrays[index] = Some(value);
                }
            }
        };
        choices = multiply(choices, list, &set)?;
    }
    Ok(choices)
}

fn shape(
    signature: &Signature,
    request: &Request,
    permuted: &[usize],
    domains: &[Option<Values>],
    lengths: &[Option<LengthOf>],
    chosen: &Chosen,
) -> Result<Shape, String> {
    let length_of = |index: usize| -> Result<u64, String> {
        let name = &signature.parameters[index].name;
        match &lengths[index] {
            Some(LengthOf::Values(_)) => Ok(chosen.arrays[index].expect("a listed length should be chosen")),
            Some(LengthOf::Parameter(by)) => {
                let of = |(p, _): &&(usize, u64)| signature.parameters[*p].name == *by;
                let found = chosen.parameters.iter().find(of);
                Ok(found.expect("a length parameter should be chosen").1)
            }
            None => Err(format!("the length of the array `{name}` is not known: give --length 4 or --length n=0..5")),
        }
    };
    let mut slots: Vec<Slot> = Vec::new();
    let mut arguments: Vec<Option<Argument>> = vec![None; signature.parameters.len()];
    // What stays comes first, so that the permuted slots are the last.
    let staying = (0..signature.parameters.len()).filter(|i| !permuted.contains(i));
    for index in staying.chain(permuted.iter().copied()) {
        let parameter = &signature.parameters[index];
        let argument = match &parameter.kind {
            ParameterKind::Scalar(ty) => match chosen.parameters.iter().find(|(p, _)| *p == index) {
                Some((_, length)) => Argument::Length(*length),
                None => {
                    slots.push(Slot { name: parameter.name.clone(), parameter: index, ty: *ty });
                    Argument::Slot(slots.len() - 1)
                }
            },
            ParameterKind::Array { of, .. } if domains[index].is_some() => {
                let first = slots.len();
                for i in 0..length_of(index)? {
                    slots.push(Slot { name: format!("{}[{i}]", parameter.name), parameter: index, ty: *of });
                }
                Argument::Array { slots: (first..slots.len()).collect(), of: *of }
            }
            ParameterKind::Array { of, .. } => Argument::Out { of: *of, length: length_of(index)? },
            ParameterKind::Record { leaves, size, align, .. } => {
                Argument::Record { leaves: leaves.clone(), size: *size, align: *align }
            }
            ParameterKind::Unsupported(why) => {
                return Err(format!("no value can be given for `{}`: {why}", parameter.name));
            }
        };
        arguments[index] = Some(argument);
    }
    let arguments: Vec<Argument> = arguments.into_iter().flatten().collect();
    let k = slots.iter().filter(|s| permuted.contains(&s.parameter)).count();
    let outputs = outputs(signature, request, &arguments)?;
    let mut shape = Shape { arguments, slots, k, outputs, relation: None };
    if signature.result != ResultKind::Any {
        shape.relate(&request.follow)?;
    }
    Ok(shape)
}

fn outputs(signature: &Signature, request: &Request, arguments: &[Argument]) -> Result<Vec<Output>, String> {
    if signature.result == ResultKind::Any {
        return Ok(Vec::new());
    }
    let named = |name: &str| {
        request.observe.iter().any(|o| o == name)
            || (request.observe.is_empty() && request.follow.named().contains(&name))
    };
    let result = match &signature.result {
        ResultKind::Void | ResultKind::Any => None,
        ResultKind::Scalar(ty) => {
            Some(Output { name: "return".into(), parameter: None, types: vec![Some(*ty)], scalar: true })
        }
        ResultKind::Record(leaves) => {
            let types = leaves.iter().map(|l| Some(l.ty)).collect();
            Some(Output { name: "return".into(), parameter: None, types, scalar: false })
        }
        ResultKind::Unsupported(why) if named("return") => {
            return Err(format!("the returned value of `{}` cannot be compared: {why}", signature.name));
        }
        ResultKind::Unsupported(_) => None,
    };
    let mut possible: Vec<(Output, bool)> = Vec::new();
    for (index, (parameter, argument)) in signature.parameters.iter().zip(arguments).enumerate() {
        let read_only = matches!(
            parameter.kind,
            ParameterKind::Array { read_only: true, .. } | ParameterKind::Record { read_only: true, .. }
        );
        let (types, given) = match argument {
            Argument::Slot(_) | Argument::Length(_) => continue,
            _ if read_only => continue,
            Argument::Array { slots, of } => (vec![*of; slots.len()], true),
            Argument::Out { of, length } => (vec![*of; *length as usize], false),
            Argument::Record { leaves, .. } => (leaves.iter().map(|l| Some(l.ty)).collect(), false),
        };
        possible.push((Output { name: parameter.name.clone(), parameter: Some(index), types, scalar: false }, given));
    }
    let known = || result.iter().chain(possible.iter().map(|(o, _)| o)).map(|o| o.name.as_str());
    if let Some(missing) = request.observe.iter().find(|o| !known().any(|k| k == o.as_str())) {
        let names: Vec<&str> = known().collect();
        let name = &signature.name;
        return Err(match names.is_empty() {
            true => format!("--observe: `{name}` has no output `{missing}`; it has none at all"),
            false => format!("--observe: `{name}` has no output `{missing}`; it has: {}", names.join(", ")),
        });
    }
    if !request.observe.is_empty() {
        let mut chosen: Vec<Output> = Vec::new();
        for name in &request.observe {
            let all = result.iter().chain(possible.iter().map(|(o, _)| o));
            chosen.extend(all.filter(|o| o.name == *name).cloned());
        }
        return Ok(chosen);
    }
    let nothing_else = result.is_none() && possible.iter().all(|(_, given)| *given);
    let mut chosen: Vec<Output> = result.into_iter().collect();
    for (output, given) in possible {
        if !given || nothing_else || request.follow.wants_arrays() || named(&output.name) {
            chosen.push(output);
        }
    }
    if chosen.is_empty() {
        let name = &signature.name;
        return Err(match &signature.result {
            ResultKind::Unsupported(why) => format!("the output of `{name}` cannot be compared: {why}"),
            _ => format!("`{name}` has no output: it returns void and fills no array"),
        });
    }
    Ok(chosen)
}
