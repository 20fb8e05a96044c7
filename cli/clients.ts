import { argv } from 'node:process'
import { type ClientRegistry, openClientRegistry, readDatabaseUrl, readKeyEncryption } from '#service'
import { type ClientsAction, readArguments } from './clients/arguments.ts'
import { formatListing, formatSecret } from './clients/report.ts'

const past = { disable: 'switched off', enable: 'switched on', remove: 'removed' } as const

// The command changes the store directly, so it also works while no service runs. Running services follow in a second.
try {
  const { action, json } = readArguments(argv.slice(2))
  const registry = await openClientRegistry(readDatabaseUrl(), { keyEncryption: readKeyEncryption() })
  try {
    const { result, lines } = await perform(registry, action)
    console.log(json ? JSON.stringify(result, undefined, 2) : lines.join('\n'))
  } finally {
    await registry.close()
  }
} catch (error) {
  console.error(`clients: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
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
    case 'expire':
      await registry.expire(action.clientId, action.delay)
      return done(action, `the older secret of ${action.clientId} ends`)
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
