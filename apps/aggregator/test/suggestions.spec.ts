import { SUGGESTED_FIELDS } from '@ringdown/call-catalogue/fields';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Surroundings, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { errorXml, published, startXml } from './feed-examples.js';

const SEED = 'seed of these very tests';
const hiding = new IdentityHiding(SEED);

interface Suggested {
  readonly items: readonly { readonly field: string; readonly text: string; readonly calls: number | null }[];
}

describe('suggestions', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sites-'));

  beforeAll(async () => {
    around = await Surroundings.start();
    const file = join(folder, 'sites.json');
    writeFileSync(file, JSON.stringify({ Oslo: ['10.1.0.0/16', '10.2.0.0/16'], 'Zürich West': ['10.3.0.0/16'] }));
    aggregator = await around.startAggregator({ IDENTITY_SEED: SEED, SITES_FILE: file });
    await around.publish(
      published(startXml({ callId: 'one', from: 'anna', frontEnd: 'a.example.test' })),
      published(startXml({ callId: 'two', from: 'anna', frontEnd: 'b.example.test' })),
      published(errorXml({ callId: 'three', frontEnd: 'b.example.test' })),
    );
    for (const callId of ['one', 'two', 'three']) await around.call(aggregator, callId);
  });
  afterAll(async () => {
    await around.stop();
    rmSync(folder, { recursive: true });
  });

  async function suggested(query: string, token = around.operator): Promise<readonly string[]> {
    const { status, body } = await aggregator.get<Suggested>(`/api/suggest?${query}`, token);
    expect(status).toBe(200);
    return body.items.map(({ text, calls }) => `${text} ${calls}`);
  }

  it('are the values of a field, the most frequent first, with their numbers of calls', async () => {
    expect(await suggested('field=frontEnd')).toEqual(['b.example.test 2', 'a.example.test 1']);
    expect(await suggested('field=frontEnd&limit=1')).toEqual(['b.example.test 2']);
    expect(await suggested('field=errorCode')).toEqual(['403 1']);
    expect(await suggested('field=medium')).toEqual(['audio 2']);
  });

  it('are those of several fields in the order of the request, so many of each', async () => {
    const { body } = await aggregator.get<Suggested>(
      '/api/suggest?field=medium&field=frontEnd&field=medium&limit=1',
      around.operator,
    );
    expect(body.items).toEqual([
      { field: 'medium', text: 'audio', calls: 2 },
      { field: 'frontEnd', text: 'b.example.test', calls: 2 },
    ]);
    expect(await suggested('field=codec&field=user&q=an')).toEqual(['anna@example.test 3']);
  });

  it('are sites of SITES_FILE, without a number of calls', async () => {
    expect(await suggested('field=site')).toEqual(['Oslo null', 'Zürich West null']);
    expect(await suggested('field=site&q=ZURICH', around.plainOperator)).toEqual(['Zürich West null']);
  });

  it('are found by any part, without regard to case', async () => {
    expect(await suggested('field=codec&q=mU')).toEqual(['PCMU/8000 2']);
    expect(await suggested('field=user&q=nN')).toEqual(['anna@example.test 3']);
    expect(await suggested('field=user&q=%25')).toEqual([]);
    expect(await suggested('field=codec&q=a_b')).toEqual([]);
  });

  it('are tokens for operators who do not see users', async () => {
    const texts = await suggested('field=user', around.plainOperator);
    expect(texts.join(' ')).not.toMatch(/anna|ben/);
    expect(texts.join(' ').toUpperCase()).toContain(hiding.token('anna').toUpperCase());
    expect(await suggested('field=user&q=anna', around.plainOperator)).toEqual([]);
    expect(await suggested('field=codec', around.plainOperator)).toEqual(['PCMU/8000 2']);
  });

  it.each(['user', 'caller'])('of %s offer a user once whose name is hidden', async (field) => {
    const anna = hiding.address('anna@example.test').toLowerCase();
    const found = await suggested(`field=${field}`, around.plainOperator);
    expect(found.filter((text) => text.includes(hiding.token('anna').toLowerCase()))).toEqual([`${anna} 3`]);
    const part = hiding.token('anna').slice(0, 12);
    expect(await suggested(`field=${field}&q=${part}`, around.plainOperator)).toEqual([`${anna} 3`]);
  });

  it('hide a number of 16 digits like any other user, and it cannot be searched by it', async () => {
    const dialled = '0114915112345678';
    await around.publish(published(startXml({ callId: 'dialled', from: dialled })));
    await around.call(aggregator, 'dialled');
    expect(await suggested('field=user&q=01149')).toEqual([`${dialled}@example.test 1`]);
    expect(await suggested('field=user&q=01149', around.plainOperator)).toEqual([]);
    const path = `/api/calls?user=${dialled}@example.test`;
    const { status, body } = await aggregator.get<Problem>(path, around.plainOperator);
    expect([status, body.code]).toEqual([403, 'may-search-tokens-only']);
  });

  it.each([
    ['', 'field'],
    ['field=shoeSize', 'field'],
    ['field=__proto__', 'field'],
    ['field=codec&field=shoeSize', 'field'],
    [
      SUGGESTED_FIELDS.slice(0, 11)
        .map((field) => `field=${field}`)
        .join('&'),
      'field',
    ],
    ['field=codec&limit=0', 'limit'],
    ['field=codec&q=a&q=b', 'q'],
    [`field=codec&q=${'x'.repeat(256)}`, 'q'],
    ['field=codec&q=%00', 'q'],
  ])('are rejected for %j', async (query, name) => {
    const { status, body } = await aggregator.get<Problem>(`/api/suggest?${query}`, around.operator);
    expect([status, body.code, body.parameters?.[0]?.name]).toEqual([400, 'bad-parameter', name]);
  });

  it('are found without regard to accents, in any script', async () => {
    const names = ['Téléphone Büro', 'Телефон'];
    const [one, other] = names.map((name) => `<UserAgent>${name}</UserAgent>`);
    await around.publish(published(startXml({ callId: 'accents', from: 'zoe', ends: [one ?? '', other ?? ''] })));
    await around.call(aggregator, 'accents');
    const found = (q: string): Promise<readonly string[]> => suggested(`field=userAgent&q=${encodeURIComponent(q)}`);
    for (const part of ['telephone', 'TÉLÉ', 'büro', 'buro']) expect(await found(part)).toEqual(['Téléphone Büro 1']);
    expect(await found('ТЕЛ')).toEqual(['Телефон 1']);
    expect(await found('desk')).toEqual([]);
  });
});
