// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the screen knows of a host. The screen's thread.

/// What a host has told, as the screen shows it.
package struct ScreenModel: Sendable {
    /// The name of the host.
    package var host = ""
    /// What the host is for the desktop: "sink", "source", or nothing to tell.
    package var kind: String?
    /// The rate in hertz; 0 before it is known.
    package var sampleRate = 0.0
    /// Frames in a cycle; 0 before it is known.
    package var quantum = 0
    /// Cycles that the driver lost.
    package var xruns = 0
    package var latencyFrames = 0
    /// The longest cycle in microseconds.
    package var longestCycle = 0.0
    package var isRunning = true
    /// The scene that plays.
    package var scene: String?
    package var scenes: [String] = []
    /// What undo would take back.
    package var undo: String?
    /// What redo would do again.
    package var redo: String?
    /// The nodes in the order of the document, the main mixer last.
    package var nodes: [ScreenNode] = []
    package var connections: [ScreenConnection] = []
    /// The parameters of the nodes that have been looked at.
    package var parameters: [String: [ScreenParameter]] = [:]
    /// The presets of the unit whose presets were asked for last.
    package var presets: (node: String, names: [ScreenPreset])?
    /// The installed plug-ins; nil before the host has found them.
    package var plugins: [ScreenPlugin]?
    /// The hosts that play, where one of them is to be chosen.
    package var hosts: [ScreenHost] = []
    /// The view that is open.
    package var view: ScreenView?
    package var meters = ScreenMeters()
    package var log = ScreenLog()
    /// Seconds of a clock that only goes forwards.
    package var now = 0.0

    /// Makes a model of a host that has told nothing yet.
    package init() {}

    /// The node of that name.
    package func node(_ id: String) -> ScreenNode? { nodes.first { $0.id == id } }

    /// The units in their order: those that a number stands for.
    package var units: [ScreenNode] { nodes.filter(\.isUnit) }

    /// What all units take together, as a share of a cycle in percent.
    package var loadPercent: Double { nodes.reduce(0) { $0 + ($1.load?.mean ?? 0) } }
}

/// A host that can be shown.
package struct ScreenHost: Equatable, Sendable {
    package var name: String
    /// The effects and instruments that play there, as far as it has told.
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
    /// How often the unit missed a deadline.
    package var late = 0
    package var latencyFrames = 0
    package var load: ScreenLoad?

    package init(id: String, kind: String) { (self.id, self.kind) = (id, kind) }

    package var isUnit: Bool { kind == "unit" }
    /// Whether its sound is not its own at present.
    package var isTroubled: Bool { state.map { $0 != "running" } ?? false }
}

/// What a unit takes of a cycle, in percent.
package struct ScreenLoad: Equatable, Sendable {
    /// Over about a second.
    package var mean: Double
    /// In its worst block.
    package var worst: Double

    package init(mean: Double, worst: Double) { (self.mean, self.worst) = (mean, worst) }
}

/// A connection of two nodes.
package struct ScreenConnection: Equatable, Sendable {
    /// The ends as the host names them: a node, or a node, a colon and a bus.
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
    /// The names of the values, from the lowest value on.
    package var choices: [String] = []
    package var isReadOnly = false
    package var isLogarithmic = false
    /// Whether it is a gain as a factor, which is shown and typed in decibels.
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
    /// What a search looks at.
    package var searched: String

    package init(id: String, name: String, manufacturer: String, isQuarantined: Bool = false) {
        (self.id, self.name, self.manufacturer, self.isQuarantined) = (id, name, manufacturer, isQuarantined)
        searched = "\(name) \(manufacturer) \(id)".lowercased()
    }

    /// The format that it comes in.
    package var format: String { id.hasPrefix("lv2:") ? "LV2" : id.hasPrefix("ladspa:") ? "LADSPA" : "native" }

    /// Whether it makes sound by itself: it takes no place behind another node.
    package var makesSound: Bool { id.hasPrefix("aumu:") || id.hasPrefix("augn:") }
}
