// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frames of a sound of an event: an asset, or a stream. Any thread but the render thread.

import AudioFormats

/// The frames of a sound of an event.
enum EventSource: Sendable {
    case asset(SoundAsset, isLooping: Bool)
    case stream(StreamMemory)

    /// Finds the asset of a leaf, or makes its stream.
    ///
    /// Throws `unknownAsset`, `wrongKind`, and `tree` for a stream that the engine cannot play.
    init(_ leaf: TreeProgram.Leaf, in engine: SoundEngine) throws(SoundEventError) {
        switch leaf.origin {
        case .asset(let id, let isLooping): self = .asset(try engine.assets.sound(id), isLooping: isLooping)
        case .push(let stream): self = .stream(try Self.memory(stream, isPull: false, engine.format.sampleRate))
        case .pull(let stream): self = .stream(try Self.memory(stream, isPull: true, engine.format.sampleRate))
        }
    }

    private static func memory(_ stream: SoundStream, isPull: Bool, _ rate: Double) throws(SoundEventError) -> StreamMemory {
        if let layout = stream.layout, layout.channelCount != stream.channelCount {
            throw .tree(
                id: stream.id, reason: "the stream has \(stream.channelCount) channels, and its layout \(layout.channelCount)")
        }
        guard (rate / 64...rate * 4).contains(stream.sampleRate ?? rate) else {
            throw .tree(id: stream.id, reason: "the rate of the stream is above four times the engine's, or below a 64th")
        }
        return StreamMemory(stream, isPull: isPull, engineRate: rate)
    }

    var stream: StreamMemory? {
        switch self {
        case .asset: nil
        case .stream(let stream): stream
        }
    }

    /// The asset's count of events; nil for a stream.
    var use: AssetUse? {
        switch self {
        case .asset(let asset, _): asset.use
        case .stream: nil
        }
    }

    /// The factor of a normalized asset.
    var gain: Double {
        switch self {
        case .asset(let asset, _): asset.gain
        case .stream: 1
        }
    }

    var channelCount: Int {
        switch self {
        case .asset(let asset, _): asset.audio.channelCount
        case .stream(let stream): stream.stream.channelCount
        }
    }

    var layout: ChannelLayout? {
        switch self {
        case .asset(let asset, _): asset.layout
        case .stream(let stream): stream.stream.layout
        }
    }

    /// The source for the render thread.
    var core: LeafSource {
        switch self {
        case .asset(let asset, let isLooping):
            LeafSource(channels: asset.audio.channels, frameCount: asset.audio.frameCount, isLooping: isLooping)
        case .stream(let stream): LeafSource(stream.core, pace: stream.pace)
        }
    }
}
