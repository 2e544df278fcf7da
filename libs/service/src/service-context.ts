import { stateSettings } from '@ringdown/contracts/bucket-limits';
import { busSettings } from '@ringdown/nats';
import {
  createLogger,
  Health,
  innerServerSettings,
  logSettings,
  Metrics,
  startInnerServer,
  type Logger,
} from '@ringdown/observability';
import type { SettingValues } from '@ringdown/settings';
import type { Server } from 'node:http';

export const contextSettings = { ...logSettings, ...innerServerSettings, ...busSettings, ...stateSettings };

/** What the services of one process share. */
export interface ProcessContext {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** The address of the health checks and metrics, for programs on this machine. */
  readonly innerOrigin: string;
  /** STATE_MAX_BYTES: the maximum size of the buckets with state together. */
  readonly stateMaxBytes: number;
  /** BUS_REPLICAS: how many servers of the bus store each stream and bucket. */
  readonly busReplicas: number | undefined;
  /** Aborted when the process is to stop, also while it starts. */
  readonly stopping: AbortSignal | undefined;
  close(): Promise<void>;
}

/** What a service needs of it to start. */
export type SharedContext = Pick<ProcessContext, 'logger' | 'metrics' | 'health'> &
  Partial<Pick<ProcessContext, 'stateMaxBytes' | 'busReplicas' | 'stopping'>>;

/** Opens the inner port first, so that a start that hangs can be examined. */
export async function openProcess(
  name: string,
  settings: Omit<SettingValues<typeof contextSettings>, 'natsUrl'>,
  stopping?: AbortSignal,
): Promise<ProcessContext> {
  const logger = createLogger(name, settings);
  const metrics = new Metrics();
  const health = new Health();
  const inner = await startInnerServer(settings, { metrics, health });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      inner.close(() => resolve());
      inner.closeAllConnections();
    });
  const { stateMaxBytes } = settings;
  const busReplicas = settings.busReplicas === undefined ? undefined : Number(settings.busReplicas);
  return { logger, metrics, health, innerOrigin: serverOrigin(inner), stateMaxBytes, busReplicas, stopping, close };
}

function serverOrigin(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the port for health and metrics is closed');
  const isEverywhere = address.address === '::' || address.address === '0.0.0.0';
  const host = isEverywhere ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
