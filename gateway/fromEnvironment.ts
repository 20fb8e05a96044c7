import { readReceiver } from './environment.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { readProcess, withoutUndefined } from './processSettings.ts'
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
  return createReceiver({ ...readReceiver(settings), ...withoutUndefined(settings) })
}
