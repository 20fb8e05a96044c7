import { isIPv4, isIPv6 } from 'node:net'

/**
 * The address that is counted: an IPv4 address, or the /64 of an IPv6 address, which one caller may have as a whole. Some proxies
 * add the port of the caller, which differs for each connection.
 */
export function toThrottleAddress(given: string): string {
  const [, bracketed] = /^\[(.+)\](?::\d+)?$/.exec(given) ?? []
  const address = bracketed ?? given.replace(/^([\d.]+):\d+$/, '$1')
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return isIPv4(address) ? address : 'unknown'
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
