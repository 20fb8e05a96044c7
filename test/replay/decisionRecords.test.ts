import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../project/sources.ts'

const folder = join(root, 'test/histories')

interface Accepted {
  readonly meta: { readonly identity: string }
  readonly input: { readonly name: string; readonly args?: { readonly payloads: readonly { readonly data: string }[] } }
}

/** The accepted updates of a recorded history, with their moments. */
function readUpdates(file: string): { readonly time: string; readonly accepted: Accepted }[] {
  const { events } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  return events.flatMap(
    (event: { eventTime: string; workflowExecutionUpdateAcceptedEventAttributes?: { acceptedRequest: Accepted } }) => {
      const accepted = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest
      return accepted === undefined ? [] : [{ time: event.eventTime, accepted }]
    },
  )
}

test('a history records who decided what, and when', () => {
  const decided = readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .flatMap(readUpdates)
    .filter(({ accepted }) => accepted.input.name === 'decide')
  expect(decided.length).toBeGreaterThan(0)
  for (const { time, accepted } of decided) {
    expect(Date.parse(time)).toBeGreaterThan(0)
    expect(accepted.meta.identity).not.toBe('')
    const [payload] = accepted.input.args?.payloads ?? []
    const decision = JSON.parse(Buffer.from(payload?.data ?? '', 'base64').toString())
    expect(['extend', 'cancel', 'keepWaiting']).toContain(decision.decision)
  }
})
