// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// C's functions for the memory of buffers, which may be absent. Any thread.

import Foundation

/// Copies bytes; does nothing if an address is nil.
@_disfavoredOverload
@discardableResult
public func memcpy(
    _ destination: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ byteCount: Int
) -> UnsafeMutableRawPointer? {
    if let destination, let source { destination.copyMemory(from: source, byteCount: max(0, byteCount)) }
    return destination
}

/// Fills bytes with a value; does nothing if the address is nil.
@_disfavoredOverload
@discardableResult
public func memset(_ destination: UnsafeMutableRawPointer?, _ value: Int32, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    destination?.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: max(0, byteCount))
    return destination
}
