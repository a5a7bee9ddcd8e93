//! What the user wrote: `/*@ requires …; ensures …; */` before a function, and `--assume`.
//!
//! The part of ACSL that is read: C's expressions without calls, `\result`, `\old(…)`, `\at(…, Pre)`, `\null`, `\true`,
//! `\false`, `==>`, `<==>`, chains of comparisons, `\valid(p)` and `\valid_read(p)` of one object. `requires` is assumed
//! and named; `ensures` becomes a claim; `assigns` and the rest is left to others. What cannot be read is said.

use crate::harness::{LOOK, PROVE};
use crate::{Candidate, Condition, Config, Origin, Requirement, Standing, Work, harnesses, mathematics};
use ir::Program;

/// Clauses of one function, in ACSL.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Annotation {
    pub requires: Vec<String>,
    pub ensures: Vec<String>,
}

/// Reads what stands before the functions and what was given with the question.
pub(crate) fn read(program: &Program, config: &Config, works: &mut [Work]) -> Result<(), String> {
    for (function, text) in &config.assumed {
        if !function.is_empty() && !works.iter().any(|work| work.subject.name == *function) {
            return Err(format!("There is no function `{function}` here, of which `{text}` could be assumed."));
        }
    }
    let texts: Vec<Option<String>> =
        config.files.iter().map(|path| cfront::preprocess::read_text(&path.to_string_lossy())).collect();
    for work in works {
        let function = &program.functions[work.subject.function];
        let at = program.sources.used(function.span).map(|region| region.start);
        let own = at.and_then(|place| {
            let file = program.sources.file(place.file).path.clone();
            let index = config.files.iter().position(|path| path.to_string_lossy() == file.as_str())?;
            before(texts[index].as_deref()?, place.line as usize)
        });
        work.annotation = own.unwrap_or_default();
        let mut requires = work.annotation.requires.clone();
        let applies = |name: &String| name.is_empty() || *name == work.subject.name;
        let mine: Vec<&(String, String)> = config.assumed.iter().filter(|(name, _)| applies(name)).collect();
        for (name, text) in mine {
            let parameters: Vec<&str> = function.params.iter().map(|p| function.locals[*p].name.as_str()).collect();
            // Said of all functions, it is meant for those that have what it speaks of.
            let speaks = words(text).iter().all(|word| parameters.contains(&word.as_str()));
            if !name.is_empty() || speaks {
                requires.push(text.clone());
            }
        }
        for text in requires {
            let c = to_c(&text, work, false);
            let c = match c {
                Ok(c) => Some(c),
                Err(why) => {
                    work.notes.push(format!("`requires {text}` is not used: {why}."));
                    None
                }
            };
            work.requires.push(Condition {
                requirement: Requirement {
                    text,
                    is_acsl: true,
                    origin: Origin::User,
                    broken: 0,
                    example: String::new(),
                },
                c,
            });
        }
        for (number, text) in work.annotation.ensures.clone().into_iter().enumerate() {
            match to_c(&text, work, true) {
                Ok(c) => work.clauses.push(Candidate {
                    text,
                    is_acsl: true,
                    c,
                    when: None,
                    rank: number as u32,
                    origin: Origin::User,
                    alive: true,
                    standing: None,
                }),
                Err(why) => work.notes.push(format!("`ensures {text}` is not checked: {why}.")),
            }
        }
    }
    Ok(())
}

/// Requirements that C computes otherwise than ACSL are not used.
pub(crate) fn keep_requirements(program: &Program, works: &mut [Work]) {
    let looks = harnesses(program, works, LOOK);
    for work in works {
        let Some(&look) = looks.get(&work.subject.key) else { continue };
        let alike = mathematics::of_clauses(program, look, true, "plumb_u");
        let given = work.requires.iter_mut().filter(|condition| condition.c.is_some());
        for (number, condition) in given.enumerate() {
            if alike.get(number) != Some(&true) && condition.requirement.origin == Origin::User {
                condition.c = None;
                work.notes.push(format!("`requires {}` is not used: {OTHERWISE}.", condition.requirement.text));
            }
        }
    }
}

/// Clauses that C computes otherwise than ACSL are not judged.
pub(crate) fn keep_clauses(program: &Program, works: &mut [Work]) {
    let proofs = harnesses(program, works, PROVE);
    for work in works {
        let Some(&proof) = proofs.get(&work.subject.key) else { continue };
        let alike = mathematics::of_clauses(program, proof, false, "plumb_u");
        let is_known = alike.len() == work.clauses.len();
        for (number, clause) in work.clauses.iter_mut().enumerate().filter(|(_, clause)| clause.origin == Origin::User)
        {
            if !is_known || !alike[number] {
                clause.alive = false;
                clause.standing = Some(Standing::Unknown { why: OTHERWISE.to_string() });
            }
        }
    }
}

const OTHERWISE: &str =
    "C may compute it otherwise than ACSL means it, where a sum or a conversion does not fit its type";

/// The names in a text.
fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut member = false;
    for token in tokens(text) {
        let is_name = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if is_name && !member {
            found.push(token.clone());
        }
        member = token == "." || token == "->";
    }
    found
}

/// The annotation that ends before a line, counted from one; nothing but blanks and the function's own type may stand
/// between.
fn before(text: &str, line: usize) -> Option<Annotation> {
    let offset: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let head = &text[..offset.min(text.len())];
    let mut annotation = Annotation::default();
    let mut found = false;
    let mut head = head.trim_end();
    loop {
        if let Some(inner) = head.strip_suffix("*/") {
            let start = inner.rfind("/*")?;
            let Some(body) = inner[start..].strip_prefix("/*@") else {
                head = head[..start].trim_end();
                continue;
            };
            add(body.trim_end_matches('@'), &mut annotation);
            found = true;
            head = head[..start].trim_end();
            continue;
        }
        let last = head.rsplit('\n').next().unwrap_or_default().trim_start();
        if let Some(body) = last.strip_prefix("//@") {
            add(body, &mut annotation);
            found = true;
            head = head[..head.len() - last.len()].trim_end();
            continue;
        }
        // The type may stand on a line of its own.
        let is_type = !last.is_empty() && last.chars().all(|c| c.is_ascii_alphanumeric() || " _*".contains(c));
        if is_type && !found && head.len() > last.len() && !last.starts_with('#') {
            head = head[..head.len() - last.len()].trim_end();
            if head.ends_with("*/") || head.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("//@"))
            {
                continue;
            }
        }
        break;
    }
    // Comments were met from the last to the first.
    found.then_some(annotation)
}

fn add(body: &str, annotation: &mut Annotation) {
    let text: String = body
        .lines()
        .map(|line| line.trim().trim_start_matches('@').split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ");
    let (mut requires, mut ensures) = (Vec::new(), Vec::new());
    for clause in text.split(';') {
        let clause = clause.trim();
        if let Some(said) = clause.strip_prefix("requires") {
            requires.push(said.trim().to_string());
        } else if let Some(said) = clause.strip_prefix("ensures") {
            ensures.push(said.trim().to_string());
        }
    }
    requires.append(&mut annotation.requires);
    ensures.append(&mut annotation.ensures);
    *annotation = Annotation { requires, ensures };
}

fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        let start = at;
        if c.is_ascii_alphanumeric() || c == '_' || c == '\\' {
            at += 1;
            while at < chars.len() && (chars[at].is_ascii_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
        } else if c == '\'' {
            at += 1;
            while at < chars.len() && chars[at] != '\'' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at = (at + 1).min(chars.len());
        } else {
            let three: String = chars[at..(at + 3).min(chars.len())].iter().collect();
            let four: String = chars[at..(at + 4).min(chars.len())].iter().collect();
            at += match () {
                () if four == "<==>" => 4,
                () if three == "==>" => 3,
                () if ["->", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"].iter().any(|op| three.starts_with(op)) => {
                    2
                }
                () => 1,
            };
        }
        tokens.push(chars[start..at].iter().collect());
    }
    tokens
}

/// A condition in C over the names of harnesses.
fn to_c(text: &str, work: &mut Work, after: bool) -> Result<String, String> {
    let tokens = tokens(text);
    let mut open = 0i32;
    for token in &tokens {
        open += match token.as_str() {
            "(" => 1,
            ")" => -1,
            _ => 0,
        };
        if open < 0 {
            break;
        }
    }
    if tokens.is_empty() || open != 0 {
        return Err("it is no expression".to_string());
    }
    implication(&tokens, work, after)
}

/// Splits at an operator that stands in no parentheses.
fn split<'t>(tokens: &'t [String], operators: &[&str]) -> Vec<(&'t [String], Option<&'t str>)> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i32);
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            other if depth == 0 && operators.contains(&other) => {
                parts.push((&tokens[start..at], Some(other)));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push((&tokens[start..], None));
    parts
}

fn implication(tokens: &[String], work: &mut Work, after: bool) -> Result<String, String> {
    let same = split(tokens, &["<==>"]);
    if let [(left, _), (right, _)] = same.as_slice() {
        let (left, right) = (implication(left, work, after)?, implication(right, work, after)?);
        return Ok(format!("!({left}) == !({right})"));
    }
    let parts = split(tokens, &["==>"]);
    let Some(((last, _), before)) = parts.split_last() else { return Err("it is empty".to_string()) };
    let mut text = disjunction(last, work, after)?;
    for (part, _) in before.iter().rev() {
        text = format!("(!({}) || ({text}))", disjunction(part, work, after)?);
    }
    Ok(text)
}

fn disjunction(tokens: &[String], work: &mut Work, after: bool) -> Result<String, String> {
    let mut sides = Vec::new();
    for (part, _) in split(tokens, &["||"]) {
        let mut all = Vec::new();
        for (part, _) in split(part, &["&&"]) {
            all.push(comparison(part, work, after)?);
        }
        sides.push(all.join(" && "));
    }
    Ok(if sides.len() == 1 { sides.remove(0) } else { format!("(({}))", sides.join(") || (")) })
}

/// One comparison, or a chain of them.
fn comparison(tokens: &[String], work: &mut Work, after: bool) -> Result<String, String> {
    if tokens.is_empty() {
        return Err("a part of it is empty".to_string());
    }
    let parts = split(tokens, &["<", "<=", ">", ">=", "==", "!="]);
    let texts: Vec<String> = parts.iter().map(|(part, _)| atoms(part, work, after)).collect::<Result<_, _>>()?;
    if let [only] = texts.as_slice() {
        return Ok(only.clone());
    }
    let links = texts
        .windows(2)
        .zip(&parts)
        .map(|(pair, (_, operator))| format!("({}) {} ({})", pair[0], operator.unwrap_or("=="), pair[1]));
    Ok(format!("({})", links.collect::<Vec<_>>().join(" && ")))
}

/// Whether tokens are one application of a predicate and nothing more, so that less can be meant by it.
fn is_claim_alone(tokens: &[String]) -> bool {
    let closes = tokens.iter().position(|token| token == ")");
    tokens.get(1).is_some_and(|token| token == "(") && closes == Some(tokens.len() - 1)
}

fn atoms(tokens: &[String], work: &mut Work, after: bool) -> Result<String, String> {
    let mut text = String::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at].as_str();
        let inner = |at: usize| -> Result<(usize, usize), String> {
            if tokens.get(at).map(String::as_str) != Some("(") {
                return Err(format!("`{token}` should have something in parentheses"));
            }
            let mut depth = 0;
            for (end, token) in tokens.iter().enumerate().skip(at) {
                match token.as_str() {
                    "(" => depth += 1,
                    ")" => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    return Ok((at + 1, end));
                }
            }
            Err("a parenthesis is not closed".to_string())
        };
        match token {
            "(" => {
                let (from, to) = inner(at)?;
                // A cast is left as it is.
                text += &format!("({})", implication(&tokens[from..to], work, after)?);
                at = to + 1;
                continue;
            }
            "\\result" if after => text += "plumb_r",
            "\\null" => text += "((void *)0)",
            "\\true" => text += "1",
            "\\false" => text += "0",
            "\\old" | "\\at" if after => {
                let (from, to) = inner(at + 1)?;
                let mut asked = &tokens[from..to];
                if token == "\\at" {
                    let parts = split(asked, &[","]);
                    match parts.as_slice() {
                        [(of, _), (label, _)] if label.len() == 1 && (label[0] == "Pre" || label[0] == "Old") => {
                            asked = of;
                        }
                        _ => return Err("`\\at` is read with `Pre` alone".to_string()),
                    }
                }
                let old = atoms(asked, work, false)?;
                let number = work.subject.ask(old);
                text += &format!("plumb_u{number}");
                at = to + 1;
                continue;
            }
            "\\old" | "\\at" => {
                let (from, to) = inner(at + 1)?;
                text += &format!("({})", atoms(&tokens[from..to], work, after)?);
                at = to + 1;
                continue;
            }
            "\\valid" | "\\valid_read" if after || !is_claim_alone(tokens) => {
                return Err("that something is valid is read as a requirement of its own alone".to_string());
            }
            "\\valid" | "\\valid_read" => {
                let (from, to) = inner(at + 1)?;
                if tokens[from..to].iter().any(|token| token == "+" || token == "..") {
                    return Err("C cannot tell how far a buffer goes".to_string());
                }
                text += &format!("({} != 0)", atoms(&tokens[from..to], work, after)?);
                at = to + 1;
                continue;
            }
            other if other.starts_with('\\') => return Err(format!("`{other}` is not among what is read")),
            "=" | ";" | "{" | "}" | "?" | "#" | "@" => return Err(format!("`{token}` has no place in it")),
            other => {
                let is_name = other.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
                if is_name && tokens.get(at + 1).is_some_and(|next| next == "(") && other != "sizeof" {
                    return Err(format!("`{other}` is a call"));
                }
                text += other;
            }
        }
        text.push(' ');
        at += 1;
    }
    Ok(text.trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_stand_right_before_their_function() {
        let text =
            "/*@ requires a != 0;\n  @ ensures \\result >= 0; */\n// about it\n/* more */\nstatic int\nf(int a)\n";
        let found = before(text, 6);
        assert_eq!(found, None, "a comment of two slashes ends the search");
        let text = "//@ requires a != 0;\n/* more */\n/*@ ensures \\result >= 0; assigns \\nothing; */\nstatic int\nf(int a)\n";
        let found = before(text, 5).expect("the annotation should be found");
        assert_eq!((found.requires, found.ensures), (vec!["a != 0".into()], vec!["\\result >= 0".into()]));
        assert_eq!(before("int g;\nint f(void) { }\n", 2), None);
    }
}
