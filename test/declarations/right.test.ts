import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFlows, edgesOf, loadFlows } from '#declarations'
import { flows as builtIn } from '#flows'
import { root } from '../project/sources.ts'

const folder = join(root, 'test/declarations/right')

test.each(readdirSync(folder))('the declaration of %s has no fault', async file => {
  const { flows, faults, files } = await loadFlows([file], { folder })
  expect(faults).toEqual([])
  expect(Object.values(files)).toEqual([file])
  expect(Object.keys(flows)).toHaveLength(1)
})

test('the flows of the project have no fault', () => {
  expect(checkFlows(Object.values(builtIn))).toEqual([])
})

describe('a file', () => {
  test('that is missing is a fault', async () => {
    const { faults } = await loadFlows(['none.yaml', 'none/*.yaml', 'right.test.txt'], { folder })
    expect(faults.map(({ code, file }) => [code, file])).toEqual([
      ['FileNotRead', 'none.yaml'],
      ['FileNotRead', 'none/*.yaml'],
      ['FileNotRead', 'right.test.txt'],
    ])
  })

  test('that two patterns name is read once', async () => {
    const { flows, faults } = await loadFlows(['repairShop.yaml', '*.{yaml,yml}'], { folder })
    expect(faults).toEqual([])
    expect(Object.keys(flows).sort()).toEqual(['onboarding', 'repairShop'])
  })
})

describe('a value in memory', () => {
  test.each([
    [null, 'InvalidValue'],
    [undefined, 'NotJson'],
    ['issue', 'InvalidValue'],
    [[], 'InvalidValue'],
    [{ ...builtIn.issue, summary: () => 'now' }, 'NotJson'],
    [{ ...builtIn.issue, when: new Date(0) }, 'NotJson'],
  ])('%s is one fault, and no exception', (value, code) => {
    expect(checkFlows([value]).map(fault => fault.code)).toEqual([code])
  })

  test('is checked against the activities of the worker, unless another queue has them', () => {
    const step = {
      name: 'label',
      summary: 'A label is printed.',
      run: 'printLabel',
      with: {},
      keep: {},
      timeout: '30s',
    }
    const flow = (more: object) => ({ ...builtIn.issue, steps: [...builtIn.issue.steps, { ...step, ...more }] })
    const activities = ['printLabels']
    expect(checkFlows([flow({ undo: 'voidLabel' })], { activities }).map(({ message }) => message)).toEqual([
      'issue.label.run: must be an activity of this worker, or the step must have a taskQueue: "printLabel" is not registered. Did you mean "printLabels"?',
      'issue.label.undo: must be an activity of this worker, or the step must have a taskQueue: "voidLabel" is not registered.',
    ])
    expect(checkFlows([flow({ undo: 'nothing', taskQueue: 'labels' })], { activities })).toEqual([])
  })
})

test('the edges of a flow name every way between its steps', () => {
  const edges = (edgesOf(builtIn.collectByUser) ?? []).map(({ step, cause, next }) => `${step} ${cause} ${next}`)
  expect(edges).toEqual([
    'booking reached collect',
    'booking cancel end',
    'collect ask.extend collect',
    'collect ask.keepWaiting collect',
    'collect reached kept',
    'collect skipped kept',
    'collect ask.cancel end',
    'collect cancel end',
    'collect cancelledOutside end',
    'kept cancel end',
    'kept cancelledOutside end',
    'kept release end',
    'kept skipped end',
  ])
})
