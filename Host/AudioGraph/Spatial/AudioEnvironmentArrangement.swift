// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The channels that an environment puts out, where a format alone does not tell. Any thread.

import Spatial

/// The channels of an environment's output, where their number and layout do not tell.
public enum AudioEnvironmentArrangement: Hashable, Sendable {
    /// The loudspeakers of a layout of ITU-R BS.2051, such as `9+10+3`, in the order of its channels.
    case loudspeakers(String)
    /// A sound field of order 1 to 3, in ACN and SN3D, as the listener's head hears it.
    case soundField(order: Int)

    /// The number of channels; nil for an unknown layout, or for another order.
    public var channelCount: Int? {
        switch self {
        case .loudspeakers(let name): SpeakerLayout(bs2051: name)?.places.count
        case .soundField(let order): (1...3).contains(order) ? (order + 1) * (order + 1) : nil
        }
    }

    /// The names of the layouts of loudspeakers.
    public static var loudspeakerNames: [String] { SpeakerLayout.names }

    /// True for a sound field.
    var isField: Bool {
        if case .soundField = self { true } else { false }
    }
}

extension AudioEnvironmentArrangement: CustomStringConvertible {
    /// The name of the layout, or the order of the field.
    public var description: String {
        switch self {
        case .loudspeakers(let name): "loudspeakers \"\(name)\""
        case .soundField(let order): "a sound field of order \(order)"
        }
    }
}
