// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frames of a sound of an event: an asset, or a stream. Any thread but the render thread.

import AudioFiles
import AudioFormats

/// The frames of a sound of an event.
enum EventSource: Sendable {
    case asset(SoundAsset, LoadedAudio, isLooping: Bool)
    case file(SoundAsset, StreamedFile, StreamMemory, isLooping: Bool)
    case stream(StreamMemory)

    /// Finds the asset of a leaf, or makes its stream.
    ///
    /// Throws `unknownAsset`, `wrongKind`, `file`, and `tree` for a stream that the engine cannot play.
    init(_ leaf: TreeProgram.Leaf, in engine: SoundEngine) throws(SoundEventError) {
        switch leaf.origin {
        case .asset(let id, let isLooping): self = try Self.asset(try engine.assets.sound(id), isLooping: isLooping, in: engine)
        case .push(let stream): self = .stream(try Self.memory(stream, isPull: false, engine.format.sampleRate))
        case .pull(let stream): self = .stream(try Self.memory(stream, isPull: true, engine.format.sampleRate))
        }
    }

    private static func asset(_ asset: SoundAsset, isLooping: Bool, in engine: SoundEngine) throws(SoundEventError) -> EventSource {
        switch asset.content {
        case .memory(let audio): return .asset(asset, audio, isLooping: isLooping)
        case .file(let file):
            let memory = try StreamMemory(file, id: asset.use.id, isLooping: isLooping, in: engine)
            return .file(asset, file, memory, isLooping: isLooping)
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

    /// The stream that a program fills; nil for an asset.
    var stream: StreamMemory? {
        switch self {
        case .asset, .file: nil
        case .stream(let stream): stream
        }
    }

    /// The asset; nil for a stream.
    private var asset: SoundAsset? {
        switch self {
        case .asset(let asset, _, _), .file(let asset, _, _, _): asset
        case .stream: nil
        }
    }

    /// The asset's count of events; nil for a stream.
    var use: AssetUse? { asset?.use }

    /// The factor of a normalized asset.
    var gain: Double { asset?.gain ?? 1 }

    /// The silent frames of a streamed asset whose file had not been read in time.
    var missingFrameCount: Int {
        switch self {
        case .asset, .stream: 0
        case .file(_, _, let memory, _): memory.core.pointee.missingCount.load(ordering: .relaxed)
        }
    }

    var channelCount: Int {
        switch self {
        case .asset(_, let audio, _): audio.channelCount
        case .file(_, let file, _, _): file.format.channelCount
        case .stream(let stream): stream.format.channels
        }
    }

    var layout: ChannelLayout? {
        switch self {
        case .asset(let asset, _, _), .file(let asset, _, _, _): asset.layout
        case .stream(let stream): stream.format.layout
        }
    }

    /// The source for the render thread.
    var core: LeafSource {
        switch self {
        case .asset(_, let audio, let isLooping):
            LeafSource(channels: audio.channels, frameCount: audio.frameCount, isLooping: isLooping)
        case .file(_, let file, let memory, let isLooping):
            LeafSource(memory.core, pace: memory.pace, fileLength: file.format.frameCount, fileLoops: isLooping)
        case .stream(let stream): LeafSource(stream.core, pace: stream.pace)
        }
    }
}
