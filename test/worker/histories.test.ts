import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import protos from '@temporalio/proto'
import { expect, test } from 'vitest'
import { historyToJson, toHistory } from '../../worker/histories.ts'
import { readHistories } from '../replay/histories.ts'

/** The names of histories with children, updates, cancellations and other runs. */
const wanted = /^(stock|repairShop|notification|sweep)-/
const histories = [...readHistories()]
  .filter(([name]) => wanted.test(name))
  .map(([name, { history }]) => [name, history] as const)

/** Constants in these histories, by the beginning that older tools leave out. */
const prefixes = [
  ...['EVENT_TYPE_', 'TASK_QUEUE_KIND_', 'PARENT_CLOSE_POLICY_', 'RETRY_STATE_', 'CONTINUE_AS_NEW_INITIATOR_'],
  ...['WORKFLOW_ID_REUSE_POLICY_', 'WORKFLOW_TASK_FAILED_CAUSE_', 'APPLICATION_ERROR_CATEGORY_'],
]
const constant = new RegExp(`"(?:${prefixes.join('|')})([A-Z_]+)"`, 'g')

/** The JSON in which `EVENT_TYPE_TIMER_FIRED` is `TimerFired`. */
function withOlderNames(history: unknown): unknown {
  const toPascal = (name: string) =>
    name.replaceAll(/([A-Z])([A-Z]*)_?/g, (_, first: string, rest: string) => first + rest.toLowerCase())
  return JSON.parse(JSON.stringify(history).replaceAll(constant, (_, name: string) => `"${toPascal(name)}"`))
}

// The source tree has one copy of protobufjs, so Temporal's own conversion works here.
test.each(histories)('%s is converted as Temporal does it, in both directions', (_name, json) => {
  const read = toHistory(json)
  const expected = historyFromJSON(json)
  expect(JSON.stringify(read)).toBe(JSON.stringify(expected))
  expect(historyToJson(read)).toBe(historyToJSON(expected))
  expect(JSON.parse(historyToJson(read))).toEqual(json)
  expect(toHistory(read)).toBe(read)
})

test('names of older tools are those of the messages', () => {
  const older = histories.map(([, json]) => withOlderNames(json))
  expect(JSON.stringify(older)).toContain('"StartChildWorkflowExecutionInitiated"')
  expect(older.map(json => historyToJson(toHistory(json)))).toEqual(
    histories.map(([, json]) => historyToJson(toHistory(json))),
  )
})

test('JSON that is not a history names the field', () => {
  const events = [{ eventId: '1', timerStartedEventAttributes: { timerId: 7 } }]
  expect(() => toHistory({ events })).toThrow('timerId')
})

interface MessageType {
  readonly fullName: string
  readonly values?: object
  readonly fields?: Readonly<Record<string, { map: boolean; resolve(): { resolvedType: MessageType | null } }>>
}

/** The types that a message contains, and its own. */
function typesIn(type: MessageType, found = new Set<MessageType>()): Set<MessageType> {
  if (found.has(type)) return found
  found.add(type)
  for (const field of Object.values(type.fields ?? {})) {
    const { resolvedType } = field.resolve()
    if (resolvedType !== null) typesIn(resolvedType, found)
  }
  return found
}

// The conversion of older names does not look into maps.
test('no map of a history has constants', () => {
  const { lookupType } = protos as unknown as { lookupType: (name: string) => MessageType }
  const messages = [...typesIn(lookupType.call(protos, 'temporal.api.history.v1.History'))]
  const maps = messages.flatMap(({ fields = {} }) => Object.values(fields).filter(({ map }) => map))
  const inMaps = maps.flatMap(field => field.resolve().resolvedType ?? [])
  expect(inMaps.map(({ fullName }) => fullName)).toContain('.temporal.api.common.v1.Payload')
  const constants = inMaps.flatMap(type => [...typesIn(type)]).filter(({ values }) => values !== undefined)
  expect(constants).toEqual([])
})
