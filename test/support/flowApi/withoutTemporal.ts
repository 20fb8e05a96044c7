import { type FlowApi, startFlowApi } from '../../../gateway/flowApi/index.ts'
import type { FlowApiSettings } from '../../../gateway/flowApi/settings.ts'
import type { FlowApiSurroundings } from '../../../gateway/flowApi/start.ts'
import { silentLog } from '../world/settings.ts'

/** Starts a flow API for requests that need no Temporal: nothing listens at the address of its Temporal. */
export function startLoneFlowApi(
  settings: Pick<FlowApiSettings, 'issuers'> & Partial<FlowApiSettings>,
  surroundings: Partial<FlowApiSurroundings> = {},
): Promise<FlowApi> {
  return startFlowApi(
    { host: '127.0.0.1', port: 0, ...settings },
    {
      temporal: { address: '127.0.0.1:1' },
      namespace: 'default',
      log: silentLog,
      clock: Date.now,
      readiness: { missing: () => [] },
      observer: undefined,
      stopping: new AbortController().signal,
      ...surroundings,
    },
  )
}
