import AudioGraph

let engine = AudioEngine()
_ = engine.mainMixerNode
try engine.start()
print("The engine plays silence.")
try await Task.sleep(for: .seconds(2))
engine.stop()
