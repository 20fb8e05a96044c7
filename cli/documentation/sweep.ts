/** Section of docs/reference/flows.md: shipments without a flow. */
export const sweeping = `## Sweep

A flow that was terminated, or lost with its Temporal cluster, leaves shipments behind. \`lockerflow sweep\` lists the active
shipments of the API client whose case has no running flow: case, shipment, state, locker, time and reason. The
workflow \`sweep\` does the work in the worker, so the command needs only Temporal's variables and
\`LOCKERFLOW_TASK_QUEUE\`.

| option | effect |
|---|---|
| \`--cancel\` | Cancels shipments without an item, after reading each of them again. The others stay, with the reason. |
| \`--adopt\` | Starts the flow of each case again with its request and windows. It takes over the booked shipments and books nothing. It passes the stages that are complete, and windows start again. |
| \`--flow issue\` | With \`--adopt\`: the flow of cases that Temporal no longer has. Users and prior shipment are read from the shipments, windows are the declared ones. A flow of your own is accepted if \`LOCKERFLOW_FLOWS\` declares it, and if it has no \`input\`. |
| \`--case I1701-1982\` | Only this case. |
| \`--older-than 15m\` | Skips cases that changed within this period, since a booking may be in progress. |
| \`--json\` | Prints the report as JSON. |
| \`--schedule 1h\`, \`--schedule off\` | Creates or deletes the Temporal schedule \`lockerflow-sweep\` with the other options. Reports are the results of the workflows \`sweep-…\`. |

The list omits shipments without a case number of 1 to 60 characters. It counts, but does not list, shipments that a
completed flow hands over in its result, such as stock. Other shipments of a completed case are listed as *booked without
the knowledge of its flow*. The list includes left-overs of flows, which are never adopted. A case number that another
program chose looks like a lost flow, and so does stock whose flow Temporal has deleted: read the list before you use
\`--cancel\`. A shipment that holds an item is never cancelled. A sweep handles 1,000 cases.

The command exits with 1 if the service refused a cancellation, or if a case could not be adopted. It exits with 0 if only
work for a person is left, such as an item in a locker. If the workflow is cancelled, for example by Ctrl-C of the command,
it finishes the current case and closes as Canceled, without a report.

The sweep starts an adopting flow with \`adopt: true\` in its input. It requires exactly one active booking of the case that fits
the flow, and otherwise fails with \`NothingToAdopt\` or \`BookingUncertain\`. \`--flow\` is checked against links and users
only, so an issue can pass for stock. Account flows are not swept; start them again.`
