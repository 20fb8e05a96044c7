import { isIP } from 'node:net'
import { isAllowedAddress } from './addresses.ts'

/**
 * Names that public DNS cannot have: reserved for private networks (RFC 6761, 6762, 8375, ICANN's `internal`), and the
 * services of a Kubernetes cluster.
 */
const privateSuffixes = ['.localhost', '.local', '.internal', '.home.arpa', '.svc']

/**
 * True for a host that only a private network reaches: a loopback or private address, a name with a reserved suffix, or
 * a name without a dot, such as a service of Docker Compose.
 * @param host as in a URL, IPv6 addresses with or without brackets
 */
export function isPrivateHost(host: string): boolean {
  const name = normalize(host)
  if (isIP(name) !== 0) return isAllowedAddress(name, true) && !isAllowedAddress(name, false)
  return !name.includes('.') || privateSuffixes.some(suffix => name.endsWith(suffix))
}

/** True for a host of this machine only. */
export function isLoopbackHost(host: string): boolean {
  const name = normalize(host)
  return name === '::1' || name === 'localhost' || (isIP(name) === 4 && name.startsWith('127.'))
}

function normalize(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}
