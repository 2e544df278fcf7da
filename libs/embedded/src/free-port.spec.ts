import { once } from 'node:events';
import { createServer } from 'node:net';
import { jest } from '@jest/globals';
import { freePort } from './free-port.js';

describe('a free port', () => {
  it('can be listened on, and is none that outgoing connections are given', async () => {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(16_384);
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });

  it('is another one where somebody listens already', async () => {
    const busy = createServer().listen(20_000 + (process.pid % 5_000), '127.0.0.1');
    await once(busy, 'listening');
    const taken = 20_000 + (process.pid % 5_000);
    // The first pick is the port that is taken.
    const picks = [taken, taken + 5_000];
    const random = jest.spyOn(Math, 'random').mockImplementation(() => ((picks.shift() ?? 0) - 16_384) / 16_384);
    expect(await freePort()).toBe(taken + 5_000);
    random.mockRestore();
    busy.close();
  });
});
