// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tracks of a sequencer by the names of Apple's systems. Any thread but the render thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// A track of a sequencer.
public typealias AVMusicTrack = AudioMusicTrack
/// A range of beats.
public typealias AVBeatRange = AudioBeatRange

/// Makes a range of beats.
public func AVMakeBeatRange(_ startBeat: AVMusicTimeStamp, _ lengthInBeats: AVMusicTimeStamp) -> AVBeatRange {
    AVBeatRange(start: startBeat, length: lengthInBeats)
}

/// The number of repetitions of a track.
public enum AVMusicTrackLoopCount: Int, Sendable {
    /// Repeats without end.
    case forever = -1
}
