import { BlockList, isIP, type LookupFunction } from 'node:net'
import { type HostOwners, lookupForOwner, lookupShared } from './lookups.ts'

/** Link-local addresses and cloud metadata services, which serve credentials. Blocked in every environment. */
const alwaysBlocked = blockList([
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services of Azure, Oracle and Alibaba, then of Amazon, Google and Oracle over IPv6.
  '168.63.129.16/32',
  '192.0.0.192/32',
  '100.100.100.200/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  // NAT64 of a network, which alone knows where in the address the IPv4 address is (RFC 6052, section 2.2; RFC 8215).
  '64:ff9b:1::/48',
])

/**
 * IPv6 ranges whose addresses contain an IPv4 address, which a gateway or the system dials instead. `group` is the first
 * of its two 16-bit groups. Teredo stores it inverted.
 */
const embeddings = [
  { name: 'compatible', range: blockList(['::/96']), group: 6 },
  { name: 'translated', range: blockList(['::ffff:0:0:0/96']), group: 6 },
  { name: 'NAT64', range: blockList(['64:ff9b::/96']), group: 6 },
  { name: '6to4', range: blockList(['2002::/16']), group: 1 },
  { name: 'Teredo', range: blockList(['2001::/32']), group: 6, mask: 0xffff },
]

/** Private, loopback, shared, documentation and multicast ranges, and IPv6 ranges that embed an IPv4 address. */
const nonPublic = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

/** The only IPv6 range that is allocated for public use. */
const globalIpv6 = blockList(['2000::/3'])

/** Milliseconds that a caller waits for the resolver. */
const resolveTimeout = 2_000

/** Groups 4 and 5 of an ISATAP address in any network. The last two are the IPv4 address to which its router sends. */
const isatap: readonly (readonly [number, number])[] = [
  [0, 0x5efe],
  [0x200, 0x5efe],
]

/**
 * True if connecting to an IP address from user input is safe.
 * @param allowPrivate also allows private and loopback addresses
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  if (isIP(address) === 0) return false
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  // A zone, as in fe80::1%eth0, occurs with link-local addresses only.
  if (address.includes('%') || alwaysBlocked.check(address, family)) return false
  const embedded = family === 'ipv6' ? embeddedIpv4(address) : []
  if (embedded.some(inner => alwaysBlocked.check(inner, 'ipv4'))) return false
  if (allowPrivate) return true
  if (embedded.some(inner => nonPublic.check(inner, 'ipv4'))) return false
  // `BlockList` applies IPv4 rules to IPv4-mapped IPv6 addresses, but these are not in the public range anyway.
  return !nonPublic.check(address, family) && (family === 'ipv4' || globalIpv6.check(address, family))
}

function embeddedIpv4(address: string): string[] {
  const groups = toGroups(address)
  const found = embeddings
    .filter(({ range }) => range.check(address, 'ipv6'))
    .map(({ group, mask = 0 }) => ({ group, mask }))
  if (isatap.some(([first, second]) => groups[4] === first && groups[5] === second)) found.push({ group: 6, mask: 0 })
  return found.map(({ group, mask }) =>
    groups
      .slice(group, group + 2)
      .flatMap(value => [(value ^ mask) >> 8, (value ^ mask) & 0xff])
      .join('.'),
  )
}

/** The eight 16-bit groups of an IPv6 address. */
function toGroups(address: string): number[] {
  const parse = (text: string) => (text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16)))
  // A URL writes an IPv4 part as two groups.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [left, right] = [parse(head), parse(tail)]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

export interface OwnedLookups {
  readonly owners: Pick<HostOwners, 'ownerOf'>
  /** Milliseconds that a connection waits for earlier lookups of the owner of its host. */
  readonly timeout: number
}

/**
 * A `lookup` for sockets that fails for hosts with a forbidden address. The socket connects to the checked address, so
 * DNS rebinding has no effect.
 * @param owned limits the lookups of each owner to one at a time
 */
export function checkedLookup(allowPrivate: boolean, owned?: OwnedLookups): LookupFunction {
  return (host, options, done) => {
    const found =
      owned === undefined
        ? lookupShared(host, options)
        : lookupForOwner(owned.owners.ownerOf(host), host, AbortSignal.timeout(owned.timeout), options)
    found.then(
      addresses => {
        if (addresses === undefined) {
          return done(Object.assign(new Error('other lookups of the tenant wait'), { code: 'EDNSTIMEOUT' }), [])
        }
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => isAllowedAddress(address, allowPrivate))) {
          return done(Object.assign(new Error('forbidden address'), { code: 'EFORBIDDENADDRESS' }), [])
        }
        if (options.all) return done(null, addresses)
        done(null, first.address, first.family)
      },
      error => done(error, []),
    )
  }
}

/**
 * Checks the syntax of a URL and the addresses of its host. DNS records can change later, so connections must use
 * `checkedLookup` too.
 * @param owner the tenant that named the URL: its checks share one lookup at a time
 * @returns the problem, beginning with "url must", or undefined
 */
export async function validateUrl(text: string, allowPrivate: boolean, owner: string): Promise<string | undefined> {
  const error = validateUrlSyntax(text, allowPrivate)
  if (error !== undefined) return error
  const host = toHost(new URL(text))
  if (isIP(host) !== 0) return undefined
  const addresses = await resolveHost(host, owner)
  if (addresses.length > 0 && addresses.every(address => isAllowedAddress(address, allowPrivate))) return undefined
  // One text for both, or a tenant could find out which names a private network has.
  if (!allowPrivate) return 'url must lead to a public host that can be resolved'
  return addresses.length === 0 ? 'url must have a host that can be resolved' : addressError(allowPrivate)
}

/** Checks the syntax of a URL as `validateUrl` does, but resolves no name. */
export function validateUrlSyntax(text: string, allowPrivate: boolean): string | undefined {
  const url = URL.parse(text)
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (url === null || !schemes.includes(url.protocol)) {
    return `url must be an absolute ${allowPrivate ? 'https or http' : 'https'} address`
  }
  if (url.username !== '' || url.password !== '') return 'url must not contain a user name or password'
  if (url.port === '0') return 'url must have a port from 1 to 65535'
  const host = toHost(url)
  return isIP(host) === 0 || isAllowedAddress(host, allowPrivate) ? undefined : addressError(allowPrivate)
}

function toHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function addressError(allowPrivate: boolean): string {
  return `url must lead to a ${allowPrivate ? 'host that is not link-local' : 'public host'}`
}

async function resolveHost(host: string, owner: string): Promise<string[]> {
  const { promise: timedOut, resolve: expire } = Promise.withResolvers<[]>()
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort()
    expire([])
  }, resolveTimeout)
  try {
    const found = await Promise.race([lookupForOwner(owner, host, controller.signal).catch(() => []), timedOut])
    return found?.map(({ address }) => address) ?? []
  } finally {
    clearTimeout(timer)
  }
}

/** The code or name of the error of a request. Its message can contain the address, which may hold a secret. */
export function requestErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
