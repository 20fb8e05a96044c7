import { calendarsJsonSchema } from '#activities/calendars'
import { bookings } from '#flows'
import { declarationSchema, type FaultEntry, faultCodes } from '#flows/check'
import { generated, table } from './markdown.ts'
import { fieldsOf, type Schema } from './schema.ts'

const root = declarationSchema() as Schema & { readonly $defs: Readonly<Record<string, Schema>> }

/** docs/reference/declaration.schema.json: the form for editors. */
export function declarationSchemaFile(): string {
  return `${JSON.stringify(root, null, 2)}\n`
}

/** docs/reference/calendars.schema.json: the form of a calendar file for editors. */
export function calendarsSchemaFile(): string {
  return `${JSON.stringify(calendarsJsonSchema(), null, 2)}\n`
}

/** docs/reference/declaration-faults.md: meaning and remedy of each code, with an anchor for each. */
export function declarationFaultsPage(): string {
  const entries = Object.entries<FaultEntry>(faultCodes).map(
    ([code, { meaning, remedy, warning }]) =>
      `## ${code}\n\n${meaning}${warning ? ' A warning: the flow still runs.' : ''}\n\n**What to do:** ${remedy}`,
  )
  return `${[generated, '# Faults of a declaration', faultsIntroduction, ...entries].join('\n\n')}\n`
}

const faultsIntroduction = `\`lockerflow flows check FILES\`, and every worker at its start, print a line for each fault: file, line and
column, flow, step and field, the sentence, and one of these codes. They stop at the first of three levels that has faults: the
form, the references, and then every path that a flow can take.`

const kinds = ['Book', 'Wait', 'Ask', 'Call', 'Run', 'Sleep']
const blocks = ['Group', 'Switch', 'Parallel', 'ForEach', 'Repeat']
const parts = ['FieldPoint', 'WorkingTimePoint', 'ClockPoint']

const isCommon = (field: string) => ['name', 'summary', 'when', 'leaves'].includes(field)
const isOfBlock = (field: string) => ['window', 'onTimeout', 'onError'].includes(field)

function sectionOf(kind: string, isOwn: (field: string) => boolean): string[] {
  const schema = root.$defs[kind]
  const title = kind.charAt(0).toLowerCase() + kind.slice(1)
  return [`### ${title}`, schema?.description ?? '', fieldsOf(pick(schema, isOwn), root.$defs)]
}

function pick({ properties = {}, ...schema }: Schema = {}, isPicked: (field: string) => boolean): Schema {
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isPicked(name))) }
}

/** docs/reference/declaration.md: the form of a declaration, from its schema. */
export function declarationPage(): string {
  return `${[
    generated,
    introduction,
    fieldsOf(root, root.$defs),
    steps,
    fieldsOf(pick(root.$defs.Sleep, isCommon), root.$defs),
    ...kinds.flatMap(kind => sectionOf(kind, name => !isCommon(name))),
    blocksText,
    fieldsOf(pick(root.$defs.Group, isOfBlock), root.$defs),
    ...blocks.flatMap(kind => sectionOf(kind, name => !isCommon(name) && !isOfBlock(name))),
    blockOutputs,
    windows,
    ...parts.flatMap(part => [
      `### ${part}`,
      root.$defs[part]?.description ?? '',
      fieldsOf(root.$defs[part], root.$defs),
    ]),
    policies,
    roles(),
    values,
    checks,
  ].join('\n\n')}\n`
}

function roles(): string {
  const rows = Object.entries(bookings).map(([operation, booked]) => [
    `\`${operation}\``,
    Object.entries<{ initialState: string; existing?: true; link?: { by: string; to: string } }>(booked)
      .map(([role, { initialState, existing, link }]) => {
        const notes = [existing ? 'existed before' : initialState, ...(link ? [`${link.by} of ${link.to}`] : [])]
        return `\`${role}\` (${notes.join(', ')})`
      })
      .join(', '),
  ])
  return [
    '## Operations that book',
    'The roles of each, in the order of the response, with their first states.',
    table(['operation', 'roles'], rows),
  ].join('\n\n')
}

const introduction = `# Declaration of a flow

A flow is data: a list of steps. This page is the form of it, in TypeScript (\`FlowDeclaration\`), YAML and JSON alike.
[Declare a flow](../how-to/declare-a-flow.md) shows how to write one. Editors read the same form as JSON Schema:
[declaration.schema.json](declaration.schema.json).

## The flow`

const steps = `## Steps

The kind of a step is its key: exactly one of \`book\`, \`wait\`, \`ask\`, \`call\`, \`run\` and \`sleep\`, or of the [blocks](#blocks)
\`group\`, \`switch\`, \`parallel\`, \`forEach\` and \`repeat\`. The key \`flow\` is reserved. Steps run one after another. \`when\` can
omit a step, and \`goTo\` leads to a later step of the same list, to \`done\`, the end of the list, or to \`end\`, that of the flow.

Every step has these fields:`

const blocksText = `## Blocks

A block is a step that has steps of its own, up to four levels deep. It ends when they have ended. A code that a step inside of it
does not name, a window that passes there with \`cancel\`, and a shipment that another program cancels climb to the first block
that names \`ShipmentCancelled\`, \`Expired\` or the code in \`onError\`. The block then undoes its steps, the last one first, and
the flow goes on. \`other\` stands for every code that the map lacks.

Inside of \`parallel\` and \`forEach\` no \`goTo\` leads to \`end\`. Every block has these fields:`

const blockOutputs = `### Until

| value | the block ends |
|---|---|
| \`all\` | when all branches or items have ended. The default |
| \`first\` | with the first one that completes. The others are stopped, and undone |
| \`{ atLeast: 2 }\` | with the second one that completes, in the same way |

### Outputs of blocks

| block | field | value |
|---|---|---|
| parallel | \`first\` | the name of the branch that ended first |
| forEach | \`items\` | a list with \`key\` and the fields of \`collect\` for each item that completed, in the order of the list |
| | \`completed\`, \`failed\` | how many items |
| | \`errors\` | a list with \`key\` and \`error\`, the code |
| repeat | \`rounds\`, \`ended\` | the number of rounds, and \`until\` or \`atMost\` |
| | \`round\` | inside of it: the number of this round, from 1 |
| any | \`error\` | the code after which the flow went on |

A branch reads what existed before the block and its own outputs. After \`all\` the outputs of each branch exist; after \`first\` and
\`atLeast\` perhaps: read them by \`{ first: [...] }\` or with \`or\`. Outside of an item nothing of it can be read but what \`collect\`
names. After a loop the outputs of its steps are those of the last round.

| limit | |
|---|---|
| depth of blocks | 4 |
| branches | 8 |
| items of a list, \`atMost\` of forEach | 50 |
| rounds, \`atMost\` of repeat | 100 |
| steps that can run, with those of each item and round | 500 |
| lists that run at once | 64 |`

const windows = `## Windows

### Window

| value | the step ends |
|---|---|
| a duration, such as \`48h\` | this long after it began. In production that of a \`wait\` or an \`ask\` is at least a minute |
| a [FieldPoint](#fieldpoint), a [WorkingTimePoint](#workingtimepoint) or a [ClockPoint](#clockpoint) | at this point in time: [end a step by working hours](../how-to/declare-a-flow.md#end-a-step-by-working-hours) |
| null | without a deadline. The step has no \`onTimeout\` |`

const policies = `## Policies

### OnTimeout

| value | when the window has passed |
|---|---|
| \`remind\` | the flow is overdue and sends a notification. The window starts again, unless it ended at a point in time |
| \`ask\` | the flow is overdue and waits for the update \`decide\` |
| \`cancel\` | the flow undoes its steps and ends with the outcome \`expired\` |
| \`{ goTo: step }\` | the flow goes on with a later step, with the end of the list, or ends: \`{ goTo: done }\`, \`{ goTo: end }\` |

### OnError

A map of codes to policies, for example \`{ NoLockerAvailable: continue }\`. The codes are refusals of the service, and types of
non-retryable failures of an activity.

| value | after this error |
|---|---|
| \`fail\` | the flow undoes its steps and fails with the code, as it does after a code that the map lacks |
| \`continue\` | the flow goes on with the next step |
| \`{ goTo: step }\` | the flow goes on with a later step, with the end of the list, or ends: \`{ goTo: done }\`, \`{ goTo: end }\` |

### Leaves

A sentence in \`leftOver\` of the result, for a person, if the flow ends early after the step. \`{ text, until: step }\` is left over only
until a later step is complete.`

const values = `## Values

A path is \`input.field\`, \`step.field\` for the output of a step, or \`role.shipmentUid\`. \`step.ended\` of a wait is \`reached\` or \`timedOut\`. A step that goes on after an
error, by \`continue\` or \`goTo\`, has the code in \`step.error\`, a book step too. In a merge, null replaces a value of an earlier part. Access codes and keys are in no output. A request leaves out \`ReferenceCaseNo\`:
the flow fills in its case number. It leaves out \`caseReferenceNew\` too: callbacks find the flow by the case number of the shipment.

### Source

| source | value |
|---|---|
| a text, number, true, false or null | itself |
| \`{ from: path }\`, \`{ from: path, or: value }\` | the value at the path. \`or\` replaces an absent value, or null |
| \`{ value: ... }\` | itself, even if it has one of these keys |
| \`{ merge: [source, ...] }\` | the fields of all, the later ones over the earlier |
| an object or a list of sources | an object or a list. An absent value leaves its field out |

### When

| condition | true if |
|---|---|
| \`{ path: value }\` | the value at the path equals it; an absent one equals null and false |
| \`{ path: { is } }\`, \`{ not }\`, \`{ in: [...] }\`, \`{ present }\` | the comparison is true. \`is\` and \`not\` take a source. For an absent value \`not\` and \`in\` are false: \`{ not: { path: value } }\` is true |
| \`{ path: { lessThan } }\`, \`{ moreThan }\`, \`{ atMost }\`, \`{ atLeast }\` | two numbers, or two moments, have this order. Each takes a source, and is false for an absent value |
| \`{ path: { contains } }\` | the list has the value of a source |
| several paths | all of them are |
| \`{ any: [...] }\`, \`{ all: [...] }\`, \`{ not: ... }\` | one, all, or none of the conditions is |

### Fields

A map of names to types, for example \`{ cents: integer, note: { optional: text } }\`.

| type | value |
|---|---|
| \`text\`, \`number\`, \`integer\`, \`boolean\`, \`uid\` | as named; a uid has 1 to 64 characters |
| \`instant\`, \`date\` | \`2026-11-21T08:00:00Z\`, \`2026-11-21\` |
| a list of texts | one of them |
| \`{ list: type }\`, \`{ fields: { … } }\` | a list, an object |
| \`{ optional: type }\` | the value, or null, or absent |`

const checks = `## Limits

200 steps, 100 characters of a name, 200 bytes of a summary, 32 answers of a step, 50 shipments, and 20,000 bytes of current
details in the Web UI. The request of a flow has at most 256 KiB, and its plan 1 MiB. Each step sends at most 1 MiB, and the
outputs of the flow have at most 1 MiB of the request. A booking is tried for at most 12 hours, because services forget
idempotency keys after a day.

## Checks before a flow runs

- **Form**: fields, types, names, durations.
- **References**: operations, request fields and the types of their sources, roles, paths, \`goTo\`, activities.
- **Paths**: an exploration of every input, answer, error, expired window and locker event, with the
  [machine of shipments](shipments.md). Each step can be reached, no wait is over when it begins, every wait can end, every value
  exists where it is used, and no end leaves a booked locker behind.

[Faults of a declaration](declaration-faults.md) has each code.`
