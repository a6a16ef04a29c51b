import AudioUnits
import JackIO

/// The placement of units' processes on processors, and the measured costs of waking them from JACK's thread.
struct PlacedProcesses {
  struct Wake {
    var thread: JackClient.ThreadPlace
    var costs: WakeCosts
  }

  var wake: Wake?
  var placement: ProcessPlacement?
  var hasReportedConfinement = false
}
