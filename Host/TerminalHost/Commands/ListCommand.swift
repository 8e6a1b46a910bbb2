// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead list: the installed plug-ins. Main thread.

import AudioUnits
import Console
import PluginHosting

struct ListCommand: Command {
    static let name = "list"
    static let summary = "lists the installed plug-ins"
    static let synopsis = "[--format F] [--type T] [--subtype S] [--manufacturer M] [--tag TAG] [--blocked] [--json]"
    static var table: [OptionReader<Self>] {
        [
            PluginFormat.option("Only plug-ins of this format") { $0.format = $1 },
            .text(
                "--type", "T", offering: .suggestions(ComponentType.allCases.filter { $0 != .bridge }.map(\.rawValue)),
                "Only plug-ins of this type, such as aufx"
            ) {
                $0.query.type = try Self.code("--type", $1)
            },
            .text("--subtype", "S", "Only plug-ins of this subtype") { $0.query.subtype = try Self.code("--subtype", $1) },
            .text("--manufacturer", "M", "Only plug-ins of this manufacturer") {
                $0.query.manufacturer = try Self.code("--manufacturer", $1)
            },
            .text("--tag", "TAG", "Only plug-ins with this tag") { $0.tag = $1 },
            .flag("--blocked", "Only blocked plug-ins") { $0.isBlocked = true },
            .flag("--json", "Print JSON") { $0.isJSON = true },
        ]
    }
    static let details = """
        Native plug-ins are bundles, folders named `NAME.bulkhead`. They are searched for in BULKHEAD_PATH, beside the command,
        in `~/.local/lib/bulkhead`, `/usr/local/lib/bulkhead` and `/usr/lib/bulkhead`. A bundle that cannot be used is named on
        standard error. `bulkhead scan` says where LADSPA and LV2 plug-ins are searched for, and which of them cannot be used.
        """
    static let examples = ["--tag Reverb", "--format lv2", "--type aufx --manufacturer blkh --json"]

    private var query = ComponentDescription()
    private var tag: String?
    private var format: PluginFormat?
    private var isBlocked = false
    private var isJSON = false

    private static func code(_ option: String, _ text: String) throws(CommandError) -> FourCharCode {
        if let code = FourCharCode(text) { return code }
        throw usage("\(option) takes four characters, such as \"aufx\", not \"\(text)\".")
    }

    private struct Row: Encodable {
        let id, name, version, format, type, subtype, manufacturer, manufacturerName: String
        let tags: [String]
        let consentsToInProcess, trusted, blocked: Bool
        let quarantine: String?
        let confinement: String
        let granted: [String]

        init(_ component: Component) {
            id = component.id
            name = component.name
            version = component.version.description
            format = component.format.rawValue
            type = component.description.type.description
            subtype = component.description.subtype.description
            manufacturer = component.description.manufacturer.description
            manufacturerName = component.manufacturerName
            tags = component.tags
            consentsToInProcess = component.consentsToInProcess
            trusted = component.isTrusted
            blocked = component.isBlocked
            quarantine = component.quarantineReason
            confinement = component.profile.rawValue
            granted = component.granted
        }

        /// The cells of the table.
        ///
        /// The ID is last, because it can be long.
        var cells: [StyledText] {
            let kind = PluginFormat(rawValue: format)?.name ?? format
            let marks = (blocked ? ["blocked"] : []) + (quarantine != nil ? ["quarantined"] : []) + tags
            let tags = marks.joined(separator: ", ")
            let alarm = confinement == ConfinementProfile.off.rawValue ? StyledText.alarming("not confined") : nil
            let shown = tags.isEmpty ? nil : StyledText(tags.cut(to: alarm == nil ? 28 : 14))
            return [name.cut(to: 36), kind, version, manufacturerName.cut(to: 24)].map { StyledText($0) }
                + [[alarm, shown].compactMap { $0 }.joined(separator: ", "), StyledText(id)]
        }
    }

    func run() throws {
        let registry = try InstalledPlugins.registry()
        let rows = registry.components(matching: query).filter(isWanted).map(Row.init)
        if isJSON {
            Terminal.print(try Terminal.json(rows))
        } else {
            printTable(rows)
        }
        registry.defects.forEach { Terminal.printError($0) }
    }

    private func isWanted(_ component: Component) -> Bool {
        (format == nil || component.format == format) && (!isBlocked || component.isBlocked)
            && (tag == nil || component.isTagged(tag ?? ""))
    }

    private func printTable(_ rows: [Row]) {
        guard !rows.isEmpty else {
            return Terminal.print("No plug-in matches. Searched: \(searched.joined(separator: ", "))")
        }
        Terminal.print(lines: Table(headings: ["Name", "Format", "Version", "Made by", "Tags", "ID"]).lines(rows.map(\.cells)))
    }

    /// The searched folders.
    private var searched: [String] {
        let installation = Installation.current
        let formats = format.map { [$0] } ?? PluginFormat.allCases
        return formats.flatMap { $0 == .native ? installation.bundleFolders : installation.classicFolders[$0] ?? [] }
    }
}
