import { randomUUID } from 'node:crypto'
import { type Check, type CheckContext, CheckFailed, openDoor, readState } from './context.ts'
import type { Delivery, EventReceiver } from './eventReceiver.ts'

/** Opens the door and waits for the event. */
async function openAndWait(context: CheckContext, openId: string = randomUUID()): Promise<Delivery> {
  await openDoor(context, openId)
  return waitForOpening(context, openId)
}

function waitForOpening(context: CheckContext, openId: string): Promise<Delivery> {
  return requireEvents(context).until('event opened with the openId', ({ event, status }) => {
    return event?.event === 'opened' && event.openId === openId && status === 200
  })
}

/** The events of the door that arrived, each once, in order. */
function distinctEvents({ deliveries }: EventReceiver) {
  const first = deliveries.filter(({ id }, index) => deliveries.findIndex(other => other.id === id) === index)
  return first.flatMap(({ event }) => event ?? [])
}

function requireEvents({ events }: CheckContext): EventReceiver {
  if (events === undefined) throw new Error('this check needs a port for events')
  return events
}

/** The events of an adapter, received in place of the service. They run after the checks of requests. */
export const eventChecks: readonly Check[] = [
  {
    name: 'sends the event opened with the openId',
    needsEvents: true,
    run: async context => void (await openAndWait(context)),
  },
  {
    name: 'opens a door once for each openId',
    needsEvents: true,
    async run(context) {
      const openId = randomUUID()
      for (let count = 0; count < 3; count++) await openDoor(context, openId)
      await Promise.all([1, 2, 3].map(() => openDoor(context, openId)))
      // Events of a door arrive in order, so those of the repetitions have arrived before the next one.
      await openAndWait(context)
      const openings = distinctEvents(requireEvents(context)).filter(event => event.openId === openId)
      if (openings.length !== 1) throw new CheckFailed(`${openings.length} events opened for one openId`)
    },
  },
  {
    name: 'repeats an event that was answered with 503, with the same id and body',
    needsEvents: true,
    async run(context) {
      const openId = randomUUID()
      requireEvents(context).rejectNext(openId)
      const accepted = await openAndWait(context, openId)
      const refused = requireEvents(context).deliveries.find(({ event }) => event?.openId === openId)
      if (refused?.status !== 503) throw new CheckFailed('the first delivery is missing')
      if (refused.id !== accepted.id) throw new CheckFailed('the repeated event has another webhook-id')
      if (refused.body !== accepted.body) throw new CheckFailed('the repeated event has another body')
    },
  },
  {
    name: 'numbers the events of a door in growing order',
    needsEvents: true,
    async run(context) {
      await openAndWait(context)
      await openAndWait(context)
      const events = requireEvents(context)
      const numbers = distinctEvents(events).map(({ sequence }) => sequence)
      const wrong = numbers.findIndex((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))
      if (wrong > 0) throw new CheckFailed(`sequence ${numbers[wrong]} follows ${numbers[wrong - 1]}`)
      const { sequence } = await readState(context)
      if (sequence < (numbers.at(-1) ?? 0)) throw new CheckFailed('the state has an older sequence than the last event')
    },
  },
  {
    name: 'signs every event, with the fields of the protocol',
    needsEvents: true,
    async run(context) {
      const fault = requireEvents(context).deliveries.find(delivery => delivery.fault !== undefined)?.fault
      if (fault !== undefined) throw new CheckFailed(fault)
    },
  },
  {
    name: 'opened no door for a request that it refused',
    needsEvents: true,
    async run(context) {
      await openAndWait(context)
      const ids = distinctEvents(requireEvents(context)).flatMap(({ event, openId }) =>
        event === 'opened' ? [openId ?? ''] : [],
      )
      const stray = ids.find(id => !context.validIds.has(id))
      if (stray !== undefined) throw new CheckFailed(`the door opened for the openId ${JSON.stringify(stray)}`)
    },
  },
]
