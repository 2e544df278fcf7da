import { Bus } from '@ringdown/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PersonEntry } from '../src/index.js';
import { writePeopleFile } from '../src/doors/people-file.js';
import { PeopleStore, StoreEditor, storeFirstPeople, type Wanted } from '../src/doors/stored.js';

export function person(name: string, more: Partial<PersonEntry> = {}): PersonEntry {
  const username = `${name}@example.test`;
  return { username, name, sipAddress: `sip:${username}`, phones: {}, roles: ['user'], contacts: [], ...more };
}

/** Of a person who is imported again: the imported entry. */
export function replace(_current: PersonEntry, entry: PersonEntry): PersonEntry {
  return entry;
}

/** What became of each change: `done`, or why it was rejected. */
export async function outcomes(work: readonly Promise<void>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((each) => (each.status === 'fulfilled' ? 'done' : String(each.reason.message)));
}

/** A bus with ann, who has ben as a contact, and ben; editors of these people have connections of their own. */
export class PeopleOnBus {
  private constructor(
    readonly folder: string,
    readonly nats: TestNats,
    readonly started: Started,
  ) {}

  static async start(): Promise<PeopleOnBus> {
    const started = new Started();
    const nats = started.add(await startNats());
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-editor-'));
    const peopleFile = join(folder, 'people.json');
    await writePeopleFile(peopleFile, [person('ann', { contacts: ['ben@example.test'] }), person('ben')]);
    const bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await storeFirstPeople({ bus, logger: quietLogger(), peopleFile });
    await bus.close();
    return new PeopleOnBus(folder, nats, started);
  }

  async openStore(more: { wanted?: Wanted | undefined; lockTimeoutMs?: number } = {}): Promise<PeopleStore> {
    const bus = await Bus.connect({ url: this.nats.url, name: 'test', logger: quietLogger() });
    const store = await PeopleStore.open({ bus, logger: quietLogger(), role: 'user', ...more });
    this.started.add({
      stop: async () => {
        store.close();
        await bus.close();
      },
    });
    return store;
  }

  async openEditor(wanted?: Wanted): Promise<StoreEditor> {
    return new StoreEditor(await this.openStore({ wanted }));
  }

  async stop(): Promise<void> {
    await this.started.stopAll();
    rmSync(this.folder, { recursive: true });
  }
}
