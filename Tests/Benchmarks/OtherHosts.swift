// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The commands by which other hosts render a file through LADSPA plug-ins. Any thread.

import BenchmarkSupport

/// Commands of other hosts that render a file through so many TAP Reverberators.
///
/// `lv2apply` is not among them, because it takes one plug-in.
struct OtherHosts {
    private static let settings = ["2500", "0", "0", "1", "1", "1", "1", "0"]
    private static let finding = ["env", "LADSPA_PATH=/usr/lib/ladspa"]
    private static let plugin = ["tap_reverb.so", "tap_reverb"] + settings
    let effectCount: Int
    /// The arguments by which Bulkhead renders through one of them.
    let own = ["-e", "ladspa:tap_reverb:tap_reverb"]

    var ofFloats: [(Figure, [String])] {
        let file = OfflineFiles.input
        return [(.soxFile, sox(file)), (.ecasoundFile, ecasound(file, format: "f32_le"))]
    }

    /// The hosts that read 16 bits; `applyplugin` reads nothing else.
    var of16Bits: [(Figure, [String])] {
        let file = OfflineFiles.input16
        let applyplugin = Self.finding + ["applyplugin", file, OfflineFiles.output] + each(Self.plugin)
        return [
            (.soxFile16, sox(file)), (.ecasoundFile16, ecasound(file, format: "s16_le")), (.applypluginFile16, applyplugin),
        ]
    }

    private func sox(_ file: String) -> [String] {
        Self.finding + ["sox", file, OfflineFiles.output] + each(["ladspa"] + Self.plugin)
    }

    private func ecasound(_ file: String, format: String) -> [String] {
        Self.finding + ["ecasound", "-q", "-f:\(format),2,48000", "-i", file, "-o", OfflineFiles.output]
            + each(["-el:tap_reverb,\(Self.settings.joined(separator: ","))"])
    }

    private func each(_ words: [String]) -> [String] { (0..<effectCount).flatMap { _ in words } }
}
