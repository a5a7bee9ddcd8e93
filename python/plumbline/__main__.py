"""``python -m plumbline``: the command, for environments whose scripts are not on the path."""

import os
import sys

from ._ask import find_plumb

if __name__ == "__main__":
    command = find_plumb()
    os.execv(command, [command, *sys.argv[1:]])
