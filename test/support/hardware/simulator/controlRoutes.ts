import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type DoorEventName, describeIssue, doorEvents } from '#contract'
import { type Behaviour, behaviours, type DoorStatus, type SimulatedDoor } from './doors.ts'

export interface ControlRouteParts {
  readonly find: (lockerUid: string) => SimulatedDoor | undefined
  readonly list: () => readonly DoorStatus[]
  /** Events that the service has not accepted yet. */
  readonly pendingEvents: () => number
}

const behaviourBody = z.object({
  behaviour: z.enum(Object.keys(behaviours) as [Behaviour, ...Behaviour[]]),
  /** Milliseconds, for `slow`. */
  delayMs: z.int().min(0).max(600_000).default(0),
})
const eventBody = z.object({ event: z.enum(Object.keys(doorEvents) as [DoorEventName, ...DoorEventName[]]) })

const unknownDoor = { message: 'lockerUid: must be one that GET /control/doors lists.' }
/** The server's own messages do not name the way out. */
const bodyFaults: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The header content-type must be application/json.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body must be JSON.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body must be JSON.',
}

interface DoorRoute {
  readonly Params: { readonly lockerUid: string }
}

/** The control API of the doors, for people and tests. Without a signature: the simulator listens on loopback. */
export function controlRoutes(app: FastifyInstance, { find, list, pendingEvents }: ControlRouteParts): void {
  const path = '/control/doors/:lockerUid'
  const rejectBody = (reply: FastifyReply, error: z.ZodError, body: unknown) =>
    reply.code(400).send({ message: `${error.issues.map(issue => describeIssue(issue, body)).join('; ')}.` })
  app.setErrorHandler<FastifyError>((error, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ message: bodyFaults[error.code] ?? error.message }),
  )

  app.get('/control/doors', async () => ({ doors: list(), pendingEvents: pendingEvents() }))
  app.get<DoorRoute>(path, async ({ params }, reply) => {
    return find(params.lockerUid)?.status() ?? reply.code(404).send(unknownDoor)
  })
  app.put<DoorRoute>(path, async ({ params, body }, reply) => {
    const read = behaviourBody.safeParse(body)
    if (!read.success) return rejectBody(reply, read.error, body)
    const door = find(params.lockerUid)
    if (door === undefined) return reply.code(404).send(unknownDoor)
    door.behave(read.data.behaviour, read.data.delayMs)
    return door.status()
  })
  app.post<DoorRoute>(`${path}/events`, async ({ params, body }, reply) => {
    const read = eventBody.safeParse(body)
    if (!read.success) return rejectBody(reply, read.error, body)
    const door = find(params.lockerUid)
    if (door === undefined) return reply.code(404).send(unknownDoor)
    door.happen(read.data.event)
    return door.status()
  })
}
