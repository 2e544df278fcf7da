import { readFileSync } from 'node:fs';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published } from './feed-examples.js';
import { generatedRecords, USER_WORD, type Leaf, type SchemaVersion } from './generated-leaves.js';

/** `npm run test:leaves` sets more. */
const RECORDS = Number(process.env['LEAF_RECORDS'] ?? 27);
const SEED = Number(process.env['LEAF_SEED'] ?? 7);

/** Relative to `dist/test`, the folder of the compiled test. */
const openapi = readFileSync(new URL('../../../../docs/openapi.yaml', import.meta.url), 'utf8');
const recordsDocument = readFileSync(new URL('../../../../docs/records.md', import.meta.url), 'utf8');

/** All texts, numbers and booleans with the name of their field. */
function leavesIn(value: unknown, name: string, found: Set<string>): ReadonlySet<string> {
  if (Array.isArray(value)) for (const item of value) leavesIn(item, name, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      // The value of a metric, with its unit or limit beside it.
      if (key === 'value') leavesIn(inner, name, found);
      else leavesIn(inner, key, found);
    }
  } else found.add(`${name}=${String(value)}`);
  return found;
}

/** As XML, records contain everything. */
function withoutDocuments(body: object): unknown {
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'xml' ? undefined : value)));
}

function isDocumented({ name }: Leaf): boolean {
  const isOwn = /Zaphod/.test(name);
  return isOwn || new RegExp(`^\\s+${name}:`, 'm').test(openapi) || recordsDocument.includes(`\`${name}\``);
}

describe.each<SchemaVersion>(['1.0', 'A', 'C', 'D'])('every element without children in records of %s', (version) => {
  const records = generatedRecords(version, RECORDS, SEED);
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    await around.publish(...records.map(({ xml }) => published(xml)));
    for (const { callId } of records) await around.call(aggregator, callId);
  });
  afterAll(() => around.stop());

  it('is in the call under a documented name, for operators who see users', async () => {
    for (const { callId, leaves, xml } of records) {
      const { body } = await aggregator.get<object>(`/api/calls/${callId}`, around.operator);
      const found = leavesIn(withoutDocuments(body), '', new Set());
      const missing = leaves.filter((leaf) => !found.has(`${leaf.name}=${leaf.value}`) || !isDocumented(leaf));
      expect({ missing, xml: missing.length === 0 ? '' : xml }).toEqual({ missing: [], xml: '' });
    }
  });

  it('does not show anything of a user to other operators', async () => {
    for (const { callId } of records) {
      const { status, body } = await aggregator.get<object>(`/api/calls/${callId}`, around.plainOperator);
      expect([status, USER_WORD.exec(JSON.stringify(body))?.input.slice(0, 2_000) ?? '']).toEqual([200, '']);
    }
  });
});
