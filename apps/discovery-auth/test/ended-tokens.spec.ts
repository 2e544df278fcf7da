import { hashPassword } from '@ringdown/directory/passwords';
import { TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts/tokens';
import { Bus } from '@ringdown/nats';
import { asDirectoryAdmin, setDirectoryPassword } from '@ringdown/testing/directory-access';
import { eventually } from '@ringdown/testing/eventually';
import { PEOPLE_DN } from '@ringdown/testing/ldif';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { TestDirectory } from '@ringdown/testing/servers/slapd';
import { Started } from '@ringdown/testing/started';
import { tokenHash } from '@ringdown/token-validation';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWithDirectory } from './directory-service.js';
import { postForm, startService, type RunningService } from './running-service.js';

const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-ended-'));
const started = new Started();
const revoked = new Set<unknown>();
let nats: TestNats;

/** Each kind of directory has its own bus: all replicas on one bus have the same people. */
beforeEach(async () => {
  nats = started.add(await startNats());
  const bus = await Bus.connect({ url: nats.peopleUrl, name: 'test', logger: quietLogger() });
  started.add({ stop: () => bus.close() });
  bus.subscribe(TOKENS_REVOKED_SUBJECT, (message) => void revoked.add(Object(message).tokenHash));
});
afterAll(async () => {
  await started.stopAll();
  rmSync(dataDir, { recursive: true });
});

async function signIn({ base }: RunningService, username: string, password: string): Promise<string> {
  const answer = await postForm(base, { grant_type: 'password', username, password });
  expect(answer.status).toBe(200);
  return String(Object(await answer.json()).access_token);
}

async function isGood({ base }: RunningService, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${base}/uc/discovery/user`, { headers })).status === 200;
}

describe('tokens of people in a file', () => {
  const peopleFile = join(dataDir, 'people.json');

  async function write(passwords: Readonly<Record<string, string>>): Promise<void> {
    const people = await Promise.all(
      Object.entries(passwords).map(async ([name, password]) => ({
        username: `${name}@example.test`,
        name,
        sipAddress: `sip:${name}@example.test`,
        roles: ['user'],
        passwordHash: await hashPassword(password),
      })),
    );
    writeFileSync(peopleFile, JSON.stringify({ people }), { mode: 0o600 });
  }

  it('end with their password and with the person, at every replica and without being used', async () => {
    await write({ ann: 'old', ben: 'of ben', eve: 'of eve' });
    const env = { DATA_DIR: dataDir, PEOPLE_FILE: peopleFile };
    const replicas = [
      started.add(await startService(nats.peopleUrl, env)),
      started.add(await startService(nats.peopleUrl, env)),
    ] as const;
    const [one] = replicas;
    const [ann, ben, eve] = [
      await signIn(one, 'ann', 'old'),
      await signIn(one, 'ben', 'of ben'),
      await signIn(one, 'eve', 'of eve'),
    ];
    await write({ ann: 'new', ben: 'of ben' });
    await eventually('the revocations to be broadcast', () =>
      [ann, eve].every((token) => revoked.has(tokenHash(token))),
    );
    for (const replica of replicas) {
      for (const token of [ann, eve])
        await eventually('the token to be rejected', async () => !(await isGood(replica, token)));
    }
    // A hash that was written again with another salt counts as another password.
    await eventually('the token of the changed person to be revoked', () => revoked.has(tokenHash(ben)));
    const fresh = await signIn(one, 'ann', 'new');
    for (const replica of replicas) expect(await isGood(replica, fresh)).toBe(true);
  });
});

describe('tokens of people in an LDAP directory', () => {
  let slapd: TestDirectory;
  let service: RunningService;

  beforeEach(async () => {
    const settings = { DIRECTORY_REFRESH_SECONDS: '1', DIRECTORY_FULL_REFRESH_SECONDS: '3600' };
    const options = { natsUrl: nats.peopleUrl, dataDir, people: 20, overlays: ['ppolicy'], settings };
    ({ slapd, service } = await startWithDirectory(started, options));
  });

  it('end at the next refresh after their password was changed', async () => {
    const token = await signIn(service, 'p1', 'password of p1');
    const other = await signIn(service, 'p2', 'password of p2');
    await setDirectoryPassword(slapd.url, 'p1', 'changed');
    await eventually('the revocation to be broadcast', () => revoked.has(tokenHash(token)));
    expect(await isGood(service, token)).toBe(false);
    expect(await isGood(service, other)).toBe(true);
    expect(await isGood(service, await signIn(service, 'p1', 'changed'))).toBe(true);
  });

  it('end soon after their owner was removed, at their next use', async () => {
    const token = await signIn(service, 'p3', 'password of p3');
    expect(await isGood(service, token)).toBe(true);
    await asDirectoryAdmin(slapd.url, (admin) => admin.del(`uid=p3,${PEOPLE_DN}`));
    await eventually('the token to be rejected', async () => !(await isGood(service, token)));
    await eventually('the revocation to be broadcast', () => revoked.has(tokenHash(token)));
  });
});
