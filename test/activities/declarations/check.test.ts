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

const [dropOff, pickUp] = flows.issue.stages
const { link, ...unlinked } = flows.issueAndSwapIntake.roles.intake
const keeping = flows.collectByUser
const [collect, kept] = keeping.stages

/** A change of a sound declaration, and what is said of it. */
type Row = readonly [what: string, flow: object, faults: string[]]

const rows: Row[] = [
  ['another name than in the door', { name: 'isue' }, ['name: must be made, like its export']],
  ['a name with a blank', { name: 'to issue' }, ['name: must be letters and digits, beginning with a small letter']],
  ['no summary', { summary: undefined }, ['summary: is missing']],
  ['a summary that Temporal would cut', { summary: 'ä'.repeat(101) }, ['summary: must be at most 200 bytes']],
  [
    'an unknown operation',
    { operation: 'CreateParcel' },
    ['operation: must be an operation of the contract, got CreateParcel'],
  ],
  [
    'an operation that books nothing',
    { operation: 'GetAccount' },
    ['operation: must create shipments, which GetAccount does not'],
  ],
  ['an unknown field', { stagse: [] }, ['stagse: is an unknown field']],
  ['no roles', { roles: {} }, ['roles: must have at least one role']],
  [
    'a role in an unknown state',
    { roles: { issue: { initialState: 'Ready' } } },
    [expect.stringMatching(/^roles.issue.initialState: must be one of .*ReadyForDropOff/)],
  ],
  [
    'a second role without a link',
    { roles: { ...flows.issue.roles, intake: unlinked } },
    ['roles.intake.link: must not be missing in any role but the first'],
  ],
  [
    'a link to a role below',
    {
      roles: {
        issue: { initialState: 'ReadyForDropOff', link: { by: 'swap', to: 'intake' } },
        intake: { ...unlinked, link },
      },
    },
    ['roles.issue.link.to: must be one of existing'],
  ],
  [
    'a given role that is not the first',
    { roles: { ...flows.issue.roles, intake: { ...unlinked, existing: true, link } } },
    ['roles.intake.existing: must be in the first role only'],
  ],
  [
    'an invalid booking window',
    { bookingWindow: 'soon' },
    [expect.stringMatching(/^bookingWindow: must be a duration/)],
  ],
  ['a booking window that outlives keys', { bookingWindow: '13h' }, ['bookingWindow: must be at most 12h']],
  ['no stages', { stages: [] }, ['stages: must have at least one stage']],
  ['stages that are no list', { stages: 'dropOff' }, [expect.stringMatching(/^stages: /)]],
  [
    'an invalid window',
    { stages: [dropOff, { ...pickUp, window: '3 days' }] },
    ['stages[1].window: must be a duration such as "30s", "30m", "48h" or "3d"'],
  ],
  [
    'a misspelled field of a stage',
    { stages: [{ ...dropOff, windw: '1h' }, pickUp] },
    ['stages[0].windw: is an unknown field'],
  ],
  [
    'a window without an answer',
    { stages: [{ ...dropOff, onTimeout: null }] },
    ['stages[0].onTimeout: must be null if and only if the other one of window and onTimeout is null'],
  ],
  [
    'an answer without a window',
    { stages: [{ ...dropOff, window: null }] },
    ['stages[0].window: must be null if and only if the other one of window and onTimeout is null'],
  ],
  [
    'an unknown timeout policy',
    { stages: [{ ...dropOff, onTimeout: 'shrug' }] },
    ['stages[0].onTimeout: must be remind, cancel or ask'],
  ],
  [
    'an unknown policy for lockers out of service',
    { stages: [{ ...dropOff, onLockerOutOfService: 'shrug' }] },
    ['stages[0].onLockerOutOfService: must be remind, cancel or ask'],
  ],
  [
    'two stages of one name',
    { stages: [dropOff, { ...pickUp, name: 'dropOff' }] },
    ['stages[1].name: must be unique, but a stage above has the name dropOff'],
  ],
  [
    'a stage that is called as the booking',
    { stages: [{ ...dropOff, name: 'booking' }] },
    ['stages[0].name: must not be booking, which names the window of the booking'],
  ],
  [
    'a stage that waits for nothing',
    { stages: [{ ...dropOff, reached: {} }] },
    ['stages[0].reached: must name the state of at least one role'],
  ],
  [
    'a stage of another role',
    { stages: [{ ...dropOff, reached: { intake: 'Completed' }, cancels: ['intake'] }] },
    [
      'stages[0].reached.intake: must be one of the roles issue, got intake',
      'stages[0].cancels[0]: must be one of the roles issue, got intake',
    ],
  ],
  [
    'a stage that waits for a cancellation',
    { stages: [{ ...dropOff, reached: { issue: 'Cancelled' } }] },
    ['stages[0].reached.issue: must not be Cancelled, which ends a flow'],
  ],
  [
    'a condition on what is no flag',
    { stages: [{ ...dropOff, when: { PupUid: true } }] },
    ['stages[0].when.PupUid: must be a boolean field of CreateLocalShipmentAsIssue'],
  ],
  [
    'an unknown condition',
    { stages: [{ ...dropOff, when: { AllowLargerLockers: 'yes' } }] },
    [expect.stringMatching(/^stages\[0\].when.AllowLargerLockers: /)],
  ],
  [
    'an order for another role',
    { stages: [{ ...dropOff, completedBy: { update: 'assignReceiver', role: 'stock' } }] },
    ['stages[0].completedBy.role: must be one of the roles issue, got stock'],
  ],
  [
    'an unknown completion',
    { stages: [{ ...dropOff, completedBy: { update: 'hurry', role: 'issue' } }] },
    [expect.stringMatching(/^stages\[0\].completedBy.update: /)],
  ],
  [
    'something handed back of another role',
    { outputs: { stockShipmentUid: 'stock' } },
    ['outputs.stockShipmentUid: must be one of the roles issue, got stock'],
  ],
  [
    'something handed back under the name of a field',
    { outputs: { outcome: 'issue' } },
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
    const stages = [{ ...collect, when: { KeepBookedAfterPickUp: false } }, kept, after]
    expect(faultsOf({ collectByUser: { ...keeping, stages } })).toEqual([
      'flow collectByUser: stages[1].completedBy.update: must not be release before another stage, since it ends the flow',
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
  const stages = [
    { ...dropOff, window: 'soon' },
    { ...pickUp, cancels: ['stock'] },
  ]
  expect(
    faultsOf({
      issue: { ...flows.issue, stages },
      stock: { ...flows.stock, operation: 'Nothing' },
      intake: flows.intake,
    }),
  ).toEqual([
    'flow issue: stages[0].window: must be a duration such as "30s", "30m", "48h" or "3d"',
    'flow issue: stages[1].cancels[0]: must be one of the roles issue, got stock',
    'flow stock: operation: must be an operation of the contract, got Nothing',
  ])
})

test('two stages may share a name if no request goes through both', () => {
  expect(faultsOf({ localShipment: flows.localShipment })).toEqual([])
})

test('the flows of the project are valid', () => {
  expect(faultsOf(flows)).toEqual([])
})
