import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { installRuntime, replay } from '#worker'
import { bundle } from '../flows/bundle.ts'
import { bundleAltered, type EditOf } from './copied.ts'
import { readHistories, runOf } from './histories.ts'
import { nobody } from './nobody.ts'
import { namesOf } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const histories = readHistories()

// Histories that must not replay are no news for the log.
beforeAll(() => installRuntime('ERROR'))

describe('the recorded histories', () => {
  test('are those of the scenarios, each of them', () => {
    expect([...histories.keys()].sort()).toEqual(scenarios.flatMap(namesOf).sort())
  })

  test('are all the runs of a flow that continued as new, one after the other', () => {
    for (const names of scenarios.map(namesOf)) {
      const recorded = names.map(name => histories.get(name))
      const runs = recorded.map(each => each && runOf(each))
      const ids = runs.map(run => run?.runId)
      const chain = ids.map((runId, index) => ({ runId, before: ids[index - 1], next: ids[index + 1] }))
      expect({ names, runs }).toEqual({ names, runs: chain })
    }
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

/** Replays with a copy of the workflows in which some files are edited. */
async function replayAltered(editOf: EditOf) {
  return replay(await bundleAltered(editOf), histories.values())
}
