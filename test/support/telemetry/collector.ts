import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A span as it was exported. */
export interface ExportedSpan {
  readonly name: string
  /** The process that recorded it. */
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  /** Undefined for the root of a trace. */
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly failed: boolean
}

/** A receiver of OTLP over HTTP: traces in JSON, metrics in any form. */
export interface Collector {
  readonly address: string
  readonly spans: readonly ExportedSpan[]
  /** The bodies of all requests with traces. */
  readonly bodies: readonly string[]
  /** The bodies of all requests with metrics, one character per byte. */
  readonly metrics: readonly string[]
  stop(): Promise<void>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly attributes: readonly Attribute[]
        readonly status?: { readonly code?: number }
      }[]
    }[]
  }[]
}

/** The status code of a failed span. */
const failure = 2

export async function startCollector(): Promise<Collector> {
  const spans: ExportedSpan[] = []
  const bodies: string[] = []
  const metrics: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sent = Buffer.concat(chunks)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    if (request.url === '/v1/traces') {
      bodies.push(body.toString('utf8'))
      spans.push(...readSpans(JSON.parse(body.toString('utf8'))))
    } else metrics.push(body.toString('latin1'))
    // An empty response is valid in JSON and, without a byte, as a message of protobuf.
    const type = request.headers['content-type'] ?? ''
    response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    metrics,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function readSpans({ resourceSpans }: TraceRequest): ExportedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(scope =>
      scope.spans.map(({ name, traceId, spanId, parentSpanId, attributes, status }) => ({
        name,
        service: String(readAttributes(resource.attributes)['service.name']),
        traceId,
        spanId,
        parentSpanId: parentSpanId || undefined,
        attributes: readAttributes(attributes),
        failed: status?.code === failure,
      })),
    ),
  )
}

function readAttributes(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
