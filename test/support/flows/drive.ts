import type { FlowStatus, Json } from '#flows'
import type { AskStep, Field, Step } from '#flows/declaration'
import type { World } from '../world/flowWorld.ts'
import type { RandomFlow } from './randomFlows.ts'

/**
 * Answers, opens lockers, decides and cancels as a random flow wants it, until the flow has ended.
 * @param onStep called before the events of each step
 */
export async function drive(
  world: World,
  caseNo: string,
  random: RandomFlow,
  onStep: (stage: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const { flow, cancelIn, neglected, choices } = random
  const left = [...choices]
  const choose = (count: number) => (left.shift() ?? 0) % count
  const done = new Set<string>()
  const isNews = ({ state, stage }: FlowStatus) =>
    state === 'ended' ||
    (state === 'overdue' && !done.has(`${stage} decided`)) ||
    (state === 'waiting' && !done.has(stage ?? ''))
  for (;;) {
    const status = await world.statusWhen(caseNo, isNews)
    const { state, stage } = status
    if (state === 'ended') return
    const step = flow.steps.find(({ name }) => name === stage)
    if (stage === null || step === undefined) continue
    await onStep(stage)
    if (stage === cancelIn) {
      await world.flows.cancel(caseNo, 'random')
      return
    }
    if (state === 'overdue') {
      done.add(`${stage} decided`)
      const decision = choose(2) === 0 ? ('keepWaiting' as const) : ('cancel' as const)
      await world.flows.decide(caseNo, { decision })
      if (decision === 'keepWaiting') await complete(world, status, step, choose)
      continue
    }
    done.add(stage)
    if (!neglected.includes(stage)) await complete(world, status, step, choose)
  }
}

async function complete(
  world: World,
  { caseNo, shipments }: FlowStatus,
  step: Step,
  choose: (count: number) => number,
): Promise<void> {
  if ('ask' in step) {
    const { answer, fields } = randomAnswer(step, choose)
    await world.client.workflow.getHandle(`case:${caseNo}`).executeUpdate('answer', {
      args: [{ step: step.name, answer, fields }],
    })
  }
  if ('wait' in step) {
    const [role] = Object.keys(step.wait)
    const shipment = shipments.find(each => each.role === role)
    if (shipment === undefined) throw new Error(`no shipment of the role ${role}`)
    await world.open(shipment, step.name.startsWith('in') ? 'deliveryCode' : 'pickUpCode')
  }
}

function randomAnswer({ ask }: AskStep, choose: (count: number) => number) {
  const names = Object.keys(ask)
  const answer = names[choose(names.length)] ?? ''
  const fields = Object.entries(ask[answer] ?? {}).map(([name, field]) => [name, exampleOf(field)] as const)
  return { answer, fields: Object.fromEntries(fields) }
}

/** A value of a field of an answer. */
export function exampleOf(field: Field): Json {
  if (Array.isArray(field)) return field[0] ?? ''
  if (typeof field === 'object') return null
  if (field === 'boolean') return false
  return field === 'integer' ? 3 : 'worn'
}
