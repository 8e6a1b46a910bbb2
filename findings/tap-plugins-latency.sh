#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
# The latency that TAP's LADSPA plug-ins report, against the frame at which an impulse comes out.
#
# Guess: the port "latency" tells by how many frames the output lags, as hosts take it.
# Seen: TAP Scaling Limiter and TAP Rotary Speaker tell the truth to a frame. TAP Pitch Shifter and TAP Vibrato tell half of it. At
#       48 kHz the Pitch Shifter even reports half a frame: 4006.5.
# So a host that compensates them by their word is late by the other half. Only a measurement finds that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download tap-plugins=1.0.0-1 >/dev/null
dpkg -x tap-plugins_1.0.0-1_*.deb .

cat >measure.py <<'PYTHON'
import ctypes

FRAMES, AT, AUDIO, INPUT = 65536, 20000, 8, 1
Samples = ctypes.POINTER(ctypes.c_float)


class Descriptor(ctypes.Structure):
    pass


Descriptor._fields_ = [
    ("id", ctypes.c_ulong), ("label", ctypes.c_char_p), ("properties", ctypes.c_int), ("name", ctypes.c_char_p),
    ("maker", ctypes.c_char_p), ("copyright", ctypes.c_char_p), ("port_count", ctypes.c_ulong),
    ("ports", ctypes.POINTER(ctypes.c_int)), ("port_names", ctypes.POINTER(ctypes.c_char_p)), ("hints", ctypes.c_void_p),
    ("own_data", ctypes.c_void_p),
    ("instantiate", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Descriptor), ctypes.c_ulong)),
    ("connect_port", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ulong, Samples)),
    ("activate", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ("run", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ulong)),
]


def measure(file, values, rate):
    """The latency that is told, and the frames between an impulse and the highest sample that comes of it."""
    library = ctypes.CDLL("./usr/lib/ladspa/" + file)
    library.ladspa_descriptor.restype = ctypes.POINTER(Descriptor)
    plugin = library.ladspa_descriptor(0)
    instance = plugin.contents.instantiate(plugin, rate)
    ports = {}
    for index in range(plugin.contents.port_count):
        kind = plugin.contents.ports[index]
        memory = (ctypes.c_float * (FRAMES if kind & AUDIO else 1))()
        ports[plugin.contents.port_names[index].decode()] = memory
        if kind == AUDIO | INPUT:
            memory[AT] = 1
        plugin.contents.connect_port(instance, index, ctypes.cast(memory, Samples))
    for name, value in values.items():
        ports[name][0] = value
    if plugin.contents.activate:
        plugin.contents.activate(instance)
    plugin.contents.run(instance, FRAMES)
    output = ports["Output"] if "Output" in ports else ports.get("Output L") or ports["Output 1"]
    peak = max(range(FRAMES), key=lambda frame: abs(output[frame]))
    return ports["latency"][0], peak - AT


WET = {"Dry Level [dB]": -90, "Wet Level [dB]": 0}
STILL = {"Rotor Frequency [Hz]": 0, "Horn Frequency [Hz]": 0, "Mic Distance [%]": 0, "Rotor/Horn Mix": 0.5}
for file, values in [
    ("tap_limiter.so", {"Limit Level [dB]": -1, "Output Volume [dB]": 0}), ("tap_rotspeak.so", STILL),
    ("tap_pitch.so", WET), ("tap_vibrato.so", {"Frequency [Hz]": 1, "Depth [%]": 0} | WET),
]:
    for rate in (44100, 48000, 96000):
        told, heard = measure(file, values, rate)
        print(f"{file} {rate}: tells {told:g} and needs {heard}")
PYTHON

cat >expected <<'TEXT'
tap_limiter.so 44100: tells 551 and needs 551
tap_limiter.so 48000: tells 600 and needs 600
tap_limiter.so 96000: tells 1200 and needs 1200
tap_rotspeak.so 44100: tells 2106 and needs 2105
tap_rotspeak.so 48000: tells 2292 and needs 2291
tap_rotspeak.so 96000: tells 4584 and needs 4583
tap_pitch.so 44100: tells 3681 and needs 7361
tap_pitch.so 48000: tells 4006.5 and needs 8012
tap_pitch.so 96000: tells 8013.5 and needs 16026
tap_vibrato.so 44100: tells 1404 and needs 2807
tap_vibrato.so 48000: tells 1528 and needs 3055
tap_vibrato.so 96000: tells 3056 and needs 6111
TEXT

echo "tap-plugins 1.0.0-1"
python3 measure.py | tee seen
diff expected seen && echo "As before."
