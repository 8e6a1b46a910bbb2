// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control inputs of a plug-in, with their limits at a sample rate. Made by the control thread, used by the render thread.

import PluginSDK

/// The control inputs of a plug-in, by port index.
struct ControlLimits: ~Copyable {
    private let portCount: Int
    /// The port's index among the control inputs; -1 for other ports.
    private let places: UnsafeMutablePointer<Int>
    private let bounds: UnsafeMutablePointer<(lower: Float, upper: Float)>

    /// `[control]` Fixes the ranges at a sample rate in hertz; parameter addresses are port indices.
    init(_ plugin: Plugin, _ parameters: ParameterTree, sampleRate: Double) {
        let controls = plugin.ports(isInput: true, isAudio: false)
        portCount = plugin.ports.count
        places = .allocate(capacity: max(1, portCount))
        places.initialize(repeating: -1, count: portCount)
        bounds = .allocate(capacity: max(1, controls.count))
        for (place, port) in controls.enumerated() {
            let range = parameters[address: UInt64(port.index)]?.accepted(sampleRate: sampleRate) ?? 0...0
            places[port.index] = place
            (bounds + place).initialize(to: (Float(range.lowerBound), Float(range.upperBound)))
        }
    }

    deinit {
        places.deallocate()
        bounds.deallocate()
    }

    /// `[render]` The index of a port among the control inputs; nil for other ports.
    @_noLocks
    func place(ofPort port: UInt64) -> Int? {
        guard port < UInt64(portCount), places[Int(port)] >= 0 else { return nil }
        return places[Int(port)]
    }

    /// `[render]` Clamps a value to the port's range.
    @_noLocks
    func limited(_ value: Float, at place: Int) -> Float {
        max(bounds[place].lower, min(bounds[place].upper, value))
    }
}
