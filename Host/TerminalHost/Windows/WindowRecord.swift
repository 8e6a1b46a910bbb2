// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The messages between the command and the process of a window: fixed records, some with a text. Any thread.

/// A message to or from the process of a window.
///
/// In memory order: the kind and the port as 32-bit numbers, the value as a 64-bit float, and the bytes of a text. `Window.h` has the
/// same numbers.
enum WindowRecord: Equatable {
    /// A port has a value; either side sends it.
    case value(port: UInt32, Double)
    /// A question whether the window still answers, or its answer.
    case alive(number: UInt32)
    /// The window is on the screen.
    case opened
    /// The window cannot be opened, for the reason in the text.
    case refused(String)
    /// The user has closed the window.
    case closed
    /// The window wants messages that are not values of ports.
    case leftOut

    /// The bytes without a text, and the most bytes of a text.
    static let headByteCount = 16
    static let mostTextByteCount = 500

    private static let numbers: (value: UInt32, alive: UInt32, opened: UInt32, refused: UInt32, closed: UInt32, leftOut: UInt32) = (
        1, 2, 3, 4, 5, 6
    )

    /// Reads a record, which may be wrong; nil for an invalid one.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.headByteCount else { return nil }
        let (kind, port, value) = bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
                $0.loadUnaligned(fromByteOffset: 8, as: Double.self)
            )
        }
        switch kind {
        case Self.numbers.value:
            guard value.isFinite else { return nil }
            self = .value(port: port, value)
        case Self.numbers.alive: self = .alive(number: port)
        case Self.numbers.opened: self = .opened
        case Self.numbers.refused:
            let text = bytes.dropFirst(Self.headByteCount).prefix(Self.mostTextByteCount)
            self = .refused(String(decoding: text, as: UTF8.self))
        case Self.numbers.closed: self = .closed
        case Self.numbers.leftOut: self = .leftOut
        default: return nil
        }
    }

    /// The bytes of the record.
    var bytes: [UInt8] {
        switch self {
        case .value(let port, let value): Self.bytes(Self.numbers.value, port, value)
        case .alive(let number): Self.bytes(Self.numbers.alive, number)
        case .opened: Self.bytes(Self.numbers.opened)
        case .refused(let text): Self.bytes(Self.numbers.refused) + text.utf8.prefix(Self.mostTextByteCount)
        case .closed: Self.bytes(Self.numbers.closed)
        case .leftOut: Self.bytes(Self.numbers.leftOut)
        }
    }

    private static func bytes(_ kind: UInt32, _ port: UInt32 = 0, _ value: Double = 0) -> [UInt8] {
        withUnsafeBytes(of: kind) { Array($0) } + withUnsafeBytes(of: port) { Array($0) } + withUnsafeBytes(of: value) { Array($0) }
    }
}
