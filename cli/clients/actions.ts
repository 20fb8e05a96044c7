import { type ClientRegistry, openClientRegistry, readDatabaseUrl, readKeyEncryption } from '#service'
import type { VerbAction } from '../command/verb.ts'
import { type ClientsAction, readAction } from './arguments.ts'
import { formatListing, formatSecret, toPrinted } from './report.ts'

const past = { disable: 'disabled', enable: 'enabled', remove: 'removed' } as const

/** The action of `clients <act>`. It changes the store directly. Running services follow in a second. */
export function clientsAction(act: ClientsAction['act']): VerbAction {
  return {
    async run(call) {
      const action = readAction(act, call)
      const registry = await openClientRegistry(readDatabaseUrl(call.environment), {
        keyEncryption: readKeyEncryption(call.environment),
      })
      try {
        const { result, lines } = await perform(registry, action)
        call.output.result(toPrinted(result), () => lines)
      } finally {
        await registry.close()
      }
    },
  }
}

interface Performed {
  readonly result: object
  readonly lines: readonly string[]
}

async function perform(registry: ClientRegistry, action: ClientsAction): Promise<Performed> {
  switch (action.act) {
    case 'list': {
      const result = await registry.list()
      return { result, lines: formatListing(result) }
    }
    case 'add': {
      const result = await registry.add(action)
      return { result, lines: formatSecret(result) }
    }
    case 'rotate': {
      const result = await registry.rotate(action)
      return { result, lines: formatSecret(result) }
    }
    case 'revoke':
      if ('kid' in action.target) await registry.revokeKey(action.target.kid)
      else await registry.revokeTokens(action.target.clientId)
      return done(action, `tokens of ${Object.values(action.target)[0]} revoked`)
    default:
      await registry[action.act](action.target)
      return done(action, `${Object.values(action.target)[0]} ${past[action.act]}`)
  }
}

function done(result: object, line: string): Performed {
  return { result, lines: [line] }
}
