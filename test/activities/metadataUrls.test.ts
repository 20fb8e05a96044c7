import { expect, test } from 'vitest'
import { fetchFile } from '../../activities/fetchFile.ts'
import { sendNotification } from '../../activities/notifications.ts'
import { metadataUrls } from '../support/metadataUrls.ts'

test.each(metadataUrls)('staging neither fetches a file from %s nor notifies it', async url => {
  const signal = AbortSignal.timeout(10_000)
  await expect(fetchFile(url, { allowPrivateNetworks: true, signal, onFetched: () => {} })).rejects.toMatchObject({
    type: 'InvalidFileUrl',
    nonRetryable: true,
    message: expect.stringContaining('not link-local'),
  })
  const input = { id: 'n', notification: { type: 'flow.ended' } } as never
  await expect(sendNotification({ url, key: 'a-key-of-sixteen-or-more' }, input, true)).rejects.toMatchObject({
    type: 'NotificationNotDelivered',
    message: expect.stringContaining('must not lead to a private address'),
  })
})
