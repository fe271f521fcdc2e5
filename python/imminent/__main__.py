"""The program: `python -m imminent` and the script `imminent` have every command of the one that cargo builds."""

from __future__ import annotations

import os
import sys


def program() -> list[str]:
    """Returns the command that runs the program in another process, wherever this one found the package."""
    return [sys.executable, os.path.abspath(__file__)]


def main() -> int:
    """Runs the command that the arguments of this process give, and returns its exit status."""
    from imminent import _native

    return _native.main(program(), sys.argv[1:])


if __name__ == "__main__":
    if not __package__:
        # Called by its path: the package is in the folder above, and this one holds no package.
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main())
