import { lookup as resolve } from 'node:dns/promises'
import { isIP } from 'node:net'
import { mayCallBack } from './addresses.ts'

/** Milliseconds; the check waits inside a transaction. */
const longestResolution = 2_000

/**
 * What keeps callbacks from going to an address: its form, its scheme, or where its host leads; undefined when
 * nothing does. The host can lead elsewhere later, so what is dialled is checked again (`checkedLookup`).
 */
export async function urlFault(text: string, privateCallbacks: boolean): Promise<string | undefined> {
  const fault = formFault(text, privateCallbacks)
  if (fault !== undefined) return fault
  const host = hostOf(new URL(text))
  if (isIP(host) !== 0) return undefined
  const addresses = await addressesOf(host)
  if (addresses.length === 0) return 'url has to have a host that can be resolved'
  return addresses.every(address => mayCallBack(address, privateCallbacks)) ? undefined : addressFault(privateCallbacks)
}

/** The same as far as the text alone tells it. */
export function formFault(text: string, privateCallbacks: boolean): string | undefined {
  const url = URL.parse(text)
  const schemes = privateCallbacks ? ['https:', 'http:'] : ['https:']
  if (url === null || !schemes.includes(url.protocol)) {
    return `url has to be an absolute ${privateCallbacks ? 'https or http' : 'https'} address`
  }
  if (url.username !== '' || url.password !== '') return 'url has to be without user name and password'
  const host = hostOf(url)
  return isIP(host) === 0 || mayCallBack(host, privateCallbacks) ? undefined : addressFault(privateCallbacks)
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function addressFault(privateCallbacks: boolean): string {
  return `url has to lead to a ${privateCallbacks ? 'host that is not link-local' : 'public host'}`
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
