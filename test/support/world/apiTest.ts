import { test as base } from 'vitest'
import { type Api, ApiFault, type ApiSettings, createApi } from '#api'
import type { RequestOf } from '#contract'
import { type FarSide, startFarSide } from './farSide.ts'

export const stockRequest: RequestOf<'CreateLocalShipmentAsStock'> = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}

export const page = { items: [], pageNo: 1, pageSize: 50, totalItems: 0, totalPages: 0 }

/** Each test has a far side of its own and makes the clients that it wants. */
export const test = base.extend<{ farSide: FarSide; api: Api; connect: (settings?: Partial<ApiSettings>) => Api }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that one needs from this pattern.
  farSide: async ({}, use) => {
    const farSide = await startFarSide()
    await use(farSide)
    await farSide.stop()
  },
  connect: async ({ farSide }, use) => {
    const made: Api[] = []
    await use(settings => {
      const { url } = farSide
      const api = createApi({ baseUrl: url, authUrl: url, clientId: 'acme', clientSecret: 'acme-secret', ...settings })
      made.push(api)
      return api
    })
    await Promise.all(made.map(api => api.close()))
  },
  api: async ({ connect }, use) => use(connect()),
})

/** The fault that a call ends with; fails when it ends otherwise. */
export async function faultOf(call: Promise<unknown>): Promise<ApiFault> {
  const end = await call.then(
    answer => ({ answer }),
    (error: unknown) => error,
  )
  if (end instanceof ApiFault) return end
  throw new Error(`no fault, but ${JSON.stringify(end)}`, { cause: end })
}
