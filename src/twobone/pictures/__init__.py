"""Pictures of limbs and walks as SVG, and walks as glTF models."""
