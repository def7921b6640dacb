"""The canvas of points with labels, used by the map and the time panel."""
