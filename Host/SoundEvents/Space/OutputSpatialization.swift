// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The choices by which sounds in the scene are made audible. Any thread.

import Spatial

/// The way in which places become audible at the output.
public enum OutputSpatialization: Hashable, Sendable, CaseIterable {
    /// For two ears if the driver plays to headphones, and for loudspeakers otherwise, also when rendered by hand.
    case automatic
    /// Always for two ears, through the head of the engine; outputs of more than two channels are played to loudspeakers.
    case binaural
    /// Always for loudspeakers: two by equal power, and more by ITU-R BS.2127.
    case loudspeakers
}

/// The matter between sources and listeners.
public enum SoundMedium: Hashable, Sendable {
    /// Nothing: all frequencies arrive alike.
    case none
    /// Air, which takes treble by the distance (ISO 9613-1).
    case air(Air)

    /// Air of 20 °C with a humidity of 50 %.
    public static let air = SoundMedium.air(Air())
}
