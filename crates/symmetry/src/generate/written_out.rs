//! The fast loop: every pattern of equal values among few permuted scalars, written out.
//!
//! ```text
//! for (x0 = lo; x0 <= hi; x0++) for (x1 = x0; x1 <= hi; x1++) {          a row
//!     if (x0 == x1) { … } else {
//!         { x2 = x1; r = f(x0, x1, x2); … two other arrangements … }
//!         for (x2 = x1 + 1; x2 <= hi; x2++) { r = f(x0, x1, x2); if (f(x0, x2, x1) != r) …  and four more }
//!     }
//! }
//! ```
//!
//! Ranges are counted in the type of the parameters, as one would by hand; where a range ends with the largest value of the type, and for listed values, an index
//! is counted instead.

use super::{Writer, c_name, member, read};
use crate::answer::Compare;
use crate::domain::Values;
use crate::orbits::arrangements;
use crate::shape::Argument;
use crate::signature::Number;
use exec::{Scalar, ValueType};

/// The most permuted scalars; five have 120 arrangements.
const MOST: usize = 4;

/// Where the loop over a permuted value begins.
enum From {
    Lowest,
    Previous,
    AfterPrevious,
}

impl Writer<'_> {
    /// The type of the output, if the loop can be written.
    pub(super) fn fast_type(&self) -> Option<ValueType> {
        let [output] = &self.shape.outputs[..] else { return None };
        let scalars = |a: &Argument| matches!(a, Argument::Slot(_) | Argument::Length(_));
        let simple = output.parameter.is_none()
            && output.scalar
            && self.problem.request.compare != Compare::Multiset
            && self.shape.homomorphism().is_trivial()
            && (1..=MOST).contains(&self.shape.k)
            && self.space.own.is_none()
            && self.shape.arguments.iter().all(scalars);
        simple.then(|| output.types[0]).flatten()
    }

    /// Whether values are counted themselves instead of an index: the increment after the last must not overflow.
    fn counts_values(&self) -> bool {
        match (&self.space.union, self.common_type()) {
            (Values::Range { hi, .. }, Some(ValueType::Int(kind))) => *hi < kind.max(),
            _ => false,
        }
    }

    pub(super) fn fast(&mut self, result: ValueType) {
        let (f, k) = (self.shape.fixed(), self.shape.k);
        let ty = self.common_type();
        self.line("static void plumb_fast_@(void) {");
        let domains: Vec<Values> = self.space.fixed.iter().chain([&self.space.union]).cloned().collect();
        for (i, values) in domains.iter().enumerate() {
            let name = if i == f { "x".to_string() } else { format!("y{i}") };
            self.line(format!("    const plumb_count_t {name}n = plumb_domains[{i}].count;"));
            self.line(match values {
                Values::Range { .. } => format!("    __extension__ const long long {name}lo = plumb_domains[{i}].lo;"),
                Values::Set(_) => format!("    const plumb_cell *const {name}t = plumb_domains[{i}].table;"),
            });
        }
        let indices = (0..f).map(|i| format!("j{i}")).chain((0..k).map(|i| format!("i{i}")));
        let indices = indices.collect::<Vec<_>>().join(", ");
        self.line(format!(
            "    plumb_count_t row = 0, from = plumb_from, until = plumb_until, t = 0, c = 0, {indices};"
        ));
        if self.counts_values() {
            let values = (0..k).map(|i| format!("x{i}")).collect::<Vec<_>>().join(", ");
            let held = c_name(ty);
            self.line(format!("    const {held} xfirst = ({held})xlo, xlast = ({held})((plumb_count_t)xlo + xn - 1);"));
            self.line(format!("    {held} {values};"));
        }
        self.line("    if (!xn) return;");
        for (i, values) in domains.iter().enumerate().take(f) {
            let ty = self.shape.slots[i].ty;
            let value = value(&format!("y{i}"), values, &format!("j{i}"), ty);
            self.line(format!("    for (j{i} = 0; j{i} < y{i}n; j{i}++) {{ const {} y{i} = {value};", c_name(ty)));
        }
        for i in 0..k - 1 {
            self.loop_over(i, if i == 0 { From::Lowest } else { From::Previous });
        }
        self.line("    if (row == until) plumb_take(&from, &until);");
        self.skip_rows();
        self.line("    plumb_tuples = plumb_calls = t; plumb_checks = c; plumb_flush(row++);");
        self.prefixes(0, &mut Vec::new(), result);
        self.line(format!("    {}", "}".repeat(f + k - 1)));
        self.line("    plumb_tuples = plumb_calls = t; plumb_checks = c; plumb_flush(row);\n}");
    }

    /// Goes on to the first row that was taken, or to the end of the innermost loop over rows if that comes first. Many
    /// rows are short, and to step over those of the other children would cost as much as some of them.
    fn skip_rows(&mut self) {
        let (f, k) = (self.shape.fixed(), self.shape.k);
        let (counter, last, held) = match (k, f) {
            (2.., _) if self.counts_values() => {
                (format!("x{}", k - 2), "xlast".to_string(), c_name(self.common_type()))
            }
            (2.., _) => (format!("i{}", k - 2), "xn - 1".to_string(), "plumb_count_t"),
            (_, 1..) => (format!("j{}", f - 1), format!("y{}n - 1", f - 1), "plumb_count_t"),
            // Without an enclosing loop there is one row.
            _ => return self.line("    if (row < from) { row++; return; }"),
        };
        self.line(format!("    if (row < from) {{ plumb_count_t s = from - row, l = (plumb_count_t)({last}) - (plumb_count_t){counter};"));
        self.line(format!("        if (s > l + 1) s = l + 1; row += s; {counter} += ({held})(s - 1); continue; }}"));
    }

    /// Opens the loop over a permuted value.
    fn loop_over(&mut self, i: usize, from: From) {
        let previous = i.wrapping_sub(1);
        if self.counts_values() {
            let start = match from {
                From::Lowest => "xfirst".to_string(),
                From::Previous => format!("x{previous}"),
                From::AfterPrevious => format!("x{previous} + 1"),
            };
            return self.line(format!("    for (x{i} = {start}; x{i} <= xlast; x{i}++) {{"));
        }
        let start = match from {
            From::Lowest => "0".to_string(),
            From::Previous => format!("i{previous}"),
            From::AfterPrevious => format!("i{previous} + 1"),
        };
        let ty = self.common_type();
        let value = value("x", &self.space.union.clone(), &format!("i{i}"), ty);
        self.line(format!("    for (i{i} = {start}; i{i} < xn; i{i}++) {{ const {} x{i} = {value};", c_name(ty)));
    }

    /// Tells apart which neighbours among all but the last value are equal, then writes the loop over the last.
    fn prefixes(&mut self, decided: usize, equal: &mut Vec<bool>, result: ValueType) {
        let k = self.shape.k;
        let counter = if self.counts_values() { "x" } else { "i" };
        if decided + 2 < k {
            let same = format!("if ({counter}{decided} == {counter}{}) {{", decided + 1);
            for (is_equal, head) in [(true, same), (false, "else {".to_string())] {
                self.line(format!("    {head}"));
                equal.push(is_equal);
                self.prefixes(decided + 1, equal, result);
                equal.pop();
                self.line("    }");
            }
            return;
        }
        if k == 1 {
            self.loop_over(0, From::Lowest);
            self.body(equal, result, "0");
            return self.line("    }");
        }
        let (last, previous) = (k - 1, k - 2);
        self.line(format!("    {{ const {} x{last} = x{previous};", c_name(self.common_type())));
        equal.push(true);
        self.body(equal, result, "0");
        equal.pop();
        self.line("    }");
        self.loop_over(last, From::AfterPrevious);
        equal.push(false);
        // Without an assumption every round counts alike, so the counting can wait until after the loop.
        let counts_later = self.problem.request.assume.is_empty();
        let distance = |to: &str| format!("((plumb_count_t){to} - (plumb_count_t){counter}{previous} - 1)");
        let rounds = if counts_later { distance(&format!("{counter}{last}")) } else { "0".to_string() };
        let count = self.body(equal, result, &rounds);
        equal.pop();
        self.line("    }");
        if counts_later {
            let all = distance(if self.counts_values() { "(xlast + (plumb_count_t)1)" } else { "xn" });
            self.line(format!("    t += {count} * {all}; c += {} * {all};", count - 1));
        }
    }

    /// The arguments of a call or of the assumption, with the permuted ones in this order.
    fn ordered(&self, theta: &[usize]) -> String {
        let f = self.shape.fixed();
        let value = |argument: &Argument| match argument {
            Argument::Slot(slot) if *slot < f => format!("y{slot}"),
            Argument::Slot(slot) => format!("x{}", theta[slot - f]),
            Argument::Length(length) => length.to_string(),
            _ => unreachable!("the fast loop should have scalars only"),
        };
        self.shape.arguments.iter().map(value).collect::<Vec<_>>().join(", ")
    }

    /// All arrangements of a pattern of equal neighbours, and how many there are. `rounds` have gone before that are not
    /// counted yet; if it is not 0, this one is not counted here either.
    fn body(&mut self, equal: &[bool], result: ValueType, rounds: &str) -> usize {
        let (f, k) = (self.shape.fixed(), self.shape.k);
        let mut rank = 0;
        let mut pattern = vec![Scalar::Int(0)];
        for is_equal in equal {
            rank += i128::from(!is_equal);
            pattern.push(Scalar::Int(rank));
        }
        let all = arrangements(&pattern);
        // What is known of the order of the values decides branches inside the function; the compiler does not see it from
        // the loops alone.
        for (i, is_equal) in equal.iter().enumerate() {
            let relation = if *is_equal { "==" } else { "<" };
            self.line(format!("    if (!(x{i} {relation} x{})) __builtin_unreachable();", i + 1));
        }
        if !self.problem.request.assume.is_empty() {
            let some: Vec<String> = all.iter().map(|t| format!("plumb_assumed_@({})", self.ordered(t))).collect();
            self.line(format!("    if ({})", some.join(" || ")));
        }
        let name = self.name().to_string();
        let keep = |variable: &str| match result {
            _ if self.total => String::new(),
            ValueType::Float(_) => format!("PLUMB_KEEP_FLOAT({variable});"),
            ValueType::Int(_) => format!("PLUMB_KEEP_INT({variable});"),
        };
        let (keep_r, keep_q) = (keep("r"), keep("q"));
        let first: Vec<usize> = (0..k).collect();
        self.line(format!("    {{ {} r = {name}({}), q; {keep_r}", result.c_name(), self.ordered(&first)));
        let cells: Vec<String> = (0..f)
            .map(|i| (format!("y{i}"), self.shape.slots[i].ty))
            .chain((0..k).map(|i| (format!("x{i}"), self.common_type())))
            .enumerate()
            .map(|(i, (name, ty))| format!("v[{i}].{} = {name};", member(ty)))
            .collect();
        let (count, slots, cells) = (all.len(), f + k, cells.join(" "));
        for (i, theta) in all.iter().enumerate().skip(1) {
            let apart = if matches!(result, ValueType::Float(_)) { "plumb_apart(q, r)" } else { "q != r" };
            let list = theta.iter().map(|i| format!("{i}u")).collect::<Vec<_>>().join(", ");
            self.line(format!("      q = {name}({}); {keep_q}", self.ordered(theta)));
            self.line(format!(
                "      if (__builtin_expect({apart}, 0)) {{ static const unsigned theta[] = {{ {list} }};"
            ));
            self.line(format!("        plumb_cell v[{slots}]; {cells}"));
            let (calls, checks) = (i + 1, count - 1);
            self.line(format!("        plumb_tuples = plumb_calls = t + {count} * {rounds} + {calls};"));
            self.line(format!("        plumb_checks = c + {checks} * {rounds} + {i};"));
            self.line(format!("        plumb_report(v, {slots}u, theta, {k}u); return; }}"));
        }
        let counted = if rounds == "0" { format!("t += {count}; c += {};", count - 1) } else { String::new() };
        self.line(format!("      {counted} (void)r; (void)q; }}"));
        count
    }
}

/// The value of a domain at an index.
fn value(domain: &str, values: &Values, index: &str, ty: Number) -> String {
    match values {
        Values::Range { .. } => format!("({})((plumb_count_t){domain}lo + {index})", c_name(ty)),
        Values::Set(_) => read(&format!("{domain}t[{index}]"), ty),
    }
}
