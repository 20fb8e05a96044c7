/**
 * Order of work in the backlog of a task queue, 1 before 5. Temporal's default is 3, so the workflows of a team on
 * the same task queue come after flows and before notifications.
 */
export const priorities = {
  /** A caller waits for the booking. */
  booking: 1,
  flow: 2,
  notification: 4,
  sweep: 5,
} as const

/** The order of the tasks of a flow, in the shape of the SDK. */
export interface FlowPriority {
  readonly priorityKey: number
  readonly fairnessKey: string
}

/** Fields that name the pick up point, in lower case: keys of a request have any casing. */
const pickUpPointFields = ['pupuid', 'pickuppointuid']

/** Temporal limits a fairness key to 64 bytes. */
const maxKey = 64

/**
 * The priority of a new flow. Flows of one pick up point share the workers with those of each other pick up point in
 * equal parts. The key of a flow without a pick up point is its name.
 */
export function toFlowPriority(flow: string, request: unknown): FlowPriority {
  return { priorityKey: priorities.flow, fairnessKey: findPickUpPoint(request) ?? flow.slice(0, maxKey) }
}

/** The flow validates its request later, so that any value is possible here. */
function findPickUpPoint(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null) return undefined
  const entry = Object.entries(request).find(([name]) => pickUpPointFields.includes(name.toLowerCase()))
  const uid: unknown = entry?.[1]
  return typeof uid === 'string' && /^[!-~]{1,64}$/.test(uid) ? uid : undefined
}
