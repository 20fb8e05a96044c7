import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './resolved.ts'

/** The variables of .env.example, all empty. */
export function exampleVariables(): Record<string, string> {
  const text = readFileSync(join(root, '.env.example'), 'utf8')
  return Object.fromEntries(Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, name = '', value = '']) => [name, value]))
}

/** The variables that docker-compose.yml requires. */
export function requiredVariables(): string[] {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  return [...new Set(Array.from(text.matchAll(/\$\{(\w+):\?/g), ([, name = '']) => name))]
}

/**
 * Fills in .env.example as its comments say, and writes a topology file into the folder.
 * @returns the variables, with new secrets
 */
export function filledExample(folder: string): Record<string, string> {
  const secret = () => randomBytes(24).toString('hex')
  const clientSecret = secret()
  const topology = join(folder, 'topology.yaml')
  const example = readFileSync(join(root, 'docker', 'topology.example.yaml'), 'utf8')
  writeFileSync(topology, example.replace('the-same-as-LOCKERFLOW_CLIENT_SECRET', clientSecret))
  return {
    ...exampleVariables(),
    POSTGRES_PASSWORD: secret(),
    TEMPORAL_DATABASE_PASSWORD: secret(),
    LOCKERFLOW_DATABASE_PASSWORD: secret(),
    LOCKERFLOW_CALLBACK_KEY: secret(),
    LOCKERFLOW_STORE_KEYS: `2026-11:${randomBytes(32).toString('base64')}`,
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_CLIENT_SECRET: clientSecret,
    LOCKERFLOW_TOPOLOGY_FILE: topology,
  }
}
