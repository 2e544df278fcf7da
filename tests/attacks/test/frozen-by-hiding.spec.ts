import { eventually } from '@ringdown/testing/eventually';
import { shortestMs } from '@ringdown/testing/timing';
import { answeredAtOnce, AT_ONCE_MS, slowestAnswer } from '../src/answered-at-once.js';
import { attackSize } from '../src/attack-size.js';
import { FAT_RECORDS } from '../src/fat-records.js';
import { runningSystem } from '../src/running-system.js';

/** The number of calls with the largest records, for lists and exports. */
const MORE = attackSize(40, 400);
const KINDS = Object.keys(FAT_RECORDS);
const CALLS = KINDS.length + MORE;

// Slow requests are repeated, which must not exceed the request limit.
const attacked = runningSystem({ API_REQUESTS_PER_MINUTE: '10000' });
const operator = attacked.addPerson('dave', 'operator');
/** Token of an operator who may not see users. */
let dave: string;

beforeAll(async () => {
  dave = await attacked.tokenOf(operator);
  for (const [kind, record] of Object.entries(FAT_RECORDS)) await post(`fat-${kind}`, record);
  for (let n = 0; n < MORE; n++) await post(`fat-more-${n}`, FAT_RECORDS['other-pairs']);
  await eventually('all calls', async () => {
    const { text } = await attacked.client.as(dave, '/api/calls.csv');
    return text.split('fat-').length > CALLS;
  });
});

async function post(callId: string, record: ((callId: string) => string) | undefined): Promise<void> {
  const { status, text } = await attacked.client.post(record?.(callId) ?? '');
  if (status !== 200) throw new Error(`${callId}: ${text}`);
}

interface Page {
  readonly items: readonly { readonly callId: string }[];
  readonly next: string | null;
}

/** Reads each page within the time limit. */
async function idsOfPages(): Promise<ReadonlySet<string>> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const path = `/api/calls?limit=200${cursor}`;
    const { status, text } = await answeredAtOnce(attacked.client, () => attacked.client.as(dave, path));
    expect([path, status]).toEqual([path, 200]);
    const { items, next }: Page = JSON.parse(text);
    ids.push(...items.map(({ callId }) => callId));
    cursor = next === null ? '' : `&cursor=${next}`;
  } while (cursor !== '');
  expect(ids).toHaveLength(new Set(ids).size);
  return new Set(ids);
}

describe('one record with as much to hide as possible, read by an operator who may not see users', () => {
  it.each(KINDS)('with many %s is shown within a second, with its texts cut', async (kind) => {
    for (const path of [`/api/calls/fat-${kind}`, `/api/calls/fat-${kind}/timeline`]) {
      const { status, text } = await answeredAtOnce(attacked.client, () => attacked.client.as(dave, path));
      expect([path, status]).toEqual([path, 200]);
      expect(text).toMatch(/… \(cut, \d+ characters\)|hidden-cut/);
    }
  });
});

describe('many such calls', () => {
  it('are listed in pages within a second each', async () => {
    expect((await idsOfPages()).size).toBe(CALLS);
  });

  it.each(['calls.csv', 'calls.ndjson'])('are all in %s, and other requests are answered meanwhile', async (file) => {
    let text = '';
    const neighbour = await shortestMs(AT_ONCE_MS, () =>
      slowestAnswer(attacked.client, async () => {
        ({ text } = await attacked.client.as(dave, `/api/${file}`));
      }),
    );
    expect(neighbour).toBeLessThan(AT_ONCE_MS);
    const lines = text.split('\n').filter((line) => line.includes('fat-'));
    expect(lines).toHaveLength(CALLS);
  });
});
