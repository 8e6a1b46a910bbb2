// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of control ports, set by their parameters. Made by the control thread, used by the render thread.

import BridgeSupport
import PluginSDK

/// Control inputs by port index; each gives its parameter's value a meaning.
struct ControlSettings: ~Copyable {
    private(set) var ports: ControlPorts
    private let portCount: Int
    /// A port's index in `ports`; -1 for other ports.
    private let places: UnsafeMutablePointer<Int>
    private let bounds: UnsafeMutablePointer<ClosedRange<Float>>
    /// The values of enumerations, one after another, and the range of each port's values.
    private let choices: UnsafeMutablePointer<Float>
    private let choiceRanges: UnsafeMutablePointer<Range<Int>>
    /// Triggers, which return by themselves: index in `ports`, value at rest, address.
    private let triggers: UnsafeMutablePointer<(place: Int, rest: Float, address: UInt64)>
    private let triggerCount: Int
    /// The index of the port that switches the plug-in on, or -1.
    ///
    /// `wantedSwitch` is its parameter's value; `isBypassed` overrides it.
    private let switchPlace: Int
    private var wantedSwitch: Float = 1
    private var isBypassed = false

    init(_ plugin: Plugin, sampleRate: Double) {
        let inputs = plugin.ports.filter { $0.isInput && $0.isParameter }
        portCount = plugin.ports.count
        ports = ControlPorts(inputs.map { $0.restValue(sampleRate: sampleRate) })
        places = .allocate(capacity: max(1, portCount))
        places.initialize(repeating: -1, count: max(1, portCount))
        bounds = .allocate(capacity: max(1, inputs.count))
        choiceRanges = .allocate(capacity: max(1, inputs.count))
        choices = .allocate(capacity: max(1, inputs.reduce(0) { $0 + $1.choices.count }))
        var choiceCount = 0
        for (place, port) in inputs.enumerated() {
            places[port.index] = place
            let range = port.parameter(identifier: port.symbol).accepted(sampleRate: sampleRate)
            (bounds + place).initialize(to: Float(range.lowerBound)...Float(range.upperBound))
            (choiceRanges + place).initialize(to: choiceCount..<choiceCount + port.choices.count)
            for choice in port.choices {
                (choices + choiceCount).initialize(to: Float(choice.value))
                choiceCount += 1
            }
        }
        let momentary = inputs.filter(\.isTrigger)
        triggerCount = momentary.count
        triggers = .allocate(capacity: max(1, triggerCount))
        for (index, port) in momentary.enumerated() {
            let rest = port.restValue(sampleRate: sampleRate)
            (triggers + index).initialize(to: (places[port.index], rest, UInt64(port.index)))
        }
        switchPlace = inputs.firstIndex(where: \.isSwitch) ?? -1
        if switchPlace >= 0 { wantedSwitch = ports.values[switchPlace] }
    }

    deinit {
        places.deallocate()
        bounds.deallocate()
        choices.deallocate()
        choiceRanges.deallocate()
        triggers.deallocate()
    }

    /// `[control]` The float behind a port; nil for a port that is no parameter.
    func address(of port: Port) -> UnsafeMutablePointer<Float>? {
        places[port.index] < 0 ? nil : ports.values + places[port.index]
    }

    /// `[render]` Takes a parameter's value; false if no port has its address.
    @_noLocks
    mutating func apply(_ change: ParameterChange) -> Bool {
        guard change.address < UInt64(portCount), places[Int(change.address)] >= 0 else { return false }
        let place = places[Int(change.address)]
        let range = choiceRanges[place]
        guard range.isEmpty else {
            let index = max(0, min(range.count - 1, Int(change.value)))
            ports.set(place, to: choices[range.lowerBound &+ index])
            return true
        }
        if place == switchPlace {
            wantedSwitch = change.value > 0 ? 1 : 0
            setSwitch()
            return true
        }
        let value = max(bounds[place].lowerBound, min(bounds[place].upperBound, Float(change.value)))
        ports.set(place, to: value, rampFrameCount: change.rampFrameCount)
        return true
    }

    var hasBypass: Bool {
        @_noLocks get { switchPlace >= 0 }
    }

    /// `[render]` Switches the plug-in off, or back to its parameter's value.
    @_noLocks
    mutating func setBypassed(_ isBypassed: Bool) {
        guard hasBypass, isBypassed != self.isBypassed else { return }
        self.isBypassed = isBypassed
        setSwitch()
    }

    @_noLocks
    private mutating func setSwitch() { ports.set(switchPlace, to: isBypassed ? 0 : wantedSwitch) }

    /// `[render]` The number of the next frames that can be rendered with the present values.
    @_noLocks
    func runLength(atMost frameCount: Int) -> Int { ports.runLength(atMost: frameCount) }

    /// `[render]` Advances ramps after a run, resets triggers, and reports those to the host.
    @_noLocks
    mutating func advance(_ frameCount: Int, _ block: RenderBlock) {
        ports.advance(frameCount)
        for index in 0..<triggerCount {
            let trigger = triggers[index]
            guard ports.values[trigger.place] != trigger.rest else { continue }
            ports.set(trigger.place, to: trigger.rest)
            block.emitParameter(trigger.address, value: Double(trigger.rest > 0 ? 1 : 0))
        }
    }

    /// `[render]` Ends all ramps at their targets.
    @_noLocks
    mutating func jump() { ports.jump() }
}

extension Port {
    /// The port's initial value.
    fileprivate func restValue(sampleRate: Double) -> Float {
        let value = range.defaultValue(sampleRate: sampleRate)
        return Float(choices.isEmpty ? value : choices[choices.nearest(to: value)].value)
    }
}
