//! Array relations as text for people: `A[i][j] == B[4*i + j]  for 0 <= i < 6, 0 <= j < 4`.

use super::ArrayRelation;
use super::affine::Affine;
use super::domain::{Domain, Moving, Values};
use super::expression::{Argument, Expr};
use super::functions::{Builtin, UserFunction};
use super::table::{ArrayVariable, Table};
use std::fmt::Write as _;

/// The names that a relation is written with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names {
    pub arrays: Vec<String>,
    pub scalars: Vec<String>,
    pub functions: Vec<String>,
    /// The indices of the pivot.
    pub indices: Vec<String>,
}

/// Names of indices, in the order they are taken.
const INDICES: [&str; 8] = ["i", "j", "k", "l", "m", "n", "p", "q"];

/// Between what an index lies: from the first up to, and without, the second; and what else holds of it.
pub struct Bounds {
    pub from: String,
    pub to: String,
    pub further: Vec<String>,
}

impl Names {
    /// The names of a table, and names for indices that nothing else has.
    pub fn of(table: &Table, functions: &[Box<dyn UserFunction>]) -> Names {
        let arrays: Vec<String> = table.arrays.iter().map(|ArrayVariable { name, .. }| name.clone()).collect();
        let taken = |name: &str| arrays.iter().chain(&table.scalars).any(|other| other == name);
        let fresh = |name: &str| {
            let mut name = name.to_string();
            while taken(&name) {
                name.push('_');
            }
            name
        };
        let free: Vec<&str> = INDICES.into_iter().filter(|name| !taken(name)).collect();
        let indices = match free.len() {
            0..4 => INDICES.iter().map(|name| fresh(name)).collect(),
            _ => free.into_iter().map(str::to_string).collect(),
        };
        let functions = functions.iter().map(|function| function.name().to_string()).collect();
        Names { scalars: table.scalars.clone(), arrays, functions, indices }
    }

    /// The left side: the pivot with its indices. Those behind `shown` are left out.
    pub fn left(&self, relation: &ArrayRelation, shown: usize) -> String {
        let indices: String = self.indices[..shown].iter().map(|index| format!("[{index}]")).collect();
        format!("{}{indices}", self.arrays[relation.pivot])
    }

    /// How many indices of the pivot are written: where a function gives whole rows, the last ones are not.
    pub fn written_indices(relation: &ArrayRelation) -> usize {
        let dimensions = relation.domain.values.len();
        match &relation.right {
            Expr::Call { indices, .. } if !indices.is_empty() => {
                let first = dimensions - indices.len();
                let own = |(n, index): (usize, &Expr)| matches!(index, Expr::Number(number) if *number == Affine::index(first + n, dimensions));
                if indices.iter().enumerate().all(own) { first } else { dimensions }
            }
            _ => dimensions,
        }
    }

    pub fn affine(&self, number: &Affine) -> String {
        // `N*i + j`, and `i + n`.
        let products = number.scalars.iter().filter_map(|part| {
            let index = &self.indices[part.index?];
            Some((part.factor, format!("{}*{index}", self.scalars[part.scalar])))
        });
        let indices = number.coefficients.iter().zip(&self.indices).map(|(c, index)| (*c, index.clone()));
        let plain = number.scalars.iter().filter(|part| part.index.is_none());
        let plain = plain.map(|part| (part.factor, self.scalars[part.scalar].clone()));
        let mut parts: Vec<(i64, String)> = products.chain(indices).chain(plain).collect();
        let positive_first = number.denominator == 1 && parts.iter().any(|(c, _)| *c > 0);
        // `nr - i` rather than `-i + nr`.
        if positive_first {
            parts.sort_by_key(|(c, _)| *c < 0);
        }
        let mut text = String::new();
        let below = number.denominator;
        let add = |coefficient: i64, of: &str, text: &mut String| {
            if coefficient == 0 {
                return;
            }
            let sign = match (text.is_empty(), coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let common = super::affine::gcd(coefficient.into(), below.into()) as i64;
            let (above, below) = (coefficient.abs() / common, below / common);
            let size = if below == 1 { above.to_string() } else { format!("{above}/{below}") };
            let _ = match of {
                "" => write!(text, "{size}"),
                of if size == "1" => write!(text, "{of}"),
                of => write!(text, "{size}*{of}"),
            };
        };
        let leading_constant = parts.iter().all(|(c, _)| *c <= 0) && number.constant > 0;
        if leading_constant {
            add(number.constant, "", &mut text);
        }
        parts.iter().for_each(|(coefficient, of)| add(*coefficient, of, &mut text));
        if !leading_constant {
            add(number.constant, "", &mut text);
        }
        if text.is_empty() {
            text.push('0');
        }
        if number.modulus > 0 {
            let several = parts.iter().filter(|(c, _)| *c != 0).count() + usize::from(number.constant != 0) > 1;
            text =
                if several { format!("({text}) % {}", number.modulus) } else { format!("{text} % {}", number.modulus) };
        }
        text
    }

    pub fn text(&self, expr: &Expr) -> String {
        self.expr(expr, false)
    }

    /// As [`Names::text`], with functions as C operators.
    pub fn operators(&self, expr: &Expr) -> String {
        self.expr(expr, true)
    }

    fn expr(&self, expr: &Expr, operators: bool) -> String {
        match expr {
            Expr::Number(number) => self.affine(number),
            Expr::Scalar(scalar) => self.scalars[*scalar].clone(),
            Expr::Element { array, indices } => {
                let indices: String =
                    indices.iter().map(|index| format!("[{}]", self.expr(index, operators))).collect();
                format!("{}{indices}", self.arrays[*array])
            }
            Expr::Apply(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument, operators)).collect();
                match (operators, arguments.as_slice()) {
                    (true, [one]) => format!("({}({one}))", function.symbol()),
                    (true, [first, second]) => format!("(({first}) {} ({second}))", function.symbol()),
                    _ => format!("{}({})", function.name(), arguments.join(", ")),
                }
            }
            Expr::Linear { parts, constant } => {
                let mut text = String::new();
                for (factor, part) in parts {
                    let part = self.expr(part, operators);
                    let (sign, factor) = match factor.is_constant() && factor.constant < 0 {
                        true => ("-", Affine { constant: -factor.constant, ..factor.clone() }),
                        false => ("+", factor.clone()),
                    };
                    let lead = match (text.is_empty(), sign) {
                        (true, "-") => "-".to_string(),
                        (true, _) => String::new(),
                        _ => format!(" {sign} "),
                    };
                    let factor = match factor {
                        factor if factor.is(1) => String::new(),
                        factor if factor.is_constant() => format!("{}*", self.affine(&factor)),
                        factor => format!("({})*", self.affine(&factor)),
                    };
                    let _ = write!(text, "{lead}{factor}{part}");
                }
                if !constant.is(0) {
                    let number = self.affine(constant);
                    let _ = match number.strip_prefix('-') {
                        Some(rest) => write!(text, " - {}", swapped_signs(rest)),
                        None => write!(text, " + {number}"),
                    };
                }
                text
            }
            Expr::Call { function, given, indices, .. } => {
                let given: Vec<String> = given.iter().map(|argument| self.argument(argument, operators)).collect();
                let indices: String =
                    indices.iter().map(|index| format!("[{}]", self.expr(index, operators))).collect();
                format!("{}({}){indices}", self.functions[*function], given.join(", "))
            }
        }
    }

    pub fn argument(&self, argument: &Argument, operators: bool) -> String {
        match argument {
            Argument::Value(value) => self.expr(value, operators),
            Argument::Slice { array, indices } => {
                let indices: String =
                    indices.iter().map(|index| format!("[{}]", self.expr(index, operators))).collect();
                format!("{}{indices}", self.arrays[*array])
            }
        }
    }

    fn bound(&self, moving: &Moving) -> String {
        let scalar = &self.scalars[moving.scalar];
        match moving.offset {
            0 => scalar.clone(),
            offset if offset < 0 => format!("{scalar} - {}", -offset),
            offset => format!("{scalar} + {offset}"),
        }
    }

    /// The bounds of an index of the pivot. A moving one comes first; a fixed one that counts beside it goes to
    /// [`Bounds::further`].
    pub fn bounds(&self, domain: &Domain, n: usize) -> Bounds {
        let (low, high) = domain.values[n].hull();
        let index = &self.indices[n];
        let moving =
            |upper: bool| domain.moving.iter().find(|m| m.index == n && m.upper == upper).map(|m| self.bound(m));
        let mut further = Vec::new();
        if moving(false).is_some() && low != i64::MIN {
            further.push(format!("{index} >= {low}"));
        }
        if moving(true).is_some() && high != i64::MAX {
            further.push(format!("{index} < {high}"));
        }
        let from = moving(false).unwrap_or_else(|| low.to_string());
        Bounds { from, to: moving(true).unwrap_or_else(|| high.to_string()), further }
    }

    /// The conditions on the indices, each as text.
    pub fn conditions(&self, domain: &Domain, indices: usize) -> Vec<String> {
        let mut conditions = Vec::new();
        for (n, values) in domain.values.iter().enumerate().take(indices) {
            let index = &self.indices[n];
            let Bounds { from, to, further } = self.bounds(domain, n);
            let (low, high) = values.hull();
            let alone = high.checked_sub(low) == Some(1) && domain.moving.is_empty();
            let range = if alone { format!("{index} == {from}") } else { format!("{from} <= {index} < {to}") };
            match values {
                Values::Range(..) => conditions.push(range),
                Values::Every { period, rest, .. } => {
                    conditions.push(range);
                    conditions.push(format!("{index} % {period} == {rest}"));
                }
                Values::Except { period, rests, .. } => {
                    conditions.push(range);
                    conditions.extend(rests.iter().map(|rest| format!("{index} % {period} != {rest}")));
                }
                Values::Set(set) => {
                    let set: Vec<String> = set.iter().map(i64::to_string).collect();
                    conditions.push(format!("{index} in {{{}}}", set.join(", ")));
                    let moving = domain.moving.iter().filter(|moving| moving.index == n);
                    conditions.extend(moving.map(|moving| match (moving.upper, self.bound(moving)) {
                        (true, bound) => format!("{index} < {bound}"),
                        (false, bound) => format!("{index} >= {bound}"),
                    }));
                    continue;
                }
            }
            conditions.extend(further);
        }
        if let Some(between) = &domain.between {
            let (first, second) = (&self.indices[between.first], &self.indices[between.second]);
            let symbol = between.relation.symbol();
            conditions.push(match (between.sum, between.bound) {
                (true, bound) => format!("{first} + {second} {symbol} {bound}"),
                (false, 0) => format!("{first} {symbol} {second}"),
                (false, bound) if bound > 0 => format!("{first} {symbol} {second} + {bound}"),
                (false, bound) => format!("{first} {symbol} {second} - {}", -bound),
            });
        }
        conditions
    }

    /// A relation on one line.
    pub fn relation(&self, relation: &ArrayRelation) -> String {
        let shown = Names::written_indices(relation);
        let right = match &relation.right {
            Expr::Call { function, given, result, indices } if shown < relation.domain.values.len() => {
                let kept = indices[..indices.len() - (relation.domain.values.len() - shown)].to_vec();
                Expr::Call { function: *function, given: given.clone(), result: *result, indices: kept }
            }
            other => other.clone(),
        };
        let conditions = self.conditions(&relation.domain, shown);
        let equation = format!("{} == {}", self.left(relation, shown), self.text(&right));
        if conditions.is_empty() { equation } else { format!("{equation}  for {}", conditions.join(", ")) }
    }
}

/// What stands behind a minus in front of a sum.
fn swapped_signs(rest: &str) -> String {
    let mut text = String::with_capacity(rest.len());
    let mut words = rest.split(' ').peekable();
    while let Some(word) = words.next() {
        text.push_str(match word {
            "+" => "-",
            "-" => "+",
            word => word,
        });
        if words.peek().is_some() {
            text.push(' ');
        }
    }
    text
}

/// The functions that are written as themselves in C.
pub fn is_operator(function: Builtin) -> bool {
    !matches!(function, Builtin::Not)
}
