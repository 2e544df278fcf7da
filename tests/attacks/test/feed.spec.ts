import { eventually } from '@ringdown/testing/eventually';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackSize } from '../src/attack-size.js';
import { runningSystem } from '../src/running-system.js';
import { FeedConnection, postFrom } from '../src/feed-connection.js';

/** All of 127.0.0.0/8 is this machine. */
const ATTACKER = '127.0.0.66';
const FRONT_END = '127.0.0.7';

const system = runningSystem((data) => {
  const COLLECTOR_SENDERS = join(data, 'senders.json');
  const addresses = { [FRONT_END]: ['fe1.example.test'], '127.0.0.0/8': ['*.made-up.test'] };
  writeFileSync(COLLECTOR_SENDERS, JSON.stringify({ addresses }));
  // No setting opens the feed, as with `npm start`. The time limit for a head is 10 s, whatever the limit for a whole
  // request.
  return { LISTEN_HOST: '0.0.0.0', COLLECTOR_SENDERS, COLLECTOR_REQUEST_SECONDS: '60' };
});
let feedPort: number;
let operator: string;

beforeAll(async () => {
  ({ feedPort } = system);
  operator = await system.client.signIn('carol');
});

function startXml(callId: string, frontEnd: string): string {
  return `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>${frontEnd}</FrontEnd><CallId>${callId}</CallId><CSEQ>1</CSEQ>
<TimeStamp>2026-03-02T10:00:00Z</TimeStamp></ConnectionInfo><StartOrUpdate Type="audio"><From><URI>sip:alice@example.test</URI></From>
<To><URI>sip:bob@example.test</URI></To><Properties/></StartOrUpdate></Diagnostics>`;
}

async function readJson<T>(path: string): Promise<T> {
  const { status, text } = await system.client.as(operator, path);
  if (status !== 200) throw new Error(`${path} was answered ${status} ${text}`);
  const body: T = JSON.parse(text);
  return body;
}

/** What `/api/services` reports to operators about the collector. */
async function collectorCount(name: string): Promise<number> {
  const { items } = await readJson<{ items: readonly { counts: Record<string, number> }[] }>('/api/services');
  return Math.max(0, ...items.map(({ counts }) => counts[name] ?? 0));
}

interface Sent {
  readonly remoteAddress: string | null;
}

describe('the feed of a system without configured addresses', () => {
  it('is not reachable from other machines, and the start reports in one line how to open it', async () => {
    // A server on all addresses responds at each of 127.0.0.0/8, a server on 127.0.0.1 only there.
    await expect(FeedConnection.open(feedPort, { to: '127.0.0.2' })).rejects.toThrow('ECONNREFUSED');
    expect((await postFrom('127.0.0.1', feedPort, '')).status).toBe(200);
    expect(system.process.stdout()).toMatch(/^ +only for this machine: COLLECTOR_ALLOW=\S+ allows .+$/m);
  });
});

describe('a forged record', () => {
  it('can be traced to its address, in its call, its timeline and the rejected records', async () => {
    expect((await postFrom(ATTACKER, feedPort, startXml('forged', 'fe6.made-up.test'))).status).toBe(200);
    await eventually('the call', async () => (await system.client.as(operator, '/api/calls/forged')).status === 200);
    const { records } = await readJson<{ records: readonly Sent[] }>('/api/calls/forged');
    const { items } = await readJson<{ items: readonly Sent[] }>('/api/calls/forged/timeline');
    expect([...records, ...items].map(({ remoteAddress }) => remoteAddress)).toEqual([ATTACKER, ATTACKER]);
    expect((await postFrom(ATTACKER, feedPort, '<Forged/>')).status).toBe(400);
    const refused = await eventually('the refused record', async () => {
      const rejected = await readJson<{ items: readonly (Sent & { code: string })[] }>('/api/rejected-records');
      return rejected.items.find(({ code }) => code === 'unknown-root');
    });
    expect(refused.remoteAddress).toBe(ATTACKER);
  });

  it('for the front end of another sender is rejected, and an operator sees the sender', async () => {
    const forged = await postFrom(ATTACKER, feedPort, startXml('spoken-for', 'fe1.example.test'));
    expect([forged.status, forged.body]).toEqual([403, expect.stringContaining('<Code>front-end-not-allowed</Code>')]);
    expect((await postFrom(FRONT_END, feedPort, startXml('true', 'fe1.example.test'))).status).toBe(200);
    await eventually('the refused record', async () => {
      const rejected = await readJson<{ items: readonly (Sent & { code: string })[] }>('/api/rejected-records');
      return rejected.items.some(
        ({ code, remoteAddress }) => code === 'front-end-not-allowed' && remoteAddress === ATTACKER,
      );
    });
    expect((await system.client.as(operator, '/api/calls/spoken-for')).status).toBe(404);
  });
});

describe('a web page in a browser on a machine that may send', () => {
  it('cannot post records, also not with a body without a type, which needs no permission', async () => {
    const response = await fetch(`http://127.0.0.1:${feedPort}/`, {
      method: 'POST',
      headers: { origin: 'https://evil.test' },
      body: new Blob([startXml('by-a-page', 'fe7.made-up.test')]),
    });
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('<Code>origin-not-allowed</Code>'),
    ]);
  });
});

describe('an address that keeps connections open', () => {
  const held: FeedConnection[] = [];

  it('does not block the port with 1,010 slow heads, and the operator sees the dropped connections', async () => {
    const tries = attackSize(1_010, 3_000);
    for (let n = 0; n < tries; n++) {
      const connection = await FeedConnection.open(feedPort, { from: ATTACKER });
      connection.send('POST / HTTP/1.1\r\nHost: feed\r\n');
      held.push(connection);
    }
    expect((await postFrom(FRONT_END, feedPort, startXml('meanwhile', 'fe1.example.test'))).status).toBe(200);
    await eventually(
      'the dropped connections',
      async () => (await collectorCount('connectionsDropped')) >= tries - 500,
    );
  });

  it('loses connections without a complete head after 10 seconds', async () => {
    await eventually('the end of all', () => held.every(({ isClosed }) => isClosed));
    // The others were over the limit. A busy machine delays some of them, but not all by as much.
    const timedOut = held.filter(({ received }) => received.startsWith('HTTP/1.1 408 '));
    expect(Math.min(...timedOut.map(({ openMs }) => openMs))).toBeLessThan(20_000);
  });
});

describe('a sender that invents front ends', () => {
  it('gets only the limit of them accepted, which operators see, and displaces no existing ones', async () => {
    const connection = await FeedConnection.open(feedPort, { from: ATTACKER });
    const codes = new Map<string, number>();
    for (let n = 0; n < attackSize(1_100, 2_000); n++) {
      const { status, body } = await connection.post(startXml(`made-up-${n}`, `fe${n}.made-up.test`));
      const code = `${status} ${/<Code>([a-z-]+)</.exec(body)?.[1] ?? ''}`;
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    connection.end();
    expect([...codes.keys()].toSorted()).toEqual(['200 ', '403 too-many-front-ends']);
    expect(codes.get('200 ')).toBeLessThanOrEqual(1_000);
    // Operators see how much was rejected.
    const refused = codes.get('403 too-many-front-ends');
    await eventually('the count', async () => (await collectorCount('frontEndsOverLimit')) === refused);
    expect((await postFrom(FRONT_END, feedPort, startXml('after', 'fe1.example.test'))).status).toBe(200);
    let shown = 0;
    for (let next: string | null = ''; next !== null;) {
      const page: { items: readonly unknown[]; next: string | null } = await readJson(
        `/api/front-ends?limit=200${next === '' ? '' : `&cursor=${next}`}`,
      );
      shown += page.items.length;
      next = page.next;
    }
    expect(shown).toBeLessThanOrEqual(1_000);
  });
});
