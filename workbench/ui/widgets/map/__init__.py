"""Canvas with labelled points, shared by the map and the time panel."""
