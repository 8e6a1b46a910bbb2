// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sink or source of PipeWire's in the form of Apple's systems. Any thread.

import Foundation
import PipeWireIO

/// An input or output device: a source or sink of PipeWire's.
public final class AVAudioSessionPortDescription: NSObject, Sendable {
    private let device: PipeWireDevice
    /// The kind of the device, as far as PipeWire tells it.
    public let portType: AVAudioSession.Port

    init(_ device: PipeWireDevice) {
        self.device = device
        portType = AVAudioSession.Port(of: device)
    }

    /// The name that users see: `node.description`.
    public var portName: String { device.description }
    /// The stable name: `node.name`.
    public var uid: String { device.name }

    /// The channels.
    public var channels: [AVAudioSessionChannelDescription]? {
        device.channelNames.enumerated().map { index, name in
            AVAudioSessionChannelDescription(channelName: name, owningPortUID: uid, channelNumber: index + 1)
        }
    }

    /// Always false: PipeWire does not know if the device removes echoes itself.
    public var hasHardwareVoiceCallProcessing: Bool { false }
    /// Always false: PipeWire does not know if sound is spatialized for the device.
    public var isSpatialAudioEnabled: Bool { false }
    /// The selectable parts: none.
    public var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The selected part: none.
    public var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// The preferred part: none.
    public var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Prefers a part; only nil is allowed.
    public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if dataSource != nil { throw AVAudioSession.error(.badParam, "\"\(portName)\" has no parts to choose from.") }
    }

    /// True if both descriptions have the same device in the same state.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return uid == other.uid && portType == other.portType
    }

    /// The hash of the stable name.
    public override var hash: Int { uid.hashValue }

    /// The kind, the name and the stable name.
    public override var description: String { "\(portType.rawValue) \"\(portName)\" (\(uid))" }
}
