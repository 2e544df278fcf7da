import { Module, type DynamicModule, type FactoryProvider, type OnApplicationShutdown } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { Health, LOGGER, Metrics } from '@ringdown/observability';
import { RunningProcess } from './running-process.js';

/**
 * Global: what every service of a process uses. Closes the connections to the bus after all other modules have closed.
 */
@Module({})
export class ProcessModule implements OnApplicationShutdown {
  constructor(private readonly running: RunningProcess) {}

  static of(running: RunningProcess): DynamicModule {
    const providers = [
      { provide: RunningProcess, useValue: running },
      { provide: LOGGER, useValue: running.logger },
      { provide: Metrics, useValue: running.metrics },
      { provide: Health, useValue: running.health },
    ];
    return { module: ProcessModule, global: true, providers, exports: providers };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running.closeConnections();
  }
}

/** What belongs to one service, for the lowest of its modules: its settings, and its connection to the bus. */
export function serviceProviders(service: string, settings: symbol): FactoryProvider[] {
  return [
    {
      provide: settings,
      inject: [RunningProcess],
      useFactory: (running: RunningProcess) => running.settingsOf(service),
    },
    { provide: Bus, inject: [RunningProcess], useFactory: (running: RunningProcess) => running.busOf(service) },
  ];
}
