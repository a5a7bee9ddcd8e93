//! Random producers and consumers of bytes: structs, arrays of them, pointers to them and into them, unions, flags,
//! loops, switches, helpers that write through what they are given, keep it, copy it, call themselves. And the idioms of
//! compressors: work that is done through a pointer to a function, tables of such pointers, an exit code in a global,
//! functions that do not return, a buffer that a helper empties, states that a `switch` in a loop goes through.

use fastrand::Rng;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Producer,
    Consumer,
}

/// What every program has. Reads of a consumer are told by a character each.
const COMMON: &str = "\
int putchar(int); int getchar(void); void exit(int) __attribute__((noreturn)); void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
struct in { int lo; unsigned char hi; };
struct t { int tag; unsigned char kind; struct in in; short bits : 3; int *link; };
struct v { int n; struct t one; };
union u { int i; unsigned char b[4]; struct in in; };
static int g0 = 2, g1; static unsigned char gc; static struct t ga, gb = { 1, 2, { 3, 1 }, 0, 0 }; static struct t garr[3];
static struct v gv; static union u gu; static struct t *gp = &ga; static int *kept; static int (*fp)(int);
static void set(struct t *t, int v) { t->tag = v; }
static void put_in(int *p, int v) { *p = v; }
static void keep(int *p) { kept = p; }
static void poke(int v) { if (kept) *kept = v; }
static void bytes(unsigned char *p, int v) { p[0] = (unsigned char)v; }
static void raw(void *p, int v) { *(int *)p = v; }
static struct t make(int v) { struct t t = { 0 }; t.tag = v; return t; }
static int tag_of(struct t t) { t.tag++; return t.tag - 1; }
static void swap(struct t *a, struct t *b) { struct t c = *a; *a = *b; *b = c; }
static struct t *choose(int v, struct t *a, struct t *b) { return v ? a : b; }
static int depth(int n, int *p) { int own = n; if (n > 0) { *p = n; depth(n - 1, &own); } return own; }
static int inc(int v) { return v + 1; }
static int dec(int v) { return v - 1; }
static int *address(struct t *t) { return &t->tag; }
static void fill(struct v *v, int n) { v->n = n; v->one.tag = n; }
static int quiet(int); static int exit_code, in_exit, level = 1; static unsigned char buffer[4]; static int count; static _Bool done;
static unsigned long total; static volatile int shared; enum state { START, BODY, TRAILER, END }; static enum state state;
__attribute__((noreturn)) static void leave(int status) { if (in_exit) exit(status); in_exit = 1; exit(status); }
__attribute__((noreturn)) static void die(void) { exit_code = 1; leave(exit_code); }
static void warn(int w) { if (exit_code == 0) exit_code = w; }
static void nothing(int v) { (void)v; }
static void stop_if(int v) { if (v == 2) leave(exit_code); }
static int quit(int v) { exit(v & 1); }
static int check(int v) { static int calls; if (++calls > 3) return -1; if (v > 2) die(); return v; }
static void advance(struct t *t) { t->kind = (unsigned char)(t->kind + 1); total += t->kind; }
";

/// The function that is said to move one byte, and the one that is said to move nothing; their bodies are not looked at.
pub const MOVES: &str = "blob";
pub const QUIET: &str = "quiet";

/// What depends on how a byte is moved: `step` moves one, or some.
const MOVING: &str = "\
static void step(int); static void both(int v) { step(v); step(v + 1); }
static void later(int v) { if (count == 4) { for (int i = 0; i < count; i++) step(buffer[i]); count = 0; } buffer[count++] = (unsigned char)v; }
static void flush(void) { int i = 0; while (i < count) step(buffer[i++]); count = 0; }
static int down(int n) { if (n <= 0) return 0; step(n); return down(n - 1) + 1; }
static int zip(int v) { state = START; step(v); if (v == 3) { warn(1); return 1; } total++; return 0; }
static int unzip(int v) { if (v) return zip(v - 1); state = END; return 0; }
static void (*sink)(int) = step; static int (*work)(int) = zip; static void (*const table[3])(int) = { step, nothing, both };
struct ops { void (*put)(int); int (*get)(int); int mode; };
static struct ops plain = { step, zip, 0 }, loud = { both, unzip, 1 }, *current = &plain;
static int machine(int v) {
    enum state s = START; int turns = 0;
    while (s != END) {
        switch (s) {
        case START: step(1); s = v & 1 ? BODY : TRAILER; break;
        case BODY: if (turns++ > 1) { s = TRAILER; break; } step(2); if (v > 5) return -1; break;
        case TRAILER: step(3);
        default: s = END;
        }
    }
    return turns;
}
static int quiet(int v) {
    if (v == 1) exit_code = 1;
    if (v == 2) { level = v; gb.tag = 2; state = BODY; }
    total += (unsigned long)v; sink = both; if (v > 2) current = &loud; put_in(&gv.n, v); return v & 1;
}
static int all(int v) { if (v < 0) goto failed; do { step(v); v--; } while (v > 0 && v < 4); return 0;
failed: exit_code = 1; return -1; }
";

struct Writer<'r> {
    kind: Kind,
    random: &'r mut Rng,
    text: String,
    /// Loops around what is being written.
    loops: usize,
    left: usize,
}

/// A program of one kind.
pub fn generate(kind: Kind, random: &mut Rng) -> String {
    let left = random.usize(6..22);
    let mut writer = Writer { kind, random, text: COMMON.to_string(), loops: 0, left };
    writer.text += match kind {
        Kind::Producer => "static int any(void) { int c = getchar(); return c < 0 ? 0 : c & 7; }\n",
        Kind::Consumer => "static int any(void) { int c = getchar(); if (c < 0) exit(1); putchar('.'); return c; }\n",
    };
    writer.text += MOVING;
    writer.text += match kind {
        Kind::Producer => {
            "static void step(int v) { putchar(v); }\n\
             static void blob(int v) { putchar(v); if (v == 2) level = 3; ga.tag = v; done = 1; }\n"
        }
        Kind::Consumer => {
            "static void step(int v) { if (any() == v && done) exit_code = 1; }\n\
             static int blob(int v) { int c = any(); if (c == v) done = 1; level = c; ga.tag = 2; return c; }\n"
        }
    };
    writer.text += "static int helper(struct t *t, int x) {\n";
    writer.text += "    int y = 0, z = 1; struct t a = *t, b = { 0 }, arr[2] = { 0 }, *p = t, *q = &b; struct v w = { 0 }; \
                    union u u = { 0 };\n    struct t local = { 0 }; int box[3] = { 0 }; unsigned char c = 0; \
                    unsigned short s = 0;\n";
    writer.statements(2);
    writer.text += "    return x + y;\n}\nint main(void) {\n";
    writer.text += "    int x = 0, y = 1, z = 2; struct t a = { 0 }, b = { 1 }, arr[2] = { 0 }, *p = &a, *q = &b; \
                    struct v w = { 0 }; union u u = { 0 };\n    struct t local = { 0 }, *t = malloc(sizeof *t); int box[3] = { 0 }; \
                    unsigned char c = 0; unsigned short s = 0;\n    if (!t) return 1;\n    memset(t, 0, sizeof *t); fp = inc;\n";
    writer.left = writer.random.usize(8..26);
    writer.statements(3);
    writer.text += match writer.random.u8(0..4) {
        0 => "    return 0;\n}\n",
        1 => "    flush(); return exit_code;\n}\n",
        2 => "    if (done) flush(); leave(exit_code);\n}\n",
        _ => "    if (exit_code) die(); flush(); leave(0);\n}\n",
    };
    writer.text
}

impl Writer<'_> {
    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.random.usize(0..all.len())]
    }

    /// A place of an integer.
    fn place(&mut self) -> &'static str {
        self.pick(&[
            "x",
            "y",
            "z",
            "c",
            "s",
            "g0",
            "g1",
            "gc",
            "a.tag",
            "b.tag",
            "a.kind",
            "b.in.lo",
            "a.in.hi",
            "a.bits",
            "ga.tag",
            "gb.tag",
            "ga.in.lo",
            "p->tag",
            "q->tag",
            "p->kind",
            "q->in.lo",
            "gp->tag",
            "t->tag",
            "t->kind",
            "arr[0].tag",
            "arr[1].tag",
            "arr[x & 1].tag",
            "garr[2].tag",
            "garr[y & 1].kind",
            "w.n",
            "w.one.tag",
            "gv.n",
            "gv.one.tag",
            "u.i",
            "u.b[0]",
            "u.in.lo",
            "gu.i",
            "gu.in.hi",
            "box[0]",
            "box[1]",
            "box[x & 1]",
            "local.tag",
            "local.in.lo",
            "exit_code",
            "level",
            "total",
            "done",
            "count",
            "state",
            "buffer[0]",
            "shared",
            "plain.mode",
            "current->mode",
        ])
    }

    fn constant(&mut self) -> i32 {
        self.random.i32(0..4)
    }

    fn value(&mut self) -> String {
        match self.random.u8(0..18) {
            12 => format!("({} ? {} : {})", self.place(), self.constant(), self.place()),
            13 => format!("({} && any() > {})", self.place(), self.constant()),
            14 => format!(
                "(({})({} + 1))",
                self.pick(&["unsigned char", "_Bool", "signed char", "short", "long"]),
                self.place()
            ),
            15 => format!("check({})", self.place()),
            16 => format!(
                "{}({} & 3)",
                self.pick(&["work", "current->get", "zip", "unzip", "machine", "all", "down"]),
                self.place()
            ),
            17 => format!("!!{}", self.place()),
            0..=4 => self.constant().to_string(),
            5..=6 => self.place().to_string(),
            7 => "any()".to_string(),
            8 => format!("({} + {})", self.place(), self.constant()),
            9 => format!("({} & 3)", self.place()),
            10 => format!("(unsigned char)({} - 1)", self.place()),
            _ => format!("tag_of({})", self.pick(&["a", "b", "ga", "*p", "*q", "arr[1]", "w.one"])),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.u8(0..14) {
            9 => format!("{} && {} != {}", self.place(), self.place(), self.constant()),
            10 => format!("{} == {} || any() < {}", self.place(), self.constant(), self.constant()),
            11 => format!("work({} & 3) != 0", self.place()),
            12 => format!("(unsigned){} > {}u", self.place(), self.constant()),
            13 => format!("sink == {}", self.pick(&["step", "nothing", "both", "later"])),
            0..=3 => {
                let op = self.pick(&["==", "!=", "<", ">="]);
                format!("{} {op} {}", self.place(), self.constant())
            }
            4 => format!("{} == {}", self.place(), self.place()),
            5 => format!("any() == {}", self.constant()),
            6 => format!("{} & {}", self.place(), 1 << self.random.u8(0..2)),
            7 => format!("(unsigned char){} == {}", self.place(), self.pick(&["255", "254", "3"])),
            _ => format!("!{}", self.place()),
        }
    }

    /// Moves a byte: what the languages are about.
    fn moves(&mut self) -> String {
        match self.kind {
            Kind::Producer => match self.random.bool() {
                true => format!("putchar({});", self.constant()),
                false => format!("putchar({});", self.place()),
            },
            Kind::Consumer => match self.random.u8(0..3) {
                0 => "any();".to_string(),
                1 => format!("{} = any();", self.place()),
                _ => format!("if (any() != {}) {}", self.constant(), self.pick(&["return 1;", "exit(1);", "x = 3;"])),
            },
        }
    }

    fn statements(&mut self, depth: usize) {
        let count = self.random.usize(2..7);
        for _ in 0..count {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let line = match self.random.u8(0..50) {
            46..=47 => format!("blob({});", self.value()),
            48..=49 => format!("{} = quiet({} & 3);", self.place(), self.place()),
            30 => format!("sink({});", self.value()),
            31 => format!("sink = {};", self.pick(&["step", "nothing", "both", "later", "stop_if", "warn"])),
            32 => format!("work = {};", self.pick(&["zip", "unzip", "machine", "all", "quit", "inc"])),
            33 => format!(
                "if (work({} & 3) != 0) {}",
                self.place(),
                self.pick(&["return exit_code;", "die();", "warn(2);", "done = 1;"])
            ),
            34 => format!(
                "table[{} % 3u]({});",
                self.pick(&["(unsigned)x", "1u", "(unsigned)level", "(unsigned)any()"]),
                self.value()
            ),
            35 => format!("current = {};", self.pick(&["&plain", "&loud", "done ? &plain : &loud"])),
            36 => format!("current->put({});", self.value()),
            37 => format!("{} = current->get({} & 3);", self.place(), self.place()),
            38 => format!("{}({});", self.pick(&["plain", "loud"]).to_string() + ".put", self.value()),
            39 => format!("later({});", self.value()),
            40 => "flush();".to_string(),
            41 => format!(
                "if ({}) {}",
                self.condition(),
                self.pick(&["die();", "leave(exit_code);", "leave(0);", "warn(1);", "exit_code = 0;"])
            ),
            42 => format!("advance({});", self.pick(&["&a", "p", "&ga", "t"])),
            43 => format!(
                "{} = ({})({} + {});",
                self.place(),
                self.pick(&["unsigned char", "_Bool", "signed char", "short", "unsigned"]),
                self.place(),
                self.constant()
            ),
            44 => format!(
                "if (machine({} & 7) < 0) {}",
                self.place(),
                self.pick(&["die();", "exit_code = 1;", "return 1;"])
            ),
            45 => format!(
                "plain.put = {}; loud.get = {};",
                self.pick(&["step", "nothing", "both"]),
                self.pick(&["zip", "unzip", "down"])
            ),
            0..=6 => self.moves(),
            7..=11 => format!("{} = {};", self.place(), self.value()),
            12 => format!("{}++;", self.place()),
            13 => format!(
                "{} = {};",
                self.pick(&["p", "q", "gp"]),
                self.pick(&[
                    "&a", "&b", "&ga", "&gb", "&arr[0]", "&arr[1]", "&garr[2]", "t", "&w.one", "p", "q", "&local"
                ])
            ),
            14 => {
                let whole = ["a", "b", "ga", "*p", "*q", "arr[0]", "w.one", "local"];
                let (to, from) = (self.pick(&whole), self.pick(&whole));
                // An object may be assigned to itself, but not to one that it overlaps in part.
                format!("{{ struct t copy = {from}; {to} = copy; }}")
            }
            15 => format!("{} = make({});", self.pick(&["a", "b", "ga", "*p", "arr[1]", "local"]), self.value()),
            16 => format!(
                "set({}, {});",
                self.pick(&["&a", "&b", "p", "q", "gp", "t", "&arr[0]", "&w.one"]),
                self.value()
            ),
            17 => format!(
                "put_in({}, {});",
                self.pick(&["&x", "&y", "&g0", "&a.tag", "&p->tag", "&box[1]", "&w.n"]),
                self.value()
            ),
            18 => format!(
                "keep({});",
                self.pick(&["&x", "&g0", "&a.tag", "&gb.tag", "&box[0]", "&local.in.lo", "address(&b)"])
            ),
            19 => format!("poke({});", self.value()),
            20 => format!(
                "bytes({}, {});",
                self.pick(&["(unsigned char *)&x", "&c", "&gc", "(unsigned char *)&a", "(unsigned char *)p"]),
                self.value()
            ),
            21 => format!("raw({}, {});", self.pick(&["&x", "&g1", "&a", "p", "&ga", "&box[0]"]), self.value()),
            22 => format!("swap({}, {});", self.pick(&["&a", "p", "&ga"]), self.pick(&["&b", "q", "&gb"])),
            23 => format!("*address({}) = {};", self.pick(&["&a", "p", "&ga", "q"]), self.value()),
            24 => format!(
                "memcpy({}, {}, sizeof(struct t));",
                self.pick(&["&a", "p", "&garr[0]"]),
                self.pick(&["&local", "&arr[1]"])
            ),
            25 => format!("memset({}, 0, sizeof(struct t));", self.pick(&["&a", "p", "&ga", "&local"])),
            26 => format!(
                "{} = fp({}); fp = {};",
                self.pick(&["x", "a.tag", "gb.tag"]),
                self.value(),
                self.pick(&["inc", "dec"])
            ),
            27 => format!(
                "fill({}, {}); depth({}, &{});",
                self.pick(&["&w", "&gv"]),
                self.value(),
                self.constant(),
                self.pick(&["x", "z"])
            ),
            28 => format!("choose({}, &a, &b)->tag = {};", self.place(), self.value()),
            _ if self.loops > 0 => format!("if ({}) {}", self.condition(), self.pick(&["break;", "continue;"])),
            _ => format!("if ({}) {}", self.condition(), self.pick(&["return 1;", "exit(0);", "exit(1);"])),
        };
        if depth == 0 || self.random.u8(0..10) > 3 {
            let _ = writeln!(self.text, "    {line}");
            return;
        }
        match self.random.u8(0..6) {
            0..=1 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "    if ({condition}) {{");
                self.statements(depth - 1);
                self.text += "    } else {\n";
                self.statements(depth - 1);
                self.text += "    }\n";
            }
            2 => {
                let place = self.place();
                let _ = writeln!(self.text, "    switch ({place}) {{");
                for value in 0..3 {
                    let _ = writeln!(self.text, "    case {value}:");
                    let loops = std::mem::take(&mut self.loops);
                    self.statements(depth - 1);
                    self.loops = loops;
                    if self.random.bool() {
                        self.text += "    break;\n";
                    }
                }
                self.text += "    default: ;\n    }\n";
            }
            3 => {
                let (name, bound) = (format!("i{depth}"), self.random.u8(1..5));
                let _ = writeln!(self.text, "    for (int {name} = 0; {name} < {bound}; {name}++) {{");
                self.in_loop(depth);
            }
            4 => {
                let condition = self.condition();
                let _ =
                    writeln!(self.text, "    for (int n{depth} = any(); {condition} && n{depth} > 0; n{depth}--) {{");
                self.in_loop(depth);
            }
            _ => {
                let argument = self.pick(&["&a", "p", "t", "&gb", "&arr[0]"]);
                let call = if depth == 3 { format!("x = helper({argument}, y & 3);") } else { line };
                let _ = writeln!(self.text, "    {call}");
            }
        }
    }

    fn in_loop(&mut self, depth: usize) {
        self.loops += 1;
        self.statements(depth - 1);
        self.loops -= 1;
        self.text += "    }\n";
    }
}
