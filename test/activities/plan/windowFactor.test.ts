import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { type FlowDeclaration, type PlannedStep, toWorkflowId } from '#flows'
import { startWorker, type WorkerSettings } from '#worker'
import { planFlow } from '../../../activities/plan/index.ts'

const summary = 'A step.'
const question = { ask: { yes: {} }, who: 'staff', onTimeout: 'remind' } as const

const flow: FlowDeclaration = {
  name: 'scaled',
  summary,
  input: { until: 'instant' },
  steps: [
    { name: 'night', summary, sleep: '8h' },
    { name: 'asked', summary, ...question, window: '10d' },
    { name: 'overridden', summary, ...question, window: '10d' },
    { name: 'before', summary, ...question, window: { at: 'input.until', before: '2d' } },
    { name: 'ever', summary, ...question, window: null, onTimeout: undefined as never },
    { name: 'print', summary, run: 'print', with: {}, keep: { at: 'instant' }, undo: 'nothing', timeout: '30s' },
    { name: 'after', summary, ...question, window: { at: 'print.at', after: '1d' } },
    { name: 'account', summary, call: 'GetPickUpPoints', request: {}, window: '7d' },
    { name: 'short', summary, call: 'GetPickUpPoints', request: {}, window: '5s' },
  ],
}

function windowsBy(windowFactor?: number) {
  const settings = {
    profile: fullProfile,
    pollInterval: { initial: 1_000, maximum: 1_000 },
    flows: { scaled: flow },
    ...(windowFactor !== undefined && { windowFactor }),
  }
  const input = { caseNo: 'W-1', request: { until: '2030-01-10T00:00:00Z' }, windows: { overridden: '1d' } } as const
  const plan = planFlow(settings, { flow: 'scaled', workflowId: toWorkflowId('W-1'), input })
  const lengthOf = (step: PlannedStep) => ('until' in step ? step.until : step.window)
  return { factor: plan.windowFactor, windows: Object.fromEntries(plan.steps.map(step => [step.name, lengthOf(step)])) }
}

const hour = 3_600_000
const moment = Date.parse('2030-01-10T00:00:00Z')

describe('a factor', () => {
  test('scales every window, and is in the plan', () => {
    expect(windowsBy(0.01)).toEqual({
      factor: 0.01,
      windows: {
        night: { length: 0.08 * hour },
        asked: { length: 2.4 * hour },
        overridden: { length: 0.24 * hour },
        before: { moment: moment - 0.48 * hour },
        ever: null,
        print: expect.closeTo(0.01 * (hour + 30_000), 0),
        after: { at: 'print.at', offset: 0.24 * hour },
        account: 1.68 * hour,
        short: 5_000,
      },
    })
  })

  test('leaves time for one attempt, and never makes a window of no length', () => {
    const { windows } = windowsBy(1e-12)
    expect(windows).toMatchObject({ night: { length: 1 }, asked: { length: 1 }, print: 20_000, account: 20_000 })
  })

  test('is absent without the setting', () => {
    const { factor, windows } = windowsBy()
    expect(factor).toBeUndefined()
    expect(windows).toMatchObject({ night: { length: 8 * hour }, print: hour + 30_000, account: 168 * hour })
  })
})

describe('a worker', () => {
  const start = (settings: Partial<WorkerSettings>) => startWorker(settings as WorkerSettings)

  test('refuses a factor in production', async () => {
    await expect(start({ environment: 'production', windowFactor: 0.5 })).rejects.toThrow(
      'windowFactor: must be absent in production',
    )
  })

  test.each([0, -1, 2, Number.NaN])('refuses the factor %s', async windowFactor => {
    await expect(start({ environment: 'staging', windowFactor })).rejects.toThrow('must be above 0 and at most 1')
  })
})
