-- Strings, patterns, tables and numbers.
local words = {}
for w in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do words[#words + 1] = w end
table.sort(words, function(a, b) return #a < #b or (#a == #b and a < b) end)
print(table.concat(words, " "))
print(("%d %x %5.1f %-5s| %q"):format(255, 255, math.pi, "ab", "tab\t"))
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
print(("hello"):gsub("l+", function(s) return "<" .. s .. ">" end))
print(math.maxinteger + 1 == math.mininteger, 7 // -2, -7 % 3, 7.5 // 2, 1 / 0, -1 / 0)
print(string.pack("<i4", 100):byte(1, -1))
print(utf8.char(228, 8364, 128512), #utf8.char(228))
print(tostring(1e15), 2^53, 0x7fffffffffffffff, 1e100)
print(tonumber("0x1p4"), tonumber("  12  "), tonumber("z", 36), tonumber("8", 8))
local primes, sieve = {}, {}
for i = 2, 2000 do
  if not sieve[i] then
    primes[#primes + 1] = i
    for j = i * i, 2000, i do sieve[j] = true end
  end
end
print(#primes, primes[#primes])
local f <const> = load("local a, b = ... return a * b + 1")
print(f(6, 7), load("syntax error here"))
local file = assert(io.open("made.txt", "w"))
file:write("one\n", 2, "\n")
file:close()
for line in io.lines("made.txt") do io.write("[", line, "]") end
print(os.remove("made.txt"))
