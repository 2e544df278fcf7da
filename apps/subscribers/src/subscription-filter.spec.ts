import { SubscriptionFilter, type FilteredParty } from './subscription-filter.js';
import { readSubscriberSettings } from './subscription.js';

function filter(filters: Record<string, string>): SubscriptionFilter {
  return new SubscriptionFilter(readSubscriberSettings({ name: 'a', submituri: 'http://a.test/', ...filters }));
}

const alice: FilteredParty = { uri: 'sip:alice@sales.example.test:5061;gruu', ip: '192.0.2.10', tenantId: 'T1' };
const bob: FilteredParty = { uri: 'sip:bob@other.test', ip: '2001:db8::7', trunk: 'Trunk-1' };

describe('SubscriptionFilter', () => {
  it('passes everything without filters', () => {
    expect(filter({}).passes('c', [])).toBe(true);
  });

  it.each([
    ['domainfilters', 'EXAMPLE.test', true],
    ['domainfilters', 'nowhere.test, other', true],
    ['domainfilters', 'alice', false],
    ['subnetfilters', '192.0.2.0/24', true],
    ['subnetfilters', '2001:db8::/64', true],
    ['subnetfilters', '198.51.100.0/24', false],
    ['tenantfilters', 't1', true],
    ['tenantfilters', 'T', false],
    ['trunkfilters', 'trunk-1,x', true],
    ['trunkfilters', 'y', false],
  ])('passes the call with %s %j: %j', (kind, value, passes) => {
    expect(filter({ [kind]: value }).passes('c', [alice, bob])).toBe(passes);
  });

  it('requires a match of each kind of filter, by any party', () => {
    expect(filter({ domainfilters: 'example', trunkfilters: 'trunk-1' }).passes('c', [alice, bob])).toBe(true);
    expect(filter({ domainfilters: 'example', trunkfilters: 'trunk-2' }).passes('c', [alice, bob])).toBe(false);
  });

  it('remembers matches of a call for its later records', () => {
    const both = filter({ domainfilters: 'example', trunkfilters: 'trunk-1' });
    expect(both.passes('c', [alice])).toBe(false);
    expect(both.passes('c', [bob])).toBe(true);
    expect(both.passes('c', [{}])).toBe(true);
    expect(both.passes('another', [{}])).toBe(false);
  });

  it('ignores invalid addresses', () => {
    const networks = filter({ subnetfilters: '0.0.0.0/0' });
    expect(networks.passes('c', [{ ip: 'unknown' }, { ip: '' }, { ip: null }])).toBe(false);
  });
});
