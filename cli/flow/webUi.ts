import { toWorkflowId } from '#flows'
import { httpUrl, readVariables, type Variable } from '#platform/settings'
import type { FlowSession } from './session.ts'

/** The variables of the verbs `flow …`, in addition to those of the connection to Temporal. */
export const flowVariables = {
  LOCKERFLOW_TEMPORAL_UI_URL: {
    description:
      "Address of Temporal's Web UI, for links to cases. Default: that of Temporal Cloud for its addresses, and the port of `LOCKERFLOW_TEMPORAL_UI_PORT` for a server on this machine.",
    example: 'https://temporal.example.org',
    schema: httpUrl.optional(),
  },
} as const satisfies Record<string, Variable>

/**
 * The address of a case in Temporal's Web UI; undefined when the address is not known.
 * @throws SettingsError
 */
export function linkToCase(
  { address, namespace }: Pick<FlowSession, 'address' | 'namespace'>,
  environment: NodeJS.ProcessEnv,
  caseNo: string,
): string | undefined {
  const { LOCKERFLOW_TEMPORAL_UI_URL: configured } = readVariables(environment, flowVariables)
  const base = configured ?? findWebUi(address.replace(/:\d+$/, ''), environment.LOCKERFLOW_TEMPORAL_UI_PORT)
  const path = `/namespaces/${namespace}/workflows/${encodeURIComponent(toWorkflowId(caseNo))}`
  return base === undefined ? undefined : base.replace(/\/+$/, '') + path
}

/** The Web UI of Temporal Cloud, or that of a server on this machine. */
function findWebUi(host: string, port: string | undefined): string | undefined {
  if (/\.(tmprl\.cloud|api\.temporal\.io)$/.test(host)) return 'https://cloud.temporal.io'
  return port && ['127.0.0.1', 'localhost', '[::1]'].includes(host) ? `http://${host}:${port}` : undefined
}
