import { bundleFlows } from '#worker'

let made: ReturnType<typeof bundleFlows> | undefined

/** The bundle of the flows, built once per test process. */
export function bundle(): ReturnType<typeof bundleFlows> {
  made ??= bundleFlows()
  return made
}
