import { noticeTypes } from '#contract/terms'

/** Sections of docs/flows.md: what flows tell by themselves, and what happens to shipments that no flow looks after. */
export const notices = `## Notices

With \`LOCKERFLOW_NOTICES_URL\` and \`LOCKERFLOW_NOTICES_KEY\` a flow tells one receiver by itself, by POST, what came
about: ${noticeTypes.map(type => `\`${type}\``).join(', ')}.

\`\`\`json
{
  "type": "flow.stageReached",
  "timestamp": "2026-11-20T13:00:00.000Z",
  "data": {
    "flow": "issue",
    "caseNo": "I1701-1982",
    "sequence": 1,
    "stage": "dropOff",
    "state": "waiting",
    "shipments": [
      { "role": "issue", "shipmentUid": "…", "stateCode": "ReadyForPickup", "pupUid": "pup-1", "lockerName": "7" }
    ]
  }
}
\`\`\`

| | |
|---|---|
| \`flow.stageReached\` | The shipments are where the stage \`stage\` needs them. Several in a row when several stages are over at once. |
| \`flow.overdue\` | The window of \`stage\` passed without ending the flow; once for each reminder. |
| \`flow.ended\` | \`outcome\` is completed, cancelled, expired, or failed with the \`code\` of the failure; \`stage\` is where it ended, null after the last stage and before the booking. A flow that books nothing has this one only. |
| signature | [Standard Webhooks](https://www.standardwebhooks.com): \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`; the secret of their libraries is \`whsec_\` and the key in base64. |
| success | 2xx within 15 s. Everything else is a failure, a redirect too. |
| retries | After 1 s, doubling to 1 h, or later if \`Retry-After\` says so (a day at most), for three days; then the workflow fails with \`NoticeNotDelivered\`. |
| order | None is promised: notices are sent side by side. \`sequence\` counts those of a flow from 1. |
| twice | At least once; the same \`webhook-id\` is the same notice. A flow that is reset tells again, with new ids, what comes about again. |

Each notice is a workflow of its own, \`notice:\` with case number, sequence and webhook-id, so a receiver that is away
holds no flow up; those that were not delivered are found by \`WorkflowType = 'notice' AND ExecutionStatus = 'Failed'\`.
Whether a flow sends notices is decided when it starts. While a hundred of one run wait for the receiver, only its end
is told. Nothing personal and no access codes are in a notice, and neither address nor key are in a history. A flow
whose input is not valid, and one that is terminated, tell nothing. Nobody waits for an answer to a notice, so a
receiver that needs to know asks for the status. An issue without trouble has sixteen more
events for its three notices, up to eight more if its last two are taken before it ends; each notice is a workflow of eleven
events besides.`

export const sweeping = `## Sweep

A flow that was terminated, or lost with its Temporal server, leaves shipments behind. \`npm run sweep\` lists active
shipments of the API client whose case has no running flow: case, shipment, state, locker, since when, and why.
It reads Temporal's own variables and \`LOCKERFLOW_TASK_QUEUE\`; the work is done by the workflow \`sweep\` in the worker.

| option | |
|---|---|
| \`--cancel\` | Cancels what nobody has put an item into, after a look at each shipment, by the rules of every clean-up. The rest is left, with the reason. |
| \`--adopt\` | Starts the flow of each case again, with its request and windows; it takes over what is booked and books nothing. Stages that are reached are gone through at once; windows begin again. |
| \`--flow issue\` | With \`--adopt\`: which flow it is, where Temporal does not know the case any more. Users and prior shipment are then read from the shipments, windows are the declared ones. |
| \`--case I1701-1982\` | This case alone. |
| \`--older-than 15m\` | Cases in which something changed later than this are left alone, since a booking may be under way. |
| \`--json\` | The report as JSON. |
| \`--schedule 1h\`, \`--schedule off\` | Has Temporal sweep by itself, with the other options, by the schedule \`lockerflow-sweep\`; or no longer. Reports are the results of the workflows \`sweep-…\`. |

Not listed: shipments without a case number of 1 to 60 characters, and those of flows that completed, stock for
instance; these are counted. What a cancelled or expired flow left over is listed, and is never adopted. A case number
that another program gave its booking looks like one of a lost flow, and so does stock whose flow Temporal has forgotten
(an item inside is never cancelled): look at the list before \`--cancel\`. A sweep takes 1,000 cases.
The flow that adopts is started with \`adopt: true\` in its input, a field that only the sweep sets. It needs just one
active booking of the case that fits the flow; otherwise it fails with \`NothingToAdopt\` or \`BookingUncertain\`.
\`--flow\` is believed as far as links and users do not speak against it: an issue can be taken for stock.
Flows that book nothing are started again by whoever started them.`
