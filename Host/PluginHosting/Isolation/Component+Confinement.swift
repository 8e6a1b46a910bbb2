// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The confinement of a plug-in's process. Control thread.

import AudioUnits
import Confinement
import FoundationEssentials
import Glibc
import LinuxSystem

extension Component {
    /// The confinement of a unit of this plug-in that may read `files` as well; nil if the user wants none.
    func confinement(reading files: Set<ExactPath> = []) -> Confinement? {
        var paths = Self.paths(ofExecutable: executablePath)
        paths += granted.map { Confinement.NamedPath($0, .read, followingLinks: false) }
        paths += files.sorted().map { Confinement.NamedPath($0.text, .read) }
        if description.type == ComponentType.instrument.code { paths += MachinePaths.soundBanks }
        if format != .native {
            paths += Self.paths(ofFormat: format)
            paths += ownLocation.map { [Confinement.NamedPath($0, .read)] } ?? []
        }
        return Confinement(profile, paths: paths)
    }

    /// `[control]` The confinement of the process that shows the plug-in's own window on an X server.
    ///
    /// `authority` is the X server's authority file. The process may read the plug-in's files. Nil if the user wants the plug-in
    /// unconfined. Throws `incompleteConfinement`, and `codeChanged` as `checkCode` does.
    package func confinement(ofWindow program: String, authority: String) throws(HostingError) -> Confinement? {
        guard var confinement = confinement(reading: [ExactPath(authority)]) else { return nil }
        try HostConfiguration.checkConfinement()
        confinement.held = try DecidedCode.shared.check([self])
        confinement.paths += Self.paths(ofExecutable: program) + MachinePaths.windows
        return confinement
    }

    /// True if the user gave the plug-in more than any plug-in has.
    ///
    /// A program that unconfines a plug-in on its own account has no code in mind.
    var hasRights: Bool { profile == .off && rights != nil || !granted.isEmpty }

    /// `[control]` Throws `codeChanged` if the plug-in is no longer the code that has its rights.
    package func checkCode() throws(HostingError) { _ = try DecidedCode.shared.check([self]) }

    /// The path of a classic plug-in; nil once the path leads elsewhere than when the plug-in was found.
    ///
    /// The plug-in chooses most parts of its locator, and must not choose its rights with them.
    private var ownLocation: String? {
        locationPath.flatMap { FilePath.resolved($0) == home ? $0 : nil }
    }

    /// The confinement of a bridge that lists the plug-ins in a file or folder.
    static func confinement(ofBridge executable: String, scanning location: String, format: PluginFormat) -> Confinement? {
        let descriptions = format.descriptionFolders(ProcessInfo.processInfo.environment)
        let own =
            paths(ofExecutable: executable) + paths(ofFormat: format)
            + (descriptions + [location]).map { Confinement.NamedPath($0, .read) }
        return Confinement(.standard, paths: own)
    }

    /// The bundle that contains an executable, and the interpreter if the executable is a script.
    static func paths(ofExecutable executable: String) -> [Confinement.NamedPath] {
        let executable = FilePath.resolved(executable) ?? executable
        return [Confinement.NamedPath(FilePath.folder(of: executable), [.read, .run])]
            + [interpreter(of: executable)].compactMap { $0 }.map { Confinement.NamedPath($0, [.read, .run]) }
    }

    /// The folders of a format: a plug-in may need files from another one's bundle.
    private static func paths(ofFormat format: PluginFormat) -> [Confinement.NamedPath] {
        folders(of: format).map { Confinement.NamedPath($0, .read) }
    }

    /// The folders that are searched for plug-ins of a format.
    static func folders(of format: PluginFormat) -> [String] { format.classicFolders(ProcessInfo.processInfo.environment) }

    /// The folders of programs that every user may read.
    private static let programFolders = ["/usr/", "/bin/", "/sbin/", "/nix/store/", "/gnu/store/"]

    /// The program in a script's first line, if it lies in the script's folder or among the machine's programs.
    ///
    /// With any other program a bundle would choose a file that its process may read.
    private static func interpreter(of executable: String) -> String? {
        // Opening a pipe would wait for a writer.
        guard FilePath.isFile(executable), let file = fopen(executable, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        guard bytes.prefix(count).starts(with: Array("#!".utf8)) else { return nil }
        // Byte by byte, as the kernel reads it: a program that the kernel would not run must not be granted.
        let ends = Array(" \t\n\0".utf8)
        let line = bytes[2..<max(2, count)].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let path = String(decoding: line.prefix { !ends.contains($0) }, as: UTF8.self)
        guard FilePath.isFile(path), let program = FilePath.resolved(path) else { return nil }
        let folders = programFolders + ["\(FilePath.folder(of: executable))/"]
        return folders.contains { program.hasPrefix($0) } ? path : nil
    }
}
