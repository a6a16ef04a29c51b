// Tests play units, too.
@_exported import UnitMeasurement
