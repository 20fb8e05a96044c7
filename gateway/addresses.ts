/** Reconnects to Temporal within two seconds, where gRPC's default backoff grows to two minutes. */
export const reconnect = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2_000 }

/** The address of a listener. One on all interfaces is reached on loopback. */
export function toAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
