"""What is called from off the map: fire missions and air strikes."""
