// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins that convolve blocks of one length alone, and pass all others on unchanged. Test thread.

import AudioFiles
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/lv2/ZamVerb.lv2"), "zam-plugins is not installed")
    ) struct ConvolverTests {
        /// The level of the tone when it comes out unchanged, in decibels.
        private static let unchanged = 20 * log10(0.25) - 10 * log10(2)

        @Test(arguments: [("ZamVerb", "wetdry=100"), ("ZamHeadX2", "az=90")], ["256", "2048"])
        func theyAreHeardInBlocksOfAnyLength(plugin: (name: String, setting: String), quantum: String) throws {
            let bench = try Workbench()
            // The other plug-ins of the machine need not be looked at. A copy of the folder itself would be root's.
            let (installed, copy) = ("/usr/lib/lv2/\(plugin.name).lv2", bench.path("lv2/\(plugin.name).lv2"))
            try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
            for file in try FileManager.default.contentsOfDirectory(atPath: installed) {
                try FileManager.default.copyItem(atPath: "\(installed)/\(file)", toPath: "\(copy)/\(file)")
            }
            try bench.writeTone(frames: 48_000)
            let effect = ["-e", "lv2:urn:zamaudio:\(plugin.name)", "--set", plugin.setting]
            try bench.run(["render", "in.wav", "offline.wav"] + effect).expectOK()
            let offline = try level("offline.wav", bench)
            var live = Self.unchanged
            // A unit that is late passes its input on, too.
            let isHeard = try Patience.succeeds {
                let played = try bench.run(
                    ["play", "in.wav", "--driver", "null", "--quantum", quantum, "--record", "live.wav"] + effect)
                try #require(played.status == 0, "\(played.errors)")
                live = try level("live.wav", bench)
                return abs(live - Self.unchanged) > 1 && abs(live - offline) < 0.5
            }
            #expect(isHeard, "\(live) dB live, \(offline) dB offline, and \(Self.unchanged) dB unchanged")
        }

        /// The level of the left channel in the middle of the sound.
        private func level(_ name: String, _ bench: Workbench) throws -> Double {
            let sounding = try bench.load(name).samples(ofChannel: 0).drop { $0 == 0 }.dropFirst(16_000).prefix(24_000)
            try #require(sounding.count == 24_000)
            return 10 * log10(sounding.reduce(0) { $0 + Double($1) * Double($1) } / Double(sounding.count))
        }
    }
}
