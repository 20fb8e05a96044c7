import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './resolved.ts'

export type Instruction =
  | { readonly kind: 'WORKDIR' | 'USER' | 'STOPSIGNAL' | 'RUN'; readonly text: string }
  | { readonly kind: 'COPY'; readonly from: string | undefined; readonly sources: string[]; readonly to: string }
  | { readonly kind: 'ENV'; readonly name: string; readonly value: string }
  | { readonly kind: 'CMD'; readonly words: string[] }

export interface Stage {
  readonly image: string
  readonly name: string | undefined
  readonly instructions: readonly Instruction[]
}

/** Parses the stages of our Dockerfile. @throws Error for instructions that it does not use today */
export function readDockerfile(): Stage[] {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n')
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const line of lines.filter(text => text.trim() !== '' && !text.startsWith('#'))) {
    const [, image, name] = /^FROM (\S+)(?: AS (\S+))?$/.exec(line) ?? []
    if (image !== undefined) stages.push({ image, name, instructions: [] })
    else stages.at(-1)?.instructions.push(instructionOf(line))
  }
  return stages
}

function instructionOf(line: string): Instruction {
  const [, kind, text = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
  switch (kind) {
    case 'WORKDIR':
    case 'USER':
    case 'STOPSIGNAL':
    case 'RUN':
      return { kind, text }
    case 'CMD':
      return { kind, words: JSON.parse(text) }
    case 'ENV': {
      const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(text) ?? []
      if (name !== '') return { kind, name, value }
      break
    }
    case 'COPY': {
      const words = text.split(' ')
      const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
      const to = words.pop()
      if (to !== undefined && words.length > 0 && !words.some(word => word.startsWith('--')))
        return { kind, from, sources: words, to }
    }
  }
  throw new Error(`Dockerfile: ${line} is not supported by the tests`)
}
