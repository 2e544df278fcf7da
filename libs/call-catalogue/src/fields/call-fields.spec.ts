import { CALL_FIELD_NAMES, filterRow, presentName } from './call-fields.js';

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
