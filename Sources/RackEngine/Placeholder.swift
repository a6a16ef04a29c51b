// RackEngine
