import { PasswordChecks, readPasswordRules } from '@ringdown/directory/passwords';
import { FileEditor, readPeopleFile, writePeopleFile } from '@ringdown/directory/people-file';
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

const rules = await readPasswordRules({ passwordMinLength: 10, badPasswordsFile: undefined });

function importing(
  content: string | Buffer,
  { editor = new FileEditor(file), ...options }: Partial<ImportOptions> & { readonly editor?: FileEditor } = {},
): Promise<ImportResult> {
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
    rules,
    sipDomains: ['example.test'],
    onProgress: () => undefined,
  } as const;
  return importPeople(editor, pieces(), { ...defaults, ...options });
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

  it.each(["'=Kaffee2026!x", "Tee;'+Milch-99"])(
    'takes %s as a password as it is, and no mark of an export out of it',
    async (password) => {
      await importing(`username,name,password\nann@example.test,'=Ann,"${password}"\n`);
      const [person] = await readPeopleFile(file);
      expect(person?.name).toBe('=Ann');
      const checks = await PasswordChecks.create({ concurrency: 1, queueLength: 1 });
      expect(await checks.matches(person?.passwordHash, password)).toBe(true);
    },
  );

  it('reports how many passwords are hashed, again and again, and all of them at the end', async () => {
    const lines = Array.from({ length: 6 }, (_, n) => `ann${n}@example.test,Ann,${n < 5 ? 'correct horse' : ''}`);
    const reports: [number, number][] = [];
    const onProgress = (hashed: number, all: number): void => void reports.push([hashed, all]);
    const csv = `username,name,password\n${lines.join('\n')}\n`;
    expect(await importing(csv, { onProgress, progressMs: 1 })).toEqual({ stored: 6, rejected: [] });
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.at(-1)).toEqual([5, 5]);
    expect(reports).toEqual(reports.toSorted(([one], [other]) => one - other));
    expect(new Set(reports.map(([, all]) => all))).toEqual(new Set([5]));
  });

  it('rejects people of a domain that is not served, and updates a person who has one already', async () => {
    const bare = { sipAddress: 'sip:ann@old.test', phones: {}, roles: ['user' as const], contacts: [] };
    await writePeopleFile(file, [{ ...bare, username: 'ann@old.test', name: 'Ann' }]);
    const csv = 'username,name,sipAddress\nann@old.test,Anna,\nben@old.test,Ben,\ncy@example.test,Cy,sip:cy@old.test\n';
    const reason = (name: string): string => `the domain of ${name} is not served: SIP_DOMAINS is example.test`;
    const rejected = [
      { line: 3, reason: reason('ben@old.test') },
      { line: 4, reason: reason('sip:cy@old.test') },
    ];
    expect(await importing(csv, { update: true })).toEqual({ stored: 1, rejected });
  });

  it('rejects a new username that looks like another one, and updates a person who has one', async () => {
    const [known, added] = ['ann\uFE0F@example.test', 'ben\uFE0F@example.test'];
    const bare = { sipAddress: `sip:${known}`, phones: {}, roles: ['user' as const], contacts: [] };
    await writePeopleFile(file, [{ ...bare, username: known, name: 'Ann' }]);
    const csv = `username,name\n${known},Anna\n${added},Ben\n`;
    const rejected = [{ line: 3, reason: `${added} has characters that cannot be seen` }];
    expect(await importing(csv, { update: true })).toEqual({ stored: 1, rejected });
    expect((await readPeopleFile(file)).map(({ name }) => name)).toEqual(['Anna']);
  });

  const bad = Buffer.concat([
    Buffer.from('username,name,sipAddress,contacts,password\n'),
    Buffer.from('ann@example.test,Ann,,,\nANN@example.test,Ann,,,\nnobody,No,,,\n'),
    Buffer.from(`big@example.test,${'x'.repeat(10_000_000)},,,\n`),
    Buffer.from([0x62, 0xe9, 0x40, 0x61, 0x2c, 0x0a]),
    Buffer.from('ben@example.test,Ben,sip:ann@example.test,,\ncy@example.test,Cy,,ghost@example.test,\n'),
    Buffer.from(
      'di@example.test,Di\n"di@example.test,Di,,,\neve@example.test,Eve,,,short\nfay@example.test,Fay,,ann@example.test,\ngil@example.test,Gil,,,Password123!',
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
      '13: the password is on the list of known passwords, or is one of them with something simple after it',
    ]);
    expect(stored).toBe(2);
    expect((await readPeopleFile(file)).map(({ name }) => name)).toEqual(['Ann', 'Fay']);
  });

  it('stores nothing if a line is wrong and all or nothing was requested', async () => {
    expect(await importing(bad, { allOrNothing: true })).toMatchObject({ stored: 0, rejected: { length: 10 } });
    expect(await readPeopleFile(file)).toEqual([]);
  });

  it.each([
    ['', 'people,name'],
    ['an unknown column', 'username,name,shoe size'],
    ['with a column twice', 'username,name,mail,mail'],
    ['of 10 MB', `username,name,${'x'.repeat(10_000_000)}`],
  ])('rejects a CSV file with the first line no. %#', async (_what, first) => {
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

  it('ends the sessions of people who are updated with another password, and of no others', async () => {
    const update = async (passwordHash: string): Promise<unknown> => {
      const csv = `username,name,passwordHash\nann@example.test,Ann,"${passwordHash}"\n`;
      expect(await importing(csv, { update: true })).toEqual({ stored: 1, rejected: [] });
      return (await readPeopleFile(file))[0]?.signOuts;
    };
    const other = HASH.replace('c29tZXNhbHQ', 'b3RoZXJzYWx0');
    expect([await update(HASH), await update(HASH), await update('')]).toEqual([undefined, undefined, undefined]);
    expect([await update(other), await update(other), await update(HASH)]).toEqual([1, 1, 2]);
  });

  it('keeps a password that was changed while others were hashed', async () => {
    const CHANGED = HASH.replace('c29tZXNhbHQ', 'b3RoZXJzYWx0');
    class ChangedMeanwhile extends FileEditor {
      override async putAll(...args: Parameters<FileEditor['putAll']>): ReturnType<FileEditor['putAll']> {
        await this.change('ann@example.test', (entry) => ({ ...entry, passwordHash: CHANGED, signOuts: 2 }));
        return super.putAll(...args);
      }
    }
    await importing(`username,name,passwordHash\nann@example.test,Ann,"${HASH}"\n`);
    const csv = 'username,name,password\nann@example.test,Anna,\nben@example.test,Ben,correct horse\n';
    const options = { update: true, editor: new ChangedMeanwhile(file) };
    expect(await importing(csv, options)).toEqual({ stored: 2, rejected: [] });
    expect((await readPeopleFile(file))[0]).toMatchObject({ name: 'Anna', passwordHash: CHANGED, signOuts: 2 });
  });

  it('leaves a person who was added while others were hashed', async () => {
    class AddedMeanwhile extends FileEditor {
      override async putAll(...args: Parameters<FileEditor['putAll']>): ReturnType<FileEditor['putAll']> {
        await importing('username,name\nben@example.test,Added\n');
        return super.putAll(...args);
      }
    }
    const csv = 'username,name,password\nann@example.test,Ann,correct horse\nben@example.test,Imported,\n';
    expect(await importing(csv, { editor: new AddedMeanwhile(file) })).toEqual({
      stored: 1,
      rejected: [{ line: 3, reason: 'ben@example.test was added by others meanwhile' }],
    });
    expect(await readPeopleFile(file)).toMatchObject([{ name: 'Added' }, { name: 'Ann' }]);
  });

  it.each([
    ['username', 'nobody'],
    ['username', 'a@b@c.test'],
    ['username', '@example.test'],
    ['username', 'a b@example.test'],
    ['username', `${'a'.repeat(129)}@example.test`],
    ['username', 'ann@exa\u0000mple.test'],
    ['sipAddress', 'ann@example.test'],
    ['sipAddress', 'sip:ann@'],
    ['mail', 'ann at example.test'],
    ['phones', { work: '555' }],
    ['phones', { fax: '+12025550101' }],
    ['contacts', ['nobody']],
    ['roles', ['root']],
    ['passwordHash', 'plain'],
    ['password', 12345678901],
    ['shoe size', 42],
  ])('rejects a person with %s %j, and stores the next one', async (key, value) => {
    const wrong = JSON.stringify({ username: 'ann@example.test', name: 'Ann', [key]: value });
    const { stored, rejected } = await importing(`${wrong}\n{"username":"ben@example.test","name":"Ben"}\n`, {
      format: 'json',
    });
    expect([stored, rejected.map(({ line }) => line)]).toEqual([1, [1]]);
    expect(rejected[0]?.reason).toContain(key.split('.')[0]);
  });

  it('finds duplicates that differ in capitals and width', async () => {
    const csv = 'username,name\nann@example.test,Ann\nANN@EXAMPLE.TEST,Ann\n\uff41nn@example.test,Ann\n';
    const { stored, rejected } = await importing(csv);
    expect([stored, rejected.map(({ line }) => line)]).toEqual([1, [3, 4]]);
  });

  it('rejects people with a SIP address that is the username of another, and the reverse', async () => {
    await importing('username,name,sipAddress\njd@example.test,J,sip:john.doe@example.test\n');
    const lines = [
      'aa@example.test,A,sip:jd@example.test',
      'john.doe@example.test,J,sip:j@example.test',
      'may@example.test,M,sip:ben@example.test',
      'ben@example.test,B,sip:b@example.test',
      'jd@example.test,J,sip:jd@example.test',
    ];
    const csv = `username,name,sipAddress\n${lines.join('\n')}\n`;
    const { stored, rejected } = await importing(csv, { update: true });
    expect([stored, rejected.map(({ line, reason }) => `${line}: ${reason}`)]).toEqual([
      2,
      [
        '2: sip:jd@example.test is the username of jd@example.test',
        '3: john.doe@example.test is the SIP address of jd@example.test',
        '5: ben@example.test is the SIP address of may@example.test',
      ],
    ]);
  });

  it('rejects people whose contacts are rejected, and theirs in turn', async () => {
    const lines = ['ann ben', 'ben cy', 'cy di', 'di', 'eve fay', 'fay eve'].map((names) => {
      const [name, ...contacts] = names.split(' ').map((each) => `${each}@example.test`);
      return `${name},N,${contacts.join(' ')},${name === 'di@example.test' ? 'short' : ''}`;
    });
    const { stored, rejected } = await importing(`username,name,contacts,password\n${lines.join('\n')}\n`);
    expect([stored, rejected.map(({ line, reason }) => `${line}: ${reason}`)]).toEqual([
      2,
      [
        '2: the contact ben@example.test is not stored either',
        '3: the contact cy@example.test is not stored either',
        '4: the contact di@example.test is not stored either',
        '5: the password must have at least 10 characters',
      ],
    ]);
  });

  it.each(['csv', 'json'] as const)(
    'reads a file as %s with a byte order mark and without a last line break',
    async (format) => {
      const text =
        format === 'csv' ? 'username,name\nann@example.test,Ann' : '{"username":"ann@example.test","name":"Ann"}';
      expect(await importing(`\uFEFF${text}`, { format })).toEqual({ stored: 1, rejected: [] });
    },
  );

  it('does not keep a line of 10 MB of JSON, and stores the others', async () => {
    const big = JSON.stringify({ username: 'big@example.test', name: 'x'.repeat(10_000_000) });
    const { stored, rejected } = await importing(`${big}\n{"username":"ben@example.test","name":"Ben"}`, {
      format: 'json',
    });
    expect([stored, rejected]).toEqual([1, [{ line: 1, reason: `longer than ${MAX_LINE_BYTES} bytes` }]]);
  });

  it.each(['[]', '1', '{"username":', 'null'])('rejects the JSON line %s', async (line) => {
    expect(await importing(line, { format: 'json' })).toEqual({
      stored: 0,
      rejected: [{ line: 1, reason: 'not the JSON of one person' }],
    });
  });
});
