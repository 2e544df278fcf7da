import { IdentityHiding } from '@ringdown/identity-hiding';
import { hiddenScope, presentDimension } from './alert-scope.js';

const hiding = new IdentityHiding('seed of these very tests');
const BEFORE = new Map([['accessPoint', 'bssid']]);

describe('a stored rule or alert with the name of an earlier release', () => {
  it('is divided by the dimension of today', () => {
    const stored = JSON.parse('["accessPoint", "bssid", "nothing", null]');
    expect(stored.map((by: never) => presentDimension(by, BEFORE))).toEqual(['bssid', 'bssid', 'nothing', null]);
  });

  it.each(['9C-3D-CF-20-03-0C', 'of anna'])('hides a value as under the present name (%s)', (value) => {
    expect(hiddenScope(hiding, { accessPoint: value }, BEFORE)).toEqual({
      accessPoint: hiding.field(value, 'bssid'),
    });
  });

  it('is shown if it is a site', () => {
    expect(hiddenScope(hiding, { place: 'Bonn' }, new Map([['place', 'site']]))).toEqual({ place: 'Bonn' });
  });
});
