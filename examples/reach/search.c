/* Looks a key up in a search tree; says how deep it lies, or -1. */
typedef struct bst *bst;

int is_leaf(bst t);
int key(bst t);
bst smaller(bst t);
bst larger(bst t);

int search(bst t, int wanted)
{
    int depth = 0;
    while (!is_leaf(t)) {
        if (key(t) == wanted)
            return depth;
        else if (wanted < key(t))
            t = smaller(t);
        else
            t = larger(t);
        depth++;
    }
    return -1;
}
