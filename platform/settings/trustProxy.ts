import { isIP, isIPv4 } from 'node:net'
import { z } from 'zod'
import type { Variable } from './variable.ts'

/** Proxies whose `X-Forwarded-For` is trusted: none, a number of hops, or addresses and CIDR ranges. */
export type TrustProxy = false | number | readonly string[]

const maxHops = 10

/** The proxies in front of a listener whose limits count by the caller's address. */
export const trustProxyVariable = {
  LOCKERFLOW_TRUST_PROXY: {
    description:
      "Proxies in front of the service and of the flow API whose X-Forwarded-For header names the caller: false, a number of hops (no one else may reach the port), or their addresses and CIDR ranges. The limits on wrong secrets and on checks of new access tokens count by the caller's address.",
    example: '10.0.0.0/8,127.0.0.1',
    schema: z
      .string()
      .default('false')
      .transform((text, context) => {
        const trust = readTrustProxy(text)
        if (trust !== undefined) return trust
        context.addIssue('must be false, 1 to 10 hops, or a list of addresses and CIDR ranges')
        return z.NEVER
      }),
  },
} as const satisfies Record<string, Variable>

/** Reads `false`, a number of hops, or a list of addresses and CIDR ranges. Returns undefined for any other text. */
function readTrustProxy(text: string): TrustProxy | undefined {
  if (text === 'false') return false
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= maxHops ? Number(text) : undefined
  const ranges = text.split(',').map(range => range.trim())
  return ranges.every(isRange) ? ranges : undefined
}

function isRange(text: string): boolean {
  const [address = '', prefix, ...others] = text.split('/')
  if (isIP(address) === 0 || others.length > 0) return false
  // A prefix of 0 would trust every address.
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128))
}

/** The value for Fastify, which does not accept a bare number of hops. */
export function toFastifyTrust(trust: TrustProxy): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  return trust === false ? false : [...trust]
}
