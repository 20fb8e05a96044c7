import fc from 'fast-check'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { block, books, flowOf, waits } from './blockFlows.ts'
import { cancels, flagged, type Nameless, randomSteps } from './randomSteps.ts'

const policy = fc.constantFrom<object>(
  {},
  {},
  { onError: { Broken: 'continue' } },
  { onError: { other: 'continue' } },
  { onError: { Expired: 'continue' } },
  { onError: { ShipmentCancelled: 'continue', NoLockerAvailable: 'continue' } },
  { window: '9h', onTimeout: { goTo: 'done' } },
  { window: '9h', onTimeout: 'cancel' },
  { when: flagged },
)

/** Gives a block its name, then its steps theirs. */
const named =
  (letter: string, make: (name: string, next: () => number) => object): Nameless =>
  next => {
    const name = `${letter}${next()}`
    return [block(name, make(name, next)) as Step]
  }

/** A shipment that is booked before blocks in which it is placed, collected or cancelled. */
const around = (list: fc.Arbitrary<Nameless>) =>
  fc
    .tuple(
      list,
      policy,
      fc.constantFrom('group', 'branch', 'case', 'rounds', 'cancelled'),
      fc.constantFrom('all', 'first'),
    )
    .map(
      ([steps, more, kind, until]): Nameless =>
        next => {
          const name = `o${next()}`
          const role = `role${name}`
          const first = books(`book${name}`, { as: { issue: role } })
          const put = waits(`put${name}`, 'ReadyForPickup', { wait: { [role]: 'ReadyForPickup' } })
          const taken = waits(`taken${name}`, 'Completed', { wait: { [role]: 'Completed' } })
          const cancelled = cancels(`cancel${name}`, role)
          const inner = steps(next)
          const branch = [
            { name: 'x', steps: [put, taken] },
            { name: 'y', steps: inner },
          ]
          const blocks: Record<typeof kind, readonly object[]> = {
            group: [block(name, { group: [put, ...inner, taken], ...more })],
            branch: [block(name, { parallel: branch, until, ...more })],
            case: [block(name, { switch: [{ when: flagged, steps: [put, taken] }, { steps: [...inner, cancelled] }] })],
            rounds: [put, block(name, { repeat: { atMost: 2 }, steps: inner, ...more }), taken],
            cancelled: [block(name, { group: inner, ...more }), cancelled],
          }
          return [first, ...(blocks[kind] as Step[])]
        },
    )

const { node } = fc.letrec<{ node: Nameless }>(tie => {
  const list = fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map(
    (nodes): Nameless =>
      next =>
        nodes.flatMap(steps => steps(next)),
  )
  const group = fc
    .tuple(list, policy)
    .map(([steps, more]) => named('g', (_, next) => ({ group: steps(next), ...more })))
  const parallel = fc
    .tuple(fc.array(list, { minLength: 2, maxLength: 3 }), policy, fc.constantFrom('all', 'first', { atLeast: 2 }))
    .map(([lists, more, until]) =>
      named('p', (_, next) => ({
        parallel: lists.map((steps, index) => ({ name: `${'xyz'[index]}`, steps: steps(next) })),
        until,
        ...more,
      })),
    )
  const choice = fc.tuple(list, list, policy, fc.boolean()).map(([first, second, more, isWhole]) =>
    named('c', (_, next) => ({
      switch: [{ when: flagged, steps: first(next) }, ...(isWhole ? [{ steps: second(next) }] : [])],
      ...more,
    })),
  )
  const forEach = fc
    .tuple(list, policy, fc.constantFrom('all', 'first'), fc.constantFrom('continue', 'fail'), fc.constantFrom(1, 3))
    .map(([steps, more, until, onItemError, atOnce]) =>
      named('e', (name, next) => {
        const inner = steps(next)
        const collect = inner.flatMap(step => ('run' in step && step.run === 'work' ? [step.name] : []))
        return {
          ...{ forEach: 'input.parts', item: `i${name}`, key: 'sku', atMost: 3, steps: inner },
          ...{ until, onItemError, atOnce, ...more },
          ...(collect.length > 0 && { collect: { done: { from: `${collect[0]}.done` } } }),
        }
      }),
    )
  const repeat = fc
    .tuple(list, policy, fc.constantFrom({}, { every: '6h' }))
    .map(([steps, more, every]) =>
      named('r', (_, next) => ({ repeat: { atMost: 2, ...every }, steps: steps(next), ...more })),
    )
  const blocks = fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    ...[randomSteps, group, parallel, choice, forEach, repeat, around(list)],
  )
  return { node: fc.oneof({ maxDepth: 3, depthSize: 'small' }, randomSteps, blocks) }
})

/** A flow of blocks, whose input has parts, and perhaps a flag. */
export const randomBlocks: fc.Arbitrary<FlowDeclaration> = fc.array(node, { minLength: 1, maxLength: 3 }).map(nodes => {
  let count = 0
  const flow = flowOf(nodes.flatMap(steps => steps(() => count++)))
  return { ...flow, input: { ...flow.input, PupUid: 'uid', ToUserUid: 'uid', flag: { optional: 'text' } } }
})
