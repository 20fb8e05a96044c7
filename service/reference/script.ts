import { fastify } from 'fastify'

/**
 * The script of the reference page, out of its package. The package keeps it inside of a plugin that makes a page of its
 * own, with a script written into it; what is wanted here is the script alone.
 */
export async function readScript(): Promise<string> {
  // Four megabytes that a service without readers never loads.
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const app = fastify()
  await app.register(reference, { routePrefix: '/reference', configuration: { url: '/' } })
  const { statusCode, body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`the script of the reference page was answered with ${statusCode}`)
  return body
}
