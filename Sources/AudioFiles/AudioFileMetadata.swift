// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The metadata of a file: tags, and the position of a recording in time. Any thread.

import CSndFile

/// The tags and the broadcast information of a file.
///
/// A writer stores the parts that its format can hold, and omits the rest.
public struct AudioFileMetadata: Hashable, Sendable {
    /// A text that describes the sound.
    public enum Tag: CInt, CaseIterable, Sendable {
        case title = 1
        case copyright, software, artist, comment, date, album, license, trackNumber
        case genre = 16
    }

    /// The texts that the file has.
    public var tags: [Tag: String] = [:]
    /// The `bext` chunk of a Broadcast Wave File: description, originator, date, time and time reference; nil without one.
    var broadcast: [UInt8]?

    /// Makes empty metadata.
    public init() {}

    /// The start of the recording, in frames since midnight; nil for a file that is no Broadcast Wave File.
    ///
    /// A new value makes the file a Broadcast Wave File.
    public var timeReference: UInt64? {
        get { broadcast?.withUnsafeBytes { $0.loadUnaligned(as: SF_BROADCAST_INFO.self) }.timeReference }
        set {
            guard let newValue else {
                broadcast = nil
                return
            }
            broadcast = broadcast ?? [UInt8](repeating: 0, count: MemoryLayout<SF_BROADCAST_INFO>.size)
            broadcast?.withUnsafeMutableBytes { bytes in
                var information = bytes.loadUnaligned(as: SF_BROADCAST_INFO.self)
                information.time_reference_low = UInt32(truncatingIfNeeded: newValue)
                information.time_reference_high = UInt32(truncatingIfNeeded: newValue >> 32)
                bytes.storeBytes(of: information, as: SF_BROADCAST_INFO.self)
            }
        }
    }
}

extension SF_BROADCAST_INFO {
    fileprivate var timeReference: UInt64 { UInt64(time_reference_high) << 32 | UInt64(time_reference_low) }
}

extension SoundFile {
    /// The metadata of the file.
    var metadata: AudioFileMetadata {
        var metadata = AudioFileMetadata()
        for tag in AudioFileMetadata.Tag.allCases { metadata.tags[tag] = text(tag.rawValue) }
        metadata.broadcast = broadcastInformation
        return metadata
    }

    /// Stores the parts that the format can hold; call it before the first frame is written.
    func store(_ metadata: AudioFileMetadata) {
        if let broadcast = metadata.broadcast { set(broadcastInformation: broadcast) }
        // libsndfile adds its own name to that of the software each time.
        for tag in AudioFileMetadata.Tag.allCases where tag != .software {
            if let text = metadata.tags[tag] { set(tag.rawValue, text: text) }
        }
    }
}
