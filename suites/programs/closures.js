// Closures, recursion, strings, regular expressions, dates of no use, JSON.
function counter() { var n = 0; return function () { return ++n; }; }
var next = counter();
next(); next();
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
print(next(), fib(15), "abcabc".replace(/b(c)/g, "[$1]"), [3, 1, 2].sort().join("-"));
var tree = { name: "root", kids: [{ name: "left", kids: [] }, { name: "right", kids: [] }] };
function depth(node) { return 1 + node.kids.map(depth).reduce(function (a, b) { return Math.max(a, b); }, 0); }
print(depth(tree), JSON.stringify(tree), JSON.parse("[1, 2, {\"a\": 3.5e-2}]")[2].a);
try { null.x; } catch (error) { print(error instanceof TypeError); }
print((0.1 + 0.2).toFixed(3), parseInt("ff", 16), (255).toString(2), encodeURIComponent("a b&c"));
