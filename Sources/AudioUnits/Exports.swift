// Whoever imports AudioUnits speaks of descriptions, states and values as well, and hands units the
// ABI's buffers.
@_exported import CUnit
@_exported import UnitModel
