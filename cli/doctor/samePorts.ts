import { readVariables, SettingsError, type Variable } from '#platform/settings'
import { readTelemetry } from '#platform/telemetry'

/** The name of a process. */
type CheckedProcess = keyof Awaited<ReturnType<typeof declaredPorts>>

/** A port setting that has the number of another one. */
export interface SamePort {
  readonly process: CheckedProcess
  readonly setting: string
  readonly problem: string
  readonly example: undefined
}

interface Listener {
  readonly process: CheckedProcess
  readonly setting: string
  readonly port: number
}

/** Finds ports that two settings share. Wrong ports are left out, and so is 0, which takes a free one. */
export async function findSamePorts(
  processes: readonly CheckedProcess[],
  source: NodeJS.ProcessEnv,
): Promise<readonly SamePort[]> {
  const found: SamePort[] = []
  const listeners = await listListeners(processes, source)
  for (const [index, { process, setting, port }] of listeners.entries()) {
    const same = listeners
      .slice(0, index)
      .find(each => each.port === port && each.setting !== setting && (each.process === process || !mayBeApart(source)))
    if (same === undefined || found.some(each => each.setting === setting)) continue
    found.push({
      process,
      setting,
      problem: `must differ from ${same.setting}, which is ${port} too`,
      example: undefined,
    })
  }
  return found
}

/** The processes of a named environment may run on machines of their own. Without a name all of them listen on loopback. */
function mayBeApart(source: NodeJS.ProcessEnv): boolean {
  return Boolean(source.LOCKERFLOW_ENVIRONMENT)
}

/** Ports of metrics come last. All processes share their setting, so the other port is the one to name. */
async function listListeners(processes: readonly CheckedProcess[], source: NodeJS.ProcessEnv): Promise<Listener[]> {
  const declared = await declaredPorts()
  const own = processes.flatMap(process =>
    Object.entries<Variable>(declared[process]).map(([setting, variable]) => {
      const read = () => Number(readVariables(source, { [setting]: variable })[setting])
      return { process, setting, port: readPort(read) }
    }),
  )
  const ofMetrics = processes.map(process => {
    return { process, setting: 'LOCKERFLOW_METRICS_PORT', port: readPort(() => metricsPort(process, source)) }
  })
  return [...own, ...ofMetrics].filter(({ port }) => port > 0)
}

function metricsPort(process: CheckedProcess, source: NodeJS.ProcessEnv): number {
  const hasMetrics = process !== 'codec'
  return hasMetrics ? (readTelemetry(process, source).prometheus?.port ?? 0) : 0
}

/** 0 for a port that is wrong or not set. */
function readPort(read: () => number): number {
  try {
    return read() || 0
  } catch (error) {
    if (error instanceof SettingsError) return 0
    throw error
  }
}

/** The settings of the ports of each process, apart from that of its metrics. */
async function declaredPorts() {
  // A destructured import leaves the rest of a folder out of the bundle.
  const { codecServerVariables } = await import('#gateway/codecServer/settings')
  const { gatewayVariables } = await import('#gateway/settings')
  const { serviceVariables } = await import('#service/settings')
  const { workerVariables } = await import('#worker/settings')
  const { LOCKERFLOW_SERVICE_PORT } = serviceVariables
  const { LOCKERFLOW_GATEWAY_PORT, LOCKERFLOW_FLOW_API_PORT } = gatewayVariables
  const { LOCKERFLOW_WORKER_PORT } = workerVariables
  const { LOCKERFLOW_CODEC_PORT } = codecServerVariables
  return {
    service: { LOCKERFLOW_SERVICE_PORT },
    gateway: { LOCKERFLOW_GATEWAY_PORT, LOCKERFLOW_FLOW_API_PORT },
    worker: { LOCKERFLOW_WORKER_PORT },
    codec: { LOCKERFLOW_CODEC_PORT },
  } satisfies Record<string, Record<string, Variable>>
}
