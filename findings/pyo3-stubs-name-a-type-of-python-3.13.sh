#!/usr/bin/env bash
# The stubs that PyO3 writes for a module of CPython 3.10 and later import a name that Python has from 3.13 on.
#
# Seen with pyo3 0.30.1 (features abi3-py310, experimental-inspect), maturin 1.16.0 and mypy 1.19.1 on Linux x86_64. The
# guide says that stubs follow the Python version for which the module is built. A function that returns a PyCapsule gets the
# type `types.CapsuleType`. The module runs on 3.10, but mypy refuses its stubs for 3.10 to 3.12, where `types` has no such
# name, and with them whatever imports the module. A type with an OUTPUT_TYPE of its own around the capsule helps.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q maturin==1.16.0 mypy==1.19.1
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "boxed"
version = "0.1.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
pyo3 = { version = "=0.30.1", features = ["abi3-py310", "experimental-inspect"] }
TOML
cat >pyproject.toml <<'TOML'
[build-system]
requires = ["maturin==1.16.0"]
build-backend = "maturin"

[project]
name = "boxed"
version = "0.1.0"
TOML
cat >src/lib.rs <<'RUST'
use pyo3::prelude::*;

#[pymodule]
mod boxed {
    use super::*;
    use pyo3::types::PyCapsule;

    #[pyfunction]
    fn number(py: Python<'_>) -> PyResult<Bound<'_, PyCapsule>> {
        PyCapsule::new_with_value(py, 7_u64, c"number")
    }
}
RUST
venv/bin/maturin generate-stubs --quiet --out stubs
stub=$(find stubs -name '*.pyi')
grep -n 'CapsuleType' "$stub"
judge() { venv/bin/mypy --python-version "$1" "$stub" 2>&1 || true; }
for version in 3.12 3.13; do echo "mypy for $version: $(judge $version | head -n 1)"; done
judge 3.12 | grep -q 'no attribute "CapsuleType"' && judge 3.13 | grep -q '^Success' || { echo "the behaviour has changed"; exit 1; }
