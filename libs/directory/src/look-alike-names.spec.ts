import { createLogger } from '@ringdown/observability';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticate } from '../test/authenticate.js';
import type { PersonEntry } from './index.js';
import { hashPassword } from './doors/passwords.js';
import { FileDirectory, FileEditor, readPeopleFile, writePeopleFile } from './doors/people-file.js';
import { EntryReader } from './ldap/ldap-person.js';
import { PRESETS } from './ldap/ldap-names.js';
import { parseStoredEntry } from './stored/stored-entry.js';

/** It looks like `alice@example.test`. */
const LOOK_ALIKE = 'alice\uFE0F@example.test';
const PROBLEM = `${LOOK_ALIKE} has characters that cannot be seen`;

function person(username: string, more: Partial<PersonEntry> = {}): PersonEntry {
  return { username, name: 'A', sipAddress: `sip:${username}`, phones: {}, roles: ['user'], contacts: [], ...more };
}

describe('a username that looks like another one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-look-alike-'));
  const file = join(folder, 'people.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('stays usable for a person in a people file, who signs in and is changed', async () => {
    await writePeopleFile(file, [person(LOOK_ALIKE, { passwordHash: await hashPassword('right') })]);
    await new FileEditor(file).change(LOOK_ALIKE, (entry) => ({ ...entry, name: 'Alice' }));
    const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    const directory = await FileDirectory.open({ file, logger });
    expect(await authenticate(directory, LOOK_ALIKE, 'right')).toMatchObject({ name: 'Alice' });
    await directory.close();
  });

  it('stays readable for a person on the bus', () => {
    const { people, problems } = parseStoredEntry({ people: [person(LOOK_ALIKE)] });
    expect([people[0]?.username, problems]).toEqual([LOOK_ALIKE, undefined]);
  });

  it('stays usable for a person of a directory server', () => {
    const reader = new EntryReader({ names: PRESETS.inetorgperson, sipDomain: 'example.test' });
    const read = reader.read({ dn: 'uid=a', uid: 'alice\uFE0F', cn: 'Alice' });
    expect(read?.person).toMatchObject({ username: LOOK_ALIKE, sipAddress: `sip:${LOOK_ALIKE}` });
  });

  it('is rejected for a new person, a new username and a new SIP address', async () => {
    await writePeopleFile(file, [person('bob@example.test')]);
    const editor = new FileEditor(file);
    await expect(editor.add(person(LOOK_ALIKE))).rejects.toThrow(PROBLEM);
    for (const changed of [{ username: LOOK_ALIKE }, { sipAddress: `sip:${LOOK_ALIKE}` }]) {
      await expect(editor.change('bob@example.test', (entry) => ({ ...entry, ...changed }))).rejects.toThrow(PROBLEM);
    }
    expect(await readPeopleFile(file)).toEqual([person('bob@example.test')]);
  });

  it('may be replaced by one that does not', async () => {
    await writePeopleFile(file, [person(LOOK_ALIKE)]);
    await new FileEditor(file).change(LOOK_ALIKE, (entry) => ({ ...entry, username: 'al@example.test' }));
    expect((await readPeopleFile(file)).map(({ username }) => username)).toEqual(['al@example.test']);
  });
});
