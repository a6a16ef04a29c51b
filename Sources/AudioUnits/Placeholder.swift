// AudioUnits
