import { describe, expect, test } from 'vitest'
import { type Duration, type FlowDeclaration, flows } from '#flows'
import type { Step } from '#flows/declaration'
import { toVersioningBehavior } from '#flows/versioning'
import { findOtherBuild, readPromote } from '../../../cli/promote/arguments.ts'
import { isOlder, minimumServer } from '../../../worker/deployment.ts'
import { evenSample } from '../../../worker/promotion/promote.ts'
import { readPromotion, readSettings } from '../../../worker/settings.ts'
import { readCommand } from '../../support/command/commandLine.ts'

describe('a worker', () => {
  test('with both names is a build', () => {
    const { build } = readSettings({ LOCKERFLOW_DEPLOYMENT: 'lockerflow', LOCKERFLOW_BUILD_ID: '2026-11-20' })
    expect(build).toEqual({ deploymentName: 'lockerflow', buildId: '2026-11-20' })
  })

  test.each([{}, { LOCKERFLOW_DEPLOYMENT: '', LOCKERFLOW_BUILD_ID: '' }])('with %j is unversioned', source => {
    expect(readSettings(source)).not.toHaveProperty('build')
  })

  test.each([
    [{ LOCKERFLOW_DEPLOYMENT: 'a' }, /^LOCKERFLOW_BUILD_ID: is missing although LOCKERFLOW_DEPLOYMENT is set/],
    [{ LOCKERFLOW_BUILD_ID: 'b' }, /^LOCKERFLOW_DEPLOYMENT: is missing although LOCKERFLOW_BUILD_ID is set/],
    [{ LOCKERFLOW_DEPLOYMENT: 'a:b', LOCKERFLOW_BUILD_ID: 'c' }, /^LOCKERFLOW_DEPLOYMENT: must be a name without/],
    [{ LOCKERFLOW_DEPLOYMENT: 'a.b', LOCKERFLOW_BUILD_ID: 'c' }, /^LOCKERFLOW_DEPLOYMENT: must be a name without/],
    [
      { LOCKERFLOW_DEPLOYMENT: 'a', LOCKERFLOW_BUILD_ID: 'two words' },
      /^LOCKERFLOW_BUILD_ID: must be a text without blanks/,
    ],
  ])('with %j does not start, and reports the reason', (source, why) => {
    expect(() => readSettings(source)).toThrow(why)
  })
})

test.each([
  ['1.30.9', true],
  ['1.9.3', true],
  ['1.31.0', false],
  ['1.31.10', false],
  ['1.31.0-151.3', false],
  ['2.0.0', false],
  ['', false],
])('a server of version %s is too old for builds: %s', (version, tooOld) => {
  expect(isOlder(version, minimumServer)).toBe(tooOld)
})

describe('a promotion', () => {
  const read = async (args: readonly string[], source: NodeJS.ProcessEnv = {}) =>
    readPromote(await readCommand('promote', ...args), source)

  test('reads the build from the command line first, then from the environment', async () => {
    const source = { LOCKERFLOW_DEPLOYMENT: 'lockerflow', LOCKERFLOW_BUILD_ID: 'old' }
    expect(await read(['--build-id', 'new'], source)).toMatchObject({ deploymentName: 'lockerflow', buildId: 'new' })
    expect(await read([], source)).toMatchObject({ deploymentName: 'lockerflow', buildId: 'old' })
    expect(readPromotion({ buildId: 'new' }, source).build).toEqual({ deploymentName: 'lockerflow', buildId: 'new' })
  })

  test('warns if the environment names another build, whose code the command then runs', async () => {
    const source = { LOCKERFLOW_DEPLOYMENT: 'lockerflow', LOCKERFLOW_BUILD_ID: 'old' }
    const warn = async (...args: readonly string[]) => findOtherBuild(await read(args, source), source)
    expect(await warn('--build-id', 'new')).toBe(
      '--build-id: expected "old", the build of this code by LOCKERFLOW_BUILD_ID, got "new". The check replays flows with the code of this command, so run it with the code of "new".',
    )
    expect(await warn('--build-id', 'old')).toBeUndefined()
    expect(await warn()).toBeUndefined()
    expect(await warn('--build-id', 'new', '--roll-back')).toBeUndefined()
    expect(findOtherBuild(await read(['--deployment', 'd', '--build-id', 'new']), {})).toBeUndefined()
  })

  test.each([
    [['--deployment', 'lockerflow'], /^--build-id: must be given, or LOCKERFLOW_BUILD_ID must be set/],
    [['--build-id', 'b'], /^--deployment: must be given, or LOCKERFLOW_DEPLOYMENT must be set/],
    [['--deployment', 'a', '--build-id', 'b', '--wait', 'long'], /^--wait: /],
    [['--wait', '1m', '--roll-back'], /^--wait: must not be given with --roll-back/],
    [['--sample', 'half'], /^--sample: must be a positive number, got "half"\./],
    [['--sample', '0'], /^--sample: must be a positive number/],
    [['--roll-back', '--sample', '5'], /^--sample: must not be given with --roll-back/],
    [['--force'], /^--force: must be an option/],
    [['old'], /^arguments: must be at most 0/],
  ])('with %j fails, and reports the reason', async (args, why) => {
    await expect(read(args)).rejects.toThrow(why)
  })
})

describe('the lifetime of a flow', () => {
  function flowWith(...windows: (Duration | null)[]): FlowDeclaration {
    const [booking, dropOff] = flows.issue.steps
    return { ...flows.issue, steps: [booking, ...windows.map(window => ({ ...dropOff, window }))] }
  }

  test.each<[Duration | null, Duration | null, string]>([
    ['48h', '3d', 'PINNED'],
    ['7d', '168h', 'PINNED'],
    ['48h', '8d', 'AUTO_UPGRADE'],
    ['169h', '48h', 'AUTO_UPGRADE'],
    ['48h', null, 'AUTO_UPGRADE'],
  ])('with windows of %s and %s is %s', (one, other, lifetime) => {
    expect(toVersioningBehavior(flowWith(one, other))).toBe(lifetime)
  })

  test('is AUTO_UPGRADE if the windows together exceed 30 days', () => {
    expect(toVersioningBehavior(flowWith('7d', '7d', '7d', '7d'))).toBe('PINNED')
    expect(toVersioningBehavior(flowWith('7d', '7d', '7d', '7d', '2d'))).toBe('AUTO_UPGRADE')
  })

  const common = { name: 'work', summary: 'Some work.' }
  const run = { ...common, run: 'work', with: {}, keep: {}, undo: 'nothing', timeout: '1m' } as const
  const ask = { ...common, ask: { yes: {} }, who: 'staff', onTimeout: 'remind' } as const

  test.each<[Step, string]>([
    [run, 'PINNED'],
    [{ ...run, timeout: '7d' }, 'AUTO_UPGRADE'],
    [{ ...run, timeout: '5d', window: '14d' }, 'AUTO_UPGRADE'],
    [{ ...ask, window: '3d' }, 'PINNED'],
    [{ ...ask, window: { at: 'input.neededBy' } }, 'AUTO_UPGRADE'],
    [{ ...common, sleep: '7d' }, 'PINNED'],
    [{ ...common, sleep: { until: { at: 'input.courierAt' } } }, 'AUTO_UPGRADE'],
    [{ ...common, call: 'SetAccountPickUpPoint' }, 'PINNED'],
  ])('with the step %j is %s', (step, lifetime) => {
    expect(toVersioningBehavior({ steps: [step] })).toBe(lifetime)
  })

  test('is AUTO_UPGRADE for loans and for bookings that may be kept, and PINNED for all others', () => {
    const long = Object.values<FlowDeclaration>(flows).filter(flow => toVersioningBehavior(flow) === 'AUTO_UPGRADE')
    expect(long.map(({ name }) => name).sort()).toEqual([
      'collectByDispatcher',
      'collectByUser',
      'issueFromStockAndSubsequentIntakeAndCircularStock',
    ])
  })
})

test.each([
  [4, 2, [0, 2]],
  [5, 3, [0, 1, 3]],
  [3, 3, [0, 1, 2]],
  [2, 9, [0, 1]],
  [0, 5, []],
])('a sample of %i items, %3$i at most, is spread over them', (count, most, expected) => {
  expect(evenSample([...Array(count).keys()], most)).toEqual(expected)
})
