import { type Connection, isGrpcServiceError } from '@temporalio/client'

/** gRPC: an endpoint has this name. */
const alreadyExists = 6

export interface NexusEndpoint {
  readonly name: string
  /** Where the workers of the flows poll. */
  readonly namespace: string
  readonly taskQueue: string
}

/** Creates the endpoint by which workflows of other namespaces call the flows. One of this name stays as it is. */
export async function ensureNexusEndpoint(connection: Connection, { name, ...worker }: NexusEndpoint): Promise<void> {
  try {
    await connection.operatorService.createNexusEndpoint({ spec: { name, target: { worker } } })
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== alreadyExists) throw error
  }
}
