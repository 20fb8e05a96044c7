import { hostname, userInfo } from 'node:os'
import { Client } from '@temporalio/client'
import { createFlowClient, type FlowClient } from '#client'
import { readTemporalTarget } from '#client/connection'
import { type FlowInput, findDeclaration } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { readFlowFiles } from '#platform/environment'
import { loadFile } from '#platform/settings'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { connectTemporal } from '../temporalConnection.ts'

/** The flow client without types by flow: the command line names the flow. */
export interface AnyFlows
  extends Omit<FlowClient<FlowDeclaration>, 'start' | 'startAndWaitForBooking' | 'startAndWaitForEnd'> {
  start(flow: string, input: FlowInput): ReturnType<FlowClient['start']>
  startAndWaitForBooking(
    flow: string,
    input: FlowInput,
    options?: { readonly timeout?: number },
  ): ReturnType<FlowClient['startAndWaitForBooking']>
}

/** A connection to the flows of a namespace. */
export interface FlowSession {
  readonly flows: AnyFlows
  readonly client: Client
  readonly namespace: string
  readonly taskQueue: string
  readonly address: string
}

/** Printable and short, since it is a column of the audit log. */
const identityPattern = /^[^\p{Cc}\p{Cf}]{1,200}$/u

/**
 * Connects, acts and closes the connection. Histories name the operator.
 * @param own declarations of custom flows, which only a start needs
 * @throws TemporalUnreachable, SettingsError, CommandFailure for a wrong identity, and what the action throws
 */
export async function withFlows<Result>(
  { environment, options }: Pick<VerbCall, 'environment' | 'options'>,
  act: (session: FlowSession) => Promise<Result>,
  own: readonly FlowDeclaration[] = [],
): Promise<Result> {
  const identity = identityOf(options)
  const { temporal, namespace, taskQueue, dataConverter } = readTemporalTarget(environment)
  const connection = await connectTemporal(temporal)
  try {
    const client = new Client({ connection, namespace, identity, dataConverter })
    const flows = createFlowClient(client, {
      taskQueue,
      flows: own,
    }) as unknown as AnyFlows
    return await act({ flows, client, namespace, taskQueue, address: temporal.address ?? '' })
  } finally {
    await connection.close()
  }
}

/**
 * Finds the declaration of a flow: a built-in one, or one of the files of LOCKERFLOW_FLOWS.
 * @returns undefined without files
 * @throws SettingsError when the flow is not found and a file has a fault, CommandFailure when no file declares it
 */
export async function findFlow(
  name: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly flow: FlowDeclaration; readonly isOwn: boolean } | undefined> {
  const builtIn = findDeclaration(name)
  if (builtIn !== undefined) return { flow: builtIn, isOwn: false }
  const files = readFlowFiles(environment)
  if (files === undefined) return undefined
  // The checks of declarations take half a second to load.
  const { loadFlows, rejectFaults } = await import('#flows/check')
  const { flows, faults } = await loadFlows([files])
  const flow = Object.hasOwn(flows, name) ? flows[name] : undefined
  if (flow !== undefined) return { flow, isOwn: true }
  // The flow may be one of those with a fault.
  await loadFile('LOCKERFLOW_FLOWS', () => rejectFaults(faults))
  throw misuse(
    `flow: must be a built-in flow or one of ${Object.keys(flows).join(', ')}, which LOCKERFLOW_FLOWS declares.`,
  )
}

/**
 * Who acts on a flow, as its history records it: `--identity`, or the user of this machine. Temporal's own command names
 * its user in the same form.
 * @throws CommandFailure
 */
function identityOf({ identity }: Readonly<Record<string, unknown>>): string {
  if (identity === undefined) return `lockerflow:${userName()}@${hostname()}`
  if (typeof identity === 'string' && identityPattern.test(identity)) return identity
  throw misuse(`--identity: must be a name of 1 to 200 characters, such as robin@desk, got "${identity}".`)
}

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
