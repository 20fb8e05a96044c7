import type { Client } from '@temporalio/client'
import type { FlowClient } from '#client'
import type { Api, ApiSettings } from '#contract/client'
import type { FlowApiSettings, GatewaySettings } from '#gateway'
import type { KeyRing } from '#platform/codec'
import type { Service, Settings } from '#service'
import type { WorkerSettings } from '#worker'
import type { Progress } from '../temporal/index.ts'
import type { StackPorts } from './settings.ts'

export interface StackOptions {
  /** Holds the files of Temporal's server and of the service. */
  readonly folder: string
  /** Free ports if absent. */
  readonly ports?: StackPorts
  /** Encrypts and decrypts histories, with a codec server for the Web UI. */
  readonly ring?: KeyRing
  readonly progress: Progress
  /** The flow API. None without it. */
  readonly flowApi?: StackFlowApi
  /** Stops the start when it aborts. */
  readonly interrupted?: AbortSignal
  /** A running Temporal server, or `own`. By default TEMPORAL_ADDRESS, and without it a server of its own. */
  readonly temporal?: TemporalPlace | 'own'
  /** False starts no Web UI. */
  readonly webUi?: boolean
  /** Settings in which the parts differ from those of a developer's machine. */
  readonly parts?: StackParts
}

export interface StackFlowApi {
  readonly port: number
  /** @param api the access of the gateway to the service */
  settings(api: ApiSettings): FlowApiSettings | undefined
}

export interface TemporalPlace {
  readonly address: string
  readonly namespace: string
}

export interface StackParts {
  readonly service?: Partial<Settings>
  readonly gateway?: Partial<GatewaySettings>
  /** An API client of the topology; that of the built-in one by default. */
  readonly credentials?: Stack['credentials']
  /** Called when the service and the gateway run. */
  readonly worker?: () => Promise<Partial<WorkerSettings>>
}

/** Temporal's server as a child process; service, gateway and worker in this process. */
export interface Stack {
  readonly temporalAddress: string
  readonly namespace: string
  /** Undefined if TEMPORAL_ADDRESS names the server. */
  readonly uiUrl: string | undefined
  readonly serviceAddress: string
  readonly gatewayAddress: string
  /** Undefined without a flow API. */
  readonly flowApiAddress: string | undefined
  /** Undefined without a key ring. */
  readonly codecAddress: string | undefined
  readonly credentials: Pick<ApiSettings, 'clientId' | 'clientSecret'>
  readonly flows: FlowClient
  readonly api: Api
  readonly service: Service
  readonly client: Client
  /** Stops all parts. The client stays open, since calls of others may still be repeated on it. */
  stop(): Promise<void>
}
