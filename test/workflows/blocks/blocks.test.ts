import { afterAll, describe, expect, test } from 'vitest'
import type { Step } from '#flows/declaration'
import { closeWorlds } from '#testing/simulator'
import {
  asks,
  block,
  booking,
  books,
  breaks,
  edgesOf,
  effectsOf,
  flowOf,
  play,
  sleeps,
  waits,
  work,
} from '../../support/blocks/blockFlows.ts'

afterAll(closeWorlds)

const yes = (step: string, item?: string) => ({ answer: 'yes', step, ...(item !== undefined && { item }) })
const parts = (...skus: string[]) => ({ parts: skus.map(sku => ({ sku })) })
const forEach = (steps: readonly Step[], more: object = {}) =>
  block('e', { forEach: 'input.parts' as const, item: 'part', key: 'sku', atMost: 5, steps, ...more })

describe('group', () => {
  test('runs its steps', async () => {
    const run = await play(flowOf([work('a'), block('g', { group: [work('b'), work('c')] }), work('d')]))
    expect(run.run().outcome).toBe('completed')
    expect(edgesOf(run)).toEqual([
      'a reached g',
      'g fork b',
      'b reached c',
      'c reached done',
      'g joined d',
      'd reached end',
    ])
  })

  test('takes the first code that it names, after it has undone its steps', async () => {
    const inner = block('inner', { group: [work('b'), breaks('c')] })
    const g = block('g', { group: [work('a'), inner], onError: { Broken: { goTo: 'z' } } as const })
    const run = await play(flowOf([work('before'), g, work('y'), work('z', { when: { 'g.error': 'Broken' } })]))
    expect(run.run().outcome).toBe('completed')
    expect(effectsOf(run)).toEqual(['work before', 'work a', 'work b', 'work c', 'undo b', 'undo a', 'work z'])
    expect(edgesOf(run).slice(-3)).toEqual(['c error:Broken g', 'g error:Broken z', 'z reached end'])
  })

  test('takes any code by other, and the innermost one first', async () => {
    const inner = block('inner', { group: [work('b'), breaks('c')], onError: { other: 'continue' } as const })
    const run = await play(
      flowOf([block('g', { group: [inner, work('d')], onError: { Broken: 'continue' } as const })]),
    )
    expect(effectsOf(run)).toEqual(['work b', 'work c', 'undo b', 'work d'])
  })

  test('fails the flow by a code that no block names', async () => {
    const run = await play(flowOf([work('a'), block('g', { group: [work('b'), breaks('c')] })]))
    expect(run.run()).toMatchObject({ outcome: 'failed', code: 'Broken' })
    expect(effectsOf(run)).toEqual(['work a', 'work b', 'work c', 'undo b', 'undo a'])
  })

  test('has a deadline over its steps, and undoes them', async () => {
    const g = block('g', { group: [work('a'), asks('b')], window: '1d', onTimeout: { goTo: 'late' } } as const)
    const run = await play(flowOf([g, work('inTime', { when: { 'b.answer': 'yes' } }), work('late')]), {
      story: [{ after: '2d' }],
    })
    expect(effectsOf(run)).toEqual(['work a', 'undo a', 'work late'])
    expect(edgesOf(run).slice(-2)).toEqual(['g timeout.goTo late', 'late reached end'])
  })

  test('takes a window that passed inside of it', async () => {
    const waits = asks('b', { window: '1d', onTimeout: 'cancel' })
    const run = await play(
      flowOf([block('g', { group: [work('a'), waits], onError: { Expired: 'continue' } as const })]),
      {
        story: [{ after: '2d' }],
      },
    )
    expect(run.run().outcome).toBe('completed')
    expect(effectsOf(run)).toEqual(['work a', 'undo a'])
  })

  test('leads to the end of the flow, or to its own', async () => {
    const g = (goTo: string) =>
      block('g', {
        group: [asks('a', { window: '1d', onTimeout: { goTo } }), work('b')],
      })
    const end = await play(flowOf([g('end'), work('z')]), { story: [{ after: '2d' }] })
    expect([effectsOf(end), end.run().outcome]).toEqual([[], 'completed'])
    expect(edgesOf(end).at(-1)).toBe('a timeout.goTo end')
    const done = await play(flowOf([g('done'), work('z')]), { story: [{ after: '2d' }] })
    expect(effectsOf(done)).toEqual(['work z'])
  })
})

describe('switch', () => {
  const chosen = block('s', {
    switch: [
      { when: { 'q.answer': 'yes' } as const, steps: [work('a')] },
      { when: { 'q.answer': 'no' } as const, steps: [work('b'), work('c')] },
    ],
  })

  test.each([
    ['yes', ['work a', 'work z'], 's case:1 a'],
    ['no', ['work b', 'work c', 'work z'], 's case:2 b'],
    ['other', ['work z'], 's case:none z'],
  ])('runs the first case that holds: %s', async (answer, effects, edge) => {
    const q = asks('q', { ask: { yes: {}, no: {}, other: {} } })
    const run = await play(flowOf([q, chosen, work('z')]), { story: [{ answer, step: 'q' }] })
    expect(effectsOf(run)).toEqual(effects)
    expect(edgesOf(run)).toContain(edge)
  })
})

describe('parallel', () => {
  const branches = (until: 'all' | 'first' | { atLeast: number }) =>
    block('p', {
      parallel: [
        { name: 'x', steps: [work('x1'), asks('x2'), work('x3')] },
        { name: 'y', steps: [work('y1'), asks('y2')] },
        { name: 'w', steps: [work('w1'), asks('w2')] },
      ],
      until,
    })

  test('waits for all branches, which begin at once', async () => {
    const run = await play(flowOf([branches('all'), work('z')], { first: 'p.first' }), {
      story: [yes('y2'), yes('x2'), yes('w2')],
    })
    expect(effectsOf(run)).toEqual(['work x1', 'work y1', 'work w1', 'work x3', 'work z'])
    expect(run.status().result).toMatchObject({ outcome: 'completed', first: 'y' })
  })

  test('undoes the branches that have not ended', async () => {
    const run = await play(flowOf([branches('first'), work('z')], { y: 'y1.done', x: 'x1.done' }), {
      story: [yes('y2')],
    })
    expect(effectsOf(run)).toEqual(['work x1', 'work y1', 'work w1', 'undo w1', 'undo x1', 'work z'])
    expect(run.status().result).toMatchObject({ outcome: 'completed', y: 'yes', x: null })
    expect(edgesOf(run)).toContain('p first:y z')
  })

  test.each([
    ['asks', asks('x2')],
    ['waits', waits('x2', 'Completed', { wait: { lent: 'Completed' } })],
  ])('goes on without a shipment that an undone branch was booking, which %s next', async (_, next) => {
    const lent = [work('x1'), books('book', { as: { issue: 'lent' } }), next]
    const p = block('p', {
      parallel: [
        { name: 'x', steps: lent },
        { name: 'y', steps: [work('y1')] },
      ],
      until: 'first' as const,
    })
    const run = await play(flowOf([p, asks('z')]), { request: booking })
    expect(run.status().shipments).toMatchObject([{ role: 'lent', stateCode: 'Cancelled' }])
    expect(run.status().step).toBe('z')
    await run.apply(yes('z'))
    expect(run.run().outcome).toBe('completed')
  })

  test('undoes a booking under way when another branch fails', async () => {
    const waitsNext = waits('x2', 'Completed', { wait: { lent: 'Completed' } })
    const lent = [work('x1'), books('book', { as: { issue: 'lent' } }), waitsNext]
    const p = block('p', {
      parallel: [
        { name: 'x', steps: lent },
        { name: 'y', steps: [breaks('y1')] },
      ],
    })
    const run = await play(flowOf([p]), { request: booking })
    expect(run.run()).toMatchObject({ outcome: 'failed', code: 'Broken', leftOver: [] })
    expect(run.status().shipments.filter(({ stateCode }) => stateCode !== 'Cancelled')).toEqual([])
  })

  test('ends with two of three', async () => {
    const run = await play(flowOf([branches({ atLeast: 2 })]), { story: [yes('w2'), yes('y2')] })
    expect(effectsOf(run)).toEqual(['work x1', 'work y1', 'work w1', 'undo x1'])
  })

  test('undoes all branches, in the reverse order of their starts, when one fails', async () => {
    const p = block('p', {
      parallel: [
        { name: 'x', steps: [work('x1'), asks('x2'), work('x3'), breaks('x4')] },
        { name: 'y', steps: [work('y1'), asks('y2'), work('y3')] },
        { name: 'w', steps: [work('w1')] },
      ],
      onError: { Broken: 'continue' } as const,
    })
    const run = await play(flowOf([p, work('z')]), { story: [yes('y2'), yes('x2')] })
    const starts = ['x1', 'y1', 'w1', 'y3', 'x3']
    expect(effectsOf(run)).toEqual([
      ...starts.map(name => `work ${name}`),
      'work x4',
      ...starts.toReversed().map(name => `undo ${name}`),
      'work z',
    ])
  })

  test('is cancelled with all of its branches', async () => {
    const run = await play(flowOf([branches('all')]), { story: [yes('x2'), { cancel: 'test' }] })
    expect(run.run().outcome).toBe('cancelled')
    expect(effectsOf(run).slice(-4)).toEqual(['undo x3', 'undo w1', 'undo y1', 'undo x1'])
  })
})

describe('forEach', () => {
  test('runs its steps for each item, so many at once', async () => {
    const e = forEach([work('pack', { with: { from: 'part.sku' } }), asks('fit')], {
      atOnce: 2,
      collect: { fits: { from: 'fit.answer' } },
    })
    const run = await play(flowOf([e], { items: 'e.items', failed: 'e.failed' }), { request: parts('A/1', 'B', 'C') })
    expect(effectsOf(run)).toEqual(['work pack[A%2F1]', 'work pack[B]'])
    expect(await run.apply(yes('fit'))).toMatchObject({ kind: 'refused', code: 'InvalidFlowInput' })
    for (const item of ['B', 'A/1', 'C']) expect(await run.apply(yes('fit', item))).toEqual({ kind: 'done' })
    expect(run.status().result).toMatchObject({
      items: ['A/1', 'B', 'C'].map(key => ({ key, fits: 'yes' })),
      failed: 0,
    })
  })

  test('goes on without the items that fail, and undoes these', async () => {
    const fails = breaks('check', { when: { 'fit.answer': 'no' } })
    const e = forEach([work('pack'), asks('fit'), fails], { onItemError: 'continue' })
    const run = await play(flowOf([e, work('z')], { e: 'e.errors', items: 'e.items' }), { request: parts('A', 'B') })
    expect(await run.apply({ answer: 'no', step: 'fit', item: 'A' })).toEqual({ kind: 'done' })
    expect(effectsOf(run).slice(-2)).toEqual(['work check[A]', 'undo pack[A]'])
    expect(await run.apply(yes('fit', 'B'))).toEqual({ kind: 'done' })
    expect(effectsOf(run).at(-1)).toBe('work z')
    expect(run.status().result).toMatchObject({ e: [{ key: 'A', error: 'Broken' }], items: [{ key: 'B' }] })
  })

  test('undoes all items when one fails', async () => {
    const e = forEach([work('pack'), asks('fit'), breaks('check')], { onError: { Broken: 'continue' } })
    const run = await play(flowOf([e, work('z')]), { request: parts('A', 'B'), story: [yes('fit', 'B')] })
    expect(effectsOf(run)).toEqual([
      'work pack[A]',
      'work pack[B]',
      'work check[B]',
      'undo pack[B]',
      'undo pack[A]',
      'work z',
    ])
  })

  test('ends with the first item, and undoes the others', async () => {
    const e = forEach([work('pack'), asks('fit')], { until: 'first' })
    const run = await play(flowOf([e], { items: 'e.items' }), { request: parts('A', 'B'), story: [yes('fit', 'B')] })
    expect(effectsOf(run).at(-1)).toBe('undo pack[A]')
    expect(run.status().result).toMatchObject({ items: [{ key: 'B' }] })
  })

  test.each([
    ['of a list that is too long', parts('A', 'B', 'C', 'D', 'E', 'F'), 'TooManyItems'],
    ['of two items with one key', parts('A', 'A'), 'InvalidItemKey'],
    ['of an item without a key', { parts: [{}] }, 'InvalidItemKey'],
  ])('fails before its first effect because %s', async (_, request, code) => {
    const run = await play(flowOf([forEach([work('pack')])]), { request })
    expect(run.run()).toMatchObject({ outcome: 'failed', code })
    expect(effectsOf(run)).toEqual([])
  })

  test('has nothing to do without items', async () => {
    const run = await play(flowOf([forEach([work('pack')])], { n: 'e.completed' }))
    expect(run.status().result).toMatchObject({ outcome: 'completed', n: 0 })
  })
})

test.each([
  ['a question', asks('b')],
  ['work under way', work('b')],
])('a cancellation ends the outermost block, in %s inside of it', async (_, inner) => {
  const g = block('g', { group: [block('i', { group: [inner] })] })
  const run = await play(flowOf([g]), { takes: '10m', story: [{ cancel: 'over' }] })
  await run.advance(3_600_000)
  expect(run.run().outcome).toBe('cancelled')
  expect(edgesOf(run).at(-1)).toBe('g cancel end')
})

test('a scope that is left while blocks in it leave scopes of their own is undone once', async () => {
  const inner = block('i', {
    forEach: 'input.parts' as const,
    item: 'inner',
    key: 'sku',
    atMost: 5,
    until: 'first' as const,
    steps: [work('w')],
  })
  const run = await play(flowOf([forEach([work('o'), inner], { until: 'first' }), work('z')]), {
    request: parts('A', 'B', 'C'),
  })
  expect(run.run().outcome).toBe('completed')
  const effects = effectsOf(run)
  const undone = effects.filter(effect => effect.startsWith('undo '))
  expect(new Set(undone).size).toBe(undone.length)
  expect(undone).toEqual(expect.arrayContaining(['undo o[B]', 'undo o[C]', 'undo w[A][B]', 'undo w[A][C]']))
})

describe('repeat', () => {
  test('pauses from the start of a round to the next', async () => {
    const r = block('r', { repeat: { atMost: 3, every: '24h' } as const, steps: [work('w'), sleeps('s', '5h')] })
    const run = await play(flowOf([r, work('z')], { rounds: 'r.rounds', ended: 'r.ended' }))
    const rounds = (hours: number) => run.advance(hours * 3_600_000).then(() => effectsOf(run))
    expect(await rounds(23)).toEqual(['work w#1'])
    expect(await rounds(1)).toEqual(['work w#1', 'work w#2'])
    expect(await rounds(29)).toEqual(['work w#1', 'work w#2', 'work w#3', 'work z'])
    expect(run.status().result).toMatchObject({ rounds: 3, ended: 'atMost' })
  })

  test('ends by its condition, which reads the last round, and undoes every round', async () => {
    const until = { not: { 'q.answer': 'again' } } as const
    const q = asks('q', { ask: { again: {}, stop: {} } })
    const steps = [work('w', { with: { from: 'r.round' } }), q]
    const r = block('r', { repeat: { atMost: 5 }, until, steps })
    const story = ['again', 'again', 'stop'].map(answer => ({ answer, step: 'q' }))
    const run = await play(flowOf([r, asks('end')], { rounds: 'r.rounds', ended: 'r.ended' }), { story })
    await run.apply({ cancel: 'test' })
    expect(effectsOf(run)).toEqual(['work w#1', 'work w#2', 'work w#3', 'undo w#3', 'undo w#2', 'undo w#1'])
    const undone = run
      .run()
      .timeLine.flatMap(entry =>
        entry.kind === 'activityScheduled' && entry.activity === 'undoWork' ? [entry.args[0]] : [],
      )
    expect(undone).toEqual([3, 2, 1].map(input => ({ input, output: { done: 'yes' }, certain: true })))
  })
})

test('blocks inside of blocks: one of two for each item, with reminders beside', async () => {
  const reminders = block('r', { repeat: { atMost: 3, every: '10h' } as const, steps: [work('nudge')] })
  const either = block('p', {
    parallel: [
      { name: 'ok', steps: [asks('collect')] },
      { name: 'late', steps: [reminders, work('giveUp')] },
    ],
    until: 'first' as const,
  })
  const run = await play(
    flowOf([forEach([either], { collect: { by: { from: 'p.first' } } }), work('done')], { e: 'e.items' }),
    {
      request: parts('A', 'B'),
      story: [{ after: '12h' }, yes('collect', 'A'), { after: '30h' }],
    },
  )
  expect(effectsOf(run)).toEqual([
    'work nudge[A]#1',
    'work nudge[B]#1',
    'work nudge[A]#2',
    'work nudge[B]#2',
    'undo nudge[A]#2',
    'undo nudge[A]#1',
    'work nudge[B]#3',
    'work giveUp[B]',
    'work done',
  ])
  expect(run.status().result).toMatchObject({
    e: [
      { key: 'A', by: 'ok' },
      { key: 'B', by: 'late' },
    ],
  })
})

describe('people', () => {
  const p = block('p', {
    parallel: [
      { name: 'x', steps: [asks('a', { window: '1d', onTimeout: 'ask' })] },
      { name: 'y', steps: [asks('b', { window: '1d', onTimeout: 'ask' })] },
      { name: 'w', steps: [asks('c', { window: '9d', onTimeout: 'cancel' })] },
    ],
  })

  test('see each line, and name the one that they decide about', async () => {
    const run = await play(flowOf([p]), { story: [{ after: '25h' }] })
    expect(
      run.status().lines?.map(({ step, scope, overdue, asks: open }) => [step, scope, overdue, open?.who]),
    ).toEqual([
      ['a', 'p.x', true, 'staff'],
      ['b', 'p.y', true, 'staff'],
      ['c', 'p.w', false, 'staff'],
    ])
    expect(run.currentDetails).toContain('At once')
    expect(await run.apply({ decide: 'keepWaiting' })).toMatchObject({ kind: 'refused', code: 'SeveralOverdue' })
    expect(await run.apply({ decide: 'keepWaiting', step: 'b' })).toEqual({ kind: 'done' })
    expect(run.status().lines?.map(({ overdue }) => overdue)).toEqual([true, false, false])
    expect(await run.apply({ decide: 'keepWaiting', step: 'b' })).toMatchObject({
      kind: 'refused',
      code: 'NothingToDecide',
    })
  })

  test('extend a window before it has passed', async () => {
    const run = await play(flowOf([p]), { story: [{ decide: 'extend', step: 'c', by: '2d' }, { after: '10d' }] })
    expect(run.status()).toMatchObject({ state: 'overdue' })
    await run.advance(25 * 3_600_000)
    expect(run.run().outcome).toBe('expired')
  })
})

test.each([
  ['reached', [{ dropOff: 'issue' }], ['work inTime']],
  ['timedOut', [{ after: '2d' }], ['work late']],
] as const)('a wait tells later steps that it has %s', async (_, story, effects) => {
  const flow = flowOf([
    books('book'),
    waits('dropOff', 'ReadyForPickup', { window: '1d', onTimeout: { goTo: 'late' } }),
    work('inTime', { when: { 'dropOff.ended': 'reached' } }),
    work('late', { when: { 'dropOff.ended': 'timedOut' } }),
  ])
  const run = await play(flow, { request: booking, story })
  expect(effectsOf(run)).toEqual(effects)
})

test('the picture of a run shows blocks, what is current in them, and what was left out', async () => {
  const s = block('s', {
    switch: [{ when: { 'q.answer': 'no' } as const, steps: [work('no')] }, { steps: [work('else')] }],
  })
  const run = await play(flowOf([asks('q'), s, forEach([asks('fit')]), work('z')]), {
    request: parts('A', 'B'),
    story: [yes('q'), yes('fit', 'B')],
  })
  const picture = run.status({ picture: true }).picture
  expect(picture?.steps.map(({ name, state, depth, progress }) => [name, state, depth, progress])).toEqual([
    ['q', 'done', undefined, undefined],
    ['s', 'done', undefined, undefined],
    ['no', 'leftOut', 1, undefined],
    ['else', 'done', 1, undefined],
    ['e', 'current', undefined, { ended: 1, of: 2 }],
    ['fit', 'current', 1, undefined],
    ['z', 'ahead', undefined, undefined],
  ])
})
