import { inject, vi } from 'vitest'
import { findRouting } from '../../../worker/deployment.ts'
import type { Builds } from './builds.ts'
import type { ChangedBundle } from './changedBundle.ts'

/** The routing of a deployment: its current build, and the one that ramps. */
export async function routingOf({ connection, deploymentName }: Builds) {
  const found = await findRouting(connection, inject('temporal').namespace, deploymentName)
  return { current: found?.current?.buildId, ramping: found?.ramp?.build.buildId, percentage: found?.ramp?.percentage }
}

/** Starts a worker of a build, and waits until Temporal knows it. */
export async function startBuild(builds: Builds, buildId: string, code: ChangedBundle) {
  const worker = await builds.start(buildId, code)
  await vi.waitFor(async () => {
    const { objections } = await builds.promote(buildId, code, { onlyCheck: true })
    if (objections.some(({ reason }) => reason.includes('polls'))) throw new Error(`no worker of ${buildId} polls`)
  }, 15_000)
  return worker
}
