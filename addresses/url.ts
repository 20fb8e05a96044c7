import { lookup as resolve } from 'node:dns/promises'
import { isIP } from 'node:net'
import { mayDial } from './ranges.ts'

/** Milliseconds; the check waits inside a transaction. */
const longestResolution = 2_000

/**
 * What keeps an address from being dialled for somebody else: its form, its scheme, or where its host leads; undefined when
 * nothing does. The host can lead elsewhere later, so what is dialled is checked again (`checkedLookup`).
 */
export async function urlFault(text: string, privateAllowed: boolean): Promise<string | undefined> {
  const fault = formFault(text, privateAllowed)
  if (fault !== undefined) return fault
  const host = hostOf(new URL(text))
  if (isIP(host) !== 0) return undefined
  const addresses = await addressesOf(host)
  if (addresses.length === 0) return 'url has to have a host that can be resolved'
  return addresses.every(address => mayDial(address, privateAllowed)) ? undefined : addressFault(privateAllowed)
}

/** The same as far as the text alone tells it. */
export function formFault(text: string, privateAllowed: boolean): string | undefined {
  const url = URL.parse(text)
  const schemes = privateAllowed ? ['https:', 'http:'] : ['https:']
  if (url === null || !schemes.includes(url.protocol)) {
    return `url has to be an absolute ${privateAllowed ? 'https or http' : 'https'} address`
  }
  if (url.username !== '' || url.password !== '') return 'url has to be without user name and password'
  const host = hostOf(url)
  return isIP(host) === 0 || mayDial(host, privateAllowed) ? undefined : addressFault(privateAllowed)
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function addressFault(privateAllowed: boolean): string {
  return `url has to lead to a ${privateAllowed ? 'host that is not link-local' : 'public host'}`
}

async function addressesOf(host: string): Promise<string[]> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<[]>()
  const timer = setTimeout(giveUp, longestResolution, [])
  try {
    const found = await Promise.race([resolve(host, { all: true }).catch(() => []), late])
    return found.map(({ address }) => address)
  } finally {
    clearTimeout(timer)
  }
}
