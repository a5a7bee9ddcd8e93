//! The checking loop as C text, compiled in one unit with the function, so that the compiler can inline it.
//!
//! For each shape there is a *walk* that does everything (any number of inputs, arrays, records, assumptions, both
//! procedures, noting each input before the call), and, where the output is one number that stays the same and few
//! scalars are permuted, a *fast* loop (`written_out.rs`) that is what one would write by hand.
//!
//! Rows (all indices but the last) are numbered alike in both, so that a crash in the fast loop is found again by the
//! careful walk. A row belongs to one of the processes that share the work. Every answer goes through an empty piece of
//! assembly: a compiler that sees into the function might otherwise prove two answers equal and leave the calls out,
//! with the crash that one of them would have been. Only where no call can fail is it left to the compiler. The text
//! keeps to what C90 compilers with GNU extensions accept, since the user's flags may ask for that.

mod written_out;

use super::answer::Compare;
use super::domain::Values;
use super::native::cell;
use super::shape::{Argument, Problem, Shape, Space};
use super::signature::{Leaf, Number, ResultKind};
use algebra::permutation::Permutation;
use exec::ValueType;
use std::fmt::Write as _;

/// A value of any slot or position.
const CELLS: &str = r#"
typedef union { __extension__ long long i; __extension__ unsigned long long u; double d; } plumb_cell;
__extension__ typedef unsigned long long plumb_count_t;
static __attribute__((unused)) plumb_count_t plumb_bits_at(const unsigned char *b, plumb_count_t offset, unsigned width) {
    plumb_count_t value = 0; unsigned i;
    for (i = 0; i < width; i++, offset++)
        value |= (plumb_count_t)(b[offset / 8] >> offset % 8 & 1) << i;
    return value;
}
"#;

/// What the checking program shares with its runtime.
const SHARED: &str = r#"
struct plumb_domain { __extension__ unsigned long long count; __extension__ long long lo; const plumb_cell *table; };
extern struct plumb_domain *plumb_domains;
__extension__ extern volatile unsigned long long *plumb_page;
__extension__ extern unsigned long long plumb_careful, plumb_from, plumb_until, plumb_generators;
__extension__ extern unsigned long long plumb_represent, plumb_list_count;
extern const plumb_cell *plumb_list;
extern void plumb_violated(const plumb_cell *, unsigned, const unsigned *, unsigned);
extern void plumb_note(const plumb_cell *, unsigned);
extern void plumb_take(plumb_count_t *, plumb_count_t *);
#if defined(__x86_64__) || defined(__i386__)
#define PLUMB_KEEP_FLOAT(v) __asm__ __volatile__("" : "+x"(v))
#else
#define PLUMB_KEEP_FLOAT(v) __asm__ __volatile__("" : "+m"(v))
#endif
#define PLUMB_KEEP_INT(v) __asm__ __volatile__("" : "+r"(v))
static plumb_count_t plumb_tuples, plumb_calls, plumb_checks;
enum { PLUMB_STATE, PLUMB_ROW, PLUMB_BEAT, PLUMB_TUPLES, PLUMB_CALLS, PLUMB_CHECKS, PLUMB_ELAPSED, PLUMB_DIGEST, PLUMB_DIGEST2 };
static __inline__ void plumb_flush(plumb_count_t row) {
    plumb_page[PLUMB_ROW] = row;
    plumb_page[PLUMB_TUPLES] = plumb_tuples;
    plumb_page[PLUMB_CALLS] = plumb_calls;
    plumb_page[PLUMB_CHECKS] = plumb_checks;
}
static __attribute__((cold, noinline, unused)) void plumb_report(const plumb_cell *in, unsigned slots, const unsigned *theta, unsigned k) {
    plumb_flush(plumb_page[PLUMB_ROW]);
    plumb_violated(in, slots, theta, k);
}
static __attribute__((unused)) int plumb_next(unsigned *rank, unsigned *theta, unsigned k) {
    unsigned i, j, t;
    if (k < 2) return 0;
    for (i = k - 1; i > 0 && rank[i - 1] >= rank[i]; i--) ;
    if (i == 0) return 0;
    for (j = k - 1; rank[j] <= rank[i - 1]; j--) ;
    t = rank[i - 1]; rank[i - 1] = rank[j]; rank[j] = t;
    t = theta[i - 1]; theta[i - 1] = theta[j]; theta[j] = t;
    for (j = k - 1; i < j; i++, j--) {
        t = rank[i]; rank[i] = rank[j]; rank[j] = t;
        t = theta[i]; theta[i] = theta[j]; theta[j] = t;
    }
    return 1;
}
static __attribute__((unused)) int plumb_listed(const struct plumb_domain *d, plumb_cell v) {
    plumb_count_t i;
    for (i = 0; i < d->count; i++)
        if (d->table[i].u == v.u) return 1;
    return 0;
}
static __attribute__((unused)) void plumb_mix(const plumb_cell *out, unsigned n) {
    plumb_count_t a = plumb_page[PLUMB_DIGEST], b = plumb_page[PLUMB_DIGEST2]; unsigned i;
    for (i = 0; i < n; i++) {
        a = (a ^ out[i].u) * 0x9e3779b97f4a7c15u; a ^= a >> 29;
        b = (b + out[i].u) * 0xd6e8feb86659fd93u; b ^= b >> 32;
    }
    plumb_page[PLUMB_DIGEST] = a; plumb_page[PLUMB_DIGEST2] = b;
}
"#;

/// The text that follows the user's unit. `spaces` has the values of each shape; jobs may narrow them. `total` says that
/// no call can crash or hang.
pub fn checking_loop(problem: &Problem, spaces: &[Space], total: bool) -> String {
    let mut text = String::from("\n# 1 \"plumb-symmetry\"\n");
    text += CELLS;
    text += SHARED;
    float_comparison(problem.request.compare, &mut text);
    for (index, (shape, space)) in problem.shapes.iter().zip(spaces).enumerate() {
        Writer { problem, shape, space, index, total, text: &mut text }.shape();
    }
    let table = |values: Vec<usize>| values.iter().map(|v| format!("{v}u")).collect::<Vec<_>>().join(", ");
    let slots = table(problem.shapes.iter().map(|s| s.slots.len()).collect());
    let positions = table(problem.shapes.iter().map(|s| s.positions()).collect());
    let _ = writeln!(text, "const unsigned plumb_slots[] = {{ {slots} }}, plumb_positions[] = {{ {positions} }};");
    for (name, parameters, call) in [
        ("search", "unsigned shape", "plumb_search_S()"),
        ("sample", "unsigned shape", "plumb_sample_S()"),
        ("answer", "unsigned shape, const plumb_cell *in, plumb_cell *out", "plumb_call_S(in, out)"),
    ] {
        let _ = writeln!(text, "void plumb_{name}({parameters}); void plumb_{name}({parameters}) {{ switch (shape) {{");
        for index in 0..problem.shapes.len() {
            let call = call.replace("_S(", &format!("_{index}("));
            let _ = writeln!(text, "    case {index}: {call}; break;");
        }
        text += "} }\n";
    }
    text
}

/// The name of the function that [`every_call`] writes.
pub const EVERY_CALL: &str = "plumb_every_call";

/// A function that makes each call of the checking loop once and looks at every answer, in C without directives. Tuples that an
/// assumption excludes are among them.
pub fn every_call(problem: &Problem, spaces: &[Space]) -> String {
    let mut text = String::from(CELLS);
    for (index, (shape, space)) in problem.shapes.iter().zip(spaces).enumerate() {
        let mut writer = Writer { problem, shape, space, index, total: false, text: &mut text };
        writer.call();
        writer.every();
    }
    let calls: String = (0..problem.shapes.len()).map(|index| format!("plumb_every_{index}(); ")).collect();
    text + &format!("void {EVERY_CALL}(void) {{ {calls}}}\n")
}

fn float_comparison(compare: Compare, text: &mut String) {
    text.push_str("static __attribute__((unused)) __inline__ int plumb_apart(double a, double b) {\n");
    text.push_str("    if (a == b || (a != a && b != b)) return 0;\n");
    if let Compare::Tolerance(epsilon) = compare {
        text.push_str(
            "    { double d = a < b ? b - a : a - b, x = a < 0 ? -a : a, y = b < 0 ? -b : b, m = x < y ? y : x;\n",
        );
        let _ = writeln!(text, "      if (d <= {epsilon:e} * (m < 1 ? 1 : m)) return 0; }}");
    }
    text.push_str("    return 1;\n}\n");
}

struct Writer<'a> {
    problem: &'a Problem,
    shape: &'a Shape,
    space: &'a Space,
    index: usize,
    total: bool,
    text: &'a mut String,
}

fn is_float(ty: Number) -> bool {
    matches!(ty, Some(ValueType::Float(_)))
}

fn c_name(ty: Number) -> &'static str {
    ty.map_or("long long", |t| t.c_name())
}

/// A cell read as a value of the type.
fn read(cell: &str, ty: Number) -> String {
    let member = if is_float(ty) { "d" } else { "i" };
    format!("({}){cell}.{member}", c_name(ty))
}

/// The member of a cell that a value of the type is written to.
fn member(ty: Number) -> &'static str {
    match ty {
        Some(ValueType::Float(_)) => "d",
        Some(ValueType::Int(kind)) if !kind.is_signed() => "u",
        _ => "i",
    }
}

impl Writer<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        // Every name of the shape ends with its number.
        let line = line.as_ref().replace("@", &self.index.to_string());
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn shape(&mut self) {
        let (f, k, l) = (self.shape.fixed(), self.shape.k, self.shape.positions());
        self.assumption();
        self.call();
        self.admits();
        self.differs();
        self.line("static __inline__ void plumb_ask_@(const plumb_cell *in, plumb_cell *out) {");
        self.line(format!("    if (plumb_careful) plumb_note(in, {}u);", f + k));
        self.line("    plumb_page[PLUMB_BEAT] = ++plumb_calls; plumb_call_@(in, out);");
        self.line("    __asm__ __volatile__(\"\" : : \"r\"(out) : \"memory\");\n}");
        self.orbit(f, k, l);
        self.walk(f, k);
        self.sample(f, k);
        let fast = self.fast_type();
        if let Some(ty) = fast {
            self.fast(ty);
        }
        self.line("static void plumb_search_@(void) {");
        if fast.is_some() {
            self.line("    if (!plumb_careful && !plumb_generators && !plumb_represent) { plumb_fast_@(); return; }");
        }
        self.line("    plumb_walk_@();\n}");
    }

    fn name(&self) -> &str {
        &self.problem.signature.name
    }

    /// `plumb_assumed_@(parameters)`, with the user's names and types.
    fn assumption(&mut self) {
        if self.problem.request.assume.is_empty() {
            return;
        }
        let parameters: Vec<String> = self
            .assumed_arguments()
            .map(|(name, argument)| match argument {
                Argument::Array { of, .. } => format!("const {} *{name}", c_name(*of)),
                Argument::Slot(slot) => format!("{} {name}", c_name(self.shape.slots[*slot].ty)),
                _ => format!("long {name}"),
            })
            .collect();
        self.line(format!("static __inline__ int plumb_assumed_@({}) {{", or_void(parameters)));
        for text in self.problem.request.assume.clone() {
            self.line("# 1 \"--assume\"");
            // The user's text must not be touched by the replacement of names.
            self.text.push_str(&format!("if (!({text})) return 0;\n"));
        }
        self.line("# 1 \"plumb-symmetry\"\nreturn 1; }");
    }

    fn assumed_arguments(&self) -> impl Iterator<Item = (&str, &Argument)> {
        let names = self.problem.signature.parameters.iter().map(|p| p.name.as_str());
        let given = |a: &Argument| matches!(a, Argument::Slot(_) | Argument::Array { .. } | Argument::Length(_));
        names.zip(&self.shape.arguments).filter(move |(_, a)| given(a))
    }

    /// `plumb_call_@(in, out)`: one call of the function, from a tuple to its output positions.
    fn call(&mut self) {
        self.line("static __inline__ void plumb_call_@(const plumb_cell *in, plumb_cell *out) {");
        let mut filling = Vec::new();
        let mut values = Vec::new();
        for (index, argument) in self.shape.arguments.clone().iter().enumerate() {
            let array = format!("plumb_a{index}");
            match argument {
                Argument::Slot(slot) => values.push(read(&format!("in[{slot}]"), self.shape.slots[*slot].ty)),
                Argument::Length(length) => values.push(length.to_string()),
                Argument::Array { slots, of } => {
                    let zero = self.is_terminated(*of);
                    self.line(format!("    {} {array}[{}];", c_name(*of), slots.len() + usize::from(zero)));
                    for (i, slot) in slots.iter().enumerate() {
                        filling.push(format!("{array}[{i}] = {};", read(&format!("in[{slot}]"), *of)));
                    }
                    filling.extend(zero.then(|| format!("{array}[{}] = 0;", slots.len())));
                    values.push(array);
                }
                Argument::Out { of, length } => {
                    self.line(format!("    {} {array}[{length}];", c_name(*of)));
                    filling.push(format!("__builtin_memset({array}, 0, sizeof {array});"));
                    values.push(array);
                }
                Argument::Record { size, align, .. } => {
                    let align = align.max(&1);
                    self.line(format!("    unsigned char {array}[{size}] __attribute__((aligned({align})));"));
                    filling.push(format!("__builtin_memset({array}, 0, sizeof {array});"));
                    values.push(format!("(void *){array}"));
                }
            }
        }
        for line in filling {
            self.line(format!("    {line}"));
        }
        let call = format!("{}({})", self.name(), values.join(", "));
        let returned = self.shape.outputs.iter().any(|o| o.parameter.is_none());
        match self.problem.signature.result.clone() {
            ResultKind::Scalar(ty) if returned => self.line(format!("    {{ {} plumb_r = {call};", ty.c_name())),
            ResultKind::Record(_) if returned => self.line(format!("    {{ __typeof__({call}) plumb_r = {call};")),
            _ => self.line(format!("    {{ {call};")),
        }
        let mut position = 0;
        for output in self.shape.outputs.clone() {
            match output.parameter.map(|p| (p, self.shape.arguments[p].clone())) {
                None => match self.problem.signature.result.clone() {
                    ResultKind::Record(leaves) => self.leaves("(const unsigned char *)&plumb_r", &leaves, position),
                    _ => self.line(format!("    out[{position}].{} = plumb_r;", member(output.types[0]))),
                },
                Some((p, Argument::Record { leaves, .. })) => self.leaves(&format!("plumb_a{p}"), &leaves, position),
                Some((p, _)) => {
                    for (i, ty) in output.types.iter().enumerate() {
                        self.line(format!("    out[{}].{} = plumb_a{p}[{i}];", position + i, member(*ty)));
                    }
                }
            }
            position += output.types.len();
        }
        self.line("    (void)in; (void)out; }\n}");
    }

    fn is_terminated(&self, of: Number) -> bool {
        let is_character = matches!(of, Some(ValueType::Int(kind)) if kind.bytes() == 1);
        self.problem.request.terminated && is_character
    }

    fn leaves(&mut self, bytes: &str, leaves: &[Leaf], position: usize) {
        for (i, leaf) in leaves.iter().enumerate() {
            let (ty, out) = (leaf.ty.c_name(), format!("out[{}].{}", position + i, member(Some(leaf.ty))));
            match leaf.bits {
                Some(bits) => {
                    let raw = format!("plumb_bits_at({bytes}, {}u, {}u)", bits.offset, bits.width);
                    let shift = 64 - bits.width;
                    let signed = matches!(leaf.ty, ValueType::Int(kind) if kind.is_signed());
                    self.line(match signed {
                        true => format!("    {out} = (__extension__ (long long)({raw} << {shift})) >> {shift};"),
                        false => format!("    {out} = {raw};"),
                    });
                }
                None => self.line(format!(
                    "    {{ {ty} plumb_v; __builtin_memcpy(&plumb_v, {bytes} + {}, sizeof plumb_v); {out} = plumb_v; }}",
                    leaf.offset
                )),
            }
        }
    }

    fn is_filtered(&self) -> bool {
        self.space.own.is_some() || !self.problem.request.assume.is_empty()
    }

    /// `plumb_admits_@(in)`: whether a tuple is one the user gave.
    fn admits(&mut self) {
        if !self.is_filtered() {
            return;
        }
        self.line("static int plumb_admits_@(const plumb_cell *in, int sampled) {");
        let fixed = self.shape.fixed();
        let assumed: Vec<(String, Argument)> =
            self.assumed_arguments().map(|(n, a)| (n.to_string(), a.clone())).collect();
        let with_assumption = !self.problem.request.assume.is_empty();
        let mut values = Vec::new();
        let mut filling = Vec::new();
        for (index, (_, argument)) in assumed.iter().enumerate() {
            match argument {
                Argument::Slot(slot) => values.push(read(&format!("in[{slot}]"), self.shape.slots[*slot].ty)),
                Argument::Length(length) => values.push(length.to_string()),
                Argument::Array { slots, of } if with_assumption => {
                    self.line(format!("    {} plumb_a{index}[{}];", c_name(*of), slots.len() + 1));
                    for (i, slot) in slots.iter().enumerate() {
                        filling.push(format!("plumb_a{index}[{i}] = {};", read(&format!("in[{slot}]"), *of)));
                    }
                    filling.push(format!("plumb_a{index}[{}] = 0;", slots.len()));
                    values.push(format!("plumb_a{index}"));
                }
                _ => {}
            }
        }
        for line in filling {
            self.line(format!("    {line}"));
        }
        self.line("    (void)sampled;");
        if let Some(own) = self.space.own.clone() {
            for (i, values) in own.iter().enumerate() {
                let (domain, cell) = (format!("plumb_domains[{}]", fixed + 1 + i), format!("in[{}]", fixed + i));
                let outside = match values {
                    Values::Range { .. } => format!("{cell}.u - (plumb_count_t){domain}.lo >= {domain}.count"),
                    Values::Set(_) => format!("!plumb_listed(&{domain}, {cell})"),
                };
                self.line(format!("    if (!sampled && {outside}) return 0;"));
            }
        }
        let last = if with_assumption { format!("plumb_assumed_@({})", values.join(", ")) } else { "1".into() };
        self.line(format!("    return {last};\n}}"));
    }

    /// `plumb_differs_@(q, r, eta)`: whether q is not eta.r; without eta, whether they differ.
    fn differs(&mut self) {
        let l = self.shape.positions();
        self.line(format!(
            "static __inline__ int plumb_differs_@(const plumb_cell *q, const plumb_cell *r, const unsigned *eta) {{\n    unsigned i; plumb_cell e[{l}];"
        ));
        self.line(format!("    for (i = 0; i < {l}u; i++) e[i] = r[eta ? eta[i] : i];"));
        let mut start = 0;
        for output in self.shape.outputs.clone() {
            if self.problem.request.compare == Compare::Multiset {
                self.sorted_difference(start, &output.types);
                start += output.types.len();
                continue;
            }
            // Neighbours of one kind are compared in one loop.
            let mut at = 0;
            while at < output.types.len() {
                let float = is_float(output.types[at]);
                let run = output.types[at..].iter().take_while(|t| is_float(**t) == float).count();
                let (from, to) = (start + at, start + at + run);
                let apart = if float { "plumb_apart(q[i].d, e[i].d)" } else { "q[i].u != e[i].u" };
                self.line(format!("    for (i = {from}u; i < {to}u; i++) if ({apart}) return 1;"));
                at += run;
            }
            start += output.types.len();
        }
        self.line("    (void)q; return 0;\n}");
    }

    /// Compares one output as a collection: both sides are sorted by insertion first.
    fn sorted_difference(&mut self, start: usize, types: &[Number]) {
        let length = types.len();
        if types.windows(2).any(|w| is_float(w[0]) != is_float(w[1])) || length == 0 {
            // Numbers of different kinds cannot change places; compare them where they stand.
            for (i, ty) in types.iter().enumerate() {
                let i = start + i;
                self.line(match is_float(*ty) {
                    true => format!("    if (plumb_apart(q[{i}].d, e[{i}].d)) return 1;"),
                    false => format!("    if (q[{i}].u != e[{i}].u) return 1;"),
                });
            }
            return;
        }
        let float = is_float(types[0]);
        let less = match float {
            // NaN sorts last, so that it finds its like.
            true => "(v.d < s[j - 1].d || (v.d == v.d && s[j - 1].d != s[j - 1].d))",
            false => "v.i < s[j - 1].i",
        };
        let apart = if float { "plumb_apart(a[i].d, b[i].d)" } else { "a[i].u != b[i].u" };
        self.line(format!("    {{ plumb_cell a[{length}], b[{length}], v, *s; unsigned j, w;"));
        self.line(format!("      for (w = 0; w < 2; w++) for (s = w ? a : b, i = 0; i < {length}u; i++) {{"));
        self.line(format!(
            "        v = (w ? q : e)[{start} + i]; for (j = i; j > 0 && {less}; j--) s[j] = s[j - 1]; s[j] = v; }}"
        ));
        self.line(format!("      for (i = 0; i < {length}u; i++) if ({apart}) return 1; }}"));
    }

    /// The first positions of outputs that are permuted as the inputs are, if all others stay.
    fn permuted_alike(&self) -> Option<Vec<usize>> {
        let (relation, k) = (self.shape.homomorphism(), self.shape.k);
        let mut starts = Vec::new();
        let mut start = 0;
        for output in &self.shape.outputs {
            let length = output.types.len();
            let moved = |image: &Permutation| -> Vec<usize> {
                image.images()[start..start + length].iter().map(|to| to.wrapping_sub(start)).collect()
            };
            let (tau, sigma) = (moved(relation.tau()), moved(relation.sigma()));
            let stays: Vec<usize> = (0..length).collect();
            if length == k && tau == Permutation::tau(k).images() && sigma == Permutation::sigma(k).images() {
                starts.push(start);
            } else if tau != stays || sigma != stays {
                return None;
            }
            start += length;
        }
        Some(starts)
    }

    /// `plumb_eta_@`: the image of a permutation, by the exchanges of neighbours that make it.
    fn image_by_exchanges(&mut self, k: usize, l: usize) {
        self.line("static __inline__ void plumb_eta_@(const unsigned *theta, unsigned *eta) {");
        let most = (k * (k - 1) / 2).max(1);
        self.line(format!("    unsigned t[{k}], s[{most}], old[{l}], n = 0, i, j, x;"));
        self.line(format!("    for (i = 0; i < {k}u; i++) t[i] = theta[i];"));
        self.line(format!("    for (i = 0; i < {l}u; i++) eta[i] = i;"));
        self.line(format!("    for (j = {}u; j > 0; j--) for (i = 0; i < j; i++)", k - 1));
        self.line("        if (t[i] > t[i + 1]) { x = t[i]; t[i] = t[i + 1]; t[i + 1] = x; s[n++] = i; }");
        self.line(format!("    while (n-- > 0) {{ for (i = 0; i < {l}u; i++) old[i] = eta[i];"));
        self.line(format!("        for (i = 0; i < {l}u; i++) eta[i] = old[plumb_exchange_@[s[n]][i]]; }}\n}}"));
    }

    /// `plumb_pair_@`, `plumb_orbit_@`: the two procedures, for one tuple.
    fn orbit(&mut self, f: usize, k: usize, l: usize) {
        let relation = self.shape.homomorphism().clone();
        let trivial = relation.is_trivial();
        let slots = f + k;
        let list = |p: &Permutation| p.images().iter().map(|i| format!("{i}u")).collect::<Vec<_>>().join(", ");
        if !trivial && k >= 2 {
            let rows: Vec<String> = (0..k - 1).map(|i| format!("{{ {} }}", list(relation.of_exchange(i)))).collect();
            let rows = rows.join(", ");
            self.line(format!("static const unsigned plumb_exchange_@[{}][{l}] = {{ {rows} }};", k - 1));
            match self.permuted_alike() {
                Some(starts) => {
                    self.line("static __inline__ void plumb_eta_@(const unsigned *theta, unsigned *eta) { unsigned i;");
                    self.line(format!("    for (i = 0; i < {l}u; i++) eta[i] = i;"));
                    for start in starts {
                        self.line(format!("    for (i = 0; i < {k}u; i++) eta[{start} + i] = {start} + theta[i];"));
                    }
                    self.line("}");
                }
                None => self.image_by_exchanges(k, l),
            }
        }
        // The source's procedure.
        self.line(format!(
            "static int plumb_pair_@(plumb_cell *in) {{\n    plumb_cell r[{l}], q[{l}], x[{}]; unsigned i;",
            k.max(1)
        ));
        self.line("    plumb_ask_@(in, r); plumb_tuples++;");
        let mut generators = vec![(Permutation::tau(k), relation.tau()), (Permutation::sigma(k), relation.sigma())];
        generators.dedup();
        for (theta, eta) in generators.into_iter().filter(|(theta, _)| !theta.is_identity()) {
            self.line(format!("    {{ static const unsigned theta[{k}] = {{ {} }};", list(&theta)));
            let eta = match trivial {
                true => "0".to_string(),
                false => {
                    self.line(format!("    static const unsigned eta[{l}] = {{ {} }};", list(eta)));
                    "eta".to_string()
                }
            };
            self.line(format!("    for (i = 0; i < {k}u; i++) x[i] = in[{f} + i];\n    for (i = 0; i < {k}u; i++) in[{f} + i] = x[theta[i]];"));
            self.line(format!(
                "    plumb_ask_@(in, q); plumb_checks++;\n    for (i = 0; i < {k}u; i++) in[{f} + i] = x[i];"
            ));
            self.line(format!(
                "    if (plumb_differs_@(q, r, {eta})) {{ plumb_report(in, {slots}u, theta, {k}u); return 1; }} }}"
            ));
        }
        self.line("    (void)x; (void)q; (void)i; return 0;\n}");
        // One call for each arrangement.
        self.line("static int plumb_orbit_@(plumb_cell *in, const unsigned *ranks, int sampled) {");
        self.line(format!("    plumb_cell rep[{0}], r[{l}], q[{l}]; unsigned rank[{0}], theta[{0}], eta[{l}], i; (void)sampled; (void)eta; (void)q;", k.max(1)));
        let reset = format!("    for (i = 0; i < {k}u; i++) {{ rank[i] = ranks[i]; theta[i] = i; }}");
        let arrange = format!("for (i = 0; i < {k}u; i++) in[{f} + i] = rep[theta[i]];");
        let restore = format!("    for (i = 0; i < {k}u; i++) in[{f} + i] = rep[i];");
        self.line(format!("    for (i = 0; i < {k}u; i++) rep[i] = in[{f} + i];"));
        if self.is_filtered() {
            self.line(&reset);
            self.line("    if (!sampled) { int some = 0;");
            self.line(format!("    do {{ {arrange} some = plumb_admits_@(in, sampled); }} while (!some && plumb_next(rank, theta, {k}u));"));
            self.line(&restore);
            self.line("    if (!some) return 0; }");
        }
        self.line(&reset);
        self.line(format!("    if (plumb_represent) {{ plumb_ask_@(in, r); plumb_mix(r, {l}u); return 0; }}"));
        self.line(format!("    if (plumb_generators) {{ do {{ {arrange} if (plumb_pair_@(in)) return 1; }} while (plumb_next(rank, theta, {k}u));"));
        self.line(&restore);
        self.line("    return 0; }");
        self.line("    plumb_ask_@(in, r); plumb_tuples++;");
        if !trivial {
            self.line(format!("    for (i = 0; i + 1 < {k}u; i++) if (rank[i] == rank[i + 1]) {{"));
            self.line("        plumb_checks++;");
            self.line("        if (plumb_differs_@(r, r, plumb_exchange_@[i])) { theta[i] = i + 1; theta[i + 1] = i;");
            self.line(format!("            plumb_report(in, {slots}u, theta, {k}u); return 1; }} }}"));
        }
        self.line(format!("    while (plumb_next(rank, theta, {k}u)) {{ {arrange}"));
        self.line("        plumb_ask_@(in, q); plumb_tuples++; plumb_checks++;");
        let eta = if trivial {
            "0"
        } else {
            self.line("        plumb_eta_@(theta, eta);");
            "eta"
        };
        self.line(format!("        if (plumb_differs_@(q, r, {eta})) {{ {restore} plumb_report(in, {slots}u, theta, {k}u); return 1; }}\n    }}"));
        self.line(&restore);
        self.line("    return 0;\n}");
    }

    /// The value of a domain at an index, as a statement that sets a cell.
    fn set_cell(&self, cell: &str, domain: usize, values: &Values, index: &str) -> String {
        match values {
            Values::Range { .. } => format!("{cell}.u = (plumb_count_t)plumb_domains[{domain}].lo + {index};"),
            Values::Set(_) => format!("{cell} = plumb_domains[{domain}].table[{index}];"),
        }
    }

    /// `plumb_walk_@`: all representatives, row by row.
    fn walk(&mut self, f: usize, k: usize) {
        self.line(format!("static void plumb_walk_@(void) {{\n    plumb_cell in[{}]; plumb_count_t fx[{}], ix[{1}], row = 0, n = plumb_domains[{f}].count; unsigned ranks[{1}], i, j; int fresh, mine = 0;", (f + k).max(1), f.max(k).max(1)));
        for (i, values) in self.space.fixed.clone().iter().enumerate() {
            let set = self.set_cell(&format!("in[{i}]"), i, values, "0");
            self.line(format!("    if (!plumb_domains[{i}].count) return;\n    fx[{i}] = 0; {set}"));
        }
        if k > 0 {
            self.line("    if (!n) return;");
        }
        let union = self.space.union.clone();
        let set = |cell: &str, index: &str| self.set_cell(cell, f, &union, index);
        let (first, last, carried) = (
            set(&format!("in[{f} + i]"), "0"),
            set(&format!("in[{}]", (f + k).max(1) - 1), &format!("ix[{}]", k.max(1) - 1)),
            set(&format!("in[{f} + i]"), "ix[i]"),
        );
        self.line("    for (;;) {");
        self.line(format!("    for (i = 0; i < {k}u; i++) {{ ix[i] = 0; {first} }}"));
        self.line("    for (fresh = 1;;) {");
        self.line("        if (fresh) { if (row == plumb_until) plumb_take(&plumb_from, &plumb_until); mine = row >= plumb_from; if (mine) plumb_flush(row); row++; fresh = 0; }");
        self.line(format!("        if (mine) {{ for (ranks[0] = 0, i = 1; i < {k}u; i++) ranks[i] = ranks[i - 1] + (ix[i] != ix[i - 1]);"));
        self.line("            if (plumb_orbit_@(in, ranks, 0)) return; }");
        if k > 0 {
            self.line(format!("        if (mine && ix[{0}] + 1 < n) {{ ix[{0}]++; {last} continue; }}", k - 1));
            self.line(format!("        for (j = {}u; j > 0 && ix[j - 1] + 1 >= n; j--) ;", k - 1));
            self.line("        if (j == 0) break;");
            self.line(format!("        ix[j - 1]++; for (i = j; i < {k}u; i++) ix[i] = ix[j - 1];"));
            self.line(format!("        for (i = j - 1; i < {k}u; i++) {{ {carried} }} fresh = 1;\n    }}"));
        } else {
            self.line("        break; }");
        }
        // The odometer of what stays, the last fastest.
        for (i, values) in self.space.fixed.clone().iter().enumerate().rev() {
            let step = self.set_cell(&format!("in[{i}]"), i, values, &format!("fx[{i}]"));
            let back = self.set_cell(&format!("in[{i}]"), i, values, "0");
            self.line(format!(
                "    if (++fx[{i}] < plumb_domains[{i}].count) {{ {step} continue; }} fx[{i}] = 0; {back}"
            ));
        }
        self.line("    break; }\n    plumb_flush(row); (void)n; (void)fx; (void)ix; (void)j;\n}");
    }

    /// `plumb_every_@`: a call for each tuple, counted like an odometer.
    fn every(&mut self) {
        let (slots, positions) = (self.shape.slots.len(), self.shape.positions().max(1));
        let permuted = std::iter::repeat_n(&self.space.union, self.shape.k);
        let values: Vec<&Values> = self.space.fixed.iter().chain(permuted).collect();
        if values.iter().any(|values| values.count() == 0) {
            return self.line("static void plumb_every_@(void) {}");
        }
        let (mut counts, mut least, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (values, slot)) in values.iter().zip(&self.shape.slots).enumerate() {
            counts.push(format!("{}u", values.count()));
            match values {
                Values::Range { lo, .. } => {
                    least.push(format!("{}u", *lo as u64));
                    tables.push("0".to_string());
                }
                Values::Set(set) => {
                    let cells = set.iter().map(|value| format!("{{ .u = {}u }}", cell(value, slot.ty)));
                    let cells = cells.collect::<Vec<_>>().join(", ");
                    self.line(format!("static const plumb_cell plumb_values_@_{i}[] = {{ {cells} }};"));
                    least.push("0".to_string());
                    tables.push(format!("plumb_values_{}_{i}", self.index));
                }
            }
        }
        let size = slots.max(1);
        let list = |items: Vec<String>| if items.is_empty() { "0".to_string() } else { items.join(", ") };
        self.line("static void plumb_every_@(void) {");
        self.line(format!(
            "    static const plumb_count_t count[{size}] = {{ {} }}, least[{size}] = {{ {} }};",
            list(counts),
            list(least)
        ));
        self.line(format!("    static const plumb_cell *const table[{size}] = {{ {} }};", list(tables)));
        self.line(format!(
            "    plumb_cell in[{size}], out[{positions}]; plumb_count_t at[{size}] = {{ 0 }}; unsigned i;"
        ));
        self.line("    for (;;) {");
        self.line(format!("        for (i = 0; i < {slots}u; i++) if (table[i]) in[i] = table[i][at[i]]; else in[i].u = least[i] + at[i];"));
        self.line("        plumb_call_@(in, out);");
        self.line(format!("        for (i = {slots}u; i > 0 && ++at[i - 1] == count[i - 1]; i--) at[i - 1] = 0;"));
        self.line("        if (i == 0) return;\n    }\n}");
    }

    /// `plumb_sample_@`: the tuples of the list.
    fn sample(&mut self, f: usize, k: usize) {
        let slots = f + k;
        let ty = self.common_type();
        let less = match member(ty) {
            "d" => "v.d < in[F + j - 1].d",
            "u" => "v.u < in[F + j - 1].u",
            _ => "v.i < in[F + j - 1].i",
        }
        .replace('F', &f.to_string());
        self.line(format!("static void plumb_sample_@(void) {{\n    plumb_cell in[{}], v; plumb_count_t t; unsigned ranks[{}], i, j; (void)v; (void)j; (void)ranks;", slots.max(1), k.max(1)));
        self.line("    for (t = plumb_from; t < plumb_list_count; t++) {");
        self.line(format!(
            "        plumb_flush(t);\n        for (i = 0; i < {slots}u; i++) in[i] = plumb_list[t * {slots}u + i];"
        ));
        if self.is_filtered() {
            self.line("        if (!plumb_admits_@(in, 1)) continue;");
        }
        self.line("        if (plumb_generators) { if (plumb_pair_@(in)) return; continue; }");
        self.line(format!("        for (i = 0; i < {k}u; i++) {{ v = in[{f} + i]; for (j = i; j > 0 && {less}; j--) in[{f} + j] = in[{f} + j - 1]; in[{f} + j] = v; }}"));
        self.line(format!("        for (ranks[0] = 0, i = 1; i < {k}u; i++) ranks[i] = ranks[i - 1] + (in[{f} + i].u != in[{f} + i - 1].u);"));
        self.line("        if (plumb_orbit_@(in, ranks, 1)) return;\n    }\n    plumb_flush(t);\n}");
    }

    /// The type in which permuted values are held.
    fn common_type(&self) -> Number {
        let permuted = &self.shape.slots[self.shape.fixed()..];
        let first = permuted.first().and_then(|s| s.ty);
        if permuted.iter().all(|s| s.ty == first) { first } else { Some(ValueType::Int(ir::IntKind::LongLong)) }
    }
}

fn or_void(parameters: Vec<String>) -> String {
    if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") }
}
