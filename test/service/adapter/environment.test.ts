import { expect, test } from 'vitest'
import { demoTopology, listDoors } from '#service'
import { readEnvironment } from '../../../service/adapter/environment.ts'

const key = 'hardware-key-of-our-own'

test('the simulator has the doors of the demonstration topology, on loopback', () => {
  const { eventsUrl, log, ...settings } = readEnvironment({ LOCKERFLOW_HARDWARE_KEY: key })
  expect(eventsUrl()).toBe('http://127.0.0.1:8080/hardware/events')
  expect(log?.level).toBe('info')
  expect(settings).toEqual({
    host: '127.0.0.1',
    port: 8_086,
    keys: [key],
    closeAfter: 5_000,
    doors: listDoors(demoTopology),
  })
})

test('production is refused', () => {
  const source = { LOCKERFLOW_ENVIRONMENT: 'production', LOCKERFLOW_HARDWARE_KEY: key }
  expect(() => readEnvironment(source)).toThrow(/^LOCKERFLOW_ENVIRONMENT: must be staging, since a simulator/m)
})

test.each([
  ['LOCKERFLOW_HARDWARE_KEY', {}, 'is missing'],
  ['LOCKERFLOW_HARDWARE_KEY', { LOCKERFLOW_HARDWARE_KEY: 'short' }, 'must be 16 to 200'],
  ['LOCKERFLOW_ENVIRONMENT', { LOCKERFLOW_HARDWARE_KEY: key, LOCKERFLOW_SIMULATOR_HOST: '0.0.0.0' }, 'must be staging'],
  ['LOCKERFLOW_SIMULATOR_CLOSE_AFTER', { LOCKERFLOW_SIMULATOR_CLOSE_AFTER: 'never' }, 'must be a whole number'],
  ['LOCKERFLOW_TOPOLOGY', { LOCKERFLOW_TOPOLOGY: '/nowhere.yaml' }, '/nowhere.yaml'],
])('%s is invalid', (name, source, wrong) => {
  expect(() => readEnvironment(source)).toThrow(new RegExp(`^${name}: [^\\n]*${wrong}`, 'm'))
})
