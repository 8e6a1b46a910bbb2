// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Words for whoever sits in front of it. Any thread.

import Glibc

/// Where progress and complaints go, so that what is printed holds figures alone.
public enum StandardError {
    public static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(2, bytes, bytes.count)
    }
}
