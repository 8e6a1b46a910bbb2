// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One parameter of a unit by the name of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// A parameter of a unit.
public final class AUParameter: AUParameterNode, @unchecked Sendable {
    // SAFETY: as for the base.
    private let parameter: Parameter

    init(_ parameter: Parameter, keyPath: String, _ access: ParameterAccess) {
        self.parameter = parameter
        super.init(parameter.identifier, keyPath: keyPath, displayName: parameter.name, access)
    }

    override var addresses: Set<AUParameterAddress> { [address] }

    /// The address, which may change between versions of the plug-in; the key path does not change.
    public var address: AUParameterAddress { parameter.address }
    /// The lowest value.
    public var minValue: AUValue { AUValue(parameter.range.lowerBound) }
    /// The highest value.
    public var maxValue: AUValue { AUValue(parameter.range.upperBound) }
    /// The quantity that the value measures.
    public var unit: AudioUnitParameterUnit { AudioUnitParameterUnit(parameter.unit) }
    /// The symbol after a number; nil for none.
    public var unitName: String? { parameter.unit.symbol.isEmpty ? nil : parameter.unit.symbol }
    /// The names of the values 0, 1, 2 …; nil for a parameter of numbers.
    public var valueStrings: [String]? { parameter.valueStrings.isEmpty ? nil : parameter.valueStrings }
    /// The properties that the parameter has.
    public var flags: AudioUnitParameterOptions { AudioUnitParameterOptions(parameter.flags) }

    /// The value that the host knows.
    ///
    /// A new value is clamped to the range; NaN changes nothing. If the unit refuses the value, because the parameter is
    /// read-only, nothing changes, and standard error reports it.
    public var value: AUValue {
        get { AUValue(access.value(of: address) ?? parameter.defaultValue) }
        set { setValue(newValue, originator: nil) }
    }

    /// Sets the value, and tells all observers but the originator.
    public func setValue(_ value: AUValue, originator: AUParameterObserverToken?) {
        guard !value.isNaN else { return }
        access.set(keyPath, to: clamped(value), originator: originator)
    }

    /// The nearest value in the range; the default for NaN.
    func clamped(_ value: AUValue) -> Double {
        guard !value.isNaN else { return parameter.defaultValue }
        let accepted = parameter.accepted()
        return max(accepted.lowerBound, min(accepted.upperBound, Double(value)))
    }

    /// A value as text; nil stands for the present value.
    public func string(fromValue value: UnsafePointer<AUValue>?) -> String {
        parameter.string(from: Double(value?.pointee ?? self.value))
    }

    /// The value of a text; the present value for any other text.
    public func value(from string: String) -> AUValue { parameter.value(from: string).map { AUValue($0) } ?? value }
}
