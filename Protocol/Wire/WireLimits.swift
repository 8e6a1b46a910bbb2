// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The limits of the protocol as Swift numbers. Any thread.

import CWireLayout

/// The most that a peer may request.
public enum WireLimits {
    /// The largest number of buses in one direction.
    public static let busCount = Int(CWireLayout_maximumBusCount)
    /// The largest number of channels.
    public static let channelCount = Int(CWireLayout_maximumChannelCount)
    /// The largest number of frames in a request.
    public static let frameCount = Int(CWireLayout_maximumFrameCount)
    /// The longest latency, in frames.
    public static let latencyFrameCount = frameCount * 16
    /// The largest number of slots.
    public static let slotCount = Int(CWireLayout_maximumSlotCount)
    /// The number of wirings of a unit, including that of `allocate`.
    public static let wiringCount = Int(CWireLayout_wiringCount)
    /// The longest body of a control message, in bytes.
    public static let bodyByteCount = Int(CWireLayout_maximumBodyByteCount)
    /// The longest body in the same datagram, in bytes.
    public static let inlineByteCount = Int(CWireLayout_maximumInlineByteCount)
    /// The longest welcome, in bytes.
    public static let welcomeByteCount = Int(CWireLayout_maximumWelcomeByteCount)
    /// The largest number of texts in a welcome.
    public static let textCount = Int(CWireLayout_maximumTextCount)
    /// The largest number of presets in a welcome.
    public static let presetCount = Int(CWireLayout_maximumPresetCount)
    /// The longest listing of units, in bytes.
    public static let listingByteCount = Int(CWireLayout_maximumListingByteCount)
    /// The largest number of units, of extended identifiers and of defects in a listing.
    public static let listingCount = Int(CWireLayout_maximumListingCount)
    /// The size of a page in bytes.
    public static let pageByteCount = Int(CWireLayout_pageByteCount)
}
