import { type CodecServer, startCodecServer } from '#gateway/codecServer'
import { ip } from './ports.ts'
import type { Starter } from './starter.ts'

type CodecOptions = Omit<Parameters<typeof startCodecServer>[0], 'host' | 'origins'>

/** Starts the codec server on loopback. Only pages of the Web UI may call it. */
export function startCodec(starter: Starter, options: CodecOptions, uiUrl: string | undefined): Promise<CodecServer> {
  const origins = uiUrl === undefined ? [] : [uiUrl, uiUrl.replace(ip, 'localhost')]
  const starting = startCodecServer({ ...options, host: ip, origins })
  return starter.start('the codec server', starting, part => part.stop())
}
