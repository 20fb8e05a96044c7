// A separate process that discards what it receives. The first job starts it, and its result is the port.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveJobs } from '../child.ts'

serveJobs(async () => {
  const server = createServer((request, response) => request.resume().once('end', () => response.end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
})
