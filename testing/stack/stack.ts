import type { Client, DataConverter } from '@temporalio/client'
import type { FlowClient } from '#client'
import type { Api, ApiSettings } from '#contract/client'
import type { FlowApiSettings, GatewaySettings } from '#gateway'
import type { KeyRing } from '#platform/codec'
import type { Service, Settings } from '#service'
import type { WorkerSettings } from '#worker'
import type { Progress } from '../temporal/index.ts'
import type { MovableClock } from './clock.ts'
import type { StackPorts } from './settings.ts'
import type { Wires } from './wires.ts'

export interface StackOptions<ServicePart extends Part = Service> {
  /** Holds the files of Temporal's server and of the service, and the log. By default a new one, which `stop` deletes. */
  readonly folder?: string
  /** Free ports if absent. */
  readonly ports?: StackPorts
  /** Encrypts and decrypts histories, with a codec server for the Web UI. */
  readonly ring?: KeyRing
  /** Encrypts and decrypts histories, without a codec server. */
  readonly dataConverter?: DataConverter
  readonly progress?: Progress
  /** The flow API. None without it. */
  readonly flowApi?: StackFlowApi
  /** Stops the start when it aborts. */
  readonly interrupted?: AbortSignal
  /** A running Temporal server, or `own`. By default TEMPORAL_ADDRESS, and without it a server of its own. */
  readonly temporal?: TemporalPlace | 'own'
  /** False starts no Web UI. */
  readonly webUi?: boolean
  /** Gives the parts a clock that moves and is this many milliseconds ahead. By default they run by the machine's clock. */
  readonly ahead?: number
  /** Connects the parts by wires, which can inject faults. */
  readonly wired?: boolean
  /** The parts, where they differ from those of a developer's machine. */
  readonly parts?: StackParts<ServicePart>
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

/** A running service or gateway, in this process or in one of its own. */
export interface Part {
  readonly address: string
  /** Resolves when the part is ready for the first time. Absent: it is ready. */
  readonly ready?: Promise<void>
  readonly flowApiAddress?: string | undefined
  stop(): Promise<void>
}

/** Settings of the parts, or functions that start them elsewhere. */
export interface StackParts<ServicePart extends Part = Service> {
  readonly service?: Partial<Settings> | (() => Promise<ServicePart>)
  readonly gateway?: Partial<GatewaySettings> | ((api: ApiSettings, temporal: TemporalPlace) => Promise<Part>)
  /** An API client of the topology; that of the built-in one by default. */
  readonly credentials?: Stack['credentials']
  /** Called with the worker's access to the service, when the service and the gateway run. False starts no worker. */
  readonly worker?: false | ((api: ApiSettings) => Promise<Partial<WorkerSettings>>)
}

/** Temporal's server as a child process or a running one; service, gateway and worker in this process by default. */
export interface Stack<ServicePart extends Part = Service> {
  readonly folder: string
  readonly temporalAddress: string
  readonly namespace: string
  /** Undefined if the server is not one of its own. */
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
  readonly service: ServicePart
  readonly client: Client
  readonly clock: MovableClock
  /** @throws Error in a stack without wires */
  readonly wires: Wires
  stopWorker(): Promise<void>
  /** Stops the worker, which forgets its flows, and starts another one with the same settings, except the given ones. */
  restartWorker(changes?: Partial<WorkerSettings>): Promise<void>
  restartGateway(changes?: Partial<GatewaySettings>): Promise<void>
  /** Stops all parts. The client stays open, since calls of others may still be retried on it. */
  stop(): Promise<void>
}
