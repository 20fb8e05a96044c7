import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { converterOf, newKey } from '../../support/codec/keys.ts'
import { encodingsOf, keyIdsOf, payloadsIn } from '../../support/codec/payloads.ts'
import { type Command, examples, languages } from '../../support/examples/languages.ts'
import { run } from '../../support/examples/running.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const keys = [newKey('2026-12'), newKey('2026-11')]
const world = useWorld({ dataConverter: converterOf(...keys) })
const sample = JSON.parse(readFileSync(join(examples, 'stock.json'), 'utf8'))

/** Milliseconds that the first installation or build may take. */
const installTimeout = 900_000

describe.each(languages)('the example in $name, with keys', ({ lacks, prepare }) => {
  let command: Command
  beforeAll(async () => {
    if (lacks !== undefined) return
    const { variables, ...prepared } = await prepare()
    command = { ...prepared, variables: { ...variables, LOCKERFLOW_CODEC_KEYS: keys.join(',') } }
  }, installTimeout)

  const example = test.skipIf(lacks !== undefined)

  example('starts a flow, sends a decision and reads the result, all encrypted', async () => {
    const caseNo = world.newCase()
    const input = { ...sample, caseNo, windows: { dropOff: '300ms' } }
    const { lines, ended } = run(command, world, ['stock', 'cancel'], input)
    expect(await ended).toEqual({ code: 0, said: '' })
    expect(lines.slice(1, -1)).toEqual(['status: overdue in dropOff', 'decided: cancel'])
    const payloads = payloadsIn(await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory())
    expect(encodingsOf(payloads)).toEqual(['binary/encrypted'])
    expect(keyIdsOf(payloads)).toEqual(['2026-12'])
  })

  example('reads the failure of a flow', async () => {
    const { ended } = run(command, world, ['stock', 'cancel'], { ...sample, caseNo: world.newCase(0), request: {} })
    expect(await ended).toEqual({ code: 1, said: expect.stringMatching(/^InvalidFlowInput: request: .*\n$/) })
  })

  example('without the key, names the setting', async () => {
    const other = { ...command, variables: { ...command.variables, LOCKERFLOW_CODEC_KEYS: keys[1] ?? '' } }
    const caseNo = world.newCase()
    const { ended } = run(other, world, ['stock', 'cancel'], { ...sample, caseNo })
    const { code, said } = await ended
    expect(code).toBe(1)
    expect(said).toContain('LOCKERFLOW_CODEC_KEYS: must contain the key 2026-12')
    await world.flows.cancel(caseNo, 'over')
  })
})
