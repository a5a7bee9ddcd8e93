//! Terms as people write them.

use crate::signature::SortId;
use crate::solution::is_numbered;
use crate::system::System;
use crate::term::{Builtin, Head, Store, TermId, VarId};
use hashbrown::HashMap;
use std::fmt::Write as _;

/// What variables are called.
#[derive(Clone, Debug, Default)]
pub struct Names {
    given: HashMap<VarId, String>,
    taken: Vec<String>,
    next: usize,
}

impl Names {
    /// Names that none of the variables to come shall have.
    pub fn avoiding(taken: impl IntoIterator<Item = String>) -> Names {
        Names { taken: taken.into_iter().collect(), ..Names::default() }
    }

    pub fn set(&mut self, var: VarId, name: &str) {
        self.given.insert(var, name.to_string());
    }

    /// The name of the variable; one without a name gets the next of u, v, w, x, y, z, a, …, t, u1, v1, ….
    pub fn name(&mut self, var: VarId) -> String {
        if let Some(name) = self.given.get(&var) {
            return name.clone();
        }
        let name = loop {
            let letters = b"uvwxyzabcdefghijklmnopqrst";
            let (letter, round) = (letters[self.next % 26] as char, self.next / 26);
            self.next += 1;
            let name = if round == 0 { letter.to_string() } else { format!("{letter}{round}") };
            if !self.taken.contains(&name) {
                break name;
            }
        };
        self.given.insert(var, name.clone());
        name
    }
}

/// The term as text: `tree(u, null, v)`, `x + 1 < y`.
pub fn show(system: &System, store: &Store, term: TermId, names: &mut Names) -> String {
    let mut text = String::new();
    write_term(system, store, term, None, names, &mut text, 0);
    text
}

/// As [`show`], for a term of that sort, which says how numbers are meant.
pub fn show_value(system: &System, store: &Store, term: TermId, sort: SortId, names: &mut Names) -> String {
    let mut text = String::new();
    write_term(system, store, term, Some(sort), names, &mut text, 0);
    text
}

/// The operator as written between its operands, and how strongly it binds.
fn infix(builtin: Builtin) -> Option<(&'static str, u8)> {
    Some(match builtin {
        Builtin::Eq => ("==", 3),
        Builtin::Lt => ("<", 3),
        Builtin::Le => ("<=", 3),
        Builtin::Add => ("+", 4),
        Builtin::Sub => ("-", 4),
        Builtin::Mul => ("*", 5),
        Builtin::Div => ("/", 5),
        Builtin::Rem => ("%", 5),
        _ => return None,
    })
}

fn write_term(
    system: &System,
    store: &Store,
    term: TermId,
    sort: Option<SortId>,
    names: &mut Names,
    text: &mut String,
    strength: u8,
) {
    let args = store.args(term);
    match store.head(term) {
        Head::Var(var) => text.push_str(&names.name(var)),
        Head::Int(value) => match sort {
            Some(sort) if sort != SortId::INT && is_numbered(system, sort) => {
                let _ = write!(text, "{}{value}", system.signature.sort(sort).name);
            }
            _ => {
                let _ = write!(text, "{value}");
            }
        },
        Head::Symbol(symbol) => {
            let symbol = system.signature.symbol(symbol);
            text.push_str(symbol.name.split('#').next().unwrap_or(&symbol.name));
            if !args.is_empty() {
                text.push('(');
                for (i, arg) in args.iter().enumerate() {
                    if i > 0 {
                        text.push_str(", ");
                    }
                    write_term(system, store, *arg, symbol.args.get(i).copied(), names, text, 0);
                }
                text.push(')');
            }
        }
        Head::Builtin(builtin) => {
            if let (Some((operator, own)), [a, b]) = (infix(builtin), args) {
                let open = own <= strength && strength > 0;
                if open {
                    text.push('(');
                }
                // Numbers in an equation of open values are such values too.
                let inner = [a, b].iter().find_map(|t| store.as_var(**t)).map(|var| store.var_sort(var));
                write_term(system, store, *a, inner, names, text, own - 1);
                let _ = write!(text, " {operator} ");
                write_term(system, store, *b, inner, names, text, own);
                if open {
                    text.push(')');
                }
                return;
            }
            let name = match builtin {
                Builtin::And => "and",
                Builtin::Or => "or",
                Builtin::Not => "not",
                Builtin::If => "if",
                Builtin::Mod => "mod",
                Builtin::Neg => "-",
                Builtin::Defined => "defined",
                Builtin::Undefined => "undefined",
                _ => unreachable!("{builtin:?} should stand between its operands"),
            };
            text.push_str(name);
            if !args.is_empty() {
                text.push('(');
                for (i, arg) in args.iter().enumerate() {
                    if i > 0 {
                        text.push_str(", ");
                    }
                    write_term(system, store, *arg, None, names, text, 0);
                }
                text.push(')');
            }
        }
    }
}
