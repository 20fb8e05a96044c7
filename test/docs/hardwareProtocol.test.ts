import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  doorEvent,
  hardwareDocument,
  hardwareExamples,
  openRequest,
  openResponse,
  stateRequest,
  stateResponse,
} from '#contract'
import { readAdapterFile } from '../../service/hardware/adapterFile.ts'
import { temporaryFile } from '../support/hardware/temporaryFile.ts'
import { readBlocks } from './blocks.ts'

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
