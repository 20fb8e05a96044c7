import type { Verb, VerbAction } from '../command/verb.ts'

/** The processes, one at a time or all together. */
export const processVerbs: readonly Verb[] = [
  {
    name: 'dev',
    summary: 'Start everything on this machine: Temporal, the service, the gateway and a worker.',
    options: [
      { flags: '--hardware', summary: 'Open doors through a simulator of the hardware' },
      { flags: '--encrypt', summary: 'Encrypt the histories of flows' },
      {
        flags: '--forward <url>',
        summary: 'Send every callback to this local address too, signed with a key that stays the same on this machine',
      },
      { flags: '--ports <auto>', summary: 'With auto, each part listens on a free port', values: ['auto'] },
    ],
    example: 'lockerflow dev --hardware',
    ownStack: true,
    load: () => import('../dev.ts'),
  },
  {
    name: 'demo',
    summary: 'Start everything, play four bookings to their end, and stop.',
    options: [{ flags: '--keep', summary: 'Keep everything running until Ctrl-C' }],
    example: 'lockerflow demo',
    ownStack: true,
    load: () => import('../demo.ts'),
  },
  {
    name: 'service',
    summary: 'Start the service of the lockers.',
    example: 'lockerflow service',
    load: async () => processAction((await import('#service/process')).runService),
  },
  {
    name: 'gateway',
    summary: 'Start the gateway, which passes callbacks to the flows.',
    example: 'lockerflow gateway',
    load: async () => processAction((await import('#gateway/process')).runGateway),
  },
  {
    name: 'worker',
    summary: 'Start a worker, which runs the flows.',
    example: 'lockerflow worker',
    load: async () => processAction((await import('#worker/process')).runWorker),
  },
  {
    name: 'codec',
    summary: 'Start the codec server, which decrypts histories for the Web UI.',
    example: 'lockerflow codec',
    load: async () => processAction((await import('#gateway/codecServer/process')).runCodecServer),
  },
  {
    name: 'hardware',
    summary: 'Start the simulator of the locker hardware.',
    example: 'lockerflow hardware',
    load: async () => processAction((await import('#service/adapter/process')).runSimulator),
  },
  {
    name: 'hardware check',
    aliases: ['hardware:check'],
    summary: 'Check an adapter of locker hardware over HTTP. The door of the locker opens about twenty times.',
    options: [
      { flags: '--url <url>', summary: 'The address of the adapter', required: true },
      { flags: '--pick-up-point <uid>', summary: 'The pick up point of the locker', required: true },
      { flags: '--locker <uid>', summary: 'The locker', required: true },
      { flags: '--key <key>', summary: 'The key of the adapter, by default that of LOCKERFLOW_HARDWARE_KEY' },
      { flags: '--locker-name <name>', summary: 'The name of the locker, by default its uid' },
      {
        flags: '--events-port <port>',
        summary: 'Check the events too: the adapter sends them to /hardware/events here, and not to the service',
      },
      { flags: '--events-host <host>', summary: 'The address of that port, by default 127.0.0.1' },
      { flags: '--only <text>', summary: 'Run the checks whose names contain this text' },
    ],
    example: 'lockerflow hardware check --url http://127.0.0.1:8086 --pick-up-point pup-1 --locker locker-1',
    load: () => import('../hardware/check.ts'),
  },
]

/** A process that reads its settings from an environment, and reports when it is ready. */
type Process = (onReady: (ready: object, line: string) => void, source: NodeJS.ProcessEnv) => Promise<void>

/** The action of a process: it prints one answer when it is ready, and ends by a signal. */
function processAction(run: Process): VerbAction {
  return { run: ({ environment, output }) => run((ready, line) => output.item(ready, () => line), environment) }
}
