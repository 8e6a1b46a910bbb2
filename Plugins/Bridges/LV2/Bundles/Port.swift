// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A port from its bundle. Control thread.

import PluginSDK

/// A port of a plug-in.
struct Port {
    enum Kind {
        case audio
        case control
        /// A control signal.
        case cv
        /// A buffer for a sequence of events.
        case atom
        /// A port that stays unconnected, which it permits.
        case unconnected
    }

    let index: Int
    let symbol: String
    let name: String
    let isInput: Bool
    let kind: Kind
    let properties: Set<String>
    let designation: String?
    /// The group of the port.
    let group: Node?
    let isSideChain: Bool
    var range = ControlRange()
    var scalePoints: [ScalePoint] = []
    var unit = ParameterUnit.generic
    /// The event types that an atom port supports.
    var supported: Set<String> = []
    /// The buffer size that an atom port requests, in bytes.
    var byteCount = 0

    func has(_ property: String) -> Bool { properties.contains(property) }

    var isLatency: Bool {
        !isInput && kind == .control && (has(Names.core + "reportsLatency") || designation == Names.core + "latency")
    }

    var isFreeWheeling: Bool { isInput && kind == .control && designation == Names.core + "freeWheeling" }

    /// True if the port becomes a parameter or a meter.
    var isParameter: Bool { kind == .control && !isLatency && !isFreeWheeling }

    /// True if the port switches the plug-in on and off, with a fade: the plug-in's own bypass.
    var isSwitch: Bool { isInput && kind == .control && designation == Names.core + "enabled" }

    var isTrigger: Bool { has(Names.portProps + "trigger") }

    /// The values of an enumeration, lowest first; empty for other ports.
    var choices: [ScalePoint] {
        guard isInput, has(Names.core + "enumeration") else { return [] }
        return scalePoints
    }
}
