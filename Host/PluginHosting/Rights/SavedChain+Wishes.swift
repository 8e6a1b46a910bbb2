// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a saved chain asks for, and whether the user has given it. Control thread.

extension SavedChain {
    /// The rights that the chain asks for, of those units whose plug-ins are installed.
    ///
    /// A chain that this user's host wrote asks for nothing, as long as its plug-ins are the same: the user gave its rights before
    /// it was saved. It throws when the chain asks for something that no document can get.
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
            // Files were given to the plug-in that the unit was saved of, as it was then.
            if isOwn, unit.code.map({ $0.change(at: component.home) == nil }) ?? (unit.texts == nil) { continue }
            wishes += try component.wishes(texts: unit.texts ?? [:], in: document)
            guard !isOwn else { continue }
            if unit.isolation == .inProcess { wishes.append(.inProcess(unit: component.name)) }
            // Even one alone: what the user adds to the chain may have the same policy, and files of its own.
            if [.together, .byManufacturer].contains(unit.isolation) { sociable.append(component.name) }
        }
        return wishes + (sociable.isEmpty ? [] : [.share(units: sociable)])
    }

    /// Throws `unconfirmedWishes` unless the user allows what the chain asks for.
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
