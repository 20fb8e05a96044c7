import { readFileSync } from 'node:fs'
import { hardwareDocument } from '#contract'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** docs/reference/hardware-openapi.json: the protocol of adapters of locker hardware. */
export function hardwareOpenApiFile(): string {
  return `${JSON.stringify(hardwareDocument(version), null, 2)}\n`
}
