"""Python functions for `plumb symmetry --exec`: a JSON array of arguments a line, one JSON value a line.

    plumb symmetry --exec 'python3 lists.py median' --permute A --length 1..5 --domain A=0..4
"""
import json
import sys


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


def median_faulty(numbers):
    return numbers[len(numbers) // 2]


def replace_all(numbers, old, new):
    return {"found": old in numbers, "A": [new if n == old else n for n in numbers]}


def middle(i, j, k):
    return sorted((i, j, k))[1]


answer = {f.__name__: f for f in (median, median_faulty, replace_all, middle)}[sys.argv[1]]
for line in sys.stdin:
    print(json.dumps(answer(*json.loads(line))), flush=True)
