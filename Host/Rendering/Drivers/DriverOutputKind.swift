// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kind of device that a driver plays to. Any thread.

/// The kind of device that a driver plays to.
public enum DriverOutputKind: Sendable, Hashable, CaseIterable {
    /// Two ears, each with a loudspeaker of its own.
    case headphones
    /// The machine's own loudspeakers.
    case builtInSpeakers
    /// Other loudspeakers, or an amplifier.
    case externalSpeakers
}
