import CLilv

/// Runs the plug-ins of a bundle with liblilv, as most hosts do.
enum LilvHost {
  struct Rendering {
    var uri: String
    /// The output samples; nil where the plug-in was not instantiated, NaN where it wrote nothing.
    var outputs: [[Float]]?
  }

  /// Renders noise in blocks of 256 frames; controls have their defaults, and events are not connected.
  static func render(_ bundle: String, blocks: Int = 8) -> [Rendering] {
    let world = lilv_world_new()
    let folder = lilv_new_file_uri(world, nil, "\(bundle)/")
    defer {
      lilv_node_free(folder)
      lilv_world_free(world)
    }
    lilv_world_load_bundle(world, folder)
    let plugIns = lilv_world_get_all_plugins(world)
    var renderings: [Rendering] = []
    var place = lilv_plugins_begin(plugIns)
    while !lilv_plugins_is_end(plugIns, place) {
      if let plugIn = lilv_plugins_get(plugIns, place) {
        let uri = String(cString: lilv_node_as_uri(lilv_plugin_get_uri(plugIn)))
        renderings.append(
          Rendering(uri: uri, outputs: outputs(of: plugIn, in: world, blocks: blocks)))
      }
      place = lilv_plugins_next(plugIns, place)
    }
    return renderings
  }

  private static func outputs(
    of plugIn: OpaquePointer, in world: OpaquePointer?, blocks: Int
  ) -> [[Float]]? {
    guard let instance = lilv_plugin_instantiate(plugIn, 48_000, nil) else { return nil }
    defer { lilv_instance_free(instance) }
    let words = ["InputPort", "AudioPort", "ControlPort"].map {
      lilv_new_uri(world, "http://lv2plug.in/ns/lv2core#\($0)")
    }
    defer { for word in words { lilv_node_free(word) } }
    let (count, frames) = (Int(lilv_plugin_get_num_ports(plugIn)), 256)
    let controls = UnsafeMutablePointer<Float>.allocate(capacity: count)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: count * frames)
    defer {
      controls.deallocate()
      memory.deallocate()
    }
    lilv_plugin_get_port_ranges_float(plugIn, nil, nil, controls)
    var (inputs, outputs): ([Int], [Int]) = ([], [])
    for index in 0..<count {
      let port = lilv_plugin_get_port_by_index(plugIn, UInt32(index))
      let (isInput, isAudio) = (
        lilv_port_is_a(plugIn, port, words[0]), lilv_port_is_a(plugIn, port, words[1])
      )
      let data: UnsafeMutablePointer<Float>? =
        isAudio
        ? memory + index * frames : lilv_port_is_a(plugIn, port, words[2]) ? controls + index : nil
      lilv_instance_connect_port(instance, UInt32(index), data)
      if isAudio && isInput { inputs.append(index) }
      if isAudio && !isInput { outputs.append(index) }
    }
    var generator = SystemRandomNumberGenerator()
    var result = [[Float]](repeating: [], count: outputs.count)
    lilv_instance_activate(instance)
    for _ in 0..<blocks {
      for index in outputs {
        (memory + index * frames).update(repeating: .nan, count: frames)
      }
      for index in inputs {
        for frame in 0..<frames {
          memory[index * frames + frame] = .random(in: -0.3...0.3, using: &generator)
        }
      }
      lilv_instance_run(instance, UInt32(frames))
      for (place, index) in outputs.enumerated() {
        result[place] += UnsafeBufferPointer(start: memory + index * frames, count: frames)
      }
    }
    lilv_instance_deactivate(instance)
    return result
  }
}
