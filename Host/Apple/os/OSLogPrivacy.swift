// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether a value may be read in the log. Any thread.

/// Whether a value may be read in the log.
public struct OSLogPrivacy: Hashable, Sendable {
    /// A sign in the place of a private value.
    public enum Mask: Hashable, Sendable {
        /// A number that is the same for equal values, as long as the program runs.
        case hash
        /// No sign.
        case none
    }

    enum Kind: Hashable { case auto, open, hidden, sensitive }

    let kind: Kind
    let mask: Mask

    /// The value is public if it is a number, and otherwise private.
    public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: .none) }
    /// The value can be read.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .open, mask: .none) }
    /// The value is shown only if BULKHEAD_LOG_PRIVATE is 1.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: .none) }
    /// The value is never shown.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: .none) }

    /// The value is public if it is a number, and otherwise private with a sign in its place.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
    /// The value is private, with a sign in its place.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: mask) }
    /// The value is never shown, with a sign in its place.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: mask) }

    /// The text of a value in the log.
    func text(of value: String, isNumber: Bool, showingPrivate: Bool) -> String {
        let isShown =
            switch kind {
            case .open: true
            case .auto: isNumber || showingPrivate
            case .hidden: showingPrivate
            case .sensitive: false
            }
        if isShown { return value }
        guard mask == .hash else { return "<private>" }
        return "<mask.hash: \(String(UInt(bitPattern: value.hashValue), radix: 16))>"
    }
}
