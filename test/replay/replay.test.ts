import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { replay } from '#worker'
import { bundle } from '../support/world/bundle.ts'
import { installTestRuntime } from '../support/world/runtime.ts'
import { bundleEdited, type FindEdit } from './copiedWorkflows.ts'
import { readHistories, runOf } from './histories.ts'
import { historyNames } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { unusedAddress } from './unusedAddress.ts'

const histories = readHistories()

// Expected replay failures stay out of the log.
beforeAll(() => installTestRuntime())

describe('the recorded histories', () => {
  test('are exactly those of the scenarios', () => {
    expect([...histories.keys()].sort()).toEqual(scenarios.flatMap(historyNames).sort())
  })

  test('are all the runs of a flow that continued as new, one after the other', () => {
    for (const names of scenarios.map(historyNames)) {
      const recorded = names.map(name => histories.get(name))
      const runs = recorded.map(each => each && runOf(each))
      const ids = runs.map(run => run?.runId)
      const chain = ids.map((runId, index) => ({ runId, before: ids[index - 1], next: ids[index + 1] }))
      expect({ names, runs }).toEqual({ names, runs: chain })
    }
  })

  test('replay with the current workflows', async () => {
    expect(await replay(await bundle(), histories.values())).toEqual([])
  })

  test('contain no access code and no personal data', () => {
    for (const [name, { history }] of histories) {
      const text = JSON.stringify(history).replaceAll(/"data":"([^"]*)"/g, (_, data) =>
        Buffer.from(data, 'base64').toString().replaceAll(unusedAddress, ''),
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
    await expect(replay(await bundle(), readHistories(empty).values())).rejects.toThrow(
      'histories: must contain at least one history.',
    )
    rmSync(empty, { recursive: true })
  })

  test('fails with a different interpreter', async () => {
    const faults = await replayAltered(file =>
      file.endsWith('/workflows/flow.ts')
        ? text => text.replace(/^ +publishSearchAttributes\(flow\)\n/m, '')
        : undefined,
    )
    expect(faults.length).toBeGreaterThan(0)
    expect(faults[0]?.reason).toMatch(/Nondeterminism|determinism/i)
  })

  test('does not depend on the declaration, since a run follows its plan', async () => {
    const faults = await replayAltered(file =>
      file.includes('/flows/')
        ? text =>
            text
              .replaceAll(/window: '\w+'/g, "window: '1s'")
              .replaceAll(/onTimeout: '\w+'/g, "onTimeout: 'cancel'")
              .replaceAll(/name: '(dropOff|pickUp|swap|collect|return|ready)'/g, "name: 'renamed'")
        : undefined,
    )
    expect(faults).toEqual([])
  })
})

/** Replays with an edited copy of the workflows. */
async function replayAltered(editOf: FindEdit) {
  return replay(await bundleEdited(editOf), histories.values())
}
