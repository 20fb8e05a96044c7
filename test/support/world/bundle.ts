import { bundleFlows } from '#worker'

let made: ReturnType<typeof bundleFlows> | undefined

/** The bundle of the flows, made once in each test process. */
export function bundle(): ReturnType<typeof bundleFlows> {
  made ??= bundleFlows()
  return made
}
