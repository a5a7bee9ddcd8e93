//! A program in any language as a target: a line of JSON for each call, a line of JSON for each answer.
//!
//! A question is an array of the arguments in their order; an array argument is an array. An answer that is an object
//! has one output for each member, any other has one output called `return`; an array has as many positions as
//! elements, everything else has one.

use exec::Scalar;
use logic::{Number, Predicate, Undefined};
use replay::{Conversation, Silence};
use serde_json::{Value, json};
use symmetry::answer::{Answer, Object, Value as Position};
use symmetry::conversing::{Asked, Target};
use symmetry::engine::{EngineError, Fault, Limits};
use symmetry::shape::{Argument, Output, Problem, Shape};

pub(super) struct Spoken<'a> {
    words: Vec<String>,
    limits: Limits<'a>,
    conversation: Option<Conversation>,
    /// The next question is asked even if everything else shall stop: it completes what was found.
    last: bool,
}

impl<'a> Spoken<'a> {
    pub fn new(words: Vec<String>, limits: Limits<'a>) -> Spoken<'a> {
        Spoken { words, limits, conversation: None, last: false }
    }
}

impl Target for Spoken<'_> {
    fn ask(&mut self, shape: &Shape, inputs: &[Vec<Scalar>]) -> Result<Asked, EngineError> {
        let questions: Vec<String> = inputs.iter().map(|input| question(shape, input)).collect();
        let started = |error| format!("--exec: `{}` cannot be started: {error}", self.words[0]);
        let conversation = match &mut self.conversation {
            Some(conversation) => conversation,
            None => self.conversation.insert(Conversation::start(&self.words).map_err(started)?),
        };
        let (lines, silence) = conversation
            .ask(
                &questions,
                self.limits.call,
                (!std::mem::take(&mut self.last)).then_some(&*self.limits.deadline.cancel),
            )
            .map_err(|error| format!("--exec: `{}` cannot be asked: {error}", self.words[0]))?;
        if silence.is_some() {
            self.conversation = None;
        }
        let mut asked = Asked::default();
        for line in lines {
            match serde_json::from_str(&line) {
                Ok(value) => asked.answers.push(answer(value)),
                Err(_) => {
                    let shown: String = line.chars().take(60).collect();
                    asked.fault = Some(Fault::Garbage(format!("its answer is not JSON: `{shown}`")));
                    // What follows answers other questions than we think.
                    self.conversation = None;
                    return Ok(asked);
                }
            }
        }
        asked.fault = silence.map(|silence| match silence {
            Silence::Waited | Silence::Cancelled => Fault::Hung(self.limits.call),
            Silence::Endless => Fault::Garbage("its answer does not end".to_string()),
            Silence::Ended { how, said } => {
                let last = said.lines().rev().find(|line| !line.trim().is_empty());
                Fault::Crashed(last.map_or(how.clone(), |last| format!("{how}; the last it said is `{}`", last.trim())))
            }
        });
        Ok(asked)
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        self.conversation = None;
        self.last = true;
        Ok(())
    }
}

fn number(value: &Scalar) -> Value {
    match value {
        Scalar::Int(int) => match (i64::try_from(*int), u64::try_from(*int)) {
            (Ok(int), _) => json!(int),
            (_, Ok(int)) => json!(int),
            _ => json!(*int as f64),
        },
        Scalar::Float(float) => json!(float),
    }
}

/// The arguments of a call, in their order.
pub(super) fn arguments(shape: &Shape, input: &[Scalar]) -> Vec<Value> {
    shape
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Slot(slot) => number(&input[*slot]),
            Argument::Length(length) => json!(length),
            Argument::Array { slots, .. } => slots.iter().map(|slot| number(&input[*slot])).collect(),
            Argument::Out { .. } | Argument::Record { .. } => Value::Null,
        })
        .collect()
}

fn question(shape: &Shape, input: &[Scalar]) -> String {
    Value::Array(arguments(shape, input)).to_string()
}

fn answer(value: Value) -> Answer {
    let object = |name: String, value: Value| match value {
        Value::Array(values) => Object { name, values: values.into_iter().map(position).collect(), scalar: false },
        other => Object { name, values: vec![position(other)], scalar: true },
    };
    let mut objects: Vec<Object> = match value {
        Value::Object(members) => members.into_iter().map(|(name, value)| object(name, value)).collect(),
        other => vec![object("return".to_string(), other)],
    };
    objects.sort_by(|a, b| a.name.cmp(&b.name));
    Answer { objects }
}

fn position(value: Value) -> Position {
    match &value {
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(int), _, _) => Position::Int(int.into()),
            (_, Some(int), _) => Position::Int(int.into()),
            (_, _, float) => Position::Float(float.unwrap_or(f64::NAN)),
        },
        other => Position::Text(canonical(other)),
    }
}

/// Equal values have equal texts: members are sorted.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<String> =
                members.iter().map(|(name, value)| format!("{}:{}", json!(name), canonical(value))).collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

type Assumption = dyn Fn(&Shape, &[Scalar]) -> bool + Sync;

/// The assumptions as something to ask; they are read as `plumb` reads predicates, since there is no compiler.
pub(super) fn assumption(problem: &Problem) -> Result<Box<Assumption>, EngineError> {
    let names: Vec<String> = problem.signature.parameters.iter().map(|p| p.name.clone()).collect();
    let mut predicates = Vec::new();
    for text in &problem.request.assume {
        let predicate = Predicate::parse(text).map_err(|error| format!("--assume '{text}': {error}"))?;
        if let Some(unknown) = predicate.variables().into_iter().find(|v| !names.iter().any(|n| n == v)) {
            let known = names.join(", ");
            return Err(format!("--assume '{text}': there is no argument `{unknown}`; there are: {known}").into());
        }
        predicates.push(predicate);
    }
    Ok(Box::new(move |shape: &Shape, input: &[Scalar]| {
        let value = |scalar: &Scalar| match scalar {
            Scalar::Int(int) => Some(Number::Small(*int)),
            Scalar::Float(float) => Number::float(*float),
        };
        let lookup = |name: &str, indices: &[Number]| {
            let missing = || Undefined::Unknown(name.to_string());
            let index = names.iter().position(|n| n == name).ok_or_else(missing)?;
            match (&shape.arguments[index], indices) {
                (Argument::Slot(slot), []) => value(&input[*slot]).ok_or_else(missing),
                (Argument::Length(length), []) => Ok(Number::Small(i128::from(*length))),
                (Argument::Array { slots, .. }, [Number::Small(at)]) => {
                    let slot = usize::try_from(*at).ok().and_then(|at| slots.get(at)).ok_or_else(missing)?;
                    value(&input[*slot]).ok_or_else(missing)
                }
                _ => Err(missing()),
            }
        };
        // What has no truth value does not hold.
        predicates.iter().all(|p| p.evaluate(&lookup).unwrap_or(false))
    }))
}

/// Tuples that are looked at to find one that the assumptions admit.
const TRIED: usize = 100_000;

/// Asks one question of each shape to learn what the outputs are, and decides the relation.
pub(super) fn learn(
    problem: &mut Problem,
    target: &mut Spoken<'_>,
    assumption: &Assumption,
) -> Result<(), EngineError> {
    let follow = problem.request.follow.clone();
    for index in 0..problem.shapes.len() {
        let space = problem.space(&problem.shapes[index])?;
        let shape = &mut problem.shapes[index];
        let mut random = fastrand::Rng::with_seed(1);
        let domains: Vec<_> = space.fixed.iter().chain(std::iter::repeat_n(&space.union, shape.k)).collect();
        if domains.iter().any(|d| d.count() == 0) {
            continue;
        }
        let mut draws = (0..TRIED).map(|_| symmetry::domain::draw(&domains, &mut random));
        let Some(input) = draws.find(|tuple| assumption(shape, tuple)) else {
            return Err("no tuple was found that satisfies --assume; the domain may be empty".into());
        };
        let asked = target.ask(shape, std::slice::from_ref(&input))?;
        let Some(first) = asked.answers.into_iter().next() else {
            let what = asked.fault.map_or("it does not answer".to_string(), |f| symmetry::native::describe(&f));
            return Err(format!("--exec: the program was asked {} and {what}", question(shape, &input)).into());
        };
        shape.outputs = first
            .objects
            .iter()
            .map(|o| Output {
                name: o.name.clone(),
                parameter: None,
                types: vec![None; o.values.len()],
                scalar: o.scalar,
            })
            .collect();
        shape.relate(&follow)?;
    }
    // Shapes without tuples have no outputs; they are never asked.
    problem.shapes.retain(|shape| shape.relation.is_some());
    match problem.shapes.is_empty() {
        true => Err("the domain is empty".into()),
        false => Ok(()),
    }
}
