import { onTestFinished } from 'vitest'
import { type ClientRegistry, openClientRegistry, type Settings } from '#service'
import { temporaryStore } from './temporaryStore.ts'
import { startTestService, type TestService } from './testService.ts'

export interface RegisteredService {
  readonly databaseUrl: string
  readonly service: TestService
  readonly registry: ClientRegistry
}

/** A service, and a registry of clients on the same store, like the command's. Its clock is the service's. */
export async function startWithRegistry(overrides: Partial<Settings> = {}): Promise<RegisteredService> {
  const databaseUrl = overrides.databaseUrl ?? (await temporaryStore())
  const service = await startTestService({ databaseUrl, ...overrides })
  onTestFinished(() => service.stop())
  const registry = await openClientRegistry(databaseUrl, { clock: service.settings.clock })
  onTestFinished(() => registry.close())
  return { databaseUrl, service, registry }
}

/** A token request with this secret. */
export function signInWith(
  service: TestService,
  clientId: string,
  clientSecret: string,
  headers: Record<string, string> = {},
) {
  const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
  return service.signIn(form, headers)
}

/** The status of a call with this token. */
export async function statusWith(service: TestService, token: string): Promise<number> {
  return (await service.call('GetPickUpPoints', {}, { token })).status
}
