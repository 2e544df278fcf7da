import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { Started } from '@ringdown/testing/started';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { people, tokenFor } from './administered-people.js';
import { startService, type RunningService } from './running-service.js';

const PEOPLE_MAIN = programFile('discovery-auth', 'people');
const PASSWORD = 'correct horse battery';
const TEN_MB = 'x'.repeat(10_000_000);

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: readonly string[];
}

describe('people import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-import-'));
  const started = new Started();
  let nats: TestNats;
  let service: RunningService;
  let listed: string;

  beforeAll(async () => {
    nats = started.add(await startNats());
    service = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: folder }));
    listed = await list();
  });
  afterEach(async () => {
    for (const name of ['ann', 'ben']) {
      if ((await list()).includes(`${name}@example.test`)) await people(natsUrl(), 'remove', `${name}@example.test`);
    }
    expect(await list()).toBe(listed);
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  function natsUrl(): string {
    return nats.urlOf('discovery-auth');
  }

  function list(): Promise<string> {
    return people(natsUrl(), 'list');
  }

  /** As an administrator runs it: a process of its own, and a file. */
  async function importing(name: string, content: Buffer, ...options: readonly string[]): Promise<Outcome> {
    const file = join(folder, name);
    writeFileSync(file, content);
    const child = spawn(process.execPath, [PEOPLE_MAIN, 'import', file, ...options], {
      env: { ...programEnvironment(), NATS_URL: natsUrl() },
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, out, err: err.trimEnd().split('\n') };
  }

  async function canSignIn(name: string): Promise<void> {
    await eventually('the sign-in', async () => (await tokenFor(service, name, PASSWORD)) !== undefined);
  }

  /** Two good lines, one at each end, and between them one line for each way to be wrong. */
  const files = {
    csv: lines(
      'username,name,password',
      `ann@example.test,Ann,${PASSWORD}`,
      `ANN@example.test,Ann,${PASSWORD}`,
      'alice@example.test,Alice,',
      'cy at example.test,Cy,',
      `di@example.test,${TEN_MB},`,
      Buffer.from('ren\xe9@example.test,Ren\xe9,', 'latin1'),
      'eve@example.test,Eve,short',
      `ben@example.test,Ben,${PASSWORD}`,
    ),
    json: lines(
      '{"people":[',
      `{"username":"ann@example.test","name":"Ann","password":"${PASSWORD}"},`,
      `{"username":"ANN@example.test","name":"Ann","password":"${PASSWORD}"},`,
      '{"username":"alice@example.test","name":"Alice"},',
      '{"username":"cy at example.test","name":"Cy"},',
      `{"username":"di@example.test","name":"${TEN_MB}"},`,
      Buffer.from('{"username":"rene@example.test","name":"Ren\xe9"},', 'latin1'),
      '{"username":"eve@example.test","name":"Eve","password":"short"},',
      `{"username":"ben@example.test","name":"Ben","password":"${PASSWORD}"}`,
      ']}',
    ),
  };
  const rejected = [
    'line 3: ann@example.test is on line 2 as well',
    'line 4: alice@example.test already exists; --update changes existing people',
    'line 5: person.username must look like user@example.test',
    'line 6: longer than 65536 bytes',
    'line 7: not UTF-8',
    'line 8: the password must have at least 10 characters',
  ];

  it.each(['csv', 'json'] as const)(
    'stores the good lines of a %s file and rejects each other one with its number and reason',
    async (format) => {
      expect(await importing(`people.${format}`, files[format])).toEqual({
        code: 3,
        out: '2 people stored, 6 lines rejected\n',
        err: ['hashed 2 of 2 passwords', ...rejected],
      });
      await canSignIn('ann');
      await canSignIn('ben');
    },
  );

  it.each(['csv', 'json'] as const)(
    'stores nothing of a %s file with a wrong line when all or nothing is requested',
    async (format) => {
      expect(await importing(`people.${format}`, files[format], '--all-or-nothing')).toEqual({
        code: 1,
        out: '0 people stored, 6 lines rejected\n',
        err: [...rejected, 'people: nothing was stored'],
      });
      expect(await list()).toBe(listed);
    },
  );

  it('stores everything when all or nothing is requested and each line is good', async () => {
    const good = lines('username,name', 'ann@example.test,Ann', 'ben@example.test,Ben');
    const outcome = { code: 0, out: '2 people stored, 0 lines rejected\n', err: [''] };
    expect(await importing('good.csv', good, '--all-or-nothing')).toEqual(outcome);
  });

  const utf16 = Buffer.from('username,name\nann@example.test,Ann\n', 'utf16le');
  const swapped = Buffer.from(utf16).swap16();
  const latin1 = Buffer.from('username,name,pr\xe9nom', 'latin1');
  const nulBytes = 'contains NUL bytes; a file in UTF-16 must be converted to UTF-8';
  it.each([
    ['in little-endian UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'line 1: not UTF-8'],
    ['in big-endian UTF-16', Buffer.concat([Buffer.from([0xfe, 0xff]), swapped]), 'line 1: not UTF-8'],
    ['in little-endian UTF-16 without a byte order mark', utf16, `line 1: ${nulBytes}`],
    ['in big-endian UTF-16 without a byte order mark', swapped, `line 1: ${nulBytes}`],
    ['with columns in Latin-1', lines(latin1, 'ann@example.test,Ann,A'), 'line 1: not UTF-8'],
    ['with columns in Latin-1 after an empty line', lines('', latin1, 'ann@example.test,Ann,A'), 'line 2: not UTF-8'],
  ])('stores nothing of a CSV file %s and names only the first line', async (_what, content, reason) => {
    expect(await importing('people.CSV', content)).toEqual({
      code: 1,
      out: '0 people stored, 1 lines rejected\n',
      err: [reason, 'people: nothing was stored'],
    });
  });

  it('rejects each line of a JSON file in big-endian UTF-16', async () => {
    const content = Buffer.from(
      '\uFEFF{"username":"ann@example.test"}\n{"username":"ben@example.test"}',
      'utf16le',
    ).swap16();
    expect(await importing('people.json', content)).toEqual({
      code: 1,
      out: '0 people stored, 2 lines rejected\n',
      err: ['line 1: not UTF-8', `line 2: ${nulBytes}`, 'people: nothing was stored'],
    });
  });
});

function lines(...content: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(content.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
}
