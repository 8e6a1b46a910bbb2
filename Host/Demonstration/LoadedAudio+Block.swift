// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Loaded audio as a block, while it lives. Control thread.

import AudioFiles
import Realtime

extension LoadedAudio {
    /// `[control]` Calls `body` with a block of all frames, and keeps the audio alive meanwhile.
    package func withBlock<Value, Failure: Error>(
        _ body: (AudioBlock) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { withExtendedLifetime(self) {} }
        return try body(AudioBlock(channels: channels, channelCount: channelCount, frameCount: frameCount))
    }
}
