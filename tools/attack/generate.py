"""Random C programs over all of the language that verdicts are given about.

A program is some types, globals and helper functions, and an entry `int entry(int a, unsigned b, signed char c)` whose
body ends with *probes*: named scalar values. Nothing here knows what the program computes; who uses it runs the compiled
program to learn that (`attack`).

What occurs: structs with bit-fields, unions, enums, arrays, pointers into arrays and structs, strings, floats, `_Bool`,
recursion, function pointers, `goto`, `switch` with falling through, `do`, comma, `?:`, `&&` with effects on the right,
compound assignments, `++`, casts, static locals, `volatile`, globals that helpers change, several calls with effects in
one expression, constructors, `cleanup`, compound literals, designated initialisers, `memcpy`, `memset`, `strlen`.

Undefined behaviour is not avoided by construction, except the kind that no sanitizer sees (unsequenced effects on one
object): the sanitizers say which inputs are well defined.
"""
import random

INTEGERS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool"]
FLOATS = ["float", "double"]
BINARY = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!="]
CONSTANTS = ["0", "1", "2", "3", "5", "7", "8", "16", "31", "32", "33", "63", "64", "100", "127", "128", "255", "256", "1000",
             "32767", "65535", "65536", "2147483647", "-1", "-2", "-128", "-2147483647", "4294967295u", "3000000000u", "'a'"]
REALS = ["0.0", "1.0", "0.5", "-1.5", "0.1", "3.25f", "1e8f", "16777216.0f", "33554433.0", "1e-3", "1e300", "2147483648.0"]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = 0
        self.names = 0
        self.helpers = []         # functions with their number of parameters
        self.plain = []           # those that are int (int)
        self.places = []          # assignable integer places in scope
        self.reals = []           # assignable floating places
        self.probes = []
        self.has_inputs = self.random.random() < 0.6

    def pick(self, things):
        return self.random.choice(things)

    def chance(self, probability):
        return self.random.random() < probability

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def say(self, text):
        self.lines.append("  " * self.depth + text)

    # Expressions -----------------------------------------------------------------------------------------------------

    def integer(self, depth=3):
        """An integer expression; effects only inside calls."""
        if depth == 0 or self.chance(0.25):
            return self.pick(self.places) if self.places and self.chance(0.65) else self.pick(CONSTANTS)
        kind = self.random.random()
        sub = lambda: self.integer(depth - 1)
        if kind < 0.45:
            operator = self.pick(BINARY)
            right = sub()
            if operator in "<<>>" and self.chance(0.8):
                right = f"({right} & {self.pick([3, 7, 15, 31])})"
            if operator in ("/", "%") and self.chance(0.7):
                right = f"({right} | 1)" if self.chance(0.5) else self.pick(["2", "3", "7", "-3", "10"])
            return f"({sub()} {operator} {right})"
        if kind < 0.55:
            return f"({self.pick(INTEGERS)})({sub()})"
        if kind < 0.62:
            return f"({sub()} ? {sub()} : {sub()})"
        if kind < 0.69:
            return f"({sub()} {self.pick(['&&', '||'])} {sub()})"
        if kind < 0.74:
            return f"{self.pick(['-', '~', '!'])}({sub()})"
        if kind < 0.82 and self.helpers:
            return self.call(depth)
        if kind < 0.86 and self.helpers:
            return f"({self.call(depth)} {self.pick(['+', '-', '*', '^', '<'])} {self.call(depth)})"
        if kind < 0.90 and self.reals:
            real = self.real(depth - 1)
            return f"(int)({real})" if self.chance(0.3) else f"({real} {self.pick(['<', '<=', '==', '!=', '>'])} {self.real(depth - 1)})"
        if kind < 0.93:
            return f"({sub()}, {sub()})"
        return f"({sub()})"

    def real(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.pick(self.reals) if self.reals and self.chance(0.7) else self.pick(REALS)
        kind = self.random.random()
        if kind < 0.6:
            return f"({self.real(depth - 1)} {self.pick(['+', '-', '*', '/'])} {self.real(depth - 1)})"
        if kind < 0.75:
            return f"({self.pick(FLOATS)})({self.real(depth - 1)})"
        return f"({self.pick(FLOATS)})({self.integer(depth - 1)})"

    def call(self, depth):
        name, arity = self.pick(self.helpers)
        return f"{name}({', '.join(self.integer(max(depth - 2, 0)) for _ in range(arity))})"

    # Statements ------------------------------------------------------------------------------------------------------

    def block(self, budget):
        self.say("{")
        self.depth += 1
        places, reals = list(self.places), list(self.reals)
        for _ in range(self.random.randint(1, 3)):
            self.statement(budget - 1)
        self.places, self.reals = places, reals
        self.depth -= 1
        self.say("}")

    def statement(self, budget):
        kind = self.random.random()
        if budget <= 0 or kind < 0.38:
            return self.assignment()
        if kind < 0.52:
            self.say(f"if ({self.integer()})")
            self.block(budget)
            if self.chance(0.5):
                self.say("else")
                self.block(budget)
        elif kind < 0.66:
            self.loop(budget)
        elif kind < 0.72:
            return self.switch(budget)
        elif kind < 0.78:
            label = self.fresh("skip")
            self.say(f"if ({self.integer(2)}) goto {label};")
            self.assignment()
            self.say(f"{label}: ;")
        elif kind < 0.84:
            name = self.fresh("v")
            self.say(f"{self.pick(INTEGERS)} {name} = {self.integer()};")
            self.places.append(name)
        elif kind < 0.89:
            name = self.fresh("s")
            self.say(f"static {self.pick(['int', 'unsigned', 'short'])} {name} = {self.random.randint(0, 9)};")
            self.say(f"{name} += {self.integer(1)} & 15;")
            self.places.append(name)
        elif kind < 0.94:
            self.memory()
        else:
            return self.block(budget)

    def assignment(self):
        if self.reals and self.chance(0.2):
            return self.say(f"{self.pick(self.reals)} {self.pick(['=', '=', '+=', '*=', '-='])} {self.real()};")
        if not self.places:
            return self.say(";")
        place = self.pick(self.places)
        kind = self.random.random()
        if kind < 0.2:
            self.say(f"{place}{self.pick(['++', '--'])};")
        elif kind < 0.35 and self.helpers:
            # An index and a value with effects of their own.
            self.say(f"{place} {self.pick(['=', '+=', '^='])} {self.call(2)};")
        elif kind < 0.65:
            self.say(f"{place} {self.pick(['+=', '-=', '*=', '&=', '|=', '^='])} {self.integer(2)};")
        else:
            self.say(f"{place} = {self.integer()};")

    def loop(self, budget):
        counter = self.fresh("i")
        rounds = self.pick(["3", "4", "8", "(b & 7u)", "(a & 3)"])
        form = self.random.random()
        if form < 0.6:
            self.say(f"for (int {counter} = 0; {counter} < (int){rounds}; {counter}++)")
        elif form < 0.8:
            self.say(f"int {counter} = 0; while ({counter}++ < (int){rounds})")
        else:
            self.say(f"int {counter} = 0; do")
        self.say("{")
        self.depth += 1
        # The counter is read in the body and not written, so that the loop ends.
        places, reals = list(self.places), list(self.reals)
        if self.places:
            self.say(f"{self.pick(self.places)} += {counter};")
        self.statement(budget - 1)
        if self.chance(0.3):
            self.say(f"if ({self.integer(2)}) {self.pick(['break', 'continue' if form < 0.8 else 'break'])};")
        self.places, self.reals = places, reals
        self.depth -= 1
        self.say("}" if form < 0.8 else f"}} while (++{counter} < (int){rounds});")

    def switch(self, budget):
        self.say(f"switch (({self.integer(2)}) & 3) {{")
        for case in self.random.sample(range(4), self.random.randint(1, 3)):
            self.say(f"case {case}:")
            self.depth += 1
            self.assignment()
            if self.chance(0.6):
                self.say("break;")
            self.depth -= 1
        if self.chance(0.6):
            self.say("default:")
            self.assignment()
        self.say("}")

    def memory(self):
        kind = self.random.randint(0, 5)
        if kind == 0:
            name = self.fresh("t")
            self.say(f"char {name}[8] = \"{self.pick(['', 'a', 'abc', 'wxyz'])}\";")
            self.say(f"{name}[{self.integer(1)} & 3] = {self.pick(['0', chr(39) + 'x' + chr(39)])};")
            self.places += [f"{name}[0]", f"*({name} + 1)"]
            self.say(f"{self.pick(self.places)} = (int)strlen({name});")
        elif kind == 1:
            name = self.fresh("p")
            self.say(f"int *{name} = garray + ({self.integer(1)} & 3);")
            self.say(f"*{name} = {self.integer(2)}; {name}[1] += 1;")
            self.places.append(f"{name}[1]")
        elif kind == 2:
            name = self.fresh("q")
            self.say(f"struct S {name} = {{ .b = {self.integer(1)}, .a = {self.integer(1)} }};")
            self.say(f"struct S *{name}p = {self.pick(['&' + name, '&gs', '&gs'])};")
            self.say(f"{name}p->{self.pick(['a', 'b', 'c'])} += {self.integer(1)}; {name} = *{name}p;")
            self.places += [f"{name}.a", f"{name}.b", f"{name}p->c"]
        elif kind == 3:
            name = self.fresh("u")
            self.say(f"union U {name}; {name}.word = {self.integer(2)};")
            self.places += [f"{name}.word", f"{name}.bytes[{self.random.randint(0, 3)}]", f"{name}.halves[1]"]
        elif kind == 4:
            self.say(f"memcpy(&gcopy, &gs, sizeof gs); gcopy.a ^= {self.integer(1)};")
            self.places.append("gcopy.a")
        else:
            name = self.fresh("f")
            self.say(f"{self.pick(FLOATS)} {name} = {self.real()};")
            self.reals.append(name)

    # The whole -------------------------------------------------------------------------------------------------------

    def helper(self, number):
        name, arity = f"h{number}", self.random.randint(1, 2)
        result = self.pick(["int", "int", "unsigned", "short", "long"])
        self.say(f"{self.pick(['static ', ''])}{result} {name}({', '.join(f'int x{i}' for i in range(arity))}) {{")
        self.depth += 1
        places = list(self.places)
        self.places += [f"x{i}" for i in range(arity)]
        kind = self.random.random()
        if kind < 0.2:
            self.say(f"if (x0 <= 0 || x0 > 12) return {self.integer(1)};")
            others = "".join(", x1" for _ in range(arity - 1))
            self.say(f"return x0 + {name}(x0 - {self.random.randint(1, 3)}{others});")
        elif kind < 0.6:
            self.say(f"{self.pick(['gint', 'guns', 'gs.a', 'garray[1]'])} {self.pick(['+=', '^=', '='])} {self.integer(2)};")
            self.say(f"return {self.integer(2)};")
        else:
            self.statement(1)
            self.say(f"return {self.integer(2)};")
        self.places = places
        self.depth -= 1
        self.say("}")
        self.helpers.append((name, arity))
        if (result, arity) == ("int", 1):
            self.plain.append(name)

    def text(self):
        for line in ("#include <string.h>", "#include <assert.h>",
                     f"struct S {{ int a; {self.pick(['unsigned', 'int', 'unsigned char'])} b : {self.random.randint(1, 7)}; short c; }};",
                     "union U { unsigned word; unsigned char bytes[4]; short halves[2]; };",
                     "enum E { RED, GREEN = 5, BLUE };",
                     f"int gint = {self.random.randint(-3, 9)}; unsigned guns = {self.random.randint(0, 9)}u;",
                     f"static struct S gs = {{ {self.random.randint(0, 9)}, 1, -1 }}; struct S gcopy;",
                     f"int garray[6] = {{ 1, 2, [4] = {self.random.randint(0, 99)} }}; double gdouble = 0.5; enum E gcolour = GREEN;"):
            self.say(line)
        self.places = ["gint", "guns", "gs.a", "gs.b", "garray[2]", "garray[4]"]
        self.reals = ["gdouble"]
        for number in range(self.random.randint(1, 3)):
            self.helper(number)
        if self.chance(0.1):
            self.say(f"__attribute__((constructor)) static void before(void) {{ gint += {self.random.randint(1, 5)}; }}")
        self.say("int entry(int a, unsigned b, signed char c) {")
        self.depth += 1
        self.places += ["a", "b", "c"]
        if self.plain and self.chance(0.5):
            self.say(f"int (*function)(int) = a & 1 ? {self.plain[0]} : {self.plain[-1]};")
            self.helpers.append(("function", 1))
        name = self.fresh("v")
        self.say(f"{self.pick(INTEGERS)} {name} = {self.integer()};")
        self.places.append(name)
        self.say(f"{self.pick(FLOATS)} r = {self.real()};")
        self.reals.append("r")
        for _ in range(self.random.randint(2, 5)):
            self.statement(2)
        chosen = self.random.sample([p for p in self.places if "[" not in p or p.startswith("g")], 3)
        self.probes = [("long long", f"(long long)({place})") for place in chosen] + [("double", "r")]
        self.say("PROBES")
        self.depth -= 1
        self.say("return 0; }")
        return "\n".join(self.lines) + "\n"
