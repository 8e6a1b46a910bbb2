// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead new: writes a package for a plug-in of one's own. Main thread.

import AudioUnits
import Console
import FoundationEssentials
import PluginHosting

struct NewCommand: Command {
    static let name = "new"
    static let summary = "writes a package for a plug-in of your own"
    static let synopsis = "NAME [--folder FOLDER] [--author NAME] [--subtype CODE] [--manufacturer CODE] [--sdk FOLDER]"
    static let options = [
        Option("--folder", "FOLDER", "where the package goes; a folder called NAME, here, without it"),
        Option("--author", "NAME", "who makes it, as people read it; your login name without it"),
        Option("--subtype", "CODE", "four characters for the effect; made of NAME without it"),
        Option("--manufacturer", "CODE", "four characters for its maker; made of the author's name without it"),
        Option("--sdk", "FOLDER", "Bulkhead's sources; those of this command without it"),
    ]
    static let details = """
        NAME has letters, digits and spaces: "Sweet Echo" becomes the package SweetEcho. The package has a tremolo to write
        over, its tests, the extension around it, and a program that plays a loop through it while you write. Two commands
        make a plug-in of it:

            swift build -c release --product SweetEcho
            bulkhead bundle .build/release/libSweetEcho.so --folder ~/.local/lib/bulkhead

        Type, subtype and manufacturer together tell effects apart, so keep them once people have yours.
        """
    static let examples = ["\"Sweet Echo\"", "\"Sweet Echo\" --author \"Northern Lights\" --subtype swec --manufacturer Nort"]

    private let package: PackageName
    private var folder: String
    private var author = PackageAuthor.ofLogin
    private var subtype: FourCharCode
    private var manufacturer: FourCharCode
    private var sdk: String?

    init(_ arguments: inout Arguments) throws {
        var name: String?
        var values: [String: String] = [:]
        while let word = arguments.next() {
            if Self.options.contains(where: { $0.name == word }) {
                values[word] = try arguments.value(of: word)
            } else if word.hasPrefix("-") || name != nil {
                throw arguments.unknown(word, among: Self.options)
            } else {
                name = word
            }
        }
        guard let name else { throw arguments.usage("Say what the plug-in is called.") }
        guard let package = PackageName(name) else {
            throw arguments.usage("A plug-in's name has letters, digits and spaces, and begins with a letter, unlike \"\(name)\".")
        }
        if let text = values["--author"] {
            guard let given = PackageAuthor(text) else {
                throw arguments.usage("--author takes a name without quotes and control characters.")
            }
            author = given
        }
        func code(_ option: String, or derived: FourCharCode) throws(CommandError) -> FourCharCode {
            guard let text = values[option] else { return derived }
            guard let code = FourCharCode(text), code != .any, !text.contains(where: { "\"\\".contains($0) }) else {
                throw arguments.usage("\(option) takes four characters, not \"\(text)\".")
            }
            return code
        }
        self.package = package
        folder = values["--folder"] ?? package.module
        subtype = try code("--subtype", or: package.subtype)
        manufacturer = try code("--manufacturer", or: author.code)
        sdk = values["--sdk"]
    }

    func run() throws {
        let template = try PackageTemplate(sdk: sdk)
        try template.check(package)
        let values = PackageValues(name: package, author: author.name, subtype: subtype, manufacturer: manufacturer)
        try template.write(values, to: folder)
        Terminal.print(Self.nextSteps(package, folder))
    }

    private static func nextSteps(_ package: PackageName, _ folder: String) -> String {
        """
        Made the package "\(folder)". To make a plug-in of it:

            cd \(ShellWord.quoted(folder))
            swift build -c release --product \(package.module)
            bulkhead bundle .build/release/lib\(package.module).so --folder ~/.local/lib/bulkhead

        To test it, and to hear it while you write:

            swift test
            swift run -c release \(package.module)Player
        """
    }
}
