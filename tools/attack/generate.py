"""Random C programs over all of the language that verdicts are given about.

A program is some types, globals and helper functions, and an entry

    int entry(int a, unsigned b, signed char c, int *p, int *q)

with *probes* in it and in the helpers: places where the value of an expression without effects is looked at. Nothing here
knows what the program computes; who uses it runs the compiled program to learn that (`run`). Every name at file scope
begins with `Program.prefix`, so that many programs make one translation unit.

What occurs: structs with bit-fields, anonymous members, unions, enums, arrays of one and two dimensions, arrays of variable
length, pointers into arrays and structs, to pointers, and to one object by two names, strings, constant tables, floats of three sizes,
integers of 128 bits, `_Bool`, recursion, function pointers and tables of them, variable arguments, definitions of the old style, structs by value and returned, `goto` into
and out of blocks, `switch` with falling through, ranges and on `long`, `do`, comma, `?:`, `&&` with effects on the right,
statement expressions, `_Generic`, `sizeof`, compound assignments, `++`, casts, static locals, `volatile`, globals that helpers change, several calls
with effects in one expression, constructors, `cleanup`, compound literals, designated initialisers, library calls on
memory, strings and numbers, arithmetic that reports its overflow.

Undefined behaviour is not avoided by construction, except the kinds that the sanitizer of undefined behaviour does not see
(unsequenced effects on one object, values nobody wrote, pointers that leave their object): it says which runs are well defined.
"""
import random

INTEGERS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "int", "unsigned", "long", "unsigned long", "long long", "_Bool",
            "__int128", "unsigned __int128"]
FLOATS = ["float", "double", "double", "long double"]
BINARY = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!="]
CONSTANTS = ["0", "1", "2", "3", "5", "7", "8", "16", "31", "32", "33", "63", "64", "100", "127", "128", "255", "256", "1000",
             "32767", "65535", "65536", "2147483647", "-1", "-2", "-128", "-2147483647", "(-2147483647 - 1)", "4294967295u", "3000000000u", "'a'", "'\\377'",
             "0x80000000", "4294967296", "9223372036854775807", "18446744073709551615u", "010", "'ab'", "L'z'", "1ul", "-1l"]
REALS = ["0.0", "-0.0", "1.0", "0.5", "-1.5", "0.1", "3.25f", "1e8f", "16777216.0f", "33554433.0", "1e-3", "1e300", "2147483648.0", "0.1L", "1e-45f", "0.1f", "1e19"]

# What the programs use of the library; they are read without a preprocessor.
PRELUDE = """typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); size_t strlen(const char *); int strcmp(const char *, const char *); int strncmp(const char *, const char *, size_t);
char *strchr(const char *, int); char *strcpy(char *, const char *); char *strcat(char *, const char *);
int abs(int); long labs(long); int atoi(const char *); long strtol(const char *, char **, int); int snprintf(char *, size_t, const char *, ...);
int isdigit(int); int toupper(int); double fabs(double); double floor(double); double sqrt(double); void *malloc(size_t); void free(void *);
"""


class Program:
    def __init__(self, seed, prefix):
        self.random = random.Random(seed)
        self.prefix = prefix
        self.lines = []
        self.depth = 0
        self.names = 0
        self.helpers = []         # functions with the kinds of their parameters
        self.plain = []           # those that are int (int)
        self.places = []          # assignable integer places in scope
        self.reals = []           # assignable floating places
        self.probes = []          # (kind, expression): where `PROBE<n>;` stands
        self.kinds = {}           # the types of those that have a name
        self.traced = []          # names, and the first of the probes of their values at the end of the entry
        self.loops = 0            # how many loops are around
        self.may_open = self.random.random() < 0.5     # whether orders may be open

    def pick(self, things):
        return self.random.choice(things)

    def chance(self, probability):
        return self.random.random() < probability

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def say(self, text):
        self.lines.append("  " * self.depth + text)

    def g(self, name):
        return self.prefix + name

    def probe(self, expression=None):
        """A place where a value is looked at."""
        if expression is None:
            real = self.reals and self.chance(0.2)
            kind, expression = ("double", f"(double)({self.pick(self.reals)})") if real else ("long long", f"(long long)({self.pick(self.places)})")
        else:
            kind = "long long"
        self.say(f"PROBE{len(self.probes)};")
        self.probes.append((kind, expression))

    # Expressions -----------------------------------------------------------------------------------------------------

    def integer(self, depth=2):
        """An integer expression; effects only inside calls."""
        if depth == 0 or self.chance(0.25):
            return self.pick(self.places) if self.places and self.chance(0.65) else self.pick(CONSTANTS)
        kind = self.random.random()
        sub = lambda: self.integer(depth - 1)
        if kind < 0.40:
            operator = self.pick(BINARY)
            right = sub()
            if operator in ("<<", ">>") and self.chance(0.85):
                right = f"({right} & {self.pick([3, 7, 15, 31])})"
            if operator in ("/", "%") and self.chance(0.75):
                right = f"({right} | 1)" if self.chance(0.5) else self.pick(["2", "3", "7", "-3", "10"])
            left = sub()
            if operator in "+-*<<" and self.chance(0.5):
                left = f"({left} & {self.pick(['15', '255', '0xffu', '1000l'])})"
            return f"({left} {operator} {right})"
        if kind < 0.52:
            return f"({self.pick(INTEGERS)})({sub()})"
        if kind < 0.58:
            return f"({sub()} ? {sub()} : {sub()})"
        if kind < 0.65:
            return f"({sub()} {self.pick(['&&', '||'])} {sub()})"
        if kind < 0.70:
            return f"{self.pick(['-', '~', '!', '+'])}({sub()})"
        if kind < 0.78 and self.helpers:
            return self.call(depth)
        if kind < 0.81 and self.helpers and self.may_open:
            return f"({self.call(depth)} {self.pick(['+', '-', '*', '^', '<'])} {self.call(depth)})"
        if kind < 0.85 and self.reals:
            real = self.real(depth - 1)
            return f"({self.pick(['int', 'unsigned char', 'long'])})({real})" if self.chance(0.3) else f"({real} {self.pick(['<', '<=', '==', '!=', '>'])} {self.real(depth - 1)})"
        if kind < 0.88:
            return f"({sub()}, {sub()})"
        if kind < 0.96:
            return self.special(depth)
        return f"({sub()})"

    def special(self, depth):
        """Corners of the language."""
        sub = self.integer(depth - 1)
        place = self.pick(self.places) if self.places else "1"
        kind = self.random.randint(0, 13)
        if kind == 0:
            return f"_Generic(({sub}), int: 1, unsigned: 2, long: 3, unsigned long: 4, default: 5)"
        if kind == 1:
            return f"(int)sizeof({self.pick([place if '.' not in place and '>' not in place else '0', 'struct ' + self.g('S'), 'union ' + self.g('U'), self.g('array'), chr(34) + 'abc' + chr(34), chr(39) + 'a' + chr(39), '(char)1', '1 ? 1 : 1l'])})"
        if kind == 2:
            return f"(struct {self.g('S')}){{ .b = {sub}, .a = 4 }}.{self.pick(['a', 'b', 'c', 'y'])}"
        if kind == 3:
            return f"((int[]){{ {sub}, 2, [4] = 9 }})[{self.pick(['0', '1', '3', '4'])}]"
        if kind == 4:
            return f"\"{self.pick(['abc', 'x' + chr(92) + '0y', 'hello'])}\"[{self.random.randint(0, 3)}]"
        if kind == 5:
            name = self.fresh("e")
            return f"({{ int {name} = (int)({sub}) & 77; {name} * 3; }})"
        if kind == 6:
            return f"{self.g('table')}[({sub}) & 7]"
        if kind == 7:
            return f"{self.g('text')}[({sub}) & 3]"
        if kind == 8:
            return f"__builtin_popcount((unsigned)({sub}))"
        if kind == 9:
            return f"(int)(strlen({self.g('text')}) + {self.random.randint(0, 2)})"
        if kind == 10:
            return f"(strcmp({self.g('text')}, \"{self.pick(['abc', 'abd', ''])}\") {self.pick(['<', '==', '>'])} 0)"
        if kind == 11:
            return f"abs({self.pick(['3', '-7', '(int)(' + sub + ') & 255'])})"
        if kind == 12:
            return f"*(const unsigned char *)&{self.g('int')}"
        return f"{self.g('matrix')}[({sub}) & 1][{self.random.randint(0, 2)}]"

    def real(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.pick(self.reals) if self.reals and self.chance(0.7) else self.pick(REALS)
        kind = self.random.random()
        if kind < 0.55:
            return f"({self.real(depth - 1)} {self.pick(['+', '-', '*', '/'])} {self.real(depth - 1)})"
        if kind < 0.7:
            return f"({self.pick(FLOATS)})({self.real(depth - 1)})"
        if kind < 0.76:
            return f"{self.pick(['fabs', 'floor'])}({self.real(depth - 1)})"
        if kind < 0.8:
            return f"-({self.real(depth - 1)})"
        return f"({self.pick(FLOATS)})({self.integer(depth - 1)})"

    def argument(self, kind, depth):
        if kind == "pointer":
            return self.pick([f"&{self.g('int')}", f"&{self.g('array')}[2]", f"{self.g('array')} + 1", f"&{self.g('s')}.a"])
        return self.integer(max(depth - 2, 0))

    def call(self, depth):
        name, kinds = self.pick(self.helpers)
        if kinds == "variable":
            count = self.random.randint(0, 3)
            return f"{name}({', '.join([str(count)] + ['(int)(' + self.integer(0) + ')' for _ in range(count)])})"
        if kinds == "old":
            return f"{name}((int)({self.integer(0)}), {self.pick(['1.5f', '-2.0', '(float)1'])})"
        return f"{name}({', '.join(self.argument(kind, depth) for kind in kinds)})"

    # Statements ------------------------------------------------------------------------------------------------------

    def block(self, budget):
        self.say("{")
        self.depth += 1
        places, reals = list(self.places), list(self.reals)
        for _ in range(self.random.randint(1, 2)):
            self.statement(budget - 1)
        self.places, self.reals = places, reals
        self.depth -= 1
        self.say("}")

    def statement(self, budget):
        kind = self.random.random()
        if self.chance(0.08):
            self.probe()
        if budget <= 0 or kind < 0.36:
            return self.assignment()
        if kind < 0.48:
            self.say(f"if ({self.integer()})")
            self.block(budget)
            if self.chance(0.5):
                self.say("else")
                self.block(budget)
        elif kind < 0.60:
            self.loop(budget)
        elif kind < 0.67:
            return self.switch(budget)
        elif kind < 0.73:
            self.jump()
        elif kind < 0.79:
            name = self.fresh("v")
            self.kinds[name] = self.pick(INTEGERS)
            self.say(f"{self.pick(['', '', 'volatile '])}{self.kinds[name]} {name} = {self.integer()};")
            self.places.append(name)
        elif kind < 0.83:
            name = self.fresh("s")
            self.say(f"static {self.pick(['int', 'unsigned', 'short'])} {name} = {self.random.randint(0, 9)};")
            self.say(f"{name} += {self.integer(1)} & 15;")
            self.places.append(name)
        elif kind < 0.95:
            self.memory()
        else:
            return self.block(budget)

    def assignment(self):
        if self.reals and self.chance(0.2):
            return self.say(f"{self.pick(self.reals)} {self.pick(['=', '=', '+=', '*=', '-=', '/='])} {self.real()};")
        if not self.places:
            return self.say(";")
        place = self.pick(self.places)
        kind = self.random.random()
        if kind < 0.2:
            self.say(self.pick([f"{place}++;", f"{place}--;", f"++{place};", f"--{place};"]))
        elif kind < 0.35 and self.helpers:
            self.say(f"{place} {self.pick(['=', '+=', '^='] if self.may_open else ['='])} {self.call(2)};")
        elif kind < 0.6:
            self.say(f"{place} {self.pick(['+=', '-=', '*=', '&=', '|=', '^='])} {self.integer(1)};")
        elif kind < 0.66:
            self.say(f"{place} {self.pick(['<<=', '>>='])} ({self.integer(1)} & {self.pick([3, 7])});")
        elif kind < 0.72:
            self.say(f"{place} = ({self.pick(self.places)} = {self.integer(1)}, {self.integer(1)});")
        elif kind < 0.76:
            # The value of an assignment is that of the left side.
            other = self.fresh("w")
            self.say(f"{self.pick(INTEGERS)} {other}; {place} = ({other} = {self.integer(1)});")
            self.places.append(other)
        elif kind < 0.79:
            name = self.fresh("o")
            self.say(f"int {name} = 0; {place} = __builtin_{self.pick(['add', 'sub', 'mul'])}_overflow({self.integer(1)}, {self.integer(0)}, &{name});")
            self.places.append(name)
        elif kind < 0.82:
            self.say(f"if ({self.integer(1)} && ({place} = {self.integer(1)}, 1)) {self.pick(self.places)} = 3;")
        else:
            self.say(f"{place} = {self.integer()};")

    def jump(self):
        label = self.g(self.fresh("skip"))
        kind = self.random.random()
        if kind < 0.5:
            self.say(f"if ({self.integer(1)}) goto {label};")
            self.assignment_alone()
            self.say(f"{label}: ;")
        elif kind < 0.75:
            # Into a block.
            self.say(f"if ({self.integer(1)}) goto {label};")
            self.say(f"if ({self.integer(1)}) {{")
            self.assignment_alone()
            self.say(f"{label}: ;")
            self.assignment_alone()
            self.say("}")
        else:
            # Back, a bounded number of times.
            name = self.fresh("n")
            self.say(f"int {name} = 0; {label}: ;")
            self.assignment_alone()
            self.say(f"if (++{name} < {self.random.randint(2, 4)}) goto {label};")

    def assignment_alone(self):
        """An assignment that declares nothing."""
        place = self.pick(self.places)
        self.say(f"{place} {self.pick(['=', '+=', '^='])} {self.integer(1)};")

    def loop(self, budget):
        counter = self.fresh("i")
        few = ["3", "4", "8", "(b & 7u)", "(a & 3)"] if self.loops == 0 else ["2", "(a & 1)"]
        rounds = self.pick(few)
        form = self.random.random()
        if form < 0.55:
            self.say(f"for ({self.pick(['int', 'unsigned char', 'long'])} {counter} = 0; {counter} < (int){rounds}; {counter}++)")
        elif form < 0.7:
            self.say(f"int {counter} = 0; while ({counter}++ < (int){rounds})")
        elif form < 0.8:
            self.say(f"for (unsigned {counter} = {self.pick(['4', '(b & 3)'])}; {counter}-- > 0;)")
        else:
            self.say(f"int {counter} = 0; do")
        self.say("{")
        self.depth += 1
        self.loops += 1
        # The counter is read in the body and not written, so that the loop ends.
        places, reals = list(self.places), list(self.reals)
        if self.places:
            self.say(f"{self.pick(self.places)} += {counter};")
        self.statement(budget - 1)
        if self.chance(0.15):
            self.probe(f"(long long)({self.pick(self.places + [counter])})")
        if self.chance(0.3):
            self.say(f"if ({self.integer(1)}) {self.pick(['break', 'continue' if form < 0.8 else 'break'])};")
        self.places, self.reals = places, reals
        self.loops -= 1
        self.depth -= 1
        self.say("}" if form < 0.8 else f"}} while (++{counter} < (int){rounds});")

    def switch(self, budget):
        self.say(f"switch ({self.pick(['', '(long)', '(unsigned char)'])}(({self.integer(1)}) & 7)) {{")
        for case in self.random.sample(range(6), self.random.randint(1, 4)):
            self.say(f"case {case}:" if case < 5 or self.chance(0.5) else "case 5 ... 6:")
            self.depth += 1
            self.assignment_alone()
            if self.chance(0.6):
                self.say("break;")
            self.depth -= 1
        if self.chance(0.6):
            self.say("default:")
            self.assignment_alone()
        self.say("}")

    def memory(self):
        kind = self.random.randint(0, 15)
        integer = self.integer
        if kind == 0:
            name = self.fresh("t")
            self.say(f"char {name}[8] = \"{self.pick(['', 'a', 'abc', 'wxyz'])}\";")
            self.say(f"{name}[{integer(1)} & 3] = {self.pick(['0', chr(39) + 'x' + chr(39), chr(39) + chr(92) + 'xe9' + chr(39)])};")
            self.places += [f"{name}[0]", f"*({name} + 1)"]
            self.say(f"{self.pick(self.places)} = (int)strlen({name});")
        elif kind == 1:
            name = self.fresh("p")
            self.say(f"int *{name} = {self.g('array')} + ({integer(1)} & 3);")
            self.say(f"*{name} = {integer(1)}; {name}[1] ^= 1;")
            self.places.append(f"{name}[1]")
        elif kind == 2:
            name = self.fresh("q")
            s, tag = self.g("s"), "struct " + self.g("S")
            self.say(f"{tag} {name} = {{ .b = {integer(1)}, .a = {integer(1)} }};")
            self.say(f"{tag} *{name}p = {self.pick(['&' + name, '&' + s, integer(1) + ' ? &' + name + ' : &' + s])};")
            self.say(f"{name}p->{self.pick(['a', 'b', 'c', 'y'])} ^= {integer(1)}; {name} = *{name}p;")
            self.places += [f"{name}.a", f"{name}.b", f"{name}p->c", f"{name}.y"]
        elif kind == 3:
            name = self.fresh("u")
            self.say(f"union {self.g('U')} {name}; {name}.word = {integer(1)};")
            self.places += [f"{name}.word", f"{name}.bytes[{self.random.randint(0, 3)}]", f"{name}.halves[1]"]
        elif kind == 4:
            self.say(f"memcpy(&{self.g('copy')}, &{self.g('s')}, sizeof {self.g('s')}); {self.g('copy')}.a ^= {integer(1)};")
            self.places.append(f"{self.g('copy')}.a")
        elif kind == 5:
            name = self.fresh("f")
            self.say(f"{self.pick(FLOATS)} {name} = {self.real()};")
            self.reals.append(name)
        elif kind == 6:
            name = self.fresh("z")
            self.say(f"int {name}[{self.pick(['(b & 3) + 2', '3'])}]; {name}[0] = {integer(1)}; {name}[1] = 4;")
            self.places += [f"{name}[0]", f"{name}[1]"]
        elif kind == 7:
            name = self.fresh("r")
            self.say(f"int *{name} = {self.pick(['&' + self.g('int'), '&' + self.g('array') + '[1]'])}, **{name}r = &{name};")
            self.say(f"**{name}r = {integer(1)}; if ({integer(1)}) *{name}r = &{self.g('s')}.a;")
            self.places.append(f"*{name}")
        elif kind == 8:
            name = self.fresh("m")
            self.say(f"{self.g('matrix')}[{integer(1)} & 1][{self.random.randint(0, 2)}] = {integer(1)};")
            self.places.append(f"{self.g('matrix')}[1][1]")
        elif kind == 9:
            self.say(f"struct {self.g('S')} {(name := self.fresh('g'))} = {self.g('make')}({integer(1)});")
            self.places += [f"{name}.a", f"{name}.x"]
        elif kind == 10:
            self.say(f"memmove({self.g('array')} + {self.random.randint(0, 2)}, {self.g('array')} + 1, 3 * sizeof(int));")
        elif kind == 11:
            name = self.fresh("b")
            self.say(f"float {name}f = {self.pick(['1.5f', '(float)a', '-0.0f'])}; unsigned {name}; memcpy(&{name}, &{name}f, 4);")
            self.places.append(name)
        elif kind == 12:
            name = self.fresh("h")
            self.say(f"int *{name} = malloc(2 * sizeof *{name}); int {name}v = -1; if ({name}) {{ {name}[0] = {integer(1)}; {name}[1] = {name}[0] ^ 1; {name}v = {name}[{integer(1)} & 1]; free({name}); }}")
        elif kind == 13:
            name = self.fresh("k")
            self.say(f"char {name}[6]; int {name}n = snprintf({name}, sizeof {name}, \"{self.pick(['%d', '%x', '%5u', '<%03d>', '%c!'])}\", (int)({integer(1)}){self.pick(['', ' & 31'])});")
            self.places += [f"{name}n", f"{name}[0]"]
        elif kind == 14:
            name = self.fresh("l")
            self.say(f"int {name} = {self.pick(['atoi', 'atoi', '(int)strlen'])}(\"{self.pick(['12', '-7x', ' 5', ''])}\") + (memcmp({self.g('array')}, {self.g('array')} + 1, 4) == 0);")
            self.places.append(name)
        else:
            name = self.fresh("d")
            self.say(f"enum {self.g('E')} {name} = {integer(1)} & 1 ? {self.g('RED')} : {self.g('BLUE')}; {self.g('bits')}.w = {integer(1)}; {self.g('bits')}.n = {integer(1)};")
            self.places += [f"{self.g('bits')}.w", f"{self.g('bits')}.n", f"{self.g('bits')}.one"]
            self.say(f"{self.pick(self.places)} = {name};")

    # The whole -------------------------------------------------------------------------------------------------------

    def helper(self, number):
        name = self.g(f"h{number}")
        kinds = [self.pick(["int", "int", "int", "pointer"]) for _ in range(self.random.randint(1, 2))]
        result = self.pick(["int", "int", "int", "unsigned", "short", "long", "_Bool", "signed char"])
        params = ", ".join(f"{'int *' if kind == 'pointer' else 'int '}x{i}" for i, kind in enumerate(kinds))
        self.say(f"{self.pick(['static ', '', 'static inline '])}{result} {name}({params}) {{")
        self.depth += 1
        places, reals = list(self.places), list(self.reals)
        own = [f"*x{i}" if kind == "pointer" else f"x{i}" for i, kind in enumerate(kinds)]
        self.places += own
        kind = self.random.random()
        if kind < 0.2 and "pointer" not in kinds:
            self.say(f"if (x0 <= 0 || x0 > 6) return {self.integer(1)};")
            others = "".join(", x1" for _ in kinds[1:])
            if self.chance(0.3):
                self.probe(f"(long long)({self.pick(self.places)})")
            self.say(f"return x0 + {name}(x0 - {self.random.randint(1, 3)}{others});")
        elif kind < 0.35 and "pointer" in kinds:
            # Two names may mean one object.
            self.say(f"{own[0]} = {self.integer(1)}; {own[-1]} = {self.integer(1)};")
            self.probe(f"(long long)({own[0]})")
            self.say(f"return {own[0]} == {own[-1]};")
        elif kind < 0.6:
            self.say(f"{self.pick([self.g('int'), self.g('uns'), self.g('s') + '.a', self.g('array') + '[1]'])} {self.pick(['+=', '^=', '='])} {self.integer(2)};")
            self.say(f"return {self.integer(2)};")
        else:
            self.statement_in_helper()
            self.say(f"return {self.integer(2)};")
        self.places, self.reals = places, reals
        self.depth -= 1
        self.say("}")
        self.helpers.append((name, kinds))
        if (result, kinds) == ("int", ["int"]):
            self.plain.append(name)

    def statement_in_helper(self):
        self.say("int a = 2; unsigned b = 3; (void)a; (void)b;")
        self.statement(1)

    def text(self):
        g = self.g
        wide = self.pick(["unsigned long w : 40", "long w : 33", "unsigned w : 31", "int w : 17"])
        for line in (f"struct {g('S')} {{ int a; {self.pick(['unsigned', 'int', 'unsigned char', '_Bool'])} b : 1; {self.pick(['unsigned', 'int', 'signed'])} d : {self.random.randint(1, 9)}; short c; union {{ int x; unsigned char y; }}; }};",
                     f"union {g('U')} {{ unsigned word; unsigned char bytes[4]; short halves[2]; float real; }};",
                     f"enum {g('E')} {{ {g('RED')}, {g('GREEN')} = 5, {g('BLUE')}, {g('LOW')} = {self.pick(['-1', '7', '0x7fffffff'])} }};",
                     f"int {g('int')} = {self.random.randint(-3, 9)}; unsigned {g('uns')} = {self.random.randint(0, 9)}u;",
                     f"static struct {g('S')} {g('s')} = {{ {self.random.randint(0, 9)}, 1, -1, 2, .x = {self.random.randint(-2, 300)} }}; struct {g('S')} {g('copy')};",
                     f"int {g('array')}[6] = {{ 1, 2, [4] = {self.random.randint(0, 99)} }}; double {g('double')} = 0.5; int {g('matrix')}[2][3] = {{ {{ 1, 2 }}, {{ 3 }} }};",
                     f"static const short {g('table')}[8] = {{ {', '.join(str(self.random.randint(-9, 300)) for _ in range(7))} }}; static const char {g('text')}[4] = \"{self.pick(['abc', 'a', ''])}\";",
                     f"static struct {{ {wide}; int n : 3; unsigned one : 1; }} {g('bits')};",
                     f"static struct {g('S')} {g('make')}(int x) {{ return (struct {g('S')}){{ .a = x, .y = x + {self.random.randint(0, 3)}u }}; }}"):
            self.say(line)
        globals_ = [g("int"), g("uns"), g("s") + ".a", g("s") + ".b", g("s") + ".d", g("s") + ".y", g("array") + "[2]", g("array") + "[4]"]
        self.places = list(globals_)
        self.reals = [g("double")]
        for number in range(self.random.randint(1, 3)):
            self.helper(number)
        if self.chance(0.2):
            self.say(f"static int {g('sum')}(int n, ...) {{ __builtin_va_list l; int t = 0; __builtin_va_start(l, n); while (n-- > 0) t ^= __builtin_va_arg(l, int) & 255; __builtin_va_end(l); return t; }}")
            self.helpers.append((g("sum"), "variable"))
        if self.chance(0.1):
            self.say(f"static int {g('old')}(x, y) short x; float y; {{ return x * 2 + (y > 0); }}")
            self.helpers.append((g("old"), "old"))
        if len(self.plain) > 1:
            self.say(f"static int (*const {g('functions')}[2])(int) = {{ {self.plain[0]}, {self.plain[1]} }};")
            self.helpers.append((f"{g('functions')}[{g('uns')} & 1]", ["int"]))
        if self.chance(0.1):
            self.say(f"__attribute__((constructor)) static void {g('before')}(void) {{ {g('int')} += {self.random.randint(1, 5)}; }}")
        clean = self.chance(0.1)
        if clean:
            self.say(f"static void {g('clean')}(int *x) {{ {g('int')} ^= *x & 3; }}")
        self.say(f"int {g('entry')}(int a, unsigned b, signed char c, int *p, int *q) {{")
        self.depth += 1
        self.places += ["a", "b", "c", "*p", "*q"]
        if clean:
            self.say(f"{{ __attribute__((cleanup({g('clean')}))) int kept = {self.integer(1)}; {self.pick(self.places)} = kept; }}")
        if self.plain and self.chance(0.4):
            self.say(f"int (*function)(int) = a & 1 ? {self.plain[0]} : {self.plain[-1]};")
            self.helpers.append(("function", ["int"]))
        name = self.fresh("v")
        self.kinds.update({name: self.pick(INTEGERS), "a": "int", "c": "signed char", g("int"): "int"})
        self.say(f"{self.kinds[name]} {name} = {self.integer()};")
        self.places.append(name)
        self.say(f"{self.pick(FLOATS)} r = {self.real()};")
        self.reals.append("r")
        for _ in range(self.random.randint(2, 4)):
            self.statement(2)
        for place in self.random.sample(self.places, 2):
            self.probe(f"(long long)({place})")
        self.probe()
        self.first_traced = len(self.probes)
        self.traced = [name for name in self.places if self.kinds.get(name, "128") not in ("128", "__int128", "unsigned __int128", "unsigned long")][-5:]
        for name in self.traced:
            self.probe(f"(long long)({name})")
        self.depth -= 1
        self.say("return 0; }")
        return "\n".join(self.lines) + "\n"

    def world(self):
        """C that gives the globals, which others can name, other values; `k` chooses."""
        values = [self.pick(["0", "1", "-1", "77", "2147483647", "-2147483647 - 1", "k", "k * 3"]) for _ in range(4)]
        g = self.g
        return f"{g('int')} = {values[0]}; {g('uns')} = {values[1]}; {g('array')}[2] = {values[2]}; {g('copy')}.a = {values[3]}; {g('matrix')}[1][1] = k;"
