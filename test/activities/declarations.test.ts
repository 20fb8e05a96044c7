import { describe, expect, test } from 'vitest'
import { createActivities } from '#activities'
import type { Api } from '#api'
import { fullProfile } from '#contract/terms'
import { type FlowDeclaration, flows } from '#workflows/flows'

/** Declarations are checked before anything is called. */
const uncalled = {} as Api

/** What is said when flows are loaded; nothing when they are sound. */
function faultsOf(declared: Record<string, unknown>): string[] {
  const settings = { profile: fullProfile, looks: { first: 1_000, longest: 1_000 } }
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
  ['another name than in the door', { name: 'isue' }, ['name: has to be made, as it is in the door']],
  ['a name with a blank', { name: 'to issue' }, ['name: has to be letters and digits, beginning with a small letter']],
  ['no summary', { summary: undefined }, ['summary: is missing']],
  ['a summary that Temporal would cut', { summary: 'ä'.repeat(101) }, ['summary: has to be at most 200 bytes']],
  ['an unknown operation', { operation: 'CreateParcel' }, ['operation: CreateParcel is not in the contract']],
  ['an operation that books nothing', { operation: 'GetAccount' }, ['operation: GetAccount makes no shipment']],
  ['a field that is none', { stagse: [] }, ['stagse: is no field of a declaration']],
  ['no roles', { roles: {} }, ['roles: has to have at least one role']],
  [
    'a role in a state that is none',
    { roles: { issue: { first: 'Ready' } } },
    [expect.stringMatching(/^roles.issue.first: has to be one of .*ReadyForDropOff/)],
  ],
  [
    'a second role without a link',
    { roles: { ...flows.issue.roles, intake: unlinked } },
    ['roles.intake.link: is needed for every role but the first'],
  ],
  [
    'a link to a role below',
    {
      roles: {
        issue: { first: 'ReadyForDropOff', link: { by: 'swaps', to: 'intake' } },
        intake: { ...unlinked, link },
      },
    },
    ['roles.issue.link.to: has to be one of given'],
  ],
  [
    'a given role that is not the first',
    { roles: { ...flows.issue.roles, intake: { ...unlinked, given: true, link } } },
    ['roles.intake.given: is for the first role only'],
  ],
  ['a booking window that is none', { booking: 'soon' }, [expect.stringMatching(/^booking: has to be a duration/)]],
  ['a booking window that outlives keys', { booking: '13h' }, ['booking: has to be at most 12h']],
  ['no stages', { stages: [] }, ['stages: has to have at least one stage']],
  ['stages that are no list', { stages: 'dropOff' }, [expect.stringMatching(/^stages: /)]],
  [
    'a window that is none',
    { stages: [dropOff, { ...pickUp, window: '3 days' }] },
    ['stages[1].window: has to be a duration such as "30s", "30m", "48h" or "3d"'],
  ],
  [
    'a misspelled field of a stage',
    { stages: [{ ...dropOff, windw: '1h' }, pickUp] },
    ['stages[0].windw: is no field of a declaration'],
  ],
  [
    'a window without an answer',
    { stages: [{ ...dropOff, answer: null }] },
    ['stages[0].answer: a window and an answer go together'],
  ],
  [
    'an answer without a window',
    { stages: [{ ...dropOff, window: null }] },
    ['stages[0].window: a window and an answer go together'],
  ],
  [
    'an answer that is none',
    { stages: [{ ...dropOff, answer: 'shrug' }] },
    ['stages[0].answer: has to be remind, cancel or ask'],
  ],
  [
    'two stages of one name',
    { stages: [dropOff, { ...pickUp, name: 'dropOff' }] },
    ['stages[1].name: dropOff is the name of a stage above'],
  ],
  [
    'a stage that is called as the booking',
    { stages: [{ ...dropOff, name: 'booking' }] },
    ['stages[0].name: booking is the name of the window of the booking'],
  ],
  [
    'a stage that waits for nothing',
    { stages: [{ ...dropOff, reached: {} }] },
    ['stages[0].reached: has to name the state of at least one role'],
  ],
  [
    'a stage of another role',
    { stages: [{ ...dropOff, reached: { intake: 'Completed' }, cancels: ['intake'] }] },
    [
      'stages[0].reached.intake: intake is none of the roles issue',
      'stages[0].cancels[0]: intake is none of the roles issue',
    ],
  ],
  [
    'a stage that waits for a cancellation',
    { stages: [{ ...dropOff, reached: { issue: 'Cancelled' } }] },
    ['stages[0].reached.issue: Cancelled ends a flow and no stage'],
  ],
  [
    'a condition on what is no flag',
    { stages: [{ ...dropOff, when: { PupUid: true } }] },
    ['stages[0].when.PupUid: is no boolean field of CreateLocalShipmentAsIssue'],
  ],
  [
    'a condition that is none',
    { stages: [{ ...dropOff, when: { AllowLargerLockers: 'yes' } }] },
    [expect.stringMatching(/^stages\[0\].when.AllowLargerLockers: /)],
  ],
  [
    'an order for another role',
    { stages: [{ ...dropOff, order: { update: 'assignReceiver', role: 'stock' } }] },
    ['stages[0].order.role: stock is none of the roles issue'],
  ],
  [
    'an order that is none',
    { stages: [{ ...dropOff, order: { update: 'hurry', role: 'issue' } }] },
    [expect.stringMatching(/^stages\[0\].order.update: /)],
  ],
  [
    'something handed back of another role',
    { handsBack: { stockShipmentUid: 'stock' } },
    ['handsBack.stockShipmentUid: stock is none of the roles issue'],
  ],
  [
    'something handed back under the name of a field',
    { handsBack: { outcome: 'issue' } },
    ['handsBack.outcome: is a field of every result'],
  ],
]

describe('a declaration with', () => {
  test.each(rows)('%s is refused when it is loaded, by flow and field', (_, change, faults) => {
    const flow = { ...flows.issue, name: 'made', ...change }
    expect(faultsOf({ made: flow }).map(line => line.replace(/^flow made: /, ''))).toEqual(faults)
  })

  test('a stage after a release is refused', () => {
    const after = { ...kept, when: {}, name: 'after', order: undefined }
    const stages = [{ ...collect, when: { KeepBookedAfterPickUp: false } }, kept, after]
    expect(faultsOf({ collectByUser: { ...keeping, stages } })).toEqual([
      'flow collectByUser: stages[1].order.update: a release ends the flow, so no stage can come after it',
    ])
  })

  test('the name of a flow that books nothing is refused', () => {
    expect(faultsOf({ onboardAccount: { ...flows.issue, name: 'onboardAccount' } })).toEqual([
      'flow onboardAccount: name: is that of a flow which books nothing',
    ])
  })

  test.each([[null], ['issue'], [[]], [undefined]])('nothing but %j is refused', declaration => {
    expect(faultsOf({ made: declaration })[0]).toMatch(/^flow made: /)
  })
})

test('everything that is wrong is said at once, of every flow', () => {
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
    'flow issue: stages[0].window: has to be a duration such as "30s", "30m", "48h" or "3d"',
    'flow issue: stages[1].cancels[0]: stock is none of the roles issue',
    'flow stock: operation: Nothing is not in the contract',
  ])
})

test('two stages of one name are fine where no request goes through both', () => {
  expect(faultsOf({ localShipment: flows.localShipment })).toEqual([])
})

test('the flows of the project are sound', () => {
  expect(faultsOf(flows)).toEqual([])
})
