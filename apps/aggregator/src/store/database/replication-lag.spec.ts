import { ReplicationLag, type ReplayState } from './replication-lag.js';

/** A primary and a standby at a clock of their own. */
class Servers {
  seconds = 1_000;
  written: number | undefined = 100;
  state: ReplayState | undefined = { isStandby: true, replayed: 100, secondsSinceCommit: 0 };
  asked = 0;
  readonly lag = new ReplicationLag(
    {
      written: () => {
        this.asked++;
        return answer(this.written);
      },
      replay: () => answer(this.state),
    },
    () => this.seconds * 1_000,
  );

  /** The lag this much later. */
  after(seconds: number, written: number | undefined, state: Partial<ReplayState> = {}): Promise<number> {
    this.seconds += seconds;
    this.written = written;
    this.state = { isStandby: true, replayed: 100, secondsSinceCommit: null, ...state };
    return this.lag.seconds();
  }
}

function answer<T>(value: T | undefined): Promise<T> {
  return value === undefined ? Promise.reject(new Error('no answer')) : Promise.resolve(value);
}

describe('the lag of a standby', () => {
  it('is 0 while it has all of the log, however old its newest transaction is', async () => {
    const servers = new Servers();
    expect(await servers.after(0, 100, { secondsSinceCommit: 90_000 })).toBe(0);
    expect(await servers.after(3_600, 100, { secondsSinceCommit: 93_600 })).toBe(0);
  });

  it('grows from the last moment at which it had all of the log', async () => {
    const servers = new Servers();
    expect(await servers.after(0, 100)).toBe(0);
    expect(await servers.after(10, 200)).toBe(10);
    expect(await servers.after(50, 300)).toBe(60);
    // It has what was written until 50 seconds ago.
    expect(await servers.after(0.5, 300)).toBe(60);
    expect(await servers.after(2, 300, { replayed: 200 })).toBe(52.5);
    expect(await servers.after(2, 300, { replayed: 300 })).toBe(0);
  });

  it('is not more than the age of its newest transaction', async () => {
    const servers = new Servers();
    expect(await servers.after(0, 100)).toBe(0);
    expect(await servers.after(3_600, 200, { secondsSinceCommit: 5 })).toBe(5);
  });

  it('is the age of its newest transaction when it was behind from the start, or the primary does not answer', async () => {
    expect(await new Servers().after(0, 200, { secondsSinceCommit: 70 })).toBe(70);
    expect(await new Servers().after(0, undefined, { secondsSinceCommit: 80 })).toBe(80);
  });

  it('is 0 when it does not answer or was promoted, because the primary is read then', async () => {
    const servers = new Servers();
    await servers.after(0, 100);
    expect(await servers.after(60, 200, { isStandby: false })).toBe(0);
    servers.seconds += 60;
    servers.state = undefined;
    expect(await servers.lag.seconds()).toBe(0);
  });

  it('forgets the log of a primary that a standby without its end has replaced', async () => {
    const servers = new Servers();
    await servers.after(0, 100);
    await servers.after(10, 500);
    expect(await servers.after(10, 100)).toBe(0);
  });

  it('is measured once for answers within two seconds', async () => {
    const servers = new Servers();
    await Promise.all([servers.lag.seconds(), servers.lag.seconds()]);
    servers.seconds += 1;
    await servers.lag.seconds();
    expect(servers.asked).toBe(1);
    servers.seconds += 1.5;
    await servers.lag.seconds();
    expect(servers.asked).toBe(2);
  });
});
