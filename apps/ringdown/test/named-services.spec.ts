import { eventually } from '@ringdown/testing/eventually';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { startXml } from './feed-examples.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

describe('npm run dev with the names of services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-dev-'));
  const ports = { SERVICE_PORT: '0', INNER_PORT: '0', COLLECTOR_PORT: '0' };
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...ports, LISTEN_HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') };

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('runs them with a bus and a database of their own until Ctrl-C', async () => {
    const npm = spawn('npm', ['run', 'dev', '--', 'collector', 'aggregator'], { cwd: root, env, detached: true });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on('data', (chunk) => (output += stripVTControlCharacters(String(chunk))));
    }
    const closed = once(npm, 'close');
    try {
      const [, address = ''] = await eventually(
        'the collector',
        () => /collector is running\n.*\n *address: "(.*)"/.exec(output) ?? undefined,
      );
      await eventually('the aggregator', () => output.includes('aggregator is running'));
      const { port } = new URL(address);
      const headers = { 'content-type': 'text/xml' };
      const post = { method: 'POST', headers, body: startXml('call-1') };
      const { status } = await fetch(`http://127.0.0.1:${port}/`, post);
      expect(status).toBe(200);
    } finally {
      // As a terminal sends it: to each process of its group.
      process.kill(-(npm.pid ?? 0), 'SIGINT');
      await closed;
    }
    expect(output).not.toContain('ERROR');
  });

  it('names the services that there are when it does not know one', async () => {
    const called = promisify(execFile)('npm', ['run', 'dev', '--', 'colector'], { cwd: root, env });
    await expect(called).rejects.toMatchObject({
      stderr: expect.stringContaining('there is no service colector; there are collector, aggregator'),
    });
  });
});
