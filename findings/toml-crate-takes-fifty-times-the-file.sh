#!/usr/bin/env bash
# The crate `toml` needs some fifty times the size of a document to read it, also where serde takes every value at once.
#
# Seen with toml 1.2.1 on Linux x86_64, release build: 100,000 tables of some 36 bytes, read into a list of structs of 32 bytes with
# `toml::from_str`. Before serde sees a value the parser makes lists of all words and events, and a table with the places of all keys.
# serde_json 1.0.151 reads the same list from JSON in two to three times the size of its text. So a limit on the size of a file is no limit on the
# memory that it takes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "memory"
version = "0.0.0"
edition = "2024"

[dependencies]
serde = { version = "=1.0.229", features = ["derive"] }
serde_json = "=1.0.151"
toml = "=1.2.1"
TOML
cat >src/main.rs <<'RUST'
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Node {
    name: String,
    servers: u32,
}

#[derive(Serialize, Deserialize)]
struct Network {
    node: Vec<Node>,
}

/// Peak of the memory of this process so far, in bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

fn main() {
    let node = (0..100_000).map(|k| Node { name: format!("n{k}"), servers: 1 }).collect();
    let network = Network { node };
    let is_toml = std::env::args().nth(1).as_deref() == Some("toml");
    let text = if is_toml {
        let tables = network.node.iter().map(|node| format!("[[node]]\nname = '{}'\nservers = 1\n", node.name));
        tables.collect()
    } else {
        serde_json::to_string(&network).unwrap()
    };
    let before = peak();
    let read: Network = if is_toml { toml::from_str(&text).unwrap() } else { serde_json::from_str(&text).unwrap() };
    assert_eq!(read.node.len(), 100_000);
    println!("{}", (peak() - before) / text.len());
}
RUST
cargo build -q --release
in_toml=$(target/release/memory toml)
in_json=$(target/release/memory json)
echo "memory over the size of the text: TOML $in_toml, JSON $in_json"
[ "$in_toml" -ge 30 ] && [ "$in_json" -le 3 ] || { echo "the behaviour has changed"; exit 1; }
