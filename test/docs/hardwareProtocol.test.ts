import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  doorEvent,
  doorEvents,
  doorStates,
  eventRefusals,
  hardwareDocument,
  hardwareExamples,
  maxMessageBytes,
  openRequest,
  openResponse,
  stateRequest,
  stateResponse,
  timestampTolerance,
} from '#contract'
import { defaultSettings } from '#service'
import { readAdapterFile } from '../../service/hardware/adapterFile.ts'
import { root } from '../project/sources.ts'
import { temporaryFile } from '../support/hardware/temporaryFile.ts'
import { readBlocks } from './blocks.ts'

const page = readFileSync(join(root, 'docs/reference/hardware-protocol.md'), 'utf8')

test('the page has every state, event and refusal of the contract', () => {
  for (const state of doorStates) expect(page).toContain(`\n| \`${state}\` | `)
  for (const [event, state] of Object.entries(doorEvents)) expect(page).toContain(`\n| \`${event}\` | \`${state}\` | `)
  for (const [status, { again }] of Object.entries(eventRefusals)) {
    if (status !== '409') expect(page).toMatch(new RegExp(`^\\| ${status} \\| .* \\| ${again ? 'yes' : 'no'}`, 'm'))
  }
})

test('the page has the limits of the contract', () => {
  const { perSecond, burst } = defaultSettings.hardwareEventRate
  expect(page).toContain(`${maxMessageBytes / 1_024} KiB`)
  expect(page).toContain(`${timestampTolerance / 60} minutes`)
  expect(page).toContain(
    `${perSecond} per second at each process of the service, bursts of ${burst.toLocaleString('en')}`,
  )
  expect(defaultSettings.unlockTimeout).toBe(3_000)
})

test('each message on the page is one of the protocol', () => {
  const messages = [openRequest, openResponse, stateRequest, stateResponse, doorEvent].map(schema =>
    z.strictObject(schema.shape),
  )
  const blocks = readBlocks('reference/hardware-protocol.md').filter(({ language }) => language === 'json')
  expect(blocks).toHaveLength(messages.length)
  for (const [index, { text }] of blocks.entries()) messages[index]?.parse(JSON.parse(text))
})

test('the file of adapters on the page is valid', () => {
  const { text = '' } = readBlocks('reference/hardware-protocol.md').find(({ language }) => language === 'yaml') ?? {}
  expect(readAdapterFile(temporaryFile('adapters.yaml', text), false)).toMatchObject([{ name: 'harbour' }])
})

test('the document is valid OpenAPI 3.1, and its examples are messages', async () => {
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(JSON.stringify(hardwareDocument('1.0.0'))))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  const { openFailure, ...others } = hardwareExamples
  const schemas = { openRequest, openResponse, stateRequest, stateResponse, doorEvent }
  for (const [name, schema] of Object.entries(schemas)) schema.parse(others[name as keyof typeof schemas])
  openResponse.parse(openFailure)
})
