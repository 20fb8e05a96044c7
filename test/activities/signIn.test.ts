import { afterAll, beforeAll, expect, test } from 'vitest'
import { createActivities } from '#activities'
import { type Api, createApi } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { parcel } from '../support/world/apiWorld.ts'
import { inContext, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
let api: Api

beforeAll(() => {
  api = createApi({ ...world.apiSettings, clientSecret: 'a-guessed-secret' })
})
afterAll(() => api.close())

test('a failed sign-in says why there is no token, without the secret', async () => {
  const settings = { profile: fullProfile, pollInterval: { initial: 1_000, maximum: 1_000 } }
  const order = await orderOf(world, 'stock', { request: parcel })
  await expect(inContext(createActivities(api, settings)).bookShipments(order)).rejects.toMatchObject({
    type: 'SignInFailed',
    message: expect.stringContaining('(HTTP 401 invalid_client)'),
  })
})
