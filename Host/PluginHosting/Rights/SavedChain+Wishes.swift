// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a saved chain asks for, and whether the user has given it. Control thread.

extension SavedChain {
    /// The rights that the chain asks for, of those units whose plug-ins are installed.
    ///
    /// A chain that this user's host wrote asks for nothing: the user gave its rights before it was saved. It throws when the
    /// chain asks for something that no document can get.
    package func wishes(in registry: ComponentRegistry, name: String) throws(HostingError) -> [RightWish] {
        guard !isOwn else { return [] }
        var wishes: [RightWish] = []
        var companions: [IsolationPolicy: [(id: String, name: String)]] = [:]
        for unit in units {
            guard let component = unit.component(in: registry) else { continue }
            if unit.isolation == .inProcess {
                wishes.append(.inProcess(unit: component.name))
            } else {
                wishes += try component.wishes(texts: unit.texts ?? [:], in: "the chain \"\(name)\"")
            }
            guard [.together, .byManufacturer].contains(unit.isolation) else { continue }
            companions[unit.isolation, default: []].append((component.id, component.name))
        }
        for group in companions.values where Set(group.map(\.id)).count > 1 { wishes.append(.share(units: group.map(\.name))) }
        return wishes
    }

    /// Throws `unconfirmedWishes` unless the user allows what the chain asks for.
    package func check(
        _ allowances: Allowances, in registry: ComponentRegistry, name: String
    ) throws(HostingError) {
        try allowances.check(try wishes(in: registry, name: name), of: "the chain \"\(name)\"")
    }
}
