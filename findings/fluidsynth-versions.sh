#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
# Whether a note of a sound bank sounds the same in the FluidSynth of Debian 12 and in that of Debian 13.
#
# Guess: it does, but for last bits; the bank says how it sounds, and reverb and chorus are off.
# Seen: the difference is 78 dB below a piano, but 33 dB below an organ, at whose beginning it is a twelfth of the peak. Between the two
#       versions FluidSynth's history names other steps of a voice's filter, another place of it, and a mend of the tremolo.
# So a rendering with FluidSynth is repeated with the same version alone, and a test compares its sound with a tolerance, or with itself.
#
# Both versions play the same note of TimGM6mb for half a second, through the calls of the library. They run on Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p lists/partial partial twelve thirteen
options="-o APT::Sandbox::User=root"
apt-get $options download libfluidsynth3=2.3.1-2 timgm6mb-soundfont=1.3-5 >/dev/null
# The libraries behind them, where the system has none.
apt-get $options -o Dir::Cache::archives="$folder" install -y --download-only --no-install-recommends libfluidsynth3=2.3.1-2 >/dev/null
for package in ./*.deb; do dpkg -x "$package" twelve; done
rm -f ./*.deb
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >sources.list
options="$options -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false -o Dir::Etc::sourcelist=$folder/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$folder/lists"
apt-get $options update >/dev/null
apt-get $options download libfluidsynth3=2.4.4+dfsg-1+deb13u3 >/dev/null
dpkg -x libfluidsynth3_*.deb thirteen

cat >note.py <<'PYTHON'
import ctypes
import sys

library, bank, program, path = sys.argv[1:]
FRAMES = 24000
library, Pointer, Text, Int = ctypes.CDLL(library), ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int


def call(name, result, *arguments):
    """Calls a function; pairs of a type and a value."""
    function = getattr(library, name)
    function.restype, function.argtypes = result, [kind for kind, _ in arguments]
    return function(*[value for _, value in arguments])


settings = call("new_fluid_settings", Pointer)
call("fluid_settings_setnum", Int, (Pointer, settings), (Text, b"synth.sample-rate"), (ctypes.c_double, 48000))
call("fluid_settings_setnum", Int, (Pointer, settings), (Text, b"synth.gain"), (ctypes.c_double, 1))
for effect in (b"synth.reverb.active", b"synth.chorus.active"):
    call("fluid_settings_setint", Int, (Pointer, settings), (Text, effect), (Int, 0))
synthesizer = call("new_fluid_synth", Pointer, (Pointer, settings))
assert call("fluid_synth_sfload", Int, (Pointer, synthesizer), (Text, bank.encode()), (Int, 1)) >= 0
call("fluid_synth_program_change", Int, (Pointer, synthesizer), (Int, 0), (Int, int(program)))
call("fluid_synth_noteon", Int, (Pointer, synthesizer), (Int, 0), (Int, 60), (Int, 100))
left, right = (ctypes.c_float * FRAMES)(), (ctypes.c_float * FRAMES)()
call(
    "fluid_synth_write_float", Int, (Pointer, synthesizer), (Int, FRAMES), (Pointer, ctypes.addressof(left)), (Int, 0), (Int, 1),
    (Pointer, ctypes.addressof(right)), (Int, 0), (Int, 1))
with open(path, "wb") as file:
    file.write(bytes(left))
PYTHON

cat >compare.py <<'PYTHON'
import array
import math
import sys

name, *paths = sys.argv[1:]
one, other = (array.array("f", open(path, "rb").read()) for path in paths)
differences = [a - b for a, b in zip(one, other)]


def power(samples):
    return sum(sample * sample for sample in samples)


level = 10 * math.log10(power(differences) / power(one))
greatest = max(range(len(one)), key=lambda place: abs(differences[place]))
share = abs(differences[greatest]) / max(map(abs, one))
print(f"{name}: {level:.0f} dB, at most {20 * math.log10(share):.0f} dB of the peak, at {greatest / 48000:.1f} s")
PYTHON

libraries=$(dirname "$PWD"/twelve/usr/lib/*/libfluidsynth.so.3)
bank=$PWD/twelve/usr/share/sounds/sf2/TimGM6mb.sf2
for instrument in piano=0 organ=16 violin=40 lead=80; do
    for version in twelve thirteen; do
        LD_LIBRARY_PATH=$libraries python3 note.py "$(echo "$PWD/$version"/usr/lib/*/libfluidsynth.so.3)" "$bank" "${instrument#*=}" \
            "$version.raw" 2>/dev/null
    done
    python3 compare.py "${instrument%=*}" twelve.raw thirteen.raw
done >seen

cat >expected <<'TEXT'
piano: -78 dB, at most -62 dB of the peak, at 0.1 s
organ: -33 dB, at most -21 dB of the peak, at 0.0 s
violin: -41 dB, at most -29 dB of the peak, at 0.4 s
lead: -55 dB, at most -32 dB of the peak, at 0.0 s
TEXT

echo "libfluidsynth3 2.3.1-2, 2.4.4+dfsg-1+deb13u3"
cat seen
diff expected seen && echo "As before."
