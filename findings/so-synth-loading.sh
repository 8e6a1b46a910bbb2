#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
# The instruments of Debian's so-synth-lv2, in the release that ships them.
#
# Guess: a plug-in that a stable release packages can be loaded there.
# Seen: none of its three instruments can. Their library asks for __powf_finite, which glibc has offered no program since 2.31;
#       Debian 12 has 2.36.
# So a host resolves every symbol while it loads (RTLD_NOW), and says the name of the missing one. A scan that reads the description
# alone offers these instruments.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download so-synth-lv2=1.5-1 >/dev/null
dpkg -x ./*.deb .

cat >load.py <<'PYTHON'
import ctypes

# ctypes resolves every symbol at once.
try:
    ctypes.CDLL("usr/lib/lv2/so-synth.lv2/libsosynth.so")
    print("loaded")
except OSError as error:
    print(str(error).split(": ", 1)[1])
PYTHON

cat >expected <<'TEXT'
undefined symbol: __powf_finite
TEXT

echo "so-synth-lv2 1.5-1, glibc $(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)"
python3 load.py | tee seen
diff expected seen && echo "As before."
