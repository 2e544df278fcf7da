import { Writable } from 'node:stream';
import pino from 'pino';
import { OutageLog } from './outage-log.js';

interface Logged {
  readonly log: OutageLog;
  readonly lines: { readonly msg: string; readonly reason?: string; readonly failing?: number }[];
  readonly clock: { at: number };
}

function logged(): Logged {
  const lines: Logged['lines'] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    lines.push(JSON.parse(chunk.toString()));
    done();
  };
  const clock = { at: 1_000_000 };
  const log = new OutageLog({
    logger: pino({ level: 'info' }, new Writable({ write })),
    failure: 'it fails; trying again',
    recovery: 'it works again',
    about: { where: 'here' },
    now: () => clock.at,
  });
  return { log, lines, clock };
}

describe('the log of an outage', () => {
  it('logs it at once, then more and more rarely, regardless of how many fail and how often', () => {
    const { log, lines, clock } = logged();
    const loggedAt: number[] = [];
    for (let second = 0; second < 3_600; second++) {
      for (const who of [1, 2, 3]) log.failed(who, 'away');
      if (lines.length > loggedAt.length) loggedAt.push(second);
      clock.at += 1_000;
    }
    expect(loggedAt).toEqual([0, 15, 45, 105, 225, 465, 945, 1_545, 2_145, 2_745, 3_345]);
    expect(lines[1]).toMatchObject({ msg: 'it fails; trying again', reason: 'away', failing: 3, where: 'here' });
  });

  it('logs the recovery once, when all work again', () => {
    const { log, lines } = logged();
    log.failed(1, 'away');
    log.failed(2, 'away');
    log.succeeded(1);
    expect(lines).toHaveLength(1);
    log.succeeded(2);
    log.succeeded(2);
    expect(lines.map(({ msg }) => msg)).toEqual(['it fails; trying again', 'it works again']);
  });

  it('continues when failures and successes alternate', () => {
    const { log, lines, clock } = logged();
    for (let round = 0; round < 100; round++) {
      log.failed(1, 'full');
      log.succeeded(1);
      clock.at += 100;
    }
    expect(lines).toHaveLength(2);
  });

  it('starts again with the next outage', () => {
    const { log, lines, clock } = logged();
    log.failed(1, 'away');
    clock.at += 20_000;
    log.failed(1, 'away');
    log.succeeded(1);
    clock.at += 3_600_000;
    log.failed(1, 'away');
    clock.at += 15_000;
    log.failed(1, 'away');
    expect(lines).toHaveLength(5);
  });

  it('does not wait for those that have left', () => {
    const { log, lines } = logged();
    log.failed(1, 'away');
    log.failed(2, 'away');
    log.remove(1);
    log.succeeded(2);
    expect(lines).toHaveLength(2);
  });
});
