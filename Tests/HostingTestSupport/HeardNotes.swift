// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the test plug-in Scribe heard, read from the sound that it puts out. Test thread.

/// What an instrument heard, frame by frame.
package struct HeardNotes: Equatable {
    /// The frames at which notes began, with velocity and key as one number; and those at which notes ended, with their number.
    package var begun: [Int: Float] = [:]
    package var ended: [Int: Float] = [:]
    /// How many notes sounded, and what was set.
    package let sounding: [Float]
    package let state: [Float]

    package init(_ channels: [[Float]]) {
        for (frame, value) in channels[0].enumerated() where value != 0 { begun[frame] = value * 1024 }
        for (frame, value) in channels[1].enumerated() where value != 0 { ended[frame] = value }
        (sounding, state) = (channels[2], channels[3])
    }

    /// The frames at which notes began, or ended.
    package var beginnings: [Int] { begun.keys.sorted() }
    package var ends: [Int] { ended.keys.sorted() }
}
