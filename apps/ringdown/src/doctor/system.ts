import { collector } from '@ringdown/collector';
import { readSettings, type Environment, type SettingValues } from '@ringdown/settings';
import { resolve } from 'node:path';
import { feedListenHost } from '../feed-host.js';
import { RunningFile, type RunningSystem } from '../running-system.js';
import type { ringdownSettings } from '../settings.js';

/** What checks look at: a system that runs, or one that would be started with these settings. Nothing of it is changed. */
export interface System {
  /** As the operator set it, without empty values. */
  readonly env: Environment;
  readonly settings: SettingValues<typeof ringdownSettings>;
  readonly dataDir: string;
  /** Where the operator writes settings; undefined if only the environment has some. */
  readonly envFile: string | undefined;
  readonly backups: string;
  /** Undefined while none runs. */
  readonly running: RunningSystem | undefined;
  /** Metrics of the running system; undefined if it gave none. */
  readonly exposition: string | undefined;
  readonly feed: Feed;
}

export interface Feed {
  readonly host: string;
  /** Undefined: not open. */
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
}

const METRICS_MS = 4_000;

export async function readSystem(
  env: Environment,
  settings: SettingValues<typeof ringdownSettings>,
  places: Pick<System, 'envFile' | 'backups'>,
): Promise<System> {
  const dataDir = resolve(settings.dataDir);
  const running = new RunningFile(dataDir).read();
  const { plainHttp, collectorPort, httpsPort } = readSettings(collector.fields, env);
  return {
    env,
    settings,
    dataDir,
    ...places,
    running,
    exposition: running?.inner === undefined ? undefined : await metricsOf(running.inner),
    feed: {
      host: feedListenHost(settings, env),
      httpPort: plainHttp === 'on' ? collectorPort : undefined,
      httpsPort,
    },
  };
}

async function metricsOf(inner: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${inner}/metrics`, { signal: AbortSignal.timeout(METRICS_MS) });
    return await response.text();
  } catch {
    // The check of its state tells why.
    return undefined;
  }
}
