// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead info: all facts that a plug-in states about itself. Main thread.

import AudioFormats
import AudioUnits
import Console
import PluginHosting

struct InfoCommand: Command {
    static let name = "info"
    static let summary = "shows a plug-in's buses, parameters, texts and presets"
    static let synopsis = "ID [--rate HZ] [--json]"
    static let operands = [Operand("ID", .plugin)]
    static var table: [OptionReader<Self>] {
        [
            .number("--rate", "HZ", in: 1...10_000_000, "Show ranges and defaults at this sample rate", default: "48000") {
                $0.sampleRate = $1
            },
            .flag("--json", "Print JSON") { $0.isJSON = true },
        ]
    }
    static let details = """
        ID is type:subtype:manufacturer, ladspa:library:label or lv2:uri. The label, the URI, a name or the beginning of a name
        will do too. `--set` and `--automate` take the key paths of parameters, `--set` also takes the names of texts, and
        `--preset` takes the names of presets.

        Some ranges and defaults follow the sample rate. They are shown for 48000 Hz, or for `--rate`, and those that `--set` checks
        are those of the file. A parameter without a limit takes any number beyond the end that is shown.
        """
    static let examples = ["Reverb", "aufx:rvrb:blkh --json", "ladspa:amp_1181:amp"]

    private var id: String?
    private var isJSON = false
    private var sampleRate = Parameter.describedSampleRate

    mutating func take(_ operand: String) -> Bool {
        guard id == nil else { return false }
        id = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        if id == nil { throw arguments.usage("Say which plug-in: an ID such as aufx:gain:blkh, or a name.") }
    }

    func run() throws {
        let id = self.id ?? ""
        let registry = try InstalledPlugins.registry(wanting: [id])
        let unit = try HostedUnit(try registry.component(named: id))
        let info = UnitInfo(unit, sampleRate: sampleRate)
        unit.presetDefects.forEach(Terminal.printError)
        if isJSON { Terminal.print(try Terminal.json(info)) } else { Terminal.print(lines: info.lines) }
    }
}

/// The facts about a unit, for people and for scripts.
struct UnitInfo: Encodable {
    struct BusInfo: Encodable {
        let name: String
        let channels: Int
        let supportedChannels: [Int]
        let optional: Bool
    }

    struct ParameterInfo: Encodable {
        let keyPath, name, unit, range: String
        let minimum, maximum, `default`: Double
        let values: [String]
        /// The names of some values of a numeric parameter.
        let namedValues: [String: Double]
        let flags: [String]
    }

    struct TextInfo: Encodable {
        let id, name, kind: String
    }

    let id, name, version, format, manufacturerName, type, typeName: String
    /// The library or folder of a classic plug-in.
    let path: String?
    let tags: [String]
    /// The sample rate in hertz of ranges and defaults.
    let sampleRate: Double
    let consentsToInProcess, trusted: Bool
    let confinement: String
    let granted: [String]
    /// True if the user allows the plug-in's own window.
    let opensWindow: Bool
    let inputs, outputs: [BusInfo]
    /// "per-channel" or "per-pair" for a plug-in with several instances; nil for one instance.
    let instances: String?
    let parameters: [ParameterInfo]
    let texts: [TextInfo]
    let factoryPresets, userPresets: [String]

    init(_ unit: HostedUnit, sampleRate: Double) {
        self.sampleRate = sampleRate
        let description = unit.description
        id = description.identifier
        name = description.name
        version = description.version.description
        format = unit.component.format.rawValue
        path = unit.component.locationPath
        manufacturerName = description.manufacturerName
        type = description.component.type.description
        typeName = ComponentType(code: description.component.type)?.name ?? type
        tags = description.tags
        consentsToInProcess = unit.component.consentsToInProcess
        trusted = unit.component.isTrusted
        confinement = unit.component.profile.rawValue
        granted = unit.component.granted
        opensWindow = unit.component.rights?.windowed != nil
        inputs = description.inputs.map(BusInfo.init)
        outputs = description.outputs.map(BusInfo.init)
        instances =
            description.flags.contains(.instancePerChannel)
            ? "per-channel" : description.flags.contains(.instancePerPair) ? "per-pair" : nil
        parameters = unit.parameters.parameters.map { ParameterInfo(keyPath: $0.keyPath, $0.parameter.at(sampleRate: sampleRate)) }
        texts = unit.texts.map { TextInfo(id: $0.identifier, name: $0.name, kind: $0.kind == .path ? "path" : "text") }
        factoryPresets = unit.factoryPresets.map(\.name)
        userPresets = UserPresets.names(for: unit.component)
    }

    var lines: [StyledText] {
        var lines: [StyledText] = [
            "\(name) \(version), \(typeName)\(manufacturerName.isEmpty ? "" : " by \(manufacturerName)")", "ID        \(id)",
        ]
        if let path { lines.append("Format    \(PluginFormat(rawValue: format)?.name ?? format), in \(path)") }
        if !tags.isEmpty { lines.append("Tags      \(tags.joined(separator: ", "))") }
        lines.append("Loading   \(loading)")
        lines.append("Confined  \(confined)")
        if opensWindow { lines.append("Window    you let it open a window of its own, which only --nested confines") }
        lines += inputs.map { "Input     \($0.text)" as StyledText } + outputs.map { "Output    \($0.text)" as StyledText }
        switch instances {
        case "per-channel": lines.append("Instances one for each channel")
        case "per-pair":
            lines.append("Instances one for each pair of left and right; a channel such as the centre has one for itself,")
            lines.append("          is fed to both of its inputs, and gets its first output")
        default: break
        }
        if !factoryPresets.isEmpty { lines.append("Presets   \(factoryPresets.joined(separator: ", "))") }
        if !userPresets.isEmpty { lines.append("Yours     \(userPresets.joined(separator: ", "))") }
        let rows = parameters.map { [$0.keyPath, $0.name, $0.range, $0.flags.joined(separator: ", ")] }
        if !rows.isEmpty { lines += [""] + Table(headings: ["Parameter", "Name", "Range (default)", ""]).lines(rows) }
        if parameters.contains(where: { $0.flags.contains(Self.rateFlag) }) {
            lines += ["", "Ranges that follow the rate are those at \(Int(nearestFrame: sampleRate)) Hz; --rate HZ shows others."]
        }
        let textRows = texts.map { [$0.id, $0.name, $0.kind == "path" ? "path of a file" : ""] }
        if !textRows.isEmpty { lines += [""] + Table(headings: ["Text", "Name", ""]).lines(textRows) }
        return lines
    }

    /// The mark of a parameter whose range follows the sample rate.
    fileprivate static let rateFlag = "follows the rate"

    /// The files that its process can read.
    private var confined: StyledText {
        let files = granted.isEmpty ? "" : "; you granted \(granted.joined(separator: ", "))"
        switch ConfinementProfile(rawValue: confinement) {
        case .strict:
            let banks = type == ComponentType.instrument.rawValue ? " and the system's sound banks" : ""
            return "strictly: it reads its own bundle\(banks)\(files)"
        case .standard: return "it reads plug-ins, libraries and their data\(files)"
        default:
            let command = "bulkhead confine \(ShellWord.quoted(id))"
            return StyledText.alarming("not confined") + ", by your decision; undo that with: \(command)"
        }
    }

    private var loading: String {
        guard consentsToInProcess else { return "in its own process only" }
        if trusted { return "in its own process, or in the host's if you ask" }
        return "in its own process only, unless you run: bulkhead trust \(ShellWord.quoted(id))"
    }
}

extension UnitInfo.BusInfo {
    init(_ bus: Bus) {
        name = bus.name
        channels = bus.defaultFormat.channelCount
        supportedChannels = bus.supportedChannelCounts
        optional = bus.isOptional
    }

    var text: String {
        let numbers = supportedChannels.map(String.init).joined(separator: " or ")
        let counts = numbers.isEmpty ? "any number of channels" : "\(numbers) channels"
        return "\(name), \(counts)\(optional ? ", optional" : "")"
    }
}

extension UnitInfo.ParameterInfo {
    /// The range and the default.
    ///
    /// The range of a meter does not bind.
    private static func range(of parameter: Parameter) -> String {
        let initial = parameter.string(from: parameter.defaultValue)
        if parameter.flags.contains(.meter) { return parameter.unit.symbol }
        guard parameter.valueStrings.isEmpty else { return "\(Self.list(parameter.valueStrings)) (\(initial))" }
        let (lower, upper) = (parameter.range.lowerBound, parameter.range.upperBound)
        var plain = parameter
        plain.namedValues = []
        let (low, high) = (plain.string(from: lower), plain.string(from: upper))
        let named = parameter.namedValues.map { "\($0.name) = \(plain.string(from: $0.value))" }
        let names = named.isEmpty ? "" : "; \(Self.list(named))"
        let range =
            switch (parameter.flags.contains(.openBelow), parameter.flags.contains(.openAbove)) {
            case (true, true): "any number"
            case (true, false): "up to \(high)"
            case (false, true): "from \(low)"
            case (false, false): "\(low) to \(high)"
            }
        return "\(range)\(names) (\(initial))"
    }

    /// As many names as fit in a line; --json has all.
    private static func list(_ names: [String]) -> String {
        let room = 60
        var shown: [String] = []
        for name in names where shown.joined(separator: ", ").count + name.count <= room { shown.append(name) }
        guard shown.count < names.count else { return names.joined(separator: ", ") }
        return shown.prefix(4).joined(separator: ", ") + ", … \(names.count) in all"
    }

    init(keyPath: String, _ parameter: Parameter) {
        self.keyPath = keyPath
        name = parameter.name
        unit = parameter.unit.symbol
        minimum = parameter.range.lowerBound
        maximum = parameter.range.upperBound
        `default` = parameter.defaultValue
        values = parameter.valueStrings
        namedValues = Dictionary(parameter.namedValues.map { ($0.name, $0.value) }) { first, _ in first }
        range = Self.range(of: parameter)
        var flags: [String] = []
        if parameter.flags.contains(.logarithmic) { flags.append("logarithmic") }
        if parameter.flags.contains(.canRamp) { flags.append("ramps") }
        if parameter.flags.contains(.meter) { flags.append("meter") }
        if parameter.flags.contains(.readOnly) { flags.append("read-only") }
        if parameter.flags.contains(.openBelow) { flags.append("no lower limit") }
        if parameter.flags.contains(.openAbove) { flags.append("no upper limit") }
        if parameter.followsSampleRate { flags.append(UnitInfo.rateFlag) }
        self.flags = flags
    }
}
