import { CALL_FIELD_NAMES, filterRow, presentName } from './call-fields.js';
import { SUSPECT_DIMENSIONS } from './dimensions.js';

describe('names of filters of earlier releases', () => {
  it('are read as the present ones', () => {
    const before = new Map([['accessPoint', 'bssid']]);
    expect(presentName('accessPoint', before)).toBe('bssid');
    expect(presentName('bssid', before)).toBe('bssid');
    expect(presentName('toString')).toBe('toString');
  });

  it('are no names of today', () => {
    const today: readonly string[] = CALL_FIELD_NAMES;
    const before = CALL_FIELD_NAMES.flatMap((name) => filterRow(name).before ?? []);
    expect(before.filter((name, at) => today.includes(name) || before.indexOf(name) !== at)).toEqual([]);
  });
});

describe('the kind of search keys of a filter', () => {
  /** Kinds that calls are found by without a filter of the catalogue (SearchKind of the aggregator). */
  const RESERVED = ['callId', 'subnet', 'replaces', 'numbers', 'hiddenNumbers'];

  it('is its own', () => {
    const kinds = [...RESERVED, ...CALL_FIELD_NAMES.map((name) => filterRow(name).kind)];
    expect(kinds.filter((kind, at) => kinds.indexOf(kind) !== at)).toEqual([]);
  });

  // Keys are read again up to the first colon.
  it('is a word', () => {
    expect(CALL_FIELD_NAMES.filter((name) => !/^[A-Za-z]+$/.test(filterRow(name).kind))).toEqual([]);
  });
});

describe('the dimensions of suspects', () => {
  it('are things that may be wrong, the most exact first', () => {
    expect(SUSPECT_DIMENSIONS).toEqual([
      'device',
      'driver',
      'bssid',
      'trunk',
      'hop',
      'relay',
      'ssid',
      'userAgent',
      'codec',
      'frontEnd',
      'pool',
      'subnet',
      'site',
    ]);
  });

  it('have a number each, and search keys', () => {
    const rows = CALL_FIELD_NAMES.map((name) => filterRow(name)).filter(({ suspect }) => suspect !== undefined);
    expect(new Set(rows.map(({ suspect }) => suspect)).size).toBe(rows.length);
    expect(rows.filter(({ counted }) => counted === undefined)).toEqual([]);
  });
});
