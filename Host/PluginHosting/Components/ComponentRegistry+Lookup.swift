// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the plug-in of a name or an ID. Control thread.

import AudioUnits

extension ComponentRegistry {
    /// Finds the component with an ID or a name.
    ///
    /// An ID is exact: `type:subtype:manufacturer`, `ladspa:library:label` or `lv2:uri`. For a classic plug-in the label or the
    /// URI suffices. A name may be in upper or lower case, or the beginning of one name. Native plug-ins come first, so that a
    /// script keeps its meaning when other plug-ins are installed. Throws `unknownComponent`, `ambiguousComponent`, or the
    /// plug-in's defect.
    public func component(named text: String) throws(HostingError) -> Component {
        if let exact = components.first(where: { $0.id == text }) { return exact }
        let natives = components.filter { $0.format == .native }
        let wanted = text.lowercased()
        let ways: [() -> [Component]] = [
            { ComponentDescription(text).map { query in natives.filter { query.matches($0.description) } } ?? [] },
            { ComponentDescription(text).map(components(matching:)) ?? [] },
            { natives.filter { $0.name.lowercased() == wanted } },
            { components.filter { $0.name.lowercased() == wanted || $0.isClassic(text) } },
            { wanted.isEmpty ? [] : natives.filter { $0.name.lowercased().hasPrefix(wanted) } },
            { wanted.isEmpty ? [] : components.filter { $0.name.lowercased().hasPrefix(wanted) || $0.id.hasPrefix(text) } },
        ]
        for way in ways {
            let found = way()
            if found.count == 1 { return found[0] }
            if found.count > 1 { throw .ambiguousComponent(text, matches: found.map(\.id)) }
        }
        throw defect(of: text) ?? .unknownComponent(text, nearest: nearest(to: text))
    }

    /// True if the text is the ID or the whole name of one native plug-in: classic ones cannot change its meaning.
    func isNativeName(_ text: String) -> Bool {
        let wanted = text.lowercased()
        return components.count { $0.format == .native && ($0.id == text || $0.name.lowercased() == wanted) } == 1
    }

    /// The defect of the bundle or the library of that name; nil if all of them are usable.
    private func defect(of text: String) -> HostingError? {
        let file = "\(text).\(Self.bundleExtension)".lowercased()
        if let defect = defects.first(where: { $0.bundlePath.map { FilePath.name(of: $0).lowercased() == file } ?? false }) {
            return defect
        }
        let parts = text.split(separator: ":")
        let library = parts.first == "ladspa" && parts.count > 1 ? String(parts[1]) : text
        let failure = report.failures.first { ["\(library).so", "\(library).lv2"].contains(FilePath.name(of: $0.path)) }
        return (failure ?? complaint(about: text)).map { .unusableLocation(path: $0.path, reason: $0.reason) }
    }

    /// The bridge's complaint about the plug-in of that label or URI; other plug-ins of its library may be usable.
    private func complaint(about text: String) -> ScanReport.Failure? {
        let label = String(text.split(separator: ":").last ?? "")
        let uri = text.hasPrefix("lv2:") ? String(text.dropFirst(4)) : text
        let defect = report.defects.first { defect in
            switch defect.format {
            case .native: false
            case .ladspa: !label.isEmpty && defect.reason.contains("\"\(label)\"")
            case .lv2: uri.contains(":") && defect.reason.hasPrefix("\(uri):")
            }
        }
        return defect.map { defect in
            let sentence = defect.reason.hasSuffix(".") ? String(defect.reason.dropLast()) : defect.reason
            return ScanReport.Failure(format: defect.format, path: defect.path, reason: sentence)
        }
    }

    private func nearest(to text: String) -> [String] {
        let ids = NearestNames.among(components.map(\.id), to: text)
        return ids.isEmpty ? NearestNames.among(components.map(\.name), to: text) : ids
    }
}

extension Component {
    /// True if `text` is the plug-in's URI (LV2) or label (LADSPA).
    fileprivate func isClassic(_ text: String) -> Bool {
        switch format {
        case .native: false
        case .lv2: id.utf8.count == text.utf8.count + 4 && id.hasSuffix(text)
        case .ladspa: !text.isEmpty && id.hasSuffix(":\(text)")
        }
    }
}
