-- Errors and coroutines: every one of them is a longjmp.
local function deep(n)
  if n == 0 then error({code = 42}) end
  return deep(n - 1) + 1
end
local ok, err = pcall(deep, 50)
print(ok, type(err), err.code)
print(select(2, xpcall(function() local x = nil; return x.y end, function(m) return "handled: " .. m end)))
local function numbers(n)
  return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end)
end
local sum = 0
for i in numbers(100) do sum = sum + i end
print(sum)
local co = coroutine.create(function() error("inside") end)
print(coroutine.resume(co))
print(coroutine.status(co), coroutine.resume(co))
print(pcall(string.rep))
local t = setmetatable({}, {__index = function(_, k) return k * 2 end, __close = function() print("closed") end})
do local guard <close> = t; print(t[21]) end
print(pcall(function() local guard <close> = t; error("out") end))
collectgarbage()
os.exit(7)
