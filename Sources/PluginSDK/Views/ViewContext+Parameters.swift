// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The usual needs of views: texts of parameters, and moves within their ranges. The view's thread.

import AudioUnits
import ViewKit

extension ViewContext {
    /// The name of a parameter and its value with the unit; nil for an address that the unit does not have.
    public func text(of address: UInt64) -> String? {
        parameters[address: address].map { "\($0.name) \($0.string(from: self[address]))" }
    }

    /// Names and values of several parameters, for a line of a view.
    public func text(of addresses: [UInt64]) -> String { addresses.compactMap { text(of: $0) }.joined(separator: "   ") }

    /// The position of a parameter in its range: 0 at the lower end, 1 at the upper end.
    ///
    /// The scale is logarithmic if the parameter asks for that. The result is 0 for an address that the unit does not have.
    public func position(of address: UInt64) -> Double { parameters[address: address]?.position(of: self[address]) ?? 0 }

    /// Sets a parameter to a position in its range; below 0 and above 1 it stays at an end.
    public func set(_ address: UInt64, toPosition position: Double) {
        if let parameter = parameters[address: address], !position.isNaN { set(address, to: parameter.value(at: position)) }
    }

    /// Moves a parameter by a share of its range, upwards or downwards.
    public func move(_ address: UInt64, by share: Double) { set(address, toPosition: position(of: address) + share) }

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
