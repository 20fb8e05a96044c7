import type { Verb, VerbArgument, VerbOption } from '../command/verb.ts'

const caseNo: VerbArgument = { name: 'case', summary: 'The case number' }
const optionalCase: VerbArgument = { ...caseNo, optional: true }
const timeout: VerbOption = { flags: '--timeout <duration>', summary: 'How long to wait, such as 30s' }

/** Verbs with fields do not have it, because a field may have this name. */
const identity: VerbOption = {
  flags: '--identity <name>',
  summary: 'Who acts, for the history and the audit log. By default the user of this machine',
}

const whereSummary = 'A condition, such as "overdue and pickUpPoint = \'pup-1\' and started before 48h ago"'

/** A field of an answer may have one of their names, which `flow status` knows: it is given by --set. */
const answerOptions: readonly VerbOption[] = [
  { flags: '--by <name>', summary: 'Who answers. The name is recorded, not checked' },
  {
    flags: '--set <field=value>',
    summary: 'A field of the answer, even one named like an option, such as by=kim',
    multiple: true,
  },
  timeout,
]

/** The options of verbs that act on all flows of a condition. */
const bulk: readonly VerbOption[] = [
  { flags: '--where <condition>', summary: `${whereSummary}. Shows the flows, asks, and acts on each once` },
  { flags: '--yes', summary: 'Skip the confirmation, which needs a terminal' },
  { flags: '--dry-run', summary: 'Show the flows only' },
  { flags: '--rate <number>', summary: 'Flows per second, 10 by default' },
  { flags: '--report <file>', summary: 'A new file for the report, which also records the progress' },
  { flags: '--resume <file>', summary: 'Continue an interrupted command from this report' },
]

/** Flows of Temporal, by case number. */
export const flowVerbs: readonly Verb[] = [
  {
    name: 'flow start',
    summary: 'Start a flow. Its request comes from a file, from --set, and from a flag for each field.',
    arguments: [
      { name: 'flow', summary: 'The name of the flow' },
      {
        name: 'fields',
        summary: 'Fields of the request, such as --PupUid pup-1',
        optional: true,
        variadic: true,
      },
    ],
    options: [
      {
        flags: '--case <number>',
        summary:
          'The case number. A repeated start with it finds the same flow, until the namespace deletes the ended one',
        required: true,
      },
      { flags: '--request <file>', summary: 'The request as JSON or YAML; - reads standard input' },
      { flags: '--set <field=value>', summary: 'A field of the request, such as request.PupUid=pup-1', multiple: true },
      { flags: '--window <step=duration>', summary: 'The window of a step, such as pickUp=48h', multiple: true },
      {
        flags: '--wait <event>',
        summary: 'booked or end: wait until the lockers are booked, or the flow has ended',
      },
      timeout,
    ],
    example:
      'lockerflow flow start stock --case I1701-1982 --PupUid pup-1 --AllowLargerLockers --AllowOverflowLockers false --Dimension.width 30 --Dimension.height 15 --Dimension.length 40 --wait booked',
    fields: true,
    load: () => import('./start.ts'),
  },
  {
    name: 'flow wait',
    summary: 'Wait until a flow has ended. The exit code is 0 for a completed one.',
    arguments: [caseNo],
    options: [timeout],
    example: 'lockerflow flow wait I1701-1982 --timeout 1s',
    load: async () => ({ run: (await import('./follow.ts')).wait }),
  },
  {
    name: 'flow status',
    summary: 'Show the steps, the shipments, the deadline and the last callbacks of a flow.',
    arguments: [caseNo],
    example: 'lockerflow flow status I1701-1982',
    load: () => import('./status.ts'),
  },
  {
    name: 'flow watch',
    summary: 'Print each change of a flow until it has ended.',
    arguments: [caseNo],
    options: [{ flags: '--after <cursor>', summary: 'Continue after the change with this cursor' }, timeout],
    example: 'lockerflow flow watch I1701-1982 --timeout 1s --json',
    load: async () => ({ run: (await import('./follow.ts')).watch }),
  },
  {
    name: 'flow list',
    summary: 'List open flows, the last started first, then ended ones, the last ended first.',
    options: [
      { flags: '--where <condition>', summary: whereSummary },
      { flags: '--flow <name>', summary: 'Flows of this name' },
      { flags: '--state <state>', summary: 'Flows in this state: booking, waiting, overdue, cleaningUp or ended' },
      { flags: '--overdue', summary: 'Open flows whose window has passed' },
      { flags: '--user <uid>', summary: 'Flows for this user' },
      { flags: '--pick-up-point <uid>', summary: 'Flows at this pick up point' },
      { flags: '--limit <number>', summary: 'Flows per page, 100 by default' },
      { flags: '--cursor <text>', summary: 'The cursor that the previous page printed' },
    ],
    example: 'lockerflow flow list --where "state != ended and pickUpPoint = \'pup-1\'"',
    load: () => import('./list.ts'),
  },
  {
    name: 'flow decide',
    summary: 'Decide about an expired window of one flow, or of all flows that match a condition.',
    arguments: [optionalCase],
    options: [
      {
        flags: '--decision <decision>',
        summary: 'extend, cancel or keepWaiting. With --by, extend is the default',
      },
      { flags: '--by <duration>', summary: 'The length of the extension; by default the window of the step' },
      ...bulk,
      identity,
      timeout,
    ],
    example: 'lockerflow flow decide --where "overdue and pickUpPoint = \'pup-1\'" --by 24h --dry-run',
    load: async () => ({ run: (await import('./updates.ts')).decide }),
  },
  {
    name: 'flow cancel',
    summary: 'Cancel one flow, or all flows that match a condition, and wait for the clean-up.',
    arguments: [optionalCase],
    options: [
      { flags: '--reason <text>', summary: 'The reason, which the history records (required without --resume)' },
      ...bulk,
      identity,
      timeout,
    ],
    example: 'lockerflow flow cancel --where "flow = stock and started before 30d ago" --reason obsolete --dry-run',
    load: async () => ({ run: (await import('./updates.ts')).cancel }),
  },
  {
    name: 'flow answer',
    summary: 'Answer the step in which a flow asks, with a flag or --set for each field of the answer.',
    arguments: [
      caseNo,
      { name: 'step', summary: 'The step that asks' },
      { name: 'answer', summary: 'One of its answers' },
      { name: 'fields', summary: 'Fields of the answer, such as --cents 4900', optional: true, variadic: true },
    ],
    options: answerOptions,
    example: 'lockerflow flow answer R-1 quote priced --cents 4900 --by kim',
    fields: true,
    load: async () => ({ run: (await import('./updates.ts')).answer }),
  },
]
