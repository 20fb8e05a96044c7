import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** How the file server treats one request; `earlier` counts those before it in the same test. */
export type Serve = (response: ServerResponse, request: IncomingMessage, earlier: number) => unknown

export interface FileServer {
  readonly url: string
  serve: Serve
  /** Paths that were asked for in this test. */
  readonly asked: string[]
}

/** A file that is there at once. */
export function file(content: string | Uint8Array, headers: Record<string, string> = {}): Serve {
  return response => response.writeHead(200, headers).end(content)
}

/** Where files are fetched from, for one test file. */
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
