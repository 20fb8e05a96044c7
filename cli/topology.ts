import { argv } from 'node:process'
import { isProduction } from '#contract/settings'
import { openTopologyRegistry, readDatabaseUrl, readTopology } from '#service'
import { environmentWith } from './environment.ts'
import { readArguments } from './topology/arguments.ts'
import { formatChanges } from './topology/report.ts'

// The command changes the store directly, so it also works while no service runs. Running services follow at once.
try {
  const { act, file, retire, json } = readArguments(argv.slice(2))
  const topology = readTopology(file, { production: isProduction(environmentWith()) })
  const registry = await openTopologyRegistry(readDatabaseUrl())
  try {
    const changes = await registry[act](topology, { retire })
    console.log(json ? JSON.stringify(changes, undefined, 2) : formatChanges(changes, { act, retire }).join('\n'))
  } finally {
    await registry.close()
  }
} catch (error) {
  console.error(`topology: ${error instanceof Error ? error.message.replace(/^topology: /, '') : String(error)}`)
  process.exitCode = 1
}
