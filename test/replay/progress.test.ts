import { beforeAll, describe, expect, test } from 'vitest'
import { replay } from '#worker'
import { installTestRuntime } from '../support/world/runtime.ts'
import { bundleEdited } from './copiedWorkflows.ts'
import { readHistories, runOf } from './histories.ts'
import { recordedFields } from './recordedFields.ts'

/** The runs that began with the progress of an older one. */
const continuedAsNew = [...readHistories().values()].filter(recorded => runOf(recorded).before !== undefined)

/** Replaces a field's name in the edited bundle, so that the field is not found. */
const placeholder = 'theFieldThatIsRenamed'

const withoutField: Readonly<Record<keyof typeof recordedFields, string>> = {
  progress: `{ ...continuedFrom, ${placeholder}: undefined }`,
  token: `{ ...continuedFrom, tokens: continuedFrom.tokens.map(each => ({ ...each, ${placeholder}: undefined })) }`,
  lockers: `{ ...continuedFrom, lockers: { ...continuedFrom.lockers, ${placeholder}: undefined } }`,
}

// Expected replay failures stay out of the log.
beforeAll(() => installTestRuntime())

describe.each(['progress', 'token', 'lockers'] as const)('a run that began with the %s of an older one', part => {
  let code: string

  beforeAll(async () => {
    const altered = await bundleEdited(file =>
      file.endsWith('/workflows/flow.ts')
        ? text => text.replace('restore(flow, continuedFrom)', `restore(flow, ${withoutField[part]})`)
        : undefined,
    )
    code = altered.code
  })

  test('replays with an interpreter that finds every field by name', async () => {
    expect(await replay({ code }, continuedAsNew)).toEqual([])
  })

  // The other fields have their test in carriedFields.test.ts.
  test.each(recordedFields[part])('does not replay with one that renames %s', async field => {
    expect(await replay({ code: code.replaceAll(placeholder, field) }, continuedAsNew)).not.toEqual([])
  })
})
