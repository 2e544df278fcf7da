import { eventually } from '@ringdown/testing/eventually';
import { setTimeout } from 'node:timers/promises';
import { answeredAtOnce, AT_ONCE_MS, slowestAnswer } from '../src/answered-at-once.js';
import { attackSize } from '../src/attack-size.js';
import { runningSystem } from '../src/running-system.js';

/** As many streams as fit into a record that is small enough for every limit. */
const STREAMS_PER_RECORD = 270;
const LARGE_RECORDS = attackSize(100, 300);
const SMALL_RECORDS = attackSize(20, 200);
/** A call has at most 6,000 events. */
const FULL = Math.floor(6_000 / STREAMS_PER_RECORD);
const CALL = 'large-call';
const TIMELINE = `/api/calls/${CALL}/timeline`;

const system = runningSystem({ API_REQUESTS_PER_MINUTE: '10000' });
let operator: string;

function record(n: number, inside: string): string {
  const connection = `<FrontEnd>fe1.example.test</FrontEnd><CallId>${CALL}</CallId><CSEQ>${n}</CSEQ>`;
  return `<Diagnostics Version="1.0"><ConnectionInfo>${connection}</ConnectionInfo>${inside}</Diagnostics>`;
}

function streams(n: number): string {
  return Array.from({ length: STREAMS_PER_RECORD }, (_, at) => {
    const [from, to] = ['a', 'b'].map((side) => `<URI>sip:${side}${n}-${at}@x.test</URI>`);
    return `<Start Type="audio"><From>${from}</From><To>${to}</To></Start>`;
  }).join('');
}

async function post(body: string): Promise<void> {
  expect((await system.client.post(body)).status).toBe(200);
}

/** How many of the records it has. */
async function recordsOfCall(): Promise<number> {
  const { status, text } = await system.client.as(operator, `/api/calls/${CALL}`);
  if (status !== 200) return 0;
  const { version }: { version: number } = JSON.parse(text);
  return version;
}

beforeAll(async () => {
  operator = await system.client.signIn('carol');
  for (let n = 1; n <= LARGE_RECORDS; n++) await post(record(n, streams(n)));
  await eventually('the large call is full', async () => (await recordsOfCall()) >= FULL);
});

describe('a call of many large records', () => {
  it('does not make the records after it expensive: others are answered within a second', async () => {
    const slowest = await slowestAnswer(system.client, async () => {
      for (let n = 1; n <= SMALL_RECORDS; n++) {
        await post(record(LARGE_RECORDS + n, ''));
        // One by one, so that each one is processed alone.
        await setTimeout(50);
      }
    });
    expect(slowest).toBeLessThan(AT_ONCE_MS);
  });

  it('is read within a second, page by page', async () => {
    for (const path of [`/api/calls/${CALL}`, TIMELINE, `${TIMELINE}?limit=200`]) {
      const { status } = await answeredAtOnce(system.client, () => system.client.as(operator, path));
      expect([path, status]).toEqual([path, 200]);
    }
  });
});
