"""Objects that models read in place of files.

A configuration has paths of such objects, and a call hands over what is in them: an extension module of models of one's
own does not see what others hold.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from weakref import WeakValueDictionary

from . import _native

FOLDER = "/in memory, "
NUMBER = re.compile(re.escape(FOLDER) + r"(\d+)/")

numbers = itertools.count()


class InMemory:
    """Object that models read in place of a file."""

    _path: str | None = None

    @property
    def path(self) -> str:
        """Name that stands for the object in a configuration, as long as the object is there."""
        if self._path is None:
            number = next(numbers)
            alive[number] = self
            self._path = f"{FOLDER}{number}/{self._file_name}"
        return self._path

    @property
    def _file_name(self) -> str:
        """Name of the file, with an ending that tells its format."""
        raise NotImplementedError

    def _file(self) -> _native.Raster | _native.MemoryFile:
        """Returns what is in the file."""
        raise NotImplementedError


# Objects by the numbers in their paths.
alive: WeakValueDictionary[int, InMemory] = WeakValueDictionary()


def named(text: str) -> Iterator[InMemory]:
    """Returns the objects whose paths are in a text."""
    if FOLDER not in text:
        return
    for number in NUMBER.findall(text):
        found = alive.get(int(number))
        if found is not None:
            yield found
