// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reports a plug-in's control outputs to the host when they change. Render thread.

import PluginSDK

/// The values of control outputs, at fixed addresses, and the values that were last reported.
public struct Meters: ~Copyable {
    /// One float a meter, to which the plug-in is connected.
    public let values: UnsafeMutablePointer<Float>
    private let count: Int
    private let told: UnsafeMutablePointer<UInt32>
    private let addresses: UnsafeMutablePointer<UInt64>

    /// `[control]` Allocates meters that are reported under these parameter addresses.
    public init(addresses: [UInt64]) {
        count = addresses.count
        values = .allocate(capacity: max(1, count))
        told = .allocate(capacity: max(1, count))
        self.addresses = .allocate(capacity: max(1, count))
        values.initialize(repeating: 0, count: max(1, count))
        // The bits of a NaN that no plug-in writes, so that the first value counts as a change.
        told.initialize(repeating: .max, count: max(1, count))
        for (index, address) in addresses.enumerated() { (self.addresses + index).initialize(to: address) }
    }

    deinit {
        values.deallocate()
        told.deallocate()
        addresses.deallocate()
    }

    /// `[render]` Reports each value that has changed since the last call and is finite.
    @_noLocks
    public func emit(to block: RenderBlock) {
        for index in 0..<count where values[index].bitPattern != told[index] && values[index].isFinite {
            told[index] = values[index].bitPattern
            block.emitParameter(addresses[index], value: Double(values[index]))
        }
    }
}
