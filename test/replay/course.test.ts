import { beforeAll, describe, expect, test } from 'vitest'
import { installRuntime, replay } from '#worker'
import type { Course } from '../../workflows/run.ts'
import { bundleAltered } from './copied.ts'
import { readHistories, runOf } from './histories.ts'

/** The runs that began with the course of an older one. */
const carriedOn = [...readHistories().values()].filter(recorded => runOf(recorded).before !== undefined)

/** All but those that are only shown, or only say how long a timer is: no history differs by these. */
const fields = [
  'plan',
  'stage',
  'deadline',
  'nextLook',
  'overdue',
  'shipments',
  'refusals',
  'notices',
] as const satisfies (keyof Course)[]

/** Stands in the altered bundle for the field that it does not find. */
const placeholder = 'theFieldThatIsRenamed'

// Histories that must not replay are no news for the log.
beforeAll(() => installRuntime('ERROR'))

describe('a run that began with the course of an older one', () => {
  let code: string

  beforeAll(async () => {
    const altered = await bundleAltered(file =>
      file.endsWith('/interpreter.ts')
        ? text => text.replace(/: carried\)$/m, `: carried && { ...carried, ${placeholder}: undefined })`)
        : undefined,
    )
    code = altered.code
  })

  test('replays with an interpreter that finds every field by its name', async () => {
    expect(await replay({ code }, carriedOn)).toEqual([])
  })

  test.each(fields)('does not replay with one that has another name for %s', async field => {
    expect(await replay({ code: code.replaceAll(placeholder, field) }, carriedOn)).not.toEqual([])
  })
})
