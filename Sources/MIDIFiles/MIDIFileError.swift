// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reasons why bytes cannot be read as a Standard MIDI File. Any thread.

/// The reason why a MIDI file could not be read; offsets count bytes from the file's start.
///
/// `[any]` `description` is the reason as the end of a sentence, such as "Couldn't read "song.mid": …".
public enum MIDIFileError: Error, Hashable, Sendable {
    /// The file does not begin with the header of a MIDI file.
    case notMIDI
    /// The header's format is above 2.
    case unsupportedFormat(Int)
    /// The header is shorter than 6 bytes.
    case shortHeader(Int)
    /// The header's division is invalid.
    case invalidDivision(Int)
    /// A length exceeds the number of bytes that are left.
    case truncated(offset: Int, promised: Int, present: Int)
    /// The file or a track ends in the middle of an event.
    case unexpectedEnd(offset: Int)
    /// The header promises more tracks than there are.
    case missingTracks(promised: Int, present: Int)
    /// The header promises fewer tracks than there are.
    case extraTracks(promised: Int, present: Int)
    /// A track goes on behind its promised end.
    case shortTrack(offset: Int, promised: Int)
    /// Bytes between two tracks belong to none.
    case strayBytes(offset: Int, count: Int)
    /// A system-exclusive message has no end, or holds a byte above 127, or has more than 65536 bytes.
    case invalidExclusive(offset: Int)
    /// More than 256 ports are named.
    case tooManyPorts(offset: Int)
    /// A number of variable length has more than four bytes.
    case invalidNumber(offset: Int)
    /// A track's first event has no status byte.
    case missingStatus(offset: Int)
    /// A file may not hold this status byte.
    case invalidStatus(offset: Int, status: Int)
    /// A data byte is above 127.
    case invalidData(offset: Int, value: Int)
    /// A tempo or a time signature has the wrong number of bytes, or an invalid value.
    case invalidMetaEvent(offset: Int, type: Int)
    /// The song has more than 2^32 ticks.
    case tooLong(offset: Int)
}

extension MIDIFileError: CustomStringConvertible {
    /// The reason as the end of a sentence.
    public var description: String {
        switch self {
        case .notMIDI: "it is not a Standard MIDI File"
        case .unsupportedFormat(let format): "its format is \(format), and 2 is the highest"
        case .shortHeader(let length): "its header promises \(length) bytes, and 6 are the least"
        case .invalidDivision(let division): "its header gives \(division) for the length of a tick, which MIDI does not have"
        case .truncated(let offset, let promised, let present):
            "at byte \(offset) it promises \(promised) bytes, and \(present) follow; get the whole file"
        case .unexpectedEnd(let offset): "it ends in the middle of an event, at byte \(offset); get the whole file"
        case .missingTracks(let promised, let present):
            "it promises \(Self.tracks(promised)), and has \(present); get the whole file"
        case .extraTracks(let promised, let present): "it promises \(Self.tracks(promised)), and has \(present)"
        case .shortTrack(let offset, let promised):
            "at byte \(offset) a track begins that promises \(promised) bytes, and goes on behind them"
        case .strayBytes(let offset, let count): "at byte \(offset) \(count) bytes belong to no track"
        case .invalidExclusive(let offset): "at byte \(offset) a system-exclusive message is malformed"
        case .tooManyPorts(let offset): "at byte \(offset) it names more than 256 ports"
        case .invalidNumber(let offset): "at byte \(offset) a number has more than 4 bytes"
        case .missingStatus(let offset): "at byte \(offset) a track begins with an event without a status"
        case .invalidStatus(let offset, let status): "at byte \(offset) the status is \(status), which a file cannot hold"
        case .invalidData(let offset, let value): "at byte \(offset) a message holds \(value), and 127 is the most"
        case .invalidMetaEvent(let offset, let type): "at byte \(offset) \(Self.name(ofMeta: type)) is malformed"
        case .tooLong(let offset): "at byte \(offset) it has more than \(MIDIFile.lastTick) ticks"
        }
    }

    private static func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }

    private static func name(ofMeta type: Int) -> String {
        switch type {
        case MetaType.tempo: "a tempo"
        case MetaType.timeSignature: "a time signature"
        default: "the meta event \(type)"
        }
    }
}
