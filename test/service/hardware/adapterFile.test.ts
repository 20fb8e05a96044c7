import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readAdapters } from '../../../service/settings.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

const harbour = { name: 'harbour', url: 'https://harbour.example/', key: 'key-of-the-harbour', pickUpPoints: ['pup-2'] }

function fileOf(...adapters: object[]): string {
  const path = join(temporaryFolder(), 'adapters.json')
  writeFileSync(path, JSON.stringify({ adapters }))
  return path
}

const readFile = (...adapters: object[]) => readAdapters({ LOCKERFLOW_HARDWARE_ADAPTERS: fileOf(...adapters) })
const production = {
  LOCKERFLOW_ENVIRONMENT: 'production',
  LOCKERFLOW_HARDWARE_URL: 'http://adapter:8084/doors/',
  LOCKERFLOW_HARDWARE_KEY: 'hardware-key-of-our-own',
}

test('one adapter for all pick up points, with two keys during a rotation', () => {
  expect(
    readAdapters({ ...production, LOCKERFLOW_HARDWARE_KEY: 'hardware-key-of-our-own\nhardware-key-of-last-year' }),
  ).toEqual([
    {
      name: undefined,
      url: 'http://adapter:8084/doors',
      keys: ['hardware-key-of-our-own', 'hardware-key-of-last-year'],
      pickUpPoints: undefined,
    },
  ])
})

describe('a file of adapters', () => {
  test('comes before the adapter of all pick up points', () => {
    const source = {
      ...production,
      LOCKERFLOW_HARDWARE_ADAPTERS: fileOf({ ...harbour, previousKey: 'key-of-last-year' }),
    }
    expect(readAdapters(source)).toEqual([
      {
        name: 'harbour',
        url: 'https://harbour.example',
        keys: ['key-of-the-harbour', 'key-of-last-year'],
        pickUpPoints: ['pup-2'],
      },
      expect.objectContaining({ name: undefined }),
    ])
  })

  test.each<[string, object[], string]>([
    ['no adapter', [], 'adapters'],
    ['an unknown field', [{ ...harbour, keys: [] }], 'keys'],
    ['a name with a slash', [{ ...harbour, name: 'a/b' }], 'must be 1 to 50 lower-case letters'],
    ['a short key', [{ ...harbour, key: 'short' }], 'must be 16 to 200'],
    ['a link-local address', [{ ...harbour, url: 'http://169.254.169.254/' }], 'not link-local'],
    ['a name twice', [harbour, { ...harbour, pickUpPoints: ['pup-1'] }], 'the name harbour must occur once'],
    ['a pick up point twice', [harbour, { ...harbour, name: 'other' }], 'pup-2 must have one adapter'],
  ])('is refused with %s', (_, adapters, wrong) => {
    const read = () => readFile(...adapters)
    expect(read).toThrow(/^LOCKERFLOW_HARDWARE_ADAPTERS: /)
    expect(read).toThrow(wrong)
    expect(read).not.toThrow('key-of-the-harbour')
  })

  test.each([
    ['plain http to a public host', { ...harbour, url: 'http://harbour.example' }, 'must be https in production'],
    ['a key of the documentation', { ...harbour, key: 'choose-32-random-characters-too.' }, 'a secret of your own'],
    ['a key of one character', { ...harbour, key: 'x'.repeat(32) }, 'a secret of your own'],
  ])('is refused in production with %s', (_, adapter, wrong) => {
    expect(() => readFile(adapter)).not.toThrow()
    const source = { ...production, LOCKERFLOW_HARDWARE_ADAPTERS: fileOf(adapter) }
    expect(() => readAdapters(source)).toThrow(wrong)
  })

  test('is refused if it is missing', () => {
    expect(() => readAdapters({ LOCKERFLOW_HARDWARE_ADAPTERS: '/nowhere.yaml' })).toThrow('ENOENT')
  })
})

test.each([
  ['LOCKERFLOW_HARDWARE_KEY', { LOCKERFLOW_HARDWARE_URL: 'http://127.0.0.1:8084' }, 'must be set together'],
  ['LOCKERFLOW_HARDWARE_URL', { LOCKERFLOW_HARDWARE_KEY: 'hardware-key-of-our-own' }, 'must be set together'],
  ['LOCKERFLOW_HARDWARE_URL', { LOCKERFLOW_HARDWARE_KEY_FILE: '/run/secrets/key' }, 'must be set together'],
  ['LOCKERFLOW_HARDWARE_URL', { LOCKERFLOW_HARDWARE_URL: 'adapter' }, 'must be an http or https address'],
  ['LOCKERFLOW_HARDWARE_URL', { LOCKERFLOW_HARDWARE_URL: 'http://169.254.169.254' }, 'not link-local'],
  ['LOCKERFLOW_HARDWARE_URL', { ...production, LOCKERFLOW_HARDWARE_URL: 'http://a.example' }, 'must be https'],
  ['LOCKERFLOW_HARDWARE_URL', { LOCKERFLOW_ENVIRONMENT: 'production' }, 'is missing'],
])('%s is invalid', (name, source, wrong) => {
  expect(() => readAdapters(source)).toThrow(new RegExp(`^${name}: [^\\n]*${wrong}`, 'm'))
})
