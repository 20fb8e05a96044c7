import type { Verb, VerbAction } from './command/verb.ts'

/** The processes, one at a time or all together, and Temporal's command. */
export const processVerbs: readonly Verb[] = [
  {
    name: 'dev',
    summary: 'Start everything on this machine: Temporal, the service, the gateway and a worker.',
    options: [
      { flags: '--encrypt', summary: 'Encrypt the histories of flows' },
      {
        flags: '--forward <url>',
        summary: 'Send every callback to this local address too, signed with a key that stays the same on this machine',
      },
      { flags: '--ports <auto>', summary: 'With auto, each part listens on a free port' },
    ],
    example: 'lockerflow dev --ports auto',
    ownStack: true,
    load: () => import('./dev.ts'),
  },
  {
    name: 'demo',
    summary: 'Start everything, play four bookings to their end, and stop.',
    options: [{ flags: '--keep', summary: 'Keep everything running until Ctrl-C' }],
    example: 'lockerflow demo',
    ownStack: true,
    load: () => import('./demo.ts'),
  },
  {
    name: 'service',
    summary: 'Start the service of the lockers.',
    example: 'lockerflow service',
    load: async () => processAction((await import('#service/main')).runService),
  },
  {
    name: 'gateway',
    summary: 'Start the gateway, which passes callbacks to the flows.',
    example: 'lockerflow gateway',
    load: async () => processAction((await import('#gateway/main')).runGateway),
  },
  {
    name: 'worker',
    summary: 'Start a worker, which runs the flows.',
    example: 'lockerflow worker',
    load: async () => processAction((await import('#worker/main')).runWorker),
  },
  {
    name: 'codec',
    summary: 'Start the codec server, which decrypts histories for the Web UI.',
    example: 'lockerflow codec',
    load: async () => processAction((await import('#gateway/codecServer/main')).runCodecServer),
  },
  {
    name: 'temporal',
    summary: "Run Temporal's own command, at the Temporal of the stack in this folder.",
    arguments: [
      { name: 'words', summary: "The words and options of Temporal's command", optional: true, variadic: true },
    ],
    example: 'lockerflow temporal workflow list',
    passThrough: true,
    load: () => import('./temporal.ts'),
  },
]

/** A process that reads its settings from an environment, and reports when it is ready. */
type Process = (onReady: (ready: object, line: string) => void, source: NodeJS.ProcessEnv) => Promise<void>

/** The action of a process: it prints one answer when it is ready, and ends by a signal. */
function processAction(run: Process): VerbAction {
  return { run: ({ environment, output }) => run((ready, line) => output.item(ready, () => line), environment) }
}
