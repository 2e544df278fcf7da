import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { BusUrl } from '@ringdown/nats';
import { ConnectionLimits, connectionLimitSettings, fitConnections, fitPerAddress } from '@ringdown/node-http';
import {
  closeAfterFailure,
  contextSettings,
  readServiceSettings,
  runInProcess,
  runProgram,
  RunningProcess,
  type Program,
  type SharedContext,
} from '@ringdown/service';
import { readSettingGroups, type Environment, type SettingFields, type SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { crossOriginSettings, listen, listenerSettings, publicOriginSettings } from '@ringdown/web-server';
import { createWebApplication, type WebService } from './web-application.js';

/** Settings of a listener behind an edge, in addition to those of its service. */
export const edgeSettings = {
  ...listenerSettings,
  ...profileSettings,
  ...publicOriginSettings,
  ...crossOriginSettings,
};

export interface StartedWebService {
  readonly app: NestFastifyApplication;
  readonly running: RunningProcess;
  /** The URL at which it listens. */
  readonly base: string;
}

export interface WebServiceStart<F extends SettingFields> {
  readonly service: WebService<F>;
  /** The source of the settings of the service and of its listener. */
  readonly env: Environment;
  readonly natsUrl: BusUrl;
  readonly shared: SharedContext;
}

/** Starts one service with a listener of its own; nothing is left open when that fails. */
export function startWebService<F extends SettingFields>(start: WebServiceStart<F>): Promise<StartedWebService> {
  const { service, env, natsUrl, shared } = start;
  const { own, edge } = readSettingGroups({ own: service.fields, edge: edgeSettings }, env);
  service.check?.(own);
  return openWebService({ service, own, edge, natsUrl, shared });
}

/** Runs one web service as a process of its own. */
export async function runWebService<F extends SettingFields>(service: WebService<F>): Promise<void> {
  await runProgram(service.name, (stopping) => startWebProcess(service, process.env, stopping));
}

/** The program of {@link runWebService}. */
export async function startWebProcess<F extends SettingFields>(
  service: WebService<F>,
  env: Environment,
  stopping?: AbortSignal,
): Promise<Program> {
  const groups = { own: service.fields, edge: edgeSettings, common: contextSettings };
  const { own, edge, common } = readServiceSettings(groups, env);
  service.check?.(own);
  return runInProcess(service.name, common, stopping, async (shared) => {
    const { app, base } = await openWebService({ service, own, edge, natsUrl: common.natsUrl, shared });
    return { app, address: base };
  });
}

interface CheckedWebService<F extends SettingFields> extends Omit<WebServiceStart<F>, 'env'> {
  readonly own: SettingValues<F>;
  readonly edge: SettingValues<typeof edgeSettings>;
}

async function openWebService<F extends SettingFields>(checked: CheckedWebService<F>): Promise<StartedWebService> {
  const { service, own, edge, natsUrl, shared } = checked;
  const running = new RunningProcess({ ...shared, settings: { [service.name]: own }, busOf: () => natsUrl });
  let app: NestFastifyApplication | undefined;
  try {
    app = await createWebApplication({
      services: [service],
      running,
      webInterface: {
        web: edge.vendorProfile.web,
        publicOrigins: edge.publicOrigins,
        allowedOrigins: edge.allowedOrigins,
      },
      trustedProxies: edge.trustedProxies,
      limits: new ConnectionLimits({ ...edge, ...shared, ...fittingLimits(edge, shared) }),
    });
    const port = await listen(app, edge.servicePort, edge.serviceHost);
    return { app, running, base: `http://${edge.serviceHost}:${port}` };
  } catch (error) {
    await closeAfterFailure(app, shared.logger);
    await running.closeConnections();
    throw error;
  }
}

type WebLimits = Pick<SettingValues<typeof connectionLimitSettings>, 'maxConnections' | 'connectionsPerAddress'>;

/** Less than set if this process may not have as many descriptors. */
function fittingLimits(
  { maxConnections: set, connectionsPerAddress }: WebLimits,
  { logger }: SharedContext,
): WebLimits {
  const { env: setting } = connectionLimitSettings.maxConnections;
  const { perPort, reduced } = fitConnections([{ setting, perPort: set, ports: 1 }]);
  if (reduced !== undefined) logger[reduced.isSerious ? 'warn' : 'info'](reduced.line);
  const maxConnections = perPort[setting] ?? set;
  return { maxConnections, connectionsPerAddress: fitPerAddress(connectionsPerAddress, set, maxConnections) };
}
