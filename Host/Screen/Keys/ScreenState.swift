// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's choices on the screen, and the open dialog. The screen's thread.

/// The user's choices on the screen.
package struct ScreenState: Equatable, Sendable {
    package enum Focus: Sendable {
        case chain, parameters
    }

    package var focus = Focus.chain
    /// The chosen node.
    package var node = ""
    /// The index of the chosen parameter of the node.
    package var parameter = 0
    package var dialog: ScreenDialog?
    /// The parameter whose slider the mouse holds.
    package var dragged: String?
    /// True if units are shown by their views.
    package var showsViews = false
    /// The node that is chosen on the map of an environment; nil for the listener.
    var mapChoice: String?
    /// The scale of the map while something is dragged there, in metres from the middle to the edge.
    var mapRadius: Double?
    /// True if the mouse drags in the view.
    var holdsView = false
    /// True if leaving the screen ends the host.
    package var ownsHost: Bool
    /// The size of the screen in cells.
    package var columnCount = 80
    package var rowCount = 24

    package init(ownsHost: Bool = false) { self.ownsHost = ownsHost }

    /// Chooses another node.
    package mutating func choose(_ id: String) {
        guard node != id else { return }
        (node, parameter) = (id, 0)
    }

    /// Adapts the choices to the model.
    package mutating func settle(_ model: ScreenModel) {
        if model.node(node) == nil, let first = model.units.first ?? model.nodes.first { choose(first.id) }
        parameter = max(0, min(parameter, (model.parameters[node]?.count ?? 1) - 1))
        guard let dialog, !dialog.takesText || dialog.kind == .browser else { return }
        let count = model.items(of: dialog).count
        if dialog.kind != .help, dialog.kind != .log { self.dialog?.index = max(0, min(dialog.index, count - 1)) }
    }

    /// The chosen parameter.
    package func chosen(_ model: ScreenModel) -> ScreenParameter? {
        guard let list = model.parameters[node], list.indices.contains(parameter) else { return nil }
        return list[parameter]
    }
}
