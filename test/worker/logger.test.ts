import { randomUUID } from 'node:crypto'
import { ApplicationFailure } from '@temporalio/common'
import { DefaultLogger, type LogEntry } from '@temporalio/worker'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withReference } from '#contract/terms'
import { createLog } from '#platform/logs'
import { createLogger, jsonLogger } from '../../worker/logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('20,000 failed attempts of an outage are one line per code and interval', () => {
  const written: LogEntry[] = []
  const logger = createLogger('WARN', new DefaultLogger('WARN', entry => written.push(entry)))
  const failed = (type: string, activityType: string) =>
    logger.warn('Activity failed', { activityType, error: ApplicationFailure.create({ type, message: 'away' }) })
  for (let second = 0; second < 48; second++) {
    for (let times = 0; times < 420; times++) failed('ServiceUnreachable', 'bookShipments')
    failed('SignInFailed', 'bookShipments')
    failed('ServiceUnreachable', 'readShipments')
    logger.warn(`gRPC call poll_activity_task_queue retried ${second} times`)
    logger.warn(`[TMPRL1104] ${randomUUID()}:${second}:1 Workflow task duration exceeded 5 seconds.`)
    vi.advanceTimersByTime(1_000)
  }
  vi.advanceTimersByTime(10_000)
  expect(written.length).toBeLessThanOrEqual(5 * 6)
  const suppressed = written.map(({ meta }) => Number(meta?.suppressed ?? 0))
  expect(suppressed.reduce((sum, count) => sum + count, written.length)).toBe(48 * 424)
})

test('the lines of a worker process are JSON with an id, and without fields that can contain personal data', () => {
  const written: string[] = []
  const logger = jsonLogger('WARN', createLog('info', { write: line => void written.push(line) }))
  const error = ApplicationFailure.create({ type: 'ServiceUnreachable', message: 'away' })
  logger.warn('Activity failed', { activityType: 'bookShipments', attempt: 2, taskToken: 'private', error })
  logger.error('Workflow failed', { workflowId: 'case:1', error: new Error('over') })
  logger.warn('Failing workflow task', {
    runId: 'run-1',
    failure: 'Failure { failure: Some(Failure { message: "[TMPRL1100] a \\"step\\"", source: "private" }) }',
  })
  // An error that leaves the sandbox of workflows arrives as a copy, without its type.
  const refused = withReference('UnknownFlow', 'flow: must be one of issue')
  logger.warn('Workflow failed', { workflowId: 'case:2', error: structuredClone(new Error(refused)) })
  logger.warn('gRPC call failed', { error: 'Status { code: Unavailable }', failure: 'private', suppressed: 3 })
  expect(written.map(line => JSON.parse(line))).toMatchObject([
    { level: 40, logId: 'activity-failed', activityType: 'bookShipments', attempt: 2, errorCode: 'ServiceUnreachable' },
    { level: 50, logId: 'flow-failed', workflowId: 'case:1', err: { message: 'over' } },
    { level: 40, logId: 'workflow-task-failed', runId: 'run-1', err: { message: '[TMPRL1100] a \\"step\\"' } },
    { level: 40, logId: 'flow-failed', workflowId: 'case:2', errorCode: 'UnknownFlow' },
    { level: 40, logId: 'temporal-sdk', err: { message: 'Status { code: Unavailable }' }, suppressed: 3 },
  ])
  expect(written.join()).not.toContain('private')
})
