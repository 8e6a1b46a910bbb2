// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The limits of the protocol as Swift numbers. Any thread.

import CWireLayout

/// The most that a peer may ask for.
package enum WireLimits {
    /// The largest number of buses in one direction.
    package static let busCount = Int(CWireLayout_maximumBusCount)
    /// The largest number of channels.
    package static let channelCount = Int(CWireLayout_maximumChannelCount)
    /// The largest number of frames in a request.
    package static let frameCount = Int(CWireLayout_maximumFrameCount)
    /// The largest number of slots.
    package static let slotCount = Int(CWireLayout_maximumSlotCount)
    /// The longest body of a control message, in bytes.
    package static let bodyByteCount = Int(CWireLayout_maximumBodyByteCount)
    /// The longest body in the datagram itself, in bytes.
    package static let inlineByteCount = Int(CWireLayout_maximumInlineByteCount)
    /// The longest welcome, in bytes.
    package static let welcomeByteCount = Int(CWireLayout_maximumWelcomeByteCount)
    /// The largest number of texts in a welcome.
    package static let textCount = Int(CWireLayout_maximumTextCount)
    /// The largest number of presets in a welcome.
    package static let presetCount = Int(CWireLayout_maximumPresetCount)
    /// The longest listing of units, in bytes.
    package static let listingByteCount = Int(CWireLayout_maximumListingByteCount)
    /// The largest number of units, of extended identifiers and of defects in a listing.
    package static let listingCount = Int(CWireLayout_maximumListingCount)
    /// The size of a page in bytes.
    package static let pageByteCount = Int(CWireLayout_pageByteCount)
}
