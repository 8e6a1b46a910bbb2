// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A registered sound: in memory, or a file that is read while it plays. Any thread.

import AudioFiles
import AudioFormats

/// The place of an asset's frames.
public enum AssetStorage: Hashable, Sendable {
    /// The file is read into memory at once, at the engine's rate.
    case resident
    /// The file is read ahead while it plays: for long sounds, of which few play at a time.
    ///
    /// Each sampler of an event keeps `SoundEngine.readAheadByteCount` ahead, from when the event is made. A frame that is not there in time
    /// is silent, and counted in `missingFrameCount`. Offline the block waits for it.
    case streamed
}

/// A file that is read while it plays.
struct StreamedFile: Sendable {
    let path: String
    let format: AudioFileFormat
}

/// A registered sound.
final class SoundAsset: Sendable {
    enum Content: Sendable {
        case memory(LoadedAudio)
        case file(StreamedFile)
    }

    let content: Content
    let layout: ChannelLayout?
    /// The factor that normalizes it.
    let gain: Double
    let use: AssetUse

    init(_ content: Content, layout: ChannelLayout?, gain: Double, _ use: AssetUse) {
        (self.content, self.layout, self.gain, self.use) = (content, layout, gain, use)
    }
}
