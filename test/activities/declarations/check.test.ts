import { describe, expect, test } from 'vitest'
import { createActivities } from '#activities'
import type { Api } from '#api'
import { fullProfile } from '#contract/terms'
import { type FlowDeclaration, flows } from '#flows'

/** Declarations are checked before anything is called. */
const uncalled = {} as Api

/** The problems that loading the flows reports; undefined if there are none. */
function faultsOf(declared: Record<string, unknown>): string[] {
  const settings = { profile: fullProfile, pollInterval: { initial: 1_000, maximum: 1_000 } }
  try {
    createActivities(uncalled, { ...settings, flows: declared as Record<string, FlowDeclaration> })
    return []
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : ['something else was thrown']
  }
}

const [booking, dropOff, pickUp] = flows.issue.steps
const keeping = flows.collectByUser
const [collecting, collect, kept] = keeping.steps

/** A change of a sound declaration, and what is said of it. */
type Row = readonly [what: string, flow: object, faults: string[]]

const rows: Row[] = [
  ['another name than in the door', { name: 'isue' }, ['name: must be made, like its export']],
  ['a name with a blank', { name: 'to issue' }, ['name: must be letters and digits, beginning with a small letter']],
  ['no summary', { summary: undefined }, ['summary: is missing']],
  ['a summary that Temporal would cut', { summary: 'ä'.repeat(101) }, ['summary: must be at most 200 bytes']],
  [
    'an unknown operation',
    { steps: [{ ...booking, book: 'CreateParcel' }, dropOff] },
    ['steps[0].book: must be an operation that books shipments, got CreateParcel'],
  ],
  [
    'an operation that books nothing',
    { steps: [{ ...booking, book: 'GetAccount' }, dropOff] },
    ['steps[0].book: must be an operation that books shipments, got GetAccount'],
  ],
  ['an unknown field', { stesp: [] }, ['stesp: is an unknown field']],
  [
    'an invalid booking window',
    { steps: [{ ...booking, window: 'soon' }, dropOff] },
    [expect.stringMatching(/^steps\[0\].window: must be a duration/)],
  ],
  [
    'a booking window that outlives keys',
    { steps: [{ ...booking, window: '13h' }, dropOff] },
    ['steps[0].window: must be at most 12h'],
  ],
  ['no step', { steps: [] }, [expect.stringMatching(/^steps/)]],
  ['no step after the booking', { steps: [booking] }, ['steps: must have a step after the booking']],
  [
    'a wait in the place of the booking',
    { steps: [dropOff, pickUp] },
    [
      'steps[0].book: is missing',
      'steps[0].window: must be at most 12h',
      'steps[0].wait: is an unknown field',
      'steps[0].onTimeout: is an unknown field',
    ],
  ],
  ['steps that are no list', { steps: 'dropOff' }, [expect.stringMatching(/^steps: /)]],
  [
    'an invalid window',
    { steps: [booking, dropOff, { ...pickUp, window: '3 days' }] },
    ['steps[2].window: must be a duration such as "30s", "30m", "48h" or "3d"'],
  ],
  [
    'a misspelled field of a stage',
    { steps: [booking, { ...dropOff, windw: '1h' }, pickUp] },
    ['steps[1].windw: is an unknown field'],
  ],
  [
    'a window without a policy',
    { steps: [booking, { ...dropOff, onTimeout: undefined }] },
    ['steps[1].onTimeout: must not be missing beside a window'],
  ],
  [
    'a policy without a window',
    { steps: [booking, { ...dropOff, window: null }] },
    ['steps[1].onTimeout: must be missing, since the step has no window'],
  ],
  [
    'an unknown timeout policy',
    { steps: [booking, { ...dropOff, onTimeout: 'shrug' }] },
    ['steps[1].onTimeout: must be remind, cancel or ask'],
  ],
  [
    'an unknown policy for lockers out of service',
    { steps: [booking, { ...dropOff, onLockerOutOfService: 'shrug' }] },
    ['steps[1].onLockerOutOfService: must be remind, cancel or ask'],
  ],
  [
    'two stages of one name',
    { steps: [booking, dropOff, { ...pickUp, name: 'dropOff' }] },
    ['steps[2].name: must be unique, but a step above has the name dropOff'],
  ],
  [
    'a stage that is called as the booking',
    { steps: [booking, { ...dropOff, name: 'booking' }] },
    ['steps[1].name: must not be booking, which names the window of the booking'],
  ],
  [
    'a stage that waits for nothing',
    { steps: [booking, { ...dropOff, wait: {} }] },
    ['steps[1].wait: must name the state of at least one role'],
  ],
  [
    'a stage of another role',
    { steps: [booking, { ...dropOff, wait: { intake: 'Completed' }, keep: ['intake'] }] },
    [
      'steps[1].wait.intake: must be one of the roles issue, got intake',
      'steps[1].keep[0]: must be one of the roles issue, got intake',
    ],
  ],
  [
    'a stage that waits for a cancellation',
    { steps: [booking, { ...dropOff, wait: { issue: 'Cancelled' } }] },
    ['steps[1].wait.issue: must not be Cancelled, which ends a flow'],
  ],
  [
    'a condition on what is no flag',
    { steps: [booking, { ...dropOff, when: { 'input.PupUid': true } }] },
    ['steps[1].when.input.PupUid: must be a boolean field of CreateLocalShipmentAsIssue'],
  ],
  [
    'an unknown condition',
    { steps: [booking, { ...dropOff, when: { 'input.AllowLargerLockers': 'yes' } }] },
    [expect.stringMatching(/^steps\[1\].when.input.AllowLargerLockers: /)],
  ],
  [
    'an order for another role',
    { steps: [booking, { ...dropOff, completedBy: { update: 'assignReceiver', role: 'stock' } }] },
    ['steps[1].completedBy.role: must be one of the roles issue, got stock'],
  ],
  [
    'an unknown completion',
    { steps: [booking, { ...dropOff, completedBy: { update: 'hurry', role: 'issue' } }] },
    [expect.stringMatching(/^steps\[1\].completedBy.update: /)],
  ],
  [
    'something handed back of another role',
    { outputs: { stockShipmentUid: 'stock.shipmentUid' } },
    ['outputs.stockShipmentUid: must be one of the roles issue, got stock'],
  ],
  [
    'an output that is no uid',
    { outputs: { stockShipmentUid: 'issue' } },
    ['outputs.stockShipmentUid: must be a role and .shipmentUid'],
  ],
  [
    'something handed back under the name of a field',
    { outputs: { outcome: 'issue.shipmentUid' } },
    ['outputs.outcome: must not be a field of every result'],
  ],
]

describe('a declaration with', () => {
  test.each(rows)('%s is an error on load, by flow and field', (_, change, faults) => {
    const flow = { ...flows.issue, name: 'made', ...change }
    expect(faultsOf({ made: flow }).map(line => line.replace(/^flow made: /, ''))).toEqual(faults)
  })

  test('a stage after a release is an error', () => {
    const after = { ...kept, when: {}, name: 'after', completedBy: undefined }
    const steps = [collecting, collect, kept, after]
    expect(faultsOf({ collectByUser: { ...keeping, steps } })).toEqual([
      'flow collectByUser: steps[2].completedBy.update: must not be release before another step, since it ends the flow',
    ])
  })

  test('the name of a flow without a booking is an error', () => {
    expect(faultsOf({ onboardAccount: { ...flows.issue, name: 'onboardAccount' } })).toEqual([
      'flow onboardAccount: name: must not be the name of an account flow',
    ])
  })

  test.each([[null], ['issue'], [[]], [undefined]])('only %j is an error', declaration => {
    expect(faultsOf({ made: declaration })[0]).toMatch(/^flow made: /)
  })
})

test('all problems of all flows are reported together', () => {
  const steps = [booking, { ...dropOff, window: 'soon' }, { ...pickUp, keep: ['stock'] }]
  const [stocking, ...stocked] = flows.stock.steps
  expect(
    faultsOf({
      issue: { ...flows.issue, steps },
      stock: { ...flows.stock, steps: [{ ...stocking, book: 'Nothing' }, ...stocked] },
      intake: flows.intake,
    }),
  ).toEqual([
    'flow issue: steps[1].window: must be a duration such as "30s", "30m", "48h" or "3d"',
    'flow issue: steps[2].keep[0]: must be one of the roles issue, got stock',
    'flow stock: steps[0].book: must be an operation that books shipments, got Nothing',
  ])
})

test('two stages may share a name if no request goes through both', () => {
  expect(faultsOf({ localShipment: flows.localShipment })).toEqual([])
})

test('the flows of the project are valid', () => {
  expect(faultsOf(flows)).toEqual([])
})
