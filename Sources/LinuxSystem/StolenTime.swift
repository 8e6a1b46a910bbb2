// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The time that a hypervisor took from threads that were ready to run, from /proc/stat. Any thread but a render thread.

import Glibc

/// Sums since the start of the machine, in ticks of the kernel's clock (USER_HZ).
public struct StolenTime: Hashable, Sendable {
    /// The ticks that were stolen, and all ticks.
    public var stolen = 0, all = 0

    /// Reads the sums for `processors` together; zeros if the kernel does not report them.
    public init(of processors: Set<Int>) {
        self.init(of: processors, text: Self.text)
    }

    private static var text: String {
        guard let file = fopen("/proc/stat", "r") else { return "" }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        var text = ""
        while getline(&line, &capacity, file) > 0, let line, case let next = String(cString: line), next.hasPrefix("cpu") {
            text += next
        }
        return text
    }

    /// Reads the sums from `text` in the form of /proc/stat.
    ///
    /// Its fields are user, nice, system, idle, iowait, irq, softirq and steal. User includes the time of guests.
    public init(of processors: Set<Int>, text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let name = words.first, let number = Int(name.dropFirst(3)), processors.contains(number) else { continue }
            let ticks = words.dropFirst().prefix(8).map { Int($0) ?? 0 }
            all += ticks.reduce(0, +)
            if ticks.count == 8 { stolen += ticks[7] }
        }
    }

    /// The stolen share of the time since an earlier reading; 0 if no time has passed.
    public func share(since start: StolenTime) -> Double {
        all > start.all ? Double(stolen - start.stolen) / Double(all - start.all) : 0
    }
}
