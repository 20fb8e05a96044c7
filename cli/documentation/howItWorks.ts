import { readFileSync } from 'node:fs'
import { generated } from './markdown.ts'
import { sequenceOf } from './sequence.ts'

const loan = new URL(
  '../../test/histories/issueFromStockAndSubsequentIntakeAndCircularStock-completed.json',
  import.meta.url,
)

/** docs/how-it-works.md: one loan from the start call to the last callback. */
export function howItWorksPage(): string {
  const sequence = sequenceOf(JSON.parse(readFileSync(loan, 'utf8')))
  return `${[generated, before, sequence, afterwards].join('\n\n')}\n`
}

const before = `# How it works: one loan

A drill is in stock in locker 3. Robin borrows it, brings it back, and it is stock again. To the service that is one
call, \`CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock\`, and three linked shipments: the
**issue** (the stock shipment, now with Robin as its receiver), the **intake** that brings the drill back, and the
**stock** that has it afterwards. They share the locker.

To the orchestrator it is one workflow that lives for as long as the loan does. The picture below is made from the
history of such a workflow as it really ran, recorded for the replay tests.`

const afterwards = `## What to see in it

1. **Start and booking are one call** for the starter: *update with start*. The case number is the workflow's id, so a
   second start of the same case finds this one.
2. **The plan comes first.** An activity checks the input and resolves stages, windows and answers. It is in the
   history, so a later change of the declaration does not touch this loan.
3. **The booking follows in the same activity**, since somebody waits for it: one attempt of two seconds, with an
   idempotency key made of the case number and the first run. Should the service be slow or away, another
   activity goes on with the same key, and books nothing twice.
4. **Callbacks are signals.** The service commits a state together with a row in its outbox, sends it signed, and the
   gateway finds the workflow by the case number in the callback. Nobody keeps a table.
5. **A stage is a level.** When Robin takes the drill out, the issue is Completed and in the same transaction the intake
   becomes ReadyForDropOff. When Robin brings it back, the intake is Completed and the stock shipment has the drill: two
   callbacks, one event. Whatever order they arrive in, the stage is over when both states are there.
6. **Nothing waits in memory.** Between two callbacks the flow is a row in Temporal's store and one timer: the earlier of
   the window's end and the next look.

Had Robin not come, the window would have passed: the flow asks the service once more, marks itself overdue, and waits
for somebody to decide. Had the flow been cancelled, it would have cancelled the intake and the stock shipment, and left
the drill alone: it was in stock before the flow.`
