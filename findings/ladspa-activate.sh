#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
# Whether LADSPA plug-ins forget what they have heard when they are deactivated and activated.
#
# Guess: they do. ladspa.h asks activate() to reset all state that depends on the history, so a host can reset them by it.
# Seen: 22 of the 187 plug-ins of swh-plugins, CMT and TAP whose sound can be compared answer silence otherwise than a fresh
#       instance does, among them reverbs, filters, oscillators and a limiter.
# So a host that promises a reset makes the instance again.
#
# An instance hears four blocks of noise, is deactivated and activated, and hears a block of silence, which a fresh instance hears
# too. Controls stand at their defaults. Two fresh instances that differ from each other are left out. MALLOC_PERTURB_ fills what is
# allocated with zeros, because some plug-ins read memory that they have never written.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download swh-plugins=0.4.17-2 cmt=1.18-1 tap-plugins=1.0.0-1 >/dev/null
for package in ./*.deb; do
    name=${package#./}
    dpkg -x "$package" "${name%%_*}"
done

cat >activate.py <<'PYTHON'
import ctypes
import glob
import math
import os
import random
import sys

RATE, FRAMES, CONTROL_INPUT, AUDIO_INPUT, AUDIO_OUTPUT, AUDIO = 48000, 4096, 5, 9, 10, 8
Samples = ctypes.POINTER(ctypes.c_float)
random.seed(7)
noise = [random.uniform(-0.5, 0.5) for _ in range(FRAMES)]
silence = [0.0] * FRAMES


class Hint(ctypes.Structure):
    _fields_ = [("bits", ctypes.c_int), ("lower", ctypes.c_float), ("upper", ctypes.c_float)]

    def default(self):
        """The default by the rules of ladspa.h; 0 for a port without one."""
        lower, upper = [bound * (RATE if self.bits & 8 else 1) for bound in (self.lower, self.upper)]
        kind = self.bits & 0x3C0
        share = {0x40: 0, 0x80: 0.25, 0xC0: 0.5, 0x100: 0.75, 0x140: 1}.get(kind)
        if share is None:
            return {0x240: 1, 0x280: 100, 0x2C0: 440}.get(kind, 0)
        if self.bits & 16 and lower > 0 and upper > 0:
            return math.exp(math.log(lower) * (1 - share) + math.log(upper) * share)
        return lower * (1 - share) + upper * share


class Descriptor(ctypes.Structure):
    pass


Instance = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Descriptor._fields_ = [
    ("id", ctypes.c_ulong), ("label", ctypes.c_char_p), ("properties", ctypes.c_int), ("name", ctypes.c_char_p),
    ("maker", ctypes.c_char_p), ("copyright", ctypes.c_char_p), ("port_count", ctypes.c_ulong),
    ("ports", ctypes.POINTER(ctypes.c_int)), ("port_names", ctypes.POINTER(ctypes.c_char_p)),
    ("hints", ctypes.POINTER(Hint)), ("own_data", ctypes.c_void_p),
    ("instantiate", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Descriptor), ctypes.c_ulong)),
    ("connect_port", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ulong, Samples)), ("activate", Instance),
    ("run", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ulong)), ("run_adding", ctypes.c_void_p),
    ("set_run_adding_gain", ctypes.c_void_p), ("deactivate", Instance),
]


class Unit:
    def __init__(self, plugin):
        self.plugin, self.ports = plugin.contents, []
        self.instance = self.plugin.instantiate(plugin, RATE)
        for index in range(self.plugin.port_count):
            kind = self.plugin.ports[index]
            memory = (ctypes.c_float * (FRAMES if kind & AUDIO else 1))()
            if kind == CONTROL_INPUT:
                memory[0] = self.plugin.hints[index].default()
            self.ports.append((kind, memory))
            self.plugin.connect_port(self.instance, index, ctypes.cast(memory, Samples))
        self.activate()

    def activate(self):
        if self.plugin.activate:
            self.plugin.activate(self.instance)

    def deactivate(self):
        if self.plugin.deactivate:
            self.plugin.deactivate(self.instance)

    def render(self, samples):
        for kind, memory in self.ports:
            if kind == AUDIO_INPUT:
                memory[:] = samples
            if kind == AUDIO_OUTPUT:
                memory[:] = silence
        self.plugin.run(self.instance, FRAMES)
        return [bytes(memory) for kind, memory in self.ports if kind == AUDIO_OUTPUT]


def descriptor(path, index):
    library = ctypes.CDLL(path)
    library.ladspa_descriptor.restype = ctypes.POINTER(Descriptor)
    library.ladspa_descriptor.argtypes = [ctypes.c_ulong]
    return library.ladspa_descriptor(index)


def verdict(plugin):
    fresh = Unit(plugin).render(silence)
    if Unit(plugin).render(silence) != fresh:
        return "differs anyway"
    unit = Unit(plugin)
    for _ in range(4):
        unit.render(noise)
    unit.deactivate()
    unit.activate()
    return "forgets" if unit.render(silence) == fresh else "remembers"


def apart(work):
    """The answer of a process of its own: one plug-in cannot disturb the next."""
    end, start = os.pipe()
    if os.fork() == 0:
        os.write(start, work().encode())
        os._exit(0)
    os.close(start)
    os.wait()
    with os.fdopen(end) as answer:
        return answer.read()


for package in sys.argv[1:]:
    answers = {}
    for path in sorted(glob.glob(f"./{package}/usr/lib/ladspa/*.so")):
        index = 0
        while plugin := descriptor(path, index):
            answers.setdefault(apart(lambda: verdict(plugin)), []).append(plugin.contents.label.decode())
            index += 1
    print(f"{package}: " + ", ".join(f"{len(answers[answer])} {answer}" for answer in sorted(answers)))
    print("    " + " ".join(answers["remembers"]))
PYTHON

cat >expected <<'TEXT'
swh-plugins: 1 differs anyway, 91 forgets, 17 remembers
    amPitchshift analogueOsc bodeShifter bodeShifterCV divider fastLookaheadLimiter fmOsc gong hermesFilter hilbert mbeq plate retroFlange sinCos smoothDecimate surroundEncoder svf
cmt: 4 differs anyway, 56 forgets, 4 remembers
    bf2cube bf2quad freeverb3 logistic
tap-plugins: 18 forgets, 1 remembers
    tap_tubewarmth
TEXT

echo "swh-plugins 0.4.17-2, cmt 1.18-1, tap-plugins 1.0.0-1"
MALLOC_PERTURB_=255 python3 activate.py swh-plugins cmt tap-plugins | tee seen
diff expected seen && echo "As before."
