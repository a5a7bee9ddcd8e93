//! Expressions as C. Each case is an expression in the text form and the C it should give.

use ir::{Function, FunctionId, Program, StmtKind, c_declaration, c_expr, c_type, parse_program};

const HEAD: &str = "program 1
struct point size 8 align 4 {
  0 x: int;
  4 y: int;
}
union #1 size 8 align 8 {
  0 i: long;
  0 d: double;
}
struct node size 32 align 8 {
  0 next: *struct node;
  8 : union #1;
  16 bits 128+3 flag: uint;
  20 p: struct point;
}
global $g: int = { }
string $.str0: [4]char = { 0: \"a\\n?\\x00\" }
fn @callee: fn(int) -> int;
fn @f: fn(int, long, uint, char, short, *int, *struct node, double, float) -> void
  param %i: int
  param %l: long
  param %u: uint
  param %c: char
  param %s: short
  param %p: *int
  param %n: *struct node
  param %d: double
  param %e: float
  temp %a: [4]int
  temp %m: [2][3]int
  temp %v: *void
  temp %#12: int
{
";

fn function(program: &Program) -> &Function {
    &program.functions[FunctionId::from_u32(1)]
}

fn check(text: &str, expected: &str) {
    let program = parse_program(&format!("{HEAD}assume {text};\n}}")).unwrap_or_else(|e| panic!("{text}: {e}"));
    let problems = ir::verify(&program);
    assert!(problems.is_empty(), "{text}: {problems:?}");
    let body = function(&program).body.as_ref().unwrap();
    let StmtKind::Assume(expr) = &body.stmts[0].kind else { unreachable!("the body is one assumption") };
    assert_eq!(c_expr(&program, Some(function(&program)), expr), expected, "for {text}");
}

#[test]
fn parentheses_stand_where_needed() {
    check("(%i + 1) * 2", "(i + 1) * 2");
    check("%i + (1 * 2)", "i + 1 * 2");
    check("%i - (%i - 1)", "i - (i - 1)");
    check("(%i - %i) - 1", "i - i - 1");
    check("-(-%i)", "- -i");
    check("-(-5)", "- -5");
    check("!(%i == 3)", "!(i == 3)");
    check("((%i == 1) && (%i == 2)) || (%i == 3)", "(i == 1 && i == 2) || i == 3");
    check("(%i && %i) && %i", "i && i && i");
    check("%i && (%i && %i)", "i && (i && i)");
    check("(%i & 3) == 0", "(i & 3) == 0");
    check("(%i + 1) < %i", "i + 1 < i");
    check("(%i < 1) == 0", "(i < 1) == 0");
    check("%i ? (%i ? 1 : 2) : 3", "i ? i ? 1 : 2 : 3");
    check("(%i ? 1 : 2) + 3", "(i ? 1 : 2) + 3");
    check("(%i << 2) + 1", "(i << 2) + 1");
    check("~(%i | 1)", "~(i | 1)");
}

#[test]
fn conversions_stand_where_c_would_not_make_them() {
    check("(%i as long) + %l", "i + l");
    check("(%i as long) + (%i as long)", "(long)i + i");
    check("(%c as int) + (%s as int)", "c + s");
    check("(%i as uint) < %u", "i < u");
    check("%i < (%u as int)", "i < (int)u");
    check("(%i cast long) + %l", "(long)i + l");
    check("(%e as double) * %d", "e * d");
    check("(%i as double) * %d", "i * d");
    check("((%l as int) == 0)", "(int)l == 0");
    check("!(%l as int)", "!(int)l");
    check("!(%c as int)", "!c");
    check("%p == (0 as *int)", "p == 0");
    check("%p == (%v as *int)", "p == v");
    check("%p == (%n as *int)", "p == (int *)n");
    check("((%c as int) << 3)", "c << 3");
    check("((%i as ulong) << 3) == 0_ulong", "((unsigned long)i << 3) == 0UL");
    check("((*%n).flag as int) + 1", "n->flag + 1");
    check("(%i as long) : long", "i");
    check("%c + 1_char", "(char)(c + 1)");
}

#[test]
fn objects_look_as_in_c() {
    check("(*%p)", "*p");
    check("(*(%p +ptr 2_long))", "p[2L]");
    check("(*(%p +ptr (%i as long)))", "p[i]");
    check("%a[(%i as long)]", "a[i]");
    check("%m[1_long][2_long]", "m[1L][2L]");
    check("&%a[0_long] == %p", "a == p");
    check("&%a[2_long] == %p", "&a[2L] == p");
    check("&%m[1_long][0_long] == %p", "m[1L] == p");
    check("(*%n).p.x", "n->p.x");
    check("(*%n).#1.i", "n->i");
    check("(*(*%n).next).next == (0 as *struct node)", "n->next->next == 0");
    check("(*(&%i))", "i");
    check("&(*%n).p.y == %p", "&n->p.y == p");
    check("(*((%v cast *int)))", "*(int *)v");
    check("&$.str0[0_long] == (%v as *char)", "\"a\\n\\?\" == v");
    check("%#12 + $g", "tmp12 + g");
    check("(@callee cast ulong)", "(unsigned long)callee");
    check("(%p -ptr (%p +ptr 1_long))", "p - (p + 1L)");
    check("(*(*%n).next).#1.d", "n->next->d");
}

#[test]
fn constants_have_their_type() {
    check("-2147483648 < %i", "-2147483647 - 1 < i");
    check("%i * -2147483648", "i * (-2147483647 - 1)");
    check("5_ulong", "5UL");
    check("5_uchar", "5");
    check("-5_long", "-5L");
    check("%i - -5", "i - -5");
    check("0.5", "0.5");
    check("0.10000000149011612_float", "0.1f");
    check("x80(0x3fff8000000000000000)", "0x8000000000000000p-63L");
    check("18446744073709551616_uint128", "(unsigned __int128)1UL << 64 | 0UL");
}

#[test]
fn types_and_declarations() {
    let declared = |ty: &str, name: &str| {
        let program = parse_program(&format!("{HEAD}}}\nglobal $probe: {ty};")).unwrap();
        let ty = program.globals[program.find_global("probe").unwrap()].ty;
        if name.is_empty() { c_type(&program, None, ty) } else { c_declaration(&program, None, ty, name) }
    };
    assert_eq!(declared("*const char", ""), "const char *");
    assert_eq!(declared("*[3]int", "p"), "int (*p)[3]");
    assert_eq!(declared("[3]*int", "p"), "int *p[3]");
    assert_eq!(declared("*fn(int, *char) -> *int", "f"), "int *(*f)(int, char *)");
    assert_eq!(declared("*fn() -> void", ""), "void (*)(void)");
    assert_eq!(declared("*fn(?) -> int", ""), "int (*)()");
    assert_eq!(declared("*fn(int, ...) -> int", ""), "int (*)(int, ...)");
    assert_eq!(declared("**const struct point", "p"), "const struct point **p");
    assert_eq!(declared("*const *int", "p"), "int *const *p");
    assert_eq!(declared("uint128", "x"), "unsigned __int128 x");
}
