import { allSteps, type Cause } from '#flows'
import type { OnError, Step } from '#flows/declaration'
import { evaluateOn } from '../model/conditions.ts'
import type { PlacedStep } from '../model/tree.ts'
import { type Explorer, listEnd, type Region } from './situation/explorer.ts'
import { withoutBookings } from './situation/forget.ts'
import { type Node, toKey, type Way } from './situation/node.ts'
import { uidsIn } from './situation/parts.ts'
import { withDone, withResult } from './situation/values.ts'
import { jump, timeout, type WayParts } from './situation/ways.ts'

/** The ways out of a block whose lists begin in this situation. */
export function* exploreBlock(explorer: Explorer, node: Node, placed: PlacedStep): Iterable<Way> {
  const { step } = placed
  const regions: Region[] = []
  if ('switch' in step) yield* chooseCase(explorer, node, placed, regions)
  else if ('parallel' in step) yield* runBranches(explorer, node, placed, regions)
  else if ('forEach' in step) yield* runItems(explorer, node, placed, regions)
  else if ('repeat' in step) yield* runRounds(explorer, node, placed, regions)
  else yield* runGroup(explorer, node, placed, regions)
  yield* loseAround(explorer, placed, regions)
  yield* climbOut(explorer, placed, regions)
  yield* timeOut(explorer, node, placed, regions)
}

function* runGroup(explorer: Explorer, node: Node, placed: PlacedStep, regions: Region[]): Iterable<Way> {
  const region = begin(explorer, node, placed, 0, 'fork')
  regions.push(region)
  for (const end of region.ends) yield on(withDone(end, placed.step), 'joined', placed)
}

function* chooseCase(explorer: Explorer, node: Node, placed: PlacedStep, regions: Region[]): Iterable<Way> {
  const { step, lists } = placed
  const cases = 'switch' in step ? step.switch : []
  for (const [index, { when }] of cases.entries()) {
    const truth = evaluateOn(when, key => explorer.parts.values.valueOf(node, key))
    if (typeof truth === 'object') {
      yield { kind: 'open', path: truth.needs }
      return
    }
    if (!truth) continue
    const region = begin(explorer, withoutLists(node, placed, index), placed, index, `case:${index + 1}`)
    regions.push(region)
    for (const end of region.ends) yield on(withDone(end, step), 'joined', placed)
    return
  }
  yield on(withDone(withoutLists(node, placed, lists.length), step), 'case:none', placed)
}

/** The node without the results of the lists that do not run. */
function withoutLists(node: Node, { lists }: PlacedStep, chosen: number): Node {
  const others = lists.flatMap(({ steps }, index) => (index === chosen ? [] : steps.map(({ step }) => step)))
  return allSteps(others).reduce((left, step) => withResult(left, step, '!left out'), node)
}

/** Each branch alone, since it cannot change what the others have; then the situations after all of them together. */
function* runBranches(explorer: Explorer, node: Node, placed: PlacedStep, regions: Region[]): Iterable<Way> {
  const { step, lists } = placed
  if (!('parallel' in step)) return
  const { until = 'all' } = step
  for (const index of lists.keys()) regions.push(begin(explorer, node, placed, index, 'fork'))
  const wanted = until === 'all' ? lists.length : until === 'first' ? 1 : until.atLeast
  for (const chosen of choose(lists.length, wanted)) {
    const lost = lists.flatMap(({ steps }, index) => (chosen.includes(index) ? [] : steps.map(each => each.step)))
    const start = allSteps(lost).reduce((left, each) => withResult(left, each, '!undone'), node)
    const joined = chosen.reduce<readonly Node[]>(
      (all, index) => all.flatMap(one => (regions[index]?.ends ?? []).flatMap(end => join(one, node, end))),
      [start],
    )
    for (const index of chosen) {
      const name = lists[index]?.branch ?? ''
      const cause: Cause = wanted === 1 ? `first:${name}` : 'joined'
      for (const one of joined) yield on(withResult(one, step, `first:${name}`), cause, placed)
    }
  }
}

/** Every choice of so many out of a number. */
function choose(size: number, count: number, from = 0): number[][] {
  if (count === 0) return [[]]
  return Array.from({ length: Math.max(0, size - from) }, (_, place) => from + place).flatMap(first =>
    choose(size, count - 1, first + 1).map(rest => [first, ...rest]),
  )
}

/** A situation with what a branch has changed since its start; none if both know another value of one path. */
function join(one: Node, start: Node, end: Node): Node[] {
  for (const [key, value] of end.values) if (one.values.has(key) && one.values.get(key) !== value) return []
  const changed = end.parts.filter(part => !start.parts.includes(part))
  const uids = new Set(changed.flatMap(uidsIn))
  const kept = one.parts.filter(part => !uidsIn(part).some(uid => uids.has(uid)))
  return [
    {
      ...one,
      parts: [...kept, ...changed],
      roles: new Map([...one.roles, ...end.roles]),
      freed: new Set([...one.freed, ...end.freed]),
      results: merge(one.results, start.results, end.results),
      values: new Map([...one.values, ...end.values]),
      known: merge(one.known, start.known, end.known),
    },
  ]
}

function merge(one: ReadonlyMap<string, string>, start: ReadonlyMap<string, string>, end: ReadonlyMap<string, string>) {
  const changed = [...end].filter(([key, value]) => start.get(key) !== value)
  return new Map([...one, ...changed])
}

/** One item stands for all: nothing outside can name what it has. */
function* runItems(explorer: Explorer, node: Node, placed: PlacedStep, regions: Region[]): Iterable<Way> {
  const { step, lists } = placed
  if (!('forEach' in step)) return
  const region = begin(explorer, node, placed, 0, 'item')
  regions.push(region)
  const [list] = lists
  if (list !== undefined) {
    for (const end of region.ends) explorer.visitor.completed?.(end, list.to - 1, list)
  }
  if (step.onItemError === 'continue') {
    for (const { from, cause } of region.climbs) explorer.visitor.edge?.(from.index, labelOf(cause, {}), placed.index)
    region.climbs.length = 0
  }
  yield on(withDone(node, step), 'joined', placed)
}

/** Until no round brings about another situation. */
function* runRounds(explorer: Explorer, node: Node, placed: PlacedStep, regions: Region[]): Iterable<Way> {
  const { step, lists } = placed
  const [list] = lists
  if (!('repeat' in step) || list === undefined) return
  const inside = allSteps(list.steps.map(each => each.step))
  const seen = new Set<string>()
  const open: Node[] = [node]
  for (let start = open.pop(); start !== undefined; start = open.pop()) {
    const own = withoutBookings(start, inside, explorer.parts.shipments)
    const round = inside.reduce((left, each) => withResult(left, each, '!left out'), own)
    const key = toKey({ ...round, step: placed.index, entered: true })
    if (seen.has(key)) continue
    seen.add(key)
    const region = begin(explorer, round, placed, 0, 'again')
    regions.push(region)
    for (const end of region.ends) {
      explorer.visitor.completed?.(end, list.to - 1, list)
      for (const after of settle(explorer, end, step.until)) {
        const isOver = evaluateOn(step.until, path => explorer.parts.values.valueOf(after, path))
        if (step.until !== undefined && isOver === true) {
          yield on(withResult(after, step, 'ended:until'), 'until', placed)
          continue
        }
        yield on(withResult(after, step, 'ended:atMost'), 'atMost', placed)
        if (step.repeat.atMost > 1) open.push(after)
      }
    }
  }
}

/** The situations in which a condition is decided. */
function settle(explorer: Explorer, node: Node, when: Parameters<typeof evaluateOn>[0]): Node[] {
  const { values } = explorer.parts
  const truth = evaluateOn(when, key => values.valueOf(node, key))
  return typeof truth === 'boolean'
    ? [node]
    : values.split(node, truth.needs).flatMap(one => settle(explorer, one, when))
}

function begin(explorer: Explorer, node: Node, placed: PlacedStep, index: number, cause: Cause): Region {
  const list = placed.lists[index]
  if (list === undefined) return { ends: [node], climbs: [], inside: [] }
  explorer.visitor.edge?.(placed.index, cause, list.steps.length > 0 ? list.from : listEnd)
  // An arrow leads from the block to the first step of the list.
  const origin = explorer.tracksOrigins ? { origin: { step: placed.index, cause } } : {}
  const region = explorer.list(list, { ...explorer.move(node, list.from), ...origin })
  return { ...region, climbs: [...region.climbs] }
}

/** The loss of a shipment that the steps inside no longer need is the matter of the blocks around. */
function* loseAround(explorer: Explorer, placed: PlacedStep, regions: readonly Region[]): Iterable<Way> {
  for (const inside of regions.flatMap(region => region.inside)) {
    for (const node of explorer.lossesAround(inside, placed)) {
      yield { kind: 'climb', cause: 'cancelledOutside', code: 'ShipmentCancelled', node }
    }
  }
}

/** A code leads on from the first block that names it, after its steps are undone. */
function* climbOut(explorer: Explorer, placed: PlacedStep, regions: readonly Region[]): Iterable<Way> {
  const { step } = placed
  const onError: OnError = 'onError' in step ? (step.onError ?? {}) : {}
  for (const climb of regions.flatMap(({ climbs }) => climbs)) {
    const policy = Object.hasOwn(onError, climb.code) ? onError[climb.code] : onError.other
    if (policy === undefined || policy === 'fail') {
      yield climb
      continue
    }
    explorer.visitor.edge?.(climb.from.index, labelOf(climb.cause, onError), placed.index)
    const cause: Cause = Object.hasOwn(onError, climb.code) ? `error:${climb.code}` : 'error:other'
    const after = withResult(undone(climb.node, placed, explorer.parts), step, cause)
    if (policy === 'continue') yield on(after, cause, placed)
    else yield* jump(after, cause, policy.goTo, `onError.${climb.code}`, explorer.parts)
  }
}

/** An error that a block takes as any other one has the label of all of them. */
function labelOf(cause: Cause, onError: OnError): Cause {
  if (!cause.startsWith('error:')) return cause
  return Object.hasOwn(onError, cause.slice('error:'.length)) ? cause : 'error:other'
}

function* timeOut(explorer: Explorer, node: Node, placed: PlacedStep, regions: readonly Region[]): Iterable<Way> {
  const { step } = placed
  if (!('onTimeout' in step)) return
  const inside = regions.flatMap(region => region.inside)
  // What the block has done to shipments from before stays.
  const starts = typeof step.onTimeout === 'object' ? [node, ...inside] : [node]
  for (const start of starts)
    yield* timeout(undone(start, placed, explorer.parts), step as Step & { window?: null }, explorer.parts)
}

/** The situation after the undo of a block: what its steps have booked or given is gone. */
function undone(inner: Node, placed: PlacedStep, { shipments }: WayParts): Node {
  const steps = allSteps(placed.lists.flatMap(({ steps: own }) => own.map(({ step }) => step)))
  const left = withoutBookings(inner, steps, shipments)
  const results = new Map([...left.results].filter(([name]) => steps.every(step => step.name !== name)))
  const after = steps.reduce<Node>((one, step) => withResult(one, step, '!undone'), { ...left, results })
  return { ...after, step: placed.index, entered: true }
}

function on(node: Node, cause: Cause, placed: PlacedStep): Way {
  return { kind: 'on', cause, node: { ...node, step: placed.index, entered: true }, next: placed.end }
}
