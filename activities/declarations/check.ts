import { operations } from '#contract'
import { accountFlows, existingShipment, type FlowDeclaration, type Stage } from '#flows'
import { type Fault, shapeFaults } from './shape.ts'

/** The fields of every result, which an output must not overwrite. */
const resultFields = ['flow', 'caseNo', 'outcome', 'shipments', 'leftOver']

/**
 * Checks all declarations when a worker starts: an invalid one would only show in flows that hang.
 * @throws Error with a line per fault, such as `flow issue: stages[1].window: must be a duration`
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
  if (!['the declaration', 'operation', 'roles'].every(isSound)) return malformed
  const flow = declaration as FlowDeclaration
  const stages = Array.isArray(flow.stages) ? [...flow.stages.entries()] : []
  const sound = stages.filter(([index]) => isSound(`stages[${index}]`))
  return [
    ...malformed,
    ...(isSound('name') ? nameFaults(flow, name) : []),
    ...operationFaults(flow),
    ...roleFaults(flow),
    ...sound.flatMap(([index, stage]) => [
      ...stageFaults(flow, `stages[${index}]`, stage),
      ...placeFaults(`stages[${index}]`, stage, {
        above: sound.filter(([other]) => other < index).map(([, above]) => above),
        below: sound.filter(([other]) => other > index).map(([, below]) => below),
      }),
    ]),
    ...(isSound('outputs') ? outputFaults(flow) : []),
  ]
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

function operationFaults({ operation }: FlowDeclaration): Fault[] {
  const found = Object.values(operations).find(({ name }) => name === operation)
  if (found === undefined) return [['operation', `must be an operation of the contract, got ${operation}`]]
  const makes = 'shipmentUids' in found.response.shape || 'lockerName' in found.response.shape
  return faultIf(!makes, 'operation', `must create shipments, which ${operation} does not`)
}

function roleFaults({ roles }: FlowDeclaration): Fault[] {
  const names = Object.keys(roles)
  return Object.entries(roles).flatMap(([name, { existing: isGiven, link }], index) => {
    const above = [existingShipment, ...names.slice(0, index)]
    return [
      ...faultIf(isGiven && index > 0, `roles.${name}.existing`, 'must be in the first role only'),
      ...faultIf(!link && index > 0, `roles.${name}.link`, 'must not be missing in any role but the first'),
      ...faultIf(link && !above.includes(link.to), `roles.${name}.link.to`, `must be one of ${above.join(', ')}`),
    ]
  })
}

function stageFaults(flow: FlowDeclaration, at: string, stage: Stage): Fault[] {
  const { when = {}, reached, window, onTimeout, cancels, completedBy } = stage
  const unpaired = window === null ? 'window' : 'onTimeout'
  return [
    ...Object.keys(when).flatMap(field =>
      faultIf(!isBoolean(flow, field), `${at}.when.${field}`, `must be a boolean field of ${flow.operation}`),
    ),
    ...Object.entries(reached).flatMap(([role, state]) => [
      ...roleFault(flow, `${at}.reached.${role}`, role),
      ...faultIf(state === 'Cancelled', `${at}.reached.${role}`, 'must not be Cancelled, which ends a flow'),
    ]),
    ...faultIf(
      (window === null) !== (onTimeout === null),
      `${at}.${unpaired}`,
      'must be null if and only if the other one of window and onTimeout is null',
    ),
    ...cancels.flatMap((role, place) => [
      ...roleFault(flow, `${at}.cancels[${place}]`, role),
      ...faultIf(
        flow.roles[role]?.existing,
        `${at}.cancels[${place}]`,
        `must not be ${role}, which existed before the flow`,
      ),
    ]),
    ...(completedBy ? roleFault(flow, `${at}.completedBy.role`, completedBy.role) : []),
  ]
}

/** The faults of a stage in relation to the other stages. */
function placeFaults(at: string, stage: Stage, { above, below }: Record<'above' | 'below', Stage[]>): Fault[] {
  const same = above.some(other => other.name === stage.name && canFollow(other, stage))
  const more = stage.completedBy?.update === 'release' && below.some(other => canFollow(other, stage))
  return [
    ...faultIf(same, `${at}.name`, `must be unique, but a stage above has the name ${stage.name}`),
    ...faultIf(more, `${at}.completedBy.update`, 'must not be release before another stage, since it ends the flow'),
  ]
}

/** True if a request can go through both stages. */
function canFollow({ when: one = {} }: Stage, { when: other = {} }: Stage): boolean {
  return Object.entries(one).every(([field, wanted]) => other[field] === undefined || other[field] === wanted)
}

/** A schema that accepts true and rejects a number is a boolean, optional or not. */
function isBoolean({ operation }: FlowDeclaration, field: string): boolean {
  const found = Object.values(operations).find(({ name }) => name === operation)
  const schema = new Map(Object.entries(found?.request.shape ?? {})).get(field)
  return schema?.safeParse(true).success === true && !schema.safeParse(1).success
}

function outputFaults(flow: FlowDeclaration): Fault[] {
  return Object.entries(flow.outputs).flatMap(([name, role]) => [
    ...faultIf(resultFields.includes(name), `outputs.${name}`, 'must not be a field of every result'),
    ...roleFault(flow, `outputs.${name}`, role),
  ])
}

function roleFault({ roles }: FlowDeclaration, path: string, role: string): Fault[] {
  const names = Object.keys(roles)
  return faultIf(!names.includes(role), path, `must be one of the roles ${names.join(', ')}, got ${role}`)
}

function faultIf(isWrong: boolean | undefined, path: string, text: string): Fault[] {
  return isWrong ? [[path, text]] : []
}
