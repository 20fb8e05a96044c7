import type { FastifyInstance } from 'fastify'

/** Returns the methods that the path of a URL has, for the header Allow; empty for an unknown path. */
export type AllowedMethods = (url: string) => readonly string[]

/** Collects the methods of each path; call it before any route is added. */
export function collectMethods(app: FastifyInstance): AllowedMethods {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    routes.set(url, route)
    for (const name of [method].flat()) route.methods.add(name)
  })
  return url => {
    const [path = ''] = url.split(/[?#]/)
    const decoded = decodePath(path)
    const found = [...routes.values()].filter(({ pattern }) => pattern.test(decoded))
    return [...new Set(found.flatMap(({ methods }) => [...methods]))]
  }
}

/** A route as a pattern of paths: `:name` is one segment. */
function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
}

/** Decodes as the router does, which leaves reserved characters escaped. It has rejected malformed escapes before. */
function decodePath(path: string): string {
  return path.includes('%') ? decodeURI(path) : path
}
