// RackModel
