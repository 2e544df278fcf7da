import { PEOPLE_AUDIT_PATTERN } from '@ringdown/contracts/people';
import { AuditedEditor, type Auditor, type PeopleEditor } from '@ringdown/directory/editing';
import { FileEditor, PeopleFileError, writePeopleFile } from '@ringdown/directory/people-file';
import { PeopleStore, StoreEditor, type Wanted } from '@ringdown/directory/stored';
import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { errorReason } from '@ringdown/errors';
import { Bus } from '@ringdown/nats';
import { createLogger } from '@ringdown/observability';
import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { CommandSettings } from './invocation.js';

export interface OpenOptions {
  /** A people file that does not exist yet. */
  readonly create: boolean;
  /** Undefined: all people. */
  readonly wanted: Wanted | undefined;
  /** A change was made, and no service has logged it. */
  readonly onNoAudit: (reason: string) => void;
}

const AUDIT_MS = 2_000;

/** Where the people are that the commands change. */
export async function openEditor(
  settings: CommandSettings,
  { create, wanted, onNoAudit }: OpenOptions,
): Promise<PeopleEditor> {
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
    const editor = new BusEditor(await PeopleStore.open({ bus, logger, role: 'user', wanted }), bus);
    return new AuditedEditor(editor, auditor(), async (audit) => {
      await bus.requestWithRetry(PEOPLE_AUDIT_PATTERN, audit, AUDIT_MS).catch((error: unknown) => {
        onNoAudit(errorReason(error));
      });
    });
  } catch (error) {
    await bus.close();
    throw error;
  }
}

function auditor(): Auditor {
  return { by: `command:${systemUser()}`, from: hostname() };
}

/** A container may run as a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `${process.getuid?.() ?? 'unknown'}`;
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
