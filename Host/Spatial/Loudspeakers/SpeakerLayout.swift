// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Names the layouts of loudspeakers that sources are panned to. Any thread.

import AudioFormats

/// The loudspeakers of a layout, in the order of its channels.
public struct SpeakerLayout: Hashable, Sendable {
    /// The name in ITU-R BS.2051, such as `4+5+0`: loudspeakers above, at ear level and below; nil for another layout.
    public let name: String?
    /// The loudspeaker of each channel.
    public let places: [SpeakerPlace]

    init(name: String?, _ places: [SpeakerPlace]) { (self.name, self.places) = (name, places) }

    /// Makes a layout of loudspeakers that has no name.
    public init(_ places: [SpeakerPlace]) { self.init(name: nil, places) }

    /// The layout of BS.2051 with a name; nil for an unknown name.
    public init?(bs2051 name: String) {
        guard let places = Self.standard[name] else { return nil }
        self.init(name: name, places.map { SpeakerPlace(azimuth: $0.0, elevation: $0.1, isLowFrequency: $0.2) })
    }

    /// The names of all layouts of BS.2051.
    public static var names: [String] { standard.keys.sorted() }

    /// The loudspeakers of channels: 5.1, 7.1, 7.1.4, and others for whose channels there are speakers; nil for discrete channels.
    ///
    /// Speakers at the sides stand at 90° and those at the back at 135°, if a layout has both, and at 110° otherwise.
    public init?(_ layout: ChannelLayout) {
        guard !layout.isDiscrete else { return nil }
        let speakers = Set(layout.speakers)
        let isSplit = speakers.contains(.sideLeft) && speakers.contains(.backLeft)
        let name = speakers == [.frontLeft, .frontRight] ? "0+2+0" : nil
        self.init(name: name, layout.speakers.map { Self.place($0, isSplit: isSplit) })
    }

    private static func place(_ speaker: Speaker, isSplit: Bool) -> SpeakerPlace {
        switch speaker {
        case .frontLeft: SpeakerPlace(azimuth: 30)
        case .frontRight: SpeakerPlace(azimuth: -30)
        case .frontCenter: SpeakerPlace(azimuth: 0)
        case .lowFrequency: SpeakerPlace(azimuth: 0, elevation: -30, isLowFrequency: true)
        case .backLeft: SpeakerPlace(azimuth: isSplit ? 135 : 110)
        case .backRight: SpeakerPlace(azimuth: isSplit ? -135 : -110)
        case .frontLeftOfCenter: SpeakerPlace(azimuth: 15)
        case .frontRightOfCenter: SpeakerPlace(azimuth: -15)
        case .backCenter: SpeakerPlace(azimuth: 180)
        case .sideLeft: SpeakerPlace(azimuth: isSplit ? 90 : 110)
        case .sideRight: SpeakerPlace(azimuth: isSplit ? -90 : -110)
        case .topCenter: SpeakerPlace(azimuth: 0, elevation: 90)
        case .topFrontLeft: SpeakerPlace(azimuth: isSplit ? 45 : 30, elevation: 30)
        case .topFrontCenter: SpeakerPlace(azimuth: 0, elevation: 30)
        case .topFrontRight: SpeakerPlace(azimuth: isSplit ? -45 : -30, elevation: 30)
        case .topBackLeft: SpeakerPlace(azimuth: isSplit ? 135 : 110, elevation: 30)
        case .topBackCenter: SpeakerPlace(azimuth: 180, elevation: 30)
        case .topBackRight: SpeakerPlace(azimuth: isSplit ? -135 : -110, elevation: 30)
        }
    }
}
