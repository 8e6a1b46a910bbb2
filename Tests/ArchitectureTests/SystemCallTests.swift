// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads and writes go through LinuxSystem, which makes them again after a signal. Test thread.

import Glibc
import Testing

@Suite struct SystemCallTests {
    /// Files that call the kernel by themselves, and why.
    private static let exceptions = [
        "Sources/LinuxSystem/SystemCall.swift": "it is the layer",
        "Sources/LinuxSystem/Descriptor+Waiting.swift": "it is the layer",
        "Sources/LinuxSystem/UnixSocket.swift": "a signal ends the wait for a host",
        "Sources/Printing/OfferedLines.swift": "it stands on nothing, and never waits",
        "Sources/AudioFiles/SpoolFile.swift": "a signal ends the wait for a pipe",
        "Sources/AudioFiles/StandardInput.swift": "a signal ends the wait for a pipe",
        "Sources/OpenSoundControl/OSCSocket.swift": "datagrams, which may be lost",
        "Host/TerminalHost/Playing/ServiceManager.swift": "a datagram, which may be lost",
        "Plugins/Sampler/Message.swift": "plug-ins do not see LinuxSystem",
        "Plugins/Sampler/SoundBank.swift": "plug-ins do not see LinuxSystem",
        "Plugins/Bridges/LADSPA/RDFStore.swift": "plug-ins do not see LinuxSystem",
        "Plugins/Bridges/LV2/Instances/Complaints.swift": "a plug-in calls it on its render thread",
    ]

    private static let callers = Set(SourceFile.all().filter { !$0.isTest && $0.callsKernel }.map(\.path))

    @Test func onlyTheLayerReadsWritesAndPolls() {
        #expect(
            Self.callers.filter { Self.exceptions[$0] == nil }.sorted() == [],
            "Use SystemCall, or Descriptor's functions, which a signal does not cut short.")
    }

    @Test func eachExceptionIsStillOne() {
        #expect(Self.exceptions.keys.filter { !Self.callers.contains($0) }.sorted() == [])
    }
}

extension SourceFile {
    /// How poll(2), and the calls that carry bytes, are called as Glibc has them.
    private static let calls = [
        "Glibc.write(", "Glibc.read(", "Glibc.send(", "pollfd(", " pread(", " pwrite(", " recvfrom(", " sendto(", " recv(",
        " write(STDERR_FILENO", " read(file, &", " read(source, ",
    ]

    /// Whether the file makes such a call.
    fileprivate var callsKernel: Bool { Self.calls.contains { strstr(text, $0) != nil } }
}
