// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The errors of motion, and the permission to use it. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Foundation

/// The domain of errors of motion.
public let CMErrorDomain = "CMErrorDomain"

/// The code of an error of motion.
public struct CMError: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: UInt32

    /// Makes a code from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// No source of motion can be used; the error's description says why.
public let CMErrorNotAvailable = CMError(rawValue: 109)

/// The permission of a program to use motion.
public enum CMAuthorizationStatus: Int, Sendable {
    /// The user has not been asked.
    case notDetermined
    /// The user cannot give it.
    case restricted
    /// The user has refused.
    case denied
    /// The program may use motion: always the case here.
    case authorized
}
