import { z } from 'zod'
import { text, uid } from '../fields.ts'

/** Paths of an adapter, below its address. */
export const adapterPaths = { open: '/open', state: '/state' } as const

/** Path of the service for events of an adapter. An adapter with a name adds `/<name>`. */
export const eventPath = '/hardware/events'

/** Maximum size of the body of a request or an event, in bytes. Those of this project are below 1 KiB. */
export const maxMessageBytes = 16 * 1_024

/** Milliseconds that an adapter has for the response to a state request, and the service for that to an event. */
export const responseTimeout = 5_000

/** The states of a door. `unknown`: its sensor does not respond. `broken`: it needs a person. `offline`: no connection. */
export const doorStates = ['closed', 'open', 'unknown', 'broken', 'offline'] as const
export type DoorState = (typeof doorStates)[number]

/** The events of a door, and the state that each leaves it in. */
export const doorEvents = {
  opened: 'open',
  closed: 'closed',
  /** The door was opened without a request, by a key or by force. */
  forced: 'open',
  broken: 'broken',
  offline: 'offline',
  unknown: 'unknown',
} as const satisfies Record<string, DoorState>

export type DoorEventName = keyof typeof doorEvents

const doorState = z.enum(doorStates).meta({ id: 'DoorState' })
const reason = text(200).nullish().meta({ description: 'For operators. Callers do not see it.' })
const sequence = z
  .int()
  .min(1)
  .meta({ description: 'Grows with each event of the door, even across restarts of the adapter.' })

const door = {
  pupUid: uid,
  lockerUid: uid,
  lockerName: text(100).min(1).meta({ description: 'The label on the door.' }),
}

/** Opens a door. The service retries it with the same `openId` until it has a response or its time is over. */
export const openRequest = z.object({
  type: z.literal('open'),
  openId: uid.meta({ description: 'A door opens once for an id, however often the request arrives.' }),
  ...door,
  validForMs: z
    .int()
    .min(1)
    .max(60_000)
    .meta({ description: 'Milliseconds from the arrival after which the door must not open.' }),
})

export const openResponse = z.object({
  openId: uid,
  opened: z.boolean().meta({ description: 'True when the door is open. False when it will not open for this id.' }),
  state: doorState,
  reason,
})

export const stateRequest = z.object({ type: z.literal('state'), ...door })

export const stateResponse = z.object({
  lockerUid: uid,
  state: doorState,
  sequence: z.int().min(0).meta({ description: 'The sequence of the last event of the door; 0 if it has had none.' }),
  reason,
})

/** Reports a change at a door. The adapter retries it until the service has accepted it. */
export const doorEvent = z.object({
  type: z.literal('event'),
  event: z.enum(Object.keys(doorEvents) as [DoorEventName, ...DoorEventName[]]),
  pupUid: uid,
  lockerUid: uid,
  sequence,
  occurredAt: z.iso.datetime({ offset: true }).meta({ description: "By the adapter's clock." }),
  openId: uid.nullish().meta({ description: 'With `opened`: the id of the request that opened the door.' }),
  reason,
})

export type OpenRequest = z.infer<typeof openRequest>
export type OpenResponse = z.infer<typeof openResponse>
export type StateRequest = z.infer<typeof stateRequest>
export type StateResponse = z.infer<typeof stateResponse>
export type DoorEvent = z.infer<typeof doorEvent>
