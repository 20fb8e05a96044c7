import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { expect, test } from 'vitest'
import { readHistories } from '../../replay/histories.ts'
import { payloadsIn } from '../../support/codec/payloads.ts'

/** The recorded histories contain each flow in each of its ways to end. */
const histories = [...readHistories()].map(([name, { history }]) => ({
  name,
  events: historyFromJSON(history).events ?? [],
}))

const decoded = (payload: Payload): unknown => defaultPayloadConverter.fromPayload(payload)

/** Members that Temporal lists, shows without a codec server, or sends on to other systems. */
const visible = ['searchAttributes', 'memo', 'userMetadata', 'workflowId', 'header', 'identity', 'requestId', 'reason']

/** The text of all visible members, with decoded payloads. */
function visibleIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return []
  return Object.entries(value).flatMap(([name, member]) =>
    visible.includes(name) ? textsIn(member) : visibleIn(member),
  )
}

function textsIn(value: unknown): string[] {
  if (value instanceof Uint8Array || value === null || value === undefined) return []
  if (typeof value !== 'object') return [String(value)]
  if ('metadata' in value && 'data' in value) return [JSON.stringify(decoded(value as Payload)) ?? '']
  return Object.values(value).flatMap(textsIn)
}

/** Fields of accounts that reveal who or where a person is, in any casing. */
const personal =
  /^(emailaddress|username|firstname|lastname|phonenumber|mailcode|streetname|streetno|mailbox|city|countrycode)$/i

/** The types of declared fields, which plans have in the places of values. */
const fieldTypes: readonly unknown[] = ['text', 'number', 'integer', 'boolean', 'instant', 'date', 'uid']

/** The personal values in the payloads of the history, which are long enough to be found by their text. */
function personalIn(events: unknown): string[] {
  return payloadsIn(events).flatMap(payload => personalOf(decoded(payload)))
}

function personalOf(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => {
    // A plan's outputs name fields of its steps.
    if (name === 'outputs' && 'fingerprint' in value) return []
    const isPersonal = typeof member === 'string' && personal.test(name) && !fieldTypes.includes(member)
    return isPersonal && member.length > 2 ? [member] : personalOf(member)
  })
}

test('search attributes, memo, ids, summaries and details of every flow contain no personal field', () => {
  const found = histories.flatMap(({ name, events }) => {
    const text = visibleIn(events).join('\n')
    return personalIn(events)
      .filter(value => text.includes(value))
      .map(value => `${name}: ${value}`)
  })
  expect(found).toEqual([])
})

test('the histories have personal fields and visible texts, so that the check can fail', () => {
  expect(histories.length).toBeGreaterThan(80)
  expect(histories.flatMap(({ events }) => personalIn(events)).length).toBeGreaterThan(10)
  for (const { name, events } of histories) expect(visibleIn(events).join('\n'), name).toMatch(/\w/)
})
