// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sink or source of PipeWire's, as programs of Apple's systems see it. Any thread.

import Foundation
import PipeWireIO

/// A device that sound comes from or goes to: a source or sink of PipeWire's.
public final class AVAudioSessionPortDescription: NSObject, Sendable {
    private let device: PipeWireDevice
    /// The kind of the device, as far as PipeWire tells.
    public let portType: AVAudioSession.Port

    init(_ device: PipeWireDevice) {
        self.device = device
        portType = AVAudioSession.Port(of: device)
    }

    /// The name that users see: `node.description`.
    public var portName: String { device.description }
    /// The name that stays the same: `node.name`.
    public var uid: String { device.name }

    /// The channels.
    public var channels: [AVAudioSessionChannelDescription]? {
        device.channelNames.enumerated().map { index, name in
            AVAudioSessionChannelDescription(channelName: name, owningPortUID: uid, channelNumber: index + 1)
        }
    }

    /// Whether the device takes echoes away by itself: not that PipeWire would tell.
    public var hasHardwareVoiceCallProcessing: Bool { false }
    /// Whether sound is put into space for it: not that PipeWire would tell.
    public var isSpatialAudioEnabled: Bool { false }
    /// The parts that can be chosen: none.
    public var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The part that is chosen: none.
    public var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// The part that the program would like: none.
    public var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Chooses a part; nil is all that there is to choose.
    public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if dataSource != nil { throw AVAudioSession.error(.badParam, "\"\(portName)\" has no parts to choose from.") }
    }

    /// Two descriptions are equal if they are of one device in one state.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return uid == other.uid && portType == other.portType
    }

    /// The hash of the name.
    public override var hash: Int { uid.hashValue }

    /// The kind, the name and the name that stays the same.
    public override var description: String { "\(portType.rawValue) \"\(portName)\" (\(uid))" }
}
