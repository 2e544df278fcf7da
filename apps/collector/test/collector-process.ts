import { ServiceProcess } from '@ringdown/testing';
import { fileURLToPath } from 'node:url';

/** Starts a collector in a separate process. */
export function startCollector(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  return ServiceProcess.start({
    main: fileURLToPath(new URL('../src/main.js', import.meta.url)),
    running: 'collector is running',
    env: { COLLECTOR_HOST: '127.0.0.1', ...env },
    portSetting: 'COLLECTOR_PORT',
  });
}
