import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../operations/call.ts'

/** Says what is wrong with a request that no route matches; the value of `Allow` when only the method is. */
export type PathCheck = (request: FastifyRequest) => { readonly refusal: Refusal; readonly allow: string | undefined }

/** Remembers the routes of an app that is about to get them. */
export function createPathCheck(app: FastifyInstance): PathCheck {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    methods.set(url, known)
    for (const one of [method].flat()) known.add(one)
  })
  return request => {
    const [path = ''] = request.url.split('?')
    const known = methods.get(path)
    if (known === undefined) {
      return { refusal: new Refusal('UnknownOperation', 'There is no operation at this path.'), allow: undefined }
    }
    const allow = [...known].join(', ')
    return { refusal: new Refusal('MethodNotAllowed', `This path is called with ${allow}.`), allow }
  }
}
