//! Text to predicate. One expression grammar serves numbers and truth values, so parentheses need no look-ahead; each
//! operator checks what it was given.
//!
//! ```text
//! implication   or ( '==>' implication )?
//! or            and ( '||' and )*
//! and           not ( '&&' not )*
//! not           '!' not | comparison
//! comparison    sum ( ( '==' | '!=' | '<' | '<=' | '>' | '>=' ) sum )* | sum '===' sum '(' 'mod' number ')'
//! sum           product ( ( '+' | '-' ) product )*
//! product       unary ( ( '*' | '/' | '%' | 'div' | 'mod' ) unary )*
//! unary         '-' unary | power
//! power         atom ( ( '^' | '**' ) number )? | number ( '^' | '**' ) atom
//! atom          number | name | name '[' sum ']'… | ('min'|'max'|'abs'|'div'|'mod') '(' sum ',' … ')' | '(' implication ')'
//!             | 'true' | 'false'
//! ```

use super::{Operator, Predicate, Relation, Term};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// Where and why a text is not a predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Byte offset in the text.
    pub at: usize,
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {}: {}", self.at + 1, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Open parentheses, signs and negations at one place; keeps recursion within any stack.
const MOST_NESTED: u32 = 200;
/// Largest exponent.
const MOST_POWER: u32 = 10_000;
/// Longest literal, in digits.
const MOST_DIGITS: usize = 10_000;

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Number(RBig),
    Name(String),
    Symbol(&'static str),
    End,
}

/// Longest first, so that `<=` is not read as `<`.
const SYMBOLS: [&str; 26] = [
    "<==>", "==>", "===", "==", "!=", "<=", ">=", "&&", "||", "**", "+", "-", "*", "/", "%", "^", "<", ">", "!", "(",
    ")", "[", "]", ",", "=", ".",
];

fn tokens(text: &str) -> Result<Vec<(Token, usize)>, ParseError> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        let run = |from: usize, accept: fn(u8) -> bool| from + bytes[from..].iter().take_while(|b| accept(**b)).count();
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if byte.is_ascii_digit() {
            at = run(at, |b| b.is_ascii_digit());
            let mut digits = text[start..at].to_string();
            let mut decimals = 0;
            if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
                let end = run(at + 1, |b| b.is_ascii_digit());
                digits += &text[at + 1..end];
                decimals = end - at - 1;
                at = end;
            }
            if digits.len() > MOST_DIGITS {
                return Err(ParseError { at: start, message: format!("a number of more than {MOST_DIGITS} digits") });
            }
            let value: IBig =
                digits.parse().map_err(|_| ParseError { at: start, message: "not a number".to_string() })?;
            let scale = IBig::from(10).pow(decimals);
            all.push((Token::Number(RBig::from(value) / RBig::from(scale)), start));
        } else if byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' {
            at = run(at, |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
            // A path to a field belongs to the name, as traces record it.
            loop {
                let rest = &bytes[at..];
                let joint = if rest.starts_with(b"->") { 2 } else { usize::from(rest.first() == Some(&b'.')) };
                let follows = rest.get(joint).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
                if joint == 0 || !follows {
                    break;
                }
                at = run(at + joint, |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
            }
            all.push((Token::Name(text[start..at].to_string()), start));
        } else if let Some(symbol) = SYMBOLS.iter().find(|s| text[at..].starts_with(**s)) {
            at += symbol.len();
            all.push((Token::Symbol(symbol), start));
        } else {
            let unknown = text[at..].chars().next().unwrap_or('?');
            return Err(ParseError { at, message: format!("`{unknown}` has no meaning here") });
        }
    }
    all.push((Token::End, text.len()));
    Ok(all)
}

#[derive(Debug)]
enum Node {
    /// `bare`: written without parentheses around it.
    Term {
        term: Term,
        bare: bool,
    },
    Predicate(Predicate),
}

struct Parser {
    tokens: Vec<(Token, usize)>,
    next: usize,
    depth: u32,
}

impl Predicate {
    /// Reads a predicate; the module documentation tells the notation.
    pub fn parse(text: &str) -> Result<Predicate, ParseError> {
        let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0 };
        let node = parser.implication()?;
        parser.expect_end()?;
        parser.predicate(node, 0)
    }
}

impl Term {
    /// Reads a number-valued expression.
    pub fn parse(text: &str) -> Result<Term, ParseError> {
        let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0 };
        let node = parser.sum()?;
        parser.expect_end()?;
        parser.term(node, 0).map(|(term, _)| term)
    }
}

impl std::str::FromStr for Predicate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Predicate, ParseError> {
        Predicate::parse(text)
    }
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn at(&self) -> usize {
        self.tokens[self.next].1
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Token::Symbol(s) if *s == symbol);
        self.next += usize::from(found);
        found
    }

    fn fail<T>(&self, at: usize, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { at, message: message.into() })
    }

    fn expect(&mut self, symbol: &str) -> Result<(), ParseError> {
        if self.take(symbol) { Ok(()) } else { self.fail(self.at(), format!("`{symbol}` expected")) }
    }

    fn expect_end(&self) -> Result<(), ParseError> {
        match self.peek() {
            Token::End => Ok(()),
            Token::Symbol("=") => self.fail(self.at(), "equality is written `==`"),
            _ => self.fail(self.at(), "the predicate should end here, or an operator is missing"),
        }
    }

    fn predicate(&self, node: Node, at: usize) -> Result<Predicate, ParseError> {
        match node {
            Node::Predicate(predicate) => Ok(predicate),
            Node::Term { .. } => self.fail(at, "a comparison is expected, and this is a number"),
        }
    }

    fn term(&self, node: Node, at: usize) -> Result<(Term, bool), ParseError> {
        match node {
            Node::Term { term, bare } => Ok((term, bare)),
            Node::Predicate(_) => self.fail(at, "a number is expected, and this is true or false"),
        }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Parser) -> Result<T, ParseError>) -> Result<T, ParseError> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return self.fail(self.at(), format!("nested more than {MOST_NESTED} deep"));
        }
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn implication(&mut self) -> Result<Node, ParseError> {
        let at = self.at();
        let left = self.or()?;
        for (symbol, both) in [("==>", false), ("<==>", true)] {
            if self.take(symbol) {
                let left = self.predicate(left, at)?;
                let at = self.at();
                let right = self.nested(Parser::implication)?;
                let right = self.predicate(right, at)?;
                return Ok(Node::Predicate(if both {
                    Predicate::And(vec![left.clone().implies(right.clone()), right.implies(left)])
                } else {
                    left.implies(right)
                }));
            }
        }
        Ok(left)
    }

    fn list(
        &mut self,
        symbol: &str,
        item: fn(&mut Parser) -> Result<Node, ParseError>,
        join: fn(Vec<Predicate>) -> Predicate,
    ) -> Result<Node, ParseError> {
        let at = self.at();
        let first = item(self)?;
        if !matches!(self.peek(), Token::Symbol(s) if *s == symbol) {
            return Ok(first);
        }
        let mut parts = vec![self.predicate(first, at)?];
        while self.take(symbol) {
            let at = self.at();
            let part = item(self)?;
            parts.push(self.predicate(part, at)?);
        }
        Ok(Node::Predicate(join(parts)))
    }

    fn or(&mut self) -> Result<Node, ParseError> {
        self.list("||", Parser::and, Predicate::any)
    }

    fn and(&mut self) -> Result<Node, ParseError> {
        self.list("&&", Parser::not, Predicate::all)
    }

    fn not(&mut self) -> Result<Node, ParseError> {
        if !self.take("!") {
            return self.comparison();
        }
        let at = self.at();
        let part = self.nested(Parser::not)?;
        Ok(Node::Predicate(self.predicate(part, at)?.negate()))
    }

    fn relation(&mut self) -> Option<Relation> {
        let relation =
            Relation::ALL.into_iter().find(|r| matches!(self.peek(), Token::Symbol(s) if *s == r.symbol()))?;
        self.next += 1;
        Some(relation)
    }

    fn comparison(&mut self) -> Result<Node, ParseError> {
        let at = self.at();
        let first = self.sum()?;
        if self.take("===") {
            let left = self.term(first, at)?.0;
            return self.congruence(left);
        }
        let Some(mut relation) = self.relation() else { return Ok(first) };
        let mut left = self.term(first, at)?.0;
        let mut parts = Vec::new();
        loop {
            let at = self.at();
            let right = self.sum()?;
            let right = self.term(right, at)?.0;
            parts.push(Predicate::Compare(relation, left, right.clone()));
            left = right;
            match self.relation() {
                Some(next) => relation = next,
                None => return Ok(Node::Predicate(Predicate::all(parts))),
            }
        }
    }

    fn congruence(&mut self, left: Term) -> Result<Node, ParseError> {
        let at = self.at();
        let right = self.sum()?;
        let right = self.term(right, at)?.0;
        self.expect("(")?;
        if *self.peek() != Token::Name("mod".to_string()) {
            return self.fail(self.at(), "a congruence ends in `(mod m)`");
        }
        self.next += 1;
        let modulus = match self.peek() {
            Token::Number(value) if value.is_int() && !value.is_zero() => value.numerator().clone(),
            _ => return self.fail(self.at(), "the modulus is a positive whole number"),
        };
        self.next += 1;
        self.expect(")")?;
        Ok(Node::Predicate(Predicate::Congruent(left, right, modulus)))
    }

    fn sum(&mut self) -> Result<Node, ParseError> {
        let at = self.at();
        let first = self.product()?;
        if !matches!(self.peek(), Token::Symbol("+" | "-")) {
            return Ok(first);
        }
        let mut terms = vec![self.term(first, at)?.0];
        loop {
            let minus = match self.peek() {
                Token::Symbol("+") => false,
                Token::Symbol("-") => true,
                _ => return Ok(Node::Term { term: Term::Sum(terms), bare: true }),
            };
            self.next += 1;
            let at = self.at();
            let node = self.product()?;
            let (term, bare) = self.term(node, at)?;
            terms.push(match (minus, bare) {
                (false, _) => term,
                (true, true) => term.negated(),
                (true, false) => Term::Neg(Box::new(term)),
            });
        }
    }

    fn product(&mut self) -> Result<Node, ParseError> {
        let at = self.at();
        let signs = self.next;
        let first = self.unary()?;
        // A literal with at most a sign in front of it.
        let literal = matches!(first, Node::Term { term: Term::Const(_), bare: true }) && self.next - signs <= 2;
        let operator = |token: &Token| match token {
            Token::Symbol("*") => Some(None),
            Token::Symbol("/") => Some(Some(Operator::Quotient)),
            Token::Symbol("%") => Some(Some(Operator::Remainder)),
            Token::Name(name) if name == "div" => Some(Some(Operator::Div)),
            Token::Name(name) if name == "mod" => Some(Some(Operator::Mod)),
            _ => None,
        };
        if operator(self.peek()).is_none() {
            return Ok(first);
        }
        let mut term = self.term(first, at)?.0;
        if literal
            && let Term::Const(above) = &term
            && matches!(self.peek(), Token::Symbol("/"))
            && let Token::Number(below) = self.tokens[self.next + 1].0.clone()
            && !below.is_zero()
            && !matches!(self.tokens[self.next + 2].0, Token::Symbol("^" | "**"))
        {
            term = Term::Const(above / below);
            self.next += 2;
        }
        // Only a product begun in this chain is continued; a parenthesised one is a factor.
        let mut open = false;
        while let Some(operator) = operator(self.peek()) {
            self.next += 1;
            let at = self.at();
            let node = self.unary()?;
            let (right, _) = self.term(node, at)?;
            term = match (operator, term) {
                (None, Term::Product(mut factors)) if open => {
                    factors.push(right);
                    Term::Product(factors)
                }
                (None, left) => Term::Product(vec![left, right]),
                (Some(operator), left) => Term::binary(operator, left, right),
            };
            open = operator.is_none();
        }
        Ok(Node::Term { term, bare: true })
    }

    fn unary(&mut self) -> Result<Node, ParseError> {
        if !self.take("-") {
            return self.power();
        }
        let at = self.at();
        let literal = matches!(self.peek(), Token::Number(_));
        let node = self.nested(Parser::unary)?;
        let (term, _) = self.term(node, at)?;
        let term = match term {
            Term::Const(value) if literal => Term::Const(-value),
            other => Term::Neg(Box::new(other)),
        };
        Ok(Node::Term { term, bare: true })
    }

    fn power(&mut self) -> Result<Node, ParseError> {
        let at = self.at();
        let base = self.atom()?;
        if !self.take("^") && !self.take("**") {
            return Ok(base);
        }
        let (base, _) = self.term(base, at)?;
        let term = match self.peek() {
            Token::Number(value) => {
                let whole = value.is_int().then(|| u32::try_from(value.numerator().clone()).ok()).flatten();
                let Some(exponent) = whole.filter(|e| *e <= MOST_POWER) else {
                    return self.fail(self.at(), format!("an exponent is a whole number from 0 to {MOST_POWER}"));
                };
                self.next += 1;
                base.power(exponent)
            }
            Token::Name(_) | Token::Symbol("(") => {
                let number = match &base {
                    Term::Const(value) if value.is_int() => u32::try_from(value.numerator().clone()).ok(),
                    _ => None,
                };
                let Some(number) = number.filter(|base| *base >= 2) else {
                    return self.fail(at, "only a whole number of at least two is raised to a power that varies");
                };
                let at = self.at();
                let exponent = self.atom()?;
                Term::exponential(number, self.term(exponent, at)?.0)
            }
            _ => return self.fail(self.at(), "an exponent is expected"),
        };
        if matches!(self.peek(), Token::Symbol("^" | "**")) {
            return self.fail(self.at(), "a power of a power needs parentheses");
        }
        Ok(Node::Term { term, bare: true })
    }

    fn atom(&mut self) -> Result<Node, ParseError> {
        let at = self.at();
        let token = self.peek().clone();
        self.next += 1;
        match token {
            Token::Number(value) => Ok(Node::Term { term: Term::Const(value), bare: true }),
            Token::Symbol("(") => {
                let inner = self.nested(Parser::implication)?;
                self.expect(")")?;
                Ok(match inner {
                    Node::Term { term, .. } => Node::Term { term, bare: false },
                    predicate => predicate,
                })
            }
            Token::Name(name) => match name.as_str() {
                "true" => Ok(Node::Predicate(Predicate::Const(true))),
                "false" => Ok(Node::Predicate(Predicate::Const(false))),
                "min" | "max" | "abs" | "div" | "mod" if matches!(self.peek(), Token::Symbol("(")) => {
                    self.function(&name, at)
                }
                "div" | "mod" => self.fail(at, format!("`{name}` stands between two numbers")),
                _ => self.name(name),
            },
            Token::Symbol("=") => self.fail(at, "equality is written `==`"),
            Token::Symbol(symbol) => self.fail(at, format!("a value is expected before `{symbol}`")),
            Token::End => {
                self.next -= 1;
                self.fail(at, "a value is missing at the end")
            }
        }
    }

    fn function(&mut self, name: &str, at: usize) -> Result<Node, ParseError> {
        self.expect("(")?;
        let mut parts = Vec::new();
        loop {
            let at = self.at();
            let node = self.nested(Parser::sum)?;
            parts.push(self.term(node, at)?.0);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        let term = match name {
            "min" => Term::Min(parts),
            "max" => Term::Max(parts),
            "div" | "mod" => {
                let operator = if name == "div" { Operator::Div } else { Operator::Mod };
                let Ok([left, right]) = <[Term; 2]>::try_from(parts) else {
                    return self.fail(at, format!("`{name}` takes two arguments"));
                };
                Term::binary(operator, left, right)
            }
            _ if parts.len() == 1 => Term::Abs(Box::new(parts.remove(0))),
            _ => return self.fail(at, "`abs` takes one argument"),
        };
        Ok(Node::Term { term, bare: true })
    }

    fn name(&mut self, name: String) -> Result<Node, ParseError> {
        let mut indices = Vec::new();
        while self.take("[") {
            let at = self.at();
            let node = self.nested(Parser::sum)?;
            indices.push(self.term(node, at)?.0);
            self.expect("]")?;
        }
        if matches!(self.peek(), Token::Symbol("(")) && !self.is_congruence_end() {
            return self.fail(self.at(), format!("`{name}` is not a function; there are min, max, abs, div and mod"));
        }
        let term = if indices.is_empty() { Term::Var(name) } else { Term::Element(name, indices) };
        Ok(Node::Term { term, bare: true })
    }

    fn is_congruence_end(&self) -> bool {
        matches!(&self.tokens.get(self.next + 1), Some((Token::Name(name), _)) if name == "mod")
    }
}
