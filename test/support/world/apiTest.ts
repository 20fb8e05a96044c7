import { test as base } from 'vitest'
import type { RequestOf } from '#contract'
import { type Api, ApiFault, type ApiSettings, createApi } from '#contract/client'
import { type StandIn, startStandIn } from '../servers/apiStandIn.ts'
import { apiSettings } from './settings.ts'

export const stockRequest: RequestOf<'CreateLocalShipmentAsStock'> = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}

export const page = { items: [], pageNo: 1, pageSize: 50, totalItems: 0, totalPages: 0 }

/** Each test has its own stand-in, and creates the clients that it needs. */
export const test = base.extend<{ standIn: StandIn; api: Api; connect: (settings?: Partial<ApiSettings>) => Api }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that one needs from this pattern.
  standIn: async ({}, use) => {
    const standIn = await startStandIn()
    await use(standIn)
    await standIn.stop()
  },
  connect: async ({ standIn }, use) => {
    const made: Api[] = []
    await use(settings => {
      const api = createApi({ ...apiSettings(standIn.url), ...settings })
      made.push(api)
      return api
    })
    await Promise.all(made.map(api => api.close()))
  },
  api: async ({ connect }, use) => use(connect()),
})

/** The fault that a call throws. @throws Error if it ends otherwise */
export async function faultOf(call: Promise<unknown>): Promise<ApiFault> {
  const end = await call.then(
    answer => ({ answer }),
    (error: unknown) => error,
  )
  if (end instanceof ApiFault) return end
  throw new Error(`no fault, but ${JSON.stringify(end)}`, { cause: end })
}
