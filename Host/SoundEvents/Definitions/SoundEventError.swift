// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The errors of assets, trees and sound events. Any thread.

import AudioFiles
import AudioFormats
import AudioGraph
import Spatial

/// An error of an asset, a tree, a group or a sound event.
public enum SoundEventError: Error, Sendable {
    /// Another asset, group or parameter has this identifier.
    case alreadyRegistered(String)
    /// No asset has this identifier.
    case unknownAsset(String)
    /// The asset is no sound, or no tree.
    case wrongKind(String, wanted: String)
    /// The file of an asset cannot be read.
    case file(AudioFileError)
    /// The audio of an asset has no frames or channels, or a rate without a meaning.
    case emptyAudio(String)
    /// The layout has another number of channels than the audio.
    case layout(String, channelCount: Int, layout: Int)
    /// The file of a streamed asset is another one than when it was registered.
    case changedFile(String)
    /// The rate of a streamed file is more than four times the engine's.
    case tooFast(String)
    /// The loudness of an asset cannot be measured.
    case loudness(String)
    /// The tree cannot be played.
    case tree(id: String, reason: String)
    /// No group has this identifier.
    case unknownGroup(String)
    /// The tree of the event, or the engine, has no such parameter.
    case unknownParameter(String)
    /// All events of the engine share the parameter: set it at the engine.
    case sharedParameter(String)
    /// The parameter follows another one: set that one.
    case mappedParameter(String)
    /// The event has a pull stream that nothing renders.
    case noRenderer(String)
    /// A buffer has another number of channels, or another rate, than its stream.
    case streamFormat(String, wanted: AudioFormat, given: AudioFormat)
    /// The event has ended.
    case ended
    /// The value is not a valid number.
    case notANumber(String)
    /// The event was started before: make another one.
    case alreadyStarted
    /// The engine of the event has gone.
    case engineGone
    /// More events sound, or wait, than the engine takes.
    case tooManyEvents(limit: Int)
    /// The parameters name no source and no listener for a spatial mixer, or no listener for an ambient one.
    case unplacedMixer(String)
    /// The source or the listener for a mixer is no part of the engine's scene.
    case notInScene(mixer: String)
    /// More sounds are at places than the engine takes.
    case tooManySpatialSounds(limit: Int)
    /// The loudspeakers of the output do not surround the listener.
    case surround(channelCount: Int)
    /// The head that hears sounds at places cannot be used.
    case head(HeadSetError)
    /// The audio graph refuses the node of the engine.
    case graph(AudioEngineError)
}

extension SoundEventError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .alreadyRegistered(let id):
            "\"\(id)\" is there already: choose another identifier, or take that one away."
        case .unknownAsset(let id): "There is no asset \"\(id)\": register it first."
        case .wrongKind(let id, let wanted): "The asset \"\(id)\" is no \(wanted)."
        case .file(let error): "\(error)"
        case .emptyAudio(let id): "The audio for \"\(id)\" has no frames, no channels, or no rate."
        case .layout(let id, let channelCount, let layout):
            "The audio for \"\(id)\" has \(channelCount) channels, and its layout \(layout): give it the layout of its channels."
        case .changedFile(let path): "The file \"\(path)\" has changed since it was registered: register it again."
        case .tooFast(let path): "The rate of \"\(path)\" is more than four times the engine's: keep the sound in memory instead."
        case .loudness(let id): "The loudness of \"\(id)\" cannot be measured: register it without normalization."
        case .tree(let id, let reason): "The tree \"\(id)\" cannot be played: \(reason)."
        case .unknownGroup(let id): "There is no group \"\(id)\": register it with the engine first."
        case .unknownParameter(let id): "There is no parameter \"\(id)\": use it in the tree, or add it to the engine."
        case .sharedParameter(let id): "All sound events share the parameter \"\(id)\": set it at the engine."
        case .mappedParameter(let id): "The parameter \"\(id)\" follows another one: set that one."
        case .noRenderer(let id): "Nothing renders the pull stream \"\(id)\": give it a block or a generator before the start."
        case .streamFormat(let id, let wanted, let given):
            "The stream \"\(id)\" takes \(Self.words(wanted)), and the buffer has \(Self.words(given)): convert it first."
        case .ended: "The sound event has ended: make another one of the same tree."
        case .notANumber(let id): "The value for \"\(id)\" is not a valid number."
        case .alreadyStarted: "The sound event was started before: make another one of the same tree."
        case .engineGone: "The engine of the sound event has gone."
        case .tooManyEvents(let limit): "\(limit) sound events play or wait, which is the most: stop some, or raise the limit."
        case .unplacedMixer(let id):
            "The mixer \"\(id)\" has no place: add a source and a listener for it to the parameters, or a listener for an ambient one."
        case .notInScene(let mixer):
            "The source or the listener for the mixer \"\(mixer)\" is not in the scene: add it to the root, or to an object in the scene."
        case .tooManySpatialSounds(let limit):
            "\(limit) sounds are at places in the scene, which is the most: stop some, or play others through a channel mixer."
        case .surround(let channelCount):
            "The \(channelCount) channels of the output do not surround a listener: give the engine's main mixer a layout such as 5.1."
        case .head(let error): "\(error)"
        case .graph(let error): "\(error)"
        }
    }

    private static func words(_ format: AudioFormat) -> String {
        let hertz =
            format.sampleRate == format.sampleRate.rounded() ? "\(Int(nearestFrame: format.sampleRate))" : "\(format.sampleRate)"
        return "\(format.channels) channel\(format.channels == 1 ? "" : "s") at \(hertz) Hz"
    }
}
