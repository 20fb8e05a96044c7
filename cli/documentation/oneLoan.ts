import { readFileSync } from 'node:fs'
import { generated } from './markdown.ts'
import { toSequence } from './sequence.ts'

const loan = new URL(
  '../../test/histories/issueFromStockAndSubsequentIntakeAndCircularStock-completed.json',
  import.meta.url,
)

/** docs/explanation/one-loan.md: one loan from the start call to the last callback. */
export function oneLoanPage(): string {
  const sequence = toSequence(JSON.parse(readFileSync(loan, 'utf8')))
  return `${[generated, before, sequence, afterwards].join('\n\n')}\n`
}

const before = `# One loan, step by step

A drill is in stock in locker 3. Robin borrows it and brings it back, and then it is stock again. For the service that is
one call, \`CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock\`, and three linked shipments: the
**issue** (the stock shipment, now with Robin as its receiver), the **intake** that brings the drill back, and the
**stock** shipment that contains it afterwards. They share the locker.

For the orchestrator it is one workflow that lives as long as the loan. The picture is made from the recorded history of
such a workflow.`

const afterwards = `## Reading the picture

1. **Start and booking are one call** of the starter: *update with start*. The workflow id is the case number, so a second
   start of the same case finds this workflow. A start of a case that the namespace's retention has deleted books again.
2. **The plan comes first.** An activity validates the input and resolves stages, windows and timeout policies. The plan is
   in the history, so a later change of the declaration does not affect this loan.
3. **The booking is part of the same activity** because a caller waits for it: one attempt of two seconds, with an
   idempotency key made of case number and first execution run id. If the service is slow or down, a second activity
   continues with the same key, so nothing is booked twice.
4. **Callbacks become signals.** The service commits a state together with a row in its outbox and sends it signed. The
   gateway finds the workflow by the case number in the callback, without a table.
5. **A stage waits for states, not for events.** When Robin takes the drill out, the issue is Completed, and in the same
   transaction the intake becomes ReadyForDropOff. When Robin brings it back, the intake is Completed and the stock
   shipment has the drill: two callbacks for one event. The stage ends when both states are there,
   in whichever order the callbacks arrive.
6. **Waiting costs one timer.** Between two callbacks the workflow execution waits in Temporal's database, with one timer for
   the earlier of two moments: the end of the window and the next poll. A worker may drop it from its cache meanwhile.

If Robin did not come, the window would pass. The flow would poll the service once more, mark itself overdue and wait for
a decision. If the flow were cancelled, it would cancel the intake and the stock shipment, and leave the drill alone,
because it was in stock before the flow.

[Inside the engine](../tutorials/3-inside-the-engine.md) adds the reasons, one hazard at a time.`
