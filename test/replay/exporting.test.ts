import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchAttributes, toWorkflowId } from '#flows'
import { findTemporalCommand, startTemporalServer, type TemporalServer } from '#testing/temporal'
import { findHistories, readHistory, replay } from '#worker'
import { root } from '../project/sources.ts'
import { eventually } from '../support/eventually.ts'
import { startFor, startWith } from '../support/flows/underway.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { bundle } from '../support/world/bundle.ts'
import { createWorld } from '../support/world/createWorld.ts'
import type { World } from '../support/world/flowWorld.ts'

const page = readFileSync(join(root, 'docs/how-to/upgrade.md'), 'utf8')

/** The commands of the page that export and replay histories. Every second part of the split text is a fenced block. */
const lines = page
  .split(/^ *```\w*\n/m)
  .filter((part, index) => index % 2 === 1 && part.includes('temporal workflow show'))
  .flatMap(block => block.trim().split('\n'))

const namespace = 'lockerflow'
const lacking = ['bash', 'jq', 'md5sum'].filter(tool => spawnSync(tool, ['--version']).error !== undefined)

describe('the page about exporting histories of production', () => {
  let folder: string
  let temporal: TemporalServer
  let world: World

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lockerflow-exporting-'))
    temporal = await startTemporalServer({
      databaseFile: join(folder, 'temporal.db'),
      logFile: join(folder, 'temporal.log'),
      ip: '127.0.0.1',
      namespace,
      searchAttributes,
      headless: true,
      progress: line => console.error(line),
    })
    world = await createWorld({ temporal: { address: temporal.address, namespace } })
    symlinkSync(await findTemporalCommand(line => console.error(line)), join(folder, 'temporal'))
  })

  afterAll(async () => {
    await world.stop()
    await temporal.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('names the namespace and the command that exist', () => {
    expect(lines.join('\n')).toContain(`--namespace ${namespace}`)
    expect(lines.at(-1)?.trim()).toBe('npx lockerflow replay exported')
  })

  test('exports each open flow with any case number, and all of them replay', async ({ skip }) => {
    skip(lacking.length > 0, `there is no ${lacking.join(' and no ')}`)
    const cases = [`I1/2-${randomUUID()}`, `../${randomUUID()}`, 'I1 \\2 "two" \'three\' $(four) *.json é']
    const request = { ...parcel, ToUserUid: world.userUid }
    for (const caseNo of cases) await startWith(world, 'issue', request, {}, caseNo)
    const over = await startFor(world, 'stock')
    await world.flows.cancel(over.caseNo, 'over')
    const wanted = cases.map(toWorkflowId).sort()
    // Visibility is eventually consistent.
    await eventually(async () => (await openFlows()).join() === wanted.join())

    // The commands of the page.
    for (let times = 0; times < 2; times++) {
      await inFolder(lines.slice(0, -1).join('\n'))
      expect(exported()).toEqual(wanted)
    }
    const histories = await Promise.all((await findHistories([join(folder, 'exported')])).map(readHistory))
    expect(await replay(await bundle(), histories)).toEqual([])
  })

  /** Runs a script with the `temporal` command on its PATH. */
  async function inFolder(script: string): Promise<void> {
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, TEMPORAL_ADDRESS: temporal.address }
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })
  }

  /** The flows whose histories are in the folder. */
  function exported(): string[] {
    const texts = readdirSync(join(folder, 'exported')).map(file =>
      readFileSync(join(folder, 'exported', file), 'utf8'),
    )
    return texts.map(text => JSON.parse(text).events[0].workflowExecutionStartedEventAttributes.workflowId).sort()
  }

  async function openFlows(): Promise<string[]> {
    const ids: string[] = []
    for await (const open of world.client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
      ids.push(open.workflowId)
    }
    return ids.sort()
  }
})
