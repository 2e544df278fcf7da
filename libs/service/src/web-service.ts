import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConnectionLimits } from '@ringdown/node-http';
import {
  createListener,
  crossOriginSettings,
  listen,
  listenerSettings,
  publicOriginSettings,
  type ErrorStyle,
  type ListenerOptions,
  type WebPart,
} from '@ringdown/web-server';
import type { BusUrl } from '@ringdown/nats';
import { readSettingGroups, type Environment, type SettingFields, type SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { BusServer } from './bus-server.js';
import { ProcessModule } from './process.module.js';
import { runInProcess } from './run-in-process.js';
import { readServiceSettings, runProgram } from './run-service.js';
import { RunningProcess } from './running-process.js';
import type { Service } from './service.js';
import { contextSettings, type SharedContext } from './service-context.js';

/** A service that is one part of the web origin: it can run alone behind an edge or beside others in one listener. */
export interface WebService<F extends SettingFields = SettingFields> extends Service<F> {
  errorStyles(settings: SettingValues<F>): readonly ErrorStyle[];
}

export const edgeSettings = {
  ...listenerSettings,
  ...profileSettings,
  ...publicOriginSettings,
  ...crossOriginSettings,
};

export interface WebApplicationOptions extends Omit<ListenerOptions, 'parts' | 'logger' | 'metrics'> {
  /** In the order in which they are prepared; those of the web origin are {@link WebService}s. */
  readonly services: readonly (Service | WebService)[];
  readonly running: RunningProcess;
}

/** One Nest application for the services of a listener. The caller listens and closes it. */
export async function createWebApplication(options: WebApplicationOptions): Promise<NestFastifyApplication> {
  const { services, running, ...listener } = options;
  const { logger, metrics } = running;
  const parts: WebPart[] = [{ module: ProcessModule.of(running), errorStyles: [] }];
  for (const service of services) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read by the fields of this service, whatever they are
    const settings = running.settingsOf(service.name) as never;
    // First, and outside of Nest, which would log in its own words that there is no bus.
    const bus = await running.busOf(service.name);
    await service.prepare?.(settings, { bus, logger });
    const errorStyles = 'errorStyles' in service ? service.errorStyles(settings) : [];
    parts.push({ module: service.module, errorStyles });
  }
  const app = await createListener({ ...listener, parts, logger, metrics });
  for (const { name, transportId } of services) {
    const strategy = new BusServer({ bus: await running.busOf(name), service: name, transportId });
    app.connectMicroservice({ strategy }, { inheritAppConfig: false });
  }
  await app.startAllMicroservices();
  return app;
}

export interface StartedWebService {
  readonly app: NestFastifyApplication;
  readonly running: RunningProcess;
  /** Where it listens. */
  readonly base: string;
}

export interface WebServiceStart<F extends SettingFields> {
  readonly service: WebService<F>;
  /** Where the settings of the service and of its listener are. */
  readonly env: Environment;
  readonly natsUrl: BusUrl;
  readonly shared: SharedContext;
}

/** Starts one service with a listener of its own; nothing is left open when that fails. */
export async function startWebService<F extends SettingFields>(start: WebServiceStart<F>): Promise<StartedWebService> {
  const { service, env, natsUrl, shared } = start;
  const { own: settings, edge } = readSettingGroups({ own: service.fields, edge: edgeSettings }, env);
  const running = new RunningProcess({ ...shared, settings: { [service.name]: settings }, busOf: () => natsUrl });
  try {
    const app = await createWebApplication({
      services: [service],
      running,
      webInterface: {
        web: edge.vendorProfile.web,
        publicOrigins: edge.publicOrigins,
        allowedOrigins: edge.allowedOrigins,
      },
      trustedProxies: edge.trustedProxies,
      limits: new ConnectionLimits({ ...edge, ...shared }),
    });
    const port = await listen(app, edge.servicePort, edge.serviceHost);
    return { app, running, base: `http://${edge.serviceHost}:${port}` };
  } catch (error) {
    await running.closeConnections();
    throw error;
  }
}

/** Runs one web service as a process of its own. */
export async function runWebService<F extends SettingFields>(service: WebService<F>): Promise<void> {
  await runProgram(service.name, async () => {
    const groups = { own: service.fields, edge: edgeSettings, common: contextSettings };
    const { common } = readServiceSettings(groups);
    return runInProcess(service.name, common, async (shared) => {
      const { app, base } = await startWebService({ service, env: process.env, natsUrl: common.natsUrl, shared });
      return { app, address: base };
    });
  });
}
