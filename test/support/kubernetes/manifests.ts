import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { childEnvironment } from '../childEnvironment.ts'
import type { GoProgram } from '../goProgram.ts'

/** Builds a folder of manifests, and checks its objects with the types of Kubernetes. */
export const manifestsCommand: GoProgram = {
  name: 'manifests',
  moduleFolder: join(import.meta.dirname, 'module'),
  task: 'reader of Kubernetes manifests',
}

/** A folder as `kubectl kustomize` prints it. */
export interface Built {
  readonly objects: readonly KubernetesObject[]
  readonly faults: readonly { readonly object: string; readonly reason: string }[]
}

/** The fields that the tests read. */
export interface KubernetesObject {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec: Spec
}

interface Spec {
  readonly replicas?: number
  readonly selector?: { readonly matchLabels?: Labels } & Labels
  readonly podSelector?: Selector
  readonly maxUnavailable?: number
  readonly unhealthyPodEvictionPolicy?: string
  readonly policyTypes?: readonly string[]
  readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[]
  readonly egress?: readonly Egress[]
  readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[]
  readonly rules?: readonly IngressRule[]
  readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
}

interface Egress {
  readonly ports?: readonly { readonly port: number }[]
  readonly to?: readonly Peer[]
}

interface Peer {
  readonly podSelector?: { readonly matchLabels: Labels }
  readonly ipBlock?: { readonly cidr: string; readonly except: readonly string[] }
}

export type Labels = Readonly<Record<string, string>>

interface Selector {
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[]
}

interface IngressRule {
  readonly host: string
  readonly http: { readonly paths: readonly { readonly path: string; readonly backend: Backend }[] }
}

interface Backend {
  readonly service: { readonly name: string; readonly port: { readonly name: string } }
}

interface Pod {
  readonly containers: readonly Container[]
  readonly volumes: readonly Volume[]
  readonly terminationGracePeriodSeconds: number
  readonly enableServiceLinks: boolean
}

export interface Container {
  readonly image: string
  readonly command: readonly string[]
  readonly env?: readonly Variable[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } }
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Volume {
  readonly name: string
  readonly secret?: { readonly secretName: string; readonly items: readonly Item[] }
  readonly projected?: { readonly sources: readonly { readonly secret: ProjectedSecret }[] }
}

interface ProjectedSecret {
  readonly name: string
  readonly items: readonly Item[]
}

interface Item {
  readonly key: string
  readonly path: string
}

export const manifestsFolder = join(import.meta.dirname, '..', '..', '..', 'deploy', 'kubernetes')

/** Builds a folder. @throws Error with the message of Kustomize */
export async function build(command: string, folder: string): Promise<Built> {
  const { stdout } = await promisify(execFile)(command, [folder], { env: childEnvironment, maxBuffer: 2 ** 24 })
  return JSON.parse(stdout)
}

/** The files that a pod finds in its folder of secrets: the name of each, its secret and its key. */
export function filesOf({ volumes }: Pod): readonly { path: string; secret: string; key: string }[] {
  return volumes
    .flatMap(({ secret, projected }) => [
      ...(secret === undefined ? [] : [{ name: secret.secretName, items: secret.items }]),
      ...(projected?.sources ?? []).map(source => source.secret),
    ])
    .flatMap(({ name, items }) => items.map(({ path, key }) => ({ path, secret: name, key })))
}
