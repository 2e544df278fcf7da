import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import { RejectedCounts } from './rejected-counts.js';

function letter(body: string): RejectedRecord {
  return { receivedAt: 0, remoteAddress: '', path: '/', code: 'malformed', reason: 'cut off', body };
}

describe('rejected bodies', () => {
  it('are counted once for each front end that they name, regardless of its spelling', async () => {
    const bodies = [
      '<FrontEnd>FE1</FrontEnd>',
      '<x:FrontEnds>fe1, fe2,fe1</x:FrontEnds>',
      '<FrontEnd>fe3',
      '<FrontEnd><b>fe1</b>',
    ];
    const rejectedCounts = new RejectedCounts({ latest: () => Promise.resolve(bodies.map(letter)) });
    expect(await rejectedCounts.of('Fe1')).toBe(2);
    expect(await rejectedCounts.of('fe2')).toBe(1);
    expect(await rejectedCounts.of('fe3')).toBe(0);
  });

  it('are read again after a while, not each time', async () => {
    let now = 0;
    let reads = 0;
    const latest = (): Promise<RejectedRecord[]> => Promise.resolve([letter(`<FrontEnd>fe${++reads}</FrontEnd>`)]);
    const rejectedCounts = new RejectedCounts({ latest }, () => now);
    expect(await rejectedCounts.of('fe1')).toBe(1);
    now = 9_000;
    expect(await rejectedCounts.of('fe2')).toBe(0);
    now = 11_000;
    expect(await rejectedCounts.of('fe2')).toBe(1);
    expect(reads).toBe(2);
  });

  it('are unknown while the bus is not reachable, and known when it is back', async () => {
    let away = true;
    const latest = (): Promise<RejectedRecord[]> =>
      away ? Promise.reject(new Error('away')) : Promise.resolve([letter('<FrontEnd>fe1</FrontEnd>')]);
    const rejectedCounts = new RejectedCounts({ latest });
    expect(await rejectedCounts.of('fe1')).toBeNull();
    away = false;
    expect(await rejectedCounts.of('fe1')).toBe(1);
  });
});
