import { Bus, busSettings } from '@ringdown/bus';
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

/** What every service is given: its voice, its figures, its health and its way to the others. */
export interface ServiceContext {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly bus: Bus;
  readonly natsUrl: string;
}

export const contextSettings = { ...logSettings, ...innerServerSettings, ...busSettings };

export interface OpenContext extends ServiceContext {
  close(): Promise<void>;
}

/** Opens what every service needs, the inner port first so that a start that hangs can be looked at. */
export async function openContext(name: string, settings: SettingValues<typeof contextSettings>): Promise<OpenContext> {
  const logger = createLogger(name, settings);
  const metrics = new Metrics();
  const health = new Health();
  const inner = await startInnerServer(settings, { metrics, health });
  const closeInner = (): Promise<void> =>
    new Promise((resolve) => {
      inner.close(() => resolve());
      inner.closeAllConnections();
    });
  try {
    const bus = await Bus.connect({ url: settings.natsUrl, name: `ringdown ${name}`, logger });
    health.add('bus', () => bus.assertConnected());
    const close = async (): Promise<void> => {
      await bus.close();
      await closeInner();
    };
    return { logger, metrics, health, bus, natsUrl: settings.natsUrl, close };
  } catch (error) {
    await closeInner();
    throw error;
  }
}
