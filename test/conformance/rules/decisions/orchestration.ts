import type { Rule } from '../../rule.ts'

/** What docs/decisions.md says of the flows. */
export const orchestrationDecisions: readonly Rule[] = [
  {
    section: 'Orchestration: Which flow a callback belongs to',
    rule: 'The flow puts its case number into the shipment, and the workflow id is made from it.',
    heldBy: [
      'test/flows/happy.test.ts > the issue flow > puts the case number into the shipment',
      'test/flows/identity.test.ts > a workflow id that is not the one of the case > %s is refused, and nothing is booked',
    ],
  },
  {
    section: 'Orchestration: Starting twice',
    rule: 'The running one or its result; another flow or request is CaseInUse; a failed case starts again.',
    heldBy: ['test/flows/starting.test.ts > starting twice'],
  },
  {
    section: 'Orchestration: Lost answers',
    rule: 'A create is never repeated blindly.',
    heldBy: ['test/flows/outages.test.ts > a booking whose answer is lost is made once', 'test/flows/profiles.test.ts'],
  },
  {
    section: 'Orchestration: Surplus bookings',
    rule: 'What an attempt without an answer booked late is found and cancelled, or left over.',
    heldBy: [
      'test/flows/profiles.test.ts > a service without idempotency keys that books after the flow has given an attempt up',
    ],
  },
  {
    section: 'Orchestration: A booking that ends without an answer',
    rule: 'Whoever waits is told at once, and what was booked is found and cancelled.',
    heldBy: [
      'test/flows/cancelling.test.ts > a booking that is waited for is told at once, and what may have been booked is found and cancelled',
      'test/flows/outages.test.ts > a booking that gets no answer within its window is given up, and what was made all the same is cancelled',
      'test/flows/cancelling.test.ts > a create that arrives only after the flow was cancelled leaves nothing booked',
    ],
  },
  {
    section: 'Orchestration: Age of a key',
    rule: 'The window for the booking is at most 12 h, and a flow that books later looks first.',
    heldBy: [
      'test/flows/durations.test.ts > a length of time that no calendar has > as the window for the booking, more than a service remembers a key is refused',
      'test/activities/forgottenKey.test.ts',
    ],
  },
  {
    section: 'Orchestration: Restarted cases',
    rule: 'Without keys, what is younger than fifteen minutes is taken for its own.',
    heldBy: ['test/activities/olderLife.test.ts'],
  },
  {
    section: 'Orchestration: Lost callbacks',
    rule: 'A waiting flow looks, at doubling intervals and when a window passes.',
    heldBy: ['test/flows/callbacks.test.ts > when no callback comes through'],
  },
  {
    section: 'Orchestration: Strange callbacks',
    rule: 'A possible state is believed, the same or an earlier one changes nothing, an impossible one is asked about.',
    heldBy: ['test/flows/callbacks.test.ts > with callbacks only'],
  },
  {
    section: 'Orchestration: Clean-up',
    rule: 'What nobody has put an item into is cancelled after a look; the rest is left over, and clean-up never fails.',
    heldBy: [
      'test/flows/cleanUp.test.ts',
      'test/flows/cancelling.test.ts > by %s > an item that came in unheard of is not cancelled away',
    ],
  },
  {
    section: 'Orchestration: A window that passes',
    rule: 'cancel ends the flow, remind starts the window again, ask waits for a decision; the service is asked first.',
    heldBy: ['test/flows/windows.test.ts', 'test/flows/awayAtDeadline.test.ts'],
  },
  {
    section: 'Orchestration: Kept bookings',
    rule: 'It waits for a release, without a window; that cancels the shipment, and the outcome is completed.',
    heldBy: ['test/flows/kept.test.ts'],
  },
  {
    section: 'Orchestration: Delayed receivers',
    rule: 'assignReceiver answers what the service says, within a minute; the same user twice does no harm.',
    heldBy: [
      'test/flows/receiver.test.ts > a receiver is named',
      'test/flows/receiver.test.ts > naming a receiver twice',
      'test/flows/receiver.test.ts > a receiver is refused',
      'test/flows/receiver.test.ts > while the service does not answer',
    ],
  },
  {
    section: 'Orchestration: Stages of some requests only',
    rule: 'The plan holds the stages of the request, and a window for another one is refused.',
    heldBy: [
      'test/flows/kept.test.ts > a window for %s is refused',
      'test/flows/receiver.test.ts > a receiver is refused > by a flow that has one from the start, or wants none',
    ],
  },
  {
    section: 'Orchestration: Wrong declarations',
    rule: 'They are refused when they are loaded, by flow and field, all at once.',
    heldBy: [
      'test/activities/declarations.test.ts',
      'test/flows/madeUp.test.ts > a worker is not started with a declaration that is wrong',
    ],
  },
  {
    section: 'Orchestration: onboardAccount',
    rule: 'The account is made once; what is left to set up is retried by itself.',
    heldBy: ['test/flows/onboarding.test.ts'],
  },
  {
    section: 'Orchestration: importAccountSuggestions',
    rule: 'The file is fetched from an address that may be dialled, within limits, and uploaded.',
    heldBy: ['test/flows/importing.test.ts'],
  },
  {
    section: 'Orchestration: Notices',
    rule: 'Signed, retried for a bounded time, in workflows of their own, and no flow is held up by them.',
    heldBy: ['test/flows/notices.test.ts', 'test/worker/noticeSettings.test.ts'],
  },
  {
    section: 'Orchestration: Orphans',
    rule: 'What no running flow looks after is found, and cancelled or taken over when told.',
    heldBy: ['test/flows/sweep.test.ts', 'test/flows/lostTemporal.test.ts', 'test/cli/sweep.test.ts'],
  },
  {
    section: 'Orchestration: What the gateway answers',
    rule: '204, 200, 503 and 401, by what became of the callback.',
    heldBy: [
      'test/gateway/answers.test.ts',
      'test/gateway/outages.test.ts > what Temporal says decides about the answer',
      'test/gateway/signatures.test.ts > a forged callback is refused and signals nothing',
    ],
  },
  {
    section: 'Orchestration: What the Web UI shows',
    rule: 'A board without events and without anything personal, in few bytes, and search attributes for queries.',
    heldBy: [
      'test/flows/inspection.test.ts > the board of a loan',
      'test/flows/inspection.test.ts > a state that is none of ours is not shown, and no name becomes Markdown',
      'test/flows/savedQueries.test.ts',
      'test/flows/personalData.test.ts > a whole life of %s holds nothing personal',
      'test/flows/eventCount.test.ts',
    ],
  },
  {
    section: 'Orchestration: Long lives',
    rule: 'A flow continues as new under no update, and loses no message; a refused update does not bring it about.',
    heldBy: ['test/flows/longLife.test.ts', 'test/flows/carryingOn.test.ts'],
  },
  {
    section: 'Orchestration: Failure texts',
    rule: "A refusal of the service travels as its code with our own sentence, without the service's text.",
    heldBy: [
      'test/flows/personalData.test.ts > what a service writes about a person > in a refusal of the booking does not get into the flow or its failure',
    ],
  },
  {
    section: 'Orchestration: Callers who wait',
    rule: 'At most five wait for a booking at a time; nobody is kept from cancelling, and all hear of it.',
    heldBy: [
      'test/client/crowd.test.ts > fifteen callers at once all hear of the one slow booking',
      'test/flows/outages.test.ts > twenty callers who wait for a booking do not keep anybody from cancelling it',
    ],
  },
]
