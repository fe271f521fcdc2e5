#!/usr/bin/env bash
# Builds the emulation into a folder: libcuda.so.1, libnvrtc.so.12 and what compiled kernels include.
#
#   build.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
mkdir -p "$folder/kernel"
cp "$here"/kernel/*.h "$folder/kernel/"
flags=(-std=c++17 -O2 -g -Wall -Wextra -fPIC -shared -fvisibility=hidden -pthread)
build() {
    local library=$1
    shift
    # Only when something is newer: the tests ask for it every time.
    if [ ! -e "$folder/$library" ] || [ -n "$(find "$here" -newer "$folder/$library" -type f)" ]; then
        "${CXX:-g++}" "${flags[@]}" -Wl,-soname,"${library%.[0-9]*}" -o "$folder/$library.new" "$@"
        mv "$folder/$library.new" "$folder/$library"
    fi
}
build libcuda.so.1 "$here"/driver/*.cpp -ldl
build libnvrtc.so.12 "$here"/nvrtc/*.cpp -ldl
