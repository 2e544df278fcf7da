import { once } from 'node:events';
import { createServer } from 'node:net';
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
    const [used, free] = [await freePort(), await freePort()];
    const busy = createServer().listen(used, '127.0.0.1');
    await once(busy, 'listening');
    const picks = [used, free];
    const random = jest.spyOn(Math, 'random').mockImplementation(() => ((picks.shift() ?? 0) - 16_384) / 16_384);
    expect(await freePort()).toBe(free);
    random.mockRestore();
    busy.close();
  });
});
