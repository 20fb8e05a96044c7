import { mkdir } from 'node:fs/promises'
import { pid } from 'node:process'
import { gatewayVariables, readFlowApi } from '#gateway'
import { ownFlowNames } from '#platform/environment'
import { aborted } from '#platform/interruption'
import { freePort } from '#platform/ports'
import { readVariables } from '#platform/settings'
import { startTelemetry } from '#platform/telemetry'
import { ip, type Stack, type StackFlowApi } from '#testing/stack'
import { readPorts, type StackPorts } from '#testing/stack/settings'
import { loadOwnFlows, readNotificationSettings } from '#worker'
import { addressLines, terminalLines, toAddresses, traceLines } from './addresses.ts'
import { attach } from './callbacks/attach.ts'
import { readLocalKey } from './callbacks/localKey.ts'
import { requireLocalUrl } from './callbacks/localReceiver.ts'
import { describeCallback } from './callbacks/report.ts'
import { type DevKeys, loadCodecKeys } from './codecKeys.ts'
import { failed, misuse } from './command/failure.ts'
import { isGiven } from './command/values.ts'
import type { VerbCall } from './command/verb.ts'
import { startControl } from './sandbox/control.ts'
import { devFolder as folder, readDevFile, removeDevFile, writeDevFile } from './sandbox/devFile.ts'
import { startMovableStack } from './sandbox/devStack.ts'
import { isStackRunning } from './sandbox/stackVerbs.ts'
import { createTrafficClient } from './sandbox/trafficClient.ts'

/** Starts everything, and stops it when the signal aborts. */
export async function run(call: VerbCall): Promise<void> {
  const { environment, options, output, signal } = call
  const forward =
    typeof options.forward === 'string'
      ? { url: requireLocalUrl('--forward', options.forward), key: await readLocalKey(environment) }
      : undefined
  await requireNoStack()
  const ports = await readStackPorts(environment, options.ports)
  const { warnings, ...flows } = await loadOwnFlows(environment)
  const own = { ...flows, ...readNotificationSettings(toStaging(environment)) }
  for (const warning of warnings) output.note(warning)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const keys = loadCodecKeys(folder, isGiven(call, 'encrypt'))
  const { ring } = keys
  const flowApi = await readDevFlowApi(environment)
  const parts = { ...(flowApi && { flowApi }), ...(ring.keys.size > 0 && { ring }) }
  const telemetry = await startTelemetry('dev', reason => output.note(`telemetry not exported: ${reason}`))
  const progress = (line: string) => output.item({ progress: line }, () => line)
  const movable = await startMovableStack({ folder, ports, ...parts, own, progress, interrupted: signal })
  const control = await startControl(movable)
  const { stack } = movable
  await writeDevFile(folder, { ...describe(stack, keys, environment), control: control.control })
  const forwarding = forward === undefined ? undefined : forwardCallbacks(call, stack, forward)
  const lines = [...addressLines(stack), ...traceLines(telemetry)]
  if (forward !== undefined) lines.push(`  forwards to  ${forward.url}, CALLBACK_KEY=${forward.key}`)
  const { traces, tracesTo } = telemetry
  // The last line, at which scripts continue.
  output.item({ ...toAddresses(stack), ...(traces && { tracesTo }), ...(forward && { forward }) }, () => [
    '',
    ...terminalLines(stack),
    "In this folder, lockerflow finds the stack by itself, and lockerflow temporal runs Temporal's own command.",
    '',
    'Everything is running. Ctrl-C stops it.',
    ...lines,
  ])
  await aborted(signal)
  await forwarding
  await removeDevFile(folder)
  await control.stop()
  await movable.stop()
  await telemetry.stop()
}

/**
 * Two stacks of a folder would share its databases, which two servers of Temporal take from each other.
 * @throws CommandFailure if a stack runs in this folder
 */
async function requireNoStack(): Promise<void> {
  if (!(await isStackRunning())) return
  throw failed(
    `a stack is already running in this folder, as process ${readDevFile()?.pid}.`,
    'Use or stop that stack, or start another one in a different folder.',
  )
}

/** A local address that gets every callback too, signed by the key. */
interface Forward {
  readonly url: string
  readonly key: string
}

function describe(stack: Stack, { ring, file }: DevKeys, environment: NodeJS.ProcessEnv) {
  const { serviceAddress, gatewayAddress, temporalAddress, namespace, uiUrl, credentials } = stack
  return {
    pid,
    baseUrl: serviceAddress,
    ...credentials,
    gatewayUrl: gatewayAddress,
    temporal: { address: temporalAddress, namespace },
    ...(uiUrl !== undefined && { uiUrl }),
    ownFlows: Object.fromEntries(ownFlowNames.flatMap(name => (environment[name] ? [[name, environment[name]]] : []))),
    ...(file !== undefined && { codec: { keysFile: file, encrypts: ring.current !== undefined } }),
  }
}

/** Forwards a copy of each callback to a local address. The stack keeps running if this fails. */
async function forwardCallbacks({ output, signal }: VerbCall, stack: Stack, { url, key }: Forward): Promise<void> {
  const { serviceAddress, credentials } = stack
  const client = createTrafficClient({ baseUrl: serviceAddress, authUrl: serviceAddress, ...credentials })
  try {
    await attach({
      client,
      to: url,
      key,
      signal,
      onBroken: () => undefined,
      onCallback: (callback, answer) =>
        output.item({ forwarded: callback, answer }, () => describeCallback(callback, answer, output)),
    })
  } catch (error) {
    output.note(`callbacks are not forwarded: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Reads the settings of the flow API for a developer's stack: undefined without LOCKERFLOW_FLOW_API_PORT. It accepts the
 * clients of the service, as in staging, and keeps its port when the stack starts again after a snapshot.
 * @throws SettingsError
 */
async function readDevFlowApi(environment: NodeJS.ProcessEnv): Promise<StackFlowApi | undefined> {
  const { LOCKERFLOW_FLOW_API_PORT } = gatewayVariables
  const { LOCKERFLOW_FLOW_API_PORT: set } = readVariables(environment, { LOCKERFLOW_FLOW_API_PORT })
  if (set === undefined) return undefined
  const port = set || (await freePort(ip))
  const source = { ...toStaging(environment), LOCKERFLOW_FLOW_API_PORT: String(port) }
  return { port, settings: api => readFlowApi(source, () => api) }
}

function toStaging(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, LOCKERFLOW_ENVIRONMENT: 'staging' }
}

/**
 * The ports of `lockerflow dev`: the default ones, or with `auto` a free one for each that no variable sets. They stay
 * the same when the stack starts again after a snapshot.
 * @throws SettingsError, or CommandFailure for another word than auto
 */
async function readStackPorts(source: NodeJS.ProcessEnv, given: unknown): Promise<StackPorts> {
  if (given !== undefined && given !== 'auto') throw misuse(`--ports: must be auto, got "${given}".`)
  const ports = readPorts(source, given === 'auto' ? 'free' : 'default')
  const chosen: Record<string, number> = {}
  for (const [name, set] of Object.entries(ports)) chosen[name] = set || (await freePort('127.0.0.1'))
  return { ...ports, ...chosen }
}
