import { ApplicationFailure } from '@temporalio/common'
import { ApiFault, ApiRefusal } from '#contract/client'
import { fillIn, toMoment } from '#testing/cases/request'
import type { SimulatedFlow } from './flow.ts'
import { toCancelRequest, toUpdate } from './messages.ts'
import { openLocker } from './placeholders.ts'
import { toCode, type UpdateEnd, type UpdateName } from './server.ts'
import type { StoryEvent } from './story.ts'
import { readDuration } from './work.ts'

/** The outcome of an event. A refused one has changed nothing. */
export type Applied =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

const done: Applied = { kind: 'done' }

/** Applies one event of a story, and everything that follows from it at the same moment. */
export async function applyEvent(flow: SimulatedFlow, event: StoryEvent): Promise<Applied> {
  flow.notes.add({ kind: 'storyEvent', event })
  const applied = await apply(flow, event).catch((error: unknown) => {
    if (error instanceof ApiRefusal || error instanceof ApiFault) return refused(error.code, error.message)
    throw error
  })
  await flow.collectCallbacks()
  await flow.settle()
  if (applied.kind === 'refused') {
    const [update = ''] = Object.keys(event)
    flow.notes.add({ kind: 'refused', update, code: applied.code, message: applied.message })
  }
  return applied
}

async function apply(flow: SimulatedFlow, event: StoryEvent): Promise<Applied> {
  const { world, clock, placeholders } = flow
  if ('dropOff' in event) await open(flow, event.dropOff, 'deliveryCode')
  else if ('pickUp' in event) await open(flow, event.pickUp, 'pickUpCode')
  else if ('cancelShipment' in event) {
    await world.api.call('CancelShipment', { shipmentUid: shipmentOf(flow, event.cancelShipment).shipmentUid })
  } else if ('setReceiver' in event) {
    const { shipmentUid } = shipmentOf(flow, event.setReceiver)
    await world.api.call('SetShipmentReceiver', { shipmentUid, toUserUid: placeholders.user(event.user?.$user ?? 1) })
  } else if ('after' in event) await flow.advanceTo(clock.now() + readDuration('after', event.after))
  else if ('at' in event) await flow.advanceTo(toMoment(event.at, placeholders, clock.now()))
  else if ('fail' in event) world.faults.fail(event.fail)
  else if ('recover' in event) world.faults.recover(event.recover)
  else if ('loseCallbacks' in event) flow.lost.add(shipmentOf(flow, event.loseCallbacks).shipmentUid)
  else if ('deliverCallbacks' in event) flow.lost.delete(shipmentOf(flow, event.deliverCallbacks).shipmentUid)
  else if ('loseWorker' in event) await flow.loseWorker()
  else if ('cancelInWebUi' in event) flow.mailbox.add([toCancelRequest()])
  else if (!('expect' in event)) return update(flow, ...toNameAndArgument(flow, event))
  return done
}

type UpdateEvent = Extract<
  StoryEvent,
  { answer: string } | { decide: string } | { cancel: string } | { release: string } | { assignReceiver: object }
>

function toNameAndArgument({ placeholders }: SimulatedFlow, event: UpdateEvent): [UpdateName, unknown] {
  if ('answer' in event) return ['answer', { ...event, fields: fillIn(event.fields ?? {}, placeholders, ['fields']) }]
  if ('decide' in event) {
    return ['decide', { decision: event.decide, ...(event.by !== undefined && { by: event.by }) }]
  }
  if ('cancel' in event) return ['cancel', { reason: event.cancel }]
  if ('release' in event) return ['release', null]
  const user = event.assignReceiver
  return ['assignReceiver', { toUserUid: 'uid' in user ? user.uid : placeholders.user(user.$user) }]
}

/** Sends an update. One that waits for the end of the flow is done when it is accepted. */
async function update(flow: SimulatedFlow, name: UpdateName, argument: unknown): Promise<Applied> {
  const { execution, mailbox } = flow
  if (execution.end !== undefined) return refused('FlowEnded', 'The flow has ended.')
  const ends: UpdateEnd[] = []
  mailbox.add([toUpdate(name, argument, end => ends.push(end))])
  await flow.settle()
  const [end] = ends
  if (end === undefined || 'result' in end) return done
  const { failure } = end
  return refused((failure instanceof ApplicationFailure && failure.type) || failure.name, failure.message)
}

async function open(flow: SimulatedFlow, role: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
  const { shipmentUid, ...locker } = shipmentOf(flow, role)
  await openLocker(flow.world.api, shipmentUid, code, locker.lockerName == null ? undefined : locker)
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
