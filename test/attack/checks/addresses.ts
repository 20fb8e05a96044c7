import { equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { expectRefused, expectSuccess, type Scene } from '../scene.ts'

/** Hosts of metadata services and link-local addresses, in every spelling that resolves to one. */
const metadata = [
  '169.254.169.254',
  '169.254.169.254.',
  '2852039166',
  '0xA9FEA9FE',
  '0xa9.0xfe.0xa9.0xfe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '169.16689662',
  '１６９.254.169.254',
  '169。254。169。254',
  '169.254.170.2',
  '100.100.100.200',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
]

/** Hosts inside a network, which staging may allow. */
const inside = [
  'localhost',
  'localhost.',
  'api.localhost',
  '127.0.0.1',
  '127.1',
  '0177.0.0.1',
  '2130706433',
  '0x7f000001',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fc00::1]',
  '[ff02::1]',
]

/** Addresses that no environment accepts. */
const unusable = [
  'ftp://mail.example/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'javascript:alert(1)',
  'data:text/plain,a',
  '//mail.example/',
  'https://',
  'https://user:secret@mail.example/',
  'https://mail.example:99999/',
  `https://mail.example/${'a'.repeat(3_000)}`,
  'https://mail.example/\r\nX-Injected: 1',
]

/** Registers the checks on callback addresses: the service dials what a tenant names. */
export function addressChecks(scene: () => Scene): void {
  const register = (url: string) =>
    scene().attacker.call('ConfigureCallback', { url, authType: 'HMAC', authKey: 'k'.repeat(32) })

  describe('an address of a metadata service is refused', () => {
    test.each(metadata)('%s', async host => {
      for (const scheme of ['https', 'http'])
        expectRefused(await register(`${scheme}://${host}/`), 200, 'InvalidCallbackUrl')
    })
  })

  describe('an address inside the network is refused in production', () => {
    test.each(inside)('%s', async host => {
      const response = await register(`https://${host}/callbacks`)
      if (scene().target.mode === 'production') return expectRefused(response, 200, 'InvalidCallbackUrl')
      equal(response.status, 200)
      expectSuccess(await scene().attacker.call('ConfigureCallback', { url: null, authType: 'None' }))
    })

    test('plain http', async () => {
      if (scene().target.mode === 'production')
        expectRefused(await register('http://1.1.1.1/'), 200, 'InvalidCallbackUrl')
    })
  })

  describe('an unusable address is refused', () => {
    test.each(unusable)('%s', async url => {
      const response = await register(url)
      equal(response.json.success, false, response.text)
      equal(response.status === 400 || response.json.error === 'InvalidCallbackUrl', true, response.text)
    })
  })
}
