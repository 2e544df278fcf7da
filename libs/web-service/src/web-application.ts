import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BusServer, closeAfterFailure, ProcessModule, type RunningProcess, type Service } from '@ringdown/service';
import type { SettingFields, SettingValues } from '@ringdown/settings';
import { createListener, type ListenerOptions, type WebPart } from '@ringdown/web-server';
import type { ErrorStyle } from '@ringdown/web-server/errors';

/** A service that is one part of the web origin: it can run alone behind an edge or beside others in one listener. */
export interface WebService<F extends SettingFields = SettingFields> extends Service<F> {
  errorStyles(settings: SettingValues<F>): readonly ErrorStyle[];
}

export interface WebApplicationOptions extends Omit<ListenerOptions, 'parts' | 'logger' | 'metrics'> {
  /** Prepared in this order; those of the web origin are {@link WebService}s. */
  readonly services: readonly (Service | WebService)[];
  readonly running: RunningProcess;
}

/**
 * One Nest application for the services of a listener. The caller listens and closes it. When the start fails, nothing
 * of the application is left open, and the caller closes the connections of `running`.
 */
export async function createWebApplication(options: WebApplicationOptions): Promise<NestFastifyApplication> {
  const { services, running, ...listener } = options;
  const { logger, metrics } = running;
  const parts: WebPart[] = [{ module: ProcessModule.of(running), errorStyles: [] }];
  for (const service of services) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read by the fields of this service, whatever they are
    const settings = running.settingsOf(service.name) as never;
    // First, and outside of Nest, whose own error for a missing bus is less clear.
    const bus = await running.busOf(service.name);
    await service.prepare?.(settings, { bus, logger });
    const errorStyles = 'errorStyles' in service ? service.errorStyles(settings) : [];
    parts.push({ module: service.module, errorStyles });
  }
  const app = await createListener({ ...listener, parts, logger, metrics });
  try {
    for (const { name, transportId } of services) {
      const strategy = new BusServer({ bus: await running.busOf(name), service: name, transportId });
      app.connectMicroservice({ strategy }, { inheritAppConfig: false });
    }
    await app.startAllMicroservices();
    return app;
  } catch (error) {
    await closeAfterFailure(app, logger);
    throw error;
  }
}
