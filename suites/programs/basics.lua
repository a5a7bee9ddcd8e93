local t = {}
for i=1,10 do t[#t+1] = i*i end
print(table.concat(t, ","))
print(pcall(function() error("boom") end))
print(string.format("%5.2f %s %q", 3.14159, "x", "a\nb"))
print(select('#', string.byte("hello", 1, -1)), math.floor(3.7), 7 // 2, 2^10)
local co = coroutine.wrap(function(a) for i=1,3 do a = coroutine.yield(a+i) end return "end" end)
print(co(1), co(2), co(3), co(4))
print(os.time{year=2020,month=1,day=1,hour=0}, os.date("!%Y-%m-%d", 0))
for k, v in pairs({a=1}) do print(k, v) end
print(("x"):rep(3), #"abc", ("hello world"):gsub("o", "0"))
print(load("return 1 + ")) 
