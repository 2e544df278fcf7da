import { FileEditor, readPeopleFile, writePeopleFile } from '@ringdown/directory';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_LINE_BYTES } from './bounded-lines.js';
import { importPeople, type ImportOptions, type ImportResult } from './import-people.js';
import { exportedLines } from './people-formats.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-import-'));
const file = join(folder, 'people.json');
const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA';
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writePeopleFile(file, []));

function importing(content: string | Buffer, options: Partial<ImportOptions> = {}): Promise<ImportResult> {
  const bytes = Buffer.from(content);
  // In pieces, as a file is read: lines and characters are cut anywhere.
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 10_007) yield Promise.resolve(bytes.subarray(at, at + 10_007));
  };
  const defaults = {
    format: 'csv',
    update: false,
    allOrNothing: false,
    force: false,
    onProgress: () => undefined,
  } as const;
  return importPeople(new FileEditor(file), pieces(), { ...defaults, ...options });
}

describe('an import of people', () => {
  it('stores the people of a CSV file with defaults for what is missing', async () => {
    const csv = `\uFEFFusername;name;phone.work;roles;password\r\nann@example.test;"Ann; ""A"" Ash";+12025550101;operator user;correct horse\r\n`;
    expect(await importing(csv)).toEqual({ stored: 1, rejected: [] });
    expect(await readPeopleFile(file)).toEqual([
      {
        username: 'ann@example.test',
        name: 'Ann; "A" Ash',
        sipAddress: 'sip:ann@example.test',
        phones: { work: '+12025550101' },
        roles: ['operator', 'user'],
        contacts: [],
        passwordHash: expect.stringMatching(/^\$argon2id\$/),
      },
    ]);
  });

  const bad = Buffer.concat([
    Buffer.from('username,name,sipAddress,contacts,password\n'),
    Buffer.from('ann@example.test,Ann,,,\nANN@example.test,Ann,,,\nnobody,No,,,\n'),
    Buffer.from(`big@example.test,${'x'.repeat(10_000_000)},,,\n`),
    Buffer.from([0x62, 0xe9, 0x40, 0x61, 0x2c, 0x0a]),
    Buffer.from('ben@example.test,Ben,sip:ann@example.test,,\ncy@example.test,Cy,,ghost@example.test,\n'),
    Buffer.from(
      'di@example.test,Di\n"di@example.test,Di,,,\neve@example.test,Eve,,,short\nfay@example.test,Fay,,ann@example.test,',
    ),
  ]);

  it('rejects each wrong line with its number and the reason, and stores the others', async () => {
    const { stored, rejected } = await importing(bad);
    expect(rejected.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '3: ann@example.test is on line 2 as well',
      '4: person.username must look like user@example.test',
      `5: longer than ${MAX_LINE_BYTES} bytes`,
      '6: not UTF-8',
      '7: sip:ann@example.test is the SIP address of ann@example.test',
      '8: unknown contact ghost@example.test',
      '9: has 2 cells instead of 5',
      '10: a quotation mark is missing or misplaced',
      '11: the password must have at least 10 characters',
    ]);
    expect(stored).toBe(2);
    expect((await readPeopleFile(file)).map(({ name }) => name)).toEqual(['Ann', 'Fay']);
  });

  it('stores nothing if a line is wrong and all or nothing was requested', async () => {
    expect(await importing(bad, { allOrNothing: true })).toMatchObject({ stored: 0, rejected: { length: 9 } });
    expect(await readPeopleFile(file)).toEqual([]);
  });

  it.each([
    ['', 'people,name'],
    ['an unknown column', 'username,name,shoe size'],
  ])('rejects a CSV file with the first line %s', async (_what, first) => {
    const { stored, rejected } = await importing(`${first}\nann@example.test,Ann\n`);
    expect([stored, rejected.map(({ line }) => line)]).toEqual([0, [1]]);
  });

  it.each(['csv', 'json'] as const)('reads what an export in %s has written', async (format) => {
    const people = [
      {
        username: 'ann@example.test',
        name: 'Ann',
        sipAddress: 'sip:ann@example.test',
        phones: {},
        roles: ['user'],
        contacts: ['ben@example.test'],
      },
      {
        username: 'ben@example.test',
        name: 'Ben, "B"',
        sipAddress: 'sip:b.en@example.test',
        mail: 'ben@example.test',
        phones: { mobile: '+12025550102' },
        roles: ['user', 'admin'],
        contacts: [],
        passwordHash: HASH,
        blocked: true,
      },
    ] as const;
    const content = [...exportedLines(format, people)].join('');
    expect(await importing(content, { format })).toEqual({ stored: 2, rejected: [] });
    expect(await readPeopleFile(file)).toEqual(people);
    const again = await importing(content, { format });
    expect(again.rejected.map(({ reason }) => reason)).toContain(
      'ann@example.test already exists; --update changes existing people',
    );
    expect(await importing(content, { format, update: true })).toEqual({ stored: 2, rejected: [] });
    expect(await readPeopleFile(file)).toEqual(people);
  });

  it('keeps the password of people who are updated without one', async () => {
    await importing(`username,name,passwordHash\nann@example.test,Ann,"${HASH}"\n`);
    await importing('username,name\nann@example.test,Anna\n', { update: true });
    expect(await readPeopleFile(file)).toMatchObject([{ name: 'Anna', passwordHash: HASH }]);
  });

  it.each(['[]', '1', '{"username":', 'null'])('rejects the JSON line %s', async (line) => {
    expect(await importing(line, { format: 'json' })).toEqual({
      stored: 0,
      rejected: [{ line: 1, reason: 'not the JSON of one person' }],
    });
  });
});
