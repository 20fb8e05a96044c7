import { notificationTypes } from '#flows'

/** Section of docs/reference/flows.md: the webhooks of flows. */
export const notifications = `## Notifications

With \`LOCKERFLOW_NOTIFICATIONS_URL\` and \`LOCKERFLOW_NOTIFICATIONS_KEY\` set, each flow POSTs its progress to one receiver:
${notificationTypes.map(type => `\`${type}\``).join(', ')}.

\`\`\`json
{
  "type": "flow.stageReached",
  "timestamp": "2026-11-20T13:00:00.000Z",
  "data": {
    "flow": "issue",
    "caseNo": "I1701-1982",
    "runId": "0192f7c4-3a51-7c1e-9d0b-5f2f6b8a1c44",
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
| \`flow.stageReached\` | The shipments have the states that the stage \`stage\` waits for. One callback can complete several stages. |
| \`flow.asked\` | The flow asks the question of the step \`stage\`. \`asks\` is \`{ who, answers }\`: who answers, and the names of the answers. |
| \`flow.overdue\` | The window of \`stage\` passed and the flow continues. Sent again with each reminder. For a question with \`asks\`. |
| \`flow.outOfService\` | The locker of a shipment with \`lockerOutOfService\` true does not work, or its pick up point is closed. Sent once for each stage and outage. |
| \`flow.ended\` | \`outcome\` is completed, cancelled, expired or failed, the last with the \`code\` of the failure. \`stage\` is where the flow ended, and null before the booking and after the last stage. Account flows send only this one. |
| \`links\` | While \`state\` is overdue, if the worker [makes links](../how-to/look-after-flows.md#decide-by-link): the addresses \`extend\`, \`cancel\` and \`keepWaiting\`, and \`expiresAt\`. They are secrets. |
| signature | [Standard Webhooks](https://www.standardwebhooks.com): \`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`. [Receive callbacks](../how-to/receive-callbacks.md) verifies it. |
| success | a 2xx response within 15 s; every other status is a failure, redirects included |
| retries | after 1 s, doubling to 1 h, or later if \`Retry-After\` asks for it (at most a day), for three days; then the workflow fails with \`NotificationNotDelivered\` |
| order | not guaranteed; \`sequence\` numbers the notifications of a run from 1. A case that failed and is started again has another \`runId\`, which is that of \`Started\` |
| duplicates | at least once, with the same \`webhook-id\`. A flow that was reset sends notifications again, with new ids |

Each notification is a child workflow of its own, so a receiver that is down does not hold up a flow. Failed ones are found
by \`WorkflowType = 'notification' AND ExecutionStatus = 'Failed'\`. The plan decides at the start whether a flow sends
notifications. While a hundred notifications of one run are pending, only the end is announced.

A notification contains no personal data and no access code: one of your programs
[reads the code and sends it](../how-to/receive-callbacks.md#send-access-codes) to the customer. Histories contain neither
the address nor the key. A flow with invalid input sends nothing, and neither does a terminated flow. A receiver that needs
certainty reads the status and asks Temporal whether the flow runs: a terminated flow keeps its last status. For an issue,
three notifications add sixteen events to the history, and up to eight more if the last two are delivered before it ends.`
