import { workflowIdOf } from '#contract/terms'
import type { Stack } from './stack.ts'

/** What one needs to use a running stack, a line each. */
export function addressesOf({ temporalAddress, uiUrl, serviceAddress, gatewayAddress, credentials }: Stack): string[] {
  return [
    `  Temporal     ${temporalAddress}`,
    ...(uiUrl === undefined ? [] : [`  Web UI       ${uiUrl}`]),
    `  service      ${serviceAddress}, reference at ${serviceAddress}/docs`,
    `  gateway      ${gatewayAddress}`,
    `  credentials  client_id ${credentials.clientId}, client_secret ${credentials.clientSecret}`,
  ]
}

/** Where a case is in the Web UI, or its workflow id when the Web UI is not ours. */
export function linkTo({ uiUrl, namespace }: Stack, caseNo: string): string {
  const id = workflowIdOf(caseNo)
  return uiUrl === undefined ? id : `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(id)}`
}
