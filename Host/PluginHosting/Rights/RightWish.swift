// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Rights that a document asks for and that only the user can give. Any thread.

import Glibc
import LinuxSystem
import Printing

/// `[any]` A right that a chain or a preset asks for.
public enum RightWish: Hashable, Sendable {
    /// A unit wants to read a file of the user's.
    ///
    /// `path` is the document's text, and `file` the file that it leads to.
    case read(unit: String, path: String, file: String)
    /// A unit wants to be loaded into the host's process.
    case inProcess(unit: String)
    /// Units want to share a process with other plug-ins, where each can read and spoil the others' data.
    case share(units: [String])
}

extension RightWish: CustomStringConvertible {
    /// The wish as a clause: "\"Convolver\" wants to read \"/home/me/hall.wav\"".
    public var description: String {
        switch self {
        case .read(let unit, let path, let file):
            "\"\(unit)\" wants to read \"\(PrintableText.cleaned(path))\""
                + (file == path ? "" : ", which leads to \"\(PrintableText.cleaned(file))\"")
        case .inProcess(let unit): "\"\(unit)\" wants to be loaded into the host's process"
        case .share(let units):
            units.map { "\"\($0)\"" }.joined(separator: ", ") + (units.count == 1 ? " wants" : " want")
                + " to share a process with other plug-ins"
        }
    }
}

/// `[any]` The rights that the user allows a document of other origin.
package struct Allowances: Sendable {
    /// The files that may be read, by absolute paths.
    package var files: Set<ExactPath> = []
    /// True if units may be loaded into the host's process.
    package var inProcess = false
    /// True if units may share a process with other plug-ins.
    package var sharing = false
    /// Asks the user; nil without a terminal.
    package var ask: (@Sendable (RightWish) -> Bool)?

    /// Allows nothing.
    package init() {}

    /// The rights of units that the user has started, each for its own plug-in only.
    private var granted: Set<Grant> = []

    private struct Grant: Hashable {
        let plugin: String
        let isolation: IsolationPolicy
        /// The digest of the texts, by their bytes, since a text may be a path.
        ///
        /// A plug-in may report other and long ones for each edit.
        let texts: [UInt8]
        /// The code that has the rights, if they are more than any plug-in has.
        let code: GrantedCode?
        /// The digest of that code, as the unit names it.
        let digest: String?

        init(_ unit: SavedUnit, _ code: GrantedCode?) {
            (plugin, isolation, self.code) = (unit.id, unit.isolation, unit.needsCode ? code : nil)
            digest = unit.code?.digest
            texts = Self.digest(of: unit.texts ?? [:])
        }

        private static func digest(of texts: [String: String]) -> [UInt8] {
            var hash = SHA256()
            let all = texts.map { (name: Array($0.key.utf8), text: Array($0.value.utf8)) }
            for (name, text) in all.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
                name.withUnsafeBytes { hash.add(counted: $0) }
                text.withUnsafeBytes { hash.add(counted: $0) }
            }
            return hash.digest()
        }

        /// True for the same plug-in with the same isolation and the same texts, of any code.
        func isAlike(_ other: Grant) -> Bool {
            (plugin, isolation) == (other.plugin, other.isolation) && texts == other.texts
        }
    }

    /// Allows the rights of units that the user has started, each with its code: the same plug-in with the same isolation and texts.
    ///
    /// Units that ask for nothing need none.
    package mutating func grant(_ units: [(saved: SavedUnit, code: GrantedCode?)]) {
        granted.formUnion(units.filter(\.saved.mayWish).map { Grant($0.saved, $0.code) })
    }

    /// Allows the rights that saved units have by the seal of their document, or by the answer of the user: for the present code.
    package mutating func grant(_ units: [SavedUnit], in registry: ComponentRegistry) {
        grant(units.map { unit in (unit, unit.component(in: registry).map { GrantedCode($0) }) })
    }

    /// True if a unit that a plug-in is about to play has no more rights than one that the user has started, with the same code.
    package func covers(_ unit: SavedUnit, playedBy component: Component) -> Bool {
        guard unit.mayWish else { return true }
        let wanted = Grant(unit, GrantedCode(component))
        return granted.contains { $0.isAlike(wanted) && $0.code == wanted.code }
    }

    /// True if the code that a unit names, if it names any, has been given all rights of the unit.
    ///
    /// A seal gives its rights to that code.
    package func covers(_ unit: SavedUnit) -> Bool {
        guard unit.mayWish else { return true }
        let wanted = Grant(unit, nil)
        return granted.contains { known in
            guard known.isAlike(wanted) else { return false }
            guard let code = unit.code, let home = known.code?.home else { return true }
            return ExactPath(code.path) == home && code.digest == known.digest
        }
    }

    /// Throws `unconfirmedWishes` unless the user has allowed all of them, or allows them now.
    func check(_ wishes: [RightWish], of document: String) throws(HostingError) {
        var open = wishes.filter { !allows($0) }
        if let ask { open = open.filter { !ask($0) } }
        guard open.isEmpty else { throw .unconfirmedWishes(document: document, open) }
    }

    private func allows(_ wish: RightWish) -> Bool {
        switch wish {
        case .read(_, let path, let file):
            files.contains { $0 == ExactPath(path) || ExactPath(FilePath.resolved($0.text) ?? $0.text) == ExactPath(file) }
        case .inProcess: inProcess
        case .share: sharing
        }
    }
}

extension Component {
    /// The files that a document's texts ask for, and that not every process of the plug-in may read.
    ///
    /// Files that this plug-in may read by a decision of the user count as well: the decision may end, and the document may be
    /// saved. The unit declares which of its texts are paths, and may do so later. So every text that could be a path counts as
    /// one. It throws if one leads to anything but a regular file.
    func wishes(texts: [String: String], in document: String) throws(HostingError) -> [RightWish] {
        var judged = self
        (judged.profile, judged.granted) = (ConfinementProfile(for: format), [])
        guard let confinement = judged.confinement() else { return [] }
        var wishes: [RightWish] = []
        for path in texts.values.sorted() where path.hasPrefix("/") && path != "/" {
            let file = FilePath.resolved(path) ?? path
            guard !confinement.permitsReading(path) else { continue }
            guard FilePath.isAbsent(file) || FilePath.isOrdinary(file) else {
                let reason =
                    "it wants \"\(name)\" to read \"\(PrintableText.cleaned(path))\", and a document can name regular files only"
                throw .file(act: "use \(document)", cause: FileDefect(reason))
            }
            wishes.append(.read(unit: name, path: path, file: file))
        }
        return wishes
    }
}
