import { programFile } from '@ringdown/testing/program-file';
import { ServiceProcess } from '@ringdown/testing/service-process';

/** Starts a collector in a separate process. */
export function startCollector(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  return ServiceProcess.start({
    main: programFile('collector'),
    running: 'collector is running',
    env: { COLLECTOR_HOST: '127.0.0.1', ...env },
    portSetting: 'COLLECTOR_PORT',
  });
}
