// Descriptions, states and values of units, and the ABI's buffers, are part of the API.
@_exported import CUnit
@_exported import UnitModel
