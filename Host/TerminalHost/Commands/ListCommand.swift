// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead list: the plug-ins that are installed. Main thread.

import AudioUnits
import Console
import PluginHosting

struct ListCommand: Command {
    static let name = "list"
    static let summary = "lists the plug-ins that are installed"
    static let synopsis = "[--format F] [--type T] [--subtype S] [--manufacturer M] [--tag TAG] [--blocked] [--json]"
    static let options = [
        Option("--format", "F", "only this format: native, ladspa or lv2"),
        Option("--type", "T", "only this type, such as aufx"),
        Option("--subtype", "S", "only this subtype"),
        Option("--manufacturer", "M", "only this manufacturer"),
        Option("--tag", "TAG", "only those with this tag"),
        Option("--blocked", nil, "only those that are blocked; see: bulkhead block --help"),
        Option("--json", nil, "as JSON"),
    ]
    static let details = """
        Native plug-ins are bundles, folders named NAME.bulkhead, in BULKHEAD_PATH, beside the command, in ~/.local/lib/bulkhead,
        /usr/local/lib/bulkhead and /usr/lib/bulkhead. Those that cannot be used are named on standard error. Where LADSPA and
        LV2 plug-ins are looked for, and which of them cannot be used: bulkhead scan
        """
    static let examples = ["--tag Reverb", "--format lv2", "--type aufx --manufacturer blkh --json"]

    private var query = ComponentDescription()
    private var tag: String?
    private var format: PluginFormat?
    private var isBlocked = false
    private var isJSON = false

    init(_ arguments: inout Arguments) throws {
        while let word = arguments.next() {
            switch word {
            case "--type": query.type = try Self.code(word, &arguments)
            case "--subtype": query.subtype = try Self.code(word, &arguments)
            case "--manufacturer": query.manufacturer = try Self.code(word, &arguments)
            case "--tag": tag = try arguments.value(of: word)
            case "--format": format = try Self.format(word, &arguments)
            case "--blocked": isBlocked = true
            case "--json": isJSON = true
            default: throw arguments.unknown(word, among: Self.options)
            }
        }
    }

    private static func code(_ option: String, _ arguments: inout Arguments) throws(CommandError) -> FourCharCode {
        let text = try arguments.value(of: option)
        guard let code = FourCharCode(text) else {
            throw arguments.usage("\(option) takes four characters, such as \"aufx\", not \"\(text)\".")
        }
        return code
    }

    private static func format(_ option: String, _ arguments: inout Arguments) throws(CommandError) -> PluginFormat {
        let text = try arguments.value(of: option)
        guard let format = PluginFormat(rawValue: text.lowercased()) else {
            throw arguments.usage("\(option) takes native, ladspa or lv2, not \"\(text)\".")
        }
        return format
    }

    private struct Row: Encodable {
        let id, name, version, format, type, subtype, manufacturer, manufacturerName: String
        let tags: [String]
        let consentsToInProcess, blocked: Bool
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
            blocked = component.isBlocked
            quarantine = component.quarantineReason
            confinement = component.profile.rawValue
            granted = component.granted
        }

        /// For the table; the ID comes last, because nothing has to stand behind the longest of them.
        var cells: [String] {
            let kind = PluginFormat(rawValue: format)?.name ?? format
            let marks = (blocked ? ["blocked"] : []) + (quarantine != nil ? ["quarantined"] : []) + tags
            let tags = marks.joined(separator: ", ")
            let alarm = confinement == ConfinementProfile.off.rawValue ? ANSIText.alarming("not confined") : nil
            let shown = [alarm, tags.isEmpty ? nil : tags.cut(to: alarm == nil ? 28 : 14)].compactMap { $0 }.joined(separator: ", ")
            return [name.cut(to: 36), kind, version, manufacturerName.cut(to: 24), shown, id]
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
        Terminal.print(Table(headings: ["Name", "Format", "Version", "Made by", "Tags", "ID"]).text(rows.map(\.cells)))
    }

    /// The folders that the wanted plug-ins would be in.
    private var searched: [String] {
        let installation = Installation.current
        let formats = format.map { [$0] } ?? PluginFormat.allCases
        return formats.flatMap { $0 == .native ? installation.bundleFolders : installation.classicFolders[$0] ?? [] }
    }
}
