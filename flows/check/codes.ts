/** The meaning of a fault, and the way out. */
export interface FaultEntry {
  readonly meaning: string
  readonly remedy: string
  /** A flow with this fault alone still runs. */
  readonly warning?: true
}

/** The codes of faults in a declaration. docs/reference/declaration-faults.md is made from this table. */
export const faultCodes = {
  // Files
  FileNotRead: {
    meaning:
      'The file or pattern names no regular file of at most 2 MB that can be read, or the module throws while it is imported.',
    remedy: 'Correct the path. If it is a module, run `node FILE` to see its error.',
  },
  NoDeclaration: {
    meaning: 'The file contains no declaration.',
    remedy: 'Export an object with `name`, `summary` and `steps`, or write these keys at the top of the YAML file.',
  },
  YamlSyntax: {
    meaning: 'The file is not YAML 1.2 or JSON, or uses anchors, aliases, tags or merge keys (`<<`).',
    remedy: 'Correct the place that the message names. Repeat a value instead of using an anchor.',
  },
  YamlDuplicateKey: {
    meaning: 'A key occurs twice in one map.',
    remedy: 'Remove one of the two.',
  },
  // Form
  NotJson: {
    meaning: 'A value cannot be represented in JSON: a function, a date, a promise, a class or an infinite number.',
    remedy: 'Write plain data. Move work to an activity that a run step names.',
  },
  MissingField: {
    meaning: 'A required field is missing.',
    remedy: 'Add the field.',
  },
  UnknownField: {
    meaning: 'The form, or the request of an operation, has no such field.',
    remedy: 'Correct the spelling, or remove the field.',
  },
  OldForm: {
    meaning:
      'A step has a key of an earlier form, `each`, `together` or `completedBy`, or a word of other languages for a block, `if`, `loop` or `try`.',
    remedy:
      'Write the block that the message names. For steps that share a name under conditions, see `DuplicateName`.',
  },
  InvalidValue: {
    meaning: 'The form does not allow the value of a field.',
    remedy: 'Use one of the values that the message names.',
  },
  StepKind: {
    meaning:
      'A step has none of the keys `book`, `wait`, `ask`, `call`, `run`, `sleep`, `parallel`, `forEach`, `repeat`, `switch` and `group`, or several of them.',
    remedy: 'Give each step exactly one of them. Divide a step that has two.',
  },
  RoleShared: {
    meaning:
      'Several branches, or all items of a list, wait for, cancel or book upon a shipment from before the block, or one that is linked to it.',
    remedy: 'Let one branch have it, or wait for it before or after the block.',
  },
  ItemEscapes: {
    meaning: 'A path leads from outside into an item of a list, where each item has a value of its own.',
    remedy: 'Name the value in `collect`, and read `items` of the block.',
  },
  ReadsBeside: {
    meaning: 'A path leads into another branch, which runs at the same time.',
    remedy: 'Read the value after the block, or put both steps in one branch.',
  },
  KeyNotText: {
    meaning: 'The key of a `forEach` step is no text field of its items.',
    remedy: 'Name a text field that is unique in the list, or leave the key out.',
  },
  CaseUnreachable: {
    meaning: 'A case of a `switch` step comes after one that always holds.',
    remedy: 'Put the case without a condition last.',
  },
  NotYet: {
    meaning: 'The key is reserved for a later version: `flow` of a step.',
    remedy: 'Start the second flow from an activity.',
  },
  BadName: {
    meaning:
      'A name does not begin with a lower-case letter, contains more than letters and digits, is longer than 100 characters, or is reserved (`input`, `end`, `done`, `now`, and the members of every object, such as `constructor`).',
    remedy: 'Choose another name.',
  },
  BadDuration: {
    meaning: 'A duration is not a count above 0 and a unit, or is longer than ten years.',
    remedy: 'Write a count and one of `ms`, `s`, `m`, `h` and `d`, such as `48h`.',
  },
  LimitExceeded: {
    meaning:
      'A limit is exceeded: 200 steps, 32 answers, 200 bytes of a summary, 50 shipments, or 20 KB of current details in the Web UI.',
    remedy: 'Shorten the text, or divide the flow into two.',
  },
  // References
  NameTaken: {
    meaning:
      'Another flow, or in one flow a step and a role, has this name. Or it is the name of a workflow that every worker has: `booking`, `notification` or `sweep`. Or every result, or every output of such a step, has a field of this name.',
    remedy: 'Rename one of them. A role gets another name by `as`.',
  },
  DuplicateName: {
    meaning:
      'Two steps of the flow have the same name, also in blocks, or under conditions of which only one can be true.',
    remedy:
      'Rename one of them. For steps of which only one runs, write a `switch` step with a case for each, and read the value of either by `first` in the outputs.',
  },
  UnknownOperation: {
    meaning:
      'The service has no such operation, or the operation is of the wrong kind: `book` needs one that books, and `call` needs one that neither books nor uploads a file.',
    remedy: 'Use an operation of the OpenAPI document of the service.',
  },
  UnknownErrorCode: {
    meaning:
      'The operation has no such refusal. Or a run step names `RunGivenUp` or `OutputTooLarge`, after which the flow always fails.',
    remedy:
      'Use a code that the OpenAPI document of the service lists for the operation. For a run step, use the type of a failure that its activity throws.',
  },
  UnknownRole: {
    meaning: 'No step books this role, or on some path through the flow no earlier step has booked it.',
    remedy: 'Use a role that is booked on every path, or give the step the condition of that booking.',
  },
  UnknownPath: {
    meaning: 'A path does not name a field of the input, an output of an earlier step, or a role.',
    remedy: 'Correct the path: `input.field`, `step.field` or `role.shipmentUid`.',
  },
  SourceType: {
    meaning:
      'The type of a value does not fit the field that it is written to or compared with. Or a text is the path of a value, without `from`.',
    remedy: 'Use a value of the type that the message names. Write `{ from: path }` for the value at a path.',
  },
  UnknownStep: {
    meaning: '`goTo` does not name a later step of its list, or `until` of a left-over does not name a later step.',
    remedy: 'Name a later step. `goTo` can also name `end`, and inside of a block `done`.',
  },
  BackwardGoTo: {
    meaning: '`goTo` names this step or an earlier one. Flows have no loops.',
    remedy: 'Name a later step, or `end`.',
  },
  WindowTooLong: {
    meaning:
      'A duration is longer than its step allows: the window of a booking exceeds 12h (services forget idempotency keys), a timeout exceeds the window of its step, or a heartbeat exceeds its timeout.',
    remedy: 'Shorten the duration, or extend the window or the timeout.',
  },
  WindowPolicyMismatch: {
    meaning: 'A window has no `onTimeout`, or `onTimeout` has no window.',
    remedy: 'Give both or neither: `onTimeout` is the policy for an expired window.',
  },
  UndoMissing: {
    meaning: 'A run step has no `undo`.',
    remedy: 'Name the activity that undoes the work, a sentence in `leaves` for a person, or `nothing`.',
  },
  UnregisteredActivity: {
    meaning: 'The worker that checks the flow has no activity of this name.',
    remedy:
      'Register it with the worker, by `LOCKERFLOW_ACTIVITIES`, `--activities` or `activities` of `startWorker`. Or name the `taskQueue` of the worker that has it.',
  },
  NoCalendar: {
    meaning: 'A step ends by working hours, and the worker that checks the flow has no calendar.',
    remedy: 'Set `LOCKERFLOW_CALENDARS` to a [calendar file](../how-to/declare-a-flow.md#end-a-step-by-working-hours).',
  },
  // Connection
  NoPoller: {
    meaning: 'No worker polls the task queue of a run step for activities. Only `check --connect` reports this.',
    remedy:
      'Start the worker of the task queue, or correct `taskQueue`. A flow that has begun waits until a worker polls.',
  },
  // Exploration
  StepUnreachable: {
    meaning: 'No input, answer or event leads to the step.',
    remedy: 'Correct the conditions and `goTo`, or remove the step.',
  },
  OverAtStart: {
    meaning: 'The wait is over before it begins: its roles always have these states already, or later ones.',
    remedy: 'Wait for a later state, or remove the step.',
  },
  WaitNeverEnds: {
    meaning: 'No event leads to the states that the step waits for.',
    remedy: 'Wait for states that can follow those before the step.',
  },
  RoleNeverMoves: {
    meaning: 'A booked role occurs in no wait, output, source or `keep`.',
    remedy: 'Wait for it, hand its uid on as an output, or list it in `keep`.',
  },
  LeavesBooking: {
    meaning: 'A flow can end with a shipment of its own that is active and holds no item, so its locker stays booked.',
    remedy: 'Wait until the shipment holds an item or has ended, or do not keep it.',
  },
  OutputMissing: {
    meaning: 'On some path to this place, the output does not exist.',
    remedy: 'Give the step the condition of the output, or a default: `{ from, or }` or `{ first: [...] }`.',
  },
  UnusedAnswer: {
    meaning: 'A step offers several answers, and nothing afterwards depends on which one is given.',
    remedy: 'Read `step.answer` in a condition, a source or an output, or offer one answer.',
  },
  TooComplex: {
    meaning:
      'The flow has more than 200,000 situations, so its paths were not explored. Answers and fields that are read much later multiply the situations.',
    remedy: 'Read answers in the next steps, or divide the flow. The form and the references were checked.',
    warning: true,
  },
} as const satisfies Readonly<Record<string, FaultEntry>>

export type FaultCode = keyof typeof faultCodes

/** The page of all codes, below the root of the project. Packages replace it with the address of their own page. */
const faultsPage = 'docs/reference/declaration-faults.md'

/** The page of the code. */
export function toFaultPage(code: FaultCode): string {
  return `${faultsPage}#${code.toLowerCase()}`
}

export function isWarning(code: FaultCode): boolean {
  const entry: FaultEntry = faultCodes[code]
  return entry.warning === true
}
