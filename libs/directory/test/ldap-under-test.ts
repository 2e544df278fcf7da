import { Health, Metrics } from '@ringdown/observability';
import { readSettings } from '@ringdown/settings';
import { DIRECTORY_SUFFIX } from '@ringdown/testing/ldif';
import { SERVICE_DN, SERVICE_PASSWORD } from '@ringdown/testing/servers/slapd';
import pino from 'pino';
import { Writable } from 'node:stream';
import { directorySettings, openDirectory, type Directory } from '../src/index.js';
import type { LdapAccess } from '../src/ldap/ldap-access.js';
import { PRESETS } from '../src/ldap/ldap-names.js';

export { asDirectoryAdmin as asAdmin, directorySettingsFor as settingsFor } from '@ringdown/testing/directory-access';

export interface Opened {
  readonly directory: Directory;
  readonly health: Health;
  readonly metrics: Metrics;
  /** The log so far. */
  readonly log: () => string;
}

/** The access data for that directory, without the settings. */
export function accessFor(url: string): LdapAccess {
  return {
    server: { urls: [url], startTls: false, connectMs: 3_000, answerMs: 10_000 },
    account: { dn: SERVICE_DN, password: SERVICE_PASSWORD },
    names: PRESETS.inetorgperson,
    baseDn: DIRECTORY_SUFFIX,
    sipDomain: 'example.test',
    peopleFilter: PRESETS.inetorgperson.peopleFilter,
    pageSize: 500,
    roleGroups: {},
  };
}

/** The directories opened by tests, to close all of them in any case. */
export class OpenDirectories {
  private readonly all: Directory[] = [];

  async open(env: Record<string, string>): Promise<Opened> {
    let log = '';
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done): void {
        log += chunk.toString();
        done();
      },
    });
    const [health, metrics] = [new Health(), new Metrics()];
    const context = { logger: pino({ level: 'trace' }, sink), metrics, health };
    const directory = await openDirectory(readSettings(directorySettings, env), context);
    this.all.push(directory);
    return { directory, health, metrics, log: () => log };
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.all.splice(0).map((directory) => directory.close()));
  }
}
