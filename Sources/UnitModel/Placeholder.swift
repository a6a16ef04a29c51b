// UnitModel
