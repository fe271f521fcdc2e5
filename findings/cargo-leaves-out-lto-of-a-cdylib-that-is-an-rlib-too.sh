#!/usr/bin/env bash
# Cargo 1.95.0 leaves the profile's `lto` out, without a warning, where a library is a `cdylib` and an `rlib` as well.
#
# The manual of profiles says that `lto` controls the compiler's flag for link-time optimization. One process of the
# compiler makes all types of a library, and an rlib cannot be optimized so: a module for browsers that others may also
# depend on is never optimized as a whole. `cargo build -v` shows the flags. A library that is a cdylib alone gets the flag,
# and so does the second one by `cargo rustc --crate-type cdylib`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
echo 'pub extern "C" fn answer() -> u32 { 42 }' >"$folder/src/lib.rs"
manifest() {
    printf '[package]\nname = "module"\nversion = "0.0.0"\nedition = "2021"\n[lib]\ncrate-type = [%s]\n[profile.release]\nlto = "fat"\n' "$1" >"$folder/Cargo.toml"
}
# Says whether a build passes the flag, and how many warnings it prints.
built() {
    local log
    rm -rf "$folder/target"
    log=$(cargo "${@:2}" -v --release --offline --manifest-path "$folder/Cargo.toml" 2>&1)
    echo "$1: $(grep -c -- '-C lto' <<<"$log" || true) with lto, $(grep -c '^warning' <<<"$log" || true) warnings"
}
seen=$(
    manifest '"cdylib"' && built "cdylib" build
    manifest '"cdylib", "rlib"' && built "cdylib and rlib" build
    built "cdylib and rlib, by type" rustc --crate-type cdylib
)
cargo --version
echo "$seen"
expected="cdylib: 1 with lto, 0 warnings
cdylib and rlib: 0 with lto, 0 warnings
cdylib and rlib, by type: 1 with lto, 0 warnings"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
