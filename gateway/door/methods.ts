import { documentPath, healthPaths } from '#contract'
import { doorOperations, watchOperation } from './operations.ts'

const reads = [healthPaths.live, healthPaths.ready, documentPath].map(path => ({ method: 'GET', path }))

const routes = [...doorOperations, watchOperation, ...reads].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The methods of the operations at a path, for the header Allow; empty for an unknown path. */
export function allowedMethods(url: string): string[] {
  const [path = ''] = url.split(/[?#]/)
  return [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
}
