// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What most views do with parameters: tell their values, and give them their defaults back. The view's thread.

import AudioUnits

extension ViewContext {
    /// The name of a parameter and its value with the unit; nil for an address that the unit does not have.
    public func text(of address: UInt64) -> String? {
        parameters[address: address].map { "\($0.name) \($0.string(from: self[address]))" }
    }

    /// Names and values of several parameters, for a line of a view.
    public func text(of addresses: [UInt64]) -> String { addresses.compactMap { text(of: $0) }.joined(separator: "   ") }

    /// Sets a parameter to its default.
    public func restore(_ address: UInt64) {
        if let parameter = parameters[address: address] { set(address, to: parameter.defaultValue) }
    }

    /// Sets a parameter of choices to the next one, and after the last to the first.
    public func setToNextChoice(_ address: UInt64) {
        guard let parameter = parameters[address: address], !parameter.valueStrings.isEmpty else { return }
        let count = Double(parameter.valueStrings.count)
        set(address, to: (self[address].rounded() + 1).truncatingRemainder(dividingBy: count))
    }
}
