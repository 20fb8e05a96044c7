import { ApplicationFailure } from '@temporalio/common'
import { ApiFault, ApiRefusal, type JsonOperationName } from '#contract/client'
import { type StoryEvent, type StoryParts, type StoryUpdate, tellWord, toMoment } from '#testing/story'
import { openLocker } from '#testing/story/people'
import type { SimulatedFlow } from './flow.ts'
import { toCancelRequest, toUpdate } from './messages.ts'
import { toCode, type UpdateEnd } from './server.ts'
import { readDuration } from './work.ts'

/** The outcome of an event. A refused one has changed nothing. */
export type Applied =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

const done: Applied = { kind: 'done' }

/** Applies one event of a story, and everything that follows from it at the same moment. */
export async function applyEvent(flow: SimulatedFlow, event: StoryEvent): Promise<Applied> {
  flow.notes.add({ kind: 'storyEvent', event })
  const applied = await tellWord(event, partsOf(flow)).then(
    () => done,
    (error: unknown) => {
      if (error instanceof ApiRefusal || error instanceof ApiFault) return refused(error.code, error.message)
      throw error
    },
  )
  await flow.collectCallbacks()
  await flow.settle()
  if (applied.kind === 'refused') {
    const [update = ''] = Object.keys(event)
    flow.notes.add({ kind: 'refused', update, code: applied.code, message: applied.message })
  }
  return applied
}

/** What words do to a simulated flow. */
function partsOf(flow: SimulatedFlow): StoryParts {
  const { world, clock, placeholders, lost } = flow
  return {
    values: placeholders,
    faults: world.faults,
    lost,
    shipmentUid: async role => shipmentOf(flow, role).shipmentUid,
    async open(role, code) {
      const { shipmentUid, ...locker } = shipmentOf(flow, role)
      await openLocker(world.api, shipmentUid, code, locker.lockerName == null ? undefined : locker)
    },
    call: (name: JsonOperationName, request: never) => world.api.call(name, request),
    update: given => update(flow, given),
    pass: word =>
      flow.advanceTo(
        'after' in word
          ? clock.now() + readDuration('after', word.after)
          : toMoment(word.at, placeholders, clock.now()),
      ),
    cancelInWebUi: async () => flow.mailbox.add([toCancelRequest()]),
    loseWorker: () => flow.loseWorker(),
  }
}

/** Sends an update. One that waits for the end of the flow is done when it is accepted. @throws ApiRefusal */
async function update(flow: SimulatedFlow, { name, argument }: StoryUpdate): Promise<void> {
  const { execution, mailbox } = flow
  if (execution.end !== undefined) throw new ApiRefusal('FlowEnded', 'The flow has ended.', {})
  const ends: UpdateEnd[] = []
  mailbox.add([toUpdate(name, argument, end => ends.push(end))])
  await flow.settle()
  const [end] = ends
  if (end === undefined || 'result' in end) return
  const { failure } = end
  throw new ApiRefusal((failure instanceof ApplicationFailure && failure.type) || failure.name, failure.message, {})
}

/** @throws Error for a role that is not booked */
function shipmentOf(
  { execution, placeholders }: SimulatedFlow,
  role: string,
): { shipmentUid: string; pupUid: string | null; lockerName: string | null } {
  const { shipments } = execution.status()
  const booked = shipments.findLast(shipment => shipment.role === role)
  if (booked !== undefined) return booked
  const item = placeholders.items.get(role)
  if (item !== undefined) return { shipmentUid: item, pupUid: null, lockerName: null }
  const known = [...shipments.map(shipment => shipment.role), ...placeholders.items.keys()]
  const reason = execution.end !== undefined && 'failure' in execution.end ? toReason(execution.end.failure) : ''
  throw new Error(`${role}: must be a booked role or a name from \`before\`: ${known.join(', ') || '(none)'}.${reason}`)
}

/** A flow that has failed at its start has booked nothing. */
function toReason(failure: Error): string {
  return ` The flow has failed with ${toCode(failure)}: ${failure.message}`
}

function refused(code: string, message: string): Applied {
  return { kind: 'refused', code, message }
}
