import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv } from 'node:process'
import { parseArgs } from 'node:util'
import { EnvHttpProxyAgent, fetch } from 'undici'

/** An image as the files name it, for instance `prom/prometheus:v3.8.1`, with the digest that it has or gets. */
export interface PinnedImage {
  readonly name: string
  readonly digest?: string | undefined
}

const usage = 'usage: npm run release -- images pin|check'
const files = ['docker-compose.yml', 'Dockerfile']

/** The images of others in docker-compose.yml and Dockerfile; ours are built. */
const named = /^((?: *image:| *FROM) )(?!lockerflow:)([\w./-]+:[\w.-]+)(?:@(sha256:[\da-f]{64}))?/gm

/** Manifests for several platforms come first, so the digest is that of the tag and not of one platform. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]

/** Milliseconds of one request. */
const timeout = 30_000

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      args: argv.slice(2),
      allowPositionals: true,
      options: {
        folder: { type: 'string', default: join(import.meta.dirname, '..') },
        // The registry of images without a host.
        registry: { type: 'string', default: 'https://registry-1.docker.io' },
      },
    })
    const [action] = positionals
    if (positionals.length !== 1 || (action !== 'pin' && action !== 'check')) throw new Error(usage)
    const problems = await run(action, values.folder, new URL(values.registry))
    if (problems.length > 0) throw new Error(problems.join('\n'))
  } catch (error) {
    console.error(`images: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

/**
 * Appends its digest to each tag, or compares the digests.
 * @returns a sentence for each image whose digest is missing or differs
 * @throws Error when the registry does not answer with a digest; the files are then as before
 */
async function run(action: 'pin' | 'check', folder: string, registry: URL): Promise<string[]> {
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
  const images = texts.flatMap(imagesIn)
  const digests = new Map<string, string>()
  for (const { name } of images) {
    if (!digests.has(name)) digests.set(name, await readDigest(name, registry))
  }
  for (const [name, digest] of digests) console.log(`${name}@${digest}`)
  if (action === 'check') return images.flatMap(image => problemOf(image, digests.get(image.name)) ?? [])
  for (const [at, file] of files.entries()) {
    const pinned = texts[at]?.replace(named, (_, key, name) => `${key}${name}@${digests.get(name)}`)
    await writeFile(join(folder, file), pinned ?? '')
  }
  return []
}

/** The images of others that a file names, in its order. */
export function imagesIn(text: string): PinnedImage[] {
  return [...text.matchAll(named)].map(([, , name = '', digest]) => ({ name, digest }))
}

function problemOf({ name, digest }: PinnedImage, current: string | undefined): string | undefined {
  if (digest === current) return undefined
  if (digest === undefined) return `${name} has no digest. npm run release -- images pin writes it.`
  return `${name} is pinned to ${digest}, and its tag is now ${current}. Read what has changed, then run npm run release -- images pin.`
}

async function readDigest(name: string, registry: URL): Promise<string> {
  const [repository = '', tag = ''] = name.split(':')
  const path = repository.includes('/') ? repository : `library/${repository}`
  const url = new URL(`/v2/${path}/manifests/${tag}`, registry)
  const first = await ask(url)
  const response = first.status === 401 ? await ask(url, await readToken(first.challenge, url)) : first
  if (response.status === 200 && /^sha256:[\da-f]{64}$/.test(response.digest)) return response.digest
  throw new Error(`${name}: ${url} returns ${response.status}, without a digest.`)
}

async function ask(url: URL, token?: string) {
  const { status, headers } = await request(url, {
    method: 'HEAD',
    headers: { accept: manifestTypes.join(', '), ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  })
  return { status, challenge: headers.get('www-authenticate'), digest: headers.get('docker-content-digest') ?? '' }
}

/** A token for reading public images needs no account. */
async function readToken(challenge: string | null, url: URL): Promise<string> {
  const fields = Object.fromEntries(
    [...(challenge ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  )
  if (fields.realm === undefined) throw new Error(`${url} demands a sign-in that is not a token.`)
  const address = new URL(fields.realm)
  for (const key of ['service', 'scope']) if (fields[key] !== undefined) address.searchParams.set(key, fields[key])
  const response = await request(address)
  const body = (await response.json().catch(() => ({}))) as { readonly token?: string }
  if (body.token === undefined) throw new Error(`${address.origin} returns ${response.status}, without a token.`)
  return body.token
}

async function request(url: URL, options: Parameters<typeof fetch>[1] = {}) {
  const dispatcher = new EnvHttpProxyAgent()
  return fetch(url, { ...options, dispatcher, signal: AbortSignal.timeout(timeout) }).catch((error: unknown) => {
    const { cause } = error as { readonly cause?: { readonly message?: string } }
    throw new Error(`${url.origin} could not be reached: ${cause?.message ?? String(error)}`)
  })
}
