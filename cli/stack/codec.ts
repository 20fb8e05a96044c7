import type { DataConverter } from '@temporalio/client'
import type { Logger } from 'pino'
import { type CodecServer, startCodecServer } from '#codecServer'
import { ip } from './ports.ts'
import type { Starter } from './starter.ts'

interface CodecOptions {
  readonly dataConverter: DataConverter
  readonly port: number
  readonly namespace: string
  readonly uiUrl: string | undefined
  readonly log: Logger
}

/** Without sign-in: it listens on loopback, and only pages of the Web UI may call it. */
export function startCodec(starter: Starter, { uiUrl, ...options }: CodecOptions): Promise<CodecServer> {
  const origins = uiUrl === undefined ? [] : [uiUrl, uiUrl.replace(ip, 'localhost')]
  const starting = startCodecServer({ ...options, host: ip, signIn: { by: 'none' }, origins, encodes: true })
  return starter.start('the codec server', starting, part => part.stop())
}
