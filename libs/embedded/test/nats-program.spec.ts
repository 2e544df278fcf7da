import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer, syncsBeforeAck } from '../src/nats-program.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-nats-program-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program with that name that only prints a version; returns its folder. */
function natsServer(version: string): string {
  const home = join(folder, version);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'nats-server'), `#!/bin/sh\necho 'nats-server: v${version}'\n`);
  chmodSync(join(home, 'nats-server'), 0o755);
  return home;
}

describe('the selected nats-server', () => {
  it('is the first in the folders that is 2.10 or later', async () => {
    const folders = [join(folder, 'nothing'), natsServer('2.9.10'), natsServer('2.10.0'), natsServer('2.12.1')];
    const found = { command: join(folder, '2.10.0', 'nats-server'), version: 'nats-server: v2.10.0' };
    expect(await findNatsServer({ folders })).toEqual(found);
    expect(await findNatsServer({ folders, allowOld: true })).toEqual(found);
  });

  it('is an older one only if there is no other and that is allowed', async () => {
    const folders = [natsServer('2.9.10'), natsServer('2.9.25')];
    expect(await findNatsServer({ folders })).toBeUndefined();
    expect(await findNatsServer({ folders, allowOld: true })).toMatchObject({ version: 'nats-server: v2.9.10' });
  });

  it('is never one that cannot be run', async () => {
    const broken = join(folder, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'nats-server'), 'no program');
    expect(await findNatsServer({ folders: [broken], allowOld: true })).toBeUndefined();
  });

  it.each([
    ['nats-server: v2.9.10', false],
    ['nats-server: v2.10.0', true],
    ['nats-server: v2.10.27-Debian', true],
    ['nats-server: v3.0.0', true],
    ['no version', false],
  ])('%j writes messages to disk before it acknowledges them: %s', (version, does) => {
    expect(syncsBeforeAck(version)).toBe(does);
  });
});
