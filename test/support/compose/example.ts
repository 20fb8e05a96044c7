import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './resolved.ts'

/** The variables of .env.example, all empty. */
export function exampleVariables(): Record<string, string> {
  const text = readFileSync(join(root, '.env.example'), 'utf8')
  return Object.fromEntries(Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, name = '', value = '']) => [name, value]))
}

/**
 * .env.example as it is, with the secrets that deploy/docker/secrets.sh writes into the folder.
 * @param optional texts of further secrets, by their setting
 * @returns the variables of .env
 */
export function filledExample(folder: string, optional: Readonly<Record<string, string>> = {}): Record<string, string> {
  execFileSync('sh', [join(root, 'deploy', 'docker', 'secrets.sh'), folder])
  const files = Object.entries(optional).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, `${text}\n`)
    return [`${name}_FILE`, path]
  })
  return { ...exampleVariables(), LOCKERFLOW_SECRETS: folder, ...Object.fromEntries(files) }
}

/** A secret that deploy/docker/secrets.sh has written. */
export function secretIn({ LOCKERFLOW_SECRETS: folder = '' }: Readonly<Record<string, string>>, name: string): string {
  return readFileSync(join(folder, name), 'utf8').trim()
}
