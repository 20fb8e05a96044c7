import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { childEnvironment } from '../childEnvironment.ts'
import { bundleFile } from './bundle.ts'
import type { World } from './flowWorld.ts'

/** Starts a worker in a separate process, which a test can kill or pause, and waits until it is ready. */
export async function startProcess(
  { apiSettings, taskQueue }: World,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const { address, namespace } = inject('temporal')
  const main = fileURLToPath(new URL('../../../worker/main.ts', import.meta.url))
  const { baseUrl, authUrl, clientId, clientSecret } = apiSettings
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...childEnvironment,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      LOCKERFLOW_BASE_URL: baseUrl,
      LOCKERFLOW_AUTH_URL: authUrl,
      LOCKERFLOW_CLIENT_ID: clientId,
      LOCKERFLOW_CLIENT_SECRET: clientSecret,
      LOCKERFLOW_WORKFLOW_BUNDLE: await bundleFile(),
      ...settings,
    },
  })
  for await (const line of child.stdout) if (String(line).includes('worker ready')) return child
  throw new Error('the worker ended before it was ready')
}
