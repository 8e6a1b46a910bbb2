// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rights that a saved chain asks for, and their check against the user's decisions. Control thread.

extension SavedChain {
    /// The rights that the chain asks for, for units whose plug-ins are installed.
    ///
    /// A chain that this user's host wrote asks for nothing as long as its plug-ins are the same: the user gave its rights before
    /// it was saved. It throws if the chain asks for something that no document can get.
    package func wishes(in registry: ComponentRegistry, name: String) throws(HostingError) -> [RightWish] {
        try wishes(in: registry, of: "the chain \"\(name)\"")
    }

    /// The same for units of any document, such as "the graph \"Song\"".
    package func wishes(in registry: ComponentRegistry, of document: String) throws(HostingError) -> [RightWish] {
        let isOwn = isOwn
        var wishes: [RightWish] = []
        var sociable: [String] = []
        for unit in units {
            guard let component = unit.component(in: registry) else { continue }
            if isOwn, unit.isOfSameCode(as: component) { continue }
            wishes += try component.wishes(texts: unit.texts ?? [:], in: document)
            // Trust is given to one code, and lapses by itself.
            if !isOwn, unit.isolation == .inProcess { wishes.append(.inProcess(unit: component.name)) }
            // Even a lone unit: units that the user adds to the chain may have the same policy, and files of their own.
            if unit.isolation.sharesProcess { sociable.append(component.name) }
        }
        return wishes + (sociable.isEmpty ? [] : [.share(units: sociable)])
    }

    /// Throws `unconfirmedWishes` unless the user allows the rights that the chain asks for.
    package func check(
        _ allowances: Allowances, in registry: ComponentRegistry, name: String
    ) throws(HostingError) {
        try check(allowances, in: registry, of: "the chain \"\(name)\"")
    }

    /// The same for units of any document, such as "the graph \"Song\"".
    package func check(
        _ allowances: Allowances, in registry: ComponentRegistry, of document: String
    ) throws(HostingError) {
        try allowances.check(try wishes(in: registry, of: document), of: document)
    }
}

extension SavedUnit {
    /// True if a plug-in is the same as when the unit was saved: its rights were given to that code.
    package func isOfSameCode(as component: Component) -> Bool {
        code.map { $0.change(at: component.home) == nil } ?? !needsCode
    }

    /// True if a seal gives the unit more than any plug-in has: files, or a process with others, whose files it then reads.
    var needsCode: Bool { !(texts ?? [:]).isEmpty || isolation.sharesProcess }

    /// True if the plug-in of exactly this ID is the same as when the unit was saved.
    private func isUnchanged(in registry: ComponentRegistry) -> Bool {
        component(in: registry).map { isOfSameCode(as: $0) } ?? false
    }

    /// The units whose plug-ins are unchanged: a seal gives their rights to no other code.
    package static func unchanged(_ units: [SavedUnit], in registry: ComponentRegistry) -> [SavedUnit] {
        units.filter { $0.isUnchanged(in: registry) }
    }

    /// True if the unit may ask for a right, with any plug-in: for files, or for a shared process.
    package var mayWish: Bool {
        isolation == .inProcess || isolation.sharesProcess || texts?.values.contains { $0.hasPrefix("/") } ?? false
    }
}
