// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Handles keys in a dialog. The screen's thread.

import Control
import Glibc
import JSON

extension ScreenState {
    mutating func handleInDialog(_ key: ScreenKey, _ model: ScreenModel) -> [ScreenAction] {
        guard let dialog else { return [] }
        switch key {
        case .escape:
            self.dialog = nil
            return []
        case .enter: return accept(dialog, model)
        default: break
        }
        if dialog.takesText, edit(key) { return [] }
        switch key {
        case .up, .character("k"): scroll(-1, model)
        case .down, .character("j"): scroll(1, model)
        case .pageUp: scroll(-10, model)
        case .pageDown, .character(" "): scroll(10, model)
        case .home: scroll(-1_000_000, model)
        case .end: scroll(1_000_000, model)
        case .character(let letter): return command(letter, dialog, model)
        case .delete, .backspace: return command("x", dialog, model)
        default: break
        }
        return []
    }

    mutating func scroll(_ rows: Int, _ model: ScreenModel) {
        guard let dialog else { return }
        let last = max(0, rowCount(of: dialog, model) - 1)
        self.dialog?.index = max(0, min(last, min(dialog.index, last) + rows))
    }

    private func rowCount(of dialog: ScreenDialog, _ model: ScreenModel) -> Int {
        switch dialog.kind {
        case .help: ScreenHelp.lines.count
        case .log: model.log.lines.count
        default: model.items(of: dialog).count
        }
    }

    /// Edits the text of a dialog; false if the key edits nothing.
    private mutating func edit(_ key: ScreenKey) -> Bool {
        switch key {
        case .character(let letter): type(String(letter))
        case .paste(let text): type(text)
        case .backspace: if dialog?.text.isEmpty == false { dialog?.text.removeLast() }
        case .control("u"): dialog?.text = ""
        default: return false
        }
        return true
    }

    private mutating func type(_ text: String) {
        guard let dialog, dialog.text.count < 200 else { return }
        self.dialog?.text += String(text.prefix(200).filter { !$0.isNewline })
        self.dialog?.index = 0
    }

    /// Handles a letter as a command, in dialogs without text.
    private mutating func command(_ letter: Unicode.Scalar, _ dialog: ScreenDialog, _ model: ScreenModel) -> [ScreenAction] {
        switch (dialog.kind, letter) {
        case (.scenes, "n"), (.scenes, "w"): self.dialog = ScreenDialog(.sceneName)
        case (.scenes, "x") where model.scenes.indices.contains(dialog.index):
            let name = model.scenes[dialog.index]
            return [.call("removeScene", ["name": .text(name)], .edit("Forgot the scene \(name)."))]
        case (.patch, "n"): return open(.patchFrom, model)
        case (.patch, "x"): return accept(dialog, model)
        case (.stop, "y"): return [.stop]
        case (.hosts, "1"..."9"): return accept(ScreenDialog(.hosts, index: Int(letter.value) - 0x31), model)
        case (.help, "q"), (.log, "q"), (.hosts, "q"), (.help, "?"), (.log, "l"), (.stop, "n"): self.dialog = nil
        default: break
        }
        return []
    }

    /// Carries out the chosen row.
    mutating func accept(_ dialog: ScreenDialog, _ model: ScreenModel) -> [ScreenAction] {
        let index = dialog.index
        switch dialog.kind {
        case .help, .log: self.dialog = nil
        case .stop: return [.stop]
        case .hosts: return model.hosts.indices.contains(index) ? [.attach(model.hosts[index].name)] : []
        case .browser:
            let found = model.found(dialog.text)
            guard found.indices.contains(index) else { return [] }
            self.dialog = nil
            return add(found[index], model)
        case .presets(let node):
            guard let names = model.presets?.names, model.presets?.node == node, names.indices.contains(index) else { return [] }
            let name = names[index].name
            return [.call("preset", ["node": .text(node), "name": .text(name)], .edit("\(node) has the preset \(name)."))]
        case .scenes:
            guard model.scenes.indices.contains(index) else { return [] }
            let name = model.scenes[index]
            return [.call("scene", ["name": .text(name)], .edit("Went to the scene \(name)."))]
        case .sceneName:
            guard !dialog.text.isEmpty else { return [] }
            self.dialog = ScreenDialog(.scenes, index: model.scenes.count)
            return [.call("saveScene", ["name": .text(dialog.text)], .edit("Kept the scene \(dialog.text)."))]
        case .patch:
            guard model.connections.indices.contains(index) else { return [] }
            let (from, to) = (model.connections[index].from, model.connections[index].to)
            return [.call("disconnect", ["from": .text(from), "to": .text(to)], .edit("Disconnected \(from) from \(to)."))]
        case .patchFrom:
            let items = model.items(of: dialog)
            guard items.indices.contains(index) else { return [] }
            return open(.patchTo(from: items[index].text), model)
        case .patchTo(let from):
            let items = model.items(of: dialog)
            guard items.indices.contains(index) else { return [] }
            let to = items[index].text
            self.dialog = ScreenDialog(.patch)
            return [.call("connect", ["from": .text(from), "to": .text(to)], .edit("Connected \(from) to \(to)."))]
        case .choices(let path):
            self.dialog = nil
            guard let parameter = model.parameter(path), parameter.choices.indices.contains(index) else { return [] }
            return [.set(path: path, value: .number(parameter.minimum + Double(index)))]
        case .value(let path):
            self.dialog = nil
            guard !dialog.text.isEmpty else { return [] }
            // A decimal comma counts as a decimal point.
            let number = Double(dialog.text) ?? Double(String(dialog.text.map { $0 == "," ? "." : $0 }))
            if let number, model.parameter(path)?.isVolume == true {
                return [.set(path: path, value: .number(pow(10, number / 20)))]
            }
            return [.set(path: path, value: number.map { .number($0) } ?? .text(dialog.text))]
        }
        return []
    }

    /// Inserts a plug-in after the chosen node.
    private func add(_ plugin: ScreenPlugin, _ model: ScreenModel) -> [ScreenAction] {
        var fields: [String: JSONValue] = ["plugin": .text(plugin.id)]
        if !plugin.makesSound, let node = model.node(node), node.kind != "main" { fields["after"] = .text(node.id) }
        return [.call("add", fields, .added(plugin.name))]
    }
}
