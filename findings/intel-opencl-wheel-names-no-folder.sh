#!/usr/bin/env bash
# The wheel of Intel's OpenCL for CPUs brings a description of the driver that names a folder which exists nowhere.
#
# Seen with intel-opencl-rt 2026.2.0 from PyPI on Linux x86_64: after pip has installed it, etc/OpenCL/vendors/intel-cpu.icd holds the path
# of a packager's placeholder, not that of the installed libintelocl.so. A loader that is shown this folder finds no platform
# (PLATFORM_NOT_FOUND_KHR). With one line that names the installed library it finds the CPU.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 pyopencl==2026.1.4
library=$(cat "$folder/venv/etc/OpenCL/vendors/intel-cpu.icd")
echo "intel-cpu.icd: $library, $([ -e "$library" ] && echo exists || echo "does not exist")"
mkdir "$folder/vendors"
echo "$folder/venv/lib/libintelocl.so" >"$folder/vendors/intel.icd"
cat >"$folder/list.py" <<'PY'
import pyopencl

try:
    print(len(pyopencl.get_platforms()), "platform")
except pyopencl.Error as error:
    print(error)
PY
seen=
for vendors in "$folder/venv/etc/OpenCL/vendors" "$folder/vendors"; do
    seen="$seen$(OCL_ICD_VENDORS=$vendors LD_LIBRARY_PATH=$folder/venv/lib "$folder/venv/bin/python" "$folder/list.py"); "
done
echo "the wheel's folder; a folder with the installed path: $seen"
expected="clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR; 1 platform; "
[ ! -e "$library" ] && [ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
