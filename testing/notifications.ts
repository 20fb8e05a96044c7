import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkWebhookSignature, webhookHeaders } from '#contract'
import type { FlowNotification, NotificationType } from '#flows'
import { createJournal, type Journal } from './journal.ts'

/** A notification of a flow, with its case. */
export type NotificationEntry = FlowNotification & { readonly caseNo: string }

/** The notifications of the flows, each once. */
export interface Notifications extends Omit<Journal<NotificationEntry>, 'next'> {
  /**
   * Returns the next notification of a type, and waits for it. Each is returned once.
   * @throws Error that lists the others, after twenty seconds
   */
  next(
    type: NotificationType,
    options?: { readonly caseNo?: string; readonly timeout?: number },
  ): Promise<FlowNotification>
}

export interface NotificationReceiver {
  readonly notifications: Notifications
  /** The settings of a worker. */
  readonly settings: { readonly url: string; readonly key: string }
  stop(): Promise<void>
}

/** Receives notifications on loopback, and refuses those with a wrong signature. */
export async function startNotificationReceiver(): Promise<NotificationReceiver> {
  const key = randomBytes(24).toString('base64url')
  const journal = createJournal<NotificationEntry>('notification')
  const seen = new Set<unknown>()
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const id = request.headers[webhookHeaders.id]
    const fault = checkWebhookSignature([key], request.headers, body, Date.now() / 1_000)
    if (fault === undefined && !seen.has(id)) {
      seen.add(id)
      const notification: FlowNotification = JSON.parse(body)
      journal.add({ ...notification, caseNo: notification.data.caseNo })
    }
    response.writeHead(fault === undefined ? 204 : 401).end()
  }
  // A sender that breaks off gets no response, and retries the notification.
  const server = createServer((request, response) => handle(request, response).catch(() => void response.destroy()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    notifications: {
      entries: journal.entries,
      of: journal.of,
      clear: journal.clear,
      next: (type, { caseNo, timeout } = {}) =>
        journal.next(entry => entry.type === type && (caseNo === undefined || entry.caseNo === caseNo), timeout),
    },
    settings: { url: `http://127.0.0.1:${port}`, key },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
