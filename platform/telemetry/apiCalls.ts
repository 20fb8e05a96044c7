import { tracing } from './tracing.ts'

/** Runs a call of the service in a span, with the headers that continue its trace: the `trace` of `createApi`. */
export function traceApiCall<Result>(
  name: string,
  url: URL,
  call: (headers: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return call({})
  const attributes = {
    'http.request.method': 'POST',
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    'lockerflow.operation': name,
  }
  return tracing.inSpan({ name, kind: 'client', attributes }, span => call(span.headers()))
}
