import { accessScope, tokenPath } from '#contract'

/** A call as curl commands show it. */
export interface PrintedCall {
  readonly baseUrl: string
  readonly authUrl: string
  readonly clientId: string
  readonly path: string
  readonly request: unknown
  readonly file: string | undefined
  readonly idempotencyKey?: string
}

/** Commands of a POSIX shell that make the same call. The secret comes from the environment of that shell. */
export function curlLines({ baseUrl, authUrl, clientId, path, request, file, idempotencyKey }: PrintedCall): string[] {
  const body = JSON.stringify(request)
  const upload =
    file === undefined
      ? undefined
      : [`  --form-string ${quote(`data=${body}`)} \\`, `  -F ${quote(`file=@${quoteForm(file)}`)}`]
  return [
    `TOKEN=$(curl -sS ${quote(join(authUrl, tokenPath))} \\`,
    `  --data-urlencode grant_type=client_credentials --data-urlencode ${quote(`scope=${accessScope}`)} \\`,
    `  --data-urlencode ${quote(`client_id=${clientId}`)} --data-urlencode "client_secret=$LOCKERFLOW_CLIENT_SECRET" \\`,
    `  | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')`,
    `curl -sS ${quote(join(baseUrl, path))} -H "Authorization: Bearer $TOKEN" \\`,
    ...(idempotencyKey === undefined ? [] : [`  -H ${quote(`Idempotency-Key: ${idempotencyKey}`)} \\`]),
    ...(upload ?? [`  -H 'Content-Type: application/json' \\`, `  --data-raw ${quote(body)}`]),
  ]
}

function join(address: string, path: string): string {
  return address.replace(/\/+$/, '') + path
}

/** One word of a POSIX shell, whatever it contains. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A file name in the value of `-F`, where curl would end it at a comma or a semicolon. */
function quoteForm(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
