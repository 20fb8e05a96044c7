import type { Logger } from 'pino'
import { createLogThrottle } from '#platform/logs'
import type { HardwareAdapter } from './hardware.ts'

/** The last request to an adapter. */
export interface Contact {
  /** Milliseconds of a clock that is never set back. */
  readonly at: number
  /** Why it had no valid response; undefined if it had one. Without a secret, an address or a name. */
  readonly fault: string | undefined
}

/** The last contact with each adapter, by whatever request. */
export interface AdapterContacts {
  /** @param error undefined after a valid response */
  note(adapter: HardwareAdapter, error: unknown): void
  last(adapter: HardwareAdapter): Contact | undefined
}

/** A failure of the adapter, with a text of this project. */
export class AdapterError extends Error {
  /** False if the adapter itself has refused a door that it does not have. */
  readonly isFault: boolean

  constructor(message: string, options: ErrorOptions & { readonly isFault?: boolean } = {}) {
    super(message, options)
    this.isFault = options.isFault ?? true
  }
}

/** Notes contacts, and logs when an adapter is unavailable and when it is back. */
export function createContacts(log: Pick<Logger, 'warn' | 'info'>, clock = () => performance.now()): AdapterContacts {
  const contacts = new Map<HardwareAdapter, Contact>()
  const throttled = createLogThrottle()
  return {
    note(adapter, error) {
      const fault = faultOf(error)
      const before = contacts.get(adapter)?.fault
      contacts.set(adapter, { at: clock(), fault })
      if ((fault === undefined) === (before === undefined)) return
      const line = { adapter: adapter.name }
      throttled(`${adapter.name}`, suppressed => {
        if (fault === undefined) log.info({ ...line, suppressed }, 'hardware adapter available')
        else log.warn({ logId: 'adapter-unavailable', ...line, err: error, suppressed }, 'hardware adapter unavailable')
      })
    },
    last: adapter => contacts.get(adapter),
  }
}

function faultOf(error: unknown): string | undefined {
  if (error === undefined) return undefined
  if (error instanceof AdapterError) return error.isFault ? error.message : undefined
  return 'the adapter did not respond in time'
}
