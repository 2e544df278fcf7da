import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  CONDITION_NAMES,
  conditionParameters,
  presentName,
  rangeValue,
  withCondition,
  searchConditionWords,
} from './conditions.js';
import { RANGES } from './fields.js';

function rangeNamed(label: string): (typeof RANGES)[number] {
  const range = RANGES.find((each) => each.label === label);
  if (range === undefined) throw new Error(`no range ${label}`);
  return range;
}

describe('conditions of a search', () => {
  it('are read under the names of earlier releases', () => {
    const before = { accessPoint: 'bssid' } as const;
    const read = ['accessPoint', 'not.accessPoint', 'bssid', 'not.codec', 'toString'].map((name) =>
      presentName(name, before),
    );
    expect(read).toEqual(['bssid', 'not.bssid', 'bssid', 'not.codec', 'toString']);
  });

  it('cover every parameter of the list of calls', () => {
    const openapi = readFileSync(fileURLToPath(new URL('../../../../../docs/openapi.yaml', import.meta.url)), 'utf8');
    const [, list = ''] = /\n {2}\/api\/calls:\n([^]*?)\n {2}\/api\/calls\.csv:/.exec(openapi) ?? [];
    const references = [...list.matchAll(/components\/parameters\/(\w+)/g)].map(([, name = '']) => name);
    const names = references.map(
      (reference) => new RegExp(`\\n {4}${reference}:\\n {6}name: (\\S+)`).exec(openapi)?.[1] ?? reference,
    );
    const others = ['q', 'state', 'verdict', 'from', 'to', 'last', 'sort', 'Limit', 'cursor', 'identities'];
    expect(names.filter((name) => !others.includes(name)).toSorted()).toEqual(CONDITION_NAMES.toSorted());
  });

  it.each([
    ['codec', 'PCMU/8000', 'Codec: PCMU/8000'],
    ['not.codec', 'PCMU/8000', 'Codec is not PCMU/8000'],
    ['not.verdict', 'good', 'Verdict is not good'],
    ['audio', 'oneWay,silent', 'Audio: one-way audio, no audio'],
    ['minLoss', '0.05', 'Packet loss at least 5\u00A0%'],
    ['maxMos', '3.5', 'MOS at most 3.5'],
    ['maxLinkSpeed', '100000000', 'Link speed at most 100\u00A0Mbit/s'],
  ])('are shown in words: %s=%s', (name, value, words) => {
    expect(searchConditionWords({ name, value })).toBe(words);
  });

  it.each([
    ['Packet loss', '5', '0.05'],
    ['Packet loss', '0,0001', '0.000001'],
    ['Link speed', '10', '10000000'],
    ['MOS', ' 3.5 ', '3.5'],
    ['MOS', '', undefined],
    ['MOS', '-1', undefined],
    ['MOS', 'low', undefined],
    ['Invited', '2026-11-25T10:00:00Z', '2026-11-25T10:00:00.000Z'],
    ['Invited', 'then', undefined],
  ])('take what was typed in the unit shown: %s %s', (label, typed, value) => {
    expect(rangeValue(rangeNamed(label), typed)).toBe(value);
  });

  it('have several values where the API takes them, else the last one', () => {
    const added = [
      { name: 'codec', value: 'PCMU' },
      { name: 'codec', value: 'PCMA' },
      { name: 'codec', value: 'PCMU' },
      { name: 'path', value: 'direct' },
      { name: 'path', value: 'relay' },
      { name: 'site', value: 'Oslo' },
      { name: 'site', value: 'Rome' },
      { name: 'minMos', value: '1' },
      { name: 'minMos', value: '2' },
    ];
    const conditions = added.reduce(withCondition, []);
    expect(conditionParameters(conditions)).toEqual({
      codec: ['PCMA', 'PCMU'],
      path: 'direct,relay',
      site: 'Rome',
      minMos: '2',
    });
  });
});
