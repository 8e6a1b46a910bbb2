// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The level of a message in the log. Any thread.

/// The level of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The number of the level.
    public let rawValue: UInt8

    /// Makes a level from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Messages that are always written.
    public static let `default` = OSLogType(rawValue: 0)
    /// Messages that help to understand others.
    public static let info = OSLogType(rawValue: 1)
    /// Messages for the development of a program.
    public static let debug = OSLogType(rawValue: 2)
    /// Failures of the program.
    public static let error = OSLogType(rawValue: 16)
    /// Failures that point to a fault in the program.
    public static let fault = OSLogType(rawValue: 17)
}

extension OSLogType {
    /// The word for the level in a line of the log.
    var word: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .error: "error"
        case .fault: "fault"
        default: "notice"
        }
    }

    /// The order of levels: debug, info, default, error, fault.
    var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .error: 3
        case .fault: 4
        default: 2
        }
    }
}
