// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parameters of a unit in their groups, by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation
import PluginHosting
import Synchronization

/// Identifies an observer.
public typealias AUParameterObserverToken = UnsafeMutableRawPointer
/// Receives the address and the new value of a parameter.
public typealias AUParameterObserver = (AUParameterAddress, AUValue) -> Void

/// A parameter, or a group of them.
public class AUParameterNode: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants that may be shared, here and in the subclasses.
    /// The identifier, unique among its siblings; empty for the tree.
    public let identifier: String
    /// The identifiers from the tree down to this node, joined by dots.
    public let keyPath: String
    /// The name for people.
    public let displayName: String
    let access: ParameterAccess

    init(_ identifier: String, keyPath: String, displayName: String, _ access: ParameterAccess) {
        (self.identifier, self.keyPath, self.displayName, self.access) = (identifier, keyPath, displayName, access)
    }

    /// The addresses of the parameters of this node, and of all nodes below.
    var addresses: Set<AUParameterAddress> { [] }

    /// Adds an observer of all changes at this node and below, except for changes of which it is the originator.
    ///
    /// It runs on the thread that makes the change, or on a thread that supervises the plug-in.
    public func token(byAddingParameterObserver observer: @escaping AUParameterObserver) -> AUParameterObserverToken {
        // SAFETY: it is called on any thread, as the program knows.
        nonisolated(unsafe) let observer = observer
        let addresses = addresses
        return access.add { address, value in if addresses.contains(address) { observer(address, AUValue(value)) } }
    }

    /// Removes an observer; a call that is under way may still reach it.
    public func removeParameterObserver(_ token: AUParameterObserverToken) { access.remove(token) }
}

/// A group of parameters.
public class AUParameterGroup: AUParameterNode, @unchecked Sendable {
    // SAFETY: as for the base.
    /// The parameters and groups of this group.
    public let children: [AUParameterNode]
    /// All parameters of this group and its subgroups.
    public let allParameters: [AUParameter]

    init(_ identifier: String, keyPath: String, displayName: String, _ nodes: [ParameterNode], _ access: ParameterAccess) {
        children = nodes.map { node in
            let path = keyPath.isEmpty ? node.identifier : "\(keyPath).\(node.identifier)"
            return switch node {
            case .parameter(let parameter): AUParameter(parameter, keyPath: path, access)
            case .group(let group):
                AUParameterGroup(group.identifier, keyPath: path, displayName: group.name, group.children, access)
            }
        }
        allParameters = children.flatMap {
            (($0 as? AUParameterGroup)?.allParameters ?? []) + [$0 as? AUParameter].compactMap { $0 }
        }
        super.init(identifier, keyPath: keyPath, displayName: displayName, access)
    }

    override var addresses: Set<AUParameterAddress> { Set(allParameters.map(\.address)) }

    /// The parameter or group with an identifier; nil if there is none.
    public func value(forKey key: String) -> Any? { children.first { $0.identifier == key } }

    /// The parameter or group at a key path below this one; nil if there is none.
    public func value(forKeyPath path: String) -> Any? {
        path.split(separator: ".", omittingEmptySubsequences: false).reduce(self as Any?) { node, key in
            (node as? AUParameterGroup)?.value(forKey: String(key))
        }
    }
}

/// All parameters of a unit.
public final class AUParameterTree: AUParameterGroup, @unchecked Sendable {
    // SAFETY: as for the base.
    private let addressed: ParameterTree

    init(_ unit: PluginUnit) {
        addressed = unit.parameterTree
        super.init("", keyPath: "", displayName: "", unit.parameterTree.children, ParameterAccess(unit))
    }

    /// The parameter at an address; nil if there is none.
    public func parameter(withAddress address: AUParameterAddress) -> AUParameter? {
        addressed.keyPath(ofAddress: address).flatMap { value(forKeyPath: $0) as? AUParameter }
    }

    /// The parameter with an id, which is its address; nil for an unknown id, and outside of the global scope.
    public func parameter(
        withID parameterID: AudioUnitParameterID, scope: AudioUnitScope, element: AudioUnitElement
    ) -> AUParameter? {
        scope == kAudioUnitScope_Global && element == 0 ? parameter(withAddress: AUParameterAddress(parameterID)) : nil
    }
}

/// Reads and sets the parameters of a unit, and numbers their observers.
final class ParameterAccess: Sendable {
    private let unit: PluginUnit
    private let observers = Mutex<(tokens: [UInt: ParameterObserverToken], count: UInt)>(([:], 0))

    init(_ unit: PluginUnit) { self.unit = unit }

    func value(of address: UInt64) -> Double? { unit.parameterValues[address] }

    func set(_ keyPath: String, to value: Double, originator: AUParameterObserverToken?) {
        let token = originator.flatMap { number in observers.withLock { $0.tokens[UInt(bitPattern: number)] } }
        do throws(HostingError) {
            try unit.hosted.set(keyPath, to: value, originator: token)
        } catch {
            AVFAudioLog.write("\(error)")
        }
    }

    func add(_ observer: @escaping ParameterValues.Observer) -> AUParameterObserverToken {
        let token = unit.parameterValues.addObserver(observer)
        let number = observers.withLock { observers -> UInt in
            observers.count += 1
            observers.tokens[observers.count] = token
            return observers.count
        }
        // Cannot trap: numbers begin at 1.
        return AUParameterObserverToken(bitPattern: number)!
    }

    func remove(_ number: AUParameterObserverToken) {
        let token = observers.withLock { $0.tokens.removeValue(forKey: UInt(bitPattern: number)) }
        if let token { unit.parameterValues.removeObserver(token) }
    }
}
