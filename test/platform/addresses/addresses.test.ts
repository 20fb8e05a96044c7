import { describe, expect, test } from 'vitest'
import { isAllowedAddress, isLoopbackHost, isPrivateHost, validateUrlSyntax } from '#platform/addresses'
import { metadataUrls } from '../../support/metadataUrls.ts'

const anywhere = { production: true, staging: true }
const stagingOnly = { production: false, staging: true }
const nowhere = { production: false, staging: false }

/** Staging allows private networks, production does not. */
const addresses: [address: string, allowed: typeof anywhere, reason: string][] = [
  ['8.8.8.8', anywhere, 'public'],
  ['1.1.1.1', anywhere, 'public'],
  ['172.32.0.1', anywhere, 'first address after a private range'],
  ['2606:4700::1111', anywhere, 'public'],

  ['127.0.0.1', stagingOnly, 'loopback'],
  ['::1', stagingOnly, 'loopback'],
  ['10.0.0.1', stagingOnly, 'private'],
  ['172.16.0.1', stagingOnly, 'first address of a private range'],
  ['172.31.255.255', stagingOnly, 'last address of a private range'],
  ['192.168.1.1', stagingOnly, 'private'],
  ['fd00::1', stagingOnly, 'private'],
  ['100.64.0.1', stagingOnly, 'shared between customers of a carrier'],
  ['0.0.0.0', stagingOnly, 'unspecified'],
  ['224.0.0.1', stagingOnly, 'multicast'],
  ['255.255.255.255', stagingOnly, 'broadcast'],
  ['2001:db8::1', stagingOnly, 'documentation'],
  ['::ffff:127.0.0.1', stagingOnly, 'loopback, IPv4-mapped'],
  ['64:ff9b::808:808', stagingOnly, 'NAT64'],
  ['2002:7f00:1::', stagingOnly, '6to4'],

  ['169.254.169.254', nowhere, 'metadata of most clouds'],
  ['169.254.0.1', nowhere, 'link-local'],
  ['fe80::1', nowhere, 'link-local'],
  ['febf::1', nowhere, 'link-local'],
  ['::ffff:169.254.169.254', nowhere, 'metadata, IPv4-mapped'],
  ['64:ff9b::a9fe:a9fe', nowhere, 'metadata over NAT64'],
  ['100.100.100.200', nowhere, 'metadata of Alibaba'],
  ['168.63.129.16', nowhere, 'metadata of Azure'],
  ['192.0.0.192', nowhere, 'metadata of Oracle'],
  ['fd00:ec2::254', nowhere, 'metadata of Amazon'],
  ['fd20:ce::254', nowhere, 'metadata of Google'],
  ['fd00:c1::a9fe:a9fe', nowhere, 'metadata of Oracle'],
  ['::a9fe:a9fe', nowhere, 'metadata, IPv4-compatible'],
  ['::ffff:0:a9fe:a9fe', nowhere, 'metadata, IPv4-translated'],
  ['64:ff9b::6464:64c8', nowhere, 'metadata of Alibaba over NAT64'],
  ['64:ff9b:1::a9fe:a9fe', nowhere, 'metadata over a NAT64 of the network'],
  ['64:ff9b:1:abcd:a9:fea9:fe00:0', nowhere, 'the same with a prefix of 64 bits'],
  ['64:ff9b:1:a9fe:a9:fe00::', nowhere, 'the same with a prefix of 48 bits'],
  ['2002:a9fe:a9fe::', nowhere, 'metadata over 6to4'],
  ['2001:0:808:808::5601:5601', nowhere, 'metadata over Teredo, inverted'],
  ['2606:4700::5efe:a9fe:a9fe', nowhere, 'metadata over ISATAP'],
  ['2606:4700::200:5efe:6464:64c8', nowhere, 'metadata of Alibaba over ISATAP, with a global IPv4 address'],
  ['fd00::5efe:a9fe:a9fe', nowhere, 'metadata over ISATAP of a private network'],
  ['2606:4700::5efe:a00:1', stagingOnly, 'private over ISATAP'],
  ['2606:4700::5efe:808:808', anywhere, 'public over ISATAP'],
  ['fe80::1%eth0', nowhere, 'link-local with a zone'],
  ['2001:4860::a9fe:a9fe', anywhere, 'public, and only similar'],

  ['', nowhere, 'no address'],
  ['localhost', nowhere, 'a name'],
  ['1.2.3', nowhere, 'an incomplete address'],
]

describe('a connection may go to', () => {
  test.each(addresses)('%s: %o (%s)', (address, allowed) => {
    expect({ production: isAllowedAddress(address, false), staging: isAllowedAddress(address, true) }).toEqual(allowed)
  })
})

const valid = undefined
const httpsOnly = 'url must be an absolute https address'
const httpOrHttps = 'url must be an absolute https or http address'
const credentials = 'url must not contain a user name or password'
const noPort = 'url must have a port from 1 to 65535'
const notPublic = 'url must lead to a public host'
const linkLocal = 'url must lead to a host that is not link-local'

/** Staging allows private networks, production does not. Names are resolved later. */
const urls: [url: string, production: string | undefined, staging: string | undefined][] = [
  ['https://8.8.8.8/', valid, valid],
  ['https://host.example:8443/path?query', valid, valid],
  ['https://localhost/', valid, valid],
  ['http://host.example/', httpsOnly, valid],
  ['ftp://host.example/', httpsOnly, httpOrHttps],
  ['/callbacks', httpsOnly, httpOrHttps],
  ['host.example', httpsOnly, httpOrHttps],
  ['', httpsOnly, httpOrHttps],
  ['https://user:secret@host.example/', credentials, credentials],
  ['https://user@host.example/', credentials, credentials],
  ['https://:secret@host.example/', credentials, credentials],
  ['https://host.example:0/', noPort, noPort],
  ['https://127.0.0.1/', notPublic, valid],
  ['https://2130706433/', notPublic, valid],
  ['https://0x7f.1/', notPublic, valid],
  ['https://[::1]/', notPublic, valid],
  ['https://[::ffff:10.1.2.3]/', notPublic, valid],
  ['https://169.254.169.254/latest', notPublic, linkLocal],
  ['https://[fe80::1]/', notPublic, linkLocal],
]

describe('the syntax of a URL from user input', () => {
  test.each(urls)('%s: production %o, staging %o', (url, production, staging) => {
    expect(validateUrlSyntax(url, false)).toBe(production)
    expect(validateUrlSyntax(url, true)).toBe(staging)
  })
})

test.each(metadataUrls)('staging refuses %s', url => {
  expect(validateUrlSyntax(url, true)).toBe(linkLocal)
})

describe('a host', () => {
  test.each([
    ['127.0.0.1', { loopback: true, private: true }],
    ['127.1.2.3', { loopback: true, private: true }],
    ['[::1]', { loopback: true, private: true }],
    ['localhost', { loopback: true, private: true }],
    ['LocalHost.', { loopback: true, private: true }],
    ['10.1.2.3', { loopback: false, private: true }],
    ['[fd00::1]', { loopback: false, private: true }],
    ['0.0.0.0', { loopback: false, private: true }],
    ['service', { loopback: false, private: true }],
    ['lockers.internal', { loopback: false, private: true }],
    ['service.lockers.svc', { loopback: false, private: true }],
    ['printer.local', { loopback: false, private: true }],
    ['8.8.8.8', { loopback: false, private: false }],
    ['[2606:4700::1111]', { loopback: false, private: false }],
    ['169.254.169.254', { loopback: false, private: false }],
    ['lockers.example', { loopback: false, private: false }],
    ['local.example', { loopback: false, private: false }],
    ['127.0.0.1.example', { loopback: false, private: false }],
  ])('%s: %o', (host, expected) => {
    expect({ loopback: isLoopbackHost(host), private: isPrivateHost(host) }).toEqual(expected)
  })
})
