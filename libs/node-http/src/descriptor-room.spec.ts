import { descriptorLimit, fitConnections, fitPerAddress, type WantedConnections } from './descriptor-room.js';

const WEB: WantedConnections = { setting: 'WEB_MAX_CONNECTIONS', perPort: 20_000, ports: 1 };
const FEED: WantedConnections = { setting: 'COLLECTOR_MAX_CONNECTIONS', perPort: 1_000, ports: 1 };

describe('limits of connections', () => {
  it.each([1_048_576, 21_128, undefined])('are kept when %s descriptors are enough', (descriptors) => {
    expect(fitConnections([WEB, FEED], descriptors ?? Infinity)).toEqual({
      perPort: { WEB_MAX_CONNECTIONS: 20_000, COLLECTOR_MAX_CONNECTIONS: 1_000 },
      reduced: undefined,
    });
  });

  it('are reduced below the descriptors of the process, shared by the settings', () => {
    const { perPort, reduced } = fitConnections([WEB, FEED], 256);
    expect(perPort).toEqual({ WEB_MAX_CONNECTIONS: 64, COLLECTOR_MAX_CONNECTIONS: 64 });
    expect(reduced).toEqual({
      line:
        'this process may open only 256 files and connections at the same time (ulimit -n); reduced ' +
        'WEB_MAX_CONNECTIONS from 20000 to 64, COLLECTOR_MAX_CONNECTIONS from 1000 to 64',
      isSerious: true,
    });
  });

  it('leave what a small setting does not need to the large one', () => {
    const { perPort, reduced } = fitConnections([WEB, FEED], 4_096);
    expect(perPort).toEqual({ WEB_MAX_CONNECTIONS: 2_968, COLLECTOR_MAX_CONNECTIONS: 1_000 });
    expect(reduced?.isSerious).toBe(false);
  });

  it.each(Array.from({ length: 40 }, (_, n) => 200 + n * 97))(
    'of several ports never exceed %i descriptors together',
    (descriptors) => {
      const wanted = [
        { ...WEB, ports: 2 },
        { ...FEED, ports: 2 },
      ];
      const { perPort } = fitConnections(wanted, descriptors);
      const all = wanted.reduce((sum, { setting, ports }) => sum + (perPort[setting] ?? 0) * ports, 0);
      expect(all).toBeLessThanOrEqual(descriptors - 128);
      expect(all).toBeGreaterThan(descriptors - 128 - 4);
    },
  );

  it('of one address are half of a port that was reduced', () => {
    expect(fitPerAddress(500, 20_000, 64)).toBe(32);
    expect(fitPerAddress(500, 20_000, 18_872)).toBe(500);
    expect(fitPerAddress(5, 4, 4)).toBe(5);
  });

  it('cannot be reduced to nothing', () => {
    expect(() => fitConnections([WEB, FEED], 140)).toThrow(
      'this process may open only 140 files and connections at the same time (ulimit -n); it needs at least 160',
    );
  });

  it('are compared with the limit of this process', () => {
    expect(descriptorLimit()).toBeGreaterThan(0);
  });
});
