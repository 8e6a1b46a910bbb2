// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of a unit's ports, as the host has them and as its window shows them. Main thread.

import Control
import JSON

/// Brings the values of a host and of a window together, without echoes.
///
/// The bridge gives the parameter of a port the port's index as its address, so that the two sides need not agree on names.
struct WindowValues {
    private struct Port {
        let path: String
        let range: ClosedRange<Double>
        let isReadOnly: Bool
        /// The value that the host has.
        var hosts: Double
        /// The value that the window shows; nil before it was told one.
        var windows: Double?
        /// When the window set it last, in nanoseconds.
        var touched: UInt64 = 0
        /// What the window wants and the host does not know yet.
        var wanted: Double?
        /// The request that the host has not answered yet.
        var request: Int?
    }

    /// A value that the window sets is not told to the window for so long: what the host says meanwhile is older than the hand.
    static let restNanoseconds: UInt64 = 300_000_000

    private var ports: [UInt32: Port] = [:]
    private var numbers: [String: UInt32] = [:]
    /// What the window has set before the host has told its parameters; nil from then on.
    private var early: [UInt32: (value: Double, time: UInt64)]? = [:]
    /// The most ports of which that is kept.
    private static let mostEarly = 4096

    /// Takes the host's list of parameters; what the window shows stays known.
    mutating func take(parameters: JSONValue) {
        let former = ports
        (ports, numbers) = ([:], [:])
        for row in parameters.list ?? [] {
            guard let path = row["path"]?.text, let value = row["value"]?.number,
                let number = row["address"]?.number.flatMap({ UInt32(exactly: $0) }),
                let low = row["minimum"]?.number, let high = row["maximum"]?.number, low <= high
            else { continue }
            var port = Port(path: path, range: low...high, isReadOnly: row["isReadOnly"]?.flag ?? false, hosts: value)
            if let old = former[number], old.path == path {
                (port.windows, port.touched, port.wanted, port.request) = (old.windows, old.touched, old.wanted, old.request)
            }
            ports[number] = port
            numbers[path] = number
        }
        let set = early ?? [:]
        early = nil
        for (number, setting) in set { take(windowValue: setting.value, of: number, at: setting.time) }
    }

    /// Takes a value that the host tells.
    mutating func take(value: Double, of path: String) {
        guard let number = numbers[path] else { return }
        ports[number]?.hosts = value
    }

    /// Takes a value that the window sets; a port that cannot be set is passed over.
    mutating func take(windowValue value: Double, of number: UInt32, at now: UInt64) {
        if let count = early?.count {
            if count < Self.mostEarly { early?[number] = (value, now) }
            return
        }
        guard var port = ports[number], !port.isReadOnly else { return }
        (port.windows, port.touched) = (value, now)
        let wanted = min(max(value, port.range.lowerBound), port.range.upperBound)
        // A window often repeats what it has just been told.
        port.wanted = port.request == nil && Self.isSame(wanted, port.hosts) ? nil : wanted
        ports[number] = port
    }

    /// The settings to ask of the host now: one of a port at a time, the last one.
    ///
    /// `request` gives the number of each request.
    mutating func settings(_ request: () -> Int) -> [(request: Int, path: String, value: Double)] {
        var settings: [(Int, String, Double)] = []
        for (number, port) in ports {
            guard port.request == nil, let wanted = port.wanted else { continue }
            let id = request()
            ports[number]?.request = id
            ports[number]?.wanted = nil
            settings.append((id, port.path, wanted))
        }
        return settings
    }

    /// Takes the host's answer to a setting: the value that it took, or nil where it refused.
    mutating func take(answer value: Double?, to request: Int) {
        guard let number = ports.first(where: { $0.value.request == request })?.key else { return }
        ports[number]?.request = nil
        if let value { ports[number]?.hosts = value }
    }

    /// The values that the window does not show yet, and may be told now.
    func news(at now: UInt64) -> [(port: UInt32, value: Double)] {
        ports.compactMap { number, port in
            guard port.request == nil, port.wanted == nil, now >= port.touched + Self.restNanoseconds || port.windows == nil,
                !(port.windows.map { Self.isSame($0, port.hosts) } ?? false)
            else { return nil }
            return (number, port.hosts)
        }
    }

    /// Notes that the window has been told a value.
    mutating func told(_ number: UInt32, _ value: Double) { ports[number]?.windows = value }

    /// Ports are floats.
    private static func isSame(_ left: Double, _ right: Double) -> Bool { Float(left) == Float(right) }
}
