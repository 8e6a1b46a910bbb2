// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The texts of an LV2 plug-in, such as the path of its impulse response, sent as messages or by its state. Control thread.

import BridgeSupport
import PluginSDK

extension ClassicUnit {
    var textValues: [String: String] {
        learnTexts()
        return known.mapValues(\.text)
    }

    func setText(_ identifier: String, to value: String) throws(UnitError) {
        guard let property = settings.textProperties[identifier] else { throw .unknownText(identifier) }
        let text = property.kind == .path ? try FileBytes.readablePath(value) : value
        guard text.utf8.count < Int(TextRing.longestByteCount), !text.contains("\0") else {
            throw .failed("\(identifier) cannot be so long a text")
        }
        let key = known[identifier]?.stateKey
        if let session, let key {
            try session.restore(session.save().with(text, for: key), otherwise: kept)
        } else if let session {
            try send(text, identifier, to: session)
        }
        known[identifier] = KnownText(text: text, isFromHost: true)
        known[identifier]?.stateKey = key
    }

    func send(_ text: String, _ identifier: String, to session: Session) throws(UnitError) {
        guard let uri = settings.textProperties[identifier]?.uri,
            let number = plugin.properties.firstIndex(where: { $0.uri == uri })
        else { return }
        guard session.send(text, property: number) else { throw .failed("too many texts are waiting to be rendered") }
    }

    /// Takes over the texts that the plug-in itself has set.
    ///
    /// A file in the plug-in's own state folder stays private.
    func learnTexts() {
        guard let session else { return }
        for (number, text) in session.takeTexts() where plugin.properties.indices.contains(number) {
            let uri = plugin.properties[number].uri
            guard let identifier = settings.textProperties.first(where: { $0.value.uri == uri })?.key
            else { continue }
            learn(text, identifier)
        }
    }

    private func learn(_ text: String, _ identifier: String) {
        if let own = known[identifier] {
            let isEcho = own.text.utf8.elementsEqual(text.utf8)
            known[identifier]?.isAwaited = own.isAwaited && !isEcho
            // The plug-in may have sent it before the host's text arrived.
            guard !isEcho, !own.isAwaited else { return }
        }
        guard paths.folder.name(of: Array(text.utf8)) == nil else { return }
        let isNone = text.isEmpty && settings.textProperties[identifier]?.kind == .path
        known[identifier] = isNone ? nil : KnownText(text: text, isFromHost: false)
    }

    // MARK: Paths that a plug-in takes only from a state

    /// Gives the instances a state with the paths that they did not take as messages, and reports the paths that failed both
    /// ways.
    ///
    /// Some plug-ins read a file only from a state, and some name it differently there than in their bundle. A path counts as
    /// taken if the plug-in reports it, or stores it. Meanwhile only `rehearse` renders.
    func confirmTexts(of session: Session, _ rehearse: () -> Void) {
        learnTexts()
        guard session.hasState else { return }
        for (identifier, value) in known.sorted(by: { $0.key < $1.key }) where value.isFromHost && value.isAwaited {
            guard let property = settings.textProperties[identifier], property.kind == .path, let saved = try? session.save(),
                !saved.holds(value.text, for: property.uri)
            else { continue }
            let key = saved.keys(like: property.uri).first { session.takes(value.text, for: $0, in: saved, rehearse) }
            known[identifier]?.stateKey = key
            if key == nil { complain(identifier, value.text) }
        }
    }

    private func complain(_ identifier: String, _ path: String) {
        guard known[identifier]?.isDoubted == false else { return }
        known[identifier]?.isDoubted = true
        Complaints.say(
            "\(identifier)=\(path) was set, and the plug-in neither reports nor keeps it: it may not have taken it.")
    }
}
