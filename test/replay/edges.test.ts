import { beforeAll, expect, test } from 'vitest'
import { flows as builtIn, type Edge, type FlowDeclaration, listsOf } from '#flows'
import { edgesOf, edgesOn, loadFlows } from '#flows/check'
import { replayEdges } from '#worker'
import { root } from '../project/sources.ts'
import { bundle } from '../support/world/bundle.ts'
import { installTestRuntime } from '../support/world/runtime.ts'
import { readHistories } from './histories.ts'

const own = ['examples/repair-shop/flows/*.yaml', 'test/support/flows/parcelReturn/parcelReturn.yaml']

interface TakenWay {
  readonly history: string
  readonly flow: FlowDeclaration
  readonly edges: readonly Edge[]
  /** The times of the edges, in milliseconds since 1970. */
  readonly moments: readonly number[]
}

let declared: readonly FlowDeclaration[]
let ways: readonly TakenWay[]

beforeAll(async () => {
  installTestRuntime()
  const { flows } = await loadFlows(own, { folder: root })
  declared = Object.values<FlowDeclaration>({ ...builtIn, ...flows })
  const taken = await replayEdges(await bundle(), readHistories().values())
  ways = [...Map.groupBy(taken, ({ workflowId }) => workflowId)].map(([history, edges]) => {
    const flow = declared.find(({ name }) => name === edges[0]?.flow)
    if (flow === undefined) throw new Error(`${history}: no declaration of ${edges[0]?.flow}`)
    return { history, flow, edges: edges.flatMap(edge => edgesOn(flow, edge)), moments: edges.map(({ at }) => at) }
  })
})

test('every edge that a recorded flow took is one of its declaration', () => {
  const known = new Map<FlowDeclaration, Set<string>>()
  const strange = ways.flatMap(({ history, flow, edges }) => {
    const declared = known.get(flow) ?? new Set(edgesOf(flow)?.map(toText))
    known.set(flow, declared)
    return edges
      .map(toText)
      .filter(edge => !declared.has(edge))
      .map(edge => `${history}: ${edge}`)
  })
  expect(strange).toEqual([])
})

test('each edge has the moment of its workflow task', () => {
  for (const { history, moments } of ways) {
    const tasks = new Set(taskStarts(history))
    expect(moments.filter(moment => !tasks.has(moment))).toEqual([])
    expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  }
})

test('the edges of a run without blocks follow each other', () => {
  const plain = ways.filter(({ flow }) => flow.steps.every(step => listsOf(step).length === 0))
  const broken = plain.filter(({ edges }) =>
    edges.some(({ step }, index) => index > 0 && edges[index - 1]?.next !== step),
  )
  expect(broken.map(({ history, edges }) => [history, ...edges.map(toText)])).toEqual([])
})

test('the recorded flows take ways of every kind', () => {
  const kinds = new Set(ways.flatMap(({ edges }) => edges.map(({ cause }) => cause.split(':')[0])))
  expect([...kinds].sort()).toEqual([
    'again',
    'answer',
    'ask.cancel',
    'ask.extend',
    'ask.keepWaiting',
    'cancel',
    'cancelledOutside',
    'error',
    'first',
    'fork',
    'reached',
    'remind',
    'skipped',
    'timeout.cancel',
    'timeout.goTo',
    'until',
  ])
})

/** The moments at which the workflow tasks of a history began, in milliseconds since 1970. */
function taskStarts(name: string): number[] {
  const history = readHistories().get(name)?.history
  const { events } = history as { readonly events: readonly { eventType: string; eventTime: string }[] }
  return events
    .filter(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_STARTED')
    .map(({ eventTime }) => Date.parse(eventTime))
}

function toText({ step, cause, next }: Edge): string {
  return `${step} ${cause} ${next}`
}
