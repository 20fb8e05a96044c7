import type { Verb, VerbOption } from '../command/verb.ts'

const files = { name: 'files', summary: 'Files or patterns of declarations, such as ./flows/*.yaml', variadic: true }
const flows: VerbOption = { flags: '--flows <files>', summary: 'Declarations of your own flows', multiple: true }
const calendars: VerbOption = {
  flags: '--calendars <file>',
  summary: 'Working hours and holidays; by default the file of LOCKERFLOW_CALENDARS, else weekdays from nine to five',
}
const casesSummary = 'Files or patterns of test cases'

/** Declarations of flows. */
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
    load: async () => (await import('./actions.ts')).flowsAction('check'),
  },
  {
    name: 'flows types',
    summary: 'Print the types of flows as a TypeScript module.',
    arguments: [files],
    example: 'lockerflow flows types examples/repair-shop/flows/repairShop.yaml',
    load: async () => (await import('./actions.ts')).flowsAction('types'),
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
    load: async () => (await import('./actions.ts')).flowsAction('diagram'),
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
      { flags: '--diagram', summary: 'Draw the paths that the cases took' },
      { flags: '--covered', summary: 'Fail if a flow has a path that no case takes' },
    ],
    example: 'lockerflow flows test flows/cases/stock.yaml',
    load: async () => (await import('./actions.ts')).flowsAction('test'),
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
      { flags: '--start <time>', summary: 'The time at which the simulation begins' },
    ],
    example: 'lockerflow flows simulate stock --request stock.json',
    load: async () => (await import('./actions.ts')).flowsAction('simulate'),
  },
]
