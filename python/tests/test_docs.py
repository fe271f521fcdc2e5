"""The samples of the chapter on Python run, in their order."""

import pathlib
import re

import pytest

CHAPTER = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"


def test_samples_run():
    pytest.importorskip("pyarrow")
    samples = re.findall(r"^```python\n(.*?)^```$", CHAPTER.read_text(), re.M | re.S)
    # The last one needs a crate of one's own.
    assert len(samples) == 8 and "my_models" in samples.pop()
    names: dict = {}
    for sample in samples:
        exec(compile(sample, str(CHAPTER), "exec"), names)
    assert names["compared"]["system_number"]["difference"]["mean"] < 0
