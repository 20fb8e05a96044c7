import { describe, expect, test } from 'vitest'
import { declaredLockers, lockerNames, sortByName } from '../../../service/topology/lockers.ts'

const side = { width: 1, height: 1, length: 1 }
const point = { pupUid: 'pup-1', name: 'Square', timeZone: 'UTC', tenants: [] }

describe('the names of an entry', () => {
  test.each<[text: string, names: readonly string[]]>([
    ['1-3', ['1', '2', '3']],
    ['9-11', ['9', '10', '11']],
    ['5-5', ['5']],
    ['01-02', ['1', '2']],
    ['7', ['7']],
    ['A1', ['A1']],
    ['A1-A3', ['A1-A3']],
    ['1-', ['1-']],
    ['3-1', []],
    ['1-1001', []],
  ])('%s: %j', (text, names) => {
    expect(lockerNames(text)).toEqual(names)
  })

  test('a range has up to 1,000 lockers', () => {
    expect(lockerNames('1-1000')).toHaveLength(1_000)
  })
})

test.each<[names: string[], sorted: string[]]>([
  [
    ['10', '9', '1'],
    ['1', '9', '10'],
  ],
  [
    ['A10', 'A9', 'B1'],
    ['A9', 'A10', 'B1'],
  ],
])('%j sorts to %j', (names, sorted) => {
  const lockers = names.flatMap(name => declaredLockers({ ...point, lockers: [{ names: name, ...side }] }))
  expect(sortByName(lockers).map(({ name }) => name)).toEqual(sorted)
})

test('a locker has its own uid or one of its pick up point, and the index of its entry', () => {
  const lockers = [
    { names: '1-2', ...side },
    { names: 'A', lockerUid: 'locker-a', ...side },
  ]
  expect(declaredLockers({ ...point, lockers })).toEqual([
    { uid: 'pup-1:1', name: '1', line: 0, ...side },
    { uid: 'pup-1:2', name: '2', line: 0, ...side },
    { uid: 'locker-a', name: 'A', line: 1, ...side },
  ])
})
