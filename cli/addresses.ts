import { toWorkflowId } from '#flows'
import type { Telemetry } from '#platform/telemetry'
import type { Stack } from '#testing/stack'

/** Addresses and credentials of a running stack, one per line. */
export function addressLines(stack: Stack): string[] {
  const { temporalAddress, namespace, uiUrl, serviceAddress, gatewayAddress, flowApiAddress, credentials } = stack
  const { codecAddress } = stack
  // Without its option, the `temporal` command sends no namespace, which the codec server requires.
  const codecUse = `for temporal --namespace ${namespace} --codec-endpoint`
  return [
    `  Temporal     ${temporalAddress}`,
    ...(uiUrl === undefined ? [] : [`  Web UI       ${uiUrl}`]),
    `  service      ${serviceAddress}, reference at ${serviceAddress}/docs`,
    `  gateway      ${gatewayAddress}`,
    ...(flowApiAddress === undefined
      ? []
      : [`  flows        ${flowApiAddress}/flows, reference at ${flowApiAddress}/docs`]),
    ...(codecAddress === undefined ? [] : [`  codec        ${codecAddress}, ${codecUse}`]),
    `  credentials  client_id ${credentials.clientId}, client_secret ${credentials.clientSecret}`,
  ]
}

/** The variables with which programs in another terminal reach a stack, as commands of a shell. */
export function terminalLines({ temporalAddress, namespace, serviceAddress, credentials }: Stack): string[] {
  const { clientId, clientSecret } = credentials
  const variables = {
    TEMPORAL_ADDRESS: temporalAddress,
    ...(namespace !== 'default' && { TEMPORAL_NAMESPACE: namespace }),
    LOCKERFLOW_BASE_URL: serviceAddress,
    LOCKERFLOW_CLIENT_ID: clientId,
    LOCKERFLOW_CLIENT_SECRET: clientSecret,
  }
  return [
    'For programs in another terminal:',
    ...Object.entries(variables).map(([name, value]) => `  export ${name}=${value}`),
  ]
}

/** The addresses and credentials of `addressLines` as JSON. */
export function toAddresses(stack: Stack) {
  const { temporalAddress, namespace, uiUrl, serviceAddress, gatewayAddress, flowApiAddress, credentials } = stack
  const { codecAddress } = stack
  return {
    ...{ temporalAddress, namespace, uiUrl, serviceAddress, gatewayAddress, flowApiAddress },
    ...{ codecAddress, credentials },
  }
}

/** The address to which the traces of a stack go. No line if the stack records none. */
export function traceLines({ traces, tracesTo }: Pick<Telemetry, 'traces' | 'tracesTo'>): string[] {
  return traces ? [`  traces       ${tracesTo}`] : []
}

/** The address of a case in the Web UI. Without a Web UI, the workflow id. */
export function caseLink({ uiUrl, namespace }: Stack, caseNo: string): string {
  const id = toWorkflowId(caseNo)
  return uiUrl === undefined ? id : `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(id)}`
}
