import type { Rule } from '../../rule.ts'

/** The decisions on the flows. */
export const orchestrationDecisions: readonly Rule[] = [
  {
    section: 'D-065 Which flow a callback belongs to',
    rule: 'The flow sends its case number as ReferenceCaseNo, and its workflow id contains it.',
    heldBy: [
      'test/workflows/flow/issue.test.ts > the issue flow > puts the case number into the shipment',
      'test/workflows/flow/identity.test.ts > a workflow id that does not belong to the case > %s is refused, and nothing is booked',
    ],
  },
  {
    section: 'D-066 Starting twice',
    rule: 'A repeated start returns the running flow or its result. Another flow or request is CaseInUse. A failed case can be restarted.',
    heldBy: ['test/workflows/flow/start.test.ts > starting twice'],
  },
  {
    section: 'D-067 Lost responses',
    rule: 'A create is retried only with an idempotency key, or after a search.',
    heldBy: [
      'test/workflows/steps/book/outages.test.ts > a booking whose response is lost is made once',
      'test/workflows/steps/book/serviceProfiles.test.ts',
    ],
  },
  {
    section: 'D-068 Duplicate bookings',
    rule: 'A late booking of an unanswered attempt is found and cancelled, or reported as a left-over.',
    heldBy: [
      'test/workflows/steps/book/serviceProfiles.test.ts > a service without idempotency keys that books after the flow has abandoned an attempt',
    ],
  },
  {
    section: 'D-069 A booking that ends without a response',
    rule: 'Waiting callers are rejected immediately, and existing bookings are found and cancelled.',
    heldBy: [
      'test/workflows/updates/cancel.test.ts > callers that wait for the booking are rejected immediately, and a possible booking is found and cancelled',
      'test/workflows/steps/book/outages.test.ts > a booking without a response within its window is abandoned, and its late shipments are cancelled',
      'test/workflows/updates/cancel.test.ts > a create that arrives after the cancellation leaves nothing booked',
    ],
  },
  {
    section: 'D-070 Age of a key',
    rule: 'The booking window is at most 12 h. A flow that books later searches first.',
    heldBy: [
      'test/workflows/steps/wait/durations.test.ts > a duration beyond the range of Date > as the booking window, more than the life of an idempotency key is rejected',
      'test/activities/forgottenKey.test.ts',
    ],
  },
  {
    section: 'D-071 Restarted cases',
    rule: 'Without idempotency keys, a flow adopts bookings that are at most fifteen minutes old.',
    heldBy: ['test/activities/repeatedCase.test.ts'],
  },
  {
    section: 'D-072 Lost callbacks',
    rule: 'A waiting flow polls, at doubling intervals and at a deadline.',
    heldBy: ['test/workflows/steps/wait/callbacks.test.ts > when no callback arrives'],
  },
  {
    section: 'D-073 Implausible callbacks',
    rule: 'A reachable state is applied, an equal or earlier one is ignored, and an unreachable one causes a poll.',
    heldBy: ['test/workflows/steps/wait/callbacks.test.ts > with callbacks only'],
  },
  {
    section: 'D-074 Clean-up',
    rule: 'After a read, shipments without an item are cancelled and the others are left-overs. The clean-up never fails.',
    heldBy: [
      'test/workflows/cleanUp.test.ts',
      'test/workflows/updates/cancel.test.ts > by %s > a shipment whose item came in without a callback is not cancelled',
    ],
  },
  {
    section: 'D-079 When a window passes',
    rule: 'After a poll, cancel ends the flow, remind restarts the window, and ask waits for a decision.',
    heldBy: ['test/workflows/steps/wait/windows.test.ts', 'test/workflows/steps/wait/outageAtDeadline.test.ts'],
  },
  {
    section: 'D-080 Kept bookings',
    rule: 'It waits for a release without a window. The release cancels the shipment, and the outcome is completed.',
    heldBy: ['test/workflows/updates/release.test.ts'],
  },
  {
    section: 'D-080 Kept bookings',
    rule: 'A release that came before the completion ends the flow, and one that came after it is refused.',
    heldBy: [
      'test/workflows/updates/release.test.ts > a release while the shipment is completed > is refused if the callback came first: the flow goes on',
      'test/workflows/updates/release.test.ts > a release while the shipment is completed > ends the flow if it came first',
    ],
  },
  {
    section: 'D-081 Delayed receivers',
    rule: 'assignReceiver returns the response of the service within a minute. Assigning the same user twice has no effect.',
    heldBy: [
      'test/workflows/updates/assignReceiver.test.ts > a receiver is assigned',
      'test/workflows/updates/assignReceiver.test.ts > assigning a receiver twice',
      'test/workflows/updates/assignReceiver.test.ts > a receiver is refused',
      'test/workflows/updates/assignReceiver.test.ts > while the service does not respond',
    ],
  },
  {
    section: 'D-176 What clean-up may cancel',
    rule: 'The roles that clean-up may cancel in each step follow from the shipment machines, and `keep` takes a role out.',
    heldBy: ['test/activities/plan/cancellable.test.ts'],
  },
  {
    section: 'D-082 Conditional steps',
    rule: 'The plan contains the steps for the input. A window for another step is rejected.',
    heldBy: [
      'test/workflows/updates/release.test.ts > a window for %s is refused',
      'test/workflows/updates/assignReceiver.test.ts > a receiver is refused > by a flow that has one from the start, or needs none',
    ],
  },
  {
    section: 'D-083 Invalid declarations',
    rule: 'They are rejected on loading, in one error that names every flow and field.',
    heldBy: [
      'test/declarations/wrong.test.ts',
      'test/flows/newDeclaration.test.ts > a worker does not start with an invalid declaration',
    ],
  },
  {
    section: 'D-084 onboardAccount',
    rule: 'The account is created once. The remaining steps are retried separately.',
    heldBy: ['test/workflows/steps/call/onboardAccount.test.ts'],
  },
  {
    section: 'D-085 importAccountSuggestions',
    rule: 'The file is fetched from an allowed address, within limits, and uploaded.',
    heldBy: ['test/workflows/steps/call/importAccountSuggestions.test.ts'],
  },
  {
    section: 'D-086 Notifications',
    rule: 'They are signed and retried for a limited time in separate workflows, and delay no flow.',
    heldBy: ['test/workflows/notifications/notifications.test.ts', 'test/worker/notificationSettings.test.ts'],
  },
  {
    section: 'D-087 Orphans',
    rule: 'Shipments without a running flow are found, and cancelled or adopted on request.',
    heldBy: [
      'test/workflows/sweep/sweep.test.ts',
      'test/workflows/sweep/lostTemporal.test.ts',
      'test/cli/sweep.test.ts',
    ],
  },
  {
    section: 'D-088 Responses of the gateway',
    rule: 'The status is 204, 200, 429, 503 or 401, depending on the outcome of the callback.',
    heldBy: [
      'test/gateway/receive.test.ts',
      'test/gateway/outages.test.ts > the gRPC status decides the response',
      'test/gateway/verify.test.ts > a forged callback is refused and signals nothing',
    ],
  },
  {
    section: 'D-140 Repeated callbacks',
    rule: 'A message is signalled once per gateway. A signal that failed can be repeated.',
    heldBy: [
      'test/gateway/repeated.test.ts > a message is signalled once (D-140)',
      'test/gateway/signalledMessages.test.ts > a signalled message',
      'test/workflows/steps/wait/callbacks.test.ts > with callbacks only > a callback that is sent 500 times is one signal (D-140)',
    ],
  },
  {
    section: 'D-141 Signals per case',
    rule: 'A case and a shipment get a limited number of signals, and the service repeats the others.',
    heldBy: [
      'test/gateway/repeated.test.ts > a case gets a limited number of signals (D-141)',
      'test/gateway/rateLimit.test.ts > the rate limit of a key',
    ],
  },
  {
    section: 'D-142 The cost of a forged callback',
    rule: 'A body is parsed only after its signature was verified. A flood of forgeries delays no callback.',
    heldBy: ['test/gateway/forgeries.test.ts'],
  },
  {
    section: 'D-075 Current details in the Web UI',
    rule: 'The current details add no events, contain no personal data and are small. Search attributes serve queries.',
    heldBy: [
      'test/workflows/visibility/currentDetails.test.ts > the current details of a loan',
      'test/workflows/visibility/currentDetails.test.ts > an unknown state is not shown, and names are escaped for Markdown',
      'test/workflows/visibility/savedQueries.test.ts',
      'test/workflows/flow/personalData.test.ts > the history of %s contains no personal data',
      'test/workflows/flow/eventCount.test.ts',
    ],
  },
  {
    section: 'D-076 When a flow continues as new',
    rule: 'A flow does not continue as new during an update, and loses no message. A rejected update does not trigger it.',
    heldBy: ['test/workflows/longLife.test.ts', 'test/workflows/continueAsNew.test.ts'],
  },
  {
    section: 'D-077 Failure texts',
    rule: "A refusal of the service is stored as its code with our own message, without the service's text.",
    heldBy: [
      'test/workflows/flow/personalData.test.ts > personal data that the service returns > in a refusal of the booking does not get into the flow or its failure',
    ],
  },
  {
    section: 'D-078 Waiting callers',
    rule: 'At most five callers wait for a booking at a time. Others can still cancel, and every caller gets the result.',
    heldBy: [
      'test/client/concurrentCallers.test.ts > fifteen concurrent callers all get the result of one slow booking',
      'test/workflows/steps/book/outages.test.ts > twenty callers that wait for a booking do not prevent its cancellation',
    ],
  },
  {
    section: 'D-170 Creates that cannot be undone',
    rule: 'A flow that issues from stock repeats no create to learn its outcome, and issues no item by its clean-up.',
    heldBy: ['test/workflows/steps/book/undo.test.ts'],
  },
  {
    section: 'D-171 Bookings that no caller knows about',
    rule: 'After a reset the usual clean-up applies, and after continue-as-new it does not.',
    heldBy: ['test/workflows/steps/book/laterRuns.test.ts'],
  },
  {
    section: 'D-171 Bookings that no caller knows about',
    rule: 'A flow without a booking leaves nothing behind but items that lie in lockers.',
    heldBy: ['test/workflows/steps/book/undo.test.ts'],
  },
  {
    section: 'D-172 Late creates of ended flows',
    rule: 'A sweep cancels a booking that a create makes after the end of its flow, and nothing else.',
    heldBy: ['test/workflows/steps/book/lateBookings.test.ts'],
  },
  {
    section: 'D-172 Late creates of ended flows',
    rule: 'A flow that another worker refuses after its first attempt, or begins with another step, leaves a sweep behind.',
    heldBy: ['test/workflows/steps/book/otherWorker.test.ts'],
  },
  {
    section: 'D-173 Polls before the first callback',
    rule: 'Until a callback reaches the worker a flow polls soon, and afterwards as usual.',
    heldBy: ['test/workflows/steps/wait/earlyPolls.test.ts'],
  },
  {
    section: 'D-246 Edges that a run takes',
    rule: 'Every edge that a recorded or random flow takes is one of its declaration, and they follow each other.',
    heldBy: [
      'test/replay/edges.test.ts > every edge that a recorded flow took is one of its declaration',
      'test/replay/edges.test.ts > the edges of a run follow each other',
      'test/flows/randomFlows.test.ts > valid declarations at random > take only the ways of their declarations',
      'test/declarations/right.test.ts > an edge that a run took includes the steps that its plan left out',
    ],
  },
  {
    section: 'D-247 Steps that several ways lead to',
    rule: 'Cancelled in such a step, a flow cancels the shipment if it is empty, and leaves it over if it is not.',
    heldBy: ['test/workflows/steps/severalWays.test.ts > a flow that came to its step by one of several ways'],
  },
  {
    section: 'D-248 Releases',
    rule: 'A release before its step is refused, and in it the flow completes; no other booking may be left then.',
    heldBy: [
      'test/workflows/steps/severalWays.test.ts > a booking is released in the step that keeps it, and not before',
      'test/declarations/wrong.test.ts',
    ],
  },
  {
    section: 'D-249 New runs between two steps',
    rule: 'Where the limit is low, every step begins in a run of its own, also after an answer.',
    heldBy: [
      'test/workflows/steps/workshop.test.ts > on a server that suggests a new run after few events > the flow continues as new between its steps, and loses nothing',
    ],
  },
  {
    section: 'D-250 Cost of the interpreter',
    rule: 'Current details show the state at the time of the query.',
    heldBy: ['test/workflows/visibility/currentDetails.test.ts'],
  },
  {
    section: 'D-259 Parts of plans in memory',
    rule: 'Flows of one worker share the frozen parts that their plans have in common, and each has its own plan.',
    heldBy: ['test/workflows/steps/planParts.test.ts'],
  },
  {
    section: 'D-280 Keys by step',
    rule: 'A flow that books twice by one operation has two bookings, each of which is found by its own step. A shipment after its last possible attempt is no duplicate.',
    heldBy: [
      'test/activities/severalBookings.test.ts',
      'test/activities/plan/steps.test.ts > two bookings by one operation need a service with idempotency keys',
      'test/workflows/steps/book/lateBookings.test.ts > a flow whose last possible create is over > leaves a booking alone that was made after the last possible create',
    ],
  },
  {
    section: 'D-281 Computed cancellations',
    rule: 'The roles that a step may cancel follow from the machines, over all bookings of the flow.',
    heldBy: ['test/activities/plan/cancellable.test.ts', 'test/activities/plan/steps.test.ts'],
  },
  {
    section: 'D-282 Requests known at the start',
    rule: 'A request that reads the input only is checked by the plan, and the plan keeps only the input that is read later.',
    heldBy: ['test/activities/plan/steps.test.ts'],
  },
  {
    section: 'D-283 Size of outputs and inputs',
    rule: 'A call whose output is too large fails, and its message names the way out.',
    heldBy: ['test/activities/callOperation.test.ts > an output that is too large fails with the way out'],
  },
  {
    section: 'D-283 Size of outputs and inputs',
    rule: 'A larger request is refused before anything is booked, the largest one survives continue-as-new, and a step that would send too much fails.',
    heldBy: ['test/workflows/largeInputs.test.ts', 'test/activities/plan/input.test.ts'],
  },
  {
    section: 'D-284 Adoption with several bookings',
    rule: 'Each book step adopts the one booking that fits, and more than one is left to a person.',
    heldBy: ['test/activities/severalBookings.test.ts'],
  },
  {
    section: 'D-285 Calls',
    rule: 'A call is repeated only if that is safe, returns no secrets, and keeps a shipment in its case.',
    heldBy: ['test/activities/callOperation.test.ts'],
  },
  {
    section: 'D-286 Operations of Nexus',
    rule: 'Operations run flows from other namespaces, with links in both histories, and outlive an outage of the service.',
    heldBy: [
      'test/nexus/builds.test.ts',
      'test/nexus/operations.test.ts > start > is the run of a flow, whose result it returns, with links in both histories',
      'test/nexus/operations.test.ts > book > during an outage waits in a workflow until the lockers are booked',
      'test/examples/nexus.test.ts',
    ],
  },
  {
    section: 'D-287 Same case by Nexus',
    rule: 'A decision that is repeated decides once, also after the flow continued as new.',
    heldBy: ['test/nexus/repeated.test.ts'],
  },
  {
    section: 'D-287 Same case by Nexus',
    rule: 'Operations of one case share its flow, and another request is refused.',
    heldBy: [
      'test/nexus/operations.test.ts > book > by two operations at once is one flow',
      'test/nexus/operations.test.ts > start > again attaches to the flow that runs, and refuses another request',
      'test/nexus/operations.test.ts > book > of a case that has completed returns its shipments',
    ],
  },
  {
    section: 'D-288 Errors by Nexus',
    rule: 'A refused operation fails at once, with the code of the flow.',
    heldBy: [
      'test/nexus/operations.test.ts > start > of a flow that the service refuses fails with its code',
      'test/nexus/operations.test.ts > start > of a flow that is terminated fails with FlowTerminated',
      'test/nexus/operations.test.ts > %s fails the operation %s at once',
    ],
  },
  {
    section: 'D-290 Undo',
    rule: 'A flow that ends early undoes its steps in reverse order, over faults and new runs.',
    heldBy: [
      'test/workflows/steps/workshop.test.ts > a flow with every kind of step > applies a callback while days of work run, and is cancelled: everything is undone in reverse order',
      'test/workflows/steps/workshop.test.ts > a flow with every kind of step > is cancelled by the button while the service and the printer are away: the undo waits for both',
      'test/workflows/steps/workshop.test.ts > a flow with every kind of step > fails on a result that does not match its declaration, and undoes the step as uncertain',
      'test/workflows/steps/workshop.test.ts > a flow with every kind of step > leaves a step over, with the code %s, whose undo fails',
      'test/workflows/steps/workshop.test.ts > a call that leaves something for a person > is left over when it is given up without a response',
      'test/workflows/steps/workshop.test.ts > a call that leaves something for a person > is left over when it is cancelled between two attempts',
      'test/workflows/steps/workshop.test.ts > on a server that suggests a new run after few events > so does its undo',
      'test/workflows/steps/cancelInStep.test.ts',
      'test/workflows/steps/killedInStep.test.ts',
      'test/workflows/steps/run/undo.test.ts',
    ],
  },
  {
    section: 'D-291 Answers',
    rule: 'The same answer again returns the first result, and another one is refused.',
    heldBy: [
      'test/workflows/steps/workshop.test.ts > a flow with every kind of step > takes one answer: too early, wrong, twice at once, and another one',
    ],
  },
  {
    section: 'D-292 Work and messages',
    rule: 'Messages take effect while the work of a step is under way.',
    heldBy: [
      'test/workflows/steps/next.test.ts > the next action in other kinds of steps > $name',
      'test/workflows/steps/workshop.test.ts > a flow with every kind of step > applies a callback while days of work run, and is cancelled: everything is undone in reverse order',
    ],
  },
  {
    section: 'D-292 Work and messages',
    rule: 'A cancellation waits for the end of work without heartbeats, in a simulation as at Temporal.',
    heldBy: [
      'test/workflows/steps/cancelInStep.test.ts > a flow with every kind of step, cancelled in > $step, leaves nothing behind that can be undone',
      'test/simulator/simulation.test.ts > a cancellation during the work of a run step > %s',
    ],
  },
  {
    section: 'D-293 Cancelled from outside',
    rule: 'A cancelled shipment ends a flow that needs it, and no other.',
    heldBy: [
      'test/workflows/steps/workshop.test.ts > a flow with every kind of step > ends when a shipment that it awaits is cancelled from outside',
      'test/workflows/steps/next.test.ts > the next action in other kinds of steps > a shipment that no later step awaits may be cancelled from outside',
      'test/workflows/steps/next.test.ts > the next action in other kinds of steps > a shipment whose uid a later step sends may not',
    ],
  },
  {
    section: 'D-294 Outputs of a flow that ended early',
    rule: 'The outputs of its steps are in the result, and shipments are null.',
    heldBy: ['test/workflows/steps/call/onboardAccount.test.ts'],
  },
  {
    section: 'D-295 Decision links',
    rule: 'A link decides about the last notification of its flow, until it expires, and is in no history.',
    heldBy: [
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > extends by its length, and the history names the link as the caller',
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > does not decide about the next overdue',
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > that has expired changes nothing',
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > whose content or signature is of another link or key changes nothing',
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > of the key before is accepted while a gateway has it',
      'test/gateway/decisions/keyRotation.test.ts > the key of decision links changes under load: no link is refused, and those made before stay usable',
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > is in no history and in no log, and the log names its id',
    ],
  },
  {
    section: 'D-296 One use',
    rule: 'A link counts once, also at several gateways, and so do all links of a notification.',
    heldBy: [
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > counts once, also among the three of a notification',
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > opened at two gateways at once decides once',
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > and another link of the notification at once: only one of them takes effect',
    ],
  },
  {
    section: 'D-297 Pages of links',
    rule: 'A link that is repeated without end is limited.',
    heldBy: [
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > that is repeated without end is limited, and other links are not',
    ],
  },
  {
    section: 'D-297 Pages of links',
    rule: 'GET changes nothing, and POST decides.',
    heldBy: [
      'test/gateway/decisions/links.test.ts > a link of an overdue flow > that is only read, as by a scanner of mails, changes nothing',
    ],
  },
  {
    section: 'D-310 Starters and workers with different declarations',
    rule: 'A start by a client with another input or other answers is refused, and one without a fingerprint is accepted.',
    heldBy: [
      'test/activities/plan/steps.test.ts > a client with > another declaration is refused, with the fields and answers of the worker',
      'test/examples/repairShop.test.ts',
    ],
  },
  {
    section: 'D-311 Versioning of flows that a build does not declare',
    rule: 'A flow that the current build does not declare moves to it, completes there, and is not pinned.',
    heldBy: [
      'test/worker/versioning/sideBySide.test.ts > two builds side by side > a flow that the new build does not declare moves, stays movable and completes',
    ],
  },
  {
    section: 'D-312 Waits that end by themselves',
    rule: 'A wait that only a passed window or another program can end is a fault.',
    heldBy: ['test/declarations/wrong.test.ts'],
  },
  {
    section: 'D-313 Limit of the exploration',
    rule: 'A flow of a hundred steps with 48 comparisons is explored, and one with too many situations gets a warning.',
    heldBy: [
      'test/declarations/right.test.ts > the ways of a flow of a hundred steps > with 48 comparisons are explored',
      'test/declarations/wrong.test.ts',
    ],
  },
  {
    section: 'D-314 Task queues without a worker',
    rule: 'Each run step on a task queue that no worker polls is reported, and no other.',
    heldBy: [
      'test/cli/flows.test.ts > the command with --connect > reports each run step whose task queue no worker polls',
    ],
  },
  {
    section: 'D-372 Steps that wait for a worker',
    rule: 'A step on a task queue without a worker is shown with its queue, and is given up and undone after its window.',
    heldBy: [
      'test/workflows/steps/workshop.test.ts > a step on a task queue without a worker > is given up when its window has passed, and undone',
      'test/workflows/steps/workshop.test.ts > a step on a task queue without a worker > names the queue in the current details, and is undone when it is cancelled',
      'test/cli/flow/verbs.test.ts > a step on a task queue without a worker is shown with its queue, and one with a worker is not',
    ],
  },
  {
    section: 'D-378 Faults by level',
    rule: 'The faults of several flows and files are reported at once, each in its place.',
    heldBy: [
      'test/declarations/wrong.test.ts > the faults of several flows and files are reported at once, each in its place',
    ],
  },
  {
    section: 'D-379 The size of current details',
    rule: 'The largest flow that the check allows has current details of less than 20,000 bytes in every step.',
    heldBy: [
      'test/declarations/currentDetails.test.ts > the largest allowed flow fits the Web UI in every step > %s',
      'test/declarations/currentDetails.test.ts > the check counts the sentences of left-overs, and the backslashes of the current details',
      'test/declarations/wrong.test.ts',
    ],
  },
  {
    section: 'D-380 Kept roles',
    rule: 'A kept role that can be empty in its step is refused.',
    heldBy: ['test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s'],
  },
  {
    section: 'D-393 A flow cancels its own shipment',
    rule: 'A call that cancels a shipment of the flow does not end it, and the check knows that the shipment is cancelled.',
    heldBy: [
      'test/workflows/steps/call/cancelShipment.test.ts',
      'test/workflows/steps/next.test.ts > the next action in other kinds of steps > a shipment that the flow cancels by a call is needed no longer, once the call is under way',
      'test/declarations/right.test.ts > the declaration of %s has no fault',
      'test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s',
    ],
  },
  {
    section: 'D-444 Shipments that end with one that the flow cancels',
    rule: 'A shipment that the service cancels with one that the flow cancels does not end the flow, and a call that cancels it too succeeds.',
    heldBy: [
      'test/workflows/steps/call/cancelShipment.test.ts > calls that cancel both shipments of a swap complete the flow > the second one too, which the service refuses since the first has cancelled both',
      'test/workflows/steps/call/cancelShipment.test.ts > calls that cancel both shipments of a swap complete the flow > after the flow has heard that the service has cancelled both',
      'test/workflows/steps/next.test.ts > the next action in other kinds of steps > a shipment that ends with one that the flow cancels is needed no longer, and its own call follows',
      'test/declarations/lostShipments.test.ts > a shipment that the flow has ended leads to no refusal and to no end from outside',
      'test/declarations/right.test.ts > the declaration of %s has no fault',
    ],
  },
  {
    section: 'D-394 Changes that cannot be repeated',
    rule: 'A refused repetition of a change that has taken effect is its success.',
    heldBy: [
      'test/activities/callOperation.test.ts > a change whose response was lost is repeated, and the refusal of the repetition is its success: > %s',
      'test/activities/callOperation.test.ts > a change whose response was lost is repeated, and the refusal of the repetition is its success: > a refusal of the repetition with another cause stays one',
    ],
  },
  {
    section: 'D-340 Moments by a calendar',
    rule: 'An activity resolves working time and local times when the step begins. Workflows run without `Intl`.',
    heldBy: ['test/workflows/steps/calendars.test.ts', 'test/activities/resolveMoment.test.ts'],
  },
  {
    section: 'D-341 Local times',
    rule: 'Skipped local times are the end of the gap, and repeated ones are the first, as a count minute by minute shows.',
    heldBy: ['test/calendars/times.test.ts'],
  },
  {
    section: 'D-342 Calendars',
    rule: 'A calendar file is checked field by field when the worker starts. Flows that need one are refused without it.',
    heldBy: ['test/calendars/read.test.ts', 'test/worker/calendars.test.ts'],
  },
  {
    section: 'D-343 The picture of a run',
    rule: 'Status, current details and the command show the way of a run, its current step and the windows of later ones, without another event.',
    heldBy: [
      'test/workflows/visibility/picture.test.ts',
      'test/declarations/runPicture.test.ts',
      'test/cli/recordedPicture.test.ts',
    ],
  },
  {
    section: 'D-298 Priorities',
    rule: 'Bookings come before other work of flows, notifications after it, sweeps last.',
    heldBy: [
      'test/flows/priority.test.ts > a flow asks for its booking before its other work, and for its notifications after it',
      'test/flows/priority.test.ts > a backlog > of sweeps does not delay a booking',
    ],
  },
  {
    section: 'D-299 Fair shares of the workers',
    rule: 'A flood at one pick up point does not delay a booking at another.',
    heldBy: [
      'test/flows/priority.test.ts > a backlog > of one pick up point does not delay a booking at another one',
      'test/flows/priority.test.ts > the priority of a flow',
    ],
  },
  {
    section: 'D-300 A ramp is measured through Temporal',
    rule: 'Failing workflow tasks, refusals, overdue flows and tasks without a worker end a ramp; as many as before do not.',
    heldBy: [
      'test/worker/promotion/figures.test.ts',
      'test/worker/versioning/ramp.test.ts > a ramp > goes back when more flows are refused than before',
      'test/worker/versioning/rampSilentFaults.test.ts > a ramp > goes on while refused and overdue flows stay as they were',
      'test/worker/versioning/rampSilentFaults.test.ts > a ramp > of a build that makes flows overdue goes back within a minute and strands no flow',
      'test/worker/versioning/rampSilentFaults.test.ts > a ramp > during which the workers of the build die goes back within a minute and strands no flow',
    ],
  },
  {
    section: 'D-433 Activities that fail on a build that ramps',
    rule: 'A ramp ends when more of the new flows repeat an activity than on the current build.',
    heldBy: [
      'test/worker/promotion/figures.test.ts > a measurement > compares %i open flows of which %i repeat an activity with %i and %i',
      'test/worker/versioning/ownFlows.test.ts > own flows in two promoted builds > show the activity of their own that fails again and again',
    ],
  },
  {
    section: 'D-301 The way back',
    rule: 'A bad build is back within a minute, and every flow that was on it ends on the current build.',
    heldBy: [
      'test/worker/versioning/ramp.test.ts > a ramp > of a build whose %s task of a flow fails goes back within a minute and strands no flow',
      'test/worker/versioning/ramp.test.ts > a ramp > that is interrupted moves its flows to the current build, where they complete',
      'test/worker/versioning/ramp.test.ts > a ramp > resets flows that the current build does not replay; nothing is booked twice',
    ],
  },
  {
    section: 'D-302 A ramp without its command',
    rule: 'A killed command leaves its ramp, which the next one finds. A signal and `--roll-back` end it.',
    heldBy: [
      'test/worker/versioning/rampCommand.test.ts > the command > that was killed leaves its ramp, which another one finds and names',
      'test/worker/versioning/rampCommand.test.ts > the command > rolls back on request, and on a signal',
    ],
  },
  {
    section: 'D-400 Flows that stay on a build that goes back',
    rule: 'Flows that were pinned to a build before its ramp stay there when it goes back, and so does one that cannot be moved.',
    heldBy: [
      'test/worker/versioning/rollBack.test.ts > a ramp that goes back leaves the flows that were pinned to the build before it',
      'test/worker/versioning/rollBack.test.ts > a flow that a third build began and the current one does not replay is left where it is',
    ],
  },
  {
    section: 'D-480 Signals that cannot be decoded',
    rule: 'A signal that no worker can decode is a rejection of its flow, which goes on. A start with such an input fails with InvalidFlowInput.',
    heldBy: ['test/workflows/undecodable.test.ts'],
  },
  {
    section: 'D-481 Runs that take no more signals',
    rule: 'A callback of a run that takes no more signals is answered with 429, and reaches the next run.',
    heldBy: ['test/gateway/signalLimit.test.ts'],
  },
  {
    section: 'D-482 Tokens of Nexus operations',
    rule: 'A token that names no flow, or for `book` no wait for a booking, cancels nothing.',
    heldBy: ['test/nexus/tokens.test.ts > a cancellation is refused'],
  },
  {
    section: 'D-504 Unknown fields of an input',
    rule: 'A start with an unknown field fails with `InvalidFlowInput`, which names it.',
    heldBy: [
      'test/activities/plan/input.test.ts',
      'test/workflows/flow/malformed.test.ts > a flow with misspelled windows fails',
      'test/nexus/operations.test.ts > misspelled windows fail the operation, and the failure names them',
    ],
  },
  {
    section: 'D-509 Hints in a long run',
    rule: 'A long run with work under way polls for hints once an hour, and the next run polls at once.',
    heldBy: ['test/workflows/steps/wait/hints.test.ts > hints during a run step whose history is long (D-509)'],
  },
  {
    section: 'D-510 Scheduled polls in a long run',
    rule: 'A long run with work under way polls once an hour, whatever the setting.',
    heldBy: [
      'test/workflows/steps/wait/hints.test.ts > scheduled polls during a run step whose history is long (D-510)',
    ],
  },
  {
    section: 'D-511 An answer straight after a start',
    rule: 'An answer before the plan or before its step is rejected with `NotAskedYet`.',
    heldBy: [
      'test/workflows/updates/answerWithStart.test.ts > an answer that is sent with the start is rejected, and accepted later',
    ],
  },
  {
    section: 'D-512 Results that cannot be decoded',
    rule: 'A run step whose result or heartbeat no worker can decode fails, and a header has no effect.',
    heldBy: ['test/workflows/undecodable.test.ts'],
  },
  {
    section: 'D-449 Activities that are completed by hand',
    rule: 'A booking, a clean-up or a call that is completed with a result of another form fails. The flow goes on, and ends. A booking that is failed by hand is searched and undone.',
    heldBy: ['test/workflows/completedByHand.test.ts', 'test/workflows/activityResults.test.ts'],
  },
  {
    section: 'D-417 Memos that cannot be decoded',
    rule: 'A flow with a memo that no worker can decode goes on, and gateway and command line can read it.',
    heldBy: ['test/workflows/undecodable.test.ts > a %s that cannot be decoded does not stop a flow'],
  },
  {
    section: 'D-513 Attempts that certainly booked nothing',
    rule: 'A flow whose every create was rejected with HTTP 429 searches no booking. An attempt without a response, or lost with its worker, makes the outcome unknown. A call that is refused after HTTP 429 is not left over.',
    heldBy: [
      'test/workflows/steps/book/retryAfter.test.ts > a service %s that is busy > has certainly booked nothing if it rejected every create, so that nothing is searched',
      'test/activities/certainAttempts.test.ts',
      'test/workflows/steps/workshop.test.ts > a call that leaves something for a person > is not when the service refuses it after HTTP 429',
    ],
  },
  {
    section: 'D-521 Failures without a type in TypeScript',
    rule: 'A non-retryable failure of the type `Error` fails the flow with `RunGivenUp`, unless the step names `Error`.',
    heldBy: [
      'test/workflows/steps/workshop.test.ts > a flow with every kind of step > fails with RunGivenUp, and not with a code of the service, on a failure without a type, %s',
    ],
  },
  {
    section: 'D-427 A flow that is reset',
    rule: 'Answers of before a reset are kept until their steps, and a booking that depends on another answer is left over.',
    heldBy: ['test/workflows/resets.test.ts'],
  },
  {
    section: 'D-441 Retry-After of another service',
    rule: 'A Retry-After of zero or in the past ends no retries, and one of years is cut to a minute.',
    heldBy: [
      'test/workflows/steps/book/outages.test.ts > a service whose Retry-After names %s is retried',
      'test/gateway/registration.test.ts > a Retry-After of %s is cut to a minute',
      'test/activities/callOperation.test.ts > at a service that is busy, %s > waits at most a minute if Retry-After names %s',
    ],
  },
  {
    section: 'D-441 Retry-After of another service',
    rule: 'The next create after any attempt to book waits for its Retry-After, and a cancellation does not.',
    heldBy: ['test/workflows/steps/book/retryAfter.test.ts'],
  },
  {
    section: 'D-443 Callbacks that a poll does not confirm',
    rule: 'A change that the service shows seconds after its callback reaches the flow within seconds.',
    heldBy: [
      'test/workflows/steps/wait/hints.test.ts > a callback that is only a hint > whose state the service shows seconds later is followed by another poll soon',
      'test/workflows/steps/wait/hints.test.ts > a callback that is only a hint > is confirmed by a service that takes seconds to read',
      'test/workflows/steps/wait/hints.test.ts > a callback after a forged one > has further polls of its own',
      'test/workflows/steps/wait/hints.test.ts > forged hints > do not postpone regular polls',
    ],
  },
  {
    section: 'D-445 Levels of a request',
    rule: 'A request of more than 100 levels is refused before it books, and a case that has one can be compared.',
    heldBy: [
      'test/workflows/largeInputs.test.ts > a request of %i levels is refused before it books',
      'test/activities/plan/input.test.ts > an invalid input names the field > %s',
      'test/client/causes.test.ts > a case that another program started with a deep request is in use',
    ],
  },
  {
    section: 'D-451 Polls without a response',
    rule: 'A poll without a response does not make the interval grow.',
    heldBy: [
      'test/workflows/steps/wait/earlyPolls.test.ts > polls that get no response > do not make the interval grow, so that the flow notices soon that the service is back',
    ],
  },
  {
    section: 'D-418 Attempts end before their timeout',
    rule: 'An attempt without a response frees its slot before Temporal times it out, and its create does not hold up a stop.',
    heldBy: [
      'test/worker/hangingCreates.test.ts > creates without a response hold one slot each, so other flows book meanwhile',
      'test/worker/stopping.test.ts > a worker whose create has no response yet after its attempt stops immediately',
    ],
  },
  {
    section: 'D-423 Promises that are rejected without a handler',
    rule: 'A worker process logs a promise that is rejected without a handler, and goes on.',
    heldBy: [
      'test/worker/startup.test.ts > a worker process > goes on after a promise that an activity of a team forgot to await',
    ],
  },
  {
    section: 'D-419 A sweep for late bookings has no limit',
    rule: 'A sweep for late bookings goes on until the service responds.',
    heldBy: [
      'test/workflows/sweep/late.test.ts > a sweep for late bookings, which no later sweep follows, goes on until the service is back',
    ],
  },
  {
    section: 'D-456 Nullable fields of responses',
    rule: 'A nullable field of a response fills a field that must be given only with a default, or under a condition on the response.',
    heldBy: [
      'test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s',
      'test/declarations/right.test.ts > the declaration of %s has no fault',
    ],
  },
  {
    section: 'D-404 Codes of the engine fail the flow',
    rule: 'A run step, and a failure of a test case, cannot name `RunGivenUp` and `OutputTooLarge`. A flow fails after them, also if a plan names them.',
    heldBy: [
      'test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s',
      'test/cases/load.test.ts > a fault names its place and the way out > an activity that fails with %s, a code of the engine',
      'test/workflows/steps/settle.test.ts > the end after > $name',
    ],
  },
  {
    section: 'D-405 Fields of several types',
    rule: 'A field that answers declare with different types fills a field only if each of its types fits.',
    heldBy: [
      'test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s',
      'test/declarations/right.test.ts > the declaration of %s has no fault',
    ],
  },
  {
    section: 'D-406 Casing in a merge',
    rule: 'Parts of a merge that have the same field of a request spell it as the contract does.',
    heldBy: [
      'test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s',
      'test/declarations/right.test.ts > the declaration of %s has no fault',
    ],
  },
  {
    section: 'D-413 Errors after which a flow goes on',
    rule: 'A step has the code of an error in its output, by which the flow goes on to the next step or to a later one.',
    heldBy: [
      'test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s',
      'test/declarations/right.test.ts > the declaration of %s has no fault',
    ],
  },
  {
    section: 'D-416 Null in a merge',
    rule: 'A part of a merge whose field may be null does not replace a value that the request needs.',
    heldBy: [
      'test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s',
      'test/declarations/right.test.ts > the declaration of %s has no fault',
    ],
  },
  {
    section: 'D-436 Requests that are not callbacks',
    rule: 'The listener of callbacks answers them in the form of the service, and logs them seldom.',
    heldBy: [
      'test/gateway/errors.test.ts > a request that is not a callback has an error of the listener, and a line in the log > %s',
      'test/gateway/errors.test.ts > a callback that stops arriving is 408, which names the limit',
      'test/gateway/errors.test.ts > a defect is 500 without its text, and an error in the log',
    ],
  },
  {
    section: 'D-452 Most operations of one flow',
    rule: 'An operation that Temporal does not attach to a flow fails with `TemporalLimitReached`, and the booking of the flow can be read.',
    heldBy: [
      'test/nexus/operations.test.ts > start > of a flow that 32 operations wait for fails with TemporalLimitReached, and `book` returns its booking',
    ],
  },
  {
    section: 'D-410 Long failures',
    rule: 'A failure with a long text reaches its caller in short, and no flow hangs or is terminated because of it.',
    heldBy: ['test/workflows/longFailures.test.ts'],
  },
  {
    section: 'D-408 Readiness of a gateway',
    rule: 'A gateway without callbacks notices that Temporal is unavailable. A late failure does not count after a success.',
    heldBy: [
      'test/gateway/outages.test.ts > Temporal cannot accept the signal > unavailable without callbacks: not ready, and ready again',
      'test/gateway/outages.test.ts > Temporal cannot accept the signal > for one signal alone: 503, and ready while later signals succeed',
    ],
  },
]
