/** The verbs of the installed command `lockerflow`, with the source of each. The source tree has them as npm scripts. */
export const commands = {
  demo: 'cli/demo.ts',
  dev: 'cli/dev.ts',
  service: 'service/main.ts',
  gateway: 'gateway/main.ts',
  worker: 'worker/main.ts',
  codec: 'codecServer/main.ts',
  hardware: 'hardware/main.ts',
  'hardware:check': 'hardware/check/main.ts',
  flows: 'cli/flows.ts',
  promote: 'worker/promotion/main.ts',
  replay: 'cli/replay.ts',
  sweep: 'cli/sweep.ts',
  move: 'cli/move.ts',
  clients: 'cli/clients.ts',
  lockers: 'cli/lockers.ts',
  topology: 'cli/topology.ts',
  secrets: 'cli/secrets.ts',
  callbacks: 'cli/callbacks.ts',
  audit: 'cli/audit.ts',
  person: 'cli/person.ts',
  forget: 'cli/forget.ts',
} as const satisfies Readonly<Record<string, string>>

/** Writes the module of the command. It loads the one verb that it runs, in its own process. */
export function writeCommand(toPath: (file: string) => string): string {
  const rows = Object.entries(commands).map(
    ([verb, file]) => `  ${JSON.stringify(verb)}: () => import(${JSON.stringify(toPath(file))}),`,
  )
  return `const verbs = {\n${rows.join('\n')}\n}
const [verb] = process.argv.splice(2, 1)
if (Object.hasOwn(verbs, verb ?? '')) await verbs[verb]()
else {
  console.error(\`usage: lockerflow <command> [arguments], where <command> is one of \${Object.keys(verbs).join(', ')}\`)
  process.exitCode = 1
}
`
}
