// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tracks of a sequencer by the names of Apple's systems. Any thread but the render thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// A track of a sequencer.
public typealias AVMusicTrack = AudioMusicTrack
/// A stretch of beats.
public typealias AVBeatRange = AudioBeatRange

/// A stretch of beats.
public func AVMakeBeatRange(_ startBeat: AVMusicTimeStamp, _ lengthInBeats: AVMusicTimeStamp) -> AVBeatRange {
    AVBeatRange(start: startBeat, length: lengthInBeats)
}

/// A number of times that a track is repeated.
public enum AVMusicTrackLoopCount: Int, Sendable {
    /// Without end.
    case forever = -1
}
