import fc from 'fast-check'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { asks, block, breaks, flowOf, sleeps, work } from './blockFlows.ts'

/** A step whose name is given later, since names are unique in a flow. */
type Nameless = (next: () => number) => Step

const leaf = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Nameless>(next => work(`w${next()}`)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom({}, { onError: { Broken: 'continue' as const } }, { onError: { other: { goTo: 'done' } } })
      .map(
        (more): Nameless =>
          next =>
            breaks(`b${next()}`, more),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        { window: null },
        { window: '5h', onTimeout: 'cancel' } as const,
        { window: '5h', onTimeout: { goTo: 'done' } } as const,
      )
      .map(
        (more): Nameless =>
          next =>
            asks(`a${next()}`, { ask: { yes: {} }, ...more }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('1h', '7h').map(
      (length): Nameless =>
        next =>
          sleeps(`s${next()}`, length as '1h'),
    ),
  },
)

const policy = fc.constantFrom<object>(
  {},
  {},
  { onError: { Broken: 'continue' } },
  { onError: { other: 'continue' } },
  { onError: { Expired: 'continue' } },
  { window: '9h', onTimeout: { goTo: 'done' } },
  { window: '9h', onTimeout: 'cancel' },
)

const { node } = fc.letrec<{ node: Nameless }>(tie => {
  const list = fc.array(tie('node'), { minLength: 1, maxLength: 3 })
  const all = (lists: readonly (readonly Nameless[])[], next: () => number) =>
    lists.map(steps => steps.map(step => step(next)))
  const group = fc.tuple(list, policy).map(
    ([steps, more]): Nameless =>
      next => {
        const name = `g${next()}`
        return block(name, { group: steps.map(step => step(next)), ...more }) as Step
      },
  )
  const parallel = fc
    .tuple(fc.array(list, { minLength: 2, maxLength: 3 }), policy, fc.constantFrom('all', 'first', { atLeast: 2 }))
    .map(
      ([lists, more, until]): Nameless =>
        next => {
          const name = `p${next()}`
          const branches = all(lists, next).map((steps, index) => ({ name: `${'xyz'[index]}`, steps }))
          return block(name, { parallel: branches, until, ...more }) as Step
        },
    )
  const forEach = fc
    .tuple(list, policy, fc.constantFrom('all', 'first'), fc.constantFrom('continue', 'fail'), fc.constantFrom(1, 3))
    .map(
      ([steps, more, until, onItemError, atOnce]): Nameless =>
        next => {
          const name = `e${next()}`
          const inner = steps.map(step => step(next))
          return block(name, {
            ...{ forEach: 'input.parts', item: `i${name}`, key: 'sku', atMost: 3 },
            ...{ steps: inner, until, onItemError, atOnce, ...more },
          }) as Step
        },
    )
  const repeat = fc.tuple(list, policy, fc.constantFrom({}, { every: '6h' })).map(
    ([steps, more, every]): Nameless =>
      next => {
        const name = `r${next()}`
        return block(name, { repeat: { atMost: 2, ...every }, steps: steps.map(step => step(next)), ...more }) as Step
      },
  )
  const blocks = fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, group, parallel, forEach, repeat)
  return { node: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, blocks) }
})

/** A flow of blocks. */
export const randomBlocks: fc.Arbitrary<FlowDeclaration> = fc.array(node, { minLength: 1, maxLength: 3 }).map(nodes => {
  let count = 0
  const next = () => count++
  return flowOf(nodes.map(step => step(next)))
})
