import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runVerb } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { useWorld } from '../support/world/useWorld.ts'
import { readBlocks } from './blocks.ts'

const world = useWorld()
const blocks = readBlocks('how-to/look-after-flows.md')
const folder = mkdtempSync(join(tmpdir(), 'lockerflow-page-'))
const pageCase = 'I1701-1982'

/** The command lines of a block, with a case and files of this test. */
function commandsOf(info: string, caseNo: string): string[][] {
  const block = blocks.find(each => each.info === info)
  if (block === undefined) throw new Error(`the page has no block ${info}`)
  const lines = block.text.replaceAll('\\\n', ' ').trim().split('\n')
  return lines.map(line => {
    const words = line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)
    return [...words]
      .map(([, double, single, bare]) => double ?? single ?? bare ?? '')
      .slice(2)
      .map(word => word.replaceAll(pageCase, caseNo))
      .map(word => (/\.(jsonl|yaml)$/.test(word) ? join(folder, word) : word))
      .map(word => word.replace("overdue and pickUpPoint = 'pup-1'", `overdue and case = '${caseNo}'`))
  })
}

function run(args: readonly string[]) {
  const { options } = world.client.connection as unknown as { readonly options: { readonly address: string } }
  const { baseUrl, authUrl, clientId, clientSecret } = world.apiSettings
  return runVerb(args, {
    TEMPORAL_ADDRESS: options.address,
    TEMPORAL_NAMESPACE: world.client.options.namespace,
    LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    LOCKERFLOW_BASE_URL: baseUrl,
    LOCKERFLOW_AUTH_URL: authUrl,
    LOCKERFLOW_CLIENT_ID: clientId,
    LOCKERFLOW_CLIENT_SECRET: clientSecret,
  })
}

test('the commands of the page do what it says', async () => {
  const caseNo = world.newCase()
  const [start = [], status = [], list = [], decide = [], cancel = [], wait = []] = commandsOf('commands', caseNo)
  expect(await run(start)).toMatchObject({ code: 0, values: [{ kind: 'Booked' }] })
  expect(await run(status)).toMatchObject({ code: 0 })
  expect(await run(list)).toMatchObject({ code: 0, values: [{ kind: 'Listed' }] })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)

  const [bulk = [], resume = []] = commandsOf('bulk', caseNo)
  await eventually(async () => {
    const page = await world.flows.list({ where: `overdue and case = '${caseNo}'` })
    return page.kind === 'Listed' && page.cases.length === 1
  })
  expect(await run(bulk)).toMatchObject({ code: 0, values: [{ cases: 1, done: 1 }] })
  expect(await run(resume)).toMatchObject({ code: 0, values: [{ cases: 1, done: 1 }] })
  expect(await run(decide)).toMatchObject({ code: 1, failure: { code: 'NothingToDecide' } })

  writeFileSync(join(folder, 'cancel.yaml'), 'shipmentUid: 8b0b3dc5\n')
  const [shipments = [], printed = []] = commandsOf('call', caseNo)
  expect(await run(shipments)).toMatchObject({ code: 0, values: [{ items: [{ stateCode: 'ReadyForDropOff' }] }] })
  expect((await run(printed)).lines.join('\n')).toContain('--data-raw \'{"shipmentUid":"8b0b3dc5"}\'')
  expect(await run(cancel)).toMatchObject({ code: 0, values: [{ kind: 'Cancelled' }] })
  expect(await run(wait)).toMatchObject({ code: 1, values: [{ kind: 'Ended', result: { outcome: 'cancelled' } }] })
})
