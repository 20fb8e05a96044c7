import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { bundleFlows, type RecordedFlow, replay } from '#worker'
import { bundle } from '../flows/bundle.ts'
import { readHistories } from './histories.ts'
import { nobody } from './nobody.ts'
import { scenarios } from './scenarios.ts'

const histories = readHistories()
const root = fileURLToPath(new URL('../..', import.meta.url))
const altered = join(root, '.lockerflow', `altered-${randomUUID()}`)

afterAll(() => rmSync(altered, { recursive: true, force: true }))

describe('the recorded histories', () => {
  test('are those of the scenarios, each of them', () => {
    expect([...histories.keys()].sort()).toEqual(scenarios.map(({ name }) => name).sort())
  })

  test('replay with the workflows as they are', async () => {
    expect(await replay(await bundle(), histories.values())).toEqual([])
  })

  test('hold no access code and nothing personal', () => {
    for (const [name, { history }] of histories) {
      const text = JSON.stringify(history).replaceAll(/"data":"([^"]*)"/g, (_, data) =>
        Buffer.from(data, 'base64').toString().replaceAll(nobody, ''),
      )
      expect({
        name,
        found: text.match(/pickUpCode|deliveryCode|pinCode|"\d{6}"|[\w.+-]+@[a-z][\w-]*\.[a-z]{2,}|Robin|\+31\d+/i),
      }).toEqual({ name, found: null })
    }
  })
})

describe('a replay', () => {
  test('of an empty folder fails', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'lockerflow-empty-'))
    await expect(replay(await bundle(), readHistories(empty).values())).rejects.toThrow('no history to replay')
    rmSync(empty, { recursive: true })
  })

  test('fails with an interpreter that does something else', async () => {
    const faults = await replayAltered(file =>
      file.endsWith('/waiting.ts') ? text => text.replace(/^ +publish\(run\)\n/m, '') : undefined,
    )
    expect(faults.length).toBeGreaterThan(0)
    expect(faults[0]?.reason).toMatch(/Nondeterminism|determinism/i)
  })

  test('does not care for a declaration that changed: a run lives by its plan', async () => {
    const faults = await replayAltered(file =>
      file.includes('/flows/')
        ? text =>
            text
              .replaceAll(/window: '\w+'/g, "window: '1s'")
              .replaceAll(/answer: '\w+'/g, "answer: 'cancel'")
              .replaceAll(/name: '(dropOff|pickUp|swap|collect|return|ready)'/g, "name: 'renamed'")
        : undefined,
    )
    expect(faults).toEqual([])
  })
})

type Edit = (text: string) => string

/** Replays with a copy of the workflows in which some files are edited. Fails when an edit changes nothing. */
async function replayAltered(editOf: (file: string) => Edit | undefined) {
  rmSync(altered, { recursive: true, force: true })
  mkdirSync(altered, { recursive: true })
  cpSync(join(root, 'workflows'), altered, { recursive: true })
  let edited = 0
  for (const file of readdirSync(altered, { recursive: true, encoding: 'utf8' })) {
    const path = join(altered, file)
    const edit = file.endsWith('.ts') ? editOf(`/${file}`) : undefined
    if (edit === undefined) continue
    const before = readFileSync(path, 'utf8')
    const after = edit(before)
    if (after !== before) edited++
    writeFileSync(path, after)
  }
  expect(edited).toBeGreaterThan(0)
  return replay(await bundleFlows(join(altered, 'index.ts')), histories.values() as Iterable<RecordedFlow>)
}
