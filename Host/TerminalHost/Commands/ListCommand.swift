// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead list: the plug-ins that are installed. Main thread.

import AudioUnits
import PluginHosting

struct ListCommand: Command {
    static let name = "list"
    static let summary = "lists the plug-ins that are installed"
    static let synopsis = "[--type T] [--subtype S] [--manufacturer M] [--tag TAG] [--json]"
    static let options = [
        Option("--type", "T", "only this type, such as aufx"),
        Option("--subtype", "S", "only this subtype"),
        Option("--manufacturer", "M", "only this manufacturer"),
        Option("--tag", "TAG", "only those with this tag"),
        Option("--json", nil, "as JSON"),
    ]
    static let details = """
        Plug-ins are bundles, folders named NAME.bulkhead, in BULKHEAD_PATH, beside the command, in ~/.local/lib/bulkhead,
        /usr/local/lib/bulkhead and /usr/lib/bulkhead. Those that cannot be used are named on standard error.
        """
    static let examples = ["--tag Reverb", "--type aufx --manufacturer blkh --json"]

    private var query = ComponentDescription()
    private var tag: String?
    private var isJSON = false

    init(_ arguments: inout Arguments) throws {
        while let word = arguments.next() {
            switch word {
            case "--type": query.type = try Self.code(word, &arguments)
            case "--subtype": query.subtype = try Self.code(word, &arguments)
            case "--manufacturer": query.manufacturer = try Self.code(word, &arguments)
            case "--tag": tag = try arguments.value(of: word)
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

    private struct Row: Encodable {
        let id, name, version, format, type, subtype, manufacturer, manufacturerName: String
        let tags: [String]
        let consentsToInProcess: Bool

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
        }
    }

    func run() throws {
        let registry = ComponentRegistry(searchPath: ComponentRegistry.defaultSearchPath)
        let tagged = tag.map { registry.components(taggedWith: $0) }
        let rows = registry.components(matching: query).filter { tagged?.contains($0) ?? true }.map(Row.init)
        if isJSON {
            print(try Terminal.json(rows))
        } else {
            printTable(rows)
        }
        registry.defects.forEach { Terminal.printError("\($0)") }
    }

    private func printTable(_ rows: [Row]) {
        guard !rows.isEmpty else {
            return print("No plug-in matches. Searched: \(ComponentRegistry.defaultSearchPath.joined(separator: ", "))")
        }
        let table = Table(headings: ["ID", "Name", "Version", "Made by", "Tags"])
        print(table.text(rows.map { [$0.id, $0.name, $0.version, $0.manufacturerName, $0.tags.joined(separator: ", ")] }))
    }
}
