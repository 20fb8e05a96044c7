import { expect, test } from 'vitest'
import { testCalendars } from '#activities/calendars'
import type { Api } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { type Duration, type FlowPlan, toWorkflowId } from '#flows'
import type { FlowDeclaration, Window } from '#flows/declaration'
import type { WorkerSettings } from '#worker'
import { createWork } from '../../../worker/work.ts'

const summary = 'A step.'

/** The plan of a flow with a question, by a worker of this environment. */
async function planIn(environment: 'staging' | 'production', window: Window, given?: Duration): Promise<FlowPlan> {
  const flow: FlowDeclaration = {
    name: 'asking',
    summary,
    input: {},
    steps: [
      { name: 'pause', summary, sleep: '1s' },
      { name: 'approval', summary, ask: { yes: {} }, who: 'staff', window, onTimeout: 'remind' },
      { name: 'account', summary, call: 'GetPickUpPoints', request: {}, window: '5s' },
    ],
  }
  const pollInterval = { initial: 1_000, maximum: 1_000 }
  const calendars = testCalendars
  const settings: Partial<WorkerSettings> = {
    environment,
    profile: fullProfile,
    pollInterval,
    calendars,
    flows: [flow],
  }
  const { activities } = createWork(settings as WorkerSettings, {} as Api)
  const windows = given === undefined ? {} : { windows: { approval: given } }
  const input = { caseNo: 'W-1', request: {}, ...windows }
  return activities.planFlow({ flow: 'asking', workflowId: toWorkflowId('W-1'), input })
}

test.each<[string, Window, Duration | undefined, string]>([
  ['of the input', '48h', '1ms', 'windows.approval: must be at least 60s in production, got 1ms.'],
  ['of the declaration', '59s', undefined, 'steps.approval.window: must be at least 60s in production, got 59000ms.'],
  ['of working time', { workingTime: '30s' }, undefined, 'steps.approval.window: must be at least 60s in production'],
])('production refuses the short window %s, and staging accepts it', async (_, window, given, message) => {
  const refused = { type: 'InvalidFlowInput', message: expect.stringContaining(message), nonRetryable: true }
  await expect(planIn('production', window, given)).rejects.toMatchObject(refused)
  expect((await planIn('staging', window, given)).steps).toHaveLength(3)
})

test.each<[string, Window]>([
  ['of a minute', '1m'],
  ['that ends at a time of the day', { next: '08:00' }],
])('production accepts a window %s', async (_, window) => {
  expect((await planIn('production', window)).steps).toHaveLength(3)
})
