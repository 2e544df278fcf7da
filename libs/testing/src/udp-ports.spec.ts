import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { UdpPorts } from './udp-ports.js';

describe('UDP ports for other programs', () => {
  it('are consecutive and free, and none is returned twice', async () => {
    const ports = new UdpPorts('127.0.0.1');
    const first = await ports.reserve(5);
    const taken = createSocket('udp4').bind(first + 5 + 3, '127.0.0.1');
    await once(taken, 'listening');
    expect(await ports.reserve(5)).toBeGreaterThan(first + 5 + 3);
    taken.close();
  });

  it('are rejected when none are left', async () => {
    await expect(new UdpPorts('192.0.2.1').reserve(5_000)).rejects.toThrow(
      'no 5000 consecutive UDP ports are free at 192.0.2.1',
    );
  });
});
