// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The limits of the protocol as Swift numbers. Any thread.

import CWireLayout

/// What a peer may ask for at most.
public enum WireLimits {
    public static let busCount = Int(CWireLayout_maximumBusCount)
    public static let channelCount = Int(CWireLayout_maximumChannelCount)
    public static let frameCount = Int(CWireLayout_maximumFrameCount)
    public static let slotCount = Int(CWireLayout_maximumSlotCount)
    /// The longest body of a control message, in bytes.
    public static let bodyByteCount = Int(CWireLayout_maximumBodyByteCount)
    /// The longest body that travels in the datagram itself.
    public static let inlineByteCount = Int(CWireLayout_maximumInlineByteCount)
    /// The longest listing of units, in bytes, and the most of anything in it.
    public static let listingByteCount = Int(CWireLayout_maximumListingByteCount)
    public static let listingCount = Int(CWireLayout_maximumListingCount)
    public static let pageByteCount = Int(CWireLayout_pageByteCount)
}
