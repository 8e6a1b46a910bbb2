// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The screen's knowledge of a host. The screen's thread.

/// The state of a host, as reported by its messages.
package struct ScreenModel: Sendable {
    /// The name of the host.
    package var host = ""
    /// The role of the host on the desktop: "sink", "source", or nil.
    package var kind: String?
    /// The rate in hertz; 0 if unknown.
    package var sampleRate = 0.0
    /// The frames in a cycle; 0 if unknown.
    package var quantum = 0
    /// The number of cycles that the driver lost.
    package var xruns = 0
    package var latencyFrames = 0
    /// The longest cycle in microseconds.
    package var longestCycle = 0.0
    package var isRunning = true
    /// The scene that plays.
    package var scene: String?
    package var scenes: [String] = []
    /// The edit that undo would revert.
    package var undo: String?
    /// The edit that redo would repeat.
    package var redo: String?
    /// The nodes in the order of the document, the main mixer last.
    package var nodes: [ScreenNode] = []
    package var connections: [ScreenConnection] = []
    /// The parameters of the nodes that the user has visited.
    package var parameters: [String: [ScreenParameter]] = [:]
    /// The places and angles that the host has told, by their paths.
    package var coordinates: [String: Double] = [:]
    /// The presets of the unit of the last request.
    package var presets: (node: String, names: [ScreenPreset])?
    /// The installed plug-ins; nil until the host has found them.
    package var plugins: [ScreenPlugin]?
    /// The running hosts, for the choice of one.
    package var hosts: [ScreenHost] = []
    /// The view that is open.
    package var view: ScreenView?
    package var meters = ScreenMeters()
    package var log = ScreenLog()
    /// The seconds of a monotonic clock.
    package var now = 0.0

    /// Makes a model of a host without any message so far.
    package init() {}

    /// The node of that name.
    package func node(_ id: String) -> ScreenNode? { nodes.first { $0.id == id } }

    /// The units in order, which the number keys choose.
    package var units: [ScreenNode] { nodes.filter(\.isUnit) }

    /// The sum of all units' loads, in percent of a cycle.
    package var loadPercent: Double { nodes.reduce(0) { $0 + ($1.load?.mean ?? 0) } }
}

/// A host that can be shown.
package struct ScreenHost: Equatable, Sendable {
    package var name: String
    /// The effects and instruments of the host, as far as it has reported them.
    package var units: [String] = []

    package init(name: String) { self.name = name }
}

/// A node of the graph.
package struct ScreenNode: Equatable, Sendable {
    package var id: String
    /// "unit", "mixer", "input", "player", "environment" or "main".
    package var kind: String
    /// The ID of the plug-in.
    package var plugin: String?
    /// "running", "restarting", "quarantined" or "left out".
    package var state: String?
    package var isBypassed = false
    package var process: Int?
    package var restarts = 0
    package var faults = 0
    /// The number of missed deadlines.
    package var late = 0
    package var latencyFrames = 0
    package var load: ScreenLoad?

    package init(id: String, kind: String) { (self.id, self.kind) = (id, kind) }

    package var isUnit: Bool { kind == "unit" }
    /// True if the unit's own sound is not heard at present.
    package var isTroubled: Bool { state.map { $0 != "running" } ?? false }
}

/// A unit's load in percent of a cycle.
package struct ScreenLoad: Equatable, Sendable {
    /// The mean over about a second.
    package var mean: Double
    /// The load of the worst block.
    package var worst: Double

    package init(mean: Double, worst: Double) { (self.mean, self.worst) = (mean, worst) }
}

/// A connection of two nodes.
package struct ScreenConnection: Equatable, Sendable {
    /// The ends in the host's form: a node, or a node, a colon and a bus.
    package var from, to: String
    /// The nodes at the ends.
    package var source, destination: String
}

/// A parameter or a level that can be set.
package struct ScreenParameter: Equatable, Sendable {
    package var path: String
    package var name: String
    package var value = 0.0
    package var text = ""
    package var minimum = 0.0
    package var maximum = 1.0
    package var defaultValue = 0.0
    package var unit: String?
    /// The names of the values, from the lowest one on.
    package var choices: [String] = []
    package var isReadOnly = false
    package var isLogarithmic = false
    /// True if it is a gain factor that is shown and typed in decibels.
    package var isVolume = false

    package init(path: String, name: String) { (self.path, self.name) = (path, name) }
}

/// A preset of a unit.
package struct ScreenPreset: Equatable, Sendable {
    package var name: String
    package var isFactory: Bool
}

/// An installed plug-in.
package struct ScreenPlugin: Equatable, Sendable {
    package var id: String
    package var name: String
    package var manufacturer: String
    package var isQuarantined: Bool
    /// The text for searches.
    package var searched: String

    package init(id: String, name: String, manufacturer: String, isQuarantined: Bool = false) {
        (self.id, self.name, self.manufacturer, self.isQuarantined) = (id, name, manufacturer, isQuarantined)
        searched = "\(name) \(manufacturer) \(id)".lowercased()
    }

    /// The format of the plug-in.
    package var format: String { id.hasPrefix("lv2:") ? "LV2" : id.hasPrefix("ladspa:") ? "LADSPA" : "native" }

    /// True if it makes sound by itself, so that it cannot follow another node.
    package var makesSound: Bool { id.hasPrefix("aumu:") || id.hasPrefix("augn:") }
}
