import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** The treatment of one request; `earlier` counts previous ones of the same test. */
export type Serve = (response: ServerResponse, request: IncomingMessage, earlier: number) => unknown

export interface FileServer {
  readonly url: string
  serve: Serve
  /** Paths that this test has requested. */
  readonly asked: string[]
}

/** Serves a file without delay. */
export function file(content: string | Uint8Array, headers: Record<string, string> = {}): Serve {
  return response => response.writeHead(200, headers).end(content)
}

/** A file server for one test file. */
export function useFileServer(): FileServer {
  const files = { asked: [] as string[] } as { -readonly [Name in keyof FileServer]: FileServer[Name] }
  const server = createServer((request, response) => {
    files.asked.push(request.url ?? '')
    files.serve(response, request, files.asked.length - 1)
  })

  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    files.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  beforeEach(() => {
    files.asked.length = 0
  })

  afterAll(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })

  return files
}
