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
        /// Compared by bytes, since a text may be a path.
        let texts: [ExactPath: ExactPath]

        init(_ unit: SavedUnit) {
            (plugin, isolation) = (unit.id, unit.isolation)
            let pairs = (unit.texts ?? [:]).map { (ExactPath($0.key), ExactPath($0.value)) }
            texts = Dictionary(pairs) { first, _ in first }
        }
    }

    /// Allows the rights of units that the user has started: the same plug-in with the same isolation and the same texts.
    package mutating func grant(_ units: [SavedUnit]) {
        granted.formUnion(units.map { Grant($0) })
    }

    /// True if a unit has no more rights than one that the user has started.
    package func covers(_ unit: SavedUnit) -> Bool {
        granted.contains(Grant(unit))
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
