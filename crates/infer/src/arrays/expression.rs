//! The right-hand sides of array relations, and their values at one visit.
//!
//! ```text
//! 7*B[2*i] + 3*i            Linear [7 * Element B [2i]] + 3i
//! B[C[2*i + 1]]             Element B [Element C [2i + 1]]
//! T[mod(add(L[a[i]], 5), 255)]
//! mixWord(s[i])[j]          Call
//! ```

use super::affine::{self, Affine, Ratio, whole};
use super::functions::{Builtin, Given, UserFunction};
use super::table::{Grid, Group, Visit};

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Expr {
    /// A number that depends on the indices.
    Number(Affine),
    /// A scalar of the location, by its number.
    Scalar(usize),
    Element {
        array: usize,
        indices: Vec<Expr>,
    },
    Apply(Builtin, Vec<Expr>),
    Linear {
        parts: Vec<(Affine, Expr)>,
        constant: Affine,
    },
    /// An element of an array that a function of the user's gives, or its value if there are no indices.
    Call {
        function: usize,
        given: Vec<Argument>,
        /// Which of the arrays that it writes.
        result: usize,
        indices: Vec<Expr>,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Argument {
    Value(Expr),
    /// The part of an array behind some first indices.
    Slice {
        array: usize,
        indices: Vec<Expr>,
    },
}

/// Where an expression is evaluated.
pub struct At<'a> {
    pub group: &'a Group<'a>,
    pub visit: &'a Visit,
    pub functions: &'a [Box<dyn UserFunction>],
    /// The indices of the pivot.
    pub indices: &'a [i64],
}

impl Expr {
    pub fn element(array: usize, indices: &[i64]) -> Expr {
        let number = |index: &i64| Expr::Number(Affine::constant(*index, 0));
        Expr::Element { array, indices: indices.iter().map(number).collect() }
    }

    pub fn number(value: i64) -> Expr {
        Expr::Number(Affine::constant(value, 0))
    }

    /// The value; `None` where there is none: an index out of range, an element that holds nothing, a division by zero.
    pub fn value(&self, at: &At<'_>) -> Option<Ratio> {
        match self {
            Expr::Number(number) => number.value(at.indices, &at.visit.scalars),
            Expr::Scalar(scalar) => Some((at.visit.scalars[*scalar]?.into(), 1)),
            Expr::Element { array, indices } => {
                let indices = numbers(indices, at)?;
                at.group.element(at.visit, *array, &indices)
            }
            Expr::Apply(function, arguments) => {
                let first = whole(arguments.first()?.value(at)?)?;
                let second = match arguments.get(1) {
                    Some(argument) => whole(argument.value(at)?)?,
                    None => 0,
                };
                Some((function.apply(first, second)?.into(), 1))
            }
            Expr::Linear { parts, constant } => {
                let mut sum = constant.value(at.indices, &at.visit.scalars)?;
                for (factor, part) in parts {
                    let factor = factor.value(at.indices, &at.visit.scalars)?;
                    // A part that does not count need not exist.
                    if factor.0 != 0 {
                        sum = affine::plus(sum, affine::times(factor, part.value(at)?)?)?;
                    }
                }
                Some(sum)
            }
            Expr::Call { function, given, result, indices } => {
                let given = given.iter().map(|argument| argument.value(at)).collect::<Option<Vec<Given>>>()?;
                let gave = at.functions[*function].call(&given)?;
                if indices.is_empty() {
                    return Some((gave.value?.into(), 1));
                }
                Some((gave.arrays.get(*result)?.at(&numbers(indices, at)?)?.into(), 1))
            }
        }
    }

    /// Calls `visit` on every number inside, in a fixed order; with the length of the array that it is an index of.
    pub fn numbers_mut(
        &mut self,
        length: Option<usize>,
        group: &Group<'_>,
        visit: &mut dyn FnMut(&mut Affine, Option<usize>),
    ) {
        match self {
            Expr::Number(number) => visit(number, length),
            Expr::Scalar(_) => {}
            Expr::Element { array, indices } => {
                for (position, index) in indices.iter_mut().enumerate() {
                    index.numbers_mut(group.extents(*array).get(position).copied(), group, visit);
                }
            }
            Expr::Apply(_, arguments) => arguments.iter_mut().for_each(|a| a.numbers_mut(None, group, visit)),
            Expr::Linear { parts, constant } => {
                for (factor, part) in parts {
                    visit(factor, None);
                    part.numbers_mut(None, group, visit);
                }
                visit(constant, None);
            }
            Expr::Call { given, indices, .. } => {
                for argument in given {
                    match argument {
                        Argument::Value(value) => value.numbers_mut(None, group, visit),
                        Argument::Slice { array, indices } => {
                            for (position, index) in indices.iter_mut().enumerate() {
                                index.numbers_mut(group.extents(*array).get(position).copied(), group, visit);
                            }
                        }
                    }
                }
                indices.iter_mut().for_each(|index| index.numbers_mut(None, group, visit));
            }
        }
    }

    /// The parts directly inside.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Number(_) | Expr::Scalar(_) => Vec::new(),
            Expr::Element { indices, .. } => indices.iter().collect(),
            Expr::Apply(_, arguments) => arguments.iter().collect(),
            Expr::Linear { parts, .. } => parts.iter().map(|(_, part)| part).collect(),
            Expr::Call { given, indices, .. } => {
                let inside = given.iter().flat_map(|argument| match argument {
                    Argument::Value(value) => vec![value],
                    Argument::Slice { indices, .. } => indices.iter().collect(),
                });
                inside.chain(indices).collect()
            }
        }
    }

    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.children().into_iter().for_each(|child| child.walk(visit));
    }

    /// Whether a number in it is a fraction.
    pub fn has_fraction(&self) -> bool {
        let mut fraction = false;
        self.walk(&mut |part| match part {
            Expr::Number(number) => fraction |= number.denominator > 1,
            Expr::Linear { parts, constant } => {
                fraction |= constant.denominator > 1 || parts.iter().any(|(factor, _)| factor.denominator > 1);
            }
            _ => {}
        });
        fraction
    }

    /// The arrays it speaks of, each once.
    pub fn arrays(&self) -> Vec<usize> {
        let mut arrays = Vec::new();
        self.walk(&mut |expr| match expr {
            Expr::Element { array, .. } => arrays.push(*array),
            Expr::Call { given, .. } => arrays.extend(given.iter().filter_map(|argument| match argument {
                Argument::Slice { array, .. } => Some(*array),
                Argument::Value(_) => None,
            })),
            _ => {}
        });
        arrays.sort_unstable();
        arrays.dedup();
        arrays
    }

    /// How many arrays and functions are nested inside each other.
    pub fn depth(&self) -> usize {
        let inside = self.children().into_iter().map(Expr::depth).max().unwrap_or(0);
        match self {
            Expr::Number(_) | Expr::Scalar(_) | Expr::Linear { .. } => inside,
            Expr::Element { .. } | Expr::Apply(..) | Expr::Call { .. } => inside + 1,
        }
    }

    /// How hard it is to read.
    pub fn weight(&self) -> u64 {
        let own = match self {
            Expr::Number(number) => return number.weight(),
            Expr::Scalar(_) => 1,
            Expr::Element { .. } => 4,
            Expr::Apply(..) | Expr::Call { .. } => 8,
            Expr::Linear { parts, constant } => {
                constant.weight() + parts.iter().map(|(factor, _)| 2 + factor.weight()).sum::<u64>()
            }
        };
        own + self.children().into_iter().map(Expr::weight).sum::<u64>()
    }
}

impl Argument {
    fn value(&self, at: &At<'_>) -> Option<Given> {
        match self {
            Argument::Value(value) => Some(Given::Scalar(whole(value.value(at)?)?)),
            Argument::Slice { array, indices } => {
                let first = numbers(indices, at)?;
                slice(at.visit.arrays[*array].as_ref()?, &first).map(Given::Array)
            }
        }
    }
}

fn numbers(indices: &[Expr], at: &At<'_>) -> Option<Vec<i64>> {
    indices.iter().map(|index| whole(index.value(at)?)).collect()
}

/// The part of an array behind some first indices.
pub fn slice(grid: &Grid, first: &[i64]) -> Option<Grid> {
    let (outer, inner) = grid.extents.split_at(first.len());
    let size: usize = inner.iter().product();
    let start = super::table::flat(outer, first)? * size;
    let defined = if grid.defined.is_empty() { Vec::new() } else { grid.defined[start..start + size].to_vec() };
    Some(Grid { extents: inner.to_vec(), cells: grid.cells[start..start + size].to_vec(), defined, address: None })
}
