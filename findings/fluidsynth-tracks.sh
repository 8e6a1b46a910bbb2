#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
# The number of tracks that FluidSynth plays of a MIDI file.
#
# Guess: as many as the file has; a file may have 65,535. Sequencers write hundreds: a song of Debian's game crimson has 380.
# Seen: of a file with 128 tracks or more FluidSynth plays nothing, says nothing, and ends with status 0. 127 tracks sound.
# So a player that must play such files reads the file itself, and hands the notes to the synthesizer.
#
# Each file holds one note in its first track and a name in each of the others.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt() { apt-get -o APT::Sandbox::User=root "$@" >/dev/null; }
apt download fluidsynth=2.3.1-2 libfluidsynth3=2.3.1-2 timgm6mb-soundfont=1.3-5
# The libraries behind them, where the system has none.
mkdir -p partial
apt -o Dir::Cache::archives="$folder" install -y --download-only --no-install-recommends fluidsynth=2.3.1-2 libfluidsynth3=2.3.1-2
for package in ./*.deb; do dpkg -x "$package" .; done

cat >files.py <<'PYTHON'
import struct


def track(events):
    return b"MTrk" + struct.pack(">I", len(events) + 4) + events + b"\x00\xff\x2f\x00"


note = track(b"\x00\x90\x45\x64\x83\x60\x80\x45\x40")
name = track(b"\x00\xff\x03\x01a")
for count in (1, 127, 128, 129, 380):
    with open(f"{count}.mid", "wb") as file:
        file.write(b"MThd" + struct.pack(">IHHH", 6, 1, count, 480) + note + name * (count - 1))
PYTHON
python3 files.py

cat >loudest.py <<'PYTHON'
import array
import sys
import wave

with wave.open(sys.argv[1]) as file:
    samples = array.array("h", file.readframes(file.getnframes()))
print("sound" if max(map(abs, samples), default=0) > 100 else "silence")
PYTHON

libraries=$(dirname "$PWD"/usr/lib/*/libfluidsynth.so.3)
for count in 1 127 128 129 380; do
    status=0
    LD_LIBRARY_PATH=$libraries usr/bin/fluidsynth -n -i -q -T wav -F "$count.wav" usr/share/sounds/sf2/TimGM6mb.sf2 "$count.mid" \
        >"$count.said" 2>&1 || status=$?
    echo "$count tracks: $(python3 loudest.py "$count.wav"), status $status, $(wc -c <"$count.said") bytes said"
done >seen

cat >expected <<'TEXT'
1 tracks: sound, status 0, 0 bytes said
127 tracks: sound, status 0, 0 bytes said
128 tracks: silence, status 0, 0 bytes said
129 tracks: silence, status 0, 0 bytes said
380 tracks: silence, status 0, 0 bytes said
TEXT

echo "fluidsynth 2.3.1-2"
cat seen
diff expected seen && echo "As before."
