// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes a sentence to standard error, which the host shows as the plug-in's. Control thread.

import Glibc

enum Message {
    static func write(_ sentence: String) {
        var line = "\(sentence)\n"
        line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
