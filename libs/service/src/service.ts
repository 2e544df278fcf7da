import type { DynamicModule, INestApplicationContext, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Bus, BusUrl } from '@ringdown/nats';
import { nestLogger, type Logger } from '@ringdown/observability';
import { readSettings, type Environment, type SettingFields, type SettingValues } from '@ringdown/settings';
import { BusServer } from './bus-server.js';
import { ProcessModule } from './process.module.js';
import { closeAfterFailure, runInProcess } from './run-in-process.js';
import { readServiceSettings, runProgram, type Program } from './run-service.js';
import { RunningProcess } from './running-process.js';
import { contextSettings, type SharedContext } from './service-context.js';

/** A service as a Nest application: alone in its process, or beside others in one. */
export interface Service<F extends SettingFields = SettingFields> {
  readonly name: string;
  /** The service's own settings, in addition to those of every service. */
  readonly fields: F;
  /** Throws a SettingsError about settings that contradict each other. */
  check?(settings: SettingValues<F>): void;
  /**
   * Creates what must exist before any module of the process is built, also for modules of other services: Nest builds
   * them all at the same time.
   */
  prepare?(settings: SettingValues<F>, by: { readonly bus: Bus; readonly logger: Logger }): Promise<void>;
  /** The root of its Nest modules; each module closes what it opens. */
  readonly module: Type<unknown> | DynamicModule;
  /** Second argument of its `@MessagePattern` handlers. */
  readonly transportId: symbol;
  /** The address on which it listens, for the log. */
  addressOf?(app: INestApplicationContext): string;
}

export interface ServiceStart<F extends SettingFields> {
  readonly service: Service<F>;
  /** The source of the settings of the service. */
  readonly env: Environment;
  readonly natsUrl: BusUrl;
  readonly shared: SharedContext;
}

export interface StartedService {
  readonly app: INestMicroservice;
  readonly running: RunningProcess;
}

/** Starts one service without a web listener; nothing is left open when that fails. */
export function startService<F extends SettingFields>(start: ServiceStart<F>): Promise<StartedService> {
  const { service, env, natsUrl, shared } = start;
  const settings = readSettings(service.fields, env);
  service.check?.(settings);
  return openService({ service, settings, natsUrl, shared });
}

/** Runs one service without a web listener as a process of its own. */
export async function runService<F extends SettingFields>(service: Service<F>): Promise<void> {
  await runProgram(service.name, (stopping) => startProcess(service, process.env, stopping));
}

/** The program of {@link runService}. */
export async function startProcess<F extends SettingFields>(
  service: Service<F>,
  env: Environment,
  stopping?: AbortSignal,
): Promise<Program> {
  const { own, common } = readServiceSettings({ own: service.fields, common: contextSettings }, env);
  service.check?.(own);
  return runInProcess(service.name, common, stopping, async (shared) => {
    const { app } = await openService({ service, settings: own, natsUrl: common.natsUrl, shared });
    return { app, address: service.addressOf?.(app) };
  });
}

interface CheckedService<F extends SettingFields> extends Omit<ServiceStart<F>, 'env'> {
  readonly settings: SettingValues<F>;
}

async function openService<F extends SettingFields>(checked: CheckedService<F>): Promise<StartedService> {
  const { service, settings, natsUrl, shared } = checked;
  const { name, transportId } = service;
  const running = new RunningProcess({ ...shared, settings: { [name]: settings }, busOf: () => natsUrl });
  let app: INestMicroservice | undefined;
  try {
    const bus = await running.busOf(name);
    await service.prepare?.(settings, { bus, logger: shared.logger });
    const strategy = new BusServer({ bus, service: name, transportId });
    const root: DynamicModule = { module: RootModule, imports: [ProcessModule.of(running), service.module] };
    const logger = nestLogger(shared.logger);
    app = await NestFactory.createMicroservice(root, { strategy, logger, abortOnError: false });
    await app.listen();
    return { app, running };
  } catch (error) {
    await closeAfterFailure(app, shared.logger);
    await running.closeConnections();
    throw error;
  }
}

class RootModule {}
