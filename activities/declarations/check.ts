import { operations } from '#contract'
import { accountFlows, type FlowDeclaration, findRoles, type WaitStep } from '#flows'
import { type Fault, shapeFaults } from './shape.ts'

/** The fields of every result, which an output must not overwrite. */
const resultFields = ['flow', 'caseNo', 'outcome', 'shipments', 'leftOver']

/**
 * Checks all declarations when a worker starts: an invalid one would only show in flows that hang.
 * @throws Error with a line per fault, such as `flow issue: steps[1].window: must be a duration`
 */
export function checkDeclarations(flows: Readonly<Record<string, unknown>>): void {
  const lines = Object.entries(flows).flatMap(([name, declaration]) =>
    findFaults(name, declaration).map(([path, text]) => `flow ${name}: ${path}: ${text}`),
  )
  if (lines.length > 0) throw new Error(lines.join('\n'))
}

function findFaults(name: string, declaration: unknown): Fault[] {
  const malformed = shapeFaults(declaration)
  const isSound = (part: string) => !malformed.some(([path]) => path === part || isBelow(path, part))
  // The other checks refer to these.
  const isNoList = malformed.some(([path]) => path === 'the declaration' || path === 'steps')
  if (isNoList || !isSound('steps[0]')) return malformed
  const flow = declaration as FlowDeclaration
  const [{ book: operation }, ...waits] = flow.steps
  const roles = Object.keys(findRoles(operation) ?? {})
  if (roles.length === 0)
    return [...malformed, ['steps[0].book', `must be an operation that books shipments, got ${operation}`]]
  const booking: Booking = { operation, roles }
  const sound = [...waits.entries()]
    .map(([index, step]) => ({ at: `steps[${index + 1}]`, step }))
    .filter(({ at }) => isSound(at))
  return [
    ...malformed,
    ...(isSound('name') ? nameFaults(flow, name) : []),
    ...sound.flatMap(({ at, step }, index) => [
      ...stepFaults(booking, at, step),
      ...placeFaults(at, step, {
        above: sound.slice(0, index).map(({ step }) => step),
        below: sound.slice(index + 1).map(({ step }) => step),
      }),
    ]),
    ...(isSound('outputs') ? outputFaults(flow, booking) : []),
  ]
}

interface Booking {
  readonly operation: string
  readonly roles: readonly string[]
}

function isBelow(path: string, part: string): boolean {
  return path.startsWith(`${part}.`) || path.startsWith(`${part}[`)
}

function nameFaults(flow: FlowDeclaration, name: string): Fault[] {
  return [
    ...faultIf(flow.name !== name, 'name', `must be ${name}, like its export`),
    ...faultIf(Object.hasOwn(accountFlows, name), 'name', 'must not be the name of an account flow'),
  ]
}

function stepFaults(booking: Booking, at: string, step: WaitStep): Fault[] {
  const { name, when = {}, wait, window, onTimeout, completedBy, keep = [] } = step
  return [
    ...faultIf(name === 'booking', `${at}.name`, 'must not be booking, which names the window of the booking'),
    ...Object.keys(when).flatMap(path =>
      faultIf(!isBoolean(booking, path), `${at}.when.${path}`, `must be a boolean field of ${booking.operation}`),
    ),
    ...Object.entries(wait).flatMap(([role, state]) => [
      ...roleFault(booking, `${at}.wait.${role}`, role),
      ...faultIf(state === 'Cancelled', `${at}.wait.${role}`, 'must not be Cancelled, which ends a flow'),
    ]),
    ...faultIf(window !== null && onTimeout === undefined, `${at}.onTimeout`, 'must not be missing beside a window'),
    ...faultIf(
      window === null && onTimeout !== undefined,
      `${at}.onTimeout`,
      'must be missing, since the step has no window',
    ),
    ...keep.flatMap((role, place) => roleFault(booking, `${at}.keep[${place}]`, role)),
    ...(completedBy ? roleFault(booking, `${at}.completedBy.role`, completedBy.role) : []),
  ]
}

/** The faults of a step in relation to the other steps. */
function placeFaults(at: string, step: WaitStep, { above, below }: Record<'above' | 'below', WaitStep[]>): Fault[] {
  const same = above.some(other => other.name === step.name && canFollow(other, step))
  const more = step.completedBy?.update === 'release' && below.some(other => canFollow(other, step))
  return [
    ...faultIf(same, `${at}.name`, `must be unique, but a step above has the name ${step.name}`),
    ...faultIf(more, `${at}.completedBy.update`, 'must not be release before another step, since it ends the flow'),
  ]
}

/** True if a request can go through both steps. */
function canFollow({ when: one = {} }: WaitStep, { when: other = {} }: WaitStep): boolean {
  const others: Readonly<Record<string, boolean>> = other
  return Object.entries(one).every(([path, wanted]) => others[path] === undefined || others[path] === wanted)
}

/** A schema that accepts true and rejects a number is a boolean, optional or not. */
function isBoolean({ operation }: Booking, path: string): boolean {
  const found = Object.values(operations).find(({ name }) => name === operation)
  const schema = new Map(Object.entries(found?.request.shape ?? {})).get(path.slice('input.'.length))
  return schema?.safeParse(true).success === true && !schema.safeParse(1).success
}

function outputFaults({ outputs = {} }: FlowDeclaration, booking: Booking): Fault[] {
  return Object.entries(outputs).flatMap(([name, path]) => [
    ...faultIf(resultFields.includes(name), `outputs.${name}`, 'must not be a field of every result'),
    ...roleFault(booking, `outputs.${name}`, path.slice(0, path.lastIndexOf('.'))),
  ])
}

function roleFault({ roles }: Booking, path: string, role: string): Fault[] {
  return faultIf(!roles.includes(role), path, `must be one of the roles ${roles.join(', ')}, got ${role}`)
}

function faultIf(isWrong: boolean | undefined, path: string, text: string): Fault[] {
  return isWrong ? [[path, text]] : []
}
