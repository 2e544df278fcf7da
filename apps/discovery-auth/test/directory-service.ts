import { directorySettingsFor } from '@ringdown/testing/directory-access';
import { staff } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import type { Started } from '@ringdown/testing/started';
import { startService, type RunningService } from './running-service.js';

export interface DirectoryServiceOptions {
  readonly natsUrl: string;
  readonly dataDir: string;
  /** `p1` and so on; the password of p1 is "password of p1". */
  readonly people: number;
  readonly overlays?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** The service, and the LDAP directory with its people. */
export async function startWithDirectory(
  started: Started,
  { natsUrl, dataDir, people, overlays = [], settings }: DirectoryServiceOptions,
): Promise<{ readonly slapd: TestDirectory; readonly service: RunningService }> {
  const slapd = started.add(await startSlapd({ entries: staff(people), overlays }));
  const env = { DATA_DIR: dataDir, ...directorySettingsFor(slapd.url), ...settings };
  return { slapd, service: started.add(await startService(natsUrl, env)) };
}
