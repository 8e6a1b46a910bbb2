// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sentences for the user about failures of a plug-in. Control thread.

import Glibc

/// Writes sentences to the plug-in's standard error, with the unit's name before them.
enum Complaints {
    static func say(_ sentence: String) {
        // Names come from bundles. In the host's process nothing else would clean them.
        let clean = sentence.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) }
        let line = Array((String(String.UnicodeScalarView(clean)) + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// Reports that a file of a preset cannot be read, and the command that permits it.
    static func say(ofFile path: String, _ reason: String, preset: String, plugin: String) {
        say(
            "The preset \"\(preset)\" needs the file \"\(path)\", which it cannot read: \(reason). If the file is there, permit it with: "
                + "bulkhead grant 'lv2:\(plugin)' --read '\(path)'")
    }
}
