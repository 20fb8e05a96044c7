import { loadTogether } from '#contract/settings'
import { findFlowFiles, readEnvironment, readReceiver } from './environment.ts'
import { loadFlowApiFlows } from './flowApi/index.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { type CallbackReceiver, createReceiver } from './receiver.ts'
import type { GatewaySettings, ReceiverSettings } from './settings.ts'

/**
 * Starts a gateway in this process. Settings that are absent come from the environment, as those of the process
 * `lockerflow gateway` do. It listens when the promise resolves and becomes ready later: neither the service nor Temporal
 * must be up.
 *
 * ```ts
 * const gateway = await startGateway({ port: 8081 })
 * process.once('SIGTERM', () => gateway.stop())
 * await gateway.ready
 * ```
 * @throws SettingsError with every problem of the environment and of the files that it names
 * @throws Error when the port is taken or an address is malformed
 */
export async function startGatewayFromEnvironment(settings: Partial<GatewaySettings> = {}): Promise<Gateway> {
  return startGateway(await readProcess(settings))
}

/**
 * Reads the settings of a gateway process, and the declarations of own flows that its flow API has.
 * @param folder of the key that a staging gateway creates
 * @throws SettingsError with every problem of the environment and of the files that it names
 */
export async function readProcess(
  given: Partial<GatewaySettings> = {},
  source?: NodeJS.ProcessEnv,
  folder?: string,
): Promise<GatewaySettings> {
  const { settings, flows } = await loadTogether({
    settings: () => readEnvironment(source, folder, given),
    flows: () => loadFlowApiFlows(given.flowApi ?? findFlowFiles(source)),
  })
  const { flowApi } = settings
  return { ...settings, ...presentIn(given), ...(flowApi && { flowApi: { ...flowApi, flows, flowFiles: [] } }) }
}

/**
 * Creates a receiver for a server of your own. Settings that are absent come from the environment, as those of
 * `startGateway` do. The service sends callbacks to the address that ConfigureCallback names, signed with its key.
 *
 * ```ts
 * const receiver = createReceiver({ keys: { current: key } })
 * // node:http: createServer(receiver.handle)
 * // Express: app.post('/callbacks', receiver.handle)
 * // Fastify, in a plugin that has removed the parsers:
 * //   app.removeAllContentTypeParsers()
 * //   app.addContentTypeParser('*', (request, payload, done) => done(null))
 * //   app.post('/callbacks', (request, reply) => {
 * //     reply.hijack()
 * //     return receiver.handle(request.raw, reply.raw)
 * //   })
 * ```
 * @throws SettingsError with every problem of the environment
 */
export function createReceiverFromEnvironment(settings: Partial<ReceiverSettings> = {}): CallbackReceiver {
  return createReceiver({ ...readReceiver(settings), ...presentIn(settings) })
}

function presentIn<Settings extends object>(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Settings
}
