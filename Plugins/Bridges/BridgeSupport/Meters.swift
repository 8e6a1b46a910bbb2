// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a plug-in's control outputs say, told to the host when it changes. Render thread.

import PluginSDK

/// The values of control outputs, at addresses that last, and what the host was told last.
public struct Meters: ~Copyable {
    /// One float a meter; what the plug-in is connected to.
    public let values: UnsafeMutablePointer<Float>
    private let count: Int
    private let told: UnsafeMutablePointer<UInt32>
    private let addresses: UnsafeMutablePointer<UInt64>

    /// `[control]` Allocates; the parameters with these addresses are told.
    public init(addresses: [UInt64]) {
        count = addresses.count
        values = .allocate(capacity: max(1, count))
        told = .allocate(capacity: max(1, count))
        self.addresses = .allocate(capacity: max(1, count))
        values.initialize(repeating: 0, count: max(1, count))
        // The bits of a NaN that no plug-in writes: whatever comes first is news.
        told.initialize(repeating: .max, count: max(1, count))
        for (index, address) in addresses.enumerated() { (self.addresses + index).initialize(to: address) }
    }

    deinit {
        values.deallocate()
        told.deallocate()
        addresses.deallocate()
    }

    /// `[render]` Tells the host what has changed since the last call, if it is a number.
    @_noLocks
    public func emit(to block: RenderBlock) {
        for index in 0..<count where values[index].bitPattern != told[index] && values[index].isFinite {
            told[index] = values[index].bitPattern
            block.emitParameter(addresses[index], value: Double(values[index]))
        }
    }
}
