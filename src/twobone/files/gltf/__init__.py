"""glTF 2.0 (.glb, .gltf, .vrm, .vrma): read files, edit their animations, write new files."""
