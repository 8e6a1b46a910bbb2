// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages with random content, every kind in turn. Test thread.

import AudioUnits
import ControlMessages
import TestSupport
import Wire

extension Seed {
    mutating func flag() -> Bool { Bool.random(using: &self) }
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func double() -> Double { Double.random(in: -1e6...1e6, using: &self) }

    mutating func text() -> String {
        let letters = ["a", "Z", "0", " ", "ü", "€", "😀", "\\", "\""]
        return (0..<number(0...12)).map { _ in letters.randomElement(using: &self)! }.joined()
    }

    mutating func code() -> FourCharCode {
        FourCharCode(rawValue: (0..<4).reduce(0) { code, _ in code << 8 | UInt32(number(0x61...0x7A)) })
    }

    mutating func component() -> ComponentDescription {
        ComponentDescription(type: code(), subtype: code(), manufacturer: code())
    }

    mutating func version() -> UnitVersion { UnitVersion(rawValue: UInt32(truncatingIfNeeded: next())) }

    mutating func values() -> [String: Double] {
        Dictionary((0..<number(0...5)).map { ("\($0)" + text(), double()) }) { $1 }
    }

    /// Eight at a time, because tests are not optimised and bodies are long.
    mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filledCount in
            for start in stride(from: 0, to: count, by: 8) {
                let word = next()
                withUnsafeBytes(of: word) { word in
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[start..<min(start + 8, count)])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: word[..<min(8, count - start)]))
                }
            }
            filledCount = count
        }
    }

    mutating func state() -> FullState {
        FullState(
            component: component(), classicIdentifier: flag() ? text() : nil, version: version(), values: values(),
            texts: Dictionary((0..<number(0...3)).map { ("\($0)" + text(), text()) }) { $1 }, custom: bytes(number(0...20)))
    }

    mutating func bus() -> Bus {
        Bus(
            text(), channelCount: number(0...64),
            supportedChannelCounts: (0..<number(0...3)).map { _ in number(0...64) }, isOptional: flag())
    }

    mutating func parameter(_ address: inout UInt64) -> Parameter {
        address += UInt64(number(1...1000))
        let lower = double()
        let upper = lower + Double.random(in: 0...100, using: &self)
        var parameter = Parameter(
            "p\(address)", name: text(), address: address, range: lower...upper,
            default: Double.random(in: lower...upper, using: &self),
            unit: ParameterUnit.allCases.randomElement(using: &self)!,
            valueStrings: (0..<number(0...3)).map { _ in text() },
            // Bit 5 says what the value strings are, and is no property of the parameter.
            flags: ParameterFlags(rawValue: UInt32(truncatingIfNeeded: next()) & ~(1 << 9)))
        if parameter.valueStrings.isEmpty { parameter.namedValues = (0..<number(0...3)).map { _ in NamedValue(double(), text()) } }
        return parameter
    }

    mutating func nodes(_ address: inout UInt64, depth: Int) -> [ParameterNode] {
        (0..<number(0...4)).map { index in
            if depth < 4, flag() {
                return .group(ParameterGroup("g\(index)", name: text(), nodes(&address, depth: depth + 1)))
            }
            return .parameter(parameter(&address))
        }
    }

    mutating func texts() -> [String] { (0..<number(0...3)).map { _ in text() } }

    mutating func listing() -> UnitListing {
        UnitListing(
            units: (0..<number(0...3)).map { _ in ListedUnit(locator: texts(), description: description()) },
            extends: texts(), defects: texts())
    }

    mutating func description() -> UnitDescription {
        UnitDescription(
            component(), classicIdentifier: flag() ? text() : nil, name: text(), manufacturerName: text(), version: version(),
            tags: (0..<number(0...3)).map { _ in text() },
            flags: UnitFlags(rawValue: UInt32(truncatingIfNeeded: next())),
            inputs: (0..<number(0...8)).map { _ in bus() }, outputs: (0..<number(0...8)).map { _ in bus() },
            channelCountsMatch: flag())
    }

    mutating func welcome() -> Welcome {
        var address: UInt64 = 0
        return Welcome(
            version: UInt32(truncatingIfNeeded: next()), description: description(),
            parameters: ParameterTree(nodes(&address, depth: 0)),
            texts: (0..<number(0...3)).map { TextProperty("t\($0)", name: text(), kind: flag() ? .path : .text) },
            factoryPresets: (0..<number(0...3)).map { _ in FactoryPreset(text(), values()) })
    }

    mutating func layout() -> AudioMemoryLayout {
        AudioMemoryLayout(
            slotCount: UInt32(number(1...64)), channelCount: UInt32(number(0...64)),
            frameStride: UInt32(16 * number(1...4096)))!
    }

    /// A bus whose speakers, in any order, may be known.
    mutating func busFormat() -> BusFormat {
        guard flag() else { return BusFormat(channelCount: number(0...64)) }
        let speakers = Array(Speaker.allCases.shuffled(using: &self).prefix(number(1...18)))
        return BusFormat(channelCount: speakers.count, layout: ChannelLayout(speakers))
    }

    mutating func allocation() -> Allocation {
        let inputs = (0..<number(0...8)).map { _ in busFormat() }
        return Allocation(
            sampleRate: Double.random(in: 1...1e6, using: &self), maximumFrameCount: number(1...65536), inputs: inputs,
            outputs: (0..<number(0...8)).map { _ in busFormat() }, output: layout(),
            connections: inputs.map { _ in
                flag() ? InputConnection(layout: layout(), firstChannel: number(0...64)) : nil
            },
            hasSuccessor: flag())
    }

    mutating func rewiring() -> Rewiring {
        Rewiring(
            number: number(0...Int(UInt32.max)),
            connections: (0..<number(0...8)).map { _ in
                flag() ? InputConnection(layout: layout(), firstChannel: number(0...64)) : nil
            },
            hasSuccessor: flag())
    }

    mutating func versions() -> VersionRange {
        VersionRange(minimum: UInt32(truncatingIfNeeded: next()), maximum: UInt32(truncatingIfNeeded: next()))
    }

    /// One message of every kind that a host sends.
    mutating func hostMessages() -> [HostMessage] {
        let settings = (0..<number(0...5)).map { _ in ParameterSetting(address: next(), value: double()) }
        return [
            .hello(versions(), hostName: text(), locator: texts()), .allocate(allocation()), .deallocate,
            .listUnits(location: text()), .setText(identifier: text(), value: text()), .setParameters(settings),
            .selectPreset(UInt32(truncatingIfNeeded: next())), .saveState, .restoreState(state()), .reset, .shutdown,
            .addUnit(library: text()), .wire(rewiring()),
        ]
    }

    /// One message of every kind that a plug-in sends.
    mutating func pluginMessages() -> [PluginMessage] {
        [
            .welcome(welcome()), .done, .refused(text()),
            .allocated(
                latencyFrameCount: UInt32(truncatingIfNeeded: next()),
                tailFrameCount: UInt32(truncatingIfNeeded: next()),
                renderThread: Int32(truncatingIfNeeded: next())),
            .state(state()), .versionRefused(versions(), name: text()), .units(listing()),
        ]
    }
}
