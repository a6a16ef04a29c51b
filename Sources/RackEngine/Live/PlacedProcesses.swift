import AudioUnits
import JackIO

/// Where the processes of units run, as measured beside JACK's thread.
struct PlacedProcesses {
  struct Wake {
    var thread: JackClient.ThreadPlace
    var costs: WakeCosts
  }

  var wake: Wake?
  var placement: ProcessPlacement?
  var hasReportedConfinement = false
}
