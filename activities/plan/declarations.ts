import { operations } from '#contract'
import { type FlowDeclaration, given, plainFlows, type Stage } from '#workflows/flows'
import { type Fault, shapeFaults } from './shape.ts'

/** Fields of every result; what a flow hands back stands beside them. */
const ofResults = ['flow', 'caseNo', 'outcome', 'shipments', 'leftOver']

/**
 * Checks declarations when they are loaded, all of them: a flow that is declared wrongly would be started, and then
 * hang. Throws an Error with a line for each fault, such as `flow issue: stages[1].window: has to be a duration`.
 */
export function checkDeclarations(flows: Readonly<Record<string, unknown>>): void {
  const lines = Object.entries(flows).flatMap(([name, declaration]) =>
    faultsOf(name, declaration).map(([path, text]) => `flow ${name}: ${path}: ${text}`),
  )
  if (lines.length > 0) throw new Error(lines.join('\n'))
}

function faultsOf(name: string, declaration: unknown): Fault[] {
  const misshapen = shapeFaults(declaration)
  const isSound = (part: string) => !misshapen.some(([path]) => path === part || isBelow(path, part))
  // Everything else refers to these.
  if (!['the declaration', 'operation', 'roles'].every(isSound)) return misshapen
  const flow = declaration as FlowDeclaration
  const stages = Array.isArray(flow.stages) ? [...flow.stages.entries()] : []
  const sound = stages.filter(([index]) => isSound(`stages[${index}]`))
  return [
    ...misshapen,
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
    ...(isSound('handsBack') ? handedBackFaults(flow) : []),
  ]
}

function isBelow(path: string, part: string): boolean {
  return path.startsWith(`${part}.`) || path.startsWith(`${part}[`)
}

function nameFaults(flow: FlowDeclaration, name: string): Fault[] {
  return [
    ...faultIf(flow.name !== name, 'name', `has to be ${name}, as it is in the door`),
    ...faultIf(Object.hasOwn(plainFlows, name), 'name', 'is that of a flow which books nothing'),
  ]
}

function operationFaults({ operation }: FlowDeclaration): Fault[] {
  const found = Object.values(operations).find(({ name }) => name === operation)
  if (found === undefined) return [['operation', `${operation} is not in the contract`]]
  const makes = 'shipmentUids' in found.response.shape || 'lockerName' in found.response.shape
  return faultIf(!makes, 'operation', `${operation} makes no shipment`)
}

function roleFaults({ roles }: FlowDeclaration): Fault[] {
  const names = Object.keys(roles)
  return Object.entries(roles).flatMap(([name, { given: isGiven, link }], index) => {
    const above = [given, ...names.slice(0, index)]
    return [
      ...faultIf(isGiven && index > 0, `roles.${name}.given`, 'is for the first role only'),
      ...faultIf(!link && index > 0, `roles.${name}.link`, 'is needed for every role but the first'),
      ...faultIf(link && !above.includes(link.to), `roles.${name}.link.to`, `has to be one of ${above.join(', ')}`),
    ]
  })
}

function stageFaults(flow: FlowDeclaration, at: string, stage: Stage): Fault[] {
  const { when = {}, reached, window, answer, cancels, order } = stage
  const unpaired = window === null ? 'window' : 'answer'
  return [
    ...Object.keys(when).flatMap(field =>
      faultIf(!isFlag(flow, field), `${at}.when.${field}`, `is no boolean field of ${flow.operation}`),
    ),
    ...Object.entries(reached).flatMap(([role, state]) => [
      ...noRole(flow, `${at}.reached.${role}`, role),
      ...faultIf(state === 'Cancelled', `${at}.reached.${role}`, 'Cancelled ends a flow and no stage'),
    ]),
    ...faultIf((window === null) !== (answer === null), `${at}.${unpaired}`, 'a window and an answer go together'),
    ...cancels.flatMap((role, place) => [
      ...noRole(flow, `${at}.cancels[${place}]`, role),
      ...faultIf(flow.roles[role]?.given, `${at}.cancels[${place}]`, `${role} was there before the flow`),
    ]),
    ...(order ? noRole(flow, `${at}.order.role`, order.role) : []),
  ]
}

/** What is wrong with a stage where it stands. */
function placeFaults(at: string, stage: Stage, { above, below }: Record<'above' | 'below', Stage[]>): Fault[] {
  const same = above.some(other => other.name === stage.name && canBothBe(other, stage))
  const more = stage.order?.update === 'release' && below.some(other => canBothBe(other, stage))
  return [
    ...faultIf(same, `${at}.name`, `${stage.name} is the name of a stage above`),
    ...faultIf(more, `${at}.order.update`, 'a release ends the flow, so no stage can come after it'),
  ]
}

/** Whether a request can go through both stages. */
function canBothBe({ when: one = {} }: Stage, { when: other = {} }: Stage): boolean {
  return Object.entries(one).every(([field, wanted]) => other[field] === undefined || other[field] === wanted)
}

/** What takes true and no number is a boolean, optional or not. */
function isFlag({ operation }: FlowDeclaration, field: string): boolean {
  const found = Object.values(operations).find(({ name }) => name === operation)
  const schema = new Map(Object.entries(found?.request.shape ?? {})).get(field)
  return schema?.safeParse(true).success === true && !schema.safeParse(1).success
}

function handedBackFaults(flow: FlowDeclaration): Fault[] {
  return Object.entries(flow.handsBack).flatMap(([name, role]) => [
    ...faultIf(ofResults.includes(name), `handsBack.${name}`, 'is a field of every result'),
    ...noRole(flow, `handsBack.${name}`, role),
  ])
}

function noRole({ roles }: FlowDeclaration, path: string, role: string): Fault[] {
  const names = Object.keys(roles)
  return faultIf(!names.includes(role), path, `${role} is none of the roles ${names.join(', ')}`)
}

function faultIf(isWrong: boolean | undefined, path: string, text: string): Fault[] {
  return isWrong ? [[path, text]] : []
}
