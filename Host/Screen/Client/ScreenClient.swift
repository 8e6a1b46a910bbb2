// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The screen as a client of a host: sends requests, takes replies and events, and never waits. The screen's thread.

import Cells
import Control
import Glibc
import JSON
import LinuxSystem

/// A host as the screen sees it.
package final class ScreenClient {
    package let stream: ControlStream
    package private(set) var model = ScreenModel()
    /// The purpose of each request without a reply.
    private var purposes: [Int: ScreenPurpose] = [:]
    private var lastID = 0
    /// The path whose value the host is setting, by the number of the request.
    private var settings: [Int: String] = [:]
    /// Values that wait for the end of an earlier request for the same path.
    private var waitingValues: [String: JSONValue] = [:]
    private var requestedNodes: Set<String> = []
    private var nextStatus = 0.0
    private var hasGreeted = false
    /// A new node that is chosen once it exists.
    private var added: String?
    /// Units whose views are not available: they draw none, or theirs have ended.
    private var viewless: Set<String> = []
    /// Events of views that the host has not confirmed yet.
    private var earlyViewEvents: [JSONValue] = []
    /// The number of colours for the views of units.
    package var colorCount = 256
    /// The size of a cell in pixels, once a terminal with pixels has reported it.
    package var cell = PixelSize.none
    /// True if anything has changed since the last drawing.
    package var isChanged = true

    /// The seconds between two events of meters and load.
    private static let eventInterval = 0.05
    private static let mostEarlyViewEvents = 64

    /// Connects to a host; throws `SystemError`.
    package init(_ address: ControlAddress) throws(SystemError) {
        stream = try ControlStream(address)
        model.host = address.name
        model.now = Self.now
    }

    /// The seconds of a monotonic clock.
    static var now: Double { Double(MonotonicClock.now()) / 1e9 }

    /// True if the host has ended.
    package var isClosed: Bool { stream.isClosed }

    /// Sends the request of a key to the host.
    package func perform(_ action: ScreenAction) {
        switch action {
        case .call(let method, let fields, let purpose): call(method, fields, purpose)
        case .set(let path, let value): set(path, value)
        case .stop: call("stop", [:], .nothing)
        case .attach, .leave, .suspend, .redraw: break
        }
    }

    private func call(_ method: String, _ fields: [String: JSONValue], _ purpose: ScreenPurpose) {
        lastID += 1
        purposes[lastID] = purpose
        stream.request(lastID, method, fields)
    }

    /// Sets a value; while a request for the path runs, the newest value waits.
    private func set(_ path: String, _ value: JSONValue) {
        if let number = value.number { show(number, at: path) }
        guard !settings.values.contains(path) else {
            waitingValues[path] = value
            return
        }
        call("set", ["path": .text(path), "value": value], .value)
        settings[lastID] = path
    }

    /// Moves a slider before the host has replied.
    private func show(_ value: Double, at path: String) {
        guard let former = model.parameter(path) else { return }
        model.take(value: .object(["path": .text(path), "value": .number(value), "text": .text(former.text)]))
        isChanged = true
    }

    /// Requests the data that the screen shows and lacks.
    package func follow(_ state: inout ScreenState) {
        model.now = Self.now
        if hasGreeted, model.now >= nextStatus { askStatus() }
        if let added, model.node(added) != nil {
            state.choose(added)
            self.added = nil
            isChanged = true
        }
        state.settle(model)
        if hasGreeted {
            followView(state)
            followPlaces(state)
        }
        guard hasGreeted, model.parameters[state.node] == nil, let node = model.node(state.node) else { return }
        guard requestedNodes.insert(node.id).inserted else { return }
        if node.isUnit { return call("parameters", ["node": .text(node.id)], .parameters(node: node.id)) }
        let levels = ScreenModel.levels(of: node)
        model.parameters[node.id] = levels
        for level in levels { call("get", ["path": .text(level.path)], .value) }
    }

    /// Requests the places and angles of the chosen environment, or of the chosen source of one.
    private func followPlaces(_ state: ScreenState) {
        let (node, known) = (state.node, model.parameters[state.node] != nil)
        let isSpace = model.node(node)?.kind == "environment"
        let leads = model.connections.contains { $0.source == node && model.node($0.destination)?.kind == "environment" }
        guard known, isSpace || leads, requestedNodes.insert("\(node) in space").inserted else { return }
        let paths = isSpace ? model.mapPaths(of: node) : ["x", "y", "z"].map { "\(node).position.\($0)" }
        // A source without a place has none to tell.
        for path in paths { call("get", ["path": .text(path)], .value) }
    }

    /// Opens the view of the chosen unit, sets its size to the available room, or closes it.
    private func followView(_ state: ScreenState) {
        let part = ScreenLayout(state).view
        let isWanted =
            state.showsViews && model.node(state.node)?.isUnit == true && !viewless.contains(state.node) && !part.isEmpty
        if let view = model.view, !isWanted || view.node != state.node { close(view) }
        guard isWanted else { return }
        var size: [String: JSONValue] = [
            "columns": .number(Double(part.columnCount)), "rows": .number(Double(part.rowCount)),
            "colors": .number(Double(colorCount)),
        ]
        // An older host does not know pixels.
        if !cell.isEmpty { (size["cellWidth"], size["cellHeight"]) = (.number(Double(cell.width)), .number(Double(cell.height))) }
        guard let view = model.view else {
            model.view = ScreenView(node: state.node, columnCount: part.columnCount, rowCount: part.rowCount, cell: cell)
            return call("openView", size.merging(["node": .text(state.node)]) { $1 }, .view(node: state.node))
        }
        let isFitting = view.columnCount == part.columnCount && view.rowCount == part.rowCount && view.cell == cell
        guard let number = view.number, !isFitting else { return }
        model.view?.columnCount = part.columnCount
        model.view?.rowCount = part.rowCount
        model.view?.cell = cell
        call("resizeView", size.merging(["view": .number(number)]) { $1 }, .nothing)
    }

    private func close(_ view: ScreenView) {
        model.view = nil
        isChanged = true
        if let number = view.number { call("closeView", ["view": .number(number)], .quiet) }
    }

    /// Handles a view that the host has opened, and that the screen may no longer need.
    private func opened(_ number: Double, of node: String) {
        defer { forgetEarlyViewEvents() }
        guard model.view?.node == node, model.view?.number == nil else {
            return call("closeView", ["view": .number(number)], .quiet)
        }
        model.view?.number = number
        for data in earlyViewEvents { take(view: data) }
    }

    private func forgetEarlyViewEvents() { if !isOpeningView { earlyViewEvents = [] } }

    private var isOpeningView: Bool { purposes.values.contains { if case .view = $0 { true } else { false } } }

    /// Takes an event of a view.
    ///
    /// The host numbers views in order, so an unknown number belongs to a view that is being opened.
    private func take(view data: JSONValue) {
        guard let number = data["view"]?.number, let view = model.view else { return }
        guard let known = view.number else {
            if isOpeningView, earlyViewEvents.count < Self.mostEarlyViewEvents { earlyViewEvents.append(data) }
            return
        }
        guard number == known else { return }
        if let reason = data["closed"]?.text {
            log(reason, .trouble)
            viewless.insert(view.node)
            model.view = nil
        } else {
            model.view?.take(data)
        }
    }

    private func askStatus() {
        nextStatus = model.now + 1
        call("status", [:], .status)
    }

    /// Takes all messages that have arrived.
    package func receive() {
        for line in stream.read() {
            guard let told = JSONValue(json: line) else { continue }
            isChanged = true
            if let id = told["id"]?.number.flatMap({ Int(exactly: $0) }) {
                take(answer: told, id)
            } else if let event = told["event"]?.text {
                take(event: event, told["data"] ?? .null)
            } else if told["bulkheadControl"] != nil {
                greet()
            } else if let reason = told["error"]?["message"]?.text {
                log(reason, .trouble)
            }
        }
    }

    private func greet() {
        hasGreeted = true
        let topics = ["meters", "parameters", "faults", "load", "edits", "messages"].map { JSONValue.text($0) }
        call("watch", ["topics": .list(topics), "interval": .number(Self.eventInterval)], .nothing)
        call("messages", [:], .messages)
        askStatus()
    }

    private func take(event: String, _ data: JSONValue) {
        switch event {
        case "meters": model.meters.take((data["peaks"]?.list ?? []).compactMap(\.number))
        case "load": model.take(load: data)
        case "parameters":
            // A value that the user is moving is not moved back.
            if let path = data["path"]?.text, settings.values.contains(path) { return }
            model.take(value: data)
        case "view": take(view: data)
        case "faults": log(data["fault"]?.text ?? "", .trouble)
        case "messages": log(data["text"]?.text ?? "", .told)
        case "edits":
            // The log has the user's own edits with their replies.
            if let title = data["title"]?.text, !purposes.values.contains(where: \.isEdit) { log(title, .told) }
            forget()
            askStatus()
        default: break
        }
    }

    /// Marks the parameters as outdated, because another graph may have others.
    ///
    /// The shown ones stay until the host sends new ones.
    private func forget() {
        requestedNodes = []
        viewless = []
        let levels = model.parameters.filter { model.node($0.key)?.isUnit == true }.keys
        for node in levels where requestedNodes.insert(node).inserted {
            call("parameters", ["node": .text(node)], .parameters(node: node))
        }
    }

    private func take(answer: JSONValue, _ id: Int) {
        let purpose = purposes.removeValue(forKey: id) ?? .nothing
        let path = settings.removeValue(forKey: id)
        if let path, let value = waitingValues.removeValue(forKey: path) { set(path, value) }
        guard let error = answer["error"] else {
            let isOutdated = path.map { settings.values.contains($0) } ?? false
            return isOutdated ? () : take(answer["result"] ?? .null, purpose)
        }
        refuse(error["message"]?.text ?? "The host gave no reason.", purpose, path)
    }

    private func refuse(_ reason: String, _ purpose: ScreenPurpose, _ path: String?) {
        switch purpose {
        // A node that has meanwhile gone is not an error, and an older host has no messages.
        case .messages, .quiet: return
        case .view(let node):
            forgetEarlyViewEvents()
            viewless.insert(node)
            if model.view?.node == node { model.view = nil }
            // A unit without a view is shown by its parameters.
            return
        case .parameters(let node):
            model.parameters[node] = nil
            return
        case .value where path == nil: return
        default: break
        }
        log(reason, .trouble)
        // The value that was shown before the reply is corrected.
        if let path { call("get", ["path": .text(path)], .value) }
    }

    private func take(_ result: JSONValue, _ purpose: ScreenPurpose) {
        switch purpose {
        case .status: model.take(status: result)
        case .parameters(let node): model.take(parameters: result, of: node)
        case .presets(let node): model.take(presets: result, of: node)
        case .plugins: model.take(plugins: result)
        case .value: model.take(value: result)
        case .view(let node): if let number = result["view"]?.number { opened(number, of: node) }
        case .messages: for line in result.list ?? [] { log(line.text ?? "", .told) }
        case .edit(let sentence):
            log(sentence, .done)
            askStatus()
        case .added(let name):
            added = result["id"]?.text
            log("Added \(added ?? name).", .done)
            askStatus()
        case .undone:
            if let title = result["undid"]?.text { log("Undid: \(title)", .done) }
            if let title = result["redid"]?.text { log("Did again: \(title)", .done) }
            askStatus()
        case .nothing, .quiet: break
        }
    }

    private func log(_ text: String, _ kind: ScreenLog.Kind) {
        guard !text.isEmpty else { return }
        model.log.add(text, kind, clock: Self.clock, time: Self.now)
    }

    /// The time of the day.
    private static var clock: String {
        var (seconds, parts) = (time(nil), tm())
        localtime_r(&seconds, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// Lets the meters fall.
    package func advance() {
        model.now = Self.now
        model.meters.advance(to: model.now)
        if model.meters.isMoving { isChanged = true }
    }
}
