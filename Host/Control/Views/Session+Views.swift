// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Carries out requests about views: open, size, keys, mouse, close. The server's thread, and the views' own.

import AudioUnits
import Cells
import GraphDocuments
import JSON
import LinuxSystem
import PluginHosting
import ViewChannel

extension Session {
    /// Opens the view of a unit for a client; its pictures follow as events.
    func openView(_ request: ControlRequest, _ client: ControlConnection) throws(ControlError) -> JSONValue {
        let name = try request.text("node")
        let unit = try unit(name)
        guard unit.hosted.hasView else {
            throw ControlError(.notFound, "\(name) draws no view of its own; \"parameters\" has what a client needs to draw one.")
        }
        let size = try viewSize(request)
        let (colorCount, cell) = (try colorCount(request), try cell(request))
        views.close { $0.isOver }
        let opened: OpenView?
        do throws(HostingError) {
            opened = try views.add(client) { (number) throws(HostingError) in
                let view = OpenView(number, name, unit, client)
                view.take(
                    try HostedView(
                        of: unit.hosted, size: size, colorCount: colorCount, cell: cell,
                        pixelCapacity: CellPixels.mostSent,
                        setter: { [weak self, weak view] keyPath, value, originator in
                            if let self, let view { set(keyPath, to: value, in: view, originator) }
                        },
                        tell: { [weak view] update in view?.show(update) }))
                return view
            }
        } catch {
            throw ControlError(error)
        }
        guard let opened else { throw ControlError(.refused, "A client has at most \(SessionViews.mostOfClient) views open.") }
        return .object(["view": .count(opened.number)])
    }

    private func viewSize(_ request: ControlRequest) throws(ControlError) -> ViewSize {
        let (columns, rows) = (request["columns"]?.number, request["rows"]?.number)
        guard let columns, let rows, let width = Int(exactly: columns), let height = Int(exactly: rows), (1...500).contains(width),
            (1...200).contains(height)
        else { throw ControlError(.badField, "A view has from 1 to 500 columns and from 1 to 200 rows.") }
        return ViewSize(columnCount: width, rowCount: height)
    }

    private func colorCount(_ request: ControlRequest) throws(ControlError) -> Int {
        guard let colors = request["colors"] else { return 256 }
        guard let count = colors.number.flatMap({ Int(exactly: $0) }), (0...16_777_216).contains(count) else {
            throw ControlError(.badField, "A screen shows from 0 to 16777216 colours.")
        }
        return count
    }

    /// The size of a character on the client's screen in pixels; zero if the screen shows no pixels.
    private func cell(_ request: ControlRequest) throws(ControlError) -> PixelSize {
        let (columns, rows) = (request["cellWidth"]?.number ?? 0, request["cellHeight"]?.number ?? 0)
        guard let width = Int(exactly: columns), let height = Int(exactly: rows), (0...1000).contains(width),
            (0...1000).contains(height)
        else {
            throw ControlError(.badField, "A character is from 1 to 1000 pixels wide and high, or 0 on a screen without pixels.")
        }
        return PixelSize(width: width, height: height)
    }

    /// Passes a size, a key, the mouse or the focus on to a view, or closes it.
    func tellView(_ request: ControlRequest, _ client: ControlConnection) throws(ControlError) -> JSONValue {
        guard let view = views.view(request["view"]?.number, of: client), let hosted = view.hosted else {
            throw ControlError(.notFound, "The client has no such view open.")
        }
        func send(_ event: ViewEvent) {
            view.note(event)
            if case .mouse(.release, _, _, _) = event, let drag = view.drag {
                // Values that the view sets later still belong to the drag, even after a long rest.
                state.withLock { _ = $0.history.continues(drag.setting, at: MonotonicClock.now(), isHeld: true) }
            }
            hosted.send(event)
        }
        let modifiers = ViewModifiers(words: request["modifiers"]?.list?.compactMap(\.text) ?? [])
        switch request.method.name {
        case "resizeView":
            hosted.resize(to: try viewSize(request), colorCount: try colorCount(request), cell: try cell(request))
        case "viewKey":
            let text = try request.text("key")
            guard let key = ViewKey(name: text) else {
                throw ControlError(.badField, "A key is one character, or one of \(ViewKey.names.joined(separator: ", ")).")
            }
            send(.key(key, modifiers))
        case "viewMouse":
            let actions: [String: ViewMouseAction] = [
                "press": .press, "release": .release, "drag": .drag, "wheelUp": .wheelUp, "wheelDown": .wheelDown,
            ]
            guard let action = actions[try request.text("action")], let column = request["column"]?.number,
                let row = request["row"]?.number, let x = Int(exactly: column), let y = Int(exactly: row), (-1...500).contains(x),
                (-1...500).contains(y)
            else {
                throw ControlError(.badField, "The mouse is at a cell; actions are press, release, drag, wheelUp and wheelDown.")
            }
            send(.mouse(action, column: x, row: y, modifiers))
        case "viewFocus": hosted.send(.focus(request["on"]?.flag ?? true))
        default: views.close { $0 === view }
        }
        return .null
    }

    /// Sets a value from a view, with a step of undo; the view gets no notice of it.
    ///
    /// A drag is one edit, for any number of parameters.
    private func set(_ keyPath: String, to value: Double, in view: OpenView, _ originator: ParameterObserverToken) {
        let path = "\(view.node).\(keyPath)"
        // By now another unit may have the name.
        guard graph.unit(of: view.node) === view.unit else { return }
        let gesture = ValueGesture(
            title: "set \(path)", setting: view.drag?.setting ?? path, isHeld: view.drag?.isHeld ?? false, originator: originator)
        // If the unit refuses the value, its view shows the former one.
        try? apply([ValueChange(value: .parameter(node: view.node, keyPath: keyPath), number: value)], gesture)
        wakeUp.ring()
    }

    /// Closes views whose client or unit is gone, and asks for pictures that had no room before.
    func lookAfterViews() {
        let open = views.all
        guard !open.isEmpty else { return }
        let present = Set(graph.units.map { ObjectIdentifier($0.unit) })
        for view in open where !present.contains(ObjectIdentifier(view.unit)) {
            view.end("\(view.node) is not in the graph any more.")
        }
        views.close { $0.isOver }
        for view in views.all { view.remind() }
    }
}

extension ViewModifiers {
    fileprivate init(words: [String]) {
        self = []
        if words.contains("shift") { insert(.shift) }
        if words.contains("alt") { insert(.alt) }
        if words.contains("control") { insert(.control) }
    }
}

extension ViewKey {
    private static let named: [(String, ViewKey)] = [
        ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home), ("end", .end), ("pageUp", .pageUp),
        ("pageDown", .pageDown), ("delete", .delete), ("backspace", .backspace), ("enter", .enter), ("escape", .escape),
        ("tab", .tab),
    ]

    /// The names of the keys that write no character.
    static var names: [String] { named.map(\.0) }

    /// A character, or a key by its name.
    init?(name: String) {
        if let key = Self.named.first(where: { $0.0 == name })?.1 {
            self = key
        } else if name.unicodeScalars.count == 1, let character = name.unicodeScalars.first {
            self = .character(character)
        } else {
            return nil
        }
    }
}
