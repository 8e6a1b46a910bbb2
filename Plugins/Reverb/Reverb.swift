import PluginSDK
struct Reverb: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "rvrb", "blkh"), name: "Reverb", manufacturerName: "Bulkhead", version: UnitVersion(1, 0, 0))
    static let parameters = ParameterTree()
    init(_ setup: RenderSetup) {}
    @_noLocks mutating func apply(_ change: ParameterChange) {}
    @_noLocks mutating func render(_ block: RenderBlock) {}
    @_noLocks mutating func reset() {}
}
