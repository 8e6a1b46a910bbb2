#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
# What libsndfile says when the last bytes of a compressed file do not fit on the disk.
#
# Guess: a write, sf_error or sf_close tells of it, as they do for WAV.
# Seen: for FLAC, Ogg Vorbis, Opus and MP3 every write has the full count, sf_error is 0 and sf_close returns 0. The file lacks its
#       end. For a WAV file the write is short and sf_error is 2, and sf_close returns 0 all the same.
# So a program that must know watches the writes themselves, by sf_open_virtual, or reads the file again.
#
# A full disk is played by a limit on the size of files. The calls are sf_open, sf_writef_float, sf_error and sf_close.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download libsndfile1=1.2.0-1+deb12u1 libflac12=1.4.2+ds-2 libmp3lame0=3.100-6 libmpg123-0=1.31.2-1+deb12u1 \
    libogg0=1.3.5-3 libopus0=1.3.1-3 libvorbis0a=1.3.7-1 libvorbisenc2=1.3.7-1 >/dev/null
for package in ./*.deb; do dpkg -x "$package" .; done

cat >full.py <<'PYTHON'
import ctypes
import os
import random
import resource
import signal

FRAMES, BLOCK, WRITE = 48128, 1024, 0x20
library = ctypes.CDLL("libsndfile.so.1")


class Info(ctypes.Structure):
    _fields_ = [
        ("frames", ctypes.c_int64), ("rate", ctypes.c_int), ("channels", ctypes.c_int), ("format", ctypes.c_int),
        ("sections", ctypes.c_int), ("is_seekable", ctypes.c_int),
    ]


library.sf_open.restype = ctypes.c_void_p
library.sf_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(Info)]
library.sf_writef_float.restype = ctypes.c_int64
library.sf_writef_float.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
library.sf_error.argtypes = library.sf_close.argtypes = [ctypes.c_void_p]

random.seed(1)
noise = (ctypes.c_float * (2 * BLOCK))(*[random.uniform(-0.5, 0.5) for _ in range(2 * BLOCK)])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def write(name, kind, limit):
    """Frames that were taken, what sf_error and sf_close say, and the bytes of the file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    info = Info(0, 48000, 2, kind, 0, 0)
    file = library.sf_open(name.encode(), WRITE, ctypes.byref(info))
    taken = sum(library.sf_writef_float(file, noise, BLOCK) for _ in range(FRAMES // BLOCK))
    said = library.sf_error(file), library.sf_close(file)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return taken, *said, os.path.getsize(name)


for name, kind in [("wav", 0x10002), ("flac", 0x170002), ("ogg", 0x200060), ("opus", 0x200064), ("mp3", 0x230082)]:
    whole = write("whole." + name, kind, resource.RLIM_INFINITY)[3]
    taken, error, close, size = write("cut." + name, kind, whole - 100)
    told = "all frames taken" if taken == FRAMES else "fewer frames taken"
    print(f"{name}: {told}, sf_error {error}, sf_close {close}, {whole - size} bytes missing")
PYTHON

cat >expected <<'TEXT'
wav: fewer frames taken, sf_error 2, sf_close 0, 100 bytes missing
flac: all frames taken, sf_error 0, sf_close 0, 100 bytes missing
ogg: all frames taken, sf_error 0, sf_close 0, 100 bytes missing
opus: all frames taken, sf_error 0, sf_close 0, 100 bytes missing
mp3: all frames taken, sf_error 0, sf_close 0, 100 bytes missing
TEXT

echo "libsndfile1 1.2.0-1+deb12u1"
libraries=$(dirname "$PWD"/usr/lib/*/libsndfile.so.1)
LD_LIBRARY_PATH=$libraries python3 full.py | tee seen
diff expected seen && echo "As before."
