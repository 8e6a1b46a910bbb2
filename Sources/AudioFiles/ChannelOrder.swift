// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The speakers of a file's channels, in libsndfile's terms, and their order in the file. Control thread.

import AudioFormats
import CSndFile

extension Speaker {
    /// libsndfile's number for the speaker.
    var channelMapCode: CInt {
        let code =
            switch self {
            case .frontLeft: SF_CHANNEL_MAP_LEFT
            case .frontRight: SF_CHANNEL_MAP_RIGHT
            case .frontCenter: SF_CHANNEL_MAP_CENTER
            case .lowFrequency: SF_CHANNEL_MAP_LFE
            case .backLeft: SF_CHANNEL_MAP_REAR_LEFT
            case .backRight: SF_CHANNEL_MAP_REAR_RIGHT
            case .frontLeftOfCenter: SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER
            case .frontRightOfCenter: SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER
            case .backCenter: SF_CHANNEL_MAP_REAR_CENTER
            case .sideLeft: SF_CHANNEL_MAP_SIDE_LEFT
            case .sideRight: SF_CHANNEL_MAP_SIDE_RIGHT
            case .topCenter: SF_CHANNEL_MAP_TOP_CENTER
            case .topFrontLeft: SF_CHANNEL_MAP_TOP_FRONT_LEFT
            case .topFrontCenter: SF_CHANNEL_MAP_TOP_FRONT_CENTER
            case .topFrontRight: SF_CHANNEL_MAP_TOP_FRONT_RIGHT
            case .topBackLeft: SF_CHANNEL_MAP_TOP_REAR_LEFT
            case .topBackCenter: SF_CHANNEL_MAP_TOP_REAR_CENTER
            case .topBackRight: SF_CHANNEL_MAP_TOP_REAR_RIGHT
            }
        return CInt(code)
    }

    /// The speaker of one of libsndfile's numbers; nil for a number without a position.
    init?(channelMapCode code: CInt) {
        switch Int(code) {
        case SF_CHANNEL_MAP_MONO, SF_CHANNEL_MAP_FRONT_CENTER: self = .frontCenter
        case SF_CHANNEL_MAP_FRONT_LEFT: self = .frontLeft
        case SF_CHANNEL_MAP_FRONT_RIGHT: self = .frontRight
        default:
            guard let speaker = Self.allCases.first(where: { $0.channelMapCode == code }) else { return nil }
            self = speaker
        }
    }
}

extension SoundFile {
    /// True if this is a WAV file whose mask is 0.
    private var hasEmptyMask: Bool {
        ContainerHeader(descriptor: io.descriptor, byteCount: UInt64(io.length))?.channelMask?.value == 0
    }

    /// The speakers of the channels in the order of the file; nil if it does not state them, or states an unknown one.
    var layout: ChannelLayout? {
        var codes = [CInt](repeating: 0, count: Int(info.channels))
        guard command(SFC_GET_CHANNEL_MAP_INFO, &codes) else {
            // These formats have one layout for each channel count.
            switch Int(info.format) & SF_FORMAT_TYPEMASK {
            case SF_FORMAT_WAVEX, SF_FORMAT_WAV, SF_FORMAT_RF64, SF_FORMAT_W64:
                return hasEmptyMask ? .discrete(codes.count) : nil
            case SF_FORMAT_FLAC: return ChannelLayout.usual(codes.count)
            case SF_FORMAT_OGG: return vorbisOrders.first { $0.count == codes.count }.flatMap { ChannelLayout($0) }
            default: return nil
            }
        }
        let speakers = codes.compactMap { Speaker(channelMapCode: $0) }
        return speakers.count == codes.count ? ChannelLayout(speakers) : nil
    }

    /// States the meaning of the channels; false if the format cannot hold it.
    func set(layout: ChannelLayout) -> Bool {
        var codes = layout.speakers.map(\.channelMapCode)
        return command(SFC_SET_CHANNEL_MAP_INFO, &codes)
    }
}

/// The orders of Vorbis and Opus, by the Vorbis I specification, section 4.3.9; one for each number of channels.
private let vorbisOrders: [[Speaker]] = [
    [.frontLeft, .frontCenter, .frontRight],
    [.frontLeft, .frontRight, .backLeft, .backRight],
    [.frontLeft, .frontCenter, .frontRight, .backLeft, .backRight],
    [.frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .lowFrequency],
    [.frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .backCenter, .lowFrequency],
    [.frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency],
]

extension Speaker {
    /// The speaker at the back for one at the side, and the other way round.
    fileprivate var twin: Speaker {
        switch self {
        case .backLeft: .sideLeft
        case .backRight: .sideRight
        case .sideLeft: .backLeft
        case .sideRight: .backRight
        default: self
        }
    }
}

extension OutputFormat {
    /// The order in which the file stores the channels of `layout`, whose channels are in the order of WAV.
    func order(of layout: ChannelLayout) -> [Speaker] {
        guard code & SF_FORMAT_TYPEMASK == SF_FORMAT_OGG else { return layout.speakers }
        // A side speaker may take the position of a back speaker, and the other way round.
        let fitting = vorbisOrders.lazy.map { $0.map { layout.speakers.contains($0) ? $0 : $0.twin } }
        return fitting.first { Set($0) == Set(layout.speakers) } ?? layout.speakers
    }

    /// True if a file of the format keeps the layout: it states it, or the channel count alone implies it.
    func keeps(_ layout: ChannelLayout, hasSaid: Bool) -> Bool {
        layout.channelCount <= 2 || hasSaid || layout.isDiscrete && isRF64 || layout == .usual(layout.channelCount)
    }
}
