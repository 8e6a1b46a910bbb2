// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The extension in plain C, hosted as any other. Test thread.

import HostingTestSupport
import LinuxSystem
import PluginHosting
import TestSupport

enum CExtension {
    /// A unit of the bundle `name`, which `make debug` makes.
    static func unit(_ name: String = "Tremolo") throws -> HostedUnit { try HostedUnit(component(name)) }

    static func component(_ name: String = "Tremolo") throws -> Component {
        try Component(bundlePath: "\(Build.testPluginFolder)/\(name).bulkhead")
    }

    /// Units in a row, in blocks of up to 64 frames.
    static func bench(_ units: [HostedUnit], input: [[Float]], layout: ChannelLayout? = nil) throws -> Bench {
        try Bench(units, input: input, maximumFrameCount: 64, layout: layout)
    }

    static func noise(_ frameCount: Int, channels: Int = 2) -> [[Float]] {
        (0..<channels).map { channel in
            (0..<frameCount).map { frame in
                let number: Int = frame &* 7919 &+ channel &* 104_729
                return Float((number &* 31_337) & 0xFFFF) / 65536 - 0.5
            }
        }
    }
}

/// Waits until `condition` holds, which takes up to `milliseconds` on a machine of one's own; see ``Patience``.
func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    Patience.until(within: Double(milliseconds) / 1000, condition)
}
