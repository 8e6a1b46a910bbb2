// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The number of samples in a frame of the voice processor. Control thread.

import PluginSDK

/// Chooses a length near 10 ms for which Fourier transforms are quick.
enum VoiceFrameLength {
    /// A transform takes a time that grows with the largest prime factor of its length.
    private static let largestFactor = 17

    /// Returns the length nearest to the wanted one whose prime factors are small; of two the shorter one.
    static func nearest(to wanted: Int) -> Int {
        for distance in 0..<wanted {
            if isQuick(wanted - distance) { return wanted - distance }
            if isQuick(wanted + distance) { return wanted + distance }
        }
        return wanted
    }

    private static func isQuick(_ length: Int) -> Bool {
        var rest = length
        for factor in 2...largestFactor {
            while rest > 1, rest % factor == 0 { rest /= factor }
        }
        return rest == 1
    }
}
