/** The fields of a history event that the picture uses. */
interface HistoryEvent {
  readonly eventType: string
  readonly [attributes: string]: unknown
}

interface Payload {
  readonly data?: string
}

/** A recorded history as Temporal's JSON writes it. */
export interface RecordedHistory {
  readonly events: readonly HistoryEvent[]
}

const planning = ['  flow->>flow: plan: check the input, resolve stages and windows']
const booking = ['  flow->>service: create, with an idempotency key', '  flow->>service: read the shipments back']

/** A Mermaid sequence of the messages in a recorded history. */
export function toSequence({ events }: RecordedHistory): string {
  const roles = rolesIn(events)
  return [
    '```mermaid',
    'sequenceDiagram',
    '  participant starter',
    '  participant flow',
    '  participant service',
    '  participant gateway',
    ...events.flatMap(event => toSteps(event, roles)),
    '```',
  ].join('\n')
}

function toSteps(event: HistoryEvent, roles: ReadonlyMap<string, string>): string[] {
  const attributes = toAttributes(event)
  switch (event.eventType) {
    case 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED':
      return [`  starter->>flow: start ${read(attributes, 'workflowType', 'name')}`]
    case 'EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED':
      return [`  starter->>flow: update ${read(attributes, 'acceptedRequest', 'input', 'name')}`]
    case 'EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED':
      return ['  flow-->>starter: result']
    case 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED':
      return activity(attributes)
    case 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED': {
      const { shipmentUid, stateCode } = first(read(attributes, 'input', 'payloads'))
      return [
        `  service->>gateway: callback ${roles.get(String(shipmentUid)) ?? 'another'} ${stateCode}`,
        '  gateway->>flow: signal shipmentStatus',
      ]
    }
    case 'EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES':
      return step(attributes)
    case 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED':
      return [`  flow-->>starter: ${first(read(attributes, 'result', 'payloads')).outcome}`]
    default:
      return []
  }
}

function activity(attributes: unknown): string[] {
  const name = read(attributes, 'activityType', 'name')
  if (name === 'planFlow') return planning
  if (name === 'bookShipments') return booking
  if (name === 'planAndBook') return [...planning, ...booking]
  return [`  flow->>service: ${name}`]
}

function step(attributes: unknown): string[] {
  const fields = read(attributes, 'searchAttributes', 'indexedFields')
  const payload = read(fields, 'LockerflowSteps')
  const steps = payload === undefined ? null : decode(payload as Payload)
  return Array.isArray(steps) ? [`  Note over flow: step ${steps.join(', ')}`] : []
}

/** The role of each shipment, from the result of the booking. */
function rolesIn(events: readonly HistoryEvent[]): Map<string, string> {
  for (const event of events) {
    const { bookings } = first(read(toAttributes(event), 'result', 'payloads'))
    const [shipments] = Array.isArray(bookings) ? bookings : []
    if (Array.isArray(shipments)) return new Map(shipments.map(({ shipmentUid, role }) => [shipmentUid, role]))
  }
  return new Map()
}

function toAttributes(event: HistoryEvent): unknown {
  return Object.entries(event).find(([key]) => key.endsWith('EventAttributes'))?.[1]
}

function first(payloads: unknown): Record<string, unknown> {
  const value = Array.isArray(payloads) ? decode(payloads[0]) : undefined
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
}

function decode({ data }: Payload): unknown {
  return data === undefined ? undefined : JSON.parse(Buffer.from(data, 'base64').toString())
}

function read(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (below, key) => (below !== null && typeof below === 'object' ? (below as Record<string, unknown>)[key] : undefined),
    value,
  )
}
