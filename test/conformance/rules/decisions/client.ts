import type { Rule } from '../../rule.ts'

/** The decisions on the flow client. */
export const clientDecisions: readonly Rule[] = [
  {
    section: 'D-357 Results and exceptions of the client',
    rule: 'A pending result names its reason, and an outage is thrown with code, sentence and page.',
    heldBy: [
      'test/client/causes.test.ts > a task queue that no worker polls > is named by a pending result and by the error of a call',
      'test/client/outages.test.ts',
      'test/client/end.test.ts',
    ],
  },
  {
    section: 'D-357 Results and exceptions of the client',
    rule: 'A wait for the booking of a flow that ended early and has nothing booked is refused with FlowEnded.',
    heldBy: ['test/client/endedFlows.test.ts', 'test/workflows/updates/cancel.test.ts'],
  },
  {
    section: 'D-358 Watching by long poll and query',
    rule: 'A watch yields each change and the end, survives a lost worker and a new run, and continues at a cursor.',
    heldBy: ['test/client/watch.test.ts', 'test/client/changes.test.ts'],
  },
  {
    section: "D-359 Lists from Temporal's visibility",
    rule: 'Flows are found by flow, state, overdue, user and pick up point, and a cursor of another filter is refused.',
    heldBy: ['test/client/list.test.ts'],
  },
  {
    section: 'D-260 Updates that are repeated',
    rule: 'A repeated decision takes effect once, in the next run too, and a run that ended without it passes it on.',
    heldBy: ['test/client/once.test.ts'],
  },
  {
    section: 'D-260 Updates that are repeated',
    rule: 'A caller that waits for a booking, a clean-up or an end gets it from the run that a reset has made.',
    heldBy: ['test/client/resets.test.ts'],
  },
  {
    section: 'D-261 Conditions of lists',
    rule: 'A condition and its opposite find all flows, no value leaves its quotes, and a fault names the field.',
    heldBy: ['test/client/where/query.test.ts', 'test/client/list.test.ts'],
  },
  {
    section: 'D-262 Decisions about many flows',
    rule: 'A bulk that is killed in the middle and resumed decides each case once, and its report has a line for each.',
    heldBy: ['test/cli/flow/bulk.test.ts'],
  },
  {
    section: 'D-373 The input of an own flow is checked twice',
    rule: 'A client with the declaration refuses a wrong request in the words of the plan, before it calls Temporal.',
    heldBy: ['test/client/input.test.ts'],
  },
  {
    section: 'D-373 The input of an own flow is checked twice',
    rule: 'A client refuses an input that is too large for Temporal at once, and names the field.',
    heldBy: [
      'test/client/input.test.ts > an input of more than four megabytes, which Temporal takes no call with, is refused at once > %s',
      'test/client/input.test.ts > a request that the plan refuses for its size is refused in the same words',
    ],
  },
  {
    section: 'D-381 The request id of a refusal',
    rule: 'A refusal of the service has the id of its request in both clients, over HTTP and in the command.',
    heldBy: [
      'test/api/requestIds.test.ts',
      'test/gateway/flowApi/operations.test.ts > a start > that the service refuses is Refused with the code of the service',
      'test/cli/flow/verbs.test.ts > a start from a file waits for the end, and a refusal has its code',
      'test/cli/simulate.test.ts > opens a locker as the person for whom it waits, and refuses the others',
    ],
  },
  {
    section: 'D-446 Queries that Temporal loses',
    rule: 'A query without a response after three seconds is sent again.',
    heldBy: ['test/client/watch.test.ts > while Temporal loses a query'],
  },
]
