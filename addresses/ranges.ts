import { BlockList, isIP } from 'node:net'

/** Link-local addresses and those under which clouds hand out credentials: never a receiver, whatever the settings. */
const never = blockList([
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services: Azure, Oracle, Alibaba, Amazon by IPv6; link-local written as NAT64.
  '168.63.129.16/32',
  '192.0.0.192/32',
  '100.100.100.200/32',
  'fd00:ec2::254/128',
  '64:ff9b::a9fe:0/112',
])

/** Not public: private, loopback, shared, documentation, multicast and what wraps another address. */
const notPublic = blockList([
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

/** The only IPv6 addresses that are given out for public use. */
const globalIpv6 = blockList(['2000::/3'])

/** Whether an IP address may be dialled for somebody else; `privateAllowed` lets private and loopback ones through. */
export function mayDial(address: string, privateAllowed: boolean): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0 || never.check(address, family)) return false
  if (privateAllowed) return true
  // The list reads an IPv4 address mapped into IPv6 by its IPv4 rules; it is not worth allowing one.
  return !notPublic.check(address, family) && (family === 'ipv4' || globalIpv6.check(address, family))
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
