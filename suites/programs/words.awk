# Counts words, sorts them by how often they come, and formats numbers.
{
    for (i = 1; i <= NF; i++) {
        word = tolower($i)
        gsub(/[^a-z]/, "", word)
        if (length(word) > 3) count[word]++
    }
}
function insert(order, n, word,    i) {
    for (i = n; i > 0 && (count[order[i]] < count[word] || (count[order[i]] == count[word] && order[i] > word)); i--)
        order[i + 1] = order[i]
    order[i + 1] = word
    return n + 1
}
END {
    for (word in count) n = insert(order, n + 0, word)
    for (i = 1; i <= n && i <= 10; i++) printf "%-12s %3d %6.3f\n", order[i], count[order[i]], sqrt(count[order[i]])
    print substr("abcdef", 2, 3), index("hello", "lo"), sprintf("%x", 255), split("a:b:c", parts, ":"), parts[3]
    exit n % 7
}
