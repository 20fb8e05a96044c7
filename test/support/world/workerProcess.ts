import type { ChildProcess } from 'node:child_process'
import { inject } from 'vitest'
import { startProcess as startPart, toVariables } from '../../../testing/stack/process.ts'
import { childEnvironment } from '../childEnvironment.ts'
import { bundleFile } from './bundle.ts'
import type { World } from './flowWorld.ts'

/** Starts a worker in a separate process, which a test can kill or pause, and waits until it is ready. */
export async function startProcess(
  { apiSettings, taskQueue }: World,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const env = {
    ...childEnvironment,
    ...toVariables(apiSettings, inject('temporal')),
    LOCKERFLOW_TASK_QUEUE: taskQueue,
    LOCKERFLOW_WORKFLOW_BUNDLE: await bundleFile(),
    ...settings,
  }
  const { child } = await startPart('worker', { env, lines: 'inherit' })
  return child
}
