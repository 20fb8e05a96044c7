import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../../support/service/testService.ts'

test.each(['staging', 'production'] as const)('in %s the document is valid OpenAPI 3.1', async environment => {
  const service = await startTestService({ environment, allowPrivateNetworks: environment === 'staging' })
  onTestFinished(() => service.stop())
  const { text } = await service.send('/openapi.json')
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})
