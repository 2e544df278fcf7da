import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { freePort } from '@ringdown/embedded';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';

const CHECKOUT = join(import.meta.dirname, '../../../..');
const UNIT = readFileSync(join(CHECKOUT, 'deploy/sender/ringdown-sender.service'), 'utf8');
const ADVICE = 'this test needs it to read the unit as systemd does. Install it (Debian: apt-get install systemd)';

function unitValues(key: string): string[] {
  return [...UNIT.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

describe('the systemd unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-unit-'));
  /** The unit with the paths of this checkout and of the test's folder. */
  const here = (text: string): string =>
    text.replaceAll('/opt/ringdown', CHECKOUT).replaceAll(/\/(?:var\/log|etc)\//g, `${folder}/`);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The faults that systemd finds in the unit. */
  function verified(text: string): string {
    const file = join(folder, 'ringdown-sender.service');
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(findProgram('systemd-analyze', ADVICE), ['verify', '--man=no', file], {
      encoding: 'utf8',
    });
    // Other units of the machine may have faults too.
    const faults = stderr.split('\n').filter((line) => line.includes('ringdown-sender'));
    return [...(status === 0 ? [] : [`it ended with ${status}`]), ...faults].join('\n');
  }

  it('is valid for systemd, and starts an existing program', () => {
    expect(verified(here(UNIT))).toBe('');
    expect(verified(here(UNIT).replace('MemoryMax', 'MemoryLimits'))).toContain("'MemoryLimits' in section [Service]");
    expect(verified(here(UNIT).replace('bin/node ', 'bin/nod '))).toContain('not executable');
  });

  it('names existing files, and a log folder that the service may write to', () => {
    const named = [...UNIT.matchAll(/\/opt\/ringdown\/\S+/g)].map(([path]) => here(path));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
    expect(unitValues('Environment')).toEqual([`LOG_FOLDER=/var/log/${unitValues('LogsDirectory')[0]}`]);
    // Nothing else is writable, and the user is created for the service.
    expect([...unitValues('ProtectSystem'), ...unitValues('DynamicUser')]).toEqual(['strict', 'yes']);
  });

  it('starts a sender that stops within the time limit', async () => {
    const collector = await RecordingCollector.start();
    const [command = '', ...args] = (unitValues('ExecStart')[0] ?? '').split(' ').map(here);
    const logs = here(unitValues('Environment')[0]?.split('=')[1] ?? '');
    mkdirSync(logs);
    const ownSettings = {
      HEP_HOST: '127.0.0.1',
      HEP_PORT: '0',
      INNER_PORT: String(await freePort()),
      SUBMIT_URI: collector.url,
    };
    // systemd gives a service hardly more environment variables than these.
    const env = { PATH: '/usr/bin', LOG_FOLDER: logs, ...ownSettings };
    const service = spawn(command, args, { cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderrText = '';
    service.stderr.on('data', (text) => (stderrText += String(text)));
    const ended = once(service, 'exit');
    await eventually('the sender', () => stderrText.includes('listening for HEP'));
    const stopAt = performance.now();
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect((performance.now() - stopAt) / 1_000).toBeLessThan(Number(unitValues('TimeoutStopSec')[0]));
    await collector.stop();
  });
});
