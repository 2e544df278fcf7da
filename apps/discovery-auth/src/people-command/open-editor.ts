import {
  FileEditor,
  PeopleFileError,
  PeopleStore,
  StoreEditor,
  writePeopleFile,
  type PeopleEditor,
} from '@ringdown/directory';
import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { Bus } from '@ringdown/nats';
import { createLogger } from '@ringdown/observability';
import { existsSync } from 'node:fs';
import type { CommandSettings } from './invocation.js';

/** Where the people are that the commands change. */
export async function openEditor(settings: CommandSettings, { create }: { create: boolean }): Promise<PeopleEditor> {
  const { peopleFile: file, directoryUrls, natsUrl, dataDir } = settings;
  if (directoryUrls !== undefined) {
    throw new PeopleFileError(
      'DIRECTORY_URL is set: people and passwords are stored in that directory; change them there',
    );
  }
  if (file !== undefined) {
    if (create && !existsSync(file)) await writePeopleFile(file, []);
    if (!existsSync(file)) throw new PeopleFileError(`the people file ${file} does not exist yet; add creates it`);
    return new FileEditor(file);
  }
  if (natsUrl === undefined) {
    throw new PeopleFileError(
      `no server runs in ${dataDir} (DATA_DIR), and NATS_URL is not set; start the server first`,
    );
  }
  const logger = createLogger('people', { logLevel: 'silent', logFormat: 'json' });
  const bus = await Bus.connect({ url: natsUrl, name: 'ringdown people', logger, limits: bucketLimits() });
  try {
    return new BusEditor(await PeopleStore.open({ bus, logger, role: 'user' }), bus);
  } catch (error) {
    await bus.close();
    throw error;
  }
}

/** Closes its own connection as well. */
class BusEditor extends StoreEditor {
  constructor(
    store: PeopleStore,
    private readonly bus: Bus,
  ) {
    super(store);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.bus.close();
  }
}
