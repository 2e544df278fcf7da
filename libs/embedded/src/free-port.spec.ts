import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { freePort } from './free-port.js';

describe('a free port', () => {
  it('can be listened on, and is outside the range for outgoing connections', async () => {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(16_384);
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });

  it('is a different one when the first is in use', async () => {
    const used = await freePort();
    const busy = createServer().listen(used, '127.0.0.1');
    await once(busy, 'listening');
    const random = jest.spyOn(Math, 'random').mockImplementationOnce(() => (used - 16_384) / 16_384);
    expect(await freePort()).not.toBe(used);
    expect(random).toHaveBeenCalledTimes(2);
    random.mockRestore();
    busy.close();
  });

  it('is given to one of all who ask within a minute, also in other processes', async () => {
    const file = fileURLToPath(new URL('free-port.js', import.meta.url));
    const script = `const { freePort } = await import(${JSON.stringify(file)});
      for (let n = 0; n < 300; n++) console.log(await freePort());
      process.stdin.resume();`;
    const children = [1, 2].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
    const asked = children.map(async ({ stdout }) => {
      const lines: string[] = [];
      for await (const line of createInterface(stdout)) if (lines.push(line) === 300) break;
      return lines;
    });
    const ports = (await Promise.all(asked)).flat();
    for (const { stdin } of children) stdin.end();
    // Of 600 ports that are chosen without regard to others, eleven are the same, as a rule.
    expect(new Set(ports).size).toBe(600);
  });
});
