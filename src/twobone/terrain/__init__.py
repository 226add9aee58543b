"""Terrains to walk on: heights and normals at any place."""
