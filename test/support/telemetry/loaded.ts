// Loaded into a process by NODE_OPTIONS. Prints the packages of OpenTelemetry that the process has loaded when it ends.
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

const packages = new Set<string>()

registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /\/node_modules\/(@opentelemetry\/[^/]+)\//.exec(url) ?? []
    if (name !== undefined) packages.add(name)
    return nextLoad(url, context)
  },
})

process.once('exit', () => {
  for (const name of packages) writeSync(2, `loaded ${name}\n`)
})
