import type { FlowDeclaration } from '#flows/declaration'
import type { TrustProxy } from '#platform/settings'
import type { ConfirmationTimes } from './tokens/confirmation.ts'
import type { TokenIssuer } from './tokens/issuer.ts'

/** The settings of the flow API: the listener at which callers start flows by HTTP. */
export interface FlowApiSettings {
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  /** Address at which callers reach the flow API; by default the address that it listens on. */
  readonly url?: string | undefined
  /** The issuers whose access tokens are accepted. */
  readonly issuers: readonly TokenIssuer[]
  /** Serves the reference page and the OpenAPI document, without a token. Default: true. */
  readonly apiDocs?: boolean
  /** Paths or patterns of files that declare your own flows. */
  readonly flowFiles?: readonly string[]
  /** Declarations of your own flows. */
  readonly flows?: readonly FlowDeclaration[]
  /** The keys of the links in notifications, the newest first. Without them the flow API has no pages of links. */
  readonly decisionKeys?: readonly string[]
  /** Proxies that name the caller's address. Default: none. */
  readonly trustProxy?: TrustProxy
  readonly limits?: Partial<FlowApiLimits>
}

/** The limits of the flow API. A caller is a subject of an issuer. */
export interface FlowApiLimits {
  /** Requests per second and caller, with bursts of twice as many. */
  readonly rate: number
  /** Open event streams per caller. */
  readonly streams: number
  /** Open event streams of all callers. */
  readonly allStreams: number
  /** Requests in progress per caller. */
  readonly requests: number
  /** Requests in progress of all callers. */
  readonly allRequests: number
  /** Milliseconds for which a call goes on when its caller has gone. A start or a cancellation has reached Temporal by then. */
  readonly lingering: number
  /** Lists in progress per caller. Further ones wait. */
  readonly lists: number
  /** Lists in progress of all callers. Each makes up to ten calls of Temporal at a time. */
  readonly allLists: number
  /** Bytes of a body. */
  readonly body: number
  /** Milliseconds within which a request must arrive completely. */
  readonly arrival: number
  /** Milliseconds after which a connection is closed on which a caller reads nothing of a response. */
  readonly stall: number
  /** Tokens per second and address whose signature is checked. Tokens that were checked before do not count. */
  readonly checkedTokens: number
  /** The validity of the service's confirmation of a client's token. */
  readonly confirmation: ConfirmationTimes
  /** Mean delay of the event loop in milliseconds, past which the flow API rejects requests, so that callbacks arrive. */
  readonly eventLoopDelay: number
}

export const defaultFlowApiLimits: FlowApiLimits = {
  rate: 100,
  streams: 20,
  allStreams: 500,
  requests: 100,
  allRequests: 500,
  lingering: 5_000,
  lists: 2,
  allLists: 8,
  body: 256 * 1_024,
  arrival: 15_000,
  stall: 60_000,
  checkedTokens: 200,
  confirmation: { fresh: 5_000, longest: 60_000 },
  eventLoopDelay: 250,
}
