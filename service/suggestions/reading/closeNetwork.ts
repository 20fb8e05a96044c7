import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

// Loaded before the code of the child process of readInProcess. Node's permission model has no network, so the modules that
// open sockets or resolve names lose their functions. Workers, native code and internal bindings, which would have
// others, are denied by the permission model.

class NetworkDenied extends Error {
  readonly code = 'ERR_ACCESS_DENIED'
}

function deny(): never {
  throw new NetworkDenied('The process that reads a file has no network')
}

/** Replaces the functions of an object, for good. */
function close(target: object, names: readonly string[]): void {
  for (const name of names) Object.defineProperty(target, name, { value: deny, writable: false, configurable: false })
}

function functionsOf(target: object): string[] {
  return Object.getOwnPropertyNames(target).filter(name => name !== 'constructor' && isFunction(target, name))
}

function isFunction(target: object, name: string): boolean {
  return typeof Object.getOwnPropertyDescriptor(target, name)?.value === 'function'
}

close(net.Socket.prototype, ['connect'])
close(net.Server.prototype, ['listen', '_listen2'])
close(net, ['connect', 'createConnection', 'createServer', '_createServerHandle'])
close(dgram.Socket.prototype, functionsOf(dgram.Socket.prototype))
close(dgram, ['createSocket', 'Socket', '_createSocketHandle'])
for (const resolver of [dns.Resolver, dns.promises.Resolver]) {
  for (let target = resolver.prototype; target !== Object.prototype; target = Object.getPrototypeOf(target))
    close(target, functionsOf(target))
}
close(dns.promises, functionsOf(dns.promises))
close(dns, functionsOf(dns))
syncBuiltinESMExports()
