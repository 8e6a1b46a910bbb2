#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
# Whether an oscillator of swh-lv2 sounds the same whatever has run on the machine before.
#
# Guess: it does; a plug-in's sound is its own.
# Seen: the oscillators of swh-plugins (LADSPA) and of swh-lv2 leave their tables of waves in shared memory, under one name that stays
#       until the machine is turned off. The packages of Debian 13 compute these tables with other last bits: of 3000 samples of
#       fmOsc 500 differ by their last bit, after the LADSPA plug-in has been made once.
# So a host that compares sounds removes /dev/shm/blo-*.tbl before each run. A plug-in that cannot reach shared memory computes its own.
#
# The packages are Debian 13's, and run on Debian 12 as well. The oscillator hears the same noise both times, in a process of its own.
set -euo pipefail
folder=$(mktemp -d)
table=/dev/shm/blo-1-4x64x1028.tbl
trap 'rm -rf "$folder" "$table"' EXIT
cd "$folder"
mkdir -p lists/partial
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >sources.list
options="-o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false -o Dir::Etc::sourcelist=$folder/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$folder/lists"
apt-get $options -o APT::Sandbox::User=root update >/dev/null
apt-get $options -o APT::Sandbox::User=root download 'swh-lv2=1.0.16+git20160519~repack0-4' swh-plugins=0.4.17-3 >/dev/null
for package in ./*.deb; do dpkg -x "$package" .; done

cat >oscillator.py <<'PYTHON'
import ctypes
import os
import sys

RATE, FRAMES = 48000, 3000
Pointer = ctypes.c_void_p
Instantiate = ctypes.CFUNCTYPE(Pointer, Pointer, ctypes.c_double, ctypes.c_char_p, Pointer)
InstantiateLADSPA = ctypes.CFUNCTYPE(Pointer, Pointer, ctypes.c_ulong)
Connect = ctypes.CFUNCTYPE(None, Pointer, ctypes.c_uint32, Pointer)
Act = ctypes.CFUNCTYPE(None, Pointer)
Run = ctypes.CFUNCTYPE(None, Pointer, ctypes.c_uint32)


class LV2(ctypes.Structure):
    _fields_ = [("uri", ctypes.c_char_p), ("instantiate", Instantiate), ("connect", Connect), ("activate", Act), ("run", Run)]


class LADSPA(ctypes.Structure):
    _fields_ = [
        ("id", ctypes.c_ulong), ("label", ctypes.c_char_p), ("properties", ctypes.c_int), ("name", ctypes.c_char_p),
        ("maker", ctypes.c_char_p), ("copyright", ctypes.c_char_p), ("count", ctypes.c_ulong), ("ports", Pointer),
        ("names", Pointer), ("hints", Pointer), ("data", Pointer), ("instantiate", InstantiateLADSPA),
    ]


# The plug-ins name no library of mathematics, and take the program's.
ctypes.CDLL("libm.so.6", ctypes.RTLD_GLOBAL)


def first(path, symbol, kind):
    function = getattr(ctypes.CDLL(path), symbol)
    function.restype = ctypes.POINTER(kind)
    return function(0)


if sys.argv[1] == "ladspa":
    plugin = first("usr/lib/ladspa/fm_osc_1415.so", "ladspa_descriptor", LADSPA)
    plugin.contents.instantiate(plugin, RATE)
    sys.exit()
plugin = first("usr/lib/lv2/fm_osc-swh.lv2/plugin-linux.so", "lv2_descriptor", LV2)
features = (Pointer * 1)()
instance = plugin.contents.instantiate(plugin, RATE, b"usr/lib/lv2/fm_osc-swh.lv2/", ctypes.cast(features, Pointer))
state, noise = 1, (ctypes.c_float * FRAMES)()
for index in range(FRAMES):
    state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
    noise[index] = (state / 2**31 - 1) / 4
wave, output = (ctypes.c_float * 1)(1), (ctypes.c_float * FRAMES)()
for port, memory in enumerate((wave, noise, output)):
    plugin.contents.connect(instance, port, ctypes.cast(memory, Pointer))
if plugin.contents.activate:
    plugin.contents.activate(instance)
plugin.contents.run(instance, FRAMES)
if not os.path.exists("alone"):
    open("alone", "wb").write(bytes(output))
alone = (ctypes.c_float * FRAMES).from_buffer_copy(open("alone", "rb").read())
print(f"{sum(a != b for a, b in zip(alone, output))} of {FRAMES} samples differ, by up to {max(abs(a - b) for a, b in zip(alone, output)):.0e}")
PYTHON

cat >expected <<'TEXT'
alone: 0 of 3000 samples differ, by up to 0e+00
once more: 0 of 3000 samples differ, by up to 0e+00
after the LADSPA plug-in: 500 of 3000 samples differ, by up to 5e-10
TEXT

echo "swh-lv2 1.0.16+git20160519~repack0-4, swh-plugins 0.4.17-3"
{
    rm -f "$table"
    echo "alone: $(python3 oscillator.py lv2)"
    echo "once more: $(python3 oscillator.py lv2)"
    rm -f "$table"
    python3 oscillator.py ladspa
    echo "after the LADSPA plug-in: $(python3 oscillator.py lv2)"
} | tee seen
diff expected seen && echo "As before."
