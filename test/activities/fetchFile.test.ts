import { setInterval } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type FetchOptions, fetchFile } from '../../activities/fetchFile.ts'
import { eventually } from '../support/eventually.ts'
import { file, useFileServer } from '../support/servers/fileServer.ts'

const files = useFileServer()

function fetched(url: string, options: Partial<FetchOptions> = {}) {
  const signal = new AbortController().signal
  return fetchFile(url, { allowPrivateNetworks: true, signal, onFetched: () => {}, ...options })
}

test.each([
  ['sends a byte at a time', true],
  ['does not respond', false],
])('a download is ended when the server %s', async (_, responds) => {
  let open = 0
  files.serve = async response => {
    open++
    for await (const _ of setInterval(5)) {
      if (response.destroyed) break
      if (responds) response.write('a')
    }
    open--
  }
  await expect(fetched(files.url, { pace: { bytes: 1_000, interval: 300 } })).rejects.toMatchObject({
    type: 'FileNotFetched',
    nonRetryable: false,
    message: expect.stringContaining('less than 1000 bytes in 0.3 s'),
  })
  await eventually(() => open === 0)
})

test('a download goes on when each interval brings enough', async () => {
  files.serve = async response => {
    let sent = 0
    for await (const _ of setInterval(5)) {
      response.write('a'.repeat(1_000))
      if (++sent === 100) break
    }
    response.end()
  }
  const { bytes } = await fetched(files.url, { pace: { bytes: 1, interval: 200 } })
  expect(bytes).toHaveLength(100_000)
})

test('in production a private name and an unknown one have one result', async () => {
  files.serve = file('')
  const failureOf = async (host: string) => {
    const error = await fetched(`https://${host}:${new URL(files.url).port}/`, { allowPrivateNetworks: false }).catch(
      error => error,
    )
    const { type, message, nonRetryable } = error
    return { type, message, nonRetryable }
  }
  const unknown = await failureOf('no-such-host.invalid')
  expect(unknown).toMatchObject({ type: 'InvalidFileUrl', nonRetryable: true })
  expect(await failureOf('localhost')).toEqual(unknown)
})
