import type { Verb } from '../command/verb.ts'

/** Verbs that write the first files of a project. */
export const initVerbs: readonly Verb[] = [
  {
    name: 'init',
    summary: 'Write a project that starts a flow, after four questions.',
    arguments: [{ name: 'folder', summary: 'A new folder, by default my-lockers', optional: true }],
    options: [
      { flags: '--flow <name>', summary: 'The flow that the project starts' },
      { flags: '--pick-up-point <uid>', summary: 'The pick up point of its booking' },
      { flags: '--runner <name>', summary: 'The test runner' },
      { flags: '--yes', summary: 'Ask nothing, and use defaults for options that are not given' },
    ],
    example: 'lockerflow init my-lockers --yes',
    load: () => import('./project.ts'),
  },
  {
    name: 'init flow',
    summary: 'Add the declaration of a flow and its test cases to the project in this folder.',
    arguments: [{ name: 'name', summary: 'The name of the flow, such as keyReturn' }],
    example: 'lockerflow init flow keyReturn',
    load: () => import('./flow.ts'),
  },
]
