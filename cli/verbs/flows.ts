import type { Verb, VerbOption } from '../command/verb.ts'

const files = { name: 'files', summary: 'Files or patterns of declarations, such as ./flows/*.yaml', variadic: true }
const flows: VerbOption = { flags: '--flows <files>', summary: 'Declarations of your own flows', multiple: true }
const calendars: VerbOption = {
  flags: '--calendars <file>',
  summary: 'Working hours and holidays; by default the file of LOCKERFLOW_CALENDARS, else weekdays from nine to five',
}
const casesSummary = 'Files or patterns of test cases'

/** Declarations, histories and builds of flows. */
export const flowsVerbs: readonly Verb[] = [
  {
    name: 'flows check',
    summary: 'Check declarations of flows.',
    arguments: [files],
    options: [
      { flags: '--activities <module>', summary: 'The module whose functions are the activities of the worker' },
      { flags: '--connect', summary: 'Check that a worker polls each task queue' },
    ],
    example: 'lockerflow flows check examples/repair-shop/flows/repairShop.yaml',
    load: async () => (await import('../flows/actions.ts')).flowsAction('check'),
  },
  {
    name: 'flows types',
    summary: 'Print the types of flows as a TypeScript module.',
    arguments: [files],
    example: 'lockerflow flows types examples/repair-shop/flows/repairShop.yaml',
    load: async () => (await import('../flows/actions.ts')).flowsAction('types'),
  },
  {
    name: 'flows diagram',
    summary: 'Draw flows from files, a running case or a history as a Mermaid diagram.',
    arguments: [{ ...files, summary: 'Files or patterns of declarations, a case number or a history' }],
    options: [
      { flags: '--at <step>', summary: 'Show the progress of a flow at this step' },
      { flags: '--svg <file>', summary: 'Also write the picture of one flow, case or history to this file' },
    ],
    example: 'lockerflow flows diagram examples/repair-shop/flows/repairShop.yaml',
    load: async () => (await import('../flows/actions.ts')).flowsAction('diagram'),
  },
  {
    name: 'flows test',
    summary: 'Run test cases of flows.',
    arguments: [{ ...files, summary: casesSummary }],
    options: [
      flows,
      calendars,
      { flags: '--real', summary: 'Run them on real parts instead of the simulator' },
      { flags: '--factor <number>', summary: 'With --real: a factor for all windows, above 0 and at most 1' },
      { flags: '--junit <file>', summary: 'Write a JUnit report' },
      { flags: '--diagram', summary: 'Draw the ways that the cases took' },
      { flags: '--covered', summary: 'Fail if a flow has a way that no case takes' },
    ],
    example: 'lockerflow flows test flows/cases/stock.yaml',
    load: async () => (await import('../flows/actions.ts')).flowsAction('test'),
  },
  {
    name: 'flows simulate',
    summary: 'Run a flow on simulated time and print its time line.',
    arguments: [{ name: 'flow', summary: 'The name of a flow' }],
    options: [
      { flags: '--request <file>', summary: 'The request as JSON or YAML; - reads standard input', required: true },
      { flags: '--story <file>', summary: 'A file with the events of the story' },
      flows,
      calendars,
      { flags: '--seed <number>', summary: 'Repeat the random choices of a run' },
      { flags: '--start <moment>', summary: 'The moment at which the simulated time begins' },
    ],
    example: 'lockerflow flows simulate stock --request stock.json',
    load: async () => (await import('../flows/actions.ts')).flowsAction('simulate'),
  },
  {
    name: 'promote',
    summary: 'Make a build of the worker the current one, at once or in steps.',
    options: [
      { flags: '--deployment <name>', summary: 'The deployment, by default LOCKERFLOW_DEPLOYMENT' },
      { flags: '--build-id <id>', summary: 'The build, by default LOCKERFLOW_BUILD_ID' },
      { flags: '--sample <number>', summary: 'Replay this many of the flows that move, by default all' },
      { flags: '--check', summary: 'Check only, and change nothing' },
      { flags: '--wait <duration>', summary: 'How long to wait for workers of the build; by default not at all' },
      { flags: '--ramp <percentages>', summary: 'Route growing shares of the flows, such as 5,25,100' },
      { flags: '--watch <duration>', summary: 'How long each share is watched, 10m by default' },
      { flags: '--roll-back', summary: 'End the ramp of a build, for example one that a killed command left' },
      {
        flags: '--yes',
        summary: 'With --roll-back: also move the flows of a build that is older than the current one',
      },
    ],
    example: 'lockerflow promote --deployment lockerflow --build-id 2026-11-20 --check',
    stopTimeout: 120_000,
    load: () => import('../promote/actions.ts'),
  },
  {
    name: 'replay',
    summary: 'Replay exported histories with the current workflows.',
    arguments: [{ name: 'files', summary: 'Folders or files of histories', variadic: true }],
    example: 'lockerflow replay test/histories/stock-cancelled-in-dropOff.json',
    load: async () => (await import('../replay/actions.ts')).replay,
  },
  {
    name: 'sweep',
    summary: 'List, adopt or cancel bookings of the service that have no flow.',
    options: [
      { flags: '--adopt', summary: 'Start a flow for each of them' },
      { flags: '--cancel', summary: 'Cancel them' },
      { flags: '--case <number>', summary: 'Only those of one case' },
      { flags: '--flow <name>', summary: 'The flow to start for them' },
      { flags: '--older-than <duration>', summary: 'Only those without a change for this time', default: '15m' },
      { flags: '--schedule <interval>', summary: 'Sweep every 1h, or off' },
    ],
    example: 'lockerflow sweep --older-than 15m',
    load: async () => (await import('../sweep/actions.ts')).sweep,
  },
]
